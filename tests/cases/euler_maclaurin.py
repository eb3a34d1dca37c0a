"""Sums of smooth scores to DIGITS digits: term by term up to M, then by Euler-Maclaurin with Taylor coefficients from
power series, the integral by the trapezoidal rule. For make_series_golden.py."""

from mpmath import bernoulli, cos, exp, log, mp, mpf, nstr, sin

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
