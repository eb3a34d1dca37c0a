"""gpe.conformance passes right implementations, and names the first wrong entry of wrong ones; as a pytest plugin too.

    python tests/checks/conformance_test.py PROGRAMS WORK
"""

import json
import math
import os
import pathlib
import struct
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


def not_asked(what, call):
    try:
        call()
    except SpecError as error:
        if what not in str(error):
            sys.exit(f"the message is: {error}\nexpected in it: {what}")
        return
    sys.exit(f"asked; expected: {what}")


def check_alibi(config):
    for heads in (4, 6, 12):
        Conformance("alibi", heads=heads).slopes(slopes(heads))
    Conformance(config).slopes(slopes(6))
    refused("slope of head 1 is 0.396850263; expected 1/4 = 0.25", lambda: Conformance(config).slopes(slopes_of_the_text(6)))
    wrong = slopes(6)
    wrong[4] *= 1.0001
    refused("slope of head 5 is 0.50005; expected 1/2 = 0.5", lambda: Conformance(config).slopes(wrong))
    refused("5 heads; expected 6", lambda: Conformance(config).slopes(slopes(6)[:5]))
    for given in (None, "0.25", [None] * 6, [[x] for x in slopes(6)], [complex(x) for x in slopes(6)]):
        refused("expected numbers", lambda given=given: Conformance(config).slopes(given))
    refused("slope of head 1 is nan; expected 1/4", lambda: Conformance(config).slopes([math.nan] * 6))


def check_t5(config):
    reference = Conformance(config)
    reference.buckets(bucket)
    reference.buckets([bucket(n) for n in range(300)])
    reference.buckets(lambda n: 31 - bucket(n))
    refused("n = 21 and n = 20 are in one bucket; expected that bucket 18 begins at n = 21",
            lambda: reference.buckets(lambda n: bucket(n, last=150)))
    refused("n = 113 and n = 112 are in one bucket; expected that bucket 31 begins at n = 113",
            lambda: reference.buckets(lambda n: 30 if bucket(n) == 31 and n < 128 else bucket(n)))
    refused("n = 113 and n = 3 are in one bucket; expected that bucket 31 begins at n = 113", lambda: reference.buckets(lambda n: bucket(n) if n < 113 else 3))
    refused("the list ends at n = 99; expected one that comes to n = 113, where the last bucket begins",
            lambda: reference.buckets([bucket(n) for n in range(100)]))
    refused("expected numbers", lambda: reference.buckets(lambda n: None))
    not_asked("farthest = 100; expected at least 113", lambda: reference.buckets(bucket, farthest=100))
    refused("a bucket begins at n = 128; expected none there: bucket 31 begins at n = 113, the last", lambda: reference.buckets(lambda n: bucket(n) + (n >= 128)))


def check_yarn(config):
    reference = Conformance(config)
    frequencies, temperature = yarn(10000, 64, 8, 4096)
    reference.frequencies(frequencies)
    reference.temperature(temperature)
    reference.temperature([temperature] * 32)
    refused("temperature is 1; expected 1.459", lambda: reference.temperature(1.0))
    for count in (0, 2, 31, 33):
        refused(f"{count} temperatures; expected one, or one for each of 32 blocks", lambda count=count: reference.temperature([temperature] * count))
    refused("temperature of block 31 is nan", lambda: reference.temperature([temperature] * 31 + [math.nan]))
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


