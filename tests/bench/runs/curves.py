"""The pictures of docs/tables/tinystories.md: losses while training, and perplexity by the number of tokens read."""

import math

import matplotlib
from page_tables import RANGES, series

from page import CONTEXTS, ENCODINGS

matplotlib.use("svg")
matplotlib.rcParams |= {
    "svg.hashsalt": "gpe",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
}
from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator  # noqa: E402

COLOURS = {
    "rope": "#0072B2",
    "alibi": "#D55E00",
    "ape": "#009E73",
    "nope": "#777777",
    "alibi-official": "#E69F00",
}  # Okabe and Ito's
MARKS = {"rope": "o", "alibi": "s", "ape": "^", "nope": "D", "alibi-official": "v"}
DASHES = {"rope": "-", "alibi": (0, (4, 1.5)), "ape": (0, (1, 1))}  # where there are no marks


def save(figure, path):
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def contexts_of(results):
    return [context for context in CONTEXTS if any(f"{name}-{context}" in results for name in ENCODINGS)]


def training(results, path):
    contexts = contexts_of(results)
    figure, panels = pyplot.subplots(
        1, len(contexts), figsize=(9, 3.2), sharey=True, layout="constrained", squeeze=False
    )
    for panel, context in zip(panels[0], contexts, strict=True):
        for name in ENCODINGS:
            for run, width in (
                (f"{name}-{context}", 1.4),
                (f"{name}-{context}-seed-1", 0.6),
                (f"{name}-{context}-seed-2", 0.6),
            ):
                if run in results:
                    steps, losses = zip(*results[run]["training"]["validation"], strict=True)
                    panel.plot(
                        steps[1:],
                        losses[1:],
                        linestyle=DASHES[name],
                        color=COLOURS[name],
                        linewidth=width,
                        label=name if width > 1 else None,
                    )
        panel.set_title(f"context {context}")
        panel.set_xlabel("step")
    panels[0][0].set_ylabel("validation loss, nats per token")
    panels[0][0].legend()
    save(figure, path)


def lengths(panel, evaluation, split, label, name, style="-"):
    """A line of perplexities and, as a band, their intervals."""
    rows = [row for _, row in sorted(series(evaluation, split).items())]
    tokens = [row[0] for row in rows]
    colour = COLOURS[name]
    panel.plot(
        tokens,
        [math.exp(row[1]) for row in rows],
        style,
        color=colour,
        linewidth=1.2,
        markersize=3,
        marker=MARKS[name],
        label=label,
    )
    if all(row[2] is not None for row in rows):
        panel.fill_between(
            tokens,
            [math.exp(row[2]) for row in rows],
            [math.exp(row[3]) for row in rows],
            color=colour,
            alpha=0.12,
            linewidth=0,
        )


def wide(panel):
    low, high = panel.get_ylim()
    return high > 20 * low


def finish(figure, panels, path):
    plain = FuncFormatter(lambda value, _: f"{value:,.0f}")
    for panel in panels.flat:
        panel.set_xscale("log", base=2)
        panel.set_xticks([64, 256, 1024, 4096, 16384])
        panel.set_yscale("log")
        panel.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5) if wide(panel) else (1, 1.5, 2, 3, 5, 7)))
        panel.yaxis.set_minor_locator(NullLocator())
        for axis in (panel.xaxis, panel.yaxis):
            axis.set_major_formatter(plain)
    for panel in panels[-1]:
        panel.set_xlabel("prompt length, tokens")
    handles = {
        label: handle for panel in panels.flat for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3)
    save(figure, path)


def perplexity(results, path):
    contexts = contexts_of(results)
    figure, panels = pyplot.subplots(
        len(contexts),
        len(RANGES),
        figsize=(9, 0.6 + 2.5 * len(contexts)),
        sharex=True,
        sharey="col",
        layout="constrained",
        squeeze=False,
    )
    for row, context in zip(panels, contexts, strict=True):
        for panel, (split, title) in zip(row, RANGES.items(), strict=True):
            for name in ENCODINGS:
                if f"{name}-{context}" in results:
                    lengths(panel, results[f"{name}-{context}"]["evaluation"], split, name, name)
            panel.axvline(context, color="#999999", linewidth=0.8, linestyle="--")
            if context == contexts[0]:
                panel.set_title(title, fontsize=9)
        row[0].set_ylabel(f"perplexity, context {context}")
    finish(figure, panels, path)


def controls(results, path):
    figure, panels = pyplot.subplots(1, len(RANGES), figsize=(9, 3.8), layout="constrained", squeeze=False)
    for panel, (split, title) in zip(panels[0], RANGES.items(), strict=True):
        for name, run, style in (
            ("rope", "rope-64", "-"),
            ("nope", "nope-64", "-"),
            ("alibi", "alibi-64", "-"),
            ("alibi, official slopes", "alibi-official-64", "--"),
            ("ape", "ape-64", "-"),
        ):
            if run in results:
                lengths(panel, results[run]["evaluation"], split, name, name.split(",")[0], style)
        for run, style in (("rope-64", ":"), ("ape-64", ":")):
            for what, cut in results.get(run, {"cuts": {}})["cuts"].items():
                name = run.removesuffix("-64")
                lengths(panel, cut, split, f"{name}, {what}", name, "-." if "weights" in what else style)
        panel.set_title(title, fontsize=9)
    panels[0][0].set_ylabel("perplexity, context 64")
    finish(figure, panels, path)


def draw(results, folder):
    training(results, folder / "results_training.svg")
    perplexity(results, folder / "results_perplexity.svg")
    controls(results, folder / "results_controls.svg")
