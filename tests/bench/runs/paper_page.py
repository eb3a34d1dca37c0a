"""docs/tables/results_paper.md and its picture, of the runs with the paper's optimizer in docs/results/paper.

Usage: .venv/bin/python tests/bench/runs/paper_page.py [--check | --results FOLDER --output FOLDER]

What has not been made yet is named, and left out. --check compares the page alone, and needs no package."""

import argparse
import json
import math
import statistics
import sys
from pathlib import Path

from page_tables import RANGES, number, table
from paired import by_seed, by_window, loss, shown
from program_rows import ROWS, SEEDS
from record import ROOT

LAST = 16384
GRAM = "3-gram-windows"  # of gram_windows.py
ENCODINGS = ("rope", "alibi", "ape")
KINDS = {  # (context, suffix of the name): heading
    (64, ""): "0.5 million parameters, 64 tokens",
    (128, ""): "0.5 million parameters, 128 tokens",
    (256, ""): "0.5 million parameters, 256 tokens",
    (64, "-width-192"): "2.2 million parameters, 64 tokens",
    (64, "-width-384"): "11.4 million parameters, 64 tokens",
}
TITLES = {  # rows of program_rows.py
    "1": "three encodings at 64 tokens",
    "window": "RoPE whose heads see 64 keys",
    "long": "these on long stories",
    "3": "fine-tuning with controls",
    "4": "other starts of APE",
    "6": "128 and 256 tokens",
    "7": "biases of the second study on TinyStories",
    "8": "2.2 and 11.4 million parameters",
}
VARIANTS = {
    "ape": "APE",
    "ape-slopes": "APE, δ from ALiBi's slopes",
    "ape-measured": "APE, α measured",
    "ape-small": "APE, ten times smaller starts",
    "ape-large": "APE, ten times larger starts",
    "alibi": "ALiBi",
    "alibi-layers": "ALiBi, slopes by layer",
    "rope": "RoPE",
}
INTRODUCTION = """# Runs with the paper's optimizer

RoPE, ALiBi and APE, trained with the paper's schedule, nanoGPT's values where it gives none: rate 6e-4, 2,000 steps of
warmup, cosine decay to 6e-5 over 600,000 steps, 25,000 steps of 12 sequences ([`schedule.toml`]({schedule})). Sizes,
contexts and seeds are those of the tables. The texts and their vocabulary are not the paper's: 4,042,375 tokens of
TinyStories in 2,048 byte pairs, and tales in place of LongTinyStories. The tokens include 5,000 stories of the
validation file, and these steps read them 5 times at 64 tokens. [Earlier runs](tinystories.md) have another optimizer.

```sh
.venv/bin/python tests/bench/runs/program.py --bin build/bin
```

makes them, one after the other, each in [results/paper](../results/paper) with its command and the commit that it was made
from; `.venv/bin/python tests/bench/runs/paper_page.py` makes this page. Losses are nats per token of the first T tokens
of 16 windows of 16,384, packed. Differences are of the seeds that both encodings have. Intervals are Student's at 95 %: *by
seed* over training runs, on the same windows; *by window* over texts, of the mean over seeds. Neither covers the other, and with
one seed there is none by seed.
"""  # noqa: E501


def runs_of(results, name, context=64, suffix=""):
    """Those that are there, in the order of their seeds."""
    names = [f"{name}-{context}{suffix}-seed-{seed}" for seed in SEEDS]
    return [results[name] for name in names if name in results]


def load(folder):
    found = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
    order = [run.name for row, runs in ROWS.items() for run in runs]
    return {name: found[name] for name in [*order, GRAM] if name in found}, [
        name for name in order if name not in found
    ]


def whole(results, kind, names=ENCODINGS):
    """Runs by encoding, of a context and size, of the seeds that all encodings have; nothing where there is none."""
    of = {name: runs_of(results, name, *kind) for name in names}
    shared = set.intersection(*({run["seed"] for run in runs} for runs in of.values()))
    return {name: [run for run in runs if run["seed"] in shared] for name, runs in of.items()} if shared else {}


