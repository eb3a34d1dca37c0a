#!/usr/bin/env python3
"""Exports of random laws: laws.py CHECK_PROPERTIES LIBRARY FOLDER --laws N [--first SEED]

Half of the laws are the generator's first, and half have its wider lists (tests/bench/laws/generate.py). Whatever
check-properties --coq writes of them, coqc has to accept."""

import argparse
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "bench" / "laws"))
import generate


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path, help="is replaced")
    parser.add_argument("--laws", type=int, required=True)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    exported = arguments.folder / "exports"
    exported.mkdir()
    for at in range(arguments.laws):
        law = generate.draw(arguments.first + at // 2 + at % 2 * generate.FIRST_WIDER)
        file = arguments.folder / f"{law['name']}.toml"
        file.write_text(generate.toml(law))
        # a law without a value somewhere is refused (2)
        done = subprocess.run(
            [arguments.program, file, "--quiet", "--coq", exported, "--total-limit", "20"],
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode not in (0, 2):
            sys.exit(f"{file}: exit code {done.returncode}: {done.stderr}")
    exports = pathlib.Path(__file__).with_name("exports.py")
    return subprocess.call([sys.executable, exports, exported, arguments.library, "--jobs", "2"])


if __name__ == "__main__":
    sys.exit(main())
