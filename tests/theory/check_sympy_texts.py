#!/usr/bin/env python3
"""Reads what sympy_texts prints and checks it: SymPy parses each text, with no symbol that is not in the point, and its
value there lies between the proved bounds; the LaTeX text has balanced braces and no control word
that TeX does not know.

    sympy_texts theory/encodings 400 | .venv/bin/python tests/theory/check_sympy_texts.py
"""

import json
import re
import signal
import sys

import mpmath
import sympy

mpmath.mp.dps = 80
MARGIN = mpmath.mpf(10) ** -30
CONTROL_WORDS = set(
    "alpha beta gamma delta epsilon zeta theta kappa lambda mu nu rho sigma tau pi mathrm frac tfrac sqrt left right "
    "log exp min max sin cos arctan Gamma psi operatorname lfloor rfloor sum begin end text le ge ne cdot".split()
)


def number(text):
    numerator, _, denominator = text.partition("/")
    return mpmath.mpf(int(numerator)) / int(denominator or 1)


def wrong_value(row):
    expression = sympy.sympify(row["sympy"])
    symbols = {symbol.name: symbol for symbol in expression.free_symbols}
    unknown = set(symbols) - set(row["point"])
    if unknown:
        return f"unknown symbols {unknown}"
    if expression.has(sympy.Sum):  # bounds must be integers, not floats
        expression = expression.subs({symbols[name]: sympy.Rational(row["point"][name]) for name in symbols}).doit()
        symbols = {}
    names = sorted(symbols)
    function = sympy.lambdify([symbols[name] for name in names], expression, "mpmath")
    value = mpmath.mpmathify(function(*[number(row["point"][name]) for name in names]))
    low, high = number(row["low"]), number(row["high"])
    room = MARGIN * (1 + abs(low))
    if abs(mpmath.im(value)) > room or not low - room <= mpmath.re(value) <= high + room:
        return f"value {mpmath.nstr(value, 20)}, expected {mpmath.nstr(low, 20)}"
    return None


def wrong_latex(text):
    text = text.replace(r"\\", " ")  # the ends of lines
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return "a brace closes before it opens"
    if not text or depth != 0 or text.count(r"\left") != text.count(r"\right"):
        return "unbalanced"
    unknown = set(re.findall(r"\\([A-Za-z]+)", text)) - CONTROL_WORDS
    return f"unknown control words {unknown}" if unknown else None


def out_of_time(*_):
    raise TimeoutError("more than 20 seconds")


def main():
    signal.signal(signal.SIGALRM, out_of_time)
    rows = [json.loads(line) for line in sys.stdin]
    failures = 0
    for row in rows:
        signal.alarm(20)
        try:
            trouble = wrong_value(row) or wrong_latex(row["latex"])
        except Exception as error:  # whatever SymPy says is the finding
            trouble = f"{type(error).__name__}: {error}"
        signal.alarm(0)
        if trouble:
            failures += 1
            print(f"{row['text']}\n  sympy: {row['sympy']}\n  latex: {row['latex']}\n  {trouble}")
    if len(rows) < 100:
        print(f"only {len(rows)} rows")
        failures += 1
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
