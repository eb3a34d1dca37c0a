"""gpe.conformance.model finds each fault at its layer and names it, and none in models that are right.

python tests/checks/departure_test.py PROGRAMS WORK [--layers]

--layers: each fault in every layer, not in one.
"""

import contextlib
import copy
import functools
import sys

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)
import sabotage
import spied
import torch
from transformers import CONFIG_MAPPING, AutoModelForCausalLM

from gpe import conformance
from gpe._conformance.float64 import in_float64
from gpe._conformance.walk import walk
from gpe._errors import SpecError

TOKENS = 24
SHAPE = {"num_hidden_layers": 4, "num_key_value_heads": 2, "head_dim": 16, "tie_word_embeddings": False}
FULL = {"layer_types": None}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
#: Keys of each model, its faults, and which layer those of windows are put into.
MODELS = {
    "llama": ({"rope_parameters": LLAMA3}, {}),
    "qwen3": (FULL, sabotage.NORMS),
    "gemma3_text": (FULL | {"num_hidden_layers": 7}, sabotage.NORMS | sabotage.WINDOWS),
    "gpt_oss": (FULL, sabotage.SINKS | sabotage.WINDOWS),
}
ALL = "layers 1, 2, 3, 4: queries: "
#: Layers, from 0, that have a window.
SLIDING = {"gemma3_text": (0, 1, 2, 3, 4, 6), "gpt_oss": (0, 2)}


def made(kind, **more):
    """A random model, whose norms, sinks and biases are not ones and zeros."""
    torch.manual_seed(0)
    latent = "qk_nope_head_dim" in CONFIG_MAPPING[kind].__dataclass_fields__
    shape = {"num_hidden_layers": 4} if latent else SHAPE
    keys = spied.small_keys(kind) | shape | MODELS.get(kind, ({},))[0] | more
    model = AutoModelForCausalLM.from_config(CONFIG_MAPPING[kind](**keys), attn_implementation="eager")
    with torch.no_grad():
        for value in model.parameters():
            value += 0.2 * torch.rand_like(value) if value.dim() == 1 else 0
    return model


def prompt(tokens=TOKENS):
    return torch.randint(3, 64, (tokens,), generator=torch.Generator().manual_seed(1))


def fault_of(port, reference, tokens=TOKENS, text=None, **more):
    try:
        conformance.model(port, reference, prompt(tokens) if text is None else text, **more)
    except conformance.NotConforming as error:
        return str(error)
    return ""


def refused(what, fault):
    if what not in fault:
        sys.exit(f"the message is: {fault or 'none'}\nexpected in it: {what}")


def same(what, *pair, **more):
    fault = fault_of(*pair, **more)
    if fault:
        sys.exit(f"{what}: {fault}")


def sabotaged(kind, every_layer):
    """Each fault of one model in every layer; or in one layer, every second of those that all have."""
    reference, count, half = made(kind), 0, [*MODELS].index(kind) % 2
    port = copy.deepcopy(reference)
    faults = sabotage.OF_ALL | MODELS[kind][1]
    for i, (name, (says, put)) in enumerate(faults.items()):
        if not every_layer and name in sabotage.OF_ALL and i % 2 != half:
            continue
        where = SLIDING.get(kind, ()) if name in sabotage.WINDOWS else range(len(port.model.layers))
        for layer in where if every_layer else [where[i % len(where)]]:
            with contextlib.ExitStack() as stack:
                put(stack, port.model.layers[layer])
                fault = fault_of(port, reference)
            if f": layer {layer + 1}: " not in fault or "\n" in fault:
                sys.exit(f"{kind}, {name} in layer {layer + 1}: {fault or 'nothing is said'}")
            refused(says, fault)
            count += 1
    same(f"{kind}, when its faults are taken back", port, reference)
    return count


class Plain(torch.nn.Module):
    """Llama by hand: other names, neighbours that turn together, and weights in their order."""

    def __init__(self, original, by_hand, base=500000.0):
        super().__init__()
        self.tokens, self.final, self.head = (
            copy.deepcopy(x) for x in (original.model.embed_tokens, original.model.norm, original.lm_head)
        )
        self.blocks = torch.nn.ModuleList(PlainBlock(copy.deepcopy(x), by_hand, base) for x in original.model.layers)

    def forward(self, ids):
        states = self.tokens(ids)
        for block in self.blocks:
            states = block(states)
        return self.head(self.final(states))


