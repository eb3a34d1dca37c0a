"""Certificates about gates along the path, and biases linear in the query: theorems P1 and Q1."""
# Tests: tests/certificates/forged_gates.py

from fractions import Fraction as Q

from gpe.verifier import defined, special
from gpe.verifier.cell import Cell
from gpe.verifier.expressions import FUNCTIONS, mentioned
from gpe.verifier.law import Law
from gpe.verifier.sums import X
from gpe.verifier.work import NotShown


def one_law(top):
    """The certificate of the one law that decides a claim about gates, or about queries."""
    if "content" in top["law"]:
        return with_mean_content(top)
    if "path" in top["law"]:
        return with_constant_gate(top)
    if "query" in top["law"]:
        return with_extreme_query(top)
    return top


def parted(top, table, key, plain_angle=True):
    """The certificate without `table` of the law and `key` of the claim; then these two."""
    family, which = top["law"][table], top["claim"][key]
    bare = {
        **top,
        "law": {k: v for k, v in top["law"].items() if k != table},
        "claim": {k: v for k, v in top["claim"].items() if k != key},
    }
    plain = Law(bare["law"])
    if (
        plain.with_length
        or plain_angle
        and ("H(" in mentioned(plain.formula("angle")) or bare["law"]["alpha"] == "self-entropy")
    ):
        raise NotShown("gates, queries and laws of the content are for scores without L, the former two without H(n)")
    return bare, family, which, plain


def asked(claim):
    """ "nothing" of the bias, "sums" of exponentials, or "heights" of scores."""
    question = claim["property"] + "." + claim["reading"]
    if claim["property"] == "gps" or question == "ldcp.content":
        return "nothing"
    if claim["property"] == "convergent-normalization" or question in (
        "entropy-boundedness.limit",
        "entropy-boundedness.some-content",
    ):
        return "sums"
    if question in ("ldcp.weight", "ldcp.signed"):
        return "heights"
    raise NotShown("no one score decides this claim")


def require_values(law, free):
    """The law has values, at the values of the parameters and for all that are free, also where a claim needs none."""
    defined.require(law, Cell(), set())
    if free:
        defined.require(law, defined.cell_of(law, free), free)


def known_names(law):
    return Law.PLACE | {name + "(" for name in FUNCTIONS | special.KNOWN} | {p["name"] for p in law["parameters"]}


def restrict(law, condition):
    law["parameters"] = [
        {**p, "domain": condition if p["domain"] is None else p["domain"] + " and " + condition}
        for p in law["parameters"]
    ]


def by_content(claim, which):
    """`probability` follows from `content`, which asks for neither gates nor queries: to be at
    least b is as likely as to be at most b."""
    if which in ("every", "some") and (claim["property"], claim["reading"], claim["verdict"], claim["region"]) == (
        "ldcp",
        "probability",
        "holds",
        "always",
    ):
        claim["reading"] = "content"
        return None
    return which


def with_constant_gate(top):
    """Theorem P1: the certificate of the law with the constant gate that decides a claim about
    gates. Its domains say that there is a gate."""
    at_random = top["claim"]["gates"] == "random"
    annealed, part = at_random and top["claim"]["reading"] == "expected", top.get("gate")
    means = {"mean": at_random and not annealed, "mean_exp": annealed}
    if any((key in top["law"]["path"]) != there for key, there in means.items()):
        raise NotShown("another mean of the gates")
    bare, path, gates, plain = parted({key: value for key, value in top.items() if key != "gate"}, "path", "gates")
    law, claim = bare["law"], bare["claim"]
    gates = gates if part is not None else by_content(claim, gates)
    if annealed:
        plain.evaluator(Cell(), ())(path["mean_exp"])  # a formula by itself
        path = {**path, "mean": f"log({path['mean_exp']})"}
    names = ["low"] * (path["low"] != "-inf") + ["mean"] * at_random + ["high"]
    if any(mentioned(path[one]) - known_names(law) for one in names):
        raise NotShown("an end of the gates mentions what is not a parameter")
    strict = {
        ("high", "high"): False,  # it has a value
        ("low", "high"): path["open"] is not None,
        ("low", "mean"): path["open"] in ("low", "both"),
        ("mean", "high"): path["open"] in ("high", "both"),
    }
    e = plain.evaluator(Cell(), ())
    for (one, other), relation in (
        (pair, "<" if without else "<=") for pair, without in strict.items() if {*pair} <= {*names}
    ):
        if not Cell().follows(e(path[one]) - e(path[other]), relation):
            raise NotShown("there is no gate")
        restrict(law, f"({path[one]}) {relation} ({path[other]})")
    if part is not None:
        gate = gate_that_shows(law, claim, path, gates, Q(part))  # which may change the bias
        law["bias"] += f" + n*({gate})"
        return bare
    kind, every = asked(claim), gates == "every"
    if claim["reading"] == "signed" and every and path["open"] in ("low", "both"):
        raise NotShown("no constant gate decides this claim")
    end = "high" if every == (kind == "sums") else "low"
    if annealed:
        end = "mean"
    if kind == "nothing":
        end = None
    if (gates is not None) if end is None else not (annealed or gates in ("every", "some")) or path[end] == "-inf":
        raise NotShown("no such gates")
    if end is not None:
        law["bias"] = f"({law['bias']}) + n*({path[end]})"
    return bare