def check_images(reference, frequencies):
    """What a rotation gives, entry by entry, at several positions."""
    right = rotation(frequencies)

    def changed(change):
        def turn(q, k, positions):
            q, k = right(q, k, positions)
            return q, [change(row, c, p) for c, (row, p) in enumerate(zip(k, positions))]
        return turn

    reference.rotation(changed(lambda row, c, p: row), like=same)
    reference.rotation(rotation(frequencies, scale=1.1), like=same)
    for fault, turn in (("keys: at position 2 coordinate 0 gives", changed(lambda row, c, p: [1.5 * x for x in row] if p == 2 else row)),
                        ("keys: at position 7 coordinate 0 gives", lambda q, k, p: (right(q, k, p)[0], right(q, k, [min(x, 2) for x in p])[1])),
                        ("keys: at position 0 coordinate 0 gives", lambda q, k, p: (right(q, k, p)[0], right(q, k, [max(x, 1) for x in p])[1])),
                        ("queries: at position 0 coordinate 0 gives", lambda q, k, p: right(q, k, [x**2 or 5 for x in p])),
                        ("keys: coordinate 5 stays; expected that it turns with 37", changed(lambda row, c, p: [0.0] * len(row) if c % 32 == 5 else row)),
                        ("keys: at position 1 coordinate 3 gives 1.82479172 to coordinate 3; expected 0.91239586", changed(lambda row, c, p: [2 * x for x in row] if c % 32 == 3 else row)),
                        ("keys: at position 1 coordinate 0 gives 0.540302306 to coordinate 0; expected 0.542997", changed(lambda row, c, p: [0.1 if i == 9 and c == 0 else x for i, x in enumerate(row)])),
                        ("keys: at position 1 there are values that are no finite numbers", changed(lambda row, c, p: [math.nan] * len(row))),
                        ("NoneType came back; expected queries and keys", lambda q, k, p: None),
                        ("list of length 64 came back; expected queries and keys", lambda q, k, p: right(q, k, p)[0]),
                        ("tuple of length 1 came back; expected queries and keys", lambda q, k, p: right(q, k, p)[:1]),
                        ("came back; expected numbers of shape (1, 64, 64)", lambda q, k, p: (q, [row[:-1] for row in k])),
                        ("came back; expected numbers of shape (1, 64, 64)", lambda q, k, p: (q, k[:-1] + [k[-1][:-1]])),
                        ("came back; expected numbers of shape (1, 64, 64)", lambda q, k, p: (q, [[complex(x) for x in row] for row in k])),
                        ("NoneType came back; expected numbers of shape", lambda q, k, p: (q, None))):
        refused(fault, lambda turn=turn: reference.rotation(turn, like=same))
    not_asked("first = 1; expected 0 to 0, as 64 of 64 coordinates turn", lambda: reference.rotation(right, first=1, like=same))
    not_asked("heads = 0; expected 1 or more", lambda: reference.rotation(right, heads=0, like=same))
    not_asked("scale of coordinates", lambda: Conformance("xpos").rotation(right, like=same))


def check_modules(config):
    """Modules and tensors of torch, and what is no function."""
    try:
        import torch
    except ImportError:
        print("modules and tensors were not tried: torch is absent")
        return

    class Scores(torch.nn.Module):
        def __init__(self, positions=None):
            super().__init__()
            self.cos, self.sin = (f(torch.arange(400)[:, None] * torch.tensor(frequencies, dtype=torch.float64)) for f in (torch.cos, torch.sin))
            self.positions = positions

        def turned(self, x, positions):
            cos, sin = self.cos[positions], self.sin[positions]
            return torch.cat([x[:, :32] * cos - x[:, 32:] * sin, x[:, 32:] * cos + x[:, :32] * sin], 1)

        def forward(self, q, k, positions):
            rows = self.turned(q, positions) @ self.turned(k, positions).T / 8 * temperature
            return [row.masked_fill(positions > p, -math.inf) for row, p in zip(rows, positions)]

    frequencies, temperature = yarn(10000, 64, 8, 4096)
    reference = Conformance(config)
    reference.scores(Scores())
    reference.rotation(lambda q, k, positions: [Scores().turned(x, positions) for x in (q, k)])
    reference.temperature(torch.tensor(temperature))
    reference.temperature([torch.tensor(temperature)] * 32)
    reference.frequencies(torch.tensor(frequencies, dtype=torch.float32))
    for call in (None, 3, "scores"):
        not_asked("expected a function of (q, k) or of (q, k, positions)", lambda call=call: reference.scores(call))
    for model in (None, torch.nn.Linear(2, 2), Scores()):
        not_asked("expected a model of transformers", lambda model=model: reference.module(model))
    not_asked("alibi is no config.json", lambda: Conformance("alibi").layers([None]))


