# Tests: tests/python/gpe_command_test.py
"""`gpe verify`: both verifiers, verify-certificate and gpe.verifier, on the same files."""

import importlib.util
import subprocess
import sys
from pathlib import Path

from gpe._errors import SpecError
from gpe._programs import ended
from gpe._verdicts.questions import certificate_files, said_of, spec_file

VALUES = ("--spec", "--budget")  # options that take one
AGREED = "the second verifier agrees\n"
ABSENT = "gpe verify: checked by one verifier; the second needs python-flint: pip install python-flint\n"


def both(words: list[str]) -> tuple[int, str, str]:
    """Exit code, standard output and standard error: what the first verifier says, and whether the second agrees."""
    options, files = _parted(words)
    first = ended("verify-certificate", [*options, *files])
    errors = first.stderr.replace("verify-certificate:", "gpe verify:")
    if first.returncode not in (0, 4) or not files:
        return first.returncode, first.stdout, errors
    if importlib.util.find_spec("flint") is None:
        return first.returncode, first.stdout, errors + ABSENT
    budget = options[options.index("--budget") :][:2] if "--budget" in options else []
    package = str(Path(__file__).resolve().parents[2])
    run = f"import sys; sys.path.insert(0, {package!r}); from gpe.verifier.__main__ import main; main()"
    second = subprocess.run(
        [sys.executable, "-c", run, *budget, *files], capture_output=True, text=True, encoding="utf-8", check=False
    )
    # The second one does not read --spec: both are asked about the claims alone, with a line for each file.
    alone = None if first.returncode == 0 else ended("verify-certificate", ["--verbose", *budget, *files]).stdout
    code, told = compared(files, alone, second.stdout)
    if code == 0:
        return first.returncode, first.stdout + told, errors
    return code, first.stdout, errors + told


def compared(files: list[str], first: str | None, second: str) -> tuple[int, str]:
    """0 where both say the same of each file, 4 where the second ran out of its budget, 1 where they disagree.

    first: what the first one says with --verbose; None where it accepts all.
    """
    code, told = 0, ""
    for file in files:
        mine, answer = "proved: " if first is None else said_of(file, first), said_of(file, second) or "nothing"
        accepts = mine is not None and mine.startswith("proved: ")
        if answer.startswith("accepted" if accepts else "not accepted"):
            continue
        if "TooLong: " not in answer:
            code = 1
        elif code == 0:
            code = 4
        why = "accepts it" if accepts else f"refuses it: {mine or 'it cannot be read'}"
        told += f"gpe verify: {file}: the verifiers disagree: the first {why}; the second says: {answer}\n"
    return code, told or AGREED


def _parted(words: list[str]) -> tuple[list[str], list[str]]:
    """Options, with a built-in encoding as its file; and files, with folders as theirs."""
    options: list[str] = []
    files: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in VALUES:
            value = next(rest, None)
            if value is None:
                raise SpecError(f"verify: {word} without a value")
            options += [word, spec_file(value) if word == "--spec" else value]
        elif word.startswith("-"):
            options.append(word)
        else:
            files += certificate_files([word])
    return options, files
