"""How the figures of the paper are made, in the look of the package's pictures: panels as wide as a text or a column,
axes of tokens, legends; each as PDF, SVG and PNG, PGF where there is LaTeX, and what is drawn in it as JSON."""

import itertools
import json
import math
import shutil
import sys
from pathlib import Path

import matplotlib
import numpy
from matplotlib import pyplot
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, Locator, NullLocator

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "probes" / "python"))
from gpe._plots.look import COLUMN, ENCODINGS, TEXT, Look  # noqa: E402
from gpe._reports import short  # noqa: E402

FOLDER = None  # where everything goes; begin() sets it
WIDTH = TEXT  # COLUMN stacks the panels of a row
LENGTHS = [64, 256, 1024, 4096, 16384]
LOOK = Look()
INK, QUIET = LOOK["ink"], LOOK["quiet"]
NAMES = ("rope", "alibi", "ape", "nope")
COLOURS = {name: LOOK[ENCODINGS[name][0]] for name in NAMES}
DASHES = {name: ENCODINGS[name][1] for name in NAMES}  # where there are no marks
MARKS = {name: ENCODINGS[name][2] for name in NAMES}
OTHERS = [LOOK[name] for name in ("purple", "ochre", "violet", "ink")]
TITLES = {"rope": "RoPE", "alibi": "ALiBi", "ape": "APE", "nope": "no position"}
PREAMBLE = r"""\makeatletter\@namedef{ver@underscore.sty}{}\makeatother
\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{amssymb}
\DeclareUnicodeCharacter{2264}{\ensuremath{\le}}\DeclareUnicodeCharacter{2212}{\ensuremath{-}}
\DeclareUnicodeCharacter{2713}{\ensuremath{\checkmark}}"""  # texts have no underscore, so that package is not asked for
OWN = {  # formulas in titles, and PGF
    "text.parse_math": True,
    "axes.titlelocation": "center",
    "svg.fonttype": "path",
    "pgf.preamble": PREAMBLE,
    "pgf.texsystem": "pdflatex",
    "pgf.rcfonts": False,
}


def begin(folder):
    """Sets the style and where pictures and tables go."""
    global FOLDER
    FOLDER = Path(folder)
    FOLDER.mkdir(parents=True, exist_ok=True)
    matplotlib.rcParams.update(LOOK.settings() | OWN)


