"""Certificates about gates along the path, for verify.py: theorem P1."""
import verify_form


def with_constant_gate(verify, top):
    """Theorem P1: the certificate of the law with the constant gate that decides a claim about gates. Its domains say that there is a gate."""
    if "path" not in top["law"]:
        return top
    path, gates = top["law"]["path"], top["claim"]["gates"]
    law = {key: value for key, value in top["law"].items() if key != "path"}
    claim = {key: value for key, value in top["claim"].items() if key != "gates"}
    text, bare = verify_form.text, {**top, "law": law, "claim": claim}
    if top["kind"] != "verdict" or not verify_form.is_certificate(bare) \
            or not verify_form.fits(path, {"low": text, "high": text, "open": (None, "low", "high", "both")}):
        raise verify.NotShown("no certificate about gates")
    question, every = claim["property"] + "." + claim["reading"], gates == "every"
    unasked = claim["property"] == "gps" or question == "ldcp.content"
    if unasked:
        end = None
    elif claim["property"] == "convergent-normalization" or question in ("entropy-boundedness.limit", "entropy-boundedness.some-content"):
        end = "high" if every else "low"
    elif question == "ldcp.weight" or (question == "ldcp.signed" and not (every and path["open"] in ("low", "both"))):
        end = "low" if every else "high"
    else:
        raise verify.NotShown("no constant gate decides this claim")
    if (gates is not None) if unasked else gates not in ("every", "some") or path[end] == "-inf":
        raise verify.NotShown("no such gates")
    plain = verify.Law(law)
    if plain.with_length or "H(" in verify.mentioned(plain.formula("angle")) or law["alpha"] == "self-entropy":
        raise verify.NotShown("gates are for scores without L and H(n)")
    known = verify.Law.PLACE | {name + "(" for name in verify.FUNCTIONS | set(verify.WRITTEN_OUT)} | {p["name"] for p in law["parameters"]}
    ends = [path[key] for key in ("low", "high") if (key, path[key]) != ("low", "-inf")]
    if any(verify.mentioned(one) - known for one in ends):
        raise verify.NotShown("an end of the gates mentions what is no parameter")
    if len(ends) > 1:
        cell, relation = verify.Cell(), "<" if path["open"] else "<="
        e = plain.evaluator(cell, ())
        if not cell.follows(e(ends[0]) - e(ends[1]), relation):
            raise verify.NotShown("there is no gate")
        there = "(%s) %s (%s)" % (ends[0], relation, ends[1])
        law["parameters"] = [{**p, "domain": there if p["domain"] is None else p["domain"] + " and " + there} for p in law["parameters"]]
    if end is not None:
        law["bias"] = "(%s) + n*(%s)" % (law["bias"], path[end])
    return bare
