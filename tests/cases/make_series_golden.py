#!/usr/bin/env python3
"""Writes series_golden.csv: Z = sum e^A, S = sum A e^A and D = sum n e^A over all n >= first, to 60 digits.

Nothing here is shared with checks/: no balls, no remainder bounds. Smooth scores are summed term by term up to M, then
by Euler-Maclaurin with Taylor coefficients from power series written out here, the integral by the trapezoidal rule
after a double exponential substitution, in the iterated logarithm of n in which it decays exponentially. Two choices of
M, of the order and of the step must agree to 62 digits. Closed forms and blocks of equal terms are used where they
exist. A sum that diverges has an empty cell.

    python3 make_series_golden.py > series_golden.csv
"""

import csv
import sys

from closed_sums import blocks, dyadic, geometric, lerch, sixteen_an_octave_of_eight, square_root, zeta_case
from euler_maclaurin import DIGITS, exp_of, integral, iterated_log, log_of, power, root, sin_of, small, smooth, terms
from mpmath import exp, floor, log, mp, mpf, nstr, pi, sin, sqrt


def q(x, y):
    return mpf(x) / y


L = log_of


def L2(n):
    return L(L(n))


def L3(n):
    return L(L(L(n)))


beta = pi - q(214159, 100000)


def v10_entropy(m):
    v = log(log(m))
    rest = integral(lambda v: (2 * v + q(101, 100) * log(v)) * exp(-v) * v ** q(-101, 100), v, mpf(1) / 13)
    return -100 * v ** q(-1, 100) - rest


def w11_integrand(w):
    """e^(A + u + v + w) for u = e^v, v = e^w: with x = 2 v + 4 w, u - sqrt(u^2 + u x) = -x/2 +
    x^2/(2 u (1 + sqrt(1 + x/u))^2)."""
    if w > 8:
        return exp(-w)
    u, x = exp(exp(w)), 2 * exp(w) + 4 * w
    return exp(x * x / (2 * u * (1 + sqrt(1 + x / u)) ** 2) - w)


def half(x, u):
    """u - sqrt(u^2 + u x)"""
    return -x / (1 + sqrt(1 + x / u))


V17 = (lambda n: -L(n) * (1 + 1 / L2(n)), lambda u: -u * (1 + 1 / log(u)), 3, ("log", "log", None))

