"""Certificates about weights that are no softmax, for verify.py: theorems N1 to N3."""
import verify_form

KINDS = {"sigmoid": None, "relu": None, "top-k": verify_form.text}
SUMS = {"convergent-normalization": ("every-content", "some-content", "expected"), "entropy-boundedness": ("limit", "some-content", "uniform")}


def with_softmax(verify, top):
    """The certificate of the law with softmax from which a claim about another normalizer follows."""
    if not isinstance(top.get("law"), dict) or "normalizer" not in top["law"]:
        return top
    normalizer, level = top["law"]["normalizer"], top["level"]
    law = {key: value for key, value in top["law"].items() if key != "normalizer"}
    bare = {**{key: value for key, value in top.items() if key != "level"}, "law": law, "claim": dict(top["claim"])}
    kind = normalizer.get("kind") if isinstance(normalizer, dict) else None
    if top["kind"] != "verdict" or not verify_form.is_certificate(bare) or kind not in KINDS \
            or not verify_form.fits(normalizer, {"kind": kind, "parameter": KINDS[kind]}):
        raise verify.NotShown("no certificate about a normalizer")
    plain, claim = verify.Law(law), bare["claim"]
    if plain.with_length or verify.mentioned(plain.formula("angle")) & {"L", "H("} or law["alpha"] == "self-entropy":
        raise verify.NotShown("normalizers are for scores without L and H(n)")
    few = {**law, "window": normalizer["parameter"]} if kind == "top-k" else None
    if few:
        verify.Law(few).keys_in_window()  # k is a number of keys
    readings, reading, holds = SUMS.get(claim["property"]), claim["reading"], claim["verdict"] == "holds"
    settled = (claim["verdict"], claim["region"]) in (("holds", "always"), ("fails", "never"))
    if readings and reading not in readings:
        raise verify.NotShown("no such reading")
    if readings and law["window"] is None and (kind == "relu" or (kind == "top-k" and reading != "uniform")):
        return by_level(verify, bare, kind, level, settled and not (kind == "relu" and not holds and reading == "uniform"))
    if level is not None:
        raise verify.NotShown("a level that nothing is compared with")
    if law["window"] is not None or claim["property"] == "gps":
        return bare
    if not readings:
        claim["reading"] = "signed" if (kind, reading) == ("relu", "weight") else reading
    elif kind == "top-k":
        bare["law"] = few
    elif reading == "uniform":
        claim["reading"] = "limit"
    elif reading == "expected":
        if not settled:
            raise verify.NotShown("E sigmoid(A) and E e^A differ")
        claim["reading"] = "expected" if holds else "some-content"
    return bare


def by_level(verify, bare, kind, level, settled):
    """The upper limit of a score against a level; of top-k also its way to infinity."""
    law, claim = bare["law"], bare["claim"]
    holds, reading = claim["verdict"] == "holds", claim["reading"]
    score, bound = "(%s)" % law["bias"], claim["content_bound"]
    if not settled or law["softcap"] is not None or law["transform"] not in ("identity", "rotation", "none") or verify.Q(bound) < 0:
        raise verify.NotShown("no level decides this claim")
    if law["transform"] != "none" and (holds or reading != "expected"):
        score += " %s abs(%s)*(%s)" % ("-" if reading == "some-content" else "+", law["gain"], bound)
    bare["claim"] = {"property": "ldcp", "reading": "weight", "content_bound": None, "verdict": "fails", "region": "never"}
    if kind == "top-k" and not holds:
        if level is not None:
            raise verify.NotShown("a level that nothing is compared with")
        law["bias"] = "-(%s)" % score
        return bare
    if not verify_form.fraction(level) or (kind == "relu" and (verify.Q(level) >= 0 if holds else verify.Q(level) != 0)):
        raise verify.NotShown("a level on the wrong side of 0")
    law["bias"] = "%s - (%s)" % (score, level)
    bare["claim"].update(reading="signed", verdict="fails" if holds else "holds", region="never" if holds else "always")
    return bare
