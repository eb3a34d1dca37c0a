"""Ports that gpe.conformance examines, right ones and wrong ones, of plain lists, and what is expected of it."""

import json
import math
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "probes" / "python"))

from gpe._errors import SpecError
from gpe.conformance import NotConforming

SMALL = {"hidden_size": 64, "num_attention_heads": 4, "head_dim": 16, "num_hidden_layers": 4}
CONFIGS = {
    "yarn": {
        "model_type": "llama",
        "hidden_size": 128,
        "num_attention_heads": 2,
        "num_hidden_layers": 2,
        "rope_scaling": {"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 4096},
    },
    "windowed": {
        "model_type": "gemma2",
        "hidden_size": 64,
        "num_attention_heads": 4,
        "head_dim": 16,
        "num_hidden_layers": 6,
        "sliding_window": 9,
        "query_pre_attn_scalar": 16,
        "attn_logit_softcapping": None,
    },
}


def written(folder, configs):
    """The files of configs, by name."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = {name: folder / f"{name}.json" for name in configs}
    for name, content in configs.items():
        files[name].write_text(json.dumps(content))
    return files


def use(programs):
    os.environ |= {
        "PATH": os.path.abspath(programs) + os.pathsep + os.environ["PATH"],
        "GPE_ENCODINGS": str(ROOT / "theory" / "encodings"),
    }


def refused(what, call):
    try:
        call()
    except NotConforming as error:
        if what not in f"{error}\n":
            sys.exit(f"the message is: {error}\nexpected in it: {what}")
        return
    sys.exit(f"passed; expected: {what}")


def not_asked(what, call):
    try:
        call()
    except SpecError as error:
        if what not in f"{error}\n":
            sys.exit(f"the message is: {error}\nexpected in it: {what}")
        return
    sys.exit(f"asked; expected: {what}")


def yarn(base, d, factor, train):
    """Frequencies and temperature."""
    frequencies = [base ** (-2 * j / d) for j in range(d // 2)]
    low, high = (d * math.log(train / (beta * 2 * math.pi)) / (2 * math.log(base)) for beta in (32, 1))
    low, high = max(math.floor(low), 0), min(math.ceil(high), d - 1)
    ramp = [min(max((j - low) / (high - low), 0), 1) for j in range(d // 2)]
    return [w * (1 - r) + w / factor * r for w, r in zip(frequencies, ramp, strict=True)], (
        0.1 * math.log(factor) + 1
    ) ** 2


def rotation(frequencies, halves=True, way=1, scale=1, across=False):
    """(q, k, positions) -> (q, k), of lists: a right one, and its faults."""

    def turn(rows, positions):
        result = []
        for row, p in zip(rows, positions, strict=True):
            new, d = [scale * x for x in row], 2 * len(frequencies)
            for head in range(0, len(row), d):
                for j, w in enumerate(frequencies):
                    a, b = (j, j + d // 2) if halves else (2 * j, 2 * j + 1)
                    a, b = a + head, (b + head + (d if across else 0)) % len(row)
                    c, s = math.cos(way * w * p), math.sin(way * w * p)
                    new[a], new[b] = scale * (c * row[a] - s * row[b]), scale * (c * row[b] + s * row[a])
            result.append(new)
        return result

    return lambda q, k, positions: (turn(q, positions), turn(k, positions))


def scores(turn, factor=1, window=None, drift=0):
    """(q, k) -> scores, of lists."""

    def score(q, k):
        positions = list(range(len(q)))
        q, k = turn(q, k, positions)
        value = [[factor * sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(len(a)) for b in k] for a in q]
        return [
            [value[i][j] + drift * i if 0 <= i - j < (window or len(q)) else -math.inf for j in positions]
            for i in positions
        ]

    return score


def same(values):
    return values


def normed(row, weights, eps=0.0):
    mean = sum(x * x for x in row) / len(row) + eps
    return [x / math.sqrt(mean) * w for x, w in zip(row, weights, strict=True)]


def port(
    turn,
    d,
    heads=1,
    temperature=lambda i, j: 1,
    window=None,
    own=True,
    norms=None,
    first=None,
    sink=None,
    late_sink=False,
    counted=False,
    shuffle=0,
    eps=0.0,
    causal=True,
):
    """(q, k, positions) -> scores, or weights where there is a sink, of lists: a right one, and its faults.

    first: whether the norms come first; shuffle: by how many coordinates heads are cut too late.
    """

    def score(q, k, positions):
        sides = []
        for rows, weights in zip((q, k), norms or (None, None), strict=True):
            rows = [row[shuffle:] + row[:shuffle] for row in rows]
            by_head = [[row[h * d : (h + 1) * d] for row in rows] for h in range(heads)]
            if norms and first:
                by_head = [[normed(row, weights, eps) for row in one] for one in by_head]
            by_head = [turn(one, one, positions)[0] for one in by_head]
            if norms and first is False:
                by_head = [[normed(row, weights, eps) for row in one] for one in by_head]
            sides.append(by_head)
        result = []
        for one, other in zip(*sides, strict=True):
            rows = []
            for a, i in zip(one, positions, strict=True):
                seen = [
                    not causal or 0 <= i - j < (window or 10**9) + (not own) - counted and (own or i != j)
                    for j in positions
                ]
                row = [
                    temperature(i, j) * sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(d) if s else -math.inf
                    for b, j, s in zip(other, positions, seen, strict=True)
                ]
                if sink is not None:
                    total = sum(math.exp(x) for x in row)
                    rest = total * (1 + math.exp(-sink)) if late_sink else total + math.exp(sink)
                    row = [math.exp(x) / rest for x in row]
                rows.append(row)
            result.append(rows)
        return result

    return score
