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

from gpe._errors import SpecError
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


def normed(row, weights):
    mean = sum(x * x for x in row) / len(row)
    return [x / math.sqrt(mean) * w for x, w in zip(row, weights)]


def port(turn, d, heads=1, temperature=lambda i, j: 1, window=None, own=True, norms=None, first=None, sink=None, late_sink=False, counted=False, shuffle=0):
    """(q, k, positions) -> scores, or weights where there is a sink, of lists: a right one, and its faults.

    first: whether the norms come first; shuffle: by how many coordinates heads are cut too late.
    """
    def score(q, k, positions):
        sides = []
        for rows, weights in zip((q, k), norms or (None, None)):
            rows = [row[shuffle:] + row[:shuffle] for row in rows]
            by_head = [[row[h * d:(h + 1) * d] for row in rows] for h in range(heads)]
            if norms and first:
                by_head = [[normed(row, weights) for row in one] for one in by_head]
            by_head = [turn(one, one, positions)[0] for one in by_head]
            if norms and first is False:
                by_head = [[normed(row, weights) for row in one] for one in by_head]
            sides.append(by_head)
        result = []
        for one, other in zip(*sides):
            rows = []
            for a, i in zip(one, positions):
                seen = [0 <= i - j < (window or 10**9) + (not own) - counted and (own or i != j) for j in positions]
                row = [temperature(i, j) * sum(x * y for x, y in zip(a, b)) / math.sqrt(d) if s else -math.inf
                       for b, j, s in zip(other, positions, seen)]
                if sink is not None:
                    total = sum(math.exp(x) for x in row)
                    rest = total * (1 + math.exp(-sink)) if late_sink else total + math.exp(sink)
                    row = [math.exp(x) / rest for x in row]
                rows.append(row)
            result.append(rows)
        return result
    return score


def check_heads(config):
    """Several heads at once."""
    reference, turn = Conformance(config), rotation(yarn(10000, 64, 8, 4096)[0])
    temperature = yarn(10000, 64, 8, 4096)[1]
    right = port(turn, 64, heads=3, temperature=lambda i, j: temperature)
    reference.scores(right, heads=3, like=same)

    def whole(q, k, positions):
        """Halves of all heads turn together."""
        q, k = rotation([10000 ** (-2 * j / 192) for j in range(96)])(q, k, positions)
        return port(lambda q, k, p: (q, k), 64, heads=3)(q, k, positions)

    def one_drifts(q, k, positions):
        scores = right(q, k, positions)
        scores[1] = [[x + i / 100 for x in row] for i, row in enumerate(scores[1])]
        return scores

    def one_turns_back(q, k, positions):
        other = port(rotation(yarn(10000, 64, 8, 4096)[0], way=-1), 64, heads=3, temperature=lambda i, j: temperature)(q, k, positions)
        return right(q, k, positions)[:2] + other[2:]

    across = "across heads: the scores of head {} change with the coordinates of head 1; expected its own alone"
    for fault, wrong in ((across.format(2), whole), (across.format(3), port(turn, 64, heads=3, temperature=lambda i, j: temperature, shuffle=1)),
                         ("head 2: scores at distance 0 differ by 0.47 between queries 0 and 47; expected that they depend on the distance alone; "
                          "by head at most ", one_drifts), ("head 3: it turns the other way round", one_turns_back)):
        refused(fault, lambda wrong=wrong: reference.scores(wrong, heads=3, like=same))


def check_temperature(config):
    """Llama 4: layers without rotation, whose temperature changes at position 8191."""
    reference = Conformance(config, name="llama4_text-full")
    turn = rotation([0.0] * 8)

    def at(p):
        return 1 + 0.1 * math.log(math.floor((p + 1) / 8192) + 1)

    reference.scores(port(turn, 16, temperature=lambda i, j: at(i)), like=same)
    for fault, temperature in (("the temperature is that of the key's position; expected the query's", lambda i, j: at(j)),
                               ("the temperature is that of the position before the query's; expected the query's own", lambda i, j: at(i - 1)),
                               ("the temperature is that of the position after the query's; expected the query's own", lambda i, j: at(i + 1)),
                               ("the temperature is not applied", lambda i, j: 1), ("the temperature is applied twice", lambda i, j: at(i)**2),
                               ("expected that they depend on the distance alone up to the temperature", lambda i, j: at(i) + 0.01 * (i > 8000))):
        refused(fault, lambda temperature=temperature: reference.scores(port(turn, 16, temperature=temperature), like=same))
    try:
        reference.scores(lambda q, k: port(turn, 16)(q, k, list(range(len(q)))), like=same)
    except SpecError as error:
        assert "changes at position 8191; expected a function of (q, k, positions)" in str(error), error
    else:
        sys.exit("a temperature that changes past the tokens was not asked for")
    Conformance({"name": "log-n", "parameters": {"s": {"default": "1/2"}}, "score": {"gain": "s*log(L + 2)"}}, head_dim=16).scores(
        port(turn, 16, temperature=lambda i, j: math.log(i + 2) / 2), like=same)
    by_distance = Conformance({"name": "by-distance", "score": {"gain": "1/(1 + n)"}}, head_dim=16)
    by_distance.scores(port(turn, 16, temperature=lambda i, j: 1 / (1 + i - j)), like=same)
    refused("the temperature is not applied", lambda: by_distance.scores(port(turn, 16), like=same))


