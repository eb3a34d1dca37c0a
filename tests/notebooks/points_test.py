"""One point of every figure, computed again: those of the theory by running the program with that point alone, those of
the runs from the result file without the code of the notebooks, and, with --tiny, the perplexity of the model in
tests/cases/tiny by evaluating it where GPE_DATA is.

Usage: points_test.py BIN FIGURES RESULTS [--tiny]. Exit code 0, or what is wrong in words. A figure
without a test is an error."""

import json
import math
import os
import shlex
import subprocess
import sys
from pathlib import Path

BIN, FIGURES, RESULTS = map(Path, sys.argv[1:4])
wrong = []


def stored(name):
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None


def program(*arguments):
    return json.loads(
        subprocess.run([BIN / arguments[0], *arguments[1:]], capture_output=True, text=True, check=True).stdout
    )


def drawn(figure, label, x, panel=None):
    """What the figure has above x in the line of that label."""
    for line in json.loads((FIGURES / f"{figure}.json").read_text())["drawn"]:
        if line["label"] == label and panel in (None, line["panel"]):
            for at, y in line["points"]:
                if abs(at - x) <= 1e-9 * max(1, abs(x)):
                    return y
    raise LookupError(f"{figure}: no point of '{label}' at {x}")


def same(figure, label, x, expected, relative=1e-6, panel=None):
    found = drawn(figure, label, x, panel)
    if not math.isclose(found, expected, rel_tol=relative, abs_tol=1e-12):
        wrong.append(f"{figure}: '{label}' at {x}: drawn {found}, computed again {expected}")


def row(evaluation, split, tokens, column):
    """The number in this column of the packed windows' table."""
    [table] = [series for series in evaluation["files"][split] if series["over"] == "packed windows"]
    [found] = [line for line in table["rows"] if line[0] == tokens]
    return found[column]


def verdicts():
    codes = ["holds", "depends", "undecided", "fails"]
    [alibi] = program("check-properties", "alibi", "--content-bound", "1", "--format", "json")["encodings"]
    for x, verdict in enumerate(alibi["verdicts"]):
        same("verdicts", "alibi", x, codes.index(verdict["verdict"]))


def growth():
    [ape] = program("check-properties", "ape", "--lengths", "1024", "--content-bound", "0", "--format", "json")[
        "encodings"
    ]
    same("growth", "ape", 1024, float(ape["partial_sums"][0]["Z"]["lower"]), panel="normalizer $Z_L$")
    same("growth", "ape", 1024, float(ape["partial_sums"][0]["H"]["lower"]), panel="entropy $H_L$, nats")


def band():
    [alibi] = program(
        "check-properties", "alibi-vetcha2025", "--lengths", "256", "--content-bound", "3", "--format", "json"
    )["encodings"]
    [ends] = alibi["partial_sums"][0]["entropy_band"]
    same("band", "alibi, B = 3, most", 256, float(ends["upper"]["upper"]))
    same("band", "alibi, B = 3, least", 256, float(ends["lower"]["lower"]))


def frontier():
    [point] = [p for p in program("entropy-frontier", "alibi", "--set", "m=1/2", "--format", "json")["points"]]
    same("frontier", "alibi", point["local_range"] + 1, float(point["H"]["lower"]))


def of_runs(figure, split, name="rope-64", tokens=1024):
    run = stored(name)
    if run:
        same(figure, name, tokens, math.exp(row(run["evaluation"], split, tokens, 1)))


def training():
    runs = [run for run in (stored(name) for name in ("ape-64", "ape-64-seed-1", "ape-64-seed-2")) if run]
    step = runs[0]["training"]["validation"][-1][0]
    same("training", "ape-64", step, sum(run["training"]["validation"][-1][1] for run in runs) / len(runs))


