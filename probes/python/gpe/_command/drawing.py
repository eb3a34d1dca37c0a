"""gpe plot, and the option --plot of gpe check: pictures of reports, and of encodings that are checked for them."""
# Tests: tests/python/gpe_command_test.py

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpe._errors import RequirementError, SpecError
from gpe._files import write
from gpe._programs import program_path, with_curves
from gpe._reports import printable, printable_report, read_report

ENDINGS = (".svg", ".png", ".pdf")
#: Options of check-properties for what it prints or writes: a picture has its own report.
_PRINTED = ("--format", "--output", "--curves", "--explain", "--certificates", "--coq")


def picture_of(words: list[str]) -> tuple[list[str], str] | None:
    """The words of `gpe check` without --plot FILE, and FILE; None where it is not there."""
    others, taken = _parted(words, ("--plot",))
    if not taken:
        return None
    if taken[-1] is None:
        raise SpecError("--plot: expected a FILE, .svg, .png or .pdf")
    return others, taken[-1]


def _parted(words: list[str], names: Sequence[str]) -> tuple[list[str], list[str | None]]:
    """The words without the options `names` and their values, and these values; None for one that is missing."""
    others: list[str] = []
    values: list[str | None] = []
    queue = iter(words)
    for word in queue:
        option, equals, value = word.partition("=")
        if option in names:
            values.append(value if equals else next(queue, None))
        else:
            others.append(word)
    return others, values


def checked(words: list[str], output: str) -> int:
    """`gpe check ... --plot FILE`: the picture, and then the report as it is without it."""
    _drawable(output)
    given = _given(words)
    _draw(_curves(_parted(words, _PRINTED)[0], given), " ".join(words), {"--output": output})
    program = program_path("check-properties")
    return subprocess.run(
        ["gpe check", *words], executable=program, input=given, encoding="utf-8", check=False
    ).returncode


def _given(words: list[str]) -> str | None:
    """Standard input, where it is among the encodings."""
    return sys.stdin.read() if "-" in words and sys.stdin is not None else None


def _curves(words: list[str], given: str | None) -> dict[str, Any]:
    """The report of check-properties with the points that pictures show."""
    try:
        report = with_curves(words, 200, given)
    except RequirementError as failed:  # --require: the picture is drawn, too
        report = failed.report
    return dict(printable_report(report))


def plot(given: dict[str, str], encodings: list[str]) -> int:
    """A picture of a report, or of encodings, which are checked for it."""
    output = output_of(given, encodings, "picture", "svg")
    _drawable(output, given.get("--ground", ""))
    of_report = len(encodings) == 1 and (encodings[0] == "-" or encodings[0].endswith(".json"))
    report = read_report(encodings[0]) if of_report else {}
    if not of_report or ("model_type" in report and encodings != ["-"]):  # the config.json of a model is an encoding
        report = _curves(encodings, _given(encodings))
    _draw(report, "standard input" if encodings == ["-"] else shown(" ".join(encodings)), given)
    return 0


def output_of(given: dict[str, str], words: list[str], otherwise: str, ending: str) -> str:
    """--output, which is named after the first report or encoding where it is not given, and `otherwise` after standard
    input. SpecError for a file that is read."""
    named = otherwise if words[0] == "-" else Path(words[0]).stem
    output = given.setdefault("--output", f"{named}.{ending}")
    for word in map(Path, words):
        if word.is_file() and Path(output).is_file() and word.samefile(output):
            raise SpecError(f"--output {shown(output)}: the file that is read; expected another name")
    return output


def _drawable(output: str, ground: str = "") -> None:
    """SpecError for another ending, or a ground that it does not have."""
    if not output.endswith(ENDINGS):
        raise SpecError(f"--output {shown(output)}: expected a name that ends in .svg, .png or .pdf")
    if ground not in ("", "light", "dark", "reader") or (ground == "reader" and not output.endswith(".svg")):
        raise SpecError(
            f"--ground {shown(ground)}: expected light or dark"
            + (", or reader" if output.endswith(".svg") else "; reader is for .svg")
        )


def _draw(report: dict[str, Any], source: str, given: dict[str, str]) -> None:
    """Writes the picture of a report to --output."""
    import warnings

    from gpe._plots.figure import figure_of
    from gpe._plots.look import Look, written

    warnings.filterwarnings("ignore", "Glyph")  # of names: what a font has not is drawn as a box
    output, ground, column = given["--output"], given.get("--ground", ""), "--column" in given
    dark = ground == "dark"
    figure = figure_of(report, source, dark, column)
    write(output, written(figure, output.rpartition(".")[2], Look(dark, column), both=ground in ("", "reader")))


def shown(text: str, most: int = 500) -> str:
    return printable(text, most)
