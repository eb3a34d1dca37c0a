"""Attention and evaluation as one writes them first in PyTorch: what tests/bench/model/speed.py compares with."""

import math
import sys
from pathlib import Path

import torch
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[2] / "model"))
import pytorch_reference  # noqa: E402

APE = {"base": 10000.0, "alpha0": 1.0, "lambda": 1 / 100, "delta": 1 / 48, "beta": 1 / 10, "gamma": 1 / 10}


def distances(tokens):
    position = torch.arange(tokens)
    return (position[:, None] - position[None, :]).clamp(min=0)


def ape_tables(tokens, head_dim):
    """Gain, bias and angles [n, block] of theory/encodings/ape.toml with its defaults."""
    n = torch.arange(tokens, dtype=torch.float64)
    bias = -APE["delta"] * n - APE["beta"] * torch.log1p(n) - APE["gamma"] * n.sqrt()
    mass = bias.exp().cumsum(0)
    entropy = mass.log() - (bias * bias.exp()).cumsum(0) / mass
    frequencies = APE["base"] ** (-torch.arange(head_dim // 2, dtype=torch.float64) * 2 / head_dim)
    angle = (n / (APE["alpha0"] * (1 + entropy)))[:, None] * frequencies[None, :]
    return (1 / (1 + APE["lambda"] * n)).float(), bias.float(), angle


def ape_attention(q, k, v):
    """[head, token, coordinate]; block by block, since an angle that is not linear in n belongs to a pair."""
    heads, tokens, head_dim = q.shape
    gain, bias, angle = ape_tables(tokens, head_dim)
    cosine, sine = angle.cos().float(), angle.sin().float()
    n = distances(tokens)
    content = torch.zeros(heads, tokens, tokens)
    half = head_dim // 2
    for j in range(half):
        q1, q2, k1, k2 = q[:, :, j], q[:, :, j + half], k[:, :, j], k[:, :, j + half]
        even = q1[:, :, None] * k1[:, None, :] + q2[:, :, None] * k2[:, None, :]
        odd = q1[:, :, None] * k2[:, None, :] - q2[:, :, None] * k1[:, None, :]
        content = content + cosine[:, j][n] * even + sine[:, j][n] * odd
    scores = gain[n] * content / math.sqrt(head_dim) + bias[n]
    future = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
    return scores.masked_fill(future, -math.inf).softmax(dim=2) @ v


class EagerGpt(pytorch_reference.Gpt):
    """Its attention makes the scores of all pairs, a head at a time, so that 16,384 tokens fit."""

    def attention(self, x, name):
        batch, tokens, width = x.shape
        qkv = functional.linear(x, self.weights[name + "attn.c_attn.weight"])
        q, k, v = (
            part.view(batch, tokens, self.heads, width // self.heads).transpose(1, 2)
            for part in qkv.split(width, dim=2)
        )
        if self.encoding == "rope":
            q, k = pytorch_reference.rotated(q), pytorch_reference.rotated(k)
        slopes = pytorch_reference.alibi_slopes(self.heads)
        out = []
        for head in range(self.heads):
            scores = q[0, head] @ k[0, head].T / math.sqrt(width // self.heads)
            if self.encoding == "alibi":
                scores = scores - slopes[head] * distances(tokens)
            future = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
            out.append(scores.masked_fill(future, -math.inf).softmax(dim=1) @ v[0, head])
        return functional.linear(torch.cat(out, dim=1)[None], self.weights[name + "attn.c_proj.weight"])
