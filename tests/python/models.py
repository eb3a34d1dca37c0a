"""Tiny random transformers models of every kind that differs in its attention."""

import torch
import transformers

transformers.logging.set_verbosity_error()
VOCABULARY = 61
SHAPE = {
    "vocab_size": VOCABULARY,
    "hidden_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 6,
    "intermediate_size": 64,
    "max_position_embeddings": 128,
}
GROUPED = {**SHAPE, "num_key_value_heads": 2, "head_dim": 8}
MODELS = {
    "gpt2": lambda: transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=VOCABULARY, n_positions=128, n_embd=48, n_layer=2, n_head=3, scale_attn_by_inverse_layer_idx=True
        )
    ),
    "llama": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(**GROUPED)),
    "gpt_neox": lambda: transformers.GPTNeoXForCausalLM(transformers.GPTNeoXConfig(**SHAPE)),
    "qwen3": lambda: transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**GROUPED)),
    "gemma2": lambda: transformers.Gemma2ForCausalLM(
        transformers.Gemma2Config(**GROUPED, sliding_window=7, attn_logit_softcapping=2.0, query_pre_attn_scalar=8)
    ),
    "opt": lambda: transformers.OPTForCausalLM(
        transformers.OPTConfig(
            vocab_size=VOCABULARY,
            hidden_size=48,
            num_hidden_layers=2,
            num_attention_heads=6,
            ffn_dim=64,
            max_position_embeddings=128,
            word_embed_proj_dim=48,
        )
    ),
    "gpt_oss": lambda: transformers.GptOssForCausalLM(
        transformers.GptOssConfig(**GROUPED, sliding_window=7, num_local_experts=2, num_experts_per_tok=1)
    ),
    "bert": lambda: transformers.BertModel(transformers.BertConfig(**SHAPE)),  # attention to both sides
}


def model_of(name):
    """Every weight away from where it begins: zeros and ones would hide mistakes."""
    model = MODELS[name]()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model.eval()
