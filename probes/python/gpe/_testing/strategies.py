"""Hypothesis strategies: encodings, shapes of attention, and contents with the corners where kernels break."""
# Tests: tests/python/test_testing.py

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from hypothesis import strategies as st

from gpe._specs import softmax_names, toml_of


@dataclass(frozen=True)
class Shape:
    """q [batch, heads, queries, head_dim], k and v [batch, key_heads, keys, head_dim]; queries are the last tokens."""

    batch: int
    heads: int
    key_heads: int
    queries: int
    keys: int
    head_dim: int


#: What contents may be like.
KINDS = ("zero", "normal", "equal", "large", "spike", "alternating")


@dataclass(frozen=True)
class Content:
    """q, k and v, made again from few numbers: what Hypothesis prints is what they are."""

    kind: str
    seed: int
    shape: Shape
    dtype: torch.dtype = torch.float32

    @cached_property
    def tensors(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        s = self.shape
        generator = torch.Generator().manual_seed(self.seed)
        q = torch.randn(s.batch, s.heads, s.queries, s.head_dim, generator=generator, dtype=torch.float64)
        k, v = torch.randn(2, s.batch, s.key_heads, s.keys, s.head_dim, generator=generator, dtype=torch.float64)
        if self.kind == "zero":
            q, k = q * 0, k * 0
        elif self.kind == "equal":
            q, k = q[:, :, :1].expand_as(q), k[:, :, :1].expand_as(k)
        elif self.kind == "large":
            q = 6 * q
        elif self.kind == "spike":
            k[:, :, int(torch.randint(s.keys, (), generator=generator))] *= 12
        elif self.kind == "alternating":
            k = k[:, :, :1] * (1 - 2 * (torch.arange(s.keys, dtype=torch.float64)[:, None] % 2))
        return q.to(self.dtype), k.to(self.dtype), v.to(self.dtype)


def shapes(
    *,
    batch: int | Collection[int] = (1, 2),
    heads: int | Collection[int] = 4,
    head_dim: int | Collection[int] = 16,
    tokens: int = 70,
    grouped: bool = False,
    cached: bool = False,
) -> st.SearchStrategy[Shape]:
    """Shapes of attention: each number is this one, or one of several.

    Args:
        head_dim: even for encodings.
        tokens: the most keys; lengths beside powers of two come often, and 1.
        grouped: heads may share keys. cached: queries may be fewer than keys.
    """
    corners = sorted(
        {
            n
            for power in range(tokens.bit_length() + 1)
            for n in (2**power - 1, 2**power, 2**power + 1)
            if 1 <= n <= tokens
        }
    )
    lengths = st.one_of(st.sampled_from(corners), st.integers(1, tokens))

    @st.composite
    def draw_shape(draw: st.DrawFn) -> Shape:
        of_heads, keys = draw(_one_of(heads)), draw(lengths)
        divisors = [n for n in range(1, of_heads + 1) if of_heads % n == 0]
        return Shape(
            draw(_one_of(batch)),
            of_heads,
            draw(st.sampled_from(divisors[::-1])) if grouped else of_heads,
            draw(st.integers(1, keys)) if cached else keys,
            keys,
            draw(_one_of(head_dim)),
        )

    return draw_shape()


def _one_of(values: int | Iterable[int]) -> st.SearchStrategy[int]:
    return st.just(values) if isinstance(values, int) else st.sampled_from(sorted(values))


def contents(
    shape: st.SearchStrategy[Shape] | None = None, *, dtype: torch.dtype = torch.float32, kinds: Collection[str] = KINDS
) -> st.SearchStrategy[Content]:
    """q, k and v: zero, normal, equal tokens, large scores, one large key, scores of alternating sign."""
    return st.builds(
        Content,
        st.sampled_from(list(kinds)),
        st.integers(0, 2**16),
        shapes() if shape is None else shape,
        st.just(dtype),
    )


def exact_numbers(low: int = 0, high: int = 4) -> st.SearchStrategy[str]:
    """Fractions between two integers as an encoding file has them: "3/8"."""
    return st.builds(
        lambda numerator, denominator: (
            f"{low * denominator + numerator % ((high - low) * denominator + 1)}/{denominator}"
        ),
        st.integers(0, 1 << 16),
        st.sampled_from([1, 2, 3, 8, 10, 64]),
    )


_BIASES = (
    "-p*n",
    "-p*log(1 + n)",
    "-p*sqrt(n)",
    "-p*min(n, 7)",
    "if(n < 5, 0, -p)",
    "p*cos(n)",
    "-p*n/h",
    "-p*n*2^(-8*h/heads)",
    "p",
)
_GAINS = ("1/(1 + p*n)", "exp(-p*n/8)", "1 + p*sin(n)", "1/(p + h)")
_GAINS_BY_LENGTH = ("log(L + 2)", "if(L < 7, 1, 1 + p/(L + 1))")
_ANGLES = {
    "separable": ("10000^(-2*j/d)*n", "p*n/(1 + j)", "if(j = 0, n, 0)"),
    "pairwise": ("10000^(-2*j/d)*min(n, 7)", "sqrt(n)/(1 + j)", "n/(1 + p*log(1 + n))"),
}


@st.composite
def encodings(
    draw: st.DrawFn,
    *,
    transforms: Collection[str] = ("identity", "rotation", "scaled-rotation"),
    pairwise: bool = True,
    by_length: bool = True,
    windows: bool = True,
    softcaps: bool = True,
    sinks: bool = True,
) -> dict[str, Any]:
    """Encodings as dicts with the keys of an encoding file, which every function of gpe takes.

    Args:
        transforms: some of "identity", "rotation", "scaled-rotation", "none".
        pairwise: angles that are no multiples of n may come. by_length: gains that depend on L may come.
    """
    parameters: dict[str, Any] = {}

    def with_parameter(formula: str, name: str) -> str:
        if "p" not in _words(formula):
            return formula
        parameters[name] = {"default": draw(exact_numbers(0, 2)), "domain": f"{name} >= 0"}
        return "".join(name if part == "p" else part for part in _words(formula))

    terms = draw(st.lists(st.sampled_from(_BIASES), max_size=2, unique=True))
    score: dict[str, Any] = {"bias": " + ".join(with_parameter(term, f"b{i}") for i, term in enumerate(terms)) or "0"}
    if draw(st.booleans()):
        score["gain"] = with_parameter(draw(st.sampled_from(_GAINS + (_GAINS_BY_LENGTH if by_length else ()))), "g")
    score["transform"] = draw(st.sampled_from(list(transforms)))
    if score["transform"] in ("rotation", "scaled-rotation"):
        angles = _ANGLES["separable"] + (_ANGLES["pairwise"] if pairwise else ())
        score["rotation"] = {
            "angle": with_parameter(draw(st.sampled_from(angles)), "a"),
            "layout": draw(st.sampled_from(["half", "interleaved"])),
        }
        if score["transform"] == "scaled-rotation":
            score["rotation"]["scale"] = with_parameter("exp(-p*n/(1 + j))", "s")
    if windows and draw(st.booleans()):
        score["window"] = str(draw(st.integers(1, 20)))
    if softcaps and score["transform"] != "none" and draw(st.booleans()):
        score["softcap"] = str(draw(st.integers(1, 30)))
    if sinks and draw(st.booleans()):
        score["sink"] = draw(exact_numbers(-2, 2))
    return {"schema": 1, "name": "drawn", **({"parameters": parameters} if parameters else {}), "score": score}


def _words(formula: str) -> list[str]:
    return re.findall(r"\w+|\W", formula)


def encoding_files(**options: Any) -> st.SearchStrategy[str]:
    """The same as TOML text."""
    return encodings(**options).map(toml_of)


def built_in_encodings(*, without: Collection[str] = ()) -> st.SearchStrategy[str]:
    """Names of built-in encodings whose weights are a softmax of functions of n."""
    return st.sampled_from([name for name in softmax_names() if name not in without])
