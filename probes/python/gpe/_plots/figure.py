"""The picture of a report: what each program's JSON becomes."""
# Tests: tests/python/pictures_test.py

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from gpe._errors import SpecError
from gpe._plots.look import Look  # before what needs matplotlib too: it says what installs that

# isort: split
from gpe._plots.encodings import encodings_figure
from gpe._plots.gates_views import complete_gates, gates_figure, is_gates
from gpe._plots.probe import probe_figure
from gpe._plots.reports import FIGURES
from gpe._reports import Report, complete_probe, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure_of(report: Report, source: str = "the report", dark: bool = False, column: bool = False) -> Figure:
    """The picture of a report of any program.

    Args:
        report: what a program printed with --format json, or `to_dict()` of a report of this package.
        source: where it is from, for messages.
        dark: on a dark ground.
        column: 3.3 inches wide in place of 5.5.

    Raises:
        SpecError: no report, or one that nothing can be drawn of.
    """
    look = Look(dark, column)
    with look.style():
        for is_one, draw in KINDS:
            if is_one(report):
                return drawn(partial(draw, report, look, source), source)
    raise SpecError(f"{source}: nothing to draw; expected the JSON of " + ", ".join(PROGRAMS))


def _is_probe(report: Report) -> bool:
    return isinstance(report.get("heads"), list) and "generator" in report and ("tokens" in report)


PROGRAMS = (
    "check-properties",
    "entropy-frontier",
    "compare-encodings",
    "design-encoding",
    "audit-claims",
    "evaluate-tsm",
    "probe-attention",
    "gpe.probe",
    "gpe.probe_gates",
)
KINDS: list[tuple[Callable[[Report], bool], Callable[[Report, Look, str], Figure]]] = [
    (is_gates, lambda report, look, source: gates_figure(complete_gates(report, source), look, source)),
    (_is_probe, lambda report, look, source: probe_figure(complete_probe(report, source), look)),
    (
        lambda report: (
            isinstance(report.get("encodings"), list) and len(report["encodings"]) > 0 and "comparisons" not in report
        ),
        encodings_figure,
    ),
    *FIGURES,
]
