"""gpe.testing passes right kernels and encodings, and says what is wrong with wrong ones."""

import hypothesis
import pytest
import torch

import gpe
from gpe.testing import Mismatch

SLOPES = [1 / 4, 1 / 16, 1 / 64, 1 / 256]
QUICK = {"examples": 15}


def alibi(q, k, v, *, sign=-1, shift=0, sink=None, window=None, causal=True, heads=SLOPES):
    """A port of ALiBi, with what may go wrong."""
    k, v = (x.repeat_interleave(q.size(1) // x.size(1), 1) for x in (k, v))
    n = torch.arange(k.size(2) - q.size(2), k.size(2))[:, None] - torch.arange(k.size(2))
    scores = q @ k.mT / q.size(3) ** 0.5 + sign * torch.tensor(heads, dtype=q.dtype)[:, None, None] * (
        n + shift * (n > 0)
    )
    seen = (n >= 0) if causal else torch.ones_like(n, dtype=torch.bool)
    if window is not None:
        seen = seen & (n < window)
    scores = scores.masked_fill(~seen, -torch.inf)
    if sink is not None:
        scores = torch.cat([scores, torch.full_like(scores[..., :1], sink)], -1)
    return scores.softmax(-1)[..., : k.size(2)] @ v


def test_a_right_kernel_matches():
    gpe.testing.assert_matches(alibi, "alibi", gradients=True, **QUICK)
    gpe.testing.assert_matches(alibi, "alibi", dtype=torch.bfloat16, **QUICK)
    gpe.testing.assert_matches(lambda *x: alibi(*x, sink=0.0), "alibi", sink=0.0, dtype=torch.float64, **QUICK)
    gpe.testing.assert_matches(
        lambda *x: alibi(*x, window=9),
        "alibi",
        window=9,
        **QUICK,
        shapes=gpe.testing.shapes(heads=4, head_dim=(2, 8), grouped=True, cached=True),
    )


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"sign": 1}, r"on the key at distance [1-9]\d*; expected"),
        ({"shift": 1}, r"on the key at distance \d+; expected"),
        ({"heads": SLOPES[::-1]}, r"of head \d .* expected"),
        ({"causal": False}, r"on the key at distance -\d+; expected 0"),
        ({"window": 16}, r"on the key at distance \d+; expected"),
        ({"sink": 0.0}, r"puts weight 0\.5\d* on the key at distance 0; expected 1\b"),
    ],
)
def test_a_broken_kernel_is_caught_with_query_key_and_weight(wrong, what):
    with pytest.raises(Mismatch, match=what):
        gpe.testing.assert_matches(lambda *x: alibi(*x, **wrong), "alibi")


def test_a_missing_sink_wrong_values_wrong_shapes_and_gradients_are_caught():
    with pytest.raises(Mismatch, match="puts weight 1 on the key at distance 0; expected 0.5"):
        gpe.testing.assert_matches(alibi, "alibi", sink=0.0)
    with pytest.raises(Mismatch, match="though the weights are right"):
        gpe.testing.assert_matches(
            lambda q, k, v: alibi(q, k, v) + 1e-3 * v.square().sum(-1, keepdim=True) * (v.square().sum() > 70), "alibi"
        )
    with pytest.raises(Mismatch, match=r"returns \[\d, 4, \d+, 8\]; expected a tensor \[\d, 4, \d+, 16\]"):
        gpe.testing.assert_matches(lambda q, k, v: alibi(q, k, v)[..., :8], "alibi")
    with pytest.raises(Mismatch, match="the gradient of k is 0 at"):
        gpe.testing.assert_matches(lambda q, k, v: alibi(q, k.detach(), v), "alibi", gradients=True)
    with pytest.raises(Mismatch, match="nan"):
        gpe.testing.assert_matches(lambda q, k, v: alibi(q, k, v) * (torch.nan if k.size(2) > 5 else 1), "alibi")


def test_a_failure_is_found_again_and_shown_small():
    with pytest.raises(Mismatch) as raised:
        gpe.testing.assert_matches(lambda *x: alibi(*x, sign=1), "alibi")
    assert "query 1 of head 1" in str(raised.value)
    shown = "".join(raised.value.__notes__)
    assert "'zero'" in shown and all(part in shown for part in ("batch=1", "heads=4", "queries=2", "keys=2")), shown


