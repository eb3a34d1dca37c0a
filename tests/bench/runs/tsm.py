"""The runs on the part of TinyStories that is here: trained, evaluated, written to docs/results/NAME.json as each ends.

Usage: .venv/bin/python tests/bench/runs/tsm.py [--bin FOLDER] [--scale ci|cpu|gpu]
       [--jobs N] [--commit] [--list] [--only NAME...]

GPE_DATA names the folder of the texts. Token files and checkpoints go to data/, which git ignores. Finished results
are not repeated, and a stopped run resumes: start it again at any time. --scale cpu made docs/results. --scale ci does
everything with a five-hundredth of the steps on stories that it makes, for a try; its results go to data/try.
--scale gpu is the paper's size, with GPT-2's vocabulary and 25,000 steps; its results go to data/paper. train-tsm
computes on CPUs: that takes weeks on two of them."""

import argparse
import datetime
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from record import CPU, ROOT, commit, git, rounded, rows, text_of, training_curve, trees, write  # noqa: F401

DATA = ROOT / "data" / "tsm"
RECALL = DATA / "recall.bin"
CONFIG = "tests/bench/runs/tsm.toml"
PAPER = "tests/bench/runs/paper.toml"
SCALES = {"ci": 0.002, "cpu": 1.0, "gpu": 1.0}
RANGES = ["val", "long-0-5000", "long-5000-10000"]
TINY, TINY_FOLDER = "tiny", ROOT / "tests" / "cases" / "tiny"  # a model that stays in the repository
# of 500 iterations: 1 % of the tokens; a tenth of the learning rate, as nothing is said of it
TUNING = {
    "training.data_fraction": 0.01,
    "training.learning_rate": 1e-4,
    "training.warmup": 0,
    "output.evaluate_every": 50,
}
LEARNED = {"ape": ["delta", "beta", "gamma"]}  # "learnable additive bias", by layer and head
CUTS = {
    "rope-64": {"window 64": ["--window", "64"]},
    "ape-64": {
        "W(1e-3), bound from weights": ["--epsilon", "1e-3"],
        "W(1e-3), bias alone": ["--epsilon", "1e-3", "--content-bound", "0"],
    },
}


