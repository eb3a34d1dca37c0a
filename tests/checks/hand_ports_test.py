"""Ports by hand of models of transformers: right ones pass, whatever their masks add, and each fault is found in its
layer; named, where it has a name.

python tests/checks/hand_ports_test.py PROGRAMS WORK
"""

import copy
import math
import sys

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)
import torch
from departure_test import fault_of, prompt, refused, same
from transformers import AutoModelForCausalLM, LlamaConfig, Qwen3Config, T5Config, T5ForConditionalGeneration

D, HEADS, GROUPS, LAYERS, BASE = 16, 4, 2, 3, 500000.0
SHAPE = {"vocab_size": 64, "hidden_size": 64, "intermediate_size": 48, "num_hidden_layers": LAYERS, "head_dim": D}
SHAPE |= {"num_attention_heads": HEADS, "num_key_value_heads": GROUPS, "tie_word_embeddings": False}
SHAPE |= {"rope_parameters": {"rope_type": "default", "rope_theta": BASE}}
MASKS = (-math.inf, -1e9, torch.finfo(torch.float32).min / 2, -65504.0, -1e4, -1e3, -100.0)


def made(kind):
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(kind(**SHAPE), attn_implementation="eager")
    with torch.no_grad():
        for value in model.parameters():
            value.copy_(value + 0.2 * torch.rand_like(value) if value.dim() == 1 else 3 * value)
    return model


class Port(torch.nn.Module):
    """The same layers with an attention by hand, that of one layer with a fault."""

    def __init__(self, original, fault=None, at=0, way="hidden", mask=-1e9):
        super().__init__()
        self.tokens, self.norm, self.head = (
            copy.deepcopy(x) for x in (original.model.embed_tokens, original.model.norm, original.lm_head)
        )
        self.layers = torch.nn.ModuleList(
            Layer(copy.deepcopy(layer), fault if i == at else None, way, mask)
            for i, layer in enumerate(original.model.layers)
        )

    def forward(self, ids):
        x = self.tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


class Unrolled(Port):
    """Calls the parts of its layers, and no layer: none gets the input of the reference's."""

    def forward(self, ids):
        x = self.tokens(ids)
        for layer in self.layers:
            x = layer.forward(x)
        return self.head(self.norm(x))


class Layer(torch.nn.Module):
    def __init__(self, of, fault, way, mask):
        super().__init__()
        self.input_layernorm, self.post_attention_layernorm, self.mlp = (
            of.input_layernorm,
            of.post_attention_layernorm,
            of.mlp,
        )
        self.self_attn = Attention(of.self_attn, fault, way, mask)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))


