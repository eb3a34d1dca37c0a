"""Definedness: the formulas of a law have a value at every n (and L >= n) that is seen.

require(law, cell, free)      raises NotShown. free: parameters that may have any value in the cell
"""
# Tests: tests/certificates/forged_undefined.py

import contextlib
from fractions import Fraction as Q

from flint import arb

from gpe.verifier import special
from gpe.verifier.blocks import Formula
from gpe.verifier.cell import Cell
from gpe.verifier.enclosures import ball
from gpe.verifier.expressions import mentioned, parse
from gpe.verifier.work import NotShown, spend

INFINITY = 10**400  # an end that is not there
WIDE = (None, None)  # any number at all; None is an end at infinity


def least(ends):
    return None if any(e is None for e in ends) else min(ends, key=lambda e: e.lower())


def hull(*several):
    """The smallest interval that is known to contain these."""
    lows, highs = [a for a, _ in several], [b for _, b in several]
    low = None if None in lows else -max((-a for a in lows), key=lambda a: a.upper())
    return low, None if None in highs else max(highs, key=lambda b: b.upper())


def negative(x):
    return (None if x[1] is None else -x[1]), (None if x[0] is None else -x[0])


def added(x, y):
    return tuple(None if a is None or b is None else a + b for a, b in zip(x, y, strict=True))


def product(x, y):
    if None not in x + y:
        ends = [a * b for a in x for b in y]
        return hull(*((e, e) for e in ends))
    x_down, y_down = is_at_most(x, 0), is_at_most(y, 0)  # with an end at infinity: signs only
    if (x_down or is_at_least(x, 0)) and (y_down or is_at_least(y, 0)):
        low = negative(x)[0] if x_down else x[0]
        other = negative(y)[0] if y_down else y[0]
        result = (low * other, None)
        return negative(result) if x_down != y_down else result
    return WIDE


def is_at_least(x, q):
    return x[0] is not None and bool(x[0] >= q)


def is_at_most(x, q):
    return x[1] is not None and bool(x[1] <= q)


