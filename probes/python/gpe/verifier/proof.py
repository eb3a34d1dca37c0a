"""Whether a proof proves an answer: looks up its rule and checks the claims of the rule."""
# Tests: tests/certificates/forged_proofs.py

from gpe.verifier.proof_claims import Claims
from gpe.verifier.proof_shapes import Shapes
from gpe.verifier.rules import FAR, IN_WINDOW, LENGTH, ONE_CLASS, POINTS
from gpe.verifier.work import NotShown, whole


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
