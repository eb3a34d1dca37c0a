"""What the sources of transformers say about its decoders: which types are one, which are left out and by which line of
code, and what their configurations leave to defaults.
"""

import ast
import functools
import inspect
import json
import pathlib
import re

import transformers
from transformers import CONFIG_MAPPING
from transformers.models.auto import modeling_auto

transformers.logging.set_verbosity_error()
CAUSAL = modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
IMAGE_TEXT = modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES
# Keys of a configuration that decide heads, layers, positions or windows.
KEYS = set(
    """
hidden_size n_embd d_model n_embed num_hidden_layers n_layer n_layers num_layers num_attention_heads n_head n_heads
num_heads num_key_value_heads num_kv_heads head_dim d_kv kv_channels attention_head_dim max_position_embeddings
n_positions max_seq_len original_max_position_embeddings sliding_window attention_window_size local_attention
use_sliding_window max_window_layers sliding_window_pattern prefix_dense_sliding_window_pattern
global_attn_every_n_layers query_pre_attn_scalar attn_logit_softcapping attention_multiplier rope_theta rotary_dim
qk_nope_head_dim qk_rope_head_dim relative_attention_num_buckets relative_attention_max_distance attention_chunk_size
no_rope_layer_interval attn_scale floor_scale attn_temperature_tuning full_attention_interval layer_group_size
attn_layer_period attn_layer_offset use_mem_rope use_qk_norm qk_layernorm qk_scale_factor index_topk num_experts_per_tok
multi_query new_decoder_architecture H_cycles L_cycles block_types attention_k_eq_v position_embedding_type kv_lora_rank
swa_kv_lora_rank v_head_dim num_kv_shared_layers
""".split()
)


@functools.cache
def syntax(file):
    """Classes and functions of a source file, by name."""
    tree = ast.parse(pathlib.Path(file).read_text())
    found = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    for node in tree.body:  # tables of classes by name
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return found


@functools.cache
def decoders():
    """By the type of the text decoder: its class of configuration, and the types of both tables that have it."""
    found = {}
    for name in dict.fromkeys([*CAUSAL, *IMAGE_TEXT]):
        text = text_config(name)
        found.setdefault(text.model_type, (type(text), []))[1].append(name)
    return found


def text_config(name):
    try:
        return CONFIG_MAPPING[name]().get_text_config(decoder=True)
    except (
        Exception
    ):  # its defaults contradict each other: an assistant of another model, whose text configuration is the same
        return CONFIG_MAPPING[name.removesuffix("_assistant")]().get_text_config(decoder=True)


def class_name(decoder):
    names = [
        table.get(name)
        for name in (decoder, *decoders()[decoder][1])
        for table in (CAUSAL, modeling_auto.MODEL_MAPPING_NAMES, IMAGE_TEXT)
    ]
    name = next(name for name in names if name)
    return name if isinstance(name, str) else name[0]


@functools.cache
def reached(decoder):
    """The classes and functions of its own source files that the decoder's model is made of: (file, name, node)."""
    config_class = decoders()[decoder][0]
    folder = pathlib.Path(inspect.getsourcefile(config_class)).parent
    start = class_name(decoder)
    files = [file for file in sorted(folder.glob("modeling_*.py")) if start in syntax(file)]
    if not files:  # the class of another folder: an alias of its code
        named = [file for file in folder.parent.glob("*/modeling_*.py") if start in file.read_text()]
        files = [file for file in named if start in syntax(file)]
    file = files[0]
    nodes, todo, result = syntax(file), [start], []
    while todo:
        name = todo.pop(0)
        if name in nodes and name not in result:
            result.append(name)
            todo += [node.id for node in ast.walk(nodes[name]) if isinstance(node, ast.Name)]
    return [
        (file, name, nodes[name])
        for name in result
        if not re.search("Vision(?!Text)|Audio|Sam[A-Z]|Encoder(?!Layer)|VQVAE|SaProt", name)
    ]


@functools.cache
def source_lines(file):
    return pathlib.Path(file).read_text().splitlines()


def source_of(file, node):
    """The lines of a class or function."""
    return "\n".join(source_lines(file)[node.lineno - 1 : node.end_lineno])


@functools.cache
def lines(decoder):
    """Its lines of code: (file, number, text)."""
    return [
        (file, number, source_lines(file)[number - 1].strip())
        for file, _, node in reached(decoder)
        for number in range(node.lineno, node.end_lineno + 1)
    ]


@functools.cache
def says(decoder, word):
    """Whether its code has this word."""
    return any(word in text for _, _, text in lines(decoder))


def norms_after(decoder):
    """Names of norms with weights that its attention calls on queries after it turns them."""
    nodes = {name: (file, node) for file, name, node in reached(decoder)}
    learned = {name for name, (file, node) in nodes.items() if "nn.Parameter(" in source_of(file, node)}
    found = set()
    for name, (file, node) in nodes.items():
        if "Attention" not in name or not isinstance(node, ast.ClassDef):
            continue
        calls = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "forward"]
        turn, *after = re.split(r"apply_\w*rotary\w*\(", "".join(source_of(file, one) for one in calls), maxsplit=1)
        for norm in re.findall(r"self\.(q\w*norm\w*)\(", "".join(after)):
            kind = re.search(rf"self\.{norm} = ([\w.]+)\(", source_of(file, node))
            if kind and (kind[1] in learned or kind[1].startswith("nn.")):
                found.add(norm)
    return found


