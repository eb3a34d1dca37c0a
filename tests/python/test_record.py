"""record measures every scaled_dot_product_attention, and changes nothing."""

import dense
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

import gpe


def weights_of(q, k, mask=None, causal=False, scale=None):
    scores = q.double() @ k.double().mT * (q.size(-1) ** -0.5 if scale is None else scale)
    if causal:
        scores = scores.masked_fill(torch.arange(k.size(-2)) > torch.arange(q.size(-2))[:, None], -torch.inf)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else scores + mask.double()
    return scores.softmax(-1)


def assert_measured(layer, weights, queries_at=0):
    s = layer.statistics
    weights = weights.reshape(s.lse.shape + weights.shape[-1:])
    n = (torch.arange(weights.size(-2))[:, None] + queries_at - torch.arange(weights.size(-1))).abs()
    dense.assert_measured(s, weights, n)


class Mine(torch.nn.Module):
    """Attention of one's own: with a bias by distance, keys that are shared, and the function under its own name."""

    def __init__(self, bias):
        super().__init__()
        self.q, self.kv, self.bias = torch.nn.Linear(24, 24), torch.nn.Linear(24, 24), bias

    def heads(self, x):
        (q,), (k, v) = (
            (y.unflatten(-1, (-1, 3, 8)).movedim(-3, 0).transpose(-3, -2))
            for y in (self.q(x), self.kv(x).repeat(1, 1, 2))
        )
        return q, k, v

    def forward(self, x):
        q, k, v = self.heads(x)
        return scaled_dot_product_attention(q, k, v, self.bias, is_causal=self.bias is None).transpose(1, 2).flatten(2)


def test_modules_of_ones_own_are_measured_and_stay_what_they_are():
    apart = torch.arange(10)[:, None] - torch.arange(10)
    alibi = torch.where(apart < 0, -torch.inf, -0.3 * apart)
    x = torch.randn(2, 10, 24)
    for bias, mask in ((None, None), (alibi, alibi), (apart.abs() < 4, apart.abs() < 4), (apart >= 0, apart >= 0)):
        module = Mine(bias)
        expected = module(x)
        expected.sum().backward()
        before = module.q.weight.grad.clone()
        module.zero_grad()
        with gpe.record(module) as report:
            found = module(x)
        found.sum().backward()
        assert torch.equal(found, expected) and torch.equal(module.q.weight.grad, before)
        (layer,) = report.layers
        assert (layer.name, report.model, report.batch, report.tokens) == ("Mine", "Mine", 2, 10)
        q, k, _ = module.heads(x)
        assert_measured(layer, weights_of(q.detach(), k.detach(), mask, causal=bias is None))
    assert report.to_dict()["heads"][2]["head"] == 3 and len(report.to_dataframe()) == 3


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("training", [True, False])
def test_multihead_attention_is_measured(need_weights, training):
    module = torch.nn.MultiheadAttention(16, 2, dropout=0.5, batch_first=True).train(training)
    x = torch.randn(3, 7, 16)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(7)
    torch.manual_seed(1)
    expected, _ = module(x, x, x, attn_mask=mask, need_weights=need_weights)
    torch.manual_seed(1)
    with gpe.record(module) as report:
        found, shown = module(x, x, x, attn_mask=mask, need_weights=need_weights)
    assert torch.allclose(found, expected, atol=1e-6), "the same random numbers, too"
    assert need_weights == (shown is not None)
    (layer,) = report.layers
    q, k = (
        y.unflatten(-1, (2, 8)).transpose(1, 2)
        for y in torch.nn.functional.linear(x, module.in_proj_weight, module.in_proj_bias).detach().chunk(3, -1)[:2]
    )
    assert_measured(layer, weights_of(q, k, causal=True))


def test_layers_of_an_encoder_have_their_names():
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
    x = torch.randn(2, 9, 16)
    with torch.no_grad():
        expected = encoder(x)
        with gpe.record(encoder) as report:
            found = encoder(x)
    assert torch.allclose(found, expected, atol=1e-6)
    assert [part.name for part in report.layers] == ["layers.0.self_attn", "layers.1.self_attn"]


def test_shapes_that_torch_takes():
    q, k, v = torch.randn(3, 4, 2, 5, 6), torch.randn(3, 4, 2, 8, 6), torch.randn(3, 4, 2, 8, 6)
    with gpe.record() as report:
        scaled_dot_product_attention(q, k, v, scale=0.7)
        scaled_dot_product_attention(q[0, 0], k[0, 0], v[0, 0], is_causal=True)
        scaled_dot_product_attention(q[0, :, :, :1], k[0, :, :1], v[0, :, :1], enable_gqa=True)
    assert [part.name for part in report.layers] == ["call 1", "call 2", "call 3"]
    assert_measured(report.layers[0], weights_of(q, k, scale=0.7), 3)
    assert_measured(report.layers[1], weights_of(q[0, 0], k[0, 0], causal=True))
    assert_measured(report.layers[2], weights_of(q[0, :, :, :1], k[0, :, :1].expand(-1, 2, -1, -1)), 7)


def test_what_is_not_measured_is_said():
    with pytest.raises(gpe.Error, match="nothing was measured"), gpe.record():
        torch.randn(2, 2).softmax(-1)
    q = torch.full((1, 1, 2, 4), torch.nan)
    with pytest.raises(gpe.Error, match="scores are not numbers"), gpe.record():
        scaled_dot_product_attention(q, q, q)
    with pytest.raises(gpe.SpecError, match="a module of torch"), gpe.record("gpt2"):
        pass
    with pytest.raises(ZeroDivisionError), gpe.record():
        raise ZeroDivisionError
