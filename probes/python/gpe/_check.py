"""check, asymptotics and compare: the programs' JSON, the same bytes by construction."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from gpe._errors import SpecError
from gpe._programs import argument_of, option_arguments, run
from gpe._specs import Spec

_TEXT_ONLY = ("format", "output", "quiet", "list")


class CheckReport(dict[str, Any]):
    """The report of check-properties (docs/report.md): a dict that a notebook shows as a table of verdicts."""

    def verdict(self, property: str, reading: str, encoding: int = 0) -> str:
        """'holds', 'fails', 'depends' or 'undecided'. KeyError when there is no such reading."""
        for verdict in self["encodings"][encoding]["verdicts"]:
            if verdict["property"] == property and verdict["reading"] == reading:
                return str(verdict["verdict"])
        raise KeyError(f"{property} ({reading})")

    def _repr_html_(self) -> str:
        parts = []
        for encoding in self.get("encodings", []):
            rows = "".join(
                f"<tr><td>{escape(v['property'])}</td><td>{escape(v['reading'])}</td><td>{escape(v['verdict'])}</td>"
                f"<td>{escape(v.get('region') or '')}</td><td>{escape(v.get('reason') or '')}</td></tr>"
                for v in encoding["verdicts"])
            numbers = "".join(
                f"<li>{name} = {escape(s['lower'] if s.get('finite') else 'infinite')}</li>"
                for name, s in encoding["sums"].items() if isinstance(s, Mapping))
            parts.append(f"<h4>{escape(encoding['name'])}</h4><table><tr><th>property</th><th>reading</th><th>verdict</th>"
                         f"<th>region</th><th>reason</th></tr>{rows}</table><ul>{numbers}</ul>")
        return "".join(parts)


def check(spec: Spec | None = None, **options: Any) -> CheckReport:
    """Verdicts and certified numbers of an encoding.

    Args:
        spec: a built-in name, a path, or a dict with the keys of an encoding file. None where `bias=` is given.
        options: those of check-properties, with underscores: `set={"m": "1/2"}`, `heads=8`, `head_dim=128`,
            `content_bound=["1", "5"]`, `lengths="64..16384"`, `epsilon="1e-3"`, `symbolic=["m"]`, `require="cn"`,
            `beside="alibi"`, `certificates="FOLDER"`, `time_limit=1`. Numbers are exact as text: "1/48", not 0.0208.

    Returns:
        The report of `check-properties --format json`. Numbers that carry digits are text.

    Raises:
        SpecError: a wrong encoding or option, with its place and the nearest name.
        RequirementError: what `require` names does not hold.
    """
    _refuse_text_options(options)
    arguments, given = [], None
    if spec is not None:
        argument, given = argument_of(spec)
        arguments = [argument]
    return CheckReport(run("check-properties", [*arguments, *option_arguments(options)], given))


def asymptotics(expression: str, **options: Any) -> dict[str, Any]:
    """The limit of an expression in n at infinity and its first terms, exactly.

    Args:
        expression: in the notation of encoding files, such as "n - sqrt(n^2 + 3*n*log(n))".
        options: `terms=3`, `set={"NAME": VALUE}`, `time_limit=10` in seconds.

    Returns:
        {"limit": {"kind": "finite" | "+inf" | "-inf" | "undecided", "value": "1/3", ...}, "terms": [...], "valid_from": ...}
    """
    _refuse_text_options(options)
    result: dict[str, Any] = run("asymptotics", [*option_arguments(options), "--", expression])
    return result


def compare(first: Spec, second: Spec, **options: Any) -> dict[str, Any]:
    """Which of two encodings has the larger entropy, mean distance, range, window and reach.

    Args:
        first, second: as for `check`; one of them may be a dict.
        options: those of compare-encodings: `set=`, `vary="m=1/1000..1/2"`, `content_bound=`, `head_dim=`, ...
    """
    _refuse_text_options(options)
    arguments, inputs = zip(argument_of(first), argument_of(second), strict=True)
    given = [text for text in inputs if text is not None]
    if len(given) > 1:
        raise SpecError("of two encodings one may be a dict; write the other one to a file")
    result: dict[str, Any] = run("compare-encodings", [*arguments, *option_arguments(options)], given[0] if given else None)
    return result


def _refuse_text_options(options: Mapping[str, Any]) -> None:
    for name in _TEXT_ONLY:
        if name in options:
            raise SpecError(f"'{name}' is no option here: the result is a dict")
