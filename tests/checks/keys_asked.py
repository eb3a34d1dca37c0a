"""Which keys a class of transformers reads, and other values for them."""

import functools
import pathlib
import re
import sys

import readings
import wheel

#: Fields of classes that do not concern positions, though code of attention reads them, by the reason.
APART = {
    "rope_parameters": "the dict itself",
    "rope_scaling": "the dict itself",
    "is_encoder_decoder": "which stack it is",
    "is_decoder": "which stack it is",
    "model_type": "the decoder itself",
}


#: Of configurations that classes take and whose models do not run, or are not causal.
REFUSED = re.compile(
    "'use_bidirectional_attention'|expected a number for each layer|expected a divisor|'num_kv_shared_layers'"
)
#: Sizes that some classes tie to others, so that they take no other value alone.
TIED = {
    "hidden_size",
    "head_dim",
    "num_attention_heads",
    "num_hidden_layers",
    "qk_rope_head_dim",
    "d_kv",
    "attention_hidden_size",
}


def field(config, name, other=None):
    """A field, where layers do not differ in it."""
    try:
        return getattr(config, name, other)
    except Exception:
        return other


def does_not_run(config):
    """Whether its heads do not share keys evenly, or have another size than their parts: said when the model runs."""
    heads, keys = field(config, "num_attention_heads"), field(config, "num_key_value_heads")
    whole, parts = field(config, "qk_head_dim"), [field(config, f"qk_{part}_head_dim") for part in ("nope", "rope")]
    uneven = isinstance(heads, int) and isinstance(keys, int) and (heads % keys != 0)
    return uneven or (whole is not None and None not in parts and whole != sum(parts))


def state_of(config, found):
    """What a class makes of its configuration, to tell whether a key changes anything."""
    return repr([found, field(config, "layer_types"), field(config, "sliding_window")])


@functools.cache
def read_by(decoder):
    """The fields of its configuration that the code of its attention, rotation and masks, or the class of configuration
    itself, asks for by name."""
    names = set()
    for file, name, node in wheel.reached(decoder):
        if re.search("Attention|Rotary|DecoderLayer|Model$", name):
            names |= set(re.findall(r"config(?:\.|, \")(\w+)", wheel.source_of(file, node)))
    return names & set(readings.fields_of(decoder))


@functools.cache
def source_of(decoder):
    """That of its class of configuration."""
    return pathlib.Path(sys.modules[wheel.decoders()[decoder][0].__module__].__file__).read_text()


@functools.cache
def popped(decoder):
    """Names that the class of configuration takes out of what it is given, beside its fields."""
    found = re.findall(r"kwargs\.(?:pop|get)\(\s*[\"'](\w+)[\"']", source_of(decoder))
    return sorted({name for name in found if not name.endswith("_config")})


def popped_values(name):
    if re.search("theta|base", name):
        return [50000.0]
    if re.search("^use_|^is_|alibi", name):
        return [True, False]
    if re.search("factor|pct", name):
        return [0.5]
    return [4, 8] if re.search("dim|window", name) else [2, 3]


def values_of(decoder, config, name):
    """Other values than the configuration has."""
    value, layers = field(config, name), field(config, "num_hidden_layers", 12)
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        more = [] if re.search("dim|size|rank", name) else [value + 1]
        return [2 * value, max(1, value // 2), *more, *([3] if re.search("layers$", name) else [])]
    if isinstance(value, float):
        return [value / 2, 2 * value]
    if isinstance(value, (list, tuple)) and value and "inf" not in repr(value):
        return [[*value[1:], value[0]], None]
    if isinstance(value, str):
        asked = re.findall(rf"{name}\s*[=!]=\s*[\"'](\w+)", "\n".join(text for _, _, text in wheel.lines(decoder)))
        return sorted(set(asked) - {value})
    if value is None:
        return empty_values(str(readings.fields_of(decoder)[name].type), layers)
    return []


def empty_values(kind, layers):
    """Values of a field that has none by default, by its type."""
    if "list[str]" in kind:
        return [["full_attention", "sliding_attention"] * (layers // 2)]
    if "list[float" in kind:
        return [[10000.0, 500.0] * (layers // 2)]
    if "list[int" in kind:
        return [[1, 0] * (layers // 2)]
    found = []
    for name, values in (("int", (4, 8)), ("float", (0.5, 2.0)), ("bool", (True,))):
        if re.search(rf"\b{name}\b", kind):
            found += values
    return found
