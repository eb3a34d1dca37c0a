#!/usr/bin/env python3
"""Writes limits_golden.csv: limits at infinity that are known to be hard, and where their values come from.

The problems numbered 8.x are those of D. Gruntz, On Computing Limits in a Symbolic Manipulation System, Diss. ETH
11432, 1996, pages 122 to 126, that use exp, log, powers, sin, max and min; his expansion of 8.4 has nine levels. R is
by Richardson, Salvy, Shackell and van der Hoeven, Asymptotic Expansions of exp-log Functions, ISSAC 1996. The towers T
are nine exponentials or logarithms high, and follow from (E9)' = E1 E2 ... E9, E_k the k-fold exponential. Each value
is the published one, or follows as said; SymPy's implementation of Gruntz's algorithm must give the same, or else a
value far out must be near, as the column `also` says (SymPy has no answer to 8.4, 8.18, 8.37 and T within minutes).

    python3 make_limits_golden.py > limits_golden.csv
"""

import csv
import sys

import sympy
from sympy.series.gruntz import gruntz

N = sympy.Symbol("n", positive=True)


def tower(function, height, argument):
    return f"{function}(" * height + argument + ")" * height


E8, E9, L9 = (tower(f, k, "n") for f, k in (("exp", 8), ("exp", 9), ("log", 9)))

THESIS = "Gruntz"
# id, expression, limit, source, a second computation
PROBLEMS = [
    ("8.1", "exp(n)*(exp(1/n - exp(-n)) - exp(1/n))", "-1", THESIS, "SymPy"),
    ("8.2", "exp(n)*(exp(1/n + exp(-n) + exp(-n^2)) - exp(1/n - exp(-exp(n))))", "1", THESIS, "SymPy"),
    ("8.3", "exp(exp(n - exp(-n))/(1 - 1/n)) - exp(exp(n))", "+inf", THESIS, "SymPy"),
    ("8.4", "exp(exp(exp(n)/(1 - 1/n))) - exp(exp(exp(n)/(1 - 1/n - log(n)^(-log(n)))))", "-inf", THESIS, ""),
    ("8.5", "exp(exp(exp(n + exp(-n))))/exp(exp(exp(n)))", "+inf", THESIS, "SymPy"),
    ("8.6", "exp(exp(exp(n)))/exp(exp(exp(n - exp(-exp(n)))))", "+inf", THESIS, "SymPy"),
    ("8.7", "exp(exp(exp(n)))/exp(exp(exp(n - exp(-exp(exp(n))))))", "1", THESIS, "SymPy"),
    ("8.8", "exp(exp(n))/exp(exp(n - exp(-exp(exp(n)))))", "1", THESIS, "SymPy"),
    (
        "8.9",
        "log(n)^2*exp(sqrt(log(n))*log(log(n))^2*exp(sqrt(log(log(n)))*log(log(log(n)))^3))/sqrt(n)",
        "0",
        THESIS,
        "SymPy",
    ),
    ("8.10", "n*log(n)*log(n*exp(n) - n^2)^2/log(log(n^2 + 2*exp(exp(3*n^3*log(n)))))", "1/3", THESIS, "SymPy"),
    ("8.11", "(exp(n*exp(-n)/(exp(-n) + exp(-2*n^2/(n + 1)))) - exp(n))/n", "-exp(2)", THESIS, "SymPy"),
    ("8.12", "(3^n + 5^n)^(1/n)", "5", THESIS, "SymPy"),
    ("8.13", "n/log(n^(log(n^(log(2)/log(n)))))", "+inf", THESIS, "SymPy"),
    ("8.14", "exp(exp(2*log(n^5 + n)*log(log(n))))/exp(exp(10*log(n)*log(log(n))))", "+inf", THESIS, "SymPy"),
    (
        "8.15",
        "exp(exp(5/2*n^(-5/7) + 21/8*n^(6/11) + 2*n^(-8) + 54/17*n^(49/45)))^8/log(log(-log(4/3*n^(-5/14))))^(7/6)",
        "+inf",
        THESIS,
        "SymPy",
    ),
    ("8.16", "(exp(4*n*exp(-n)/(1/exp(n) + 1/exp(2*n^2/(n + 1)))) - exp(n))/exp(n)^4", "1", THESIS, "SymPy"),
    ("8.17", "exp(n*exp(-n)/(exp(-n) + exp(-2*n^2/(n + 1))))/exp(n)", "1", THESIS, "SymPy"),
    (
        "8.18",
        "exp(exp(-n/(1 + exp(-n))))*exp(-n/(1 + exp(-n/(1 + exp(-n)))))*exp(exp(-n + exp(-n/(1 + exp(-n)))))"
        "/exp(-n/(1 + exp(-n)))^2 - exp(n) + n",
        "2",
        THESIS,
        "n = 200",
    ),
    ("8.19", "log(n)*(log(log(n) + log(log(n))) - log(log(n)))/log(log(n) + log(log(log(n))))", "1", THESIS, "SymPy"),
    (
        "8.20",
        "exp(log(log(n + exp(log(n)*log(log(n)))))/log(log(log(exp(n) + n + log(n)))))",
        "exp(1)",
        THESIS,
        "SymPy",
    ),
    ("8.21", "exp(n)*(sin(1/n + exp(-n)) - sin(1/n + exp(-n^2)))", "1", THESIS, "SymPy"),
    ("8.23", "exp(exp(n))*(exp(sin(1/n + exp(-exp(n)))) - exp(sin(1/n)))", "1", THESIS, "SymPy"),
    ("8.37", "max(n, exp(n))/log(min(exp(-n), exp(-exp(n))))", "-1", THESIS, "n = 200"),
    ("R", "log(log(n*exp(n*exp(n)) + 1)) - exp(exp(log(log(n)) + 1/n))", "0", "Richardson et al.", "SymPy"),
    ("T1", f"{E9}/{tower('exp', 9, f'n - exp(-{E8})')}", "1", "E1...E8*exp(-E8) -> 0", ""),
    ("T2", f"{E9}/{tower('exp', 9, f'n - 1/{E8}')}", "+inf", "E1...E8/E8 -> inf", ""),
    ("T3", f"{tower('log', 9, E9 + ' + ' + tower('exp', 9, 'n - 1'))} - n", "0", "E9(n - 1)/E9(n) -> 0", ""),
    ("T4", f"({tower('log', 9, f'n*{L9}')} + {L9})/{L9}", "2", "log^9(n log^9 n) ~ log^9 n", ""),
]


def of_sympy(text):
    return sympy.sympify(text.replace("^", "**"), locals={"n": N}, rational=True)


def value_of(limit):
    return {"+inf": sympy.oo, "-inf": -sympy.oo}.get(limit) or of_sympy(limit)


def main():
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["id", "expression", "limit", "source", "also"])
    for name, text, limit, source, also in PROBLEMS:
        if also == "SymPy":
            found = gruntz(of_sympy(text), N, sympy.oo)
            if found != value_of(limit) and sympy.simplify(found - value_of(limit)) != 0:
                sys.exit(f"{name}: {found} is not {limit}")
        elif also:
            found = of_sympy(text).subs(N, int(also.removeprefix("n = "))).evalf(30, maxn=1000)
            if not abs(found - value_of(limit)) < sympy.Rational(1, 10**20):
                sys.exit(f"{name}: {found} is not near {limit}")
        writer.writerow([name, text, limit, source, also])


if __name__ == "__main__":
    main()
