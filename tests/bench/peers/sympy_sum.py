"""Convergence of sum e^A by SymPy's Sum.is_convergent.

Usage: sympy_sum.py EXPONENT FIRST. Prints "RESULT conv" or "RESULT div"."""

import sys

from sympy import Abs, Integer, Max, Min, Piecewise, Sum, Symbol, cos, exp, floor, log, oo, pi, sin, sqrt

n = Symbol("n", integer=True, positive=True)
NAMES = {f.__name__: f for f in (Abs, Integer, Max, Min, Piecewise, cos, exp, floor, log, sin, sqrt)} | {
    "n": n,
    "pi": pi,
}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        exponent = eval(sys.argv[1], {"__builtins__": {}}, NAMES)
        converges = Sum(exp(exponent), (n, int(sys.argv[2]), oo)).is_convergent()
        print("RESULT", {True: "conv", False: "div"}.get(bool(converges)))
