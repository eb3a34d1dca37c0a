"""How well entropies at 16,384 tokens follow from windows of 256: docs/tables/predictors.md and its picture.

Usage: .venv/bin/python tests/bench/runs/predictors.py [--bin FOLDER] [--runs FOLDER] [--data FOLDER] [--results FOLDER]
       [--lengths L] [--only NAME...]
       .venv/bin/python tests/bench/runs/predictors.py --page | --check

Probes every run that is finished and has no result in docs/results/probes yet, adds those to
docs/results/entropy.json, which `audit-claims --results docs/results` reads, and makes the page.
--check compares the page alone, and needs no package."""

import argparse
import json
import math
import random
import re
import statistics
import subprocess
import sys
from pathlib import Path

import tsm
from page_tables import table

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "docs" / "results"
PAGE = ROOT / "docs" / "tables" / "predictors.md"
PICTURE = ROOT / "docs" / "predictors.svg"
WINDOWS, FIT = 8, 256  # tokens of a window that predictors see
ENCODINGS = ("rope", "alibi", "alibi-official", "ape", "nope")  # as the names of runs begin
PREDICTORS = {
    "bias": "bias alone",
    "sphere": "sphere",
    "moments": "moments",
    "log": "a + b log T",
    "continued": "continued context",
}

INTRODUCTION = """# Entropies at long contexts, predicted from short ones

How well do windows of 256 tokens predict the entropy of each head at 16,384? *Continued context*
(in the programs' output, `continued`) is the most accurate predictor over all runs. Where a bias decays, the
difference that the bias alone makes is nearly as good, and entropies change little in most heads (*no change*).

The quantity is the mean entropy of rows T/2 to T - 1 of packed windows of T tokens of the validation text. The
predictors see only windows of 256 tokens of other parts of it, and nothing was tuned at a length above 256. An error is
that of one head, in nats. The models are those of [tinystories.md](tinystories.md);
[probes.md](../probes.md#predictions-of-lengths-that-were-not-measured) defines the predictors.
`.venv/bin/python tests/bench/runs/predictors.py` makes this page from [docs/results/probes](../results/probes), one file
per run, with its command.
"""  # noqa: E501
TRIED = """## What was tried

- **The last row of a window.** Over a few windows its mean is uncertain by some tenths of a nat, more than the error of
  good predictors: errors measured there would mostly be measurement error. Hence the mean over rows T/2 to T - 1.
- **Predictors alone.** A scale or two moments for a head determine its entropy poorly at any length: the entropy of a
  mixture of rows that attend to few keys and rows that attend to many is not that of their mean. Changes with the
  length are easier to predict, so each predictor's difference is added to the entropy measured at 256 tokens.
- **The line in log T** does not know where a bias ends: it is off by nats for heads whose bias takes effect between 64
  and 16,384. For RoPE and NoPE, whose entropies grow like log T, it is off by 0.1 to 0.7 nats in the median, and by 1.9
  for `rope-256`, which was trained at all lengths of the fit.
- **Moments by distance** ignore that a row with a large |q| has it at every distance: the variance over all pairs is
  larger than that within rows, and the predicted weights are too sharp. Continued context keeps the query of each row.
- **Continued context** needs only the short windows and the score function. Its errors are smallest where a head's
  queries and keys depend on the token alone (the first layer), and largest in later layers of RoPE and of no position.
  We suppose that states there drift beyond the training length, and have not measured it.
"""


def complete(results):
    """Where and with what results were made, for those written by the program alone; and in entropy.json every run that
    was probed, seeds beside the context."""
    path = RESULTS / "entropy.json"
    entropy = json.loads(path.read_text()) if path.exists() else {"schema": 1}
    before = json.dumps(entropy)
    for name, result in results.items():
        if "machine" not in result:  # a probe runs where its run was
            run = RESULTS / f"{name}.json"
            result["machine"] = json.loads(run.read_text())["machine"] if run.exists() else tsm.machine()
            (RESULTS / "probes" / f"{name}.json").write_text(tsm.text_of(result))
        match = re.fullmatch(r"(rope|alibi|ape|nope)-(\d+(?:-seed-\d+)?)", name)
        if match and match[2] not in entropy.get(match[1], {}):
            rows = [[length, *mean_entropy(result, at)] for at, length in enumerate(result["lengths"])]
            entropy.setdefault(match[1], {})[match[2]] = {
                "columns": ["tokens", "entropy", "low", "high"],
                "rows": tsm.rounded(rows),
            }
    if results:
        first = next(iter(results.values()))
        entropy |= {
            "what": "mean entropy of all heads, rows T/2 to T - 1, in nats; 95 % of the bootstrap over windows",
            "command": "tests/bench/runs/predictors.py",
            "version": f"probe-attention {first['version']}",
            "machine": first["machine"],
        }
    if json.dumps(entropy) != before:
        path.write_text(tsm.text_of(entropy))


