#!/usr/bin/env python3
"""The second verifier: docs/certificates.md once more, in Python, with balls of python-flint.

verify.py CERTIFICATE...      prints one line each; exit 0 when all are accepted, 4 otherwise
"""

import contextlib
import json
import re
import sys
from fractions import Fraction as Q

import verify_defined
import verify_design
import verify_form
import verify_law
import verify_numbers
import verify_special
import verify_work
from flint import arb, ctx, fmpq
from verify_work import NotShown, spend, whole, whole_root

ctx.prec = 256
sys.setrecursionlimit(20000)


# Constants: {((atom, exponent), ...): rational}; forms: {growth: constant}; a growth is a tuple
# of exponents of e^x, x, log x ...

ATOMS = {}  # name: (kind, the constant inside, whether it depends on parameters)


class Sum:
    __slots__ = ("t",)

    def __init__(self, t=None):
        self.t = t or {}

    def __eq__(self, other):
        return self.t == type(self).of(other).t

    __hash__ = None

    @classmethod
    def of(cls, x):
        return x if isinstance(x, cls) else cls.lift(x)

    def plus(self, key, c):
        spend(1)
        old = self.t.get(key)
        new = c if old is None else old + c
        if new == 0:
            self.t.pop(key, None)
        else:
            self.t[key] = new
        if len(self.t) > verify_work.MOST_TERMS:
            raise verify_work.TooLong(f"it takes a sum of more than {verify_work.MOST_TERMS} terms to check")

    def __add__(self, other):
        spend(len(self.t))
        result = type(self)(dict(self.t))
        for key, c in type(self).of(other).t.items():
            result.plus(key, c)
        return result

    __radd__ = __add__

    def __neg__(self):
        spend(len(self.t))
        return type(self)({key: -c for key, c in self.t.items()})

    def __sub__(self, other):
        return self + -type(self).of(other)

    def __rsub__(self, other):
        return type(self).of(other) - self

    def __mul__(self, other):
        result = type(self)()
        for p, c in self.t.items():
            for q, d in type(self).of(other).t.items():
                for key, e in self.product(p, q, c * d).t.items():
                    result.plus(key, e)
        return result

    __rmul__ = __mul__

    def only(self):
        """The coefficient when nothing but a constant term is there, else None."""
        if not self.t:
            return type(self).zero()
        return self.t.get((), None) if len(self.t) == 1 else None


class Constant(Sum):
    @classmethod
    def lift(cls, q):
        return cls({(): Q(q)} if q else {})

    @staticmethod
    def zero():
        return Q(0)

    @staticmethod
    def product(p, q, c):
        spend(len(p) + len(q) + verify_work.length(c))
        powers = dict(p)
        for name, e in q:
            powers[name] = powers.get(name, Q(0)) + e
        outside = Constant.lift(c)
        for name, e in list(powers.items()):
            kind, of, _ = ATOMS[name]
            whole = e.numerator // e.denominator
            if kind == "sum" and whole and (whole > 0 or of.only() is not None):
                if abs(whole) > 64 and of.only() is None or abs(whole) > 4096:
                    raise NotShown("a power too large to write out")
                powers[name] = e - whole
                if of.only() is not None:
                    spend(verify_work.length(of.only(), abs(int(whole))))
                    outside = outside * of.only() ** int(whole)
                else:
                    for _ in range(whole):
                        outside = outside * of
        key = tuple(sorted((n, e) for n, e in powers.items() if e))
        if outside.only() is not None:
            return Constant({key: outside.only()} if outside.only() else {})
        return outside * Constant({key: Q(1)})


class Form(Sum):
    @classmethod
    def lift(cls, c):
        c = Constant.of(c)
        return cls({(): c} if c.t else {})

    @staticmethod
    def zero():
        return Constant()

    @staticmethod
    def product(p, q, c):
        n = max(len(p), len(q))
        return Form({shaped([(p[i] if i < len(p) else 0) + (q[i] if i < len(q) else 0) for i in range(n)]): c})

    def rational(self):
        c = self.only()
        return None if c is None else c.only()


def shaped(exponents):
    exponents = [Q(e) for e in exponents]
    while exponents and exponents[-1] == 0:
        exponents.pop()
    return tuple(exponents)


def scaled(growth, q):
    return shaped([e * q for e in growth])


def single(i):
    return shaped([0] * i + [1])


def atom(kind, name, of=None, exponent=1):
    of = of if of is not None else Constant()
    opened = kind == "symbol" or any(ATOMS[a][2] for key in of.t for a, _ in key)
    ATOMS.setdefault(name, (kind, of, opened))
    return Constant.product((), ((name, Q(exponent)),), Q(1))


def unknown(kind):
    return atom(kind, f"?{len(ATOMS)}")


