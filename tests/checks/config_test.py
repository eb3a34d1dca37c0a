"""What check-properties makes of a config.json is what transformers computes with: frequencies,
factors of the score, slopes, buckets, and the keys that a layer sees. Configurations are written
as the Hub has them, and as transformers saves them.

    python tests/checks/config_test.py PROGRAMS WORK
"""

import json
import math
import pathlib
import subprocess
import sys
import tomllib

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)
import torch
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

transformers.logging.set_verbosity_error()
SMALL = {
    "vocab_size": 61,
    "hidden_size": 96,
    "intermediate_size": 48,
    "num_hidden_layers": 6,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "max_position_embeddings": 2048,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 256,
}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 512}
SHORT, LONG = [1, 1.05, 1.1, 1.2, 1.4, 1.8, 2.2, 2.6], [1, 1.3, 2, 4, 8, 16, 30, 64.8]
LONGROPE = {"short_factor": SHORT, "long_factor": LONG}
NEOX = {
    "vocab_size": 61,
    "hidden_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 48,
    "max_position_embeddings": 2048,
}
# Family, keys beyond SMALL (or instead of it): rotation, windows, scale.
CASES = [
    ("llama", {"rope_theta": 500000.0, "rope_scaling": LLAMA3}),
    ("llama", {"rope_theta": 12345.5, "head_dim": 24}),
    ("llama", {"rope_parameters": {"rope_type": "linear", "factor": 2.5, "rope_theta": 10000.0}}),
    ("llama", {"rope_scaling": {"type": "dynamic", "factor": 2.0}}),
    ("llama", {"rope_scaling": YARN}),
    ("llama", {"rope_scaling": YARN | {"attention_factor": 1.25, "beta_fast": 16.0, "beta_slow": 2}}),
    ("llama", {"rope_scaling": YARN | {"mscale": 0.7, "mscale_all_dim": 1.1, "truncate": False}}),
    ("llama", {"rope_scaling": YARN | {"mscale": 1.0, "mscale_all_dim": 1.0}}),
    (
        "llama",
        {"rope_scaling": {"rope_type": "longrope", "factor": 8.0, "original_max_position_embeddings": 256} | LONGROPE},
    ),
    ("llama", {"rope_parameters": {"rope_type": "proportional", "rope_theta": 1e4, "partial_rotary_factor": 0.25}}),
    ("mistral", {"sliding_window": 8}),
    ("mistral", {"sliding_window": None}),
    ("mixtral", {"sliding_window": 8, "num_local_experts": 2}),
    ("starcoder2", {"sliding_window": 8}),
    ("qwen2", {"use_sliding_window": True, "sliding_window": 8, "max_window_layers": 2, "rope_theta": 1000000.0}),
    ("qwen2", {"use_sliding_window": False, "sliding_window": 8, "max_window_layers": 2}),
    (
        "qwen3",
        {
            "head_dim": 32,
            "layer_types": ["full_attention", "sliding_attention"] * 3,
            "sliding_window": 8,
            "use_sliding_window": True,
        },
    ),
    (
        "qwen3_moe",
        {
            "head_dim": 16,
            "use_sliding_window": True,
            "sliding_window": 8,
            "num_experts": 2,
            "num_experts_per_tok": 1,
            "moe_intermediate_size": 16,
        },
    ),
    ("gemma", {"head_dim": 32}),
    ("gemma2", {"head_dim": 32, "sliding_window": 8, "query_pre_attn_scalar": 48}),
    (
        "gemma3_text",
        {
            "head_dim": 16,
            "sliding_window": 8,
            "query_pre_attn_scalar": 16,
            "rope_local_base_freq": 9000.0,
            "rope_scaling": {"rope_type": "linear", "factor": 8.0},
            "sliding_window_pattern": 3,
        },
    ),
    (
        "gemma3_text",
        {
            "head_dim": 16,
            "sliding_window": 8,
            "rope_parameters": {
                "full_attention": YARN | {"rope_theta": 2e6},
                "sliding_attention": {"rope_type": "default"},
            },
        },
    ),
    (
        "gpt_oss",
        {
            "head_dim": 16,
            "sliding_window": 8,
            "num_local_experts": 2,
            "num_experts_per_tok": 1,
            "rope_theta": 150000,
            "rope_scaling": YARN | {"truncate": False, "beta_fast": 32.0, "beta_slow": 1.0},
        },
    ),
    ("gpt_neox", NEOX | {"rotary_pct": 0.25, "rotary_emb_base": 20000}),
    ("gpt_neox", NEOX | {"rotary_pct": 1.0, "rope_scaling": {"type": "linear", "factor": 3.0}}),
    ("phi", {"partial_rotary_factor": 0.25}),
    ("phi", {}),
    (
        "phi3",
        {
            "partial_rotary_factor": 0.75,
            "rope_scaling": {"type": "longrope", "short_factor": SHORT[:6], "long_factor": LONG[:6]},
            "original_max_position_embeddings": 256,
            "sliding_window": 8,
        },
    ),
    ("stablelm", {}),
    ("nemotron", {"partial_rotary_factor": 0.5}),
    ("glm", {"head_dim": 16}),
    ("glm4", {"head_dim": 16, "partial_rotary_factor": 0.25}),
    ("cohere", {}),
    ("cohere2", {"sliding_window": 8, "sliding_window_pattern": 3, "rope_theta": 50000}),
    ("olmo", {}),
    ("olmo2", {"rope_theta": 500000}),
    ("olmo3", {"sliding_window": 8, "rope_scaling": YARN | {"attention_factor": 1.2}}),
    ("granite", {"attention_multiplier": 0.015625}),
    ("smollm3", {"no_rope_layer_interval": 3}),
    (
        "ministral3",
        {
            "head_dim": 16,
            "rope_parameters": YARN
            | {"type": "yarn", "rope_theta": 1e6, "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1},
        },
    ),
    ("exaone4", {"sliding_window": 8, "sliding_window_pattern": 3}),
    ("exaone4", {"sliding_window": None, "layer_types": ["full_attention"] * 6}),
    (
        "deepseek_v3",
        {
            "qk_rope_head_dim": 16,
            "qk_nope_head_dim": 32,
            "v_head_dim": 16,
            "kv_lora_rank": 16,
            "q_lora_rank": 16,
            "n_routed_experts": 4,
            "n_group": 1,
            "topk_group": 1,
            "num_experts_per_tok": 2,
            "num_key_value_heads": 6,
            "moe_intermediate_size": 16,
            "rope_scaling": YARN | {"mscale": 1.0, "mscale_all_dim": 1.0},
        },
    ),
    ("falcon", {"alibi": False, "new_decoder_architecture": True, "num_kv_heads": 2, "rope_theta": 30000.0}),
]
LENGTHS = [64, 255, 256, 511, 512, 2048, 4000]


class Program:
    def __init__(self, folder):
        self.program = pathlib.Path(folder) / "check-properties"

    def json(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments), "--format", "json"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, arguments))}: exit {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)

    def tables(self, config, kind):
        """By name of an encoding, its rows; those that do not rotate have none."""
        done = self.json(config, "--table", kind, "--lengths", ",".join(map(str, LENGTHS)))
        return {table["encoding"]: table["rows"] for table in done.get("tables", [done])}


