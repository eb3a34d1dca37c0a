"""Certificates about laws with keys of their own: as certificates about laws without them."""
# Tests: tests/certificates/forgeries.py

from gpe.verifier import normalizer, path


def of_plain_law(top):
    """The certificate of a law without gates along the path, a query or a law of the content, and with softmax, from
    which the claim follows."""
    return path.one_law(normalizer.with_softmax(top))
