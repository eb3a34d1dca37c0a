"""from_config, conformance and the pytest plugin, as the package brings them."""

import math
import subprocess
import sys

import pytest
import torch
import transformers
from conftest import ROOT

import gpe

CONFIGS = ROOT / "tests" / "cases" / "configs"


def test_a_config_becomes_encodings_that_every_function_takes():
    sliding, full = gpe.from_config(CONFIGS / "gemma-3-4b.json")
    assert (sliding.name, full.name) == ("gemma3_text-sliding", "gemma3_text-full")
    assert set(sliding.layers) | set(full.layers) == set(range(1, sliding.all_layers + 1)) and not set(
        sliding.layers
    ) & set(full.layers)
    assert (
        gpe.check(sliding.spec, head_dim=sliding.head_dim).verdict("convergent-normalization", "every-content")
        == "holds"
    )
    assert gpe.check(full.spec, head_dim=full.head_dim).verdict("convergent-normalization", "every-content") == "fails"
    with pytest.raises(gpe.SpecError, match="no-such"):
        gpe.from_config(CONFIGS / "no-such.json")


def test_what_is_no_config_is_told_what_is_wanted(tmp_path):
    class Tokenizer:
        def encode(self, text):
            return []

    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "LlamaTokenizer"}')
    for given, part in (
        ("gpt2", "no such file"),
        (Tokenizer(), "Tokenizer is a tokenizer or a processor; expected a model's config"),
        (7, "expected a model's config, or the path of its config.json, not int"),
        (tmp_path / "tokenizer_config.json", "of a tokenizer; expected the config.json of a model"),
        (
            transformers.ViTConfig(),
            "a model of pictures, whose positions have two dimensions; expected a language model",
        ),
    ):
        with pytest.raises(gpe.SpecError, match=part):
            gpe.from_config(given)
    config = transformers.LlamaConfig(
        vocab_size=16, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    assert gpe.from_config(transformers.LlamaModel(config)) == gpe.from_config(config)


@pytest.mark.parametrize(
    "scaling",
    [
        None,
        {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64},
        {"rope_type": "linear", "factor": 4.0},
    ],
)
def test_attention_of_a_config_is_that_of_transformers(scaling):
    """q and k through the model's own rotary embedding, against gpe.attention with the encoding of model.config."""
    config = transformers.LlamaConfig(
        vocab_size=16,
        hidden_size=64,
        num_hidden_layers=1,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=16,
        rope_scaling=scaling,
        max_position_embeddings=256,
    )
    (encoding,) = gpe.from_config(config)
    assert (encoding.heads, encoding.key_heads, encoding.head_dim) == (4, 2, 16)
    q, k, v = (torch.randn(1, heads, 50, 16) for heads in (4, 2, 2))
    llama = transformers.models.llama.modeling_llama
    cosine, sine = llama.LlamaRotaryEmbedding(config)(q, torch.arange(50)[None])
    turned = llama.apply_rotary_pos_emb(q, k, cosine, sine)
    expected = torch.nn.functional.scaled_dot_product_attention(*turned, v, is_causal=True, enable_gqa=True)
    found = gpe.attention(q, k, v, encoding.spec)
    assert (found - expected).abs().max() < 2e-5
    if scaling is not None:
        assert (gpe.attention(q, k, v, "rope") - expected).abs().max() > 0.01, "the type matters"


def test_conformance_names_what_is_wrong():
    slopes = [2 ** (-8 * h / 32) for h in range(1, 33)]
    reference = gpe.conformance.Conformance(CONFIGS / "mpt-7b.json")
    reference.slopes(slopes)
    with pytest.raises(gpe.conformance.NotConforming, match=r"slope of head 2 is 0.5; expected 1/2\*sqrt\(2\) = 0.707"):
        reference.slopes([slopes[0], 0.5, *slopes[2:]])
    of_dict = gpe.conformance.Conformance({"name": "mine", "score": {"bias": "-n/(4*h)"}}, heads=2)
    of_dict.slopes(torch.tensor([0.25, 0.125]))
    with pytest.raises(gpe.conformance.NotConforming, match="mine: 1 heads; expected 2"):
        of_dict.slopes([0.25])
    with pytest.raises(gpe.SpecError, match="mine does not rotate"):
        of_dict.frequencies([1.0])
    yarn = gpe.from_config(
        transformers.LlamaConfig(
            hidden_size=64,
            num_attention_heads=1,
            rope_scaling={"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 4096},
        )
    )[0]
    reference = gpe.conformance.Conformance(yarn.spec, head_dim=yarn.head_dim)
    reference.temperature((0.1 * math.log(8) + 1) ** 2)
    with pytest.raises(gpe.conformance.NotConforming, match="temperature is 1; expected 1.459"):
        reference.temperature(1.0)


def test_pytest_finds_the_fixture_of_an_installed_package(tmp_path):
    """No conftest.py: the plugin is an entry point. With pytest_plugins as well, it is still one plugin."""
    from importlib.metadata import entry_points

    if not any(entry.value == "gpe.pytest_plugin" for entry in entry_points(group="pytest11")):
        pytest.skip("gpe is not installed as a package")
    (tmp_path / "test_port.py").write_text("""
def test_right(gpe_conformance):
    gpe_conformance("alibi", heads=2).slopes([1 / 16, 1 / 256])

def test_wrong(gpe_conformance):
    gpe_conformance("alibi", heads=2).slopes([1 / 16, 1 / 128])
""")
    for conftest in ("", 'pytest_plugins = ["gpe.pytest_plugin"]\n'):
        (tmp_path / "conftest.py").write_text(conftest)
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:anyio",
                tmp_path / "test_port.py",
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
        assert "slope of head 2 is 0.0078125; expected 1/256 = 0.0039062500" in done.stdout
