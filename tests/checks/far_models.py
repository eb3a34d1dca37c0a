"""Small random models of transformers, whose attention is asked what it is called with at positions up to 200,000:
queries and keys after the rotation, the scale, the mask. One token at position p attends to itself alone, so all layers
see the same states whatever p is, and the queries at p are those at 0, turned.
"""

import cmath
import json
import math
import random
import re
import tomllib

import torch
import transformers
from spied import small_keys
from transformers import CONFIG_MAPPING, AutoModel, AutoModelForCausalLM
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, eager_mask
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

TOKENS, FAR = 24, 200_000
# Powers of two and their neighbours, and some between them.
PLACES = sorted(
    {2**k + e for k in range(1, 18) for e in (-1, 0, 1)} | set(random.Random(1).sample(range(FAR), 8)) | {FAR - 1, FAR}
)
NOISE, ROUNDING = 2e-5, 2**-20  # radians; of an angle: a few roundings of 2^-24
CALLS, MASKS = [], {}


def address(mask):
    return None if mask is None else mask.untyped_storage().data_ptr()


def mask_spy(*sizes, mask_function, **more):
    mask = eager_mask(*sizes, mask_function=mask_function, **more)
    MASKS[address(mask)] = mask, mask_function  # the mask is kept, or its address would be another's
    return mask


def spy(module, query, key, value, attention_mask=None, scaling=None, dropout=0.0, softcap=None, **more):
    sink = more.get("s_aux") is not None or more.get("sinks") is not None or getattr(module, "sinks", None) is not None
    CALLS.append(
        {
            "layer": getattr(module, "layer_idx", None),
            "q": query.double(),
            "k": key.double(),
            "mask": attention_mask,
            "scaling": scaling,
            "softcap": softcap,
            "sink": sink,
            "sees": MASKS.get(address(attention_mask), (None, None))[1],
        }
    )
    group = query.shape[1] // key.shape[1]
    scores = query @ key.repeat_interleave(group, 1).transpose(2, 3) * (scaling or query.shape[-1] ** -0.5)
    if attention_mask is not None:
        scores = (
            scores + attention_mask
            if attention_mask.dtype != torch.bool
            else scores.masked_fill(~attention_mask, -1e30)
        )
    weights = scores.softmax(-1).to(value.dtype)
    return (weights @ value.repeat_interleave(group, 1)).transpose(1, 2).contiguous(), weights


ALL_ATTENTION_FUNCTIONS.register("far", spy)
ALL_MASK_ATTENTION_FUNCTIONS.register("far", mask_spy)


class Past(transformers.DynamicCache):
    """A cache that says that it has p tokens, for code that takes positions from it, and holds none."""

    def __init__(self, p):
        super().__init__()
        self.get_seq_length = lambda *_, **__: p
        self.get_mask_sizes = lambda *_, **__: (1, p)
        self.update = lambda key, value, *_, **__: (key, value)


def calls_of(model, ids, positions, past=None):
    """What attention is called with, layer by layer, for each row of positions."""
    CALLS.clear()
    MASKS.clear()
    with torch.no_grad():
        model(
            input_ids=ids,
            position_ids=positions,
            use_cache=False,
            **({"past_key_values": past} if past is not None else {}),
        )
    return [[call | {"q": call["q"][row], "k": call["k"][row]} for call in CALLS] for row in range(len(positions))]


def seen(call):
    """How many keys the last of TOKENS queries sees."""
    mask = call["mask"]
    if mask is None:
        return TOKENS
    row = mask[0, 0, -1, :TOKENS]
    return int((row if mask.dtype == torch.bool else row == 0).sum())


def far_window(sees, window, chunked):
    """The first of PLACES whose query does not see exactly the keys of its window, or of its chunk."""
    for p in PLACES if sees else ():
        keys = torch.arange(p + 2)
        first = p // window * window if chunked else max(0, p - window + 1)
        if not torch.equal(
            torch.as_tensor(sees(0, 0, torch.tensor(p), keys)).expand(p + 2), (first <= keys) & (keys <= p)
        ):
            return p
    return None


