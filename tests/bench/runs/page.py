"""docs/tables/tinystories.md and its pictures from the results in docs/results.

Usage: .venv/bin/python tests/bench/runs/page.py [--check | --results FOLDER --output FOLDER]

--check compares the page alone, and needs no package; pictures take what ./setup.sh --bench installs."""

import argparse
import json
import math
import sys
from pathlib import Path

import tsm
from page_baselines import baselines
from page_introduction import TOKENS, introduction
from page_tables import RANGES, by_length, evaluations, number, packed, series, table
from paired import interval, shown

ROOT = Path(__file__).parents[3]
ENCODINGS = ("rope", "alibi", "ape")
CONTEXTS = (64, 128, 256)
SEEDS = ("{}-64", "{}-64-seed-1", "{}-64-seed-2")
OTHERS = {
    "entropy",
    "full-size",
    "memory",
    "others",
    "readability",
    "speed",
    "study-answer",
    "study-2-answer",
    "study-2-floors",
    "study-2-perplexity",
    "study-2-power",
}  # of predictors.py, cost.py, readability.py, others.py and notebooks/study.py
ENOUGH = 0.01  # nats in the last tenth of a run

FIRST, LAST, SAME = "val", 16384, "packed windows"  # of the growth of perplexities


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
        "Loss in nats per token over all of the validation stories, each token with up to T - 1 before it in its",
        f"piece of T. An interpolated 3-gram model of the same tokens has {base:.4f}. {but(behind)} are below it.",
        f"{but(moving)} moved less than {ENOUGH} nat in the last tenth of their steps, in which the learning rate",
        "falls to 0, on 100 batches that are the same for all. Tokens per second are those of one thread, with",
        "other work on the machine. `tiny`, 2 layers of width 48, is the model in `tests/cases/tiny`.",
        "",
        *table(["run", "parameters", "steps", "tokens/s", "loss", "moved"], rows),
        "![Validation loss by step: seed 1337; thin lines are seeds 1 and 2](../results_training.svg)",
        "",
    ]


def names_of(results, name, context):
    """Runs that differ in the seed, the first seed first."""
    patterns = SEEDS if context == 64 else ["{}-" + str(context)]
    return [pattern.format(name) for pattern in patterns if pattern.format(name) in results]


def factors(results, name, context):
    """The perplexity at the greatest length by that at the training length, for each seed."""
    rows = [series(results[run]["evaluation"], FIRST, SAME) for run in names_of(results, name, context)]
    return [math.exp(row[LAST][1] - row[context][1]) for row in rows if LAST in row and context in row]


def extremes(results):
    """The least and the greatest of these factors over seeds and contexts, by encoding."""
    found = {name: [factor for context in CONTEXTS for factor in factors(results, name, context)] for name in ENCODINGS}
    return {name: (number(min(of), 2), number(max(of), 2)) for name, of in found.items() if of}


def beginnings(results):
    """How much easier the first tokens of a window are than others, for a model that reads as many of both."""
    run = results.get("rope-64", {})
    if "window 64" not in run.get("cuts", {}):
        return []
    first, everywhere = series(run["evaluation"], FIRST)[64][1], run["every_token"]["rows"][0][1]
    cut = series(run["cuts"]["window 64"], FIRST)
    return [
        "The first tokens of a window begin a story, and are easier: `rope-64` has the loss",
        f"{first:.2f} on the first 64, and {everywhere:.2f} on all of the text in pieces of 64. So a factor of",
        f"{math.exp(cut[LAST][1] - cut[64][1]):.1f} is not growth: RoPE that sees 64 keys "
        "[has it too](#what-simpler-models-do).",
    ]


def growth(results):
    rows = []
    for context in CONTEXTS:
        found = [factors(results, name, context) for name in ENCODINGS]
        if any(found):
            rows.append([f"{context}", *(", ".join(number(factor, 2) for factor in cell) for cell in found)])
    return (
        [
            "### Growth",
            "",
            f"Perplexity at {LAST:,} tokens by that at the training length, TinyStories, packed; at 64 tokens of seeds",
            "1337, 1 and 2.",
            *beginnings(results),
            "",
            *table(["trained at", *ENCODINGS], rows),
        ]
        if rows
        else []
    )


def difference(results, split, length):
    """APE's loss less ALiBi's, within each of the three seeds: the mean with Student's interval."""
    found = [
        [series(results[run]["evaluation"], split)[length][1] for run in names_of(results, name, 64)]
        for name in ("ape", "alibi")
    ]
    of_seeds = [ape - alibi for ape, alibi in zip(*found, strict=True)]
    return f"{shown(interval(of_seeds))}; " + ", ".join(f"{value:+.3f}" for value in of_seeds)


