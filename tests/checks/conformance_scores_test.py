"""gpe.conformance holds scores and weights: pairs, tokens, heads, windows, temperatures and norms.

python tests/checks/conformance_scores_test.py PROGRAMS WORK
"""

import json
import math
import sys
from functools import partial

from ported import CONFIGS, SMALL, normed, not_asked, port, refused, rotation, same, scores, use, written, yarn

from gpe.conformance import Conformance


def check_tokens(config):
    """Scores of tokens that are not equal."""
    reference, (frequencies, temperature) = Conformance(config), yarn(10000, 64, 8, 4096)
    right = scores(rotation(frequencies), temperature)
    fault = "with other states of the token at 16, scores of query {} are not those of its states and of each key's"
    for query, wrong in (
        (16, lambda q, k: right(q, k[:1] + k[:-1])),
        (16, lambda q, k: right(q[:1] * len(q), k)),
        (16, lambda q, k: right(q, k[::-1])),
        (15, lambda q, k: right(q[1:] + q[:1], k)),
    ):
        refused(fault.format(query), lambda wrong=wrong: reference.scores(wrong, like=same))
    for shape, wrong in (
        (48, lambda q, k: right(q, k)[:-1]),
        (48, lambda q, k: [row[: i + 1] for i, row in enumerate(right(q, k))]),
        (48, lambda q, k: None),
    ):
        refused(
            f"came back; expected numbers of shape (1, {shape}, {shape})",
            lambda wrong=wrong: reference.scores(wrong, like=same),
        )
    for options, what in (
        ({"heads": 0}, "heads = 0; expected 1 or more"),
        ({"tokens": 0}, "tokens = 0; expected 2 or more"),
        ({"first": 3}, "first = 3; expected 0 to 0"),
    ):
        not_asked(what, lambda options=options: reference.scores(right, like=same, **options))


def check_wide(windowed):
    """A window of more keys than tokens is seen to end where positions are asked."""
    plain = rotation([10000 ** (-2 * j / 16) for j in range(8)])
    wide = windowed.with_name("wide.json")
    wide.write_text(json.dumps(json.loads(windowed.read_text()) | {"sliding_window": 500}))
    reference = Conformance(wide, name="gemma2-sliding")
    reference.scores(port(plain, 16, window=500), like=same)
    for window, fault in (
        (501, "query 500 sees 39 keys; expected 38"),
        (499, "query 499 sees 37 keys; expected 38"),
        (None, "query 500 sees 39 keys; expected 38"),
    ):
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
        other = port(rotation(yarn(10000, 64, 8, 4096)[0], way=-1), 64, heads=3, temperature=lambda i, j: temperature)(
            q, k, positions
        )
        return right(q, k, positions)[:2] + other[2:]

    across = "across heads: the scores of head {} change with the coordinates of head 1; expected its own alone"
    for fault, wrong in (
        (across.format(2), whole),
        (across.format(3), port(turn, 64, heads=3, temperature=lambda i, j: temperature, shuffle=1)),
        (
            "head 2: scores at distance 0 differ by 0.52 between queries 0 and 4099; "
            "expected that they depend on the distance alone; by head at most ",
            one_drifts,
        ),
        ("head 3: it turns the other way round", one_turns_back),
    ):
        refused(fault, lambda wrong=wrong: reference.scores(wrong, heads=3, like=same))


def check_temperature(config):
    """Llama 4: layers without rotation, whose temperature changes at position 8191."""
    reference = Conformance(config, name="llama4_text-full")
    turn = rotation([0.0] * 8)

    def at(p):
        return 1 + 0.1 * math.log(math.floor((p + 1) / 8192) + 1)

    reference.scores(port(turn, 16, temperature=lambda i, j: at(i)), like=same)
    for fault, temperature in (
        ("the temperature is that of the key's position; expected the query's", lambda i, j: at(j)),
        (
            "the temperature is that of the position before the query's; expected the query's own",
            lambda i, j: at(i - 1),
        ),
        ("the temperature is that of the position after the query's; expected the query's own", lambda i, j: at(i + 1)),
        ("the temperature is not applied", lambda i, j: 1),
        ("the temperature is applied twice", lambda i, j: at(i) ** 2),
        (
            "expected that they depend on the distance alone up to the temperature",
            lambda i, j: at(i) + 0.01 * (i > 8000),
        ),
        ("expected that they depend on the distance alone up to the temperature", lambda i, j: min(at(i), at(8191))),
        ("expected that they depend on the distance alone up to the temperature", lambda i, j: min(at(i), at(16383))),
    ):
        refused(
            fault, lambda temperature=temperature: reference.scores(port(turn, 16, temperature=temperature), like=same)
        )
    not_asked(
        "changes at position 8191; expected a function of (q, k, positions)",
        lambda: reference.scores(lambda q, k: port(turn, 16)(q, k, list(range(len(q)))), like=same),
    )
    Conformance(
        {"name": "log-n", "parameters": {"s": {"default": "1/2"}}, "score": {"gain": "s*log(L + 2)"}}, head_dim=16
    ).scores(port(turn, 16, temperature=lambda i, j: math.log(i + 2) / 2), like=same)
    not_asked(
        "angles at position 131087 are others than at 0",
        lambda: Conformance("qwen", head_dim=16).scores(port(turn, 16), like=same),
    )
    by_distance = Conformance({"name": "by-distance", "score": {"gain": "1/(1 + n)"}}, head_dim=16)
    by_distance.scores(port(turn, 16, temperature=lambda i, j: 1 / (1 + i - j)), like=same)
    refused("the temperature is not applied", lambda: by_distance.scores(port(turn, 16), like=same))


