"""check, asymptotics, compare and compare_configs: the programs' JSON, the same bytes by construction."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from itertools import combinations
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from gpe._errors import Error, RequirementError, SpecError
from gpe._programs import argument_of, option_arguments, run, several_arguments
from gpe._shown import check_html, html_table, number_columns
from gpe._shown import reading_of as reading_of_verdict
from gpe._specs import Spec
from gpe._tables import count, proved, text_table
from gpe._verdicts.options import (
    AsymptoticsOptions,
    CheckOptions,
    CompareConfigsOptions,
    CompareOptions,
    refuse_unknown,
)
from gpe._verdicts.readings import READINGS, TITLES, property_of, reading_of, requirement_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


class CheckReport(dict[str, Any]):
    """The report of check-properties (docs/report.md): a dict that prints as the program's
    tables, and that a notebook shows."""

    def verdict(
        self,
        property: str,
        reading: str | None = None,
        encoding: int | str = 0,
        gates: str = "every",
        query: str = "every",
    ) -> str:
        """'holds', 'fails', 'depends' or 'undecided'; where content bounds differ, the verdict at the first one.

        Args:
            property, reading: names, short or long: "cn", "convergent-normalization"; "every-content", "every". Without
                a reading the usual one, as `require=` takes it.
            encoding: its number, or its name.
            gates: "every", "some" or "random", of scores with gates along the path; others, and
                readings that do not ask, have one verdict.
            query: likewise, of scores with a bias linear in the query.

        Raises:
            SpecError: for a name that is not known, with those that are.
        """
        property, reading = property_of(property), reading_of(property, reading)
        for name, value, known in (("gates", gates, ("every", "some", "random")), ("query", query, ("every", "some"))):
            if value not in known:
                raise SpecError(f"{name} '{value}': expected {', '.join(map(repr, known[:-1]))} or {known[-1]!r}")
        found = next(
            (
                str(v["verdict"])
                for v in self._encoding(encoding)["verdicts"]
                if v["property"] == property
                and v["reading"] == reading
                and v.get("gates", gates) == gates
                and v.get("query", query) == query
            ),
            None,
        )
        if found is None:
            raise SpecError(
                f"gates 'random': no verdict of {property} {reading} is about them; "
                "expected cn or eb, and mean or mean_exp in [score.path]"
            )
        return found

    def _encoding(self, which: int | str) -> dict[str, Any]:
        encodings = self["encodings"]
        found = [e for i, e in enumerate(encodings) if which in (i, e["name"])]
        if not found:
            raise SpecError(
                f"no encoding {which!r} in the report; expected one of "
                + ", ".join(f"{i} ({e['name']})" for i, e in enumerate(encodings))
            )
        return dict(found[0])

    def to_dataframe(self, what: str = "verdicts", floats: bool = False) -> pandas.DataFrame:
        """A table of pandas: "verdicts", one line per reading and content bound; "numbers", one line per encoding and
        head, with windows, reach and ranges. Numbers are exact, as text; with `floats`, the nearest floats."""
        lines: list[dict[str, Any]]
        if what == "verdicts":
            lines = [{"encoding": e["name"], "head": e["head"], **v} for e in self["encodings"] for v in e["verdicts"]]
        elif what == "numbers":
            lines = [{"encoding": e["name"], "head": e["head"], **number_columns(e, floats)} for e in self["encodings"]]
        else:
            raise SpecError(f"to_dataframe('{what}'): expected 'verdicts' or 'numbers'")
        return _dataframe(lines)

    def plot(self, *, dark: bool = False, column: bool = False) -> Figure:
        """A matplotlib figure, as `gpe plot` draws it: the verdicts; with `curves=` of `check`,
        scores, weights, Z and H."""
        return _figure(self, dark, column)

    def __str__(self) -> str:
        encodings = self["encodings"]
        rows = [["", *map(_title, encodings)]]
        if len(encodings) == 1:
            rows[0].append("it holds")
        for names, readings in READINGS.items():
            rows.append([TITLES[names[0]]])
            for reading in readings:
                verdicts = [
                    [v for v in e["verdicts"] if (v["property"], v["reading"]) == (names[0], reading)]
                    for e in encodings
                ]
                over = [key for key in ("gates", "query") if any(key in v for of_one in verdicts for v in of_one)]
                kinds = {v[key] for of_one in verdicts for v in of_one for key in over if key in v}
                for which in [kind for kind in ("every", "some", "random") if kind in kinds] or ("",):
                    cells = [
                        [v for v in of_one if all(v.get(key, which) == which for key in over)] for of_one in verdicts
                    ]
                    row = [
                        "  " + reading_of_verdict({"reading": reading, **dict.fromkeys(over, which)}),
                        *map(_verdict, cells),
                    ]
                    if len(encodings) == 1:
                        regions = dict.fromkeys(v["region"] or "" for v in cells[0])
                        row.append(
                            "; ".join(
                                region if region in ("", "always", "never") else f"when {region}" for region in regions
                            )
                        )
                    rows.append(row)
        rows.append([])
        for label, key in (("Z", "Z"), ("entropy H (nats)", "H"), ("mean distance", "mean_distance")):
            rows.append([label, *(proved(e["sums"][key]) for e in encodings)])
        for label, key in (("local range |b| <= ", "within"), ("local range |b| >= ", "literal")):
            rows.append(
                [label + encodings[0]["local_range"]["threshold"], *(count(e["local_range"][key]) for e in encodings)]
            )
        return text_table(rows)

    def __repr__(self) -> str:
        return f"<CheckReport of {', '.join(map(_title, self.get('encodings', []))) or 'a file'}>"

    def _repr_html_(self) -> str:
        return check_html(self)


def _title(encoding: Mapping[str, Any]) -> str:
    return str(encoding["name"]) + (f" head {encoding['head']}" if encoding["head"] is not None else "")


def _verdict(verdicts: list[dict[str, Any]]) -> str:
    if not verdicts:
        return "-"
    if len({v["verdict"] for v in verdicts}) == 1:
        return str(verdicts[0]["verdict"])
    return ", ".join(f"{v['verdict']} at B = {v['content_bound']}" for v in verdicts)


def _dataframe(lines: list[dict[str, Any]]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as error:
        raise Error("to_dataframe needs pandas; the report is a dict with the same content") from error
    return pandas.DataFrame(lines)


def _figure(report: dict[str, Any], dark: bool, column: bool) -> Figure:
    from gpe._plots.figure import figure_of

    return figure_of(report, dark=dark, column=column)


def check(spec: Spec | Sequence[Spec] | None = None, **options: Unpack[CheckOptions]) -> CheckReport:
    """Verdicts and certified numbers of an encoding, or of several.

    Args:
        spec: a built-in name, a path, or a dict with the keys of an encoding file; or a list of them, with at
            most one dict. None where `bias=` is given.
        options: those of check-properties, with underscores: `set={"m": "1/2"}`, `heads=8`, `head_dim=128`,
            `content_bound=["1", "5"]`, `lengths="64..16384"`, `epsilon="1e-3"`, `symbolic=["m"]`, `require="cn"`,
            `beside="alibi"`, `certificates="FOLDER"`, `time_limit=1`. Numbers are exact as text: "1/48", not 0.0208.

    Returns:
        The report of `check-properties --format json`. Numbers that carry digits are text.

    Raises:
        SpecError: a wrong encoding or option, with its place and the nearest name.
        RequirementError: what `require` names does not hold.
    """
    refuse_unknown(options, CheckOptions)
    told: dict[str, Any] = {**options}
    if isinstance(told.get("require"), (list, tuple)):
        told["require"] = ",".join(told["require"])
    if isinstance(told.get("require"), str):
        told["require"] = requirement_of(told["require"])
    arguments, given = several_arguments([] if spec is None else spec)
    return CheckReport(run("check-properties", [*arguments, *option_arguments(told)], given))


def asymptotics(expression: str, **options: Unpack[AsymptoticsOptions]) -> dict[str, Any]:
    """The limit of an expression in n at infinity and its first terms, exactly.

    Args:
        expression: in the notation of encoding files, such as `n - sqrt(n^2 + 3*n*log(n))`.
        options: `terms=3`, `set={"NAME": VALUE}`, `time_limit=10` in seconds.

    Returns:
        A dict with `limit`, such as {"kind": "finite", "value": "1/3"}, where other kinds are "+inf", "-inf" and
        "undecided", and with `terms` and `valid_from`.
    """
    refuse_unknown(options, AsymptoticsOptions)
    result: dict[str, Any] = run("asymptotics", [*option_arguments(options), "--", expression])
    return result


class Comparison(dict[str, Any]):
    """What compare-encodings says (docs/compare.md): a dict that prints as a table. Of more than two encodings `pairs`
    has one such dict for each two, in the order in which they were given."""

    def to_dataframe(self) -> pandas.DataFrame:
        """A table of pandas: one line a quantity of each two encodings."""
        return _dataframe(
            [
                {
                    "first_encoding": _names(pair)[0],
                    "second_encoding": _names(pair)[1],
                    "quantity": c["quantity"],
                    "first": _quantity(c["first"]),
                    "second": _quantity(c["second"]),
                    "larger": c["larger"],
                }
                for pair in self._pairs()
                for c in pair["comparisons"]
            ]
        )

    def plot(self, *, dark: bool = False, column: bool = False) -> Figure:
        """A matplotlib figure of two encodings, as `gpe plot` draws it. SpecError for more: each
        of `pairs` has its own."""
        if "pairs" in self:
            raise SpecError("a picture compares two encodings; expected pairs[i].plot()")
        return _figure(self, dark, column)

    def __repr__(self) -> str:
        return f"<Comparison of {'; '.join(' and '.join(_names(pair)) for pair in self._pairs())}>"

    def __str__(self) -> str:
        return "\n\n".join(text_table([header, *rows]) for header, rows in map(_compared_rows, self._pairs()))

    def _repr_html_(self) -> str:
        return "".join(html_table(header, rows) for header, rows in map(_compared_rows, self._pairs()))

    def _pairs(self) -> list[dict[str, Any]]:
        return list(self["pairs"]) if "pairs" in self else [self]


def _compared_rows(pair: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the table of two encodings."""
    names = _names(pair)
    rows = []
    for c in pair["comparisons"]:
        larger = dict(zip(("first", "second"), names, strict=True)).get(c["larger"], c["larger"] or "undecided")
        rows.append([c["quantity"], _quantity(c["first"]), _quantity(c["second"]), larger])
    return ["", *names, "larger"], rows


