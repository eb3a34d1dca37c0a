"""attention_statistics: entropies, scores and weights by distance, without a matrix of tokens x tokens."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import torch

from gpe._errors import SpecError
from gpe._specs import Spec
from gpe._torch.blockwise import Blockwise, row_normalizers, weights_of
from gpe._torch.buckets import Buckets, BucketTotals, bucket_edges
from gpe._torch.encoding import Encoding, Value, bind, library
from gpe._torch.operators import causal_attention
from gpe._torch.report import AttentionStatistics
from gpe._torch.visible import Visible, visible_keys

_Scores = TypeVar("_Scores", bound=Blockwise)


@dataclass
class Setting:
    """Where queries and keys stand, and what they see."""

    scale: float
    causal: bool
    visible: Visible
    query_positions: torch.Tensor
    key_positions: torch.Tensor
    offset: int | None  # of queries from keys, where both are consecutive

    @staticmethod
    def in_order(
        q: torch.Tensor, k: torch.Tensor, scale: float | None, causal: bool, visible: Visible, offset: int
    ) -> Setting:
        """Consecutive queries and keys, the first query `offset` after the first key."""
        return Setting(
            1 / math.sqrt(q.size(3)) if scale is None else float(scale),
            causal,
            visible,
            torch.arange(offset, offset + q.size(2), device=q.device),
            torch.arange(k.size(2), device=q.device),
            offset,
        )

    @staticmethod
    def of(
        q: torch.Tensor,
        k: torch.Tensor,
        *,
        scale: float | None,
        causal: bool,
        query_offset: int,
        key_padding_mask: torch.Tensor | None,
        document_ids: torch.Tensor | None,
        query_positions: torch.Tensor | None,
        key_positions: torch.Tensor | None,
    ) -> Setting:
        _check_shapes(q, k)
        if query_offset and query_positions is not None:
            raise SpecError("give query_offset or query_positions, not both")
        queries = _positions("query_positions", query_positions, q, query_offset)
        keys = _positions("key_positions", key_positions, k, 0)
        offset = None
        if _consecutive(queries) and _consecutive(keys):
            starts = (queries[..., 0] - keys[..., 0]).flatten()
            offset = int(starts[0]) if bool((starts == starts[0]).all()) else None
        if document_ids is not None and offset is None:
            raise SpecError("document_ids need consecutive positions")
        visible = visible_keys(q.size(0), q.size(2), k.size(2), offset or 0, key_padding_mask, document_ids)
        return Setting(
            1 / math.sqrt(q.size(3)) if scale is None else float(scale), causal, visible, queries, keys, offset
        )

    def blockwise(
        self,
        kind: type[_Scores],
        q: torch.Tensor,
        k: torch.Tensor,
        encoding: Encoding,
        parameters: torch.Tensor,
    ) -> _Scores:
        if q.dtype in (torch.float16, torch.bfloat16):
            q, k = q.float(), k.float()
        return kind(
            q, k, encoding, parameters, self.scale, self.causal, self.visible, self.query_positions, self.key_positions
        )


def _check_shapes(q: torch.Tensor, k: torch.Tensor) -> None:
    if q.dim() != 4 or k.dim() != 4:
        raise SpecError(f"expected q [B, Hq, Nq, d] and k [B, Hkv, Nk, d], not {list(q.shape)} and {list(k.shape)}")
    if q.size(0) != k.size(0) or q.size(3) != k.size(3) or k.size(1) == 0 or q.size(1) % k.size(1):
        raise SpecError(f"q {list(q.shape)} and k {list(k.shape)} differ in batch or d, or Hq is not a multiple of Hkv")
    if q.dtype != k.dtype or not q.dtype.is_floating_point or q.device != k.device:
        raise SpecError(
            f"q and k are {q.dtype} on {q.device} and {k.dtype} on {k.device}: expected one floating type and device"
        )
    if min(q.shape) == 0 or min(k.shape) == 0:
        raise SpecError("q and k must have at least one query, key and coordinate")


def _positions(name: str, given: torch.Tensor | None, tokens: torch.Tensor, first: int) -> torch.Tensor:
    count = tokens.size(2)
    if given is None:
        return torch.arange(first, first + count, device=tokens.device)
    if given.shape not in ((count,), (tokens.size(0), count)) or given.dtype.is_floating_point:
        raise SpecError(
            f"{name}: expected integers [{count}] or [{tokens.size(0)}, {count}], not {given.dtype} {list(given.shape)}"
        )
    return given.to(tokens.device, torch.int64)


def _consecutive(positions: torch.Tensor) -> bool:
    return bool((positions[..., 1:] - positions[..., :-1] == 1).all())


def for_kernel(q: torch.Tensor, scale: float) -> torch.Tensor:
    """q as the kernels read it: they divide by √d."""
    factor = scale * math.sqrt(q.size(3))
    if abs(factor - 1) > 1e-12:
        q = q * factor
    return packed(q)


def packed(x: torch.Tensor) -> torch.Tensor:
    """Coordinates next to each other, in a type that the kernels have; half precision is widened."""
    x = x.float() if x.dtype == torch.float16 else x
    return x if x.stride(3) == 1 else x.contiguous()


def even(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """An odd number of coordinates gets one more, which is 0: that changes no dot product."""
    return tuple(torch.nn.functional.pad(x, (0, x.size(3) % 2)) for x in tensors)


def bound(
    q: torch.Tensor,
    k: torch.Tensor,
    encoding: Spec | None = None,
    parameters: Mapping[str, Value] | None = None,
    **options: Any,
) -> tuple[torch.Tensor, torch.Tensor, Encoding, torch.Tensor]:
    """q and k with an even number of coordinates, and what `bind` gives for their heads."""
    if q.size(3) % 2 and encoding is not None:
        raise SpecError(f"d = {q.size(3)}: an encoding needs an even head dimension")
    q, k = even(q, k)
    return q, k, *bind(encoding, parameters, head_dim=q.size(3), heads=q.size(1), **options)


def attention_statistics(
    q: torch.Tensor,
    k: torch.Tensor,
    encoding: Spec | None = None,
    parameters: Mapping[str, Value] | None = None,
    *,
    scale: float | None = None,
    causal: bool = True,
    window: int | None = None,
    softcap: float | torch.Tensor | None = None,
    sink: float | torch.Tensor | None = None,
    query_offset: int = 0,
    distance_buckets: Buckets = None,
    key_padding_mask: torch.Tensor | None = None,
    document_ids: torch.Tensor | None = None,
    query_positions: torch.Tensor | None = None,
    key_positions: torch.Tensor | None = None,
    layer: int = 0,
    layers: int = 1,
) -> AttentionStatistics:
    """What attention with these queries and keys does, in memory that grows with the number of tokens, not its square.

    Args:
        q, k: [B, Hq, Nq, d] and [B, Hkv, Nk, d], Hq a multiple of Hkv. With an encoding that
            turns them: before it does.
        encoding: a name, a path or a dict; None: plain dot products, as of models that have turned q and k already.
        parameters: other values of the encoding's parameters: exact numbers and text, or tensors
            [] or [Hq], which get gradients.
        scale: of q·k; 1/√d by default.
        causal: keys after the query are not seen. Otherwise n = |i - j| for bias and gain, and
            rotations turn either way.
        window: the number of keys that are seen, the query's own included; the encoding's own
            window where it is smaller.
        softcap: c ↦ softcap·tanh(c/softcap), on scaled contents.
        sink: a logit, or one for each head [Hq], that takes weight in the normalizer.
        query_offset: the position of the first query less that of the first key: Nk - Nq when
            queries are the last tokens.
        distance_buckets: None for 16 classes that double, a number of them, "exact", or edges.
        key_padding_mask: bool [B, Nk], True for real keys, as transformers' attention_mask.
        document_ids: [B, Nk] or [Nk]; a query sees the keys of its own document.
        query_positions, key_positions: integers [N] or [B, N]; n = query position - key position.
        layer, layers: for encodings that differ by layer; from 0.

    Raises:
        SpecError: shapes, types and options that do not fit, with what was expected.
    """
    setting = Setting.of(
        q,
        k,
        scale=scale,
        causal=causal,
        query_offset=query_offset,
        key_padding_mask=key_padding_mask,
        document_ids=document_ids,
        query_positions=query_positions,
        key_positions=key_positions,
    )
    options = {"layer": layer, "layers": layers, "window": window, "softcap": softcap, "sink": sink}
    q, k, here, given = bound(q, k, encoding, parameters, **options)
    return measure(q, k, here, given, setting, bucket_edges(distance_buckets, k.size(2)))


def measure(
    q: torch.Tensor,
    k: torch.Tensor,
    encoding: Encoding,
    parameters: torch.Tensor,
    setting: Setting,
    edges: torch.Tensor,
) -> AttentionStatistics:
    learns = torch.is_grad_enabled() and any(x.requires_grad for x in (q, k, parameters))
    if (
        q.device.type != "cpu"
        or not setting.causal
        or setting.offset is None
        or setting.offset < 0
        or q.size(2) == 0
        or setting.visible.mask is not None
        or (learns and not setting.visible.everything)
    ):
        return measure_blockwise(setting.blockwise(Blockwise, q, k, encoding, parameters), edges)
    library()
    queries, keys, offset = q.size(2), k.size(2), setting.offset
    q_here, k_here = for_kernel(q, setting.scale), packed(k)
    begin, end = setting.visible.begin, setting.visible.end
    if offset + queries < keys:  # later keys are seen by none
        k_here = k_here[:, :, : offset + queries]
        end = None if end is None else end.clamp(max=offset + queries)
        begin = None if begin is None or end is None else torch.minimum(begin, end)
    elif offset + queries > keys:  # queries beyond the keys
        k_here = torch.nn.functional.pad(k_here, (0, 0, 0, offset + queries - keys))
        if end is None:
            begin = torch.zeros(q.size(0), queries, dtype=torch.int64)
            end = torch.full((q.size(0), queries), keys, dtype=torch.int64)
    rows, buckets = torch.ops.gpe.attention_statistics(
        q_here.detach(), k_here.detach(), begin, end, edges, parameters.detach(), encoding.address
    )
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    lse, entropy, *others = rows.to(kind).unbind(0)
    keys_seen = rows[8].to(torch.int64)
    if learns:
        _, lse, entropy, _ = causal_attention(q_here, k_here, k_here.detach(), parameters, encoding)
    values = [lse, entropy, *others[:6], keys_seen, *_bucket_fields(buckets.unbind(0), kind), edges]
    return AttentionStatistics(*values)


def _bucket_fields(values: Sequence[torch.Tensor], kind: torch.dtype) -> list[torch.Tensor]:
    mass, count, *rest = values
    return [mass.to(kind), count.to(torch.int64), *(torch.where(count > 0, x, torch.nan).to(kind) for x in rest)]


def measure_blockwise(scores: Blockwise, edges: torch.Tensor, lse: torch.Tensor | None = None) -> AttentionStatistics:
    """lse: [B, H, Nq], where it is known, of scores without a sink."""
    parts = []
    totals = BucketTotals(edges.to(scores.q.device), scores.q.size(0), len(scores.heads))
    for block in scores.blocks():
        if lse is None:
            tokens, normalizer = row_normalizers(block)
        else:
            tokens = normalizer = lse[:, :, block.rows].to(block.scores)
        p = weights_of(block, tokens)
        log_p = torch.where(block.seen, block.scores - torch.where(torch.isinf(tokens), 0.0, tokens)[..., None], 0.0)
        entropy = -(p * log_p).sum(-1)
        with torch.no_grad():
            empty = torch.isinf(tokens)
            share = torch.where(empty, 0.0, torch.exp(torch.where(empty, 0.0, tokens - normalizer)))
            largest = block.scores.amax(-1)
            parts.append(
                (
                    normalizer,
                    entropy,
                    ((p * log_p.square()).sum(-1) - entropy.square()).clamp(min=0),
                    (p * block.distance).sum(-1),
                    p.amax(-1) * share,
                    largest,
                    torch.where(block.seen, block.content, 0.0).abs().amax(-1),
                    torch.where(empty, 0.0, 1 - share),
                    block.seen.sum(-1),
                )
            )
            totals.add(block, p * share[..., None])
    rows = [torch.cat(part, -1) for part in zip(*parts, strict=True)]
    values = [*rows, *_bucket_fields(totals.values(), rows[0].dtype), edges]
    return AttentionStatistics(*values)
