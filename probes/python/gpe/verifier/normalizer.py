"""Certificates about weights that are not a softmax: theorems N1 to N5."""
# Tests: tests/certificates/forged_normalizers.py

from fractions import Fraction as Q

from gpe.verifier import path, special
from gpe.verifier.cell import Cell
from gpe.verifier.expressions import FUNCTIONS, mentioned
from gpe.verifier.law import Law
from gpe.verifier.work import NotShown


def with_softmax(top):
    """The certificate of the law with softmax from which a claim about another normalizer follows."""
    if "normalizer" not in top["law"]:
        return top
    normalizer, level = top["law"]["normalizer"], top["level"]
    law = {key: value for key, value in top["law"].items() if key != "normalizer"}
    bare = {**{key: value for key, value in top.items() if key != "level"}, "law": law, "claim": dict(top["claim"])}
    kind, plain, claim = normalizer["kind"], Law(law), bare["claim"]
    if plain.with_length or mentioned(plain.formula("angle")) & {"L", "H("} or law["alpha"] == "self-entropy":
        raise NotShown("normalizers are for scores without L and H(n)")
    if kind == "top-k":
        path.restrict(law, f"1 <= ({normalizer['parameter']})")
    few = {**law, "window": normalizer["parameter"] if kind == "top-k" else "1"}
    Law(few).keys_in_window()  # k is a number of keys
    if kind == "entmax":
        needs_alpha_above_one(plain, normalizer["parameter"])
        path.restrict(law, f"1 < ({normalizer['parameter']})")
    path.require_values(plain, set(top["free"]))
    reading, verdict = claim["reading"], (claim["verdict"], claim["region"])
    entropy = claim["property"] == "entropy-boundedness"
    sums = entropy or claim["property"] == "convergent-normalization"
    if law["window"] is not None or (not sums and (claim["property"] == "gps" or reading != "weight")):
        return without_level(level, bare)
    if not sums:
        if kind == "entmax" and verdict != ("fails", "never"):
            raise NotShown("no claim about the bias decides this one")
        claim["reading"] = "signed" if kind == "relu" else reading
        bare["law"] = few if kind == "stick-breaking" else law
    elif (kind == "top-k" and reading == "uniform") or (kind == "stick-breaking" and not entropy):
        bare["law"] = few
    elif kind == "sigmoid" or (kind == "stick-breaking" and level is None):
        if (kind == "stick-breaking" and verdict != ("holds", "always")) or (
            reading == "expected" and verdict not in (("holds", "always"), ("fails", "never"))
        ):
            raise NotShown("sums that differ from those of softmax")
        if reading == "uniform":
            claim["reading"] = "limit"
        elif reading == "expected" and claim["verdict"] == "fails":
            claim["reading"] = "some-content"
        else:
            claim["reading"] = reading
    else:
        return by_level(bare, kind, level, entropy)
    return without_level(level, bare)


def without_level(level, bare):
    if level is not None:
        raise NotShown("a level that nothing is compared with")
    return bare


def needs_alpha_above_one(plain, alpha):
    known = Law.PLACE | {name + "(" for name in FUNCTIONS | special.KNOWN} | {p["name"] for p in plain.j["parameters"]}
    if mentioned(alpha) - known:
        raise NotShown("alpha mentions what is not a parameter")
    cell = Cell()
    if not cell.follows(plain.evaluator(cell, ())(f"({alpha}) - 1"), ">"):
        raise NotShown("alpha is not above 1")


def by_level(bare, kind, level, entropy):
    """The upper limit of a score against a level; or its way to infinity, or to -infinity."""
    law, claim = bare["law"], bare["claim"]
    holds, reading, stick = claim["verdict"] == "holds", claim["reading"], kind == "stick-breaking"
    score, bound = f"({law['bias']})", claim["content_bound"]
    if (
        (claim["verdict"], claim["region"]) not in (("holds", "always"), ("fails", "never"))
        or (not holds and (stick or reading == "uniform"))
        or law["softcap"] is not None
        or law["transform"] not in ("identity", "rotation", "none")
        or bound is None
        or Q(bound) < 0
    ):
        raise NotShown("no level decides this claim")
    if law["transform"] != "none" and (holds or reading != "expected"):
        sign = "-" if (reading == "some-content") != stick else "+"
        score += f" {sign} abs({law['gain']})*({bound})"
    bare["claim"] = {
        "property": "ldcp",
        "reading": "weight",
        "content_bound": None,
        "verdict": "fails",
        "region": "never",
    }
    if kind != "relu" and (not holds or (kind == "entmax" and entropy)):
        law["bias"] = score if holds else f"-({score})"
        return without_level(level, bare)
    if level is None or (kind == "relu" and (Q(level) >= 0 if holds else Q(level) != 0)):
        raise NotShown("a level on the wrong side of 0")
    if stick:
        score = f"-({score}) - log(1 + n)"
    law["bias"] = f"{score} - ({level})"
    bare["claim"].update(reading="signed", verdict="fails" if holds else "holds", region="never" if holds else "always")
    return bare
