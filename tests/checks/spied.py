"""Small random models of transformers, whose attention is asked what it is called with: queries and keys after the rotation, the
scale, the mask. One token at position p attends to itself alone, so all layers see the same states whatever p is, and the queries at p
are those at 0, turned.
"""

import cmath
import json
import math
import re
import sys
import tomllib

import torch
import transformers
from transformers import CONFIG_MAPPING, AutoModel, AutoModelForCausalLM
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, eager_mask
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

transformers.logging.set_verbosity_error()
TOKENS, FAR, WINDOW = 24, 3000, 8
SMALL = {"vocab_size": 64, "vocab_size_per_layer_input": 64, "hidden_size": 64, "intermediate_size": 32, "moe_intermediate_size": 16,
         "num_experts": 4, "num_local_experts": 4, "n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1,
         "q_lora_rank": 16, "kv_lora_rank": 16, "num_attention_heads": 4, "num_key_value_heads": 2, "shared_expert_intermediate_size": 16,
         "moe_num_experts": 4, "moe_k": 2, "num_hidden_layers": 12, "sliding_window": WINDOW, "pad_token_id": 0, "bos_token_id": 1,
         "eos_token_id": 2, "mamba_n_heads": 4, "mamba_d_head": 32, "mamba_d_state": 16, "mamba_n_groups": 1, "mamba_chunk_size": 16,
         "mamba_d_ssm": 128}
MROPE = {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 3, 3]}}
# Keys that a small model of this type needs.
MORE = {
    "bamba": {"attn_layer_indices": [3, 7]},
    "cohere_compass_text": {"head_dim": 16, "layer_types": ["full_attention", "sliding_attention"] * 6, "rope_parameters": {
        "full_attention": None, "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 3, 3]}}},
    "deepseek_v2": {"topk_group": 1, "n_group": 1, "num_experts_per_tok": 2},
    "dots1": {"n_routed_experts": 4},
    "dots3_note_text": {"num_key_value_heads": 4, "swa_num_attention_heads": 2, "swa_num_key_value_heads": 2, "swa_q_lora_rank": 16,
                        "swa_kv_lora_rank": 16},
    "ernie4_5_vl_moe_text": {"moe_intermediate_size": [16, 16], "rope_parameters": {"rope_type": "default", "rope_theta": 500000.0,
                                                                                    "mrope_section": [3, 3, 2]}},
    "gemma3n_text": {"num_hidden_layers": 20, "num_kv_shared_layers": 5},
    "glm4v_text": MROPE, "glm_ocr_text": MROPE,
    "glm4v_moe_text": {"rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2], "partial_rotary_factor": 0.5}},
    "granitemoehybrid": {"layer_types": ["linear_attention", "full_attention"] * 6, "position_embedding_type": "rope"},
    "helium": {"head_dim": 16}, "nemotron": {"head_dim": 16}, "ministral": {"head_dim": 16},
    "hunyuan_v1_dense": {"head_dim": 16, "rope_parameters": {"type": "dynamic", "rope_type": "dynamic", "alpha": 100.0, "rope_theta": 10000.0,
                                                             "factor": 1.0}},
    "hunyuan_v1_moe": {"head_dim": 16, "rope_parameters": {"type": "dynamic", "rope_type": "dynamic", "alpha": 100.0, "rope_theta": 10000.0,
                                                           "factor": 1.0}},
    "hunyuan_vl_text": {"head_dim": 16, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 3, 3]}},
    "laguna": {"layer_types": ["full_attention", "sliding_attention"] * 6},
    "mellum": {"layer_types": ["full_attention", "sliding_attention"] * 6},
    "lfm2": {"full_attn_idxs": [2, 5, 8]},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 6},
    "qwen2_5_vl_text": MROPE, "qwen2_vl_text": MROPE, "qwen2_5_omni_text": MROPE,
    "qwen3_omni_moe_text": MROPE | {"head_dim": 16},
    "qwen3_vl_moe_text": {"num_experts": 4},
    "muse_glimmer_text": {"layer_rope_theta": [0 if i % 4 == 3 else 10000.0 for i in range(12)]},
    "granite_swa": {"layer_rope_theta": [0 if i % 4 == 0 else 10000.0 if i % 3 else 500.0 for i in range(12)]},
    "step3p5": {"layer_types": ["full_attention", "sliding_attention"] * 6, "sliding_window": WINDOW, "num_sliding_attention_heads": 6},
    "zaya": {"num_experts_per_tok": 1, "layer_types": ["hybrid", "hybrid_sliding"] * 6, "sliding_window": WINDOW},
    "recurrent_gemma": {"attention_window_size": WINDOW},
    "modernbert-decoder": {"local_attention": 2 * WINDOW},
}
CALLS = []


