"""Reports as files: reading one safely, its numbers as floats, and the report of a probe in the
one form that pictures and pages read."""
# Tests: tests/python/gpe_command_test.py

from __future__ import annotations

import copy
import json
import math
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeGuard, TypeVar

from gpe._errors import SpecError

Report = dict[str, Any]
_Drawn = TypeVar("_Drawn")
_MOST_BYTES = 1 << 27
_PROBES = "expected a report of probe-attention, gpe.probe or gpe.probe_gates"


def printable(text: str, most: int = 500) -> str:
    """One line that a terminal or a page can show as it is: what is invisible or turns the text
    is written as \\u202e."""
    shown = text if len(text) <= most else text[:most] + "…"
    return "".join(
        f"\\u{ord(c):04x}"
        if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn") and c != "\u00ad"
        else c
        for c in shown.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    )


def printable_report(value: Any) -> Any:
    """The same, with all its texts and keys in one line each, as a terminal or a picture can show them."""
    if isinstance(value, dict):
        return {printable_report(key): printable_report(one) for key, one in value.items()}
    if isinstance(value, list):
        return [printable_report(one) for one in value]
    return printable(value, len(value)) if isinstance(value, str) and not value.isprintable() else value


def read_report(name: str) -> Report:
    """The JSON object of a file, or of standard input for "-", its texts as a terminal can show
    them. SpecError where there is none."""
    source = "standard input" if name == "-" else printable(name)
    if name == "-":
        if sys.stdin is None:
            raise SpecError(f"{source}: cannot be read")
        data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    else:
        try:
            if not stat.S_ISREG(Path(name).stat().st_mode):
                raise SpecError(f"{source}: no regular file")
            with open(name, "rb") as file:
                data = file.read(_MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            raise SpecError(f"{source}: {getattr(error, 'strerror', None) or 'cannot be read'}") from error
    if len(data) > _MOST_BYTES:
        raise SpecError(f"{source}: larger than 128 MiB")
    try:
        report = printable_report(json.loads(data))
    except RecursionError as error:
        raise SpecError(f"{source}:1:1: nested too deeply") from error
    except UnicodeDecodeError as error:
        raise SpecError(f"{source}: not JSON: no UTF-8") from error
    except json.JSONDecodeError as error:
        raise SpecError(f"{source}:{error.lineno}:{error.colno}: not JSON") from error
    except ValueError as error:  # a number with too many digits
        raise SpecError(f"{source}: not JSON: {printable(str(error), 100)}") from error
    if not isinstance(report, dict):
        raise SpecError(f"{source}: no JSON object; expected a report")
    return report


def number(value: Any) -> float:
    """A JSON number, decimal or fraction, or the middle of an enclosure, as a float; nan for
    none, inf for an infinite one."""
    if isinstance(value, dict):
        if value.get("finite") is False:
            return math.inf
        if "log10" in value:
            return math.pow(10.0, min(float(value["log10"]), 300.0))
        return (number(value.get("lower")) + number(value.get("upper"))) / 2
    if value == "unbounded":
        return math.inf
    if isinstance(value, str):
        above, _, below = value.partition("/")
        return float(above) / float(below or 1)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan


def short(value: float) -> str:
    """1024 as 1k, 1e6 as 1e6."""
    if 1024 <= value < 2**20 and value % 1024 == 0:
        return f"{value / 1024:.0f}k"
    return f"{value:g}" if value < 1e5 else f"{value:.0e}".replace("e+0", "e").replace("e+", "e")


def even_entropy(length: int) -> float:
    """Mean entropy of even weights over rows T/2 … T - 1, which see i + 1 keys: the largest that they can have."""
    return (math.lgamma(length + 1) - math.lgamma(length // 2 + 1)) / (length - length // 2)


def complete_probe(report: Report, source: str) -> Report:
    """A report of probe-attention as it is, one of gpe.probe with `lengths`: both read the same.
    SpecError for anything else."""

    def wrong(what: str) -> SpecError:
        return SpecError(f"{source}: {what}; {_PROBES}")

    heads = report.get("heads")
    if not isinstance(heads, list) or not heads or not all(isinstance(head, dict) for head in heads):
        raise wrong("no object with heads")
    if report.get("schema") != 1:
        raise wrong("schema is not 1")
    if "lengths" not in report:
        report = copy.deepcopy(report)
        heads, tokens = report["heads"], report.get("tokens")
        if not _is_count(tokens, 1 << 26):
            raise wrong("neither lengths nor tokens")
        report["lengths"] = [tokens]
        for head in heads:
            if "second_half" not in head or "last_row" not in head:
                raise wrong("a head without second_half")
            head["lengths"] = [
                {
                    "length": tokens,
                    "last_row": head["last_row"],
                    "second_half": head["second_half"],
                    "content_bound": head.get("content_bound"),
                }
            ]
    _check_counts(report, source)
    if not isinstance(report.get("content_bound"), (str, int, float, type(None))):
        raise wrong("content_bound is neither text nor a number")
    if not isinstance(report.get("dtype"), (str, type(None))):
        raise wrong("dtype is not text")
    lengths = report["lengths"]
    if not isinstance(lengths, list) or not lengths or not all(_is_count(length, 1 << 26) for length in lengths):
        raise wrong("lengths is not a list of counts")
    if any(b <= a for a, b in zip(lengths, lengths[1:], strict=False)):
        raise wrong("lengths do not increase")
    check_layers(heads, wrong)
    for head in heads:
        if not isinstance(head.get("lengths"), list) or len(head["lengths"]) != len(lengths):
            raise wrong("a head without all lengths")
    return report


def check_layers(heads: list[Report], wrong: Callable[[str], SpecError]) -> None:
    """Raises what is wrong with the layers and heads that they say they are of."""
    layer = 0
    for head in heads:
        own, of_layer = head.get("layer"), head.get("head")
        if not _is_count(own, 100000) or not _is_count(of_layer, 1 << 20) or not layer <= own <= layer + 1:
            raise wrong("heads are not in the order of layers from 1 on")
        layer = own


# Counts of tokens, keys, rows, layers and heads, under whatever they stand.
_COUNTS = {
    "schema",
    "layer",
    "head",
    "length",
    "context",
    "iteration",
    "W",
    "keys",
    "rows",
    "from",
    "to",
    "windows",
    "layers",
    "heads_per_layer",
    "pairs",
    "head_dim",
}


def _is_count(value: Any, most: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def _check_counts(report: Report, source: str) -> None:
    for key, value in _members(report):
        if key in _COUNTS and isinstance(value, (int, float, str)) and value != 0 and not _is_count(value, 1 << 53):
            raise SpecError(f"{source}: {key} is not a whole number from 0 to 2^53; {_PROBES}")


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    items: Iterable[tuple[str, Any]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = (("", member) for member in value)
    for key, member in items:
        yield key, member
        yield from _members(member)


def drawn(work: Callable[[], _Drawn], source: str) -> _Drawn:
    """What it gives; SpecError where a report is not of the form that it reads."""
    try:
        return work()
    except SpecError:
        raise
    except Exception as error:  # whatever a field of another kind leads to, here or in a template
        raise SpecError(
            f"{source}: not a report in the form of schema 1: {type(error).__name__}: {printable(str(error), 200)}"
        ) from error
