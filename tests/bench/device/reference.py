"""What the kernels are measured beside: attention of PyTorch, and exact statistics."""

import math

import torch
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

APE = {"base": 10000.0, "alpha0": 1.0, "lambda": 1 / 100, "delta": 1 / 48, "beta": 1 / 10, "gamma": 1 / 10}


def sdpa(q, k, v, backend=None):
    if backend is None:
        return functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    with sdpa_kernel(backend):
        return functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def flash(q, k, v):
    return sdpa(q, k, v, SDPBackend.FLASH_ATTENTION)


def flash_with_normalizer(q, k, v):
    """Output and log-normalizer, as an entropy from V = K takes them."""
    if q.device.type == "cuda":
        return torch.ops.aten._scaled_dot_product_flash_attention(q, k, v, 0.0, True)[:2]
    return torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, True)[:2]


def entropy_by_values(q, k):
    """Entropies out of stock attention with V = K: log-normalizer minus the mean score."""
    out, normalizer = flash_with_normalizer(q, k, k)
    return normalizer - (q.float() * out.float()).sum(-1) / math.sqrt(q.shape[-1])


def eager_entropy(q, k):
    """All pairs in memory, in float32."""
    scores = (q.float() @ k.float().transpose(-2, -1)) / math.sqrt(q.shape[-1])
    scores.masked_fill_(torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1), -math.inf)
    weights = scores.softmax(-1)
    return -(weights * weights.clamp_min(1e-45).log()).sum(-1)


def exact(q, k):
    """Entropies and log-normalizers in float64, some rows at a time."""
    tokens = k.shape[2]
    keys = k.double().transpose(-2, -1)
    rows, entropies, normalizers = 256, [], []
    for first in range(0, tokens, rows):
        here = torch.arange(first, min(first + rows, tokens), device=q.device)
        n = here[:, None] - torch.arange(tokens, device=q.device)[None, :]
        scores = q[:, :, first : first + rows].double() @ keys / math.sqrt(q.shape[-1])
        scores.masked_fill_(n < 0, -math.inf)
        normalizer = scores.logsumexp(-1)
        weights = (scores - normalizer[..., None]).exp()
        entropies.append(normalizer - (weights * scores.masked_fill(n < 0, 0)).sum(-1))
        normalizers.append(normalizer)
    return torch.cat(entropies, 2), torch.cat(normalizers, 2)


