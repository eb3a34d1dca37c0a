"""Entropies of the runs at full size, from their probes in docs/results/device/runs: docs/results/full-size.json, which
`audit-claims --results docs/results` reads.

Usage: .venv/bin/python tests/bench/runs/full_size.py"""

import json
import statistics

from record import ROOT, rounded, write

RESULTS = ROOT / "docs" / "results"
ENCODINGS = ("rope", "alibi", "ape")


def entropies(probe):
    """The mean over heads and windows of rows T/2 to T - 1, by T; two windows give no interval."""
    rows = []
    for at, length in enumerate(probe["lengths"]):
        of_heads = [statistics.fmean(head["lengths"][at]["window_entropy"]) for head in probe["heads"]]
        rows.append([length, statistics.fmean(of_heads)])
    return {"columns": ["tokens", "entropy"], "rows": rounded(rows)}


def main():
    runs = {name: json.loads((RESULTS / "device" / "runs" / f"{name}-64.json").read_text()) for name in ENCODINGS}
    first = next(iter(runs.values()))
    content = {"schema": 1, "name": "full-size", "command": ".venv/bin/python tests/bench/runs/full_size.py"}
    content |= {"machine": first["device"], "version": first["version"], "date": first["date"]}
    write(RESULTS / "full-size.json", content | {name: entropies(run["probe"]) for name, run in runs.items()})


if __name__ == "__main__":
    main()
