"""The parts of the score at one n (and L)."""
# Tests: tests/certificates/forgeries.py

from fractions import Fraction as Q

from gpe.verifier.cell import between
from gpe.verifier.expressions import mentioned
from gpe.verifier.sums import Constant, Form, single
from gpe.verifier.work import NotShown


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
        e, alpha = self.e.with_names(j=Form.of(block)), self.law.meaning_of_alpha()
        if alpha:
            e = e.with_names(alpha=e(alpha))
        return e(self.law.formula("angle"))

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
