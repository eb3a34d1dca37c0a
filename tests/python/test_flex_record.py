"""record and MaxScores with FlexAttention: lse and max_scores as they come, and the loop of docs/python.md."""

import re
import sys

import pytest
import torch
from conftest import ROOT
from dense import assert_measured
from torch.nn.attention.flex_attention import AuxOutput, AuxRequest, BlockMask, create_block_mask, flex_attention

import gpe
from gpe._probe.flex import flex_statistics

SLOPES = 2.0 ** -torch.arange(1, 5)


def alibi(score, batch, head, query, key):
    return score - SLOPES[head] * (query - key)


def windowed(batch, head, query, key):
    return (query >= key) & (query - key < 60 + 10 * head)


def weights_of(q, k, scores=None):
    n = torch.arange(q.size(2))[:, None] - torch.arange(k.size(2))
    scores = q.double() @ k.double().repeat_interleave(q.size(1) // k.size(1), 1).mT / q.size(3) ** 0.5
    seen = (n >= 0) & (n < 60 + 10 * torch.arange(4)[:, None, None])
    return (scores - SLOPES[:, None, None] * n).masked_fill(~seen, -torch.inf), n


def tensors():
    return torch.randn(2, 4, 200, 16), torch.randn(2, 2, 200, 16), torch.randn(2, 2, 200, 16)


def test_a_call_is_measured_with_its_score_mod_and_mask_and_stays_what_it_is():
    q, k, v = tensors()
    mask = create_block_mask(windowed, None, 4, 200, 200, device="cpu", BLOCK_SIZE=64)
    given = {"score_mod": alibi, "block_mask": mask, "enable_gqa": True}
    with torch.no_grad():
        expected = flex_attention(q, k, v, **given)
        with gpe.record() as report:
            found = flex_attention(q, k, v, **given)
            _, aux = flex_attention(q, k, v, **given, return_aux=AuxRequest(lse=True))
    assert torch.equal(found, expected) and len(report.layers) == 2 and flex_attention.__module__.startswith("torch")
    for layer in report.layers:
        scores, n = weights_of(q, k)
        of_scores = {"lse": scores.logsumexp(-1), "max_score": scores.amax(-1)}
        assert_measured(layer.statistics, scores.softmax(-1), n, **of_scores)
    assert torch.equal(report.layers[1].statistics.lse, aux.lse.to(report.layers[1].statistics.lse))


def test_blocks_that_are_not_listed_are_not_seen():
    q, k, _ = tensors()
    counts = torch.ones(1, 1, 4, dtype=torch.int32)
    mask = BlockMask.from_kv_blocks(
        counts, torch.arange(4, dtype=torch.int32).view(1, 1, 4, 1).expand(1, 1, 4, 4), BLOCK_SIZE=64
    )
    found = flex_statistics(q[:, :, :192], k[:, :, :192], AuxOutput(), block_mask=mask)
    assert found.keys[0, 0, [0, 63, 64, 191]].tolist() == [64] * 4


def test_lse_and_max_scores_are_taken_as_they_come():
    q, k, _ = tensors()
    scores, _ = weights_of(q, k)
    mask = create_block_mask(windowed, None, 4, 200, 200, device="cpu")
    aux = AuxOutput(scores.logsumexp(-1), scores.amax(-1) + 1)
    found = flex_statistics(q, k, aux, score_mod=alibi, block_mask=mask)
    assert torch.equal(found.max_score, aux.max_scores.to(found.max_score))
    entropy = torch.special.entr(scores.softmax(-1)).sum(-1)
    assert (found.entropy - entropy).abs().max() < 1e-5
    half = flex_statistics(q.bfloat16(), k.bfloat16(), aux, score_mod=alibi, block_mask=mask)
    assert half.entropy.dtype == torch.float32 and (half.entropy - entropy).abs().max() < 0.1


def dense(q, k, v, *, block_mask, return_aux):
    """flex_attention as it is on a GPU: with gradients and both auxiliary outputs."""
    n = torch.arange(q.size(2))[:, None] - torch.arange(k.size(2))
    scores = (q @ k.mT / q.size(3) ** 0.5).masked_fill(n < 0, -torch.inf)
    assert return_aux == AuxRequest(lse=True, max_scores=True)
    return scores.softmax(-1) @ v, AuxOutput(scores.logsumexp(-1), scores.amax(-1))


def page():
    """The names that the loop of docs/python.md defines."""
    text = (ROOT / "docs" / "python.md").read_text()
    (block,) = (one for one in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "gpe.MaxScores(" in one)
    names = {}
    exec(block, names)
    names["flex"] = dense
    return names


class Attention(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.wq, self.wk, self.wv, self.wo = (torch.nn.Linear(32, 32, bias=False) for _ in range(4))
        self.inner_attention = inner

    def forward(self, x):
        q, k, v = (w(x).unflatten(-1, (4, 8)).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        out, _ = self.inner_attention(q, k, v, block_mask=None)
        return x + self.wo(out.transpose(1, 2).flatten(2))


def model_of(names):
    torch.manual_seed(3)
    layers = (Attention(names["InnerAttention"]()) for _ in range(2))
    return torch.nn.Sequential(torch.nn.Embedding(11, 32), *layers, torch.nn.Linear(32, 11))


def test_the_loop_of_the_page_logs_entropies_and_scores_and_clips():
    names, logged = page(), {}
    model = model_of(names)
    for layer in (1, 2):
        model[layer].wq.weight.data.mul_(40)
    batches = [(torch.randint(11, (2, 30)), torch.randint(11, (2, 30))) for _ in range(4)]
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    names["train"](
        model,
        optimizer,
        batches,
        lambda step, name, value: logged.update({(step, name): value}),
        every=2,
        threshold=2.0,
    )
    assert {step for step, _ in logged} == {2, 4} and len(logged) == 2 * 2 * 4 * 2
    assert logged[4, "1.inner_attention/head_3/entropy"] > 0
    clipped = [logged[4, f"{layer}.inner_attention/head_{head}/max_score"] for layer in (1, 2) for head in (1, 2, 3, 4)]
    assert max(clipped) < 2.5 and min(clipped) > 0.5
    with torch.no_grad(), gpe.record(model) as report:
        model(batches[0][0])
    assert [layer.name for layer in report.layers] == ["1.inner_attention", "2.inner_attention"]


def _of_two(rank, folder):
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    names = page()
    model = model_of(names)
    largest = gpe.MaxScores(model)
    own = []
    with torch.no_grad():
        for text in range(3):
            tokens = torch.randint(11, (2, 20), generator=torch.Generator().manual_seed(10 * rank + text))
            with gpe.record(model) as report:
                model(tokens)
            own.append(torch.stack([layer.statistics.max_score.amax((0, 2)) for layer in report.layers]))
    found = largest.reduce()
    torch.save((torch.stack(own).amax(0), torch.stack(list(found.values())), list(found)), f"{folder}/{rank}.pt")
    torch.distributed.destroy_process_group()


def test_maxima_are_those_of_all_processes(tmp_path):
    torch.multiprocessing.spawn(_of_two, (str(tmp_path),), nprocs=2)
    (first, found, names), (second, same, _) = (torch.load(tmp_path / f"{rank}.pt") for rank in (0, 1))
    assert names == ["1.inner_attention", "2.inner_attention"] and found.shape == (2, 4)
    assert (
        torch.equal(found, same) and torch.equal(found, torch.maximum(first, second)) and not torch.equal(first, second)
    )


def test_maxima_start_anew_and_hooks_are_taken_back():
    names = page()
    model = model_of(names)
    largest = gpe.MaxScores(model)
    tokens = torch.randint(11, (1, 20))
    model(tokens)
    first = largest.reduce()
    with pytest.raises(gpe.Error, match="no part returned max_scores"):
        largest.reduce()
    model(tokens[:, :5])
    assert all(bool((value <= first[name]).all()) for name, value in largest.reduce().items())
    largest.remove()
    model(tokens)
    with pytest.raises(gpe.Error, match=r"AuxRequest\(max_scores=True\)"):
        largest.reduce()
    with pytest.raises(gpe.SpecError, match="expected a module"):
        gpe.MaxScores("model")


def test_a_softmax_by_hand_is_told_where_its_queries_and_keys_go():
    class ByHand(torch.nn.Module):
        def forward(self, q, k, v):
            return (q @ k.mT).softmax(-1) @ v

    model = torch.nn.ModuleDict({"attention": ByHand()})
    with pytest.raises(gpe.Error, match=r"a softmax in attention looks.*give q and k to gpe.attention_statistics"):
        with gpe.record(model):
            model["attention"](*tensors()[:1] * 3)


def test_records_nest_and_what_is_imported_within_one_is_as_before(tmp_path, monkeypatch):
    (tmp_path / "imported_late.py").write_text("from torch.nn.attention.flex_attention import flex_attention\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    q, k, v = tensors()
    monkeypatch.setitem(sys.modules, "odd", type("Odd", (), {"__slots__": ()})())
    with gpe.record() as outer:
        import imported_late

        with gpe.record() as inner:
            imported_late.flex_attention(q, k, v, enable_gqa=True)
    assert len(outer.layers) == len(inner.layers) == 1
    assert imported_late.flex_attention is torch.nn.attention.flex_attention.flex_attention
    imported_late.flex_attention(q, k, v, enable_gqa=True)
    assert len(outer.layers) == 1


def test_an_aux_output_alone_has_maxima():
    class Part(torch.nn.Module):
        def forward(self, x):
            return AuxOutput(lse=None, max_scores=x)

    model = torch.nn.ModuleDict({"part": Part()})
    largest = gpe.MaxScores(model)
    model["part"](torch.tensor([[[1.0, 3.0], [2.0, 0.0]]]))
    assert largest.reduce()["part"].tolist() == [3.0, 2.0]
