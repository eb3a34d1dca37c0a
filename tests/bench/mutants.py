#!/usr/bin/env python3
"""Mutants of the verifiers of certificates: each has one check less, and some false certificate of the corpus must pass it.

    mutants.py python [--results FILE]                 tests/certificates/verify*.py
    mutants.py cpp --build FOLDER [--results FILE]     checks/verifier, with the commands of a build folder of Ninja

A check is a condition that refuses, or one claim of a rule. Mutants are made from the sources; what is known of one already, by its
text, is not run again, so that a run that was stopped goes on. mutants_equivalent.json says of those that accept nothing false why they
cannot. Exit: 0 when each mutant is killed or equivalent, 1 when one survives.
"""
import argparse
import ast
import hashlib
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import types

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
CERTIFICATES = SOURCE / "tests" / "certificates"
sys.path.insert(0, str(CERTIFICATES))
import forgeries  # noqa: E402
from forgery import CASES  # noqa: E402

FALSE = [(name, forgeries.text(one)) for name, true, one in CASES if not true]
PYTHON = ["verify_form", "verify_numbers", "verify_design", "verify", "verify_defined"]


class Mutant:
    def __init__(self, file, where, change, text, lines=()):
        self.file, self.where, self.change, self.text, self.lines = file, where, change, text, lines
        self.id = "%s:%s: %s" % (file, where, change)


# ---- the Python verifier: its syntax tree

def refusals(tree):
    """Functions that make the tree weaker at one place, and back, with the text of the place."""
    def visit(node, where):
        for child in ast.iter_child_nodes(node):
            inside = child.name if isinstance(child, (ast.FunctionDef, ast.ClassDef)) else where
            if isinstance(child, ast.If) and len(child.body) == 1 and (
                    isinstance(child.body[0], ast.Raise) or (isinstance(child.body[0], ast.Return) and isinstance(child.body[0].value, ast.Constant)
                                                             and child.body[0].value.value is False)):
                yield where, "not if " + ast.unparse(child.test), child, "test", ast.Constant(False)
            call = child.value if isinstance(child, (ast.Expr, ast.Return)) else None
            name = getattr(call.func, "attr", getattr(call.func, "id", "")) if isinstance(call, ast.Call) else ""
            if name in ("need", "shown", "surely", "refuse") and not (isinstance(node, ast.If) and name == "refuse"):
                yield where, "no " + ast.unparse(call), child, "value", ast.Constant(None)
            yield from visit(child, inside)
    return visit(tree, "")


def python_mutants():
    for name in PYTHON:
        tree, seen = ast.parse((CERTIFICATES / (name + ".py")).read_text()), {}
        for where, change, node, field, weaker in list(refusals(tree)):
            before = getattr(node, field)
            setattr(node, field, weaker)
            seen[where, change] = seen.get((where, change), 0) + 1
            yield Mutant(name + ".py", where, change + (" #%d" % seen[where, change] if seen[where, change] > 1 else ""), ast.unparse(ast.fix_missing_locations(tree)),
                         range(node.lineno, node.end_lineno + 1))
            setattr(node, field, before)
    for one in json.loads((HERE / "mutants_by_hand.json").read_text()):
        if one["file"].endswith(".py"):
            yield by_hand(one, CERTIFICATES)


def by_hand(one, folder):
    text = (folder / one["file"]).read_text()
    if text.count(one["old"]) != 1:
        sys.exit("%s: %d times in %s" % (one["old"], text.count(one["old"]), one["file"]))
    first = text[:text.index(one["old"])].count("\n") + 1
    return Mutant(one["file"], "", one["old"] + " -> " + one["new"], text.replace(one["old"], one["new"]), range(first, first + one["old"].count("\n") + 1))


def load(mutant=None):
    for name in sorted(PYTHON, key=len, reverse=True):  # verify imports the others
        module = types.ModuleType(name)
        sys.modules[name] = module
        text = mutant.text if mutant and mutant.file == name + ".py" else (CERTIFICATES / (name + ".py")).read_text()
        exec(compile(text, name + ".py", "exec"), module.__dict__)


def reached():
    """For each line of the verifier, the false certificates that come there: no others can pass when it changes."""
    digest = hashlib.sha256("".join((CERTIFICATES / (name + ".py")).read_text() for name in PYTHON).encode() + repr(FALSE).encode()).hexdigest()
    kept = pathlib.Path(tempfile.gettempdir()) / ("gpe-reached-%s.pickle" % digest[:16])
    if kept.exists() and kept.stat().st_uid == os.getuid():
        return pickle.loads(kept.read_bytes())
    load()
    lines = {}

    def trace(frame, event, _):
        if frame.f_code.co_filename[:-3] not in PYTHON:
            return None
        if event == "line":
            lines.setdefault((frame.f_code.co_filename, frame.f_lineno), {})[current] = None
        return trace

    for current, (name, text) in enumerate(FALSE):
        sys.settrace(trace)
        try:
            sys.modules["verify"].check(text)
        except Exception:
            pass
        finally:
            sys.settrace(None)
    kept.write_bytes(pickle.dumps(lines))
    return lines


def passes_python(mutant, lines, answer):
    """The first false certificate that the mutant accepts."""
    def late(*_):
        raise TimeoutError

    load(mutant)
    signal.signal(signal.SIGALRM, late)
    for at in sorted({at for line in mutant.lines for at in lines.get((mutant.file, line), ())}):
        name, text = FALSE[at]
        signal.alarm(2)
        try:
            sys.modules["verify"].check(text)
            answer.put(name)
            return
        except Exception:
            pass
        finally:
            signal.alarm(0)
    answer.put(None)