def perplexity_controls():
    run = stored("ape-64")
    same(
        "perplexity_controls", "ape-64", 4096, math.exp(row(run["evaluation"], "val", 4096, 4)), panel="tokens T/2 to T"
    )
    cut = stored("rope-64")["cuts"].get("window 64")
    if cut:
        same(
            "perplexity_controls",
            "rope-64, window 64",
            4096,
            math.exp(row(cut, "val", 4096, 1)),
            panel="first T tokens",
        )


def perplexity_seeds():
    runs = [run for run in (stored(name) for name in ("alibi-64", "alibi-64-seed-1", "alibi-64-seed-2")) if run]
    mean = math.prod(math.exp(row(run["evaluation"], "long-0-5000", 512, 1)) for run in runs) ** (1 / len(runs))
    same("perplexity_seeds", f"alibi, {len(runs)} seeds", 512, mean, panel="tales ≤ 5,000 words")


def fine_tuning():
    tuned = stored("rope-64-tuned-ape")
    if tuned:
        of_runs("fine_tuning", "val", "rope-64-tuned-ape", 16384)
        change = row(tuned["evaluation"], "val", 16384, 1) - row(stored("rope-64")["evaluation"], "val", 16384, 1)
        same("fine_tuning", "rope, change", 16384, change)


def entropy():
    probe = stored("probes/ape-64")
    windows = [sum(head["windows"][-1]) / len(head["windows"][-1]) for head in probe["heads"]]
    same("entropy", "ape-64", probe["lengths"][-1], sum(windows) / len(windows), relative=1e-4)


def entropy_by_head():
    head = stored("probes/rope-64")["heads"][7]
    mean = sum(head["windows"][3]) / len(head["windows"][3])
    same("entropy_by_head", f"rope-64, layer {head['layer']}, head {head['head']}", 512, mean, relative=1e-4)


def entropy_predicted():
    probe = stored("probes/alibi-64")
    head = probe["heads"][0]
    same(
        "entropy_predicted",
        "alibi",
        head["entropy"][-1],
        head["predicted"]["log"]["from_fit"][-1],
        panel="$a + b\\,\\log T$",
    )


def speed_memory():
    speed, memory = stored("speed"), stored("memory")
    same("speed_memory", "training", 1, (speed["alibi"]["training"]["lower"] + speed["alibi"]["training"]["upper"]) / 2)
    same("speed_memory", "context 128", 2, memory["ape"]["128"] / 1048576)


def memory_by_context():
    same("memory_by_context", "alibi", 256, stored("memory")["alibi"]["256"] / 1048576)


def study():
    """By [task][encoding] the mean outcome of the seeds that are there, of tasks that count."""
    runs, outcomes, solved = {}, {}, {}
    for path in (RESULTS / "study").glob("*.json"):
        run = json.loads(path.read_text())
        runs.setdefault(run["encoding"], []).append(run)
    for name, each in runs.items():
        for task in {line[0] for line in each[0]["answers"]["rows"]}:
            parts = [
                [(line[1], (line[4] - line[5]) / (1 - line[5])) for line in run["answers"]["rows"] if line[0] == task]
                for run in each
            ]
            far = [[part for length, part in of if length > 64] for of in parts]
            outcomes.setdefault(task, {})[name] = sum(sum(of) / len(of) for of in far) / len(each)
            solved.setdefault(task, {})[name] = sum(part for of in parts for length, part in of if length == 64) / len(
                each
            )
    return {
        task: of
        for task, of in outcomes.items()
        if 2 * sum(part >= 0.5 for part in solved[task].values()) >= len(runs)
        and 4 * sum(part > 0.1 for part in of.values()) >= len(runs)
    }


def study_outcomes():
    outcomes = study()
    expected = sorted(
        sum(of[name] for of in outcomes.values()) / len(outcomes) for name in next(iter(outcomes.values()), {})
    )
    for line in json.loads((FIGURES / "study_outcomes.json").read_text())["drawn"]:
        if line["label"] == "bounded entropy" and not all(
            math.isclose(y, mean)
            for (_, y), mean in zip(sorted(line["points"], key=lambda at: at[1]), expected, strict=True)
        ):
            wrong.append(f"study_outcomes: {line['points']}, computed again {expected}")


