"""F1 to F5: functions of x in a cell of parameters, for x >= X0 (logs = [L_1(X0), ...]) or near infinity (no logs)."""
# Tests: tests/certificates/forgeries.py

import contextlib
from fractions import Fraction as Q

from flint import arb

from gpe.verifier.enclosures import above, ball, enclose
from gpe.verifier.signs import Signs
from gpe.verifier.sums import ATOMS, Constant, Form, scaled, single, text, unknown
from gpe.verifier.work import NotShown, spend

GROWING = ("n", "n'", "L", "H")  # symbols that stand for more than one number


def ends(f):
    """f at both ends of an unknown part, or of one power of it; or (f at 1, slope, True) for an
    unknown that is at least 1."""
    found = [a for c in f.t.values() for key in c.t for a, _ in key if ATOMS[a][0] in ("part", "more")]
    if not found:
        return None
    t = max(found, key=lambda name: (len(name), name))  # the newest one, of ?9 and ?10 too
    without, factor, exponents = Form(), Form(), set()
    for g, c in f.t.items():
        for key, q in c.t.items():
            powers = dict(key)
            e = powers.pop(t, None)
            exponents |= {e} - {None}
            if len(exponents) > 1 or min(exponents, default=1) < 0:
                return None
            place = without if e is None else factor
            place.plus(g, Constant({tuple(sorted(powers.items())): q}))
    return (without + factor, factor, True) if ATOMS[t][0] == "more" else (without, without + factor, False)


def bounded(f):
    """Without what may be arbitrarily large as x is, inside of roots and logarithms too."""
    return not any(grows(c) for c in f.t.values())


def grows(c):
    spend(1 + len(c.t))
    return any(ATOMS[a][0] == "more" or a in GROWING or grows(ATOMS[a][1]) for key in c.t for a, _ in key)


def is_long(f):
    return sum(len(c.t) for c in f.t.values()) > 8


def between(a, b):
    return a if a == b else a + Form.of(unknown("part")) * (b - a)


