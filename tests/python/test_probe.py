"""probe measures what eager attention of transformers does, and says so where it cannot."""

import copy

import models
import pytest
import torch
import transformers

import gpe

MOST = 1e-5


def eager(model, tokens, **options):
    """Weights of every layer, by transformers itself, and the logits or hidden states."""
    before = model.config._attn_implementation
    model.set_attn_implementation("eager")
    with torch.no_grad():
        out = model(input_ids=tokens, output_attentions=True, **options)
    model.set_attn_implementation(before)
    return out.attentions, out[0]


def entropies(weights):
    """Of the tokens: a sink's weight is not in them."""
    weights = weights.double()
    p = weights / weights.sum(-1, keepdim=True)
    return -torch.where(p > 0, p * p.log(), 0.0).sum(-1)


def assert_measured(report, attentions, rows=None):
    """Against the weights [B, H, Nq, Nk] of each layer; rows, bool [B, Nq]: those that are text."""
    assert len(report.layers) == len(attentions)
    for layer, weights in zip(report.layers, attentions, strict=True):
        s = layer.statistics
        queries, keys = weights.shape[2:]
        rows_here = torch.ones(weights.size(0), queries, dtype=torch.bool) if rows is None else rows
        n = (torch.arange(queries)[:, None] + keys - queries - torch.arange(keys)).abs().double()
        token_weights = weights.double() / weights.double().sum(-1, keepdim=True)
        for name, expected in (
            ("entropy", entropies(weights)),
            ("max_weight", weights.amax(-1)),
            ("keys", (weights > 0).sum(-1)),
            ("mean_distance", (token_weights * n).sum(-1)),
            ("sink_weight", 1 - weights.double().sum(-1)),
        ):
            apart = (getattr(s, name) - expected).abs().transpose(1, 2)[rows_here].max().item()
            assert apart < (1e-3 if name == "mean_distance" else MOST), (layer.name, name, apart)
        assert s.lse.transpose(1, 2)[~rows_here].isneginf().all()


@pytest.mark.parametrize("name", models.MODELS)
def test_entropies_are_those_of_eager_attention(name):
    model = models.model_of(name)
    tokens = torch.randint(models.VOCABULARY, (2, 37))
    attentions, _ = eager(model, tokens)
    assert entropies(attentions[0])[:, :, -1].std() > 0.05, "entropies that are nearly equal say little"
    assert_measured(gpe.probe(model, tokens), attentions)


@pytest.mark.parametrize("name", models.MODELS)
@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_is_no_text(name, side):
    model = models.model_of(name)
    tokens = torch.randint(models.VOCABULARY, (3, 29))
    real = torch.ones(3, 29, dtype=torch.long)
    real[0, : 13 if side == "left" else None] = 0 if side == "left" else 1
    if side == "right":
        real[0, 16:] = 0
    attentions, _ = eager(model, tokens, attention_mask=real)
    report = gpe.probe(model, tokens, attention_mask=real)
    assert_measured(report, attentions, real.bool())
    assert report.to_dict()["heads"][0]["all_rows"]["rows"] == int(real.sum())


@pytest.mark.parametrize("name", models.MODELS)
def test_the_model_computes_what_it_did(name):
    """Also with every layer's output taken from the probe's own attention."""
    model = models.model_of(name)
    tokens = torch.randint(models.VOCABULARY, (2, 37))
    real = torch.ones(2, 37, dtype=torch.long)
    real[1, :9] = 0
    from gpe._probe.probe import recording
    from gpe._torch.buckets import bucket_edges

    for mask in (None, real):
        _, expected = eager(model, tokens, attention_mask=mask)
        with recording(model, bucket_edges(None, 37)) as recorder, torch.no_grad():
            found = model(input_ids=tokens, attention_mask=mask)[0]
        assert len(recorder.records) == 2
        rows = torch.ones(2, 37, dtype=torch.bool) if mask is None else mask.bool()
        assert (found - expected)[rows].abs().max() < 1e-4 * expected.abs().max(), name


