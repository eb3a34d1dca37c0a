# Tests: tests/checks/departure_test.py
"""transformers' attention interface, watched: the function that a model has is called, and what it gets is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import torch
from transformers import AttentionInterface
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, AttentionMaskInterface
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from gpe._conformance.own_attention import configs_of, configured, eager_of
from gpe._conformance.steps import Setting, Walker
from gpe._errors import SpecError
from gpe._torch.watched import ADDED

NAME = "gpe_walk"
_walker: ContextVar[tuple[Walker, str]] = ContextVar("gpe_walker")


def _own(module: torch.nn.Module, implementation: str) -> Any:
    """The attention function that this module has without being watched."""
    eager = eager_of(module)
    if implementation == "eager" and eager is None:
        raise SpecError(
            f"{type(module).__name__} has no eager_attention_forward; expected set_attn_implementation('sdpa')"
        )
    return eager if implementation == "eager" else ALL_ATTENTION_FUNCTIONS[implementation]


def _attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: Any = None,
    **more: Any,
) -> Any:
    walker, implementation = _walker.get()
    if attention_mask is not None and not (isinstance(attention_mask, torch.Tensor) and attention_mask.dim() == 4):
        raise SpecError(f"{implementation}: its masks are not tensors; expected set_attn_implementation('sdpa')")
    own = _own(module, implementation)

    def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> Any:
        out = own(module, q, k, v, attention_mask, **more)
        return out, out[0][0].transpose(0, 1), out[1]

    scaling = more.get("scaling")
    causal = more.get("is_causal")
    causal = getattr(module, "is_causal", True) if causal is None else causal
    scale = query.size(-1) ** -0.5 if scaling is None else float(scaling)
    added = next((more[name] for name in ADDED if more.get(name) is not None), None)
    setting = Setting(attention_mask, bool(causal), scale, more.get("softcap"), added)
    return walker.attended((query, key, value), setting, run)


def _mask(**more: Any) -> Any:
    made = ALL_MASK_ATTENTION_FUNCTIONS.get(_walker.get()[1])
    return None if made is None else made(**more)


AttentionInterface.register(NAME, _attend)
AttentionMaskInterface.register(NAME, _mask)


@contextmanager
def watched(model: Any, walker: Walker) -> Iterator[None]:
    text = configs_of(model)[0].get_text_config()._attn_implementation or "eager"
    if text.startswith("flash"):
        raise SpecError(f"{text} computes in half precision alone; expected set_attn_implementation('sdpa')")
    token = _walker.set((walker, text))
    try:
        # grouped_mm has no float64
        with configured(model, _attn_implementation=NAME, _experts_implementation="eager"):
            yield
    finally:
        _walker.reset(token)