def _names(pair: Mapping[str, Any]) -> list[str]:
    return [encoding["name"] for encoding in pair["encodings"]]


def _quantity(value: Any) -> str:
    return proved(value) if isinstance(value, Mapping) and "log10" not in value else count(value)


def compare(first: Spec, second: Spec, *others: Spec, **options: Unpack[CompareOptions]) -> Comparison:
    """Which of the encodings has the larger entropy, mean distance, range, window and reach.

    Args:
        first, second, others: as for `check`. Of more than two each is compared with each.
        options: those of compare-encodings: `set=`, `vary="m=1/1000..1/2"`, `content_bound=`, `head_dim=`, ...
    """
    refuse_unknown(options, CompareOptions)
    pairs = [_compared(*pair, option_arguments(options)) for pair in combinations((first, second, *others), 2)]
    return Comparison({"schema": 1, "pairs": pairs}) if others else pairs[0]


def _compared(first: Spec, second: Spec, options: list[str]) -> Comparison:
    (one, text), (other, other_text) = argument_of(first), argument_of(second)
    if text is None or other_text is None:
        given = other_text if text is None else text
        return Comparison(run("compare-encodings", [one, other, *options], given))
    with tempfile.TemporaryDirectory() as folder:  # standard input holds one of them
        file = Path(folder) / "second.toml"
        file.write_text(other_text, encoding="utf-8")
        return Comparison(run("compare-encodings", [one, str(file), *options], text))