def text(c):
    if isinstance(c, Form):
        return " + ".join(f"({text(c.t[k])})g{[str(e) for e in k]}" for k in sorted(c.t))
    result = " + ".join(str(q) + "".join(f"*{a}^{e}" for a, e in key) for key, q in sorted(c.t.items()))
    spend(len(result) // 16)
    return result


X = Form({single(1): Constant.of(1)})
PI = atom("pi", "pi")


# ---- enclosures


def ball(q):
    return arb(fmpq(q.numerator, q.denominator))


def ball_power(b, e):
    if e.denominator == 1 and abs(e) <= 64:
        result = arb(1)
        for _ in range(abs(int(e))):
            result = result * b
        return 1 / result if e < 0 else result
    if not b > 0:
        raise NotShown("a root of what may not be positive")
    return (ball(e) * b.log()).exp()


def enclose_atom(kind, of):
    if kind == "error":
        return arb(0, 1)
    if kind == "part":
        return arb(0.5, 0.5)
    if kind == "pi":
        return arb.pi()
    value = enclose(of)
    if kind == "log":
        return value.log()
    return value.exp() if kind == "exp" else value


def enclose(c):
    total, errors = arb(0), Q(0)
    for key, q in c.t.items():
        spend(1 + len(key))
        if len(key) == 1 and ATOMS[key[0][0]][0] == "error":
            errors += abs(q)
            continue
        term = ball(q)
        for name, e in key:
            kind, of, _ = ATOMS[name]
            if kind in ("symbol", "more"):
                raise NotShown(f"the value of {name} is open")
            term = term * ball_power(enclose_atom(kind, of), e)
        total = total + term
    total = total + arb(0, 1) * ball(errors)
    if not total.is_finite():
        raise NotShown("no finite value")
    return total


def above(b):
    """A rational not below a ball."""
    man, exp = b.upper().man_exp()
    if abs(int(exp)) > 20000:
        raise NotShown("a number is too large")
    return Q(int(man)) * Q(2) ** int(exp)


def varies(c, kinds=("error", "part", "more")):
    """Whether a constant has unknown functions of x in it, at any depth."""
    return any(
        ATOMS[a][0] in kinds or (a[0] == "?" and "error" in kinds) or varies(ATOMS[a][1], kinds)
        for key in c.t
        for a, _ in key
    )


# ---- F1 to F5: what is known in a cell of parameters, for x >= X0 (logs = [L_1(X0), ...]) or
# near infinity (logs = None)


def ends(f):
    """f at both ends of an unknown part, or of one power of it; or (f at 1, slope, True) for an
    unknown that is at least 1."""
    found = [a for c in f.t.values() for key in c.t for a, _ in key if ATOMS[a][0] in ("part", "more")]
    if not found:
        return None
    t = max(found, key=lambda name: (len(name), name))  # the newest one, of ?9 and ?10 too
    without, factor, exponents = (
        Form(),
        Form(),
        set(),
    )  # exponents > 0: power_of_power makes others of what is seen not to be 0
    for g, c in f.t.items():
        for key, q in c.t.items():
            powers = dict(key)
            e = powers.pop(t, None)
            exponents |= {e} - {None}
            if len(exponents) > 1:
                return None
            place = without if e is None else factor
            place.plus(g, Constant({tuple(sorted(powers.items())): q}))
    return (without + factor, factor, True) if ATOMS[t][0] == "more" else (without, without + factor, False)


def bounded(f):
    return all(ATOMS[a][0] != "more" for c in f.t.values() for key in c.t for a, _ in key)


def between(a, b):
    return a if a == b else a + Form.of(unknown("part")) * (b - a)


def feasible(rows):
    """Fourier-Motzkin: False is a proof that no point fulfils all rows (constant, strict)."""
    while True:
        variable = None
        spend(len(rows))
        for c, strict in rows:
            value = c.only()
            if value is None:
                variable = max(c.t)
            elif value < 0 or (strict and value == 0):
                return False
        if variable is None or len(rows) > 1000:
            return True
        rest, low, high = [], [], []
        for row in rows:
            q = row[0].t.get(variable)
            side = rest
            if q is not None:
                side = low if q > 0 else high
            side.append(row)
        for c, s in low:
            for d, r in high:
                rest.append((c + d * (-c.t[variable] / d.t[variable]), s or r))
        rows = rest


class Cell:
    def __init__(self, conditions=(), values=None):
        self.conditions, self.values, self.logs, self.powers = list(conditions), dict(values or {}), None, {}
        self.known = {}  # what follows from the conditions, or does not

    def start(self, depth, ell):
        if not 1 <= depth <= 8 or ell <= 1:
            raise NotShown("no threshold")
        logs = [ball(ell), ball(ell).log()]
        for _ in range(depth - 1):
            logs.insert(0, logs[0].exp())
        self.logs, self.powers = logs, {}

    def assume(self, f, relation):
        c = f.only()
        if c is None:
            raise NotShown("a condition is not constant")
        self.known.clear()
        spend(len(self.conditions) ** 2)  # each may be combined with each
        self.conditions += [(c, relation == ">")] * (relation in (">", ">=", "="))
        self.conditions += [(-c, relation == "<")] * (relation in ("<", "<=", "="))
        if relation == "=":
            for key, q in sorted(c.t.items()):
                if len(key) == 1 and key[0][1] == 1:
                    value = Constant({key: Q(1)}) - c * (1 / q)
                    if key[0][0] not in text(value):
                        self.values[key[0][0]] = value
                        return

    def empty(self):
        return any(
            self.constant_holds(-c, not strict) for c, strict in self.conditions
        )  # what is known contradicts itself

    def named(self, kind, name, of=None):
        return self.values[name] if name in self.values else atom(kind, name, of)

    # signs of constants

    def sign_of(self, key, depth):
        sign, strict = 1, True
        for name, e in key:
            kind, of, _ = ATOMS[name]
            one, one_strict = 0, False
            if kind in ("exp", "pi"):
                one, one_strict = 1, True
            else:
                inner = of if kind == "sum" else Constant({((name, Q(1)),): Q(1)})
                if kind == "log":
                    inner = of - 1
                deeper = 9 if kind == "symbol" else depth + 1
                for side in (1, -1):
                    if one == 0 and self.constant_holds(inner * side, False, deeper):
                        one, one_strict = side, self.constant_holds(inner * side, True, deeper)
            if e.denominator != 1 or e.numerator % 2 == 0:
                one = 1
            sign, strict = sign * one, strict and (one_strict or e < 0)
        return sign, strict

    def constant_holds(self, c, strict, depth=0):
        value = c.only()
        if value is not None:
            return value > 0 if strict else value >= 0
        if not any(ATOMS[a][2] for key in c.t for a, _ in key):
            if all(not key or (len(key) == 1 and key[0][1] == 1 and ATOMS[key[0][0]][0] == "error") for key in c.t):
                least = c.t.get((), Q(0)) - sum(abs(q) for key, q in c.t.items() if key)  # exactly
                return least > 0 if strict else least >= 0
            b = enclose(c)
            if b > 0 or (b >= 0 and not strict):
                return True
            if strict or b < 0:
                return False
            for key, q in c.t.items():
                root = Constant({key: Q(1)})
                rest, k = root - c * (1 / q), key[0][1].denominator if key else 1
                if not 1 < k <= 4 or depth > 2 or not enclose(root) > 0 or not enclose(rest) > 0:
                    continue
                d = self.constant_power(rest, Q(k)) - self.constant_power(root, Q(k))
                if self.constant_holds(d, False, depth + 1) and self.constant_holds(-d, False, depth + 1):
                    return True
            return False
        question = (frozenset(c.t.items()), strict, depth)
        if question not in self.known:
            self.known[question] = self.open_holds(c, strict, depth)
        return self.known[question]

    def open_holds(self, c, strict, depth):
        """constant_holds of what depends on parameters, not asked before."""
        signs = [(self.sign_of(key, depth) if depth < 2 else (0, False), q) for key, q in c.t.items()]
        sides = [s * (1 if q > 0 else -1) for (s, _), q in signs]
        if min(sides) == 1 and (not strict or any(known for (_, known), _ in signs)):
            return True
        if max(sides) == -1 and strict:
            return False
        rows, products, done, used = [(-c, not strict)], [], 0, set()
        at = 0
        while at < len(rows):
            for key in rows[at][0].t:
                spend(1 + len(products) // 8)
                if key and key not in products:
                    products.append(key)
            at += 1
            while done < len(products):
                key = products[done]
                done += 1
                spend(len(self.conditions))
                names = {a for a, _ in key}
                for i, row in enumerate(self.conditions):
                    if i not in used and any(a in names for k in row[0].t for a, _ in k):
                        used.add(i)
                        rows.append(row)
                if depth < 2:
                    rows += self.about(key, depth)
        if not feasible(rows):
            return True
        clear = {}
        for key in c.t:
            for a, e in key:
                if ATOMS[a][2] and e < 0:
                    clear[a] = max(clear.get(a, Q(0)), -e)
        if not clear or len(clear) > 3 or depth > 2:
            return False
        key = tuple(sorted(clear.items()))
        return self.sign_of(key, depth) == (1, True) and self.constant_holds(
            Constant({key: Q(1)}) * c, strict, depth + 1
        )

    def about(self, key, depth):
        """Rows that hold for one product of atoms."""
        rows, whole = [], Constant({key: Q(1)})
        sign, strict = self.sign_of(key, depth)
        if sign:
            rows.append((whole * sign, strict))
        closed = tuple(p for p in key if not ATOMS[p[0]][2])
        rest = tuple(p for p in key if ATOMS[p[0]][2])
        side = self.sign_of(rest, depth)[0] if closed else 0
        if side:
            size = enclose(Constant({closed: Q(1)}))
            errors = all(
                ATOMS[a][0] == "error" and e == 1 for a, e in closed
            )  # exactly, since c - c*error must not be negative
            high, low = (Q(1), Q(1)) if errors else (above(size), above(-size))
            rows.append(((Constant({rest: high}) - whole) * side, False))
            rows.append(((whole + Constant({rest: low})) * side, False))
        if all(ATOMS[a][0] == "exp" for a, _ in key):
            over = sum((ATOMS[a][1] * e for a, e in key), Constant())
        elif len(key) == 1 and key[0][1] != 1 and self.sign_of(((key[0][0], Q(1)),), depth)[0] == 1:
            over = (Constant({((key[0][0], Q(1)),): Q(1)}) - 1) * (1 if key[0][1] > 0 else -1)
        else:
            return rows
        for side in (1, -1):
            if self.constant_holds(over * side, False, depth + 1):
                rows.append(((whole - 1) * side, self.constant_holds(over * side, True, depth + 1)))
        return rows

    def constant_power(self, base, e):
        if e == 1 or (not base.t and e > 0):
            return base
        if e == 0 and (self.constant_holds(base, True) or self.constant_holds(-base, True)):
            return Constant.of(1)
        if e.denominator == 1 and 0 < e <= 16:
            return base * self.constant_power(base, e - 1)
        if not base.t or abs(e) > 1000:
            raise NotShown("a power is undefined or too large")
        whole = e.denominator == 1
        key, q = min(base.t.items())
        scale = abs(q)
        result = Constant.of(1) if scale == 1 else atom("sum", f"({scale})", Constant.of(scale), e)
        if len(base.t) == 1 and (whole or q > 0):
            powers = [self.power_of_power(a, p, e) for a, p in key]
            if None not in powers:
                for power in powers:
                    result = result * power
                return -result if q < 0 and e.numerator % 2 else result
        ok = (
            (self.constant_holds(base, True) or self.constant_holds(-base, True))
            if whole
            else self.constant_holds(base, e < 0)
        )
        if not ok:
            raise NotShown(f"a power of {text(base)} may be undefined")
        of = base * (1 / scale)
        return result * atom("sum", f"({text(of)})", of, e)

    def power_of_power(self, name, p, e):
        """(a^p)^e for an atom a, or None: a^(p e) needs more than that a^p is not negative, as (a^2)^(1/2) is |a|."""
        kind, of, _ = ATOMS[name]
        sign, strict = self.sign_of(((name, Q(1)),), 0)
        if e.denominator == 1:
            return atom(kind, name, of, p * e) if e > 0 or strict or self.sign_of(((name, p),), 0)[1] else None
        if not strict and (e < 0 or p < 0):
            return None
        if sign == 1 or p.denominator != 1:  # a^(1/2) is there for a >= 0 only
            return atom(kind, name, of, p * e)
        if sign == -1 and p.numerator % 2 == 0:
            return self.constant_power(-atom(kind, name, of), p * e)
        return None

    def constant_log(self, c):
        if not self.constant_holds(c, True):
            raise NotShown("the logarithm of what may not be positive")
        value = c.only()
        if value == 1:
            return Constant()
        if value is not None and value < 1:
            return -self.constant_log(Constant.of(1 / value))
        if value is not None and value.denominator == 1:
            for k in range(64, 1, -1):  # log 8 is 3 log 2
                if (root := whole_root(value.numerator, k)) is not None:
                    return self.constant_log(Constant.of(Q(root))) * Q(k)
        if len(c.t) == 1 and value is None:
            key, q = next(iter(c.t.items()))
            plain = q == 1 and len(key) == 1 and key[0][1] == 1 and ATOMS[key[0][0]][0] != "exp"
            if not plain and all(self.sign_of(((a, Q(1)),), 0) == (1, True) for a, _ in key):
                result = self.constant_log(Constant.of(q))
                for a, e in key:
                    inner = ATOMS[a][1] if ATOMS[a][0] == "exp" else self.constant_log(Constant({((a, Q(1)),): Q(1)}))
                    result = result + inner * e
                return result
        return self.named("log", f"log({text(c)})", c)

    def constant_exp(self, c):
        closed = not any(ATOMS[a][2] for key in c.t for a, _ in key)  # a part does not say what it depends on
        if closed and len(c.t) == 1 and abs(next(iter(c.t.values()))) > 500 and self.constant_holds(-c, False):
            return atom("part", f"exp({text(c)})")
        result = Constant.of(1)
        for key, q in c.t.items():
            if len(key) == 1 and key[0][1] == 1 and ATOMS[key[0][0]][0] == "log":
                result = result * self.constant_power(ATOMS[key[0][0]][1], q)
            else:
                of = Constant({key: Q(1)})
                result = result * atom("exp", f"exp({text(of)})", of, q)
        return result

    # Lemma M and signs of forms

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
            return depth < 4 and self.holds(u, strict, depth + 1) and self.holds(v, strict, depth + 1)
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
                return True
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
        if (
            exponent.only() is not None
            and both
            and not both[2]
            and self.holds(both[0], not self.holds(exponent, True))
            and self.holds(both[1], False)
        ):
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

    def larger(self, a, b):
        if self.holds(a - b, False):
            return a
        if self.holds(b - a, False):
            return b
        both = ends(b - a)
        if both and not both[2]:
            return between(a + self.larger(Form(), both[0]), a + self.larger(Form(), both[1]))
        return between(Form(), a + b) if self.holds(a, False) and self.holds(b, False) else between(a, b)

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
    return tuple(g) + (Q(0),) * (12 - len(g))


# ---- expressions, in the notation of encoding files

TOKEN = re.compile(r"\s*(?:((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)|([A-Za-z_]\w*)|(<=|>=|!=|==|.))", re.S | re.A)
FUNCTIONS = set("log exp sqrt abs sin cos min max floor if sum and".split())
RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "=", "==": "=", "!=": "!="}
CONTRARY = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
PARSED = {}


class Parser:
    def __init__(self, source):
        self.tokens, at, source = [], 0, source.rstrip()
        while at < len(source):
            m = TOKEN.match(source, at)
            self.tokens.append(m.groups())
            at = m.end()
        self.at, self.depth = 0, 0

    def peek(self):
        return self.tokens[self.at][2] or self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self, *symbols):
        if self.at < len(self.tokens) and self.peek() in symbols and self.tokens[self.at][0] is None:
            self.at += 1
            return self.tokens[self.at - 1][2] or self.tokens[self.at - 1][1]
        return None

    def need(self, symbol):
        if not self.take(symbol):
            raise NotShown(f"expected '{symbol}'")

    def sum(self):
        e = self.product()
        while op := self.take("+", "-"):
            e = (op, e, self.product())
        return e

    def product(self):
        e = self.factor()
        while op := self.take("*", "/"):
            e = (op, e, self.factor())
        return e

    def factor(self):
        self.depth += 1
        if self.depth > 200:
            raise NotShown("an expression nested too deep")
        if self.take("-"):
            e = ("neg", self.factor())
        elif self.take("+"):
            e = self.factor()
        else:
            e = self.atom()
            e = ("^", e, self.factor()) if self.take("^") else e
        self.depth -= 1
        return e

    def atom(self):
        if self.take("("):
            e = self.sum()
            self.need(")")
            return e
        if self.at >= len(self.tokens):
            raise NotShown("an expression that ends too early")
        number, name, symbol = self.tokens[self.at]
        self.at += 1
        if number is not None:
            mantissa, _, exponent = number.partition("e")
            if len(exponent) > 5:
                raise NotShown("a number with too many digits")
            return ("number", Q(mantissa) * Q(10) ** int(exponent or 0))
        if name is None:
            raise NotShown(f"unexpected '{symbol}'")
        if not self.take("("):
            return ("name", name)
        if name == "if":
            left = self.sum()
            relation = RELATIONS.get(self.take(*RELATIONS))
            if not relation:
                raise NotShown("expected a comparison")
            e = ("if", relation, left, self.sum())
            for _ in range(2):
                self.need(",")
                e += (self.sum(),)
        else:
            arguments = [self.sum()]
            while self.take(","):
                arguments.append(self.sum())
            e = ("call", name, arguments)
        self.need(")")
        return e

    def conditions(self):
        result = []
        while True:
            left = self.sum()
            relation = RELATIONS.get(self.take(*RELATIONS))
            if not relation:
                raise NotShown("expected a comparison")
            while relation:
                right = self.sum()
                result.append((relation, left, right))
                left, relation = right, RELATIONS.get(self.take(*RELATIONS))
            if not self.take("and"):
                break
        if self.at != len(self.tokens):
            raise NotShown("more than conditions")
        return result