def ape_tables(tokens, head_dim, device):
    """Gain, bias and angles [n, block] of theory/encodings/ape.toml with its defaults."""
    n = torch.arange(tokens, dtype=torch.float64, device=device)
    bias = -APE["delta"] * n - APE["beta"] * torch.log1p(n) - APE["gamma"] * n.sqrt()
    mass = bias.exp().cumsum(0)
    entropy = mass.log() - (bias * bias.exp()).cumsum(0) / mass
    frequencies = APE["base"] ** (-torch.arange(head_dim // 2, dtype=torch.float64, device=device) * 2 / head_dim)
    angle = (n / (APE["alpha0"] * (1 + entropy)))[:, None] * frequencies[None, :]
    return 1 / (1 + APE["lambda"] * n), bias, angle


def score_tables(encoding, heads, tokens, head_dim, device):
    """Gain and bias [head, n] and angles [n, block] (None: none) in float64, from the formulas of theory/encodings;
    queries and keys of rope are turned before."""
    n = torch.arange(tokens, dtype=torch.float64, device=device)
    one, angle = torch.ones_like(n), None
    gain, bias = one.expand(heads, -1), (0 * n).expand(heads, -1)
    if encoding == "alibi-vetcha2025":
        bias = -torch.stack([2 ** (-4 * h / 3) * n for h in range(1, heads + 1)])
    elif encoding == "ape":
        gain, bias, angle = ape_tables(tokens, head_dim, device)
        gain, bias = gain.expand(heads, -1), bias.expand(heads, -1)
    return gain, bias, angle


def turned_products(q, k, angle, distance):
    """[head, query, key] of [head, token, coordinate]; block by block where each pair is turned by its own angle."""
    if angle is None:
        return q @ k.transpose(1, 2)
    half = q.shape[-1] // 2
    content = 0
    for j in range(half):
        q1, q2, k1, k2 = (x[..., at] for x in (q, k) for at in (j, j + half))
        even = q1[..., :, None] * k1[..., None, :] + q2[..., :, None] * k2[..., None, :]
        odd = q1[..., :, None] * k2[..., None, :] - q2[..., :, None] * k1[..., None, :]
        content = content + angle[:, j].cos()[distance] * even + angle[:, j].sin()[distance] * odd
    return content


def turned(x, angles):
    """[batch, head, token, coordinate], each block of token t turned by angles[block] * t, in float64."""
    turn = torch.arange(x.shape[2], dtype=torch.float64, device=x.device)[:, None] * angles
    first, second = x.double().chunk(2, -1)
    return torch.cat([first * turn.cos() - second * turn.sin(), first * turn.sin() + second * turn.cos()], -1)


def eager_ape(q, k, v):
    """[batch, head, token, coordinate]; block by block, since an angle that is not linear in n belongs to a pair."""
    tokens, head_dim = q.shape[2:]
    gain, bias, angle = ape_tables(tokens, head_dim, q.device)
    gain, bias = gain.float(), bias.float()
    cosine, sine = angle.cos().float(), angle.sin().float()
    position = torch.arange(tokens, device=q.device)
    distance = position[:, None] - position[None, :]
    n, half = distance.clamp_min(0), head_dim // 2
    content = torch.zeros(*q.shape[:3], tokens, device=q.device)
    for j in range(half):
        q1, q2, k1, k2 = (x.float() for x in (q[..., j], q[..., j + half], k[..., j], k[..., j + half]))
        even = q1[..., :, None] * k1[..., None, :] + q2[..., :, None] * k2[..., None, :]
        odd = q1[..., :, None] * k2[..., None, :] - q2[..., :, None] * k1[..., None, :]
        content += cosine[:, j][n] * even + sine[:, j][n] * odd
    scores = gain[n] * content / math.sqrt(head_dim) + bias[n]
    return (scores.masked_fill(distance < 0, -math.inf).softmax(-1) @ v.float()).to(q.dtype)


class FlexBuckets:
    """APE with a constant alpha in each class of distances, out of FlexAttention: a call per class, q and k turned for
    it, merged by log-normalizers. The classes begin at 0 and at each power of two from 64 on."""

    def __init__(self, tokens, head_dim, device):
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention

        torch._dynamo.config.recompile_limit = 64  # one for each class of distances; beyond the limit nothing is fused
        self.call = torch.compile(flex_attention, dynamic=False)
        gain, bias, angle = ape_tables(tokens, head_dim, device)
        gain, bias = gain.float(), bias.float()
        edges = [0, *(1 << i for i in range(6, (tokens - 1).bit_length()))]
        position = torch.arange(tokens, dtype=torch.float64, device=device)
        self.parts = []
        for low, high in zip(edges, [*edges[1:], tokens], strict=True):
            middle = (low + high) // 2
            turn = position[:, None] * (angle[middle] / max(middle, 1))[None, :]

            def mask(b, h, i, j, low=low, high=high):
                return (i - j >= low) & (i - j < high)

            def score(value, b, h, i, j):
                n = (i - j).clamp(min=0)
                return value * gain[n] + bias[n]

            self.parts.append(
                (
                    turn.cos().float(),
                    turn.sin().float(),
                    score,
                    create_block_mask(mask, None, None, tokens, tokens, device),
                )
            )

    @staticmethod
    def turned(x, cosine, sine):
        first, second = x.float().chunk(2, -1)
        return torch.cat([first * cosine - second * sine, first * sine + second * cosine], -1).to(x.dtype)

    def __call__(self, q, k, v):
        from torch.nn.attention.flex_attention import AuxRequest

        outs, normalizers = [], []
        for cosine, sine, score, mask in self.parts:
            q_turned, k_turned = (self.turned(x, cosine, sine) for x in (q, k))
            out, aux = self.call(
                q_turned,
                k_turned,
                v,
                score_mod=score,
                block_mask=mask,
                return_aux=AuxRequest(lse=True),
                kernel_options={"BLOCK_M": 64, "BLOCK_N": 64, "num_stages": 1},  # the default takes too much memory
            )
            outs.append(out)
            normalizers.append(aux.lse)
        weights = torch.stack(normalizers).softmax(0).to(q.dtype)
        return (torch.stack(outs) * weights[..., None]).sum(0)
