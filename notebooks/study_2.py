"""The answer of the second study (docs/study.md) from stored runs: for each task, what is larger than chance.

.venv/bin/python notebooks/study_2.py [--results FOLDER] [--perplexity | --power | --biases] [--resamples N] [--write]

--perplexity asks the same of the growth of the loss of stories, from the runs of tests/bench/runs/program.py --rows 7.
--power prints from the pilot what the study can find at all; with --write it goes to RESULTS/study-2-power.json.
--biases prints what check-properties says of each."""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import maxima
import numpy
from maxima import Hypothesis
from study import corrected, number, verdict

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "bench" / "runs"))
from record import rounded, write  # noqa: E402
from study_2_biases import BIASES, STRENGTHS, TRANSFORMS  # noqa: E402

TRAINED, SEEDS = 64, 3
SOLVED, FAR, NOT_FAR = 0.5, 0.5, 0.1  # outcomes: learned, reads far, as good as not read
STUDENT = 4.303  # the 97.5 % point with two degrees of freedom
TOO_LARGE, MOST_RANKED = 0.5, 0.8  # what has to be larger to be found cannot be tested: an outcome, a correlation
# A universal claim is refuted by an encoding with its interval: by these, named before the first run.
CLAIMS = {
    "convergence suffices": ("reads not far", ["alibi-2-none", "alibi-2-rope", "log-4-none", "log-4-rope"]),
    "bounded entropy suffices": ("reads not far", ["alibi-2-none", "alibi-2-rope", "log-4-none", "log-4-rope"]),
    "convergence is essential": ("reads far", ["none-none", "none-rope", "log-1-2-none", "log-1-2-rope"]),
    "bounded entropy is essential": ("reads far", ["none-none", "none-rope", "log-1-2-rope", "log-log-2-none"]),
    "all four properties are essential": ("reads far", ["none-rope", "alibi-heads-none", "log-2-none", "ape-rope"]),
    "no position is best": ("reads farther than none-none", ["log-1-none", "alibi-heads-none", "none-rope"]),
}


@dataclass
class Study:
    biases: list
    tasks: list
    outcomes: numpy.ndarray  # [bias, transform, task, seed]: mean over the lengths beyond the trained one
    trained: numpy.ndarray  # likewise, at the trained length


def of_runs(found, tasks, measure):
    """Of the biases that have every seed that any has, with both transforms. `found`: a run of [bias, transform, seed];
    `measure`: of a run and a task, what it reaches beyond its training and within it."""
    seeds = sorted({seed for *_, seed in found})
    whole = [b for b in BIASES if all((b, transform, seed) in found for transform in TRANSFORMS for seed in seeds)]
    shape = (len(whole), len(TRANSFORMS), len(tasks), len(seeds))
    outcomes, trained = numpy.zeros(shape), numpy.zeros(shape)
    for place in numpy.ndindex(shape):
        bias, transform, task, seed = place
        run = found[whole[bias], TRANSFORMS[transform], seeds[seed]]
        outcomes[place], trained[place] = measure(run, tasks[task])
    return Study(whole, tasks, outcomes, trained)


def answers(run, task, floor):
    rows = [dict(zip(run["answers"]["columns"], row, strict=True)) for row in run["answers"]["rows"]]
    of = {row["length"]: corrected(row["accuracy"], floor) for row in rows if row["task"] == task}
    return numpy.mean([value for length, value in of.items() if length > TRAINED]), of[TRAINED]


def load(folder, pilot=False):
    runs = [json.loads(file.read_text()) for file in sorted((folder / "study-2" / ("pilot" * pilot)).glob("*.json"))]
    found = {(run["bias"], run["transform"], run["seed"]): run for run in runs}
    floors = json.loads((folder / "study-2-floors.json").read_text())["tasks"]
    if pilot:
        return found, floors
    return of_runs(found, list(floors), lambda run, task: answers(run, task, floors[task]["floor"]))


