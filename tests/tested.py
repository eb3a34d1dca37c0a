"""Each module has a test file of its name, or says at its head which tests cover it, but for those in
tests/untested.txt, which may only shrink: prints every other one, every one in that list that no longer needs it, and
every test named that is not there or does not reach the module; exit code 1 if there is one.

    python3 tests/tested.py SOURCE

A module is what has one name in one folder: a header, its source, a module of Python. theory/exact/form.h and form.cpp
have tests/theory/exact/form_test.cpp; others end one of their first lines, a comment, with "Tests: tests/…, tests/…". A
test in C++ reaches what it includes, what the sources of that include, and so on; a source without a header is one of
those of the headers that it includes from its own folder, and that these include. A script may run anything.
"""

import pathlib
import re
import sys

FOLDERS = ("theory", "checks", "model", "probes")
SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".py"}
HEAD = 12  # lines
NAMED = re.compile(r"^(?:(?://|#).*\s)?Tests: (tests/.+)$", re.MULTILINE)
# Where tests of a folder, and of those in it, are that do not mirror it.
ELSEWHERE = {"model/cuda": "cuda", "probes/python/gpe": "python"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def modules(source):
    """{"theory/exact/form": its files}."""
    found = {}
    for top in FOLDERS:
        for path in sorted((source / top).rglob("*")):
            if path.suffix in SUFFIXES and "build" not in path.relative_to(source).parts:
                found.setdefault(path.relative_to(source).with_suffix("").as_posix(), []).append(path)
    return found


def has_its_own(source, module):
    folder, name = module.rsplit("/", 1)
    elsewhere = [tests for other, tests in ELSEWHERE.items() if folder == other or folder.startswith(other + "/")]
    folder, name = source / "tests" / (elsewhere or [folder])[0], name.lstrip("_")
    return any((folder / file).is_file() for file in (f"{name}_test.cpp", f"{name}_test.py", f"test_{name}.py"))


def named_tests(files):
    heads = ("\n".join(path.read_text().splitlines()[:HEAD]) for path in files)
    return [name.strip() for head in heads for line in NAMED.findall(head) for name in line.split(",")]


def included(path):
    return [target.rsplit(".", 1)[0] for target in INCLUDE.findall(path.read_text())]


def other_sources(known):
    """{module: those without a header that include its header, or one that does, and so on, from its own folder}."""
    found = {}
    for module, files in known.items():
        if any(path.suffix == ".h" for path in files):
            continue
        seen, waiting = set(), list(files)
        while waiting:
            for target in included(waiting.pop()):
                if target not in seen and target.rsplit("/", 1)[0] == module.rsplit("/", 1)[0]:
                    seen.add(target)
                    waiting += [path for path in known.get(target, []) if path.suffix == ".h"]
                    found.setdefault(target, []).append(module)
    return found


def reached(source, test, known, others):
    """What a test includes, and so on; None where it is no source of C++."""
    if test.suffix not in (".cpp", ".h"):
        return None
    seen, waiting = set(), [test]
    while waiting:
        names = included(waiting.pop())
        while names:
            module = names.pop()
            if module not in seen:
                seen.add(module)
                names += others.get(module, [])
                waiting += known.get(module, [path for path in [source / f"{module}.h"] if path.is_file()])
    return seen


def complaints(source):
    listed = {
        line for line in (source / "tests/untested.txt").read_text().splitlines() if line and not line.startswith("#")
    }
    known, reach = modules(source), {}
    others = other_sources(known)
    for module, files in known.items():
        named = named_tests(files)
        for name in named:
            if not (source / name).is_file():
                yield f"{module}: {name} is not there"
                continue
            if name not in reach:
                reach[name] = reached(source, source / name, known, others)
            if reach[name] is not None and module not in reach[name]:
                yield f"{module}: {name} does not reach it"
        if named or has_its_own(source, module):
            if module in listed:
                yield f"tests/untested.txt: {module} has a test and needs no exception"
        elif module not in listed:
            yield f'{module} has no test of its name, and no line "Tests: tests/…" at its head'
    for module in sorted(listed - known.keys()):
        yield f"tests/untested.txt: {module} is not there"
    if not known:
        yield f"no sources under {source}"


def main():
    found = list(complaints(pathlib.Path(sys.argv[1])))
    for complaint in found:
        print(complaint)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