def every(results, kind):
    """All runs by encoding, of a context and size; nothing where an encoding has none."""
    found = {name: runs_of(results, name, *kind) for name in ENCODINGS}
    return found if all(found.values()) else {}


def factor(run, context):
    return math.exp(loss(run, LAST) - loss(run, context))


def best(run):
    """The checkpoint with the least validation loss: the last one, where nothing else is said."""
    return run["best"] if "evaluation" in run.get("best", {}) else run


def growth(results):
    rows = []
    for kind, heading in KINDS.items():
        found = every(results, kind)
        for title, at in (("", lambda run: run), (", best checkpoint", best)) if found else ():
            cells = [", ".join(number(factor(at(run), kind[0]), 2) for run in runs) for runs in found.values()]
            rows.append([heading + title, *cells])
    text = [
        f"Perplexity at {LAST:,} tokens by that at the training length, for each seed that there is, 0 first.",
        "Not all of it is growth: [the first tokens are easier](tinystories.md#growth). The best checkpoint, of the",
        "least validation loss, shows how much the factor moves within a run. Where it is the last one, both rows are",
        "the same:",
    ]
    return ["## Growth", "", *text, "", *table(["", *ENCODINGS], rows)] if rows else []


def less(ones, others, split):
    """Of the losses at the greatest length: seeds, and the difference by seed and by window."""
    seed = by_seed(ones, others, lambda run: loss(run, LAST, split))
    return str(len(ones)), shown(seed), shown(by_window(ones, others, LAST, split))


def perplexities(results):
    """At the greatest length, beside a model that reads two tokens."""
    found, gram = every(results, (64, "")), results.get(GRAM)
    if not found or not gram:
        return []
    rows, differences = [], []
    for split, name in RANGES.items():
        cells = [", ".join(number(math.exp(loss(run, LAST, split)), 1) for run in runs) for runs in found.values()]
        rows.append([name, *cells, number(math.exp(loss(gram, LAST, split)), 1)])
        for other in ("alibi", "ape"):
            runs = found[other]
            differences.append([name, other, *less(runs, [gram] * len(runs), split)])
    text = [
        f"Perplexity of {LAST:,} tokens, trained at 64, for each seed, and that of a 3-gram model of the same training",
        "tokens on the same windows ([`gram_windows.py`](../../tests/bench/runs/gram_windows.py)). It reads two",
        f"tokens, and grows {factor(gram, 64):.2f} times on TinyStories from 64 tokens on:",
    ]
    return [
        *("## Beside a 3-gram", "", *text, ""),
        *table(["", *ENCODINGS, "3-gram"], rows),
        *(f"Loss at {LAST:,} tokens less that of the 3-gram:", ""),
        *table(["", "", "seeds", "by seed", "by window"], differences),
    ]


def differences(results):
    lines = []
    for split, range_name in RANGES.items():
        rows = []
        for kind, heading in KINDS.items():
            found = whole(results, kind)
            for other in ("alibi", "rope") if found else ():
                rows.append([heading, other, *less(found["ape"], found[other], split)])
        if rows:
            lines += [f"{range_name[0].upper()}{range_name[1:]}:", ""]
            lines += table(["", "APE less", "seeds", "by seed", "by window"], rows)
    head = ["## APE beside the others", "", f"Loss at {LAST:,} tokens, APE's less that of the other:", ""]
    return head + lines if lines else []


def entropy(run, length):
    return next((row[1] for row in run["entropy"]["rows"] if row[0] == length), None)


def at_training_length(results):
    """What is there before any length is extrapolated: losses over all of the validation stories."""
    rows = []
    for kind, heading in KINDS.items():
        found = whole(results, kind)
        for one, other in (("ape", "alibi"), ("rope", "alibi"), ("ape", "rope")) if found else ():
            difference = by_seed(found[one], found[other], lambda run: run["every_token"]["rows"][0][1])
            rows.append([heading, f"{one} less {other}", str(len(found[one])), shown(difference)])
    text = "Not all of it is extrapolation: losses on all validation stories, in pieces of the training length:"
    return [text, "", *table(["", "", "seeds", "by seed"], rows)] if rows else []