def growth(run, _):
    """Less is better: the loss at 16,384 tokens less that at 64, of packed stories of the validation text, negative."""
    packed = next(of for of in run["evaluation"]["files"]["val"] if of["over"] == "packed windows")
    losses = {row[0]: row[1] for row in packed["rows"]}
    return losses[TRAINED] - losses[max(losses)], 1.0


def load_stories(folder):
    found = {}
    for bias in BIASES:
        for transform in TRANSFORMS:
            file = folder / "paper" / f"stories-{bias}-{transform}.json"
            if file.exists():
                found[bias, transform, 0] = json.loads(file.read_text())
    return of_runs(found, ["perplexity"], growth)


def hypotheses(formulas, biases):
    """Those about properties are of the formula without rotations, which change none of them."""
    of = {found["name"]: found for found in formulas["encodings"]}
    chosen = [of[f"{bias}-none"] for bias in biases]

    def ranks(values):
        return tuple(float(numpy.mean([(a < b) + (a == b) / 2 for a in values])) for b in values)

    window = [max(window_number(at) for at in found["window"]) for found in chosen]
    reach = [max(number(at, -1.0) for at in found["reach"]) for found in chosen]
    slow = [-numpy.mean([far - near for near, far in found["entropy"]]) for found in chosen]
    dose = tuple(biases.index(bias) for bias in STRENGTHS if bias in biases)
    return [
        Hypothesis("convergent", tuple(verdict(found["convergent-normalization"]) for found in chosen)),
        Hypothesis("bounded entropy", tuple(verdict(found["entropy-boundedness"]) for found in chosen)),
        Hypothesis("larger window", ranks(window)),
        Hypothesis("longer reach", ranks(reach)),
        Hypothesis("slower entropy", ranks(slow)),
        Hypothesis("stronger logarithm", dose=dose),
        Hypothesis("no rotation", rotation=-1),
    ]


def window_number(value):
    """The logarithm; that of a window beyond what is computed is larger than all that are, and smaller than none."""
    if isinstance(value, dict):
        return float(value.get("log10", 1e9))
    return numpy.log10(1 + number(value, numpy.inf))


def counts(study, task):
    """Whether half of the biases have learned it where they were trained, and a quarter read it farther at all."""
    t = study.tasks.index(task)
    learned = study.trained[:, :, t].mean((1, 2)) >= SOLVED
    farther = study.outcomes[:, :, t].mean((1, 2)) > NOT_FAR
    return bool(learned.mean() >= 0.5 and farther.mean() >= 0.25)


def over_seeds(values):
    """(mean, low, high) of the last axis, with Student's interval of three."""
    return maxima.around(values.mean(-1), STUDENT * values.std(-1, ddof=1) / values.shape[-1] ** 0.5)


def refuted(study, task):
    """CLAIM: the encodings that refute it, of those named for it."""
    t = study.tasks.index(task)
    places = {f"{b}-{w}": (i, k, t) for i, b in enumerate(study.biases) for k, w in enumerate(TRANSFORMS)}
    result = {}
    for claim, (how, named) in CLAIMS.items():
        result[claim] = []
        for name in (name for name in named if name in places):
            outcome, trained = study.outcomes[places[name]], study.trained[places[name]]
            if how == "reads not far":
                against = over_seeds(trained)[1] >= SOLVED and over_seeds(outcome)[2] <= NOT_FAR
            elif how == "reads far":
                against = over_seeds(outcome)[1] >= FAR
            else:
                against = "none-none" in places and over_seeds(outcome - study.outcomes[places["none-none"]])[1] > 0
            result[claim] += [name] * bool(against)
    return result