@pytest.mark.parametrize("name", [name for name in models.MODELS if name != "bert"])
def test_a_cache_holds_the_keys_before(name):
    model = models.model_of(name)
    tokens = torch.randint(models.VOCABULARY, (2, 33))
    with torch.no_grad():
        cache = model(input_ids=tokens[:, :20], use_cache=True).past_key_values
    attentions, _ = eager(model, tokens)
    report = gpe.probe(model, tokens[:, 20:], past_key_values=cache)
    assert_measured(report, [w[:, :, 20:] for w in attentions])
    with torch.no_grad():
        cache = model(input_ids=tokens[:, :32], use_cache=True).past_key_values
    one = gpe.probe(model, tokens[:, 32:], past_key_values=cache)  # a step of generation
    assert_measured(one, [w[:, :, 32:] for w in attentions])


def test_packed_texts_see_only_themselves():
    model = models.model_of("llama")
    tokens = torch.randint(models.VOCABULARY, (1, 30))
    positions = torch.cat([torch.arange(11), torch.arange(19)])[None]
    report = gpe.probe(model, tokens, position_ids=positions)
    alone = [gpe.probe(model, part) for part in (tokens[:, :11], tokens[:, 11:])]
    for layer in range(2):
        expected = torch.cat([part.layers[layer].statistics.entropy for part in alone], 2)
        assert (report.layers[layer].statistics.entropy - expected).abs().max() < MOST


def test_a_mask_of_the_callers_own():
    model = models.model_of("llama")
    tokens = torch.randint(models.VOCABULARY, (1, 12))
    allowed = torch.ones(12, 12, dtype=torch.bool).tril() & (torch.rand(12, 12) > 0.3) | torch.eye(12, dtype=torch.bool)
    additive = torch.where(allowed, 0.0, torch.finfo(torch.float32).min)[None, None]
    attentions, _ = eager(model, tokens, attention_mask=additive)
    assert_measured(gpe.probe(model, tokens, attention_mask=allowed[None, None]), attentions)
    assert_measured(gpe.probe(model, tokens, attention_mask=additive), attentions)
    with pytest.raises(gpe.Error, match="adds numbers to the scores"):
        gpe.probe(model, tokens, attention_mask=torch.where(allowed, -1.5, torch.finfo(torch.float32).min)[None, None])


def test_a_model_that_bypasses_the_interface_is_an_error():
    bloom = transformers.BloomForCausalLM(transformers.BloomConfig(vocab_size=61, hidden_size=48, n_layer=2, n_head=4))
    before = bloom.config._attn_implementation
    with pytest.raises(gpe.Error, match="attention interface"):
        gpe.probe(bloom, torch.arange(9))
    assert bloom.config._attn_implementation == before
    t5 = transformers.T5EncoderModel(
        transformers.T5Config(vocab_size=61, d_model=48, d_kv=8, d_ff=64, num_layers=2, num_heads=4)
    )
    with pytest.raises(gpe.Error, match="position_bias"):
        gpe.probe(t5, torch.arange(9))
    with pytest.raises(gpe.Error, match="not a model of transformers"):
        gpe.probe(torch.nn.Linear(2, 2), torch.arange(9))


def test_scores_that_are_no_numbers_are_an_error():
    for value in (float("nan"), float("inf"), 1e30):
        model = copy.deepcopy(models.model_of("gpt2"))
        with torch.no_grad():
            model.transformer.h[1].attn.c_attn.weight.fill_(value)
        with pytest.raises(gpe.Error, match="scores are not numbers"):
            gpe.probe(model, torch.arange(1, 9))


def test_a_model_without_attention_is_an_error():
    mamba = transformers.MambaForCausalLM(
        transformers.MambaConfig(vocab_size=61, hidden_size=32, num_hidden_layers=2, state_size=4)
    )
    with pytest.raises(gpe.Error, match="nothing was measured|attention interface"):
        gpe.probe(mamba, torch.arange(9))


def test_the_model_is_afterwards_as_it_was():
    model = models.model_of("gemma2").train()
    before = model.config._attn_implementation
    gpe.probe(model, torch.arange(9))
    assert model.training and model.config._attn_implementation == before
    with pytest.raises(gpe.SpecError, match="tokenizer"):
        gpe.probe(model, "a text")
    with pytest.raises(ValueError):  # raised by the model's forward
        gpe.probe(model, torch.arange(9), inputs_embeds=torch.zeros(1, 9, 1))
    assert model.training and model.config._attn_implementation == before