def windowed(results):
    """RoPE of the first row whose heads see no more than 64 keys when it is evaluated, by seed."""
    return {run.of.seed: results[run.name] for run in ROWS["window"] if run.name in results}


def controls(results):
    cut = windowed(results)
    if not cut:
        return []
    rows = []
    for split, range_name in RANGES.items():
        for name in ENCODINGS:
            others = [run for run in runs_of(results, name) if run["seed"] in cut]
            rows.append([range_name, name, *less([cut[run["seed"]] for run in others], others, split)])
    factors = ", ".join(number(factor(run, 64), 2) for run in cut.values())
    whole_runs = [(cut[run["seed"]], run) for run in runs_of(results, "rope") if run["seed"] in cut]
    apart = max(abs(loss(one, 64, split) - loss(run, 64, split)) for one, run in whole_runs for split in RANGES)
    text = [
        "What is gained where heads do not read far: RoPE whose heads see 64 keys when it is evaluated. Its models",
        "were trained again by the same commands on another machine; at 64 tokens, where heads see all keys, losses",
        f"are within {apart:.3f} of those above. The perplexity at {LAST:,} tokens is {factors} times that at 64, by",
        f"seed. Its loss at {LAST:,} tokens less that of the others:",
    ]
    head = ["## A control: RoPE that sees 64 keys", "", *text, ""]
    return head + table(["", "less", "seeds", "by seed", "by window"], rows)


def entropies(results):
    rows = []
    for kind, heading in KINDS.items():
        for name, runs in every(results, kind).items():
            lengths = [kind[0], 1024, 4096, LAST]
            cells = [", ".join(f"{entropy(run, length):.2f}" for run in runs) for length in lengths]
            rows.append([heading, name, *cells])
    text = "Mean over heads of the second half of 8 windows of T tokens, in nats, for each seed:"
    headings = ["", "", "trained length", "1,024", "4,096", f"{LAST:,}"]
    return ["## Entropy of attention", "", text, "", *table(headings, rows)] if rows else []


def variants(results):
    rows = []
    for name, heading in VARIANTS.items():
        runs = runs_of(results, name)
        if runs:
            losses = [statistics.fmean(loss(run, length) for run in runs) for length in (64, LAST)]
            mean = statistics.fmean(entropy(run, LAST) for run in runs)
            rows.append([heading, str(len(runs)), *(f"{value:.3f}" for value in losses), f"{mean:.2f}"])
    if len(rows) <= len(ENCODINGS):
        return []
    headings = ["", "seeds", "loss at 64", f"at {LAST:,}", "entropy"]
    return ["## Other starts of APE, and slopes by layer", "", *table(headings, rows)]


def tuned(results):
    """Beside two controls: the same tuning with the start's own encoding, and RoPE that sees 64 keys, not tuned."""
    rows, cut = [], windowed(results)
    for start in ("rope", "alibi"):
        before = runs_of(results, start)
        for seen, what in (("once", "as many tokens as are read"), ("1-percent", "1 % of the tokens")):
            for rate in ("6e-4", "1e-4"):
                of = {
                    into: [results.get(f"{start}-64-seed-{seed}-tuned-{into}-{seen}-{rate}") for seed in SEEDS]
                    for into in ("ape", start)
                }
                if len(before) < len(SEEDS) or not all(all(runs) for runs in of.values()):
                    continue
                for length in (64, LAST):
                    pairs = [(of["ape"], before), (of[start], before), (of["ape"], of[start])]
                    if start == "rope" and all(seed in cut for seed in SEEDS):
                        pairs.append((of["ape"], [cut[seed] for seed in SEEDS]))
                    cells = [shown(by_seed(*pair, lambda run, length=length: loss(run, length))) for pair in pairs]
                    rows.append([f"{start}, {what}, {rate}", f"{length:,}", *cells, *[""] * (4 - len(cells))])
    headings = ["start, tokens, rate", "at", "to APE", "to its own", "APE less its own", "APE less 64 keys"]
    text = [
        "Change of the loss by 500 steps of fine-tuning on TinyStories at 64 tokens, by seed: with APE in place of the",
        "start's encoding, and as a control with its own. In the last column, the loss with APE less that of",
        "[RoPE whose heads see 64 keys](#a-control-rope-that-sees-64-keys), which needs no tuning:",
    ]
    return ["## Fine-tuned, with controls", "", *text, "", *table(headings, rows)] if rows else []


