"""The heads of GGUF files in tests/cases/configs, written by the package gguf (pip install gguf).

python tests/cases/make_gguf.py
"""

import pathlib

import gguf
import numpy

FOLDER = pathlib.Path(__file__).parent / "configs"


def write(name, architecture, numbers, more=lambda writer: None):
    writer = gguf.GGUFWriter(FOLDER / f"{name}.gguf", architecture)
    layers, width, heads, key_heads, head_dim, context, base = numbers
    writer.add_block_count(layers)
    writer.add_embedding_length(width)
    writer.add_head_count(heads)
    writer.add_head_count_kv(key_heads)
    writer.add_key_length(head_dim)
    writer.add_rope_dimension_count(head_dim)
    writer.add_context_length(context)
    writer.add_rope_freq_base(base)
    writer.add_token_list(["<s>", "a", "é"])
    more(writer)
    writer.add_tensor("output_norm.weight", numpy.ones(4, dtype=numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()


def yarn(writer):
    writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
    writer.add_rope_scaling_factor(4.0)
    writer.add_rope_scaling_orig_ctx_len(32768)


def gemma(writer):
    writer.add_sliding_window(1024)
    writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    writer.add_rope_scaling_factor(8.0)


write("qwen3-8b-yarn", "qwen3", (36, 4096, 32, 8, 128, 40960, 1000000.0), yarn)
write("gemma-3-4b", "gemma3", (34, 2560, 8, 4, 256, 131072, 1000000.0), gemma)
