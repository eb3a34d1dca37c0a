"""Why the answer of docs/study.md was withdrawn: what its tasks reward, the noise of seeds, and what fills its test.

.venv/bin/python notebooks/study_limits.py [--results FOLDER]
"""

import argparse
import json
from pathlib import Path

import numpy
import ordering
import study

RUNS = range(2, 13)  # lengths of the runs of equal symbols that make-tasks draws for count, each as likely
NEAR = 0.02  # of the floor: no better than what does not read


def floor_of_count(length):
    """Expected accuracy without reading the source: one more than the answer before, and 0 after the greatest, 11."""
    answers = length // 2 - 2
    begins = numpy.zeros(answers)  # the probability that a run begins there
    begins[0] = 1
    missed = 0.0
    for at in range(1, answers):
        after = [begins[at - run] / len(RUNS) for run in RUNS if run <= at]
        begins[at] = sum(after)
        missed += sum(after[: len(RUNS) - 1])  # all but the longest run, whose end is known
    return 1 - missed / answers


def counting(folder):
    """Lines: how many runs count better than the floor where they were trained, and what is said of them."""
    found = []
    for file in sorted(folder.glob("*.json")):
        answers = json.loads(file.read_text())["answers"]
        rows = [dict(zip(answers["columns"], row, strict=True)) for row in answers["rows"] if row[0] == "count"]
        near = next(row["accuracy"] for row in rows if row["length"] == study.TRAINED)
        far = [row for row in rows if row["length"] > study.TRAINED]
        outcome = numpy.mean([study.corrected(row["accuracy"], row["constant"]) for row in far])
        unread = numpy.mean([study.corrected(floor_of_count(row["length"]), row["constant"]) for row in far])
        found.append((near, outcome, unread))
    near, outcome, unread = numpy.array(found).T
    floor = floor_of_count(study.TRAINED)
    at_floor, learned = abs(near - floor) <= NEAR, near > floor + NEAR
    means = f"{outcome[learned].mean():.2f}, of the others {outcome[~learned].mean():.2f}"
    return [
        f"- count, 64 tokens: accuracy without reading {floor:.2f}; "
        f"{at_floor.sum()} of {len(near)} runs are within {NEAR} of it.",
        f"- count, outcome beyond 64 tokens: without reading {unread.mean():.2f}; the best run {outcome.max():.2f}; "
        f"mean of the {learned.sum()} runs that learned to count {means}.",
    ]


def noise(found, task):
    """The deviation of an outcome over seeds, by that of encodings without it."""
    twice = [i for i, runs in enumerate(found.runs) if len(runs) == len(found.seeds)]
    outcomes = found.outcomes[twice, found.tasks.index(task)]
    of_seeds = outcomes.var(-1, ddof=1).mean()
    return numpy.sqrt(of_seeds / (outcomes.mean(-1).var(ddof=1) - of_seeds / len(found.seeds)))


def maxima(found, answer):
    """How often the greatest D of a permutation is that of each predictor."""
    outcomes = found.outcomes[:, [found.tasks.index(task) for task in answer.counted]]
    first = [d.max(-1).argmax() for d in ordering.permuted(outcomes, answer.values, found.families)]
    return numpy.bincount(first, minlength=len(answer.names)) / len(first)


def lines(folder):
    found = study.load(folder / "study")
    formulas = json.loads((folder / "theory" / "study.json").read_text())
    answer = study.answer(found, formulas, resamples=1)
    shares = maxima(found, answer)
    most = shares.argmax()
    converges = answer.values[answer.names.index("convergent")] == 1
    rotates = numpy.array([name in study.rotating() for name in found.encodings])
    return [
        *counting(folder / "study"),
        "- deviation over seeds, by that of encodings: "
        + "; ".join(f"{task} {noise(found, task):.2f}" for task in answer.counted)
        + f"; assumed in the table of power {ordering.NOISE:.2f}.",
        f"- the greatest D of a permutation is that of `{answer.names[most]}`, "
        f"true of {int(answer.values[most].sum())} encodings, in {100 * shares[most]:.0f} % of permutations.",
        f"- transform by distance: {(rotates & converges).sum()} of the {converges.sum()} encodings that converge, "
        f"{(rotates & ~converges).sum()} of the {(~converges).sum()} others.",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, default=study.ROOT / "docs" / "results")
    print("\n".join(lines(parser.parse_args().results)))


if __name__ == "__main__":
    main()
