#!/usr/bin/env python3
"""Writes sums_golden.csv: Z, entropy and mean distance of known laws, to 55 digits, by formulas of mpmath's.

Every law is summed by a second road: a closed form in functions that mpmath has, an expansion, or its terms one by
one until they are below 1e-75. Nothing is shared with the program but the text of the law.

    python3 make_sums_golden.py > sums_golden.csv
"""

import csv
import sys

from mpmath import ceil, diff, e, exp, factorial, gamma, inf, log, mp, mpf, nstr, nsum, sqrt, zeta

mp.dps = 90
DIGITS = 55


def numbers(z, s, d):
    """Z, H and the mean distance from Z = sum e^A, S = sum A e^A, D = sum n e^A."""
    return {"Z": z, "H": log(z) - s / z, "mean": None if d is None else d / z}


def term_by_term(score, first=0):
    """For scores that decay at least as fast as -n/1000 in the end."""
    z = s = d = mpf(0)
    n = first
    while True:
        a = score(n)
        w = exp(a)
        z, s, d = z + w, s + a * w, d + n * w
        if n > first + 50 and w * (n + abs(a)) * 2000 < z * mpf(10) ** -75:
            return numbers(z, s, d)
        n += 1


def geometric(delta, first=0, offset=0):
    r = exp(-delta)
    z = r**first / (1 - r)
    d = z * (first + r / (1 - r))
    return numbers(z * exp(offset), (-delta * d + offset * z) * exp(offset), d * exp(offset))


def _sums(delta, first):
    """S and D of -delta n over n >= first."""
    r = exp(-delta)
    d = r**first / (1 - r) * (first + r / (1 - r))
    return -delta * d, d


def zeta_law(beta, first=0):
    a = first + 1
    z = zeta(beta, a)
    d = zeta(beta - 1, a) - z if beta > 2 else None
    return numbers(z, beta * zeta(beta, a, 1), d)


def polylog(s, delta):
    """Li_s(e^-delta) for small delta and s no positive integer: Gamma(1-s) delta^(s-1) + sum zeta(s-k) (-delta)^k/k!"""
    return gamma(1 - s) * delta ** (s - 1) + nsum(
        lambda k: zeta(s - k) * (-delta) ** k / factorial(k), [0, inf], method="d"
    )


def polylog_law(beta, delta):
    scale = exp(delta)
    li = polylog(beta, delta)
    below = polylog(beta - 1, delta)
    slope = diff(lambda s: polylog(s, delta), beta)
    return numbers(scale * li, scale * (beta * slope - delta * (below - li)), scale * (below - li))


def square_root_law(c):
    """sum_{n>=0} e^(-c sqrt n) = 1 + 2/c^2 + sum_k (-c)^k zeta(-k/2)/k!; S = c Z'(c), D = Z''(c)."""

    def part(order):
        def term(k):
            k = int(k)
            if k < order:
                return mpf(0)
            return (-1) ** k * c ** (k - order) * zeta(-mpf(k) / 2) / factorial(k - order)

        return sum(term(k) for k in range(400))

    return numbers(1 + 2 / c**2 + part(0), c * (-4 / c**3 + part(1)), 12 / c**4 + part(2))


def blocks(value, length, start):
    """sum over blocks k = 0, 1, ... of `length(k)` equal scores value(k), the first of them at n = start(k)."""
    z = s = d = mpf(0)
    for k in range(10000):
        a, count, begin = value(k), mpf(length(k)), mpf(start(k))
        w = exp(a)
        z, s = z + count * w, s + count * a * w
        d += w * (count * begin + count * (count - 1) / 2)
        if k > 10 and w * count * (begin + count) < z * mpf(10) ** -75:
            return numbers(z, s, d)
    raise RuntimeError("too many blocks")


def two_sided(one, at_zero=0):
    """n and -n: every distance but 0, whose score is `at_zero`, twice. `one` holds the numbers of the one-sided law."""
    z, s, d = one["Z"], one["Z"] * (log(one["Z"]) - one["H"]), one["mean"] * one["Z"]
    return numbers(2 * z - exp(at_zero), 2 * s - at_zero * exp(at_zero), 2 * d)


def free_range(beta, free):
    """-beta log(1 + max(0, n - free)): `free` more terms of weight 1 before zeta's."""
    z = free + zeta(beta)
    d = mpf(free * (free - 1)) / 2 + zeta(beta - 1) + (free - 1) * zeta(beta)
    return numbers(z, beta * zeta(beta, 1, 1), d)


TABLE = [mpf(0), mpf(-1) / 2, mpf(-3) / 4, mpf(1) / 4, mpf(-2)]  # tests/cases/sums_table.csv; the last entry repeats

