"""The page of a probe, of attention or of gates: one HTML file that needs no other. Every value from outside is
escaped, and nothing on it is loaded or run."""
# Tests: tests/python/pages_test.py

from __future__ import annotations

import math
from functools import cache
from typing import Any

from gpe._errors import PlotsMissing
from gpe._plots.findings import findings, head_name
from gpe._plots.gates_views import complete_gates, gates_values, is_gates
from gpe._plots.panels import PARTS, Panel, Panels, entropy_panels, layers_of, score_panels, weight_panels
from gpe._reports import Report, complete_probe, drawn, even_entropy, number, printable
from gpe._tables import count

_WIDTH, _HEIGHT = 132.0, 84.0  # of a head's panel


def page(report: Report, source: str = "the report") -> str:
    """HTML of a report of probe-attention, gpe.probe or gpe.probe_gates. SpecError for anything
    else; PlotsMissing without Jinja2."""
    require_jinja()
    if is_gates(report):
        return str(
            drawn(
                lambda: _template("gates.html").render(_with_orders(gates_values(complete_gates(report, source)))),
                source,
            )
        )
    return str(drawn(lambda: _template("page.html").render(_values(complete_probe(report, source))), source))


@cache
def _template(name: str) -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gpe._plots", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )
    environment.filters |= {"fixed": _fixed, "general": _general, "count": count}
    return environment.get_template(name)


def require_jinja() -> None:
    """PlotsMissing where it is not installed."""
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise PlotsMissing("a page needs jinja2") from error


def _values(report: Report) -> dict[str, Any]:
    lengths, heads = report["lengths"], report["heads"]
    grids = [("score", score_panels(report)), ("weight", weight_panels(report))]
    if len(lengths) > 1:
        grids = [("entropy", entropy_panels(report)), *grids]
    most = even_entropy(lengths[-1])
    seen = [head["lengths"][-1]["second_half"] for head in heads]
    sorted_by = [
        (words, [number(one[name][which]) for one in seen])
        for words, name, which in (
            ("entropy", "entropy", "mean"),
            ("mean distance", "mean_distance", "mean"),
            ("largest weight, mean", "largest_weight", "mean"),
            ("largest |c|", "largest_content", "max"),
        )
    ]
    return {
        "report": report,
        "title": _title(report),
        "subject": "attention",
        "longest": lengths[-1],
        "last": [head["lengths"][-1] for head in heads],
        "findings": findings(report),
        "layers": layers_of(report),
        "names": [head_name(head) for head in heads],
        "shares": [
            max(0.0, min(1.0, number(head["lengths"][-1]["second_half"]["entropy"]["mean"]) / most)) for head in heads
        ],
        "grids": [(name, grid, [drawing(grid, panel) for panel in grid.heads]) for name, grid in grids],
        "parts": PARTS,
        "orders": _orders(sorted_by),
        "windows": report.get("serving_windows"),
        "verdicts": _verdicts(report),
        "size": (_WIDTH, _HEIGHT),
        "across": max(head["head"] for head in heads),
    }


def _title(report: Report) -> str:
    for key in ("checkpoint", "model"):
        name = str(report.get(key) or "").rstrip("/")
        if name:
            return name.rpartition("/")[2]  # the folder of a run
    return "Attention"


def drawing(grid: Panels, panel: Panel) -> dict[str, Any]:
    """A panel in pixels: areas and curves as points of SVG, marks as places."""

    def x(value: float) -> float:
        return _WIDTH * (value - grid.x[0]) / (grid.x[1] - grid.x[0])

    def y(value: float) -> float:
        return _HEIGHT * (1 - max(-1.0, min(2.0, (value - grid.y[0]) / (grid.y[1] - grid.y[0]))))

    def points(xs: list[float], ys: list[float]) -> list[tuple[float, float]]:
        return [
            (round(x(at), 1), round(y(value), 1))
            for at, value in zip(xs, ys, strict=True)
            if math.isfinite(at) and math.isfinite(value)
        ]

    areas = [(part, [*points(xs, low), *reversed(points(xs, high))]) for part, xs, low, high in panel.areas]
    return {
        "areas": areas,
        "curves": [(part, PARTS[part][1], points(xs, ys)) for part, xs, ys in panel.curves],
        "x_ticks": [(round(x(at), 1), words) for at, words in grid.x_ticks],
        "y_ticks": [(round(y(at), 1), words) for at, words in grid.y_ticks],
    }


def _orders(columns: list[tuple[str, list[float]]]) -> list[tuple[str, list[int]]]:
    """What the table of heads is sorted by, and the place of each head then, from 1: the greatest
    first, and last what has no number."""
    orders = [("head", list(range(1, len(columns[0][1]) + 1)))]
    for words, values in columns:
        keys = [math.inf if math.isnan(value) else -value for value in values]
        sorted_heads = sorted(range(len(values)), key=keys.__getitem__)
        orders.append((words, [sorted_heads.index(i) + 1 for i in range(len(values))]))
    return orders


def _with_orders(values: dict[str, Any]) -> dict[str, Any]:
    return values | {"orders": _orders(values["values"])}


def _verdicts(report: Report) -> dict[str, Any] | None:
    """Heads with the same verdicts are one row; each verdict's reason once."""
    if "verdicts" not in report["heads"][0]:
        return None
    groups: dict[tuple[str, ...], list[str]] = {}
    reasons: dict[str, str] = {}
    for head in report["heads"]:
        groups.setdefault(tuple(str(v["verdict"]) for v in head["verdicts"]), []).append(head_name(head))
        for v in head["verdicts"]:
            reasons.setdefault(f"{v['property']} {v['verdict']}", v["reason"])
    return {
        "columns": [(v["property"], v["reading"]) for v in report["heads"][0]["verdicts"]],
        "groups": list(groups.items()),
        "reasons": sorted(reasons.items()),
    }


def _shown(value: Any) -> Any:
    """What a template prints: text without what a reader could not see; markup of the template itself stays."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return "\n".join(printable(line, most=1 << 20) for line in value.split("\n"))
    return "" if value is None else value


def _fixed(value: Any, places: int) -> str:
    return f"{value:.{places}f}" if isinstance(value, (int, float)) else ""


def _general(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, (int, float)) else ""
