"""What a class of transformers makes of the keys of a config.json, and what check-properties makes of them:
frequencies, factors, windows and layers, each from its own code.
"""

import copy
import functools
import importlib
import inspect
import json
import math
import re
import subprocess
import tomllib

import numpy
import torch
import wheel
from transformers import CONFIG_MAPPING, PreTrainedConfig

#: Names of the scale in attention modules, and the power of it that multiplies q'k.
SCALES = {"scaling": 1, "inv_norm_factor": 1, "softmax_scale": 1, "norm_factor": -1, "scale_attn": -1}
LENGTHS = (0, 700, 5000)  # indices of queries: within and beyond the trained lengths of the cases


@functools.cache
def class_of(decoder, pattern):
    """The first class of a decoder's modeling file with such a name."""
    for file, name, _ in wheel.reached(decoder):
        if re.search(pattern, name):
            return getattr(importlib.import_module(f"transformers.models.{file.parent.name}.{file.stem}"), name)
    return None


def config_of(decoder, keys):
    return CONFIG_MAPPING[decoder].from_dict(json.loads(json.dumps(keys)))


def fields_of(decoder):
    """The fields that its class of configuration has beside those of every class."""
    shared = PreTrainedConfig.__dataclass_fields__
    return {name: field for name, field in CONFIG_MAPPING[decoder].__dataclass_fields__.items() if name not in shared}


def canonical(config):
    """The keys as transformers saves them."""
    return json.loads(config.to_json_string(use_diff=False))


def turned(rotary, label, length):
    """Frequencies and the factor of cos and sin in a text of length + 1 tokens, from the class's forward pass."""
    at = torch.tensor([[0, 1, length]])
    states = torch.zeros(1, 3, 8)
    by_layer = "layer_type" in inspect.signature(rotary.forward).parameters
    more = {"layer_type": label} if by_layer else {}
    with torch.no_grad():
        try:
            out = rotary(states, at, **more)
        except (IndexError, RuntimeError, ValueError):  # positions of three dimensions
            out = rotary(states, at[None].expand(3, -1, -1), **more)
    cos, sin = (out[0], out[1]) if isinstance(out, tuple) else (out.real, out.imag)
    cos, sin = cos.double().reshape(-1, 3, cos.size(-1))[0], sin.double().reshape(-1, 3, sin.size(-1))[0]
    prefix = f"{label}_" if hasattr(rotary, f"{label}_inv_freq") else ""
    blocks = getattr(rotary, f"{prefix}inv_freq").numel()
    angles = torch.atan2(sin[1], cos[1])  # no frequency of the cases is above a half turn
    if len(angles) == 2 * blocks:
        halves = torch.equal(angles[:blocks], angles[blocks:])
        angles = angles[:blocks] if halves else angles[::2]
    return angles.tolist(), float((cos**2 + sin**2).max())


def labels_of(rotary_class, config):
    """What tells one rotation of the model from another: types of layers, bases, or nothing."""
    if "layer_type" in inspect.signature(rotary_class.forward).parameters:
        types = dict.fromkeys(config.layer_types)
        return [label for label in types if config.rope_parameters.get(label) is not None]
    bases = getattr(config, "layer_rope_theta", None)
    return [None] if bases is None else [base for base in dict.fromkeys(bases) if base]


def class_reading(decoder, keys):
    """The class's configuration, and its rotations: by label and length, frequencies and the square of the factor of
    cos and sin."""
    config = config_of(decoder, keys)
    rotary_class = class_of(decoder, "(?<!Vision)RotaryEmbedding$")
    rotary_class(config)
    layers = getattr(config, "num_hidden_layers", None) or 1
    for layer in (0, layers - 1):
        attention_of(decoder, config, layer)
    if missing_beta(decoder, config):
        raise KeyError("llama_4_scaling_beta")
    found = {}
    for label in labels_of(rotary_class, config):
        own = config
        if isinstance(label, (int, float)):
            own = copy.deepcopy(config)
            own.rope_parameters = {**config.rope_parameters, "rope_theta": label}
        found[label] = {length: turned(rotary_class(own), label, length) for length in LENGTHS}
    latent = getattr(config, "qk_rope_head_dim", None)
    if latent and any(2 * len(by_length[0][0]) != latent for by_length in found.values()):
        raise ValueError("other coordinates turn than there are")
    return config, found


def missing_beta(decoder, config):
    """Whether the class takes its temperature from numbers that its rotation does not have."""
    needed = ("llama_4_scaling_beta", "original_max_position_embeddings")
    return wheel.says(decoder, "llama_4_scaling_beta") and any(
        (config.rope_parameters or {}).get(key) is None for key in needed
    )


def rotation_of(config, found, layer):
    """The label of a layer, and its rotation; None where the class has none."""
    bases = getattr(config, "layer_rope_theta", None)
    label = None
    if None not in found:
        label = bases[layer] if bases else config.layer_types[layer]
    return label, found.get(label)


