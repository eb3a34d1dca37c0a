"""Balls that hold the values of constants."""
# Tests: tests/certificates/forgeries.py

from fractions import Fraction as Q

from flint import arb, ctx, fmpq

from gpe.verifier.sums import ATOMS
from gpe.verifier.work import NotShown, spend

ctx.prec = 256


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
        spend(4 + 8 * len(key))
        if len(key) == 1 and ATOMS[key[0][0]][0] == "error":
            errors += abs(q)
            continue
        term = ball(q)
        for name, e in key:
            kind, of, _ = ATOMS[name]
            if kind in ("symbol", "more"):
                raise NotShown(f"the value of {name} is open")
            power = (enclose(of) * ball(e)).exp() if kind == "exp" else ball_power(enclose_atom(kind, of), e)
            term = term * power
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