class PlainBlock(torch.nn.Module):
    def __init__(self, layer, by_hand, base):
        super().__init__()
        self.by_hand, self.base = by_hand, base
        attention = layer.self_attn
        self.q, self.k, self.v, self.o = attention.q_proj, attention.k_proj, attention.v_proj, attention.o_proj
        self.ff, self.before, self.between = layer.mlp, layer.input_layernorm, layer.post_attention_layernorm
        for one in (self.q, self.k):
            rows = one.weight.data.view(-1, 2, 8, one.weight.size(1))
            one.weight.data = rows.transpose(1, 2).reshape(one.weight.shape).clone()

    def turned(self, x):
        x = x.unflatten(-1, (-1, 16)).transpose(1, 2)
        frequencies = self.base ** (-torch.arange(8, dtype=torch.float32) / 8)
        theta = torch.arange(x.size(2))[:, None] * frequencies
        pairs = torch.view_as_complex(x.unflatten(-1, (8, 2)).contiguous())
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(theta), theta)).flatten(-2).to(x)

    def forward(self, x):
        states = self.before(x)
        q, k = self.turned(self.q(states)), self.turned(self.k(states)).repeat_interleave(2, 1)
        v = self.v(states).unflatten(-1, (-1, 16)).transpose(1, 2).repeat_interleave(2, 1)
        if self.by_hand:
            hidden = torch.ones(q.size(2), q.size(2), dtype=torch.bool).triu(1)
            out = ((q @ k.mT) / 4).masked_fill(hidden, -1e9).softmax(-1) @ v
        else:
            out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(out.transpose(1, 2).flatten(2))
        return x + self.ff(self.between(x))


def right_ones():
    """Models that are right: in both precisions, by other attention functions, by hand, and stored."""
    kinds = [*MODELS, "gemma2", "llama4_text", "deepseek_v3", "cohere", "phi", "olmo2", "mistral", "granite"]
    for kind in kinds:
        model = made(kind)
        for dtype in (torch.float32, torch.bfloat16):
            one, other = (copy.deepcopy(model).to(dtype) for _ in range(2))
            same(f"{kind} in {dtype}", one, other)
            if type(other)._supports_sdpa:
                other.set_attn_implementation("sdpa")
                same(f"{kind} in {dtype}, eager and sdpa", one, other)
    llama = made("llama", rope_parameters={"rope_type": "default", "rope_theta": 500000.0})
    names = {"layers.{}.mlp": "blocks.{}.ff", "layers.{}.input_layernorm": "blocks.{}.before", "lm_head": "head"}
    for by_hand in (False, True):
        compared = conformance.model(Plain(llama, by_hand), llama, prompt(), names=names)
        for step in ("layers.3.self_attn.scores", "layers.3.self_attn.weights", "layers.3.mlp", "lm_head"):
            if step not in compared:
                sys.exit(f"{step} is not compared: {compared}")
        fault = fault_of(Plain(llama, by_hand, base=10000.0), llama, names=names)
        refused("layers 1, 2, 3, 4: ", fault)
        refused(f"{'scores' if by_hand else 'queries'}: turns like base 10000; expected 500000", fault)
    for dtype in (torch.float64, torch.bfloat16):
        store = {name: value.to(dtype) for name, value in walk(llama.to(dtype), prompt(), own=True).steps.items()}
        same(f"a reference stored in {dtype}", llama, store)
        same(f"a port stored in {dtype}", store, llama)
        store["layers.2.self_attn.scores"] = 2 * store["layers.2.self_attn.scores"]
        exact = dtype is torch.float64
        refused(f"port: layer 3: scores: {'scores are 2 times' * exact}", fault_of(store, llama))
        refused(f"layer 3: scores: {'scores are 0.5 times' * exact}", fault_of(llama, store))


