"""An encoding's formulas as SymPy expressions, and its parameters' values by head."""
# Tests: tests/python/test_check.py

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpe._specs import Spec
from gpe._torch.encoding import open_encoding

if TYPE_CHECKING:
    import sympy
    import torch


def to_sympy(spec: Spec, *, head_dim: int = 64) -> dict[str, sympy.Expr]:
    """The parts of A(n) = gain(n) c(n) + bias(n) as SymPy expressions, parameters left as symbols.

    Returns:
        `gain`, `bias`, and where the encoding has them `angle` (radians, of block j), `scale`, `rate`, `decay`,
        `softcap`, `sink`; and `score`, gain·c(n) + bias with the content as a function c. Notebooks show them as LaTeX.
    """
    import sympy

    formulas: dict[str, Any] = open_encoding(spec, head_dim=head_dim, heads=1).description["formulas"]
    parts = {name: sympy.sympify(formula["sympy"]) for name, formula in formulas.items()}
    parts["score"] = parts["gain"] * sympy.Function("c")(sympy.Symbol("n")) + parts["bias"]
    return parts


def parameter_values(
    spec: Spec, *, heads: int = 1, layer: int = 0, layers: int = 1, head_dim: int = 64
) -> dict[str, torch.Tensor]:
    """The values of every parameter by head, float64 [heads]: where training may begin."""
    import torch

    described = open_encoding(spec, head_dim=head_dim, heads=heads, layer=layer, layers=layers).description
    return {p["name"]: torch.tensor(p["values"], dtype=torch.float64) for p in described["parameters"]}
