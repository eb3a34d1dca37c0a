"""plot: the picture of encodings, which are checked for it."""
# Tests: tests/python/pictures_test.py

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from gpe._plots.figure import figure_of
from gpe._programs import option_arguments, several_arguments, with_curves
from gpe._specs import Spec

if TYPE_CHECKING:
    from matplotlib.figure import Figure
from gpe._verdicts.options import CheckOptions, refuse_unknown


def plot(
    encodings: Spec | Sequence[Spec],
    points: int = 200,
    *,
    dark: bool = False,
    column: bool = False,
    **options: Unpack[CheckOptions],
) -> Figure:
    """Score, weights, Z and H of an encoding, of two side by side, or of more; verdicts alone where weights are not
    those of softmax.

    Args:
        encodings: one, or several, each as for `gpe.check`; one of them may be a dict.
        points: how many distances, at most.
        dark, column: as for `figure_of`: on a dark ground; 3.3 inches wide.
        options: those of check-properties, as for `gpe.check`: `content_bound=`, `set=`, `lengths=`, ...
    """
    refuse_unknown(options, CheckOptions)
    arguments, given = several_arguments(encodings)
    report = with_curves([*arguments, *option_arguments(options)], points, given)
    return figure_of(report, "the report", dark, column)
