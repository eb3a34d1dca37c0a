"""Which folder may include which: prints every include that breaks the rule, every circle of includes, every factor
between digits and bits outside checks/arb/precision.h, everything that is printed past the layer that escapes what came
from outside, everything that starts another program, two types of one name, an algorithm that the page lacks, and more
than 20 `catch` of "not known"; exit code 1 if there is one.

    python3 tests/layering.py SOURCE

theory <- checks <- model <- probes. A folder of these may use itself and those that its CMakeLists.txt links, and links
nothing else: gpe::NAME is the folder whose CMakeLists.txt says gpe_folder(NAME. Programs, which wire, may use all that
their top folder may, and only programs use programs; the verifier uses nothing but itself. A header and the source of
its name count as one in circles.

In the Python package a subpackage uses itself, the base, and those that PYTHON names. An import inside a function
counts like any other, and so does one for types alone.
"""

import ast
import pathlib
import re
import sys

MAY_USE = {
    "theory": ["theory"],
    "checks": ["theory", "checks"],
    "model": ["theory", "checks", "model"],
    "probes": ["theory", "checks", "model", "probes"],
}
PROGRAMS = {f"{top}/programs" for top in MAY_USE}
FREE = PROGRAMS | {"checks/testing"}  # may use all that their top folder may
PACKAGE = "probes/python/gpe"
#: The subpackages, and what each may use. Modules with a public name may use all, and no other module uses them.
PYTHON = {
    "_plots": {"base"},
    "_verdicts": {"base", "_plots"},
    "_torch": {"base", "_plots", "_verdicts"},
    "_conformance": {"base", "_verdicts", "_torch"},
    "_testing": {"base", "_torch"},
    "_probe": {"base", "_plots", "_torch"},
    "_command": {"base", "_plots", "_verdicts"},
    "base": set(),
    "verifier": set(),
}
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
DIGITS_TO_BITS = re.compile(r"\b3\.3[23]?\d*\b|3321928|\b0?\.301\d*|\* ?10 ?/ ?3\b|2\.3025|1\.4427\b|std::log\(10")
# Names of the standard streams, and functions that mean one without a name; text enters them
# escaped, in these files alone.
STREAMS = re.compile(
    r"(?<!/dev/)\bstd(?:out|err)\b|\b(?:cout|cerr|clog)\b|\b(?:v?printf|puts|putchar|perror)\(|\bSTD(?:OUT|ERR)_FILENO\b"
)
PRINT = {
    "checks/cli/command_line.cpp",
    "checks/cli/progress_line.cpp",
    "checks/programs/verify_certificate_main.cpp",
    "model/data/bus_error.cpp",
}  # in a handler of a signal
# "Not known" becomes a value in theory/exact/attempt.h, whose only catch is of a template's parameter.
CATCH = re.compile(r"\bcatch\s*\([^)]*\b(?:Undecided|Undefined|NotProved|NotShown|TimeUp)\b")
MOST_CATCHES = 20
# What starts another program: none does that. The command gpe, in Python, calls programs and draws.
STARTS = re.compile(r"\b(?:posix_spawnp?|popen|system|v?fork|exec[lv]p?e?)\s*\(")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)

# Outermost in a namespace; what has its brace on a line of its own is none of ours (.clang-format).
OPENED = re.compile(
    r"^namespace ([\w:]*) ?\{$|^(\}  // namespace)|^(?:struct|class|enum(?: class)?) (\w+)(?![\w:])[^;(]*\{"
)


def types_of(text):
    """The types that all files of a program see under one name: those in no unnamed namespace."""
    inside = []
    for line in text.splitlines():
        match = OPENED.match(line)
        if not match:
            continue
        if match.group(3):
            if "" not in inside:
                yield "::".join([*inside, match.group(3)])
        elif match.group(2):
            inside.pop()
        else:
            inside.append(match.group(1))


def lacking_on_the_page(source):
    """Algorithms of std::ranges in what the page compiles, which page/ranges.h does not have."""
    page = source / "page"
    if not page.is_dir():
        return
    known = set(re.findall(r"\b(\w+)\(\w+(?:&&)? ", (page / "ranges.h").read_text()))
    [folders] = re.findall(r"(?m)^set\(folders (.*)\)$", (page / "CMakeLists.txt").read_text())
    for folder in ("theory", "checks/verifier", *(f"checks/{name}" for name in folders.split())):
        for path in sorted((source / folder).rglob("*")):
            found = re.findall(r"std::ranges::(\w+)\(", path.read_text()) if path.suffix in SUFFIXES else ()
            for name in sorted(set(found) - known):
                yield f"{path.relative_to(source).as_posix()}: std::ranges::{name} (page/ranges.h has none)"


