"""sliders: an encoding in a notebook, with a slider for each of its parameters."""
# Tests: tests/notebooks/sliders_test.py

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, Unpack

from gpe._errors import Error, SpecError
from gpe._plots.look import Look, written
from gpe._programs import option_arguments, several_arguments, with_curves
from gpe._specs import Spec
from gpe._verdicts.check import CheckReport, check
from gpe._verdicts.options import CheckOptions, Exact, refuse_unknown

if TYPE_CHECKING:
    import ipywidgets

_POWERS = range(-6, 7)


def sliders(
    spec: Spec,
    values: Mapping[str, Sequence[Exact]] | None = None,
    points: int = 100,
    **options: Unpack[CheckOptions],
) -> ipywidgets.VBox:
    """An encoding in a notebook: a slider for each parameter, and below them its picture and the tables of `check`.

    Args:
        spec: as for `gpe.check`.
        values: the exact values of a parameter's slider, {"m": ["1/2", "1/4"]}; of other parameters they are the
            default times 2^-6, ..., 2^6. A value outside the domain shows the engine's message.
        points: how many distances the picture has.
        options: those of check-properties, as for `gpe.check`.

    Raises:
        Error: ipywidgets is not installed.
        SpecError: a wrong encoding or option, or `values` of an unknown parameter.
    """
    try:
        import ipywidgets
    except ModuleNotFoundError as error:
        raise Error("gpe.sliders needs ipywidgets: pip install ipywidgets") from error
    refuse_unknown(options, CheckOptions)
    defaults = check(spec, **options)["encodings"][0]["parameters"]
    if unknown := set(values or {}) - set(defaults):
        raise SpecError(f"values: unknown parameter '{min(unknown)}'; expected one of {', '.join(defaults)}")
    for name, given in (values or {}).items():
        if isinstance(given, str) or not isinstance(given, Sequence) or not given:
            raise SpecError(f"values of {name}: {given!r}; expected a list of values")
    chosen = [_slider(name, default, (values or {}).get(name)) for name, default in defaults.items()]
    picture, tables = ipywidgets.Image(format="png"), ipywidgets.HTML()

    def show(_: Any = None) -> None:
        told = {**options, "set": {**options.get("set", {}), **{one.description: one.value for one in chosen}}}
        arguments, given = several_arguments(spec)
        try:
            report = CheckReport(with_curves([*arguments, *option_arguments(told)], points, given))
        except SpecError as refused:
            tables.value = f"<pre>{escape(str(refused))}</pre>"
            return
        picture.value = written(report.plot(), "png", Look())
        tables.value = report._repr_html_()

    for one in chosen:
        one.observe(show, "value")
    show()
    return ipywidgets.VBox([*chosen, picture, tables])


def _slider(name: str, default: str, values: Sequence[Exact] | None) -> Any:
    """A slider over exact values as text, at the default or at the first value."""
    import ipywidgets

    values = values or _multiples(default)
    texts = [str(value) for value in values]
    start = default if default in texts else texts[0]
    return ipywidgets.SelectionSlider(options=texts, value=start, description=name, continuous_update=False)


def _multiples(value: str) -> list[str | Fraction]:
    """A value times powers of two; it may be an expression, as 2^(2/3)."""
    try:
        number = Fraction(value)
    except ValueError:
        return [f"({value})*2^({k})" if k else value for k in _POWERS]
    return [number * Fraction(2) ** k for k in _POWERS] if number else [value]
