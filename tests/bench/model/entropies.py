"""Entropies of rows in PyTorch: as one writes them first, in double precision, and with the keys as values of
attention; and the errors of ours beside them."""

from pathlib import Path

HEADS, HEAD_DIM = 6, 64


def causal_scores(q, k):
    import torch

    tokens = q.shape[-2]
    seen = torch.ones(tokens, tokens, dtype=torch.bool).tril()
    return ((q @ k.transpose(-1, -2)) / HEAD_DIM**0.5).masked_fill(~seen, float("-inf"))


def eager_entropy(q, k):
    """As one writes it first: weights of all pairs, then the sum."""
    import torch

    weights = torch.softmax(causal_scores(q, k), -1)
    return -torch.xlogy(weights, weights).sum(-1)


def exact_entropy(q, k):
    """In double precision, head by head, in pieces of queries."""
    import torch

    tokens = q.shape[1]
    result = torch.empty(q.shape[:2], dtype=torch.float64)
    for head in range(q.shape[0]):
        for begin in range(0, tokens, 512):
            end = min(begin + 512, tokens)
            scores = q[head, begin:end].double() @ k[head, :end].double().T / HEAD_DIM**0.5
            scores.masked_fill_(torch.arange(end)[None, :] > torch.arange(begin, end)[:, None], float("-inf"))
            logs = torch.log_softmax(scores, -1)
            result[head, begin:end] = -(logs.exp() * logs.clamp(min=-1e300)).sum(-1)
    return result


def keys_as_values(q, k):
    """Entropy by scaled_dot_product_attention with the keys as values: E of q'k is q'o; the
    log-normalizer is one of its outputs."""
    import torch

    out, log_normalizer = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, k, 0.0, True)
    return log_normalizer - (q.float() * out.float()).sum(-1) / HEAD_DIM**0.5


def loaded(folder, name, kind):
    import numpy
    import torch

    return torch.from_numpy(numpy.fromfile(Path(folder) / name, dtype=kind)).view(HEADS, -1)


def errors_of(folder, tokens):
    """Largest errors of entropies of one input: ours, and of the keys as values in float32 and in
    bfloat16 (of the same rounded input)."""

    q, k = (loaded(folder, name, "<f4").view(HEADS, tokens, HEAD_DIM) for name in ("q", "k"))
    exact = exact_entropy(q, k)
    low_q, low_k = q.bfloat16(), k.bfloat16()
    low_exact = exact_entropy(low_q, low_k)
    return {
        "ours": (loaded(folder, "entropy", "<f8") - exact).abs().max().item(),
        "keys as values": (keys_as_values(q[None], k[None])[0].double() - exact).abs().max().item(),
        "keys as values, bfloat16": (keys_as_values(low_q[None], low_k[None])[0].double() - low_exact)
        .abs()
        .max()
        .item(),
    }