def test_reports_as_dict_table_picture_and_page(tmp_path):
    model = models.model_of("gpt2")
    report = gpe.probe(model, torch.randint(61, (2, 32)), distance_buckets=[0, 1, 8])
    found = report.to_dict()
    assert (found["model"], found["model_type"], found["batch"], found["tokens"]) == ("GPT2LMHeadModel", "gpt2", 2, 32)
    assert [(h["layer"], h["head"]) for h in found["heads"]] == [(a, b) for a in (1, 2) for b in (1, 2, 3)]
    head, s = found["heads"][4], report.layers[1].statistics
    assert head["last_row"]["entropy"]["mean"] == pytest.approx(s.entropy[:, 1, -1].mean().item())
    assert head["second_half"]["rows"] == 32 and head["all_rows"]["largest_score"]["max"] == pytest.approx(
        s.max_score[:, 1].max().item()
    )
    assert sum(bucket["mass"] for bucket in head["distances"]) == pytest.approx(1)
    assert [(b["from"], b["to"], b["pairs"]) for b in head["distances"]] == [
        (0, 0, 64),
        (1, 7, 2 * (7 * 32 - 28)),
        (8, None, 600),
    ]
    table = report.to_dataframe()
    assert len(table) == 6 and table["entropy"][4] == pytest.approx(s.entropy[:, 1].mean().item())
    assert len(report.to_dataframe("rows")) == 2 * 2 * 3 * 32 and len(report.to_dataframe("distances")) == 18
    with pytest.raises(gpe.SpecError, match="'heads', 'rows' or 'distances'"):
        report.to_dataframe("layers")
    assert report.plot()._repr_png_()[0].startswith(b"\x89PNG"), "a notebook shows it"
    assert len(report.plot().axes) == 5 + 6  # three panels and two scales of colours; scores of each head
    assert report._repr_html_().count("<tr>") == 7
    lines = str(report).splitlines()
    assert lines[0].endswith("means and maxima over all rows, max weight over rows T/2 to T - 1")
    assert lines[6].split()[4] == f"{table['largest_weight_of_second_half'][4]:.3f}"
    assert len(lines) == 8 and lines[6].split()[:3] == ["2", "2", f"{table['entropy'][4]:.3f}"]
    report.to_html(tmp_path / "report.html")
    page = report.to_html()
    assert (
        page == (tmp_path / "report.html").read_text()
        and page.startswith("<!DOCTYPE html>")
        and page.endswith("</html>\n")
    )
    assert not any(part in page for part in ("<script", "<link", "src=", 'href="http')), "it needs no other file"
    for head in report.to_dict()["heads"]:
        assert f"{head['second_half']['entropy']['mean']:.3f}" in page


def test_distances_of_several_sequences_are_merged():
    model = models.model_of("llama")
    tokens = torch.randint(61, (3, 20))
    head = gpe.probe(model, tokens, distance_buckets=[0, 2]).to_dict()["heads"][0]["distances"][1]
    parts = [gpe.probe(model, row, distance_buckets=[0, 2]).to_dict()["heads"][0]["distances"][1] for row in tokens]
    mean = sum(part["score"]["mean"] for part in parts) / 3
    assert head["score"]["mean"] == pytest.approx(mean, rel=1e-4)
    spread = sum(part["score"]["variance"] + (part["score"]["mean"] - mean) ** 2 for part in parts) / 3
    assert head["score"]["variance"] == pytest.approx(spread, rel=1e-4)
    assert head["content"]["min"] == min(part["content"]["min"] for part in parts)


def test_what_is_no_model_and_ids_beyond_the_vocabulary_are_refused():
    with pytest.raises(gpe.SpecError, match=r"from_pretrained\('gpt2'\)"):
        gpe.probe("gpt2", torch.tensor([1, 2]))
    config = transformers.GPT2Config(vocab_size=64, n_embd=16, n_layer=1, n_head=2, n_positions=32)
    model = transformers.GPT2LMHeadModel(config)
    for ids in ([1, 64], [-1, 3]):
        with pytest.raises(gpe.SpecError, match="vocabulary has 64 tokens, 0 to 63"):
            gpe.probe(model, torch.tensor(ids))


def test_a_short_repr_and_a_page_of_which_nothing_is_returned(tmp_path):
    config = transformers.GPT2Config(vocab_size=64, n_embd=16, n_layer=2, n_head=2, n_positions=32)
    report = gpe.probe(transformers.GPT2LMHeadModel(config), torch.arange(24))
    assert repr(report) == "<ProbeReport of GPT2LMHeadModel: 2 layers, 1 x 24 tokens>"
    assert report.to_html(tmp_path / "page.html") is None
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == report.to_html()