@dataclass
class Run:
    name: str
    encoding: str
    context: int = 64
    seed: int = 1337
    iterations: int = 10000
    init: str | None = None
    settings: dict = field(default_factory=dict)

    def arguments(self, scale, paper=False):
        """Of train-tsm, without --output and --data."""
        iterations = max(1, round(self.iterations * scale))
        settings = {"training.context": self.context, "training.seed": self.seed}
        if not paper or self.init:
            settings |= {"training.iterations": iterations, "training.decay_iterations": iterations} | self.settings
        if self.encoding in LEARNED:
            settings["position.learned"] = json.dumps(LEARNED[self.encoding])
        if scale != 1:
            settings |= {
                "training.warmup": min(2, iterations - 1),
                "output.evaluate_every": max(1, iterations // 4),
                "output.evaluate_batches": 2,
            }
        return [PAPER if paper else CONFIG, "--encoding", self.encoding] + [
            f"--set={key}={value}" for key, value in settings.items()
        ]


def runs():
    main = ["rope", "alibi-vetcha2025", "ape"]
    result = [Run(f"{short(encoding)}-64", encoding) for encoding in main]
    result += [Run(TINY, "ape", settings={"model.layers": 2, "model.width": 48})]
    result += [
        Run(f"{start}-tuned-ape", "ape", iterations=500, init=start, settings=TUNING)
        for start in ("rope-64", "alibi-64")
    ]
    result += [Run("nope-64", "nope"), Run("alibi-official-64", "alibi")]
    result += [Run(f"{short(encoding)}-{context}", encoding, context) for context in (128, 256) for encoding in main]
    result += [Run(f"{short(encoding)}-64-seed-{seed}", encoding, seed=seed) for seed in (1, 2) for encoding in main]
    return result


def short(encoding):
    return encoding.removesuffix("-vetcha2025")


class Bench:
    def __init__(self, arguments):
        self.bin, self.commit = arguments.bin.resolve(), arguments.commit
        self.scale = SCALES.get(arguments.scale) or float(arguments.scale)
        self.made, self.paper = arguments.scale == "ci", arguments.scale == "gpu"
        tried = self.scale != 1
        untried = "paper" if self.paper else "runs"
        self.work = ROOT / "data" / ("try" if tried else untried)
        self.results = self.work / "results" if tried or self.paper else ROOT / "docs" / "results"
        self.data = self.work / "tokens" if self.made or self.paper else DATA
        self.recall_tokens = self.data / RECALL.name
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def call(self, program, *arguments):
        """Standard output, and the command as one types it."""
        command = [str(a) for a in arguments]
        shown = " ".join([program, *(a.replace(f"{ROOT}/", "") for a in command)])
        with self.lock:
            if self.stopped:
                raise RuntimeError(f"not started: {shown}")
            process = subprocess.Popen(
                [self.bin / program, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
            )
            self.running.add(process)
        output, errors = process.communicate()
        self.running.discard(process)
        if process.returncode != 0:
            raise RuntimeError(f"{shown}\n{errors}")
        return output, shown

    def stop(self):
        """Programs save what they have, and end."""
        with self.lock:
            self.stopped = True
            for process in list(self.running):
                process.terminate()

    def prepare(self):
        """Token files, and the losses of the 3-gram model."""
        if not (self.data / "long-5000-10000.json").exists():
            texts = self.make_texts() if self.made else self.texts()
            vocabulary = ["--vocabulary", "512" if self.made else "2048"]
            if self.paper:
                vocabulary = ["--tokenizer", "gpt2"]
            self.call("prepare-data", *texts, "--words", "long=0..5000,5000..10000", *vocabulary, "--output", self.data)
        if not self.recall_tokens.exists():
            distances, count = ("32..64", "4") if self.made else ("32..2048", "40")
            self.call(
                "make-stories",
                "--tokenizer",
                self.data,
                "--distances",
                distances,
                "--count",
                count,
                "--output",
                self.recall_tokens,
            )
        baseline = self.results / "3-gram.json"
        if not baseline.exists():
            losses, commands = {}, []
            for split in RANGES:
                text, command = self.call(
                    "ngram-baseline", self.data / "train.bin", self.data / f"{split}.bin", "--format", "json"
                )
                losses[split] = json.loads(text)
                commands.append(command)
            self.write("3-gram", {"commands": commands, "losses": losses})

    def texts(self):
        """The arguments of prepare-data that name them."""
        if "GPE_DATA" not in os.environ:
            sys.exit("GPE_DATA is not set: the folder of the texts (docs/data.md)")
        return [
            "train=tinystories/tinystories_train.txt",
            "val=tinystories/tinystories_valid.txt",
            "long=long_stories",
        ]

    def make_texts(self):
        """Stories in place of TinyStories and of the tales, for a try."""
        print("--scale ci: the texts are made by make-stories", flush=True)
        texts = self.work / "texts"
        texts.mkdir(parents=True, exist_ok=True)
        for name, words, count, seed in (
            ("train", "50..400", 400, 1),
            ("val", "50..400", 100, 2),
            ("long", "1000..9000", 12, 3),
        ):
            self.call(
                "make-stories", "--words", words, "--count", count, "--seed", seed, "--output", texts / f"{name}.txt"
            )
        return [f"{name}={texts / name}.txt" for name in ("train", "val", "long")]

    def write(self, name, content, beside=()):
        content = {
            "schema": 1,
            "name": name,
            "machine": machine(),
            "version": version(self.bin),
            "commit": commit(),
            "date": datetime.date.today().isoformat(),
        } | content
        self.results.mkdir(parents=True, exist_ok=True)
        path = self.results / f"{name}.json"
        write(path, content)
        if self.commit and self.scale == 1 and not self.paper:
            with self.lock:
                subprocess.run(["git", "add", path, *beside], cwd=ROOT, check=True)
                subprocess.run(
                    ["git", "commit", "-q", "-m", f"Result: {name}", "--", path, *beside], cwd=ROOT, check=True
                )

    def train(self, run):
        folder = self.work / run.name
        arguments = run.arguments(self.scale, self.paper)
        if run.init:
            arguments += ["--init", self.work / run.init]
        arguments += ["--data", self.data, "--output", folder, "--threads", 1]
        started = time.time()
        started = (folder / "model.safetensors").exists()
        if started:
            self.call("train-tsm", "--resume", "--data", self.data, "--output", folder, "--threads", 1)
        else:
            if folder.exists():  # stopped before its first checkpoint
                shutil.rmtree(folder)
            self.call("train-tsm", *arguments)
        return " ".join(
            ["train-tsm", *(str(a).replace(f"{ROOT}/", "") for a in arguments)]
        ), None if started else round(time.time() - started)

    def evaluate(self, run, *options, splits=RANGES, lengths="64..16384"):
        files = [self.data / f"{split}.bin" for split in splits]
        lengths = lengths if self.scale == 1 else "64..256"
        text, command = self.call(
            "evaluate-tsm",
            self.work / run.name,
            *files,
            "--lengths",
            lengths,
            "--windows",
            16,
            "--threads",
            1,
            "--format",
            "json",
            *options,
        )
        report = json.loads(text)
        keys = report["keys"]
        return {
            "command": command,
            "iteration": report["iteration"],
            "keys": keys and keys["keys"],
            "content_bounds": keys and rounded(keys["content_bounds"]),
            "files": {
                split: [rows(series) for series in file["series"]]
                for split, file in zip(splits, report["files"], strict=True)
            },
        }

    def every_token(self, run):
        text, command = self.call(
            "evaluate-tsm",
            self.work / run.name,
            self.data / "val.bin",
            "--every-token",
            run.context,
            "--threads",
            1,
            "--format",
            "json",
        )
        return {"command": command} | rows(json.loads(text)["files"][0]["series"][0])

    def recall(self, run, tokens=None):
        asked = [tokens or self.recall_tokens, "--recall", "--threads", 1, "--format", "json"]
        text, command = self.call("evaluate-tsm", self.work / run.name, *asked)
        found = json.loads(text)["files"][0]
        return {
            "command": command,
            "names": found["names"],
            "columns": ["distance", "asked", "right", "low", "high", "loss"],
            "rows": [
                rounded([at["distance"], at["asked"], at["accuracy"], *at["accuracy_interval"], at["answer"]["loss"]])
                for at in found["recall"]
            ],
        }

    def keep(self, run):
        TINY_FOLDER.mkdir(exist_ok=True)
        for name in ("model.safetensors", "tokenizer.json", "config.toml", "encoding.toml"):
            shutil.copy(self.work / run.name / name, TINY_FOLDER / name)
        return [TINY_FOLDER]

    def do(self, run):
        if (self.results / f"{run.name}.json").exists():
            return f"{run.name}: there"
        if self.stopped:
            return f"{run.name}: not started"
        command, seconds = self.train(run)
        content = {
            "command": command,
            "seconds": seconds,
            "training": training_curve(self.work / run.name / "log.jsonl"),
            "every_token": self.every_token(run),
            "evaluation": self.evaluate(run),
            "recall": self.recall(run),
            "cuts": {what: self.evaluate(run, *options) for what, options in CUTS.get(run.name, {}).items()},
        }
        learned = self.work / run.name / "encoding.toml"
        if run.encoding in LEARNED:
            content["encoding"] = learned.read_text()
        self.write(run.name, content, self.keep(run) if run.name == TINY and self.scale == 1 and not self.paper else [])
        return f"{run.name}: done"


def machine():
    return f"{CPU()}, shared with other work"


def version(programs):
    """Of the programs, and the git trees of their sources."""
    text = subprocess.run(
        [programs / "train-tsm", "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    return f"{text}, {trees()}"


def choose(all_runs, only, listing):
    """Those asked for by name, or all; --list prints the names and ends."""
    chosen = [run for run in all_runs if not only or run.name in only]
    unknown = set(only or []) - {run.name for run in chosen}
    if unknown:
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; --list names the runs")
    if listing:
        print("\n".join(run.name for run in chosen))
        sys.exit()
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time, one thread each (default 2)")
    parser.add_argument("--scale", default="cpu", help="ci, cpu (default), gpu, or a part of the steps, for a try")
    parser.add_argument("--commit", action="store_true", help="commit each result as it ends")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    arguments = parser.parse_args()
    if arguments.scale not in SCALES and not re.fullmatch(r"0?\.\d+|1", arguments.scale):
        parser.error("--scale: expected ci, cpu, gpu, or a number up to 1")
    there = runs()
    if arguments.scale == "gpu":
        there = [run for run in there if run.name != TINY]
    chosen = choose(there, arguments.only, arguments.list)
    bench = Bench(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    bench.prepare()
    failed = False
    with ThreadPoolExecutor(arguments.jobs) as pool:  # in order; what begins from another run waits for it
        waiting = {}
        for run in chosen:
            start = waiting.get(run.init)
            waiting[run.name] = pool.submit(lambda run=run, start=start: (start and start.result(), bench.do(run))[1])
        try:
            for number, future in enumerate(as_completed(waiting.values()), 1):
                try:
                    print(f"run {number} of {len(waiting)}: {future.result()}", flush=True)
                except RuntimeError as error:
                    failed = True
                    print(error, file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            bench.stop()
            failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