class Cell(Signs):
    """Signs of forms, and functions of x."""

    def value(self, i):
        """e^x, x, log x ... at X0, for i = 0, 1, 2 ..."""
        if i > len(self.logs) + 1:
            raise NotShown("the threshold needs another depth")
        return self.logs[0].exp() if i == 1 else self.logs[i - 2]

    def ratio(self, a, b):
        d = next(iter(Form.product(a, scaled(b, -1), Constant.of(1)).t))
        if d > ():
            n = [e for e in d if e][0]
            if n > 0:
                raise NotShown("a term is larger than the one that should dominate it")
        if self.logs is None or not d:
            return arb(1)
        first = next(i for i, e in enumerate(d) if e)
        rises, shrinks, start = arb(0), arb(1), arb(0)
        for i in range(first, len(d)):
            start += ball(d[i]) * self.value(i + 1)
            if i > first:
                shrinks = shrinks / self.value(i)
            if d[i] > 0:
                rises += ball(d[i]) * shrinks
        if not ball(-d[first]) >= rises:
            raise NotShown("a ratio is not seen to decrease")
        return start.exp()

    def bound(self, f, g):
        total = arb(0)
        for mine, c in f.t.items():
            r = self.ratio(mine, g)
            total += r * (arb(1) if self.logs is None else abs(enclose(c)).upper())
        return total

    def holds(self, f, strict, depth=0):
        both = ends(f)
        if both:
            u, v, slope = both
            factor = v if slope else v - u
            if self.holds(factor, False):
                return self.holds(u, strict, depth)
            if slope:
                return False
            if self.holds(-factor, False):
                return self.holds(v, strict, depth)
            return depth < 6 and self.holds(u, strict, depth + 1) and self.holds(v, strict, depth + 1)
        c = f.only()
        if c is not None:
            return self.constant_holds(c, strict)
        try:
            order = sorted(f.t, key=padded, reverse=True)
            for g in order:
                if self.constant_holds(f.t[g], True):
                    break
                if not self.constant_holds(f.t[g], False):
                    return False
            else:
                return not strict
            if self.logs is None:
                return bounded(f)
            against = Form({h: f.t[h] for h in order[order.index(g) + 1 :] if not self.constant_holds(f.t[h], False)})
            return bool(enclose(f.t[g]) - self.bound(against, g) > 0)
        except NotShown:
            return False

    def follows(self, f, relation):
        if relation == "!=":
            return self.holds(f, True) or self.holds(-f, True)
        if relation == "=":
            return self.holds(f, False) and self.holds(-f, False)
        return self.holds(-f if relation[0] == "<" else f, len(relation) == 1)

    # functions of x

    def small(self, f):
        if not bounded(f):
            raise NotShown("a relative error is not bounded")
        if self.logs is None:
            if f.t and max(map(padded, f.t)) >= padded(()):
                raise NotShown("a relative error is not small")
            return arb(0)
        size = self.bound(f, ())
        if not size < 0.9:
            raise NotShown("a relative error is not small")
        return size

    def noise(self):
        return unknown("symbol" if self.logs is None else "error")

    def shortened(self, c):
        if len(c.t) <= 6:
            return c
        groups = {}  # by products of parts
        for key, q in c.t.items():
            parts = tuple(p for p in key if ATOMS[p[0]][0] == "part")
            groups.setdefault(parts, Constant()).plus(tuple(p for p in key if p not in parts), q)
        if all(len(group.t) <= 6 for group in groups.values()):
            return c
        result = Constant()
        for parts, group in groups.items():
            result = result + Constant({parts: Q(1)}) * self.shorter(group)
        return result

    def shorter(self, c):
        if len(c.t) <= 6:
            return c
        if self.logs is None:
            known = Constant(
                {key: q for key, q in c.t.items() if not any(a[0] == "?" and ATOMS[a][0] == "symbol" for a, _ in key)}
            )
            return c if len(known.t) == len(c.t) else known + unknown("symbol")
        errors = {key for key in c.t if len(key) == 1 and key[0][1] == 1 and ATOMS[key[0][0]][0] == "error"}
        middle, spread = c.t.get((), Q(0)), sum((abs(c.t[key]) for key in errors), Q(0))  # exactly
        others = Constant({key: q for key, q in c.t.items() if key and key not in errors})
        if others.t:
            b = enclose(others)
            high, low = above(b), -above(-b)
            middle, spread = middle + (high + low) / 2, spread + (high - low) / 2
        return Constant.of(middle) + unknown("error") * spread

    def trimmed(self, f):
        if not bounded(f):
            return f
        order = sorted(f.t, key=padded, reverse=True)
        keep = len(order) if len(order) <= 8 else 7
        kept = Form({g: self.shortened(f.t[g]) for g in order[:keep]})
        if keep == len(order):
            return kept
        rest = Form({g: f.t[g] for g in order[keep:]})
        size = Q(1) if self.logs is None else above(self.bound(rest, order[keep]))
        return kept + Form({order[keep]: self.noise() * size})

    def series(self, eps, coefficients, last):
        eps = self.trimmed(eps)
        rest, result = Form.of(self.noise() * above(last)), Form()
        for c in reversed(coefficients):
            result = self.trimmed(result * eps) + c
        for _ in coefficients:
            rest = self.trimmed(rest * eps)
        return result + rest

    def power(self, base, exponent):
        e = exponent.rational()
        if not base.t and self.holds(exponent, True):
            return base
        if e == 0 and (self.holds(base, True) or self.holds(-base, True)):
            return Form.of(1)
        if e is not None and e.denominator == 1 and 0 < e <= 8:
            if e.numerator % 2:
                return base * self.power(base, exponent - 1) if e > 1 else base
            half = self.power(base, Form.of(e / 2))
            self.powers["a root of " + text(half * half)] = half
            return half * half
        both = ends(base)
        strict = not self.holds(exponent, True)
        if exponent.only() is not None and both and not both[2] and all(self.holds(end, strict) for end in both[:2]):
            if self.holds(-exponent, True) and is_long(base):
                return Form.of(unknown("more")) - 1  # no more is said
            return between(self.power(both[0], exponent), self.power(both[1], exponent))
        root = self.powers.get("a root of " + text(base))
        try:
            if base.only() is not None and e is not None:
                return Form.of(self.constant_power(base.only(), e))
        except NotShown:
            if root is None:
                raise
        if root is not None and not self.larger(root, -root) == base:  # as 0 is a root of itself
            return self.power(self.larger(root, -root), exponent * 2)
        if e is not None and e.denominator == 1 and self.holds(-base, True):
            return self.power(-base, exponent) * (1 if e.numerator % 2 == 0 else -1)
        name = text(base) + "^" + text(exponent)
        if name not in self.powers:
            self.powers[name] = self.exp(exponent * self.log(base))
        return self.powers[name]

    def log(self, f):
        name = "log " + text(f)  # the same unknowns each time
        if name not in self.powers:
            self.powers[name] = self.new_log(f)
        return self.powers[name]

    def new_log(self, f):
        both = ends(f)
        if both and not both[2]:
            return between(self.log(both[0]), self.log(both[1]))
        if f.only() is not None:
            return Form.of(self.constant_log(f.only()))
        order = [g for g in sorted(f.t, key=padded, reverse=True) if not self.follows(Form.of(f.t[g]), "=")]
        if not order:
            raise NotShown("the logarithm of 0")
        g, c = order[0], f.t[order[0]]
        eps = (f - Form({g: c})) * Form({scaled(g, -1): self.constant_power(c, Q(-1))})
        last = arb(1) / 4 / (1 - self.small(eps)) ** 4
        result = Form.of(self.constant_log(c)) + self.series(eps, [Q(0), Q(1), Q(-1, 2), Q(1, 3)], last)
        for i, e in enumerate(g):
            if e and self.logs is not None:
                self.value(i + 1)  # it has a logarithm from X0 on
            result = result + Form({single(i + 1): Constant.of(e)} if e else {})
        return result

    def power_of_growth(self, g, c):
        if c.only() is not None:
            return Form({scaled(g, c.only()): Constant.of(1)})
        t = Form.of(c) * self.log(Form({g: Constant.of(1)}))
        if self.holds(-t, True):
            return Form.of(unknown("part")) * 24 * self.power(-t, Form.of(-4))
        if not self.holds(t, True):
            raise NotShown("a power with an open exponent")
        return Form.of(unknown("more")) * Q(1, 24) * self.power(t, Form.of(4))

    def exp(self, f):
        both = ends(f)
        if both:
            if both[2] and not self.holds(-both[1], False):
                raise NotShown("an exponential without a bound")
            return between(Form() if both[2] else self.exp(both[1]), self.exp(both[0]))
        result, large, rest = Form.of(1), Form(), Form()
        for g, c in f.t.items():
            if g == ():
                result = result * self.constant_exp(c)
            elif padded(g) < padded(()):
                rest.plus(g, c)
            elif len(g) > 1 and g == single(len(g) - 1) and (c.only() is not None or len(g) > 2):
                result = result * self.power_of_growth(single(len(g) - 2), c)
            else:
                large.plus(g, c)
        if large.t:  # e^t >= t^4/24, e^-t <= 24/t^4; near infinity also with the largest growth of t for t
            grows = self.holds(large, True)
            if not grows and not self.holds(-large, True):
                raise NotShown("an exponential that is not seen to grow or to vanish")
            g = max(large.t, key=padded)
            if self.logs is None and (self.constant_holds(large.t[g], True) or self.constant_holds(-large.t[g], True)):
                large = Form({g: Constant.of(1)})
            bound, power = (Form.of(unknown("more")) * Q(1, 24), 4) if grows else (Form.of(unknown("part")) * 24, -4)
            result = result * bound * self.power(large, Form.of(power))
        result = result * self.series(rest, [Q(1), Q(1), Q(1, 2), Q(1, 6)], self.small(rest).exp())
        self.powers["log " + text(result)] = f
        return result

    def floor(self, f):
        both = ends(f)
        if both and not both[2]:
            return between(self.floor(both[0]), self.floor(both[1]))
        with contextlib.suppress(NotShown):
            if f.only() is not None:
                b = enclose(f.only())
                low, high = -above(-b), above(b)
                if low.numerator // low.denominator == high.numerator // high.denominator:
                    return Form.of(low.numerator // low.denominator)
        return between(f, f - 1)

    def most(self, f):
        """What f is at most, without the unknowns whose sign is known."""
        while both := ends(f):
            u, v, slope = both
            step = v if slope else v - u
            rises = self.holds(step, False)
            if (rises and slope) or not (rises or self.holds(-step, False)):
                break
            f = v if rises else u
        return f

    def narrowed(self, f):
        """A long form between its least and its largest value, as far as they are known."""
        if not is_long(f):
            return f
        low, high = -self.most(-f), self.most(f)
        if ends(low):
            return f if ends(high) else high + 1 - unknown("more")
        return low - 1 + unknown("more") if ends(high) else between(low, high)

    def larger(self, a, b):
        if self.holds(a - b, False):
            return a
        if self.holds(b - a, False):
            return b
        both = ends(b - a)
        if both and not both[2] and all(self.holds(u, False) or self.holds(-u, False) for u in both[:2]):
            return between(a + self.larger(Form(), both[0]), a + self.larger(Form(), both[1]))
        more = self.most(b - a)
        if self.holds(more, False):
            return between(a, a + more)
        return between(a, a + b) if self.holds(a, False) and self.holds(b, False) else between(a, b)

    def largest(self, several):
        result, others, good = several[0], Form(), True
        for f in several:
            if self.holds(result - f, False):
                continue
            if self.holds(f - result, False):
                result = f
                continue
            good = good and self.holds(f, False) and self.holds(result, False)
            others = others + f
        if not good:
            raise NotShown("the largest of several, some of them negative")
        return between(result, result + others) if others.t else result


def padded(g):
    if len(g) > 12:
        raise NotShown("logarithms nested too deep")
    return tuple(g) + (0,) * (12 - len(g))
