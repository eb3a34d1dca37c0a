# Tests: tests/python/pictures_test.py
"""Pictures of reports: what each program's JSON becomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Unpack

from matplotlib.figure import Figure

from gpe._errors import SpecError
from gpe._gates_views import complete_gates, gates_figure, is_gates
from gpe._look import Look
from gpe._options import CheckOptions, refuse_unknown
from gpe._plot_encodings import encodings_figure
from gpe._plot_probe import probe_figure
from gpe._plot_reports import FIGURES
from gpe._programs import option_arguments, run, several_arguments
from gpe._reports import Report, complete_probe, drawn
from gpe._specs import Spec


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


def plot(
    encodings: Spec | Sequence[Spec],
    points: int = 200,
    *,
    dark: bool = False,
    column: bool = False,
    **options: Unpack[CheckOptions],
) -> Figure:
    """Score, weights, Z and H of an encoding, of two side by side, or of more.

    Args:
        encodings: one, or several, each as for `gpe.check`; one of them may be a dict.
        points: how many distances, at most.
        dark, column: as for `figure_of`: on a dark ground; 3.3 inches wide.
        options: those of check-properties, as for `gpe.check`: `content_bound=`, `set=`, `lengths=`, ...
    """
    refuse_unknown(options, CheckOptions)
    arguments, given = several_arguments(encodings)
    asked = [*arguments, *option_arguments(options), "--curves", str(points)]
    return figure_of(run("check-properties", asked, given), "the report", dark, column)


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
