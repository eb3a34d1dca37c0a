"""Runs with the paper's optimizer on the part of TinyStories that is here, each in docs/results/paper/NAME.json.

Usage: .venv/bin/python tests/bench/runs/program.py [--bin FOLDER] [--rows ROW...] [--commit] [--list] [--only NAME...]
       [--work FOLDER] [--results FOLDER] [--scale S]

GPE_DATA names the folder of the texts; 5,000 stories of the validation file are moved to training. Token files and
checkpoints go to data/program, which git ignores, or to --work. One run follows the other, row after row. Finished
results are not repeated, and a run that was stopped or killed resumes: start it again at any time. --scale S does
everything with that fraction of the steps of a small model, on made stories."""

import argparse
import json
import shutil
import signal
import statistics
import sys
import threading
from dataclasses import replace
from pathlib import Path

import study_2
import texts
import tsm
from predictors import interval
from program_rows import ROWS, WRITTEN, Cut, Long
from record import ROOT, rounded
from study import do_all
from study_2_biases import ENCODINGS

PROBED = 8  # windows
POWER = ROOT / "docs" / "results" / "study-2-power.json"
BY_NAME = {run.name: run for runs in ROWS.values() for run in runs}


class Program(tsm.Bench):
    def __init__(self, arguments):
        self.bin, self.commit, self.scale = arguments.bin.resolve(), arguments.commit, arguments.scale
        self.made, self.paper = self.scale != 1, False
        self.work = (arguments.work or ROOT / "data" / ("program" if self.scale == 1 else "program-try")).resolve()
        self.results = arguments.results or (
            ROOT / "docs" / "results" / "paper" if self.scale == 1 else self.work / "results"
        )
        self.data = self.work / "tokens"
        self.recall_tokens = self.data / tsm.RECALL.name
        self.lock, self.running, self.stopped = threading.Lock(), set(), False

    def texts(self):
        return texts.divided(self.work / "texts")

    def prepare(self):
        for encoding in ENCODINGS:
            encoding.write(ROOT / WRITTEN)
        super().prepare()
        self.make_long()

    def make_long(self):
        """Stories of 500 to 32,000 words, and names and places to ask for, in the words of the validation stories."""
        if (self.data / "places.bin").exists():
            return
        few = self.scale != 1
        told = ["--from", self.work / "texts" / "val.txt"]
        words = ["--words", "500..2000" if few else "500..32000", "--count", 4 if few else 20]
        made = self.work / "texts" / "made.txt"
        self.call("make-stories", *words, *told, "--output", made)
        train = f"train={self.work / 'texts' / 'train.txt'}"
        self.call("prepare-data", train, f"made={made}", "--tokenizer", self.data, "--output", self.work / "made")
        for kind in ("bin", "json"):
            shutil.copy(self.work / "made" / f"made.{kind}", self.data)
        asked = ["--tokenizer", self.data, "--distances", "32..64" if few else "16..4096", "--count", 4 if few else 100]
        for what in ("names", "places"):
            self.call("make-stories", *asked, *told, "--ask", what, "--output", self.data / f"{what}.bin")

    def train(self, run):
        """What it begins from is trained before, also where only the checkpoint was lost."""
        if run.init:
            self.train(BY_NAME[run.init])
        return super().train(run)

    def do(self, run):
        if (self.results / f"{run.name}.json").exists():
            return f"{run.name}: there"
        if self.stopped:
            return f"{run.name}: not started"
        if isinstance(run, (Cut, Long)):
            return self.do_again(run)
        command, seconds = self.train(run)
        folder = self.work / run.name
        content = {
            "command": command,
            "seconds": seconds,
            "seed": run.seed,
            "context": run.context,
            "training": tsm.training_curve(folder / "log.jsonl"),
            "encoding": (folder / "encoding.toml").read_text(),
        } | self.measure(run)
        best = min(content["training"]["validation"], key=lambda at: at[1])[0]
        content["best"] = {"iteration": best}
        if best != content["evaluation"]["iteration"]:
            content["best"] |= self.measure(replace(run, name=f"{run.name}/best"))
        self.write(run.name, content)
        return f"{run.name}: done"

    def do_again(self, run):
        """What is asked of a run that is there."""
        self.train(run.of)
        content = {"seed": run.of.seed, "context": run.of.context, "command": f"the run {run.of.name}"}
        if isinstance(run, Cut):
            content["evaluation"] = self.evaluate(run.of, "--window", run.keys)
        else:
            content["evaluation"] = self.evaluate(run.of, splits=["made"])
            content["recall"] = {what: self.recall(run.of, self.data / f"{what}.bin") for what in ("names", "places")}
        self.write(run.name, content)
        return f"{run.name}: done"

    def measure(self, run):
        """Losses and entropies by length, and recall; of tuned runs losses alone."""
        found = {
            "every_token": self.every_token(run),
            "evaluation": self.evaluate(run, splits=run.splits, lengths=run.lengths),
        }
        return found if run.init else found | {"recall": self.recall(run), "entropy": self.entropy(run)}

    def entropy(self, run):
        """By length, the mean over heads of rows T/2 to T - 1, with 95 % of the bootstrap over windows."""
        folder, tokens = self.work / run.name, self.data / "val.bin"
        lengths = ["--lengths", run.lengths if self.scale == 1 else "64..256", "--windows", PROBED]
        options = ["--fit-windows", 0, "--threads", 1, "--format", "json"]
        text, command = self.call("probe-attention", folder, "--tokens", tokens, *lengths, *options)
        report = json.loads(text)
        by_window = {}
        for at, length in enumerate(report["lengths"]):
            of_heads = [head["lengths"][at]["window_entropy"] for head in report["heads"]]
            by_window[str(length)] = [statistics.fmean(window) for window in zip(*of_heads, strict=True)]
        return {
            "command": command,
            "tested_rows": report["tested_rows"],
            "columns": ["tokens", "entropy", "low", "high"],
            "rows": rounded([[int(length), statistics.fmean(of), *interval(of)] for length, of in by_window.items()]),
            "by_window": rounded(by_window),
        }


def benches(arguments):
    """ROW: its bench and runs."""
    inner = argparse.Namespace(**vars(arguments))
    if arguments.work:
        inner.work, inner.results = arguments.work / "study-2", arguments.results / "study-2"
    program = Program(arguments)
    found = {row: (program, runs) for row, runs in ROWS.items()}
    found["pilot"], found["5"] = study_2.prepared(inner, pilot=True), study_2.prepared(inner)
    return {row: found[row] for row in arguments.rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--work", type=Path, help="folder of token files and checkpoints (default data/program)")
    parser.add_argument("--results", type=Path, help="folder (default docs/results/paper); with --work")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--scale", type=float, default=1, help="a part of the steps, for a try")
    parser.add_argument("--commit", action="store_true", help="commit each result as it ends")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    arguments = parser.parse_args()
    rows = benches(arguments)
    there = [run for _, runs in rows.values() for run in runs]
    names = {run.name for run in tsm.choose(there, arguments.only, arguments.list)}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    done = True
    for row, (bench, runs) in rows.items():
        chosen = [run for run in runs if run.name in names]
        if not chosen:
            continue
        if row == "5" and not POWER.exists():
            print(
                f"row 5: left out: {POWER.name}, which notebooks/study_2.py makes of the pilot, comes first", flush=True
            )
            continue
        print(f"row {row}", flush=True)
        bench.prepare()
        done = do_all(bench, chosen, 1) and done
        if bench.stopped:
            break
    sys.exit(0 if done else 1)


if __name__ == "__main__":
    main()