def test_sight_and_normalization():
    gpe.testing.assert_causal(alibi, **QUICK)
    gpe.testing.assert_window(lambda *x: alibi(*x, window=7), 7, **QUICK)
    gpe.testing.assert_normalized(alibi, **QUICK)
    gpe.testing.assert_normalized(lambda *x: alibi(*x, sink=1.0), sink=True, **QUICK)
    with pytest.raises(Mismatch, match="which no earlier query sees"):
        gpe.testing.assert_causal(lambda *x: alibi(*x, causal=False))
    with pytest.raises(Mismatch, match="at distances from 6 on"):
        gpe.testing.assert_window(lambda *x: alibi(*x, window=7), 6)
    with pytest.raises(Mismatch, match="sum to 0.*; expected 1"):
        gpe.testing.assert_normalized(lambda *x: alibi(*x, sink=1.0))
    with pytest.raises(Mismatch, match="expected at most 1"):
        gpe.testing.assert_normalized(lambda *x: 1.01 * alibi(*x), sink=True)
    with pytest.raises(Mismatch, match="a weight is -"):
        gpe.testing.assert_normalized(lambda q, k, v: 2 * alibi(q, k, v) - v, shapes=gpe.testing.shapes(tokens=20))


def own_statistics(q, k, *, log_base=1.0, with_sink=False):
    scores = q @ k.mT / q.size(3) ** 0.5
    n = torch.arange(q.size(2))[:, None] - torch.arange(q.size(2))
    scores = (scores - torch.tensor(SLOPES, dtype=q.dtype)[:, None, None] * n).masked_fill(n < 0, -torch.inf)
    p = scores.softmax(-1)
    lse = scores.logsumexp(-1)
    entropy = -torch.where(p > 0, p * p.clamp(min=1e-38).log(), 0).sum(-1) / log_base
    return {
        "lse": lse + (0.7 if with_sink else 0),
        "entropy": entropy,
        "max_score": scores.amax(-1),
        "max_weight": p.amax(-1),
    }


def test_statistics():
    gpe.testing.assert_statistics_match(own_statistics, "alibi", **QUICK)
    with pytest.raises(Mismatch, match=r"entropy is .* at \[batch, head, token, coordinate\]"):
        gpe.testing.assert_statistics_match(lambda q, k: own_statistics(q, k, log_base=0.6931), "alibi")
    right = gpe.attention_statistics(torch.randn(1, 2, 9, 8), torch.randn(1, 2, 9, 8), "alibi")
    gpe.testing.assert_statistics(right)
    fields = dict(vars(right))
    for name, values, what in (
        ("entropy", right.keys.log() + 0.1, "0 <= entropy <= log keys"),
        ("lse", right.lse - 5, "lse of the tokens"),
        ("max_weight", right.max_weight * 0.5, "max_weight = "),
        ("varentropy", right.varentropy - 1, "varentropy >= 0"),
        ("mass", right.mass * 1.1, "masses of all distances"),
    ):
        with pytest.raises(Mismatch, match=what):
            gpe.testing.assert_statistics(fields | {name: values})
    with pytest.raises(gpe.SpecError, match="keys"):
        gpe.testing.assert_statistics({"lse": right.lse})


def test_an_encoding_file_says_what_was_meant():
    meant = {"bias": lambda n, head: -n / 2**head, "heads": 4}
    gpe.testing.assert_encodes({"score": {"bias": "-n*2^(-h)"}}, **meant)
    for wrong, what in (
        ("n*2^(-h)", "bias at n = 1 of head 1 is 0.5; expected -0.5"),
        ("-(n + 1)*2^(-h)", "bias at n = 0 of head 1 is -0.5; expected 0"),
        ("-n*2^(1 - h)", "expected -0.5"),
    ):
        with pytest.raises(Mismatch, match=what):
            gpe.testing.assert_encodes({"name": "mine", "score": {"bias": wrong}}, **meant)
    angle = {"angle": lambda n, block, head: n * 10000 ** (-2 * block / 16), "gain": lambda n, head: 1}
    gpe.testing.assert_encodes("rope", **angle)
    with pytest.raises(Mismatch, match="angle at n = 1 of block 1, head 1 is 0.1778.*; expected 0.316"):
        gpe.testing.assert_encodes(
            {"score": {"transform": "rotation", "rotation": {"angle": "n*10000^(-3*j/d)"}}}, **angle
        )
    with pytest.raises(Mismatch, match="it has no angle"):
        gpe.testing.assert_encodes("alibi", **angle)


