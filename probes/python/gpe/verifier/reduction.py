"""Certificates about laws with keys of their own: as certificates about laws without them."""
# Tests: tests/certificates/forgeries.py

from gpe.verifier import normalizer, path
from gpe.verifier.work import NotShown


def of_plain_law(top):
    """The certificate of a law without gates along the path, a query or a law of the content, and with softmax, from
    which the claim follows."""
    law = top.get("law") if isinstance(top, dict) else None
    if isinstance(law, dict) and "normalizer" in law and {"path", "query", "content"} & set(law):
        raise NotShown("more than one of gates, a query, a law of the content, a normalizer")
    return path.one_law(normalizer.with_softmax(top))
