"""Convergence of sum e^A by SymPy's limits: A against log n, then A + log n against log log n, and so on.

Usage: sympy_ladder.py EXPONENT FIRST. Prints "RESULT conv" or "RESULT div", or another word: no answer."""

import sys

from sympy import (
    Abs,
    Integer,
    Max,
    Min,
    Piecewise,
    S,
    Symbol,
    cos,
    exp,
    floor,
    limit,
    log,
    oo,
    pi,
    simplify,
    sin,
    sqrt,
    sqrtdenest,
)

n = Symbol("n", positive=True)
NAMES = {f.__name__: f for f in (Abs, Integer, Max, Min, Piecewise, cos, exp, floor, log, sin, sqrt)} | {
    "n": n,
    "pi": pi,
}


def decide(exponent):
    rung = n
    for _ in range(5):
        rung = log(rung)
        ratio = limit(exponent / rung, n, oo)
        if ratio is S.NegativeInfinity:
            return "conv"
        if ratio is S.Infinity:
            return "div"
        if not ratio.is_number or ratio is S.NaN:
            return f"undecided: the limit is {ratio}"
        excess = sqrtdenest(simplify(ratio + 1))
        if excess.is_negative:
            return "conv"
        if excess.is_positive:
            return "div"
        if not excess.is_zero:
            return f"undecided: the sign of {excess}"
        exponent = exponent + rung
    return "undecided: five rungs"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print("RESULT", decide(eval(sys.argv[1], {"__builtins__": {}}, NAMES)))
