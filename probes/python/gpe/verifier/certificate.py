"""Checks a certificate: what it claims, of what, and whether its proof proves it."""
# Tests: tests/certificates/forgeries.py

import json

from gpe.verifier import defined, design, form, numbers, reduction, work
from gpe.verifier.cell import Cell
from gpe.verifier.evaluator import Evaluator
from gpe.verifier.expressions import PARSED
from gpe.verifier.law import Law
from gpe.verifier.proof import Proof
from gpe.verifier.regions import check_cases, lies
from gpe.verifier.sums import ATOMS, Constant
from gpe.verifier.work import NotShown


def check_verdict(top, law):
    claim, free = top["claim"], set(top["free"])
    short = {"convergent-normalization": "cn", "entropy-boundedness": "eb"}.get(claim["property"], claim["property"])
    bounded_claim = short in ("cn", "eb")
    if (claim["content_bound"] is None) != (not bounded_claim or "B" in free):
        raise NotShown("expected exactly one content bound")
    bound = "B" if "B" in free else claim["content_bound"]
    if not bounded_claim:
        bound = "0"
    question, verdict, region = short + "." + claim["reading"], claim["verdict"], claim["region"]
    proof, found = top["proof"], set()
    check_point(law, {}, "always", True)
    if free:
        if free - {p["name"] for p in law.j["parameters"]} - {"B"}:
            raise NotShown("no such parameters")
        check_cases(question, bound, law, free, region, defined.cell_of(law, free), top["cases"], found)
    elif region != ("always" if verdict == "holds" else "never"):
        raise NotShown("a region of no parameters")
    if proof is not None:
        Proof(question + "." + verdict, bound, law, Cell(), (), proof, True).check()
    elif "undecided" in found or verdict != ("depends" if len(found) > 1 else found.pop()):
        raise NotShown(f"the cases do not amount to '{verdict}'")
    for side, values in (top["witnesses"] or {}).items():
        if set(values) != free:
            raise NotShown("a witness of other parameters")
        check_point(law, values, region, side == "holds")


def check_point(law, values, region, inside):
    """At these values of parameters: they lie in their domains and the region, and the score is defined."""
    j = json.loads(json.dumps(law.j))
    j["parameters"] = [{**p, "value": values.get(p["name"], p["value"])} for p in j["parameters"]]
    cell, law = Cell(), Law(j)
    e = law.evaluator(cell, ())
    if "B" in values:
        e.names["B"] = Evaluator(Cell(), {}, {})(values["B"])
        if not cell.holds(e.names["B"], True):
            raise NotShown("a content bound that is not positive")
    for p in j["parameters"]:
        if p["domain"] is not None and not all(cell.follows(f, r) for f, r in e.conditions(p["domain"])):
            raise NotShown("a parameter outside of its domain")
    if not lies(cell, e, region.partition("; undecided: ")[0], inside):
        raise NotShown("a point on the wrong side of the region")
    defined.require(law, cell, set())


def check(top):
    form.require(top)
    for one in top["certificates"] if top["kind"] == "list" else [top]:
        check_one(one)


def check_one(top):
    work.begin()
    ATOMS.clear()
    PARSED.clear()
    ATOMS["pi"] = ("pi", Constant(), False)
    top = reduction.of_plain_law(top)
    law = Law(top["law"])
    if top["kind"] == "verdict":
        return check_verdict(top, law)
    check_point(law, {}, "always", True)
    if top["kind"] == "design":
        return design.check(law, top)
    numbers.check(law, top["claim"], top["proof"])
