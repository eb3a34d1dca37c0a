"""gpe.conformance examines models of transformers: their own code passes, and changed in one
place it is refused by the name of the fault.

python tests/checks/module_test.py PROGRAMS WORK
"""

import contextlib
import importlib
import inspect
import json
import pathlib
import sys

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)
import spied
import torch
from transformers import CONFIG_MAPPING, AutoModel

from gpe._errors import SpecError
from gpe.conformance import Conformance, NotConforming

RIGHT = (
    "llama",
    "qwen3",
    "gpt_oss",
    "gemma2",
    "gemma3_text",
    "llama4_text",
    "ministral3",
    "mistral",
    "olmo2",
    "deepseek_v3",
    "hunyuan_v1_dense",
    "granite_swa",
    "cohere",
    "nanochat",
    "phi",
    "lfm2",
)


@contextlib.contextmanager
def changed(home, name, *edits):
    """A class or function of a module of transformers, with other text in its code."""
    module = importlib.import_module(home)
    before = getattr(module, name)
    source = inspect.getsource(before)
    for old, new in edits:
        if old not in source:
            sys.exit(f"{home}.{name} has no '{old}'")
        source = source.replace(old, new)
    try:
        exec(compile("from __future__ import annotations\n" + source, module.__file__, "exec"), module.__dict__)
        yield
    finally:
        setattr(module, name, before)


def fault_of(work, decoder, **more):
    return fault_in(*spied.small_model(work, decoder, **more))


def fault_in(model, file):
    before = [value.clone() for value in model.parameters()]
    try:
        Conformance(file).module(model)
    except NotConforming as error:
        return str(error)
    finally:
        if not all(torch.equal(*pair) for pair in zip(before, model.parameters(), strict=True)):
            sys.exit(f"{file}: its weights are others afterwards")
        if model.config._attn_implementation == "gpe_conformance":
            sys.exit(f"{file}: its attention implementation is another afterwards")
    return ""


def code(decoder):
    return f"transformers.models.{decoder}.modeling_{decoder}"


ACROSS = """def whole(x):
        rows = x.transpose(1, 2).flatten(2)
        return (torch.cat((-rows[..., rows.shape[-1] // 2:], rows[..., :rows.shape[-1] // 2]), -1)
                .unflatten(2, (x.shape[1], x.shape[3])).transpose(1, 2))
    q_embed = (q * cos) + (whole(q) * sin)
    k_embed = (k * cos) + (whole(k) * sin)"""
