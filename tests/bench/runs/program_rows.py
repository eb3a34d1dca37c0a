"""The runs of program.py, in rows: what is asked of them is in their order."""

import json
from dataclasses import dataclass, field

import tsm

CONFIG = "tests/bench/runs/schedule.toml"
SEEDS = (0, 1, 2)
MAIN = ("rope", "alibi-vetcha2025", "ape")
BIAS = ("delta", "beta", "gamma")  # the paper's "learnable additive bias"
TRY = {  # a small model and few steps
    "model.layers": 1,
    "model.width": 24,
    "training.warmup": 2,
    "output.evaluate_every": 10,
    "output.evaluate_batches": 2,
    "output.checkpoint_every": 10,
}


@dataclass(frozen=True)
class Run:
    name: str
    encoding: str
    seed: int
    context: int = 64
    iterations: int = 25000
    init: str | None = None
    set: dict = field(default_factory=dict)  # parameters of the encoding
    learned: tuple = ()
    settings: dict = field(default_factory=dict)
    splits: tuple = tuple(tsm.RANGES)
    lengths: str = "64..16384"

    def arguments(self, scale, paper=False):
        """Of train-tsm, without --init, --output and --data."""
        settings = {"training.context": self.context, "training.seed": self.seed}
        settings |= {"training.iterations": max(20, round(self.iterations * scale))} | self.settings
        if self.set:
            settings["position.set"] = json.dumps([f"{name}={value}" for name, value in self.set.items()])
        if self.learned:
            settings["position.learned"] = json.dumps(list(self.learned))
        if scale != 1:
            settings |= TRY
        return [CONFIG, "--encoding", self.encoding] + [f"--set={key}={value}" for key, value in settings.items()]


def main(context=64, seeds=SEEDS, suffix="", **settings):
    """The paper's three encodings."""
    return [
        Run(
            f"{tsm.short(encoding)}-{context}{suffix}-seed-{seed}",
            encoding,
            seed,
            context,
            learned=BIAS if encoding == "ape" else (),
            settings=settings,
        )
        for seed in seeds
        for encoding in MAIN
    ]


ROWS = {1: main()}
