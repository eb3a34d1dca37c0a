"""Ports that are right though they are written otherwise: gpe.conformance.model accuses none of them, and finds the
fault that each is given in its layer.

python tests/checks/right_ports_test.py PROGRAMS WORK
"""

import copy
import functools
import sys

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)
import hand_ports_test as by_hand
import torch
from departure_test import fault_of, made, prompt, refused, same
from transformers import LlamaConfig

BASE = by_hand.BASE
TABLES = {}


@functools.lru_cache(maxsize=8)
def table(tokens, base):
    """Cosines and sines, kept from one call to the next in the precision of the first."""
    theta = torch.arange(tokens).float()[:, None] * base ** (-torch.arange(8).float() / 8)
    return theta.cos(), theta.sin()


def kept(tokens, base):
    if tokens not in TABLES:
        TABLES[tokens] = table.__wrapped__(tokens, base)
    return TABLES[tokens]


def turned(x, angles):
    (c, s), (a, b) = angles, x.chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1)


class Attention(torch.nn.Module):
    """Of a Llama, or of gpt-oss with its sinks; `way` is how it is written, `fault` what is wrong with it."""

    def __init__(self, of, way, fault=None):
        super().__init__()
        self.q, self.k, self.v, self.o = (copy.deepcopy(getattr(of, f"{x}_proj")) for x in "qkvo")
        self.sinks, self.scaling, self.window = (
            getattr(of, "sinks", None),
            of.scaling,
            getattr(of, "sliding_window", None),
        )
        self.way, self.fault, self.tables = way, fault, {}
        self.base = 10000.0 if fault == "base" else BASE
        if way == "permuted":
            with torch.no_grad():
                heads = [2, 3, 1, 0]  # groups and, in the second one, heads
                for one, order in ((self.q, heads), (self.k, [1, 0]), (self.v, [1, 0])):
                    one.weight.copy_(one.weight.unflatten(0, (-1, 16))[order].flatten(0, 1))
                if fault != "order":
                    self.o.weight.copy_(self.o.weight.unflatten(1, (-1, 16))[:, heads].flatten(1, 2))

    def angles(self, x, given):
        if given is not None:
            return tuple(one[0, :, :8].to(x) for one in given)
        if self.way == "in a dict":
            if x.size(1) not in self.tables:
                self.tables[x.size(1)] = table.__wrapped__(x.size(1), self.base)
            return self.tables[x.size(1)]
        return (kept if self.way == "in the file" else table)(x.size(1), self.base)

    def forward(self, x, given=None):
        tokens = x.size(1)
        q, k, v = (one(x).unflatten(-1, (-1, 16)).transpose(1, 2) for one in (self.q, self.k, self.v))
        q, k = (turned(one, self.angles(x, given)) for one in (q, k))
        k, v = (one.repeat_interleave(q.size(1) // k.size(1), 1) for one in (k, v))
        at = torch.arange(tokens)
        hidden = at > at[:, None]
        if self.window:
            hidden |= at + self.window + (self.fault == "window") <= at[:, None]
        if self.way == "flash":
            out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=~hidden, scale=self.scaling)
            lse = (q @ k.mT * self.scaling).masked_fill(hidden, -torch.inf).logsumexp(-1, keepdim=True)
            return self.o((out * torch.sigmoid(lse - self.logit(lse))).transpose(1, 2).flatten(2))
        scores = (q @ k.mT * self.scaling * (2 if self.fault == "scale" else 1)).masked_fill(hidden, -torch.inf)
        out = getattr(self, f"{self.way.split(' ')[0]}_")(scores, v)
        return self.o(out.transpose(1, 2).flatten(2))

    def plain_(self, scores, v):
        return scores.softmax(-1) @ v

    permuted_ = in_ = plain_

    def shifted_(self, scores, v):
        return (scores - scores.amax(-1, keepdim=True)).softmax(-1) @ v

    def biased_(self, scores, v):
        return (scores + torch.arange(scores.size(-1)).to(scores)[:, None].sin()).softmax(-1) @ v

    def unseen_(self, scores, v):
        """Without a softmax that could be watched."""
        found = (scores - scores.amax(-1, keepdim=True)).exp()
        return found @ v / found.sum(-1, keepdim=True)

    def logit(self, scores):
        factor = torch.log(torch.tensor(2.0)) if self.fault == "sink" else 0
        return (self.sinks + factor).to(scores)[:, None, None].expand(1, -1, scores.size(-2), 1)

    def lse_(self, scores, v):
        lse = scores.logsumexp(-1, keepdim=True)
        return scores.softmax(-1) @ v * torch.sigmoid(lse - self.logit(scores))

    def first_(self, scores, v):
        return torch.cat((self.logit(scores), scores), -1).softmax(-1)[..., 1:] @ v

    def last_(self, scores, v):
        both = torch.cat((scores, self.logit(scores)), -1)
        return (both - both.amax(-1, keepdim=True)).softmax(-1)[..., :-1] @ v


class Layer(torch.nn.Module):
    def __init__(self, of, way, fault):
        super().__init__()
        self.before, self.between, self.ff = (
            copy.deepcopy(x) for x in (of.input_layernorm, of.post_attention_layernorm, of.mlp)
        )
        self.attend = Attention(of.self_attn, way, fault)

    def forward(self, x, given=None):
        x += self.attend(self.before(x), given)  # in place, which halves and lists of parts are not
        out = self.ff(self.between(x))
        x += out[0] if isinstance(out, tuple) else out
        return x


class Port(torch.nn.Module):
    """The layers of a model in another hand; `lists`: attentions and MLPs in a list each (2), or in one (1)."""

    def __init__(self, of, way="plain", fault=None, at=0, lists=0, config=None, rotary=False):
        super().__init__()
        self.tokens, self.norm, self.head = (
            copy.deepcopy(x) for x in (of.model.embed_tokens, of.model.norm, of.lm_head)
        )
        self.rotary, self.lists = copy.deepcopy(of.model.rotary_emb) if rotary else None, lists
        layers = [Layer(x, way, fault if i == at else None) for i, x in enumerate(of.model.layers)]
        if not lists:
            self.layers = torch.nn.ModuleList(layers)
        if lists == 1:
            self.halves = torch.nn.ModuleList(
                y for x in layers for y in (Half(x.before, x.attend), Half(x.between, x.ff))
            )
        if lists == 2:
            self.attentions, self.ffs, self.befores, self.betweens = (
                torch.nn.ModuleList(getattr(x, name) for x in layers) for name in ("attend", "ff", "before", "between")
            )
        if config is not None:
            self.config = config

    def forward(self, ids):
        x = self.tokens(ids)
        given = None if self.rotary is None else self.rotary(x, torch.arange(ids.size(1))[None])
        if self.lists == 2:
            for attend, ff, before, between in zip(self.attentions, self.ffs, self.befores, self.betweens, strict=True):
                x = x + attend(before(x), given)
                x = x + ff(between(x))
        if self.lists == 1:
            for half in self.halves:
                x = half(x)
        for layer in () if self.lists else self.layers:
            x = layer(x, given)
        return self.head(self.norm(x))


class Half(torch.nn.Module):
    def __init__(self, norm, of):
        super().__init__()
        self.norm, self.of = norm, of

    def forward(self, x):
        return x + self.of(self.norm(x))


BASES = {"base": "scores: turns like base 10000; expected 500000", "scale": "scores are 2 times what they should be"}
WINDOW = {"window": "a window of 9 keys; expected a window of 8 keys"}
#: How a Llama is written, how gpt-oss is, and what is said of the faults that each is given.
LLAMAS = (
    ({"way": "plain"}, BASES),
    ({"way": "shifted"}, BASES),
    ({"way": "biased"}, BASES),
    ({"way": "permuted"}, {"base": "scores: ", "order": "heads 4, 3, 1, 2 stand for the reference's"}),
    ({"way": "unseen"}, dict.fromkeys(BASES, ": output: ")),
    ({"lists": 1}, BASES),
    ({"lists": 2}, BASES),
    ({"way": "in a dict"}, {}),
    ({"way": "in the file"}, {}),
)
SINKS = (
    ({"way": "lse"}, WINDOW | {"sink": "its sink, which comes after the softmax, is not seen"}),
    ({"way": "flash"}, WINDOW | {"sink": "its sink, which comes after the softmax, is not seen"}),
    ({"way": "first"}, WINDOW | {"sink": ": counted twice", "scale": "scores are 2 times"}),
    ({"way": "last"}, WINDOW | {"sink": ": counted twice", "scale": "scores are 2 times"}),
)


def examined(model, more, faults):
    """A port, taken for the reference too, which is as it was afterwards; then each fault, in layers 1 and 3."""
    port, ids = Port(model, **more), prompt()[None]
    same(f"a port, {more}", port, model)
    same(f"a reference, {more}", model, port)
    if port(ids).dtype != torch.float32:
        sys.exit(f"{more}: what it keeps from a run in float64 stays in it")
    for fault, says in faults.items():
        for at in (0, 2):
            found = fault_of(Port(model, fault=fault, at=at, **more), model)
            refused(says, found)
            if f"layer {at + 1}: " not in found or "\n" in found:
                sys.exit(f"{more}, {fault} in layer {at + 1}: {found}")
    return 2 * len(faults)


def main():
    torch.set_num_threads(1)
    llama, sinks = by_hand.made(LlamaConfig), made("gpt_oss")
    count = sum(examined(llama, more, faults) for more, faults in LLAMAS)
    count += examined(llama, {"config": llama.config}, BASES)
    count += sum(examined(sinks, more | {"rotary": True}, faults) for more, faults in SINKS)
    same("a port with more queries than are kept", Port(sinks, way="flash", rotary=True), sinks, tokens=65)
    told = f"{len(LLAMAS) + 1 + len(SINKS)} right ways to write a model, and {count} faults in them, each in its layer"
    print(f"{told}; transformers {transformers.__version__}")


if __name__ == "__main__":
    main()
