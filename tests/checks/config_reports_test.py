"""Reports of ports that read a key of a config.json otherwise than its class does: what check-properties and
compare-configs make of them.

    python tests/checks/config_reports_test.py PROGRAMS WORK
"""

import json
import pathlib
import subprocess
import sys
import tomllib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LLAMA = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 256, "num_attention_heads": 4, "head_dim": 64}
SCALED = {
    "llama3": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0},
    "yarn": {"factor": 4.0},
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 2.0},
}


class Case:
    """The programs, and a folder for the files of one case."""

    def __init__(self, programs, work):
        self.programs, self.work = pathlib.Path(programs), work

    def file(self, name, keys):
        path = self.work / name
        path.write_text(json.dumps(keys))
        return path

    def run(self, program, *arguments):
        command = [self.programs / program, *arguments]
        return subprocess.run([str(part) for part in command], capture_output=True, text=True)

    def json(self, program, *arguments, expected=0):
        done = self.run(program, *arguments, "--format", "json")
        assert done.returncode == expected, f"{program}: exit {done.returncode}: {done.stderr}"
        return json.loads(done.stdout)

    def encodings(self, keys):
        found = self.json("check-properties", self.file("config.json", keys), "--show-encoding")["encodings"]
        return [one | {"toml": tomllib.loads(one["toml"])} for one in found]


def domains_are_those_of_the_library(case):
    files = {"llama3": "llama3", "yarn": "yarn", "linear": "position-interpolation", "dynamic": "dynamic-ntk"}
    for kind, file in files.items():
        library = tomllib.loads((SOURCE / f"theory/encodings/{file}.toml").read_text())["parameters"]
        rope = {"rope_type": kind, "original_max_position_embeddings": 8192} | SCALED[kind]
        found = case.encodings(LLAMA | {"rope_scaling": rope})[0]["toml"]["parameters"]
        for name in {"factor", "train"} & set(library) & set(found):
            expected = library[name]["domain"].replace("train >= 1", "train > 1" if kind == "dynamic" else "train >= 1")
            assert found[name]["domain"] == expected, f"{kind}, {name}: {found[name]['domain']}; expected {expected}"


def narrow_domains_are_no_condition(case):
    rope = {"rope_type": "llama3", "original_max_position_embeddings": 20} | SCALED["llama3"] | {"factor": 0.5}
    found = case.encodings(LLAMA | {"rope_scaling": rope})[0]["toml"]["parameters"]
    assert found["factor"]["domain"] == "factor > 0" and found["train"]["domain"] == "train > 1", found


def a_window_that_the_class_drops_is_none(case):
    keys = {
        "model_type": "qwen3",
        "num_hidden_layers": 8,
        "sliding_window": 4096,
        "layer_types": 2 * (3 * ["sliding_attention"] + ["full_attention"]),
    }
    on, off = (keys | {"use_sliding_window": flag} for flag in (True, False))
    windowed = [
        [layer for one in case.encodings(each) if "window" in one["toml"]["score"] for layer in one["layers"]]
        for each in (on, off)
    ]
    assert windowed == [[1, 2, 3, 5, 6, 7], []], windowed
    case.json("compare-configs", case.file("on.json", on), case.file("off.json", off), expected=3)


def compared(case, first, second, *arguments):
    files = case.file("first.json", first), case.file("second.json", second)
    return case.json("compare-configs", *files, *arguments, expected=3)["layers"]


def a_part_against_the_whole_has_a_lower_bound(case):
    whole = {
        "model_type": "minimax_m2",
        "num_hidden_layers": 2,
        "num_attention_heads": 48,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "rope_theta": 5000000,
    }
    (layers,) = compared(case, whole | {"rotary_dim": 64}, whole | {"rotary_dim": 128}, "--lengths", "1,2")
    lower = [float(score["at_least"]["lower"]) for score in layers["scores"]]
    # norms of the 4 x 4 blocks by numpy.linalg.norm(difference, 2) at distances 1 and 2
    assert all(abs(x - y) < 2e-5 for x, y in zip(lower, [1.2757229, 1.9128815], strict=True)), lower
    assert layers["tokens"] == 2, layers["tokens"]


def a_scale_needs_two_keys(case):
    rope = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    pair = [LLAMA | {"rope_scaling": rope | more} for more in ({}, {"attention_factor": 1.0})]
    (layers,) = compared(case, *pair, "--lengths", "0,1")
    assert layers["tokens"] == 2, layers["tokens"]


def wrong_values_are_refused_by_name(case):
    refused = {
        "text_config": {"model_type": "gemma3", "text_config": "google/gemma-3"},
        "newer_linear_attention": {
            "model_type": "qwen3_5_text",
            "num_hidden_layers": 2,
            "layer_types": ["newer_linear_attention", "full_attention"],
        },
    }
    for name, keys in refused.items():
        done = case.run("check-properties", case.file("wrong.json", keys))
        assert done.returncode == 2 and name in done.stderr, f"{name}: exit {done.returncode}: {done.stderr}"
        assert "function of a distance" not in done.stderr, done.stderr


