# Tests: tests/checks/departure_test.py
"""A model in float64: its weights, and every float32 that its code asks for.

Code of models asks for float32 where half precision would lose too much: in norms, angles and softmaxes. Asked for in a
rerun in float64, float32 would be the only rounding left, so that it is float64 there. What the code asks of half
precision stays what it is.
"""

from __future__ import annotations

import gc
import itertools
import operator
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

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


def _holds(value: Any) -> bool:
    """Whether it is a tensor, or a container of one."""
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, torch.Tensor) or (isinstance(value, (tuple, list)) and any(map(_holds, value)))


def _homes(model: torch.nn.Module) -> list[dict[str, Any]]:
    """Where its code may keep tensors: modules and files of their classes, and the dicts and objects that both have."""
    files = {type(module).__module__ for module in model.modules()}
    found = [vars(module) for module in model.modules()]
    found += [vars(sys.modules[file]) for file in files if file in sys.modules and not file.startswith("torch.")]
    values = {id(value): value for home in found for value in home.values()}
    apart = (torch.nn.Module, torch.Tensor, type, FunctionType, ModuleType)
    return found + [
        value if isinstance(value, dict) else vars(value)
        for value in values.values()
        if isinstance(value, dict) or (hasattr(value, "__dict__") and not isinstance(value, apart))
    ]


def _put_back(home: dict[str, Any], before: dict[str, Any]) -> None:
    """Where tensors are others: all that is."""
    changed = [name for name in {**home, **before} if home.get(name) is not before.get(name)]
    if any(_holds(home.get(name)) for name in changed):
        for name in changed:
            home.pop(name, None)
        home.update({name: before[name] for name in changed if name in before})


def _lru_caches() -> list[Any]:
    """All of the process; each refers to its type."""
    return [one for one in gc.get_referrers(_lru_cache_wrapper) if type(one) is _lru_cache_wrapper]


def _state(cache: Any) -> list[Any]:
    """Its counts and what it keeps, which stays alive in the list: nothing new has its place in memory."""
    kept = [part.values() for part in gc.get_referents(cache) if isinstance(part, dict)]
    return [*cache.cache_info(), *itertools.chain(*kept)]


def _alike(before: list[Any], now: list[Any]) -> bool:
    return len(before) == len(now) and all(map(operator.is_, before[4:], now[4:])) and before[:4] == now[:4]


_states: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()  # of the caches that the last run knew


@contextmanager
def in_float64(model: torch.nn.Module) -> Iterator[None]:
    """The model with parameters and buffers in float64; with its own ones afterwards, untouched.

    Tensors that its code keeps from a run, such as tables of angles, are dropped afterwards: by modules, in dicts and
    objects of theirs, in the files of their classes, and by a functools.lru_cache that was used, or is new.
    """
    held = [*model.parameters(), *model.buffers()]
    homes = [(home, dict(home)) for home in _homes(model)]
    before = [(value, value.data) for value in held if value.is_floating_point()]
    usual = torch.get_default_dtype()
    _states.update([(one, _state(one)) for one in _states])
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
        for home, own in homes:
            _put_back(home, own)
        for one in _lru_caches():
            if not _alike(_states.get(one, []), _state(one)) and any(map(_holds, gc.get_referents(one))):
                one.cache_clear()
            _states[one] = []
