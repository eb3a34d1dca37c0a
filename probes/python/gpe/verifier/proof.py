"""Whether a proof proves an answer: looks up its rule and checks the claims of the rule."""
# Tests: tests/certificates/forged_proofs.py

from gpe.verifier.proof_claims import Claims
from gpe.verifier.proof_shapes import Shapes
from gpe.verifier.rules import FAR, IN_WINDOW, LENGTH, POINTS
from gpe.verifier.work import NotShown


class Proof(Shapes, Claims):
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
        if rule in ("window", "one-key", "no-content", "constant", "bias-oscillates"):
            if getattr(self, rule.replace("-", "_"))():
                return
        elif (rule in IN_WINDOW) != (self.law.j["window"] is not None) and not question.startswith("gps."):
            raise NotShown("a rule for laws with a window, or without")
        else:
            for table in (FAR, LENGTH, POINTS, IN_WINDOW):
                if rule not in table:
                    continue
                questions = table[rule]
                if isinstance(questions, dict):
                    questions = questions.get(self.j["score"], "")
                if question not in questions.split():
                    break
                self.constants()
                if table is POINTS:
                    return self.points()
                if table is LENGTH:
                    return self.length()
                return self.far() if table is FAR else self.in_window()
        raise NotShown(f"the rule '{rule}' does not answer {question}")

    def constants(self):
        """What the form leaves open of them."""
        if ("g" in self.j) == self.question.startswith("gps.vector") and self.j["rule"] == "turns":
            raise NotShown("g belongs to turns of lines")
        if {"branch", "turned"} & set(self.j) and not self.law.hyperbolic:
            raise NotShown("there is one branch")
        for key, value in self.j.items():
            if key in ("U", "S") or isinstance(value, int):
                self.c[key] = value
            elif key not in ("rule", "score", "threshold", "branch", "turned"):
                self.c[key] = self.e(value)
                if self.c[key].only() is None:
                    raise NotShown(f"{key} is not constant")
            if key in ("block", "other") and value >= self.law.d // 2:
                raise NotShown(f"{key} is too large")
            if key in ("from", "to") and (value < self.law.first or not self.sees(value)):
                raise NotShown("no such distance")

    def sees(self, n):
        size = self.law.j["window"]
        return size is None or self.cell.holds(self.e(size) - (n - self.law.first + 1), False)

    # the shape of the law
