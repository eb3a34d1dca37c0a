"""nanoGPT's model, for its checkpoints: names and formulas of model.py in karpathy/nanoGPT."""

import math
import types

import torch
from torch import nn
from torch.nn import functional


class LayerNorm(nn.Module):
    def __init__(self, width, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width)) if bias else None

    def forward(self, x):
        return functional.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)


class Attention(nn.Module):
    def __init__(self, heads, width, bias):
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(width, 3 * width, bias=bias)
        self.c_proj = nn.Linear(width, width, bias=bias)

    def forward(self, x):
        batch, tokens, width = x.shape
        q, k, v = (
            part.view(batch, tokens, self.heads, -1).transpose(1, 2) for part in self.c_attn(x).split(width, dim=2)
        )
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        seen = torch.ones(tokens, tokens, dtype=torch.bool).tril()
        weights = functional.softmax(scores.masked_fill(~seen, float("-inf")), dim=-1)
        return self.c_proj((weights @ v).transpose(1, 2).reshape(batch, tokens, width))


class Mlp(nn.Module):
    def __init__(self, width, bias):
        super().__init__()
        self.c_fc = nn.Linear(width, 4 * width, bias=bias)
        self.c_proj = nn.Linear(4 * width, width, bias=bias)

    def forward(self, x):
        return self.c_proj(functional.gelu(self.c_fc(x)))


class Block(nn.Module):
    def __init__(self, heads, width, bias):
        super().__init__()
        self.ln_1, self.attn = LayerNorm(width, bias), Attention(heads, width, bias)
        self.ln_2, self.mlp = LayerNorm(width, bias), Mlp(width, bias)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt(nn.Module):
    def __init__(self, vocabulary, block_size, layers, heads, width, bias):
        super().__init__()
        self.transformer = nn.ModuleDict(
            {
                "wte": nn.Embedding(vocabulary, width),
                "wpe": nn.Embedding(block_size, width),
                "h": nn.ModuleList([Block(heads, width, bias) for _ in range(layers)]),
                "ln_f": LayerNorm(width, bias),
            }
        )
        self.config = types.SimpleNamespace(to_dict=dict)
        self.lm_head = nn.Linear(width, vocabulary, bias=False)
        self.transformer["wte"].weight = self.lm_head.weight

    def forward(self, tokens):
        x = self.transformer["wte"](tokens) + self.transformer["wpe"](torch.arange(tokens.size(1)))
        for block in self.transformer["h"]:
            x = block(x)
        return types.SimpleNamespace(logits=self.lm_head(self.transformer["ln_f"](x)))