def angle(turned, plain, pair):
    """By which a pair of coordinates turned, and by which factor it grew."""
    a, b = (complex(x[pair[0]], x[pair[1]]) for x in (plain, turned))
    return cmath.phase(b / a), abs(b / a)


def pairs_of(turned, first, interleaved):
    if interleaved:
        return [(first + 2 * j, first + 2 * j + 1) for j in range(turned // 2)]
    return [(first + j, first + j + turned // 2) for j in range(turned // 2)]


def small_model(config):
    torch.manual_seed(0)
    try:
        model = AutoModel.from_config(config)
    except ValueError:
        model = AutoModelForCausalLM.from_config(config)
    model = model.eval()
    for module in model.modules():
        if hasattr(getattr(module, "config", None), "_attn_implementation"):
            module.config._attn_implementation = "far"
    return model


def observed(decoder, config, keys):
    """The calls of attention of many tokens; those of single tokens at 0 and at PLACES; the square of the factor of cos
    and sin."""
    model, gains = small_model(config), []
    hooks = [
        module.register_forward_hook(
            lambda _, __, out: gains.append(float((out[0][..., 0] ** 2 + out[1][..., 0] ** 2).max()))
        )
        for module in model.modules()
        if "Rotary" in type(module).__name__ and decoder not in ("deepseek_v2", "llama4_text")
    ]
    ids = torch.randint(3, 60, (1, TOKENS), generator=torch.Generator().manual_seed(1))
    long = calls_of(model, ids, torch.arange(TOKENS)[None])[0]
    squared = max(gains, default=1.0)
    for hook in hooks:
        hook.remove()
    places = torch.tensor([[0], *([p] for p in PLACES)])
    # those that look at the last position
    alone = decoder == "llama4_text" or re.search("dynamic|longrope", json.dumps(keys))
    rows = [
        row
        for part in places.split(1 if alone else 8)
        for row in calls_of(
            model, ids[:, :1].expand(len(part), 1), part, Past(int(part)) if decoder == "llama4_text" else None
        )
    ]
    return long, dict(zip((0, *PLACES), rows, strict=False)), squared


def compare(program, work, decoder, stated=()):
    config_class = CONFIG_MAPPING[decoder]
    keys = small_keys(decoder) | dict(stated)
    config = config_class(**json.loads(json.dumps(keys)))
    config._attn_implementation = "far"
    long, at, squared = observed(decoder, config, keys)
    if not long or decoder == "recurrent_gemma":  # whose states begin anew at position 0
        return "not asked: its attention is its own"
    file = work / f"small-{decoder}.json"
    file.write_text(json.dumps({"model_type": decoder} | keys))
    encodings = program.json(file, "--show-encoding")["encodings"]
    ours = sorted(layer for one in encodings for layer in one["layers"])
    theirs = sorted({call["layer"] + 1 for call in long if call["layer"] is not None})
    if theirs and decoder not in ("hrm_text",) and ours != theirs:
        return f"layers with attention are {theirs}, here {ours}"
    for one in encodings:
        toml = tomllib.loads(one["toml"])
        layer = one["layers"][0] - 1
        i = next(i for i, call in enumerate(long) if call["layer"] in (layer, None))
        fault = compare_windows(one, toml, long, config) or compare_sizes(decoder, one, toml, long[i])
        if fault:
            return fault
        if decoder != "mistral_large4_text":
            rows = program.json(file, "--table", "temperature", "--lengths", ",".join(map(str, PLACES)))
            fault = compare_factors(one, toml, rows, long[i], {p: calls[i] for p, calls in at.items()}, squared)
        fault = fault or compare_rotation(program, work, one, toml, i, at, long[i]["q"].shape[-1])
        if fault:
            return f"{one['name']}: {fault}"
    return None


def compare_windows(one, toml, long, config):
    """How many keys the layers see, and which."""
    windowed = "window" in toml["score"]
    window = int(toml["parameters"]["W"]["default"]) if windowed else TOKENS
    layer = one["layers"][0] - 1
    chunked = (getattr(config, "layer_types", None) or [])[layer : layer + 1] == ["chunked_attention"]
    for other in one["layers"]:
        for call in long:
            if call["layer"] != other - 1:
                continue
            if seen(call) != min(TOKENS, window):
                return f"layer {other} sees {seen(call)} keys, here {window}"
            wrong = far_window(call["sees"], window if windowed else FAR + 1, chunked)
            if wrong is not None:
                return f"layer {other} sees other keys from position {wrong}"
    return None


def compare_sizes(decoder, one, toml, call):
    sizes = (call["q"].shape[0], call["k"].shape[0], call["q"].shape[-1])
    mine = (one["heads"], one["key_heads"], one["head_dim"])
    if sizes != mine and decoder not in ("jetmoe",):
        return f"{one['name']}: heads, key heads and dimension are {sizes}, here {mine}"
    if call["sink"] != ("sink" in toml["score"]):
        return f"{one['name']}: sink is {call['sink']}"
    if bool(call["softcap"]) != ("softcap" in toml["score"]):
        return f"{one['name']}: soft cap is {call['softcap']}"
    return None


def compare_factors(one, toml, factors, call, at, squared):
    """The factor of scores by the position of the query; `at`: one call by position."""
    rows = next((table["rows"] for table in factors.get("tables", [factors]) if table["encoding"] == one["name"]), [])
    rotation, d = toml["score"].get("rotation"), call["q"].shape[-1]
    whole = rotation is not None and "scale" not in rotation
    base = (call["scaling"] or d**-0.5) * math.sqrt(d) * (squared if whole else 1)
    for p in PLACES:
        grown = math.prod(float(at[p][name][0, 0].norm() / at[0][name][0, 0].norm()) for name in "qk")
        last = [float(row["factor"]) for row in rows if row["length"] in ("every", str(p))][-1]
        if abs(last - base * grown) > 1e-4 * abs(base * grown):
            return f"the factor at L = {p} is {base * grown}, here {last}"
    return None


def compare_rotation(program, work, one, toml, i, at, d):
    plain = {name: at[0][i][name][0, 0] for name in "qk"}
    turned = {p: {name: at[p][i][name][0, 0] for name in "qk"} for p in PLACES}
    if "rotation" not in toml["score"]:
        change = float((turned[1]["k"] - plain["k"]).abs().max() / plain["k"].abs().max())
        return None if change < 1e-6 else f"turns, by {change}"
    file = work / f"{one['name']}.toml"
    file.write_text(one["toml"])
    rows = program.json(
        file, "--head-dim", one["head_dim"], "--table", "frequencies", "--lengths", ",".join(map(str, PLACES))
    )["rows"]
    wanted = {p: [float(row["frequency"]) for row in rows if row.get("length", str(p)) == str(p)] for p in PLACES}
    count = (
        int(re.search(r"2\*j < (\d+)", toml["score"]["rotation"]["angle"])[1])
        if "2*j <" in toml["score"]["rotation"]["angle"]
        else d
    )
    moved = [
        c for c in range(d) if abs(float(turned[FAR]["k"][c] - plain["k"][c])) > 1e-3 * float(plain["k"].abs().max())
    ]
    first = d - count if moved and moved[0] >= d - count > 0 else 0
    layout = toml["score"]["rotation"].get("layout", "half") == "interleaved"
    for interleaved in (layout,) if first == 0 else (layout, not layout):
        wrong = [p for p in PLACES if differs(plain, turned[p], p, wanted[p], pairs_of(count, first, interleaved))]
        if not wrong:
            break
    else:
        return f"turns otherwise at position {wrong[0]}"
    if any(abs(w) > 0 for p in PLACES for w in wanted[p][count // 2 :]):
        return "more blocks turn than count"
    return None


def differs(plain, turned, p, wanted, pairs):
    """Whether some pair at p is not turned by p times its frequency, beyond what float32 rounds."""
    for pair, frequency in zip(pairs, wanted, strict=False):
        for name in "qk":
            size = math.hypot(float(plain[name][pair[0]]), float(plain[name][pair[1]])) / float(plain[name].norm())
            off = (
                abs(math.remainder(angle(turned[name], plain[name], pair)[0] - p * frequency, math.tau))
                if size >= 1e-4
                else 0
            )
            if off * min(1, size / 1e-2) > NOISE + ROUNDING * p * abs(frequency):
                return True
    return False
