"""Regions of the parameters, and trees of cases that cover all parameters."""
# Tests: tests/certificates/forgeries.py

from gpe.verifier import defined
from gpe.verifier.cell import Cell
from gpe.verifier.expressions import CONTRARY
from gpe.verifier.proof import Proof
from gpe.verifier.work import NotShown


def lies(cell, e, region, inside):
    if region in ("always", "never"):
        return inside == (region == "always")
    for part in region.split(", or "):
        conditions = list(e.conditions(part))
        after, contradiction = Cell(cell.conditions, cell.values), False
        for f, r in conditions:
            contradiction = contradiction or after.follows(f, CONTRARY[r])
            if r != "!=":
                after.assume(f, r)
        if inside and all(cell.follows(f, r) for f, r in conditions):
            return True
        if not inside and not contradiction:
            return False
    return not inside


def check_cases(question, bound, law, free, region, cell, tree, found, known=None):
    if known is None:  # whether the law has values in all cases together
        known = defined.is_shown(law, cell, free)
    e = law.evaluator(cell, free)
    if "split" in tree:
        f = e(tree["split"])
        for key, relation in (("below", "<"), ("at", "="), ("above", ">")):
            part = cell.part(f, relation)
            if key in tree:
                check_cases(question, bound, law, free, region, part, tree[key], found, known)
            elif not cell.follows(f, CONTRARY[relation]) and not part.empty():
                raise NotShown("a case is missing")
        return
    if cell.empty():
        return
    verdict = tree["verdict"]
    found.add(verdict)
    holds_on, _, open_on = region.partition("; undecided: ")
    if not lies(cell, e, holds_on, verdict == "holds") or not lies(cell, e, open_on or "never", verdict == "undecided"):
        raise NotShown("a case on the wrong side of the region")
    if verdict != "undecided":
        if not known:
            defined.require(law, cell, free)
        Proof(question + "." + verdict, bound, law, cell, free, tree["proof"], False).check()
