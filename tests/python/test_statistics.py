"""attention_statistics equals the definitions, on both of its ways, and its gradients are those of the formulas."""

import dense
import pytest
import torch

import gpe
from gpe._specs import softmax_names
from gpe._torch import buckets as _buckets
from gpe._torch import statistics as _statistics
from gpe._torch.blockwise import Blockwise
from gpe._torch.encoding import bind

ROWS = (
    "lse",
    "entropy",
    "varentropy",
    "mean_distance",
    "max_weight",
    "max_score",
    "content_bound",
    "sink_weight",
    "keys",
)


def tensors(batch=2, heads=4, key_heads=2, queries=37, keys=None, d=8, dtype=torch.float64):
    return (
        torch.randn(batch, heads, queries, d, dtype=dtype),
        torch.randn(batch, key_heads, keys or queries, d, dtype=dtype),
    )


def plain_contents(q, k, scale=None):
    return q @ k.repeat_interleave(q.size(1) // k.size(1), 1).transpose(-1, -2) * (scale or q.size(-1) ** -0.5)


def differences(found, expected):
    return {
        name: (getattr(found, name).double() - expected[name]).abs().nan_to_num(0, 0, 0).max().item()
        for name in expected
        if name != "weights"
    }


def on_both_ways(q, k, encoding=None, parameters=None, **options):
    """The kernels' statistics, and those in plain torch."""
    kernel = gpe.attention_statistics(q, k, encoding, parameters, **options)
    edges = _buckets.bucket_edges(options.pop("distance_buckets", None), k.size(2))
    places = {
        name: options.pop(name, default)
        for name, default in (
            ("scale", None),
            ("causal", True),
            ("query_offset", 0),
            ("key_padding_mask", None),
            ("document_ids", None),
            ("query_positions", None),
            ("key_positions", None),
        )
    }
    here, given = bind(encoding, parameters, head_dim=q.size(3), heads=q.size(1), **options)
    setting = _statistics.Setting.of(q, k, **places)
    return kernel, _statistics.measure_blockwise(setting.blockwise(Blockwise, q, k, here, given), edges)


def assert_same(first, second, tolerance):
    for name in _statistics.AttentionStatistics.__dataclass_fields__:
        a, b = getattr(first, name).double(), getattr(second, name).double()
        assert torch.equal(a.isnan(), b.isnan()) and torch.equal(a.isinf(), b.isinf()), name
        # max - max leaves nothing of infinities and gaps
        apart = (a - b).abs().nan_to_num(0, 0, 0).max().item()
        assert apart < tolerance, (name, apart)


def test_plain_attention_is_what_the_definitions_say():
    q, k = tensors()
    content = plain_contents(q, k)
    n = dense.distances(37, 37)
    expected = dense.statistics(content, content, n >= 0, n)
    edges = [0, 1, 3, 9, 40]
    expected |= dense.buckets(expected, content, content, n >= 0, n, edges)
    for found in on_both_ways(q, k, distance_buckets=edges):
        worst = differences(found, expected)
        assert max(worst.values()) < 1e-11, worst
        assert (
            found.bucket_edges.tolist() == edges
            and found.count[..., 4].eq(0).all()
            and found.score_mean[..., 4].isnan().all()
        )


def test_scale_softcap_window_and_sinks():
    q, k = tensors()
    sink = torch.tensor([0.5, -1.0, 3.0, 0.0], dtype=torch.float64)
    content = plain_contents(q, k, 0.7)
    scores = 1.5 * torch.tanh(content / 1.5)
    n = dense.distances(37, 37)
    seen = (n >= 0) & (n < 5)
    expected = dense.statistics(scores, content, seen, n, sink)
    for found in on_both_ways(q, k, scale=0.7, softcap=1.5, window=5, sink=sink):
        worst = differences(found, expected)
        assert max(worst.values()) < 1e-11, worst
    assert gpe.attention_statistics(q, k, window=5).keys.max() == 5, "a window counts keys"


@pytest.mark.parametrize("name", ["alibi", "rope", "ape"])
def test_encodings_against_their_papers(name):
    heads, tokens = 6, 30
    q, k = tensors(heads=heads, key_heads=3, queries=tokens)
    n = dense.distances(tokens, tokens).double()
    position = torch.arange(tokens, dtype=torch.float64)
    if name == "alibi":
        content = plain_contents(q, k)
        scores = content - dense.alibi_slopes(heads)[:, None, None] * n
    elif name == "rope":
        content = scores = plain_contents(dense.rotated(q, position), dense.rotated(k, position))
    else:
        # delta = 1/48, beta = gamma = 1/10, lambda = 1/100; the angle is base^(-2j/d)·n/(1 + H(n)), every pair its own
        bias = -position / 48 - 0.1 * torch.log1p(position) - 0.1 * position.sqrt()
        cut = torch.stack([torch.distributions.Categorical(logits=bias[: i + 1]).entropy() for i in range(tokens)])
        turn = position / (1 + cut)
        i, j = torch.tril_indices(tokens, tokens).unbind(0)
        content = torch.zeros(2, heads, tokens, tokens, dtype=torch.float64)
        k_all = k.repeat_interleave(2, 1)
        for a, b in zip(i.tolist(), j.tolist(), strict=True):
            content[:, :, a, b] = (dense.rotated(q[:, :, a : a + 1], turn[a - b][None]) * k_all[:, :, b : b + 1]).sum(
                (-1, -2)
            ) * 8**-0.5
        scores = content / (1 + n.clamp(min=0) / 100) + bias[n.clamp(min=0).long()]
    expected = dense.statistics(scores, content, n >= 0, n)
    for found in on_both_ways(q, k, name):
        worst = differences(found, expected)
        assert max(worst.values()) < 1e-8, worst


@pytest.mark.parametrize("name", softmax_names())
def test_both_ways_agree_about_every_built_in_encoding(name):
    q, k = tensors(batch=1, queries=21)
    assert_same(*on_both_ways(q, k, name, distance_buckets=4), 1e-9)


def test_queries_that_are_the_last_tokens_or_beyond():
    q, k = tensors(queries=50)
    whole = gpe.attention_statistics(q, k, "ape")
    for first in (49, 20):
        part, plain = on_both_ways(q[:, :, first:], k, "ape", query_offset=first)
        assert_same(part, plain, 1e-9)
        assert (part.entropy - whole.entropy[:, :, first:]).abs().max() < 1e-11
    assert_same(*on_both_ways(q[:, :, :10], k, "alibi", query_offset=7), 1e-9)  # keys after every query
    assert_same(*on_both_ways(q, k[:, :, :20], "alibi", query_offset=3), 1e-9)  # queries after every key
    positions = torch.arange(100, 150)
    assert_same(
        gpe.attention_statistics(q, k, "alibi", query_positions=positions, key_positions=positions - 2),
        gpe.attention_statistics(q, k, "alibi", query_offset=2),
        1e-12,
    )


def test_padding_and_documents_are_texts_of_their_own():
    q, k = tensors(queries=30)
    whole = {}
    for a, b in ((0, 11), (11, 30)):
        whole[a, b] = gpe.attention_statistics(q[:, :, a:b].contiguous(), k[:, :, a:b].contiguous(), "log-n")
    documents = torch.tensor([7] * 11 + [3] * 19)
    packed, plain = on_both_ways(q, k, "log-n", document_ids=documents)
    assert_same(packed, plain, 1e-9)
    assert (packed.entropy[:, :, 11:] - whole[11, 30].entropy).abs().max() < 1e-11
    assert (packed.entropy[:, :, :11] - whole[0, 11].entropy).abs().max() < 1e-11
    real = torch.ones(2, 30, dtype=torch.bool)
    real[0, :11] = False
    left, plain = on_both_ways(q, k, "log-n", key_padding_mask=real)
    assert_same(left, plain, 1e-9)
    assert (left.entropy[0, :, 11:] - whole[11, 30].entropy[0]).abs().max() < 1e-11
    assert (
        left.lse[0, :, :11].isneginf().all()
        and left.keys[0, :, :11].eq(0).all()
        and left.entropy[0, :, :11].eq(0).all()
    )


def test_masks_with_gaps_and_documents_that_return():
    q, k = tensors(queries=24)
    real = torch.rand(2, 24) > 0.3
    content = plain_contents(q, k)
    n = dense.distances(24, 24)
    scores = content - dense.alibi_slopes(4)[:, None, None] * n
    seen = (n >= 0) & real[:, None, None]
    seen[..., 0] |= ~seen.any(-1)  # rows without a key are compared in another test
    found = gpe.attention_statistics(q, k, "alibi", key_padding_mask=real)
    expected = dense.statistics(scores, content, seen, n)
    rows = found.keys > 0
    assert (found.entropy - expected["entropy"])[rows].abs().max() < 1e-11
    ids = torch.tensor([0, 1] * 12)
    found = gpe.attention_statistics(q, k, "alibi", document_ids=ids)
    expected = dense.statistics(scores, content, (n >= 0) & (ids[:, None] == ids), n)
    assert (found.entropy - expected["entropy"]).abs().max() < 1e-11


def test_positions_with_gaps_and_attention_to_both_sides():
    q, k = tensors(queries=15)
    positions = torch.cumsum(torch.randint(1, 4, (15,)), 0)
    n = (positions[:, None] - positions).double()
    content = plain_contents(dense.rotated(q, positions.double()), dense.rotated(k, positions.double()))
    found = gpe.attention_statistics(q, k, "rope", query_positions=positions, key_positions=positions)
    worst = differences(found, dense.statistics(content, content, n >= 0, n))
    assert max(worst.values()) < 1e-8, worst
    found = gpe.attention_statistics(q, k, "rope", query_positions=positions, key_positions=positions, causal=False)
    worst = differences(found, dense.statistics(content, content, torch.ones_like(n, dtype=bool), n.abs()))
    assert max(worst.values()) < 1e-8, worst
    content = plain_contents(q, k)
    n = dense.distances(15, 15)
    scores = content - dense.alibi_slopes(4)[:, None, None] * n.abs()
    found = gpe.attention_statistics(q, k, "alibi-symmetric", {"m": dense.alibi_slopes(4)}, causal=False)
    worst = differences(found, dense.statistics(scores, content, torch.ones_like(n, dtype=bool), n.abs()))
    assert max(worst.values()) < 1e-11, worst


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 2e-5), (torch.bfloat16, 2e-5), (torch.float16, 2e-5)])
def test_shorter_types_are_read_as_they_are(dtype, tolerance):
    q, k = (x.to(dtype) for x in tensors(dtype=torch.float32))
    found = gpe.attention_statistics(q, k, "alibi")
    exact = gpe.attention_statistics(q.double(), k.double(), "alibi")
    assert found.entropy.dtype == torch.float32
    assert (found.entropy - exact.entropy).abs().max() < tolerance


