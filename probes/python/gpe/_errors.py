"""What gpe raises. A verdict that is not decided is a value with a reason, not an error."""
# Tests: tests/python/test_check.py, tests/python/gpe_command_test.py

from collections.abc import Iterable
from typing import Any


class Error(Exception):
    """Something cannot be done; the message says what, and what was expected."""


class SpecError(Error, ValueError):
    """An encoding, a parameter or an option that is wrong: the message of the program, with place and nearest name."""


def meant(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The nearest of the known names, as the end of a message; what else it ends with where none is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), 1)
    return f"; did you mean '{near[0]}'?" if near else otherwise


class PlotsMissing(Error):
    """What draws pictures and pages is not installed."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: ./setup.sh --plots installs it (elsewhere: pip install matplotlib jinja2)")


class RequirementError(Error):
    """`require=`: a required property fails, depends or is undecided; `report` is the whole report."""

    def __init__(self, message: str, report: dict[str, Any]) -> None:
        super().__init__(message)
        self.report = report
