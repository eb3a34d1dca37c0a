"""gpe.conformance passes right implementations, and names the first wrong entry of wrong ones; as a pytest plugin too.

    python tests/checks/conformance_test.py PROGRAMS WORK
"""

import json
import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "probes" / "python"))

from gpe.conformance import Conformance, NotConforming


def slopes(heads):
    """The published code of ALiBi."""
    whole = 2 ** math.floor(math.log2(heads))
    first = [2 ** (-8 * h / whole) for h in range(1, whole + 1)]
    return first + [2 ** (-4 * h / whole) for h in range(1, 2 * (heads - whole), 2)]


def slopes_of_the_text(heads):
    return [2 ** (-8 * h / heads) for h in range(1, heads + 1)]


def bucket(n, last=128):
    return n if n < 16 else min(31, 16 + int(math.log(n / 16) / math.log(last / 16) * 16))


def yarn(base, d, factor, train):
    """Frequencies and temperature."""
    frequencies = [base ** (-2 * j / d) for j in range(d // 2)]
    low, high = (d * math.log(train / (beta * 2 * math.pi)) / (2 * math.log(base)) for beta in (32, 1))
    low, high = max(math.floor(low), 0), min(math.ceil(high), d - 1)
    ramp = [min(max((j - low) / (high - low), 0), 1) for j in range(d // 2)]
    return [w * (1 - r) + w / factor * r for w, r in zip(frequencies, ramp)], (0.1 * math.log(factor) + 1) ** 2


def refused(what, call):
    try:
        call()
    except NotConforming as error:
        if what not in str(error):
            sys.exit(f"the message is: {error}\nexpected in it: {what}")
        return
    sys.exit(f"passed; expected: {what}")


def check_alibi(config):
    for heads in (4, 6, 12):
        Conformance("alibi", heads=heads).slopes(slopes(heads))
    Conformance(config).slopes(slopes(6))
    refused("slope of head 1 is 0.396850263; expected 1/4 = 0.25", lambda: Conformance(config).slopes(slopes_of_the_text(6)))
    wrong = slopes(6)
    wrong[4] *= 1.0001
    refused("slope of head 5 is 0.50005; expected 1/2 = 0.5", lambda: Conformance(config).slopes(wrong))
    refused("5 heads; expected 6", lambda: Conformance(config).slopes(slopes(6)[:5]))


def check_t5(config):
    reference = Conformance(config)
    reference.buckets(bucket)
    reference.buckets([bucket(n) for n in range(300)])
    reference.buckets(lambda n: 31 - bucket(n))
    refused("n = 21 and n = 20 are in one bucket; expected that bucket 18 begins at n = 21",
            lambda: reference.buckets(lambda n: bucket(n, last=150)))
    refused("n = 113 and n = 112 are in one bucket; expected that bucket 31 begins at n = 113",
            lambda: reference.buckets(lambda n: 30 if bucket(n) == 31 and n < 128 else bucket(n)))
    refused("a bucket begins at n = 128; expected none there: bucket 31 begins at n = 113, the last", lambda: reference.buckets(lambda n: bucket(n) + (n >= 128)))


def check_yarn(config):
    reference = Conformance(config)
    frequencies, temperature = yarn(10000, 64, 8, 4096)
    reference.frequencies(frequencies)
    reference.temperature(temperature)
    reference.temperature([temperature] * 32)
    refused("temperature is 1; expected 1.459", lambda: reference.temperature(1.0))
    refused("temperature is 1.20794415; expected 1.459", lambda: reference.temperature(math.sqrt(temperature)))
    refused("frequency of block 0 is 0.125; expected 1.0", lambda: reference.frequencies([w / 8 for w in frequencies]))
    refused("frequency of block 11 is", lambda: reference.frequencies([10000 ** (-2 * j / 64) for j in range(32)]))
    refused("31 blocks; expected 32", lambda: reference.frequencies(frequencies[:31]))


def rotation(frequencies, halves=True, way=1, scale=1, across=False):
    """(q, k, positions) -> (q, k), of lists: a right one, and its faults."""
    def turn(rows, positions):
        result = []
        for row, p in zip(rows, positions):
            new, d = [scale * x for x in row], 2 * len(frequencies)
            for head in range(0, len(row), d):
                for j, w in enumerate(frequencies):
                    a, b = (j, j + d // 2) if halves else (2 * j, 2 * j + 1)
                    a, b = a + head, (b + head + (d if across else 0)) % len(row)
                    c, s = math.cos(way * w * p), math.sin(way * w * p)
                    new[a], new[b] = scale * (c * row[a] - s * row[b]), scale * (c * row[b] + s * row[a])
            result.append(new)
        return result
    return lambda q, k, positions: (turn(q, positions), turn(k, positions))


def scores(turn, factor=1, window=None, drift=0):
    """(q, k) -> scores, of lists."""
    def score(q, k):
        positions = list(range(len(q)))
        q, k = turn(q, k, positions)
        value = [[factor * sum(x * y for x, y in zip(a, b)) / math.sqrt(len(a)) for b in k] for a in q]
        return [[value[i][j] + drift * i if 0 <= i - j < (window or len(q)) else -math.inf for j in positions] for i in positions]
    return score


def same(values):
    return values


def check_rotation(config, windowed):
    reference = Conformance(config)
    frequencies, temperature = yarn(10000, 64, 8, 4096)
    reference.rotation(rotation(frequencies), like=same)
    reference.rotation(rotation(frequencies), heads=2, like=same)
    refused("queries: neighbours (2j, 2j + 1) turn together; expected halves (j, j + d/2)",
            lambda: reference.rotation(rotation(frequencies, halves=False), like=same))
    refused("queries: it turns the other way round", lambda: reference.rotation(rotation(frequencies, way=-1), like=same))
    refused("of head 1 turns with one of head 2", lambda: reference.rotation(rotation(frequencies, across=True), heads=2, like=same))
    refused("coordinate 31 stays; expected that it turns with 63" if frequencies[31] > 1e-4 else "coordinate 0 stays",
            lambda: reference.rotation(rotation([0.0] + frequencies[1:] if frequencies[31] <= 1e-4 else frequencies[:31] + [0.0]), like=same))
    refused("coordinate 0 turns by 2 a token; expected 1", lambda: reference.rotation(rotation([2.0] + frequencies[1:]), like=same))
    right = rotation(frequencies)
    reference.scores(scores(right, temperature), like=same)
    for fault, port in (("the temperature is applied twice", scores(right, temperature**2)),
                        ("the temperature is not applied", scores(right)),
                        ("neighbours (2j, 2j + 1) turn together; expected halves", scores(rotation(frequencies, halves=False), temperature)),
                        ("it turns the other way round", scores(rotation(frequencies, way=-1), temperature)),
                        ("depend on the distance alone", scores(right, temperature, drift=0.01)),
                        ("query 5 sees 5 keys; expected 6", scores(right, temperature, window=5))):
        refused(fault, lambda port=port: reference.scores(port, like=same))
    plain = rotation([10000 ** (-2 * j / 16) for j in range(8)])
    sliding = Conformance(windowed, name="gemma2-sliding")
    sliding.scores(scores(plain, window=9), like=same)
    refused("query 9 sees 10 keys; expected 9, its own among them", lambda: sliding.scores(scores(plain, window=10), like=same))
    refused("query 8 sees 8 keys; expected 9, its own among them", lambda: sliding.scores(scores(plain, window=8), like=same))
    schedule = [9, None] * 3
    Conformance(windowed).layers(schedule)
    refused("layer 1 has no window; expected a window of 9 keys; the schedule is shifted by one layer",
            lambda: Conformance(windowed).layers(schedule[1:] + schedule[:1]))
    refused("layer 3 has a window of 10 keys; expected a window of 9 keys", lambda: Conformance(windowed).layers([9, None, 10, None, 9, None]))
    refused("5 layers; expected 6", lambda: Conformance(windowed).layers(schedule[:5]))


PLUGIN = """
pytest_plugins = ["gpe.pytest_plugin"]
"""
CASES = """
def test_right(gpe_conformance):
    gpe_conformance("alibi", heads=2).slopes([1 / 16, 1 / 256])


def test_wrong(gpe_conformance):
    gpe_conformance("alibi", heads=2).slopes([1 / 16, 1 / 128])
"""


def check_plugin(work):
    try:
        import pytest  # noqa: F401
    except ImportError:
        print("the plugin was not tried: pytest is absent")
        return
    (work / "conftest.py").write_text(PLUGIN)
    (work / "test_port.py").write_text(CASES)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_port.py"], cwd=work, text=True,
                          capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT / "probes" / "python")})
    for text in ("1 failed, 1 passed", "slope of head 2 is 0.0078125; expected 1/256 = 0.0039062500"):
        if text not in done.stdout:
            sys.exit(f"pytest printed no '{text}':\n{done.stdout}{done.stderr}")


def main():
    programs, work = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]
    configs = {
        "alibi": {"model_type": "bloom", "hidden_size": 96, "n_head": 6, "n_layer": 2},
        "t5": {"model_type": "t5", "d_kv": 16, "num_heads": 4, "num_layers": 2},
        "yarn": {"model_type": "llama", "hidden_size": 128, "num_attention_heads": 2, "num_hidden_layers": 2,
                 "rope_scaling": {"rope_type": "yarn", "factor": 8, "original_max_position_embeddings": 4096}},
    }
    configs["windowed"] = {"model_type": "gemma2", "hidden_size": 64, "num_attention_heads": 4, "head_dim": 16, "num_hidden_layers": 6,
                           "sliding_window": 9, "query_pre_attn_scalar": 16, "attn_logit_softcapping": None}
    files = {name: work / f"{name}.json" for name in configs}
    for name, content in configs.items():
        files[name].write_text(json.dumps(content))
    check_alibi(files["alibi"])
    check_t5(files["t5"])
    check_yarn(files["yarn"])
    check_rotation(files["yarn"], files["windowed"])
    check_plugin(work)


if __name__ == "__main__":
    main()
