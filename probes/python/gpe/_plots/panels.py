"""What a probe's pictures show of each head, for the figure and for the page: entropies by
length, scores and weight by distance."""
# Tests: tests/python/pictures_test.py

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from gpe._reports import Report, number, short

#: What is drawn, by its part: colour by name in _look, and whether as a line, dashes, marks or an area.
PARTS = {
    "measured": ("blue", "line"),
    "predicted": ("orange", "dashes"),
    "row": ("ink", "marks"),
    "ranges": ("blue", "area"),
    "bound": ("quiet", "area"),
}
_DEPTH = 20.0  # nats below the highest score to which bands are shown
_MEANS = 50.0  # nats below the highest mean of every head to which means are: e^-50 of a weight is nothing
_MOST = 1e6  # no scale reaches farther


@dataclass
class Panel:
    """One head: areas as (part, x, low, high), curves as (part, x, y). Values that are not finite break a curve."""

    areas: list[tuple[str, list[float], list[float], list[float]]] = field(default_factory=list)
    curves: list[tuple[str, list[float], list[float]]] = field(default_factory=list)


@dataclass
class Panels:
    """The same axes for all heads. x is log2 of tokens, or of distance + 1."""

    title: str
    unit: str
    across: str
    legend: list[tuple[str, str]]
    x: tuple[float, float]
    y: tuple[float, float]
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    heads: list[Panel]


