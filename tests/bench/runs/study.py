"""The runs of docs/study.md: one model for each encoding and seed, and its answers at 64 to 4,096 tokens.

Usage: .venv/bin/python tests/bench/runs/study.py [--bin FOLDER] [--work FOLDER]
       [--results FOLDER] [--jobs N] [--seeds SEED...] [--commit] [--afterwards] [--list] [--only NAME...]
       .venv/bin/python tests/bench/runs/study.py --predictors

Results go to docs/results/study/ENCODING-seed-SEED.json. Needs no data: the tasks are made from seeds. Token files and
checkpoints go to data/study, which git ignores, or to --work. Finished results are not repeated, and a stopped run
resumes: start it again at any time. --predictors writes what check-properties says of each formula, before training and
where parameters were learned, to docs/results/theory/study*.json. --scale S does everything with that part of the steps
and few short documents, for a try; its results go to data/study-try."""

import argparse
import json
import re
import signal
import subprocess
import sys
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import tsm
from record import ROOT, rounded, trees, write
from study_encodings import DESIGNED_AFTERWARDS, ENCODINGS, EXTENSIONS, IN_TURN, Encoding

CONFIG = "tests/bench/runs/study.toml"
SEEDS = [1, 2]
PILOT = {"encodings": ["nope", "rope"], "seeds": [101, 102]}
MODEL, TRAINING = (tomllib.loads((ROOT / CONFIG).read_text())[table] for table in ("model", "training"))
# NAME: options of make-tasks. More documents of tasks with few answers; fewer where they are
# long, as time grows with the square.
LEARNED, ASKED = "recall=4,copy=2,count,most-frequent=3", "recall,copy,count,most-frequent=4"
TOKENS = {
    "train": ["--tasks", LEARNED, "--count", "16000", "--seed", "11"],
    "val": ["--tasks", LEARNED, "--count", "100", "--seed", "12"],
    "near": ["--tasks", ASKED, "--lengths", "64..512", "--count", "64", "--nearest", "0.4", "--seed", "13"],
    "far": ["--tasks", ASKED, "--lengths", "1024..4096", "--count", "8", "--nearest", "0.4", "--seed", "14"],
}
TRY = {
    "train": ["--count", "40"],
    "val": ["--count", "8"],
    "near": ["--lengths", "64..128", "--count", "2"],
    "far": ["--lengths", "256", "--count", "1"],
}
READINGS = {
    "convergent-normalization": "every-content",
    "entropy-boundedness": "uniform",
    "ldcp": "literal",
    "gps": "norm",
}
# Limits of time that no formula needs, so that the load of the machine changes nothing.
SETTINGS = [
    "--content-bound",
    "1,5",
    "--lengths",
    "63,4095",
    "--epsilon",
    "1e-3",
    "--weight",
    "1/2",
    "--digits",
    "8",
    "--time-limit",
    "300",
]


