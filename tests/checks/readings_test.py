"""Which dict a key is read from: random configurations of every decoder that models.md reads, with the keys of
its rotation and its switches at each place where a config.json may have them, read by its class of transformers and by
check-properties.

    python tests/checks/readings_test.py PROGRAMS [--cases N] WORK [DECODER...]

Expectations are what the installed wheel computes: the class of configuration, its rotary embedding and its attention.
Nothing is expected of a configuration that the class refuses. The same keys as transformers saves them are read alike.
"""

import argparse
import functools
import json
import math
import os
import pathlib
import random
import re
import sys
import typing

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)
import keys_asked
import readings
import spied
import wheel
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS, RopeParameters

CASES = 2
LENGTH = 512
NUMBERS = {
    "factor": [1.0, 1.5, 2, 4.0, 8.0, 0.5],
    "original_max_position_embeddings": [256, 512, 640],
    "attention_factor": [1.0, 1.25],
    "beta_fast": [16, 32.0, 8],
    "beta_slow": [1, 2.0],
    "truncate": [True, False],
    "mscale": [0.7, 1.0],
    "mscale_all_dim": [0.7, 1.0, 0.0],
    "low_freq_factor": [1.0, 2],
    "high_freq_factor": [4.0, 8],
    "partial_rotary_factor": [0.25, 0.5, 1.0],
    "rope_theta": [10000.0, 50000, 1e6],
    "mrope_section": [[2, 3, 3], [1, 1, 2]],
    "alpha": [100.0, 3.5],
    "llama_4_scaling_beta": [0.1, 0.3],
    "short_mscale": [1.1, 1.25],
    "long_mscale": [1.2, 1.3],
    "rotary_dim": [8, 16],
}
#: Without them no model of a type that reads them runs.
NEEDED = ("llama_4_scaling_beta", "short_mscale", "long_mscale")
#: Switches and sizes beside the rotation: names of fields that are changed, and by what.
SWITCHES = re.compile(r"window|layer|rope|rotary|attn|attention|chunk|scal|interval|pattern|theta|base|cycles|alibi")
IDLE = re.compile(
    r"dropout|bias|attn_implementation|output_attentions|mlp|moe|router|norm_eps|initializer|layerdrop|mamba|linear|conv"
    r"|adapter|layer_norm|bidirectional|feed_forward|parallel|_heads?$|head_dim|num_hidden_layers"
)


@functools.cache
def rope_keys(decoder):
    """The keys of a rope dict: those that the wheel declares, and those that the code of the decoder asks for."""
    declared = list(typing.get_type_hints(RopeParameters))
    code = "\n".join(text for _, _, text in wheel.lines(decoder))
    asked = re.findall(r"rope_parameters(?:\.get\(|\[)[\"']([a-z_0-9]+)[\"']", code)
    return [*declared, *sorted(set(asked) - set(declared))]


def rope_dict(rng, decoder, head_dim):
    """A dict of one rope type with what it needs, some of what it may have, and some that are not its own."""
    found = {}
    kind = rng.choice([*ROPE_INIT_FUNCTIONS, "default"])
    found[rng.choice(["rope_type", "rope_type", "type"])] = kind
    needed = {
        "linear": ["factor"],
        "dynamic": ["factor"],
        "yarn": ["factor"],
        "longrope": ["short_factor", "long_factor"],
        "llama3": ["factor", "low_freq_factor", "high_freq_factor"],
    }.get(kind, [])
    for key in rope_keys(decoder):
        if key in ("rope_type", "short_factor", "long_factor") and key not in needed:
            continue
        chance = 0.97 if key in needed or key in NEEDED else 0.3
        if rng.random() < chance:
            found[key] = value_of(rng, key, head_dim)
        elif rng.random() < 0.05:
            found[key] = None
    return found


def value_of(rng, key, head_dim):
    if key in ("short_factor", "long_factor"):
        count = int(head_dim * rng.choice([1.0, 1.0, 0.5, 0.25])) // 2
        return [1 + (0.3 if key == "long_factor" else 0.05) * i for i in range(count)]
    return rng.choice(NUMBERS[key])