@hypothesis.settings(max_examples=25, deadline=None, database=None)
@hypothesis.given(
    gpe.testing.encodings(),
    gpe.testing.contents(
        gpe.testing.shapes(tokens=24, heads=(1, 2), head_dim=(2, 6), grouped=True, cached=True), dtype=torch.float64
    ),
)
def test_any_encoding_has_consistent_statistics_and_a_shift_changes_lse_alone(encoding, content):
    q, k, v = content.tensors
    offset = k.size(2) - q.size(2)
    of = gpe.attention_statistics(q, k, encoding, query_offset=offset, distance_buckets="exact")
    gpe.testing.assert_statistics(of)
    score = dict(encoding["score"])
    sink = score.pop("sink", None)
    bare = gpe.attention_statistics(q, k, {**encoding, "score": score}, query_offset=offset)
    shifted = gpe.attention_statistics(
        q, k, {**encoding, "score": {**score, "bias": f"{score['bias']} + 5/4"}}, query_offset=offset
    )
    assert (shifted.lse - bare.lse - 1.25).abs().max() < 1e-9
    for name in ("entropy", "mean_distance", "max_weight", "varentropy", "mass"):
        x, y = (getattr(s, name).nan_to_num() for s in (shifted, bare))
        assert (x - y).abs().max() < 1e-7 * (1 + y.abs().max()), name
    assert sink is not None or (of.lse - bare.lse).abs().max() < 1e-9


@hypothesis.settings(max_examples=20, deadline=None, database=None)
@hypothesis.given(
    gpe.testing.encodings(pairwise=False, transforms=("identity", "rotation", "none")),
    gpe.testing.contents(
        gpe.testing.shapes(tokens=20, heads=(1, 2), head_dim=(2, 6), grouped=True), dtype=torch.float64
    ),
)
def test_score_mod_is_gpe_attention_for_drawn_encodings(encoding, content):
    q, k, v = content.tensors
    turns = encoding["score"]["transform"] == "rotation"
    outside = ["rotation"] * turns + ["sink"] * ("sink" in encoding["score"])
    mod = gpe.score_mod(
        encoding, heads=q.size(1), head_dim=q.size(3), length=k.size(2), outside=outside, dtype=torch.float64
    )
    turned_q, turned_k = gpe.rotate(q, k, encoding)
    score = turned_q @ turned_k.repeat_interleave(q.size(1) // k.size(1), 1).mT
    at = [torch.arange(count) for count in score.shape]
    scores = mod(score / q.size(3) ** 0.5, at[0][:, None, None, None], at[1][:, None, None], at[2][:, None], at[3])
    out = scores.softmax(-1) @ v.repeat_interleave(q.size(1) // k.size(1), 1)
    if "sink" in outside:
        out = gpe.add_sink(out, scores.logsumexp(-1), encoding, head_dim=q.size(3))
    assert (out - gpe.attention(q, k, v, encoding)).abs().max() < 1e-7 * (1 + v.abs().max())


def test_encoding_files_are_read_and_built_in_names_exist():
    @hypothesis.settings(
        max_examples=8, deadline=None, database=None, suppress_health_check=[hypothesis.HealthCheck.nested_given]
    )
    @hypothesis.given(gpe.testing.encoding_files(), gpe.testing.built_in_encodings(without=["fire"]))
    def check(text, name):
        import tomllib

        assert gpe.to_sympy(tomllib.loads(text))["score"] is not None
        assert name != "fire" and gpe.parameter_values(name) is not None

    check()
