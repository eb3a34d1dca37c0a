"""Results as the notebooks read them: the JSON of the programs, as docs/results keeps it. What is
not there is None, and is remembered."""

import json
import math
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENCODINGS = ("rope", "alibi", "ape")
CONTEXTS = (64, 128, 256)
RANGES = {"val": "TinyStories", "long-0-5000": "tales, ≤ 5,000 words", "long-5000-10000": "tales, 5,000–10,000 words"}
SEEDS = ("{}-{}", "{}-{}-seed-1", "{}-{}-seed-2")


class Results:
    def __init__(self, folder=None):
        self.folder = Path(folder or os.environ.get("GPE_RESULTS") or ROOT / "docs" / "results")
        self.missing = []

    def read(self, name):
        """NAME.json, or None."""
        path = self.folder / f"{name}.json"
        if path.exists():
            return json.loads(path.read_text())
        if name not in self.missing:
            self.missing.append(name)
        return None

    def probe(self, name):
        return self.read(f"probes/{name}")

    def theory(self, name):
        """The program's output in theory/NAME.json, or None."""
        found = self.read(f"theory/{name}")
        return found and found["output"]

    def seeds(self, encoding, context):
        """The runs of all seeds that are there, the first seed first."""
        found = [self.read(pattern.format(encoding, context)) for pattern in (SEEDS if context == 64 else SEEDS[:1])]
        return [run for run in found if run]

    def report(self):
        """A line for the end of a notebook."""
        return "everything is there" if not self.missing else "not made yet: " + ", ".join(self.missing)


def losses(evaluation, split, far=False):
    """Rows (tokens, loss, low, high) in nats per token: of the first T tokens of windows, or of their second half.
    Where documents are as long as the greatest length there are no packed windows, and theirs are the rows."""
    found = evaluation["files"].get(split, [])
    chosen = [series for series in found if series["over"] == "packed windows"] or found
    first = 4 if far else 1
    return [(row[0], *row[first : first + 3]) for row in chosen[0]["rows"]] if chosen else []


def columns(rows):
    """(tokens, perplexity, low, high) as four lists; an interval that is not there is None."""

    def of(values):
        return [None if value is None else math.exp(value) for value in values]

    if not rows:
        return [], [], [], []
    tokens, mean, low, high = zip(*rows, strict=True)
    return list(tokens), of(mean), of(low), of(high)


def over_seeds(runs, split):
    """(tokens, geometric mean, least, greatest) of the perplexity over runs that differ in the seed."""
    tables = [losses(run["evaluation"], split) for run in runs]
    result = []
    for rows in zip(*tables, strict=True):
        values = [row[1] for row in rows]
        result.append((rows[0][0], sum(values) / len(values), min(values), max(values)))
    return columns(result)