HALF = mpf(1) / 2
rows = []


def law(bias, first, values, options=""):
    for quantity, value in values.items():
        rows.append(
            [bias, first, options, quantity, "infinite" if value is None else nstr(value, DIGITS, strip_zeros=False)]
        )


law("-n/2", 0, geometric(HALF))
law("-n/256", 0, geometric(mpf(1) / 256))
law("-n/1000000", 0, geometric(mpf(10) ** -6))
law("-20*n", 0, geometric(mpf(20)))
law("-log(2)*n", 0, geometric(log(2)))
law("-n/2", 7, geometric(HALF, first=7))
law("3 - n/2", 0, geometric(HALF, offset=mpf(3)))
law("-sqrt(2)*n/10 - pi", 2, geometric(sqrt(2) / 10, first=2, offset=-mp.pi))
law("-2*log(1 + n)", 0, zeta_law(mpf(2)))
law("-3/2*log(1 + n)", 0, zeta_law(mpf(3) / 2))
law("-11/10*log(1 + n)", 0, zeta_law(mpf(11) / 10))
law("-5*log(1 + n)", 0, zeta_law(mpf(5)))
law("-pi*log(1 + n)", 0, zeta_law(mp.pi))
law("-5/2*log(1 + n)", 4, zeta_law(mpf(5) / 2, first=4))
law("-3*log(1 + n)", 1000000, zeta_law(mpf(3), first=1000000))
law("-n - log(1 + n)", 0, term_by_term(lambda n: -n - log(mpf(1 + n))))
law("-n/2 + 3*log(1 + n)", 0, term_by_term(lambda n: -mpf(n) / 2 + 3 * log(mpf(1 + n))))
law("-n/20 - 7/2*log(1 + n)", 0, term_by_term(lambda n: -mpf(n) / 20 - mpf(7) / 2 * log(mpf(1 + n))))
law("-n/100 - log(1 + n)/10", 0, polylog_law(mpf(1) / 10, mpf(1) / 100))
law("-n/1000000 - 3/2*log(1 + n)", 0, polylog_law(mpf(3) / 2, mpf(10) ** -6))
law("2 - n/3 - 1/2*log(1 + n)", 5, term_by_term(lambda n: 2 - mpf(n) / 3 - log(mpf(1 + n)) / 2, first=5))
law("-n - log(1 + n)", 300, term_by_term(lambda n: -n - log(mpf(1 + n)), first=300))
law("t(n) - n/3", 0, term_by_term(lambda n: TABLE[min(n, 4)] - mpf(n) / 3), "table")
law("t(n) - n/3", 2, term_by_term(lambda n: TABLE[min(n, 4)] - mpf(n) / 3, first=2), "table")
law("-floor(n/10)/2", 0, blocks(lambda k: -mpf(k) / 2, lambda k: 10, lambda k: 10 * k))
law("-floor(n/7)", 3, {q: v for q, v in term_by_term(lambda n: -mpf(n // 7), first=3).items()})
law("-floor(sqrt(n))", 0, blocks(lambda k: -mpf(k), lambda k: 2 * k + 1, lambda k: k * k))
law(
    "-3*floor(log(1 + n))",
    0,
    blocks(lambda k: -3 * mpf(k), lambda k: ceil(e ** (k + 1)) - ceil(e**k), lambda k: ceil(e**k) - 1),
)
law("-sqrt(n)", 0, square_root_law(mpf(1)))
law("-sqrt(n)/4", 0, square_root_law(mpf(1) / 4))
law("-3/2*log(1 + max(0, n - 16))", 0, {**free_range(mpf(3) / 2, 16), "mean": None})
law("-5/2*log(1 + max(0, n - 16))", 0, free_range(mpf(5) / 2, 16))
law(
    "-n/100 - log(1 + n)/10 - sqrt(n)/20",
    0,
    term_by_term(lambda n: -mpf(n) / 100 - log(mpf(1 + n)) / 10 - sqrt(mpf(n)) / 20),
)
law("-n/2", 0, two_sided(geometric(HALF)), "two")
law("-n - log(1 + n)", 0, two_sided(term_by_term(lambda n: -n - log(mpf(1 + n)))), "two")
law("1 - n/2", 0, two_sided(geometric(HALF, offset=mpf(1)), mpf(1)), "two")
law("-n/3", 2, numbers(2 * exp(-mpf(2) / 3) / (1 - exp(-mpf(1) / 3)), *(2 * x for x in _sums(mpf(1) / 3, 2))), "two")
law("-abs(n - 6)/2", 0, term_by_term(lambda n: -abs(mpf(n) - 6) / 2))

out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["bias", "first", "options", "quantity", "value"])
out.writerows(rows)