class Attention(torch.nn.Module):
    def __init__(self, of, fault, way, mask):
        super().__init__()
        self.q, self.k, self.v, self.o = of.q_proj, of.k_proj, of.v_proj, of.o_proj
        self.q_norm, self.k_norm = getattr(of, "q_norm", None), getattr(of, "k_norm", None)
        self.fault, self.way, self.mask = fault, way, mask

    def turned(self, x, what):
        fault, half = self.fault, D // 2
        if fault in ("no positions", f"{what} stay"):
            return x
        base = 10000.0 if fault == "base" else BASE
        frequencies = base ** (-torch.arange(half, dtype=torch.float64) / half)
        if fault == "factor":
            frequencies /= 4
        if fault == "one block":
            frequencies[3] *= 1.3
        if fault == "part":
            frequencies[half // 2 :] = 0
        late = {"late queries": {"queries": 1}, "late keys": {"keys": 2}}.get(fault, {}).get(what, 0)
        theta = (late + torch.arange(x.size(2), dtype=torch.float64))[:, None] * frequencies
        if fault == "half precision":
            theta = theta.to(torch.bfloat16).double()
        c, s = (1.2 if fault == "factor of cos" else 1) * theta.cos().to(x), theta.sin().to(x)
        s = s * {"factor of cos": 1.2, "direction": -1}.get(fault, 1)
        if fault == "pairs":
            a, b = x[..., ::2], x[..., 1::2]
            return torch.stack((a * c - b * s, b * c + a * s), -1).flatten(-2)
        a, b = x[..., :half], x[..., half:]
        return torch.cat((a * c - b * s, b * c + (-1 if fault == "sign" else 1) * a * s), -1)

    def hidden(self, tokens):
        ones = torch.ones(tokens, tokens, dtype=torch.bool)
        hidden = ones.triu({"next": 2, "own hidden": 0}.get(self.fault, 1))
        if self.fault == "window":
            hidden |= ones.tril(-8)
        if self.fault == "not causal":
            hidden[:] = False
        hidden[0, 0] = False
        return hidden

    def forward(self, x):
        fault, tokens = self.fault, x.size(1)
        q, k, v = (one(x).unflatten(-1, (-1, D)).transpose(1, 2) for one in (self.q, self.k, self.v))
        if fault == "view":
            q = self.q(x).view(1, HEADS, tokens, D)
        if self.q_norm is not None and fault != "late norms":
            q, k = q if fault == "query norm" else self.q_norm(q), k if fault == "key norm" else self.k_norm(k)
        q, k = self.turned(q, "queries"), self.turned(k, "keys")
        if fault == "late norms":
            q, k = self.q_norm(q), self.k_norm(k)
        if fault == "values turn":
            v = self.turned(v, "values")
        times = HEADS // GROUPS
        k = k.repeat(1, times, 1, 1) if fault == "groups" else k.repeat_interleave(times, 1)
        v, hidden = v.repeat_interleave(times, 1), self.hidden(tokens)
        scale = {"no scale": 1.0, "scale": 1 / D}.get(fault, D**-0.5)
        if self.way == "sdpa":
            out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=~hidden, scale=scale)
            return self.o(out.transpose(1, 2).flatten(2))
        scores, at = q @ k.mT * scale, torch.arange(tokens).to(q)
        if fault == "temperature":
            scores = scores * (1 + at).log().clamp(min=1)[:, None]
        if fault == "bias":
            scores = scores - 0.1 * (at[:, None] - at)
        scores = scores.masked_fill(hidden, self.mask) if self.way == "hidden" else scores + self.mask * hidden.to(q)
        out = scores.softmax(-2 if fault == "axis" else -1) @ v
        return self.o(out.transpose(1, 2).flatten(2))


STATES = "queries: ", "scores: "
#: What is said of a port whose queries and keys are seen, and of one whose scores are; None: it is not tried.
FAULTS = {
    "base": ("queries: turns like base 10000; expected 500000", "scores: turns like base 10000; expected 500000"),
    "factor": ("queries: turns 0.25 times as fast", "scores: turns 0.25 times as fast"),
    "one block": ("queries: other frequencies in 1 of 8 blocks: block 3", "scores: other frequencies in 1 of 8 blocks"),
    "part": ("queries: only 4 of 8 blocks turn", "scores: only 4 of 8 blocks turn"),
    "direction": ("queries: it turns the other way", "scores: it turns the other way"),
    "pairs": ("queries: neighbours (2j, 2j + 1) turn together", "scores: neighbours (2j, 2j + 1) turn together"),
    "no positions": ("queries: it does not turn", "scores: it does not turn"),
    "queries stay": ("queries: it does not turn", "scores: "),
    "keys stay": ("keys: it does not turn", "scores: "),
    "late queries": ("queries: positions are 1 too high", "scores: "),
    "late keys": ("keys: positions are 2 too high", "scores: "),
    "half precision": ("queries: at position 1 block 1 is turned by 0.194336", "scores: "),
    "sign": STATES,
    "view": STATES,
    "factor of cos": ("queries: they are 1.2 times as large", "scores: scores are 1.44 times what they should be"),
    "no scale": (
        "scores are 4 times what they should be (scale 1; expected 0.25)",
        "scores are 4 times what they should be (scale 1; expected 0.25)",
    ),
    "scale": ("(scale 0.0625; expected 0.25)", "(scale 0.0625; expected 0.25)"),
    "groups": ("scores: head h reads the keys of head h mod 2", "scores: head h reads the keys of head h mod 2"),
    "window": ("a window of 8 keys; expected no window", "a window of 8 keys; expected no window"),
    "not causal": ("query 0 sees key 23, which comes after it", "query 0 sees key 23, which comes after it"),
    "next": ("query 0 sees key 1, which comes after it", "query 0 sees key 1, which comes after it"),
    "own hidden": ("and not its own", "and not its own"),
    "values turn": ("values: ", "self_attn: "),
    "temperature": (None, "another factor by query, 3.17805 for query 23: a temperature by position"),
    "bias": (None, "scores have another bias by distance"),
    "axis": (None, "weights: "),
}
OF_NORMS = {
    "query norm": STATES,
    "key norm": ("keys: ", "scores: "),
    "late norms": ("queries: positions are applied before their norm; expected after it", "scores: "),
}


