"""The answer of docs/study.md from stored runs: outcomes, predictors, Somers' D of each, and what is said of it.

.venv/bin/python notebooks/study.py [--results FOLDER] [--solved] [--whole] [--exploratory] [--resamples N] [--write]
"""

import argparse
import json
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy
import ordering

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "bench" / "runs"))
from record import write  # noqa: E402
from study_encodings import ENCODINGS  # noqa: E402

BESIDE = (
    "rope",
    "rope-window-keys-64",
    "log-length",
    "kerple-log-power-1",
    "fire",
    "alibi",
    "ape",
)  # what the later runs stand beside
LENGTHS = (64, 4096)  # of the stored entropies
TRAINED, SOLVED = 64, 0.5  # tokens; the outcome there that counts as solved
FLOOR = 0.1  # an outcome up to here is as good as none
VERDICTS = ("convergent-normalization", "entropy-boundedness", "ldcp", "gps")


@dataclass
class Study:
    encodings: list  # names
    families: list  # of each
    tasks: list
    seeds: list
    outcomes: (
        numpy.ndarray
    )  # [encoding, task, seed]: (accuracy - c)/(1 - c), mean over the lengths beyond the trained one
    losses: numpy.ndarray  # likewise, in nats
    trained: numpy.ndarray  # [encoding, task]: the outcome at the trained length, mean over seeds
    runs: list  # the seeds of each encoding; where it lacks one, those it has stand for it


def corrected(accuracy, constant):
    """0 for the best constant answer, 1 for all right."""
    return (accuracy - constant) / (1 - constant) if constant < 1 else numpy.nan


def load(folder, whole=False):
    """Encodings with a run, in the order of their names; `whole`: only those with a run of every seed that any has."""
    found = {}
    for file in sorted(Path(folder).glob("*.json")):
        run = json.loads(file.read_text())
        found.setdefault(run["encoding"], {})[run["seed"]] = run
    seeds = sorted({seed for runs in found.values() for seed in runs})
    found = {name: list(runs.values()) for name, runs in found.items() if not whole or set(runs) == set(seeds)}
    tasks = list(dict.fromkeys(row[0] for runs in found.values() for run in runs for row in run["answers"]["rows"]))
    shape = (len(found), len(tasks), len(seeds))
    outcomes, losses, trained = numpy.full(shape, numpy.nan), numpy.full(shape, numpy.nan), numpy.full(shape, numpy.nan)
    for i, runs in enumerate(found.values()):
        for s in range(len(seeds)):
            answers = runs[s % len(runs)]["answers"]
            for t, task in enumerate(tasks):
                rows = [dict(zip(answers["columns"], row, strict=True)) for row in answers["rows"] if row[0] == task]
                far = [row for row in rows if row["length"] > TRAINED]
                outcomes[i, t, s] = numpy.mean([corrected(row["accuracy"], row["constant"]) for row in far])
                losses[i, t, s] = numpy.mean([row["loss"] for row in far])
                trained[i, t, s] = next(
                    corrected(row["accuracy"], row["constant"]) for row in rows if row["length"] == TRAINED
                )
    return Study(
        list(found),
        [runs[0]["family"] for runs in found.values()],
        tasks,
        seeds,
        outcomes,
        losses,
        trained.sum(-1) / max(1, len(seeds)),
        [[run["seed"] for run in runs] for runs in found.values()],
    )


def number(value, missing):
    """A number of check-properties that may be "unbounded", {"log10": …}, {"undecided": why} or not there."""
    if value is None:
        return missing
    if isinstance(value, dict):
        return 10.0 ** min(300.0, float(value["log10"])) if "log10" in value else numpy.nan
    return numpy.inf if value == "unbounded" else float(value)


def verdict(heads):
    """1 when it holds for every head, 0 when it fails for one; NaN when that is not decided."""
    if any(found == "fails" for found in heads):
        return 0.0
    return 1.0 if all(found == "holds" for found in heads) else numpy.nan


def primary(formula):
    """The six numbers of an encoding, each greater where its hypothesis says more."""
    four = [verdict(formula[name]) for name in VERDICTS]
    growth = [numpy.nan if None in of else of[1] - of[0] for of in formula["entropy"]]
    return {
        "convergent": verdict(formula["convergent-normalization"]),
        "bounded entropy": verdict(formula["entropy-boundedness"]),
        "window": float(
            numpy.max([number(at, numpy.inf) for at in formula["window"]])
        ),  # no window: no key can be left out
        "reach": float(numpy.max([number(at, -1.0) for at in formula["reach"]])),
        "slow entropy": -float(numpy.mean(growth)),
        "all four": 0.0 if 0.0 in four else float(numpy.mean(four)),
    }


def predictors(formulas, encodings):
    """(names, values [predictor, encoding]) of those that can be tested: enough on each side, and
    one of several with the same order."""
    rows = [primary(next(of for of in formulas["encodings"] if of["name"] == name)) for name in encodings]
    names, values, left_out = [], [], {}
    for name in rows[0] if rows else ():
        column = numpy.array([row[name] for row in rows])
        known = column[~numpy.isnan(column)]
        same = [
            other
            for other, of in zip(names, values, strict=True)
            if (ordering.signs(of, True) == ordering.signs(column, True)).all()
        ]
        if same:
            left_out[name] = f"the same as {same[0]}"
        elif not ordering.testable(known):
            left_out[name] = "not testable"
        else:
            names.append(name)
            values.append(column)
    return names, numpy.array(values), left_out