def fail(where, what):
    sys.exit(f"{where}: {what}")


def close(where, ours, theirs, tolerance=2e-6):
    if len(ours) != len(theirs):
        fail(where, f"{len(ours)} values, transformers has {len(theirs)}")
    for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if abs(a - b) > tolerance * abs(b):
            fail(where, f"entry {i} is {a}, transformers has {b}")


def modules(model, name):
    return [module for module in model.modules() if hasattr(module, name)]


def rope_of(model, config, layer_type, length):
    """Frequencies and the factor of cos and sin at a sequence of length + 1 tokens."""
    rope = modules(model, "rope_type")[0]
    by_layer = isinstance(rope.rope_type, dict)
    kind = rope.rope_type[layer_type] if by_layer else rope.rope_type
    prefix = f"{layer_type}_" if by_layer else ""
    if kind in ("dynamic", "longrope"):
        return ROPE_INIT_FUNCTIONS[kind](
            config, "cpu", seq_len=length + 1, **({"layer_type": layer_type} if by_layer else {})
        )
    return getattr(rope, prefix + "inv_freq"), getattr(rope, prefix + "attention_scaling")


def scale_of(model, layer, head_dim):
    attention = modules(model, "scaling") or modules(model, "inv_norm_factor")
    scales = [getattr(module, "scaling", getattr(module, "inv_norm_factor", None)) for module in attention]
    return scales[layer] * math.sqrt(head_dim)


def length_factor(config, length):
    beta = (config.rope_parameters or {}).get("llama_4_scaling_beta")
    if not beta:
        return 1
    from transformers.models.ministral3.modeling_ministral3 import get_llama_4_attn_scale

    at = torch.tensor([[length]])
    return get_llama_4_attn_scale(at, beta, config.rope_parameters["original_max_position_embeddings"]).item()


