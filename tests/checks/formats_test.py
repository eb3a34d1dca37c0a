"""Files of other formats are read as the config.json of the same model: GGUF, params.json, MLX; and hostile ones.

python tests/checks/formats_test.py PROGRAMS WORK
"""

import json
import pathlib
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
    at = data.index(b"rope.scaling.type") + len(b"rope.scaling.type")  # a text of 4 bytes, here two numbers
    number = struct.pack("<IQ", 10, 4)
    written(data[:at] + number + data[at + 16 :], "key 'rope.scaling.type' is \"4\"; expected none, linear or yarn")
    at = data.index(b"block_count") + len(b"block_count")
    written(data[:at] + struct.pack("<I", 99) + data[at + 4 :], "a value of type 99; expected one from 0 to 12")


def main():
    folder, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    check_params(folder, work)
    check_mlx(folder, work)
    check_gguf(folder, work)
    print("every format as its config.json")


if __name__ == "__main__":
    main()