def gate_that_shows(law, claim, path, gates, part):
    """Theorems P1 and P2: the gate whose claim implies one about gates, `part` of the way from the largest to the
    smallest of them; or, without a smallest, as far below the largest; or above the mean of random ones. Puts law and
    claim in the words of that claim."""
    question, verdict = (claim["property"], claim["reading"]), (claim["verdict"], claim["region"])
    holds = verdict == ("holds", "always")
    infinite, left_out = (
        path["low"] == "-inf",
        {None: (), "low": ("low",), "high": ("high",), "both": ("low", "high")}[path["open"]],
    )
    law["bias"] = f"({law['bias']})"
    if (
        not (holds or verdict == ("fails", "never"))
        or gates not in ("every", "some", "random")
        or question[0] == "gps"
        or question == ("ldcp", "content")
    ):
        raise NotShown("a gate for a claim with cases, or about none")
    if gates == "random":
        decided = ("limit", "some-content") if holds else ()
        if question[0] == "convergent-normalization":
            decided = ("every-content", "some-content")
        finite = question[1] in decided
        if not finite or not (part > 0 if holds else part < 0):
            raise NotShown("random gates are on the other side of this one")
        return f"({path['mean']}) + ({part})"
    if gates == ("some" if holds else "every"):
        bounded_changes_matter = question in (("ldcp", "signed"), ("ldcp", "literal"), ("ldcp", "probability"))
        at = "high" if part == 0 else None
        if part == 1 and not infinite:
            at = "low"
        if part < 0 or (part > 1 and not infinite) or (bounded_changes_matter and at in left_out):
            raise NotShown("that gate is not one of these")
        return (
            f"({path['high']}) - ({part})" if infinite else f"({1 - part})*({path['high']}) + ({part})*({path['low']})"
        )
    if gates == "some" or not (part == 0 or (part == 1 and not infinite)):
        raise NotShown("one gate says nothing of the others")
    end = "high" if part == 0 else "low"
    if question == ("entropy-boundedness", "uniform") and end == "high":
        claim["reading"] = "limit"
        return path[end]
    if question not in (("ldcp", "literal"), ("ldcp", "probability")) or law["window"] is not None:
        raise NotShown("one gate says nothing of the others")
    # all scores lie beyond the one of this end, by a constant where the end is left out; its sign
    # is that of the highest ones
    claim.update({"reading": "signed"}, **({"verdict": "fails", "region": "never"} if end in left_out else {}))
    if (end == "high") == (end in left_out):
        return path[end]
    law["bias"] = "-" + law["bias"]
    return f"-({path[end]})"


