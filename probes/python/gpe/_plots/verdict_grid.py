"""Verdicts as squares, told apart by colour and by a sign."""
# Tests: tests/python/pictures_test.py

from __future__ import annotations

from matplotlib.patches import Patch, Rectangle

from gpe._plots.look import Figure, Look

Signs = list[tuple[str, str, str]]  # verdict, colour, sign


def verdict_grid(
    title: str,
    rows: list[tuple[str, list[tuple[str, str]]]],
    look: Look,
    signs: Signs,
    columns: list[str] | None = None,
) -> Figure:
    """A row of (name, verdict) for each label; `columns` names the squares where they mean the same in every row."""
    most = max([len(cells) for _, cells in rows] or [1])
    by_verdict = {verdict: (colour, sign) for verdict, colour, sign in signs}
    figure, [[axes]] = look.figure(1, 1, 0.75 + 0.19 * len(rows) + (0.9 if columns else 0), title)
    seen = []
    for row, (_, cells) in enumerate(rows):
        for column, (_, verdict) in enumerate(cells):
            colour, sign = by_verdict.get(verdict, ("quiet", "?"))
            axes.add_patch(
                Rectangle((column - 0.46, row - 0.44), 0.92, 0.88, facecolor=look[colour], alpha=0.22, linewidth=0)
            )
            axes.text(column, row, sign, ha="center", va="center", fontsize=7, color=look[colour])
            seen.append(verdict)
    axes.set(xlim=(-0.6, most - 0.4), ylim=(len(rows) - 0.4, -0.6))
    axes.set_yticks(range(len(rows)), [label for label, _ in rows])
    axes.set_xticks(range(len(columns or [])), columns or [], rotation=50, ha="left")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    handles = [
        Patch(facecolor=look[colour], alpha=0.4, label=f"{sign}  {verdict}")
        for verdict, colour, sign in signs
        if verdict in seen
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure
