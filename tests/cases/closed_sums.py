"""Sums in closed form, by expansions in zeta values, and by blocks of equal terms: Z, S and D to DIGITS digits, None
where a sum diverges. For make_series_golden.py."""

from euler_maclaurin import DIGITS
from mpmath import exp, factorial, gamma, log, mp, mpf, zeta


def geometric(delta):
    r = exp(-delta)
    d = r / (1 - r) ** 2
    return [1 / (1 - r), -delta * d, d]


def zeta_case(beta, mean):
    return [zeta(beta), beta * zeta(beta, derivative=1), zeta(beta - 1) - zeta(beta) if mean else None]


def square_root(g):
    """sum_{n>=0} n^j e^(-g sqrt n): Gamma and the expansion in zeta values, convergent for every g."""

    def sum_of(power):
        main = 2 * gamma(2 + 2 * power) / g ** (2 + 2 * power)
        tail = mp.nsum(lambda k: zeta(-power - k / 2) * (-g) ** int(k) / factorial(k), [0, 140], method="direct")
        return main + tail

    return [1 + sum_of(mpf(0)), -g * sum_of(mpf(1) / 2), sum_of(mpf(1))]


def lerch(delta, beta):
    """sum_{n>=0} e^(-delta n) (1+n)^-beta by the expansion of the polylogarithm at small delta."""

    def li(s):
        return gamma(1 - s) * delta ** (s - 1) + mp.nsum(
            lambda k: zeta(s - int(k)) * (-delta) ** int(k) / factorial(k), [0, 40], method="direct"
        )

    e = exp(delta)
    z, d = e * li(beta), e * (li(beta - 1) - li(beta))
    slope = mp.diff(li, beta, h=mpf(10) ** -30)
    return [z, -delta * d + beta * e * slope, d]


def blocks(value, last_of, first):
    """Equal terms from one step of the floor to the next, until they are nothing."""
    sums = [mpf(0)] * 3
    n = first
    while True:
        last = last_of(n)
        a = value(n)
        count = last - n + 1
        w = exp(a)
        sums = [sums[0] + count * w, sums[1] + count * a * w, sums[2] + w * count * (n + last) / 2]
        if n > 1000 and count * (n + last) * w * abs(a) < mpf(10) ** (-DIGITS - 25):
            return sums
        n = last + 1


def dyadic():
    """2^k terms of size 4^-k."""
    return [mpf(2), -4 * log(2), None]


def sixteen_an_octave_of_eight():
    """floor(16 log_8(n/16)) = k for 16·8^(k/16) <= n < 16·8^((k+1)/16), of weight 8^(-k/8)."""
    sums = [mpf(0), mpf(0)]
    for k in range(40 * DIGITS):
        low, high = (int(mp.ceil(16 * mpf(8) ** (mpf(i) / 16) - mpf(10) ** -40 * 8 ** (i / 16))) for i in (k, k + 1))
        a = -k * log(8) / 8
        w = exp(a) * (high - low)
        sums = [sums[0] + w, sums[1] + a * w]
    return sums + [None]
