# Tests: tests/checks/conformance_scores_test.py
"""A user's function of scores or weights: what it is asked, and what is wrong with its answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from gpe._conformance.law import Reference
from gpe._conformance.ports import Port, finite, listed, positive, whole
from gpe._conformance.scores import (
    Law,
    Matrix,
    QueriesAndKeys,
    Vector,
    Way,
    differs,
    fault_of_scores,
    fault_of_tokens,
    ports,
    scores_of,
)
from gpe._errors import SpecError

#: Tokens, and what has the queries and keys of those.
Others = tuple[list[int], QueriesAndKeys] | None


def called(port: Port, asked: QueriesAndKeys, q: Matrix, k: Matrix, others: Others = None) -> Any:
    """Of equal tokens, but for the others."""
    tokens, other = others or ([], asked)
    states = [
        [[x for row in (changed if t in tokens else rows) for x in row] for t in range(len(asked.positions))]
        for rows, changed in ((q, other.q), (k, other.k))
    ]
    return port(*states, list(asked.positions)) if port.count > 2 else port(*states)


def reversed_(asked: QueriesAndKeys) -> QueriesAndKeys:
    return replace(asked, q=[row[::-1] for row in asked.q], k=[row[::-1] for row in asked.k])


def bounds(law: Law, asked: QueriesAndKeys) -> list[Matrix]:
    """By entry the largest score, whichever states tokens have."""
    way, other = ports(law, asked)[0][0], reversed_(asked)
    all_scores = [scores_of(law, replace(asked, q=q.q, k=k.k), way) for q in (asked, other) for k in (asked, other)]
    return [
        [[max(entries) for entries in zip(*rows, strict=True)] for rows in zip(*heads, strict=True)]
        for heads in zip(*all_scores, strict=True)
    ]


def asked_of(
    reference: Reference,
    call: Any,
    like: Any,
    heads: int,
    tokens: int,
    first: int,
    tolerance: float,
    norms: tuple[Sequence[float], Sequence[float]] | None,
) -> tuple[Law, Port, QueriesAndKeys]:
    """The law of an encoding, a user's function, and what it is asked."""
    port = Port(call, like, "a function of (q, k) or of (q, k, positions)", [3, 2])
    law = reference.law(whole("tokens", tokens, 2))
    counts(law, heads, first, tolerance)
    positions = reference.positions(law, tokens)
    if port.count < 3:
        change = next((p for p in positions if law.gain_by == "position" and law.gain(p) != law.gain(0)), 0)
        if change >= tokens:
            raise SpecError(
                f"the temperature of {reference.label} changes at position {change}; "
                "expected a function of (q, k, positions)"
            )
        positions = list(range(tokens))
    if norms is not None and reference.one is not None and law.normed is None:
        raise SpecError(f"{reference.label} does not norm queries and keys; expected no norms=")
    q = [[math.sin(1 + 3 * c * c + 7 * h) + 0.5 for c in range(law.head_dim)] for h in range(heads)]
    k = [[math.cos(2 + 5 * c * c + 4 * h) - 0.3 for c in range(law.head_dim)] for h in range(heads)]
    weights = None if norms is None else tuple(finite("norms", one) for one in listed(norms))
    if weights is not None and (
        len(weights) != 2 or not {len(one) for one in weights} <= {law.head_dim, heads * law.head_dim}
    ):
        raise SpecError(
            f"norms of {[len(one) for one in weights]} numbers; expected two, of {law.head_dim}"
            + f" or {heads * law.head_dim}" * (heads > 1)
        )
    if weights is not None and law.unweighted and {x for one in weights for x in one} != {1.0}:
        raise SpecError(f"the norms of {reference.label} have no weights; expected norms= of ones")
    law = replace(law, normed=None if weights is None else law.normed is not False)
    return law, port, QueriesAndKeys(q, k, positions, first, weights)


def fault_of_function(
    law: Law, asked: QueriesAndKeys, scores: Callable[..., list[Matrix]], tolerances: Vector
) -> str | None:
    """What is wrong with scores (q, k, others) -> by head, whose heads and tokens must not mix."""
    given, size = scores(asked.q, asked.k), len(asked.positions)
    one, other = size // 3, reversed_(asked)
    found: list[tuple[list[int], list[Matrix]]] = []

    def changed(tokens: list[int]) -> tuple[list[int], list[Matrix]]:
        return tokens, scores(asked.q, asked.k, (tokens, other))

    def mixed() -> str | None:
        for h in range(len(asked.q)):
            sides = [[row[::-1] if g == h else row for g, row in enumerate(rows)] for rows in (asked.q, asked.k)]
            for g, (before, after) in enumerate(zip(given, scores(*sides), strict=True)):
                if g != h and differs(after, before, tolerances):
                    return (
                        f"across heads: the scores of head {g + 1} change with the coordinates of head "
                        f"{h + 1}; expected its own alone"
                    )
        return None

    def confirmed(way: Way, heads: list[int]) -> bool:
        found.extend([] if found else [changed([one])])
        return fault_of_tokens(law, found, asked, other, tolerances, way, heads) is None

    alone = asked.norms is None or len(asked.norms[0]) == law.head_dim or law.centered
    fault = fault_of_scores(
        law, given, asked, tolerances, mixed if alone and len(asked.q) > 1 else lambda: None, confirmed
    )
    if not fault:
        # Each token, and by the bits of their numbers, all of them told apart.
        sets = [[one], *([t for t in range(size) if t >> bit & 1] for bit in range((size - 1).bit_length()))]
        fault = fault_of_tokens(
            law,
            [changed(tokens) for tokens in sets],
            asked,
            other,
            tolerances,
            ports(law, asked)[0][0],
            range(len(asked.q)),
        )
    return fault


def counts(law: Law, heads: int, first: int, tolerance: float) -> float:
    """The tolerance, after heads and the first coordinate that turns have been looked at."""
    whole("heads", heads, 1)
    try:
        whole("first", first, 0, law.head_dim - law.count)
    except SpecError as error:
        raise SpecError(f"{error}, as {law.count} of {law.head_dim} coordinates turn") from None
    return positive("tolerance", tolerance)
