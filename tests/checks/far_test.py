"""cos and sin as the modules of transformers compute them, at positions up to 200,000, beside the certified
frequencies: from which position float32 is wrong, the table in docs/configs.md. Then what small models of the same
configurations turn, scale and see that far out.

    python tests/checks/far_test.py PROGRAMS WORK            each family; the page says what is measured
    python tests/checks/far_test.py PROGRAMS WORK --every    at every position, and not every 16th beyond 2,000
    python tests/checks/far_test.py PROGRAMS WORK --remake   the table of the page, at every position
    python tests/checks/far_test.py PROGRAMS WORK --all      every decoder's small model, some minutes
"""

import json
import math
import pathlib
import re
import sys
from fractions import Fraction

import numpy
import spied
import torch
from decoders_test import Program  # which ends here where transformers is absent
from far_models import FAR, ROUNDING, compare
from transformers import CONFIG_MAPPING, AutoModel
from transformers.models.codegen.modeling_codegen import create_sinusoidal_positions

TAU = Fraction("6.28318530717958647692528676655900576839")
STEP, WRONG, BFLOAT16 = 20_000, (1e-3, 1e-2), "`model.to(torch.bfloat16)`"
EVERY = "--every" in sys.argv or "--remake" in sys.argv
POSITIONS = numpy.concatenate((numpy.arange(2000), numpy.arange(2000, FAR + 1, 1 if EVERY else 16)))
HEADER = "| rotation | of | base | wrong by 1e-3 from | by 1e-2 from | at most |\n|---|---|---|---|---|---|\n"
LONGROPE = {
    "rope_type": "longrope",
    "short_factor": [1 + j / 48 for j in range(48)],
    "long_factor": [1 + j * 63 / 47 for j in range(48)],
    "original_max_position_embeddings": 4096,
}
ONE = {"hidden_size": 64, "num_attention_heads": 2, "num_key_value_heads": 1, "num_hidden_layers": 2, "head_dim": 128}


def rope(kind, base, **more):
    return {"rope_parameters": {"rope_type": kind, "rope_theta": base} | more}


# What the page calls it, a decoder, its keys beyond those of a small model.
FAMILIES = [
    ("default", "llama", ONE | rope("default", 1e4)),
    ("default", "llama", ONE | rope("default", 5e5)),
    (f"default, after {BFLOAT16}", "llama", ONE | rope("default", 1e4)),
    ("default, neighbours", "cohere", {"hidden_size": 256, "num_attention_heads": 2} | rope("default", 5e5)),
    ("default, complex numbers", "llama4_text", ONE | {"num_hidden_layers": 4} | rope("default", 5e5)),
    (
        "default, M-RoPE",
        "qwen2_vl_text",
        {"hidden_size": 256, "num_attention_heads": 2} | rope("default", 1e6, mrope_section=[16, 24, 24]),
    ),
    ("default, of a part", "gpt_neox", {"hidden_size": 192, "num_attention_heads": 2, "rotary_pct": 0.25}),
    ("learned factors", "mistral_large4_text", {}),
    (
        "linear",
        "gemma3_text",
        ONE
        | {
            "query_pre_attn_scalar": 128,
            "layer_types": ["full_attention", "sliding_attention"],
            "rope_parameters": {
                "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
                "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
            },
        },
    ),
    ("dynamic", "llama", ONE | {"max_position_embeddings": 8192} | rope("dynamic", 1e4, factor=4.0)),
    ("yarn", "qwen3", ONE | rope("yarn", 1e6, factor=4.0, original_max_position_embeddings=32768)),
    (
        "yarn",
        "gpt_oss",
        ONE
        | {"head_dim": 64}
        | rope("yarn", 1.5e5, factor=32.0, original_max_position_embeddings=4096, truncate=False),
    ),
    (
        "longrope",
        "phi3",
        ONE
        | {"hidden_size": 192, "head_dim": 96, "max_position_embeddings": 131072}
        | rope(**LONGROPE, kind="longrope", base=1e4),
    ),
    (
        "longrope, two factors",
        "phimoe",
        {"hidden_size": 192, "num_attention_heads": 2, "head_dim": 96}
        | rope(**LONGROPE, kind="longrope", base=1e4, short_mscale=1.1, long_mscale=1.3),
    ),
    (
        "llama3",
        "llama",
        ONE
        | rope(
            "llama3", 5e5, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192
        ),
    ),
    ("proportional", "gemma4_text", {}),
    ("a table of sines", "codegen", {"n_embd": 256, "n_head": 4, "rotary_dim": 64}),
]