def panels(rows, columns, height, **options):
    """A picture as wide as the text, `height` inches high, and its panels as an array of two dimensions. In a column
    those of a row stand below one another, more than three in two columns."""
    grid, shown = (rows, columns), numpy.arange(rows * columns).reshape(rows, columns)
    if WIDTH == COLUMN and columns > 1:
        across = rows if columns <= 3 else 2
        down = math.ceil(rows * columns / across)
        grid, height = (down, across), height / rows * down * (0.85 if across == 1 else 1)
        shown = (shown // columns + shown % columns * rows) if columns <= 3 else shown
        if rows > 1:
            options |= {
                key: {"row": "col", "col": "row"}.get(value, value)
                for key, value in options.items()
                if key in ("sharex", "sharey")
            }
    figure, found = pyplot.subplots(*grid, figsize=(WIDTH, height), layout="constrained", squeeze=False, **options)
    for panel in found.flat[rows * columns :]:
        panel.set_visible(False)
    figure.drawn = []
    return figure, found.flatten()[shown]


def line(panel, label, x, y, colour, style="-", mark=None, low=None, high=None, title=None, **options):
    """A line and, where there is an interval, its band. `label` names it in the JSON, `title` in the legend."""
    if low is not None and all(value is not None for value in low):
        panel.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
    [drawn] = panel.plot(
        [float(at) for at in x],
        [float(at) for at in y],
        linestyle=style,
        color=colour,
        marker=mark,
        label=title or label,
        **options,
    )
    panel.figure.drawn.append((panel, label, drawn))
    return drawn


def encoding(panel, name, label, points, style="-", title=None, **options):
    """The line of an encoding in its colour and with its mark. `points`: x and y, and the ends of the intervals where
    there are any."""
    x, y, low, high = (*points, None, None)[:4]
    title = title or TITLES[name]
    return line(panel, label, x, y, COLOURS[name], style, MARKS[name], low, high, title=title, **options)


def bars(panel, label, places, heights, colour, errors=None, width=0.7):
    """Bars with intervals (low, high) as errors."""
    yerr = (
        None
        if errors is None
        else [
            [y - low for y, (low, _) in zip(heights, errors, strict=True)],
            [high - y for y, (_, high) in zip(heights, errors, strict=True)],
        ]
    )
    drawn = panel.bar(
        places,
        heights,
        width,
        color=colour,
        yerr=yerr,
        edgecolor="white",
        linewidth=0.4,
        label=label,
        error_kw={"linewidth": 0.8, "ecolor": INK, "capsize": 2},
    )
    panel.figure.drawn.append((panel, label, drawn))


def by_tokens(panel, trained=None, label="prompt length, tokens"):
    """The axis of prompt lengths, with the length of training as a line."""
    panel.set_xscale("log", base=2)
    panel.xaxis.set_major_locator(FixedLocator(LENGTHS))
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.set_xlabel(label)
    if trained:
        panel.axvline(trained, color=QUIET, linewidth=0.7, linestyle=(0, (4, 2)), zorder=0)


class Plain(Locator):
    """1, 2, 5 of each power of ten over many of these, more where the axis spans less: some four to eight ticks."""

    def __call__(self):
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin, vmax):
        if not 0 < vmin < vmax:
            return []
        decades = math.log10(vmax / vmin)
        steps = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
        if decades > 0.55:
            steps = (1, 1.5, 2, 3, 5, 7)
        if decades > 1.3:
            steps = (1, 2, 5)
        powers = range(math.floor(math.log10(vmin)), math.ceil(math.log10(vmax)) + 1)
        return [step * 10.0**power for power in powers for step in steps if vmin <= step * 10.0**power <= vmax]


def log_axis(axis):
    """Plain numbers on a logarithmic axis."""
    axis.set_major_locator(Plain())
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}" if value < 10000 else f"{value:,.0f}"))


def log_y(panel):
    """A logarithmic axis of perplexities; a panel without data stays as it is."""
    if any(
        artist.get_ydata().size
        for panel_of, _, artist in panel.figure.drawn
        if panel_of is panel and hasattr(artist, "get_ydata")
    ):
        panel.set_yscale("log")
        log_axis(panel.yaxis)


def absent(panel, names, right=False):
    """Says in a corner of the panel which runs it lacks."""
    if names:
        panel.text(
            0.97 if right else 0.05,
            0.97,
            "not made yet:\n" + "\n".join(names),
            transform=panel.transAxes,
            ha="right" if right else "left",
            va="top",
            fontsize=6,
            color=QUIET,
        )


def legend(figure, columns, more=()):
    """One legend for all panels, below; `more` are artists that no panel has a label for."""
    handles = {}
    for panel in figure.axes:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    handles |= {handle.get_label(): handle for handle in more}
    if handles:
        if WIDTH == COLUMN:
            columns = min(columns, 2 if max(map(len, handles)) > 12 else 3)
        figure.legend(
            handles.values(),
            handles.keys(),
            loc="outside lower center",
            ncols=columns,
            handlelength=2.4,
            columnspacing=1.4,
        )


def drawn_data(figure):
    result = []
    for panel, label, artist in figure.drawn:
        if hasattr(artist, "get_xydata"):
            points = [[float(x), float(y)] for x, y in artist.get_xydata()]
        else:
            points = [[float(bar.get_x() + bar.get_width() / 2), float(bar.get_height())] for bar in artist]
        result.append({"panel": panel.get_title(), "label": label, "points": points})
    return result