SHAPE = {"hidden_size": 256, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64}
SHAPE |= {"num_hidden_layers": 4, "max_position_embeddings": 4096}
LISTED = {"sliding_window": 8, "layer_types": ["sliding_attention", "full_attention"] * 2}
BY_TYPE = {
    "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    "full_attention": {"rope_type": "default", "rope_theta": 5e6, "partial_rotary_factor": 0.25},
}
LATENT = {"kv_lora_rank": 64, "qk_rope_head_dim": 32, "qk_nope_head_dim": 64, "v_head_dim": 64}
LINEAR = {"linear_attn_config": {"full_attn_layers": [2, 4], "kda_layers": [1, 3]}}


def scores(case, keys):
    """The formulas of layers, by layer."""
    return {
        layer: (one["toml"]["score"], one["toml"].get("parameters"), one["content_bound"], one["head_dim"])
        for one in case.encodings(SHAPE | keys)
        for layer in one["layers"]
    }


def newer_types_are_known_formulas(case):
    """As mlx-lm (EngGPT), transformers (Sarvam), SGLang (Spark) and vLLM (the others) have them."""
    tail = {"layer_group_size": 3, "num_hidden_layers": 7}  # full: 3, 6, and those after the last group
    for newer, known, layers in (
        ({"model_type": "enggpt_moe"}, {"model_type": "qwen3", "rope_theta": 1e6}, {1, 2, 3, 4}),
        ({"model_type": "sarvam_moe", "rope_theta": 8e6}, {"model_type": "qwen3", "rope_theta": 8e6}, {1, 2, 3, 4}),
        ({"model_type": "kimi_k3", "text_config": SHAPE | LATENT | LINEAR}, {"model_type": "kimi_linear"}, {2, 4}),
        ({"model_type": "bailing_moe_v3"} | LATENT | tail, {"model_type": "deepseek_v2", "rope_theta": 6e5}, {3, 6, 7}),
    ):
        found, expected = scores(case, newer), scores(case, {**newer, **LATENT, **LINEAR, **known})
        assert set(found) == layers, f"{newer['model_type']}: layers {sorted(found)}"
        for layer, formula in found.items():
            assert formula == expected[layer], f"{newer['model_type']}, {layer}: {formula}; expected {expected[layer]}"

    lists = {"linear_attn_config": {"full_attn_layers": [2, 3, 4], "kda_layers": [1, 3]}}
    assert set(scores(case, {"model_type": "kimi_linear"} | LATENT | lists)) == {2, 4}, (
        "a layer of both lists is linear"
    )

    spark = case.encodings(SHAPE | {"model_type": "spark2_5", "rope_parameters": BY_TYPE} | LISTED)
    angles = [one["toml"]["score"]["rotation"]["angle"] for one in spark]
    assert angles == ["base^(-2*j/64)*n", "if(2*j < 16, base^(-2*j/16)*n, 0)"], angles


def newer_types_are_refused_with_the_reason(case):
    maple = {"model_type": "maple"} | LISTED
    turned = [one["toml"]["score"].get("rotation") for one in case.encodings(SHAPE | maple)]
    assert turned[0] and not turned[1], turned  # layers without a window do not turn
    both = case.encodings(SHAPE | maple | {"nope_on_global_attention": False})
    assert all("rotation" in one["toml"]["score"] for one in both)
    scaled = {"rope_scaling": {"rope_type": "yarn", "factor": 4.0}}
    for keys, reason in (
        (maple | scaled, "'rope_scaling.rope_type' is \"yarn\"; expected default: the code of maple has no scaled"),
        ({"model_type": "enggpt_moe"} | scaled, "the code of enggpt_moe has no scaled rotations"),
        (
            {"model_type": "kimi_linear", "linear_attn_config": {"full_attn_layers": [2], "kda_layers": [1, 3]}}
            | LATENT,
            "each layer, from 1 on, in one of the two lists",
        ),
        ({"model_type": "clef"}, "--as qwen3_5_text reads it"),
        ({"model_type": "motif3"}, "weights that are differences of two softmaxes"),
        ({"model_type": "minicpm_sala"}, "layers that choose blocks of keys by their contents"),
    ):
        done = case.run("check-properties", case.file("wrong.json", SHAPE | keys))
        assert done.returncode == 2 and reason in done.stderr, f"{reason}: exit {done.returncode}: {done.stderr}"


CASES = [
    domains_are_those_of_the_library,
    narrow_domains_are_no_condition,
    a_window_that_the_class_drops_is_none,
    a_part_against_the_whole_has_a_lower_bound,
    a_scale_needs_two_keys,
    wrong_values_are_refused_by_name,
    newer_types_are_known_formulas,
    newer_types_are_refused_with_the_reason,
]


def main():
    work = pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    case = Case(sys.argv[1], work)
    for check in CASES:
        try:
            check(case)
        except AssertionError as error:
            sys.exit(f"{check.__name__}: {error}")
    print(f"{len(CASES)} reports are answered")


if __name__ == "__main__":
    main()