APPLY = "query_states, key_states = apply_rotary_pos_emb(query_states, key_states, cos, sin)"
TURN = f"cos, sin = position_embeddings\n        {APPLY}"
QWEN3 = [
    ("self.q_norm(self.q_proj(hidden_states).view(hidden_shape))", "self.q_proj(hidden_states).view(hidden_shape)"),
    ("self.k_norm(self.k_proj(hidden_states).view(hidden_shape))", "self.k_proj(hidden_states).view(hidden_shape)"),
    (TURN, TURN + "\n        query_states, key_states = self.q_norm(query_states), self.k_norm(key_states)"),
]
HUNYUAN = [
    (TURN, "cos, sin = position_embeddings"),
    (
        "key_states = self.key_layernorm(key_states)",
        f"key_states = self.key_layernorm(key_states)\n        {APPLY}",
    ),
]
LLAMA4 = [
    ("(query_states * attn_scales)", "query_states"),
    (
        "query_states = query_states.transpose(1, 2)",
        "key_states = key_states * attn_scales if 'attn_scales' in dir() else key_states\n"
        "        query_states = query_states.transpose(1, 2)",
    ),
]
NEIGHBOURS = [
    ("return torch.cat((-x2, x1), dim=-1)", "return torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)")
]
CLAMPED = ("position_ids[..., None].float()", "position_ids.clamp(max=23)[..., None].float()")
SLOW = ("self.inv_freq.to(", "(self.inv_freq * torch.where(self.inv_freq < 1e-2, -1, 1)).to(")
REPEATED = "cos, sin = (x[..., :x.shape[-1] // 2].repeat_interleave(2, -1) for x in (cos, sin))\n    cos = cos."
ALL = "layers 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12: "
SCORES = "scores at distances over 0 are not those of its frequencies and pairs"
NOPE = "layers 4, 8, 12: "
SLIDING = "layers 1, 3, 5, 7, 9, 11: "
# What is said, the type, the name in its code that is changed, and how.
WRONG = [
    (
        ALL + "neighbours (2j, 2j + 1) turn together, by the angles of halves (j, j + d/2)",
        "llama",
        "rotate_half",
        NEIGHBOURS,
    ),
    ("expected that they depend on the distance alone", "llama", "LlamaRotaryEmbedding", [CLAMPED]),
    (
        "expected that they depend on the distance alone",
        "llama",
        "LlamaRotaryEmbedding",
        [(CLAMPED[0], "position_ids[..., None].to(torch.bfloat16).float()")],
    ),
    (
        "expected that they depend on the distance alone",
        "llama",
        "LlamaRotaryEmbedding",
        [(CLAMPED[0], "position_ids.clamp(max=350)[..., None].float()")],
    ),
    (
        "layers 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12: query 0 sees key 23, which comes after it",
        "llama",
        "LlamaAttention",
        [("attention_mask,\n", "attention_mask if self.layer_idx == 0 else None,\n")],
    ),
    (
        ALL + "the soft cap is 30; expected 50",
        "gemma2",
        "Gemma2Attention",
        [("softcap=self.attn_logit_softcapping,", "softcap=30.0,")],
    ),
    (ALL + "|q||k|/sqrt(d) is ", "qwen3", "Qwen3Attention", QWEN3[:1]),
    (ALL + "|q||k|/sqrt(d) is ", "gemma3_text", "Gemma3Attention", [("self.q_norm(query_states)", "query_states")]),
    (
        ALL + SCORES + ": other frequencies in 3 of 8 blocks: block 5 turns by -0.00316228 per token",
        "llama",
        "LlamaRotaryEmbedding",
        [SLOW],
    ),
    (ALL + "it turns the other way round", "llama", "rotate_half", [("(-x2, x1)", "(x2, -x1)")]),
    (
        ALL + "across heads: the sizes of queries change with the position by head, and not over all heads",
        "olmo2",
        "apply_rotary_pos_emb",
        [("q_embed = (q * cos) + (rotate_half(q) * sin)\n    k_embed = (k * cos) + (rotate_half(k) * sin)", ACROSS)],
    ),
    (
        NOPE + "the temperature is that of the key's position; expected the query's",
        "llama4_text",
        "Llama4TextAttention",
        LLAMA4,
    ),
    (
        NOPE + "the temperature is that of the position after the query's; expected the query's own",
        "llama4_text",
        "Llama4TextAttention",
        [("positions.float() + 1.0", "positions.float() + 2.0")],
    ),
    (
        NOPE + "the temperature is not applied",
        "llama4_text",
        "Llama4TextAttention",
        [("(query_states * attn_scales)", "query_states")],
    ),
    (
        "the temperature is that of the position before the query's; expected the query's own",
        "ministral3",
        "get_llama_4_attn_scale",
        [("positions_ids /", "(positions_ids - 1).clamp(min=0) /")],
    ),
    (ALL + "positions are applied before the norms of queries; expected after them", "qwen3", "Qwen3Attention", QWEN3),
    (
        ALL + "positions are applied after the norms of queries; expected before them",
        "hunyuan_v1_dense",
        "HunYuanDenseV1Attention",
        HUNYUAN,
    ),
    (
        "the sink is dropped: the weights of head 1 sum to 1",
        "gpt_oss",
        "eager_attention_forward",
        [("scores = probs[..., :-1]", "scores = F.softmax(attn_weights, dim=-1)")],
    ),
    (
        "the sink is added after the softmax",
        "gpt_oss",
        "eager_attention_forward",
        [("scores = probs[..., :-1]", "scores = F.softmax(attn_weights, dim=-1) * torch.sigmoid(-sinks)")],
    ),
    ("the soft cap is dropped", "gemma2", "Gemma2Attention", [("softcap=self.attn_logit_softcapping,", "")]),
    (
        ALL + "scores are 2 times what they should be",
        "granite",
        "GraniteAttention",
        [("self.scaling = config.attention_multiplier", "self.scaling = 2.0")],
    ),
]


