"""The picture of a probe: maps of the heads, weight by distance, and every head's entropies and scores."""
# Tests: tests/python/pictures_test.py

from __future__ import annotations

import math
from typing import Any, cast

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from gpe._plots.look import Figure, Look, label_curves
from gpe._plots.panels import PARTS, Panel, Panels, entropy_panels, layers_of, score_panels, weight_panels
from gpe._reports import Report, number

_MOST_PANELS = 72  # beyond, one panel per layer


def probe_figure(report: Report, look: Look) -> Figure:
    """`report` is complete_probe's."""
    layers = layers_of(report)
    most = max(len(heads) for heads in layers)
    each = sum(map(len, layers)) <= _MOST_PANELS and not look.column
    grids = [score_panels(report)] if len(report["lengths"]) == 1 else [entropy_panels(report), score_panels(report)]
    across = 2 if look.column else min(4, len(layers))
    if each:
        across = most
    rows = len(layers) if each else -(-len(layers) // across)
    width = max(look.width, 0.82 * across + 0.5) if each else look.width
    figure = Figure(figsize=(width, 2.1 + len(grids) * (0.85 * rows + 0.75)), layout="constrained")
    parts: Any = figure.subfigures(1 + len(grids), 1, height_ratios=[1.9, *[0.85 * rows + 0.75] * len(grids)])
    look.title(parts[0], _title(report))
    labels = _maps(parts[0], report, layers, look)
    for part, grid in zip(parts[1:], grids, strict=True):
        _grid(part, grid, layers, across, rows, each, look)
    if labels:
        label_curves((cast(Axes, labels[0][0].axes), labels))
    return figure


def _title(report: Report) -> str:
    if "encoding" in report:
        windows = report.get("windows")
        return (
            f"{report['encoding']}, trained at {report.get('context')} tokens; "
            f"{windows} window{'' if windows == 1 else 's'} of "
            f"{report['lengths'][-1]} tokens"
        )
    return f"{str(report.get('model', 'model')).rstrip('/').rpartition('/')[2]}: {report['lengths'][-1]} tokens"


def _maps(figure: Any, report: Report, layers: list[list[int]], look: Look) -> list[tuple[Line2D, str]]:
    """At the greatest length, entropy and the largest score by layer and head; weight by distance,
    a line per layer; its labels."""
    from matplotlib.colors import LinearSegmentedColormap

    length = report["lengths"][-1]
    axes = figure.subplots(1, 2 if look.column else 3, squeeze=False)[0]
    shades = LinearSegmentedColormap.from_list("shades", [look["paper"], look["blue"]])
    kinds: list[tuple[str, str, float | None]] = [("entropy, nats", "entropy", math.log(length))]
    if not look.column:
        kinds.append(("largest score, logits", "largest_score", None))
    most = max(len(heads) for heads in layers)
    for panel, (title, name, top) in zip(axes, kinds, strict=False):
        values = [
            [number(report["heads"][i]["lengths"][-1]["second_half"].get(name, {}).get("mean")) for i in heads]
            for heads in layers
        ]
        values = [row + [math.nan] * (most - len(row)) for row in values]
        shown = [v for row in values for v in row if math.isfinite(v)] or [0.0]
        low = 0.0 if top is not None else min(0.0, min(shown))
        image = panel.imshow(
            values,
            aspect="auto",
            cmap=shades,
            vmin=low,
            vmax=top if top is not None else max(*shown, low + 1),
            extent=(0.5, most + 0.5, len(layers) + 0.5, 0.5),
            interpolation="nearest",
        )
        panel.set(title=f"{title},\nmean of rows T/2 to T − 1", xlabel="head", ylabel="layer")
        panel.grid(False)
        panel.set_yticks(_some(len(layers)))
        panel.set_xticks(_some(most))
        figure.colorbar(image, ax=panel, aspect=12).outline.set_visible(False)
        if most <= 8 and len(layers) <= 8:
            for layer, row in enumerate(values):
                for head, value in enumerate(row):
                    dark = value > low + 0.55 * (image.norm.vmax - low)
                    if math.isfinite(value):
                        panel.text(
                            head + 1,
                            layer + 1,
                            f"{value:.1f}",
                            ha="center",
                            va="center",
                            fontsize=6,
                            color=look["paper" if dark else "ink"],
                        )
    weights, lines = weight_panels(report), []
    colours = ["blue", "orange", "green", "purple", "ochre", "violet"]
    few = len(layers) <= len(colours)
    for number_of, heads in enumerate(layers):
        curves = [weights.heads[i].curves[0] for i in heads]
        mean = [
            sum(curve[2][k] for curve in curves if k < len(curve[2])) / len(curves) for k in range(len(curves[0][1]))
        ]
        [line] = axes[-1].plot(
            curves[0][1],
            mean,
            color=look[colours[number_of] if few else "blue"],
            marker="." if few else None,
            alpha=1 if few else 0.4,
            linestyle=["-", "--", ":", "-."][number_of % 4] if few else "-",
        )
        lines.append((line, f"layer {number_of + 1}"))
    axes[-1].set(title="weight by distance", xlabel="distance n, tokens", ylim=(0, None))
    axes[-1].set_xticks([at for at, _ in weights.x_ticks], [words for _, words in weights.x_ticks])
    return lines if few and len(lines) > 1 else []


def _grid(figure: Any, grid: Panels, layers: list[list[int]], across: int, rows: int, each: bool, look: Look) -> None:
    figure.suptitle(f"{grid.title}, {grid.unit}; {grid.across}", fontsize=8, x=0.01, ha="left", fontweight="bold")
    axes = figure.subplots(rows, across, squeeze=False, sharex=True, sharey=True)
    for panel in axes.flat:
        panel.set_visible(False)
    for layer, heads in enumerate(layers):
        for place, index in enumerate(heads):
            panel = axes[layer][place] if each else axes.flat[layer]
            panel.set_visible(True)
            _draw(panel, grid.heads[index], look, 1.0 if each else max(0.15, 1 / len(heads)), areas=each)
            panel.set_title(f"{layer + 1}.{place + 1}" if each else f"layer {layer + 1}", fontsize=6.5, pad=2)
    axes[0][0].set(xlim=grid.x, ylim=grid.y)
    axes[0][0].set_xticks([at for at, _ in grid.x_ticks], [words for _, words in grid.x_ticks])
    axes[0][0].set_yticks([at for at, _ in grid.y_ticks], [words for _, words in grid.y_ticks])
    legend: list[Any] = []
    for part, words in grid.legend:
        colour, kind = look[PARTS[part][0]], PARTS[part][1]
        if kind == "area" and each:
            legend.append(Patch(color=colour, alpha=_SHADE[part], linewidth=0, label=words))
        elif kind != "area":
            legend.append(Line2D([], [], color=colour, label=words, **_CURVE[kind]))
    figure.legend(handles=legend, loc="outside lower center", ncols=2 if look.column else 3, handlelength=2)


_CURVE: dict[str, dict[str, Any]] = {
    "line": {},
    "dashes": {"linestyle": (0, (4, 2))},
    "marks": {"linestyle": "none", "marker": "o", "markersize": 2},
}
_SHADE = {"ranges": 0.28, "bound": 0.15}


def _draw(axes: Any, panel: Panel, look: Look, alpha: float, areas: bool) -> None:
    for part, x, low, high in panel.areas if areas else ():
        axes.fill_between(x, low, high, color=look[PARTS[part][0]], alpha=_SHADE[part], linewidth=0)
    for part, x, y in panel.curves:
        colour, kind = PARTS[part]
        axes.plot(x, y, color=look[colour], alpha=alpha, **_CURVE[kind])


def _some(count: int) -> list[int]:
    step = max(1, -(-count // 8))
    return list(range(1, count + 1, step))
