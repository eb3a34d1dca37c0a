"""The claims of rules: about windows, all n <= L, and all large n."""
# Tests: tests/certificates/forgeries.py

from fractions import Fraction as Q

from gpe.verifier.cell import between
from gpe.verifier.enclosures import ball
from gpe.verifier.rules import DIAGONAL, FIXED_FIRST, ONE_CLASS
from gpe.verifier.score import Score, rung
from gpe.verifier.sums import Form, X, atom
from gpe.verifier.work import NotShown


class Claims:
    """What Proof knows of claims."""

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
        modulus, residue = self.j.get("modulus", 1), self.j.get("residue", 0)
        one_class = rule in ONE_CLASS and not self.question.startswith("eb.uniform")
        if residue >= modulus or ("residue" in self.j and ("modulus" not in self.j or not one_class)):
            raise NotShown("no residue class")
        for r in [residue] if one_class else range(modulus):
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