def check_tokens(config):
    """Scores of tokens that are not equal."""
    reference, (frequencies, temperature) = Conformance(config), yarn(10000, 64, 8, 4096)
    right = scores(rotation(frequencies), temperature)
    fault = "with other states of the token at 16, scores of query {} are not those of its states and of each key's"
    for query, wrong in ((16, lambda q, k: right(q, k[:1] + k[:-1])), (16, lambda q, k: right(q[:1] * len(q), k)), (16, lambda q, k: right(q, k[::-1])),
                         (15, lambda q, k: right(q[1:] + q[:1], k))):
        refused(fault.format(query), lambda wrong=wrong: reference.scores(wrong, like=same))
    for shape, wrong in ((48, lambda q, k: right(q, k)[:-1]), (48, lambda q, k: [row[:i + 1] for i, row in enumerate(right(q, k))]), (48, lambda q, k: None)):
        refused(f"came back; expected numbers of shape (1, {shape}, {shape})", lambda wrong=wrong: reference.scores(wrong, like=same))
    for options, what in (({"heads": 0}, "heads = 0; expected 1 or more"), ({"tokens": 0}, "tokens = 0; expected 2 or more"),
                          ({"first": 3}, "first = 3; expected 0 to 0")):
        not_asked(what, lambda options=options: reference.scores(right, like=same, **options))


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
    check_images(reference, frequencies)
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


def check_wide(windowed):
    """A window of more keys than tokens is seen to end where positions are asked."""
    plain = rotation([10000 ** (-2 * j / 16) for j in range(8)])
    wide = windowed.with_name("wide.json")
    wide.write_text(json.dumps(json.loads(windowed.read_text()) | {"sliding_window": 500}))
    reference = Conformance(wide, name="gemma2-sliding")
    reference.scores(port(plain, 16, window=500), like=same)
    for window, fault in ((501, "query 500 sees 37 keys; expected 36"), (499, "query 499 sees 35 keys; expected 36"), (None, "query 500 sees 37 keys; expected 36")):
        refused(fault, lambda window=window: reference.scores(port(plain, 16, window=window), like=same))


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
                               ("expected that they depend on the distance alone up to the temperature", lambda i, j: at(i) + 0.01 * (i > 8000)),
                               ("expected that they depend on the distance alone up to the temperature", lambda i, j: min(at(i), at(8191))),
                               ("expected that they depend on the distance alone up to the temperature", lambda i, j: min(at(i), at(16383)))):
        refused(fault, lambda temperature=temperature: reference.scores(port(turn, 16, temperature=temperature), like=same))
    try:
        reference.scores(lambda q, k: port(turn, 16)(q, k, list(range(len(q)))), like=same)
    except SpecError as error:
        assert "changes at position 8191; expected a function of (q, k, positions)" in str(error), error
    else:
        sys.exit("a temperature that changes past the tokens was not asked for")
    Conformance({"name": "log-n", "parameters": {"s": {"default": "1/2"}}, "score": {"gain": "s*log(L + 2)"}}, head_dim=16).scores(
        port(turn, 16, temperature=lambda i, j: math.log(i + 2) / 2), like=same)
    not_asked("angles at position 131087 are others than at 0", lambda: Conformance("qwen", head_dim=16).scores(port(turn, 16), like=same))
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
    reference = Conformance(config, name="gpt_oss-full")
    to_float32 = lambda x: struct.unpack("f", struct.pack("f", x))[0]
    for sink in (-4, 0, 6):
        def single(q, k, positions, sink=sink):
            """As a softmax in float32 gives them."""
            return [[[to_float32(x) for x in row] for row in rows] for rows in port(turn, 16, sink=sink)(q, k, positions)]
        reference.weights(single, sink, like=same)
        refused("the score at distance 0 is", lambda sink=sink: reference.weights(port(turn, 16, sink=sink + 0.1), sink, like=same))
    not_asked("a sink of logit -30 takes", lambda: reference.weights(port(turn, 16, sink=-30), -30, like=same))
    not_asked("2 sinks; expected one, or one for each of 3 heads", lambda: reference.weights(port(turn, 16, sink=1, heads=3), [1, 1], heads=3, like=same))
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
    os.environ |= {"PATH": programs + os.pathsep + os.environ["PATH"], "GPE_ENCODINGS": str(ROOT / "theory" / "encodings")}
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
    check_wide(files["windowed"])
    check_tokens(files["yarn"])
    check_modules(files["yarn"])
    check_heads(files["yarn"])
    check_temperature(files["llama4"])
    check_norms(files["qwen3"], files["hunyuan"])
    check_sink(files["gpt_oss"])
    check_plugin(work)


if __name__ == "__main__":
    main()