def main():
    spied.use(sys.argv[1])
    work = pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    for decoder in RIGHT:
        fault = fault_of(work, decoder)
        if fault:
            sys.exit(f"{decoder}, as transformers has it: {fault}")

    def refused(what, fault):
        if what not in fault:
            sys.exit(f"the message is: {fault or 'none'}\nexpected in it: {what}")

    for what, decoder, name, edits in WRONG:
        with changed(code(decoder.removesuffix("_text")), name, *edits):
            refused(what, fault_of(work, decoder, attn_implementation="eager"))
    with (
        changed(code("llama"), "rotate_half", *NEIGHBOURS),
        changed(code("llama"), "apply_rotary_pos_emb", ("cos = cos.", REPEATED)),
    ):
        refused(ALL + "neighbours (2j, 2j + 1) turn together; expected halves (j, j + d/2)", fault_of(work, "llama"))
    wrong, file = spied.small_model(work, "llama", rope_parameters={"rope_type": "default", "rope_theta": 500000.0})
    refused(ALL + f"{SCORES}: turns like base 500000; expected 10000 (block 1 turns by", fault_in(wrong, file))
    model, file = spied.small_model(work, "mistral", sliding_window=40)
    for window, fault in ((40, ""), (39, ALL + "query 39 sees 40 keys; expected 39, its own among them")):
        file.write_text(json.dumps(json.loads(file.read_text()) | {"sliding_window": window}))
        found = fault_in(model, file)
        if found and not fault:
            sys.exit(f"a window of {window} keys, as it should be: {found}")
        refused(fault, found)
    (model, _), (_, file) = spied.small_model(work, "granite"), spied.small_model(work, "granite_swa")
    refused("the sink is dropped: no logit is passed to its attention", fault_in(model, file))
    refused(
        SLIDING + "query 8 sees 9 keys; expected 8, its own among them", fault_of(work, "gpt_oss", sliding_window=9)
    )
    refused(
        "layers 2, 4, 6, 8, 10, 12: query 8 sees 8 keys; expected 9",
        fault_of(work, "gpt_oss", layer_types=["full_attention", "sliding_attention"] * 6),
    )
    with changed("transformers.masking_utils", "causal_mask_function", ("kv_idx <= q_idx", "kv_idx < q_idx")):
        refused(ALL + "query 0 sees 0 keys, and not its own; expected 1", fault_of(work, "llama"))
    model, file = spied.small_model(work, "llama")
    with torch.device("meta"):
        empty, _ = spied.small_model(work, "llama")
    few, _ = spied.small_model(work, "llama", vocab_size=3, pad_token_id=None, bos_token_id=None, eos_token_id=None)
    if fault_in(few, file):
        sys.exit("a vocabulary of 3 is refused")
    short = AutoModel.from_config(CONFIG_MAPPING["gpt2"](n_embd=64, n_layer=2, n_head=4, n_positions=64, vocab_size=64))
    for what, wrong in (
        ("parameters are bfloat16 on cpu; expected float32", model.to(torch.bfloat16)),
        ("parameters are float32 on meta", empty),
        ("could not be called with tokens at positions to 4099: IndexError", short),
    ):
        try:
            Conformance(file).module(wrong)
            sys.exit(f"asked; expected: {what}")
        except SpecError as error:
            refused(what, str(error))
    print(f"{len(RIGHT)} types pass, {len(WRONG) + 6} faults are named; transformers {transformers.__version__}")


if __name__ == "__main__":
    main()
