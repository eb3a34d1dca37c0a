#!/usr/bin/env python3
"""Writes series_golden.csv: Z = sum e^A, S = sum A e^A and D = sum n e^A over all n >= first, to 60 digits.

Nothing here is shared with checks/: no balls, no remainder bounds. Smooth scores are summed term by term up to M, then
by Euler-Maclaurin with Taylor coefficients from power series written out below, the integral by the trapezoidal rule
after a double exponential substitution, in the iterated logarithm of n in which it decays exponentially. Two choices of
M, of the order and of the step must agree to 62 digits. Closed forms and blocks of equal terms are used where they
exist. A sum that diverges has an empty cell.

    python3 make_series_golden.py > series_golden.csv
"""

import csv
import sys

from mpmath import bernoulli, cos, exp, factorial, floor, gamma, log, mp, mpf, nstr, pi, sin, sqrt, zeta

DIGITS = 60
mp.dps = 90


class Series:
    """A truncated power series in t."""

    def __init__(self, c):
        self.c = c

    def of(self, other):
        return other if isinstance(other, Series) else Series([mpf(other)] + [mpf(0)] * (len(self.c) - 1))

    def __add__(self, other):
        return Series([a + b for a, b in zip(self.c, self.of(other).c, strict=True)])

    __radd__ = __add__

    def __neg__(self):
        return Series([-a for a in self.c])

    def __sub__(self, other):
        return self + -self.of(other)

    def __rsub__(self, other):
        return self.of(other) - self

    def __mul__(self, other):
        if not isinstance(other, Series):
            return Series([a * other for a in self.c])
        n = len(self.c)
        return Series([mp.fdot(self.c[: k + 1], other.c[k::-1] if k < n - 1 else other.c[::-1]) for k in range(n)])

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self * power(self.of(other), -1)

    def __rtruediv__(self, other):
        return self.of(other) / self


def exp_of(x):
    if not isinstance(x, Series):
        return exp(x)
    e = [exp(x.c[0])]
    for k in range(1, len(x.c)):
        e.append(sum(i * x.c[i] * e[k - i] for i in range(1, k + 1)) / k)
    return Series(e)


def log_of(x):
    if not isinstance(x, Series):
        return log(x)
    r = [log(x.c[0])]
    for k in range(1, len(x.c)):
        r.append((x.c[k] - sum(i * r[i] * x.c[k - i] for i in range(1, k)) / k) / x.c[0])
    return Series(r)


def power(x, p):
    if not isinstance(x, Series):
        return x**p
    r = [x.c[0] ** p]
    for k in range(1, len(x.c)):
        r.append(sum((p * i - (k - i)) * x.c[i] * r[k - i] for i in range(1, k + 1)) / (k * x.c[0]))
    return Series(r)


def sin_of(x):
    if not isinstance(x, Series):
        return sin(x)
    s, c = [sin(x.c[0])], [cos(x.c[0])]
    for k in range(1, len(x.c)):
        s.append(sum(i * x.c[i] * c[k - i] for i in range(1, k + 1)) / k)
        c.append(-sum(i * x.c[i] * s[k - i] for i in range(1, k + 1)) / k)
    return Series(s)


def root(x):
    return power(x, mpf(1) / 2)


def boundary(a, m, order):
    """f(M)/2 - sum B_2k/(2k)! f^(2k-1)(M) for f = e^A, A e^A, n e^A."""
    n = Series([mpf(m), mpf(1)] + [mpf(0)] * (order - 1))
    s = a(n)
    f = exp_of(s)
    sums = []
    for g in (f, s * f, n * f):
        sums.append(g.c[0] / 2 - sum(bernoulli(2 * k) / (2 * k) * g.c[2 * k - 1] for k in range(1, order // 2 + 1)))
    return sums


def integral(g, start, step):
    """Of g over [start, infinity), where g decays exponentially: v = start + e^(s - e^-s), the
    step halved until it is small enough."""

    def points(first, stride):
        total = mpf(0)
        for side in (1, -1):
            k = first if side == 1 else first - stride
            small = 0
            while small < 4:
                e = exp(-k * step)
                v = exp(k * step - e)
                term = g(start + v) * v * (1 + e)
                total += term
                small = small + 1 if abs(term) <= abs(total) * mpf(10) ** (-DIGITS - 12) else 0
                k += side * stride
        return total

    total = points(0, 1)
    for _ in range(8):
        step /= 2
        new = points(1, 2)
        if abs(new - total) <= abs(total) * mpf(10) ** (-DIGITS * 3 // 4):  # each halving about doubles the digits
            return (total + new) * step
        total += new
    raise ValueError("the integral does not settle")


def iterated_log(x, times):
    for _ in range(times):
        x = log(x)
    return x


def smooth(a, a_log, first, parts, base=0, single=None):
    """a(n) for numbers and series; a_log(u) = A(e^u) without cancellation; single: A at single
    numbers, where it differs there.

    parts: the integrals over [M, infinity) of Z, S and D: "log" in u = log n, (k, g) of g(v) in v = log^k n, a function
    of M that gives them exactly, or None where the sum diverges.
    """
    factors = [lambda u: 1, a_log, exp]

    def part(i, kind, m, step):
        if callable(kind):
            return kind(mpf(m))
        if kind == "log":
            kind = (1, lambda u: factors[i](u) * exp(a_log(u) + u))
        level, g = kind
        return integral(g, iterated_log(mpf(m), level), step)

    def run(m, order, step):
        sums = terms(single or a, first, m)
        ends = boundary(a, m, order)
        return [None if kind is None else sums[i] + ends[i] + part(i, kind, m, step) for i, kind in enumerate(parts)]

    one = run(base + 260, 110, mpf(1) / 13)
    two = run(base + 331, 100, mpf(1) / 15)
    for x, y in zip(one, two, strict=True):
        if x is not None and abs(x - y) > abs(x) * mpf(10) ** (-DIGITS - 2):
            raise ValueError(f"{nstr(x, 70)} and {nstr(y, 70)}")
    return one


def small(u):
    return exp(-u) if u < 10**6 else mpf(0)


def terms(a, first, last):
    sums = [mpf(0)] * 3
    for n in range(first, last):
        w = exp(a(mpf(n)))
        sums = [sums[0] + w, sums[1] + a(mpf(n)) * w, sums[2] + n * w]
    return sums


def q(x, y):
    return mpf(x) / y


L = log_of


def L2(n):
    return L(L(n))


def L3(n):
    return L(L(L(n)))


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

    return [1 + sum_of(mpf(0)), -g * sum_of(q(1, 2)), sum_of(mpf(1))]


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
