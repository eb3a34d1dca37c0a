"""Constants, {((atom, exponent), ...): rational}; forms, {growth: constant}.

A growth is a tuple of exponents of e^x, x, log x ...
"""
# Tests: tests/certificates/forged_sums.py

from fractions import Fraction as Q

from gpe.verifier import work
from gpe.verifier.work import NotShown, spend

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
        if len(self.t) > work.MOST_TERMS:
            raise work.TooLong(f"it takes a sum of more than {work.MOST_TERMS} terms to check")

    def __add__(self, other):
        spend(1 + len(self.t) // 8)
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
        spend(8 + len(p) + len(q) + work.length(c))
        powers = dict(p)
        for name, e in q:
            powers[name] = powers.get(name, 0) + e
        outside = Constant.lift(c)
        for name, e in list(powers.items()):
            kind, of, _ = ATOMS[name]
            whole = e.numerator // e.denominator
            if kind == "sum" and whole and (whole > 0 or of.only() is not None):
                if abs(whole) > 64 and of.only() is None or abs(whole) > 4096:
                    raise NotShown("a power too large to write out")
                powers[name] = e - whole
                if of.only() is not None:
                    spend(work.length(of.only(), abs(int(whole))))
                    outside = outside * of.only() ** int(whole)
                else:
                    for _ in range(whole):
                        outside = outside * of
        key = tuple(sorted((n, whole_or_fraction(e)) for n, e in powers.items() if e))
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


def whole_or_fraction(e):
    """Whole exponents as int: they are keys of dictionaries, and a Fraction takes long to hash."""
    return e.numerator if e.denominator == 1 else e


def shaped(exponents):
    exponents = [whole_or_fraction(e) for e in exponents]
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
    return Constant.product((), ((name, whole_or_fraction(exponent)),), Q(1))


def unknown(kind):
    return atom(kind, f"?{len(ATOMS)}")


def is_unknown(name):
    """Has an error, part, more or ?k in it, which may differ with n."""
    kind, of, _ = ATOMS[name]
    return kind in ("error", "part", "more") or name[0] == "?" or any(is_unknown(one) for key in of.t for one, _ in key)


def text(c):
    if isinstance(c, Form):
        return " + ".join(f"({text(c.t[k])})g{[str(e) for e in k]}" for k in sorted(c.t))
    result = " + ".join(str(q) + "".join(f"*{a}^{e}" for a, e in key) for key, q in sorted(c.t.items()))
    spend(len(result) // 16)
    return result


X = Form({single(1): Constant.of(1)})
PI = atom("pi", "pi")