def spy(module, query, key, value, attention_mask=None, scaling=None, dropout=0.0, softcap=None, **more):
    sink = more.get("s_aux") is not None or more.get("sinks") is not None or getattr(module, "sinks", None) is not None
    CALLS.append({"layer": getattr(module, "layer_idx", None), "q": query[0].double(), "k": key[0].double(), "mask": attention_mask,
                  "scaling": scaling, "softcap": softcap, "sink": sink})
    group = query.shape[1] // key.shape[1]
    scores = query @ key.repeat_interleave(group, 1).transpose(2, 3) * (scaling or query.shape[-1] ** -0.5)
    if attention_mask is not None:
        scores = scores + attention_mask if attention_mask.dtype != torch.bool else scores.masked_fill(~attention_mask, -1e30)
    weights = scores.softmax(-1).to(value.dtype)
    return (weights @ value.repeat_interleave(group, 1)).transpose(1, 2).contiguous(), weights


ALL_ATTENTION_FUNCTIONS.register("spy", spy)
ALL_MASK_ATTENTION_FUNCTIONS.register("spy", eager_mask)


def small_keys(decoder):
    config_class = CONFIG_MAPPING[decoder]
    fields = config_class.__dataclass_fields__
    keys = {key: value for key, value in SMALL.items() if key in fields and getattr(fields[key], "default", None) is not None}
    if "qk_nope_head_dim" in fields:
        keys["num_key_value_heads"] = keys["num_attention_heads"]
    if isinstance(getattr(fields.get("layer_types"), "default", None), (list, tuple)):
        keys["layer_types"] = None
    return keys | MORE.get(decoder, {})


def calls_of(model, ids, positions):
    CALLS.clear()
    with torch.no_grad():
        model(input_ids=ids, position_ids=positions, use_cache=False)
    return list(CALLS)


def seen(call):
    """How many keys the last of TOKENS queries sees."""
    mask = call["mask"]
    if mask is None:
        return TOKENS
    row = mask[0, 0, -1, :TOKENS]
    return int((row if mask.dtype == torch.bool else row == 0).sum())


def angle(turned, plain, pair):
    """By which a pair of coordinates turned, and by which factor it grew."""
    a, b = (complex(x[pair[0]], x[pair[1]]) for x in (plain, turned))
    return cmath.phase(b / a), abs(b / a)