def texts(figure):
    """What can be read in the picture, and where."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    found = []
    for text in figure.findobj(Text):
        if (
            text.get_visible()
            and text.get_text().strip()
            and all(panel.get_visible() for panel in [text.axes] if panel is not None)
        ):
            found.append((text, text.get_window_extent(renderer)))
    inside = figure.bbox.padded(1)
    ticks = {
        label
        for panel in figure.axes
        for axis in (panel.xaxis, panel.yaxis)
        for label in axis.get_ticklabels(which="both")
    }
    places = {
        tick: (axis.get_view_interval(), at)
        for panel in figure.axes
        for axis in (panel.xaxis, panel.yaxis)
        for tick, at in zip(axis.get_ticklabels(), axis.get_majorticklocs(), strict=False)
    }
    return [
        (text, box)
        for text, box in found
        if text not in ticks or (text in places and min(places[text][0]) <= places[text][1] <= max(places[text][0]))
    ], inside


def illegible(figure):
    """Texts below 6 points, texts over one another or beyond the edge."""
    found, inside = texts(figure)
    wrong = [f"'{text.get_text()}' has {text.get_fontsize():g} points" for text, _ in found if text.get_fontsize() < 6]
    wrong += [
        f"'{text.get_text()}' is cut off"
        for text, box in found
        if box.x0 < inside.x0 or box.y0 < inside.y0 or box.x1 > inside.x1 or box.y1 > inside.y1
    ]
    for (one, a), (other, b) in itertools.combinations(found, 2):
        turned = one.get_rotation() % 90 or other.get_rotation() % 90  # boxes of slanted texts say little
        if not turned and a.x0 < b.x1 - 1 and b.x0 < a.x1 - 1 and a.y0 < b.y1 - 2 and b.y0 < a.y1 - 2:
            wrong.append(f"'{one.get_text()}' and '{other.get_text()}' overlap")
    return wrong


def save(figure, name):
    """NAME.pdf, .svg, .png, .json, and .pgf where there is LaTeX."""
    wrong = illegible(figure)
    figure.set_layout_engine("none")  # it is laid out: every file draws it once
    figure.savefig(FOLDER / f"{name}.pdf", metadata={"CreationDate": None, "Creator": None, "Producer": None})
    figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None, "Creator": None})
    figure.savefig(FOLDER / f"{name}.png", dpi=220, metadata={"Software": None})
    if shutil.which("pdflatex"):
        figure.savefig(FOLDER / f"{name}.pgf")
    (FOLDER / f"{name}.json").write_text(
        json.dumps({"schema": 1, "figure": name, "illegible": wrong, "drawn": drawn_data(figure)}, indent=1) + "\n"
    )
    if "inline" not in matplotlib.get_backend():  # in a notebook it is shown
        pyplot.close(figure)


def table(name, caption, headings, rows):
    """NAME.md and NAME.tex (booktabs)."""
    rows = [[str(cell) for cell in row] for row in rows]
    lines = [
        "| " + " | ".join(headings) + " |",
        "|" + "---|" * len(headings),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
    (FOLDER / f"{name}.md").write_text("\n".join(lines) + f"\n\n{caption}\n")
    body = [" & ".join(tex(cell) for cell in row) + r" \\" for row in [headings, *rows]]
    text = [
        r"\begin{tabular}{l" + "r" * (len(headings) - 1) + "}",
        r"\toprule",
        body[0],
        r"\midrule",
        *body[1:],
        r"\bottomrule",
        r"\end{tabular}",
    ]
    (FOLDER / f"{name}.tex").write_text(f"% {caption}\n" + "\n".join(text) + "\n")
    return "\n".join(lines)


def tex(text):
    written = {
        "&": r"\&",
        "%": r"\%",
        "_": r"\_",
        "#": r"\#",
        "≤": r"$\le$",
        "≥": r"$\ge$",
        "<": "$<$",
        ">": "$>$",
        "–": "--",
    }
    return text.translate(str.maketrans(written))
