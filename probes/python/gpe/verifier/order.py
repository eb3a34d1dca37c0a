"""Proof D1: how the score of a family falls with n and with its free parameters."""
# Tests: tests/certificates/forged_designs.py

from fractions import Fraction as Q

from gpe.verifier import numbers
from gpe.verifier.enclosures import enclose, varies
from gpe.verifier.sums import ATOMS, Constant, is_unknown
from gpe.verifier.work import NotShown


class Order:
    """D1: by name, whether -b (or a) grows with a free parameter (1), at larger n more, or falls (-1)."""

    def __init__(self, box):
        self.box, self.direction, self.falls = box, dict.fromkeys(box, 0), True

    def refuse(self, what):
        raise NotShown("the order of the family: " + what)

    def opened(self, key):
        return [(name, e) for name, e in key if ATOMS[name][2]]

    def closed(self, key, q):
        """Its sign; parts are at least 0, which a ball around them need not be."""
        return enclose(
            Constant({tuple((name, e) for name, e in key if not ATOMS[name][2] and ATOMS[name][0] != "part"): q})
        )

    def note(self, name, e, strict=False):
        sign, low = (1 if e > 0 else -1), self.box[name][0]
        if self.direction[name] == -sign or low < 0 or (strict and low == 0):
            self.refuse("the direction of " + name)
        self.direction[name] = sign

    def depends(self, name):
        return name in self.box or any(self.depends(one) for key in ATOMS[name][1].t for one, _ in key)

    def bias(self, phi):
        for key, q in phi.t.items():
            closed = self.closed(key, q)
            if not (closed >= 0 or closed <= 0):
                self.refuse("a sign")
            side = 1 if closed >= 0 else -1
            functions = [(name, e) for name, e in self.opened(key) if name not in self.box]
            for name, e in self.opened(key):
                if name in self.box:
                    self.note(name, side * e)
            unknown = any(is_unknown(name) for name, _ in key)
            rises = not unknown and all(e > 0 and self.grows(name, e, side) for name, e in functions)
            if not rises and any(self.depends(name) for name, _ in key):
                self.refuse("a term")
            if (functions or unknown) and not (rises and side > 0):
                self.falls = False

    def grows(self, name, e, side):
        """At least 0, nowhere falling with n, and growing more at larger n with each parameter inside."""
        (kind, of, _) = ATOMS[name]
        if not self.depends(name):
            return name == "n" or numbers.is_bernstein(Constant({((name, 1),): Q(1)}), 0)
        if kind == "log":
            return e >= 1 and self.logarithm(of, side)
        if kind != "exp":
            return False
        (key,) = of.t  # n^theta
        for one, power in key:
            if one in self.box:
                self.note(one, side * power, True)
            elif ATOMS[one][0] != "log" or power != 1:
                return False
            else:
                inside = ATOMS[one][1]
                if inside.t != {(("n", 1),): Q(1)} and not numbers.is_bernstein(inside, 1):
                    return False
        return True

    def logarithm(self, of, side):
        """c + q prod theta^a n^p, c >= 1, q >= 0"""
        number, others = Constant(), []
        for key, q in of.t.items():
            if not self.opened(key):
                number = number + Constant({key: q})
                continue
            others.append(self.closed(key, q) >= 0)
            for name, e in self.opened(key):
                if name in self.box:
                    self.note(name, side * e)
                elif name != "n" or e < 0:
                    return False
        return others == [True] and bool(enclose(number) >= 1)

    def gathered(self, total):
        """Products of open atoms, each with a ball around its closed factor, such as pi - 1."""
        parts = {}
        for key, q in total.t.items():
            opened = tuple(self.opened(key))
            parts[opened] = parts.get(opened, 0) + self.closed(key, q)
        return parts.items()

    def content(self, a):
        """sum q prod theta^a prod (sum q' prod theta^a' n^p)^-e, q and q' >= 0, e > 0"""
        for key, q in self.gathered(a):
            good = q >= 0 and not varies(a)
            for name, e in key:
                if name in self.box:
                    self.note(name, e)
                    continue
                good = good and e < 0 and (name == "n" or ATOMS[name][0] == "sum")
                for inner, factor in self.gathered(ATOMS[name][1]):
                    good = good and factor >= 0
                    for one, power in inner:
                        if one in self.box:
                            self.note(one, -power)
                        else:
                            good = good and one == "n" and power > 0
            if not good:
                self.refuse("the content")
