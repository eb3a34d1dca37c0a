"""Special functions: in forms and in intervals, between bounds that hold for all x > 0, as their
expansions at infinity envelop them."""
# Tests: tests/certificates/forged_special.py

import re
from fractions import Fraction as Q
from math import factorial

from flint import arb

from gpe.verifier.cell import between
from gpe.verifier.expressions import parse
from gpe.verifier.sums import PI, Form
from gpe.verifier.work import NotShown

WRITTEN_OUT = {
    "tan": "sin(x)/cos(x)",
    "sinh": "(exp(x) - exp(-x))/2",
    "cosh": "(exp(x) + exp(-x))/2",
    "tanh": "1 - 2/(1 + exp(2*x))",
    "sigmoid": "1/(1 + exp(-x))",
    "softplus": "log(1 + exp(x))",
    "ceil": "-floor(-x)",
    "sign": "if(x < 0, -1, if(x > 0, 1, 0))",
    "asin": "2*atan(x/(1 + sqrt(1 - x^2)))",
    "acos": "pi/2 - 2*atan(x/(1 + sqrt(1 - x^2)))",
    "erf": "1 - erfc(x)",
    "gamma": "exp(lgamma(x))",
    "factorial": "exp(lgamma(x + 1))",
    "digamma": "polygamma(0, x)",
}
NAMES = {"atan": 1, "erfc": 1, "lgamma": 1, "polygamma": 2}  # and how many arguments
KNOWN = {*WRITTEN_OUT, *NAMES}


def is_called(name, arguments, taken):
    """Whether a call is one of these; parameters and tables of such a name win, and those that
    are written with it are not functions then."""
    words = {name, *re.findall(r"[a-z]+", WRITTEN_OUT.get(name, ""))}
    return name in KNOWN and len(arguments) == NAMES.get(name, 1) and not words & KNOWN & set(taken)


def of_forms(evaluator, name, arguments):
    xs = [evaluator.value(a) for a in arguments]
    if name in WRITTEN_OUT:
        return evaluator.with_names(x=xs[0]).value(parse(WRITTEN_OUT[name]))
    return Forms(evaluator.cell).call(name, xs)


class Forms:
    """Of forms in a cell."""

    def __init__(self, cell):
        self.cell, self.half = cell, Form.of(PI * Q(1, 2))

    def call(self, name, xs):
        return getattr(self, name)(*xs)

    def over(self, a, b):
        return self.cell.trimmed(a * self.cell.power(b, Form.of(-1)))

    def atan(self, x):
        if not x.t:
            return x
        if self.cell.holds(-x, True):
            return -self.atan(-x)
        if not self.cell.holds(x, False):
            return between(-self.half, self.half)
        if self.cell.holds(-x + 1, False):
            return self.small_atan(x)
        if self.cell.holds(x, True):
            return self.half - self.small_atan(self.cell.power(x, Form.of(-1)))
        return between(Form(), self.half)

    def small_atan(self, y):
        return between(y, y - self.cell.power(y, Form.of(3)) * Q(1, 3))

    def erfc(self, x):
        cell = self.cell
        if not x.t:
            return Form.of(1)
        if cell.holds(-x, True):
            return -self.erfc(-x) + 2
        if not cell.holds(x - 1, False):
            return between(Form(), Form.of(1 if cell.holds(x, False) else 2))
        square = x * x
        most = self.over(cell.exp(-square), x * cell.power(Form.of(PI), Form.of(Q(1, 2))))
        return between(most, cell.trimmed(most - self.over(most, square * 2)))

    def lgamma(self, x):
        cell = self.cell
        self.need_positive(x)
        least = (x - Q(1, 2)) * cell.log(x) - x + cell.log(Form.of(PI * 2)) * Q(1, 2)
        return between(least, least + self.over(Form.of(Q(1, 12)), x))

    def polygamma(self, order, x):
        m = order.rational()
        if m is None or m.denominator != 1 or not 0 <= m <= 100:
            raise NotShown("no whole order")
        self.need_positive(x)

        def term(c, power):
            return self.over(Form.of(c), self.cell.power(x, Form.of(power)))

        m = int(m)
        least = (-self.cell.log(x) if m == 0 else term(factorial(m - 1), m)) + term(Q(factorial(m), 2), m + 1)
        result = between(least, least + term(Q(factorial(m + 1), 12), m + 2))
        return -result if m % 2 == 0 else result

    def need_positive(self, x):
        if not self.cell.holds(x, True):
            raise NotShown("a special function of what may not be positive")


def of_interval(name, xs, not_shown):
    """The ends of a function over the ends of its last argument; None is an end at infinity."""
    low, high = xs[-1]
    if name == "polygamma":
        m = None if None in xs[0] or not xs[0][0] == xs[0][1] else xs[0][0].unique_fmpz()
        if m is None or not 0 <= m <= 100:
            raise not_shown("no whole order")
        m = int(m)
    if name == "atan":
        return (-arb.pi() / 2 if low is None else low.atan()), (arb.pi() / 2 if high is None else high.atan())
    if name == "erfc":
        return (arb(0) if high is None else high.erfc()), (arb(2) if low is None else low.erfc())
    if low is None or not low > 0:
        raise not_shown("a special function of what may not be positive")
    if name == "lgamma":  # falls, and rises from a place between 7/5 and 3/2 on
        if low >= 1.5:
            return low.lgamma(), None if high is None else high.lgamma()
        return (high.lgamma() if high is not None and high <= 1.4 else arb(-0.125)), None if high is None else greater(
            low.lgamma(), high.lgamma()
        )
    if m == 0:
        return low.digamma(), None if high is None else high.digamma()
    at_low = factorial(m - 1) / low**m + factorial(m) / low ** (m + 1)  # a bound of the sum of m!/(low + k)^(m + 1)
    return (arb(0), at_low) if m % 2 else (-at_low, arb(0))


def greater(a, b):
    return a if a.upper() >= b.upper() else b
