"""Numbers: rules R1 to R4 of docs/certificates.md, with power series of python-flint.

check(law, claim, proof) raises NotShown
"""
# Tests: tests/certificates/forged_numbers.py

from fractions import Fraction as Q
from functools import lru_cache
from math import comb

from flint import arb, arb_series, ctx

from gpe.verifier.cell import Cell
from gpe.verifier.enclosures import ball, enclose, varies
from gpe.verifier.evaluator import Evaluator
from gpe.verifier.proof import Proof
from gpe.verifier.score import Score
from gpe.verifier.sums import ATOMS, Constant, Form, atom, is_unknown
from gpe.verifier.work import NotShown, spend


@lru_cache(None)
def bernoulli(k):
    return Q(1) if k == 0 else -sum(comb(k + 1, j) * bernoulli(j) for j in range(k)) / (k + 1)


def is_bernstein(c, least=None):
    """R1: c is a number (at least `least`) and a Bernstein function of the symbol n."""
    number = Constant()
    for key, q in c.t.items():
        closed = Constant({tuple(p for p in key if not ATOMS[p[0]][2]): q})
        opened = [p for p in key if ATOMS[p[0]][2]]
        if any(is_unknown(name) for name, _ in key):
            return False
        if not opened:
            number = number + closed
            continue
        (name, e), (kind, of, _) = opened[0], ATOMS[opened[0][0]]
        if len(opened) > 1 or not 0 < e <= 1 or not enclose(closed) >= 0:
            return False
        if kind == "symbol" and name == "n":
            continue
        if kind == "log" and e == 1:
            inner = 0 if least is None else 1
        elif kind == "sum":
            inner = 0
        else:
            return False
        if not is_bernstein(of, inner):
            return False
    return least is None or bool(enclose(number) >= least)