def counted_tasks(study):
    """Those that half of the encodings have solved where they were trained, and that a quarter of
    them read farther at all."""
    return [
        t
        for t in range(len(study.tasks))
        if numpy.mean(study.trained[:, t] >= SOLVED) >= 0.5
        and numpy.mean(study.outcomes[:, t].mean(-1) > FLOOR) >= 0.25
    ]


@dataclass
class Answer:
    counted: list  # names of tasks
    names: list  # of predictors
    values: numpy.ndarray  # [predictor, encoding]
    left_out: dict  # name of a predictor: why it has no D
    d: numpy.ndarray  # [predictor, task]
    p: numpy.ndarray  # [predictor, task]
    mean: numpy.ndarray  # of D over tasks
    lower: numpy.ndarray  # simultaneous, 95 %
    upper: numpy.ndarray


def answer(study, formulas, resamples=ordering.RESAMPLES):
    """None where too little is there for the statistic."""
    counted = counted_tasks(study)
    names, values, left_out = predictors(formulas, study.encodings)
    if not counted or not names or len(set(study.families)) < 2:
        return None
    outcomes = study.outcomes[:, counted]
    p = ordering.permutation_test(outcomes, values, study.families, count=resamples)
    mean, lower, upper = ordering.bootstrap(outcomes, values, study.families, count=resamples)
    return Answer(
        [study.tasks[t] for t in counted],
        names,
        values,
        left_out,
        ordering.all_d(outcomes.mean(-1).T, values),
        p,
        mean,
        lower,
        upper,
    )


def markdown(study, found):
    """Lines."""
    lines = [
        (
            f"{len(study.encodings)} encodings in {len(set(study.families))} families, {len(study.seeds)} seeds, "
            f"{sum(map(len, study.runs))} runs."
        )
    ]
    fewer = [name for name, runs in zip(study.encodings, study.runs, strict=True) if len(runs) < len(study.seeds)]
    lines += [f"With fewer seeds: {', '.join(fewer)}."] * bool(fewer) + [""]
    if found is None:
        return [*lines, "Too little is there for the statistic."]
    lines += [f"Tasks that count: {', '.join(found.counted)}.", ""]
    lines += [f"{name}: {why}." for name, why in found.left_out.items()] + [""] * bool(found.left_out)
    lines += [
        "| predictor | " + " | ".join(found.counted) + " | mean D | 95 % | |",
        "|---" * (len(found.counted) + 4) + "|",
    ]
    for i, name in enumerate(found.names):
        cells = [f"{d:.2f}" + (" *" if p <= 0.05 else "") for d, p in zip(found.d[i], found.p[i], strict=True)]
        lines.append(
            f"| {name} | "
            + " | ".join(cells)
            + f" | {found.mean[i]:.2f} | {found.lower[i]:.2f} to {found.upper[i]:.2f} | "
            f"{ordering.conclusion(found.mean[i], found.lower[i], found.upper[i])} |"
        )
    return [*lines, "", "*: P ≤ 0.05 against the greatest D of all predictors and tasks."]


def stored(study, found):
    """The answer as audit-claims reads it: measured(study-answer, predictors, NAME),
    measured(study-answer, seed-1 | seed-2, ENCODING)."""
    rows = [
        [name, *(round(float(number), 4) for number in of)]
        for name, *of in zip(found.names, found.mean, found.lower, found.upper, strict=True)
    ]
    return {
        "schema": 1,
        "name": "study-answer",
        "command": ".venv/bin/python notebooks/study.py --write",
        "machine": "any",
        "version": "that of the runs in docs/results/study",
        "encodings": len(study.encodings),
        "families": len(set(study.families)),
        "seeds": len(study.seeds),
        "runs": sum(map(len, study.runs)),
        "tasks": found.counted,
        "predictors": {"columns": ["predictor", "D", "low", "high"], "rows": rows},
        **{
            f"seed-{seed}": {"columns": ["encoding", "outcome"], "rows": outcomes(study, found, s)}
            for s, seed in enumerate(study.seeds)
        },
    }


def outcomes(study, found, s):
    """Rows of the encodings that have the seed number s: the mean over tasks that count."""
    counted = [study.tasks.index(task) for task in found.counted]
    return [
        [name, round(float(study.outcomes[i, counted, s].mean()), 4)]
        for i, name in enumerate(study.encodings)
        if study.seeds[s] in study.runs[i]
    ]


def rotating():
    """Names of the encodings whose W depends on n, as with rotations."""
    scores = {encoding.name: tomllib.loads(encoding.path.read_text())["score"] for encoding in ENCODINGS}
    return {name for name, score in scores.items() if score.get("transform", "identity") not in ("none", "identity")}