def probe(arguments, run):
    """A result: measured entropies and everything predicted, by head."""
    command = [
        "probe-attention",
        f"{arguments.runs / run}",
        "--tokens",
        f"{arguments.data / 'val.bin'}",
        "--lengths",
        arguments.lengths,
        "--windows",
        str(WINDOWS),
        "--threads",
        "1",
        "--format",
        "json",
    ]
    match = re.fullmatch(r"(rope|alibi|ape|nope)-\d+", run)
    if match:
        command += ["--audit", f"{match[1]}={RESULTS / 'entropy.json'}"]
    result = subprocess.run([arguments.bin / command[0], *command[1:]], capture_output=True, text=True, cwd=ROOT)
    if result.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    shown = [re.sub(r"^.*/(data/(runs|tsm)/)", r"\1", word.replace(f"{ROOT}/", "")) for word in command]
    return condensed(json.loads(result.stdout)) | {"command": " ".join(shown)}


def condensed(report):
    heads = []
    for head in report["heads"]:
        lengths = head["lengths"]
        predicted = {}
        for at in head["extrapolation"]:
            for name, ways in at["predictors"].items():
                to = predicted.setdefault(name, {"plain": [], "from_fit": []})
                for way in ("plain", "from_fit"):
                    to[way].append(tsm.rounded(ways[way]["entropy"]))
        heads.append(
            {
                "layer": head["layer"],
                "head": head["head"],
                "entropy": [tsm.rounded(at["second_half"]["entropy"]["mean"]) for at in lengths],
                "windows": [tsm.rounded(at["window_entropy"]) for at in lengths],
                "largest_score": [tsm.rounded(at["second_half"]["largest_score"]["max"]) for at in lengths],
                "predicted_at": [at["length"] for at in head["extrapolation"]],
                "predicted": predicted,
                "standard_error": [
                    tsm.rounded(at["predictors"]["continued"]["standard_error"]) for at in head["extrapolation"]
                ],
            }
        )
    return {
        "schema": 1,
        "encoding": report["encoding"],
        "context": report["context"],
        "iteration": report["iteration"],
        "version": report["generator"]["version"],
        "lengths": report["lengths"],
        "windows": report["windows"],
        "fit": report["fit"],
        "tested_rows": report["tested_rows"],
        "contradictions": len(report["contradictions"]),
        "heads": heads,
    }


def load():
    order = {run.name: i for i, run in enumerate(tsm.runs())}
    found = {path.stem: json.loads(path.read_text()) for path in (RESULTS / "probes").glob("*.json")}
    return {name: found[name] for name in sorted(found, key=lambda name: (order.get(name, len(order)), name))}


def errors(result, predictor, way, length):
    """Of the heads that have a prediction, by head."""
    at = result["lengths"].index(length)
    found = []
    for head in result["heads"]:
        value = head["predicted"][predictor][way][head["predicted_at"].index(length)]
        found.append(None if value is None else value - head["entropy"][at])
    return found


def unchanged(result, length, fit=FIT):
    """The errors of the entropy at `fit` tokens as a prediction, by head."""
    at, before = result["lengths"].index(length), result["lengths"].index(fit)
    return [head["entropy"][before] - head["entropy"][at] for head in result["heads"]]


def middle_and_largest(found):
    values = sorted(abs(error) for error in found if error is not None)
    return f"{statistics.median(values):.3f} / {values[-1]:.2f}" if values else ""


def encoding_of(name):
    """The longest of ENCODINGS that the name of a run begins with; fine-tuned runs have the later encoding."""
    if "-tuned-" in name:
        return name.split("-tuned-")[1]
    return max((one for one in ENCODINGS if name.startswith(one)), key=len, default="ape")


def ranking(results, way, length):
    def cells(of):
        """Of some runs together; what is added to the entropy at 256 tokens has no change beside it."""
        found = [[errors(result, predictor, way, length) for result in of] for predictor in PREDICTORS]
        found += [[unchanged(result, length) for result in of]] if way == "from_fit" else []
        return [middle_and_largest(sum(of_runs, [])) for of_runs in found]

    rows = [[f"`{name}`", result["encoding"], *cells([result])] for name, result in results.items()]
    for encoding in ENCODINGS:
        of = [result for name, result in results.items() if encoding_of(name) == encoding]
        if len(of) > 1:
            rows.append([f"all {len(of)} of {encoding}", "", *cells(of)])
    return rows + [["all", "", *cells(results.values())]]


def by_layer(results, length):
    rows = []
    for name, result in results.items():
        of_layer = {}
        for head, error in zip(result["heads"], errors(result, "continued", "from_fit", length), strict=True):
            of_layer.setdefault(head["layer"], []).append(error)
        rows.append([f"`{name}`", *(f"{statistics.mean(found):+.3f}" for _, found in sorted(of_layer.items()))])
    layers = max(len(row) for row in rows) - 1
    return table(
        ["", *(f"layer {i + 1}" for i in range(layers))], [row + [""] * (layers + 1 - len(row)) for row in rows]
    )


def interval(values, seed=1):
    """95 % of the bootstrap over windows of the mean."""
    draw = random.Random(seed)
    means = sorted(statistics.mean(draw.choices(values, k=len(values))) for _ in range(2000))
    return means[49], means[1950]