def run_python(mutant, _, lines={}):  # one table for all
    lines.update(lines or reached())
    answer = multiprocessing.Queue()
    process = multiprocessing.Process(target=passes_python, args=(mutant, lines, answer))
    process.start()
    process.join(60)  # one without a limit of its work may never end; it has accepted nothing then
    if process.is_alive():
        process.kill()
        process.join()
    return answer.get() if process.exitcode == 0 else None


# ---- the C++ verifier: conditions before `throw NotShown`, and the claims of rules

def closing(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text)


def cpp_mutants():
    folder = SOURCE / "checks" / "verifier"
    for path in sorted(folder.glob("*.cpp")):
        text = path.read_text()
        for m in re.finditer(r"\bif \(", text):
            end = closing(text, m.end() - 1)
            if re.match(r"\)\s*\{?\s*throw (NotShown|Refused)", text[end:]):
                condition = text[m.end():end]
                if ";" not in condition:
                    yield Mutant(path.name, "line", "not if " + " ".join(condition.split()), text[:m.end()] + "false && (" + condition + ")" + text[end:])
        if path.name == "rules.cpp":
            for m in re.finditer(r'"([^"\n]*[<>=][^"\n]*)"', text):
                claims = m[1].split(" and ")
                for i in range(len(claims)):
                    rest = " and ".join(claims[:i] + claims[i + 1:]) or "1 > 0"
                    yield Mutant(path.name, "rule", "no " + claims[i] + " in " + m[1], text[:m.start(1)] + rest + text[m.end(1):])
    for one in json.loads((HERE / "mutants_by_hand.json").read_text()):
        if one["file"].endswith(".cpp"):
            yield by_hand(one, folder)


def commands(build):
    """How to compile each file of the verifier, and how to link it."""
    lines = subprocess.run(["ninja", "-C", build, "-t", "commands", "verify-certificate"], check=True, capture_output=True, text=True).stdout.splitlines()
    return [shlex.split(line) for line in lines if "checks/verifier" in line or "verify-certificate" in line]


def run_cpp(mutant, options):
    with tempfile.TemporaryDirectory() as folder:
        file, made, program = (os.path.join(folder, name) for name in (mutant.file, "mutant.o", "verify-certificate"))
        pathlib.Path(file).write_text(mutant.text)
        lines = commands(options.build)
        compile_line = next(line for line in lines if any(word.endswith("checks/verifier/" + mutant.file) for word in line) and "-c" in line)
        compile_line = compile_line[:compile_line.index("-o")] + ["-w", "-I", str(SOURCE), "-o", made, "-c", file]
        link = next(line for line in lines if any(word.endswith("verifier/main.cpp.o") for word in line) and "-c" not in line)
        link = link[next(i for i, word in enumerate(link) if word.endswith(("g++", "clang++", "c++"))):]
        link[link.index("-o") + 1] = program
        link = [made if word.endswith("verifier/" + mutant.file + ".o") else word for word in link]
        if made not in link:
            link.insert(link.index("-o"), made)
        if "&&" in link:
            link = link[:link.index("&&")]
        for line in (compile_line, link):
            made_it = subprocess.run(line, cwd=options.build, capture_output=True, text=True)
            if made_it.returncode:
                return "the compiler: " + made_it.stderr.strip().splitlines()[0] if made_it.stderr.strip() else "the compiler"
        files = forgeries.write(pathlib.Path(folder))[False]
        for start in range(0, len(files), 100):
            for file in files[start:start + 100]:
                try:
                    if subprocess.run([program, str(file)], capture_output=True, timeout=60).returncode == 0:
                        return file.stem
                except subprocess.TimeoutExpired:
                    pass
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("which", choices=("python", "cpp"))
    parser.add_argument("--build", default=str(SOURCE / "build-tests"))
    parser.add_argument("--results", default=str(HERE / "results" / "mutants.json"))
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after this time; a later run goes on")
    options = parser.parse_args()
    results = pathlib.Path(options.results)
    report = json.loads(results.read_text()) if results.exists() else {"command": "tests/bench/mutants.py python; tests/bench/mutants.py cpp --build build-tests", "mutants": {}}
    known, equivalent = report["mutants"], json.loads((HERE / "mutants_equivalent.json").read_text())
    mutants, run = (list(python_mutants()), run_python) if options.which == "python" else (list(cpp_mutants()), run_cpp)
    start, survivors = os.times().elapsed, []
    ids = {m.id for m in mutants}
    for old in [one for one in known if one.split(":")[0].endswith(".py" if options.which == "python" else ".cpp") and one not in ids]:
        del known[old]
    for m in mutants:
        digest = hashlib.sha256(m.text.encode()).hexdigest()[:16]
        if m.id in equivalent:
            known[m.id] = {"result": "equivalent", "why": equivalent[m.id]}
        elif known.get(m.id, {}).get("result") != "killed":
            if os.times().elapsed - start > 60 * options.minutes:
                continue
            by = run(m, options)
            known[m.id] = {"result": "killed", "by": by, "digest": digest} if by else {"result": "survived"}
            print("%s: %s" % (m.id, by or "SURVIVED"), flush=True)
            results.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")
        if known[m.id]["result"] == "survived":
            survivors.append(m.id)
    results.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")
    counts = [sum(known.get(m.id, {}).get("result") == result for m in mutants) for result in ("killed", "equivalent", "survived")]
    print("%d mutants: %d killed, %d equivalent, %d survive, %d not run" % (len(mutants), *counts, len(mutants) - sum(counts)))
    sys.exit(1 if survivors or sum(counts) < len(mutants) else 0)


if __name__ == "__main__":
    main()
