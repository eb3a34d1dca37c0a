# Tests: tests/python/test_flex_record.py
"""Statistics of FlexAttention: `lse` and `max_scores` as it gives them, and entropies by one more pass of scores."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from torch.nn.attention import flex_attention as home
from torch.nn.attention.flex_attention import AuxOutput

from gpe._torch.blockwise import Block, Blockwise
from gpe._torch.buckets import Buckets, bucket_edges
from gpe._torch.report import AttentionStatistics
from gpe._torch.statistics import Setting, bound, measure_blockwise
from gpe._torch.visible import Visible

FLEX = home.flex_attention


class _Modified(Blockwise):
    """Scores that a score_mod changes, of keys that a BlockMask lets be seen."""

    score_mod: Callable[..., torch.Tensor] | None
    block_mask: Any

    def _block(self, rows: slice) -> Block:
        block = super()._block(rows)
        batch, heads, count, keys = block.scores.shape
        device = block.scores.device
        at = [torch.arange(size, device=device) for size in (batch, heads)]
        at += [torch.arange(rows.start, rows.start + count, device=device), torch.arange(keys, device=device)]
        scores, seen = block.content, block.seen
        if self.score_mod is not None:
            scores = _over(self.score_mod, scored=True)(scores, *at)
        if self.block_mask is not None:
            seen = _over(self.block_mask.mask_mod, scored=False)(*at) & self._blocks_of(rows, count, keys)
        scores = scores.masked_fill(~seen, -torch.inf)
        return replace(block, scores=scores, seen=seen & ~torch.isneginf(scores))

    def _blocks_of(self, rows: slice, count: int, keys: int) -> torch.Tensor:
        """The keys whose blocks are listed, [B or 1, H or 1, rows, Nk]."""
        tall, wide = self.block_mask.BLOCK_SIZE
        dense = self.block_mask.to_dense().bool()
        query = torch.arange(rows.start, rows.start + count, device=dense.device) // tall
        listed: torch.Tensor = dense[..., query[:, None], torch.arange(keys, device=dense.device) // wide]
        return listed


def _over(mod: Callable[..., torch.Tensor], scored: bool) -> Callable[..., torch.Tensor]:
    """A function of (score, b, h, q, k), or of (b, h, q, k), over all of them."""
    result = mod
    for axis in (3, 2, 1, 0):
        indices = [0 if place == axis else None for place in range(4)]
        result = torch.func.vmap(result, in_dims=(*([0] if scored else []), *indices))
    return result


def flex_statistics(
    query: torch.Tensor,
    key: torch.Tensor,
    aux: AuxOutput,
    *,
    score_mod: Callable[..., torch.Tensor] | None = None,
    block_mask: Any = None,
    scale: float | None = None,
    distance_buckets: Buckets = None,
) -> AttentionStatistics:
    """Those of a call of flex_attention with these arguments, whose `lse` and `max_scores` are taken as they come.

    Either may be None: then it is computed. Distances are query index - key index.
    """
    setting = Setting.in_order(query, key, scale, False, Visible(), 0)
    with torch.no_grad():
        wide = torch.promote_types(query.dtype, torch.float32)
        q, k, encoding, given = bound(query.detach().to(wide), key.detach().to(wide))
        scores = setting.blockwise(_Modified, q, k, encoding, given)
        scores.score_mod, scores.block_mask = score_mod, block_mask
        lse = None if aux.lse is None else aux.lse.detach().double()
        found = measure_blockwise(scores, bucket_edges(distance_buckets, key.size(2)), lse)
    return found if aux.max_scores is None else replace(found, max_score=aux.max_scores.detach().to(found.max_score))


def aux_of(out: Any, kwargs: dict[str, Any]) -> AuxOutput | None:
    """What a module returns beside its output, or alone: an AuxOutput, or with return_lse an lse."""
    if isinstance(out, AuxOutput):
        return out
    if not isinstance(out, tuple):
        return None
    found = next((part for part in out if isinstance(part, AuxOutput)), None)
    if found is None and kwargs.get("return_lse") and len(out) > 1 and isinstance(out[1], torch.Tensor):
        return AuxOutput(lse=out[1])
    return found


def flex_arguments(args: Any, kwargs: dict[str, Any], out: Any) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Those of flex_statistics, of a module that got queries, keys and values and returned an AuxOutput."""
    aux, states = aux_of(out, kwargs), args[:2]
    if aux is None or len(states) < 2 or not all(isinstance(x, torch.Tensor) and x.dim() == 4 for x in states):
        return None
    return (*states, aux), {name: kwargs[name] for name in ("score_mod", "block_mask", "scale") if name in kwargs}


_listeners: list[Callable[..., None]] = []
_SIGNATURE = inspect.signature(FLEX)


def _called(*args: Any, **kwargs: Any) -> Any:
    out = FLEX(*args, **kwargs)
    call = _SIGNATURE.bind(*args, **kwargs).arguments
    more = {name: call[name] for name in ("score_mod", "block_mask", "scale") if name in call}
    for add in list(_listeners):
        add(call["query"], call["key"], aux_of(out, call) or AuxOutput(), **more)
    return out


def _everywhere(old: Any, new: Any) -> None:
    """In every module that has the function by some name, also one that was imported since."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", {}) if module is not sys.modules[__name__] else {}
        for name in [name for name, value in list(names.items()) if value is old]:
            setattr(module, name, new)


@contextmanager
def measured_calls(add: Callable[..., None]) -> Iterator[None]:
    """flex_attention, by every name that a module has imported it by, gives its statistics to `add`."""
    _listeners.append(add)
    if len(_listeners) == 1:
        _everywhere(FLEX, _called)
    try:
        yield
    finally:
        _listeners.remove(add)
        if not _listeners:
            _everywhere(_called, FLEX)
