"""The runs of the second study of docs/study.md: each bias with and without rotations, and its answers at 64 to 4,096
tokens, in docs/results/study-2/BIAS-TRANSFORM-seed-SEED.json.

Usage: .venv/bin/python tests/bench/runs/study_2.py [--pilot | --predictors | --floors] [--bin FOLDER] [--work FOLDER]
       [--results FOLDER] [--scale S] [--commit] [--list] [--only NAME...]

Needs no data. Finished results are not repeated, and a stopped run resumes. --pilot: other seeds, into
RESULTS/pilot. --predictors: what check-properties says of each encoding, to docs/results/theory/study-2.json. --floors:
what predictors reach that do not read, to docs/results/study-2-floors.json."""

import argparse
import json
import re
import signal
import sys
import tomllib
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import study
import tsm
from record import ROOT, write
from study_2_biases import BIASES, ENCODINGS, Encoding
from study_2_floors import floors

CONFIG = "tests/bench/runs/study-2.toml"
SEEDS = (1, 2, 3)
PILOT_SEEDS = (101, 102)
PILOT = ("none-none", "none-rope", "alibi-heads-none", "log-1-rope", "log-2-none", "ape-rope")
TRAINING = tomllib.loads((ROOT / CONFIG).read_text())["training"]
FORM = ["--share", "0.4", "--nearest", "0.4"]
LEARNED, ASKED = "recall=4,copy=2,count=2,most-frequent=4", "recall,copy,count,most-frequent=4"
MIXED = ["--tasks", LEARNED, "--shortest", "8", "--share", "0.4"]
TOKENS = {
    "train": [*MIXED, "--count", "16000", "--seed", "21"],
    "val": [*MIXED, "--count", "100", "--seed", "22"],
    "near": ["--tasks", ASKED, "--lengths", "64..512", "--count", "64", *FORM, "--seed", "23"],
    "far": ["--tasks", ASKED, "--lengths", "1024..4096", "--count", "16", *FORM, "--seed", "24"],
    "simulated": ["--tasks", ASKED, "--lengths", "64,512", "--count", "2000", *FORM, "--seed", "25"],
}


@dataclass(frozen=True)
class Run:
    encoding: Encoding
    seed: int
    folder: Path  # of the encodings' files
    init = None  # as tsm.Run has it

    @property
    def name(self):
        return f"{self.encoding.name}-seed-{self.seed}"

    def arguments(self, scale, paper=False):
        """Of train-tsm, without --output and --data."""
        settings = {"training.seed": self.seed}
        if scale != 1:
            steps = max(2, round(TRAINING["iterations"] * scale))
            settings |= {
                "training.iterations": steps,
                "training.decay_iterations": steps,
                "training.warmup": 1,
                "training.batch": 2,
                "output.evaluate_every": max(1, steps // 4),
                "output.evaluate_batches": 1,
                "output.checkpoint_every": max(1, steps // 4),
            }
        file = self.folder / f"{self.encoding.name}.toml"
        return [CONFIG, "--encoding", file] + [f"--set={key}={value}" for key, value in settings.items()]


class Second(study.Study):
    folder, tokens = "study-2", TOKENS
    few = study.TRY | {"simulated": ["--count", "200"]}

    def runs(self, seeds, names=None):
        chosen = [encoding for encoding in ENCODINGS if names is None or encoding.name in names]
        return [Run(encoding, seed, self.work / "encodings") for seed in seeds for encoding in chosen]

    def call(self, program, *arguments):
        """Of make-tasks, with lengths of runs as the answers of count."""
        return super().call(program, *arguments, *(["--run-lengths"] if program == "make-tasks" else []))

    def prepare(self):
        super().prepare()
        for encoding in ENCODINGS:
            encoding.write(self.work / "encodings")

    def do(self, run):
        if (self.results / f"{run.name}.json").exists():
            return f"{run.name}: there"
        if self.stopped:
            return f"{run.name}: not started"
        command, seconds = self.train(run)
        content = {
            "bias": run.encoding.bias,
            "transform": run.encoding.transform,
            "seed": run.seed,
            "command": command,
            "seconds": seconds,
            "encoding": run.encoding.text,
            "training": tsm.training_curve(self.work / run.name / "log.jsonl"),
            "answers": self.evaluate(run),
        }
        self.write(run.name, content)
        return f"{run.name}: done"

    def predictors(self, encoding):
        head = [] if re.search(r"\bh\b", BIASES[encoding.bias]) else ["--head", 1]
        file = self.work / "encodings" / f"{encoding.name}.toml"
        return self.says(encoding.name, encoding.bias, file, *head) | {"encoding": encoding.text}

    def write_predictors(self, folder):
        wanted = {encoding.name: partial(self.predictors, encoding) for encoding in ENCODINGS}
        study.write_one(self, folder / "study-2.json", wanted)

    def write_floors(self):
        content = {"schema": 1, "name": "study-2-floors", "machine": "any", "version": tsm.version(self.bin)}
        content |= {"command": ".venv/bin/python tests/bench/runs/study_2.py --floors"}
        found = floors(self.data / "simulated.bin")
        write(self.results.parent / "study-2-floors.json", content | {"tasks": found})
        for task, of in found.items():
            print(f"{task}: {of['floor']:.4f}, {of['best']}; " + json.dumps(of["predictors"]))


def prepared(arguments, pilot=False):
    """The bench, and its runs."""
    second = Second(arguments)
    if pilot:
        second.results /= "pilot"
    return second, second.runs(PILOT_SEEDS, PILOT) if pilot else second.runs(SEEDS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--work", type=Path, help="folder of token files and checkpoints (default data/study-2)")
    parser.add_argument("--results", type=Path, help="folder (default docs/results/study-2)")
    parser.add_argument("--scale", type=float, default=1, help="a part of the steps, for a try")
    parser.add_argument("--commit", action="store_true", help="commit each result as it ends")
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument("--pilot", action="store_true", help="the runs of other seeds, which fix what can be found")
    asked.add_argument("--predictors", action="store_true", help="what check-properties says; trains nothing")
    asked.add_argument("--floors", action="store_true", help="what predictors reach that do not read; trains nothing")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    arguments = parser.parse_args()
    second, of = prepared(arguments, arguments.pilot)
    chosen = tsm.choose(of, arguments.only, arguments.list)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    second.prepare()
    if arguments.predictors:
        second.write_predictors(ROOT / "docs" / "results" / "theory")
    elif arguments.floors:
        second.write_floors()
    else:
        sys.exit(0 if study.do_all(second, chosen, 1) else 1)


if __name__ == "__main__":
    main()