def mean_entropy(result, at):
    """Over heads; with its interval over windows."""
    windows = [statistics.mean(head["windows"][at][w] for head in result["heads"]) for w in range(result["windows"])]
    low, high = interval(windows)
    return statistics.mean(windows), low, high


def page(results):
    lengths = next(iter(results.values()))["lengths"]
    last = lengths[-1]
    beyond = [length for length in (512, 1024, 2048, 4096, 8192, 16384) if length in lengths]
    headings = ["run", "encoding", *PREDICTORS.values()]
    lines = [
        INTRODUCTION,
        f"## At {last:,} tokens",
        "",
        (
            "Median and largest |error| over heads, with each predictor's difference added to the entropy "
            "measured at 256 tokens:"
        ),
        "",
        *table([*headings, "no change"], ranking(results, "from_fit", last)),
        "The same of the predictors alone:",
        "",
        *table(headings, ranking(results, "plain", last)),
        "![Errors by head](../predictors.svg)",
        "",
        "## By length",
        "",
        "Median |error| of continued context:",
        "",
    ]
    rows = [
        [
            f"`{name}`",
            *(middle_and_largest(errors(result, "continued", "from_fit", length)).split(" ")[0] for length in beyond),
        ]
        for name, result in results.items()
    ]
    lines += table(["run", *(f"{length:,}" for length in beyond)], rows)
    lines += [
        "## By layer",
        "",
        f"Mean error of continued context at {last:,} tokens:",
        "",
        *by_layer(results, last),
        TRIED,
    ]
    lines += [
        "## Measured entropies",
        "",
        (
            "Mean over all heads, in nats, with 95 % bootstrap intervals over windows; "
            "[entropy.json](../results/entropy.json) has them for the audit."
        ),
        "",
    ]
    shown = [length for length in (64, 256, 1024, 4096, 16384) if length in lengths]
    rows = []
    for name, result in results.items():
        cells = [mean_entropy(result, lengths.index(length)) for length in shown]
        rows.append([f"`{name}`", *(f"{mean:.2f} ({low:.2f} to {high:.2f})" for mean, low, high in cells)])
    lines += table(["run", *(f"{length:,}" for length in shown)], rows)
    tested, broken = (sum(result[key] for result in results.values()) for key in ("tested_rows", "contradictions"))
    lines += [f"Theorems were tested on {tested:,} rows of these runs; contradictions: {broken}."]
    return "\n".join(lines).rstrip("\n") + "\n"


def draw(results):
    import curves
    from matplotlib import pyplot

    length = next(iter(results.values()))["lengths"][-1]
    figure, panels = pyplot.subplots(1, len(PREDICTORS), figsize=(9, 3), sharex=True, sharey=True, layout="constrained")
    for panel, (predictor, shown) in zip(panels, PREDICTORS.items(), strict=True):
        panel.axline((0, 0), slope=1, color="#bbbbbb", linewidth=0.8)
        for encoding in ENCODINGS:
            points = []
            for name, result in results.items():
                if encoding_of(name) != encoding:
                    continue
                at = result["lengths"].index(length)
                points += [
                    (head["entropy"][at], head["entropy"][at] + error)
                    for head, error in zip(result["heads"], errors(result, predictor, "from_fit", length), strict=True)
                    if error is not None
                ]
            if points:
                panel.plot(
                    *zip(*points, strict=True),
                    linestyle="none",
                    marker=curves.MARKS[encoding],
                    markersize=2,
                    color=curves.COLOURS[encoding],
                    label=encoding,
                )
        panel.set_title(shown)
        panel.set_xlabel("measured, nats")
    panels[0].set_ylabel(f"predicted at {length:,}, nats")
    handles, labels = panels[-1].get_legend_handles_labels()
    figure.legend(handles, labels, markerscale=2, handletextpad=0.2, loc="outside lower center", ncols=len(handles))
    panels[0].set_xlim(0, math.ceil(math.log(length)))
    panels[0].set_ylim(0, 12)
    curves.save(figure, PICTURE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--runs", type=Path, default=ROOT / "data" / "runs")
    parser.add_argument("--data", type=Path, default=tsm.DATA)
    parser.add_argument("--results", type=Path, help="default docs/results; another folder gets no page")
    parser.add_argument("--lengths", default="64..16384")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    global RESULTS
    RESULTS = arguments.results or RESULTS
    if arguments.check:
        if PAGE.read_text() != page(load()):
            sys.exit(f"{PAGE.name} is not what its results give: run tests/bench/runs/predictors.py --page")
        return
    if not arguments.page:
        (RESULTS / "probes").mkdir(exist_ok=True)
        wanted = arguments.only or [run.name for run in tsm.runs() if run.name != tsm.TINY]
        for run in wanted:
            path = RESULTS / "probes" / f"{run}.json"
            trained = (RESULTS / f"{run}.json").exists() or arguments.only  # finished: it has its evaluation
            if path.exists() or not trained or not (arguments.runs / run / "model.safetensors").exists():
                continue
            path.write_text(tsm.text_of(probe(arguments, run)))
            print(f"{run}: done", flush=True)
    results = load()
    complete(results)
    if arguments.results is None:
        PAGE.write_text(page(results))
        draw(results)


if __name__ == "__main__":
    main()