def others():
    """Faults that are not of one layer of one of the four."""
    gpt_oss = made("gpt_oss")
    refused(
        "layers 1, 3: scores: query 8 sees 9 keys; expected 8: no window; expected a window of 8 keys; the schedule is",
        fault_of(made("gpt_oss", layer_types=["full_attention", "sliding_attention"] * 2), gpt_oss),
    )
    llama = made("llama")
    plain = {"rope_type": "default", "rope_theta": 500000.0}
    refused(ALL + "turns like base 500000 without scaling", fault_of(made("llama", rope_parameters=plain), llama))
    for key, value in (("rope_theta", 10000.0), ("factor", 32.0)):
        port = made("llama", rope_parameters=LLAMA3 | {key: value})
        mine, right = (one.model.rotary_emb.inv_freq for one in (port, llama))
        wrong = ((mine - right).abs() > 1e-4 * right.clamp(min=1e-3)).nonzero().flatten()
        says = f"other frequencies in {len(wrong)} of 8 blocks: block {wrong[0]} turns by {mine[wrong[0]]:.6g}"
        refused(ALL + says, fault_of(port, llama))
    refused("the soft cap is dropped", fault_of(made("gemma2", attn_logit_softcapping=None), made("gemma2")))
    scaled = made("gemma3_text")
    with contextlib.ExitStack() as stack:
        stack.callback(scaled.model.embed_tokens.register_forward_hook(lambda _, __, out: out / 8).remove)
        refused(": embed_tokens: it is 0.125 times what it should be", fault_of(scaled, made("gemma3_text")))
    llama4 = {"attn_temperature_tuning": True, "floor_scale": 4, "attn_scale": 0.5, "no_rope_layers": [1, 1, 1, 0]}
    right = made("llama4_text", **llama4)
    refused("layer 4: queries: ", fault_of(made("llama4_text", **llama4 | {"attn_temperature_tuning": False}), right))
    right = made("smollm3", no_rope_layers=[1, 1, 1, 0])
    for layers, says in (
        ([1, 1, 0, 0], "layer 3: queries: it does not turn"),
        ([1, 1, 1, 1], "layer 4: queries: they turn; expected a layer without positions"),
    ):
        refused(says, fault_of(made("smollm3", no_rope_layers=layers), right))
    half = made("qwen3").to(torch.bfloat16)
    port = copy.deepcopy(half)
    same("qwen3 in bfloat16, 96 tokens", port, half, tokens=96)
    with contextlib.ExitStack() as stack:
        sabotage.embedded(sabotage.rounded)(stack, port.model.layers[2])
        refused("layer 3: queries: errors grow with the position", fault_of(port, half, tokens=96))
    for what, port, reference in (
        ("are both stored", {}, {}),
        ("no step in common", torch.nn.Embedding(64, 2), {"x": torch.zeros(2)}),
        ("expected a model of torch", "llama", llama),
        ("the reference has no step 'layers.{}.ff'", llama, llama),
    ):
        try:
            conformance.model(
                port, reference, prompt(), names={"layers.{}.ff": "layers.{}.mlp"} if port is llama else None
            )
            sys.exit(f"asked; expected: {what}")
        except SpecError as error:
            refused(what, str(error))


class Looped(torch.nn.Module):
    """Its layers are called several times."""

    def __init__(self, original, times):
        super().__init__()
        self.tokens, self.times = copy.deepcopy(original.model.embed_tokens), times
        self.layers = torch.nn.ModuleList(torch.nn.Linear(64, 64) for _ in range(2))

    def forward(self, ids):
        states = self.tokens(ids)
        for _ in range(self.times):
            for layer in self.layers:
                states = layer(states)
        return states


class Cached(torch.nn.Module):
    """Keeps a table from its first call, and its layers take no axis of texts."""

    def __init__(self, bare, final=1.0, tokens_first=False, returned=lambda out: out):
        super().__init__()
        self.bare, self.final, self.table, self.tokens_first, self.returned = bare, final, None, tokens_first, returned
        torch.manual_seed(0)
        self.tokens = torch.nn.Embedding(64, 8)
        self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(2))

    def forward(self, ids):
        if self.table is None:
            self.table = torch.arange(8.0)
            self.register_buffer("late", self.table.clone(), persistent=False)
        states = self.tokens(ids[0] if self.bare else ids) + self.table
        states = states.transpose(0, 1) if self.tokens_first else states
        for layer in self.layers:
            states = layer(states)
        states = states.transpose(0, 1) if self.tokens_first else states
        return self.returned(self.final * states)


def said(port, reference, text):
    """The message about what cannot be compared."""
    try:
        conformance.model(port, reference, text)
    except SpecError as error:
        return str(error)
    return ""


class Bare(torch.nn.Module):
    """An attention alone, of states."""

    def __init__(self, scale=0.25):
        super().__init__()
        self.scale, self.q, self.k, self.v = scale, *(torch.nn.Linear(16, 16) for _ in range(3))

    def forward(self, x):
        scores = self.q(x) @ self.k(x).transpose(-1, -2) * self.scale
        hidden = torch.ones(x.size(1), x.size(1), dtype=torch.bool).triu(1)
        return scores.masked_fill(hidden, -torch.inf).softmax(-1) @ self.v(x)