def right_ports(model, kind):
    for mask in MASKS:
        for way in ("hidden", "added"):
            if math.isfinite(mask) or way == "hidden":  # 0 times infinity is NaN
                same(f"{kind} by hand, hidden keys {way} {mask}", Port(model, way=way, mask=mask), model)
    same(f"{kind} by hand, sdpa", Port(model, way="sdpa"), model)
    same(f"{kind} beside one by hand", model, Port(model))
    same(f"{kind} by hand without layers that are called", Unrolled(model), model)
    fault = fault_of(Unrolled(model, "base", 1), model)
    if "\n" in fault or "layer 2: scores: turns like base 10000" not in fault:  # layer 3 only passes it on
        sys.exit(f"{kind} without layers that are called: {fault}")


def wrong_ports(model, faults):
    for i, (name, texts) in enumerate(faults.items()):
        for way, text in zip(("sdpa", "hidden"), texts, strict=True):
            if text is None:
                continue
            at = i % LAYERS
            fault = fault_of(Port(model, name, at, way), model)
            if "\n" in fault:
                sys.exit(f"{name}, {way}: more than one fault: {fault}")
            refused(f"layer {at + 1}: ", fault)
            refused(text, fault)


def encoder_and_decoder():
    """Layers of both have numbers."""
    torch.manual_seed(0)
    sizes = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 3, "num_decoder_layers": 3, "num_heads": 4}
    model = T5ForConditionalGeneration(T5Config(vocab_size=64, **sizes))
    asked = {"input_ids": prompt()[None], "decoder_input_ids": prompt()[None]}
    if found := fault_of(copy.deepcopy(model), model, text=asked):
        sys.exit(f"a T5 beside itself: {found}")
    for change, text in (
        (
            lambda p: p.decoder.block[1].layer[0].SelfAttention.q,
            ": layer 2: layer.0.SelfAttention.q: its 'weight' diff",
        ),
        (
            lambda p: p.decoder.block[2].layer[1].EncDecAttention.k,
            ": layer 3: layer.1.EncDecAttention.k: its 'weight' ",
        ),
        (lambda p: p.encoder.block[1].layer[0].SelfAttention.q, ": encoder: layer 2: layer.0.SelfAttention.q: its 'we"),
        (lambda p: p.decoder.block[0].layer[0].SelfAttention.relative_attention_bias, "another bias by distance"),
    ):
        port = copy.deepcopy(model)
        with torch.no_grad():
            weight = change(port).weight
            weight.mul_(1 + torch.rand(weight.shape))
        refused(text, fault_of(port, model, text=asked))


def main():
    torch.set_num_threads(1)
    llama, qwen3 = made(LlamaConfig), made(Qwen3Config)
    right_ports(llama, "llama")
    right_ports(qwen3, "qwen3")
    wrong_ports(llama, FAULTS)
    wrong_ports(qwen3, FAULTS | OF_NORMS)
    encoder_and_decoder()
    told = f"{len(FAULTS | OF_NORMS)} kinds of fault by hand, each in its layer"
    print(f"{told}; transformers {transformers.__version__}")


if __name__ == "__main__":
    main()
