"""Scores of an encoding in plain torch, some queries at a time: what the kernels lack (masks that are not ranges,
positions with gaps, attention to both sides, other devices), with gradients, and memory of some
queries times the keys."""
# Tests: tests/python/test_statistics.py, tests/python/test_attention.py

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from gpe._errors import SpecError
from gpe._torch.encoding import Encoding
from gpe._torch.operators import columns, separate_angles
from gpe._torch.visible import Visible

_MOST_NUMBERS = 1 << 24  # of one intermediate tensor


@dataclass
class Block:
    """Some queries against all keys: `scores` A and contents c (before a soft cap) [B, H, rows, Nk], A = -inf for a key
    that is not seen; `distance` n [B or 1, 1, rows, Nk]; `sink` [H, 1] or None."""

    rows: slice
    scores: torch.Tensor
    content: torch.Tensor
    distance: torch.Tensor
    seen: torch.Tensor
    sink: torch.Tensor | None


class Blockwise:
    """q [B, H, Nq, d], k [B, Hkv, Nk, d], any device and floating type; positions int64 [Nq or B,
    Nq] and [Nk or B, Nk]."""

    def __init__(
        self,
        q: torch.Tensor,
        k: torch.Tensor,
        encoding: Encoding,
        parameters: torch.Tensor,
        scale: float,
        causal: bool,
        visible: Visible,
        query_positions: torch.Tensor,
        key_positions: torch.Tensor,
    ) -> None:
        self.q, self.k = q * scale, k.repeat_interleave(q.size(1) // k.size(1), 1)
        self.encoding, self.parameters, self.causal, self.visible = encoding, parameters, causal, visible
        self.query_positions = query_positions if query_positions.dim() == 2 else query_positions[None]
        self.key_positions = key_positions if key_positions.dim() == 2 else key_positions[None]
        self.heads = encoding.heads
        far = torch.stack(
            [
                self.query_positions.max() - self.key_positions.min(),
                self.key_positions.max() - self.query_positions.min(),
            ]
        )
        self.count = int(far[0] if causal else far.max()) + 1  # distances 0 … count - 1
        kinds = {head["content"] for head in self.heads}
        if not causal and "hyperbolic" in kinds:
            raise SpecError("a hyperbolic transform is defined for keys before the query only")
        self.turned = self._turn_separately()
        self.pairs = "hyperbolic" in kinds or ("rotation" in kinds and not self.turned)
        self.settled = None if encoding.depends_on_length else self._columns(0)

    def _turn_separately(self) -> bool:
        """Rotates q and k each by its own position where every head's rotation allows it."""
        angles = separate_angles(self.encoding, self.parameters, max(self.count, 2))
        if angles is None:
            return False
        angles = angles.to(self.q.device)
        layout = self.heads[0]["layout"]
        self.q = rotated(self.q, self.query_positions, angles, layout)
        self.k = rotated(self.k, self.key_positions, angles, layout)
        return True

    def _columns(self, length: int) -> list[torch.Tensor]:
        """One per head, [rows, count], in the type of q."""
        return [
            columns(self.encoding, self.parameters, h, length, self.count).to(self.q.device, self.q.dtype)
            for h in range(len(self.heads))
        ]

    def blocks(self) -> Iterator[Block]:
        batch, heads, queries, width = self.q.shape
        keys = self.k.size(2)
        at_once = _MOST_NUMBERS // max(1, batch * heads * keys * (width // 2 if self.pairs else 1))
        step = 1 if self.settled is None else min(256, max(1, at_once))
        for first in range(0, queries, step):
            yield self._block(slice(first, min(first + step, queries)))

    def _block(self, rows: slice) -> Block:
        n = (self.query_positions[:, rows, None] - self.key_positions[:, None, :])[:, None]  # [B or 1, 1, rows, Nk]
        apart = n.abs()
        seen = n >= 0 if self.causal else torch.ones_like(n, dtype=torch.bool)
        mask = self.visible.rows(rows, self.k.size(2))
        if mask is not None:
            seen = seen & mask.to(seen.device)
        if self.settled is not None:
            return self._of_columns(self.settled, rows, n, apart, seen)
        # Factors depend on L, the number of visible keys less one, before any window: by query, and by batch entry.
        lengths = seen.sum(-1).amax(1).flatten() - 1 if self.causal else seen.sum(-1).flatten() - 1
        if lengths.numel() == 1 or bool((lengths == lengths[0]).all()):
            return self._of_columns(self._columns(max(int(lengths[0]), 0)), rows, n, apart, seen)
        parts = []
        for b in range(self.q.size(0)):
            one = slice(b, b + 1)
            some = slice(min(b, n.size(0) - 1), min(b, n.size(0) - 1) + 1)
            parts.append(
                self._of_columns(
                    self._columns(max(int(lengths[b]), 0)),
                    rows,
                    n[some],
                    apart[some],
                    seen[b if seen.size(0) > 1 else 0][None],
                    one,
                )
            )
        return Block(
            rows,
            torch.cat([p.scores for p in parts]),
            torch.cat([p.content for p in parts]),
            torch.cat([p.distance for p in parts]),
            torch.cat([p.seen for p in parts]),
            parts[0].sink,
        )

    def _of_columns(
        self,
        of_heads: list[torch.Tensor],
        rows: slice,
        n: torch.Tensor,
        apart: torch.Tensor,
        seen: torch.Tensor,
        batch: slice = slice(None),
    ) -> Block:
        q, k = self.q[batch, :, rows], self.k[batch]
        at = apart.clamp(max=self.count - 1)
        contents, scores, sight, sinks = [], [], [], []
        for h, (head, column) in enumerate(zip(self.heads, of_heads, strict=True)):
            content = self._content(head, q[:, h], k[:, h], column, n[:, 0], at[:, 0])
            capped = column[2, 0] * torch.tanh(content / column[2, 0]) if head["softcap"] else content
            scores.append(column[1][at[:, 0]] * capped + column[0][at[:, 0]])
            contents.append(content)
            in_range = apart[:, 0] >= head["first"]
            sight.append(in_range if head["last"] is None else in_range & (apart[:, 0] <= head["last"]))
            sinks.append(column[3, 0] if head["sink"] else column.new_tensor(-torch.inf))
        seen = seen & torch.stack(sight, 1)
        score = torch.stack([s.expand(q.size(0), -1, -1) for s in scores], 1).masked_fill(~seen, -torch.inf)
        content = torch.stack([c.expand(q.size(0), -1, -1) for c in contents], 1)
        sink = torch.stack(sinks)[:, None] if any(head["sink"] for head in self.heads) else None
        return Block(rows, score, content, apart, seen.expand(score.shape), sink)

    def _content(
        self,
        head: dict[str, object],
        q: torch.Tensor,
        k: torch.Tensor,
        column: torch.Tensor,
        n: torch.Tensor,
        at: torch.Tensor,
    ) -> torch.Tensor:
        """c of one head, [B, rows, Nk]."""
        if head["content"] == "none":
            return q.new_zeros(q.size(0), q.size(1), k.size(1))
        if head["content"] == "dot-product" or self.turned:
            return q @ k.transpose(-1, -2)
        blocks = (column.size(0) - 4) // 2
        q1, q2 = _halves(q, self.heads[0]["layout"])
        k1, k2 = _halves(k, self.heads[0]["layout"])
        cosine = column[4 : 4 + blocks][:, at].movedim(0, -1)  # [B or 1, rows, Nk, blocks]
        sine = column[4 + blocks :][:, at].movedim(0, -1)
        if head["content"] == "rotation":
            sine = (
                sine * torch.where(n < 0, -1, 1)[..., None]
            )  # beyond the query the angle is that of as many keys before it, the other way round
        sign = 1 if head["content"] == "hyperbolic" else -1
        q1, q2, k1, k2 = q1[:, :, None], q2[:, :, None], k1[:, None], k2[:, None]
        return (cosine * (q1 * k1 + q2 * k2) + sine * (q1 * k2 + sign * q2 * k1)).sum(-1)


def _halves(x: torch.Tensor, layout: str) -> tuple[torch.Tensor, torch.Tensor]:
    if layout == "interleaved":
        return x[..., 0::2], x[..., 1::2]
    first, second = x.chunk(2, -1)
    return first, second


def rotated(x: torch.Tensor, positions: torch.Tensor, angles: torch.Tensor, layout: str) -> torch.Tensor:
    """x [B, H, N, d] with the pairs of coordinates of `layout` turned by positions [1 or B, N] times angles [H, d/2];
    the first coordinates of all pairs, then the second ones."""
    angle = positions[:, None, :, None].to(torch.float64) * angles[None, :, None, :]
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = _halves(x, layout)
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], -1)