def exploratory(study, formulas):
    """Lines: D of more predictors for every task and for loss, without a test. The hypothesis of
    each is that more is better."""
    of = [next(found for found in formulas["encodings"] if found["name"] == name) for name in study.encodings]
    rows = [primary(found) for found in of]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    columns["transform by distance"] = [float(name in rotating()) for name in study.encodings]
    columns["literal distance"] = [verdict(found["ldcp"]) for found in of]
    columns["norm of the gradient"] = [verdict(found["gps"]) for found in of]
    for place, length in enumerate(LENGTHS):
        columns[f"low entropy at {length} tokens"] = [
            numpy.nan
            if None in [head[place] for head in found["entropy"]]
            else -float(numpy.mean([head[place] for head in found["entropy"]]))
            for found in of
        ]
    values = numpy.array([columns[name] for name in columns], float)
    by_outcome, by_loss = (ordering.all_d(of.mean(-1).T, values) for of in (study.outcomes, -study.losses))
    lines = [
        "| predictor | " + " | ".join(study.tasks) + " | " + " | ".join(f"{task}, loss" for task in study.tasks) + " |",
        "|---" * (2 * len(study.tasks) + 1) + "|",
    ]
    return lines + [
        f"| {name} | " + " | ".join(f"{d:.2f}" for d in (*by_outcome[i], *by_loss[i])) + " |"
        for i, name in enumerate(columns)
    ]


def learned(folder):
    """Lines: what training made of the parameters, for each run that learns some."""
    before, after = (
        json.loads((folder / "theory" / name).read_text())["encodings"] for name in ("study.json", "study-learned.json")
    )
    lines = [
        "| run | convergent heads | bounded entropy | window | reach | entropy at 4,096 tokens |",
        "|---" * 6 + "|",
    ]
    for of in after:
        first = next(found for found in before if of["name"].startswith(found["name"] + "-seed"))
        lines += [
            f"| {found['name']} | {held(found['convergent-normalization'])} | {held(found['entropy-boundedness'])} | "
            f"{span(found['window'])} | "
            f"{span(found['reach'])} | {span([at[1] for at in found['entropy']])} |"
            for found in (first, of)
        ]
    return list(dict.fromkeys(lines))


def afterwards(folder, study):
    """Lines: outcomes of the runs that are not counted, beside others; at the trained length in brackets."""
    other = load(folder / "study" / "afterwards")
    lines = ["| encoding | seeds | " + " | ".join(study.tasks) + " |", "|---" * (len(study.tasks) + 2) + "|"]
    for of in (study, other):
        lines += [
            f"| {name} | {', '.join(map(str, of.runs[i]))} | "
            + " | ".join(
                f"{far:.2f} ({near:.2f})" for far, near in zip(of.outcomes[i].mean(-1), of.trained[i], strict=True)
            )
            + " |"
            for i, name in enumerate(of.encodings)
            if of is other or name in BESIDE
        ]
    return lines


def held(verdicts):
    return f"{verdicts.count('holds')} of {len(verdicts)}"


def text_of(value):
    if numpy.isnan(value):
        return "undecided"
    if numpy.isinf(value):
        return "none"
    return f"{value:.3g}" if value < 100 or value >= 1e6 else f"{value:,.0f}"


def span(values):
    """The least and the greatest."""
    numbers = sorted(number(value, numpy.inf) for value in values)
    texts = [text_of(numbers[0]), text_of(numbers[-1])]
    return texts[0] if texts[0] == texts[1] else " to ".join(texts)


def solvers(study):
    """Only encodings that have solved every task that counts."""
    kept = numpy.flatnonzero((study.trained[:, counted_tasks(study)] >= SOLVED).all(1))
    return Study(
        [study.encodings[i] for i in kept],
        [study.families[i] for i in kept],
        study.tasks,
        study.seeds,
        study.outcomes[kept],
        study.losses[kept],
        study.trained[kept],
        [study.runs[i] for i in kept],
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    parser.add_argument(
        "--solved", action="store_true", help="without encodings that have not learned a task where they were trained"
    )
    parser.add_argument("--whole", action="store_true", help="without encodings that lack a seed")
    parser.add_argument("--resamples", type=int, default=ordering.RESAMPLES)
    parser.add_argument(
        "--exploratory",
        action="store_true",
        help=(
            "instead, D of more predictors for every task and of the loss; what was learned; "
            "and the runs that are not counted"
        ),
    )
    parser.add_argument("--write", action="store_true", help="RESULTS/study-answer.json, for audit-claims")
    arguments = parser.parse_args()
    study = load(arguments.results / "study", arguments.whole)
    formulas = json.loads((arguments.results / "theory" / "study.json").read_text())
    study = solvers(study) if arguments.solved else study
    if arguments.exploratory:
        return print(
            "\n".join(
                [
                    *exploratory(study, formulas),
                    "",
                    *learned(arguments.results),
                    "",
                    *afterwards(arguments.results, study),
                ]
            )
        )
    found = answer(study, formulas, arguments.resamples)
    print("\n".join(markdown(study, found)))
    if arguments.write and found:
        write(arguments.results / "study-answer.json", stored(study, found))


if __name__ == "__main__":
    main()
