"""The answer of docs/study.md from stored runs: outcomes, predictors, Somers' D of each, and what is said of it.

    .venv/bin/python notebooks/study.py [--results FOLDER] [--solved] [--resamples N]
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy
import ordering

ROOT = Path(__file__).resolve().parents[1]
TRAINED, SOLVED = 64, 0.5  # tokens; the outcome there that counts as solved
FLOOR = 0.1  # an outcome up to here is as good as none
VERDICTS = ("convergent-normalization", "entropy-boundedness", "ldcp", "gps")


@dataclass
class Study:
    encodings: list  # names
    families: list  # of each
    tasks: list
    seeds: list
    outcomes: numpy.ndarray  # [encoding, task, seed]: (accuracy - c)/(1 - c), mean over the lengths beyond the trained one
    losses: numpy.ndarray  # likewise, in nats
    trained: numpy.ndarray  # [encoding, task]: the outcome at the trained length, mean over seeds


def corrected(accuracy, constant):
    """0 for the best constant answer, 1 for all right."""
    return (accuracy - constant) / (1 - constant) if constant < 1 else numpy.nan


def load(folder):
    """Encodings with a run of every seed that any has, in the order of their names."""
    found = {}
    for file in sorted(Path(folder).glob("*.json")):
        run = json.loads(file.read_text())
        found.setdefault(run["encoding"], {})[run["seed"]] = run
    seeds = sorted({seed for runs in found.values() for seed in runs})
    whole = {name: runs for name, runs in found.items() if set(runs) == set(seeds)}
    tasks = list(dict.fromkeys(row[0] for runs in whole.values() for run in runs.values() for row in run["answers"]["rows"]))
    shape = (len(whole), len(tasks), len(seeds))
    outcomes, losses, trained = numpy.full(shape, numpy.nan), numpy.full(shape, numpy.nan), numpy.full(shape, numpy.nan)
    for i, runs in enumerate(whole.values()):
        for s, seed in enumerate(seeds):
            for t, task in enumerate(tasks):
                rows = [dict(zip(runs[seed]["answers"]["columns"], row, strict=True)) for row in runs[seed]["answers"]["rows"] if row[0] == task]
                far = [row for row in rows if row["length"] > TRAINED]
                outcomes[i, t, s] = numpy.mean([corrected(row["accuracy"], row["constant"]) for row in far])
                losses[i, t, s] = numpy.mean([row["loss"] for row in far])
                trained[i, t, s] = next(corrected(row["accuracy"], row["constant"]) for row in rows if row["length"] == TRAINED)
    return Study(list(whole), [next(iter(runs.values()))["family"] for runs in whole.values()], tasks, seeds, outcomes, losses, trained.sum(-1) / max(1, len(seeds)))


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
    return {"convergent": verdict(formula["convergent-normalization"]), "bounded entropy": verdict(formula["entropy-boundedness"]),
            "window": float(numpy.max([number(at, numpy.inf) for at in formula["window"]])),  # no window: no key can be left out
            "reach": float(numpy.max([number(at, -1.0) for at in formula["reach"]])),
            "slow entropy": -float(numpy.mean(growth)), "all four": 0.0 if 0.0 in four else float(numpy.mean(four))}


def predictors(formulas, encodings):
    """(names, values [predictor, encoding]) of those that can be tested: enough on each side, and one of several with the same order."""
    rows = [primary(next(of for of in formulas["encodings"] if of["name"] == name)) for name in encodings]
    names, values, left_out = [], [], {}
    for name in rows[0] if rows else ():
        column = numpy.array([row[name] for row in rows])
        known = column[~numpy.isnan(column)]
        same = [other for other, of in zip(names, values) if (ordering.signs(of, True) == ordering.signs(column, True)).all()]
        if same:
            left_out[name] = f"the same as {same[0]}"
        elif not ordering.testable(known):
            left_out[name] = "not testable"
        else:
            names.append(name)
            values.append(column)
    return names, numpy.array(values), left_out


def counted_tasks(study):
    """Those that half of the encodings have solved where they were trained, and that a quarter of them read farther at all."""
    return [t for t in range(len(study.tasks))
            if numpy.mean(study.trained[:, t] >= SOLVED) >= 0.5 and numpy.mean(study.outcomes[:, t].mean(-1) > FLOOR) >= 0.25]


def answer(study, formulas, resamples=ordering.RESAMPLES):
    """Lines of Markdown."""
    lines = [f"{len(study.encodings)} encodings in {len(set(study.families))} families, {len(study.seeds)} seeds, "
             f"{len(study.encodings) * len(study.seeds)} runs.", ""]
    counted = counted_tasks(study)
    lines += ["Tasks that count: " + (", ".join(study.tasks[t] for t in counted) or "none") + ".", ""]
    names, values, left_out = predictors(formulas, study.encodings)
    lines += [f"{name}: {why}." for name, why in left_out.items()] + [""] * bool(left_out)
    if not counted or not names or len(set(study.families)) < 2:
        return [*lines, "Too little is there for the statistic."]
    outcomes = study.outcomes[:, counted]
    d = ordering.all_d(outcomes.mean(-1).T, values)
    p = ordering.permutation_test(outcomes, values, study.families, count=resamples)
    mean, lower, upper = ordering.bootstrap(outcomes, values, study.families, count=resamples)
    lines += ["| predictor | " + " | ".join(study.tasks[t] for t in counted) + " | mean D | 95 % | |", "|---" * (len(counted) + 4) + "|"]
    for i, name in enumerate(names):
        cells = [f"{d[i, t]:.2f}" + (" *" if p[i, t] <= 0.05 else "") for t in range(len(counted))]
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {mean[i]:.2f} | {lower[i]:.2f} to {upper[i]:.2f} | {ordering.conclusion(mean[i], lower[i], upper[i])} |")
    return [*lines, "", "*: P ≤ 0.05 against the greatest D of all predictors and tasks."]


def solvers(study):
    """Only encodings that have solved every task that counts."""
    kept = numpy.flatnonzero((study.trained[:, counted_tasks(study)] >= SOLVED).all(1))
    return Study([study.encodings[i] for i in kept], [study.families[i] for i in kept], study.tasks, study.seeds, study.outcomes[kept], study.losses[kept], study.trained[kept])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    parser.add_argument("--solved", action="store_true", help="without encodings that have not learned a task where they were trained")
    parser.add_argument("--resamples", type=int, default=ordering.RESAMPLES)
    arguments = parser.parse_args()
    study = load(arguments.results / "study")
    formulas = json.loads((arguments.results / "theory" / "study.json").read_text())
    print("\n".join(answer(solvers(study) if arguments.solved else study, formulas, arguments.resamples)))


if __name__ == "__main__":
    main()
