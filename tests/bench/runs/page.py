"""docs/results.md and its pictures from the results in docs/results.

Usage: .venv/bin/python tests/bench/runs/page.py [--check | --results FOLDER --output FOLDER]

--check compares the page alone, and needs no package; pictures take what ./setup.sh --bench installs."""

import argparse
import json
import math
import sys
from pathlib import Path

import tsm

ROOT = Path(__file__).parents[3]
RANGES = {
    "val": "TinyStories, validation",
    "long-0-5000": "tales of up to 5,000 words",
    "long-5000-10000": "tales of 5,000 to 10,000 words",
}
ENCODINGS = ("rope", "alibi", "ape")
CONTEXTS = (64, 128, 256)
SEEDS = ("{}-64", "{}-64-seed-1", "{}-64-seed-2")
OTHERS = {
    "entropy",
    "memory",
    "others",
    "readability",
    "speed",
    "study-answer",
}  # of predictors.py, cost.py, readability.py, others.py and notebooks/study.py
ENOUGH = 0.01  # nats in the last tenth of a run: it has settled

INTRODUCTION = """# Runs on TinyStories

Small models with RoPE, ALiBi and APE, trained at 64, 128 and 256 tokens and evaluated at up to 16,384: the perplexity
of RoPE rises steeply beyond its training length, that of ALiBi and APE hardly changes.

**The protocol is the paper's; the data and the size are not.** Training uses 2,955,005 tokens of TinyStories with a
vocabulary of 2,048; models have 3 layers of width 96 with 6 heads and are trained for 10,000 steps of 12 sequences,
which read the tokens 3, 5 and 10 times. LongTinyStories, which was not published, is replaced by older tales
([data.md](data.md)) that no run was trained on: because of their words, their perplexities are high at every length.
Differences between encodings are specific to this size, these texts and these seeds.

Perplexity is the exponential of the mean loss of the first T tokens of windows of 16,384 tokens, 16 per range. *Packed*
windows are documents joined by the end token; no story of TinyStories is long enough to be a window. *Documents* are
windows within one document. Brackets contain the 95 % bootstrap interval over windows: the variation over texts, not
over training runs.

`.venv/bin/python tests/bench/runs/page.py` makes this page from [docs/results](results), one file per run, with its
commands, the version of the sources and the machine; `.venv/bin/python tests/bench/runs/tsm.py` makes those.
"""


def load(folder):
    order = [run.name for run in tsm.runs()]
    found = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
    unknown = set(found) - set(order) - {"3-gram"} - OTHERS
    if unknown:
        sys.exit(f"{folder}: no run is called {', '.join(sorted(unknown))}")
    return (
        found.pop("3-gram"),
        {name: found[name] for name in order if name in found},
        [name for name in order if name not in found],
    )


def number(value):
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def perplexity(row):
    """exp of a loss and its interval; the columns of a row are tokens, loss, low, high."""
    value, low, high = (None if x is None else number(math.exp(x)) for x in row[1:4])
    return value + ("" if low is None else f" ({low} to {high})")


def series(evaluation, split, over="packed windows"):
    """Rows by number of tokens; none where no document is long enough."""
    found = [part for part in evaluation["files"][split] if part["over"] == over]
    return {row[0]: row for row in found[0]["rows"]} if found else {}


def table(headings, rows):
    return [
        "| " + " | ".join(headings) + " |",
        "|---" * len(headings) + "|",
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
    ]


def by_length(columns, split, over="packed windows", cell=perplexity):
    """A table of perplexities: columns are (heading, evaluation)."""
    tables = [series(evaluation, split, over) for _, evaluation in columns]
    lengths = sorted({length for rows in tables for length in rows})
    if not lengths:
        return []
    return table(
        ["tokens", *(heading for heading, _ in columns)],
        [[f"{length:,}", *(cell(rows[length]) if length in rows else "" for rows in tables)] for length in lengths],
    )


def packed(columns):
    """A table for each range, or nothing before there are results."""
    return (
        [
            line
            for split, name in RANGES.items()
            for line in (f"{name[0].upper()}{name[1:]}, packed:", "", *by_length(columns, split))
        ]
        if columns
        else []
    )


def evaluations(results, names):
    """(heading, evaluation) of the (heading, run) that have a result."""
    return [(heading, results[name]["evaluation"]) for heading, name in names if name in results]


def training(baseline, results):
    base = baseline["losses"]["val"]["loss_nats"]
    rows, behind, moving = [], [], []
    for name, result in results.items():
        curve, every = result["training"], result["every_token"]["rows"][0][1]
        speed = curve["median_tokens_per_second"]
        rows.append(
            [
                f"`{name}`",
                f"{curve['parameters']:,}",
                f"{curve['validation'][-1][0]:,}",
                "" if speed is None else f"{speed:,.0f}",
                f"{every:.4f}",
                f"{curve['moved_in_last_tenth']:.4f}",
            ]
        )
        behind += [name] if every >= base else []
        moving += [name] if abs(curve["moved_in_last_tenth"]) >= ENOUGH else []

    def but(names):
        return "All" if not names else "All but " + ", ".join(f"`{name}`" for name in names)

    return [
        "## Training",
        "",
        (
            "Loss in nats per token over all of the validation stories, "
            "each token with up to T - 1 before it in its piece of T. An interpolated"
        ),
        (
            f"3-gram model of the same tokens has {base:.4f}. {but(behind)} are below it. "
            f"{but(moving)} moved less than {ENOUGH} nat in the last tenth of their"
        ),
        (
            "steps, on 100 batches that are the same for all. Tokens per second are those of one thread, "
            "with other work on the machine. `tiny`, 2 layers of"
        ),
        "width 48, is the model in `tests/cases/tiny`.",
        "",
        *table(["run", "parameters", "steps", "tokens/s", "loss", "moved"], rows),
        "![Validation loss by step](results_training.svg)",
        "",
    ]