def test_an_odd_head_dimension_and_one_token():
    q, k = tensors(queries=9, d=7)
    content = plain_contents(q, k)
    n = dense.distances(9, 9)
    for found in on_both_ways(torch.nn.functional.pad(q, (0, 1)), torch.nn.functional.pad(k, (0, 1)), scale=7**-0.5):
        assert (found.entropy - dense.statistics(content, content, n >= 0, n)["entropy"]).abs().max() < 1e-11
    assert (gpe.attention_statistics(q, k).lse - found.lse).abs().max() < 1e-11
    one = gpe.attention_statistics(q[:, :, :1], k[:, :, :1])
    assert one.entropy.eq(0).all() and one.max_weight.sub(1).abs().max() < 1e-15


def test_gradients_of_entropy_and_lse():
    q, k = (x.requires_grad_() for x in tensors(batch=1, heads=2, key_heads=1, queries=6, d=4))
    delta = torch.tensor([0.1, 0.3], dtype=torch.float64, requires_grad=True)
    sink = torch.tensor(0.2, dtype=torch.float64, requires_grad=True)

    def measured(q, k, delta, sink, **options):
        found = gpe.attention_statistics(q, k, "ape", {"delta": delta}, sink=sink, **options)
        return found.entropy, found.lse

    assert torch.autograd.gradcheck(measured, (q, k, delta, sink))
    mask = torch.tensor([[True, True, False, True, True, True]])
    assert torch.autograd.gradcheck(lambda *x: measured(*x, key_padding_mask=mask), (q, k, delta, sink))
    assert not gpe.attention_statistics(q.detach(), k.detach(), "ape").entropy.requires_grad