def parse(source, conditions=False):
    if (source, conditions) not in PARSED:
        p = Parser(source)
        e = p.conditions() if conditions else p.sum()
        if p.at != len(p.tokens):
            raise NotShown(f"'{source}' is no expression")
        PARSED[source, conditions] = e
    return PARSED[source, conditions]


def names_in(e):
    """The names that an expression takes from outside; those of functions and tables too, as 'name('."""
    spend(1)
    if e[0] == "name":
        return {e[1]}
    if e[0] == "number":
        return set()
    if e[0] != "call":
        return set().union(*(names_in(part) for part in e[1:] if isinstance(part, tuple)))
    if e[1] != "sum":
        return {e[1] + "("}.union(*(names_in(part) for part in e[2]))
    if (
        len(e[2]) != 4
        or e[2][0][0] != "name"
        or e[2][0][1] in Law.RESERVED | FUNCTIONS
        or {"n", "L"} & (names_in(e[2][1]) | names_in(e[2][2]))
    ):
        raise NotShown("a sum of another form")
    return names_in(e[2][1]) | names_in(e[2][2]) | (names_in(e[2][3]) - {e[2][0][1]})


def choices(e):
    """The names by which an expression chooses between values: those in comparisons, and in
    functions other than exp, log, sqrt and sum."""
    inner = [part for part in e[1:] if isinstance(part, tuple)] if e[0] != "call" else list(e[2])
    if e[0] == "if" or (e[0] == "call" and e[1] not in ("exp", "log", "sqrt", "sum")):
        return names_in(e)
    return set().union(*map(choices, inner))


def mentioned(source):
    return names_in(parse(source)) if source else set()


def mentioned_in_conditions(source):
    return set().union(*(names_in(e) for condition in parse(source, True) for e in condition[1:]))


DISTANCES = ("n", "n'")  # symbols that stand for whole numbers


def whole_part(f):
    """The terms that are integers for every integer x, and every integer n."""

    def natural(g):
        return g == () or (len(g) == 2 and g[0] == 0 and g[1] > 0 and g[1].denominator == 1)

    result = Form()
    for g, c in f.t.items():
        for key, q in c.t.items():
            if (
                natural(g)
                and q.denominator == 1
                and all(a in DISTANCES and e > 0 and e.denominator == 1 for a, e in key)
            ):
                result.plus(g, Constant({key: q}))
    return result


