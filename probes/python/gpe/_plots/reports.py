"""Pictures of the reports of entropy-frontier, compare-encodings, design-encoding, audit-claims and evaluate-tsm."""
# Tests: tests/python/pictures_test.py

from __future__ import annotations

import math
from typing import Any

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from gpe._palette import VERDICTS
from gpe._plots.look import Figure, Look, calm, label_curves, log_axis
from gpe._plots.verdict_grid import verdict_grid
from gpe._reports import Report, number

_GAINS = {
    "range": ("local_range", "tokens in the local range, |b| ≤ {threshold}", 1),
    "mean": ("mean_distance", "mean distance, tokens", 0),
    "window": ("effective_window", "tokens in the window of weight 1 − {epsilon}", 1),
    "beyond": ("weight_beyond", "weight beyond n = {distance}", 0),
}


#: What an audit calls them.
_CLAIMS = {"holds": "confirmed", "fails": "refuted"}


def frontier_figure(report: Report, look: Look, _: str) -> Figure:
    """Entropy against what is gained, filled where no other point has as much with less entropy;
    against the range also the least (F1)."""
    key, words, tokens = _GAINS[report["gain"]]
    figure, [[axes]] = look.figure(1, 1, 3.3, "What encodings spend in entropy")
    points = [(p, number(p[key]) + tokens, number(p["H"])) for p in report["points"]]
    points = [(p, x, y) for p, x, y in points if math.isfinite(x) and math.isfinite(y)]
    looks, labels = look.of_encodings(p["name"] for p, _, _ in points), []
    if report["gain"] == "range":
        least = sorted(
            {(x, number(p["least_entropy"])) for p, x, _ in points if math.isfinite(number(p["least_entropy"]))}
        )
        if len(least) > 1:
            labels += [
                (line, "least with b(0) = 0 ≥ b(n)")
                for line in axes.plot(*zip(*least, strict=True), color=look["quiet"], linestyle=(0, (2, 1)))
            ]
    for name, style in looks.items():
        of_name = [(p, x, y) for p, x, y in points if p["name"] == name]
        varied = {
            key
            for p, _, _ in of_name
            for key, value in p["parameters"].items()
            if value != of_name[0][0]["parameters"].get(key)
        }
        joined = style if len(varied) < 2 else style | {"linestyle": "none"}
        labels += [
            (line, name)
            for line in axes.plot(
                [x for _, x, _ in of_name],
                [y for _, _, y in of_name],
                markersize=3.5,
                markerfacecolor=look["paper"],
                markeredgewidth=0.8,
                **joined,
            )
        ]
        axes.plot(
            [x for p, x, _ in of_name if p["efficient"]],
            [y for p, _, y in of_name if p["efficient"]],
            linestyle="none",
            markersize=3.5,
            color=style["color"],
            marker=style["marker"],
        )
    if report["gain"] != "beyond" and points:
        log_axis(axes, max(0.05, 0.8 * min(x for _, x, _ in points)), 2 * max(0.05, *(x for _, x, _ in points)))
    axes.set(xlabel=words.format(**report), ylabel="entropy H, nats", ylim=(0, None))
    if points:
        beaten = "dominated" + (", or not decided" if any(p["efficient"] is None for p, _, _ in points) else "")
        figure.legend(
            handles=[
                Line2D([], [], color=look["ink"], linestyle="none", marker="o", label="on the frontier"),
                Line2D(
                    [], [], color=look["ink"], linestyle="none", marker="o", markerfacecolor=look["paper"], label=beaten
                ),
            ],
            loc="outside lower center",
            ncols=2,
        )
    label_curves((axes, labels))
    return figure


def delta_star_figure(report: Report, look: Look, _: str) -> Figure:
    """APE's entropy between delta = 0 and delta = m, and ALiBi's, which it meets at delta*."""
    figure, [[axes]] = look.figure(1, 1, 2.6, f"δ* for m = {report['m']}, β = {report['beta']}, γ = {report['gamma']}")
    looks = look.of_encodings(["alibi", "ape"])
    m, alibi = number(report["m"]), number(report["H_alibi"])
    known = [(0.0, number(report["H_ape_at_zero"])), (m, number(report["H_ape_at_m"]))]
    if report["kind"] == "found":
        star = number(report["delta_star"])
        known.append((star, alibi))
        axes.axvline(star, color=look["quiet"], linewidth=0.7, linestyle=(0, (4, 2)))
        axes.annotate(
            f"δ* = {star:.6g}",
            (star, 0.03),
            xycoords=("data", "axes fraction"),
            xytext=(3, 0),
            textcoords="offset points",
            fontsize=6.5,
        )
    known = sorted(point for point in known if math.isfinite(point[1]))
    lines = [(axes.axhline(alibi, **looks["alibi"] | {"marker": None}), "ALiBi")] if math.isfinite(alibi) else []
    [ape] = axes.plot(*zip(*known, strict=True), **looks["ape"] | {"linestyle": "none"}) if known else [None]
    axes.set(xlabel="δ", ylabel="entropy H, nats", xlim=(-0.05 * m, 1.1 * m), ylim=(0, None))
    label_curves((axes, [(line, words) for line, words in [*lines, (ape, "APE")] if line is not None]))
    return figure