def sides():
    """What only the output shows, what cannot be compared, and models as they were."""
    for kind, key, mine, right in (
        ("granite", "logits_scaling", 8.0, 1.0),
        ("gemma2", "final_logit_softcapping", None, 0.1),
    ):
        refused("output: ", fault_of(made(kind, **{key: mine}), made(kind, **{key: right})))
    llama = made("llama")
    broken = copy.deepcopy(llama)
    broken.model.norm.weight.data[0] = torch.nan
    refused("reference: norm has NaN or infinity", said(llama, broken, prompt()))
    refused("layers.0 is called more than once", said(Looped(llama, 2), Looped(llama, 3), prompt()))
    padded = {"input_ids": prompt()[None], "attention_mask": torch.ones(1, TOKENS, dtype=torch.long)}
    padded["attention_mask"][:, :3] = 0
    other = copy.deepcopy(llama)
    other.set_attn_implementation("sdpa")
    refused("sees no key; expected a prompt without padding", said(other, llama, padded))
    refused("keywords of one text", said(llama, llama, {"input_ids": prompt()[None].repeat(2, 1)}))
    refused("keywords of one text", said(llama, llama, {}))
    same("keywords with use_cache", llama, llama)
    conformance.model(llama, llama, {"input_ids": prompt()[None], "use_cache": True})
    states, attention = {"x": torch.randn(1, TOKENS, 16)}, Bare()
    conformance.model(attention, copy.deepcopy(attention), states)
    scaled = Bare(scale=1.0)
    scaled.load_state_dict(attention.state_dict())
    refused("scores: scores are 4 times", fault_of(scaled, attention, text=states))
    refused("states go by keyword, {'x': states}", said(scaled, attention, states["x"]))
    port, reference = Cached(bare=True), Cached(bare=False)
    for _ in range(2):  # the second time, with what the first call of forward keeps
        same("without the axis of texts", port, reference)
        reference(prompt()[None])
    if {value.dtype for one in (port, reference) for value in (one.table, one.late)} != {torch.float32}:
        sys.exit("what a model keeps from a run in float64 stays in it")
    port.layers[1].weight.data *= 2
    refused("layer 2: ", fault_of(port, reference))
    refused("output: ", fault_of(Cached(bare=True, final=2.0), Cached(bare=False)))
    ways = (lambda out: {"cache": None, "logits": out}, lambda out: ((), out), lambda out: [out], lambda out: out[0])
    for way in ways:
        same("a port that returns more", Cached(bare=False, returned=way), Cached(bare=False))
        refused("output: ", fault_of(Cached(bare=False, final=2.0, returned=way), Cached(bare=False)))
    for way, says in (
        (lambda out: None, "returns no tensor of floats"),
        (lambda out: out.sum(), "returns no tensor of floats"),
        (lambda out: out[..., :4], "output has the shape [1, 24, 4], that of the reference [1, 24, 8]"),
    ):
        refused(says, said(Cached(bare=False, returned=way), Cached(bare=False), prompt()))
    port, reference = Cached(bare=False, tokens_first=True), Cached(bare=False)
    same("with tokens before texts", port, reference)
    port.layers[0].weight.data *= 2
    fault = fault_of(port, reference)
    if "layer 1: " not in fault or "layer 2" in fault:
        sys.exit(f"with tokens before texts: {fault}")


def caches():
    """A table that was made anew in float64 is dropped, also where its cache has the counts that it had before."""
    table, model = functools.lru_cache(torch.ones), torch.nn.Linear(2, 2)
    table(2)
    for _ in range(2):  # a cache that was known before, in the second
        with in_float64(model):
            table.cache_clear()
            table(2)
        if table(2).dtype != torch.float32:
            sys.exit("a cache that was cleared keeps a table in float64")
        table.cache_clear()
        table(2)


def main():
    spied.use(sys.argv[1])
    torch.set_num_threads(1)
    right_ones()
    others()
    sides()
    caches()
    count = sum(sabotaged(kind, "--layers" in sys.argv) for kind in MODELS)
    kinds = len({name for _, faults in MODELS.values() for name in sabotage.OF_ALL | faults})
    told = f"{kinds} kinds of fault, {count} in {len(MODELS)} models, each at its layer"
    print(f"{told}; transformers {transformers.__version__}")


if __name__ == "__main__":
    main()