def pairs_of(dimension, turned, first, interleaved):
    if interleaved:
        return [(first + 2 * j, first + 2 * j + 1) for j in range(turned // 2)]
    return [(first + j, first + j + turned // 2) for j in range(turned // 2)]


def compare(program, work, decoder):
    config_class = CONFIG_MAPPING[decoder]
    keys = small_keys(decoder)
    config = config_class(**json.loads(json.dumps(keys)))
    config._attn_implementation = "spy"
    torch.manual_seed(0)
    try:
        model = AutoModel.from_config(config)
    except ValueError:
        model = AutoModelForCausalLM.from_config(config)
    model = model.eval()
    for module in model.modules():
        if hasattr(getattr(module, "config", None), "_attn_implementation"):
            module.config._attn_implementation = "spy"
    gains = []
    hooks = [module.register_forward_hook(lambda _, __, out: gains.append(float((out[0][..., 0] ** 2 + out[1][..., 0] ** 2).max())))
             for module in model.modules() if "Rotary" in type(module).__name__ and decoder not in ("deepseek_v2", "llama4_text")]
    ids = torch.randint(3, 60, (1, TOKENS), generator=torch.Generator().manual_seed(1))
    long = calls_of(model, ids, torch.arange(TOKENS)[None])
    squared = max(gains, default=1.0)
    for hook in hooks:
        hook.remove()
    at = {p: calls_of(model, ids[:, :1], torch.tensor([[p]])) for p in (0, 1, FAR)}
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
        score = toml["score"]
        layer = one["layers"][0] - 1
        matching = [i for i, call in enumerate(long) if call["layer"] in (layer, None)]
        for other in one["layers"]:
            for call in long:
                if call["layer"] == other - 1:
                    window = int(toml["parameters"]["W"]["default"]) if "window" in score else TOKENS
                    if seen(call) != min(TOKENS, window):
                        return f"layer {other} sees {seen(call)} keys, here {window}"
        i = matching[0]
        call, plain = long[i], at[0][i]
        d = call["q"].shape[-1]
        sizes = (call["q"].shape[0], call["k"].shape[0], d)
        mine = (one["heads"], one["key_heads"], one["head_dim"])
        if sizes != mine and decoder not in ("jetmoe",):
            return f"{one['name']}: heads, key heads and dimension are {sizes}, here {mine}"
        if call["sink"] != ("sink" in score):
            return f"{one['name']}: sink is {call['sink']}"
        if bool(call["softcap"]) != ("softcap" in score):
            return f"{one['name']}: soft cap is {call['softcap']}"
        factors = program.json(file, "--table", "temperature", "--lengths", f"64,{FAR}")
        rows = next((table["rows"] for table in factors.get("tables", [factors]) if table["encoding"] == one["name"]), [])
        for p, length in ((1, 64), (FAR, FAR)):
            grown = float(at[p][i]["q"][0, 0].norm() / plain["q"][0, 0].norm())
            last = [float(row["factor"]) for row in rows if row["length"] in ("every", str(length))][-1]
            expected = (call["scaling"] or d ** -0.5) * math.sqrt(d) * (grown if p == FAR else 1)
            whole = "rotation" in score and "scale" not in score["rotation"]
            expected *= squared if whole else 1
            if p == FAR and decoder != "mistral_large4_text" and abs(last - expected) > 1e-4 * abs(expected):
                return f"{one['name']}: the factor at L = {length} is {expected}, here {last}"
        fault = compare_rotation(program, work, one, toml, i, at, d)
        if fault:
            return f"{one['name']}: {fault}"
    return None


def compare_rotation(program, work, one, toml, i, at, d):
    plain = {name: at[0][i][name][0, 0] for name in "qk"}
    turned = {p: {name: at[p][i][name][0, 0] for name in "qk"} for p in (1, FAR)}
    if "rotation" not in toml["score"]:
        change = float((turned[1]["k"] - plain["k"]).abs().max() / plain["k"].abs().max())
        return None if change < 1e-6 else f"turns, by {change}"
    file = work / f"{one['name']}.toml"
    file.write_text(one["toml"])
    rows = program.json(file, "--head-dim", one["head_dim"], "--table", "frequencies", "--lengths", "64")["rows"]
    wanted = [float(row["frequency"]) for row in rows]
    count = int(re.search(r"2\*j < (\d+)", toml["score"]["rotation"]["angle"])[1]) if "2*j <" in toml["score"]["rotation"]["angle"] else d
    moved = [c for c in range(d) if abs(float(turned[FAR]["k"][c] - plain["k"][c])) > 1e-3 * float(plain["k"].abs().max())]
    first = d - count if moved and moved[0] >= d - count > 0 else 0
    layout = toml["score"]["rotation"].get("layout", "half") == "interleaved"
    for interleaved in ((layout,) if first == 0 else (layout, not layout)):
        worst = 0
        for j, pair in enumerate(pairs_of(d, count, first, interleaved)):
            for name in "qk":
                size = math.hypot(float(plain[name][pair[0]]), float(plain[name][pair[1]]))
                if size < 1e-4 * float(plain[name].norm()):
                    continue
                there, _ = angle(turned[1][name], plain[name], pair)
                worst = max(worst, abs(there - wanted[j]) * min(1, size / (1e-2 * float(plain[name].norm()) + 1e-30)))
        if worst < 2e-5:
            break
    else:
        return f"turns otherwise at position 1: off by {worst}"
    if any(abs(w) > 0 for w in wanted[count // 2:]):
        return "more blocks turn than count"
    return None


def check(program, work, docs, chosen):
    decoders = chosen
    if not chosen:
        read = re.split(r"^## ", (docs / "models.md").read_text(), flags=re.M)[1]
        decoders = re.findall(r"^\| `([\w.-]+)` \|", read, flags=re.M)
    wrong = 0
    for decoder in decoders:
        try:
            fault = compare(program, work, decoder)
        except SystemExit as error:
            fault = str(error)
        except Exception as error:  # the small model does not run
            fault = f"not run: {type(error).__name__}: {str(error)[:160]!r}"
        print(f"{decoder}: {fault or 'the same'}", flush=True)
        wrong += fault is not None and not fault.startswith("not ")
    if wrong:
        sys.exit(f"{wrong} decoders differ")
