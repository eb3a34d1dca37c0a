"""The options of the programs as typed keywords: editors complete them, mypy checks them."""
# Tests: tests/python/test_questions.py

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, TypedDict

from gpe._errors import SpecError, meant

#: Exact: an int, a Fraction, or text such as "1/48".
Exact = int | float | str | Fraction
Several = Exact | Sequence[Exact]
Texts = str | Sequence[str]
Values = Mapping[str, Exact]
Path = str | os.PathLike[str]


class AsymptoticsOptions(TypedDict, total=False):
    terms: int
    set: Values
    time_limit: float


class CheckOptions(TypedDict, total=False):
    """Those of check-properties."""

    all: bool
    set: Values
    symbolic: Texts
    beside: Texts
    show_encoding: bool
    bias: str
    gain: str
    transform: str
    angle: str
    first: int
    heads: int | None
    head: int | None
    layers: int
    layer: int
    head_dim: int
    content_bound: Several
    content: str
    threshold: Exact
    digits: int
    lengths: Several
    epsilon: Several
    weight: Several
    dtype: Texts
    table: str
    time_limit: float
    total_limit: float
    curves: int
    require: Texts
    certificates: Path
    coq: Path
    as_: Path


class StackOptions(TypedDict, total=False):
    context: int | str
    cache_dtype: Literal["bf16", "fp16", "fp32", "fp8", "int8", "int4"]
    batch: int
    page: int
    content_bound: Exact
    epsilon: Several
    as_: Path
    time_limit: float


class SweepOptions(TypedDict, total=False):
    """Those of check-properties --sweep."""

    head_dim: int
    content_bound: Exact
    threshold: Exact
    digits: int
    epsilon: Exact
    weight: Exact
    time_limit: float


class CompareOptions(TypedDict, total=False):
    """Those of compare-encodings."""

    set: Values
    heads: int | None
    head: int | None
    head_dim: int
    content_bound: Exact
    vary: str
    points: int
    threshold: Exact
    epsilon: Exact
    weight: Exact
    distance: Exact
    digits: int
    time_limit: float


class CompareConfigsOptions(TypedDict, total=False):
    as_: Path
    lengths: Several
    content_bound: Exact
    epsilon: Exact


class DesignOptions(TypedDict, total=False):
    """Those of design-encoding; `vary`, and each requirement, may be a list."""

    vary: Texts
    set: Values
    content_bound: Exact
    head_dim: int
    converges: bool
    entropy: Texts
    entropy_at: Texts
    range: Texts
    cache: Texts
    reach: Texts
    minimize: str
    maximize: str
    gap: Exact
    time_limit: float
    encoding: Path
    certificate: Path


class AuditOptions(TypedDict, total=False):
    only: Texts
    results: Path
    certificates: Path
    claim: str
    time_limit: float


class FrontierOptions(TypedDict, total=False):
    """Those of entropy-frontier; `vary` may be a list."""

    all: bool
    vary: Texts
    points: int
    set: Values
    heads: int | None
    head_dim: int
    threshold: Exact
    epsilon: Exact
    content_bound: Exact
    distance: Exact
    digits: int
    time_limit: float
    gain: str
    delta_star: str


#: Options for what the programs print or draw: the result here is a dict.
TEXT_ONLY = ("format", "output", "quiet", "list", "color", "plot", "explain")


def refuse_unknown(options: Mapping[str, Any], known: type) -> None:
    """SpecError for a keyword that is not of `known`, with the nearest, or with how a parameter is set."""
    names = known.__annotations__
    for name, value in options.items():
        if name in names:
            continue
        if name in TEXT_ONLY:
            raise SpecError(f"'{name}' is for what the program prints; here the result is a dict")
        if near := meant(name, names):
            raise SpecError(f"unknown option '{name}'{near}")
        if "set" not in names or not isinstance(value, (int, float, str, Fraction)):
            raise SpecError(f"unknown option '{name}'; expected one of {', '.join(names)}")
        exact = str(Fraction(value).limit_denominator(10**6)) if isinstance(value, float) else str(value)
        raise SpecError(
            f'unknown option \'{name}\'; a parameter of the encoding is given as set={{"{name}": "{exact}"}}'
        )
