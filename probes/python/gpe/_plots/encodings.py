"""Pictures of encodings, from the report of check-properties: score, weights and sums where it
has curves, verdicts otherwise."""
# Tests: tests/python/pictures_test.py

from __future__ import annotations

import math
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from gpe._palette import VERDICTS
from gpe._plots.look import Look, calm, label_curves, log_axis
from gpe._plots.verdict_grid import verdict_grid
from gpe._reports import Report, number

_MOST_LABELS = 6  # curves of a panel that have their names beside them; more have a legend
_KINDS = ("score", "weight", "Z", "H")
_TITLES = {
    "score": "score A(n)",
    "weight": "weights, and their mass up to n",
    "Z": "normalizer Z of L + 1 tokens",
    "H": "entropy H of L + 1 tokens, nats",
}


def encodings_figure(report: Report, look: Look, _: str) -> Figure:
    """Four pictures of one encoding; of several, each encoding a curve in all four."""
    encodings = report["encodings"]
    if not any(encoding.get("curves") for encoding in encodings):
        return _verdicts(encodings, look)
    names = [label(encoding, encodings) for encoding in encodings]
    looks = look.of_encodings(names)
    columns = 1 if look.column else 2
    figure, axes = look.figure(4 // columns, columns, 1.55 * 4 // columns + 0.5, names[0] if len(names) == 1 else "")
    several = len(encodings) > 1
    labels: list[tuple[Any, list[tuple[Any, str]]]] = []
    for panel, kind in zip(axes.flat, _KINDS, strict=True):
        curves: list[tuple[Any, str]] = []
        for encoding, name in zip(encodings, names, strict=True):
            curves += _DRAW[kind](panel, encoding, name, looks[name], look, several)
        labels.append((panel, curves))
        panel.set_title("mass of the weights up to n" if several and kind == "weight" else _TITLES[kind])
        panel.set_xlabel("distance n" if kind in ("score", "weight") else "L")
    if len(encodings) > _MOST_LABELS:
        handles = [line for line, _ in labels[0][1]]
        figure.legend(handles=handles, labels=names, loc="outside lower center", ncols=2 if look.column else 4)
        return figure
    label_curves(*labels)
    return figure


def label(encoding: dict[str, Any], encodings: list[dict[str, Any]]) -> str:
    """The encoding's name, with what tells it from others of the same name."""
    same = [other for other in encodings if other["name"] == encoding["name"]]
    name = str(encoding["name"])
    if encoding.get("head") is not None:
        name += f", head {encoding['head']}"
    if len(same) > 1 and encoding.get("head") is None:
        name += " " + ", ".join(
            f"{key} = {value}"
            for key, value in encoding["parameters"].items()
            if any(other["parameters"].get(key) != value for other in same)
        )
    return name


def _curve(encoding: dict[str, Any], key: str) -> tuple[list[float], list[float]]:
    points = [(number(p["n"]), number(p[key])) for p in encoding.get("curves", []) if p[key] is not None]
    return [x for x, _ in points], [y for _, y in points]


def _axis(panel: Any, encoding: dict[str, Any]) -> None:
    ends = [number(p["n"]) for p in encoding.get("curves", [])]
    drawn = [panel.get_xlim()[0]] if panel.has_data() and panel.get_xscale() == "function" else []
    log_axis(panel, min(*ends, *drawn), max(ends), shift=1)


def _score(
    panel: Any, encoding: dict[str, Any], name: str, style: dict[str, Any], look: Look, many: bool
) -> list[tuple[Any, str]]:
    """A(n) without content, and its range for |c| ≤ B."""
    colour = style["color"]
    result = []
    for place, bound in enumerate(encoding["content_bounds"] if not many else []):
        band = [
            (number(p["n"]), number(p["lower"][place]), number(p["upper"][place]))
            for p in encoding["curves"]
            if p["lower"][place] is not None and p["upper"][place] is not None
        ]
        if band and any(low != high for _, low, high in band):
            panel.fill_between(*zip(*band, strict=True), color=colour, alpha=0.25 / (1 + place), linewidth=0)
            [edge] = panel.plot([n for n, _, _ in band], [high for _, _, high in band], color=colour, linewidth=0.4)
            result.append((edge, f"|c| ≤ {bound}"))
    [line] = panel.plot(*_curve(encoding, "A"), color=colour, linestyle=style["linestyle"])
    _axis(panel, encoding)
    drawn = [v for of_one in panel.get_lines() for v in map(float, of_one.get_ydata()) if math.isfinite(v)] or [0.0]
    high = max(drawn) + 0.5
    panel.set_ylim(max(min(drawn) - 0.5, high - 25), high)  # what lies deeper has no weight
    return [*result, (line, name if many else "no content")]


def _weight(
    panel: Any, encoding: dict[str, Any], name: str, style: dict[str, Any], look: Look, many: bool
) -> list[tuple[Any, str]]:
    """Each weight over the largest one, and the share of the weights up to n."""
    colour = style["color"]
    x, weights = _curve(encoding, "weight")
    most = max([w for w in weights if math.isfinite(w)] or [1.0])
    result = []
    if not many:
        result += [
            (line, f"weight, largest {most:.2g}")
            for line in panel.plot(x, [w / most for w in weights], color=look["quiet"], linestyle=(0, (4, 1.5)))
        ]
    [mass] = panel.plot(*_curve(encoding, "mass"), color=colour, linestyle=style["linestyle"])
    _axis(panel, encoding)
    panel.set_ylim(0, 1.05)
    return [*result, (mass, name if many else "mass up to n")]


def _sum(
    key: str, panel: Any, encoding: dict[str, Any], name: str, style: dict[str, Any], look: Look, many: bool
) -> list[tuple[Any, str]]:
    """Z_L or H_L, its growth law, or the limit where there is one."""
    [line] = panel.plot(*_curve(encoding, key), color=style["color"], linestyle=style["linestyle"])
    result = [(line, name if many else f"{key}_L")]
    limit = encoding["sums"].get(key, {})
    if not many and limit.get("finite"):
        result.append(
            (
                panel.axhline(number(limit), color=look["quiet"], linewidth=0.8, linestyle=(0, (2, 1))),
                f"limit {number(limit):.4g}",
            )
        )
    law = (encoding.get("growth") or {}).get(key)
    x, y = _curve(encoding, f"{key}_law")
    if not many and law and y:
        law = law if len(law) <= 34 else law[:33] + "…"
        result += [
            (drawn, f"grows like {law}")
            for drawn in panel.plot(
                x,
                y,
                color=look["orange" if style["color"] != look["orange"] else "blue"],
                linestyle=(0, (2, 1)),
                linewidth=0.9,
            )
        ]
    _axis(panel, encoding)
    values = [v for drawn in panel.get_lines() for v in map(float, drawn.get_ydata()) if math.isfinite(v) and v > 0]
    if key == "Z" and values and max(values) / min(values) > 100:
        panel.set_yscale("log")
        panel.autoscale(axis="y")
        panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    else:
        panel.autoscale(axis="y")
        panel.set_ylim(0, None)
        calm(panel)
    return result


_DRAW: dict[str, Any] = {
    "score": _score,
    "weight": _weight,
    "Z": lambda *given: _sum("Z", *given),
    "H": lambda *given: _sum("H", *given),
}


def _verdicts(encodings: list[dict[str, Any]], look: Look) -> Figure:
    """A row for each encoding, a column for each reading, at the first content bound."""
    columns = list(dict.fromkeys((v["property"], v["reading"]) for v in encodings[0]["verdicts"]))
    short = {"convergent-normalization": "cn", "entropy-boundedness": "eb"}
    rows = []
    for encoding in encodings:
        first: dict[tuple[str, str], str] = {}
        for verdict in encoding["verdicts"]:
            first.setdefault((verdict["property"], verdict["reading"]), verdict["verdict"])
        rows.append(
            (
                label(encoding, encodings),
                [(reading, first.get((prop, reading), "undecided")) for prop, reading in columns],
            )
        )
    bound = encodings[0]["content_bounds"][0]
    return verdict_grid(
        f"verdicts at |c| ≤ {bound}",
        rows,
        look,
        [(name, *how) for name, how in VERDICTS.items()],
        [f"{short.get(prop, prop)} {reading}" for prop, reading in columns],
    )
