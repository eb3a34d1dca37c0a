"""gpe.conformance passes right implementations, and names the first wrong entry of wrong ones; as a pytest plugin too.

python tests/checks/conformance_test.py PROGRAMS WORK
"""

import json
import math
import os
import pathlib
import subprocess
import sys
from fractions import Fraction
from functools import partial

from ported import CONFIGS, ROOT, not_asked, refused, rotation, same, scores, use, written, yarn

from gpe.conformance import Conformance


def slopes(heads):
    """The published code of ALiBi."""
    whole = 2 ** math.floor(math.log2(heads))
    first = [2 ** (-8 * h / whole) for h in range(1, whole + 1)]
    return first + [2 ** (-4 * h / whole) for h in range(1, 2 * (heads - whole), 2)]


def slopes_of_the_text(heads):
    return [2 ** (-8 * h / heads) for h in range(1, heads + 1)]


def bucket(n, last=128):
    return n if n < 16 else min(31, 16 + int(math.log(n / 16) / math.log(last / 16) * 16))


def check_alibi(config):
    for heads in (4, 6, 12):
        Conformance("alibi", heads=heads).slopes(slopes(heads))
    Conformance(config).slopes(slopes(6))
    refused(
        "slope of head 1 is 0.396850263; expected 1/4 = 0.25", lambda: Conformance(config).slopes(slopes_of_the_text(6))
    )
    wrong = slopes(6)
    wrong[4] *= 1.0001
    refused("slope of head 5 is 0.50005; expected 1/2 = 0.5", lambda: Conformance(config).slopes(wrong))
    refused("5 heads; expected 6", lambda: Conformance(config).slopes(slopes(6)[:5]))
    Conformance(config).slopes([Fraction(x) for x in slopes(6)])
    refused("slope of head 1 is inf; expected 1/4", lambda: Conformance(config).slopes([10**400] * 6))
    for given in (None, "0.25", [None] * 6, [[x] for x in slopes(6)], [complex(x) for x in slopes(6)]):
        refused("expected numbers", lambda given=given: Conformance(config).slopes(given))
    refused("slope of head 1 is nan; expected 1/4", lambda: Conformance(config).slopes([math.nan] * 6))


