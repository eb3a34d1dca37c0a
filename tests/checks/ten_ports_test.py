"""Ten configs of public model cards, each beside a port with one wrong key: the fault is named, in its layers.

python tests/checks/ten_ports_test.py PROGRAMS WORK
"""

import json
import pathlib
import subprocess
import sys

CASES = pathlib.Path(__file__).resolve().parents[1] / "cases/configs"
# The keys of scores, as the cards have them.
PHI4_MINI = {
    "model_type": "phi3",
    "hidden_size": 3072,
    "num_attention_heads": 24,
    "num_key_value_heads": 8,
    "num_hidden_layers": 32,
    "max_position_embeddings": 131072,
    "original_max_position_embeddings": 4096,
    "partial_rotary_factor": 0.75,
    "rope_theta": 10000.0,
    "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 48, "long_factor": [1.0 + j for j in range(48)]},
}
DEEPSEEK_V3 = {
    "model_type": "deepseek_v3",
    "num_attention_heads": 128,
    "num_key_value_heads": 128,
    "num_hidden_layers": 61,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128,
    "v_head_dim": 128,
    "kv_lora_rank": 512,
    "max_position_embeddings": 163840,
    "rope_theta": 10000,
    "rope_scaling": {
        "type": "yarn",
        "factor": 40,
        "beta_fast": 32,
        "beta_slow": 1,
        "mscale": 1.0,
        "mscale_all_dim": 1.0,
        "original_max_position_embeddings": 4096,
    },
}
LLAMA_32 = {
    "model_type": "llama",
    "hidden_size": 2048,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "num_hidden_layers": 16,
    "max_position_embeddings": 131072,
    "rope_theta": 500000.0,
    "rope_scaling": {
        "rope_type": "llama3",
        "factor": 32.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
}
GEMMA_2 = {
    "model_type": "gemma2",
    "hidden_size": 4608,
    "num_attention_heads": 32,
    "num_key_value_heads": 16,
    "head_dim": 128,
    "num_hidden_layers": 46,
    "query_pre_attn_scalar": 144,
    "sliding_window": 4096,
    "attn_logit_softcapping": 50.0,
}
MISTRAL = {
    "model_type": "mistral",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_hidden_layers": 32,
    "sliding_window": 4096,
    "max_position_embeddings": 32768,
    "rope_theta": 10000.0,
}
QWEN3_NEXT = {
    "model_type": "qwen3_next",
    "num_hidden_layers": 48,
    "max_position_embeddings": 262144,
    "partial_rotary_factor": 0.25,
    "rope_theta": 10000000,
}


NULL = object()


def of_case(name):
    return json.loads((CASES / f"{name}.json").read_text())


def changed(config, keys):
    """Keys inside are "outer.inner"; None takes one away, and NULL makes it null."""
    port = json.loads(json.dumps(config))
    for key, value in keys.items():
        home, _, inner = key.rpartition(".")
        place = port[home] if home else port
        place.pop(inner, None)
        if value is not None:
            place[inner] = None if value is NULL else value
    return port


#: Of each port, its wrong keys, and what is to stand in the answer.
PORTS = {
    "Llama 3.1 8B": (of_case("llama-3.1-8b"), {"rope_theta": 10000.0}, ["layers 1-32", "base  500000  10000"]),
    "Llama 3.2 1B": (LLAMA_32, {"rope_scaling.factor": 8.0}, ["layers 1-16", "factor  32", "8"]),
    "Gemma 3 4B": (
        of_case("gemma-3-4b"),
        {"text_config.rope_scaling": None},
        ["layers 6, 12, 18, 24, 30", "factor  8", "none"],
    ),
    "gpt-oss 20B": (
        of_case("gpt-oss-20b"),
        {"sliding_window": 127},
        ["layers 1, 3, 5, 7, 9, 11,", "window", "128", "127"],
    ),
    "Qwen3 8B with YaRN": (of_case("qwen3-8b-yarn"), {"rope_scaling": None}, ["layers 1-36", "factor"]),
    "Phi-4 mini": (PHI4_MINI, {"partial_rotary_factor": 1.0, "rope_scaling": None}, ["layers 1-32", "angle"]),
    "DeepSeek V3": (DEEPSEEK_V3, {"rope_scaling.mscale_all_dim": None}, ["layers 1-61", "gain"]),
    "Gemma 2 27B": (GEMMA_2, {"query_pre_attn_scalar": 128}, ["layers 1", "gain"]),
    "Mistral 7B": (MISTRAL, {"sliding_window": NULL}, ["layers 1-32", "window", "4096"]),
    "Qwen3-Next": (QWEN3_NEXT, {"full_attention_interval": 2}, ["no attention and qwen3_next"]),
}


def main():
    programs, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    original, port = work / "original.json", work / "port.json"
    for name, (config, keys, expected) in PORTS.items():
        original.write_text(json.dumps(config))
        port.write_text(json.dumps(config))
        command = [programs / "compare-configs", original, port, "--lengths", "64,8192"]
        if subprocess.run(command, capture_output=True).returncode != 0:
            sys.exit(f"{name} is not the same as itself")
        port.write_text(json.dumps(changed(config, keys)))
        done = subprocess.run(command, capture_output=True, text=True)
        missing = [part for part in expected if part not in done.stdout]
        if done.returncode != 3 or missing:
            print(
                f"{name}: exit {done.returncode}; expected in the answer {missing}:\n{done.stdout[:900]}{done.stderr}"
            )
    print(f"{len(PORTS)} wrong ports are named")


if __name__ == "__main__":
    main()
