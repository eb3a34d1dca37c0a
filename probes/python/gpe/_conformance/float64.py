# Tests: tests/checks/departure_test.py
"""A model in float64: its weights, and every float32 that its code asks for.

Code of models asks for float32 where half precision would lose too much: in norms, angles and softmaxes. Asked for in a
rerun in float64, float32 would be the only rounding left, so that it is float64 there. What the code asks of half
precision stays what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode


class _Wide(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.Tensor.float:
            func = torch.Tensor.double
        wide = {name: _wide(value) for name, value in (kwargs or {}).items()}
        return func(*map(_wide, args), **wide)


def _wide(value: Any) -> Any:
    return torch.float64 if value is torch.float32 else value


@contextmanager
def in_float64(model: torch.nn.Module) -> Iterator[None]:
    """The model with parameters and buffers in float64; with its own ones afterwards, untouched.

    Tensors that modules keep from a run, such as tables of angles, are dropped afterwards.
    """
    held = [*model.parameters(), *model.buffers()]
    kept = [(module, dict(module._buffers), dict(vars(module))) for module in model.modules()]
    before = [(value, value.data) for value in held if value.is_floating_point()]
    usual = torch.get_default_dtype()
    try:
        for value, data in before:
            value.data = data.double()
        torch.set_default_dtype(torch.float64)
        with _Wide():
            yield
    finally:
        torch.set_default_dtype(usual)
        for value, data in before:
            value.data = data
        for module, buffers, own in kept:
            module._buffers.clear()
            module._buffers.update(buffers)
            for name in [name for name, value in vars(module).items() if isinstance(value, torch.Tensor)]:
                del module.__dict__[name]
            module.__dict__.update(own)
