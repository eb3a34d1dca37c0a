# Tests: tests/checks/departure_test.py
"""One run of a model, whose steps are recorded."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from gpe._conformance.departure_kinds import weightless
from gpe._conformance.float64 import in_float64
from gpe._conformance.own_attention import configs_of
from gpe._conformance.steps import Setting, Walk, Walker, rows_of
from gpe._errors import SpecError
from gpe._torch.modes import evaluating
from gpe._torch.watched import HIDDEN, SDPA, SOFTMAX


class _Calls(TorchFunctionMode):
    """Sees attention as torch computes it."""

    def __init__(self, walker: Walker, tokens: int) -> None:
        super().__init__()
        self._walker, self._tokens = walker, tokens

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if self._walker.busy or (func is not SDPA and func not in SOFTMAX):
            return func(*args, **kwargs)
        return self._dot_product(*args, **kwargs) if func is SDPA else self._softmax(func, args, kwargs)

    def _dot_product(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attn_mask: torch.Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Any:
        def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> Any:
            out = SDPA(q, k, v, attn_mask, 0.0, is_causal, scale=scale, enable_gqa=enable_gqa)
            return out, out[0], None

        if query.dim() != 4 or query.size(0) != 1 or key.size(2) != self._tokens:
            return SDPA(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
        by = query.size(-1) ** -0.5 if scale is None else float(scale)
        return self._walker.attended((query, key, value), Setting(attn_mask, is_causal, by), run)

    def _softmax(self, func: Any, args: Any, kwargs: Any) -> Any:
        out, walker = func(*args, **kwargs), self._walker
        scores = args[0] if args else kwargs["input"]
        if (
            scores.dim() < 3
            or scores.size(-2) != self._tokens
            or scores.size(-1) not in (self._tokens, self._tokens + 1)
        ):
            return out
        name = walker.inside[-1] if walker.inside else "attention"
        walker.walk.attention.append(name)
        rows = rows_of(self._tokens).to(scores.device)
        # One more column is a sink: the last one or, where query 0 does not see that, the first.
        plain = scores.reshape(-1, *scores.shape[-2:])
        first = int(scores.size(-1) > self._tokens and bool(weightless(plain[:, :1])[..., -1].all()))
        kept = plain[:, rows, first : first + self._tokens]
        walker.walk.add(f"{name}.scores", torch.where(kept > HIDDEN, kept, -math.inf))
        walker.walk.add(f"{name}.weights", out.reshape(-1, *out.shape[-2:])[:, rows, first : first + self._tokens])
        return out


@contextmanager
def _hooked(walker: Walker, model: torch.nn.Module) -> Iterator[None]:
    with ExitStack() as stack:
        for module in model.modules():
            stack.callback(module.register_forward_pre_hook(walker.before, with_kwargs=True).remove)
            stack.callback(module.register_forward_hook(walker.after, with_kwargs=True).remove)
        yield


def _run(model: torch.nn.Module, given: dict[str, Any], tokens: bool) -> None:
    """As its forward takes it: tokens by their name or by their place, and without a cache."""
    taken = inspect.signature(model.forward).parameters
    more = any(one.kind is one.VAR_KEYWORD for one in taken.values())
    cache = {"use_cache": False} if "use_cache" in taken or (more and hasattr(model, "config")) else {}
    if tokens and "input_ids" not in taken and not cache:
        model(given["input_ids"])
    else:
        model(**given | cache)


def _is_states(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def walk(
    model: torch.nn.Module,
    prompt: Any,
    *,
    forced: Mapping[str, torch.Tensor] | None = None,
    noise: float = 0.0,
    own: bool = False,
) -> Walk:
    """One run of a model with a prompt of tokens [T] or [1, T], or with keywords.

    forced: inputs and outputs of layers that take the place of its own. noise: relative errors of this size in the
    output of each module, and in queries and keys. own: in the model's own precision, not in float64.
    """
    try:
        tokens = None if isinstance(prompt, Mapping) else torch.as_tensor(prompt)
    except (RuntimeError, TypeError, ValueError) as error:
        raise SpecError(f"prompt: expected tokens, [T] or [1, T]; {error}") from error
    if tokens is not None:
        tokens = tokens[None] if tokens.dim() == 1 else tokens
        if tokens.dim() != 2 or tokens.size(0) != 1 or tokens.size(1) < 2 or tokens.is_floating_point():
            raise SpecError(
                f"prompt: {list(tokens.shape)} {tokens.dtype}; expected two tokens or more, [T] or [1, T]; "
                "states go by keyword, {'x': states}"
            )
    given = dict(prompt) if tokens is None else {"input_ids": tokens}
    texts = [value for value in given.values() if isinstance(value, torch.Tensor) and value.dim() >= 2]
    if not texts or any(value.size(0) != 1 for value in texts):
        raise SpecError("prompt: expected tokens, or keywords of one text, [1, T]")
    count = texts[0].size(1)
    first = next(model.parameters(), None)
    if first is not None:
        given = {name: value.to(first.device) if hasattr(value, "to") else value for name, value in given.items()}
    if not own:
        given = {name: value.double() if _is_states(value) else value for name, value in given.items()}
    walker = Walker(model, forced or {}, noise)
    interface = configs_of(model)
    with ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.enter_context(torch.random.fork_rng())
        torch.manual_seed(0)  # what is random is the same in each run
        stack.enter_context(evaluating(model))
        stack.enter_context(nullcontext() if own else in_float64(model))
        stack.enter_context(_hooked(walker, model))
        if interface:
            from gpe._conformance.walk_interface import watched

            stack.enter_context(watched(model, walker))
        stack.enter_context(_Calls(walker, count))
        try:
            _run(model, given, tokens is not None)
        except SpecError:
            raise
        except Exception as error:
            where = "its own precision" if own else "float64"
            raise SpecError(
                f"{type(model).__name__} could not be run in {where}: {type(error).__name__}: {error}"
            ) from error
    return walker.walk