def comparison_figure(report: Report, look: Look, _: str) -> Figure:
    """Each quantity of both encodings; and which is larger along a parameter."""
    names = [encoding["name"] for encoding in report["encodings"]]
    if names[0] == names[1]:
        names = [f"{names[0]} (first)", f"{names[1]} (second)"]
    looks = look.of_encodings(names)
    along = report.get("along")
    found = [
        c for c in report["comparisons"] if math.isfinite(number(c["first"])) or math.isfinite(number(c["second"]))
    ]
    columns = 2 if look.column else 3
    rows = max(1, -(-len(found) // columns))
    figure = Figure(
        figsize=(look.width, 0.35 + 1.15 * rows + (0.6 + 0.24 * len(along["courses"]) if along else 0)),
        layout="constrained",
    )
    parts = figure.subfigures(
        2 if along else 1,
        1,
        squeeze=False,
        height_ratios=[1.15 * rows, 0.6 + 0.24 * len(along["courses"])] if along else None,
    )[:, 0]
    look.title(parts[0], f"{names[0]} and {names[1]}")
    grid = parts[0].subplots(rows, columns, squeeze=False).flat
    for panel, one in zip(grid, found, strict=False):
        values = [number(one["first"]), number(one["second"])]
        most = max(v for v in values if math.isfinite(v))
        for place, (name, value) in enumerate(zip(names, values, strict=True)):
            panel.barh(place, value if math.isfinite(value) else 0, 0.6, color=looks[name]["color"])
            words = "infinite" if value == math.inf else "none"
            if math.isfinite(value):
                words = f"{value:.4g}"
            panel.text((value if math.isfinite(value) else 0) + 0.02 * most, place, words, va="center", fontsize=6.5)
        panel.set(title=one["quantity"].replace("-", " "), xlim=(0, 1.35 * most or 1), ylim=(1.6, -0.6))
        panel.set_yticks(range(2), names)
        panel.xaxis.set_major_locator(MaxNLocator(3))
        panel.grid(axis="y", visible=False)
    for panel in list(parts[0].axes)[len(found) :]:
        panel.set_visible(False)
    if along:
        _courses(parts[1], along, names, looks, look)
    return figure


def _courses(figure: Any, along: dict[str, Any], names: list[str], looks: dict[str, Any], look: Look) -> None:
    """A bar for each quantity: whose is larger in which part of the parameter's range."""
    axes = figure.subplots()
    low, high = number(along["low"]), number(along["high"])
    colours = {"first": looks[names[0]]["color"], "second": looks[names[1]]["color"]}
    hatches = {"first": "", "second": "////"}
    seen = set()
    for row, course in enumerate(along["courses"]):
        ends = [low, *(number(change) for change in course["changes"]), high]
        for order, left, right in zip(course["orders"], ends, ends[1:], strict=False):
            larger = order["larger"]
            seen.add(larger)
            axes.barh(
                row,
                right - left,
                0.62,
                left=left,
                color=colours.get(larger, look["grid"]),
                hatch=hatches.get(larger, ""),
                edgecolor=look["paper"],
                linewidth=0.4,
                label=larger,
            )
    if low > 0 and high / low > 20:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set(
        xlabel=f"{along['parameter']}",
        title="which is larger",
        xlim=(low, high),
        ylim=(len(along["courses"]) - 0.4, -0.6),
    )
    axes.set_yticks(range(len(along["courses"])), [course["quantity"].replace("-", " ") for course in along["courses"]])
    axes.grid(axis="y", visible=False)
    handles, labels = axes.get_legend_handles_labels()
    words = {"first": names[0], "second": names[1], "tie": "equal"}
    legend = {words.get(label) or "undecided": handle for handle, label in zip(handles, labels, strict=True)}
    figure.legend(legend.values(), legend.keys(), loc="outside lower center", ncols=4)


def design_figure(report: Report, look: Look, source: str) -> Figure:
    """Each requirement: the number asked for, and the one found; the objective and the bound that was proved."""
    rows = [
        (
            f"{r['quantity']}{' at ' + r['at'] if r['at'] else ''} {r['relation']} {r['value']}",
            number(r["value"]),
            number(r["found"]),
        )
        for r in report["requirements"]
    ]
    goal = report.get("objective")
    if goal:
        rows.append(
            (
                f"{goal['goal']} {goal['quantity']}{' at ' + goal['at'] if goal['at'] else ''}",
                number(goal["bound"]),
                number(goal["found"]),
            )
        )
    values = ", ".join(f"{name} = {value}" for name, value in (report.get("parameters") or {}).items())
    title = f"{report['family']}, |c| ≤ {report['content_bound']}: {report['outcome']}" + (
        f", {values}" if values else ""
    )
    figure, panels = look.figure(max(1, len(rows)), 1, 0.5 + 0.62 * max(1, len(rows)), title)
    for [panel], (words, asked, found) in zip(panels, rows, strict=False):
        known = [v for v in (asked, found) if math.isfinite(v)]
        panel.plot(
            [asked],
            [0],
            "|",
            color=look["orange"],
            markersize=11,
            markeredgewidth=1.6,
            label="asked for, or proved bound",
        )
        panel.plot([found], [0], "o", color=look["blue"], markersize=4.5, label="found")
        panel.set(ylim=(-1, 1), xlim=(0, 1.15 * max([*known, 1e-12])))
        panel.set_title(words, fontsize=6.5, pad=2)
        panel.set_yticks([])
        panel.spines["left"].set_visible(False)
    if rows:
        figure.legend(*panels[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def audit_figure(report: Report, look: Look, _: str) -> Figure:
    """A row for each claim, a square for each reading."""
    rows = [
        (claim["id"], [(reading["reading"], reading["verdict"]) for reading in claim["readings"]])
        for claim in report["claims"]
    ]
    return verdict_grid(
        report["title"],
        rows,
        look,
        [(_CLAIMS.get(name, name), *how) for name, how in VERDICTS.items()],
    )


def evaluation_figure(report: Report, look: Look, _: str) -> Figure:
    """Perplexity by length with its interval, or accuracy by distance, or by task and length."""
    files = report["files"]
    series = [(file["file"], one) for file in files for one in file.get("series", [])]
    figure, [[axes]] = look.figure(1, 1, 2.8, str(report.get("checkpoint", "")).rstrip("/").rpartition("/")[2])
    colours, lines = ["blue", "orange", "green", "purple", "ochre", "violet"], []
    curves = [
        (
            f"{file.rpartition('/')[2]}, {one['over']}",
            [(at["length"], at["whole"]["perplexity"], at["whole"]["perplexity_interval"]) for at in one["lengths"]],
        )
        for file, one in series
    ]
    curves += [
        (
            file["file"].rpartition("/")[2],
            [(at["distance"], at["accuracy"], at["accuracy_interval"]) for at in file["recall"]],
        )
        for file in files
        if "recall" in file
    ]
    answers = [row for file in files for row in file.get("tasks", [])]
    curves += [
        (task, [(row["length"], row["accuracy"], row["accuracy_interval"]) for row in answers if row["task"] == task])
        for task in dict.fromkeys(row["task"] for row in answers)
    ]
    for place, (words, points) in enumerate(curves):
        points = [point for point in points if point[1] is not None]
        x, colour = [point[0] for point in points], look[colours[place % len(colours)]]
        if points and all(point[2] for point in points):
            axes.fill_between(
                x,
                [point[2][0] for point in points],
                [point[2][1] for point in points],
                color=colour,
                alpha=0.15,
                linewidth=0,
            )
        lines += [
            (line, words)
            for line in axes.plot(
                x,
                [point[1] for point in points],
                color=colour,
                marker="osv^DP"[place % 6],
                linestyle=["-", "--", ":", "-."][place % 4],
            )
        ]
    recall = any("recall" in file for file in files)
    at = [x for line, _ in lines for x in line.get_xdata()]
    if at:
        log_axis(axes, min(at) * 0.9, max(at) * 1.1)
    axes.set(xlabel="tokens read", ylabel="answers known" if answers else "perplexity")
    if recall:
        axes.set(xlabel="distance, tokens", ylabel="names known")
    if recall or answers:
        axes.set_ylim(0, 1)
    calm(axes)
    label_curves((axes, lines))
    return figure


def _by(program: str) -> Any:
    return lambda report: isinstance(report.get("generator"), dict) and report["generator"].get("program") == program


FIGURES = [
    (lambda report: "delta_star" in report, delta_star_figure),
    (_by("entropy-frontier"), frontier_figure),
    (_by("compare-encodings"), comparison_figure),
    (lambda report: "requirements" in report and "family" in report, design_figure),
    (lambda report: "claims" in report, audit_figure),
    (lambda report: "files" in report, evaluation_figure),
]
