"""What encodings cost at the paper's size: memory of training by context, three times, and speed in five rounds, the
encodings in turn, as docs/results/paper/memory-1.json to memory-3.json and speed.json for `audit-claims`.

Usage: .venv/bin/python tests/bench/runs/cost_paper.py [--bin FOLDER] [--data FOLDER] [--results FOLDER] [--rounds N]
       [--only memory|speed] [--scale ci]

Needs heaptrack, and a machine on which nothing else runs. --data: token files of program.py. What is there is not
measured again. --scale ci does it with a tiny model, for a try."""

import argparse
import datetime
import re
import subprocess
import tempfile
from pathlib import Path

import tsm
from cost import ENCODINGS, usage
from record import ROOT, commit, write

TIMES = 3
CONTEXTS = (64, 128, 256)
SIZE = {"model.layers": 6, "model.heads": 6, "model.width": 384, "model.vocabulary": 50257}
TRY = {"model.layers": 1, "model.heads": 2, "model.width": 16}
FEW, MANY = 2, 12  # steps
BATCH, TRAINED = 12, 64
READ, WINDOWS = 1024, 8  # tokens of a window
UNITS = {"B": 1, "K": 1e3, "M": 1e6, "G": 1e9}


class Cost:
    def __init__(self, arguments):
        self.bin, self.data, self.results = arguments.bin.resolve(), arguments.data, arguments.results
        self.rounds, self.size = arguments.rounds, TRY if arguments.scale == "ci" else SIZE

    def training(self, name, context, steps, folder):
        settings = self.size | {
            "training.context": context,
            "training.iterations": steps,
            "training.batch": BATCH,
            "training.warmup": 1,
            "output.evaluate_batches": 0,
        }
        if name in tsm.LEARNED:
            settings["position.learned"] = str(tsm.LEARNED[name]).replace("'", '"')
        options = [f"--set={key}={value}" for key, value in settings.items()]
        where = ["--data", self.data, "--output", folder, "--threads", 1]
        return ["train-tsm", "--encoding", ENCODINGS[name], *options, *where]

    def resident(self, name, context):
        with tempfile.TemporaryDirectory() as folder:
            return usage(self.bin, *self.training(name, context, FEW, f"{folder}/run"))[1]

    def counted(self, name, context):
        """The most bytes that were allocated at once, as heaptrack counts them."""
        with tempfile.TemporaryDirectory() as folder:
            program, *options = map(str, self.training(name, context, FEW, f"{folder}/run"))
            command = ["heaptrack", "--output", f"{folder}/heap", self.bin / program, *options]
            subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
            (heap,) = Path(folder).glob("heap.*")
            text = subprocess.run(["heaptrack_print", heap], check=True, capture_output=True, text=True).stdout
        number, unit = re.search(r"peak heap memory consumption: ([\d.]+)([BKMG])", text).groups()
        return round(float(number) * UNITS[unit])

    def memory(self):
        _, program = usage(self.bin, "train-tsm", "--version")
        found = {
            "what": f"bytes of {FEW} steps of {BATCH} sequences: counted, the most that are allocated at once; "
            "resident, the peak",
            "program": program,
        }
        for kind, measure in (("counted", self.counted), ("resident", self.resident)):
            found[kind] = {name: {str(context): measure(name, context) for context in CONTEXTS} for name in ENCODINGS}
        return found

    def speeds(self, name):
        """Tokens per second of CPU time, of training and of losses of windows."""
        with tempfile.TemporaryDirectory() as folder:
            few, many = (
                usage(self.bin, *self.training(name, TRAINED, steps, f"{folder}/{steps}"))[0] for steps in (FEW, MANY)
            )
            read = ["evaluate-tsm", f"{folder}/{FEW}", self.data / "val.bin", "--lengths", READ, "--threads", 1]
            one, all_of_them = (usage(self.bin, *read, "--windows", windows)[0] for windows in (1, WINDOWS))
        return {
            "training": round((MANY - FEW) * BATCH * TRAINED / (many - few), 1),
            "inference": round((WINDOWS - 1) * READ / (all_of_them - one), 1),
        }

    def speed(self):
        what = f"tokens per second of CPU time on one thread: of train-tsm, {BATCH} sequences of {TRAINED} tokens; of "
        what += f"evaluate-tsm, windows of {READ} tokens; the encodings in turn in each round"
        rounds = {f"round-{i + 1}": {name: self.speeds(name) for name in ENCODINGS} for i in range(self.rounds)}
        return {"what": what} | rounds

    def write(self, name, measure):
        path = self.results / f"{name}.json"
        if path.exists():
            return print(f"{name}: there", flush=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {"schema": 1, "name": name, "machine": tsm.machine().split(",")[0], "version": tsm.version(self.bin)}
        content |= {"commit": commit(), "date": datetime.date.today().isoformat(), "size": self.size}
        write(path, content | {"command": "tests/bench/runs/cost_paper.py"} | measure())
        print(f"{name}: done", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--data", type=Path, default=ROOT / "data" / "program" / "tokens")
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results" / "paper")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=("memory", "speed"))
    parser.add_argument("--scale", choices=("ci", "cpu"), default="cpu")
    arguments = parser.parse_args()
    cost = Cost(arguments)
    if arguments.only != "speed":
        for i in range(TIMES):
            cost.write(f"memory-{i + 1}", cost.memory)
    if arguments.only != "memory":
        cost.write("speed", cost.speed)


if __name__ == "__main__":
    main()