class Numbers:
    def __init__(self, law):
        self.law, self.cell = law, Cell()
        self.n = Form.of(atom("symbol", "n"))
        self.cell.assume(self.n - law.first, ">=")
        self.e = law.evaluator(self.cell, ())
        self.shown(not law.with_length, "a score that mentions L")
        self.phi, self.bernstein, self.total, self.sums, self.far = None, False, None, [], None
        self.beyond = (
            None if law.j["window"] is None else law.first + law.keys_in_window()
        )  # the first distance that no window has
        try:
            b = Score(law, self.e, Form.of(0), n=self.n).b().only()
            if b is not None:
                self.phi, self.bernstein = -b, is_bernstein(-b)
        except NotShown:
            pass

    def shown(self, condition, what):
        if not condition:
            raise NotShown(what)

    def series(self, c, x):
        """c, where n is the power series x."""
        total = arb_series([0])
        for key, q in c.t.items():
            term = arb_series([ball(q)])
            spend(8)
            for name, e in key:
                spend(4 * ctx.cap * (int(e) if e.denominator == 1 and e > 0 else 1))
                kind, of, opened = ATOMS[name]
                if not opened:
                    value = arb_series([enclose(Constant({((name, 1),): Q(1)}))])
                else:
                    value = x if kind == "symbol" else self.series(of, x)
                    if kind == "log":
                        value = value.log()
                    if kind == "exp":
                        value = value.exp()
                if e.denominator == 1 and e > 0:
                    for _ in range(int(e)):
                        term = term * value
                elif value[0] == 0 and len(value) <= 1 and e > 0:
                    term = term * 0
                else:
                    term = term * (value.log() * ball(e)).exp()
            total = total + term
        return total

    def phi_at(self, n):
        self.shown(self.phi is not None, "a bias of another kind")
        ctx.cap = 1
        value = self.series(self.phi, arb_series([arb(n)]))[0]
        self.shown(value.is_finite(), "no value")
        return value

    def up_to(self, n):
        self.shown(self.law.first <= n <= self.law.first + 100000, "too many distances")
        while len(self.sums) <= n - self.law.first:
            phi = self.phi_at(self.law.first + len(self.sums))
            z, s = self.sums[-1] if self.sums else (arb(0), arb(0))
            self.sums.append((z + (-phi).exp(), s + phi * (-phi).exp()))
        return self.sums[n - self.law.first]

    def sum_up(self, proof):
        if self.beyond is not None:
            self.total = self.up_to(self.beyond - 1)
            return
        M, m, levels, tail = proof["direct"], proof["order"], proof["levels"], proof["tail"]
        self.shown(
            M <= (1000 if levels else 100000) and M % 2 == 0 and M > self.law.first and 1 <= m <= 20 and levels <= 4000,
            "parameters",
        )
        Proof("cn.every-content.holds", "0", self.law, Cell(), (), tail, True).check()
        self.shown(
            tail["rule"] == "sum-converges"
            and tail["k"] == 0
            and "modulus" not in tail
            and tail["threshold"]["from"] is not None,
            "the bound of the tail",
        )
        eta, C, X = self.e.rational(tail["eta"]), self.e.rational(tail["C"]), M * 2**levels
        self.shown(X >= self.e.rational(tail["threshold"]["from"]), "the bound of the tail comes too late")
        z, s = self.up_to(M - 1)
        self.shown(levels == 0 or (self.bernstein and self.phi_at(M) >= 0), "no Bernstein function of at least 0")
        for level in range(levels):
            dz, ds = self.doubling(M, 2**level, m)
            z, s = z + dz, s + ds
        log_X = arb(X).log()
        psi = ball(1 + eta) * log_X - ball(C)
        self.shown(psi >= 1, "the tail begins too early")
        E = (ball(C) - ball(eta) * log_X).exp()
        part = arb(0.5, 0.5)
        if levels == 0:
            self.far = M
        self.total = (
            z + part * (E / M + E / ball(eta)),
            s + part * (psi * E / M + E * (psi / ball(eta) + ball((1 + eta) / eta**2))),
        )

    def doubling(self, M, h, m):
        ctx.cap = 2 * m
        phi = self.series(self.phi, arb_series([arb(M * h), 1]))
        f = (-phi).exp()
        g = phi * f
        z, s = -f[0] * h / 2, -g[0] * h / 2
        for k in range(1, m + 1):  # u^(2k-1) = (2k-1)! u_{2k-1}
            factor = ball(bernoulli(2 * k) * (4**k - 1) / (2 * k)) * arb(h) ** (2 * k)
            z, s = z + factor * f[2 * k - 1], s + factor * g[2 * k - 1]
        rest = ball(abs(bernoulli(2 * m)) * (4**m + 1) / (2 * m)) * arb(h) ** (2 * m)
        top, below = abs(f[2 * m - 1]), abs(f[2 * m - 2]) / (2 * m - 1)
        z = z + arb(0, 1) * (rest * top).upper()
        s = s + arb(0, 1) * (rest * ((phi[0] + 2 * m) * top + phi[1] * below)).upper()
        for k in range(M // 2):
            p = self.phi_at(h * (M + 2 * k))
            z, s = z + 2 * h * (-p).exp(), s + 2 * h * p * (-p).exp()
        return z, s

    def content(self, bound):
        return enclose(self.content_of_n(bound))

    def content_of_n(self, bound):
        a = Score(self.law, self.e, Form.of(bound), n=self.n).a().only()
        self.shown(a is not None and not varies(a), "a content of another kind")
        return a

    def window(self, epsilon, bound, w):
        self.shown(w >= self.law.first and self.total is not None, "no window")
        gain = (2 * self.content(bound)).exp()

        def excess(n):
            inside = self.up_to(n)[0]
            return ball(epsilon) * inside - ball(1 - epsilon) * gain * (self.total[0] - inside)

        # at the last key of a window of keys the excess is positive: W is not beyond it
        self.shown(excess(w) >= 0 and (w == self.law.first or excess(w - 1) < 0), "another window")

    def reach(self, weight, bound, n, own):
        self.shown(own or self.total is not None, "Z is not claimed")
        self.shown(self.bernstein, "a bias that is not seen to fall")
        gain = (2 * self.content(bound)).exp()

        def excess(at):
            f = (-self.phi_at(at)).exp()
            return ball(1 - weight) * gain * f - ball(weight) * ((self.up_to(at)[0] if own else self.total[0]) - f)

        following = self.law.first if n is None else n + 1
        self.shown(
            following >= self.law.first + (n is not None) and (self.beyond is None or following <= self.beyond),
            "no such distance",
        )
        self.shown(n is None or excess(following - 1) >= 0, "the reach ends before")
        self.shown(following == self.beyond or excess(following) < 0, "the reach does not end there")

    def local_range(self, c1, within, claimed):
        cell, first = self.cell, self.law.first

        def b(n):
            return Score(self.law, self.e, Form.of(0), n=Form.of(n)).b()

        def inside(n, strict):  # |b| <= C1
            return cell.holds(c1 - b(n), strict) and cell.holds(c1 + b(n), strict)

        def outside(n, strict):
            return cell.holds(b(n) - c1, strict) or cell.holds(-b(n) - c1, strict)

        def yes(n):
            return inside(n, False) if within else outside(n, False)

        constant = self.phi is not None and not varies(self.phi, ("error", "part", "more", "symbol"))
        if claimed == "unbounded":
            self.shown(self.beyond is None and constant and yes(first), "not unbounded")
            return
        following = first if claimed == "none" else claimed + 1
        ends_only = within and self.bernstein
        self.shown(
            following >= first + (claimed != "none")
            and (ends_only or following - first <= 20000)
            and (self.beyond is None or following <= self.beyond),
            "no such range",
        )
        at = range(first, following)
        self.shown(all(yes(n) for n in ({at[0], at[-1]} if ends_only and at else at)), "the range ends before")
        if following != self.beyond:
            self.shown(outside(following, True) if within else inside(following, True), "the range does not end there")


def check(law, claim, proof):
    numbers, e = Numbers(law), Evaluator(Cell(), {}, {})
    infinite, summed = claim["Z"] == "infinite", isinstance(claim["Z"], dict) and law.j["window"] is None
    numbers.shown(any(claim.values()), "nothing is claimed")
    numbers.shown(
        (proof["direct"] is not None) == summed and (proof["tail"] is not None) == (summed or infinite),
        "a proof of what is not claimed, or none",
    )
    if infinite:
        numbers.shown(proof["tail"]["rule"] == "sum-diverges", "the sum is not seen to diverge")
        Proof("cn.every-content.fails", "0", law, Cell(), (), proof["tail"], True).check()
    elif claim["Z"] is not None:
        numbers.sum_up(proof)
    numbers.shown((claim["H"] == "infinite") == infinite, "Z is infinite where H is, and only there")
    for name in ("Z", "H"):
        if infinite or claim[name] is None:
            continue
        numbers.shown(numbers.total is not None, "Z is not claimed")
        z, s = numbers.total
        value = z if name == "Z" else z.log() + s / z
        numbers.shown(
            ball(e.rational(claim[name]["lower"])) <= value <= ball(e.rational(claim[name]["upper"])),
            "the bounds of " + name,
        )
    for one in claim["windows"]:
        epsilon, bound = e.rational(one["epsilon"]), e.rational(one["content_bound"])
        numbers.shown(0 < epsilon < 1 and bound >= 0, "no weight, or a negative bound")
        numbers.shown(infinite or one["W"] is not None, "no window")
        if one["W"] is not None:
            numbers.window(epsilon, bound, one["W"])
    for name in ("reach", "self_reach"):
        for one in claim[name]:
            weight, bound = e.rational(one["weight"]), e.rational(one["content_bound"])
            numbers.shown(0 < weight < 1 and bound >= 0, "no weight, or a negative bound")
            if name == "reach" and infinite and one["n"] is None:
                numbers.content(bound)
            else:
                numbers.reach(weight, bound, one["n"], name == "self_reach")
    if claim["local_range"] is not None:
        c1 = e.rational(claim["local_range"]["threshold"])
        numbers.shown(c1 > 0, "the threshold is not positive")
        numbers.shown(
            claim["local_range"]["literal"] is not None or claim["local_range"]["within"] is not None,
            "a range of nothing",
        )
        for name in ("literal", "within"):
            if claim["local_range"][name] is not None:
                numbers.local_range(Form.of(c1), name == "within", claim["local_range"][name])
