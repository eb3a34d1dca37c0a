"""Small random models of transformers, whose attention is held against what is made of their config.json."""

import json
import os
import pathlib
import re
import sys

import torch
import transformers
from transformers import CONFIG_MAPPING, AutoModel, AutoModelForCausalLM

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "probes" / "python"))

from gpe._errors import SpecError
from gpe.conformance import Conformance, NotConforming

transformers.logging.set_verbosity_error()
WINDOW, MOST = 8, 3 * 10**9
SMALL = {
    "vocab_size": 64,
    "vocab_size_per_layer_input": 64,
    "hidden_size": 64,
    "intermediate_size": 32,
    "moe_intermediate_size": 16,
    "num_experts": 4,
    "num_local_experts": 4,
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
    "n_group": 1,
    "topk_group": 1,
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "shared_expert_intermediate_size": 16,
    "moe_num_experts": 4,
    "moe_k": 2,
    "num_hidden_layers": 12,
    "sliding_window": WINDOW,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "mamba_n_heads": 4,
    "mamba_d_head": 32,
    "mamba_d_state": 16,
    "mamba_n_groups": 1,
    "mamba_chunk_size": 16,
    "mamba_d_ssm": 128,
}
MROPE = {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 3, 3]}}
HUNYUAN = {
    "head_dim": 16,
    "rope_parameters": {
        "type": "dynamic",
        "rope_type": "dynamic",
        "alpha": 100.0,
        "rope_theta": 10000.0,
        "factor": 1.0,
    },
}
# Keys that a small model of this type needs.
MORE = {
    "codegen": {"n_embd": 64, "n_layer": 2, "n_head": 4, "rotary_dim": 8, "n_positions": 200_001},
    "gptj": {"n_embd": 64, "n_layer": 2, "n_head": 4, "rotary_dim": 8, "n_positions": 200_001},
    "bamba": {"attn_layer_indices": [3, 7]},
    "cohere_compass_text": {
        "head_dim": 16,
        "layer_types": ["full_attention", "sliding_attention"] * 6,
        "rope_parameters": {
            "full_attention": None,
            "sliding_attention": MROPE["rope_parameters"],
        },
    },
    "deepseek_v2": {"topk_group": 1, "n_group": 1, "num_experts_per_tok": 2},
    "dots1": {"n_routed_experts": 4},
    "dots3_note_text": {
        "num_key_value_heads": 4,
        "swa_num_attention_heads": 2,
        "swa_num_key_value_heads": 2,
        "swa_q_lora_rank": 16,
        "swa_kv_lora_rank": 16,
    },
    "ernie4_5_vl_moe_text": {
        "moe_intermediate_size": [16, 16],
        "rope_parameters": {"rope_type": "default", "rope_theta": 500000.0, "mrope_section": [3, 3, 2]},
    },
    "gemma3n_text": {"num_hidden_layers": 20, "num_kv_shared_layers": 5},
    "glm4v_text": MROPE,
    "glm_ocr_text": MROPE,
    "glm4v_moe_text": {
        "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2], "partial_rotary_factor": 0.5}
    },
    "kimi_linear": {"linear_head_dim": 16, "linear_num_heads": 4},
    "glm5_next_text": {"linear_head_dim": 16, "linear_num_heads": 4},
    "bloom": {"hidden_size": 96, "n_head": 6, "n_layer": 2},
    "mpt": {"d_model": 64, "n_heads": 4, "n_layers": 2},
    "udop": {"d_model": 64, "num_layers": 2, "num_decoder_layers": 3, "d_kv": 16, "d_ff": 32, "num_heads": 4},
    "pix2struct_text_model": {"num_layers": 2, "num_heads": 4, "d_kv": 16, "d_ff": 32},
    "granitemoehybrid": {"layer_types": ["linear_attention", "full_attention"] * 6, "position_embedding_type": "rope"},
    "helium": {"head_dim": 16},
    "nemotron": {"head_dim": 16, "num_key_value_heads": 2},
    "ministral": {"head_dim": 16},
    "hunyuan_v1_dense": HUNYUAN,
    "hunyuan_v1_moe": HUNYUAN,
    "hunyuan_vl_text": MROPE | {"head_dim": 16},
    "laguna": {"layer_types": ["full_attention", "sliding_attention"] * 6},
    "mellum": {"layer_types": ["full_attention", "sliding_attention"] * 6},
    "lfm2": {"full_attn_idxs": [2, 5, 8]},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 6},
    "qwen2_5_vl_text": MROPE,
    "qwen2_vl_text": MROPE,
    "qwen2_5_omni_text": MROPE,
    "qwen3_omni_moe_text": MROPE | {"head_dim": 16},
    "qwen4_exp_text": {
        "indexer_n_heads": 2,
        "indexer_kv_heads": 1,
        "indexer_head_dim": 256,
        "indexer_budget": 64,
        "indexer_compress_ratio": 4,
    },
    "qwen3_vl_moe_text": {"num_experts": 4},
    "muse_glimmer_text": {"layer_rope_theta": [0 if i % 4 == 3 else 10000.0 for i in range(12)]},
    "granite_swa": {
        "layer_rope_theta": [0, 10000.0, 10000.0, 500.0, 0, 10000.0, 500.0, 10000.0, 0, 500.0, 10000.0, 10000.0]
    },
    "step3p5": {
        "layer_types": ["full_attention", "sliding_attention"] * 6,
        "sliding_window": WINDOW,
        "num_sliding_attention_heads": 6,
    },
    "zamba2": {"num_hidden_layers": 54},
    "zaya": {"num_experts_per_tok": 1, "layer_types": ["hybrid", "hybrid_sliding"] * 6, "sliding_window": WINDOW},
    "recurrent_gemma": {"attention_window_size": WINDOW},
    "modernbert-decoder": {"local_attention": 2 * WINDOW},
}


