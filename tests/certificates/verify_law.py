"""Certificates about laws with keys of their own, for verify.py: as certificates about laws without them."""
import verify_normalizer
import verify_path


def of_plain_law(verify, top):
    """The certificate of a law without gates along the path, and with softmax, from which the claim follows."""
    return verify_path.with_constant_gate(verify, verify_normalizer.with_softmax(verify, top))