class Evaluator:
    """Values of expressions in a cell; names maps to forms."""

    def __init__(self, cell, names, tables):
        self.cell, self.names, self.tables, self.waves = cell, dict(names), tables, {}

    def with_names(self, **names):
        spend(1 + len(self.names) // 8)
        other = Evaluator(self.cell, {**self.names, **names}, self.tables)
        other.waves = self.waves
        return other

    def __call__(self, source):
        return self.value(parse(source))

    def rational(self, source):
        q = self(source).rational()
        if q is None:
            raise NotShown(f"'{source}' is no rational number")
        return q

    def conditions(self, source):
        return [(self.value(a) - self.value(b), r) for r, a, b in parse(source, True)]

    def value(self, e):
        spend(1)
        kind, cell = e[0], self.cell
        if kind == "number":
            return Form.of(e[1])
        if kind == "name":
            if e[1] == "pi":
                return Form.of(PI)
            if e[1] not in self.names or e[1] == "H":
                raise NotShown(f"'{e[1]}' is not known")
            return self.names[e[1]]
        if kind == "neg":
            return -self.value(e[1])
        if kind in "+-":
            a, b = self.value(e[1]), self.value(e[2])
            return a + b if kind == "+" else a - b
        if kind in "*/":
            a, b = self.value(e[1]), self.value(e[2])
            return cell.trimmed(a * (b if kind == "*" else cell.power(b, Form.of(-1))))
        if kind == "^":
            base, exponent = self.value(e[1]), self.value(e[2])
            turns = (base.rational() or 0) < 0 and self.is_whole(e[2])  # (-c)^k = c^k cos(pi k)
            return (
                cell.power(-base, exponent) * self.wave("cos", Form.of(PI) * exponent)
                if turns
                else cell.power(base, exponent)
            )
        if kind == "if":
            f = self.value(e[2]) - self.value(e[3])
            if cell.follows(f, e[1]):
                return self.value(e[4])
            if cell.follows(f, CONTRARY[e[1]]):
                return self.value(e[5])
            return between(self.value(e[4]), self.value(e[5]))
        return self.call(e[1], e[2])

    def wave(self, name, x):
        """Without whole turns, which integers do not feel; then known, or only bounded."""
        turn = Form.of(PI * 2)
        angle = x - turn * whole_part(x * self.cell.power(turn, Form.of(-1)))
        if (
            quarters := (angle * self.cell.power(Form.of(PI), Form.of(-1)) * 2).rational()
        ) is not None and quarters.denominator == 1:
            return Form.of([1, 0, -1, 0][int(quarters - (name == "sin")) % 4])
        wave = f"{name}({text(angle)})"
        self.waves[wave] = angle
        return Form.of(atom("error", wave))

    def is_whole(self, e):
        """Whether it is a whole number where n is, as it is written: sums and products of such."""
        if e[0] == "number":
            return e[1].denominator == 1
        if e[0] == "name":
            known = self.names[e[1]].rational() if e[1] in self.names else None
            return e[1] in ("n", "L") or (known is not None and known.denominator == 1)
        if e[0] in ("neg", "+", "-", "*"):
            return all(map(self.is_whole, e[1:]))
        return e[0] == "call" and (e[1] == "floor" or (e[1] in ("min", "max") and all(map(self.is_whole, e[2]))))

    def call(self, name, arguments):
        cell = self.cell
        if name == "sum":
            low, high = self.value(arguments[1]).rational(), self.value(arguments[2]).rational()
            if (
                low is None
                or high is None
                or low.denominator != 1
                or high.denominator != 1
                or arguments[0][0] != "name"
                or high - low > 20000
            ):
                raise NotShown("a sum without whole bounds")
            if arguments[0][1] in self.names:
                raise NotShown("a sum over a name that is known")
            total = Form()
            while low <= high:
                total = cell.trimmed(total + self.with_names(**{arguments[0][1]: Form.of(low)}).value(arguments[3]))
                low += 1
            return total
        if verify_special.is_called(name, arguments, {*self.tables, *self.names}):
            return verify_special.of_forms(sys.modules[__name__], self, name, arguments)
        xs = [self.value(a) for a in arguments]
        x = xs[0]
        if name in ("min", "max") and len(xs) > 1:
            for y in xs[1:]:
                x = cell.larger(x, y) if name == "max" else -cell.larger(-x, -y)
            return x
        if len(xs) != 1:
            raise NotShown(f"{name} takes one argument")
        known = {
            "sqrt": lambda: cell.power(x, Form.of(Q(1, 2))),
            "log": lambda: cell.log(x),
            "exp": lambda: cell.exp(x),
            "abs": lambda: cell.larger(x, -x),
            "floor": lambda: whole_part(x) + cell.floor(x - whole_part(x)),
            "sin": lambda: self.wave(name, x),
            "cos": lambda: self.wave(name, x),
        }
        if name in known:
            return known[name]()
        if name == "H" and "H" in self.names and arguments == [("name", "n")]:
            return self.names["H"]
        if name not in self.tables:
            raise NotShown(f"no function is called {name}")
        first, constant, values = self.tables[name]
        start, over = x - first, x - (first + len(values) - 1)
        if constant and cell.holds(over, False):
            return Form.of(values[-1])
        if not cell.holds(start, False) or not (constant or cell.holds(-over, False)):
            raise NotShown(f"an index outside of table {name}")
        at = start.rational()
        if start.only() is None or at is None:
            spend(len(values))
            return between(Form.of(min(values)), Form.of(max(values)))
        if at.denominator != 1:
            raise NotShown("an index that is not whole")
        return Form.of(values[int(at)])


# ---- the law


class Law:
    RESERVED = set("n L d j h heads layer layers pi H B alpha".split())
    PLACE = set("d h heads layer layers pi".split())
    MENTION = {"gain": "n L", "bias": "n L", "window": "", "softcap": "", "rate": "j", "decay": "j", "scale": "n L j"}

    def __init__(self, j):
        self.j, self.d, self.first, self.transform = j, j["head_dim"], j["first"], j["transform"]
        self.turns, self.scaled = self.transform in ("rotation", "scaled-rotation"), self.transform == "scaled-rotation"
        self.hyperbolic = self.transform == "hyperbolic"
        given = {k: j[k] is not None for k in ("angle", "scale", "rate", "decay", "alpha")}
        if (
            given["angle"] != self.turns
            or given["scale"] != self.scaled
            or given["rate"] != self.hyperbolic
            or given["decay"] != self.hyperbolic
            or (given["alpha"] and not self.turns)
        ):
            raise NotShown("the formulas are not those of the transform")
        if (
            self.d < 2
            or self.d % 2
            or self.d > 4096
            or not 1 <= j["head"] <= j["heads"] <= 1024
            or not 1 <= j["layer"] <= j["layers"] <= 1024
        ):
            raise NotShown("no head")
        names = [p["name"] for p in j["parameters"]]
        if (
            len(set(names)) < len(names)
            or (set(names) | set(j["tables"])) & (self.RESERVED | FUNCTIONS)
            or set(j["tables"]) & verify_special.KNOWN
            or set(names) & set(j["tables"])
        ):
            raise NotShown("names of parameters and tables")
        plain, known = (
            self.PLACE | {name + "(" for name in FUNCTIONS | verify_special.KNOWN},
            {*names, *(name + "(" for name in j["tables"])},
        )
        for p in j["parameters"]:
            if mentioned(p["value"]) - plain or (
                p["domain"] is not None and mentioned_in_conditions(p["domain"]) - plain - set(names)
            ):
                raise NotShown(f"the value of {p['name']} mentions what has none")
        self.schedule = j["alpha"] not in (None, "self-entropy", "measured", "frozen-pair")
        angle = "n L j alpha" if given["alpha"] else "n L j H("
        for key, more in {**self.MENTION, "angle": angle, "alpha": "n" if self.schedule else None}.items():
            if more is not None and mentioned(self.formula(key)) - plain - known - set(more.split()):
                raise NotShown(f"{key} mentions what has no value")
        self.blocks = (
            self.d // 2
            if "j"
            in mentioned(self.formula("scale")) | mentioned(self.formula("rate")) | mentioned(self.formula("decay"))
            else 1
        )

    def formula(self, key):
        return self.j[key] or ""

    def evaluator(self, cell, free):
        names = {"d": Form.of(self.d)}
        for key in ("head", "heads", "layer", "layers"):
            names["h" if key == "head" else key] = Form.of(self.j[key])
        spend(len(self.j["parameters"]) + sum(len(t["values"]) for t in self.j["tables"].values()))
        tables = {
            name: (t["first"], t["beyond"] == "constant", [Q(v) for v in t["values"]])
            for name, t in self.j["tables"].items()
        }
        e = Evaluator(cell, names, tables)
        values = {
            p["name"]: Form.of(cell.named("symbol", p["name"])) if p["name"] in free else e(p["value"])
            for p in self.j["parameters"]
        }
        if "B" in free:
            values["B"] = Form.of(cell.named("symbol", "B"))
        return Evaluator(cell, {**values, **names}, tables)

    def keys_in_window(self):
        size = self.evaluator(Cell(), ()).rational(self.j["window"])
        if size.denominator != 1 or not 1 <= size <= 10**9:
            raise NotShown("no window of a whole number of keys")
        return int(size)

    @property
    def with_length(self):
        return any("L" in mentioned(self.formula(key)) for key in ("bias", "gain", "scale"))


class Score:
    """The parts of the score at one n (and L)."""

    def __init__(self, law, e, bound, **names):
        self.law, self.e, self.bound, self.names = law, e.with_names(**names), bound, names

    def at(self, **names):
        return Score(self.law, self.e, self.bound, **{**self.names, **names})

    def b(self):
        bias = self.law.formula("bias")
        b = self.e(bias)
        return b - self.e.with_names(n=Form.of(self.law.first))(bias) if "L" in mentioned(bias) else b

    def gain(self):
        return self.e.cell.larger(self.e(self.law.formula("gain")), -self.e(self.law.formula("gain")))

    def stretch(self, block, branch=1):
        e = self.e.with_names(j=Form.of(block))
        if self.law.scaled:
            return e.cell.larger(e(self.law.formula("scale")), -e(self.law.formula("scale")))
        if self.law.hyperbolic:
            return e.cell.exp(e.names["n"] * (e(self.law.formula("rate")) * branch - e(self.law.formula("decay"))))
        return Form.of(0 if self.law.transform == "none" else 1)

    def signed_stretch(self, block, branch=1):
        return (
            self.e.with_names(j=Form.of(block))(self.law.formula("scale"))
            if self.law.scaled
            else self.stretch(block, branch)
        )

    def length(self, block, branch=1):
        return self.gain() * self.stretch(block, branch)

    def factor(self, block, branch=1):
        """Signed, without the rotation."""
        return self.e(self.law.formula("gain")) * self.signed_stretch(block, branch)

    def w(self):
        cell = self.e.cell
        if self.law.hyperbolic:
            all_ = []
            for j in range(self.law.blocks):
                e = self.e.with_names(j=Form.of(j))
                rate = e(self.law.formula("rate"))
                all_.append(cell.exp(e.names["n"] * (cell.larger(rate, -rate) - e(self.law.formula("decay")))))
            return cell.largest(all_)
        return cell.largest([self.stretch(j) for j in range(self.law.blocks)]) if self.law.scaled else self.stretch(0)

    def size(self):
        """Under a soft cap between positive multiples of what a content is."""
        if self.law.j["softcap"] is None:
            return self.gain() * self.w()
        return self.gain() * -self.e.cell.larger(-self.w(), -self.e(self.law.formula("softcap")))

    def a(self):
        return self.content(self.w() * self.bound)

    def content(self, inner):
        """|f| times what a content of this size is under the soft cap s: s tanh(./s)."""
        if self.law.j["softcap"] is None:
            return self.gain() * inner
        cell, cap = self.e.cell, self.e(self.law.formula("softcap"))
        if not cell.holds(cap, True):
            raise NotShown("a soft cap that may not be positive")
        try:
            grows = cell.exp(2 * inner * cell.power(cap, Form.of(-1)))
            return self.gain() * cap * (grows - 1) * cell.power(grows + 1, Form.of(-1))
        except NotShown:
            return between(Form(), self.gain() * cap)

    def angle(self, block):
        e, alpha = self.e.with_names(j=Form.of(block)), self.j_alpha()
        if alpha:
            e = e.with_names(alpha=e(alpha))
        return e(self.law.formula("angle"))

    def j_alpha(self):
        alpha = self.law.formula("alpha")
        if alpha == "self-entropy":
            return "alpha0*(1 + H(n))" if "alpha0" in self.e.names else "(1 + H(n))"
        return alpha if self.law.schedule else ""

    def named(self, score):
        b = self.b()
        if score == "b":
            return b
        a = self.a()
        if score == "above":
            return b + a
        if score == "below":
            return b - a
        if score == "mean":
            return b + a - self.e.cell.log(a) * Q(self.law.d - 1, 2)
        raise NotShown("no such score")


def rung(i):
    return Form({single(i + 1): Constant.of(1)})


# ---- rules

LADDER_HOLDS = {
    "above": "cn.every-content.holds cn.expected.holds",
    "below": "cn.some-content.holds",
    "mean": "cn.expected.holds",
}
LADDER_FAILS = {
    "above": "cn.every-content.fails eb.limit.fails",
    "below": "cn.some-content.fails eb.some-content.fails",
    "b": "cn.expected.fails",
    "mean": "cn.expected.fails",
}
WEIGHTED = {"above": "eb.limit.holds eb.uniform.holds", "below": "eb.some-content.holds"}
UNIFORM = {score: "eb.uniform.fails" for score in ("b", "above", "below")}
FAR = {  # rule: (questions by score, or questions; constants)
    "sum-converges": (LADDER_HOLDS, "k C eta"),
    "sum-diverges": (LADDER_FAILS, "k C"),
    "weighted-sum-converges": (WEIGHTED, "k C eta U"),
    "weighted-sum-diverges": (
        {
            "above": "eb.limit.fails eb.uniform.fails",
            "below": "eb.some-content.fails eb.uniform.fails",
            "b": "eb.uniform.fails",
        },
        "k C U",
    ),
    "sum-diverges-bounded": (UNIFORM, "k C M"),
    "levels-out": (UNIFORM, "i"),
    "last-tokens": ("eb.uniform.holds", "S c M"),
    "bias-stays": ("ldcp.literal.holds ldcp.probability.holds", "e c"),
    "bias-stays-positive": ("ldcp.signed.holds", "c"),
    "bias-vanishes": ("ldcp.literal.fails", "i"),
    "bias-not-positive": ("ldcp.signed.fails", "i"),
    "content-stays": ("ldcp.content.holds ldcp.probability.holds", "c"),
    "content-stays-likely": ("ldcp.probability.holds", "eps p"),
    "content-vanishes": ("ldcp.content.fails", "i"),
    "both-vanish": ("ldcp.probability.fails", "i"),
    "bias-bounded-below": ("ldcp.weight.holds", "C"),
    "bias-sinks": ("ldcp.weight.fails", "i"),
    "turns-by-entropy-fast": ("gps.vector.holds gps.scalar.fails gps.norm.holds", "c e block"),
    "turns-by-entropy-slow": ("gps.vector.holds gps.scalar.fails gps.norm.holds", "C c e block"),
    "turns-by-entropy-divergent": ({"b": "gps.vector.holds gps.scalar.fails gps.norm.holds"}, "k C c e block"),
}
LENGTH = {
    "length-diverges": (LADDER_FAILS, "i"),
    "first-diverges": ({"above": LADDER_FAILS["above"]}, "i"),
    "length-converges": (LADDER_HOLDS, "C"),
    "length-levels": ({"above": "eb.limit.fails", "below": "eb.some-content.fails"}, "C"),
    "length-weighted-converges": (WEIGHTED, "C"),
    "length-spread": (UNIFORM, "i"),
    "length-bias-not-positive": ("ldcp.signed.fails", "i"),
}
POINTS = {
    "size-changes": ("gps.norm.holds gps.vector.holds", "from to block e"),
    "factor-changes": ("gps.scalar.holds gps.vector.holds", "from to e"),
    "turns": ("gps.vector.holds gps.scalar.fails gps.norm.holds", "from to block q e"),
    "flips": ("gps.scalar.fails", "from to block other q"),
    "stretches": ("gps.scalar.fails", "from to block other e"),
    "cap-changes": ("gps.norm.holds gps.vector.holds gps.scalar.holds", "from to block e g"),
}
IN_WINDOW = {
    "window-converges": (
        {"above": LADDER_HOLDS["above"] + " eb.limit.holds", "below": LADDER_HOLDS["below"] + " eb.some-content.holds"},
        "C",
    ),
    "window-diverges": ({score: LADDER_FAILS[score] for score in ("above", "below", "b")}, "to i"),
}
DIAGONAL = {"bias-stays", "bias-stays-positive", "content-stays", "content-stays-likely", "bias-bounded-below"}
ONE_CLASS = {"sum-diverges"} | DIAGONAL
# What they say of all sums rests on the first scores, too: these may not depend on L.
FIXED_FIRST = {
    "sum-converges",
    "weighted-sum-converges",
    "weighted-sum-diverges",
    "sum-diverges-bounded",
    "levels-out",
    "last-tokens",
    "turns-by-entropy-fast",
    "turns-by-entropy-slow",
    "turns-by-entropy-divergent",
}
READINGS = {
    "cn": ("every-content", "some-content", "expected"),
    "eb": ("limit", "some-content", "uniform"),
    "ldcp": ("literal", "signed", "probability", "content", "weight"),
    "gps": ("scalar", "norm", "vector"),
}


class Proof:
    def __init__(self, question, bound, law, cell, free, j, explicit):
        self.question, self.law, self.cell, self.free, self.j, self.explicit = question, law, cell, free, j, explicit
        if not question.endswith((".holds", ".fails")):
            raise NotShown("no such claim")
        self.e = law.evaluator(cell, free)
        self.bound = self.e(bound)
        if not cell.holds(self.bound, False):
            raise NotShown("the content bound may be negative")
        self.c = {}

    def need(self, f, strict=True):
        if not self.cell.holds(f, strict):
            raise NotShown(f"a claim of '{self.j['rule']}' is not shown")

    def check(self):
        rule, question = self.j["rule"], self.question
        if len(self.j) == 1 and rule in ("window", "one-key", "no-content", "constant", "bias-oscillates"):
            if getattr(self, rule.replace("-", "_"))():
                return
        elif (rule in IN_WINDOW) != (self.law.j["window"] is not None) and not question.startswith("gps."):
            raise NotShown("a rule for laws with a window, or without")
        else:
            for table in (FAR, LENGTH, POINTS, IN_WINDOW):
                if rule not in table:
                    continue
                questions, constants = table[rule]
                if isinstance(questions, dict):
                    questions = questions.get(self.j.get("score"), "")
                elif "score" in self.j:
                    break
                if question not in questions.split():
                    break
                self.constants(constants.split(), table)
                if table is POINTS:
                    return self.points()
                if table is LENGTH:
                    return self.length()
                return self.far() if table is FAR else self.in_window()
        raise NotShown(f"the rule '{rule}' does not answer {question}")

    def constants(self, wanted, table):
        if self.law.hyperbolic and table is POINTS:
            wanted = wanted + (["branch"] if "block" in wanted else []) + (["turned"] if "other" in wanted else [])
        if self.j["rule"] == "turns" and not self.question.startswith("gps.vector"):
            wanted = wanted + ["g"]
        allowed = set(wanted) | {"rule"}
        if table is not POINTS:
            allowed |= {"threshold"} if self.explicit else set()
            allowed |= {"score"} if "score" in self.j else set()
        if table is FAR:
            allowed |= {"defined"} if self.explicit else set()
            allowed |= {"modulus"} | ({"residue"} if self.j["rule"] in ONE_CLASS and "modulus" in self.j else set())
        if set(self.j) - allowed:
            raise NotShown("unknown keys")
        optional = {"U", "branch", "turned"}
        for key in wanted:
            if key not in self.j:
                if key in optional:
                    continue
                raise NotShown(f"{key} is missing")
            value = self.j[key]
            if key in ("k", "i", "from", "to", "block", "other"):
                self.c[key] = whole(value)
                if key in ("k", "i") and value > 8 or key in ("block", "other") and value >= self.law.d // 2:
                    raise NotShown(f"{key} is too large")
                if key in ("from", "to") and (value < self.law.first or not self.sees(value)):
                    raise NotShown("no such distance")
            elif key in ("U", "S"):
                self.c[key] = value
            else:
                self.c[key] = self.e(value)
                if self.c[key].only() is None:
                    raise NotShown(f"{key} is not constant")
        for key in ("branch", "turned"):
            if key in self.j and self.j[key] not in ("1", "-1"):
                raise NotShown("a branch is 1 or -1")
        if "q" in self.c and (self.c["q"].rational() is None or self.c["q"].rational().denominator != 1):
            raise NotShown("q is not whole")

    def sees(self, n):
        size = self.law.j["window"]
        return size is None or self.cell.holds(self.e(size) - (n - self.law.first + 1), False)

    # the shape of the law

    def window(self):
        holds, bounded = (
            self.question.endswith(".holds"),
            not self.law.with_length or self.question == "eb.uniform.holds",
        )
        return self.law.j["window"] is not None and (
            holds and bounded if self.question[:2] in ("cn", "eb") else self.question.startswith("ldcp.") and not holds
        )

    def one_key(self):
        return (
            self.law.j["window"] is not None
            and self.cell.holds(2 - self.e(self.law.j["window"]), True)
            and self.question.startswith("gps.")
            and self.question.endswith(".fails")
        )

    def no_content(self):
        return (
            self.law.transform == "none"
            and self.question.endswith(".fails")
            and (self.question.startswith("gps.") or self.question.startswith("ldcp.content"))
        )

    def constant(self):
        if not self.question.startswith("gps.") or not self.question.endswith(".fails"):
            return False
        capped, full = self.law.j["softcap"] is not None, not self.question.startswith("gps.norm")
        entries, zero = (
            [
                (j, branch)
                for j in range(self.law.d // 2 if self.by_blocks() else 1)
                for branch in ((1, -1) if self.law.hyperbolic else (1,))
            ],
            set(),
        )
        for j, branch in entries:
            signed = full or capped
            phi, other = (s.factor(j, branch) if signed else s.length(j, branch) for s in self.symbols())
            if not (self.same_everywhere() or phi == other):
                return False
            if not phi.t:
                zero.add(j)
        if capped and len(zero) < len({j for j, _ in entries}):
            if not self.same_everywhere() and any(
                not a == b for a, b in ([s.signed_stretch(j, branch) for s in self.symbols()] for j, branch in entries)
            ):
                return False
            return all(h is not None for h in self.half_turns(2))
        if not full or len(zero) == len({j for j, _ in entries}):
            return True
        return all(h is not None for h in self.half_turns(2, zero))

    def by_blocks(self):
        return self.law.hyperbolic or (self.law.scaled and "j" in mentioned(self.law.formula("scale")))

    def same_everywhere(self):
        return not self.law.hyperbolic and "n" not in mentioned(self.law.formula("gain")) | mentioned(
            self.law.formula("scale")
        )

    def symbols(self):
        """The score at two distances about which nothing is known, for the same L."""
        cell = Cell(self.cell.conditions, self.cell.values)
        fixed = self.same_everywhere()
        L = X if fixed else Form.of(atom("symbol", "L"))
        for n in ("n", "n'"):
            symbol = Form.of(atom("symbol", n))
            cell.assume(symbol - self.law.first, ">=")
            if not fixed:
                cell.assume(L - symbol, ">=")
        return [
            Score(self.law, self.law.evaluator(cell, self.free), self.bound, n=Form.of(atom("symbol", n)), L=L)
            for n in ("n", "n'")
        ]

    def half_turns(self, unit, skipped=(), less=None):
        """For each block (angle(n) - angle(first))/(pi unit) - less when it is a polynomial in n with whole
        coefficients, else None."""
        if not self.law.turns:
            return
        score = self.symbols()[0]
        start = score.at(n=Form.of(self.law.first))
        for block in range(self.law.d // 2 if "j" in mentioned(self.law.formula("angle")) else 1):
            if block in skipped and len(skipped) == self.law.d // 2:
                continue
            turns = (
                (score.angle(block) - start.angle(block)) * score.e.cell.power(Form.of(PI * unit), Form.of(-1))
            ).only()
            if turns is not None and less is not None:
                turns = (turns - less) * Q(1, 2)
            whole = turns is not None and all(
                q.denominator == 1
                and (not key or (len(key) == 1 and key[0][0] == "n" and key[0][1] > 0 and key[0][1].denominator == 1))
                for key, q in turns.t.items()
            )
            yield turns if whole else None

    def multiple_of_one_matrix(self):
        """The sign of R's factor, as a function of n."""
        s = self.symbols()[0]
        if self.law.transform == "none":
            raise NotShown("there is no content")
        if self.by_blocks():
            phi = s.signed_stretch(0)  # the gain is that of all blocks
            if any(
                not s.signed_stretch(j, branch) == phi
                for j in range(self.law.d // 2)
                for branch in ((1, -1) if self.law.hyperbolic else (1,))
            ):
                raise NotShown("the blocks differ")
        h = next(self.half_turns(1), Constant())
        if h is None or any(one is None for one in self.half_turns(1, (), h)):
            raise NotShown("W(n) is not seen to be a multiple of one matrix")
        powers = [(q, int(key[0][1]) if key else 0) for key, q in h.t.items()]
        return lambda n: -1 if sum(q * n**power for q, power in powers) % 2 else 1

    def bias_oscillates(self):
        if self.law.j["window"] is not None or self.question not in (
            "ldcp.literal.holds",
            "ldcp.probability.holds",
            "ldcp.signed.holds",
        ):
            return False
        score = Score(self.law, self.e, self.bound, n=X)
        b = score.b()
        if not b.t or max(map(padded, b.t)) > padded(()) or any(varies(c, ("more",)) for c in b.t.values()):
            return False
        mean, waves = Constant(), []
        for key, q in b.t.get((), Constant()).t.items():
            unknowns = [(a, e) for a, e in key if varies(Constant({((a, Q(1)),): Q(1)}))]
            if not unknowns:
                mean.plus(key, q)
                continue
            if len(unknowns) > 1 or unknowns[0][1] != 1 or unknowns[0][0] not in self.e.waves:
                return False
            angle = self.e.waves[unknowns[0][0]]
            if set(angle.t) - {(), single(1)} or single(1) not in angle.t or any(map(varies, angle.t.values())):
                return False
            waves.append((Constant({tuple(p for p in key if p not in unknowns): q}), angle.t[single(1)]))
        turn = PI * 2

        def partly(c):
            f = Form.of(c)
            return (
                self.cell.follows(f, "!=")
                and self.cell.holds(Form.of(turn) - f, True)
                and self.cell.holds(Form.of(turn) + f, True)
            )

        if not all(partly(omega) for _, omega in waves):
            return False
        signed, mean = "signed" in self.question, Form.of(mean)
        if self.cell.holds(mean, True) or (not signed and self.cell.holds(-mean, True)):
            return True
        if not self.cell.follows(mean, "="):
            return False
        return any(
            self.cell.follows(Form.of(c), "!=")
            and partly(w * 2)
            and all(i == k or (partly(w - v) and partly(w + v)) for k, (_, v) in enumerate(waves))
            for i, (c, w) in enumerate(waves)
        )

    # claims about points

    def points(self):
        c, rule = self.c, self.j["rule"]
        score = Score(self.law, self.e, self.bound, L=X)
        start, end = score.at(n=Form.of(c["from"])), score.at(n=Form.of(c["to"]))
        branch, turned = int(self.j.get("branch", 1)), int(self.j.get("turned", 1))
        if rule == "size-changes":
            return self.need(c["e"] * (end.length(c["block"], branch) - start.length(c["block"], branch)))
        if rule == "factor-changes":
            sign = self.multiple_of_one_matrix()
            return self.need(c["e"] * (end.factor(0) * sign(c["to"]) - start.factor(0) * sign(c["from"])))
        if rule == "stretches":
            s, o = (c["block"], branch), (c["other"], turned)
            return self.need(c["e"] * (end.length(*s) * start.length(*o) - end.length(*o) * start.length(*s)))
        if rule == "cap-changes":
            if self.law.j["softcap"] is None:
                raise NotShown("there is no soft cap")
            if self.question.startswith("gps.scalar"):
                self.multiple_of_one_matrix()
            self.need(c["g"] * start.factor(c["block"], branch))
            return self.need(c["e"] * (end.stretch(c["block"], branch) - start.stretch(c["block"], branch)))
        if not self.law.turns:
            raise NotShown("nothing turns")
        step = end.angle(c["block"]) - start.angle(c["block"])
        if rule == "flips":
            if not self.cell.follows(step - (end.angle(c["other"]) - start.angle(c["other"])) - c["q"] * PI, "="):
                raise NotShown("no multiple of a half turn")
            factors = [s.factor(c[block]) for s in (start, end) for block in ("block", "other")]
            return self.need(factors[0] * factors[1] * factors[2] * factors[3] * (1 if c["q"].rational() % 2 else -1))
        vector, capped = self.question.startswith("gps.vector"), self.law.j["softcap"] is not None
        if self.question.startswith("gps.norm") and not capped:
            raise NotShown("turns do not change the length")
        turn = Form.of(PI * (2 if vector else 1))
        self.need(step - c["q"] * turn)
        self.need((c["q"] + 1) * turn - step)
        self.need(c["e"] * start.factor(c["block"]))
        self.need((c["e"] if vector else c["g"]) * end.factor(c["block"]))

    # claims about the keys of a window, for large L

    def in_window(self):
        self.threshold()
        last = self.e(self.law.formula("window")) + (self.law.first - 1)
        n = Form.of(self.c["to"]) if "to" in self.c else between(Form.of(self.law.first), last)
        a = Score(self.law, self.e, self.bound, L=X, n=n).named(self.j["score"])
        self.need(a - rung(self.c["i"]) if "i" in self.c else self.c["C"] - a)

    # claims about all n <= L

    def length(self):
        self.threshold()
        cell, c, rule = self.cell, self.c, self.j["rule"]
        score = Score(self.law, self.e, self.bound, L=X)
        inner = score.at(n=between(Form.of(self.law.first), X))
        if rule == "length-bias-not-positive":
            return self.need(cell.power(rung(c["i"]), Form.of(-1)) - inner.b())
        name = self.j["score"]
        if rule == "first-diverges":
            return self.need(score.at(n=Form.of(self.law.first)).named(name) - rung(c["i"]))
        a = inner.named(name)
        if rule == "length-diverges":
            self.need(a + rung(1) - rung(c["i"]))
        elif rule == "length-levels":
            self.need(a + rung(1) + c["C"])
        elif rule == "length-converges":
            self.need(c["C"] - a - cell.log(X + 1))
        elif rule == "length-weighted-converges":
            self.need(c["C"] - a - cell.log(X + 1) - cell.log(cell.larger(a, -a) + 1))
            if name == "above":
                self.need(c["C"] + score.at(n=Form.of(self.law.first)).named("below"))
        else:
            other = score.at(n=between(Form.of(self.law.first), X)).named(name)
            self.need(rung(1) - rung(c["i"]) - a + other)

    # claims about all large n

    def threshold(self):
        if self.explicit:
            start(self.cell, self.j.get("threshold"))

    def far(self):
        rule = self.j["rule"]
        random = self.j.get("score") == "mean" or rule == "content-stays-likely"
        if random and (self.law.transform not in ("identity", "rotation") or self.law.j["softcap"] is not None):
            raise NotShown("the law of qWk is not known")
        if rule in FIXED_FIRST and self.law.with_length:
            raise NotShown("the first scores may depend on L")
        if rule.startswith("turns-by"):
            if self.law.transform != "rotation" or self.law.j["window"] is not None:
                raise NotShown("the theorem is about rotations and all distances")
            if self.question.startswith("gps.norm") and self.law.j["softcap"] is None:
                raise NotShown("turns do not change the length")
            entropy = Form.of(atom("symbol", "H"))
            self.cell.assume(entropy, ">=")
            self.e = self.e.with_names(H=entropy)
        self.threshold()
        modulus, residue = whole(self.j.get("modulus", 1)), whole(self.j.get("residue", 0))
        if not 1 <= modulus <= 720 or residue >= modulus:
            raise NotShown("no residue class")
        for r in [residue] if rule in ONE_CLASS else range(modulus):
            n = X * modulus + r
            score = Score(self.law, self.e, self.bound, n=n)
            if rule in DIAGONAL:
                score = score.at(L=n)
            self.claims(rule, score)

    def claims(self, rule, s):
        need, c, cell = self.need, self.c, self.cell
        if "i" in c:
            small = cell.power(rung(c["i"]), Form.of(-1))
        if "k" in c:
            rungs = sum((rung(k) for k in range(1, c["k"] + 1)), Form())
            after = rung(c["k"] + 1)
        a = s.named(self.j["score"]) if "score" in self.j else None
        if self.j.get("score") == "mean":
            need(s.a() - 1)
        before = s.at(n=s.names["n"] - 1)
        if rule == "sum-converges":
            need(c["C"] - a - rungs - (1 + c["eta"]) * after)
            need(c["eta"])
        elif rule in ("sum-diverges", "sum-diverges-bounded", "turns-by-entropy-divergent"):
            need(a + c["C"] + rungs + after)
            if rule == "sum-diverges-bounded":
                need(c["M"] - a)
        elif rule.startswith("weighted"):
            u = s.e(c["U"]) if "U" in c else -a
            if "U" in c:
                need(-a - u if rule.endswith("converges") else a + u, False)
            if rule.endswith("converges"):
                need(u - 1, False)
                need(c["C"] + u - cell.log(u) - rungs - (1 + c["eta"]) * after)
                need(c["eta"])
            else:
                need(-1 - a, False)
                need(c["C"] - u + cell.log(u) + rungs + after)
        elif rule == "levels-out":
            step = a - before.named(self.j["score"])
            need(step, False)
            need(small - step)
        elif rule == "last-tokens":
            t = s.e(c["S"])
            need(t - before.e(c["S"]) - c["c"])
            need(c["c"])
            need(c["M"] - s.named("above") + t, False)
            need(c["M"] + s.named("below") - t, False)
        elif rule in ("bias-stays", "bias-stays-positive", "content-stays"):
            need((s.size() if rule == "content-stays" else c.get("e", Form.of(1)) * s.b()) - c["c"])
            need(c["c"])
        elif rule == "content-stays-likely":
            need(s.size() - 2 * c["eps"])
            need(c["eps"])
            need(cell.power(Form.of(Q(3, 4)), Form.of(Q(self.law.d, 2))) * Q(1, 4 * (self.law.d - 1)) - c["p"], False)
            need(c["p"])
        elif rule == "bias-bounded-below":
            need(s.b() + c["C"])
        elif rule == "bias-sinks":
            need(-s.b() - rung(c["i"]))
        elif rule in ("content-vanishes", "bias-vanishes", "bias-not-positive", "both-vanish"):
            if rule in ("content-vanishes", "both-vanish"):
                need(small - s.size())
            if rule != "content-vanishes":
                need(small - s.b())
            if rule in ("bias-vanishes", "both-vanish"):
                need(small + s.b())
        if rule.startswith("turns-by"):
            b = s.b()
            if rule.endswith("fast"):
                need(-b - 2 * rung(1) - 2 * rung(2))
            elif rule.endswith("slow"):
                need(-b - rung(1) - 3 * rung(2))
                need(b + 2 * rung(1) + c["C"])
            else:
                need(b - s.at(n=s.names["n"] + 1).b(), False)
            entropy = s.e.names["H"]
            if (
                s.names["n"] * cell.power(s.angle(c["block"]), Form.of(-1))
                - (1 + entropy) * cell.power(c["c"], Form.of(-1))
            ).t:
                raise NotShown("the angle has another form")
            need(c["c"])
            need(c["e"] * s.e(self.law.formula("gain")))


def start(cell, threshold):
    if threshold is None:
        raise NotShown("a threshold is missing")
    ell, depth = Q(threshold["ell"]), threshold["depth"]
    if threshold["from"] is not None:
        n = ball(Q(threshold["from"]))
        for _ in range(depth):
            if not n > 0:
                raise NotShown("'from' is too small")
            n = n.log()
        if not n >= ball(ell):
            raise NotShown("'from' lies before the threshold")
    cell.start(depth, ell)


# ---- regions and claims


def lies(cell, e, region, inside):
    if region in ("always", "never"):
        return inside == (region == "always")
    for part in region.split(", or "):
        conditions = e.conditions(part)
        after, contradiction = Cell(cell.conditions, cell.values), False
        for f, r in conditions:
            contradiction = contradiction or after.follows(f, CONTRARY[r])
            if r != "!=":
                after.assume(f, r)
        if inside and all(cell.follows(f, r) for f, r in conditions):
            return True
        if not inside and not contradiction:
            return False
    return not inside


def check_cases(question, bound, law, free, region, cell, tree, found):
    e = law.evaluator(cell, free)
    if "split" in tree:
        if set(tree) - {"split", "below", "at", "above"}:
            raise NotShown("unknown keys in a split")
        f = e(tree["split"])
        for key, relation in (("below", "<"), ("at", "="), ("above", ">")):
            part = Cell(cell.conditions, cell.values)
            part.assume(f, relation)
            if key in tree:
                check_cases(question, bound, law, free, region, part, tree[key], found)
            elif not cell.follows(f, CONTRARY[relation]) and not part.empty():
                raise NotShown("a case is missing")
        return
    if cell.empty():
        return
    verdict = tree["verdict"]
    found.add(verdict)
    holds_on, _, open_on = region.partition("; undecided: ")
    if not lies(cell, e, holds_on, verdict == "holds") or not lies(cell, e, open_on or "never", verdict == "undecided"):
        raise NotShown("a case on the wrong side of the region")
    if verdict != "undecided":
        Proof(question + "." + verdict, bound, law, cell, free, tree["proof"], False).check()


def check_verdict(top, law):
    claim, free = top["claim"], set(top["free"])
    short = {"convergent-normalization": "cn", "entropy-boundedness": "eb"}.get(claim["property"], claim["property"])
    bounded_claim = short in ("cn", "eb")
    if claim["reading"] not in READINGS[short]:
        raise NotShown("no such reading")
    if (claim["content_bound"] is None) != (not bounded_claim or "B" in free):
        raise NotShown("a content bound is missing, or one too many")
    bound = "B" if "B" in free else claim["content_bound"]
    if not bounded_claim:
        bound = "0"
    question, verdict, region = short + "." + claim["reading"], claim["verdict"], claim["region"]
    proof, found = top["proof"], set()
    check_point(law, {}, "always", True, [proof] if proof is not None else ())
    if free:
        if free - {p["name"] for p in law.j["parameters"]} - {"B"} or top["cases"] is None:
            raise NotShown("no cases of such parameters")
        cell = verify_defined.cell_of(sys.modules[__name__], law, free)
        verify_defined.check_cell(sys.modules[__name__], law, cell, free - {"B"})
        check_cases(question, bound, law, free, region, cell, top["cases"], found)
    elif region != ("always" if verdict == "holds" else "never") or top["cases"] is not None:
        raise NotShown("a region of no parameters")
    if proof is not None:
        Proof(question + "." + verdict, bound, law, Cell(), (), proof, True).check()
    elif not free or "undecided" in found or verdict != ("depends" if len(found) > 1 else found.pop()):
        raise NotShown(f"the cases do not amount to '{verdict}'")
    if (top["witnesses"] is not None) != (proof is None and verdict == "depends"):
        raise NotShown("witnesses are missing, or too many")
    for side, values in (top["witnesses"] or {}).items():
        if set(values) != free:
            raise NotShown("a witness of other parameters")
        check_point(law, values, region, side == "holds")


def check_point(law, values, region, inside, proofs=()):
    """At these values of parameters: they lie in their domains and the region, and the score is defined."""
    j = json.loads(json.dumps(law.j))
    j["parameters"] = [{**p, "value": values.get(p["name"], p["value"])} for p in j["parameters"]]
    cell, law = Cell(), Law(j)
    e = law.evaluator(cell, ())
    if "B" in values:
        e.names["B"] = Evaluator(Cell(), {}, {})(values["B"])
        if not cell.holds(e.names["B"], True):
            raise NotShown("a content bound that is not positive")
    for p in j["parameters"]:
        if p["domain"] is not None and not all(cell.follows(f, r) for f, r in e.conditions(p["domain"])):
            raise NotShown("a parameter outside of its domain")
    if not lies(cell, e, region.partition("; undecided: ")[0], inside):
        raise NotShown("a point on the wrong side of the region")
    verify_defined.check(
        sys.modules[__name__],
        law,
        [(one[key]["depth"], Q(one[key]["ell"])) for one in proofs for key in ("defined", "threshold") if key in one],
    )


def check(top):
    if not isinstance(top, dict) or top.get("kind") != "list":
        return check_one(top)
    if (
        not verify_form.fits(top, {"schema": 1, "kind": "list", "certificates": [lambda one: True]})
        or not top["certificates"]
    ):
        raise NotShown("no list of certificates")
    for one in top["certificates"]:
        check_one(one)


def check_one(top):
    ATOMS.clear()
    ATOMS["pi"] = ("pi", Constant(), False)
    if not verify_form.is_certificate(top := verify_law.of_plain_law(sys.modules[__name__], top)):
        raise NotShown("no certificate")
    law = Law(top["law"])
    if top["kind"] == "verdict":
        return check_verdict(top, law)
    check_point(
        law, {}, "always", True, [top["proof"]["tail"]] if top["kind"] == "numbers" and top["proof"]["tail"] else ()
    )
    if top["kind"] == "design":
        return verify_design.check(sys.modules[__name__], law, top)
    verify_numbers.check(sys.modules[__name__], law, top["claim"], top["proof"])


def main():
    bad = 0
    for name in sys.argv[1:]:
        try:
            check(verify_work.read(name))
            print(f"{name}: accepted")
        except (
            NotShown,
            verify_work.TooLong,
            OSError,
            LookupError,
            TypeError,
            ValueError,
            AttributeError,
            ArithmeticError,
            RecursionError,
            MemoryError,
        ) as error:
            why = f"{type(error).__name__}: {error}"[:500]
            shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in why)
            print(f"{name}: not accepted: {shown}")
            bad += 1
    sys.exit(4 if bad else 0)


if __name__ == "__main__":
    main()
