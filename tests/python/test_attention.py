"""attention equals scaled_dot_product_attention with the encoding as a bias, learns, and is the C++ model's."""

import os
import subprocess
import tomllib

import dense
import pytest
import torch
from conftest import ROOT
from torch.nn.functional import embedding, gelu, layer_norm, linear, scaled_dot_product_attention

import gpe


def tensors(batch=2, heads=4, key_heads=2, queries=23, keys=None, d=8, dv=None, dtype=torch.float64):
    keys = keys or queries
    return (
        torch.randn(batch, heads, queries, d, dtype=dtype),
        torch.randn(batch, key_heads, keys, d, dtype=dtype),
        torch.randn(batch, key_heads, keys, dv or d, dtype=dtype),
    )


def test_output_equals_torch():
    q, k, v = tensors()
    n = dense.distances(23, 23)
    position = torch.arange(23, dtype=torch.float64)
    bias = (-dense.alibi_slopes(4)[:, None, None] * n).masked_fill(n < 0, -torch.inf)
    assert (
        gpe.attention(q, k, v, "alibi") - scaled_dot_product_attention(q, k, v, attn_mask=bias, enable_gqa=True)
    ).abs().max() < 1e-12
    expected = scaled_dot_product_attention(
        dense.rotated(q, position), dense.rotated(k, position), v, is_causal=True, enable_gqa=True
    )
    assert (gpe.attention(q, k, v, "rope") - expected).abs().max() < 1e-8
    assert (
        gpe.attention(q, k, v) - scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    ).abs().max() < 1e-12


def test_later_queries_other_widths_masks_and_both_sides():
    q, k, v = tensors(queries=9, keys=20)
    n = dense.distances(9, 20, 11)
    expected = scaled_dot_product_attention(q, k, v, attn_mask=n >= 0, enable_gqa=True)
    assert (gpe.attention(q, k, v) - expected).abs().max() < 1e-12
    q, k, v = tensors(dv=5)
    n = dense.distances(23, 23)
    expected = scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    assert gpe.attention(q, k, v).shape[-1] == 5 and (gpe.attention(q, k, v) - expected).abs().max() < 1e-12
    ids = torch.tensor([0] * 8 + [1] * 15)
    expected = scaled_dot_product_attention(q, k, v, attn_mask=(n >= 0) & (ids[:, None] == ids), enable_gqa=True)
    assert (gpe.attention(q, k, v, document_ids=ids) - expected).abs().max() < 1e-12
    real = torch.ones(2, 23, dtype=torch.bool)
    real[1, 17:] = False
    expected = scaled_dot_product_attention(
        q, k, v, attn_mask=real[:, None, None].expand(-1, 1, 23, -1), enable_gqa=True
    )
    assert (gpe.attention(q, k, v, key_padding_mask=real, causal=False) - expected).abs().max() < 1e-12


@pytest.mark.parametrize("encoding", ["ape", "alibi", "xpos", "gemma2-global", "softmax1", "log-n"])
def test_gradients(encoding):
    q, k, v = (x.requires_grad_() for x in tensors(batch=1, heads=2, key_heads=1, queries=3, keys=6, d=4))
    start = gpe.parameter_values(encoding, heads=2, head_dim=4)
    names = [name for name in start if name in ("delta", "m", "cap", "s", "gamma")]
    learned = [start[name].clone().requires_grad_() for name in names]

    def output(q, k, v, *values):
        return gpe.attention(q, k, v, encoding, dict(zip(names, values, strict=True)))

    assert torch.autograd.gradcheck(output, (q, k, v, *learned))
    mask = torch.tensor([[True, True, False, True, True, True]])
    assert torch.autograd.gradcheck(
        lambda *x: gpe.attention(*x[:3], encoding, dict(zip(names, x[3:], strict=True)), key_padding_mask=mask),
        (q, k, v, *learned),
    )


def test_types_and_what_does_not_fit():
    q, k, v = tensors()
    exact = gpe.attention(q, k, v, "ape")
    for dtype, tolerance in ((torch.float32, 1e-5), (torch.bfloat16, 0.05), (torch.float16, 5e-3)):
        found = gpe.attention(q.to(dtype), k.to(dtype), v.to(dtype), "ape")
        assert found.dtype == dtype and (found.double() - exact).abs().max() < tolerance
    with pytest.raises(gpe.SpecError, match="expected v"):
        gpe.attention(q, k, v[:, :, 1:])


def test_slopes_are_learned():
    """Attention is trained to equal attention with other slopes, and finds them."""
    q, k, v = tensors(queries=40)
    wanted = torch.tensor([0.5, 0.1, 0.3, 0.05], dtype=torch.float64)
    target = gpe.attention(q, k, v, "alibi", {"m": wanted})
    slopes = torch.full((4,), 0.2, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([slopes], lr=0.02)
    for _ in range(150):
        optimizer.zero_grad()
        (gpe.attention(q, k, v, "alibi", {"m": slopes}) - target).square().sum().backward()
        optimizer.step()
    assert (slopes - wanted).abs().max() < 1e-3, slopes


def test_the_trained_model_has_the_logits_that_it_has_in_cpp(tmp_path):
    """tests/cases/tiny, a model of train-tsm with a learned encoding, in plain PyTorch around gpe.attention."""
    tool = os.environ.get("GPE_INTEROP_TOOL")
    if not tool:
        pytest.skip("GPE_INTEROP_TOOL is unset")
    import safetensors.torch

    folder = ROOT / "tests" / "cases" / "tiny"
    config = tomllib.loads((folder / "config.toml").read_text())["model"]
    weights = {name: w.double() for name, w in safetensors.torch.load_file(folder / "model.safetensors").items()}
    layers, heads = config["layers"], config["heads"]
    tokens = torch.randint(0, weights["transformer.wte.weight"].size(0), (2, 50))
    x = embedding(tokens, weights["transformer.wte.weight"])
    for layer in range(layers):
        name = f"transformer.h.{layer}."
        inner = layer_norm(x, (x.size(-1),), weights[name + "ln_1.weight"])
        q, k, v = (
            part.unflatten(2, (heads, -1)).transpose(1, 2)
            for part in linear(inner, weights[name + "attn.c_attn.weight"]).chunk(3, 2)
        )
        y = gpe.attention(q, k, v, folder / "encoding.toml", layer=layer, layers=layers)
        x = x + linear(y.transpose(1, 2).flatten(2), weights[name + "attn.c_proj.weight"])
        inner = layer_norm(x, (x.size(-1),), weights[name + "ln_2.weight"])
        x = x + linear(gelu(linear(inner, weights[name + "mlp.c_fc.weight"])), weights[name + "mlp.c_proj.weight"])
    logits = linear(layer_norm(x, (x.size(-1),), weights["transformer.ln_f.weight"]), weights["transformer.wte.weight"])
    safetensors.torch.save_file({"tokens": tokens}, tmp_path / "tokens.safetensors")
    tokens_file, logits_file = tmp_path / "tokens.safetensors", tmp_path / "logits.safetensors"
    subprocess.run([tool, tokens_file, logits_file, folder, "float64"], check=True)
    expected = safetensors.torch.load_file(logits_file)["0"]
    assert expected.std() > 0.5, "logits that are nearly equal say little"
    assert (logits - expected).abs().max() < 1e-9