def fail(text):
    sys.exit(f"far_test: {text}")


def certified(program, work, one):
    """Its frequencies, as parts of a turn in 64 bits, and the factor of the score, where the last position is FAR."""
    file = work / f"{one['name']}.toml"
    file.write_text(one["toml"])
    rows, scale = (
        program.json(file, "--head-dim", one["head_dim"], "--table", kind, "--lengths", FAR)["rows"]
        for kind in ("frequencies", "temperature")
    )
    exact = [Fraction(row["frequency"]) for row in rows]
    turns = numpy.array([round(f / TAU * 2**64) for f in exact], dtype=numpy.uint64)
    return numpy.array([float(f) for f in exact]), turns, float(scale[0]["factor"])


def columns(values, blocks):
    """One column for each block, of a table that has two of them side by side, or halves, or one."""
    values = values.reshape(-1, values.shape[-1]).numpy()
    if values.shape[1] == blocks:
        return values
    return values[:, ::2] if numpy.array_equal(values[:, ::2], values[:, 1::2]) else values[:, :blocks]


def errors(title, table, blocks, frequencies, turns, factor):
    """At each position the largest error of cos and sin over the blocks; more than their format explains is a fault."""
    found, rounding = [], 2**-8 if BFLOAT16 in title else ROUNDING
    for start in range(0, len(POSITIONS), STEP):
        positions = POSITIONS[start : start + STEP].astype(numpy.uint64)
        exact = (positions[:, None] * turns[:blocks]).astype(numpy.int64) * (
            math.tau / 2**64
        )  # whole turns wrap around
        allowed = factor * (2e-6 + rounding * positions[:, None] * frequencies[:blocks])
        off = numpy.zeros(len(positions))
        for ours, theirs in zip(
            (numpy.cos(exact), numpy.sin(exact)), table(torch.tensor(positions.astype(numpy.int64))), strict=True
        ):
            wrong = abs(factor * ours - columns(theirs, blocks))
            if (wrong > allowed).any():
                fail(
                    f"{title}: cos or sin at position {int(positions[(wrong > allowed).any(1)][0])} is wrong by "
                    f"{wrong[wrong > allowed][0]:.2g}"
                )
            off = numpy.maximum(off, wrong.max(1))
        found.append(off)
    return numpy.concatenate(found)


def tables(title, decoder, keys):
    """The scale of its scores; by kind of layers (None where they are one) a function from
    positions to cos and sin, and its blocks."""
    if decoder == "codegen":
        sines, blocks = create_sinusoidal_positions(FAR + 1, keys["rotary_dim"]), keys["rotary_dim"] // 2
        return None, {None: (lambda positions: (sines[positions, blocks:], sines[positions, :blocks]), blocks)}
    model = AutoModel.from_config(CONFIG_MAPPING[decoder](**keys))
    module = next(module for name, module in model.named_modules() if name.endswith("rotary_emb"))
    if BFLOAT16 in title:
        model.to(torch.bfloat16)
    found = {}
    for kind in module.rope_type if isinstance(module.rope_type, dict) else [None]:

        def table(positions, more={"layer_type": kind} if kind else {}):
            with torch.no_grad():  # up to the last position, on which frequencies may depend
                out = module(torch.zeros(1), torch.cat((positions, torch.tensor([FAR])))[None], **more)
            return [
                part.reshape(len(positions) + 1, -1)[:-1]
                for part in ((out.real, out.imag) if torch.is_tensor(out) else out)
            ]

        found[kind] = table, len(getattr(module, f"{kind}_inv_freq" if kind else "inv_freq"))
    return next((module.scaling for module in model.modules() if hasattr(module, "scaling")), None), found


