"""How pictures look: one colour, dash and mark for each encoding, readable in print, on a dark
ground and by colour-blind readers; labels that stand off the curves; widths of a text and of a
column. Needs matplotlib and nothing else."""
# Tests: tests/python/pictures_test.py

from __future__ import annotations

import io
import itertools
import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from zlib import crc32

from gpe._errors import PlotsMissing
from gpe._palette import COLOURS
from gpe._reports import short

try:
    import matplotlib
    import matplotlib.figure
    from matplotlib.axes import Axes
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
except ImportError as error:
    raise PlotsMissing("a picture needs matplotlib") from error
if matplotlib.__version_info__[:2] < (3, 10):
    raise PlotsMissing(f"a picture needs matplotlib 3.10 or later, and {matplotlib.__version__} is here")

TEXT, COLUMN = 5.5, 3.3  # inches: the text of a page, and a column of one that has two

#: Colour, dashes and mark of the encodings that pictures show most; others get what their name's sum of bytes says.
ENCODINGS: dict[str, tuple[str, Any, str]] = {
    "rope": ("blue", "-", "o"),
    "alibi": ("orange", (0, (4, 1.5)), "s"),
    "ape": ("green", (0, (1, 1)), "^"),
    "nope": ("quiet", (0, (5, 1, 1, 1)), "D"),
    "kerple-log": ("ochre", (0, (5, 1, 1, 1, 1, 1)), "v"),
    "kerple-power": ("purple", (0, (6, 1.5, 2, 1.5)), "P"),
    "sliding-window": ("violet", (0, (3, 1)), "X"),
}
DASHES = ["-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)), (0, (2, 1)), (0, (6, 1.5, 2, 1.5))]
MARKS = "oDsv^PX<>"


class Figure(matplotlib.figure.Figure):
    """One that a notebook shows, whatever its backend."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Twice as fine as it is large, for screens of either kind."""
        out = io.BytesIO()
        self.savefig(out, format="png", dpi=2 * self.dpi, metadata={"Software": None})
        width, height = self.get_size_inches() * self.dpi
        return out.getvalue(), {"width": round(width), "height": round(height)}


class Look:
    """Colours by name on one of two grounds, and the width of a picture."""

    def __init__(self, dark: bool = False, column: bool = False) -> None:
        self.dark, self.column = dark, column
        self.width = COLUMN if column else TEXT

    def __getitem__(self, name: str) -> str:
        return COLOURS[name][self.dark]

    def of_encodings(self, names: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Colour, dashes and mark for each name: the same in every picture, but for two names whose sums agree."""
        taken: list[tuple[str, Any]] = []
        result = {}
        for name in dict.fromkeys(names):
            known = next((ENCODINGS[head] for head in _heads(name) if head in ENCODINGS), None)
            if known is None:
                number = crc32(name.encode())
                known = (
                    ("purple", "ochre", "violet", "red")[number % 4],
                    DASHES[number // 4 % len(DASHES)],
                    MARKS[number // 32 % len(MARKS)],
                )
            colour, dashes, mark = known
            choices = (
                (c, d)
                for d in [dashes, *DASHES]
                for c in [colour, "purple", "ochre", "violet", "red", "blue", "orange", "green"]
            )
            colour, dashes = next((choice for choice in choices if choice not in taken), (colour, dashes))
            taken.append((colour, dashes))
            result[name] = {"color": self[colour], "linestyle": dashes, "marker": mark}
        return result

    def settings(self) -> dict[Any, Any]:  # matplotlib types each name
        """matplotlib's settings, by their names."""
        return {
            "font.family": ["DejaVu Sans"],
            "font.size": 7.5,
            "axes.titlesize": 7.5,
            "axes.labelsize": 7.5,
            "legend.fontsize": 7,
            "xtick.labelsize": 6.5,
            "ytick.labelsize": 6.5,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.linewidth": 0.6,
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.linewidth": 0.5,
            "xtick.major.width": 0.6,
            "ytick.major.width": 0.6,
            "xtick.major.size": 2.5,
            "ytick.major.size": 2.5,
            "lines.linewidth": 1.1,
            "lines.markersize": 3,
            "legend.frameon": False,
            "axes.titlelocation": "left",
            "figure.dpi": 110,
            "pdf.fonttype": 42,
            "svg.fonttype": "none",
            "svg.hashsalt": "gpe",
            "text.color": self["ink"],
            "axes.labelcolor": self["ink"],
            "axes.edgecolor": self["ink"],
            "axes.titlecolor": self["ink"],
            "xtick.color": self["ink"],
            "ytick.color": self["ink"],
            "grid.color": self["grid"],
            "axes.facecolor": self["paper"],
            "figure.facecolor": self["paper"],
            "savefig.facecolor": self["paper"],
            "text.parse_math": False,
            "text.usetex": False,
        }

    def style(self) -> AbstractContextManager[None]:
        """matplotlib's settings while a picture is drawn or written."""
        return matplotlib.rc_context(self.settings())

    def figure(self, rows: int, columns: int, height: float, title: str, **options: Any) -> tuple[Figure, Any]:
        """`height` inches high, and its panels as an array of two dimensions."""
        figure = Figure(figsize=(options.pop("width", self.width), height), layout="constrained")
        self.title(figure, title)
        return figure, figure.subplots(rows, columns, squeeze=False, **options)

    def title(self, figure: Any, words: str) -> None:
        """Above all panels, in as many lines as it takes."""
        if words:
            figure.suptitle("\n".join(textwrap.wrap(words, int(16.5 * self.width))), fontsize=8.5, x=0.01, ha="left")


def _heads(name: str) -> list[str]:
    """rope-scaled, head 2 as rope-scaled and as rope."""
    parts = re.split("[, ]", name)[0].split("-")
    return ["-".join(parts[:count]) for count in range(len(parts), 0, -1)]


def log_axis(axes: Axes, low: float, high: float, shift: float = 0) -> None:
    """x as log2(value + shift), with ticks at powers of two, at most six, and at 0 where `shift`
    gives it a place. low + shift > 0."""
    first = max(low, 1) if shift else low
    powers = range(math.ceil(math.log2(first) - 1e-9), math.floor(math.log2(max(high, 2 * first))) + 1)
    step = max(1, -(-len(powers) // 6))
    ticks = ([0.0] if shift and low < 1 else []) + [
        2.0**p for p in list(powers)[::step] if not (shift and low < 1 and p == 0)
    ]
    axes.set_xscale("function", functions=(lambda x: _log2(x + shift), lambda y: 2.0**y - shift))
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
    axes.xaxis.set_minor_locator(NullLocator())
    if high > low:
        axes.set_xlim(low, high)


def _log2(x: Any) -> Any:
    import numpy

    with numpy.errstate(all="ignore"):
        return numpy.log2(numpy.maximum(x, 2.0**-60))


def calm(axes: Axes) -> None:
    """Widens y until it spans 5 % of its largest value: rounding and noise of a level curve fill no panel."""
    low, high = axes.get_ylim()
    least = 0.05 * max(abs(low), abs(high), 1e-12)
    if high - low < least:
        axes.set_ylim((low + high - least) / 2, (low + high + least) / 2)


def label_curves(*panels: tuple[Axes, Sequence[tuple[Any, str]]]) -> None:
    """Each line's words beside it, where they cover least of what is drawn in its panel, other words above all.
    The panels are those of one figure. To be called last: what changes the layout moves the curves away."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = panels[0][0].get_figure(root=True)
    assert figure is not None
    if not isinstance(figure.canvas, FigureCanvasAgg):
        FigureCanvasAgg(figure)
    figure.canvas.draw()  # the layout is settled now
    for axes, curves in panels:
        _label(axes, curves, figure.get_facecolor())


def _label(axes: Axes, curves: Sequence[tuple[Any, str]], paper: Any) -> None:
    import numpy

    room, ink = axes.bbox, numpy.array([point for line in axes.get_lines() for point in _trace(line)])
    done: list[Any] = []
    for line, words in curves:
        points = [p for p in line.get_transform().transform(line.get_xydata()) if room.contains(*p)]
        if not points:
            continue
        best = None
        for place, away in ((-1, 0), (0, 0.5), (3 * len(points) // 4, 1), (len(points) // 2, 2), (len(points) // 4, 3)):
            x, y = points[place]
            for dx, dy in itertools.product((5, -5, 0), (0, 8, -8, 14, -14, 20, -20)):
                if dx == 0 and dy == 0:
                    continue
                text = axes.annotate(
                    words,
                    (x, y),
                    (x + dx, y + dy),
                    xycoords="figure pixels",
                    textcoords="figure pixels",
                    color=line.get_color(),
                    ha={5: "left", -5: "right", 0: "center"}[dx],
                    va="center",
                    fontsize=6.5,
                    annotation_clip=False,
                    zorder=5,
                )
                box = text.get_window_extent()
                cost = (
                    away
                    + abs(dy) / 8
                    + (dx < 0) * 0.5
                    + box.count_contains(ink)
                    + 1000 * sum(box.overlaps(o) for o in done)
                )
                cost += 100 * (box.x0 < room.x0 or box.x1 > room.x1 + 2 or box.y0 < room.y0 or box.y1 > room.y1 + 2)
                if best is None or cost < best[0]:
                    if best is not None:
                        best[1].remove()
                    best = (cost, text, box)
                else:
                    text.remove()
        if best is not None:
            done.append(best[2])
            best[1].set_in_layout(False)
            # kept where it is in the panel, whatever the picture's resolution
            at = axes.transAxes.inverted().transform(best[1].xyann)
            best[1].xycoords = best[1].anncoords = axes.transAxes
            best[1].xy = best[1].xyann = tuple(at)
            best[1].set_bbox({"facecolor": paper, "edgecolor": "none", "alpha": 0.7, "pad": 0.4})


def _trace(line: Any) -> list[tuple[float, float]]:
    """Pixels along a line, near enough to one another that none passes under a word unseen."""
    points = [p for p in line.get_transform().transform(line.get_xydata()) if all(map(math.isfinite, p))]
    result = []
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        steps = 1 + min(1000, int(math.hypot(x1 - x0, y1 - y0) / 3))
        result += [(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps) for i in range(steps + 1)]
    return result or [tuple(p) for p in points]


def written(figure: matplotlib.figure.Figure, ending: str, look: Look, both: bool = False) -> bytes:
    """The picture as svg, png or pdf: the same bytes for the same picture. `both`: an SVG follows
    the reader's choice of light and dark."""
    bare = {
        "svg": {"Date": None, "Creator": None},
        "png": {"Software": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    }
    out = io.BytesIO()
    with look.style():
        figure.savefig(out, format=ending, dpi=220, metadata=bare[ending])
    if ending != "svg" or not both:
        return out.getvalue()
    rules = "".join(
        f'[style*="{what}: {light}"]{{{what}:{dark} !important}}'
        for what in ("fill", "stroke")
        for light, dark in COLOURS.values()
    )
    style = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    head, tag, rest = out.getvalue().decode().partition("<defs>")
    return (head + style + tag + rest).encode()