def paired(results):
    if any(len(names_of(results, name, 64)) < len(SEEDS) for name in ("ape", "alibi")):
        return []
    lengths = series(results["ape-64"]["evaluation"], FIRST)
    rows = [[f"{length:,}", *(difference(results, split, length) for split in RANGES)] for length in lengths]
    return [
        "APE's loss less ALiBi's in nats per token, within each seed, packed: the mean, Student's 95 % interval over",
        "the three seeds, and each seed. Both read the same windows, and the interval is over seeds alone. The rows",
        "of a column are parts of the same windows, so that they are not separate tests.",
        "",
        *table(["tokens", *RANGES.values()], rows),
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
    return lines + paired(results)


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
            "The controls are models without positions, models with the slopes of ALiBi's official code, and",
            "evaluation with few keys. RoPE sees its 64 nearest keys, as many as in training. APE sees W + 1 keys per",
            "head ([training.md](../training.md#few-keys-with-proof)), for two choices of W. The bound from weights",
            "holds for every input, so that a head's weight outside is at most 1e-3. That of the bias alone leaves out",
            "the content, so that this is not proved. All have one seed.",
            "",
            *packed(found),
            "With few keys:",
            "",
            *packed(cuts),
            "![Controls, seed 1337, bands of 95 % over windows of text](../results_controls.svg)",
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
    of_first = results[names[0]]["recall"]
    known, asked = of_first["names"], of_first["rows"][0][1]
    lows = [row[of_first["columns"].index("low")] for name in names for row in results[name]["recall"]["rows"]]
    above = sum(low > 1 / known for low in lows)
    return [
        "## Recall of names",
        "",
        f"How often the right name is the likeliest of {known}, by its distance in tokens, in {asked} texts per",
        f"distance; guessing has {1 / known:.2f}. Of the {len(lows)} intervals at 95 %, which are in the files,",
        f"{above} lie above guessing: these models hardly recall at all, and the table tells no encodings apart.",
        "",
        *table(["distance", *names], rows),
    ]


def tuned(results):
    found = evaluations(
        results,
        [
            ("rope", "rope-64"),
            ("rope, then ape", "rope-64-tuned-ape"),
            ("alibi", "alibi-64"),
            ("alibi, then ape", "alibi-64-tuned-ape"),
        ],
    )
    if len(found) < 4:
        return []
    curves = [results[f"{start}-64-tuned-ape"]["training"]["validation"] for start in ("rope", "alibi")]
    best = " and ".join(str(min(curve, key=lambda at: at[1])[0]) for curve in curves)
    steps, rate = curves[0][-1][0], tsm.TUNING["training.learning_rate"]
    tokens = int(tsm.TUNING["training.data_fraction"] * TOKENS)
    read = steps * 12 * 64 / tokens
    return [
        "## Fine-tuned with APE",
        "",
        f"{steps} steps on the first 1 % of the tokens: {tokens:,} tokens, each read {read:.0f} times at a rate of",
        f"{rate:g}. The validation loss is least after {best} steps (RoPE, ALiBi) and higher at the end. No model was",
        "tuned with its own encoding beside them, and there is one seed: these tables do not tell what APE does from",
        "what repeating few tokens does. The start with APE put in its place, and no step, was not evaluated at these",
        "lengths; its validation loss is the first of each run.",
        "",
        *packed(found),
    ]


def page(folder):
    baseline, results, missing = load(folder)
    machines = "; ".join(sorted({result["machine"] for result in results.values()}))
    lines = [introduction(extremes(results)), f"Machine: {machines}.", ""]
    if missing:
        lines += ["Not made yet: " + ", ".join(f"`{name}`" for name in missing) + ".", ""]
    lines += training(baseline, results)
    lines += [
        "## Perplexity by length",
        "",
        "![Perplexity by tokens read: seed 1337 with bands of 95 % over windows of text; thin lines are seeds 1 and 2]"
        "(../results_perplexity.svg)",
        "",
        *growth(results),
    ]
    for context in CONTEXTS:
        columns = evaluations(results, [(name, f"{name}-{context}") for name in ENCODINGS])
        if columns:
            lines += [f"### Trained at {context} tokens", "", *packed(columns)]
            for split, name in RANGES.items():
                found = by_length(columns, split, "documents")
                lines += [f"{name[0].upper()}{name[1:]}, documents:", "", *found] if found else []
    lines += over_seeds(results) + controls(results) + baselines(results, baseline, folder) + tuned(results)
    return "\n".join(lines + recalled(results)).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    parser.add_argument("--output", type=Path, default=ROOT / "docs")
    arguments = parser.parse_args()
    path, text = arguments.output / "tables" / "tinystories.md", page(arguments.results)
    if arguments.check:
        if path.read_text() != text:
            sys.exit(f"{path.name} is not what its results give: run tests/bench/runs/page.py")
        return
    import curves

    path.write_text(text)
    curves.draw(load(arguments.results)[1], arguments.output)


if __name__ == "__main__":
    main()
