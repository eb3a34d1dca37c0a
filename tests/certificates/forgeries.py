#!/usr/bin/env python3
"""True certificates and false ones: every verifier accepts the first kind and refuses the second.

    forgeries.py FOLDER EVERY                    writes FOLDER/true/NAME.json and FOLDER/false/NAME.json
    forgeries.py FOLDER EVERY -- COMMAND...      and runs COMMAND on all of them

Of the exchanges of forged_exchanges.py only each EVERY-th is written. COMMAND is a verifier that takes files: it ends
with exit code 0 when it accepts all, 4 when it does not, and prints a line for each certificate, which begins with the
name of the file and says ": accepted" or ": proved: " when it accepts it. A certificate is false when its claim is, or
when its proof does not follow from the hypotheses of its rule, or when it is none. Exit: 0, or 1 when the verifier
errs.
"""

import json
import pathlib
import re
import subprocess
import sys

# These fill the table of cases.
import forged_calculus  # noqa: F401
import forged_conditions  # noqa: F401
import forged_contents  # noqa: F401
import forged_design_laws  # noqa: F401
import forged_designs  # noqa: F401
import forged_forms  # noqa: F401
import forged_gates  # noqa: F401
import forged_gradients  # noqa: F401
import forged_json  # noqa: F401
import forged_normalizers  # noqa: F401
import forged_numbers  # noqa: F401
import forged_parts  # noqa: F401
import forged_queries  # noqa: F401
import forged_rules  # noqa: F401
import forged_special  # noqa: F401
import forged_sums  # noqa: F401
import forged_tails  # noqa: F401
import forged_undefined  # noqa: F401
import forged_unknowns  # noqa: F401
import forged_verdicts  # noqa: F401
from forged_exchanges import exchanged
from forged_proofs import without_proofs
from forgery import CASES


def text(one):
    return one if isinstance(one, str) else json.dumps(one)


def write(folder, every):
    files = {True: [], False: []}
    for name, true, one in CASES + without_proofs(CASES) + exchanged(CASES, every):
        file = folder / ("true" if true else "false") / (name + ".json")
        file.parent.mkdir(parents=True, exist_ok=True)
        if file in files[true]:
            sys.exit("two certificates are called " + name)
        file.write_text(text(one), encoding="utf-8")
        files[true].append(file)
    return files


def accepted(command, files):
    """The exit code, which files the verifier accepts, and what it says that does not begin with the name of a file."""
    run = subprocess.run([*command, *map(str, files)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said, others = {str(file): [] for file in files}, []
    lines = run.stdout.decode("utf-8", "replace").splitlines()  # also at \r and at U+2028
    if lines and re.fullmatch(r"\d+ of \d+ proved", lines[-1]):
        lines.pop()
    for line in lines:
        file, _, what = line.partition(": ")
        said.get(file, others).append(what if file in said else line)
    passed = {
        file
        for file in files
        if said[str(file)] and all(what.startswith(("accepted", "proved: ")) for what in said[str(file)])
    }
    return run.returncode, passed, others + [f"nothing about {file}" for file in files if not said[str(file)]]


def main():
    folder, command = pathlib.Path(sys.argv[1]), sys.argv[4:]
    files, errors = write(folder, int(sys.argv[2])), []
    if not command:
        return
    for true in (True, False):
        code, passed, others = accepted(command, files[true])
        errors += others + [
            f"{f.name}: {'refused' if true else 'accepted'}" for f in files[true] if (f in passed) != true
        ]
        if code != (0 if len(passed) == len(files[true]) else 4):
            errors.append(f"exit code {code}")
    print(
        "\n".join(
            errors + [f"{len(files[True])} true and {len(files[False])} false certificates, {len(errors)} errors"]
        )
    )
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