@dataclass(frozen=True)
class Run:
    encoding: Encoding
    seed: int
    init = None  # as tsm.Run has it

    @property
    def name(self):
        return f"{self.encoding.name}-seed-{self.seed}"

    def arguments(self, scale, paper=False):
        """Of train-tsm, without --output and --data."""
        steps = max(2, round(TRAINING["iterations"] * scale))
        settings = {"training.seed": self.seed}
        if self.encoding.set:
            settings["position.set"] = json.dumps([f"{name}={value}" for name, value in self.encoding.set.items()])
        if self.encoding.learned:
            settings["position.learned"] = json.dumps(list(self.encoding.learned))
        if scale != 1:
            often = max(1, steps // 8)
            settings |= {
                "training.iterations": steps,
                "training.decay_iterations": steps,
                "training.warmup": 1,
                "training.batch": 2,
                "output.log_every": often,
                "output.evaluate_every": often,
                "output.evaluate_batches": 1,
                "output.checkpoint_every": often,
            }
        return [CONFIG, "--encoding", self.encoding.file] + [f"--set={key}={value}" for key, value in settings.items()]


@dataclass(frozen=True)
class Extension(Run):
    """The weights of rope, read with another formula."""

    @property
    def init(self):
        return f"rope-seed-{self.seed}"

    def arguments(self, scale, paper=False):
        return [*super().arguments(scale, paper), "--set=training.warmup=0", "--iterations", "0"]


def afterwards(seeds):
    """Not counted: what was designed from the answer, and extensions of the runs of rope in --work."""
    return [Run(encoding, seed) for seed in seeds for encoding in DESIGNED_AFTERWARDS] + [
        Extension(encoding, seed) for seed in seeds for encoding in EXTENSIONS
    ]


def runs(seeds):
    """The first member of each family before the second of any, all of a seed before the next."""
    return [Run(encoding, seed) for seed in seeds for encoding in IN_TURN]


def pilot():
    """Of other seeds, which nothing else uses."""
    return [
        Run(encoding, seed) for seed in PILOT["seeds"] for encoding in ENCODINGS if encoding.name in PILOT["encodings"]
    ]


class Study(tsm.Bench):
    folder, tokens, few = "study", TOKENS, TRY

    def __init__(self, arguments):
        self.bin, self.commit, self.scale, self.paper = (
            arguments.bin.resolve(),
            arguments.commit,
            arguments.scale,
            False,
        )
        self.data = self.work = (
            arguments.work or ROOT / "data" / (self.folder if self.scale == 1 else f"{self.folder}-try")
        ).resolve()
        self.results = (
            arguments.results or (ROOT / "docs" / "results" / self.folder if self.scale == 1 else self.work / "results")
        ).resolve()
        self.lock, self.running, self.stopped = threading.Lock(), set(), False

    def prepare(self):
        """The tasks as tokens, with their answers."""
        self.data.mkdir(parents=True, exist_ok=True)
        for name, options in self.tokens.items():
            few = [] if self.scale == 1 else self.few[name]
            if not (self.data / f"{name}.answers.json").exists():
                self.call("make-tasks", *merged(options, few), "--output", self.data / f"{name}.bin")

    def evaluate(self, run):
        """A row for each task and length."""
        text, command = self.call(
            "evaluate-tsm",
            self.work / run.name,
            self.data / "near.bin",
            self.data / "far.bin",
            "--answers",
            "--threads",
            1,
            "--format",
            "json",
        )
        rows = [
            [
                at["task"],
                at["length"],
                at["documents"],
                at["answers"],
                at["accuracy"],
                at["constant"],
                at["loss"]["loss"],
            ]
            for file in json.loads(text)["files"]
            for at in file["tasks"]
        ]
        return {
            "command": command,
            "columns": ["task", "length", "documents", "answers", "accuracy", "constant", "loss"],
            "rows": rounded(sorted(rows)),
        }

    def do(self, run):
        if (self.results / f"{run.name}.json").exists():
            return f"{run.name}: there"
        if self.stopped:
            return f"{run.name}: not started"
        command, seconds = self.train(run)
        content = {
            "encoding": run.encoding.name,
            "family": run.encoding.family,
            "seed": run.seed,
            "command": command,
            "seconds": seconds,
            "training": tsm.training_curve(self.work / run.name / "log.jsonl"),
            "answers": self.evaluate(run),
        }
        if run.encoding.learned:
            content["learned"] = (self.work / run.name / "encoding.toml").read_text()
        self.write(run.name, content)
        return f"{run.name}: done"

    def predictors(self, encoding):
        """Of the formula before training; of one head where all are alike."""
        options = [f"--set={name}={value}" for name, value in encoding.set.items()]
        if not re.search(r"\bh\b", specification(encoding)):
            options += ["--head", 1]
        return self.says(encoding.name, encoding.family, encoding.file, *options)

    def learned(self, file):
        """Of the formula that a run wrote back, each head of each layer."""
        run = json.loads(file.read_text())
        written = self.work / f"{run['name']}.toml"
        written.write_text(run["learned"])
        return self.says(run["name"], run["family"], written, "--layers", MODEL["layers"])

    def says(self, name, family, file, *options):
        """What check-properties says, of each head; numbers as it prints them."""
        text, command = self.call(
            "check-properties",
            file,
            *options,
            "--heads",
            MODEL["heads"],
            "--head-dim",
            MODEL["width"] // MODEL["heads"],
            *SETTINGS,
            "--format",
            "json",
        )
        heads = json.loads(text)["encodings"]

        def verdict(head, prop):
            return next(
                v["verdict"]
                for v in head["verdicts"]
                if v["property"] == prop and v["reading"] == READINGS[prop] and v["content_bound"] in (None, "1")
            )

        def entropy(head, length):
            found = next((at["H"] for at in head["partial_sums"] if at["L"] == length), None)
            return (
                None
                if found is None or found.get("lower") is None
                else rounded((float(found["lower"]) + float(found["upper"])) / 2)
            )

        return {
            "name": name,
            "family": family,
            "command": command,
            **{prop: [verdict(head, prop) for head in heads] for prop in READINGS},
            "window": [
                next(at["W"] for at in head["effective_windows"] if at["content_bound"] == "1") for head in heads
            ],
            "reach": [next(at["self_reach"] for at in head["reach"] if at["content_bound"] == "5") for head in heads],
            "entropy": [[entropy(head, 63), entropy(head, 4095)] for head in heads],
        }


def specification(encoding):
    """Its TOML without comments and words in quotes that are not formula."""
    return re.sub(r"#.*|(?:doc|title|reference) = \".*?\"", "", encoding.path.read_text())


def write_predictors(study, folder):
    """study.json of the formulas, study-learned.json of what training made of them. What is there stays, so that it can
    be stopped and started again."""
    study.work.mkdir(parents=True, exist_ok=True)
    learned = [file for file in sorted(study.results.glob("*.json")) if "learned" in json.loads(file.read_text())]
    write_one(
        study, folder / "study.json", {encoding.name: partial(study.predictors, encoding) for encoding in ENCODINGS}
    )
    write_one(study, folder / "study-learned.json", {file.stem: partial(study.learned, file) for file in learned})


def write_one(study, file, wanted):
    """`wanted`: what to call, by name."""
    there = {of["name"]: of for of in json.loads(file.read_text())["encodings"]} if file.exists() else {}
    found = []
    program = subprocess.run(
        [study.bin / "check-properties", "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    for name, says in wanted.items():
        found.append(there.get(name) or says())
        if name in there:
            continue
        write(
            file,
            {
                "schema": 1,
                "name": file.stem,
                "machine": tsm.machine(),
                "version": f"{program}, {trees(('theory', 'checks'))}",
                "commands": [of["command"] for of in found],
                "readings": READINGS,
                "encodings": found,
            },
        )
        print(f"{len(found)} of {len(wanted)}: {name}", flush=True)


def merged(options, others):
    """Options of two lists, those of the second instead of the first's."""
    pairs = dict(zip(options[::2], options[1::2], strict=True)) | dict(zip(others[::2], others[1::2], strict=True))
    return [text for pair in pairs.items() for text in pair]


def do_all(study, chosen, jobs):
    """Whether all of them are there now."""
    done = True
    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(study.do, run) for run in chosen]
        try:
            for number, future in enumerate(as_completed(waiting), 1):
                try:
                    print(f"run {number} of {len(waiting)}: {future.result()}", flush=True)
                except RuntimeError as error:
                    done = False
                    print(error, file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            study.stop()
            done = False
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--work", type=Path, help="folder of token files and checkpoints (default data/study)")
    parser.add_argument("--results", type=Path, help="folder (default docs/results/study)")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, one thread each (default 1)")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--scale", type=float, default=1, help="a part of the steps, for a try")
    parser.add_argument("--commit", action="store_true", help="commit each result as it ends")
    parser.add_argument("--pilot", action="store_true", help="the runs that fix sizes and budget; give --results")
    parser.add_argument(
        "--predictors", action="store_true", help="write what check-properties says of the formulas; train nothing"
    )
    parser.add_argument("--afterwards", action="store_true", help="runs that are not counted, into RESULTS/afterwards")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    arguments = parser.parse_args()
    study = Study(arguments)
    if arguments.predictors:
        return write_predictors(study, ROOT / "docs" / "results" / "theory")
    of = runs(arguments.seeds)
    if arguments.afterwards:
        study.results /= "afterwards"
        of = afterwards(arguments.seeds)
    if arguments.pilot:
        of = pilot()
    chosen = tsm.choose(of, arguments.only, arguments.list)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    study.prepare()
    sys.exit(0 if do_all(study, chosen, arguments.jobs) else 1)


if __name__ == "__main__":
    main()