def switch_values(rng, decoder, config):
    """Some fields of the class with another value of their kind."""
    found = {}
    fields = getattr(type(config), "__dataclass_fields__", {})
    layers = getattr(config, "num_hidden_layers", None) or 12
    labels = [label for label in dict.fromkeys(getattr(config, "layer_types", None) or []) if label] or None
    for name in fields:
        if (
            not SWITCHES.search(name)
            or IDLE.search(name)
            or name in ("rope_parameters", "head_dim")
            or rng.random() > 0.25
        ):
            continue
        value = getattr(config, name, None)
        if name == "layer_types":
            found[name] = None if labels is None or rng.random() < 0.3 else [rng.choice(labels) for _ in range(layers)]
        elif isinstance(value, bool):
            found[name] = not value
        elif isinstance(value, int):
            found[name] = rng.choice([max(1, value // 2), value + 1])
        elif isinstance(value, float):
            found[name] = rng.choice([value, value / 2, 2 * value])
        elif value is None and re.search("window|chunk|interval|pattern|max_", name):
            found[name] = rng.choice([None, 4, 8])
    return found


def random_keys(rng, decoder, config):
    keys = {"model_type": decoder} | spied.small_keys(decoder)
    if "max_position_embeddings" in config.__dataclass_fields__:
        keys["max_position_embeddings"] = LENGTH
    try:
        head_dim = getattr(config, "head_dim", None) or 16
    except Exception:  # layers differ
        head_dim = 16
    labels = list(
        getattr(config, "_rope_type_labels", None) or dict.fromkeys(getattr(config, "layer_types", None) or [])
    )
    place = rng.choice(["scaling", "parameters", "both", "nested", "nested", "nested scaling", "none"])
    if place in ("scaling", "both"):
        keys["rope_scaling"] = rope_dict(rng, decoder, head_dim)
    if place in ("parameters", "both"):
        keys["rope_parameters"] = rope_dict(rng, decoder, head_dim)
    if place.startswith("nested"):
        inner = {label: rope_dict(rng, decoder, head_dim) if rng.random() < 0.9 else None for label in labels}
        if rng.random() < 0.3:
            inner |= rope_dict(rng, decoder, head_dim)  # keys beside those of layer types
        keys["rope_scaling" if place == "nested scaling" else "rope_parameters"] = inner
    beside = [*rope_keys(decoder), *legacy_keys(decoder)]
    for key in beside:
        if key not in ("rope_type", "short_factor", "long_factor", "mrope_section") and rng.random() < 0.12:
            keys[key] = value_of(rng, key if key in NUMBERS else kind_of(key), head_dim)
    if rng.random() < 0.5:
        keys |= switch_values(rng, decoder, config)
    return keys


def legacy_keys(decoder):
    """Names that the class of configuration takes out of what it is given and that are about its rotation."""
    found = keys_asked.popped(decoder)
    return sorted({name for name in found if re.search("theta|base|rotary|pct", name)} - set(rope_keys(decoder)))


def kind_of(key):
    return "rope_theta" if re.search("theta|base", key) else "partial_rotary_factor"


def close(ours, theirs):
    return abs(ours - theirs) <= 4e-6 * abs(theirs)


def fault_of(decoder, config, found, ours, saved):
    """Where the readings differ; nothing where they do not."""
    if isinstance(ours, str):
        return None if "has softmax attention" in ours else f"refused: {ours}"
    if isinstance(saved, str):
        return f"refused as transformers saves it: {saved}"
    strip = [[(one.text, one.layers, one.heads) for one in side] for side in (ours, saved)]
    if strip[0] != strip[1]:
        return "as transformers saves it: " + difference(ours, saved)
    for one in ours:
        for layer in sorted({one.layers[0], one.layers[-1]}):
            fault = fault_of_layer(one, config, found, layer, readings.attention_of(decoder, config, layer - 1))
            if fault:
                return f"layer {layer}: {fault}"
    return None


def fault_of_layer(one, config, found, layer, module):
    window = readings.window_of(module, config, layer - 1)
    if window is not None and one.window != window:
        return f"a window of {one.window} keys; expected {window}"
    if "rotation" not in one.score:
        return None
    label, by_length = readings.rotation_of(config, found, layer - 1)
    if by_length is None:
        return "it turns; the class has no rotation for it"
    return fault_of_rotation(one, by_length, readings.scale_of(module))


def fault_of_rotation(one, by_length, plain):
    half = one.head_dim // 2
    for length, (inverse, factor) in by_length.items():
        ours = [abs(value) for value in one.frequencies(length)]
        expected = inverse + [0.0] * (half - len(inverse))
        wrong = next((j for j in range(half) if not close(ours[j], expected[j])), None)
        if wrong is not None:
            return f"L = {length}: frequency of block {wrong} is {ours[wrong]:.9g}; expected {expected[wrong]:.9g}"
        if "L" in re.findall(r"\w+", one.score.get("gain", "")):  # a temperature by length
            continue
        scale = one.factor(length, 0)
        if plain is None:
            continue
        expected = plain * math.sqrt(one.head_dim) * factor
        if not close(scale, expected):
            return f"L = {length}: the factor of q'k/sqrt(d) is {scale:.9g}; expected {expected:.9g}"
    return None


def difference(ours, saved):
    for a, b in zip(ours, saved, strict=False):
        if a.layers != b.layers:
            return f"layers {a.layers} and {b.layers}"
        lines = [(x, y) for x, y in zip(a.text.splitlines(), b.text.splitlines(), strict=False) if x != y]
        if lines:
            return f"{lines[0][0]}\n   and {lines[0][1]}"
        if a.text != b.text:
            return a.text + b.text
    return f"{len(ours)} and {len(saved)} kinds of layers"


def asked(decoder, cases):
    """Configurations that the class takes: (keys, config, found)."""
    rng = random.Random(decoder)
    base = readings.config_of(decoder, {"model_type": decoder} | spied.small_keys(decoder))
    for _ in range(cases):
        keys = random_keys(rng, decoder, base)
        try:
            config, found = readings.class_reading(decoder, keys)
        except Exception:  # the class refuses them
            continue
        yield keys, config, found


def check(program, decoder, cases):
    many = list(asked(decoder, cases))
    ours = program.readings([keys for keys, _, _ in many])
    saved = program.readings([readings.canonical(config) for _, config, _ in many])
    faults = []
    for (keys, config, found), mine, again in zip(many, ours, saved, strict=True):
        fault = fault_of(decoder, config, found, mine, again)
        if fault:
            faults.append((keys, fault))
    return len(many), faults


def main():
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("programs", metavar="PROGRAMS")
    parser.add_argument("--cases", type=int, default=CASES, help=f"configurations of each decoder (default {CASES})")
    parser.add_argument("work", type=pathlib.Path, metavar="WORK")
    parser.add_argument("decoders", nargs="*", metavar="DECODER")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    program = readings.Program(arguments.programs, arguments.work)
    count, wrong = 0, 0
    for decoder in arguments.decoders or read_decoders():
        number, faults = check(program, decoder, arguments.cases)
        count += number
        wrong += len(faults)
        for keys, fault in faults[:3]:
            print(f"{decoder}: {json.dumps(keys)}\n    {fault}", flush=True)
    if wrong:
        sys.exit(f"{wrong} of {count} configurations are read otherwise")
    print(f"{count} configurations are read as transformers {transformers.__version__} reads them")


def all_decoders():
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/tables/models.md").read_text()
    return re.findall(r"^\| `([\w.-]+)` \|", re.split(r"^## ", page, flags=re.M)[1], flags=re.M)


def read_decoders():
    return [decoder for decoder in all_decoders() if readings.class_of(decoder, "(?<!Vision)RotaryEmbedding$")]


if __name__ == "__main__":
    main()