def with_extreme_query(top):
    """Theorem Q1: the certificate of the law with the largest scores of all queries, or the smallest where the shape
    has one sign in the end."""
    part = top.get("at")
    bare, query, which, plain = parted({key: value for key, value in top.items() if key != "at"}, "query", "query")
    law, claim = bare["law"], bare["claim"]
    if part is None:
        which = by_content(claim, which)
        kind = asked(claim)
    elif (claim["property"], claim["reading"]) == ("ldcp", "content"):
        raise NotShown("content does not ask for queries")
    else:
        kind = "shown"
    radius, shape = query["radius"], query["shape"]
    if claim["property"] == "gps" or ((which is not None) if kind == "nothing" else which not in ("every", "some")):
        raise NotShown("no such queries")
    known = known_names(law) | {name + "(" for name in (t for t in law["tables"])}
    if mentioned(radius) - known_names(law) or mentioned(shape) - known - {"n"}:
        raise NotShown("a radius or shape that mentions what it may not")
    if not Cell().follows(plain.evaluator(Cell(), ())(radius), ">"):
        raise NotShown("a radius that is not positive")
    cell = Cell()
    e = plain.evaluator(cell, [p["name"] for p in law["parameters"]])
    for p in law["parameters"]:
        for f, relation in e.conditions(p["domain"]) if p["domain"] is not None else ():
            cell.assume(f, relation)
    far, largest = e.with_names(n=X)(shape), (which == "every") == (kind == "sums")
    if kind in ("sums", "heights") and not largest and not cell.holds(far, False) and not cell.holds(-far, False):
        raise NotShown("the shape has no sign near infinity")
    restrict(law, f"0 < ({radius})")
    if kind == "shown":
        law["bias"] = bias_of_shown(law, claim, which, Q(part), radius, shape)
    else:
        law["bias"] = f"({law['bias']}) {'+' if largest else '-'} ({radius})*abs({shape})"
    return bare


def bias_of_shown(law, claim, which, part, radius, shape):
    """Theorem Q1: r = `part` times the radius, which is an example, or at both ends a bound of all scores; the claim
    about these becomes `claim`."""
    verdict = (claim["verdict"], claim["region"])
    if verdict not in (("holds", "always"), ("fails", "never")) or not -1 <= part <= 1:
        raise NotShown("no such query, or a claim with cases")
    if (which, claim["verdict"]) in (("some", "holds"), ("every", "fails")):
        return f"({law['bias']}) + ({part})*({radius})*({shape})"
    question = (claim["property"], claim["reading"])
    if (which, claim["verdict"]) != ("every", "holds") or part not in (-1, 1):
        raise NotShown("one query says nothing of the others")
    if question == ("entropy-boundedness", "uniform") and part == 1:
        claim["reading"] = "limit"
        return f"({law['bias']}) + ({radius})*abs({shape})"
    if question not in (("ldcp", "literal"), ("ldcp", "probability")):
        raise NotShown("one query says nothing of the others")
    claim["reading"] = "signed"  # no score is above the largest ones, nor below the smallest
    return f"{'-' if part == 1 else ''}(({law['bias']}) {'+' if part == 1 else '-'} ({radius})*abs({shape}))"


def with_mean_content(top):
    """Theorem X2: E Z under a law of the content is the Z of a law without content, whose scores are log E e^A; for
    some law, that of content 0."""
    bare, content, which, plain = parted(top, "content", "law", plain_angle=False)
    law, claim = bare["law"], bare["claim"]
    kind, _, deviation = content.partition(":")
    if (claim["property"], claim["reading"], claim["content_bound"]) != (
        "convergent-normalization",
        "expected",
        None,
    ) or (kind, which) not in (("gaussian", None), ("sub-gaussian", "every"), ("sub-gaussian", "some")):
        raise NotShown("no such claim about a law of the content")
    if law["softcap"] is not None or law["transform"] not in ("none", "identity", "rotation"):
        raise NotShown("laws of the content are for scores without a soft cap and stretches")
    if not Q(deviation) > 0:
        raise NotShown("a deviation that is not positive")
    require_values(plain, set(top["free"]))  # the gain too
    if which != "some" and law["transform"] != "none":
        law["bias"] = f"({law['bias']}) + {Q(deviation) ** 2 / 2}*({law['gain']})^2"
    law.update(dict.fromkeys(("angle", "alpha", "scale", "rate", "decay")), transform="none", gain="1")
    claim["content_bound"] = "1"
    return bare