def over_seeds(results):
    """Means over seeds of the loss, least and greatest, as perplexities."""
    whole = {
        name: [results[seed.format(name)]["evaluation"] for seed in SEEDS]
        for name in ENCODINGS
        if all(seed.format(name) in results for seed in SEEDS)
    }
    if not whole:
        return []
    lines = [
        "## Three seeds at 64 tokens",
        "",
        "The geometric mean over seeds 1337, 1 and 2, and the least and the greatest:",
        "",
    ]
    for split, name in RANGES.items():
        rows = []
        for length in series(whole[next(iter(whole))][0], split):
            cells = []
            for evaluations_of_seeds in whole.values():
                losses = [series(evaluation, split)[length][1] for evaluation in evaluations_of_seeds]
                mean, low, high = (number(math.exp(x)) for x in (sum(losses) / len(losses), min(losses), max(losses)))
                cells.append(f"{mean} ({low} to {high})")
            rows.append([f"{length:,}", *cells])
        lines += [f"{name[0].upper()}{name[1:]}, packed:", "", *table(["tokens", *whole], rows)]
    return lines


def controls(results):
    found = evaluations(
        results,
        [
            ("rope", "rope-64"),
            ("nope", "nope-64"),
            ("alibi", "alibi-64"),
            ("alibi, official slopes", "alibi-official-64"),
            ("ape", "ape-64"),
        ],
    )
    cuts = []
    for name in ("rope-64", "ape-64"):
        for what, cut in results.get(name, {"cuts": {}})["cuts"].items():
            keys = [count for layer in cut["keys"] for count in layer]
            cuts.append((f"{name.removesuffix('-64')}, {what}: {min(keys):,} to {max(keys):,} keys", cut))
    return (
        [
            "## Controls at 64 tokens",
            "",
            (
                "The controls are models without positions, models with the slopes of ALiBi's official code, "
                "and evaluation with few keys: RoPE sees as many keys as the"
            ),
            (
                "64 tokens that it was trained on, APE the W + 1 keys outside of which a head's weight is at most 1e-3 "
                "([training.md](training.md#few-keys-with-proof)),"
            ),
            "with W once from a bound on the content that holds for every input and once for the bias alone.",
            "",
            *packed(found),
            "With few keys:",
            "",
            *packed(cuts),
            "![Controls](results_controls.svg)",
            "",
        ]
        if found
        else []
    )


def recalled(results):
    names = [
        f"{encoding}-{context}" for context in CONTEXTS for encoding in ENCODINGS if f"{encoding}-{context}" in results
    ]
    if not names:
        return []
    rows = [
        [f"{row[0]:,}", *(f"{results[name]['recall']['rows'][i][2]:.2f}" for name in names)]
        for i, row in enumerate(results[names[0]]["recall"]["rows"])
    ]
    known, asked = results[names[0]]["recall"]["names"], results[names[0]]["recall"]["rows"][0][1]
    return [
        "## Recall of names",
        "",
        (
            f"How often the right name is the likeliest of {known}, by its distance in tokens, "
            f"in {asked} texts per distance; guessing has {1 / known:.2f}."
        ),
        "Intervals are in the files.",
        "",
        *table(["distance", *names], rows),
    ]


def page(folder):
    baseline, results, missing = load(folder)
    machines = "; ".join(sorted({result["machine"] for result in results.values()}))
    lines = [INTRODUCTION, f"Machine: {machines}.", ""]
    if missing:
        lines += ["Not made yet: " + ", ".join(f"`{name}`" for name in missing) + ".", ""]
    lines += training(baseline, results)
    lines += ["## Perplexity by length", "", "![Perplexity by tokens read](results_perplexity.svg)", ""]
    for context in CONTEXTS:
        columns = evaluations(results, [(name, f"{name}-{context}") for name in ENCODINGS])
        if columns:
            lines += [f"### Trained at {context} tokens", "", *packed(columns)]
            for split, name in RANGES.items():
                found = by_length(columns, split, "documents")
                lines += [f"{name[0].upper()}{name[1:]}, documents:", "", *found] if found else []
    lines += over_seeds(results) + controls(results)
    tuned = evaluations(
        results,
        [
            ("rope", "rope-64"),
            ("rope, then ape", "rope-64-tuned-ape"),
            ("alibi", "alibi-64"),
            ("alibi, then ape", "alibi-64-tuned-ape"),
        ],
    )
    lines += (
        ["## Fine-tuned with APE", "", "500 steps on the first 1 % of the tokens:", "", *packed(tuned)]
        if len(tuned) > 2
        else []
    )
    longer = evaluations(results, [(name, f"{name}-64-25000") for name in ENCODINGS])
    lines += ["## 25,000 steps at 64 tokens", "", *packed(longer)] if longer else []
    return "\n".join(lines + recalled(results)).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    parser.add_argument("--output", type=Path, default=ROOT / "docs")
    arguments = parser.parse_args()
    path, text = arguments.output / "results.md", page(arguments.results)
    if arguments.check:
        if path.read_text() != text:
            sys.exit(f"{path.name} is not what its results give: run tests/bench/runs/page.py")
        return
    import curves

    path.write_text(text)
    curves.draw(load(arguments.results)[1], arguments.output)


if __name__ == "__main__":
    main()