def check_encoding(where, program, config_file, encoding, model, config, seen):
    toml = tomllib.loads(encoding["toml"])
    score, d = toml["score"], encoding["head_dim"]
    layer = encoding["layers"][0] - 1
    layer_type = (getattr(config, "layer_types", None) or ["full_attention"] * 99)[layer]
    rotates = "rotation" in score
    window = int(toml["parameters"]["W"]["default"]) if "window" in score else None
    tokens = seen.shape[-1]
    for number in encoding["layers"]:
        kept = int((seen[number - 1][-1] > 0).sum())
        if kept != min(tokens, window or tokens):
            fail(where, f"layer {number} sees {kept} of {tokens} tokens; its window is {window}")
    factors = program.tables(config_file, "temperature")[encoding["name"]]
    for length in LENGTHS:
        at = [row for row in factors if row["length"] in ("every", str(length))]
        factor = []
        for block in range(d // 2):
            factor.append([float(row["factor"]) for row in at if int(row["from block"]) <= block][-1])
        plain = scale_of(model, layer, d) * length_factor(config, length)
        if not rotates:
            close(f"{where}: factor", factor, [plain] * (d // 2))
            continue
        inverse, attention = rope_of(model, config, layer_type, length)
        turned = len(inverse)
        close(f"{where}: factor at L = {length}", factor, [plain * attention**2] * turned + [plain] * (d // 2 - turned))
        rows = program.frequency_rows[encoding["name"]]
        ours = [float(row["frequency"]) for row in rows if row.get("length", str(length)) == str(length)]
        close(f"{where}: frequencies at L = {length}", ours, inverse.tolist() + [0.0] * (d // 2 - turned))


def check_rotary(program, work, number, family, keys):
    base = {} if family == "gpt_neox" else SMALL
    content = {"model_type": family} | base | keys
    config = transformers.CONFIG_MAPPING[family].from_dict(json.loads(json.dumps(content)))
    config._attn_implementation = "eager"
    torch.manual_seed(number)
    model = transformers.AutoModelForCausalLM.from_config(config).eval()
    ids = torch.randint(3, 61, (1, 24), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        seen = torch.stack([layer[0, 0] for layer in model(ids, output_attentions=True).attentions])
    saved = work / f"saved-{number}"
    config.save_pretrained(saved)
    stated = work / f"config-{number}.json"
    stated.write_text(json.dumps(content))
    for file in (stated, saved / "config.json"):
        where = f"case {number}, {family}, {file.name}"
        encodings = program.json(file, "--show-encoding")["encodings"]
        if sorted(layer for one in encodings for layer in one["layers"]) != list(range(1, len(seen) + 1)):
            fail(where, "the encodings do not share out the layers")
        turning = [one for one in encodings if "rotation" in tomllib.loads(one["toml"])["score"]]
        program.frequency_rows = {}
        for one in turning:
            toml = work / f"{one['name']}.toml"
            toml.write_text(one["toml"])
            rows = program.json(
                toml, "--head-dim", one["head_dim"], "--table", "frequencies", "--lengths", ",".join(map(str, LENGTHS))
            )["rows"]
            program.frequency_rows[one["name"]] = rows
        for one in encodings:
            check_encoding(f"{where}, {one['name']}", program, file, one, model, config, seen)


def check_slopes(program, work):
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor as bloom
    from transformers.models.falcon.modeling_falcon import build_alibi_tensor as falcon
    from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor as mpt

    for heads in (1, 2, 3, 6, 8, 12, 20):
        mask = torch.ones(1, 3)
        wide = 16 * heads
        cases = [
            (
                {"model_type": "bloom", "hidden_size": wide, "n_head": heads, "n_layer": 2},
                bloom(mask, heads, torch.float32)[:, 0],
                1e-6,
            ),
            (
                {
                    "model_type": "falcon",
                    "alibi": True,
                    "hidden_size": wide,
                    "num_attention_heads": heads,
                    "num_hidden_layers": 2,
                },
                falcon(mask, heads, torch.float32)[:, 0] / 4,
                4e-3,
            ),  # in bfloat16; divided by the root of 16
            (
                {
                    "model_type": "mpt",
                    "d_model": wide,
                    "n_heads": heads,
                    "n_layers": 2,
                    "attn_config": {"alibi_bias_max": 6},
                },
                mpt(heads, 3, alibi_bias_max=6)[:, 0],
                1e-6,
            ),
        ]
        for content, bias, tolerance in cases:
            file = work / "alibi.json"
            file.write_text(json.dumps(content))
            rows = program.tables(file, "slopes")[content["model_type"]]
            close(
                f"slopes of {content['model_type']} with {heads} heads",
                [float(row["decimal"]) for row in rows],
                (bias[:, 2] - bias[:, 1]).tolist(),
                tolerance,
            )


def check_buckets(program, work):
    from transformers.models.t5.modeling_t5 import T5Attention

    for buckets, farthest in ((32, 128), (32, 200), (16, 64), (64, 1000)):
        file = work / "t5.json"
        file.write_text(
            json.dumps(
                {
                    "model_type": "t5",
                    "d_model": 64,
                    "d_kv": 16,
                    "num_heads": 4,
                    "num_layers": 2,
                    "relative_attention_num_buckets": buckets,
                    "relative_attention_max_distance": farthest,
                }
            )
        )
        rows = program.tables(file, "buckets")["t5"]
        first = [int(row["from n"]) for row in rows if row["head"] == "1"]
        distance = torch.arange(2000)
        theirs = T5Attention._relative_position_bucket(
            -distance, bidirectional=False, num_buckets=buckets, max_distance=farthest
        )
        changes = [0] + [n for n in range(1, 2000) if theirs[n] != theirs[n - 1]]
        close(f"{buckets} buckets up to {farthest}", first, changes, 0)


def main():
    programs, work = sys.argv[1], pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    program = Program(programs)
    check_slopes(program, work)
    check_buckets(program, work)
    for number, (family, keys) in enumerate(CASES):
        check_rotary(program, work, number, family, keys)
    print(f"{len(CASES)} configurations of {len({family for family, _ in CASES})} families")


if __name__ == "__main__":
    main()
