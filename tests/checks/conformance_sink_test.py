"""gpe.conformance holds weights with a sink.

python tests/checks/conformance_sink_test.py PROGRAMS WORK
"""

import math
import struct
import sys
from functools import partial

from ported import SMALL, not_asked, port, refused, rotation, same, use, written

from gpe.conformance import Conformance

FREQUENCIES = [150000 ** (-2 * j / 16) for j in range(8)]


def check_sink(config):
    turn = rotation(FREQUENCIES)
    for name, window in (("gpt_oss-sliding", 9), ("gpt_oss-full", None)):
        reference = Conformance(config, name=name)
        reference.weights(port(turn, 16, window=window, sink=1.5), 1.5, like=same)
        reference.weights(port(turn, 16, heads=2, window=window, sink=-1), [-1, -1], heads=2, like=same)
        for fault, wrong in (
            ("the sink is dropped: the weights of each query sum to 1", port(turn, 16, window=window, sink=-1000)),
            (
                "the sink is added after the softmax: the weights of each query sum to 0.817574476, "
                "whatever its scores",
                port(turn, 16, window=window, sink=1.5, late_sink=True),
            ),
            (
                "it turns the other way round",
                port(rotation(FREQUENCIES, way=-1), 16, window=window, sink=1.5),
            ),
            ("the sink has the logit 2; expected 1.5", port(turn, 16, window=window, sink=2.0)),
            (
                "the sink has the logit 2.193; expected 1.5, which is counted twice",
                port(turn, 16, window=window, sink=1.5 + math.log(2)),
            ),
        ):
            refused(fault, partial(reference.weights, wrong, 1.5, like=same))
    reference = Conformance(config, name="gpt_oss-full")

    def to_float32(x):
        return struct.unpack("f", struct.pack("f", x))[0]

    for sink in (-4, 0, 6):

        def single(q, k, positions, sink=sink):
            """As a softmax in float32 gives them."""
            return [
                [[to_float32(x) for x in row] for row in rows] for rows in port(turn, 16, sink=sink)(q, k, positions)
            ]

        reference.weights(single, sink, like=same)
        refused(
            "the score at distance 0 is",
            lambda sink=sink: reference.weights(port(turn, 16, sink=sink + 0.1), sink, like=same),
        )
    for gain, window, sink in (("16", None, -6), ("64", None, 0), ("1", 1, 0), ("1", None, 9)):
        width = {"window": "1"} if window else {}
        one = Conformance(
            {"name": "one", "parameters": {"s": {"default": "0"}}, "score": {"gain": gain, "sink": "s", **width}},
            head_dim=16,
        )
        right, late = (
            port(
                rotation([0.0] * 8),
                16,
                temperature=lambda i, j, gain=gain: float(gain),
                window=window,
                sink=sink,
                late_sink=late_sink,
            )
            for late_sink in (False, True)
        )
        one.weights(right, sink, like=same)
        refused("", partial(one.weights, late, sink, like=same))


def check_refused(config):
    turn, reference = rotation(FREQUENCIES), Conformance(config, name="gpt_oss-full")
    not_asked("a sink of logit -30 takes", lambda: reference.weights(port(turn, 16, sink=-30), -30, like=same))
    not_asked(
        "2 sinks; expected one, or one for each of 3 heads",
        lambda: reference.weights(port(turn, 16, sink=1, heads=3), [1, 1], heads=3, like=same),
    )
    for sink in (None, "a", math.nan, math.inf, -math.inf):
        not_asked(
            "expected finite numbers", lambda sink=sink: reference.weights(port(turn, 16, sink=1.5), sink, like=same)
        )
    for sink in (-1000, 16, 1e6):
        not_asked(
            f"a sink of logit {sink:.9g} takes",
            lambda sink=sink: reference.weights(port(turn, 16, sink=1.5), sink, like=same),
        )
    refused(
        "weights are not finite",
        lambda: reference.weights(lambda q, k, p: [[math.nan for _ in p] for _ in p], 1.5, like=same),
    )
    reference = Conformance(config, name="gpt_oss-sliding")
    refused(
        "query 8 sees 8 keys beside the sink; expected 9, as if the sink were one of them",
        lambda: reference.weights(port(turn, 16, window=9, counted=True, sink=1.5), 1.5, like=same),
    )
    refused(
        "query 0 sees 0 keys, and not its own; expected 1, its own among them",
        lambda: reference.scores(port(turn, 16, window=9, own=False), like=same),
    )
    refused(
        "query 0 sees key 4099, which comes after it",
        lambda: reference.scores(lambda q, k, positions: [[0.0 for _ in positions] for _ in positions], like=same),
    )


def main():
    use(sys.argv[1])
    rope = {"rope_type": "default", "rope_theta": 150000}
    config = {"model_type": "gpt_oss", "sliding_window": 9, "rope_parameters": rope} | SMALL
    file = written(sys.argv[2], {"gpt_oss": config})["gpt_oss"]
    check_sink(file)
    check_refused(file)


if __name__ == "__main__":
    main()