def read_weights(output_of: Callable[[torch.Tensor], torch.Tensor], zeros: torch.Tensor) -> torch.Tensor:
    """The weights [..., Nk] of an attention, read from its outputs for values, like `zeros`, that are unit vectors."""
    parts, (keys, width) = [], zeros.shape[-2:]
    for first in range(0, keys, width):
        count = min(width, keys - first)
        values = zeros.clone()
        values[:, :, torch.arange(first, first + count), torch.arange(count)] = 1
        parts.append(output_of(values)[..., :count])
    return torch.cat(parts, -1)


def attended(scores: Blockwise, v: torch.Tensor) -> torch.Tensor:
    """The output of attention, v [B, Hkv, Nk, dv]."""
    values = v.to(scores.q.dtype).repeat_interleave(scores.q.size(1) // v.size(1), 1)
    return torch.cat([weights_of(block, row_normalizers(block)[1]) @ values for block in scores.blocks()], 2)


def row_normalizers(block: Block) -> tuple[torch.Tensor, torch.Tensor]:
    """log of the sum of e^A over the tokens, and the same with the sink; -inf where a query sees
    nothing. [B, H, rows]"""
    empty = ~block.seen.any(-1)
    tokens = torch.logsumexp(block.scores.masked_fill(empty[..., None], 0.0), -1)
    both = tokens if block.sink is None else torch.logaddexp(tokens, block.sink.expand_as(tokens))
    return tokens.masked_fill(empty, -torch.inf), both.masked_fill(empty, -torch.inf)


def weights_of(block: Block, normalizer: torch.Tensor) -> torch.Tensor:
    """e^(A - normalizer), 0 for keys that are not seen. [B, H, rows, Nk]"""
    finite = torch.where(torch.isinf(normalizer), 0.0, normalizer)
    return torch.where(block.seen, torch.exp(torch.where(block.seen, block.scores, 0.0) - finite[..., None]), 0.0)
