"""The command-line arguments of Megatron-LM are read as the config.json of the same model, and others are refused.

python tests/checks/megatron_test.py PROGRAMS WORK
"""

import json
import pathlib
import sys

from formats_test import CASES, refused, run, same

LLAMA_31 = """
# Llama 3.1 8B, as scripts of Megatron-LM have it
MODEL_ARGS=(
    --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 \\
    --num-attention-heads 32 --group-query-attention --num-query-groups=8
    --seq-length 8192 --max-position-embeddings 131072
    --position-embedding-type rope --rotary-base 500000 --use-rope-scaling --rope-scaling-factor 8.0
    --rotary-percent 1.0   # --rotary-interleaved
    --normalization RMSNorm --attention-dropout 0.0
)
"""


def check_megatron(folder, work):
    file, config = work / "arguments.txt", work / "arguments.json"
    file.write_text(LLAMA_31)
    same(folder, file, CASES / "llama-3.1-8b.json")
    shown = run(folder / "check-properties", file, "--show-encoding").stdout
    if "command-line arguments, read as model_type megatron, as Megatron-LM reads it" not in shown:
        sys.exit(f"{file}: {shown}")
    size = "--num-layers 4 --hidden-size 512 --num-attention-heads 8 --kv-channels 64 --seq-length 4096 "
    base = {"hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8, "num_key_value_heads": 8}
    base |= {"max_position_embeddings": 4096, "head_dim": 64, "vocab_size": 320}
    rope, sliding = size + "--use-rotary-position-embeddings ", {"sliding_window": 128}
    half = {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}}
    linear = {"rope_parameters": {"rope_type": "linear", "rope_theta": 10000.0, "factor": 4.0}}
    kinds = ["sliding_attention", "full_attention"] * 2
    for arguments, keys in (
        (rope + "--rotary-base 1000", {"model_type": "llama", "rope_theta": 1000.0}),
        (f'ARGS="--rotary-base 1000 {rope}"', {"model_type": "llama", "rope_theta": 1000.0}),
        (
            f"ARGS=(--use-rotary-position-embeddings {size}); ARGS+=(--rotary-base 1000);",
            {"model_type": "llama", "rope_theta": 1000.0},
        ),
        (
            f"ARGS=({size} --rotary-base 1000 --position-embedding-type rope)",
            {"model_type": "llama", "rope_theta": 1000.0},
        ),
        (f"({rope} --rotary-interleaved --rotary-percent 0.5);", {"model_type": "glm"} | half),
        (rope + "--rotary-percent 0.5", {"model_type": "phi"} | half),
        (rope + "--rotary-interleaved --rotary-percent 0.5", {"model_type": "glm"} | half),
        (rope + "--rotary-seq-len-interpolation-factor 4", {"model_type": "llama"} | linear),
        (rope + "--window-size 127,0", {"model_type": "mistral"} | sliding),
        (
            rope + "--window-size (127, 0) --window-attn-skip-freq 2 --softmax-type learnable",
            {
                "model_type": "gpt_oss",
                "layer_types": kinds,
                "rope_parameters": {"rope_type": "default", "rope_theta": 1e4},
            }
            | sliding,
        ),
        (
            rope + "--window-size 127,0 --window-attn-skip-freq [1,0,1,0] --qk-layernorm",
            {"model_type": "qwen3", "layer_types": kinds, "use_sliding_window": True} | sliding,
        ),
        (size + "--position-embedding-type none", {"model_type": "smollm3", "no_rope_layers": [0] * 4}),
        (rope + "--group-query-attention --num-query-groups 2", {"model_type": "llama", "num_key_value_heads": 2}),
    ):
        file.write_text(arguments)
        config.write_text(json.dumps(base | keys))
        same(folder, file, config)
    for arguments, what in (
        (size, "positions are learned_absolute; expected --position-embedding-type rope or none"),
        ("--num-layers 4", "no --num-attention-heads; expected the arguments of Megatron-LM"),
        (rope + "--rotary-bse 10", "--rotary-bse is not read; did you mean '--rotary-base'?"),
        (rope + "--yarn-mscale 1", "--yarn-mscale is not read"),
        (rope + "--multi-latent-attention", "--multi-latent-attention is not read"),
        (rope + "--rope-scaling-factor 8", "is 8; expected --use-rope-scaling beside it"),
        (rope + "--rotary-base", "--rotary-base has no value; expected one"),
        (rope + "--rotary-base $BASE", "--rotary-base is $BASE; expected a number"),
        (rope + "--window-size 127", "--window-size is 127; expected LEFT,0"),
        (rope + f"--window-size {2**63 - 1},0", f"--window-size is {2**63 - 1},0; expected LEFT,0"),
        (
            rope + "$(echo:--rotary-base) 7",
            "'$(echo:--rotary-base)' is not read; expected --rotary-base as a word of its",
        ),
        (rope + "--window-size 127,0 --window-attn-skip-freq [1,0]", "expected a whole number, or a list of 0 and 1"),
        (
            rope + "--window-size 127,0 --window-attn-skip-freq [1,0,1,2]",
            "expected a whole number, or a list of 0 and 1",
        ),
        (rope.replace("--num-layers 4", "--num-layers 0"), "--num-layers is 0; expected a whole number from 1"),
    ):
        file.write_text(arguments)
        refused(folder, file, what)


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
    check_megatron(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