def part_of(path):
    """ "checks/arb" of "checks/arb/ball.h"; the folder itself for what lies in it directly."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def folders_of_targets(source):
    """{"checks_arb": "checks/arb"}: the folder in which each library is made."""
    lists = {path: path.read_text() for top in MAY_USE for path in (source / top).rglob("CMakeLists.txt")}
    return {
        name: path.parent.relative_to(source).as_posix()
        for path, text in lists.items()
        for name in re.findall(r"\bgpe_folder\((\w+)", text)
    }


def links_of(source, part, targets):
    """The parts that the CMakeLists.txt of `part` links."""
    path = source / part / "CMakeLists.txt"
    names = re.findall(r"gpe::(\w+)", path.read_text()) if path.is_file() else []
    return {targets[name] for name in names if name in targets}


def unused_links(source, targets, folders):
    """Links to folders whose headers are not included; programs link what they run."""
    for part in sorted(set(targets.values()) - PROGRAMS):
        for other in sorted(links_of(source, part, targets) - folders.get(part, set()) - {part}):
            yield f"{part}/CMakeLists.txt: {other} is linked, and nothing of it included"


def allowed(part, target, links):
    top, other = part.split("/")[0], part_of(target)
    if other.split("/")[0] not in MAY_USE[top]:
        return ", ".join(MAY_USE[top])
    if other == part or (part in FREE and (other not in PROGRAMS or part in PROGRAMS)):
        return None
    if part == "checks/verifier":
        return "itself" if target != "checks/cli/version.h" else None
    return None if other in links else ", ".join(sorted(links | {part}))


def python_part(module):
    """The subpackage of "_torch.report", the base, or "public"."""
    first = module.split(".")[0]
    if first in PYTHON:
        return first
    if not first.startswith("_") or first.startswith("__"):
        return "public"
    return "base"


def python_imports(path, module, known):
    """(line, module) of what a module imports of its own package."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = ["gpe", *module.split(".")][: -node.level] if node.level else []
            start = ".".join([*above, *([node.module] if node.module else [])])
            whole = {f"{start}.{alias.name}" for alias in node.names}
            names = sorted(name if name.removeprefix("gpe.") in known else start for name in whole)
        else:
            continue
        for name in dict.fromkeys(names):
            if name == "gpe" or name.startswith("gpe."):
                yield node.lineno, name.removeprefix("gpe.") if name != "gpe" else "__init__"


def python_complaints(source):
    root = source / PACKAGE
    known = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(root.rglob("*.py"))
    }
    graph = {}
    for module, path in known.items():
        part = python_part(module)
        for line, target in python_imports(path, module, known):
            other = python_part(target)
            if part != "public" and other != part and other not in PYTHON[part]:
                allowed = ", ".join(sorted(PYTHON[part] | {part}))
                yield f"{path.relative_to(source).as_posix()}:{line}: gpe.{target} ({part} may use: {allowed})"
            if target != module and target in known:
                graph.setdefault(module, set()).add(target)
    for circle in circles(graph):
        yield "a circle of modules: " + ", ".join(circle)


def circles(graph):
    """Strongly connected parts of more than one (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while not component or component[-1] != node:
                component.append(stack.pop())
            if len(component) > 1:
                found.append(sorted(component))

    sys.setrecursionlimit(10000)
    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def complaints(source):
    files, folders, catches, types = {}, {}, {}, {}
    targets, links = folders_of_targets(source), {}
    for top in MAY_USE:
        for path in sorted((source / top).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            file = path.relative_to(source).as_posix()
            text, part = path.read_text(), part_of(file)
            for name in types_of(text):
                other = types.setdefault(name, file)
                if other != file:
                    yield f"{file}: {name} is a type of {other}, too, and the linker may take one for the other"
            if top in ("theory", "checks") and file != "checks/arb/precision.h":
                for match in DIGITS_TO_BITS.finditer(text):
                    line = text.count("\n", 0, match.start()) + 1
                    yield f"{file}:{line}: {match.group(0)} (digits become bits in checks/arb/precision.h)"
            code = re.sub(r"//.*", "", text)
            if top in ("theory", "checks") and (caught := len(CATCH.findall(code))):
                catches[file] = caught
            for match in STREAMS.finditer(code) if file not in PRINT else ():
                line = code.count("\n", 0, match.start()) + 1
                yield f"{file}:{line}: {match.group(0)} (text is printed by checks/cli/command_line.h)"
            for match in STARTS.finditer(code):
                line = code.count("\n", 0, match.start()) + 1
                yield f"{file}:{line}: {match.group(0)} (no program starts another)"
            for match in INCLUDE.finditer(text):
                target = match.group(1) or match.group(2)
                line = text.count("\n", 0, match.start()) + 1
                place = f"{file}:{line}: {match.group(0).strip()}"
                if target.split("/")[0] not in MAY_USE:
                    if match.group(1):
                        yield f'{place} (includes are rooted: "theory/asymptotics/limit.h")'
                    continue
                if part not in links:
                    links[part] = links_of(source, part, targets)
                rule = allowed(part, target, links[part])
                if rule:
                    yield f"{place} ({part} may use: {rule})"
                unit, other = file.rsplit(".", 1)[0], target.rsplit(".", 1)[0]
                if unit != other:
                    files.setdefault(unit, set()).add(other)
                if part_of(target) != part:
                    folders.setdefault(part, set()).add(part_of(target))
    if (caught := sum(catches.values())) > MOST_CATCHES:
        where = ", ".join(f"{file} {number}" for file, number in catches.items())
        yield f'{caught} times is "not known" caught, {MOST_CATCHES} at most (theory/exact/attempt.h): {where}'
    if not files:
        yield f"no sources under {source}"
    for name, graph in (("files", files), ("folders", folders)):
        for circle in circles(graph):
            yield f"a circle of {name}: " + ", ".join(circle)
    yield from unused_links(source, targets, folders)
    yield from python_complaints(source)
    yield from lacking_on_the_page(source)


def main():
    source = pathlib.Path(sys.argv[1])
    found = list(complaints(source))
    for complaint in found:
        print(complaint)
    return 1 if found else 0


sys.exit(main())
