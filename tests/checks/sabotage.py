"""Faults of ports, each put into one layer of a model of transformers by hooks and by settings of its modules.

Each fault is a function (layer) -> None of an ExitStack, which takes it back.
"""

import sys
from unittest import mock

import torch


def angles(cos, sin):
    """Radians and size of position embeddings, with the angles of one token, by block."""
    theta, size = torch.atan2(sin.double(), cos.double()), torch.hypot(sin.double(), cos.double())
    return theta, float(size.max()), theta[0, 1]


def embeddings(theta, size, like):
    return (size * theta.cos()).to(like.dtype), (size * theta.sin()).to(like.dtype)


def embedded(change):
    """An attention that gets other position embeddings: change(cos, sin)."""

    def put(stack, layer):
        def before(_, args, kwargs):
            return args, {**kwargs, "position_embeddings": change(*kwargs["position_embeddings"])}

        stack.callback(layer.self_attn.register_forward_pre_hook(before, with_kwargs=True).remove)

    return put


def slopes(cos, by):
    """Angles of other frequencies: by(block, blocks) radians per token."""
    blocks = cos.size(-1) if cos.size(-1) < 2 or not torch.equal(*cos.chunk(2, -1)) else cos.size(-1) // 2
    found = torch.tensor([by(j, blocks) for j in range(blocks)], dtype=torch.float64)
    theta = torch.arange(cos.size(-2), dtype=torch.float64)[:, None] * found
    return torch.cat([theta] * (cos.size(-1) // blocks), -1)[None]


def like_base(base):
    return embedded(lambda cos, sin: embeddings(slopes(cos, lambda j, n: base ** (-j / n)), angles(cos, sin)[1], cos))


def linear(cos, sin):
    _, size, first = angles(cos, sin)
    theta = (torch.arange(cos.size(-2), dtype=torch.float64)[:, None] * first / 4)[None]
    return embeddings(theta, size, cos)


def rounded(cos, sin):
    """Angles in bfloat16 where the model is in half precision: in float64 nothing is wrong."""
    _, size, first = angles(cos, sin)
    theta = (torch.arange(cos.size(-2), dtype=torch.float64)[:, None] * first)[None]
    return embeddings(theta if cos.dtype is torch.float64 else theta.to(torch.bfloat16).double(), size, cos)


def rotation(replaced):
    """An attention whose module rotates by another function (q, k, cos, sin) -> (q, k)."""

    def put(stack, layer):
        home, active = sys.modules[type(layer.self_attn).__module__], []
        plain = home.apply_rotary_pos_emb

        def apply(q, k, cos, sin, *more, **other):
            return replaced(q, k, cos, sin) if active else plain(q, k, cos, sin, *more, **other)

        stack.enter_context(mock.patch.object(home, "apply_rotary_pos_emb", apply))
        stack.callback(layer.self_attn.register_forward_pre_hook(lambda *_: active.append(1)).remove)
        stack.callback(layer.self_attn.register_forward_hook(lambda *_: active.clear()).remove)

    return put


def turned(x, cos, sin, neighbours=False):
    """Halves, or neighbours, by the first half of the angles."""
    half = x.size(-1) // 2
    c, s = (y.unsqueeze(1)[..., :half] for y in (cos, sin))
    a, b = (x[..., ::2], x[..., 1::2]) if neighbours else (x[..., :half], x[..., half:])
    pair = (a * c - b * s, b * c + a * s)
    return torch.stack(pair, -1).flatten(-2) if neighbours else torch.cat(pair, -1)


def late(q, k, cos, sin):
    theta, size, first = angles(cos, sin)
    return turned(q, *embeddings(theta + first, size, cos)), turned(k, cos, sin)


def part(q, k, cos, sin):
    half = q.size(-1) // 2
    return tuple(torch.cat([turned(x[..., :half], cos, sin), x[..., half:]], -1) for x in (q, k))


def setting(name, value):
    def put(stack, layer):
        before = getattr(layer.self_attn, name)
        stack.enter_context(mock.patch.object(layer.self_attn, name, value(before)))

    return put


def parameter(of, change):
    def put(stack, layer):
        data = of(layer).data
        of(layer).data = change(data.clone())
        stack.callback(setattr, of(layer), "data", data)

    return put


def masked(allowed):
    """A layer with another mask: allowed(i, j)."""

    def put(stack, layer):
        def before(_, args, kwargs):
            states = args[0] if args else kwargs["hidden_states"]
            tokens = torch.arange(states.size(1))
            mask = torch.where(allowed(tokens[:, None], tokens), 0.0, torch.finfo(states.dtype).min)
            return args, {**kwargs, "attention_mask": mask.to(states.dtype)[None, None]}

        stack.callback(layer.register_forward_pre_hook(before, with_kwargs=True).remove)

    return put


def output(of, change):
    def put(stack, layer):
        stack.callback(of(layer).register_forward_hook(lambda _, __, out: change(out)).remove)

    return put


def grouped(stack, layer):
    """Heads read the keys of h mod groups: keys are put in the order that makes it so."""
    attention = layer.self_attn
    home = sys.modules[type(attention).__module__]
    plain = home.repeat_kv

    def repeat(states, count):
        return states.repeat(1, count, 1, 1) if active else plain(states, count)

    active = []
    stack.enter_context(mock.patch.object(home, "repeat_kv", repeat))
    stack.callback(attention.register_forward_pre_hook(lambda *_: active.append(1)).remove)
    stack.callback(attention.register_forward_hook(lambda *_: active.clear()).remove)


def normed_after(stack, layer):
    """Norms of queries and keys after the rotation."""
    attention = layer.self_attn
    q_norm, k_norm = attention.q_norm, attention.k_norm
    for name in ("q_norm", "k_norm"):
        stack.enter_context(mock.patch.object(attention, name, torch.nn.Identity()))

    def replaced(q, k, cos, sin):
        return q_norm(turned(q, cos, sin)), k_norm(turned(k, cos, sin))

    rotation(replaced)(stack, layer)


def taken(name):
    """A module of the attention that does nothing."""

    def put(stack, layer):
        stack.enter_context(mock.patch.object(layer.self_attn, name, torch.nn.Identity()))

    return put


def first_of(out, change):
    return (change(out[0]), *out[1:]) if isinstance(out, tuple) else change(out)


def unscaled(cos, sin):
    return cos / torch.hypot(cos, sin), sin / torch.hypot(cos, sin)


def late_only(i, j):
    return (j <= i) & (i - j < 8) | (j == 0)


def of_norm(layer):
    return layer.input_layernorm.weight


PAIRS = "neighbours (2j, 2j + 1) turn together; expected halves (j, j + d/2)"
#: What is said, and the fault: of every model whose pairs are halves.
OF_ALL = {
    "pairs": (f"queries: {PAIRS}", rotation(lambda q, k, c, s: (turned(q, c, s, True), turned(k, c, s, True)))),
    "direction": ("queries: it turns the other way round", embedded(lambda cos, sin: (cos, -sin))),
    "base": ("queries: turns like base 77777", like_base(77777.0)),
    "linear factor": ("queries: turns 0.25 times as fast, as by a linear factor of 4", embedded(linear)),
    "no positions": ("queries: it does not turn", embedded(lambda c, s: (torch.hypot(c, s), s * 0))),
    "part of the head": ("queries: 8 coordinates turn; expected 16", rotation(part)),
    "keys alone": (
        "queries: it does not turn",
        rotation(lambda q, k, c, s: (q * torch.hypot(c, s).max(), turned(k, c, s))),
    ),
    "queries alone": (
        "keys: it does not turn",
        rotation(lambda q, k, c, s: (turned(q, c, s), k * torch.hypot(c, s).max())),
    ),
    "late queries": ("queries: positions are 1 too high", rotation(late)),
    "turned twice": (
        "queries: they are turned twice",
        rotation(lambda q, k, c, s: tuple(turned(turned(x, c, s), *unscaled(c, s)) for x in (q, k))),
    ),
    "size of cos and sin": ("queries: they are ", embedded(lambda cos, sin: (cos * 1.25, sin * 1.25))),
    "scale": ("scores: scores are 2 times what they should be", setting("scaling", lambda x: 2 * x)),
    "groups": ("weights: head h reads the keys of head h mod 2", grouped),
    "not causal": ("scores: query 0 sees key 23, which comes after it", masked(lambda i, j: i + j >= 0)),
    "own key hidden": ("scores: query 0 sees 0 keys, and not its own; expected 1", masked(lambda i, j: j < i)),
    "norm": ("input_layernorm: its 'weight' differs by 1", parameter(of_norm, lambda x: x + 1)),
    "values": (
        "self_attn.v_proj: its 'weight' differs",
        parameter(lambda layer: layer.self_attn.v_proj.weight, lambda x: x * 1.5),
    ),
    "residual": (
        "output: it is 1.25 times",
        output(lambda layer: layer, lambda out: first_of(out, lambda x: 1.25 * x)),
    ),
}
WINDOWS = {
    "window off by one": (
        "a window of 9 keys; expected a window of 8 keys",
        masked(lambda i, j: (j <= i) & (i - j < 9)),
    ),
    "window dropped": ("no window; expected a window of 8 keys", masked(lambda i, j: j <= i)),
    "first key kept": ("query 8 sees 9 keys; expected 8", masked(late_only)),
}
NORMS = {
    "query norm absent": ("self_attn.q_norm: sizes of tokens differ", taken("q_norm")),
    "norms after positions": ("queries: positions are applied before their norm; expected after it", normed_after),
}
SINKS = {
    "sink dropped": ("weights: the sink is dropped", parameter(lambda layer: layer.self_attn.sinks, lambda x: x - 1e4)),
    "sink twice": (
        ": counted twice",
        parameter(lambda layer: layer.self_attn.sinks, lambda x: x + 0.6931471805599453),
    ),
    "scaling of frequencies": ("queries: turns like base 150000 without scaling", like_base(150000.0)),
    "factor of yarn": ("queries: they are 1 times as large; expected 1.3", embedded(unscaled)),
}
