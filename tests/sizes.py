"""No function over 80 lines, no source file over 400, but for those in tests/sizes.txt, which may
only shrink: prints every other one, every one in that list that has grown, and every one that no
longer needs it; exit code 1 if there is one.

    python3 tests/sizes.py SOURCE

A function is counted from its first line to its last brace, with the lambdas in it; in Python with its text, without
its decorators. Files of data, and those that say on their first line by what they are made, are not sources. A line of
the list is a path, or path:function, and a number of lines.
"""

import ast
import pathlib
import re
import sys

MAX_FILE, MAX_FUNCTION = 400, 80
FOLDERS = ("theory", "checks", "model", "probes", "notebooks", "site", "tests")
C_FAMILY, OTHERS = {".h", ".cpp", ".cu", ".cuh"}, {".py", ".js", ".v", ".cmake", ".html", ".css"}
# comments and literals, whose line breaks alone are kept
OPAQUE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])*\'', re.DOTALL
)
MADE = re.compile(r"(?://|#|\"\"\") ?Made by ")
SCOPE = re.compile(r"\s*(?:template\s*<.*?>\s*)?(?:inline\s+)?(?:namespace|class|struct|union|extern)\b", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)


def blank(match):
    return "\n" * match.group(0).count("\n") or " "


def without_brackets(text):
    """Each outermost bracket as one @; `operator` with its sign is a name."""
    text = re.sub(r"operator\s*(?:\(\)|[^\s\w(]+)", "operator_", text)
    before = None
    while before != text:
        before, text = text, re.sub(r"\([^()]*\)|\[[^][]*\]", "@", text)
    return text


def c_functions(text):
    """Names and lines of functions and of the lambdas that are variables of a namespace."""
    text = DIRECTIVE.sub(blank, OPAQUE.sub(blank, text))
    line, head, start, depth, body = 1, "", 1, 0, None
    for sign in text:
        if body is None and sign in "{};":
            if sign == "{":
                plain = without_brackets(head)
                if SCOPE.match(plain):
                    pass
                elif "@" in plain and ("=" not in plain or re.search(r"=\s*@", plain)):
                    names = re.findall(r"([~\w]+)\s*@", plain.split("=")[0].split(" : ")[0]) or re.findall(
                        r"\w+", plain.split("=")[0]
                    )
                    macro = re.match(r"\s*(\w+)\((.*)\)\s*$", head, re.DOTALL)
                    name = (
                        ".".join(re.findall(r"\w+", macro.group(2))[:2])
                        if macro and macro.group(1).isupper()
                        else (names or ["?"])[-1]
                    )
                    body, depth = (name, start), 1
                else:
                    body, depth = (None, start), 1
            head, start = "", line
        elif body is not None:
            depth += (sign == "{") - (sign == "}")
            if depth == 0:
                if body[0] is not None:
                    yield body[0], line - body[1] + 1
                body, head, start = None, "", line
        else:
            if not head.strip():
                start, head = line + (sign == "\n"), "" if sign.isspace() else sign
            else:
                head += sign
        line += sign == "\n"


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.end_lineno - node.lineno + 1


def sizes(source):
    """(place, lines, most) of every file and every function."""
    for top in FOLDERS:
        for path in sorted((source / top).rglob("*")):
            if path.suffix not in C_FAMILY | OTHERS or not path.is_file():
                continue
            if {"build", "trained"} & set(path.relative_to(source).parts):  # what programs make
                continue
            text, file = path.read_text(), path.relative_to(source).as_posix()
            if MADE.match(text):
                continue
            yield file, text.count("\n"), MAX_FILE
            functions = ()
            if path.suffix in C_FAMILY:
                functions = c_functions(text)
            elif path.suffix == ".py":
                functions = python_functions(text)
            largest = {}
            for name, lines in functions:  # the largest of one name
                largest[name] = max(lines, largest.get(name, 0))
            for name, lines in largest.items():
                yield f"{file}:{name}", lines, MAX_FUNCTION


def complaints(source):
    listed = {}
    for line in (source / "tests/sizes.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            place, lines = line.split()
            listed[place] = int(lines)
    found = {}
    for place, lines, most in sizes(source):
        found[place] = lines
        if lines > listed.get(place, most):
            yield f"{place} has {lines} lines, {listed.get(place, most)} at most"
        elif place in listed and lines <= most:
            yield f"tests/sizes.txt: {place} has {lines} lines and needs no exception"
    for place in listed.keys() - found.keys():
        yield f"tests/sizes.txt: {place} is not there"
    if not found:
        yield f"no sources under {source}"


def main():
    found = sorted(complaints(pathlib.Path(sys.argv[1])))
    for complaint in found:
        print(complaint)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
