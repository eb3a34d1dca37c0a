"""Files of other formats are read as the config.json of the same model: GGUF, params.json, MLX; and hostile ones.

python tests/checks/formats_test.py PROGRAMS WORK [--random]

--random: changed bytes of GGUF files alone, more of them.
"""

import json
import math
import pathlib
import random
import struct
import subprocess
import sys

CASES = pathlib.Path(__file__).resolve().parents[1] / "cases/configs"
ROPE = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 16384}
PARAMS = {"dim": 3072, "n_layers": 4, "n_heads": 32, "n_kv_heads": 8, "head_dim": 128, "rope_theta": 1000000.0}
PARAMS |= {"max_seq_len": 262144, "vocab_size": 131072, "hidden_dim": 9216}
CONFIG = {"model_type": "ministral3", "hidden_size": 3072, "num_hidden_layers": 4, "num_attention_heads": 32}
CONFIG |= {"num_key_value_heads": 8, "head_dim": 128, "max_position_embeddings": 262144, "sliding_window": None}


def run(program, *arguments):
    return subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True)


def same(folder, first, second):
    done = run(folder / "compare-configs", first, second, "--lengths", "64")
    if done.returncode != 0:
        sys.exit(f"{first} is not {second}: {done.stdout}{done.stderr}")


def refused(folder, file, what):
    done = run(folder / "check-properties", file, "--show-encoding")
    if done.returncode != 2 or what not in done.stderr or done.stderr.count("\n") != 1:
        sys.exit(f"{file}: exit {done.returncode}: {done.stderr}expected: {what}")