ATTENTION = re.compile(
    r"ALL_ATTENTION_FUNCTIONS|scaled_dot_product_attention|oftmax\(.*(attn|attention|scores|logits)|Softmax\(dim"
)
ABSOLUTE = re.compile(
    r"self\.(position_embedding\w*|wpe|embed_positions|positions_embed)\s*=\s*"
    r"(nn\.Embedding|\w*(Learned|Sinusoidal)\w*|\w*Position(al)?Embeddings?)\(|self\.pos_encoding\s*=\s*nn\.Buffer"
)


@functools.cache
def excluded(decoder):
    """Why it is not a softmax decoder without absolute positions, and where that is said; nothing for one."""
    code = list(lines(decoder))
    for file, number, text in code:
        rotary = "RoFormer" in text or "create_sinusoidal_positions" in text
        if ABSOLUTE.search(text) and not rotary:
            return "adds absolute positions", where(file, number), text
    if not any(ATTENTION.search(text) for _, _, text in code):
        file, name, node = reached(decoder)[0]
        return "no softmax over tokens", where(file, node.lineno), f"class {name}"
    return None


def where(file, number):
    return f"{file.parent.name}/{file.name}:{number}"


def field_defaults(config_class):
    """Defaults of the fields that KEYS names, as they are before a configuration is filled in."""
    found = {}
    for key, field in getattr(config_class, "__dataclass_fields__", {}).items():
        if key in KEYS and isinstance(field.default, (int, float, str, bool, tuple, list)):
            found[key] = list(field.default) if isinstance(field.default, tuple) else field.default
    return found


def defaults(decoder):
    """What a configuration of this type leaves out: fields, the base, and the rotation where the class states one."""
    config_class = decoders()[decoder][0]
    source = inspect.getsource(config_class)
    found = field_defaults(config_class)
    if "attn_config" in getattr(config_class, "__dataclass_fields__", {}) and "kv_n_heads" in str(
        config_class().attn_config
    ):
        found["num_key_value_heads"] = config_class().attn_config.kv_n_heads
    code = "\n".join(text for _, _, text in lines(decoder))
    if isinstance(config_class.default_theta, dict):
        found["default_theta"] = config_class.default_theta
    elif config_class.default_theta != 10000:
        found["default_theta"] = config_class.default_theta
    if re.search(r"if self\.rope_parameters is None:|default_rope_params: dict", source):
        if rotation := stated_rotation(config_class):
            found["rope_parameters"] = rotation
    stated = re.search(
        r"(?:setdefault\(|kwargs\[)[\"'](?:partial_rotary_factor|rotary_pct)[\"'](?:,|\] =)"
        r" *(?:kwargs\.pop\(.rotary_pct., *)?([\d.]+)",
        source,
    )
    if stated:
        found["partial_rotary_factor"] = float(stated[1])
    if "partial_rotary_factor" in code:
        found["reads_partial_rotary_factor"] = True
    if "layer_types" in getattr(config_class, "__dataclass_fields__", {}) or hasattr(config_class, "layer_types"):
        found["reads_layer_types"] = "always" if config_class().layer_types else "where stated"
    if drops_window(config_class):
        found["drops_sliding_window"] = True
    return found


def stated_rotation(config_class):
    """The dict that the class has where a config.json has none, without what follows from other keys."""
    plain = config_class().rope_parameters
    others = []
    for key, value in field_defaults(config_class).items():
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            try:
                others.append(config_class(**{key: 2 * value}).rope_parameters)
            except Exception:  # it does not go with the other keys
                continue
    others.append(config_class(rope_theta=54321.0).rope_parameters)
    kept = {key: value for key, value in plain.items() if all(other.get(key) == value for other in others)}
    by_layer = any(isinstance(value, dict) for value in plain.values())
    return kept if len(kept) == len(plain) or not by_layer else {}


def drops_window(config_class):
    """Whether it has no window where use_sliding_window is false."""
    fields = getattr(config_class, "__dataclass_fields__", {})
    if not {"use_sliding_window", "sliding_window"} <= set(fields):
        return False
    return not config_class(use_sliding_window=False, sliding_window=8).sliding_window


def defaults_source():
    """checks/configs/config_defaults.cpp: the defaults of each type that is not a default of the
    format, and what stands for others."""
    rows = [
        f'      {{"{name}", R"({json.dumps(defaults(name))})"}},' for name in sorted(decoders()) if not excluded(name)
    ]
    aliases = sorted(
        (name, decoder)
        for decoder, (_, names) in decoders().items()
        if not excluded(decoder)
        for name in names
        if name != decoder
    )
    pairs = [f'      {{"{name}", "{decoder}"}},' for name, decoder in aliases]
    return (
        SOURCE.replace("ROWS", "\n".join(rows))
        .replace("PAIRS", "\n".join(pairs))
        .replace("VERSION", transformers.__version__)
    )


SOURCE = """// Made by tests/checks/decoders_test.py from transformers VERSION: not to be edited.
#include "checks/configs/config_defaults.h"

namespace gpe::checks {

// clang-format off
const std::map<std::string, std::string>& config_defaults() {
  static const std::map<std::string, std::string> all = {
ROWS
  };
  return all;
}

const std::map<std::string, std::string>& config_aliases() {
  static const std::map<std::string, std::string> all = {
PAIRS
  };
  return all;
}
// clang-format on

}  // namespace gpe::checks
"""
