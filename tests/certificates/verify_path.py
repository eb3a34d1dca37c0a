"""Certificates about gates along the path, and biases linear in the query, for verify.py: theorems P1 and Q1."""
import verify_form


def one_law(verify, top):
    """The certificate of the one law that decides a claim about gates, or about queries."""
    if isinstance(top, dict) and isinstance(top.get("law"), dict):
        if sum(key in top["law"] for key in ("path", "query", "content")) > 1:
            raise verify.NotShown("gates, a query and a law of the content at once")
        if "content" in top["law"]:
            return with_mean_content(verify, top)
        if "path" in top["law"]:
            return with_constant_gate(verify, top)
        if "query" in top["law"]:
            return with_extreme_query(verify, top)
    return top


def parted(verify, top, table, form, key, plain_angle=True):
    """The certificate without `table` of the law and `key` of the claim; then these two."""
    family, which = top["law"][table], top["claim"][key]
    bare = {**top, "law": {k: v for k, v in top["law"].items() if k != table}, "claim": {k: v for k, v in top["claim"].items() if k != key}}
    if top["kind"] != "verdict" or not verify_form.is_certificate(bare) or not verify_form.fits(family, form):
        raise verify.NotShown("no certificate about " + table)
    plain = verify.Law(bare["law"])
    if plain.with_length or plain_angle and ("H(" in verify.mentioned(plain.formula("angle")) or bare["law"]["alpha"] == "self-entropy"):
        raise verify.NotShown("gates, queries and laws of the content are for scores without L, the former two without H(n)")
    return bare, family, which, plain


def asked(verify, claim):
    """"nothing" of the bias, "sums" of exponentials, or "heights" of scores."""
    question = claim["property"] + "." + claim["reading"]
    if claim["property"] == "gps" or question == "ldcp.content":
        return "nothing"
    if claim["property"] == "convergent-normalization" or question in ("entropy-boundedness.limit", "entropy-boundedness.some-content"):
        return "sums"
    if question in ("ldcp.weight", "ldcp.signed"):
        return "heights"
    raise verify.NotShown("no one score decides this claim")


def require_values(verify, law, free):
    """The law has values, at the values of the parameters and for all that are free, also where a claim needs none."""
    verify.check_defined(law, verify.Cell(), set())
    if free:
        verify.check_defined(law, verify.verify_defined.cell_of(verify, law, free), free - {"B"})


def known_names(verify, law):
    return verify.Law.PLACE | {name + "(" for name in verify.FUNCTIONS | verify.verify_special.KNOWN} | {p["name"] for p in law["parameters"]}


def restrict(law, condition):
    law["parameters"] = [{**p, "domain": condition if p["domain"] is None else p["domain"] + " and " + condition} for p in law["parameters"]]


def with_constant_gate(verify, top):
    """Theorem P1: the certificate of the law with the constant gate that decides a claim about gates. Its domains say that there is a gate."""
    text = verify_form.text
    bare, path, gates, plain = parted(verify, top, "path", {"low": text, "high": text, "open": (None, "low", "high", "both")}, "gates")
    law, claim = bare["law"], bare["claim"]
    kind, every = asked(verify, claim), gates == "every"
    if claim["reading"] == "signed" and every and path["open"] in ("low", "both"):
        raise verify.NotShown("no constant gate decides this claim")
    end = None if kind == "nothing" else "high" if every == (kind == "sums") else "low"
    if (gates is not None) if end is None else gates not in ("every", "some") or path[end] == "-inf":
        raise verify.NotShown("no such gates")
    ends = [path[key] for key in ("low", "high") if (key, path[key]) != ("low", "-inf")]
    if any(verify.mentioned(one) - known_names(verify, law) for one in ends):
        raise verify.NotShown("an end of the gates mentions what is no parameter")
    if len(ends) > 1:
        cell, relation = verify.Cell(), "<" if path["open"] else "<="
        e = plain.evaluator(cell, ())
        if not cell.follows(e(ends[0]) - e(ends[1]), relation):
            raise verify.NotShown("there is no gate")
        restrict(law, "(%s) %s (%s)" % (ends[0], relation, ends[1]))
    if end is not None:
        law["bias"] = "(%s) + n*(%s)" % (law["bias"], path[end])
    return bare


def with_extreme_query(verify, top):
    """Theorem Q1: the certificate of the law with the largest scores of all queries, or the smallest where the shape has one sign in the end."""
    text = verify_form.text
    bare, query, which, plain = parted(verify, top, "query", {"radius": text, "shape": text}, "query")
    law, claim = bare["law"], bare["claim"]
    kind, (radius, shape) = asked(verify, claim), (query["radius"], query["shape"])
    if claim["property"] == "gps" or ((which is not None) if kind == "nothing" else which not in ("every", "some")):
        raise verify.NotShown("no such queries")
    known = known_names(verify, law) | {name + "(" for name in (t for t in law["tables"])}
    if verify.mentioned(radius) - known_names(verify, law) or verify.mentioned(shape) - known - {"n"}:
        raise verify.NotShown("a radius or shape that mentions what it may not")
    if not verify.Cell().follows(plain.evaluator(verify.Cell(), ())(radius), ">"):
        raise verify.NotShown("a radius that is not positive")
    cell = verify.Cell()
    e = plain.evaluator(cell, [p["name"] for p in law["parameters"]])
    for p in law["parameters"]:
        for f, relation in e.conditions(p["domain"]) if p["domain"] is not None else ():
            cell.assume(f, relation)
    far, largest = e.with_names(n=verify.X)(shape), (which == "every") == (kind == "sums")
    if kind != "nothing" and not largest and not cell.holds(far, False) and not cell.holds(-far, False):
        raise verify.NotShown("the shape has no sign near infinity")
    restrict(law, "0 < (%s)" % radius)
    law["bias"] = "(%s) %s (%s)*abs(%s)" % (law["bias"], "+" if largest else "-", radius, shape)
    return bare


def with_mean_content(verify, top):
    """Theorem X2: E Z under a law of the content is the Z of a law without content, whose scores are log E e^A; for some law, that of content 0."""
    bare, content, which, plain = parted(verify, top, "content", verify_form.text, "law", plain_angle=False)
    law, claim = bare["law"], bare["claim"]
    kind, _, deviation = content.partition(":")
    if (claim["property"], claim["reading"], claim["content_bound"]) != ("convergent-normalization", "expected", None) \
            or (kind, which) not in (("gaussian", None), ("sub-gaussian", "every"), ("sub-gaussian", "some")):
        raise verify.NotShown("no such claim about a law of the content")
    if law["softcap"] is not None or law["transform"] not in ("none", "identity", "rotation"):
        raise verify.NotShown("laws of the content are for scores without a soft cap and stretches")
    if not verify_form.fraction(deviation) or not verify.Q(deviation) > 0:
        raise verify.NotShown("a deviation that is not positive")
    require_values(verify, plain, set(top["free"]))  # the gain too
    if which != "some" and law["transform"] != "none":
        law["bias"] = "(%s) + %s*(%s)^2" % (law["bias"], verify.Q(deviation) ** 2 / 2, law["gain"])
    law.update(dict.fromkeys(("angle", "alpha", "scale", "rate", "decay")), transform="none", gain="1")
    claim["content_bound"] = "1"
    return bare
