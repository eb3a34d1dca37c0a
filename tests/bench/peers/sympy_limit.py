"""A limit at infinity by SymPy: limit, or limit_seq for a sequence.

Usage: sympy_limit.py EXPRESSION [sequence]. Prints "RESULT" and "+inf", "-inf", "none" (it says that there is no
limit), a decimal, or "?"."""

import sys

import sympy
from sympy import AccumBounds, S, Symbol, oo

NAMES = {
    name: getattr(sympy, name)
    for name in (
        "Abs Integer Max Min acos asin atan ceiling cos cosh digamma erf erfc exp factorial floor gamma log loggamma "
        "pi polygamma sign sin sinh sqrt tan tanh"
    ).split()
}


def main(text: str, sequence: bool) -> str:
    n = Symbol("n", integer=True, positive=True) if sequence else Symbol("n", positive=True)
    expression = eval(text, {"__builtins__": {}}, NAMES | {"n": n})
    found = sympy.limit_seq(expression, n) if sequence else sympy.limit(expression, n, oo)
    if found is None:
        return "?"
    if found in (S.Infinity, S.NegativeInfinity):
        return "+inf" if found is S.Infinity else "-inf"
    if isinstance(found, AccumBounds):
        return "none"
    value = found.evalf(20)
    return str(value) if value.is_Float or value.is_Integer or value.is_zero else "?"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print("RESULT", main(sys.argv[1], len(sys.argv) > 2))
