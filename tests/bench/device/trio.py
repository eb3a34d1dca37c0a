"""The paper's three encodings at its full size on a device: trained for the same number of steps, evaluated and probed.

Usage: python3 tests/bench/device/trio.py --data FOLDER --output FOLDER --seconds N [--context 64]
       [--bin FOLDER] [--rehearse]

The number of steps is what the measured speeds allow within --seconds, at most the paper's 25,000; the learning rate
decays over it. The checkpoint of the least validation loss is evaluated beside the last one, and probed. Each run is a
JSON file of FOLDER; one that its time cuts off says at which step. Checkpoints are left in data/device. --rehearse: a
tiny model on the CPU."""

import argparse
import json
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "runs"))
import place  # noqa: E402
import tsm  # noqa: E402

CONFIG = Path(__file__).with_name("full.toml")
ENCODINGS = ("rope", "alibi-vetcha2025", "ape")
MOST_STEPS = 25000
TINY = {
    "model.layers": 1,
    "model.heads": 2,
    "model.width": 16,
    "training.batch": 2,
    "training.warmup": 1,
    "output.log_every": 2,
    "output.evaluate_batches": 1,
}
SPEED = {"output.evaluate_batches": 0, "output.keep_best": False, "training.iterations": 200, "output.log_every": 25}
BESIDE = 14  # seconds: starting, validating and saving a run
AFTERWARDS = 25  # evaluating and probing the last run


class Trio:
    def __init__(self, where, data, output, context, seconds, rehearse):
        self.where, self.data, self.output, self.context, self.rehearse = where, data, output, context, rehearse
        self.end = time.monotonic() + seconds
        self.device = "cpu" if rehearse else "cuda"
        self.work = where.work / "runs" if rehearse else place.ROOT / "data" / "device"

    def command(self, encoding, folder, settings):
        settings = {"training.context": self.context} | settings | (TINY if self.rehearse else {})
        if encoding in tsm.LEARNED:
            settings["position.learned"] = json.dumps(tsm.LEARNED[encoding])
        file = place.ROOT / "theory" / "encodings" / f"{encoding}.toml"
        options = [f"--set={key}={str(value).lower()}" for key, value in settings.items()]
        run = ["--encoding", file, "--data", self.data, "--output", folder]
        return ["train-tsm", CONFIG, "--device", self.device, *options, *run]

    def step_seconds(self, encoding):
        folder = self.work / f"speed-{encoding}"
        shutil.rmtree(folder, ignore_errors=True)
        settings = SPEED | ({"training.iterations": 8, "output.log_every": 2} if self.rehearse else {})
        self.where.call_until(self.end, *self.command(encoding, folder, settings))
        speed = place.median_speed(folder / "log.jsonl")["median"]
        return self.context * (TINY["training.batch"] if self.rehearse else 12) / speed

    def steps(self):
        seconds = [self.step_seconds(encoding) for encoding in ("rope", "ape")]
        left = self.end - time.monotonic() - AFTERWARDS - len(ENCODINGS) * BESIDE
        most = 0.95 * left / (2 * seconds[0] + seconds[1])
        return 8 if self.rehearse else max(100, min(MOST_STEPS, int(most) // 100 * 100))

    def train(self, encoding, steps):
        folder = self.work / f"{tsm.short(encoding)}-{self.context}"
        shutil.rmtree(folder, ignore_errors=True)
        every = max(1, steps // 5)
        settings = {
            "training.iterations": steps,
            "training.decay_iterations": steps,
            "output.evaluate_every": every,
            "output.checkpoint_every": steps,
        }
        command = self.command(encoding, folder, settings)
        start = time.monotonic()
        try:
            self.where.call_until(self.end - AFTERWARDS, *command)
        except place.Stopped:
            print(f"{folder.name}: stopped before step {steps}", flush=True)
        return folder, command, time.monotonic() - start

    def evaluate(self, folder):
        files = [self.data / f"{split}.bin" for split in tsm.RANGES if (self.data / f"{split}.bin").exists()]
        lengths = "16..64" if self.rehearse else "64..16384"
        options = ["--device", self.device, "--lengths", lengths, "--windows", 2 if self.rehearse else 16]
        report = json.loads(self.where.call("evaluate-tsm", folder, *files, *options, "--format", "json"))
        series = {Path(file["file"]).stem: [tsm.rows(of) for of in file["series"]] for file in report["files"]}
        return {"iteration": report["iteration"], "files": series}

    def probe(self, folder):
        """A theorem that a head contradicts (exit code 3) is in the report."""
        lengths, fit = ("16,32", 2) if self.rehearse else ("64,256,1024", 16)
        options = ["--lengths", lengths, "--windows", 2, "--fit-windows", fit, "--device", self.device]
        tokens = ["--tokens", self.data / "val.bin"]
        return json.loads(
            self.where.call("probe-attention", folder, *tokens, *options, "--format", "json", codes=(0, 3))
        )

    def record(self, folder, steps, command, seconds):
        log = folder / "log.jsonl"
        first = json.loads(log.read_text().splitlines()[0])
        content = {"schema": 1, "name": folder.name, "rehearsed": self.rehearse} | self.where.about()
        content |= {
            "command": " ".join(map(str, command)),
            "steps": steps,
            "seconds": round(seconds, 1),
            "device": first.get("device", "CPU"),
            "training": tsm.training_curve(log),
            "speed": place.median_speed(log),
            "encoding": (folder / "encoding.toml").read_text(),
        }
        file = self.output / f"{folder.name}.json"
        for name, made in (
            ("last", lambda: self.evaluate(folder)),
            ("best", lambda: self.evaluate(folder / "best")),
            ("probe", lambda: place.rounded(self.probe(folder / "best"))),
        ):
            try:
                content[name] = made()
            except RuntimeError as error:
                content[name] = {"failed": str(error)[-2000:]}
            place.write(file, content)
        print(f"{folder.name}: {content['training']['validation'][-1]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--data", type=Path, required=True, help="token files of prepare-data: train, val, longer texts"
    )
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--context", type=int, default=64)
    parser.add_argument("--bin", type=Path)
    parser.add_argument("--work", type=Path, help="where tables of encodings are kept (default: nowhere)")
    parser.add_argument("--rehearse", action="store_true")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with place.work_folder(arguments.work) as work, ThreadPoolExecutor(1) as afterwards:
        where = place.Place(arguments.bin, work, arguments.rehearse)
        trio = Trio(
            where, arguments.data.resolve(), arguments.output, arguments.context, arguments.seconds, arguments.rehearse
        )
        steps = trio.steps()
        print(f"{steps} steps of each encoding", flush=True)
        waiting = []
        for encoding in ENCODINGS:
            folder, command, seconds = trio.train(encoding, steps)
            if (folder / "model.safetensors").exists():
                waiting.append(afterwards.submit(trio.record, folder, steps, command, seconds))
        for future in waiting:
            future.result()
    sys.exit(0 if len(waiting) == len(ENCODINGS) else 1)


if __name__ == "__main__":
    main()
