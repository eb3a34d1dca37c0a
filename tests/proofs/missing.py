#!/usr/bin/env python3
"""The verdicts that check-properties --coq writes no file for: missing.py PROGRAM PAGE WORK [--update]

Compares the block of PAGE that begins with "Not exported" with what PROGRAM says of all built-in
encodings, or writes it."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys


def block(program, work):
    shutil.rmtree(work, ignore_errors=True)
    done = subprocess.run([program, "--all", "--quiet", "--coq", str(work)], capture_output=True, text=True, check=True)
    lines = re.findall(r"^check-properties: ([^.]+)[.](\S+): not exported: (.*)$", done.stderr, re.M)
    written = len(list(work.glob("*.v")))
    text = f"Not exported: {len(lines)} of {written + len(lines)}\n"
    groups = {}
    for encoding, verdict, reason in lines:
        groups.setdefault((reason, encoding), []).append(verdict)
    for (reason, encoding), verdicts in sorted(groups.items()):
        named = "all 14" if len(verdicts) == 14 else " ".join(verdicts)
        text += f"{reason}: {encoding} {named}\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path, help="a folder that is made anew")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    new = block(arguments.program, arguments.work)
    page = arguments.page.read_text()
    found = re.search(r"^Not exported[^`]*", page, re.M)
    if found is None:
        sys.exit(f"{arguments.page} has no block that begins with 'Not exported'")
    if arguments.update:
        arguments.page.write_text(page[: found.start()] + new + page[found.end() :])
    elif found.group() != new:
        sys.exit(f"{arguments.page} says\n{found.group()}\nbut the program\n{new}\nmissing.py --update takes it over")


if __name__ == "__main__":
    main()