def check_params(folder, work):
    yarn = {"beta": 32.0, "alpha": 1.0, "factor": 16.0, "original_max_position_embeddings": 16384}
    both = {
        "llama_4_scaling": {"original_max_position_embeddings": 16384, "beta": 0.1},
        "yarn": yarn | {"apply_scale": False},
    }
    rope = ROPE | {"rope_theta": 1000000.0, "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1}
    cases = {
        "scaled": (PARAMS | both, CONFIG | {"rope_parameters": rope}),
        "plain": (
            PARAMS | {"sliding_window": 4096},
            CONFIG | {"model_type": "mistral", "sliding_window": 4096, "rope_theta": 1e6},
        ),
        "yarn": (PARAMS | {"yarn": yarn}, CONFIG | {"model_type": "mistral", "rope_theta": 1e6, "rope_scaling": ROPE}),
    }
    for name, (params, config) in cases.items():
        first, second = work / f"{name}.params.json", work / f"{name}.json"
        first.write_text(json.dumps(params))
        second.write_text(json.dumps(config))
        same(folder, first, second)
    latent = work / "latent.json"
    latent.write_text(json.dumps(PARAMS | {"kv_lora_rank": 512}))
    refused(folder, latent, "key 'kv_lora_rank': latent attention of a params.json is not read; expected none")
    first, second = work / "nulls.params.json", work / "nulls.json"
    first.write_text(json.dumps(PARAMS | {"kv_lora_rank": None, "llama_4_scaling": None, "yarn": None}))
    second.write_text(json.dumps(CONFIG | {"model_type": "mistral", "rope_theta": 1e6}))
    same(folder, first, second)
    for keys, what in (
        ({"yarn": yarn | {"betta": 16}}, "key 'yarn.betta' is not read; expected one of alpha, apply_scale, beta"),
        ({"yarn": "yes"}, "key 'yarn': expected an object"),
        ({"yarn": yarn | {"apply_scale": "false"}}, "key 'yarn.apply_scale' is \"false\"; expected true or false"),
        (
            both | {"llama_4_scaling": {"original_max_position_embeddings": 8192, "beta": 0.1}},
            "key 'llama_4_scaling.original_max_position_embeddings' is 8192, and 16384 elsewhere",
        ),
    ):
        first.write_text(json.dumps(PARAMS | keys))
        refused(folder, first, what)


def check_mlx(folder, work):
    """A config of MLX is that of the model, with a quantization."""
    config = json.loads((CASES / "llama-3.1-8b.json").read_text())
    file = work / "mlx.json"
    file.write_text(json.dumps(config | {"quantization": {"group_size": 64, "bits": 4}}))
    same(folder, file, CASES / "llama-3.1-8b.json")


def check_gguf(folder, work):
    for name in ("qwen3-8b-yarn", "gemma-3-4b"):
        same(folder, CASES / f"{name}.gguf", CASES / f"{name}.json")
    data = (CASES / "qwen3-8b-yarn.gguf").read_bytes()
    bad = work / "bad.gguf"

    def written(content, what):
        bad.write_bytes(content)
        refused(folder, bad, what)

    for end in [*range(0, 64), *range(64, len(data), 23)]:
        head = data[:end]
        if b"output_norm.weight" not in head:
            written(head, "GGUF: ends too early")
    written(b"GGML" + data[4:], "does not begin with GGUF")
    written(data[:4] + struct.pack("<I", 9) + data[8:], "version 9; expected 2 or 3")
    huge = struct.pack("<Q", 2**63)
    written(data[:8] + huge + data[16:], "9223372036854775808 tensors; expected at most")
    written(data[:16] + huge + data[24:], "9223372036854775808 keys; expected at most")
    written(data[:24] + huge + data[32:], "9223372036854775808 bytes of a text; expected at most")
    written(data.replace(b"qwen3", b"mamba"), "key 'general.architecture' is \"mamba\"; expected gemma2")
    at = data.index(b"rope.freq_base") + len(b"rope.freq_base") + 4
    written(data[:at] + struct.pack("<f", float("nan")) + data[at + 4 :], 'is "not finite"; expected a number')
    nine = work / "nine.gguf", work / "nine.json"  # digits, as some floats need; a float is its shortest decimal
    nine[0].write_bytes(data[:at] + struct.pack("<f", 102.454315) + data[at + 4 :])
    nine[1].write_text(json.dumps(json.loads((CASES / "qwen3-8b-yarn.json").read_text()) | {"rope_theta": 102.454315}))
    same(folder, *nine)
    at = data.index(b"rope.scaling.type") + len(b"rope.scaling.type")  # a text of 4 bytes, here two numbers
    number = struct.pack("<IQ", 10, 4)
    written(data[:at] + number + data[at + 16 :], "key 'rope.scaling.type' is \"4\"; expected none, linear or yarn")
    at = data.index(b"block_count") + len(b"block_count")
    written(data[:at] + struct.pack("<I", 99) + data[at + 4 :], "a value of type 99; expected one from 0 to 12")


def number(value):
    return struct.pack("<If", 6, value) if isinstance(value, float) else struct.pack("<II", 4, value)


def listed(kind, count, content):
    return struct.pack("<IIQ", 9, kind, count) + content


def text(value):
    return struct.pack("<Q", len(value)) + value


def written_gguf(file, name, tensors=0, **keys):
    """A file of the architecture `name`, with its keys as numbers, or as the bytes of a type and a value."""
    base = {"block_count": 4, "embedding_length": 512, "attention__head_count": 8, "attention__head_count_kv": 2}
    data = text(b"general.architecture") + struct.pack("<I", 8) + text(name.encode())
    all_keys = base | {"context_length": 4096} | keys
    for key, value in all_keys.items():
        data += text(f"{name}.{key.replace('__', '.')}".encode())
        data += value if isinstance(value, bytes) else number(value)
    file.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, tensors, 1 + len(all_keys)) + data)