def sentences(study, found, resamples=maxima.RESAMPLES):
    """Lines, and what is stored."""
    greatest = maxima.greatest(study.outcomes, found, resamples)
    quantile = float(numpy.quantile(greatest, 1 - maxima.LEVEL))
    statistics = maxima.statistics(study.outcomes, found)
    p = maxima.adjusted(statistics, greatest)
    intervals = [maxima.effect(study.outcomes, hypothesis, quantile) for hypothesis in found]
    lines = [
        f"{len(study.biases)} biases, {study.outcomes.shape[3]} seeds; 95 % of the greatest statistic: {quantile:.2f}"
    ]
    result = {}
    for t, task in enumerate(study.tasks):
        lines += [
            "",
            f"### {task}",
            "",
            "| hypothesis | effect | 95 %, all at once | statistic | P | |",
            "|---" * 6 + "|",
        ]
        rows = []
        for h, hypothesis in enumerate(found):
            effect, low, high = (float(of[t]) for of in intervals[h])
            says = conclusion(statistics[h, t], p[h, t])
            rows.append([hypothesis.name, effect, low, high, float(statistics[h, t]), float(p[h, t]), says])
            lines.append(
                f"| {hypothesis.name} | {effect:+.3f} | {low:+.3f} to {high:+.3f} | {statistics[h, t]:+.2f} | "
                f"{p[h, t]:.3f} | {says} |"
            )
        columns = ["hypothesis", "effect", "low", "high", "statistic", "P", "conclusion"]
        result[task] = {"columns": columns, "rows": rounded(rows)}
    return lines, result


def conclusion(statistic, p):
    if p > maxima.LEVEL:
        return "open"
    return "confirmed" if statistic > 0 else "contradicted"


def claims(study):
    """Lines, and what is stored: by task what refutes each claim, and how many do in the tasks that count."""
    lines, by_task = ["", "Refuted, by encodings that were named before:", ""], {}
    for task in study.tasks:
        by_task[task] = refuted(study, task) if counts(study, task) else {}
        by = [f"{claim} ({', '.join(names)})" for claim, names in by_task[task].items() if names]
        lines.append(f"- {task}: " + ("; ".join(by) or "none" if by_task[task] else "does not count"))
    counted = {task: of for task, of in by_task.items() if of}
    total = {claim: sum(len(of[claim]) for of in counted.values()) for claim in CLAIMS} if counted else {}
    return lines, {"refuted": counted, "refuters": total}


def properties(formulas):
    """Lines: what the theory says of each bias; an error where it says the same of two, or another with rotations."""
    of = {found["name"]: found for found in formulas["encodings"]}
    asked = ("convergent-normalization", "entropy-boundedness", "window", "reach", "entropy")
    said = {bias: json.dumps([of[f"{bias}-none"][what] for what in asked]) for bias in BIASES}
    turned = {bias: json.dumps([of[f"{bias}-rope"][what] for what in asked]) for bias in BIASES}
    if len(set(said.values())) < len(said) or said != turned:
        raise ValueError("two biases coincide, or rotations change what is said of one")
    lines = [
        "| bias | b(n) | convergent | bounded entropy | window | reach | entropy at 64, at 4,096 |",
        "|---" * 7 + "|",
    ]
    for bias, formula in BIASES.items():
        found = of[f"{bias}-none"]
        near, far = (numpy.mean([head[place] for head in found["entropy"]]) for place in (0, 1))
        verdicts = [found[what][0] for what in asked[:2]]
        ends = [largest(found["window"]), largest(found["reach"])]
        lines.append(f"| `{bias}` | `{formula}` | " + " | ".join([*verdicts, *ends, f"{near:.2f}, {far:.2f}"]) + " |")
    return lines


def largest(values):
    """Of the heads, as text."""
    of = max(values, key=window_number)
    if isinstance(of, dict):
        return f"10^{float(of['log10']):.0f}" if "log10" in of else next(iter(of.values()))
    if of is None:
        return "none"
    return of if isinstance(of, str) else f"{of:,}"


