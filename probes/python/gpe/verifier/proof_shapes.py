"""Proofs from the shape of a law, and from its values at points."""
# Tests: tests/certificates/forgeries.py

from fractions import Fraction as Q

from gpe.verifier.cell import Cell, padded
from gpe.verifier.enclosures import varies
from gpe.verifier.expressions import mentioned
from gpe.verifier.score import Score
from gpe.verifier.sums import PI, Constant, Form, X, atom, single
from gpe.verifier.work import NotShown


class Shapes:
    """What Proof knows of shapes."""

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
            unknowns = [(a, e) for a, e in key if varies(Constant({((a, 1),): Q(1)}))]
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
