#!/usr/bin/env python3
"""Writes frontier_golden.csv: delta*, and the least entropy for a local range.

delta* is the root of an entropy difference whose sums are added up term by term; the least entropy is the least of all
vertices of the box of weights, each added up token by token. Neither uses the closed forms of checks/.

    python3 make_frontier_golden.py > frontier_golden.csv
"""

import csv
import sys
from fractions import Fraction

from mpmath import exp, findroot, log, mp, mpf, nstr, sqrt

DIGITS = 40
mp.dps = DIGITS + 15


def number(text):
    fraction = Fraction(text)
    return mpf(fraction.numerator) / fraction.denominator


def entropy(scores):
    weights = [exp(a) for a in scores]
    z = sum(weights)
    return log(z) - sum(a * w for a, w in zip(scores, weights, strict=True)) / z


def ape_entropy(delta, beta, gamma):
    scores, n = [], 0
    while True:
        score = -delta * n - beta * log(1 + n) - gamma * sqrt(n)
        if score < -(mp.dps + 8) * log(10):
            return entropy(scores)
        scores.append(score)
        n += 1


def delta_star(m, beta, gamma):
    target = ape_entropy(m, 0, 0)
    return findroot(lambda delta: ape_entropy(delta, beta, gamma) - target, (m / 2, m), solver="anderson")


def least_entropy(c1, count):
    return min(entropy([mpf(0)] * (1 + full) + [-c1] * (count - full)) for full in range(count + 1))


DELTA_STARS = [
    ("1/16", "1/10", "1/10"),
    ("1/2", "1/10", "0"),
    ("1/4", "0", "1/3"),
    ("1/8", "1/2", "1/20"),
    ("2", "6/5", "0"),
    ("1", "0", "1/1000"),
]
LEAST = [
    ("1", 0),
    ("1", 1),
    ("1", 2),
    ("1", 15),
    ("1", 64),
    ("1/2", 7),
    ("3", 20),
    ("5", 1),
    ("5", 30),
    ("1/100", 100),
    ("10", 50),
]


def main():
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["kind", "a", "b", "c", "value"])
    for case in DELTA_STARS:
        out.writerow(["delta_star", *case, nstr(delta_star(*map(number, case)), DIGITS, strip_zeros=False)])
    for c1, count in LEAST:
        out.writerow(
            ["least_entropy", c1, count, "", nstr(least_entropy(number(c1), count), DIGITS, strip_zeros=False)]
        )


if __name__ == "__main__":
    main()