class ConfigComparison(dict[str, Any]):
    """What compare-configs says (docs/ports.md): a dict that prints as a table."""

    def __repr__(self) -> str:
        return f"<ConfigComparison of {' and '.join(self['configs'])}: {'same' if self['same'] else 'they differ'}>"

    def __str__(self) -> str:
        return text_table([_CONFIGS, *self._rows()]) if self._rows() else repr(self)

    def _repr_html_(self) -> str:
        return html_table(_CONFIGS, self._rows(), repr(self)[1:-1])

    def to_dataframe(self) -> pandas.DataFrame:
        """A table of pandas: one line per part of the layers that differs."""
        return _dataframe([dict(zip(_CONFIGS, row, strict=True)) for row in self._rows()])

    def _rows(self) -> list[list[str]]:
        return [
            [", ".join(map(str, layers["layers"])), part["what"], str(part["first"]), str(part["second"])]
            for layers in self["layers"]
            for part in layers["parts"]
        ]


_CONFIGS = ["layers", "what", "first", "second"]


def compare_configs(
    first: str | PathLike[str], second: str | PathLike[str], **options: Unpack[CompareConfigsOptions]
) -> ConfigComparison:
    """What two config.json files ask for that differs, layer by layer, and what that does to
    scores; `same` when nothing does.

    Args:
        first, second: a config.json, or the folder that holds it.
        options: those of compare-configs: `lengths=`, `content_bound=`, `epsilon=`.
    """
    refuse_unknown(options, CompareConfigsOptions)
    arguments = [argument_of(fspath(which))[0] for which in (first, second)]
    try:
        return ConfigComparison(run("compare-configs", [*arguments, *option_arguments(options)]))
    except RequirementError as differ:
        return ConfigComparison(differ.report)
