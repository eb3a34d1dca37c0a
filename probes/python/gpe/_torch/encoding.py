"""An encoding at the heads of one layer, opened in the operators' library."""
# Tests: tests/python/test_statistics.py, tests/python/test_attention.py

from __future__ import annotations

import ctypes
import json
import math
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import torch

from gpe._errors import Error, SpecError
from gpe._programs import WHEEL, operators_library
from gpe._specs import Source, Spec, source_of

PLAIN = Source('schema = 1\nname = "plain"\n[score]\n', "plain", ".")  # A(n) = q'k/sqrt(d)

#: A parameter's value: exact (int, Fraction, text such as "1/48"), a float, or a tensor [] or
#: [heads] that may be learned.
Value = int | float | str | Fraction | torch.Tensor


@cache
def library() -> ctypes.CDLL:
    """The operators, registered as torch.ops.gpe, and the C functions beside them. Error where they are absent."""
    path = operators_library()
    if not path.is_file():
        raise Error(f"{path.name}, the operators of torch, is absent; in a clone of the project, build it with {WHEEL}")
    torch.ops.load_library(str(path))
    functions = ctypes.CDLL(str(path))
    functions.gpe_encoding_open.restype = ctypes.c_void_p
    functions.gpe_encoding_open.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
    functions.gpe_encoding_description.restype = ctypes.c_char_p
    functions.gpe_encoding_description.argtypes = [ctypes.c_void_p]
    functions.gpe_encoding_close.restype = None
    functions.gpe_encoding_close.argtypes = [ctypes.c_void_p]
    functions.gpe_encoding_release_text.restype = None
    functions.gpe_encoding_release_text.argtypes = [ctypes.c_void_p]
    return functions


class Encoding:
    """What a spec is at given heads. `address` is what the operators take; it lives as long as this object."""

    def __init__(self, request: str) -> None:
        self.address = 0
        self._library = library()
        message = ctypes.c_void_p()
        address = self._library.gpe_encoding_open(request.encode(), ctypes.byref(message))
        if not address:
            text = ctypes.string_at(message.value or b"").decode()
            self._library.gpe_encoding_release_text(message)
            raise SpecError(text)
        self.address = address
        self.description: dict[str, Any] = json.loads(self._library.gpe_encoding_description(address).decode())
        self.heads: list[dict[str, Any]] = self.description["heads"]

    def __del__(self) -> None:
        if self.address:
            self._library.gpe_encoding_close(self.address)

    @property
    def depends_on_length(self) -> bool:
        return any(head["depends_on_length"] for head in self.heads)


@lru_cache(maxsize=64)
def _opened(request: str) -> Encoding:
    return Encoding(request)


def open_encoding(
    spec: Spec | None,
    *,
    head_dim: int,
    heads: int,
    layer: int = 0,
    layers: int = 1,
    exact: Mapping[str, str] | None = None,
    learned: tuple[str, ...] = (),
    window: int | None = None,
    softcap: bool = False,
    sink: bool = False,
) -> Encoding:
    """Opens an encoding, or finds it among the last ones. SpecError with the engine's message.

    Args:
        spec: None is the plain dot product.
        head_dim: even.
        layer: from 0, of `layers`.
        exact: parameters with other values, as text.
        learned: parameters that every call gives as numbers, in this order; then softcap and sink where they are True.
        window: a number of keys; the encoding's own one holds where it is smaller.
    """
    source = PLAIN if spec is None else source_of(spec)
    return _opened(
        json.dumps(
            {
                "text": source.text,
                "source": source.name,
                "folder": source.folder,
                "head_dim": head_dim,
                "heads": heads,
                "layer": layer,
                "layers": layers,
                "set": dict(exact or {}),
                "learned": list(learned),
                "window": window,
                "softcap": softcap,
                "sink": sink,
            }
        )
    )


def bind(
    spec: Spec | None,
    parameters: Mapping[str, Value] | None,
    *,
    head_dim: int,
    heads: int,
    layer: int = 0,
    layers: int = 1,
    window: int | None = None,
    softcap: float | torch.Tensor | None = None,
    sink: float | torch.Tensor | None = None,
) -> tuple[Encoding, torch.Tensor]:
    """The encoding, and the numbers that the operators take for it: float64 [heads, given] on the CPU, with the
    gradients of what they were made of."""
    exact, learned = {}, {}
    for name, value in (parameters or {}).items():
        if isinstance(value, torch.Tensor):
            learned[name] = value
        elif isinstance(value, (int, float, str, Fraction)) and not isinstance(value, bool):
            exact[name] = str(value)
        else:
            raise SpecError(f"parameter '{name}': expected a number, text or a tensor, not {type(value).__name__}")
    if spec is None and parameters:
        raise SpecError("parameters without an encoding")
    if window is not None and window < 1:
        raise SpecError(f"window = {window}: expected a number of keys, at least 1")
    if softcap is not None and not isinstance(softcap, torch.Tensor) and not (softcap > 0 and math.isfinite(softcap)):
        raise SpecError(f"softcap = {softcap}: expected a number above 0")
    encoding = open_encoding(
        spec,
        head_dim=head_dim,
        heads=heads,
        layer=layer,
        layers=layers,
        exact=exact,
        learned=tuple(learned),
        window=window,
        softcap=softcap is not None,
        sink=sink is not None,
    )
    columns = [_by_head(name, value, heads) for name, value in learned.items()]
    columns += [
        _by_head(name, value, heads) for name, value in (("softcap", softcap), ("sink", sink)) if value is not None
    ]
    given = torch.stack(columns, 1) if columns else torch.empty(heads, 0, dtype=torch.float64)
    return encoding, given.contiguous()


def _by_head(name: str, value: float | torch.Tensor, heads: int) -> torch.Tensor:
    tensor = torch.as_tensor(value).to(device="cpu", dtype=torch.float64)
    if tensor.dim() == 0:
        return tensor.expand(heads)
    if tensor.shape != (heads,):
        raise SpecError(
            f"{name}: expected one number, or one for each of {heads} heads, not shape {list(tensor.shape)}"
        )
    return tensor
