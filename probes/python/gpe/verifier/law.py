"""The law of a certificate."""
# Tests: tests/certificates/forgeries.py

from fractions import Fraction as Q

from gpe.verifier import special
from gpe.verifier.cell import Cell
from gpe.verifier.evaluator import Evaluator
from gpe.verifier.expressions import FUNCTIONS, RESERVED, mentioned, mentioned_in_conditions
from gpe.verifier.sums import Form
from gpe.verifier.work import NotShown, spend


class Law:
    PLACE = set("d h heads layer layers pi".split())
    MENTION = {"gain": "n L", "bias": "n L", "window": "", "softcap": "", "rate": "j", "decay": "j", "scale": "n L j"}

    def __init__(self, j):
        self.j, self.d, self.first, self.transform = j, j["head_dim"], j["first"], j["transform"]
        self.turns, self.scaled = self.transform in ("rotation", "scaled-rotation"), self.transform == "scaled-rotation"
        self.hyperbolic = self.transform == "hyperbolic"
        if self.d % 2 or j["head"] > j["heads"] or j["layer"] > j["layers"]:
            raise NotShown("no head")
        names = [p["name"] for p in j["parameters"]]
        if (
            any(name[0].isdigit() for name in (*names, *j["tables"]))
            or len(set(names)) < len(names)
            or (set(names) | set(j["tables"])) & (RESERVED | FUNCTIONS)
            or set(j["tables"]) & special.KNOWN
            or set(names) & set(j["tables"])
        ):
            raise NotShown("names of parameters and tables")
        plain, known = (
            self.PLACE | {name + "(" for name in FUNCTIONS | special.KNOWN},
            {*names, *(name + "(" for name in j["tables"])},
        )
        for p in j["parameters"]:
            if mentioned(p["value"]) - plain or (
                p["domain"] is not None and mentioned_in_conditions(p["domain"]) - plain - set(names)
            ):
                raise NotShown(f"the value of {p['name']} mentions what has none")
        self.schedule = j["alpha"] not in (None, "self-entropy", "measured", "frozen-pair")
        angle = "n L j H(" if j["alpha"] is None else "n L j alpha"
        for key, more in {**self.MENTION, "angle": angle, "alpha": "n" if self.schedule else None}.items():
            if more is not None and mentioned(self.formula(key)) - plain - known - set(more.split()):
                raise NotShown(f"{key} mentions what has no value")
        self.blocks = (
            self.d // 2
            if "j"
            in mentioned(self.formula("scale")) | mentioned(self.formula("rate")) | mentioned(self.formula("decay"))
            else 1
        )

    def formula(self, key):
        return self.j[key] or ""

    def meaning_of_alpha(self):
        """The formula for alpha, or nothing where it is only known to be positive."""
        alpha = self.formula("alpha")
        if alpha == "self-entropy":
            return "alpha0*(1 + H(n))" if "alpha0" in {p["name"] for p in self.j["parameters"]} else "(1 + H(n))"
        return alpha if self.schedule else ""

    def evaluator(self, cell, free):
        names = {"d": Form.of(self.d)}
        for key in ("head", "heads", "layer", "layers"):
            names["h" if key == "head" else key] = Form.of(self.j[key])
        spend(len(self.j["parameters"]) + sum(len(t["values"]) for t in self.j["tables"].values()))
        tables = {
            name: (t["first"], t["beyond"] == "constant", [Q(v) for v in t["values"]])
            for name, t in self.j["tables"].items()
        }
        e = Evaluator(cell, names, tables)
        values = {
            p["name"]: Form.of(cell.named("symbol", p["name"])) if p["name"] in free else e(p["value"])
            for p in self.j["parameters"]
        }
        if "B" in free:
            values["B"] = Form.of(cell.named("symbol", "B"))
        return Evaluator(cell, {**values, **names}, tables)

    def last_seen(self, free):
        """The greatest distance that is seen, or None: without a window, or with one of free parameters."""
        window = self.j["window"]
        if window is None or mentioned(window) & set(free):
            return None
        return self.first + self.keys_in_window() - 1

    def keys_in_window(self):
        size = self.evaluator(Cell(), ()).rational(self.j["window"])
        if size.denominator != 1 or not 1 <= size <= 10**9:
            raise NotShown("no window of a whole number of keys")
        return int(size)

    @property
    def with_length(self):
        return any("L" in mentioned(self.formula(key)) for key in ("bias", "gain", "scale"))
