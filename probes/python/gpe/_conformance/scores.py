# Tests: tests/checks/conformance_scores_test.py
"""The scores that an encoding gives to queries and keys, and which fault explains those of a port."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import mul

from gpe._conformance.turning import lost, pairs_of, turned, turns_at, words

Vector = list[float]
Matrix = list[Vector]


def unseen(value: float) -> bool:
    return not value > -1e4


@dataclass(frozen=True)
class Law:
    """What the scores of one kind of layers are made of."""

    head_dim: int
    frequencies: Vector  #: by block; none where nothing turns
    count: int  #: coordinates that turn
    interleaved: bool
    factors: Vector  #: of each block, over the first one's
    gain: Callable[[int], float]  #: the first block's factor, at a position or at a distance
    gain_by: str  #: "constant", "position" (of the query), or "distance"
    window: int | None = None
    chunked: bool = False  #: the window is a chunk with borders at its multiples
    cap: float | None = None
    sink: bool = False
    normed: bool | None = None  #: queries and keys are normed, before the rotation (True) or after it (False)
    unweighted: bool = False  #: by norms without weights
    centered: bool = False  #: by layer norms, of each head, which take off the mean
    eps: float = 1e-6  #: what the norms add to the mean square

    def sees(self, i: int, j: int) -> bool:
        """Whether a query at position i sees the key at position j."""
        if j > i or self.window is None:
            return j <= i
        return i // self.window == j // self.window if self.chunked else i - j < self.window


@dataclass(frozen=True)
class Way:
    """One way to compute scores: the right one, and what may be wrong with it."""

    interleaved: bool
    norm: bool | None = None  #: before the rotation, after it, or not at all
    mixed: bool = False  #: coordinates turn by the angles of the other pairing
    way: int = 1
    exchanged: bool = False  #: queries are taken for keys, and keys for queries
    power: int = 1  #: how often the temperature is applied
    at_key: bool = False  #: it is that of the key's position
    late: int = 0  #: it is that of so many positions before


@dataclass(frozen=True)
class QueriesAndKeys:
    """The queries and keys of a check, one of each for a head, at these positions."""

    q: Matrix
    k: Matrix
    positions: Sequence[int]
    first: int = 0  #: the first coordinate that turns
    norms: tuple[Sequence[float], Sequence[float]] | None = None  #: weights of the norms of queries and keys


def normed(law: Law, rows: Matrix, weights: Sequence[float]) -> Matrix:
    """Rows of heads over their root mean square: that of each, or of all where there are weights
    for all and no means are taken off."""
    d = len(rows[0])
    for_all = len(weights) > d
    if law.centered:
        rows = [[x - sum(row) / d for x in row] for row in rows]
    means = [sum(x * x for x in row) / d for row in rows]
    means = [sum(means) / len(rows)] * len(rows) if for_all and not law.centered else means
    return [
        [x / math.sqrt(mean + law.eps) * weights[c + d * h * for_all] for c, x in enumerate(row)]
        for h, (row, mean) in enumerate(zip(rows, means, strict=True))
    ]


def scores_of(law: Law, asked: QueriesAndKeys, port: Way) -> list[Matrix]:
    """By head, -inf for what is not seen."""
    pairs = pairs_of(law.count, asked.first, port.interleaved)
    angles_of = pairs_of(law.count, asked.first, not port.interleaved) if port.mixed else None
    size = [law.factors[-1]] * law.head_dim
    for j, pair in enumerate(pairs):
        for c in pair:
            size[c] = law.factors[j]
    size = [1 / math.sqrt(law.head_dim) if port.power == 0 else x**port.power / math.sqrt(law.head_dim) for x in size]

    turns = [turns_at(port.way * p, law.frequencies, pairs, angles_of) for p in asked.positions]

    def placed(rows: Matrix, weights: Sequence[float] | None) -> list[Matrix]:
        """At each position, the rows of all heads."""
        if weights is not None and port.norm is True:
            rows = normed(law, rows, weights)
        there = [[turned(row, turn) for row in rows] for turn in turns]
        return [normed(law, rows, weights) for rows in there] if weights is not None and port.norm is False else there

    queries, keys = (placed(rows, asked.norms and asked.norms[side]) for side, rows in enumerate((asked.q, asked.k)))
    if port.exchanged:
        queries, keys = keys, queries
    queries = [[list(map(mul, row, size)) for row in rows] for rows in queries]

    def factor(i: int, j: int) -> float | None:
        """Of the scores of all heads; nothing for what is not seen."""
        if not law.sees(i, j):
            return None
        position = j if port.at_key else i
        there = i - j if law.gain_by == "distance" else max(position - port.late, 0)
        return law.gain(there) ** port.power

    def score(a: Vector, b: Vector, factor: float | None) -> float:
        if factor is None:
            return -math.inf
        value = math.fsum(map(mul, a, b))
        if law.cap is not None:
            value = law.cap * math.tanh(value / law.cap)
        return value * factor

    factors = [[factor(i, j) for j in asked.positions] for i in asked.positions]
    return [
        [
            [score(a[h], b[h], one) for b, one in zip(keys, row, strict=True)]
            for a, row in zip(queries, factors, strict=True)
        ]
        for h in range(len(asked.q))
    ]


def fault_of_row(law: Law, i: int, seen: list[int], positions: Sequence[int]) -> str | None:
    """What the query at position i sees that it should not, or does not see."""
    expected = [j for j in positions if law.sees(i, j)]
    if seen == expected:
        return None
    own = ", its own among them" if law.window is not None and len(expected) < len(positions) else ""
    if seen and seen[-1] > i:
        return f"query {i} sees key {seen[-1]}, which comes after it"
    if i not in seen and len(seen) <= len(expected):
        return f"query {i} sees {len(seen)} keys, and not its own; expected {len(expected)}{own}"
    if len(seen) != len(expected):
        return f"query {i} sees {len(seen)} keys; expected {len(expected)}{own}"
    return (
        f"query {i} sees key {next(j for j in seen if j not in expected)}; expected the {len(expected)} last ones{own}"
    )


def fault_of_window(law: Law, given: Sequence[Matrix], positions: Sequence[int]) -> str | None:
    for h, rows in enumerate(given):
        for i, row in zip(positions, rows, strict=True):
            fault = fault_of_row(
                law, i, [j for j, value in zip(positions, row, strict=True) if not unseen(value)], positions
            )
            if fault:
                return f"head {h + 1}: {fault}" if len(given) > 1 else fault
    return None


def shifted(mine: Sequence[float | None], right: Sequence[float | None]) -> str:
    """Whether the windows of layers are those of their neighbours."""
    if len(mine) < 4 or len(set(right)) < 2 or mine[1:-1] == right[1:-1]:
        return ""
    ways = ((1, "later"), (-1, "earlier"))
    told = [way for by, way in ways if all(mine[i] == right[i - by] for i in range(1, len(mine) - 1))]
    where = f", to {told[0]} ones" if len(told) == 1 else ""
    return f"; the schedule is shifted by one layer{where}" if told else ""


def differs(given: Matrix, expected: Matrix, tolerances: Sequence[float]) -> bool:
    """tolerances: by row."""
    return any(
        not abs(a - b) <= tolerance
        for x, y, tolerance in zip(given, expected, tolerances, strict=True)
        for a, b in zip(x, y, strict=True)
        if not unseen(b)
    )


def tolerances_of(law: Law, asked: QueriesAndKeys, tolerance: float) -> Vector:
    """By row: of the largest score there may be, and the digits that angles of float32 lose far out, pair by pair."""
    q, k = (
        normed(law, rows, asked.norms[side]) if asked.norms else rows for side, rows in enumerate((asked.q, asked.k))
    )

    def largest(coordinates: Sequence[int]) -> float:
        return math.prod(
            max(math.hypot(*(row[c] for c in coordinates)) for row in rows) for rows in (q, k)
        ) / math.sqrt(law.head_dim)

    size = largest(range(law.head_dim))
    pairs = [
        (largest(pair), frequency)
        for pair, frequency in zip(pairs_of(law.count, asked.first, law.interleaved), law.frequencies, strict=False)
    ]
    gains = (
        [abs(law.gain(at)) for at in asked.positions]
        if law.gain_by == "position"
        else [max(abs(law.gain(at)) for at in asked.positions)] * len(asked.positions)
    )
    return [
        (tolerance * size + sum(part * lost(frequency, at) for part, frequency in pairs)) * gain
        for at, gain in zip(asked.positions, gains, strict=True)
    ]


def ports(law: Law, asked: QueriesAndKeys) -> list[tuple[Way, str]]:
    """The right way to compute scores, and the wrong ones that have a name."""
    right = Way(law.interleaved, norm=law.normed)
    pairing = f"{words(not law.interleaved)} turn together; expected {words(law.interleaved)}"
    angles = f"{words(not law.interleaved)} turn together, by the angles of {words(law.interleaved)}"
    faults = (
        [
            (replace(right, interleaved=not law.interleaved), pairing),
            (replace(right, interleaved=not law.interleaved, mixed=True), angles),
            (replace(right, way=-1), "it turns the other way round"),
            (replace(right, exchanged=True), "queries and keys are exchanged"),
            (replace(right, interleaved=not law.interleaved, way=-1), "pairs and direction are both wrong"),
        ]
        if law.frequencies
        else []
    )
    if asked.norms:
        order = ("before", "after") if law.normed else ("after", "before")
        faults = [
            (
                replace(right, norm=not law.normed),
                f"positions are applied {order[0]} the norms of queries and keys; expected {order[1]} them",
            ),
            (replace(right, norm=None), "queries and keys are not normed"),
            *faults,
        ]
    lost = "; before the norms it has no effect" if asked.norms else ""
    faults += [
        (replace(right, power=2), "the temperature is applied twice"),
        (replace(right, power=0), f"the temperature is not applied{lost}"),
    ]
    if law.gain_by == "position":
        faults += [(replace(right, at_key=True), "the temperature is that of the key's position; expected the query's")]
        faults += [
            (
                replace(right, late=late, at_key=at_key),
                f"the temperature is that of the position {side} the {whose}; expected the query's own",
            )
            for at_key, whose in ((False, "query's"), (True, "key's"))
            for late, side in ((1, "before"), (-1, "after"))
        ]
    return [(right, ""), *faults]


def deviations(law: Law, given: Sequence[Matrix], positions: Sequence[int]) -> list[tuple[float, int, int, int]]:
    """By head, the largest difference of two scores at one distance n, over the temperature by
    position, with n and the two queries."""
    found = []
    for rows in given:
        start: dict[int, tuple[int, float]] = {}
        worst = (0.0, 0, 0, 0)
        for i, row in zip(positions, rows, strict=True):
            gain = law.gain(i) if law.gain_by == "position" else 1
            for j, value in zip(positions, row, strict=True):
                if not unseen(value) and gain != 0:
                    first = start.setdefault(i - j, (i, value / gain))
                    worst = max(worst, (abs(value / gain - first[1]), i - j, first[0], i))
        found.append(worst)
    return found


def fault_of_scores(
    law: Law,
    given: Sequence[Matrix],
    asked: QueriesAndKeys,
    tolerance: float | Vector,
    mixed: Callable[[], str | None] = lambda: None,
    confirmed: Callable[[Way, list[int]], bool] = lambda port, heads: True,
) -> str | None:
    """What is wrong with scores; nothing when they are those of the law.

    tolerance: of scores, by row, or one for all in units of the largest. mixed: the fault of heads that are mixed,
    asked after the window. confirmed: whether a wrong way to compute explains more than these scores of some heads.
    """
    if not all(value < math.inf for rows in given for row in rows for value in row):
        return "scores are not finite"
    window = fault_of_window(law, given, asked.positions)
    if window:
        return window
    ways = ports(law, asked)
    expected = scores_of(law, asked, ways[0][0])
    tolerances = tolerance if isinstance(tolerance, list) else tolerances_of(law, asked, tolerance)
    wrong = [h for h in range(len(given)) if differs(given[h], expected[h], tolerances)]
    if not wrong:
        return None
    across = mixed()
    if across:
        return across
    where = f"head {wrong[0] + 1}: " if len(given) > len(wrong) else ""
    explained = [
        (way, fault)
        for way, fault in ways[1:]
        for other in [scores_of(law, asked, way)]
        if not any(differs(given[h], other[h], tolerances) for h in wrong)
    ]
    named = [fault for way, fault in explained if confirmed(way, wrong)]
    if named:
        return where + ", or ".join(named)
    h = wrong[0]
    kept = [
        (a, b) for x, y in zip(given[h], expected[h], strict=True) for a, b in zip(x, y, strict=True) if not unseen(b)
    ]
    ratio = math.fsum(a * b for a, b in kept) / math.fsum(b * b for _, b in kept)
    if (
        not differs(given[h], [[b if unseen(b) else ratio * b for b in row] for row in expected[h]], tolerances)
        and abs(ratio) > 0.01
    ):
        return f"{where}scores are {ratio:.6g} times what they should be"
    shifts = deviations(law, given, asked.positions)
    worst, n, one, other_one = max(shifts)
    if worst > max(tolerances) and law.normed is not False:
        heads = f"; by head at most {', '.join(f'{shift[0]:.3g}' for shift in shifts)}" if len(given) > 1 else ""
        rest = " up to the temperature" if law.gain_by == "position" else ""
        return (
            f"{f'head {shifts.index(max(shifts)) + 1}: ' if heads else ''}scores at distance {n} differ by {worst:.9g} "
            f"between queries {one} and {other_one}; expected that they depend on the distance alone{rest}{heads}"
        )
    if abs(given[h][0][0] - expected[h][0][0]) > tolerances[0]:
        return f"{where}the score at distance 0 is {given[h][0][0]:.9g}; expected {expected[h][0][0]:.9g}"
    return f"{where}scores at distances over 0 are not those of its frequencies and pairs"


def fault_of_tokens(
    law: Law,
    given: Sequence[tuple[Sequence[int], Sequence[Matrix]]],
    asked: QueriesAndKeys,
    other: QueriesAndKeys,
    tolerances: Vector,
    port: Way,
    heads: Sequence[int],
) -> str | None:
    """The fault of scores of equal tokens, where these tokens have the states of `other`."""
    # By whether the query's token has other states, and whether the key's has.
    kinds = {
        (b, a) if port.exchanged else (a, b): scores_of(law, replace(asked, q=q.q, k=k.k), port)
        for a, q in ((False, asked), (True, other))
        for b, k in ((False, asked), (True, other))
    }
    for tokens, scores in given:
        for h in heads:
            for i, row in enumerate(scores[h]):
                expected = [kinds[i in tokens, j in tokens][h][i][j] for j in range(len(row))]
                if differs([row], [expected], [tolerances[i]]):
                    where = ", ".join(str(asked.positions[t]) for t in tokens[:3]) + ", ..." * (len(tokens) > 3)
                    return (
                        f"with other states of the token{'s' * (len(tokens) > 1)} at {where}, "
                        f"scores of query {asked.positions[i]} are not those of its states and of each key's"
                    )
    return None
