"""Expected values and formulas of public tests of rotary embeddings, held against the certified
ones; docs/ports.md lists them.

    python tests/checks/public_rope_test.py PROGRAMS WORK

The numbers are those of huggingface/transformers, tests/utils/test_modeling_rope_utils.py (Apache 2.0), of a head of
dimension 128 with base 10000: expected inverse frequencies, to five digits.
"""

import json
import math
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "probes" / "python"))

from gpe.conformance import Conformance

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 1,
    "rope_theta": 10000.0,
    "max_position_embeddings": 2048,
}
DEFAULT = """
1.0000e+00 8.6596e-01 7.4989e-01 6.4938e-01 5.6234e-01 4.8697e-01 4.2170e-01 3.6517e-01 3.1623e-01 2.7384e-01
2.3714e-01 2.0535e-01 1.7783e-01 1.5399e-01 1.3335e-01 1.1548e-01 1.0000e-01 8.6596e-02 7.4989e-02 6.4938e-02
5.6234e-02 4.8697e-02 4.2170e-02 3.6517e-02 3.1623e-02 2.7384e-02 2.3714e-02 2.0535e-02 1.7783e-02 1.5399e-02
1.3335e-02 1.1548e-02 1.0000e-02 8.6596e-03 7.4989e-03 6.4938e-03 5.6234e-03 4.8697e-03 4.2170e-03 3.6517e-03
3.1623e-03 2.7384e-03 2.3714e-03 2.0535e-03 1.7783e-03 1.5399e-03 1.3335e-03 1.1548e-03 1.0000e-03 8.6596e-04
7.4989e-04 6.4938e-04 5.6234e-04 4.8697e-04 4.2170e-04 3.6517e-04 3.1623e-04 2.7384e-04 2.3714e-04 2.0535e-04
1.7783e-04 1.5399e-04 1.3335e-04 1.1548e-04
"""
DYNAMIC = """
1.0000e+00 8.0931e-01 6.5498e-01 5.3008e-01 4.2900e-01 3.4720e-01 2.8099e-01 2.2741e-01 1.8404e-01 1.4895e-01
1.2055e-01 9.7558e-02 7.8955e-02 6.3899e-02 5.1714e-02 4.1853e-02 3.3872e-02 2.7413e-02 2.2185e-02 1.7955e-02
1.4531e-02 1.1760e-02 9.5176e-03 7.7027e-03 6.2339e-03 5.0451e-03 4.0831e-03 3.3045e-03 2.6744e-03 2.1644e-03
1.7517e-03 1.4176e-03 1.1473e-03 9.2852e-04 7.5146e-04 6.0817e-04 4.9220e-04 3.9834e-04 3.2238e-04 2.6091e-04
2.1115e-04 1.7089e-04 1.3830e-04 1.1193e-04 9.0585e-05 7.3312e-05 5.9332e-05 4.8018e-05 3.8861e-05 3.1451e-05
2.5453e-05 2.0600e-05 1.6672e-05 1.3492e-05 1.0920e-05 8.8374e-06 7.1522e-06 5.7883e-06 4.6845e-06 3.7912e-06
3.0683e-06 2.4832e-06 2.0097e-06 1.6265e-06
"""
YARN = """
1.0000e+00 8.6596e-01 7.4989e-01 6.4938e-01 5.6234e-01 4.8697e-01 4.2170e-01 3.6517e-01 3.1623e-01 2.7384e-01
2.3714e-01 2.0535e-01 1.7783e-01 1.5399e-01 1.3335e-01 1.1548e-01 1.0000e-01 8.3479e-02 6.9590e-02 5.7925e-02
4.8136e-02 3.9931e-02 3.3061e-02 2.7315e-02 2.2515e-02 1.8512e-02 1.5177e-02 1.2403e-02 1.0101e-02 8.1924e-03
6.6143e-03 5.3120e-03 4.2400e-03 3.3599e-03 2.6396e-03 2.0520e-03 1.5746e-03 1.1882e-03 8.7713e-04 6.2810e-04
4.3007e-04 2.7384e-04 2.3714e-04 2.0535e-04 1.7783e-04 1.5399e-04 1.3335e-04 1.1548e-04 1.0000e-04 8.6596e-05
7.4989e-05 6.4938e-05 5.6234e-05 4.8697e-05 4.2170e-05 3.6517e-05 3.1623e-05 2.7384e-05 2.3714e-05 2.0535e-05
1.7783e-05 1.5399e-05 1.3335e-05 1.1548e-05
"""
LLAMA3 = """
1.0000e+00 8.6596e-01 7.4989e-01 6.4938e-01 5.6234e-01 4.8697e-01 4.2170e-01 3.6517e-01 3.1623e-01 2.7384e-01
2.3714e-01 2.0535e-01 1.7783e-01 1.5399e-01 1.3335e-01 1.1548e-01 1.0000e-01 8.6596e-02 7.4989e-02 6.4938e-02
5.6234e-02 4.8697e-02 4.2170e-02 3.6517e-02 3.1623e-02 2.7384e-02 2.3714e-02 2.0535e-02 1.7783e-02 1.5399e-02
1.3335e-02 1.0730e-02 7.7785e-03 5.6009e-03 3.9991e-03 2.8248e-03 1.9675e-03 1.3449e-03 8.9549e-04 5.7363e-04
3.4539e-04 2.7384e-04 2.3714e-04 2.0535e-04 1.7783e-04 1.5399e-04 1.3335e-04 1.1548e-04 1.0000e-04 8.6596e-05
7.4989e-05 6.4938e-05 5.6234e-05 4.8697e-05 4.2170e-05 3.6517e-05 3.1623e-05 2.7384e-05 2.3714e-05 2.0535e-05
1.7783e-05 1.5399e-05 1.3335e-05 1.1548e-05
"""


