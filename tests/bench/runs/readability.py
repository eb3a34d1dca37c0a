"""Readability of the texts, beside the paper's table 1, as docs/results/readability.json.

Usage: .venv/bin/python tests/bench/runs/readability.py [--bin FOLDER] [--results FOLDER]

GPE_DATA names the folder of the texts; takes some minutes."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import tsm

TEXTS = [
    "train=tinystories/tinystories_train.txt",
    "val=tinystories/tinystories_valid.txt",
    "long=long_stories",
    "--words",
    "long=0..5000,5000..10000",
    "--vocabulary",
    "2048",
    "--readability",
    "3500",
]
PAPER = [
    {"split": "paper: TinyStories", "documents": None, "fre": 105.19, "fog": 4.83, "ari": 0.85},
    {"split": "paper: LongTinyStories", "documents": None, "fre": 93.06, "fog": 3.63, "ari": 2.64},
]


def measured(text):
    """The rows below the line that begins with readability."""
    table = text[text.index("\nreadability ") :].splitlines()[2:]
    rows = [re.split(r"\s+", line.strip()) for line in table if line.strip()]
    return [
        {"split": name, "documents": int(documents), "fre": float(fre), "fog": float(fog), "ari": float(ari)}
        for name, documents, fre, fog, ari in rows
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=tsm.ROOT / "build" / "bin")
    parser.add_argument("--results", type=Path, default=tsm.ROOT / "docs" / "results")
    arguments = parser.parse_args()
    if "GPE_DATA" not in os.environ:
        sys.exit("GPE_DATA is not set: the folder of the texts (docs/data.md)")
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [arguments.bin.resolve() / "prepare-data", *TEXTS, "--output", folder], capture_output=True, text=True
        )
    if result.returncode != 0:
        sys.exit(result.stderr)
    content = {
        "schema": 1,
        "name": "readability",
        "command": " ".join(["prepare-data", *TEXTS]),
        "version": tsm.version(arguments.bin),
        "machine": tsm.machine(),
        "rows": measured(result.stdout) + PAPER,
    }
    (arguments.results / "readability.json").write_text(tsm.text_of(content))


if __name__ == "__main__":
    main()