def attention_of(decoder, config, layer):
    """The attention module of a layer, without weights; None where it is made of more than these."""
    attention = class_of(decoder, "(?<!Cross)(?<!Linear)(Attention|MLA)$")
    if attention is None or "layer_idx" not in inspect.signature(attention).parameters:
        return None
    needed = [
        name
        for name, parameter in inspect.signature(attention).parameters.items()
        if parameter.default is inspect.Parameter.empty
    ]
    if set(needed) - {"config", "layer_idx"}:
        return None
    own = config.per_layer_config[layer] if getattr(config, "is_heterogeneous", False) else config
    with torch.device("meta"):
        return attention(own, layer_idx=layer)


def window_of(module, config, layer):
    """The keys that the layer sees, 0 for all of them; None where the module does not say."""
    if not hasattr(module, "sliding_window"):
        return None
    types = getattr(config, "layer_types", None)  # by which the mask is chosen, whatever the module keeps
    return 0 if types and types[layer] == "full_attention" else module.sliding_window or 0


def scale_of(module):
    """What the attention multiplies q'k by; None where it has no such attribute."""
    for name, power in SCALES.items():
        value = getattr(module, name, None)
        if isinstance(value, (int, float)):
            return float(value) ** power
    return None


class Formula:
    """An expression of an encoding file, as a function of n, L and j."""

    def __init__(self, text):
        text = re.sub(r"(?<![<>!=])=(?!=)", "==", text.replace("^", "**"))
        self.code = compile(re.sub(r"\bif\(", "choose(", text), text, "eval")

    def __call__(self, names):
        with numpy.errstate(all="ignore"):
            return eval(self.code, {"__builtins__": {}}, NAMES | names)


def entry(values, at):
    return values[numpy.minimum(at, len(values) - 1).astype(int)]


@functools.cache
def formula(text):
    return Formula(text)


NAMES = {
    "choose": numpy.where,
    "log": numpy.log,
    "exp": numpy.exp,
    "sqrt": numpy.sqrt,
    "floor": numpy.floor,
    "max": lambda *values: functools.reduce(numpy.maximum, values),
    "min": lambda *values: functools.reduce(numpy.minimum, values),
    "abs": abs,
    "pi": math.pi,
}


class OurReading:
    """One encoding of a config.json."""

    def __init__(self, encoding):
        self.layers, self.heads, self.head_dim = encoding["layers"], encoding["heads"], encoding["head_dim"]
        self.text, self.caveat = encoding["toml"], encoding["caveat"]
        toml = tomllib.loads(encoding["toml"])
        self.score = toml["score"]
        self.window = int(toml["parameters"]["W"]["default"]) if "window" in self.score else 0
        self.names = {"d": numpy.float64(self.head_dim)}
        for name, parameter in toml.get("parameters", {}).items():
            value = parameter["default"]
            self.names[name] = float(formula(value if isinstance(value, str) else value[0])({}))
        self.names |= {name: numpy.float64(value) for name, value in self.names.items()}
        for name, table in toml.get("tables", {}).items():
            values = numpy.array([float(formula(value)({})) for value in table["values"]])
            self.names[name] = functools.partial(entry, values)

    def at(self, key, length, block, default="1"):
        text = self.score.get(key, self.score.get("rotation", {}).get(key, default))
        return formula(text)(self.names | {"n": 1.0, "L": float(length), "j": block})

    def frequencies(self, length):
        if "rotation" not in self.score:
            return []
        blocks = numpy.arange(self.head_dim // 2, dtype=numpy.float64)
        return numpy.broadcast_to(self.at("angle", length, blocks), blocks.shape).tolist()

    def factor(self, length, block):
        at = numpy.float64(block)
        return float(self.at("gain", length, at) * self.at("scale", length, at))


class Program:
    """check-properties on many files at once."""

    def __init__(self, folder, work):
        self.program, self.work = f"{folder}/check-properties", work
        self.mark = work / "mark.json"
        self.mark.write_text(json.dumps({"model_type": "mistral", "num_hidden_layers": 997}))

    def readings(self, many):
        """Of each config: its encodings, or the message of the refusal."""
        files = []
        for number, keys in enumerate(many):
            files.append(self.work / f"case-{number}.json")
            files[-1].write_text(json.dumps(keys))
        return [one for start in range(0, len(files), 16) for one in self.batch(files[start : start + 16])]

    def batch(self, files):
        found, left = {}, list(files)
        while left:
            asked = [str(each) for file in left for each in (file, self.mark)]
            done = subprocess.run(
                [self.program, *asked, "--show-encoding", "--format", "json"], capture_output=True, text=True
            )
            if done.returncode == 0:
                break
            wrong = re.search(r"case-\d+\.json", done.stderr.splitlines()[-1])
            if not wrong:
                raise SystemExit(f"exit {done.returncode}: {done.stderr[:300]}")
            found[self.work / wrong[0]] = done.stderr.strip()
            left.remove(self.work / wrong[0])
        encodings = json.loads(done.stdout)["encodings"] if left else []
        groups = [[]]
        for one in encodings:
            if one["all_layers"] == 997:
                groups.append([])
            else:
                groups[-1].append(OurReading(one))
        found |= dict(zip(left, groups, strict=False))
        return [found[file] for file in files]