def numbers(text):
    return [float(word) for word in text.split()]


class Case:
    """A config.json that a public test makes, with five digits as that test has them."""

    def __init__(self, work, tolerance=6e-5, **scaling):
        file = work / "public.json"
        file.write_text(json.dumps(LLAMA | ({"rope_scaling": scaling} if scaling else {})))
        self.reference = Conformance(str(file), tolerance=tolerance)

    def agrees(self, frequencies, cos_sin_factor=1.0, length=None):
        self.reference.frequencies(frequencies, length)
        self.reference.temperature(cos_sin_factor**2, length)


def check_values(work):
    Case(work).agrees(numbers(DEFAULT))
    dynamic = Case(work, rope_type="dynamic", factor=10.0)
    dynamic.agrees(numbers(DEFAULT), length=0)
    dynamic.agrees(numbers(DYNAMIC), length=16383)  # of 16384 tokens
    yarn = {
        "rope_type": "yarn",
        "factor": 10.0,
        "beta_fast": 32,
        "beta_slow": 1,
        "original_max_position_embeddings": 2048,
    }
    Case(work, **yarn).agrees(numbers(YARN), 0.1 * math.log(10) + 1)
    llama3 = {
        "rope_type": "llama3",
        "factor": 10.0,
        "original_max_position_embeddings": 2048,
        "low_freq_factor": 1,
        "high_freq_factor": 4,
    }
    Case(work, **llama3).agrees(numbers(LLAMA3))


def check_formulas(work):
    """What those tests compute in place of stating it."""
    plain = [10000 ** (-2 * j / 128) for j in range(64)]
    for factor in (2.0, 10.0, 20.0):
        Case(work, rope_type="linear", factor=factor).agrees([w / factor for w in plain])
        yarn = {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": 2048}
        Case(work, **yarn).reference.temperature((0.1 * math.log(factor) + 1.0) ** 2)
        Case(work, **yarn, attention_factor=0.5).reference.temperature(0.25)
        longrope = {
            "rope_type": "longrope",
            "factor": factor,
            "short_factor": [2.0] * 64,
            "long_factor": [j + 1.0 for j in range(64)],
            "original_max_position_embeddings": 2048,
        }
        case = Case(work, **longrope)
        case.agrees([w / 2 for w in plain], math.sqrt(1 + math.log(factor) / math.log(2048)), length=0)
        case.agrees(
            [w / (j + 1) for j, w in enumerate(plain)], math.sqrt(1 + math.log(factor) / math.log(2048)), length=4095
        )
        Case(work, **longrope, attention_factor=0.5).reference.temperature(0.25, length=0)
    extreme = {
        "rope_type": "yarn",
        "factor": 10.0,
        "beta_fast": 1000,
        "beta_slow": 1,
        "original_max_position_embeddings": 2048,
    }
    rows = [float(row["frequency"]) for row in Case(work, **extreme).reference._reference.rows("frequencies")]
    assert rows[0] == 1 and all(a < b for a, b in zip(rows[1:], plain[1:], strict=True)), (
        "yarn with beta_fast = 1000 keeps the first block alone"
    )
    assert all(abs(a - b / 10) < 1e-8 for a, b in zip(rows[-20:], plain[-20:], strict=True)), (
        "and interpolates the last ones by the factor"
    )


def check_composition(work):
    """tests/test-rope.cpp of llama.cpp: rotations by p = 100 and then by -67 are one by 33. vllm's native rotation of
    tests/kernels/core/test_pos_encoding.py: halves or neighbours of the first rotary_dim
    coordinates, by p base^(-2j/rotary_dim)."""
    frequencies = [float(row["frequency"]) for row in Case(work).reference._reference.rows("frequencies")]

    def turn(x, p):
        return [z * complex(math.cos(w * p), math.sin(w * p)) for z, w in zip(x, frequencies, strict=True)]

    x = [complex(math.sin(3 * j + 1), math.cos(j * j)) for j in range(64)]
    twice, once = turn(turn(x, 100), -67), turn(x, 33)
    assert max(abs(a - b) for a, b in zip(twice, once, strict=True)) < 1e-12
    for model, halves, dim in (("gpt_neox", True, 32), ("glm", False, 32), ("gptj", False, 32)):
        content = {
            "gpt_neox": {"hidden_size": 128, "num_attention_heads": 2, "num_hidden_layers": 1, "rotary_pct": 0.5},
            "glm": {
                "hidden_size": 128,
                "head_dim": 64,
                "num_attention_heads": 2,
                "num_hidden_layers": 1,
                "partial_rotary_factor": 0.5,
            },
            "gptj": {"n_embd": 128, "n_head": 2, "n_layer": 1, "rotary_dim": 32},
        }[model]
        file = work / f"{model}.json"
        file.write_text(json.dumps({"model_type": model} | content))

        def native(q, k, positions, halves=halves, dim=dim):
            def one(row, p):
                new = list(row)
                for j in range(dim // 2):
                    a, b = (j, j + dim // 2) if halves else (2 * j, 2 * j + 1)
                    c, s = math.cos(p * 10000 ** (-2 * j / dim)), math.sin(p * 10000 ** (-2 * j / dim))
                    new[a], new[b] = row[a] * c - row[b] * s, row[b] * c + row[a] * s
                return new

            return [one(row, p) for row, p in zip(q, positions, strict=True)], [
                one(row, p) for row, p in zip(k, positions, strict=True)
            ]

        Conformance(str(file)).rotation(native, like=list)


def main():
    programs, work = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]
    check_values(work)
    check_formulas(work)
    check_composition(work)


if __name__ == "__main__":
    main()
