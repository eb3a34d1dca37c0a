"""Models of other libraries that are refused: what is changed in one that is as it should be, and the message."""

import torch

BIAS = "transformer.h.1.attn.c_attn.bias"
CROSS = "transformer.h.0.crossattention.c_attn.weight"


def cut(weights):
    weights[BIAS] = weights[BIAS][:-1].clone()


def integers(weights):
    weights[BIAS] = weights[BIAS].long()


def another(weights):
    weights[CROSS] = torch.ones(2)


def other_head(weights):
    weights["lm_head.weight"] = weights["transformer.wte.weight"] + 1


WEIGHTS = (
    (
        lambda weights: weights.pop(BIAS),
        f'DIR: tensor "{BIAS}" is missing; expected it with shape [72]; there is "transformer.h.0.attn.c_attn.bias"',
    ),
    (cut, f'DIR/model.safetensors: tensor "{BIAS}" is F32 [71]; expected F32 [72]'),
    (integers, f'DIR/model.safetensors: tensor "{BIAS}" is I64 [72]; expected F32, F16, BF16 or F64'),
    (another, f'DIR/model.safetensors: tensor "{CROSS}" has no place in a GPT-2 model of this config.json'),
    (
        other_head,
        'DIR/model.safetensors: tensor "lm_head.weight" differs from "transformer.wte.weight", '
        "but 'tie_word_embeddings' says that they are one",
    ),
)

# The model, what its config.json says instead (None: nothing), and the message.
CONFIGS = (
    (
        "gpt2",
        {"n_head": None},
        "DIR/config.json: key 'n_head' is missing; expected an integer from 1 to 1024",
    ),
    (
        "gpt2",
        {"n_layer": 0},
        "DIR/config.json: key 'n_layer' is 0; expected an integer from 1 to 1024",
    ),
    (
        "gpt2",
        {"n_layer": "3"},
        "DIR/config.json: key 'n_layer' is \"3\"; expected an integer from 1 to 1024",
    ),
    (
        "gpt2",
        {"vocab_size": 2**64 - 1},
        "DIR/config.json: key 'vocab_size' is 18446744073709551615; expected an integer from 1 to 65536",
    ),
    (
        "gpt2",
        {"activation_function": "silu"},
        "DIR/config.json: key 'activation_function' is \"silu\"; expected one of gelu, gelu_python, gelu_new, "
        "gelu_fast, gelu_pytorch_tanh, gelu_python_tanh, gelu_accurate, relu",
    ),
    (
        "gpt2",
        {"add_cross_attention": True},
        "DIR/config.json: key 'add_cross_attention' is true; expected false: a decoder on its own",
    ),
    (
        "gpt2",
        {"model_type": "llama"},
        "DIR/config.json: key 'model_type' is \"llama\"; expected one of gpt2, gpt_neox, nanogpt, tsm",
    ),
    (
        "gpt2",
        {"quantization_config": {}},
        "DIR/config.json: key 'quantization_config' is {}; expected weights that are not quantized",
    ),
    (
        "gpt2",
        {"n_layer": 4},
        'DIR: tensor "transformer.h.3.ln_1.weight" is missing; expected it with shape [24]; there is '
        '"transformer.h.0.ln_1.weight"',
    ),
    (
        "neox",
        {"rope_parameters": {"rope_type": "yarn", "factor": 2.0}},
        "DIR/config.json: key 'rope_parameters.rope_type' is \"yarn\"; expected one of default, linear",
    ),
    (
        "neox",
        {"rope_parameters": {"rope_type": "linear"}},
        "DIR/config.json: key 'rope_parameters.factor' is missing; expected a number from 1e-06 to 1e+06",
    ),
    (
        "neox",
        {"rope_parameters": [1]},
        "DIR/config.json: key 'rope_parameters' is [1]; expected an object",
    ),
    (
        "neox",
        {"rope_parameters": {"rope_theta": 10000, "partial_rotary_factor": 0.2}},
        "DIR/config.json: key 'partial_rotary_factor' or 'rotary_pct' is 0.2 of 16 coordinates; "
        "expected an even number of them, from 2",
    ),
    (
        "neox",
        {"num_attention_heads": 3},
        "model.width = 32 is not an even multiple of model.heads = 3",
    ),
    (
        "neox",
        {"use_parallel_residual": 1},
        "DIR/config.json: key 'use_parallel_residual' is 1; expected true or false",
    ),
)
