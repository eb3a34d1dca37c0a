#!/usr/bin/env python3
"""Writes family_golden.csv: Z, H and the mean distance of scores -delta*n - beta*log(1 + n) - gamma*sqrt(n).

No value comes from Euler-Maclaurin summation with Taylor series, as checks/sums/family/family_sum.h uses: they are
closed forms, expansions whose terms are zeta values, or the terms themselves, added up until nothing is left.

    python3 make_family_golden.py > family_golden.csv
"""

import csv
import sys
from fractions import Fraction

from mpmath import exp, factorial, log, mp, mpf, nstr, sqrt, zeta

DIGITS = 120
mp.dps = DIGITS + 30


def number(fraction):
    return mpf(fraction.numerator) / fraction.denominator


def from_moments(z, minus_s, d):
    """H = log Z + (sum of -A e^A)/Z, and the mean distance."""
    return z, log(z) + minus_s / z, d / z


def geometric(delta, beta, gamma):
    r = exp(-delta)
    z, d = 1 / (1 - r), r / (1 - r) ** 2
    return from_moments(z, delta * d, d)


def zeta_value(delta, beta, gamma):
    z = zeta(beta)
    return from_moments(z, -beta * zeta(beta, derivative=1), zeta(beta - 1) - z)


def square_root(delta, beta, gamma):
    """sum over n >= 1 of n^(j/2) e^(-gamma sqrt n) = 2 (j + 1)!/gamma^(j + 2) + sum_k (-gamma)^k zeta(-(k + j)/2)/k!"""

    def power_sum(j):
        total = 2 * factorial(j + 1) / gamma ** (j + 2)
        term, k = mpf(1), 0
        while abs(term) * factorial((k + j) // 2 + 2) > mpf(10) ** (-mp.dps - 10) or k < 10:
            total += term * zeta(-mpf(k + j) / 2)
            k += 1
            term *= -gamma / k
        return total

    return from_moments(1 + power_sum(0), gamma * power_sum(1), power_sum(2))


def polylogarithm(delta, beta, gamma):
    """sum over m >= 1 of m^-s e^(-delta m) = Gamma(1 - s) delta^(s - 1) + sum_k zeta(s - k) (-delta)^k/k!, s no
    integer; the derivative in s by the same series."""
    from mpmath import gamma as gamma_function
    from mpmath import psi

    def value(s, derivative):
        lead = gamma_function(1 - s) * delta ** (s - 1)
        total = lead * (log(delta) - psi(0, 1 - s)) if derivative else lead
        term, k = mpf(1), 0
        while abs(term) > mpf(10) ** (-mp.dps - 10) / 10**k:
            total += term * zeta(s - k, derivative=derivative)
            k += 1
            term *= -delta / k
        return total

    scale = exp(delta)
    z = scale * value(beta, 0)
    d = scale * value(beta - 1, 0) - z
    return from_moments(z, delta * d - beta * scale * value(beta, 1), d)


def term_by_term(delta, beta, gamma):
    """Until e^(-decay) is below the last digit; the rest is smaller than that times n^2."""
    z, minus_s, d, n = mpf(1), mpf(0), mpf(0), 1
    limit = (mp.dps + 20) * log(10)
    while True:
        decay = delta * n + beta * log(1 + n) + gamma * sqrt(n)
        if decay > limit:
            return from_moments(z, minus_s, d)
        weight = exp(-decay)
        z, minus_s, d, n = z + weight, minus_s + decay * weight, d + n * weight, n + 1


CASES = [  # the names are those of tests/cases/instances.csv where they occur there
    ("V01", "1/16", "0", "0", geometric),
    ("slow line", "1/1000000", "0", "0", geometric),
    ("steep line", "7", "0", "0", geometric),
    ("V02", "0", "101/100", "0", zeta_value),
    ("zeta of 5/2", "0", "5/2", "0", zeta_value),
    ("V05", "0", "0", "1/1000", square_root),
    ("root", "0", "0", "1/3", square_root),
    ("V12", "1/1000000", "1/2", "0", polylogarithm),
    ("slow polylogarithm", "1/1000000000000", "7/3", "0", polylogarithm),
    ("polylogarithm", "1/10", "1/3", "0", polylogarithm),
    ("V11", "1/100", "1/2", "1/10", term_by_term),
    ("steep", "2", "3", "1/7", term_by_term),
    ("root and logarithm", "0", "3/2", "10", term_by_term),
    ("all slopes", "1/48", "1/10", "1/10", term_by_term),
]


def main():
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["name", "delta", "beta", "gamma", "Z", "H", "mean"])
    for name, delta, beta, gamma, method in CASES:
        exponents = [number(Fraction(x)) for x in (delta, beta, gamma)]
        values = list(method(*exponents))
        if delta == gamma == "0" and Fraction(beta) <= 2:
            values[2] = None  # infinite
        out.writerow(
            [name, delta, beta, gamma] + ["" if v is None else nstr(v, DIGITS, strip_zeros=False) for v in values]
        )


if __name__ == "__main__":
    main()
