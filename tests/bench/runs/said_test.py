"""The numbers of trained models in the sentences of README.md and docs/results.md, computed from docs/results.

python3 tests/bench/runs/said_test.py
"""

import json
import math
import statistics
import sys

from paired import by_seed, loss
from predictors import encoding_of, errors, unchanged
from record import ROOT

LAST = 16384
STORED = ROOT / "docs" / "results"
FAR = (("predicted", -1), ("entropy", 0))  # of the models of others with ALiBi: by the bias, and no change
FIRST = ("-64", "-64-seed-1", "-64-seed-2")
PAPER = ("-64-seed-0", "-64-seed-1", "-64-seed-2")


def load(name):
    return json.loads((STORED / f"{name}.json").read_text())


def first(name):
    return [load(name + seed) for seed in FIRST]


def paper(name):
    return [load(f"paper/{name}{seed}") for seed in PAPER]


def grows(run):
    return math.exp(loss(run, LAST) - loss(run, 64))


def spread(runs, digits=1):
    ends = [f"{end(map(grows, runs)):.{digits}f}" for end in (min, max)]
    return " to ".join(dict.fromkeys(ends))


def better(ones, others, measure):
    """How much lower the loss of the first is, and the interval over seeds."""
    mean, low, high = by_seed(others, ones, measure)
    return f"{mean:.3f} ({low:.3f} to {high:.3f})"


def middle(found):
    return f"{statistics.median(abs(error) for error in found):.2f}"


def growth():
    cut = {"evaluation": load("rope-64")["cuts"]["window 64"]}
    window, every = paper("window-64-rope"), [*first("alibi"), *first("ape"), *paper("alibi"), *paper("ape")]
    assert all(grows(run) < 1.5 for run in every) and spread(paper("ape")) == spread(window)
    full = [load(f"device/runs/{name}-64") for name in ("rope", "alibi", "ape")]
    sizes = [grows({"evaluation": run["last"]}) for run in full]
    both = [
        f"{grows(load('nope-64')):.1f} times without position",
        "less than 1.5 times with ALiBi and",
    ]
    readme = [
        f"{spread([*first('rope'), *paper('rope')])}\ntimes with RoPE",
        f"grows {spread(window)} times",
        f"{grows(load('tiny')):.1f} times in [a smaller model with APE",
    ]
    results = [
        f"{spread(first('rope'))} times with RoPE",
        f"{grows(cut):.1f} times with [RoPE whose heads see 64 keys]",
        f"With RoPE {spread(paper('rope'), 0)} times, with ALiBi {spread(paper('alibi'))} times, with APE, and",
        f", {spread(window)} times (0.5 million",
        f"With [a 3-gram](tables/results_paper.md#beside-a-3-gram) {grows(load('paper/3-gram-windows')):.1f} times.",
        f"{sizes[0]:.0f} times with RoPE, {sizes[1]:.1f} with ALiBi, {sizes[2]:.1f} with APE (one seed",
    ]
    return readme + both, results + both


def differences():
    of, window = {name: paper(name) for name in ("rope", "alibi", "ape")}, paper("window-64-rope")

    def last(split="val"):
        return lambda run: loss(run, LAST, split)

    told = f"+{better(of['ape'], window, last())}"
    ranges, gram = ("long-0-5000", "long-5000-10000"), load("paper/3-gram-windows")
    tales = [better(of["ape"], of["alibi"], last(split)) for split in ranges]
    beside = [better([gram] * 3, of["ape"], last(split)) for split in ranges]
    ape = better(of["ape"], of["alibi"], last()).replace(" (", " nats per token (")
    return [told.replace(" (", " nats (")], [
        f"by {ape} with the paper's optimizer",
        f"by {better(first('ape'), first('alibi'), last())} with [another]",
        f"by {better(of['ape'], of['alibi'], lambda run: run['every_token']['rows'][0][1])} already",
        f"by as much, {better(window, of['alibi'], last())}, and not told from APE: {told}",
        f"{tales[0]} and {tales[1]} with the paper's optimizer",
        f"is below both, below APE by {beside[0]} and {beside[1]}.",
    ]


def tuned():
    """RoPE of three seeds, tuned at a rate of 1e-4 on tokens that are read once, and on 1 % of them."""
    start, window = paper("rope"), paper("window-64-rope")

    def runs(into, seen):
        return [load(f"paper/rope{seed}-tuned-{into}-{seen}-1e-4") for seed in PAPER]

    def at(length):
        return lambda run: loss(run, length)

    once, own_once = runs("ape", "once"), runs("rope", "once")
    few, own_few = runs("ape", "1-percent"), runs("rope", "1-percent")
    gain = better(once, start, at(LAST)).replace(" (", " nats (")
    return [], [
        f"By {gain} where each token is read once, at a rate of 1e-4, and by {better(few, start, at(LAST))} with 1 % "
        "of the tokens.",
        f"The same tuning with RoPE does not improve it: it becomes worse by {better(start, own_once, at(LAST))} and "
        f"{better(start, own_few, at(LAST))}.",
        f"it is worse than the first by {better(once, window, at(LAST))}, and better than the second by "
        f"{better(window, few, at(LAST))}.",
        f"improves by {better(once, start, at(64))} with APE and by {better(own_once, start, at(64))} with RoPE.",
        f"With 1 % of the tokens it becomes worse by {better(start, few, at(64))} and "
        f"{better(start, own_few, at(64))}.",
    ]


def predictions():
    probes = {path.stem: json.loads(path.read_text()) for path in (STORED / "probes").glob("*.json")}
    others = load("others")
    rope, alibi = others["rope"]["probe"], others["alibi"].values()

    def over(name, of):
        return sum((of(probe) for run, probe in probes.items() if encoding_of(run) == name), [])

    def by(predictor):
        return lambda probe: errors(probe, predictor, "from_fit", LAST)

    def none(probe):
        return unchanged(probe, LAST)

    biased = {middle(over(name, by("bias"))) for name in ("alibi", "ape")}
    still = sorted(middle(over(name, none)) for name in ("alibi", "ape"))
    worst = max(abs(error) for probe in probes.values() for error in by("continued")(probe))
    far = [[[head[kind][at] - head["entropy"][-1] for head in of["heads"]] for of in alibi] for kind, at in FAR]
    (said,) = biased
    return [], [
        f"predicts the change to {said} nats in the median over heads; assuming none is off by {' to '.join(still)}.",
        f"is off by {middle(over('rope', by('bias')))}, and a context that is continued with keys of other windows by "
        f"{middle(over('rope', by('continued')))}. The largest error of the latter over all models is {worst:.2f} |",
        f"is off by {middle(by('continued')(rope))} nats in the median over heads, no change from 512 tokens by "
        f"{middle(unchanged(rope, LAST, 512))}, and the bias alone by {middle(by('bias')(rope))}.",
        f"is off by {' and '.join(map(middle, far[0]))}, no change from 128 tokens by "
        f"{' and '.join(map(middle, far[1]))} |",
    ]


def main():
    missing = []
    for page, place in (("README.md", 0), ("docs/results.md", 1)):
        text = (ROOT / page).read_text()
        said = [phrase for part in (growth, differences, tuned, predictions) for phrase in part()[place]]
        missing += [f"{page} does not say: {phrase}" for phrase in said if phrase not in text]
    sys.exit("\n".join(missing) or 0)


main()
