"""Attention with the whole matrix of tokens x tokens, from the formulas: what the package is compared with."""

import math

import torch


def rotated(x, positions, base=10000.0):
    """Stock RoPE on [..., token, d], pairs (j, j + d/2)."""
    half = x.size(-1) // 2
    angle = positions[:, None] * base ** (-torch.arange(half, dtype=torch.float64) / half)
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * angle.cos() - second * angle.sin(), first * angle.sin() + second * angle.cos()], -1)


def alibi_slopes(heads):
    """get_slopes of ofirpress/attention_with_linear_biases."""
    power = 2 ** math.floor(math.log2(heads))
    slopes = [2 ** (-8 * (i + 1) / power) for i in range(power)]
    return torch.tensor(slopes + [2 ** (-4 * (2 * i + 1) / power) for i in range(heads - power)], dtype=torch.float64)


def distances(queries, keys, offset=0):
    return torch.arange(queries)[:, None] + offset - torch.arange(keys)[None, :]


def statistics(scores, contents, seen, distance, sink=None):
    """Of A and c [B, H, Nq, Nk], by the definitions; sink [H]."""
    scores = scores.masked_fill(~seen, -torch.inf)
    lse = scores.logsumexp(-1)
    with_sink = lse if sink is None else torch.logaddexp(lse, sink[None, :, None].expand_as(lse))
    p = (scores - lse[..., None]).exp()
    log_p = torch.where(seen, scores - lse[..., None], 0.0)
    entropy = -(p * log_p).sum(-1)
    return {
        "lse": with_sink,
        "entropy": entropy,
        "varentropy": (p * (log_p + entropy[..., None]) ** 2).sum(-1),
        "mean_distance": (p * distance).sum(-1),
        "max_weight": (scores - with_sink[..., None]).exp().amax(-1),
        "max_score": scores.amax(-1),
        "content_bound": torch.where(seen, contents, 0.0).abs().amax(-1),
        "sink_weight": 1 - (lse - with_sink).exp(),
        "keys": seen.expand(scores.shape).sum(-1).double(),
        "weights": (scores - with_sink[..., None]).exp(),
    }


def assert_measured(s, weights, n, **more):
    """The statistics s by query are those of weights at distances n, and `more` by their names."""
    expected = {
        "entropy": torch.special.entr(weights).sum(-1),
        "max_weight": weights.amax(-1),
        "mean_distance": (weights * n).sum(-1),
        "keys": (weights > 0).sum(-1),
    }
    for name, values in (expected | more).items():
        assert (getattr(s, name) - values).abs().max() < 2e-5 * (1 + values.abs().max()), name


def buckets(dense, scores, contents, seen, distance, edges):
    seen, distance = seen.expand(scores.shape), distance.expand(scores.shape)
    result = {
        name: []
        for name in (
            "mass",
            "count",
            "content_mean",
            "content_var",
            "content_min",
            "content_max",
            "score_mean",
            "score_var",
        )
    }
    for i, low in enumerate(edges):
        high = edges[i + 1] if i + 1 < len(edges) else torch.inf
        inside = seen & (distance >= low) & (distance < high)
        count = inside.sum((2, 3)).double()

        def mean(x, inside=inside, count=count):
            return torch.where(inside, x, 0.0).sum((2, 3)) / count

        result["mass"].append(torch.where(inside, dense["weights"], 0.0).sum((2, 3)))
        result["count"].append(count)
        result["content_min"].append(torch.where(inside, contents, torch.inf).amin((2, 3)))
        result["content_max"].append(torch.where(inside, contents, -torch.inf).amax((2, 3)))
        for name, x in (("content", contents), ("score", scores)):
            result[f"{name}_mean"].append(mean(x))
            result[f"{name}_var"].append(mean((x - mean(x)[..., None, None]) ** 2))
    return {name: torch.stack(values, -1) for name, values in result.items()}