def check_rules_of_llama_cpp(folder, work):
    file, config = work / "own.gguf", work / "own.json"
    plain = {"model_type": "llama", "hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8}
    plain |= {"num_key_value_heads": 2, "max_position_embeddings": 4096, "vocab_size": 32000}
    linear = {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}
    one, zero = text(b"x"), {"rope__scaling__factor": 0.0}
    for keys, more in (
        ({}, {}),
        ({"rope__scaling__factor": 4.0}, linear),
        ({"rope__scale_linear": 4.0}, linear),
        (zero, {}),
        (zero | {"rope__scaling__type": struct.pack("<I", 8) + text(b"linear")}, {}),
        ({"rope__scaling__factor": 4.0, "rope__scaling__type": struct.pack("<I", 8) + text(b"none")}, {}),
        ({"tokens": listed(9, 2, struct.pack("<IQ", 0, 0) + struct.pack("<IQ", 8, 1) + one)}, {}),
        ({"tokens": listed(0, 2000, bytes(2000))}, {}),
    ):
        written_gguf(file, "llama", **keys)
        config.write_text(json.dumps(plain | more))
        same(folder, file, config)
    deep = b"".join(struct.pack("<IQ", 9, 1) for _ in range(9)) + struct.pack("<IQ", 0, 0)
    for name, keys, what in (
        ("llama", {"rope__freq_base": listed(8, 1, one)}, 'is "a list"; expected a number'),
        ("llama", {"rope__scaling__type": listed(8, 1, one)}, "key 'rope.scaling.type' is \"a list\"; expected none"),
        ("llama", {"attention__head_count_kv": listed(4, 1025, bytes(4100))}, 'is "a list"; expected an integer'),
        ("llama", {"tokens": struct.pack("<I", 9) + deep}, "lists in lists, more than 4"),
        (
            "llama",
            {"rope__scaling__type": struct.pack("<I", 8) + text(b"yarn"), "rope__scaling__attn_factor": float("nan")}
            | {"rope__scaling__factor": 4.0},
            "key 'rope.scaling.attn_factor': expected a number",
        ),
        ("olmo2", {"attention__sliding_window": 1024}, "windows of olmo2 are those of OLMo 3"),
        ("gemma3", {"attention__sliding_window_pattern": 2}, "is not that of gemma3; expected its config.json"),
        ("qwen3", {"attention__sliding_window_pattern": 2}, "is not that of qwen3; expected its config.json"),
    ):
        written_gguf(file, name, **keys)
        refused(folder, file, what)
    written_gguf(file, "llama", attention__key_length=64, attention__value_length=128)
    stack = json.loads(run(folder / "check-properties", file, *"--stack --context 100 --format json".split()).stdout)
    if stack["cache_bytes"]["with_windows"] != (64 + 128) * 2 * 2 * 4 * 100:
        sys.exit(f"values of 128 numbers: {stack['cache_bytes']}")


def llama3_factors(factor, blocks, base, train=8192):
    """Those that convert_hf_to_gguf.py writes for Llama 3."""

    def of(length):
        if length < train / 4:
            return 1.0
        smooth = (train / length - 1) / 3
        return factor if length > train else 1 / ((1 - smooth) / factor + smooth)

    return [of(2 * math.pi * base ** (j / blocks)) for j in range(blocks)]


def with_factors(file, name, values, *, kind=0, dimensions=1, alignment=32, cut=0, **keys):
    """A file with the tensor rope_freqs.weight, after another one."""
    written_gguf(file, name, tensors=2, **keys)
    data = file.read_bytes()
    shape = struct.pack("<I", dimensions) + struct.pack("<Q", len(values)) * dimensions
    data += text(b"other") + struct.pack("<IQIQ", 1, 8, 0, 0)
    data += text(b"rope_freqs.weight") + shape + struct.pack("<IQ", kind, alignment)
    data += bytes(-len(data) % alignment) + bytes(alignment) + struct.pack(f"<{len(values)}f", *values)
    file.write_bytes(data[: len(data) - cut])


def check_factors(folder, work):
    """Factors of Llama 3.1 and 3.2 are read, and others refused with what was found."""
    file, config = work / "factors.gguf", work / "factors.json"
    base = {"embedding_length": 4096, "block_count": 32, "attention__head_count": 32, "attention__head_count_kv": 8}
    base |= {"rope__freq_base": 500000.0, "context_length": 131072}
    right = llama3_factors(8.0, 64, 500000.0)
    with_factors(file, "llama", right, **base)
    same(folder, file, CASES / "llama-3.1-8b.json")
    told = json.loads((CASES / "llama-3.1-8b.json").read_text())
    told["rope_scaling" if "rope_scaling" in told else "rope_parameters"]["factor"] = 32.0
    config.write_text(json.dumps(told))
    with_factors(file, "llama", llama3_factors(32.0, 64, 500000.0), **base)
    same(folder, file, config)
    shown = run(folder / "check-properties", file, "--show-encoding").stdout
    if 'reference = "metadata of GGUF, read as model_type llama, as llama.cpp reads it"' not in shown:
        sys.exit(f"{file}: {shown}")
    wrong = right[:30] + [right[30] * 1.01] + right[31:]
    for values, more, what in (
        (wrong, {}, "has 64 factors of the frequencies; factor 30 is"),
        (right[:32], {}, "has 32 factors of the frequencies; expected 64, half the dimension of a head"),
        (right, {"kind": 1}, "has 64 numbers of type 1 in one dimension; expected up to 65536 of type 0 (F32)"),
        (right, {"dimensions": 2}, "has 0 numbers of type 0 in one dimension"),
        (right, {"cut": 1}, "ends too early"),
        (right, {"rope__scaling__factor": 4.0}, "and the rotation is scaled too; expected one of them"),
        ([math.nan] * 64, {}, "factor 0 is"),
    ):
        with_factors(file, "llama", values, **base, **more)
        refused(folder, file, what)
    with_factors(file, "qwen3", right, **base)
    refused(folder, file, "has 64 factors, which are read for llama alone")


def check_a_missing_key(folder, work):
    file = work / "missing.json"
    file.write_text(json.dumps({"model_type": "llama", "rope_scaling": {"rope_type": "linear", "facto": 4}}))
    refused(folder, file, "is missing; expected a number from")
    done = run(folder / "check-properties", file, "--show-encoding")
    if "did you mean 'facto'?" not in done.stderr:
        sys.exit(f"{file}: {done.stderr}")


def check_random_bytes(folder, work, count):
    """Changed, cut and repeated bytes of a GGUF file end in a report or in one line."""
    source = work / "whole.gguf"
    with_factors(source, "llama", llama3_factors(8.0, 32, 10000.0))
    seeds = [source.read_bytes(), (CASES / "gemma-3-4b.gguf").read_bytes(), (CASES / "qwen3-8b-yarn.gguf").read_bytes()]
    file, draw = work / "random.gguf", random.Random(count)
    for _ in range(count):
        data = bytearray(draw.choice(seeds))
        for _ in range(draw.choice((1, 2, 8))):
            at = draw.randrange(len(data))
            kind = draw.randrange(4)
            if kind == 0:
                data[at] = draw.randrange(256)
            elif kind == 1:
                data[at : at + 8] = struct.pack("<Q", draw.choice((0, 1, 2**31, 2**32, 2**63, 2**64 - 1)))
            elif kind == 2:
                del data[at : at + draw.randrange(1, 40)]
            else:
                data[at:at] = data[: draw.randrange(1, 40)]
        file.write_bytes(data)
        done = subprocess.run(
            [folder / "check-properties", file, "--show-encoding"], capture_output=True, timeout=20, check=False
        )
        errors = [line for line in done.stderr.splitlines() if b" is not read; " not in line]
        if done.returncode not in (0, 2) or (done.returncode == 2 and len(errors) != 1):
            kept = work / "found.gguf"
            kept.write_bytes(data)
            sys.exit(f"{kept}: exit {done.returncode}: {done.stderr[:300]}")


def check_decoders_in_decoders(folder, work):
    """The decoder that is read is the one that --as and refusals speak of."""
    file = work / "nested.json"
    for config, what in (
        ({"model_type": "x", "text_config": {"llm_config": {}}}, "key 'text_config.model_type' is missing"),
        (
            {"model_type": "x", "text_config": {"llm_config": {"model_type": "y", "hidden_size": 64}}},
            "key 'model_type' is \"y\", which is not known here",
        ),
    ):
        file.write_text(json.dumps(config))
        refused(folder, file, what)
    inner = {"thinker_config": {"language_config": {"model_type": "qwen3", "num_hidden_layers": 3}}}
    file.write_text(json.dumps({"model_type": "llama"} | inner))
    shown = run(folder / "check-properties", file, "--show-encoding").stdout
    if "qwen3, 3 layers" not in shown:
        sys.exit(f"{file}: {shown}")


def check_many_keys(folder, work):
    """Time is linear in the keys that are not read."""
    file = work / "many.json"
    file.write_text(json.dumps({"model_type": "llama"} | {f"zz{i:06}": 1 for i in range(40000)}))
    subprocess.run(
        [folder / "check-properties", file, "--show-encoding"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=60,
    )


def main():
    folder, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    if "--random" in sys.argv:
        check_random_bytes(folder, work, 4000)
        print("nothing found")
        return
    check_params(folder, work)
    check_mlx(folder, work)
    check_gguf(folder, work)
    check_rules_of_llama_cpp(folder, work)
    check_factors(folder, work)
    check_a_missing_key(folder, work)
    check_random_bytes(folder, work, 60)
    check_decoders_in_decoders(folder, work)
    check_many_keys(folder, work)
    print("every format as its config.json")


if __name__ == "__main__":
    main()