def noise(found, floors):
    """(between, within) for each task: the deviations of encodings and of seeds in the pilot."""
    result = {}
    for task, of in floors.items():
        by = {}
        for (bias, transform, _), run in found.items():
            by.setdefault((bias, transform), []).append(answers(run, task, of["floor"])[0])
        values = numpy.array(list(by.values()))
        within = float((values.var(1, ddof=1).mean()) ** 0.5)
        between = max(0.0, float(values.mean(1).var(ddof=1)) - within**2 / values.shape[1]) ** 0.5
        result[task] = (between, within)
    return result


def power(folder, resamples):
    """Lines, and what is stored: the least effect that is found in 80 % of simulated studies, of the pilot's noise."""
    found, floors = load(folder, pilot=True)
    formulas = json.loads((folder / "theory" / "study-2.json").read_text())
    asked, shape = hypotheses(formulas, list(BIASES)), (len(BIASES), len(TRANSFORMS), len(floors), SEEDS)
    draw = numpy.random.default_rng(1)
    quantile = float(numpy.quantile(maxima.greatest(draw.normal(size=shape), asked, resamples), 1 - maxima.LEVEL))
    lines = [f"95 % of the greatest of {len(asked) * len(floors)} statistics: {quantile:.2f}", ""]
    lines += ["| task | deviation of encodings, of seeds | " + " | ".join(of.name for of in asked) + " |"]
    lines += ["|---" * (2 + len(asked)) + "|"]
    result = {}
    for task, (between, within) in noise(found, floors).items():
        least = [
            maxima.least_detectable(of, max(between, 0.01), max(within, 0.01), (*shape[:2], SEEDS), quantile)
            for of in asked
        ]
        result[task] = {"between": between, "within": within, "quantile": quantile}
        result[task]["least"] = {of.name: size for of, size in zip(asked, least, strict=True)}
        cells = ["untestable" if untestable(of, size) else f"{size:.2f}" for of, size in zip(asked, least, strict=True)]
        lines.append(f"| {task} | {between:.2f}, {within:.2f} | " + " | ".join(cells) + " |")
    return lines, result


def untestable(hypothesis, size):
    """What only an effect would show that is larger than half of all there is: of a dose, over all of its steps."""
    steps = len(hypothesis.dose) - 1 if hypothesis.dose else 1
    correlation = bool(hypothesis.values) and set(hypothesis.values) != {0, 1}
    return size is None or size * steps > (MOST_RANKED if correlation else TOO_LARGE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    parser.add_argument("--resamples", type=int, default=maxima.RESAMPLES)
    parser.add_argument("--perplexity", action="store_true", help="of the loss of stories instead")
    parser.add_argument("--power", action="store_true", help="what can be found at all, from the pilot")
    parser.add_argument("--biases", action="store_true", help="what check-properties says of each")
    parser.add_argument("--write", action="store_true", help="RESULTS/study-2-answer.json, for audit-claims")
    arguments = parser.parse_args()
    formulas = json.loads((arguments.results / "theory" / "study-2.json").read_text())
    if arguments.biases:
        return print("\n".join(properties(formulas)))
    name = next((what for what in ("power", "perplexity") if getattr(arguments, what)), "answer")
    options = "" if name == "answer" else f" --{name}"
    stored = {"schema": 1, "name": f"study-2-{name}", "machine": "any", "version": "that of the runs"}
    stored["command"] = f".venv/bin/python notebooks/study_2.py{options} --write"
    if arguments.power:
        lines, tasks = power(arguments.results, arguments.resamples)
        stored["tasks"] = rounded(tasks)
    else:
        study = load_stories(arguments.results) if arguments.perplexity else load(arguments.results)
        lines, stored["tasks"] = sentences(study, hypotheses(formulas, study.biases), arguments.resamples)
        if not arguments.perplexity:
            more, found = claims(study)
            lines += more
            stored |= found
            stored["tasks"] = {task: of for task, of in stored["tasks"].items() if task in found["refuted"]}
    print("\n".join(lines))
    if arguments.write:
        write(arguments.results / f"study-2-{name}.json", stored)


if __name__ == "__main__":
    main()
