"""The paper's matrix at full size on a device: nine runs and two fine-tunings, each trained, evaluated and probed, and each one JSON file.

Usage: python3 tests/bench/device/matrix.py --data FOLDER --output FOLDER [--only RUN...] [--seconds N] [--list] [--rehearse]

Shortest contexts first. What has a file is not run again; so that a call ends within --seconds, no run is begun late, and one that is
training then is stopped with a checkpoint in data/full: begin it again. Checkpoints stay there. --rehearse does everything with a tiny model on the CPU."""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "runs"))
import place  # noqa: E402
import tsm  # noqa: E402

CONFIG = Path(__file__).with_name("full.toml")
TINY = {
    "model.layers": 1,
    "model.heads": 2,
    "model.width": 16,
    "training.iterations": 4,
    "training.batch": 2,
    "training.warmup": 1,
    "training.decay_iterations": 4,
    "output.log_every": 1,
    "output.evaluate_every": 2,
    "output.evaluate_batches": 1,
    "output.checkpoint_every": 2,
}
TUNING = tsm.TUNING | {"training.iterations": 500, "training.decay_iterations": 500}


AFTERWARDS = 100  # seconds, a guess: what evaluating and probing take once a run is trained


def runs():
    main = ("rope", "alibi-vetcha2025", "ape")
    result = []
    for context in (64, 128, 256):
        result += [tsm.Run(f"{tsm.short(encoding)}-{context}", encoding, context) for encoding in main]
        if context == 64:
            result += [
                tsm.Run(f"{start}-64-tuned-ape", "ape", init=f"{start}-64", settings=TUNING)
                for start in ("rope", "alibi")
            ]
    return result


class Matrix:
    def __init__(self, where, data, output, rehearse, until):
        self.where, self.data, self.output, self.rehearse, self.until = where, data, output, rehearse, until
        self.device = "cpu" if rehearse else "cuda"
        self.work = place.ROOT / "data" / ("try-full" if rehearse else "full")
        if rehearse:
            self.work = where.work

    def settings(self, run):
        result = {"training.context": run.context} | run.settings | (TINY if self.rehearse else {})
        if run.encoding in tsm.LEARNED:
            result["position.learned"] = json.dumps(tsm.LEARNED[run.encoding])
        return [f"--set={key}={value}" for key, value in result.items()]

    def train(self, run):
        """The command as one types it, and the seconds; none where it went on. Stops at self.until, with a checkpoint."""
        folder = self.work / run.name
        command = [
            "train-tsm",
            CONFIG,
            "--device",
            self.device,
            "--encoding",
            place.ROOT / "theory" / "encodings" / f"{run.encoding}.toml",
            *self.settings(run),
            *(["--init", self.work / run.init] if run.init else []),
            "--data",
            self.data,
            "--output",
            folder,
        ]
        begun = (folder / "model.safetensors").exists()
        actual = (
            ["train-tsm", "--resume", "--device", self.device, "--data", self.data, "--output", folder]
            if begun
            else command
        )
        start = time.monotonic()
        self.where.call_until(self.until, *actual)
        return " ".join(str(part).replace(f"{place.ROOT}/", "") for part in command), None if begun else round(
            time.monotonic() - start
        )

    def evaluate(self, run):
        files = [self.data / f"{split}.bin" for split in tsm.RANGES if (self.data / f"{split}.bin").exists()]
        text = self.where.call(
            "evaluate-tsm",
            self.work / run.name,
            *files,
            "--device",
            self.device,
            "--lengths",
            "16..64" if self.rehearse else "64..16384",
            "--windows",
            2 if self.rehearse else 16,
            "--format",
            "json",
        )
        return {
            Path(file["file"]).stem: [tsm.rows(series) for series in file["series"]]
            for file in json.loads(text)["files"]
        }

    def probe(self, run):
        """A theorem that a head contradicts (exit code 3) is in the report."""
        lengths = "16,32" if self.rehearse else "64,256,1024,4096"
        return json.loads(
            self.where.call(
                "probe-attention",
                self.work / run.name,
                "--tokens",
                self.data / "val.bin",
                "--lengths",
                lengths,
                "--windows",
                2,
                "--fit-windows",
                2 if self.rehearse else 16,
                "--device",
                self.device,
                "--format",
                "json",
                codes=(0, 3),
            )
        )

    def do(self, run):
        command, seconds = self.train(run)
        folder = self.work / run.name
        log = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
        content = (
            {"schema": 1, "name": run.name, "rehearsed": self.rehearse}
            | self.where.about()
            | {
                "command": command,
                "seconds": seconds,
                "device": log[0].get("device", "CPU"),
                "training": tsm.training_curve(folder / "log.jsonl"),
                "speed": place.median_speed(folder / "log.jsonl"),
                "evaluation": self.evaluate(run),
                "probe": place.rounded(self.probe(run)),
                "encoding": (folder / "encoding.toml").read_text(),
            }
        )
        place.write(self.output / f"{run.name}.json", content)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--data", type=Path, required=True, help="token files of prepare-data: train, val, and longer texts"
    )
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", nargs="+", metavar="RUN")
    parser.add_argument("--bin", type=Path)
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--rehearse", action="store_true")
    arguments = parser.parse_args()
    chosen = tsm.choose(runs(), arguments.only, arguments.list)
    until = time.monotonic() + arguments.seconds - (0 if arguments.rehearse else AFTERWARDS)
    arguments.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        where = place.Place(arguments.bin, Path(work), arguments.rehearse)
        matrix = Matrix(where, arguments.data.resolve(), arguments.output, arguments.rehearse, until)
        for run in chosen:
            if (arguments.output / f"{run.name}.json").exists():
                print(f"{run.name}: there", flush=True)
            elif time.monotonic() > until:
                print(f"{run.name}: not begun", flush=True)
            elif run.init and not (matrix.work / run.init / "model.safetensors").exists():
                print(f"{run.name}: waits for {run.init}, whose checkpoint is not here", flush=True)
            else:
                try:
                    matrix.do(run)
                except place.Stopped:
                    print(f"{run.name}: stopped; the next call goes on", flush=True)
                    break
                print(f"{run.name}: done", flush=True)


if __name__ == "__main__":
    main()
