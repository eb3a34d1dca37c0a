"""The attention that a model of transformers has by itself, and another one in its place for a while."""
# Tests: tests/checks/departure_test.py, tests/checks/module_test.py

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch


def eager_of(module: torch.nn.Module) -> Callable[..., Any] | None:
    """The eager attention of the file that defines the module's class, or one of its bases; None where none has one."""
    homes = (sys.modules[kind.__module__] for kind in type(module).__mro__)
    return next((home.eager_attention_forward for home in homes if hasattr(home, "eager_attention_forward")), None)


def configs_of(model: torch.nn.Module) -> list[Any]:
    """Those of its modules that choose an attention of transformers, its own first."""
    found = {id(config): config for config in (getattr(module, "config", None) for module in model.modules())}
    return [
        config
        for config in found.values()
        if hasattr(config, "_attn_implementation") and hasattr(config, "get_text_config")
    ]


@contextmanager
def configured(model: torch.nn.Module, **settings: str) -> Iterator[None]:
    """All configs of the model that choose an attention have these settings, and then again their own."""
    before = [(config, name, getattr(config, name)) for config in configs_of(model) for name in settings]
    try:
        for config, name, _ in before:
            setattr(config, name, settings[name])
        yield
    finally:
        for config, name, value in before:
            setattr(config, name, value)
