"""What is wrong with an output of attention: where it differs, and by which weight."""
# Tests: tests/python/test_testing.py

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

from gpe._specs import Spec
from gpe._testing.strategies import Content
from gpe._torch.attention import attention
from gpe._torch.blockwise import read_weights
from gpe._torch.encoding import Value

#: attention of q [B, Hq, Nq, d], k and v [B, Hkv, Nk, d] -> [B, Hq, Nq, d].
Implementation = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]

#: Of an output, relative to the largest |v| and to 1 + the largest content.
TOLERANCE = {torch.float64: 1e-8, torch.float32: 2e-5, torch.float16: 1e-2, torch.bfloat16: 5e-2}


class Mismatch(AssertionError):
    """What an implementation computes, where, and what was expected."""


Mismatch.__module__ = "gpe.testing"


def output_of(implementation: Implementation, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    found = implementation(q, k, v)
    expected = (*q.shape[:3], v.size(3))
    if not isinstance(found, torch.Tensor) or found.shape != expected:
        what = list(found.shape) if isinstance(found, torch.Tensor) else type(found).__name__
        raise Mismatch(f"the implementation returns {what}; expected a tensor {list(expected)}")
    return found


def allowed_of(content: Content, tolerance: float | None) -> float:
    q, k, v = (x.double() for x in content.tensors)
    largest = float(q.norm(dim=-1).max() * k.norm(dim=-1).max()) / math.sqrt(q.size(-1))
    of_type = TOLERANCE[content.dtype] if tolerance is None else tolerance
    return of_type * (1 + largest) * (1 + float(v.abs().max()))


def is_close(found: torch.Tensor, wanted: torch.Tensor, allowed: float) -> bool:
    same = found.double() == wanted.double()  # infinities too
    return bool((same | ((found.double() - wanted.double()).abs() <= allowed)).all())


def worst_of(found: torch.Tensor, wanted: torch.Tensor) -> str:
    difference = (found.double() - wanted.double()).abs()
    at = tuple(int(i) for i in torch.unravel_index(difference.nan_to_num(torch.inf).argmax(), difference.shape))
    return (
        f"is {float(found[at]):.6g} at [batch, head, token, coordinate] = {list(at)}, heads from 0; "
        f"expected {float(wanted[at]):.6g}"
    )


def weights_from(implementation: Implementation, q: torch.Tensor, k: torch.Tensor, width: int) -> torch.Tensor:
    """The weights [B, Hq, Nq, Nk] of an implementation."""
    return read_weights(lambda v: output_of(implementation, q, k, v), k.new_zeros(*k.shape[:3], width))


def explained(
    implementation: Implementation,
    content: Content,
    encoding: Spec | None,
    parameters: Mapping[str, Value] | None,
    options: Mapping[str, Any],
    found: torch.Tensor,
    wanted: torch.Tensor,
) -> str:
    """The weight that is most wrong, or else the output."""
    q, k, v = content.tensors
    with torch.no_grad():
        weights = weights_from(implementation, q, k, v.size(-1)).double()
        expected = weights_from(
            lambda q, k, v: attention(q.double(), k.double(), v.double(), encoding, parameters, **options),
            q,
            k,
            v.size(-1),
        )
    difference = (weights - expected).abs().nan_to_num(torch.inf)
    if float(difference.max()) <= allowed_of(content, None):
        return f"the output {worst_of(found, wanted)}, though the weights are right"
    batch, head, query, key = (int(i) for i in torch.unravel_index(difference.argmax(), difference.shape))
    distance = k.size(2) - q.size(2) + query - key
    return (
        f"query {query} of head {head + 1} (batch entry {batch}) puts weight "
        f"{float(weights[batch, head, query, key]):.6g} on the key at distance {distance}; "
        f"expected {float(expected[batch, head, query, key]):.6g}"
    )