def check_t5(config):
    reference = Conformance(config)
    reference.buckets(bucket)
    reference.buckets([bucket(n) for n in range(300)])
    reference.buckets(lambda n: 31 - bucket(n))
    refused(
        "n = 21 and n = 20 are in one bucket; expected that bucket 18 begins at n = 21",
        lambda: reference.buckets(lambda n: bucket(n, last=150)),
    )
    refused(
        "n = 113 and n = 112 are in one bucket; expected that bucket 31 begins at n = 113",
        lambda: reference.buckets(lambda n: 30 if bucket(n) == 31 and n < 128 else bucket(n)),
    )
    refused(
        "n = 113 and n = 3 are in one bucket; expected that bucket 31 begins at n = 113",
        lambda: reference.buckets(lambda n: bucket(n) if n < 113 else 3),
    )
    refused(
        "the list ends at n = 99; expected one that comes to n = 113, where the last bucket begins",
        lambda: reference.buckets([bucket(n) for n in range(100)]),
    )
    refused("expected numbers", lambda: reference.buckets(lambda n: None))
    refused("list of length 0; expected one number", lambda: reference.buckets(lambda n: []))
    for farthest in ("a", 200.5, None, -1):
        not_asked(
            f"farthest = {farthest!r}; expected", lambda farthest=farthest: reference.buckets(bucket, farthest=farthest)
        )
    not_asked("function could not be called: ZeroDivisionError", lambda: reference.buckets(lambda n: 1 // 0))
    not_asked("function; expected a function of the distance", lambda: reference.buckets(lambda: 0))
    not_asked("farthest = 100; expected at least 113", lambda: reference.buckets(bucket, farthest=100))
    refused(
        "a bucket begins at n = 128; expected none there: bucket 31 begins at n = 113, the last",
        lambda: reference.buckets(lambda n: bucket(n) + (n >= 128)),
    )


def check_yarn(config):
    reference = Conformance(config)
    frequencies, temperature = yarn(10000, 64, 8, 4096)
    reference.frequencies(frequencies)
    reference.temperature(temperature)
    reference.temperature([temperature] * 32)
    refused("temperature is 1; expected 1.459", lambda: reference.temperature(1.0))
    for count in (0, 2, 31, 33):
        refused(
            f"{count} temperatures; expected one, or one for each of 32 blocks",
            lambda count=count: reference.temperature([temperature] * count),
        )
    refused("temperature of block 31 is nan", lambda: reference.temperature([temperature] * 31 + [math.nan]))
    refused("temperature is 1.20794415; expected 1.459", lambda: reference.temperature(math.sqrt(temperature)))
    refused("frequency of block 0 is 0.125; expected 1.0", lambda: reference.frequencies([w / 8 for w in frequencies]))
    refused("frequency of block 11 is", lambda: reference.frequencies([10000 ** (-2 * j / 64) for j in range(32)]))
    refused("31 blocks; expected 32", lambda: reference.frequencies(frequencies[:31]))


def check_laws():
    """Blocks that stay are blocks of the whole head, but where a part of the head turns; angles
    that are not multiples of the distance."""
    plain = [10000 ** (-2 * j / 64) for j in range(32)]
    late = {
        "name": "late",
        "score": {"transform": "rotation", "rotation": {"angle": "if(j >= 8, 10000^(-2*j/d)*n, 0)"}},
    }
    for encoding, frequencies in (
        ("p-rope", plain[:24] + [0.0] * 8),
        ("hope", [w if 512 * w >= 2 * math.pi else 0.0 for w in plain]),
        (late, [0.0] * 8 + plain[8:]),
    ):
        reference = Conformance(encoding, head_dim=64)
        reference.rotation(rotation(frequencies), like=same)
        reference.scores(scores(rotation(frequencies)), like=same)
    part = [10000 ** (-2 * j / 16) for j in range(8)]

    def turned(q, k, positions):
        """The first 16 coordinates of 64."""
        return tuple(
            [
                new + row[16:]
                for new, row in zip(
                    rotation(part)([row[:16] for row in rows], [[0.0] * 16] * len(rows), positions)[0],
                    rows,
                    strict=True,
                )
            ]
            for rows in (q, k)
        )

    Conformance("partial-rotary", head_dim=64).rotation(turned, like=same)
    refused(
        "queries: coordinate 0 turns with 32; expected 8",
        lambda: Conformance("partial-rotary", head_dim=64).rotation(rotation(part + [0.0] * 24), like=same),
    )
    for encoding in ("rerope", "leaky-rerope"):
        reference = Conformance(encoding, head_dim=64, set={"cutoff": "8"})
        for ask in (
            partial(reference.rotation, rotation(plain), like=same),
            partial(reference.scores, scores(rotation(plain)), like=same),
            partial(reference.frequencies, plain),
        ):
            not_asked("the angle of block 0 at n = 32 is not a multiple of the distance", ask)
    not_asked(
        "angles at position 100 are others than at 0",
        lambda: Conformance("dynamic-ntk", head_dim=64, set={"train": "16"}).rotation(rotation(plain), like=same),
    )
    Conformance("dynamic-ntk", head_dim=64, set={"train": "1024"}).rotation(rotation(plain), like=same)


def check_use(config):
    """Wrong use is named, whatever it is."""
    reference, right = Conformance(config), rotation(yarn(10000, 64, 8, 4096)[0])
    for turn in (None, 3, lambda q, k: (q, k), lambda q, k, *, positions: (q, k), dict):
        not_asked("expected a function of (q, k, positions)", lambda turn=turn: reference.rotation(turn, like=same))
    for score in (None, "scores", lambda q: q, lambda q, k, *, positions: q, lambda q, k, positions, mask: q, dict):
        not_asked(
            "expected a function of (q, k) or of (q, k, positions)",
            lambda score=score: reference.scores(score, like=same),
        )
    not_asked(
        "function could not be called at positions 1 to 1: IndexError: list index out of range",
        lambda: reference.rotation(lambda q, k, p: q[64], like=same),
    )
    for options, what in (
        ({"heads": "a"}, "heads = 'a'; expected a whole number"),
        ({"heads": None}, "heads = None"),
        ({"heads": 1.5}, "heads = 1.5"),
        ({"first": None}, "first = None"),
        ({"tolerance": None}, "tolerance = None; expected a number over 0"),
        ({"tolerance": math.nan}, "tolerance = nan"),
        ({"tolerance": -1}, "tolerance = -1"),
        ({"like": 3}, "like = 3"),
    ):
        not_asked(what, lambda options=options: reference.rotation(right, **options))
        not_asked(what, lambda options=options: reference.scores(scores(right), **options))
    for tolerance in ("a", math.nan, 0, None):
        not_asked(f"tolerance = {tolerance!r}", lambda tolerance=tolerance: Conformance(config, tolerance=tolerance))
    for windows in (None, 5):
        not_asked("expected several values", lambda windows=windows: reference.layers(windows))
    refused("expected numbers", lambda: reference.layers(["a", None]))
    not_asked("--help: check-properties printed no report", lambda: Conformance("rope", help=True).frequencies([1.0]))


def check_layers(work, windowed):
    reference, schedule = Conformance(windowed), [9, None] * 3
    reference.layers(schedule)
    refused(
        "layer 1 has no window; expected a window of 9 keys; the schedule is shifted by one layer\n",
        lambda: reference.layers(schedule[1:] + schedule[:1]),
    )
    (work / "thirds.json").write_text(
        json.dumps(
            json.loads(windowed.read_text())
            | {"layer_types": ["sliding_attention", "sliding_attention", "full_attention"] * 2}
        )
    )
    refused(
        "layer 2 has no window; expected a window of 9 keys; the schedule is shifted by one layer, to earlier ones",
        lambda: Conformance(work / "thirds.json").layers([9, None, 9, 9, None, 9]),
    )
    refused(
        "layer 3 has a window of 10 keys; expected a window of 9 keys",
        lambda: reference.layers([9, None, 10, None, 9, None]),
    )
    refused("5 layers; expected 6", lambda: reference.layers(schedule[:5]))
    small = {"model_type": "mistral", "sliding_window": 9, "hidden_size": 64, "num_attention_heads": 4, "head_dim": 16}
    for count, given, layer in ((1, [8], 1), (2, [8, 9], 1), (6, [9] * 5 + [None], 6), (6, [None] + [9] * 5, 1)):
        file = work / f"mistral-{count}.json"
        file.write_text(json.dumps(small | {"num_hidden_layers": count}))
        refused(
            f"layer {layer} has {'a window of 8 keys' if count < 3 else 'no window'}; expected a window of 9 keys\n",
            lambda file=file, given=given: Conformance(file).layers(given),
        )


def check_modules(config):
    """Modules and tensors of torch, and what is not a function."""
    try:
        import torch
    except ImportError:
        print("modules and tensors were not tried: torch is absent")
        return

    class Scores(torch.nn.Module):
        def __init__(self, positions=None):
            super().__init__()
            self.cos, self.sin = (
                f(torch.arange(4100)[:, None] * torch.tensor(frequencies, dtype=torch.float64))
                for f in (torch.cos, torch.sin)
            )
            self.positions = positions

        def turned(self, x, positions):
            cos, sin = self.cos[positions], self.sin[positions]
            return torch.cat([x[:, :32] * cos - x[:, 32:] * sin, x[:, 32:] * cos + x[:, :32] * sin], 1)

        def forward(self, q, k, positions):
            rows = self.turned(q, positions) @ self.turned(k, positions).T / 8 * temperature
            return [row.masked_fill(positions > p, -math.inf) for row, p in zip(rows, positions, strict=True)]

    frequencies, temperature = yarn(10000, 64, 8, 4096)
    reference = Conformance(config)
    reference.scores(Scores())
    reference.rotation(lambda q, k, positions: [Scores().turned(x, positions) for x in (q, k)])
    for empty in (lambda q, k: torch.empty(48, 48, device="meta"), lambda q, k: torch.eye(48).to_sparse()):
        refused("which cannot be read", lambda empty=empty: reference.scores(empty))
    reference.temperature(torch.tensor(temperature))
    reference.temperature([torch.tensor(temperature)] * 32)
    reference.frequencies(torch.tensor(frequencies, dtype=torch.float32))
    not_asked("expected a function of (q, k) or of (q, k, positions)", lambda: reference.scores(Scores))
    for model in (None, torch.nn.Linear(2, 2), Scores()):
        not_asked("expected a model of transformers", lambda model=model: reference.module(model))
    not_asked("alibi is not a config.json", lambda: Conformance("alibi").layers([None]))


PLUGIN = """
pytest_plugins = ["gpe.pytest_plugin"]
"""
CASES = """
def test_right(gpe_conformance):
    gpe_conformance("alibi", heads=2).slopes([1 / 16, 1 / 256])


def test_wrong(gpe_conformance):
    gpe_conformance("alibi", heads=2).slopes([1 / 16, 1 / 128])
"""


def check_plugin(work):
    try:
        import pytest  # noqa: F401
    except ImportError:
        print("the plugin was not tried: pytest is absent")
        return
    (work / "conftest.py").write_text(PLUGIN)
    (work / "test_port.py").write_text(CASES)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_port.py"],
        cwd=work,
        text=True,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "probes" / "python")},
    )
    for text in ("1 failed, 1 passed", "slope of head 2 is 0.0078125; expected 1/256 = 0.0039062500"):
        if text not in done.stdout:
            sys.exit(f"pytest printed no '{text}':\n{done.stdout}{done.stderr}")


def main():
    use(sys.argv[1])
    work = pathlib.Path(sys.argv[2])
    configs = CONFIGS | {
        "alibi": {"model_type": "bloom", "hidden_size": 96, "n_head": 6, "n_layer": 2},
        "t5": {"model_type": "t5", "d_kv": 16, "num_heads": 4, "num_layers": 2},
    }
    files = written(work, configs)
    check_alibi(files["alibi"])
    check_t5(files["t5"])
    check_yarn(files["yarn"])
    check_laws()
    check_use(files["yarn"])
    check_layers(work, files["windowed"])
    check_modules(files["yarn"])
    check_plugin(work)


if __name__ == "__main__":
    main()
