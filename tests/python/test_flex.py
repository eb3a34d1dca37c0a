"""score_mod and block_mask make FlexAttention gpe.attention, and say why where they cannot."""

import pytest
import torch
from torch.nn.attention.flex_attention import AuxRequest, create_block_mask, flex_attention

import gpe
from gpe._specs import softmax_names

HEADS, KEY_HEADS, D = 4, 2, 8
PAIRWISE = {
    "ape",
    "dynamic-ntk",
    "hope-hyperbolic",
    "qwen",
    "ropepp-imaginary",
    "telechat",
    "xpos",
}  # q and k meet by their distance


def tensors(queries=37, keys=37, d=D):
    return (
        torch.randn(2, HEADS, queries, d, dtype=torch.float64),
        torch.randn(2, KEY_HEADS, keys, d, dtype=torch.float64),
        torch.randn(2, KEY_HEADS, keys, d, dtype=torch.float64),
    )


def scores_of(q, k, mod):
    """What FlexAttention computes with a score_mod: every score at once."""
    score = q @ k.repeat_interleave(q.size(1) // k.size(1), 1).mT / q.size(3) ** 0.5
    batch, heads, queries, keys = (torch.arange(count) for count in score.shape)
    return mod(score, batch[:, None, None, None], heads[:, None, None], queries[:, None], keys)


def dense(q, k, v, mod):
    scores = scores_of(q, k, mod)
    return scores.softmax(-1) @ v.repeat_interleave(q.size(1) // v.size(1), 1), scores.logsumexp(-1)


def outside(encoding):
    text = gpe.to_sympy(encoding, head_dim=D)
    return [name for name, part in (("rotation", "angle"), ("sink", "sink")) if part in text]


@pytest.mark.parametrize("encoding", softmax_names())
def test_every_built_in_encoding_is_gpe_attention_or_an_error_that_says_why(encoding):
    options = {"heads": HEADS, "head_dim": D, "length": 37, "outside": outside(encoding), "dtype": torch.float64}
    if encoding in PAIRWISE:
        with pytest.raises(gpe.Error, match="the score only; gpe.attention has it"):
            gpe.score_mod(encoding, **options)
        return
    q, k, v = tensors()
    if encoding == "ms-poe":  # every head turns by other angles
        with pytest.raises(gpe.Error, match="repeat the keys for each"):
            gpe.rotate(q, k, encoding)
        k, v = (x.repeat_interleave(HEADS // KEY_HEADS, 1) for x in (k, v))
    turned = gpe.rotate(q, k, encoding)
    out, lse = dense(*turned, v, gpe.score_mod(encoding, **options))
    if "sink" in options["outside"]:
        out = gpe.add_sink(out, lse, encoding, head_dim=D)
    assert (out - gpe.attention(q, k, v, encoding)).abs().max() < 1e-8
    q = q[:, :, 20:]
    turned = gpe.rotate(q, k, encoding)
    out, lse = dense(*turned, v, gpe.score_mod(encoding, query_offset=20, **options))
    if "sink" in options["outside"]:
        out = gpe.add_sink(out, lse, encoding, head_dim=D, query_offset=20)
    assert (out - gpe.attention(q, k, v, encoding)).abs().max() < 1e-8, "the last queries"


@pytest.mark.parametrize(
    ("encoding", "window"), [("alibi", None), ("gemma2-local", 9), ("log-n", None), ("softmax1", None)]
)
def test_flex_attention_takes_them(encoding, window):
    q, k, v = tensors()
    mod = gpe.score_mod(
        encoding, heads=HEADS, head_dim=D, length=37, outside=outside(encoding), window=window, dtype=torch.float64
    )
    mask = gpe.block_mask(encoding, length=37, heads=HEADS, head_dim=D, window=window, block_size=16)
    for given in (None, mask):
        out, aux = flex_attention(
            *gpe.rotate(q, k, encoding),
            v,
            score_mod=mod,
            block_mask=given,
            enable_gqa=True,
            return_aux=AuxRequest(lse=True),
        )
        if encoding == "softmax1":
            out = gpe.add_sink(out, aux.lse, encoding, head_dim=D)
        assert (out - gpe.attention(q, k, v, encoding, window=window)).abs().max() < 1e-8


def test_both_sides_own_caps_and_sinks():
    q, k, v = tensors()
    mod = gpe.score_mod(
        "alibi-symmetric", heads=HEADS, head_dim=D, length=37, causal=False, softcap=2, dtype=torch.float64
    )
    expected = gpe.attention(q, k, v, "alibi-symmetric", causal=False, softcap=2.0)
    assert (dense(q, k, v, mod)[0] - expected).abs().max() < 1e-10
    sink = torch.randn(HEADS, dtype=torch.float64)
    mod = gpe.score_mod(None, heads=HEADS, head_dim=D, length=37, sink=sink, outside="sink", dtype=torch.float64)
    assert (
        gpe.add_sink(*dense(q, k, v, mod), sink=sink, head_dim=D) - gpe.attention(q, k, v, sink=sink)
    ).abs().max() < 1e-10


@pytest.mark.parametrize("bias", ["-(h - 1)*n/4", "-(4 - h)*n/4", "h/4", "-n*log(L + 1)*(h - 1)", "(h - 1)*log(L + 1)"])
def test_heads_of_which_the_first_or_last_has_no_bias(bias):
    """The formula of one head does not say what another one's depends on."""
    q, k, v = tensors()
    encoding = {"score": {"bias": bias}}
    mod = gpe.score_mod(encoding, heads=HEADS, head_dim=D, length=37, dtype=torch.float64)
    assert (dense(q, k, v, mod)[0] - gpe.attention(q, k, v, encoding)).abs().max() < 1e-10


@pytest.mark.parametrize(
    ("encoding", "names"), [("alibi", ["m"]), ("kerple-log", ["p", "a"]), ("ssmax", ["s"]), ("softmax1", [])]
)
def test_parameters_get_the_gradients_of_gpe_attention(encoding, names):
    q, k, v = (x.requires_grad_() for x in tensors())
    start = gpe.parameter_values(encoding, heads=HEADS, head_dim=D)
    learned = {name: start[name].clone().requires_grad_() for name in names}
    leaves = (q, k, v, *learned.values())
    weight = torch.randn(2, HEADS, 37, D, dtype=torch.float64)
    mod = gpe.score_mod(
        encoding, learned, heads=HEADS, head_dim=D, length=37, outside=outside(encoding), dtype=torch.float64
    )
    out, lse = dense(*gpe.rotate(q, k, encoding), v, mod)
    if encoding == "softmax1":
        out = gpe.add_sink(out, lse, encoding, head_dim=D)
    found = torch.autograd.grad((out * weight).sum(), leaves)
    expected = torch.autograd.grad((gpe.attention(q, k, v, encoding, learned) * weight).sum(), leaves)
    assert all((x - y).abs().max() < 1e-7 * (1 + y.abs().max()) for x, y in zip(found, expected, strict=True))


def test_a_longer_sequence_is_nan_and_never_a_wrong_number():
    q, k, v = tensors()
    for encoding in ("kerple-log", "ssmax"):
        mod = gpe.score_mod(
            encoding, heads=HEADS, head_dim=D, length=30, outside=outside(encoding), dtype=torch.float64
        )
        out = dense(*gpe.rotate(q, k, encoding), v, mod)[0]
        assert out[:, :, :30].isfinite().all() and out[:, :, 30:].isnan().all()


def test_what_a_score_mod_cannot_express_is_said():
    for encoding, options, what in (
        ("rope", {}, "give flex_attention what gpe.rotate"),
        ("softmax1", {}, "to gpe.add_sink"),
        ("ape", {}, "not a multiple of the distance"),
        ("rerope", {"length": 8192}, "not a multiple of the distance"),
        ("xpos", {}, "scaled by the distance"),
        ("dynamic-ntk", {}, "depends on L"),
        ("hope-hyperbolic", {}, "weighs every block"),
        ("rope", {"parameters": {"base": torch.tensor(1e4)}}, "a parameter that is a tensor"),
        ("fire", {"length": 8192}, "8192 x 8192 numbers"),
    ):
        with pytest.raises(gpe.Error, match=what):
            gpe.score_mod(encoding, **options)
    for encoding, options, what in (
        ("alibi", {"outside": "rotation"}, "it has none"),
        ("alibi", {"outside": "sink"}, "it has none"),
        ("alibi", {"outside": "bias"}, "expected 'rotation' or 'sink'"),
        ("alibi", {"length": 0}, "one key"),
    ):
        with pytest.raises(gpe.SpecError, match=what):
            gpe.score_mod(encoding, **options)
    q, k, v = tensors()
    for encoding in ("ape", "hope-hyperbolic"):
        with pytest.raises(gpe.Error, match="rotated each by its own position"):
            gpe.rotate(q, k, encoding)
    with pytest.raises(gpe.SpecError, match="no sink"):
        gpe.add_sink(v, v[..., 0], "alibi")


@pytest.mark.parametrize(
    ("queries", "keys", "causal", "window"),
    [(100, 100, True, None), (100, 100, True, 21), (33, 100, True, 16), (64, 64, False, 9), (50, 70, False, None)],
)
def test_blocks_are_those_of_create_block_mask(queries, keys, causal, window):
    mask = gpe.block_mask("alibi", length=keys, heads=2, queries=queries, causal=causal, window=window, block_size=16)
    expected = create_block_mask(mask.mask_mod, 1, 2, queries, keys, device="cpu", BLOCK_SIZE=16)
    assert mask.shape == expected.shape
    for kind in ("", "full_"):
        count, found, wanted = (
            getattr(x, f"{kind}kv_{what}")
            for x, what in ((mask, "num_blocks"), (mask, "indices"), (expected, "indices"))
        )
        assert count.equal(getattr(expected, f"{kind}kv_num_blocks").expand_as(count))
        for row in torch.cartesian_prod(*(torch.arange(size) for size in count.shape)):
            used = int(count[tuple(row)])
            assert found[tuple(row)][:used].equal(wanted[tuple(row)][:used])


def test_certified_windows_are_cut_and_bound_what_the_output_moves():
    """2·epsilon·max |v|, for contents within the bound (docs/bounds.md); and most of the keys are gone."""
    encoding = {"score": {"bias": "-h*n/4"}}
    q, k, v = tensors(200, 200)
    q, k = (x / x.norm(dim=-1, keepdim=True) * D**0.25 * 2**0.5 for x in (q, k))  # |q| |k| / sqrt(d) = 2
    mask = gpe.block_mask(encoding, "1/100", 2, 200, heads=HEADS, head_dim=D, block_size=8)
    windows = gpe.check(encoding, epsilon="1/100", content_bound=2, heads=HEADS, head_dim=D)["encodings"]
    positions = torch.arange(200)
    n = positions[:, None] - positions
    kept = mask.mask_mod(torch.tensor(0), torch.arange(HEADS)[:, None, None], positions[:, None], positions)
    for head, report in enumerate(windows):
        w = report["effective_windows"][0]["W"]
        assert 0 < w < 100 and kept[head].equal((n >= 0) & (n <= w))
    mod = gpe.score_mod(encoding, heads=HEADS, head_dim=D, length=200, dtype=torch.float64)
    out = flex_attention(q, k, v, score_mod=mod, block_mask=mask, enable_gqa=True)
    moved = (out - gpe.attention(q, k, v, encoding)).norm(dim=-1).max()
    assert 0 < moved <= 2 * 0.01 * v.norm(dim=-1).max()
    assert mask.sparsity() > 70


def test_windows_of_learned_parameters_and_of_heads_without_one():
    slopes = torch.tensor([0.5, 0.25, 0.5, 0.0], dtype=torch.float64)
    mask = gpe.block_mask("alibi", "1e-3", 1, 512, parameters={"m": slopes}, heads=4, block_size=16)
    half, quarter = (
        gpe.check("alibi", set={"m": m}, epsilon="1e-3", content_bound=1)["encodings"][0]["effective_windows"][0]["W"]
        for m in ("1/2", "1/4")
    )
    row = mask.mask_mod(torch.tensor(0), torch.arange(4)[:, None], torch.tensor(511), torch.arange(512)).sum(-1)
    assert row.tolist() == [half + 1, quarter + 1, half + 1, 512]
    only_the_last = gpe.block_mask({"score": {"bias": "-(h - 1)*n/2"}}, "1e-3", 1, 512, heads=2, block_size=16)
    row = only_the_last.mask_mod(torch.tensor(0), torch.arange(2)[:, None], torch.tensor(511), torch.arange(512)).sum(
        -1
    )
    assert row.tolist() == [512, half + 1]
    with pytest.raises(gpe.Error, match="no window is certified"):
        gpe.block_mask("rope", "1e-3", 1, 512)
    with pytest.raises(gpe.Error, match='sided = "two"'):
        gpe.block_mask("alibi", "1e-3", 1, 512, causal=False)
    both = gpe.block_mask("alibi-symmetric", "1e-3", 1, 512, parameters={"m": "1/2"}, causal=False, block_size=16)
    assert both.sparsity() > 50
    for options, what in (
        ({"epsilon": "1e-3"}, "both or none"),
        ({"queries": 600, "length": 512}, "queries <= length"),
    ):
        with pytest.raises(gpe.SpecError, match=what):
            gpe.block_mask("alibi", **options)
