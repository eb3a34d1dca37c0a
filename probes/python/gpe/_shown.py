"""Reports as a notebook shows them: tables of HTML, verdicts in their colours."""
# Tests: tests/python/test_check.py

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from gpe._palette import COLOURS, VERDICTS
from gpe._reports import number
from gpe._tables import count, proved


def html_table(header: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> str:
    """A table; cells that are a verdict have its colour and its sign."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
    return (f"<h4>{escape(title)}</h4>" if title else "") + f"<table><tr>{head}</tr>{body}</table>"


def _cell(text: str) -> str:
    if text not in VERDICTS:
        return f"<td>{escape(text)}</td>"
    colour, sign = VERDICTS[text]
    return f'<td style="color:{COLOURS[colour][0]}"><b>{sign}</b> {text}</td>'


def check_html(report: Mapping[str, Any]) -> str:
    """Two tables of each encoding: verdicts, and numbers with windows and reach."""
    parts = []
    for encoding in report.get("encodings", []):
        head = f", head {encoding['head']}" if encoding["head"] is not None else ""
        rows = [
            [v["property"], reading_of(v), v["content_bound"] or "any", v["verdict"], v["region"] or "", v["reason"]]
            for v in encoding["verdicts"]
        ]
        parts.append(
            html_table(
                ["property", "reading", "B", "verdict", "region", "reason"],
                [[str(cell or "") for cell in row] for row in rows],
                encoding["name"] + head,
            )
        )
        parts.append(html_table(["number", "value"], numbers_of(encoding)))
    return "".join(parts)


def numbers_of(encoding: Mapping[str, Any]) -> list[list[str]]:
    """Name and value of Z, H, mean distance, ranges, windows and reach of one encoding of a report."""
    names = {"Z": "Z", "H": "entropy H (nats)", "mean_distance": "mean distance"}
    rows = [[name, proved(encoding["sums"][key])] for key, name in names.items()]
    near = encoding["local_range"]
    rows += [
        [f"local range |b| {sign} {near['threshold']}", count(near[key])]
        for key, sign in (("within", "<="), ("literal", ">="))
    ]
    rows += [
        [f"window for {w['epsilon']}, B = {w['content_bound']}", count(w["W"])]
        for w in encoding.get("effective_windows", [])
    ]
    for one in encoding.get("reach", []):
        at = f"of weight {one['weight']}, B = {one['content_bound']}"
        rows += [[f"reach {at}", count(one["n"])], [f"self-reach {at}", count(one["self_reach"])]]
    return rows


def number_columns(encoding: Mapping[str, Any], floats: bool) -> dict[str, Any]:
    """One line of a table: the ends of the enclosures, ranges, windows and reach; numbers as text, or as floats."""
    columns: dict[str, Any] = {
        f"{name}_{end}": _end(number, end)
        for name, number in encoding["sums"].items()
        if isinstance(number, Mapping)
        for end in ("lower", "upper")
    }
    for band in encoding.get("entropy_band", []):
        for end in ("lower", "upper"):
            columns[f"entropy_{end}_B{band['content_bound']}"] = _end(band[end], end)
    columns |= {f"local_range_{key}": encoding["local_range"][key] for key in ("within", "literal")}
    for w in encoding.get("effective_windows", []):
        columns[f"window_{w['epsilon']}_B{w['content_bound']}"] = w["W"]
    for one in encoding.get("reach", []):
        at = f"{one['weight']}_B{one['content_bound']}"
        columns |= {f"reach_{at}": one["n"], f"self_reach_{at}": one["self_reach"]}
    if not floats:
        return columns
    return {name: number(value) if value != "inf" else float("inf") for name, value in columns.items()}


def _end(number: Mapping[str, Any], end: str) -> Any:
    """Of an enclosure; "inf" of an infinite number, None of an unknown one."""
    if number.get("finite"):
        return number.get(end)
    return None if number.get("finite") is None else "inf"


def reading_of(verdict: Mapping[str, Any]) -> str:
    """A verdict's reading, with the gates or queries that it is about."""
    nouns = {"gates": "gate", "query": "query"}
    over = [key for key in nouns if verdict.get(key)]
    if verdict.get("gates") == "random":
        return f"{verdict['reading']}, random gates"
    which = f", {verdict[over[0]]} " + " or ".join(nouns[key] for key in over) if over else ""
    return str(verdict["reading"]) + which
