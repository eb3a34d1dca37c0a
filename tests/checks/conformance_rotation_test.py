"""gpe.conformance holds rotations: pairs, direction, images, and scores by them.

python tests/checks/conformance_rotation_test.py PROGRAMS WORK
"""

import math
import sys

from ported import CONFIGS, not_asked, refused, rotation, same, scores, use, written, yarn

from gpe.conformance import Conformance


def check_images(reference, frequencies):
    """What a rotation gives, entry by entry, at several positions."""
    right = rotation(frequencies)

    def changed(change):
        def turn(q, k, positions):
            q, k = right(q, k, positions)
            return q, [change(row, c, p) for c, (row, p) in enumerate(zip(k, positions, strict=True))]

        return turn

    reference.rotation(changed(lambda row, c, p: row), like=same)
    reference.rotation(rotation(frequencies, scale=1.1), like=same)
    for fault, turn in (
        (
            "keys: at position 2 coordinate 0 gives",
            changed(lambda row, c, p: [1.5 * x for x in row] if p == 2 else row),
        ),
        (
            "keys: at position 7 coordinate 0 gives",
            lambda q, k, p: (right(q, k, p)[0], right(q, k, [min(x, 2) for x in p])[1]),
        ),
        (
            "keys: at position 0 coordinate 0 gives",
            lambda q, k, p: (right(q, k, p)[0], right(q, k, [max(x, 1) for x in p])[1]),
        ),
        ("queries: at position 0 coordinate 0 gives", lambda q, k, p: right(q, k, [x**2 or 5 for x in p])),
        (
            "keys: coordinate 5 stays; expected that it turns with 37",
            changed(lambda row, c, p: [0.0] * len(row) if c % 32 == 5 else row),
        ),
        (
            "keys: at position 1 coordinate 3 gives 1.82479172 to coordinate 3; expected 0.91239586",
            changed(lambda row, c, p: [2 * x for x in row] if c % 32 == 3 else row),
        ),
        (
            "keys: at position 1 coordinate 0 gives 0.540302306 to coordinate 0; expected 0.542997",
            changed(lambda row, c, p: [0.1 if i == 9 and c == 0 else x for i, x in enumerate(row)]),
        ),
        (
            "keys: at position 1 there are values that are not finite numbers",
            changed(lambda row, c, p: [math.nan] * len(row)),
        ),
        (
            "keys: at position 301 coordinate 0 gives",
            lambda q, k, p: (right(q, k, p)[0], right(q, k, [x % 256 for x in p])[1]),
        ),
        (
            "keys: at position 4099 coordinate 0 gives",
            lambda q, k, p: (right(q, k, p)[0], right(q, k, [min(x, 2047) for x in p])[1]),
        ),
        (
            "queries: coordinate 1 at position 0 is turned otherwise beside rows at other positions",
            lambda q, k, p: right(q, k, p[:1] * len(p)),
        ),
        ("keys: coordinate 0 turns by -2.14159265 per token; expected 1", changed(lambda row, c, p: [-x for x in row])),
        ("NoneType came back; expected queries and keys", lambda q, k, p: None),
        ("list of length 64 came back; expected queries and keys", lambda q, k, p: right(q, k, p)[0]),
        ("tuple of length 1 came back; expected queries and keys", lambda q, k, p: right(q, k, p)[:1]),
        ("came back; expected numbers of shape (1, 64, 64)", lambda q, k, p: (q, [row[:-1] for row in k])),
        ("came back; expected numbers of shape (1, 64, 64)", lambda q, k, p: (q, k[:-1] + [k[-1][:-1]])),
        (
            "came back; expected numbers of shape (1, 64, 64)",
            lambda q, k, p: (q, [[complex(x) for x in row] for row in k]),
        ),
        ("NoneType came back; expected numbers of shape", lambda q, k, p: (q, None)),
    ):
        refused(fault, lambda turn=turn: reference.rotation(turn, like=same))
    not_asked(
        "first = 1; expected 0 to 0, as 64 of 64 coordinates turn",
        lambda: reference.rotation(right, first=1, like=same),
    )
    not_asked("heads = 0; expected 1 or more", lambda: reference.rotation(right, heads=0, like=same))
    not_asked("scale of coordinates", lambda: Conformance("xpos").rotation(right, like=same))


def check_rotation(config, windowed):
    reference = Conformance(config)
    frequencies, temperature = yarn(10000, 64, 8, 4096)
    reference.rotation(rotation(frequencies), like=same)
    reference.rotation(rotation(frequencies), heads=2, like=same)
    refused(
        "queries: neighbours (2j, 2j + 1) turn together; expected halves (j, j + d/2)",
        lambda: reference.rotation(rotation(frequencies, halves=False), like=same),
    )
    refused(
        "queries: it turns the other way round", lambda: reference.rotation(rotation(frequencies, way=-1), like=same)
    )
    refused(
        "of head 1 turns with one of head 2",
        lambda: reference.rotation(rotation(frequencies, across=True), heads=2, like=same),
    )
    refused(
        "coordinate 31 stays; expected that it turns with 63" if frequencies[31] > 1e-4 else "coordinate 0 stays",
        lambda: reference.rotation(
            rotation([0.0] + frequencies[1:] if frequencies[31] <= 1e-4 else frequencies[:31] + [0.0]), like=same
        ),
    )
    refused(
        "coordinate 0 turns by 2 per token; expected 1",
        lambda: reference.rotation(rotation([2.0] + frequencies[1:]), like=same),
    )
    stock = [500 ** (-j / len(frequencies)) for j in range(len(frequencies))]
    refused(
        "; it turns like base 500",
        lambda: reference.rotation(rotation(stock), like=same),
    )
    check_images(reference, frequencies)
    right = rotation(frequencies)
    reference.scores(scores(right, temperature), like=same)
    for fault, port in (
        ("the temperature is applied twice", scores(right, temperature**2)),
        ("the temperature is not applied", scores(right)),
        (
            "neighbours (2j, 2j + 1) turn together; expected halves",
            scores(rotation(frequencies, halves=False), temperature),
        ),
        ("it turns the other way round", scores(rotation(frequencies, way=-1), temperature)),
        ("depend on the distance alone", scores(right, temperature, drift=0.01)),
        ("query 5 sees 5 keys; expected 6", scores(right, temperature, window=5)),
    ):
        refused(fault, lambda port=port: reference.scores(port, like=same))
    plain = rotation([10000 ** (-2 * j / 16) for j in range(8)])
    sliding = Conformance(windowed, name="gemma2-sliding")
    sliding.scores(scores(plain, window=9), like=same)
    refused(
        "query 9 sees 10 keys; expected 9, its own among them",
        lambda: sliding.scores(scores(plain, window=10), like=same),
    )
    refused(
        "query 8 sees 8 keys; expected 9, its own among them",
        lambda: sliding.scores(scores(plain, window=8), like=same),
    )


def main():
    use(sys.argv[1])
    files = written(sys.argv[2], CONFIGS)
    check_rotation(files["yarn"], files["windowed"])


if __name__ == "__main__":
    main()
