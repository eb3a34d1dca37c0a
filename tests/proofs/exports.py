#!/usr/bin/env python3
"""Compiles what check-properties --coq wrote: exports.py FOLDER LIBRARY [--coqc COQC] [--jobs N]
[--timeout SECONDS]

LIBRARY has the compiled files of theory/proofs. Prints what is refused and the counts; exit code
1 when something is refused."""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile


def compile_text(text, arguments):
    """None when coqc accepts the text, and else what it says."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "export.v"
        path.write_text(text)
        command = [arguments.coqc, "-q", "-w", "-ambiguous-paths", "-R", str(arguments.library), "Gpe", str(path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=arguments.timeout, cwd=folder)
        except subprocess.TimeoutExpired:
            return f"no answer within {arguments.timeout} s"
        return None if done.returncode == 0 else " ".join((done.stdout + done.stderr).split())


def merged(texts):
    """One text with all theorems: what stands before them is the same in each."""
    head = texts[0].index("From Coq")
    start = texts[0].index("Theorem ")
    return texts[0][head:start] + "\n".join(text[text.index("Theorem ") :] for text in texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--coqc", default="coqc")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=600)
    arguments = parser.parse_args()
    arguments.library = arguments.library.resolve()
    files = sorted(arguments.folder.glob("*.v"))
    groups = {}
    for file in files:
        groups.setdefault(file.stem.split("__")[0], []).append(file)

    def refusals(group):  # of one encoding: together, and one by one where that is refused
        texts = [file.read_text() for file in group]
        if compile_text(merged(texts), arguments) is None:
            return []
        answers = [(file, compile_text(text, arguments)) for file, text in zip(group, texts, strict=True)]
        return [(file, answer) for file, answer in answers if answer is not None]

    refused = 0
    encodings = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for (name, group), answers in zip(groups.items(), pool.map(refusals, groups.values()), strict=True):
            encodings[name] = (len(group) - len(answers), len(group))
            refused += len(answers)
            for file, answer in answers:
                print(f"{file.name}: {answer[:300]}", flush=True)
    for name, (good, total) in encodings.items():
        print(f"{name}: {good} of {total}")
    print(f"{len(files) - refused} of {len(files)} exports accepted")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
