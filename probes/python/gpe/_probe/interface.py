"""transformers' attention interface: masks that stay ranges of keys, and attention that is recorded on its way.

A model whose attention implementation is "gpe_probe" hands its queries and keys, as they are after rotations and norms,
to `attend`, and its masks come from `mask_of`, which never makes a matrix of tokens x tokens.
"""
# Tests: tests/python/test_probe.py

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from transformers import AttentionInterface
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

from gpe._errors import Error
from gpe._torch.blockwise import Blockwise, attended
from gpe._torch.operators import causal_attention
from gpe._torch.report import AttentionStatistics
from gpe._torch.statistics import Setting, bound, even, for_kernel, measure, packed
from gpe._torch.visible import Visible, visible_by_rows
from gpe._torch.watched import ADDED

NAME = "gpe_probe"


@dataclass
class Record:
    """What one call of an attention layer did. `layer` counts from 0; None where the module does not say."""

    name: str
    layer: int | None
    statistics: AttentionStatistics


@dataclass
class Recorder:
    edges: torch.Tensor
    names: dict[int, str]
    records: list[Record] = field(default_factory=list)


_recorder: ContextVar[Recorder] = ContextVar("gpe_recorder")


@dataclass
class Mask:
    """What a query may see, and where queries and keys stand. `real` is bool [B, Nq], False for
    queries that are padding."""

    visible: Visible
    causal: bool
    offset: int
    keys: int
    real: torch.Tensor | None = None


def mask_of(
    batch_size: int,
    q_length: int,
    kv_length: int,
    q_offset: int = 0,
    kv_offset: int = 0,
    mask_function: Any = None,
    attention_mask: torch.Tensor | None = None,
    use_vmap: bool = False,
    device: torch.device | str = "cpu",
    **_: Any,
) -> Mask:
    """The mask function of the interface."""
    q_offset = int(q_offset)
    chosen = {} if mask_function is None else {"mask_function": mask_function}

    def rows_of(rows: slice) -> torch.Tensor:
        mask: torch.Tensor | None = sdpa_mask(
            batch_size=batch_size,
            q_length=rows.stop - rows.start,
            kv_length=kv_length,
            q_offset=q_offset + rows.start,
            kv_offset=kv_offset,
            attention_mask=attention_mask,
            allow_is_causal_skip=False,
            allow_is_bidirectional_skip=False,
            use_vmap=use_vmap,
            device=device,
            **chosen,
        )
        assert mask is not None
        return mask

    visible, causal = visible_by_rows(rows_of, q_length, q_offset - kv_offset)
    real = None
    if attention_mask is not None and attention_mask.dim() == 2 and attention_mask.size(1) >= q_offset + q_length:
        real = attention_mask[:, q_offset : q_offset + q_length].bool()
    return Mask(visible, causal, q_offset - kv_offset, kv_length, real)


def _given_mask(
    module: torch.nn.Module, mask: Any, query: torch.Tensor, key: torch.Tensor, is_causal: bool | None
) -> Mask:
    """What came instead of a Mask: a tensor that the caller made, or nothing at all."""
    queries, keys = query.size(2), key.size(2)
    offset = keys - queries
    if mask is None:
        causal = is_causal if is_causal is not None else bool(getattr(module, "is_causal", True))
        return Mask(Visible(), causal or queries == 1, offset, keys)
    if not isinstance(mask, torch.Tensor) or mask.dim() != 4:
        raise Error(
            f"{type(module).__name__} passes a mask that is neither None nor 4-dimensional: {type(mask).__name__}"
        )
    allowed = mask if mask.dtype == torch.bool else mask == 0
    if mask.dtype != torch.bool and bool((~allowed & (mask > torch.finfo(mask.dtype).min / 4)).any()):
        raise Error(
            "the attention mask adds numbers to the scores, which no mask of keys expresses: pass a boolean mask"
        )
    allowed = allowed[..., :keys].expand(query.size(0), -1, queries, keys)
    visible, causal = visible_by_rows(lambda rows: allowed[:, :, rows], queries, offset)
    return Mask(visible, causal, offset, keys)


def _seen_by_real(visible: Visible, real: torch.Tensor | None, queries: int, keys: int) -> Visible:
    """Queries that are padding see nothing: they belong to no text."""
    if real is None or bool(real.all()):
        return visible
    if visible.mask is not None:
        mask = visible.mask
        return Visible(mask=lambda rows: mask(rows) & real[:, None, rows, None])
    if visible.begin is None or visible.end is None:
        begin = torch.zeros(real.size(0), queries, dtype=torch.int64, device=real.device)
        return Visible(begin, torch.where(real, keys, 0))
    return Visible(torch.where(real, visible.begin, 0), torch.where(real, visible.end, 0))


def _window(mask: Mask, queries: int) -> int | None:
    """W where every query sees just the last W keys up to itself (as many as there are); None where that is not so."""
    if mask.visible.everything:
        return mask.keys
    if mask.visible.begin is None or mask.visible.end is None or mask.offset + queries != mask.keys:
        return None
    position = torch.arange(queries, device=mask.visible.begin.device) + mask.offset
    width = int((mask.visible.end - mask.visible.begin).max())
    plain = (mask.visible.end == position + 1) & (mask.visible.begin == (position + 1 - width).clamp(min=0))
    return width if width > 0 and bool(plain.all()) else None


def attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: Any,
    scaling: float | None = None,
    dropout: float = 0.0,
    is_causal: bool | None = None,
    softcap: float | None = None,
    s_aux: torch.Tensor | None = None,
    **others: Any,
) -> tuple[torch.Tensor, None]:
    """The attention function of the interface: measures, and returns what eager attention does."""
    recorder = _recorder.get(None)
    if recorder is None:
        raise Error("the attention implementation 'gpe_probe' works inside gpe.probe only")
    for name in ADDED:
        if others.get(name) is not None:
            raise Error(f"{type(module).__name__} adds '{name}' to its scores, which is not measured")
    if dropout:
        raise Error("attention with dropout: gpe.probe needs the model in eval()")
    queries, keys = query.size(2), key.size(2)
    mask = (
        attention_mask
        if isinstance(attention_mask, Mask)
        else _given_mask(module, attention_mask, query, key, is_causal)
    )
    if mask.keys != keys:
        raise Error(f"{type(module).__name__}: a mask of {mask.keys} keys for {keys}")
    setting = Setting.in_order(query, key, scaling, mask.causal, mask.visible, mask.offset)
    q, k, encoding, given = bound(query, key, softcap=softcap, sink=s_aux)
    seen = replace(setting, visible=_seen_by_real(mask.visible, mask.real, queries, keys))
    name = recorder.names.get(id(module), type(module).__name__)
    layer = getattr(module, "layer_idx", None)
    recorder.records.append(
        Record(name, layer if isinstance(layer, int) else None, measure(q, k, encoding, given, seen, recorder.edges))
    )
    window = _window(mask, queries) if mask.causal and mask.offset == keys - queries else None
    if window is not None and query.device.type == "cpu" and value.size(3) == query.size(3):
        (v,) = even(value)
        _, _, encoding, given = bound(q, k, window=window, softcap=softcap, sink=s_aux)
        out = causal_attention(for_kernel(q, setting.scale), packed(k), packed(v), given, encoding)[0][
            ..., : value.size(3)
        ]
    else:
        out = attended(setting.blockwise(Blockwise, q, k, encoding, given), value)
    return out.to(query.dtype).transpose(1, 2).contiguous(), None


AttentionInterface.register(NAME, attend)
AttentionMaskInterface.register(NAME, mask_of)
