"""The 3-gram model on the windows that the runs of program.py are evaluated on: 3-gram-windows.json beside them.

Usage: .venv/bin/python tests/bench/runs/gram_windows.py [--bin FOLDER] [--tokens FOLDER] [--output FOLDER]

It reads two tokens, and so shows how much of a loss, and of its growth, is due to the texts. The token files are those
that program.py makes; takes some minutes."""

import argparse
import array
import datetime
import json
import subprocess
import tempfile
from pathlib import Path

import tsm
from paired import interval
from record import ROOT, commit, rounded, write

LENGTHS, WINDOWS = (64, 16384), 16  # tokens; as evaluate-tsm chooses them


def begins(tokens, end, length):
    """Packed windows: from the beginning of a document on, none over another, spread over the file."""
    found, free = [], 0
    for begin in [0, *(at + 1 for at, token in enumerate(tokens) if token == end)]:
        if begin >= free and begin + length + 1 <= len(tokens):
            found.append(begin)
            free = begin + length + 1
    return [found[i * len(found) // WINDOWS] for i in range(WINDOWS)] if len(found) > WINDOWS else found


def measured(programs, folder, split):
    tokens = array.array("H", (folder / f"{split}.bin").read_bytes())
    end = json.loads((folder / f"{split}.json").read_text())["end_of_text"]
    losses = {length: [] for length in LENGTHS}
    with tempfile.TemporaryDirectory() as work:
        cut = Path(work) / "window.bin"
        for begin in begins(tokens, end, LENGTHS[-1]):
            for length in LENGTHS:
                cut.write_bytes(tokens[begin : begin + length + 1].tobytes())
                command = [programs / "ngram-baseline", folder / "train.bin", cut, "--format", "json"]
                output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                losses[length].append(json.loads(output)["loss_nats"])
    return {
        "over": "packed windows",
        "windows": len(losses[LENGTHS[0]]),
        "columns": ["tokens", "loss", "low", "high"],
        "rows": rounded([[length, *interval(of)] for length, of in losses.items()]),
        "by_window": rounded({str(length): of for length, of in losses.items()}),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--tokens", type=Path, default=ROOT / "data" / "program" / "tokens")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "results" / "paper")
    arguments = parser.parse_args()
    content = {
        "schema": 1,
        "name": "3-gram-windows",
        "machine": tsm.machine(),
        "version": tsm.version(arguments.bin),
        "commit": commit(),
        "date": datetime.date.today().isoformat(),
        "command": ".venv/bin/python tests/bench/runs/gram_windows.py",
        "evaluation": {"files": {split: [measured(arguments.bin, arguments.tokens, split)] for split in tsm.RANGES}},
    }
    write(arguments.output / "3-gram-windows.json", content)


if __name__ == "__main__":
    main()
