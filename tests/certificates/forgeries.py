#!/usr/bin/env python3
"""True certificates and false ones: every verifier accepts the first kind and refuses the second.

    forgeries.py FOLDER                    writes FOLDER/true/NAME.json and FOLDER/false/NAME.json
    forgeries.py FOLDER -- COMMAND...      and runs COMMAND on all of them

COMMAND is a verifier that takes files: it ends with exit code 0 when it accepts all, 4 when it does not, and prints one line for each
file, which begins with the name of the file and says " accepted" or " proved: " when it accepts it. A certificate is false when its
claim is, or when its proof does not follow from the hypotheses of its rule, or when it is none. Exit: 0, or 1 when the verifier errs.
"""
import json
import pathlib
import subprocess
import sys

import forged_designs  # noqa: F401
import forged_forms  # noqa: F401
import forged_gradients  # noqa: F401
import forged_numbers  # noqa: F401
import forged_sums  # noqa: F401: what they import fills the table
import forged_verdicts  # noqa: F401
from forgery import CASES


def text(one):
    return one if isinstance(one, str) else json.dumps(one)


def write(folder):
    files = {True: [], False: []}
    for name, true, one in CASES:
        file = folder / ("true" if true else "false") / (name + ".json")
        file.parent.mkdir(parents=True, exist_ok=True)
        if file in files[true]:
            sys.exit("two certificates are called " + name)
        file.write_text(text(one), encoding="utf-8")
        files[true].append(file)
    return files


def accepted(command, files):
    """The exit code, and which files the verifier accepts; None when it does not print one line for each."""
    run = subprocess.run([*command, *map(str, files)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = run.stdout.decode("utf-8", "replace").splitlines()
    said = {file: [line for line in lines if line.startswith(str(file) + ": ")] for file in files}
    if len(lines) != len(files) or any(len(of) != 1 for of in said.values()):
        return run.returncode, None, lines
    tell = [": accepted", ": proved: "]
    return run.returncode, [f for f in files if any(said[f][0].startswith(str(f) + t) for t in tell)], lines


def main():
    folder, command = pathlib.Path(sys.argv[1]), sys.argv[3:]
    files, errors = write(folder), []
    if not command:
        return
    for true in (True, False):
        code, passed, lines = accepted(command, files[true])
        if passed is None:  # which one ends the program, or prints more than its line?
            for file in files[true]:
                one, good, lines = accepted(command, [file])
                if good is None or one != (0 if true else 4) or bool(good) != true:
                    errors.append("%s: exit code %d, expected %d: %s" % (file.name, one, 0 if true else 4, "\n".join(lines)[:500]))
            continue
        errors += ["%s: %s" % (f.name, "refused: " + " ".join(line for line in lines if line.startswith(str(f) + ": ")) if true else "accepted")
                   for f in files[true] if (f in passed) != true]
        if code != (0 if len(passed) == len(files[true]) else 4):
            errors.append("exit code %d" % code)
    print("\n".join(errors + ["%d true and %d false certificates, %d errors" % (len(files[True]), len(files[False]), len(errors))]))
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