def check_far(config):
    """Positions that are rounded, or end; windows that end where few tokens are asked."""
    turn = rotation([10000 ** (-2 * j / 16) for j in range(8)])
    reference, right = Conformance("rope", head_dim=16), port(turn, 16)
    reference.scores(right, like=same)
    for moved in (lambda p: p % 256, lambda p: min(p, 2047), lambda p: p - p % 2 if p > 256 else p, lambda p: p % 48):
        refused(
            "",
            lambda moved=moved: reference.scores(
                lambda q, k, positions: [
                    [x if p >= r else -math.inf for x, r in zip(row, positions, strict=True)]
                    for row, p in zip(
                        port(turn, 16, causal=False)(q, k, [moved(p) for p in positions])[0], positions, strict=True
                    )
                ],
                like=same,
            ),
        )
    slow = rotation([10000 ** (-2 * j / 16) * (2 if j > 5 else 1) for j in range(8)])
    refused("", lambda: reference.scores(port(slow, 16), like=same))
    for width, tokens in ((8, 2), (8, 3), (24, 48)):
        gain = {"gain": "log(L + 2)"} if tokens == 48 else {}
        sliding = Conformance(
            {"name": "sliding", "parameters": {"W": {"default": str(width)}}, "score": {"window": "W", **gain}},
            head_dim=16,
        )
        temperature = (lambda i, j: math.log(i + 2)) if gain else lambda i, j: 1
        still = rotation([0.0] * 8)
        sliding.scores(port(still, 16, temperature=temperature, window=width), tokens=tokens, like=same)
        for wrong in (width - 1, width + 1, None):
            refused(
                "keys; expected",
                partial(
                    sliding.scores,
                    port(still, 16, temperature=temperature, window=wrong),
                    tokens=tokens,
                    like=same,
                ),
            )

    def temperature(i, j):
        return 1 + 0.1 * math.log(1 + i // 131072)

    reference, turn = Conformance(config), rotation([10000 ** (-2 * j / 16) for j in range(8)])
    reference.scores(port(turn, 16, temperature=temperature), like=same)
    refused(
        "",
        lambda: reference.scores(
            lambda q, k, positions: port(turn, 16, temperature=temperature)(q, k, [min(p, 262144) for p in positions]),
            like=same,
        ),
    )


def check_exchanged():
    """What few equal tokens do not tell."""
    turn, away = (
        rotation([10000 ** (-2 * j / 16) for j in range(8)]),
        rotation([10000 ** (-2 * j / 16) for j in range(8)], way=-1),
    )
    reference, right = Conformance("rope", head_dim=16), port(turn, 16)
    refused(
        "rope: queries and keys are exchanged\n",
        lambda: reference.scores(lambda q, k, positions: right(k, q, positions), like=same),
    )
    refused("rope: it turns the other way round\n", lambda: reference.scores(port(away, 16), like=same))
    for wrong in (
        lambda rows: rows[:17] + rows[:1] * (len(rows) - 17),
        lambda rows: rows[:3] + [rows[5], rows[4], rows[3]] + rows[6:],
        lambda rows: rows[:1] * 16 + [rows[16]] + rows[:1] * (len(rows) - 17),
    ):
        refused(
            "with other states of the token",
            lambda wrong=wrong: reference.scores(lambda q, k, p: right(q, wrong(k), p), like=same),
        )
        refused(
            "with other states of the token",
            lambda wrong=wrong: reference.scores(lambda q, k, p: right(wrong(q), k, p), like=same),
        )
    for value in (math.inf, math.nan):
        refused(
            "scores are not finite",
            lambda value=value: reference.scores(
                lambda q, k, p: [[value if j <= i else -math.inf for j in p] for i in p], like=same
            ),
        )


def check_kinds_of_norms(configs):
    """Layer norms, norms without weights, and what is added to the mean square."""
    weights = [1 + 0.5 * math.sin(c) for c in range(16)], [1 + 0.5 * math.cos(3 * c) for c in range(16)]
    turn = rotation([10000 ** (-2 * j / 16) for j in range(8)])

    def centered(rows):
        return [[x - sum(row) / len(row) for x in row] for row in rows]

    for name in ("persimmon", "qwen3-eps"):
        reference, eps = Conformance(configs[name]), 1e-5 if name == "persimmon" else 0.01
        root = port(turn, 16, norms=weights, first=True, eps=eps)

        def layer(q, k, positions, root=root):
            return root(centered(q), centered(k), positions)

        right, wrong = (layer, root) if name == "persimmon" else (root, layer)
        reference.scores(right, norms=weights, like=same)
        refused("", partial(reference.scores, wrong, norms=weights, like=same))
    refused("scores are", lambda: reference.scores(port(turn, 16, norms=weights, first=True), norms=weights, like=same))
    ones = [1.0] * 16, [1.0] * 16
    reference = Conformance(configs["llama4"], name="llama4_text-sliding")
    turn = rotation([500000 ** (-2 * j / 16) for j in range(8)], halves=False)

    def near(one):
        return lambda q, k: one(q, k, list(range(len(q))))

    reference.scores(near(port(turn, 16, norms=ones, first=False)), norms=ones, like=same)
    refused("queries and keys are not normed", lambda: reference.scores(near(port(turn, 16)), norms=ones, like=same))
    not_asked(
        "have no weights; expected norms= of ones", lambda: reference.scores(port(turn, 16), norms=weights, like=same)
    )
    for norms in (5, ("a", "b"), (None, None), ([1.0] * 16, [math.nan] * 16), ([1.0] * 16,)):
        not_asked("expected", lambda norms=norms: reference.scores(port(turn, 16), norms=norms, like=same))


def check_norms(config, after):
    reference, turn = Conformance(config), rotation([1000000 ** (-2 * j / 16) for j in range(8)])
    weights = [1 + 0.5 * math.sin(c) for c in range(16)], [1 + 0.5 * math.cos(3 * c) for c in range(16)]
    reference.scores(port(turn, 16, norms=weights, first=True), norms=weights, like=same)
    reference.scores(port(turn, 16, heads=2, norms=weights, first=True), heads=2, norms=weights, like=same)
    of_all = tuple([*one, *(2 + x for x in one)] for one in weights)

    def whole(q, k, positions):
        """One norm over both heads, first."""
        q, k = ([normed(row, weights) for row in rows] for rows, weights in zip((q, k), of_all, strict=True))
        return port(turn, 16, heads=2)(q, k, positions)

    reference.scores(whole, heads=2, norms=of_all, like=same)
    refused(
        "queries and keys are not normed",
        lambda: reference.scores(port(turn, 16, heads=2), heads=2, norms=of_all, like=same),
    )
    refused(
        "positions are applied before the norms of queries and keys; expected after them",
        lambda: reference.scores(port(turn, 16, norms=weights, first=False), norms=weights, like=same),
    )
    refused("queries and keys are not normed", lambda: reference.scores(port(turn, 16), norms=weights, like=same))
    turn = rotation([10000 ** (-2 * j / 16) for j in range(8)])
    reference = Conformance(after)
    reference.scores(port(turn, 16, norms=weights, first=False), norms=weights, like=same)
    refused(
        "positions are applied after the norms of queries and keys; expected before them",
        lambda: reference.scores(port(turn, 16, norms=weights, first=True), norms=weights, like=same),
    )


def main():
    use(sys.argv[1])
    configs = CONFIGS | {
        "llama4": {"model_type": "llama4_text"} | SMALL,
        "hunyuan": {"model_type": "hunyuan_v1_dense"} | SMALL,
        "qwen3": {"model_type": "qwen3", "rope_theta": 1000000} | SMALL,
        "qwen3-eps": {"model_type": "qwen3", "rms_norm_eps": 0.01} | SMALL,
        "persimmon": {
            "model_type": "persimmon",
            "rope_parameters": {"rope_type": "default", "partial_rotary_factor": 1.0, "rope_theta": 10000},
        }
        | SMALL,
        "ministral3": {
            "model_type": "ministral3",
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10000,
                "llama_4_scaling_beta": 0.1,
                "original_max_position_embeddings": 131072,
            },
        }
        | SMALL,
    }
    files = written(sys.argv[2], configs)
    check_wide(files["windowed"])
    check_tokens(files["yarn"])
    check_heads(files["yarn"])
    check_temperature(files["llama4"])
    check_norms(files["qwen3"], files["hunyuan"])
    check_far(files["ministral3"])
    check_exchanged()
    check_kinds_of_norms(files)


if __name__ == "__main__":
    main()
