"""The modes of a model, kept: training or not, module by module."""
# Tests: tests/python/test_gates.py

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def evaluating(model: torch.nn.Module) -> Iterator[None]:
    """The model in eval(); each of its modules as it was, afterwards."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training
