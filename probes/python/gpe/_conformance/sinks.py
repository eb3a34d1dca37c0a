# Tests: tests/checks/conformance_scores_test.py
"""How a sink, one more logit, enters a softmax: its weights, and the scores that they tell."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gpe._conformance.scores import Law, Matrix


def rests(scores: Sequence[Matrix], sinks: Sequence[float]) -> list[list[float]]:
    """By head and query, the part of the weights that the sink takes."""

    def rest(row: Sequence[float], sink: float) -> float:
        top = max(*row, sink)
        return math.exp(sink - top) / (math.exp(sink - top) + math.fsum(math.exp(score - top) for score in row))

    return [[rest(row, sink) for row in rows] for rows, sink in zip(scores, sinks, strict=True)]


def other_logit(weights: Matrix, sink: float, scores: Matrix) -> str | None:
    """The logit of the sink that these weights of these scores have, where all of them say the same one."""
    told = [
        score - math.log(value) + math.log(1 - sum(row))
        for row, of_row in zip(weights, scores, strict=True)
        for value, score in zip(row, of_row, strict=True)
        if value > 1e-3 and 0.05 < 1 - sum(row)
    ]
    if not told:
        return None
    middle = (max(told) + min(told)) / 2
    if abs(middle - sink) < max(0.2, 10 * (max(told) - min(told))):
        return None
    twice = ", which is counted twice" if abs(middle - sink - math.log(2)) < 1e-2 else ""
    return f"the sink has the logit {middle:.4g}; expected {sink:.9g}{twice}"


def fault_of_sink(
    law: Law, weights: Sequence[Matrix], positions: Sequence[int], sinks: Sequence[float], scores: Sequence[Matrix]
) -> str | None:
    """What is wrong with how an extra logit enters the softmax of these scores, from what the weights leave to it."""
    if not all(math.isfinite(value) for rows in weights for row in rows for value in row):
        return "weights are not finite"
    for h, (rows, right) in enumerate(zip(weights, rests(scores, sinks), strict=True)):
        sums = [sum(row) for row in rows]
        seen = [sum(value > 0 for value in row) for row in rows]
        expected = [sum(law.sees(i, j) for j in positions) for i in positions]
        cut = [i for i in range(len(rows)) if seen[i] != expected[i]]
        if (
            cut
            and law.window is not None
            and all(seen[i] == expected[i] - 1 for i in cut)
            and not any(expected[i] < law.window for i in cut)
        ):
            return (
                f"query {positions[cut[0]]} sees {seen[cut[0]]} keys beside the sink; "
                f"expected {expected[cut[0]]}, as if the sink were one of them"
            )
        if max(right) > 1e-4 and all(abs(value - 1) < 1e-5 for value in sums):
            return (
                "the sink is dropped: the weights of "
                f"{'head ' + str(h + 1) if len(weights) > 1 else 'each query'} sum to 1"
            )
        if max(sums) - min(sums) < 1e-5 * max(sums) and 1 - max(right) < 0.999 * (1 - min(right)):
            return (
                f"the sink is added after the softmax: the weights of each query sum to {sums[0]:.9g}, "
                "whatever its scores"
            )
        if min(sums) < 0 or max(sums) >= 1:
            return (
                f"weights sum to {(min if min(sums) < 0 else max)(sums):.9g}; "
                f"expected sums between 0 and 1, with a sink of logit {sinks[h]:.9g}"
            )
        if not cut and (other := other_logit(rows, sinks[h], scores[h])):
            return other
    return None


def scores_of_weights(weights: Sequence[Matrix], sinks: Sequence[float]) -> list[Matrix]:
    """The scores of a softmax with an extra logit: a weight over what the weights leave to the
    sink is the exponential of a difference."""
    return [
        [[math.log(value) - math.log(1 - sum(row)) + sink if value > 0 else -math.inf for value in row] for row in rows]
        for rows, sink in zip(weights, sinks, strict=True)
    ]
