#!/usr/bin/env python3
"""Exports of random laws: laws.py CHECK_PROPERTIES LIBRARY --laws N [--first SEED]

Half of the laws are the generator's first, and half have its wider lists (tests/bench/laws/generate.py). Whatever
check-properties --coq writes of them, coqc has to accept."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "bench" / "laws"))
import generate


def export(arguments, folder):
    """The folder of what is written of the laws."""
    exported = folder / "exports"
    exported.mkdir()
    for at in range(arguments.laws):
        law = generate.draw(arguments.first + at // 2 + at % 2 * generate.FIRST_WIDER)
        file = folder / f"{law['name']}.toml"
        file.write_text(generate.toml(law))
        # a law without a value somewhere is refused (2)
        command = [arguments.program, file, "--quiet", "--coq", exported, "--total-limit", "20"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode not in (0, 2):
            sys.exit(f"{law['name']}: exit code {done.returncode}: {done.stderr}")
    return exported


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--laws", type=int, required=True)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    exports = pathlib.Path(__file__).with_name("exports.py")
    with tempfile.TemporaryDirectory() as folder:
        exported = export(arguments, pathlib.Path(folder))
        return subprocess.call([sys.executable, exports, exported, arguments.library, "--jobs", "2"])


if __name__ == "__main__":
    sys.exit(main())
