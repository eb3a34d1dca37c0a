# Tests: tests/checks/conformance_test.py
"""What users hand over: arguments, which are checked; functions, which are called; and values,
which are read as numbers."""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

from gpe._conformance.scores import Matrix, Vector
from gpe._errors import SpecError


class NotConforming(AssertionError):
    """The first entry that differs from the certified one."""


NotConforming.__module__ = "gpe.conformance"


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """An argument that is a whole number."""
    expected = f"{least} or more" if most is None else f"{least} to {most}"
    try:
        number = operator.index(value)
    except TypeError:
        raise SpecError(f"{name} = {value!r}; expected a whole number, {expected}") from None
    if number < least or (most is not None and number > most):
        raise SpecError(f"{name} = {number}; expected {expected}")
    return number


def _is_real(value: Any) -> bool:
    return isinstance(value, Real)


def positive(name: str, value: Any) -> float:
    """An argument that is a tolerance."""
    if not _is_real(value) or not 0 < value < math.inf:
        raise SpecError(f"{name} = {value!r}; expected a number over 0")
    return float(value)


def finite(name: str, value: Any) -> Vector:
    """An argument that is one number, or several."""
    try:
        numbers = _read(value)
    except ValueError:
        numbers = None
    numbers = numbers if isinstance(numbers, list) else [numbers]
    if not all(isinstance(one, float) and math.isfinite(one) for one in numbers):
        raise SpecError(f"{name}: {shown(value)}; expected finite numbers")
    return numbers


def listed(values: Any) -> list[Any]:
    """An argument that is several values."""
    if not isinstance(values, Iterable):
        raise SpecError(f"{shown(values)}; expected several values")
    return list(values)


class Port:
    """A function of a user, called with tensors, or with what `like` makes of lists."""

    def __init__(self, call: Any, like: Any, expected: str, counts: Sequence[int]) -> None:
        """counts: of arguments it may be called with; one that is not the last has to be required."""
        try:
            signature = inspect.signature(getattr(call, "forward", call))
        except (TypeError, ValueError):
            signature = None
        self.count = next(
            (count for count in counts if signature is not None and _takes(signature, count, must=count > counts[-1])),
            0,
        )
        if inspect.isclass(call) or not self.count:
            raise SpecError(f"{shown(call)}; expected {expected}")
        if like is not None and not callable(like):
            raise SpecError(f"like = {like!r}; expected a function that makes tensors of nested lists")
        self._call, self._like = call, like or _tensor

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self._call(*(self._like(one) for one in arguments))
        except Exception as error:
            where = f" at positions {_few(arguments[2])}" if len(arguments) > 2 else ""
            raise SpecError(
                f"{shown(self._call)} could not be called{where}: {type(error).__name__}: {error}"
            ) from error


def _takes(signature: inspect.Signature, count: int, must: bool) -> bool:
    """Whether it can be called with so many arguments, or must."""
    required = sum(
        one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        for one in signature.parameters.values()
    )
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return required == count or not must


class Reader:
    """Reads what comes of a port; what is not numbers is NotConforming, with the name of the encoding."""

    def __init__(self, label: str) -> None:
        self.label = label

    def fault(self, what: str) -> NotConforming:
        return NotConforming(f"{self.label}: {what}")

    def plain(self, values: Any) -> Any:
        """Lists of floats; what is not a number stays as it is."""
        try:
            return _read(values)
        except ValueError as error:
            raise self.fault(f"{shown(values)}, which cannot be read ({error}); expected numbers") from None

    def numbers(self, values: Any) -> Vector:
        found = self.plain(values)
        found = found if isinstance(found, list) else [found]
        if not all(isinstance(value, float) for value in found):
            raise self.fault(f"{shown(values)}; expected numbers")
        return found

    def number(self, value: Any) -> float:
        found = self.numbers(value)
        if len(found) != 1:
            raise self.fault(f"{shown(value)}; expected one number")
        return found[0]

    def matrices(self, values: Any, count: int, rows: int, columns: int) -> list[Matrix]:
        """So many matrices, with leading axes of length 1; one may be without its axis."""
        found = self.plain(values)
        shape = _shape(found)
        while shape is not None and len(shape) > 3 and shape[0] == 1:
            found, shape = found[0], shape[1:]
        if count == 1 and shape == (rows, columns):
            found, shape = [found], (1, rows, columns)
        if shape != (count, rows, columns):
            raise self.fault(f"{shown(values)} came back; expected numbers of shape {(count, rows, columns)}")
        matrices: list[Matrix] = found
        return matrices


def _read(values: Any) -> Any:
    """Lists of what is a list, an array or a tensor, of the same in a list too; ValueError where
    a tensor has no values."""
    if hasattr(values, "tolist"):
        try:
            values = (values.detach() if hasattr(values, "detach") else values).tolist()
        except Exception as error:
            raise ValueError(f"{type(error).__name__}: {error}") from None
    if _is_real(values):
        try:
            return float(values)
        except OverflowError:
            return math.inf if values > 0 else -math.inf
    return (
        [_read(value) for value in values]
        if isinstance(values, Iterable) and not isinstance(values, (str, bytes, dict))
        else values
    )


def _shape(values: Any) -> tuple[int, ...] | None:
    """Of lists of lists of numbers; None for anything else, and where rows differ in length."""
    if not isinstance(values, list):
        return () if isinstance(values, float) else None
    inner = {_shape(value) for value in values}
    one = inner.pop() if len(inner) == 1 else None
    return None if one is None else (len(values), *one)


def shown(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return (
        type(value).__name__
        + ("" if shape is None else f" of shape {tuple(shape)}")
        + (f" of length {len(value)}" if isinstance(value, (list, tuple)) else "")
    )


def _few(values: Sequence[int]) -> str:
    return ", ".join(map(str, values)) if len(values) < 4 else f"{values[0]} to {max(values)}"


def _tensor(values: list[Any]) -> Any:
    """Of positions whole numbers."""
    import torch

    return torch.tensor(values, dtype=torch.float64 if isinstance(values[0], list) else torch.int64)
