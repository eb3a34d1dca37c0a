# Tests: tests/checks/conformance_scores_test.py
"""Which coordinates a rotation turns together, in which direction, and which it leaves alone."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence

Pairs = list[tuple[int, int]]
Turns = list[tuple[int, int, float, float, float, float]]


def pairs_of(count: int, first: int, interleaved: bool) -> Pairs:
    """The coordinates of blocks 0, 1, ...: neighbours, or halves of the `count` ones from `first`."""
    if interleaved:
        return [(first + 2 * j, first + 2 * j + 1) for j in range(count // 2)]
    return [(first + j, first + j + count // 2) for j in range(count // 2)]


def lost(frequency: float, position: int) -> float:
    """The digits that an angle in float32 loses: those of the product, and of a power of the base."""
    return position * abs(frequency) * (2e-7 + 1e-7 * abs(math.log(abs(frequency)))) if frequency else 0.0


def words(interleaved: bool) -> str:
    return "neighbours (2j, 2j + 1)" if interleaved else "halves (j, j + d/2)"


def fault_of_pairs(
    turned: Sequence[Sequence[float]],
    frequencies: Sequence[float],
    count: int,
    first: int,
    interleaved: bool,
    head_dim: int,
    tolerance: float,
) -> str | None:
    """What is wrong with the images of the unit vectors, one token on; nothing when they turn as they should."""
    size = len(turned)
    wanted: dict[int, tuple[int, int, int]] = {}
    for head in range(size // head_dim):
        for j, (a, b) in enumerate(pairs_of(count, first, interleaved)):
            if frequencies[j] != 0:
                wanted |= {
                    head * head_dim + a: (head * head_dim + b, j, 1),
                    head * head_dim + b: (head * head_dim + a, j, -1),
                }
    partner = [max((b for b in range(size) if b != a), key=lambda b: abs(turned[a][b])) for a in range(size)]
    moves = [abs(turned[a][partner[a]]) > tolerance for a in range(size)]
    for a in range(size):
        if moves[a] and a // head_dim != partner[a] // head_dim:
            heads = f"of head {a // head_dim + 1} turns with one of head {partner[a] // head_dim + 1}"
            return f"coordinate {a} {heads}; expected one of its own head"
    other = {a: b for x, y in pairs_of(count, first, not interleaved) for a, b in ((x, y), (y, x))}
    visible = [a for a in range(head_dim) if moves[a] and a in wanted]
    if (
        visible
        and any(partner[a] != wanted[a][0] for a in visible)
        and all(partner[a] == other.get(a) for a in visible)
    ):
        return f"{words(not interleaved)} turn together; expected {words(interleaved)}"
    for a in range(size):
        if a not in wanted:
            if moves[a]:
                return f"coordinate {a} turns; expected that it stays"
            continue
        b, j, sign = wanted[a]
        if abs(frequencies[j]) > 10 * tolerance and not moves[a]:
            return f"coordinate {a} stays; expected that it turns with {b}"
        if moves[a] and partner[a] != b:
            return f"coordinate {a} turns with {partner[a]}; expected {b}"
    phases = {a: cmath.phase(complex(turned[a][a], sign * turned[a][b])) for a, (b, _, sign) in wanted.items()}

    def differ(way: int) -> list[int]:
        return [
            a
            for a, (_, j, _) in wanted.items()
            if abs(cmath.exp(1j * phases[a]) - cmath.exp(1j * way * frequencies[j])) > 10 * tolerance
        ]

    wrong = differ(1)
    if wrong and not differ(-1):
        return "it turns the other way round"
    if not wrong:
        return None
    a, j = wrong[0], wanted[wrong[0]][1]
    by_block = {block: phases[c] for c, (_, block, _) in reversed(wanted.items())}
    found = [by_block.get(block, 0.0) for block in range(len(frequencies))]
    like = f"; it turns like base {mine:.6g}" if (mine := base_of(found)) is not None else ""
    right = f", and not {base:.6g}" if like and (base := base_of(frequencies)) is not None else ""
    return (
        f"coordinate {a} turns by {phases[a]:.9g} per token; expected {frequencies[j]:.9g}, the frequency of "
        f"block {j}{like}{right}"
    )


def fault_of_images(
    images: Mapping[int, Sequence[Sequence[float]]],
    frequencies: Sequence[float],
    pairs: Pairs,
    head_dim: int,
    tolerance: float,
) -> str | None:
    """What is wrong with the images of the unit vectors, by position, entry by entry: one factor
    for all that turn, and one for all that stay."""
    turning = {
        c: frequency for pair, frequency in zip(pairs, frequencies, strict=False) for c in pair if frequency != 0
    }
    factors: dict[bool, float] = {}
    for position, rows in images.items():
        for a, row in enumerate(rows):
            head, moves = a - a % head_dim, a % head_dim in turning
            unit = [float(c == a % head_dim) for c in range(head_dim)]
            after = turned(unit, turns_at(position, frequencies, pairs))
            expected = [0.0] * head + after + [0.0] * (len(rows) - head - head_dim)
            factor = factors.setdefault(moves, math.hypot(*row))
            if not 0 < factor < math.inf:
                return f"at position {position} coordinate {a} has size {factor:.9g}; expected a number over 0"
            for b, (value, wanted) in enumerate(zip(row, expected, strict=True)):
                if (
                    not abs(value - factor * wanted)
                    <= (tolerance + lost(turning.get(a % head_dim, 0), position)) * factor
                ):
                    return (
                        f"at position {position} coordinate {a} gives {value:.9g} to coordinate {b}; "
                        f"expected {factor * wanted:.9g}"
                    )
    return None


def fault_of_rows(
    mixed: Sequence[Sequence[float]],
    images: Mapping[int, Sequence[Sequence[float]]],
    positions: Sequence[int],
    tolerance: float,
) -> str | None:
    """What is wrong with the images of the unit vectors, each at its own position, beside those of all at one."""
    for a, (row, position) in enumerate(zip(mixed, positions, strict=True)):
        alone = images[position][a]
        if not all(abs(x - y) <= tolerance * max(map(abs, alone)) for x, y in zip(row, alone, strict=True)):
            return (
                f"coordinate {a} at position {position} is turned otherwise beside rows at other positions; "
                "expected that each row has its own position"
            )
    return None


def turns_at(position: int, frequencies: Sequence[float], pairs: Pairs, angles_of: Pairs | None = None) -> Turns:
    """Of each pair (a, b): a, b, and the cosine and the sine of the angle position * frequency of a, and of b.

    angles_of: pairs by which coordinates take their angles, where they are not the pairs that turn together.
    """
    angle = {
        c: position * frequency for pair, frequency in zip(angles_of or pairs, frequencies, strict=False) for c in pair
    }
    return [(a, b, math.cos(angle[a]), math.sin(angle[a]), math.cos(angle[b]), math.sin(angle[b])) for a, b in pairs]


def turned(row: Sequence[float], turns: Turns) -> list[float]:
    """A row after these turns: (a, b) becomes (a cos - b sin, b cos + a sin)."""
    result = list(row)
    for a, b, cos_a, sin_a, cos_b, sin_b in turns:
        result[a], result[b] = cos_a * row[a] - sin_a * row[b], cos_b * row[b] + sin_b * row[a]
    return result


def weights_after(
    rows: Sequence[Sequence[float]],
    frequencies: Sequence[float],
    pairs: Pairs,
    positions: Sequence[int],
    turns: Sequence[Turns],
    tolerance: float,
) -> list[float] | None:
    """Weights w, up to a factor of each pair, with which `rows` are w * (rows[0] / w) turned:
    those of a norm after the rotation. turns: `turns_at` each position.

    None where all of them equal those of a plain rotation, or where no weights explain the rows.
    """
    plain, weights = rows[0], [1.0] * len(rows[0])

    def explained() -> bool:
        unweighted = [x / w for x, w in zip(plain, weights, strict=True)]
        return all(
            abs(x - w * y) <= tolerance
            for row, there in zip(rows, turns, strict=True)
            for x, w, y in zip(row, weights, turned(unweighted, there), strict=True)
        )

    if explained():
        return None
    for (a, b), frequency in zip(pairs, frequencies, strict=False):
        at = max(range(len(rows)), key=lambda t: abs(math.sin(positions[t] * frequency)))
        c, s = math.cos(positions[at] * frequency), math.sin(positions[at] * frequency)
        one, other = c * plain[a] - rows[at][a], rows[at][b] - c * plain[b]
        if abs(s) > 1e-4 and plain[a] * plain[b] * other != 0:
            weights[a] = one / (s * plain[b]) if abs(plain[b]) > abs(plain[a]) else s * plain[a] / other
            if weights[a] <= 0:
                return None
    return weights if explained() else None


def base_of(frequencies: Sequence[float]) -> float | None:
    """The base b with frequencies b^(-j/blocks), up to blocks at the end that stay; None where no base fits.

    It is that of block 1, which is known best; others fit to 1e-4 of their size, or to 1e-7 radians per token.
    """
    turning = [value for value in frequencies if value != 0]
    if len(turning) < 2 or frequencies[0] == 0 or min(turning) < 0:
        return None
    base: float = (turning[0] / turning[1]) ** len(frequencies)
    expected = [base ** (-j / len(frequencies)) for j in range(len(turning))]
    fits = all(abs(x - y) <= 1e-4 * y + 1e-7 for x, y in zip(turning, expected, strict=True))
    return base if base > 1 + 1e-6 and fits else None


def fault_of_frequencies(found: Sequence[float], expected: Sequence[float], tolerance: float) -> str | None:
    """Which frequencies differ, and the base, or the factor, that explains them."""
    wrong = [
        j
        for j, (x, y) in enumerate(zip(found, expected, strict=True))
        if not abs(x - y) <= tolerance * max(abs(y), 1e-3)
    ]
    if not wrong:
        return None
    j = wrong[0]
    one = f"block {j} turns by {found[j]:.6g} per token; expected {expected[j]:.6g}"
    mine, right = base_of(found), base_of(expected)
    if not any(abs(x) > tolerance for x in found):
        return f"it does not turn: {one}"
    if all(abs(found[j]) <= 1e-6 * abs(expected[j]) for j in wrong) and len(wrong) < len(found):
        return f"only {len(found) - len(wrong)} of {len(found)} blocks turn: {one}"
    if all(abs(x + y) <= tolerance * max(abs(y), 1e-3) for x, y in zip(found, expected, strict=True)):
        return "it turns the other way round"
    if mine is not None and right is not None:
        return f"turns like base {mine:.6g}; expected {right:.6g} ({one})"
    if mine is not None:
        return f"turns like base {mine:.6g} without scaling: {one}"
    ratios = [x / y for x, y in zip(found, expected, strict=True) if y != 0]
    if ratios and max(ratios) - min(ratios) <= tolerance * abs(ratios[0]):
        return f"turns {ratios[0]:.6g} times as fast, as by a linear factor of {1 / ratios[0]:.6g}: {one}"
    return f"other frequencies in {len(wrong)} of {len(found)} blocks: {one}"
