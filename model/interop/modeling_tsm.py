"""A Tiny Story Maker for transformers: GPT-2 whose scores are A(n) = gain(n)·cap(c(n)) + bias(n), with the content
c(n) = sum_j even_j(n) (q1 k1 + q2 k2) + odd_j(n) (q1 k2 -+ q2 k1), over sqrt(d), of tables by the distance n; or with
a gain that is a table by the index of the query.

Written by export-tsm beside the weights; AutoModelForCausalLM.from_pretrained(FOLDER, trust_remote_code=True) opens it.
It says what the model computes, and is slow: every pair of tokens has its numbers in memory.
"""

import math

import torch
from torch import nn
from torch.nn import functional
from transformers import DynamicCache, GenerationMixin, PretrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutputWithPast

ACTIVATIONS = {
    "gelu": functional.gelu,
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "relu": functional.relu,
}


class TsmConfig(PretrainedConfig):
    model_type = "tsm"

    def __init__(
        self,
        vocab_size=1,
        hidden_size=2,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        max_position_embeddings=1,
        position_table=0,
        bias=False,
        activation="gelu",
        layer_norm_eps=1e-5,
        parallel_residual=False,
        tied_head=True,
        encoding="nope",
        content="dot_product",
        layout="half",
        position_rows=1,
        position_tables=(),
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.vocab_size = vocab_size
        self.hidden_size = hidden_size
        self.num_hidden_layers = num_hidden_layers
        self.num_attention_heads = num_attention_heads
        self.intermediate_size = intermediate_size
        self.max_position_embeddings = max_position_embeddings
        self.position_table = position_table
        self.bias = bias
        self.activation = activation
        self.layer_norm_eps = layer_norm_eps
        self.parallel_residual = parallel_residual
        self.tied_head = tied_head
        self.encoding = encoding
        self.content = content
        self.layout = layout
        self.position_rows = position_rows
        self.position_tables = list(position_tables)


class Positions(nn.Module):
    """The encoding: tables with a row for each kind of head, and which row each head of each layer reads."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        rows, length = config.position_rows, config.max_position_embeddings
        blocks = config.hidden_size // config.num_attention_heads // 2
        shapes = {
            "bias": (rows, length),
            "gain": (rows, length),
            "query_gain": (rows, length),
            "even": (rows, blocks, length),
            "odd": (rows, blocks, length),
            "softcap": (rows,),
            "sink": (rows,),
        }
        for name, shape in shapes.items():
            self.register_buffer(name, torch.zeros(shape) if name in config.position_tables else None)
        self.register_buffer("row", torch.zeros(config.num_hidden_layers, config.num_attention_heads, dtype=torch.long))
        self.register_buffer("first", torch.zeros(rows, dtype=torch.long))
        self.register_buffer("last", torch.zeros(rows, dtype=torch.long))

    def pairs(self, x):
        """Both coordinates of every block: [batch, heads, tokens, blocks]."""
        if self.config.layout == "half":
            return x.chunk(2, dim=-1)
        return x[..., 0::2], x[..., 1::2]

    def content(self, q, k, row, n):
        if self.config.content == "none":
            return torch.zeros(*q.shape[:3], k.shape[2], dtype=q.dtype, device=q.device)
        if self.config.content == "dot_product":
            return q @ k.transpose(-2, -1)
        sign = 1 if self.config.content == "hyperbolic" else -1
        (q1, q2), (k1, k2) = self.pairs(q), self.pairs(k)
        result = 0
        for j in range(q1.shape[-1]):
            a, b = q1[..., j, None], q2[..., j, None]
            c, d = k1[..., None, :, j], k2[..., None, :, j]
            even, odd = self.even[row, j][:, n].to(q.dtype), self.odd[row, j][:, n].to(q.dtype)
            result = result + even * (a * c + b * d) + odd * (a * d + sign * b * c)
        return result

    def weights(self, layer, q, k, mask, index):
        """q [batch, heads, queries, d], the last of k [batch, heads, keys, d]; mask [batch, keys], 0 where a key is
        padding; index [batch, queries], of the queries, without padding."""
        queries, keys = q.shape[2], k.shape[2]
        if keys > self.config.max_position_embeddings:
            raise ValueError(
                f"{keys} tokens: this folder has tables for {self.config.max_position_embeddings} "
                "(export-tsm --positions)"
            )
        row = self.row[layer]
        distance = torch.arange(keys - queries, keys, device=q.device)[:, None] - torch.arange(keys, device=q.device)
        n = distance.clamp(min=0)
        scores = self.content(q, k, row, n) / math.sqrt(q.shape[-1])
        if self.softcap is not None:
            cap = self.softcap[row][:, None, None].to(q.dtype)
            scores = cap * torch.tanh(scores / cap)
        if self.gain is not None:
            scores = scores * self.gain[row][:, n].to(q.dtype)
        if self.query_gain is not None:
            scores = scores * self.query_gain[row][:, index].to(q.dtype).movedim(0, 1)[..., None]
        if self.bias is not None:
            scores = scores + self.bias[row][:, n].to(q.dtype)
        seen = (distance >= self.first[row][:, None, None]) & (distance <= self.last[row][:, None, None])
        if mask is not None:
            seen = seen & (mask[:, None, None, :] != 0)
        scores = scores.masked_fill(~seen, float("-inf"))
        if self.sink is not None:
            sink = self.sink[row][:, None, None].to(q.dtype).expand(*scores.shape[:3], 1)
            scores = torch.cat([scores, sink], dim=-1)
        # A query that sees nothing gets nothing.
        return torch.softmax(scores, dim=-1).nan_to_num(0)[..., :keys]


class Attention(nn.Module):
    def __init__(self, config, layer):
        super().__init__()
        self.layer, self.heads = layer, config.num_attention_heads
        self.c_attn = nn.Linear(config.hidden_size, 3 * config.hidden_size, bias=config.bias)
        self.c_proj = nn.Linear(config.hidden_size, config.hidden_size, bias=config.bias)

    def forward(self, x, positions, mask, index, cache):
        batch, tokens, width = x.shape
        q, k, v = (
            part.view(batch, tokens, self.heads, -1).transpose(1, 2) for part in self.c_attn(x).split(width, dim=2)
        )
        if cache is not None:
            k, v = cache.update(k, v, self.layer)
        out = positions.weights(self.layer, q, k, mask, index) @ v
        return self.c_proj(out.transpose(1, 2).reshape(batch, tokens, width))


class Mlp(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.activation = ACTIVATIONS[config.activation]
        self.c_fc = nn.Linear(config.hidden_size, config.intermediate_size, bias=config.bias)
        self.c_proj = nn.Linear(config.intermediate_size, config.hidden_size, bias=config.bias)

    def forward(self, x):
        return self.c_proj(self.activation(self.c_fc(x)))


def layer_norm(config):
    return nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps, bias=config.bias)


class Block(nn.Module):
    def __init__(self, config, layer):
        super().__init__()
        self.parallel = config.parallel_residual
        self.ln_1, self.attn = layer_norm(config), Attention(config, layer)
        self.ln_2, self.mlp = layer_norm(config), Mlp(config)

    def forward(self, x, positions, mask, index, cache):
        attended = x + self.attn(self.ln_1(x), positions, mask, index, cache)
        return attended + self.mlp(self.ln_2(x if self.parallel else attended))


class TsmForCausalLM(PreTrainedModel, GenerationMixin):
    config_class = TsmConfig
    base_model_prefix = "transformer"
    _supports_cache_class = True
    _keys_to_ignore_on_load_unexpected = [r"^position\.(raw|measured)$"]  # what train-tsm resumes from

    def __init__(self, config):
        super().__init__(config)
        parts = {"wte": nn.Embedding(config.vocab_size, config.hidden_size)}
        if config.position_table > 0:
            parts["wpe"] = nn.Embedding(config.position_table, config.hidden_size)
        parts["h"] = nn.ModuleList([Block(config, layer) for layer in range(config.num_hidden_layers)])
        parts["ln_f"] = layer_norm(config)
        self.transformer = nn.ModuleDict(parts)
        self.position = Positions(config)
        self.lm_head = None if config.tied_head else nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.post_init()

    def get_input_embeddings(self):
        return self.transformer["wte"]

    def forward(self, input_ids, attention_mask=None, past_key_values=None, use_cache=None, labels=None, **ignored):
        if use_cache and past_key_values is None:
            past_key_values = DynamicCache()
        before = past_key_values.get_seq_length() if past_key_values is not None else 0
        x = self.transformer["wte"](input_ids)
        if attention_mask is None:
            index = torch.arange(before, before + x.shape[1], device=x.device).expand(x.shape[:2])
        else:
            index = (attention_mask.cumsum(-1) - 1).clamp(min=0)[:, before:]
        if self.config.position_table > 0:
            x = x + self.transformer["wpe"](index)
        for block in self.transformer["h"]:
            x = block(x, self.position, attention_mask, index, past_key_values)
        head = self.transformer["wte"] if self.lm_head is None else self.lm_head
        logits = functional.linear(self.transformer["ln_f"](x), head.weight)
        loss = None
        if labels is not None:
            loss = functional.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(), ignore_index=-100)
        return CausalLMOutputWithPast(loss=loss, logits=logits, past_key_values=past_key_values)
