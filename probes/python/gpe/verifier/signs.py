"""What is known in a cell of parameters: signs of constants, and real functions of them."""
# Tests: tests/certificates/forgeries.py

import copy
from fractions import Fraction as Q

from gpe.verifier.enclosures import above, ball, enclose
from gpe.verifier.sums import ATOMS, Constant, atom, text
from gpe.verifier.work import NotShown, spend, whole_root


def feasible(rows):
    """Fourier-Motzkin: False is a proof that no point fulfils all rows (constant, strict)."""
    while True:
        signs = {}  # in how many rows it is positive, negative
        spend(len(rows))
        for c, strict in rows:
            value = c.only()
            if value is not None and (value < 0 or (strict and value == 0)):
                return False
            for key, q in c.t.items():
                if key:
                    signs.setdefault(key, [0, 0])[q < 0] += 1
        if not signs or len(rows) > 1000:
            return True
        variable = min(sorted(signs), key=lambda key: signs[key][0] * signs[key][1])  # whose going makes the fewest
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


class Signs:
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
        if relation[0] in "<>":
            self.assume_logarithms(c, relation)
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

    def part(self, f, relation):
        """Of this cell, where f <relation> 0."""
        cell = copy.copy(self)
        cell.conditions, cell.values, cell.powers, cell.known = [*self.conditions], {**self.values}, {**self.powers}, {}
        cell.assume(f, relation)
        return cell

    def assume_logarithms(self, c, relation):
        """A > B between positive products is log A > log B."""
        if len(c.t) != 2 or min(c.t.values()) > 0 or max(c.t.values()) < 0:
            return
        difference = Constant()
        for key, q in c.t.items():
            if self.sign_of(key, 0) != (1, True):
                return
            difference = difference + self.constant_log(Constant({key: abs(q)})) * Q(1 if q > 0 else -1)
        self.conditions.append((difference if relation[0] == ">" else -difference, len(relation) == 1))

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
            if kind in ("exp", "pi", "more"):
                one, one_strict = 1, True
            else:
                inner = of if kind == "sum" else Constant({((name, 1),): Q(1)})
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

    def open_holds(self, c, strict, depth, factors=False):
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
                spend(1 + len(products) // 4)
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
                    rows += self.multiplied(key, depth) if factors and at == 1 else []
        if not feasible(rows):
            return True
        if not factors and depth < 2 and any(sum(ATOMS[a][2] for a, _ in key) > 1 for key in c.t):
            return self.open_holds(c, strict, depth, True)
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
        limited = all(ATOMS[a][0] != "more" for a, _ in closed)
        side = self.sign_of(rest, depth)[0] if closed and limited else 0
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
        elif len(key) == 1 and key[0][1] != 1 and self.sign_of(((key[0][0], 1),), depth)[0] == 1:
            over = (Constant({((key[0][0], 1),): Q(1)}) - 1) * (1 if key[0][1] > 0 else -1)
        else:
            return rows
        for side in (1, -1):
            if self.constant_holds(over * side, False, depth + 1):
                rows.append(((whole - 1) * side, self.constant_holds(over * side, True, depth + 1)))
        return rows

    def multiplied(self, key, depth):
        """Conditions on one factor of a product, times the others."""
        rows = []
        for factor in key:
            others = tuple(p for p in key if p != factor)
            if not ATOMS[factor[0]][2] or not any(ATOMS[a][2] for a, _ in others):
                continue
            sign, strict = self.sign_of(others, depth)
            for c, positive in self.conditions if sign else []:
                if (factor,) in c.t:
                    rows.append((Constant({others: Q(sign)}) * c, positive and strict))
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
        sign, strict = self.sign_of(((name, 1),), 0)
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
            if not plain and all(self.sign_of(((a, 1),), 0) == (1, True) for a, _ in key):
                result = self.constant_log(Constant.of(q))
                for a, e in key:
                    inner = ATOMS[a][1] if ATOMS[a][0] == "exp" else self.constant_log(Constant({((a, 1),): Q(1)}))
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