class Values:
    def __init__(self, law, names):
        self.law, self.names, self.steps = law, names, 0

    def need(self, condition, what):
        if not condition:
            raise NotShown(what)

    def at(self, e):
        self.steps += 1
        spend(1)
        self.need(self.steps < 100000, "a formula of too many steps")
        kind = e[0]
        if kind == "number":
            return (ball(e[1]),) * 2
        if kind == "name":
            if e[1] == "pi":
                return (arb.pi(),) * 2
            self.need(e[1] in self.names, f"'{e[1]}' is not known")
            return self.names[e[1]]
        if kind == "neg":
            return negative(self.at(e[1]))
        if kind in "+-":
            y = self.at(e[2])
            return added(self.at(e[1]), y if kind == "+" else negative(y))
        if kind == "*":
            return product(self.at(e[1]), self.at(e[2]))
        if kind == "/":
            return product(self.at(e[1]), self.inverse(self.at(e[2])))
        if kind == "^":
            return self.power(self.at(e[1]), self.at(e[2]), e[2])
        if kind == "if":
            known = self.compared(e[1], added(self.at(e[2]), negative(self.at(e[3]))))
            if known is None:
                return hull(self.at(e[4]), self.at(e[5]))
            return self.at(e[4]) if known else self.at(e[5])
        return self.call(e[1], e[2])

    def compared(self, relation, x):
        positive, negative_ = x[0] is not None and bool(x[0] > 0), x[1] is not None and bool(x[1] < 0)
        zero = None not in x and bool(x[0] == 0) and bool(x[1] == 0)
        if relation in ("=", "!="):
            known = zero or positive or negative_
            return (relation == "=") == zero if known else None
        if relation[0] == "<":
            return self.compared(">" + relation[1:], negative(x))
        if positive or (relation == ">=" and is_at_least(x, 0)):
            return True
        return False if negative_ or (relation == ">" and is_at_most(x, 0)) else None

    def inverse(self, x):
        if x[1] is not None and bool(x[1] < 0):
            return negative(self.inverse(negative(x)))
        self.need(x[0] is not None and bool(x[0] > 0), "a division by what may be 0")
        return (arb(0) if x[1] is None else 1 / x[1]), 1 / x[0]

    def power(self, x, y, exponent):
        whole = (
            exponent[0] == "number"
            and exponent[1].denominator == 1
            and exponent[1]
            or exponent[0] == "neg"
            and exponent[1][0] == "number"
            and exponent[1][1].denominator == 1
            and -exponent[1][1]
        )
        if whole and abs(whole) <= 64:
            base, result = (x if whole > 0 else self.inverse(x)), (arb(1),) * 2
            for _ in range(abs(int(whole))):
                result = product(result, base)
            return (arb(0), result[1]) if whole % 2 == 0 and not is_at_least(result, 0) else result
        if None not in x and bool(x[0] == x[1]) and bool(x[0] < 0) and self.whole(exponent):
            high = self.power(negative(x), y, exponent)[1]
            return None if high is None else -high, high
        if x[0] is not None and bool(x[0] > 0):
            return self.exp(product(y, self.log(x)))
        self.need(is_at_least(x, 0) and y[0] is not None and bool(y[0] > 0), "a power of what may not be positive")
        return (arb(0), None if x[1] is None or y[1] is None else hull(*(((x[1] + 1) ** e,) * 2 for e in y))[1])

    def log(self, x):
        self.need(x[0] is not None and bool(x[0] > 0), "the logarithm of what may not be positive")
        return x[0].log(), None if x[1] is None else x[1].log()

    def exp(self, x):
        high = None if x[1] is None or not x[1] < 10**6 else x[1].exp()
        low = arb(1 if is_at_least(x, 10**6) else 0)
        if x[0] is not None and x[0] < 10**6:
            low = x[0].exp()
        return low, high

    def call(self, name, arguments):
        if name == "sum":
            low, high = self.at(arguments[1]), self.at(arguments[2])
            ends = [e.unique_fmpz() if e is not None and e.is_exact() else None for e in (low[0], high[1])]
            self.need(None not in ends and low[0] == low[1] and high[0] == high[1], "a sum without whole bounds")
            total, variable, outside = (arb(0),) * 2, arguments[0][1], self.names
            self.need(variable not in outside, "a sum over a name that is known")
            for k in range(int(ends[0]), int(ends[1]) + 1):
                self.names = {**outside, variable: (arb(k),) * 2}
                total = added(total, self.at(arguments[3]))
            self.names = outside
            return total
        known = special.is_called(name, arguments, {*self.law.j["tables"], *self.names})
        if known and name in special.WRITTEN_OUT:
            return Values(self.law, {"x": self.at(arguments[0])}).at(parse(special.WRITTEN_OUT[name]))
        if name == "H":
            self.need("H" in self.names and arguments == [("name", "n")], "no entropy of this")
            return self.names["H"]
        xs = [self.at(a) for a in arguments]
        if known:
            return special.of_interval(name, xs, NotShown)
        if name in ("min", "max"):
            self.need(len(xs) > 1, "min and max of one")
            return negative(self.largest([negative(x) for x in xs])) if name == "min" else self.largest(xs)
        self.need(len(xs) == 1, f"{name} takes one argument")
        x = xs[0]
        if name == "log":
            if not (x[0] is not None and x[0] > 0) and self.is_positive(arguments[0]):
                return None, None if x[1] is None else x[1].log()
            return self.log(x)
        if name == "exp":
            return self.exp(x)
        if name == "sqrt":
            self.need(is_at_least(x, 0), "the root of what may be negative")
            return x[0].sqrt(), None if x[1] is None else x[1].sqrt()
        if name == "abs":
            return self.largest([x, negative(x)])
        if name == "floor":
            return (None if x[0] is None else x[0].floor()), None if x[1] is None else x[1].floor()
        if name in ("sin", "cos"):
            return arb(-1), arb(1)
        return self.table(name, x, arguments[0])

    def is_positive(self, e):
        """Whether it is positive wherever it has a value; of exp(-n) on a half-line the lower end is 0."""
        if e[0] == "call" and e[1] in ("exp", "min"):
            return e[1] == "exp" or all(map(self.is_positive, e[2]))
        low = self.at(e)[0]
        return low is not None and bool(low > 0)

    def largest(self, xs):
        lows = [x[0] for x in xs if x[0] is not None]
        low = max(lows, key=lambda e: e.lower()) if lows else None
        return low, hull(*xs)[1]

    def table(self, name, x, index):
        self.need(name in self.law.j["tables"], f"no function is called {name}")
        table = self.law.j["tables"][name]
        spend(len(table["values"]))
        first, values = table["first"], [arb(ball(Q(v))) for v in table["values"]]
        self.need(self.whole(index), "an index that may not be whole")
        self.need(
            is_at_least(x, first) and (table["beyond"] == "constant" or is_at_most(x, first + len(values) - 1)),
            f"an index outside of table {name}",
        )
        if None not in x and x[0] == x[1]:
            values = [values[min(int(x[0].lower().floor().unique_fmpz()) - first, len(values) - 1)]]
        return hull(*((v, v) for v in values))

    def whole(self, e):
        """Whether the values are integers."""
        if e[0] == "number":
            return e[1].denominator == 1
        if e[0] == "name":
            x = self.names.get(e[1], WIDE)
            return e[1] in ("n", "L", "j") or (
                None not in x and x[0].is_exact() and bool(x[0] == x[1]) and x[0].is_integer()
            )
        if e[0] == "call" and e[1] == "floor":
            return True
        if e[0] == "call" and e[1] in ("min", "max", "abs"):
            return all(map(self.whole, e[2]))
        if e[0] == "if":
            return self.whole(e[4]) and self.whole(e[5])
        return e[0] in ("+", "-", "*", "neg") and all(map(self.whole, e[1:]))