def study_forest():
    """Of convergence, the first predictor: how often one that converges has the better outcome,
    less how often the worse."""
    formulas = {
        of["name"]: set(of["convergent-normalization"]) == {"holds"} for of in stored("theory/study")["encodings"]
    }
    for line in json.loads((FIGURES / "study_forest.json").read_text())["drawn"]:
        of = study().get(line["label"])
        if of:
            pairs = [(of[a] > of[b]) - (of[a] < of[b]) for a in of for b in of if formulas[a] and not formulas[b]]
            [found] = [x for x, y in line["points"] if y == 0]
            if not math.isclose(found, sum(pairs) / len(pairs), abs_tol=1e-9):
                wrong.append(f"study_forest: {line['label']}: drawn {found}, computed again {sum(pairs) / len(pairs)}")


def tiny():
    """The model that is in the repository, on the texts themselves: the stored loss of its first 64 tokens."""
    data, kept = os.environ.get("GPE_DATA"), stored("tiny")
    if not data or not (BIN / "evaluate-tsm").exists() or not kept:
        print("SKIPPED: the model in tests/cases/tiny: GPE_DATA is not set, or there is no evaluate-tsm")
        return
    model = Path(__file__).parents[1] / "cases" / "tiny"
    work = FIGURES / "tiny"
    subprocess.run(
        [
            BIN / "prepare-data",
            "val=tinystories/tinystories_valid.txt",
            "--tokenizer",
            model / "tokenizer.json",
            "--data",
            data,
            "--output",
            work,
        ],
        check=True,
        capture_output=True,
    )
    [command] = [shlex.split(kept["evaluation"]["command"])]
    windows = command[command.index("--windows") + 1]
    report = program(
        "evaluate-tsm",
        model,
        work / "val.bin",
        "--lengths",
        "64,16384",
        "--windows",
        windows,
        "--threads",
        "1",
        "--format",
        "json",
    )
    [series] = [s for s in report["files"][0]["series"] if s["over"] == "packed windows"]
    expected = row(kept["evaluation"], "val", 64, 1)
    if not math.isclose(series["lengths"][0]["whole"]["loss"], expected, rel_tol=1e-4):
        wrong.append(f"tests/cases/tiny: loss {series['lengths'][0]['whole']['loss']}, stored {expected}")


TESTS = {
    "verdicts": verdicts,
    "growth": growth,
    "band": band,
    "frontier": frontier,
    "training": training,
    "perplexity_tinystories": lambda: of_runs("perplexity_tinystories", "val"),
    "perplexity_medium": lambda: of_runs("perplexity_medium", "long-0-5000"),
    "perplexity_long": lambda: of_runs("perplexity_long", "long-5000-10000", "alibi-64"),
    "perplexity_controls": perplexity_controls,
    "perplexity_seeds": perplexity_seeds,
    "perplexity_all_contexts": lambda: of_runs("perplexity_all_contexts", "val", "alibi-128"),
    "fine_tuning": fine_tuning,
    "entropy": entropy,
    "entropy_by_head": entropy_by_head,
    "entropy_predicted": entropy_predicted,
    "speed_memory": speed_memory,
    "memory_by_context": memory_by_context,
    "study_outcomes": study_outcomes,
    "study_forest": study_forest,
}
figures = sorted(path.stem for path in FIGURES.glob("*.json"))
if len(figures) < 10:
    wrong.append(f"only {len(figures)} figures in {FIGURES.name}")
for figure in figures:
    if figure not in TESTS:
        wrong.append(f"{figure}: no test computes a point of it again")
        continue
    try:
        TESTS[figure]()
    except LookupError as error:
        wrong.append(str(error))
if "--tiny" in sys.argv:
    tiny()
print(f"{len(figures)} figures")
sys.exit("\n".join(wrong) or 0)