CASES = [
    ("V01", "-n/16", 0, lambda: geometric(q(1, 16))),
    ("V02", "-(101/100)*log(1 + n)", 0, lambda: zeta_case(q(101, 100), False)),
    ("V05", "-sqrt(n)/1000", 0, lambda: square_root(q(1, 1000))),
    (
        "V06",
        "-log(n) - 2*log(log(n))",
        3,
        lambda: smooth(lambda n: -L(n) - 2 * L2(n), lambda u: -u - 2 * log(u), 3, (lambda m: 1 / log(m), None, None)),
    ),
    (
        "V08",
        "-log(n) - log(log(n)) - (101/100)*log(log(log(n)))",
        16,
        lambda: smooth(
            lambda n: -L(n) - L2(n) - q(101, 100) * L3(n),
            lambda u: -u - log(u) - q(101, 100) * log(log(u)),
            16,
            (lambda m: 100 * log(log(m)) ** q(-1, 100), None, None),
        ),
    ),
    (
        "V09",
        "-log(n) - 3*log(log(n))",
        3,
        lambda: smooth(
            lambda n: -L(n) - 3 * L2(n),
            lambda u: -u - 3 * log(u),
            3,
            (
                lambda m: 1 / (2 * log(m) ** 2),
                lambda m: -1 / log(m) - 3 * (2 * log(log(m)) + 1) / (4 * log(m) ** 2),
                None,
            ),
        ),
    ),
    (
        "V10",
        "-log(n) - 2*log(log(n)) - (101/100)*log(log(log(n)))",
        16,
        lambda: smooth(
            lambda n: -L(n) - 2 * L2(n) - q(101, 100) * L3(n),
            lambda u: -u - 2 * log(u) - q(101, 100) * log(log(u)),
            16,
            ((2, lambda v: exp(-v) * v ** q(-101, 100)), v10_entropy, None),
        ),
    ),
    (
        "V11",
        "-n/100 - log(1 + n)/2 - sqrt(n)/10",
        0,
        lambda: smooth(
            lambda n: -n / 100 - L(1 + n) / 2 - root(n) / 10 if n != 0 else mpf(0),
            lambda u: -exp(u) / 100 - log(1 + exp(u)) / 2 - exp(u / 2) / 10,
            0,
            ("log", "log", "log"),
        ),
    ),
    ("V12", "-n/1000000 - log(1 + n)/2", 0, lambda: lerch(q(1, 10**6), q(1, 2))),
    (
        "V14",
        "-n^(1/100)",
        1,
        lambda: smooth(lambda n: -exp_of(L(n) / 100), lambda u: -exp(u / 100), 1, ("log", "log", "log")),
    ),
    (
        "V15",
        "-log(n)^(11/10)",
        1,
        lambda: smooth(lambda n: -power(L(n), q(11, 10)), lambda u: -(u ** q(11, 10)), 1, ("log", "log", "log")),
    ),
    (
        "V16",
        "-log(n)*log(log(n))^(1/10)",
        3,
        lambda: smooth(
            lambda n: -L(n) * power(L2(n), q(1, 10)), lambda u: -u * log(u) ** q(1, 10), 3, ("log", "log", None)
        ),
    ),
    ("V17", "-log(n)*(1 + 1/log(log(n)))", 3, lambda: smooth(*V17)),
    ("V21", "sqrt(n)*sin(n) - n/10", 0, lambda: terms(lambda n: sqrt(n) * sin(n) - n / 10, 0, 2800)),
    ("V22", "-2*floor(log(1 + n)/log(2))*log(2)", 0, dyadic),
    (
        "V24",
        "n - sqrt(n^2 + 3*n*log(n))",
        1,
        lambda: smooth(
            lambda n: -3 * n * L(n) / (n + root(n * n + 3 * n * L(n))),
            lambda u: -3 * u / (1 + sqrt(1 + 3 * u * small(u))),
            1,
            ("log", "log", None),
        ),
    ),
    (
        "V26",
        "-log(n) - sqrt(log(n))",
        1,
        lambda: smooth(lambda n: -L(n) - root(L(n)), lambda u: -u - sqrt(u), 1, ("log", "log", None)),
    ),
    (
        "V28",
        "-2*log(n)*(exp(n + exp(-n)) - exp(n))",
        1,
        lambda: smooth(
            lambda n: -2 * L(n),
            lambda u: -2 * u,
            1,
            ("log", "log", None),
            single=lambda n: -2 * log(n) * (mp.expm1(exp(-n)) * exp(n)),
        ),
    ),
    (
        "V32",
        "-log(n + sqrt(n)) - 2*log(log(n))",
        3,
        lambda: smooth(
            lambda n: -L(n + root(n)) - 2 * L2(n),
            lambda u: -u - mp.log1p(small(u / 2)) - 2 * log(u),
            3,
            ((2, lambda v: exp(-v) / (1 + exp(-exp(v) / 2))), None, None),
        ),
    ),
    (
        "V33",
        "-log(n)*(1 + log(log(n))/sqrt(log(n)))",
        3,
        lambda: smooth(
            lambda n: -L(n) * (1 + L2(n) / root(L(n))), lambda u: -u - sqrt(u) * log(u), 3, ("log", "log", None)
        ),
    ),
    (
        "V35",
        "-log(log(n))*log(n)",
        3,
        lambda: smooth(lambda n: -L2(n) * L(n), lambda u: -log(u) * u, 3, ("log", "log", "log")),
    ),
    (
        "V36",
        "-log(n)*log(log(log(n)))",
        16,
        lambda: smooth(lambda n: -L(n) * L3(n), lambda u: -u * log(log(u)), 16, ("log", "log", "log")),
    ),
    (
        "W10b",
        "-sqrt(log(n)^2 + 4*log(n)*log(log(n)))",
        3,
        lambda: smooth(
            lambda n: -root(L(n) * L(n) + 4 * L(n) * L2(n)),
            lambda u: -u * sqrt(1 + 4 * log(u) / u),
            3,
            ((2, lambda v: exp(half(4 * v, exp(v)) + v)), None, None),
        ),
    ),
    (
        "W11",
        "-sqrt(log(n)^2 + 2*log(n)*log(log(n)) + 4*log(n)*log(log(log(n))))",
        16,
        lambda: smooth(
            lambda n: -root(L(n) * L(n) + 2 * L(n) * L2(n) + 4 * L(n) * L3(n)),
            lambda u: -u * sqrt(1 + (2 * log(u) + 4 * log(log(u))) / u),
            16,
            ((3, w11_integrand), None, None),
        ),
    ),
    (
        "W12",
        "-exp(log(log(n)) + 1/log(log(n)))",
        3,
        lambda: smooth(lambda n: -L(n) * exp_of(1 / L2(n)), lambda u: -u * exp(1 / log(u)), 3, ("log", "log", None)),
    ),
    (
        "W19a",
        "-max(log(n), sqrt(n)/10)",
        1,
        lambda: smooth(
            lambda n: -root(n) / 10,
            lambda u: -exp(u / 2) / 10,
            1,
            ("log", "log", "log"),
            base=9000,
            single=lambda n: -max(log(n), sqrt(n) / 10),
        ),
    ),
    (
        "W19b",
        "-min(2*log(n), sqrt(n))",
        1,
        lambda: smooth(
            lambda n: -2 * L(n), lambda u: -2 * u, 1, ("log", "log", None), single=lambda n: -min(2 * log(n), sqrt(n))
        ),
    ),
    (
        "W20",
        "-floor(sqrt(n))",
        0,
        lambda: blocks(lambda n: -floor(sqrt(mpf(n))), lambda n: (int(floor(sqrt(mpf(n)))) + 1) ** 2 - 1, 0),
    ),
    ("W21b", "-floor(16*log(n/16)/log(8))*log(8)/8", 16, sixteen_an_octave_of_eight),
    (
        "W25",
        "-log(n) - log(log(n)) - log(log(log(n))) - 2*log(log(log(log(n))))",
        10**7,
        lambda: smooth(
            lambda n: -L(n) - L2(n) - L3(n) - 2 * L(L3(n)),
            lambda u: -u - log(u) - log(log(u)) - 2 * log(log(log(u))),
            10**7,
            (lambda m: 1 / iterated_log(m, 3), None, None),
            base=10**7,
        ),
    ),
    ("W27", "-log(n)*(pi - 214159/100000)", 1, lambda: zeta_case(beta, False)[:2] + [None]),
    ("W30", "-log(n)*(sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)) + 1 + 1/log(log(n)))", 3, lambda: smooth(*V17)),
    # beyond the instances: an early start far from the settled form, shifts, slow oscillation, growth before decay
    (
        "X01",
        "-2*log(n) - abs(log(log(n)))",
        2,
        lambda: smooth(
            lambda n: -2 * L(n) - L2(n),
            lambda u: -2 * u - log(u),
            2,
            ("log", "log", None),
            single=lambda n: -2 * log(n) - abs(log(log(n))),
        ),
    ),
    (
        "X02",
        "-n/1000000 - log(1 + n)/2 - sqrt(n)/1000",
        0,
        lambda: smooth(
            lambda n: -n / 10**6 - L(1 + n) / 2 - root(n) / 1000 if n != 0 else mpf(0),
            lambda u: -exp(u) / 10**6 - log(1 + exp(u)) / 2 - exp(u / 2) / 1000,
            0,
            ("log", "log", "log"),
        ),
    ),
    (
        "X03",
        "-(11/10)*log(7 + n) + 2/(1 + n)",
        4,
        lambda: smooth(
            lambda n: -q(11, 10) * L(7 + n) + 2 / (1 + n),
            lambda u: -q(11, 10) * (u + mp.log1p(7 * small(u))) + 2 * small(u) / (1 + small(u)),
            4,
            ("log", "log", None),
        ),
    ),
    (
        "X04",
        "-2*log(n) + sin(log(n))/2",
        1,
        lambda: smooth(lambda n: -2 * L(n) + sin_of(L(n)) / 2, lambda u: -2 * u + sin(u) / 2, 1, ("log", "log", None)),
    ),
    (
        "X05",
        "40*log(1 + n) - sqrt(n)*log(1 + n)",
        0,
        lambda: smooth(
            lambda n: (40 - root(n)) * L(1 + n) if n != 0 else mpf(0),
            lambda u: (40 - exp(u / 2)) * log(1 + exp(u)),
            0,
            ("log", "log", "log"),
            base=5000,
        ),
    ),
    (
        "X06",
        "-log(n)^3/100",
        1,
        lambda: smooth(lambda n: -L(n) * L(n) * L(n) / 100, lambda u: -(u**3) / 100, 1, ("log", "log", "log")),
    ),
    (
        "X07",
        "if(n < 50, n/10, 8 - n/10 - log(n - 40))",
        0,
        lambda: smooth(
            lambda n: 8 - n / 10 - L(n - 40),
            lambda u: 8 - exp(u) / 10 - log(exp(u) - 40),
            0,
            ("log", "log", "log"),
            base=100,
            single=lambda n: n / 10 if n < 50 else 8 - n / 10 - log(n - 40),
        ),
    ),
]


def main():
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["id", "score", "first", "Z", "S", "D"])
    only = sys.argv[1:]
    for name, score, first, compute in CASES:
        if only and name not in only:
            continue
        try:
            values = compute()
        except Exception as error:
            if not only:
                raise SystemExit(f"{name}: {error}") from error
            raise
        out.writerow([name, score, first] + ["" if x is None else nstr(x, DIGITS, strip_zeros=False) for x in values])


if __name__ == "__main__":
    main()
