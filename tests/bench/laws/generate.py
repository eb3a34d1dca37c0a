"""Laws that aim at the side conditions of the engine: a start and at most three operations on it.
The same seed gives the same law."""

import json
import random
from fractions import Fraction

from formulas import (
    ANGLES,
    BIASES,
    DECAYS,
    GAINS,
    LENGTH_BIASES,
    MORE_BIASES,
    MORE_GAINS,
    MORE_SCALES,
    RATES,
    SCALES,
    SOFTCAPS,
    WRAPS,
)

PARAMETERS = {  # name: (domain, values at and near the edge)
    "m": ("m >= 0", ["0", "1/2", "1/1000"]),
    "p": ("p >= 0", ["1", "0", "2", "101/100"]),
    "s": (None, ["0", "-1", "1", "1/3"]),
    "a": ("a > 0", ["1", "2", "1/10"]),
}
SLOPES = "2^(-8*h/heads)"
TABLES = {
    "steps": {"values": ["0", "-1", "-2"], "beyond": "constant"},
    "bumps": {"values": ["1", "1", "1", "0"], "beyond": "constant"},
    "ones": {"values": ["1", "1"], "beyond": "constant"},
    "short": {"values": ["0", "1", "0", "-1", "2", "1"], "beyond": "error"},
}
FIRST_WIDER = 1000000  # laws from this seed on draw from the further lists, too, and of keys on both sides


def wrapped(rng, text):
    return rng.choice(WRAPS).format(x=text)


def operate(rng, law, wider):
    kind = rng.choices(
        ["bias", "gain", "new gain", "transform", "window", "softcap", "first", "length", "sum", "sides"],
        [7, 4, 4, 7, 3, 3, 2, 2, 2, int(wider)],
    )[0]
    if kind == "bias":
        law["bias"] = wrapped(rng, law["bias"])
    elif kind == "gain":
        law["gain"] = wrapped(rng, law["gain"])
    elif kind == "new gain":
        law["gain"] = rng.choice(GAINS + wider * MORE_GAINS)
    elif kind == "window":
        law["window"] = rng.choice(["1", "2", "3", "5", "9", "100"])
    elif kind == "softcap":
        law["softcap"] = rng.choice(SOFTCAPS)
    elif kind == "first":
        law["first"] = rng.choice([1, 2, 3, 5, 1000])
    elif kind == "sides":
        law["sided"] = "two"
    elif kind == "length":
        law["bias"] = rng.choice(LENGTH_BIASES)
    elif kind == "sum":
        law["bias"] = law["bias"] + " + " + rng.choice(BIASES + wider * MORE_BIASES)
    else:
        transform(rng, law, wider)


def transform(rng, law, wider):
    for key in ("angle", "scale", "rate", "decay"):
        law[key] = None
    law["transform"] = rng.choices(["none", "rotation", "scaled-rotation", "hyperbolic"], [1, 4, 4, 2])[0]
    if "rotation" in law["transform"]:
        law["angle"] = rng.choice(ANGLES)
    if law["transform"] == "scaled-rotation":
        law["scale"] = rng.choice(SCALES + wider * MORE_SCALES)
        if rng.random() < 0.4:
            law["angle"] = rng.choice(["0", "pi*n", "n"])
    if law["transform"] == "hyperbolic":
        law["rate"], law["decay"] = rng.choice(RATES), rng.choice(DECAYS)


FORMULAS = ("bias", "gain", "angle", "scale", "rate", "decay", "softcap", "window")


def uses(law, name):
    import re

    return any(law[key] and re.search(rf"\b{name}\b", law[key]) for key in FORMULAS)


def draw(seed):
    rng, wider = random.Random(f"law {seed}"), seed >= FIRST_WIDER
    law = {
        "name": f"law-{seed}",
        "gain": "1",
        "bias": rng.choice(BIASES + wider * MORE_BIASES),
        "transform": "identity",
        "angle": None,
        "scale": None,
        "rate": None,
        "decay": None,
        "window": None,
        "softcap": None,
        "first": 0,
        "sided": "causal",
    }
    for _ in range(rng.randint(1, 3)):
        operate(rng, law, wider)
    law["parameters"] = {
        name: {"domain": domain, "value": rng.choice(values)}
        for name, (domain, values) in PARAMETERS.items()
        if uses(law, name)
    }
    law["tables"] = {
        name: {"values": [Fraction(v) for v in table["values"]], "beyond": table["beyond"]}
        for name, table in TABLES.items()
        if uses(law, name)
    }
    return law


def toml(law):
    lines = ["schema = 1", f'name = "{law["name"]}"']
    if law["parameters"]:
        lines.append("[parameters]")
        for name, record in law["parameters"].items():
            domain = f', domain = "{record["domain"]}"' if record["domain"] else ""
            lines.append(f'{name} = {{ default = "{record["value"]}"{domain} }}')
    if law["tables"]:
        lines.append("[tables]")
        for name, table in law["tables"].items():
            values = json.dumps([str(v) for v in table["values"]])
            lines.append(f'{name} = {{ values = {values}, index = "n", beyond = "{table["beyond"]}" }}')
    lines += [
        "[score]",
        f'gain = "{law["gain"]}"',
        f'bias = "{law["bias"]}"',
        f'transform = "{law["transform"]}"',
        f"first = {law['first']}",
    ]
    if law["sided"] != "causal":
        lines.append(f'sided = "{law["sided"]}"')
    for key in ("window", "softcap"):
        if law[key]:
            lines.append(f'{key} = "{law[key]}"')
    if law["angle"]:
        lines += ["[score.rotation]", f'angle = "{law["angle"]}"'] + (
            [f'scale = "{law["scale"]}"'] if law["scale"] else []
        )
    if law["rate"]:
        lines += ["[score.hyperbolic]", f'rate = "{law["rate"]}"', f'decay = "{law["decay"]}"']
    return "\n".join(lines) + "\n"


def draw_options(batch):
    """What one call of the program asks for."""
    rng = random.Random(f"options {batch}")
    return {
        "bounds": rng.choice([["1"], ["1", "5"], ["1/2"], ["5"]]),
        "threshold": rng.choice(["1", "5", "1/2", "3"]),
        "epsilons": rng.choice([[], ["1/100"], ["1/1000"], ["1/2"]]),
        "weights": rng.choice([[], ["1/2"], ["1/10"]]),
        "lengths": rng.choice([[], [8], [5, 1000], [3, 300]]),
        "heads": rng.choice([(1, 1), (4, 2)]),
        "dimension": rng.choice([4, 6]),
    }