def long_stories(results):
    found = {name: [results.get(f"long-{name}-64-seed-{seed}") for seed in SEEDS] for name in ENCODINGS}
    if not all(all(runs) for runs in found.values()):
        return []
    lengths = [row[0] for row in found["rope"][0]["evaluation"]["files"]["made"][-1]["rows"]]
    rows = [
        [f"{at:,}", *(f"{statistics.fmean(loss(run, at, 'made') for run in runs):.3f}" for runs in found.values())]
        for at in lengths
    ]
    lines = ["## Long stories in the words of the short ones", ""]
    lines += ["[Stories of 500 to 32,000 words](../data.md#recall-of-names), loss by tokens read, mean over seeds:", ""]
    lines += table(["tokens", *ENCODINGS], rows)
    for what in ("names", "places"):
        first = found["rope"][0]["recall"][what]
        lines += [f"How often the right one is the likeliest of {first['names']} {what}, by distance in tokens:", ""]
        rows = []
        for i, row in enumerate(first["rows"]):
            rates = [statistics.fmean(run["recall"][what]["rows"][i][2] for run in runs) for runs in found.values()]
            rows.append([f"{row[0]:,}", *(f"{rate:.3f}" for rate in rates)])
        lines += table(["distance", *ENCODINGS], rows)
    return lines


def biases(results):
    rows = []
    for name in (run.name for run in ROWS["7"]):
        if name in results:
            run = results[name]
            cells = [loss(run, 64), loss(run, LAST), loss(run, LAST) - loss(run, 64)]
            rows.append([f"`{name.removeprefix('stories-')}`", *(f"{cell:.3f}" for cell in cells)])
    text = "The encodings of the [second study](../study.md#the-second-study), 10,000 steps, one seed:"
    headings = ["", "loss at 64", f"at {LAST:,}", "growth"]
    return ["## Biases with and without rotations", "", text, "", *table(headings, rows)] if rows else []


def page(folder):
    results, missing = load(folder)
    lines = [INTRODUCTION.format(schedule="../../tests/bench/runs/schedule.toml")]
    rows = {row: sum(run.name in missing for run in runs) for row, runs in ROWS.items() if runs}
    left = [f"{TITLES[row]}: {count} of {len(ROWS[row])}" for row, count in rows.items() if count]
    if left:
        lines += ["Not made yet:", "", *(f"- {one}" for one in left), ""]
    if whole(results, (64, "")):
        lines += ["![Growth, differences and entropies](../results_paper.svg)", ""]
    for part in (
        growth,
        perplexities,
        differences,
        at_training_length,
        controls,
        entropies,
        variants,
        tuned,
        long_stories,
        biases,
    ):
        lines += part(results)
    return "\n".join(lines).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results" / "paper")
    parser.add_argument("--output", type=Path, default=ROOT / "docs")
    arguments = parser.parse_args()
    path, text = arguments.output / "tables" / "results_paper.md", page(arguments.results)
    if arguments.check:
        if path.read_text() != text:
            sys.exit(f"{path.name} is not what its results give: run tests/bench/runs/paper_page.py")
        return
    path.write_text(text)
    results, _ = load(arguments.results)
    if whole(results, (64, "")):
        import paper_curves

        paper_curves.draw(results, arguments.output / "results_paper.svg")


if __name__ == "__main__":
    main()