def first(off, limit):
    over = numpy.flatnonzero(off > limit)
    return f"{POSITIONS[over[0]]:,}" if len(over) else "never"


def measure(program, work):
    """By family, base and decoder: the first positions that are wrong, and the largest error."""
    rows = {}
    for title, decoder, stated in FAMILIES:
        keys = json.loads(json.dumps(spied.small_keys(decoder) | stated))
        file = work / f"far-{decoder}.json"
        file.write_text(json.dumps({"model_type": decoder} | keys))
        config = CONFIG_MAPPING[decoder](**keys)
        scaling, made = tables(title, decoder, keys)
        for one in program.json(file, "--show-encoding")["encodings"]:
            if "[score.rotation]" not in one["toml"]:
                continue
            kind = None if None in made else config.layer_types[one["layers"][0] - 1]
            table, blocks = made[kind]
            frequencies, turns, factor = certified(program, work, one)
            factor = math.sqrt(factor / ((scaling or one["head_dim"] ** -0.5) * math.sqrt(one["head_dim"])))
            off = errors(title, table, blocks, frequencies, turns, factor)
            base = re.search(r'base = \{ default = "([^"]+)"', one["toml"])[1]
            name = config.rope_parameters[kind]["rope_type"] if kind else title
            rows[f"| {name} | `{decoder}` | {base} |"] = [*(first(off, limit) for limit in WRONG), f"{off.max():.1g}"]
    return rows


def check_page(text, rows):
    """The page has these rows; another processor rounds otherwise, so positions may differ by a factor of two."""
    for start, cells in rows.items():
        line = next((line for line in text.splitlines() if line.startswith(start)), None)
        if not line:
            fail(f"docs/configs.md has no row {start}; remake it with --remake")
        stated = [cell.strip() for cell in line[len(start) :].split("|")]
        for there, here in zip(stated, cells[: len(WRONG)], strict=False):
            far, near = (FAR if cell == "never" else int(cell.replace(",", "")) for cell in (there, here))
            if not far / 2 <= near <= 2 * far:
                fail(f"{start} wrong from position {here}; docs/configs.md says {there}")


def check_dynamic():
    """After a long text, a shorter one beyond the trained length keeps the long one's frequencies, so they are not a
    function of the length."""
    table, _ = tables(
        "", "llama", next(spied.small_keys("llama") | keys for title, _, keys in FAMILIES if title == "dynamic")
    )[1][None]
    module = table.__closure__[0].cell_contents
    fresh = module(torch.zeros(1), torch.tensor([[9000]]))[0]
    table(torch.tensor([0]))
    if torch.equal(module(torch.zeros(1), torch.tensor([[9000]]))[0], fresh):
        fail("dynamic: transformers now forgets longer texts; docs/configs.md says that it does not")


def main():
    folders = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    program, work = Program(folders[0]), pathlib.Path(folders[1])
    work.mkdir(parents=True, exist_ok=True)
    page = pathlib.Path(__file__).resolve().parents[2] / "docs/configs.md"
    if "--all" in sys.argv:
        chosen = sys.argv[sys.argv.index("--all") + 1 :]
        return spied.check(
            sys.argv[1], work, page.parent, chosen, lambda work, decoder: compare(program, work, decoder)
        )
    text, rows = page.read_text(), measure(program, work)
    if "--remake" in sys.argv:
        made = HEADER + "\n".join(f"{start} {' | '.join(cells)} |" for start, cells in rows.items()) + "\n"
        start = text.index(HEADER)
        page.write_text(text[:start] + made + text[text.index("\n\n", start) + 1 :])
        return
    check_page(text, rows)
    check_dynamic()
    for title, decoder, keys in FAMILIES:
        fault = compare(program, work, decoder, keys)
        print(f"{title}, {decoder}: {fault or 'the same'}")
        if fault and not fault.startswith("not "):
            sys.exit(1)


if __name__ == "__main__":
    main()
