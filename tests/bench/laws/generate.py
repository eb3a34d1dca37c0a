"""Laws that aim at the side conditions of the engine: a start and at most three operations on it.
The same seed gives the same law."""

import json
import random
from fractions import Fraction

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
BIASES = [
    "0",
    "1",
    "-1",
    "-n/2",
    "-m*n",
    "s*n",
    "-log(1 + n)",
    "-2*log(1 + n)",
    "-p*log(1 + n)",
    "-log(2 + n) - 2*log(log(3 + n))",
    "-log(n + 1) + 1/log(n + 2)",
    "-sqrt(n)",
    "n/3",
    "n*log(2)",
    "log(1 + n)",
    "1/(1 + n)",
    "5 - n/4",
    "5 - m*n",
    "cos(pi*n)",
    "sin(n)",
    "cos(n)/4",
    "-floor(log(1 + n)/log(2))",
    "-floor(n/5)",
    "steps(min(n, 2))",
    "bumps(n)",
    "-bumps(n)*n",
    "short(min(n, 5))",
    "-h*n/4",
    "-2^(-8*h/heads)*n",
    "-n^a",
    "a^(-n)",
    "-(log((1 + n)/3)^2)^(1/2)",
    "-exp(min(n, 3))",
    "-3*log(1 + n)/2 - cos(pi*n)*log(1 + n)",
]
LENGTH_BIASES = [
    "n*log(1 + L)",
    "-n*log(1 + L)",
    "-4*n/(1 + L)",
    "log(1 + n)*log(1 + L)/4",
    "-log(1 + L)",
    "n - L",
    "-log(1 + n)*log(1 + L)",
    "-n^2/(1 + L)",
    "-log(2 + L)*min(n, 1)",
    "-2*log(1 + L)*min(n, 1)",
]
GAINS = [
    "0",
    "2",
    "m",
    "s",
    "2^(-n)",
    "2^n",
    "1/(1 + n)",
    "1 + log(1 + n)",
    "log(1 + n)",
    "cos(pi*n)",
    "(-1)^n",
    "if(n < 4, 1, 2)",
    "if(n < 4, 2, 1)",
    "n",
    "sqrt(log(log(2))^2)",
    "1 + (log((1 + n)/3)^2)^(1/2) - log((1 + n)/3)",
    "1 + max(n, 7) - n",
    "1/(1 + m*n)",
    "bumps(n)",
    "ones(min(n, 1))",
    "sin(n)",
    "1 + abs(n - 3) - (n - 3)",
    "cos(2*pi*n)",
    "-1",
    "floor(n/7)",
    "1 + floor(n/7)*0",
    "1 + cos(pi*n)",
    "1 + a^(-n)",
    "0^(n + 1)",
    "1 - 0^(n + 1)",
    "sqrt(cos(pi*n)^2)",
    "sqrt(n)",
    "min(n, 4)",
    "a",
]
ANGLES = [
    "n",
    "pi*n",
    "2*pi*n",
    "pi*n*j",
    "2*pi*n*j",
    "0",
    "10000^(-2*j/d)*n",
    "pi*n^2",
    "pi*n*(n + 1)",
    "2*pi*floor(n/2)",
    "pi*floor(n/4)",
    "pi*(1 + j)*n",
    "m*n",
    "s*pi*n",
    "if(j == 0, n, 0)",
    "if(j < 1, pi*n, 2*pi*n)",
    "2*pi*n/3",
    "pi*bumps(n)",
    "2*pi*bumps(n)*n",
    "n*(j - j)",
    "max(n, 5) - n",
    "n/(1 + H(n))",
    "2*pi*cos(pi*n)",
    "pi*cos(pi*n)",
    "pi*n*n*n",
    "pi*(n - 3)*(n - 2)/2",
    "min(n, 3)",
]
SCALES = [
    "2^n",
    "2^(-n)",
    "cos(pi*n)",
    "(-1)^n",
    "1",
    "0",
    "(j + 1)/(j + 1)",
    "((j + 1)/(j + 2))^n",
    "1^j",
    "1 + j - j",
    "if(j < 64, 2, n)",
    "1 + m*n",
    "cos(pi*n*j)",
    "(-1)^(n*j)",
    "if(n == 2, 0, 1)",
    "min(n, 1)",
    "if(j == 0, 2 + cos(pi*n), 2 - cos(pi*n))",
    "1 + j*n",
    "0^(n + 1)",
    "2^(-n*j)",
    "j*n",
    "bumps(n)",
    "s",
    "1/(1 + n)",
    "sqrt(n)",
]
RATES = ["0", "1", "1/2", "m", "s", "10000^(-2*j/d)", "j", "-1/2"]
DECAYS = ["0", "1", "1/2", "m", "11/10", "j", "2"]
FIRST_WIDER = 1000000  # laws from this seed on draw from these lists, too, and of keys on both sides
MORE_BIASES = [
    # means
    "-(n + floor(n/2))/2",
    "-sum(k, 0, 3, log(1 + n + k))/4",
    "-n*(n + 1)/2/(1 + n)",
    "-sqrt(n*(n + 1))",
    "-2*n*(n + 1)/(2*n + 1)",
    "log((1 + exp(-n))/2)",
    "(cos(pi*n) + cos(pi*(n + 1)))/2 - log(1 + n)",
    "-(sqrt(n) + sqrt(n + 1))/2",
    "-log(((1 + n)^2 + (2 + n)^2)/2)/2",
    # floors of waves
    "floor(2*cos(pi*n/3))",
    "floor(cos(n))",
    "-n*(1 + floor(cos(pi*n/2)))",
    "floor(3*sin(pi*n/6)/2) - log(1 + n)",
    "-floor(1 + sin(n))*n",
    "floor(cos(pi*n))*log(1 + n)",
    "-2*floor(1 + cos(pi*n)/2)*log(1 + n)",
    # tables
    "steps(min(floor(n/3), 2))",
    "bumps(floor(log(1 + n)))",
    "n*steps(min(n, 2))",
    "bumps(n)*cos(pi*n)",
    "steps(1 + cos(pi*n))*log(1 + n)",
    "-short(n - 6*floor(n/6))*n",
    "short(n - 6*floor(n/6)) - log(1 + n)",
    # far thresholds
    "5 - n/10^9",
    "1 - n/10^20",
    "-2*log(1 + n) + 10^6/(1 + n)",
    "10*log(1 + n) - n/1000",
    "-log(1 + n)*(1 + 1/1000)",
    "1000 - log(1 + n)^2",
    "-sqrt(n)/10^6",
]
MORE_GAINS = [
    "(cos(pi*n) + cos(pi*(n + 1)))/2",
    "1 + floor(cos(pi*n/2))",
    "floor(1 + sin(n))",
    "steps(1 + cos(pi*n))",
    "short(n - 6*floor(n/6))",
    "(1 + 1/(1 + n))/2",
    "exp(-n)",
    "exp(-sqrt(n))",
    "1 - n/10^9",
    "log(1 + n)/1000",
]
MORE_SCALES = [
    "exp(n)",
    "exp(-n)",
    "exp(sqrt(n))",
    "exp(n*cos(pi*n))",
    "exp(-n^2)",
    "exp(-j*n)",
    "1 + floor(cos(pi*n/2))",
    "short(n - 6*floor(n/6))",
]
SOFTCAPS = ["1", "50", "a", "1/4"]
WRAPS = [
    "sqrt(({x})^2)",
    "(({x})^2)^(1/2)",
    "(({x})^4)^(1/4)",
    "-(({x})^2)^(3/2)",
    "-sqrt(({x})^2)",
    "abs({x})",
    "-({x})",
    "({x})*log(log(2))",
    "sqrt(log(log(2))^2)*({x})",
    "({x})/2",
    "{x} + max(n, 7) - n",
    "{x} + sqrt((n - 5)^2) - (n - 5)",
    "min({x}, 3)",
    "max({x}, -4)",
    "if(n < 5, 1, {x})",
    "if(n < 300, {x}, 0)",
    "({x})*if(n == 0, 0, 1)",
    "({x})*(1 + 0^(n + 1))",
    "({x})*cos(pi*n)",
    "({x})*cos(2*pi*n)",
    "({x})*(-1)^n",
    "{x} + sin(n)/4",
    "({x})*(1 + (-1)^n)/2",
    "exp(min({x}, 2))",
    "floor({x})",
    "log(exp({x}))",
    "{x} - ({x})",
    "({x})*s",
    "m*({x})",
    "({x})^2",
    "{x} + sqrt(n^2 + n) - n",
    "{x} + n - sqrt(n^2 + 1)",
    "({x})*bumps(n)",
    "{x} + ones(min(n, 1))",
    "({x})*sqrt(m^2)",
    "max({x}, 0)",
    "min({x}, 0)",
    "({x})/(1 + n)",
    "{x} - log(1 + n)",
    "{x} + log(1 + n)",
    "{x} - n/5",
    "({x})*log(2 + n)",
    "{x} + 1/(n - 1000)",
    "log({x})",
    "sqrt({x})",
    "1/({x})",
    "-exp(-cos(n))*({x})",
    "{x} + cos(n)*exp(-cos(n)) - cos(n) + cos(2*n)/4",
    "({x})*sqrt(sin(n)^2)",
    "floor(({x})/3)*3",
    "({x})*if((n - 5)^11 > 0, 1, 2)",
    "if((n - 3)^12 == 0, 2, {x})",
    "({x})*((n - 5)^11/sqrt(1 + (n - 5)^22))",
    "({x})*(1 - s)^12",
    "({x})*(m - 2)^11",
    "{x} - max((5 - n)^11, 0)",
]


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
