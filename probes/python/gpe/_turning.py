"""Which coordinates a rotation turns together, in which direction, and which it leaves alone."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Sequence
from typing import Any

Pairs = list[tuple[int, int]]


def pairs_of(count: int, first: int, interleaved: bool) -> Pairs:
    """The coordinates of blocks 0, 1, ...: neighbours, or halves of the `count` ones from `first`."""
    if interleaved:
        return [(first + 2 * j, first + 2 * j + 1) for j in range(count // 2)]
    return [(first + j, first + j + count // 2) for j in range(count // 2)]


def words(interleaved: bool) -> str:
    return "neighbours (2j, 2j + 1)" if interleaved else "halves (j, j + d/2)"


def rows_of(values: Any) -> list[list[float]]:
    """A matrix of anything that is one: lists, arrays, tensors, with leading axes of length 1."""
    rows = values.tolist() if hasattr(values, "tolist") else [list(row) for row in values]
    while rows and isinstance(rows[0], list) and rows[0] and isinstance(rows[0][0], list):
        if len(rows) != 1:
            raise ValueError("expected a matrix, or one with leading axes of length 1")
        rows = rows[0]
    return [[float(value) for value in row] for row in rows]


def fault_of_pairs(
    turned: Sequence[Sequence[float]], frequencies: Sequence[float], count: int, first: int, interleaved: bool, head_dim: int,
    tolerance: float,
) -> str | None:
    """What is wrong with the images of the unit vectors, one token on; nothing when they turn as they should."""
    size = len(turned)
    wanted = {}
    for head in range(size // head_dim):
        for j, (a, b) in enumerate(pairs_of(count, first, interleaved)):
            if frequencies[j] != 0:
                wanted |= {head * head_dim + a: (head * head_dim + b, j, 1), head * head_dim + b: (head * head_dim + a, j, -1)}
    partner = [max((b for b in range(size) if b != a), key=lambda b: abs(turned[a][b])) for a in range(size)]
    moves = [abs(turned[a][partner[a]]) > tolerance for a in range(size)]
    for a in range(size):
        if moves[a] and a // head_dim != partner[a] // head_dim:
            heads = f"of head {a // head_dim + 1} turns with one of head {partner[a] // head_dim + 1}"
            return f"coordinate {a} {heads}; expected one of its own head"
    other = {a: b for x, y in pairs_of(count, first, not interleaved) for a, b in ((x, y), (y, x))}
    visible = [a for a in range(head_dim) if moves[a] and a in wanted]
    if visible and any(partner[a] != wanted[a][0] for a in visible) and all(partner[a] == other.get(a) for a in visible):
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
    signs = [turned[a][b] * sign * frequencies[j] for a, (b, j, sign) in wanted.items() if moves[a]]
    if signs and all(value < 0 for value in signs):
        return "it turns the other way round"
    for a, (b, j, sign) in wanted.items():
        there = cmath.phase(complex(turned[a][a], sign * turned[a][b]))
        if abs(cmath.exp(1j * there) - cmath.exp(1j * frequencies[j])) > 10 * tolerance:
            return f"coordinate {a} turns by {there:.9g} a token; expected {frequencies[j]:.9g}, the frequency of block {j}"
    return None


def content(
    q: Sequence[float], k: Sequence[float], frequencies: Sequence[float], pairs: Pairs, factors: Sequence[float], n: int,
) -> float:
    """The sum over blocks of factor * (cos(w n)(q1 k1 + q2 k2) + sin(w n)(q1 k2 - q2 k1)), and of those that stay."""
    total, turning = 0.0, set()
    for j, (a, b) in enumerate(pairs):
        turning |= {a, b}
        turn = cmath.exp(1j * frequencies[j] * n)
        total += factors[j] * (turn.real * (q[a] * k[a] + q[b] * k[b]) + turn.imag * (q[a] * k[b] - q[b] * k[a]))
    return total + factors[-1] * sum(x * y for c, (x, y) in enumerate(zip(q, k)) if c not in turning)


def largest_shift(scores: Sequence[Sequence[float]], unseen: Callable[[float], bool]) -> tuple[float, int, int, int]:
    """The largest difference of two scores at one distance n, with n and the two queries."""
    worst, start = (0.0, 0, 0, 0), {}
    for i, row in enumerate(scores):
        for j in range(i + 1):
            if unseen(row[j]):
                continue
            first = start.setdefault(i - j, (i, row[j]))
            worst = max(worst, (abs(row[j] - first[1]), i - j, first[0], i))
    return worst