class Definedness:
    def __init__(self, law, free):
        self.law, self.boxes = law, 0
        place = {
            "d": law.d,
            "h": law.j["head"],
            "heads": law.j["heads"],
            "layer": law.j["layer"],
            "layers": law.j["layers"],
        }
        self.names = {name: (arb(value),) * 2 for name, value in place.items()}
        for p in law.j["parameters"]:
            self.names[p["name"]] = (
                WIDE
                if p["name"] in free
                else Values(law, {name: self.names[name] for name in place}).at(parse(p["value"]))
            )
        self.names["j"] = (arb(0), arb(law.d // 2 - 1))
        self.names["H"] = (arb(0), None)
        self.length = any("L" in mentioned(law.formula(key)) for key in ("bias", "gain", "scale", "angle"))

    def values(self, n, L):
        """One box; n and L are pairs of integers, or None for no end."""
        self.boxes += 1
        if self.boxes > 2000:
            raise NotShown("the score has a value on too many boxes")
        law = self.law
        names = {**self.names, "n": self.interval(n), "L": self.interval(L)}
        evaluate = Values(law, names)
        for key in ("gain", "bias", "scale", "rate", "decay"):
            if law.formula(key):
                evaluate.at(parse(law.formula(key)))
        if law.formula("softcap"):
            evaluate.need(
                bool((evaluate.at(parse(law.formula("softcap")))[0] or arb(0)) > 0), "a soft cap that is not positive"
            )
        if self.length and "L" in mentioned(law.formula("bias")):
            Values(law, {**names, "n": self.interval((law.first, law.first))}).at(parse(law.formula("bias")))
        if law.turns:
            if alpha := law.meaning_of_alpha():
                evaluate.names["alpha"] = evaluate.at(parse(alpha))
            evaluate.at(parse(law.formula("angle")))

    @staticmethod
    def interval(ends):
        return tuple(None if e is None else arb(e) for e in ends)

    def lengths(self, n, low, high):
        """All L from low to high, for one block of distances."""
        try:
            return self.values(n, (low, high))
        except NotShown:
            if low == high or not self.length:
                raise
        middle = low + (high - low) // 2 if high is not None else 2 * low + 1
        self.lengths(n, low, middle)
        self.lengths(n, middle + 1, high)

    def cover(self, low, high):
        try:
            return self.lengths((low, high), low, None) if low == high else self.values((low, high), (low, None))
        except NotShown:
            if low == high or (high is None and low > 10**12):
                raise
        middle = low + (high - low) // 2 if high is not None else 2 * low + 1
        self.cover(low, middle)
        self.cover(middle + 1, high)


def require(law, cell, free):
    """All formulas have a value for all parameters of the cell: whatever these are, by intervals; or by forms."""
    e, window, cap = law.evaluator(cell, free), law.j["window"], law.j["softcap"]
    if window is not None and not cell.holds(e(window) - 1, False):
        raise NotShown("the window may have no key")
    if cap is not None and not cell.holds(e(cap), True):
        raise NotShown("a soft cap that may not be positive")
    last = law.last_seen(free)
    with contextlib.suppress(NotShown):
        return Definedness(law, free).cover(law.first, last)
    for key in ("bias", "gain", "scale", "rate", "decay", "angle"):
        if law.formula(key):
            Formula(key, law, cell, free).show()


def is_shown(law, cell, free):
    try:
        require(law, cell, free)
    except NotShown:
        return False
    return True


def cell_of(law, free):
    """What free parameters may be."""
    cell = Cell()
    e = law.evaluator(cell, free)
    if "B" in free:
        cell.assume(e("B"), ">")
    for p in law.j["parameters"]:
        for f, r in e.conditions(p["domain"]) if p["name"] in free and p["domain"] is not None else ():
            if r != "!=":
                cell.assume(f, r)
    return cell
