"""Faults of ports, and claims about formulas, as public threads report them: configurations with the same facts, and
the right answers.

python tests/checks/reported_test.py PROGRAMS WORK
"""

import json
import math
import pathlib
import subprocess
import sys

from ported import normed, port, refused, rotation, same, use, written

from gpe.conformance import Conformance

LLAMA = {"model_type": "llama", "hidden_size": 128, "num_attention_heads": 2, "head_dim": 64, "num_hidden_layers": 2}
QWEN3 = {"model_type": "qwen3", "hidden_size": 256, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 128}
QWEN3 |= {"num_hidden_layers": 8, "max_position_embeddings": 131072, "rope_theta": 1e6}
YARN4 = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
OSS_YARN = {"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False}
OSS_YARN |= {"original_max_position_embeddings": 4096}
OSS = {"model_type": "gpt_oss", "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64}
OSS |= {"hidden_size": 2880, "num_hidden_layers": 24, "sliding_window": 128, "rope_theta": 150000}
LATENT = {"model_type": "deepseek_v2", "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16}
LATENT |= {"kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}
LATENT_YARN = {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096}
GEMMA = {"model_type": "gemma3_text", "hidden_size": 5376, "num_attention_heads": 32, "num_key_value_heads": 16}
GEMMA |= {"head_dim": 128, "num_hidden_layers": 12, "sliding_window": 1024, "sliding_window_pattern": 6}
LISTED = (["sliding_attention"] * 3 + ["full_attention"]) * 2
CLAIM = """schema = 1
title = "claims"
reference = "public threads"
"""


class Programs:
    def __init__(self, folder, work):
        self.folder, self.work = pathlib.Path(folder), pathlib.Path(work)

    def run(self, program, *arguments, exit_code=0):
        command = [str(self.folder / program), *map(str, arguments), "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != exit_code:
            sys.exit(f"{' '.join(command)}: exit {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)

    def compared(self, first, second, lengths, differ=True):
        """Of the kinds of layers that differ: their layers, the difference of scores at each length, the shortest
        prompt."""
        files = written(self.work, {"first": first, "second": second})
        arguments = (files["first"], files["second"], "--lengths", ",".join(map(str, lengths)))
        found = self.run("compare-configs", *arguments, exit_code=3 if differ else 0)
        return [
            (
                one["layers"],
                [float((s["at_least"] if one["at_most"] else s["difference"])["lower"]) for s in one["scores"]],
                one["tokens"],
            )
            for one in found["layers"]
        ], found["keys"]

    def temperature(self, config, *arguments):
        file = written(self.work, {"config": config})["config"]
        rows = self.run("check-properties", file, "--table", "temperature", *arguments)
        return json.dumps(rows)

    def claims(self, formulas):
        """Their verdicts."""
        text = CLAIM
        for i, formula in enumerate(formulas):
            text += (
                f'[[claim]]\nid = "c{i}"\nstatement = "{i}"\n[[claim.reading]]\nname = "{i}"\nformula = "{formula}"\n'
            )
        file = self.work / "claims.toml"
        file.write_text(text)
        return [one["verdict"] for one in self.run("audit-claims", file)["claims"]]


def equal(what, found, expected):
    near = isinstance(expected, float) and abs(found - expected) <= 1e-5 * abs(expected)
    if found != expected and not near:
        sys.exit(f"{what} is {found}; expected {expected}")


def config_of(programs, content, name=None):
    return Conformance(written(programs.work, {"reference": content})["reference"], name=name)


def dynamic_of_one_length(programs):
    """github.com/vllm-project/vllm/issues/41236, pull/41301: a table for one length; its mend scales nothing."""
    d, base, train = 128, 10000.0, 2048
    llama = LLAMA | {"head_dim": d, "max_position_embeddings": train}
    reference = config_of(programs, llama | {"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}})
    for factor, right in ((3.0, {4095}), (1.0, {2047})):
        b = base * factor ** (d / (d - 2))
        table = [b ** (-2 * j / d) for j in range(d // 2)]
        for length in (2047, 3071, 4095, 8191):
            if length in right:
                reference.frequencies(table, length=length)
            else:
                refused("block 1", lambda table=table, length=length: reference.frequencies(table, length=length))
    a_t = "for all a > 0, T > 0: "
    found = programs.claims([a_t + "a*(a*T)/T - (a - 1) = a^2 - a + 1", a_t + "(a*T)/T - (a - 1) != 1"])
    equal("the claims", found, ["confirmed", "refuted"])


def oss_frequencies(truncate, inside=False):
    d, base, at = 64, 150000.0, lambda turns: 64 * math.log(4096 / (2 * math.pi * turns)) / (2 * math.log(150000.0))
    low, high = (math.floor(at(32)), math.ceil(at(1))) if truncate else (at(32), at(1))
    result = []
    for j in range(d // 2):
        ramp = min(1, max(0, (j - low) / (high - low)))
        slow = (32 * base) ** (-2 * j / d) if inside else base ** (-2 * j / d) / 32
        result.append(slow * ramp + base ** (-2 * j / d) * (1 - ramp))
    return result


def yarn_ramp(programs):
    """github.com/vllm-project/vllm/pull/28244, keras-team/keras-hub/pull/2981, apache/tvm/pull/18576."""
    reference = config_of(programs, OSS | {"rope_scaling": OSS_YARN}, "gpt_oss-full")
    reference.frequencies(oss_frequencies(False))
    refused("block 9", lambda: reference.frequencies(oss_frequencies(True)))
    refused("block 9", lambda: reference.frequencies(oss_frequencies(False, inside=True)))
    rounded = OSS | {"rope_scaling": {key: value for key, value in OSS_YARN.items() if key != "truncate"}}
    layers, _ = programs.compared(OSS | {"rope_scaling": OSS_YARN}, rounded, (64,))
    equal("kinds of layers that differ", len(layers), 2)
    for _, scores, tokens in layers:
        equal("the difference at 64", scores[0], 0.0256180)
        equal("the shortest prompt", tokens, 26)
    limit = "64*log(4096/(2*pi*%s))/(2*log(150000))"
    found = programs.claims(
        [
            f"agree({limit % 32}, 8.092779115512402, 15)",
            f"agree({limit % 1}, 17.39802450158856, 15)",
            "64*log(47117/(2*pi))/(2*log(10000)) < 31 < 64*log(47118/(2*pi))/(2*log(10000))",
        ]
    )
    equal("the claims", found, ["confirmed"] * 3)


def keys_of_other_engines(programs):
    """github.com/deepseek-ai/DeepSeek-R1/issues/684."""
    other = QWEN3 | {"rope_scaling": YARN4 | {"attn_factor": 0.8782488562869419}}
    layers, _ = programs.compared(other, QWEN3 | {"rope_scaling": YARN4 | {"attention_factor": 1.0}}, (1, 64))
    equal("the difference of scores", layers[0][1][0], 0.2964769928)
    equal("the shortest prompt", layers[0][2], 2)
    _, keys = programs.compared(other, QWEN3 | {"rope_scaling": YARN4}, (64,), differ=False)
    equal("the mistaken keys", [one["key"] for one in keys[0]["mistaken"]], ["rope_scaling.attn_factor"])
    equal("vLLM is named", "vLLM" in keys[0]["mistaken"][0]["sentence"], True)


def longrope_factor(programs):
    """github.com/pytorch/executorch/pull/19235, ggml-org/llama.cpp/issues/24820."""
    factors = {"short_factor": [1.0] * 48, "long_factor": [1 + 0.5 * j for j in range(48)]}
    sizes = {"model_type": "phi3", "hidden_size": 3072, "num_attention_heads": 24, "num_key_value_heads": 8}
    sizes |= {"max_position_embeddings": 131072, "sliding_window": 262144}
    part, length = {"partial_rotary_factor": 0.75}, {"original_max_position_embeddings": 4096}
    base = {"rope_theta": 10000.0}
    old = sizes | part | length | base | {"rope_scaling": {"type": "longrope"} | factors}
    new = sizes | {"rope_parameters": {"rope_type": "longrope"} | factors | part | length | base}
    programs.compared(old, new, (64,), differ=False)
    dropped = old | {"rope_scaling": old["rope_scaling"] | {"attention_factor": 1.0}}
    layers, _ = programs.compared(old, dropped, (1, 4096))
    equal("the difference of scores", layers[0][1][0], 5 / 12)
    equal("the shortest prompt", layers[0][2], 2)


def softmax_scale(programs):
    """github.com/onnxruntime/mobius/pull/548, antonellof/ferrox/pull/65, guoqingbao/xinfer/pull/329."""
    both = LATENT | {"rope_scaling": LATENT_YARN | {"mscale": 0.707, "mscale_all_dim": 0.707}}
    twelve = {"rope_type": "yarn", "factor": 12.0, "original_max_position_embeddings": 40960}
    cases = (
        (both, LATENT | {"rope_scaling": LATENT_YARN | {"attention_factor": 1.0}}, 0.5896261651),
        (GEMMA | {"query_pre_attn_scalar": 168}, GEMMA | {"query_pre_attn_scalar": 128}, 1 - math.sqrt(128 / 168)),
        (
            QWEN3 | {"rope_scaling": twelve},
            QWEN3 | {"rope_scaling": twelve | {"attention_factor": 1.5587289405392066}},
            2.4296359101 - 1.5587289405,
        ),
    )
    for reference, wrong, difference in cases:
        layers, _ = programs.compared(reference, wrong, (0, 1, 64))
        equal("layers that differ", sum(len(one[0]) for one in layers), reference["num_hidden_layers"])
        for _, scores, tokens in layers:
            equal("the difference of scores", scores[1], difference)
            equal("the shortest prompt", tokens, 2)  # the weight of one key is 1 at any scale


def windows(programs):
    """github.com/huggingface/candle/issues/3698, vllm-project/vllm/issues/39514."""
    phi = {"model_type": "phi3", "original_max_position_embeddings": 4096, "sliding_window": 2047}
    layers, _ = programs.compared(phi, phi | {"sliding_window": None}, (2046, 2047, 4095))
    equal("layers, scores and prompt", layers, [(list(range(1, 33)), [0, 0, 0], 2048)])
    listed = QWEN3 | {"sliding_window": 4096, "max_window_layers": 8, "layer_types": LISTED}
    on, off = listed | {"use_sliding_window": True}, listed | {"use_sliding_window": False}
    layers, keys = programs.compared(on, off, (64, 8192))
    equal("layers, scores and prompt", layers, [([1, 2, 3, 5, 6, 7], [0, 0], 4097)])
    equal("the switch does something", "use_sliding_window" in keys[0]["change_nothing"] + keys[0]["unread"], False)


def part_against_whole(programs):
    """github.com/huggingface/transformers/issues/48241, AI-Hypercomputer/maxtext/issues/4616."""
    minimax = {"model_type": "minimax_m2", "hidden_size": 256, "num_attention_heads": 2, "num_key_value_heads": 1}
    minimax |= {"head_dim": 128, "num_hidden_layers": 2, "rope_theta": 5e6, "use_qk_norm": True}
    qwen = {"model_type": "qwen3_5_moe_text", "num_hidden_layers": 4, "num_attention_heads": 16, "head_dim": 256}
    rope = {"rope_type": "default", "rope_theta": 1e7, "mrope_section": [11, 11, 10], "mrope_interleaved": True}
    parts = [qwen | {"rope_parameters": rope | {"partial_rotary_factor": part}} for part in (0.25, 1.0)]
    for first, second, values in (
        (minimax | {"rotary_dim": 64}, minimax, (1.2757229, 1.9128815, 1.9978927)),
        (*parts, (1.2757644, 1.9129033, 1.9999115)),
    ):
        ((_, scores, tokens),), _ = programs.compared(first, second, (1, 2, 64))
        for found, value in zip(scores[:2], values, strict=False):
            equal("the singular value", found, value)
        equal("the largest one up to 64", values[2] <= scores[2] <= 2, True)
        equal("the shortest prompt", tokens, 2)
    d, r, base = 256, 64, 1e7
    reference = config_of(programs, parts[0])

    def turn(width, offset):
        def one(rows, positions):
            result = []
            for row, p in zip(rows, positions, strict=True):
                new = list(row)
                for j in range(r // 2):
                    c, s = math.cos(p * base ** (-2 * j / width)), math.sin(p * base ** (-2 * j / width))
                    a, b = row[j], row[j + offset]
                    new[j], new[j + offset] = a * c - b * s, b * c + a * s
                result.append(new)
            return result

        return lambda q, k, positions: (one(q, positions), one(k, positions))

    reference.rotation(turn(r, r // 2), like=same)
    refused("coordinate 1 turns by 0.88168", lambda: reference.rotation(turn(d, r // 2), like=same))
    for width in (d, r):
        refused("expected 32", lambda width=width: reference.rotation(turn(width, d // 2), like=same))


def sinks(programs):
    """github.com/pytorch/torchtitan/pull/2211, ROCm/rocm-libraries/pull/12229."""
    reference = config_of(programs, OSS | {"rope_scaling": OSS_YARN}, "gpt_oss-full")
    turn = rotation(oss_frequencies(False), scale=0.1 * math.log(32) + 1)
    reference.weights(port(turn, 64, sink=1.5), 1.5, like=same)
    twice = port(turn, 64, sink=1.5 + math.log(2))
    refused("which is counted twice", lambda: reference.weights(twice, 1.5, like=same))
    every = "for all x, s: "
    found = programs.claims(
        [
            every + "1/(1 + exp(-(x - s))) = exp(x)/(exp(x) + exp(s))",
            every + "1/(1 + exp(-(x - s))) = exp(x - log(exp(x) + exp(s)))",
            every + "exp(x - log(exp(x) + exp(s))) = exp(max(-20, x - log(exp(x) + exp(s))))",
        ]
    )
    equal("the claims", found, ["confirmed", "confirmed", "refuted"])


def llama3_blocks(programs):
    """github.com/TransformerLensOrg/TransformerLens/pull/910, ml-explore/mlx-examples/pull/907."""
    d, base, old, low, high = 64, 500000.0, 8192, 1.0, 4.0
    rope = {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": low, "high_freq_factor": high}
    rope |= {"original_max_position_embeddings": old}
    reference = config_of(programs, LLAMA | {"rope_theta": base, "rope_scaling": rope})
    plain = [base ** (-2 * j / d) for j in range(d // 2)]

    def table(factor, blend):
        result = []
        for f in plain:
            w = 2 * math.pi / f
            between = blend(f, (old / w - low) / (high - low), (w - old / high) / (old / low - old / high))
            if w < old / high:
                between = f
            elif w > old / low:
                between = f / factor
            result.append(between)
        return result

    reference.frequencies(table(32, lambda f, m, _: (1 - m) * f / 32 + m * f))
    for wrong, shown in (
        (plain, "0.0021311195"),
        (table(8, lambda f, m, _: (1 - m) * f / 8 + m * f), "0.00137189"),
        (table(32, lambda f, _, t: f / ((1 - t) * 32 + t)), "7.76153"),
        (table(32, lambda f, _, t: f / ((1 - t) + t * 32)), "0.000384502"),
    ):
        refused(f"block 15 is {shown}", lambda wrong=wrong: reference.frequencies(wrong))


def caches(programs):
    """github.com/alvarobartt/hf-mem/issues/60, pull/70."""
    gemma = {"model_type": "gemma3_text", "hidden_size": 1152, "num_attention_heads": 4, "num_key_value_heads": 1}
    gemma |= {"head_dim": 256, "num_hidden_layers": 26, "sliding_window": 512, "sliding_window_pattern": 6}
    latent = LATENT | {"model_type": "deepseek_v3", "num_hidden_layers": 61, "num_attention_heads": 128}
    for config, context, with_windows, without in (
        (OSS, 8192, 204472320, 402653184),
        (gemma, 32768, 145752064, 872415232),
        (latent | {"num_key_value_heads": 128}, 131072, 9210691584, 9210691584),
    ):
        file = written(programs.work, {"cache": config})["cache"]
        found = programs.run("check-properties", file, "--stack", "--context", context, "--time-limit", 1)
        equal("bytes", found["cache_bytes"], {"with_windows": with_windows, "without_windows": without})


def small_parameters(programs):
    """mathoverflow.net/q/436984, 377465."""
    for bias, z, h in (
        ("-2^n/1048576", "19.6672535712412655988117548812", "3.05231060080089246864035184022"),
        ("-sqrt(n)/1000", "2000000.50020784456255822147669", "16.508657488316489"),
    ):
        found = programs.run("check-properties", "--bias", bias, "--transform", "none", "--digits", 30)
        sums = found["encodings"][0]["sums"]
        equal("Z", sums["Z"]["lower"][: len(z)], z)
        equal("H", sums["H"]["lower"][: len(h)], h)


def norms_after(programs):
    """antonellof/ferrox/pull/106: norms with weights after the rotation."""
    d = 128
    config = {"model_type": "hunyuan_v1_dense", "hidden_size": 256, "num_attention_heads": 2, "head_dim": d}
    file = written(programs.work, {"norms": config | {"num_hidden_layers": 2}})["norms"]
    title = programs.run("check-properties", file, "--time-limit", 1)["encodings"][0]["title"]
    equal("the title says it", "scores do not depend on the distance alone" in title, True)
    frequencies = [10000 ** (-2 * j / d) for j in range(d // 2)]
    turn = rotation(frequencies)
    weights = {"pairs": [0.5 + j / 42 for j in range(d // 2)] * 2, "each": [0.5 + j / 85 for j in range(d)]}
    x = [math.sin(1 + 7 * j * j) for j in range(d)]
    for what, weight in weights.items():
        scores = []
        for p in range(1, 200, 7):
            q, k = (normed(turn([x], [x], [at])[0][0], weight) for at in (p, p - 1))
            scores.append(sum(a * b for a, b in zip(q, k, strict=True)))
        equal(f"{what}: a function of the distance", max(scores) - min(scores) < 1e-9, what == "pairs")


def main():
    use(sys.argv[1])
    programs = Programs(*sys.argv[1:3])
    for check in (
        dynamic_of_one_length,
        yarn_ramp,
        keys_of_other_engines,
        longrope_factor,
        softmax_scale,
        windows,
        part_against_whole,
        sinks,
        llama3_blocks,
        caches,
        small_parameters,
        norms_after,
    ):
        check(programs)
        print(f"{check.__name__}: as it should be")


if __name__ == "__main__":
    main()
