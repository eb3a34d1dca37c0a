"""The runs of program.py, in rows: what is asked of them is in their order."""

import json
from dataclasses import dataclass, field, replace

import tsm
from study_2_biases import ENCODINGS

CONFIG = "tests/bench/runs/schedule.toml"
SEEDS = (0, 1, 2)
ALIBI = "alibi-vetcha2025"
MAIN = ("rope", ALIBI, "ape")
BIAS = ("delta", "beta", "gamma")  # the paper's "learnable additive bias"
STARTS = {
    "small": {"lambda": "1/1000", "delta": "1/480", "beta": "1/100", "gamma": "1/100"},
    "large": {"lambda": "1/10", "delta": "5/24", "beta": "1", "gamma": "1"},
}
ONCE = 0.095  # 384,025 of the 4,042,375 tokens
TUNING = {"training.warmup": 0, "output.evaluate_every": 50}
WRITTEN = "data/study-2/encodings"
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


@dataclass(frozen=True)
class Long:
    """A run that is there, read on longer stories than it was trained on, and asked for names and places in them."""

    of: Run
    init = None

    @property
    def name(self):
        return f"long-{self.of.name}"


@dataclass(frozen=True)
class Cut:
    """A run that is there, whose heads see no more than so many keys when it is evaluated."""

    of: Run
    keys: int
    init = None

    @property
    def name(self):
        return f"window-{self.keys}-{self.of.name}"


def learned(encoding):
    return BIAS if encoding == "ape" else ()


def main(context=64, seeds=SEEDS, suffix="", **settings):
    """The paper's three encodings."""
    return [
        Run(
            f"{tsm.short(encoding)}-{context}{suffix}-seed-{seed}",
            encoding,
            seed,
            context,
            learned=learned(encoding),
            settings=settings,
        )
        for seed in seeds
        for encoding in MAIN
    ]


def tuned():
    """From row 1 to APE, and to its own encoding as a control; with 1 % of the tokens, as in the paper, or as many as
    500 steps of 12 sequences of 64 tokens read."""
    result = []
    for rate in ("1e-4", "6e-4"):
        for seen, fraction in (("1-percent", 0.01), ("once", ONCE)):
            for seed in SEEDS:
                for start, encoding in (("rope", "ape"), ("alibi", "ape"), ("rope", "rope"), ("alibi", ALIBI)):
                    name = f"{start}-64-seed-{seed}-tuned-{tsm.short(encoding)}-{seen}-{rate}"
                    settings = TUNING | {"training.data_fraction": fraction, "training.learning_rate": float(rate)}
                    run = Run(name, encoding, seed, iterations=500, init=f"{start}-64-seed-{seed}", settings=settings)
                    result.append(replace(run, learned=learned(encoding), splits=("val",), lengths="64,1024,16384"))
    return result


def variants():
    """APE beginning elsewhere, and with the paper's words for alpha; ALiBi with a slope for each layer."""
    found = []
    for seed in SEEDS:
        found.append(Run(f"ape-slopes-64-seed-{seed}", "ape", seed, set={"delta": "2^(-4*h/3)"}))
        found.append(Run(f"ape-measured-64-seed-{seed}", "tests/bench/runs/ape-measured.toml", seed))
        found += [Run(f"ape-{start}-64-seed-{seed}", "ape", seed, set=of) for start, of in STARTS.items()]
        found.append(Run(f"alibi-layers-64-seed-{seed}", "alibi", seed, set={"m": "2^(-4*layer/3)"}))
    return [replace(run, learned=BIAS if run.name.startswith("ape") else ()) for run in found]


def stories():
    """The encodings of the second study; program.py writes their files."""
    return [
        Run(f"stories-{encoding.name}", f"{WRITTEN}/{encoding.name}.toml", 0, iterations=10000)
        for encoding in ENCODINGS
    ]


def larger(layers, width, seeds):
    return main(seeds=seeds, suffix=f"-width-{width}", **{"model.layers": layers, "model.width": width})


ROWS = {  # the pilot and the fifth are those of study_2.py
    "1": main(),
    "window": [Cut(run, 64) for run in main() if run.encoding == "rope"],
    "pilot": [],
    "long": [Long(run) for run in main()],
    "3": tuned(),
    "4": variants(),
    "5": [],
    "6": main(128) + main(256),
    "7": stories(),
    "8": larger(4, 192, (0, 1)) + larger(6, 384, (0,)),
}
