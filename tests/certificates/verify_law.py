"""Certificates about laws with keys of their own, for verify.py: as certificates about laws without them."""

import verify_normalizer
import verify_path


def of_plain_law(verify, top):
    """The certificate of a law without gates along the path, a query or a law of the content, and with softmax, from
    which the claim follows."""
    law = top.get("law") if isinstance(top, dict) else None
    if isinstance(law, dict) and "normalizer" in law and {"path", "query", "content"} & set(law):
        raise verify.NotShown("more than one of gates, a query, a law of the content, a normalizer")
    return verify_path.one_law(verify, verify_normalizer.with_softmax(verify, top))
