"""Reports as text: the tables that the programs print, from the JSON."""
# Tests: tests/python/test_check.py

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, localcontext
from typing import Any

_DIGITS = 8


def text_table(rows: Iterable[Sequence[str]]) -> str:
    """Columns side by side; no line ends in spaces."""
    rows = [list(row) for row in rows]
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows
    )


def proved(number: Mapping[str, Any] | None) -> str:
    """An enclosure in one cell: the digits on which both ends agree once they are rounded, or the ends."""
    if number is None:
        return ""
    if number.get("finite") is False:
        return "infinite"
    lower, upper = number.get("lower"), number.get("upper")
    if lower is None or upper is None:
        return "undecided"
    for digits in range(_DIGITS, 0, -1):
        low, high = _rounded(lower, digits), _rounded(upper, digits)
        if low == high:
            return str(low)
    return f"in [{_rounded(lower, 3)}, {_rounded(upper, 3)}]"


def _rounded(number: str, digits: int) -> Decimal:
    with localcontext() as context:
        context.prec = digits
        return +Decimal(number)


def count(value: Any) -> str:
    """A whole number of a report: it may be a number, text, {"log10": …}, {"undecided": …} or None."""
    if isinstance(value, Mapping):
        return "undecided" if "undecided" in value else f"10^{value['log10']}"
    return "none" if value is None else str(value)