def entropy_panels(report: Report) -> Panels:
    """Entropies by length, with bands and what was predicted, where the report has them."""
    lengths = report["lengths"]
    fit = (report.get("fit") or {}).get("tokens")
    heads = [_entropy(head, fit) for head in report["heads"]]
    drawn = {part for panel in heads for part, *_ in [*panel.areas, *panel.curves]}
    words = {
        "measured": "measured, mean of rows T/2 to T − 1",
        "row": "row T − 1",
        "ranges": "band of its ranges",
        "bound": "band of |c| ≤ B",
    }
    if "predicted" in drawn:
        words["predicted"] = f"continued from {fit} tokens"
    step = max(1, (len(lengths) + 3) // 4)
    top = math.log(lengths[-1]) + 0.3
    return Panels(
        "Entropy by length",
        "nats",
        "T in tokens",
        [(part, words[part]) for part in PARTS if part in drawn],
        (math.log2(lengths[0]) - 0.3, math.log2(lengths[-1]) + 0.3),
        (0, top),
        [(math.log2(length), short(length)) for length in lengths[::step]],
        _ticks(0, top),
        heads,
    )


def _entropy(head: dict[str, Any], fit: int | None) -> Panel:
    """The panel of a head; what is continued begins at the `fit` tokens from which it is."""
    panel, at = Panel(), head["lengths"]
    x = [math.log2(one["length"]) for one in at]
    for part, name in (("bound", "bound_band"), ("ranges", "ranges_band")):
        bands = [
            (math.log2(one["length"]), one["predictions"][name], one["length"]) for one in at if "predictions" in one
        ]
        if bands:
            panel.areas.append(
                (
                    part,
                    [x for x, _, _ in bands],
                    [_or(number(band["lower"]), 0) for _, band, _ in bands],
                    [_or(number(band["upper"]), math.log(tokens)) for _, band, tokens in bands],
                )
            )
    panel.curves.append(("measured", x, [number(one["second_half"]["entropy"]["mean"]) for one in at]))
    further = head.get("extrapolation") or []
    if further:
        points = [(one["length"], number(one["second_half"]["entropy"]["mean"])) for one in at if one["length"] == fit]
        points += [(one["length"], number(one["predictors"]["continued"]["from_fit"]["entropy"])) for one in further]
        panel.curves.append(("predicted", [math.log2(length) for length, _ in points], [y for _, y in points]))
    panel.curves.append(("row", x, [number(one["last_row"]["entropy"]["mean"]) for one in at]))
    return panel


def score_panels(report: Report) -> Panels:
    """Mean scores by distance, with their deviation, and the bias, where the report has it."""
    heads = []
    for head in report["heads"]:
        x = [_middle(bucket) for bucket in head["distances"]]
        mean = [number(bucket["score"]["mean"]) for bucket in head["distances"]]
        spread = [math.sqrt(max(0.0, number(bucket["score"]["variance"]))) for bucket in head["distances"]]
        panel = Panel(
            [
                (
                    "ranges",
                    x,
                    [m - s for m, s in zip(mean, spread, strict=True)],
                    [m + s for m, s in zip(mean, spread, strict=True)],
                )
            ]
        )
        bias = [number(bucket.get("bias")) for bucket in head["distances"]]
        if any(map(math.isfinite, bias)):
            panel.curves.append(("predicted", x, bias))
        panel.curves.append(("measured", x, mean))
        heads.append(panel)
    seen = [
        value for panel in heads for _, _, low, high in panel.areas for value in (*low, *high) if abs(value) <= _MOST
    ] or [0.0]
    top = math.ceil(max(seen) + 0.5)
    means = [mean for mean in ([v for v in panel.curves[-1][2] if abs(v) <= _MOST] for panel in heads) if mean]
    means = means or [[top]]
    least = min(map(min, means))
    low = math.floor(min(max(min(seen) - 0.5, top - _DEPTH), max(least - 0.5, min(map(max, means)) - _MEANS)))
    ends = [end for panel in heads for area in panel.areas for end in area[2:]]
    every = [value for end in [*ends, *(curve[2] for panel in heads for curve in panel.curves)] for value in end]
    every = [value for value in every if math.isfinite(value)] or [top]
    cuts = [str(end) for end, is_cut in ((low, min(every) < low), (top, max(every) > top)) if is_cut]
    unit = ("logits, cut at " + " and ".join(cuts)).replace("-", "−") if cuts else "logits"
    words = {
        "measured": "measured, mean over all pairs",
        "ranges": "one standard deviation",
        "predicted": "the bias b(n)",
    }
    return _by_distance(report, "Score A(n) by distance", unit, words, (low, top), heads)


def weight_panels(report: Report) -> Panels:
    """The mean weight of a row in each class of distances."""
    heads = [
        Panel(
            curves=[
                (
                    "measured",
                    [_middle(bucket) for bucket in head["distances"]],
                    [number(bucket["mass"]) for bucket in head["distances"]],
                )
            ]
        )
        for head in report["heads"]
    ]
    most = max([weight for panel in heads for weight in panel.curves[0][2] if math.isfinite(weight)] or [1.0])
    top = next((top for top in (0.1, 0.2, 0.5) if most <= top), 1.0)
    return _by_distance(
        report,
        "Weight by distance",
        "share of a row",
        {"measured": "mean weight in each class of distances"},
        (0, top),
        heads,
    )


def _by_distance(
    report: Report, title: str, unit: str, words: dict[str, str], y: tuple[float, float], heads: list[Panel]
) -> Panels:
    drawn = {part for panel in heads for part, *_ in [*panel.areas, *panel.curves]}
    longest = report["lengths"][-1]
    places = [16**power for power in range(int(math.log2(longest) / 4) + 1)]
    return Panels(
        title,
        unit,
        "n in tokens",
        [(part, words[part]) for part in PARTS if part in drawn],
        (-0.4, math.log2(longest) + 0.3),
        y,
        [(math.log2(n), short(0 if n == 1 else n)) for n in places],
        _ticks(*y),
        heads,
    )


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    steps = (first * 10.0**power for power in count(-2) for first in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= 5)
    return [
        (step * i, f"{step * i:g}".replace("-", "−")) for i in range(math.ceil(low / step), math.floor(high / step) + 1)
    ]


def _middle(bucket: dict[str, Any]) -> float:
    last = bucket["from"] if bucket["to"] is None else bucket["to"]  # the last class may be open
    return (math.log2(bucket["from"] + 1) + math.log2(last + 1)) / 2


def _or(value: float, otherwise: float) -> float:
    return value if math.isfinite(value) else otherwise


def layers_of(report: Report) -> list[list[int]]:
    """Indices of each layer's heads."""
    result: list[list[int]] = []
    for index, head in enumerate(report["heads"]):
        if head["layer"] > len(result):
            result.append([])
        result[-1].append(index)
    return result