def small_keys(decoder):
    config_class = CONFIG_MAPPING[decoder]
    fields = config_class.__dataclass_fields__
    keys = {
        key: value
        for key, value in SMALL.items()
        if key in fields and getattr(fields[key], "default", None) is not None
    }
    if "qk_nope_head_dim" in fields:
        keys["num_key_value_heads"] = keys["num_attention_heads"]
    if isinstance(getattr(fields.get("layer_types"), "default", None), (list, tuple)):
        keys["layer_types"] = None
    return keys | MORE.get(decoder, {})


def small_model(work, decoder, **more):
    """A small random model of this type, and its config.json; `more` are keys of the model alone."""
    keys = small_keys(decoder)
    torch.manual_seed(0)
    config = CONFIG_MAPPING[decoder](**json.loads(json.dumps(keys | more)))

    def made():
        try:
            return AutoModel.from_config(config)
        except ValueError:
            return AutoModelForCausalLM.from_config(config)

    with torch.device("meta"):
        if sum(value.numel() for value in made().parameters()) > MOST:
            raise ValueError("it is large")
    file = work / f"small-{decoder}.json"
    file.write_text(json.dumps({"model_type": decoder} | keys))
    return made(), file


def compare(work, decoder):
    if decoder == "recurrent_gemma":
        return "not asked: its states begin anew at position 0"
    model, file = small_model(work, decoder)
    try:
        Conformance(file).module(model)
    except NotConforming as error:
        return str(error)
    except SpecError as error:
        return f"not asked: {error}"
    return None


def use(programs):
    os.environ["PATH"] = os.path.abspath(programs) + os.pathsep + os.environ["PATH"]


def check(programs, work, docs, chosen, compare=compare):
    use(programs)
    decoders = chosen
    if not chosen:
        read = re.split(r"^## ", (docs / "tables" / "models.md").read_text(), flags=re.M)[1]
        decoders = re.findall(r"^\| `([\w.-]+)` \|", read, flags=re.M)
    wrong = 0
    for decoder in decoders:
        try:
            fault = compare(work, decoder)
        except (Exception, SystemExit) as error:  # the small model does not run
            fault = f"not run: {type(error).__name__}: {str(error)[:160]!r}"
        print(f"{decoder}: {fault or 'the same'}", flush=True)
        wrong += fault is not None and not fault.startswith("not ")
    if wrong:
        sys.exit(f"{wrong} decoders differ")