def check_norms(config, after):
    reference, turn = Conformance(config), rotation([1000000 ** (-2 * j / 16) for j in range(8)])
    weights = [1 + 0.5 * math.sin(c) for c in range(16)], [1 + 0.5 * math.cos(3 * c) for c in range(16)]
    reference.scores(port(turn, 16, norms=weights, first=True), norms=weights, like=same)
    reference.scores(port(turn, 16, heads=2, norms=weights, first=True), heads=2, norms=weights, like=same)
    of_all = tuple([*one, *(2 + x for x in one)] for one in weights)

    def whole(q, k, positions):
        """One norm over both heads, first."""
        q, k = ([normed(row, weights) for row in rows] for rows, weights in zip((q, k), of_all))
        return port(turn, 16, heads=2)(q, k, positions)

    reference.scores(whole, heads=2, norms=of_all, like=same)
    refused("queries and keys are not normed", lambda: reference.scores(port(turn, 16, heads=2), heads=2, norms=of_all, like=same))
    refused("positions are applied before the norms of queries and keys; expected after them",
            lambda: reference.scores(port(turn, 16, norms=weights, first=False), norms=weights, like=same))
    refused("queries and keys are not normed", lambda: reference.scores(port(turn, 16), norms=weights, like=same))
    turn = rotation([10000 ** (-2 * j / 16) for j in range(8)])
    reference = Conformance(after)
    reference.scores(port(turn, 16, norms=weights, first=False), norms=weights, like=same)
    refused("positions are applied after the norms of queries and keys; expected before them",
            lambda: reference.scores(port(turn, 16, norms=weights, first=True), norms=weights, like=same))


def check_sink(config):
    turn = rotation([150000 ** (-2 * j / 16) for j in range(8)])
    for name, window in (("gpt_oss-sliding", 9), ("gpt_oss-full", None)):
        reference = Conformance(config, name=name)
        reference.weights(port(turn, 16, window=window, sink=1.5), 1.5, like=same)
        reference.weights(port(turn, 16, heads=2, window=window, sink=-1), [-1, -1], heads=2, like=same)
        for fault, wrong in (("the sink is dropped: the weights of each query sum to 1", port(turn, 16, window=window, sink=-1000)),
                             ("the sink is added after the softmax: the weights of each query sum to 0.817574476, whatever its scores",
                              port(turn, 16, window=window, sink=1.5, late_sink=True)),
                             ("it turns the other way round", port(rotation([150000 ** (-2 * j / 16) for j in range(8)], way=-1), 16, window=window,
                                                                   sink=1.5)),
                             ("the score at distance 0 is", port(turn, 16, window=window, sink=2.0))):
            refused(fault, lambda wrong=wrong: reference.weights(wrong, 1.5, like=same))
    reference = Conformance(config, name="gpt_oss-sliding")
    refused("the sink counts as a key of the window: query 8 sees 8 keys beside it; expected 9",
            lambda: reference.weights(port(turn, 16, window=9, counted=True, sink=1.5), 1.5, like=same))
    refused("query 0 sees 0 keys, and not its own; expected 1, its own among them",
            lambda: reference.scores(port(turn, 16, window=9, own=False), like=same))
    refused("query 0 sees key 47, which comes after it",
            lambda: reference.scores(lambda q, k, positions: [[0.0 for _ in positions] for _ in positions], like=same))


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
    small = {"hidden_size": 64, "num_attention_heads": 4, "head_dim": 16, "num_hidden_layers": 4}
    configs |= {"llama4": {"model_type": "llama4_text"} | small, "hunyuan": {"model_type": "hunyuan_v1_dense"} | small,
                "qwen3": {"model_type": "qwen3", "rope_theta": 1000000} | small,
                "gpt_oss": {"model_type": "gpt_oss", "sliding_window": 9, "rope_parameters": {"rope_type": "default", "rope_theta": 150000}} | small}
    files = {name: work / f"{name}.json" for name in configs}
    for name, content in configs.items():
        files[name].write_text(json.dumps(content))
    check_alibi(files["alibi"])
    check_t5(files["t5"])
    check_yarn(files["yarn"])
    check_rotation(files["yarn"], files["windowed"])
    check_heads(files["yarn"])
    check_temperature(files["llama4"])
    check_norms(files["qwen3"], files["hunyuan"])
    check_sink(files["gpt_oss"])
    check_plugin(work)


if __name__ == "__main__":
    main()