def test_what_does_not_fit_is_an_error():
    q, k = tensors()
    for options, part in (
        ({"encoding": "alibbi"}, "did you mean 'alibi'"),
        ({"window": 0}, "at least 1"),
        ({"softcap": -1.0}, "above 0"),
        ({"encoding": "alibi", "parameters": {"slope": torch.tensor(1.0)}}, "no parameter 'slope'"),
        ({"encoding": "alibi", "parameters": {"m": torch.ones(3)}}, "one for each of 4 heads"),
        ({"encoding": "alibi", "parameters": {"m": "-1"}}, "m >= 0"),
        ({"distance_buckets": "all"}, "exact"),
        ({"distance_buckets": [1, 2]}, "begin with 0"),
        ({"key_padding_mask": torch.ones(2, 3)}, "expected shape"),
        ({"parameters": {"m": 1}}, "without an encoding"),
        ({"encoding": "hope-hyperbolic", "causal": False}, "hyperbolic"),
        ({"document_ids": torch.zeros(37), "query_positions": torch.arange(37) * 2}, "consecutive"),
    ):
        with pytest.raises(gpe.SpecError, match=part):
            gpe.attention_statistics(q, k, **options)
    with pytest.raises(gpe.SpecError, match="multiple of Hkv"):
        gpe.attention_statistics(q[:, :3], k)
    with pytest.raises(gpe.SpecError, match="even head dimension"):
        gpe.attention_statistics(q[..., :7], k[..., :7], "alibi")


def test_memory_grows_with_tokens_not_with_their_square():
    q, k = tensors(batch=1, heads=1, key_heads=1, queries=1 << 15, d=2, dtype=torch.float32)
    found = gpe.attention_statistics(q, k, window=64)
    assert found.entropy.shape == (1, 1, 1 << 15), "a matrix of these tokens would have 4 GB"


def test_statistics_are_drawn_as_a_probe_is(tmp_path):
    q = torch.randn(1, 2, 20, 8)
    s = gpe.attention_statistics(q, q)
    assert s.plot().axes
    s.to_html(tmp_path / "page.html")
    page = s.to_html()
    assert page == (tmp_path / "page.html").read_text() and "attention" in page
