"""Which folder may include which: prints every include that breaks the rule, every circle of includes, every factor
between digits and bits outside checks/arb/precision.h, everything that is printed past the layer that escapes what came
from outside, and more than 20 `catch` of "not known"; exit code 1 if there is one.

    python3 tests/layering.py SOURCE

theory <- checks <- model <- probes. Inside theory and checks, a folder may use itself and those that its CMakeLists.txt
links (gpe::checks_arb is checks/arb); programs, which wire, may use all of checks; the verifier uses nothing but
itself. A header and the source of its name count as one in circles.
"""

import pathlib
import re
import sys

MAY_USE = {
    "theory": ["theory"],
    "checks": ["theory", "checks"],
    "model": ["theory", "checks", "model"],
    "probes": ["theory", "checks", "model", "probes"],
}
FREE = {"checks/programs", "checks/testing"}  # may use all that checks may
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
DIGITS_TO_BITS = re.compile(r"\b3\.3[23]?\d*\b|3321928|\b0?\.301\d*|\* ?10 ?/ ?3\b")
# Names of the standard streams, and functions that mean one without a name; text enters them
# escaped, in these files alone.
STREAMS = re.compile(
    r"(?<!/dev/)\bstd(?:out|err)\b|\b(?:cout|cerr|clog)\b|\b(?:v?printf|puts|putchar|perror)\(|\bSTD(?:OUT|ERR)_FILENO\b"
)
PRINT = {
    "checks/program/command_line.cpp",
    "checks/program/progress_line.cpp",
    "checks/programs/verify_certificate_main.cpp",
    "checks/program/draw.cpp",  # reads what another program says
    "model/data/bus_error.cpp",
}  # in a handler of a signal
# "Not known" becomes a value in theory/exact/attempt.h, whose only catch is of a template's parameter.
CATCH = re.compile(r"\bcatch\s*\([^)]*\b(?:Undecided|Undefined|NotProved|NotShown|TimeUp)\b")
MOST_CATCHES = 20
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)


def part_of(path):
    """ "checks/arb" of "checks/arb/ball.h"; the folder itself for what lies in it directly."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] in ("theory", "checks") and len(parts) > 2 else parts[0]


def links_of(source, part):
    """The parts that the CMakeLists.txt of `part` links."""
    text = (source / part / "CMakeLists.txt").read_text()
    return {name.replace("_", "/", 1) for name in re.findall(r"gpe::((?:theory|checks)_[a-z]+)", text)}


def allowed(source, part, target):
    top, other = part.split("/")[0], part_of(target)
    if other.split("/")[0] not in MAY_USE[top]:
        return ", ".join(MAY_USE[top])
    if "/" not in part or part in FREE or other == part:
        return None
    if part == "checks/verifier":
        return "itself" if target != "checks/program/version.h" else None
    links = links_of(source, part)
    return None if other in links else ", ".join(sorted(links | {part}))


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
    files, folders, catches = {}, {}, {}
    for top in MAY_USE:
        for path in sorted((source / top).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            file = path.relative_to(source).as_posix()
            text, part = path.read_text(), part_of(file)
            if top in ("theory", "checks") and file != "checks/arb/precision.h":
                for match in DIGITS_TO_BITS.finditer(text):
                    line = text.count("\n", 0, match.start()) + 1
                    yield f"{file}:{line}: {match.group(0)} (digits become bits in checks/arb/precision.h)"
            code = re.sub(r"//.*", "", text)
            if top in ("theory", "checks") and (caught := len(CATCH.findall(code))):
                catches[file] = caught
            for match in STREAMS.finditer(code) if file not in PRINT else ():
                line = code.count("\n", 0, match.start()) + 1
                yield f"{file}:{line}: {match.group(0)} (text is printed by checks/program/command_line.h)"
            for match in INCLUDE.finditer(text):
                target = match.group(1) or match.group(2)
                line = text.count("\n", 0, match.start()) + 1
                place = f"{file}:{line}: {match.group(0).strip()}"
                if target.split("/")[0] not in MAY_USE:
                    if match.group(1):
                        yield f'{place} (includes are rooted: "theory/asymptotics/limit.h")'
                    continue
                rule = allowed(source, part, target)
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


def main():
    source = pathlib.Path(sys.argv[1])
    found = list(complaints(source))
    for complaint in found:
        print(complaint)
    return 1 if found else 0


sys.exit(main())
