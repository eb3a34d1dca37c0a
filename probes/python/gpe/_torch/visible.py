"""Which keys a query may see besides what the encoding lets it see."""
# Tests: tests/python/test_statistics.py, tests/python/test_probe.py

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from gpe._errors import SpecError

_ROWS = 256  # of a mask at a time


@dataclass
class Visible:
    """Ranges of keys [begin, end) by query, int64 [B, Nq]; or, where they are not ranges, `mask(rows)`: bool
    [B, 1 or H, rows, Nk] for a slice of queries. Neither: all keys."""

    begin: torch.Tensor | None = None
    end: torch.Tensor | None = None
    mask: Callable[[slice], torch.Tensor] | None = None

    @property
    def everything(self) -> bool:
        return self.begin is None and self.mask is None

    def rows(self, rows: slice, keys: int) -> torch.Tensor | None:
        """bool [B, 1 or H, rows, keys]; None: all."""
        if self.mask is not None:
            return self.mask(rows)
        if self.begin is None or self.end is None:
            return None
        key = torch.arange(keys, device=self.begin.device)
        return ((key >= self.begin[:, rows, None]) & (key < self.end[:, rows, None]))[:, None]


def runs(mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor] | None:
    """Where the true values of the last dimension are one run each: its begin and end (equal where there are none)."""
    count = mask.sum(-1)
    begin = torch.where(count > 0, mask.int().argmax(-1), 0)
    key = torch.arange(mask.size(-1), device=mask.device)
    filled = (key >= begin[..., None]) & (key < (begin + count)[..., None])
    return (begin, begin + count) if bool((filled == mask).all()) else None


def visible_keys(
    batch: int,
    queries: int,
    keys: int,
    offset: int,
    key_padding_mask: torch.Tensor | None,
    document_ids: torch.Tensor | None,
) -> Visible:
    """From masks as they are given: key_padding_mask [B, Nk], True for real keys; document_ids [B, Nk] or [Nk], query i
    standing where key i + offset does."""
    if key_padding_mask is None and document_ids is None:
        return Visible()
    device = next(x for x in (key_padding_mask, document_ids) if x is not None).device
    real = torch.ones(batch, keys, dtype=torch.bool, device=device)
    if key_padding_mask is not None:
        if key_padding_mask.shape != (batch, keys):
            raise SpecError(f"key_padding_mask: expected shape {[batch, keys]}, not {list(key_padding_mask.shape)}")
        real = key_padding_mask.bool()
    begin_end = runs(real)
    if document_ids is None:
        if begin_end is None:
            return Visible(mask=lambda rows: real[:, None, None, :].expand(-1, 1, _count(rows, queries), -1))
        begin, end = (x[:, None].expand(batch, queries).contiguous() for x in begin_end)
        return Visible(begin, end)
    document = document_ids.expand(batch, keys) if document_ids.dim() == 1 else document_ids
    if document.shape != (batch, keys):
        raise SpecError(f"document_ids: expected shape {[batch, keys]} or {[keys]}, not {list(document_ids.shape)}")
    if offset < 0 or offset + queries > keys:
        raise SpecError("document_ids need every query to stand where a key does")
    of_query = document[:, offset : offset + queries]
    new = torch.ones_like(document, dtype=torch.bool)
    new[:, 1:] = document[:, 1:] != document[:, :-1]
    starts = torch.where(new, torch.arange(keys, device=device), 0).cummax(1).values
    sorted_ids = bool(
        (document.sort(1).values[:, 1:].ne(document.sort(1).values[:, :-1]).sum(1) == new.sum(1) - 1).all()
    )
    if begin_end is not None and sorted_ids:
        ends = (
            torch.where(
                new.roll(-1, 1).index_fill(1, torch.tensor([keys - 1], device=device), True),
                torch.arange(1, keys + 1, device=device),
                keys,
            )
            .flip(1)
            .cummin(1)
            .values.flip(1)
        )
        begin = torch.maximum(starts[:, offset : offset + queries], begin_end[0][:, None])
        end = torch.minimum(ends[:, offset : offset + queries], begin_end[1][:, None])
        return Visible(begin.contiguous(), end.contiguous())
    return Visible(mask=lambda rows: ((of_query[:, rows, None] == document[:, None, :]) & real[:, None, :])[:, None])


def _count(rows: slice, queries: int) -> int:
    return len(range(*rows.indices(queries)))


def visible_by_rows(rows_of: Callable[[slice], torch.Tensor], queries: int, offset: int) -> tuple[Visible, bool]:
    """Ranges where the rows are ranges; and whether no key comes after its query. rows_of: bool
    [B, 1 or H, rows, Nk]."""
    begins, ends, causal, ranges = [], [], True, True
    for first in range(0, queries, _ROWS):
        rows = slice(first, min(first + _ROWS, queries))
        mask = rows_of(rows)
        position = torch.arange(rows.start, rows.stop, device=mask.device)[:, None] + offset
        causal = causal and not bool((mask & (torch.arange(mask.size(-1), device=mask.device) > position)).any())
        found = runs(mask[:, 0]) if ranges and mask.size(1) == 1 else None
        if found is None:
            ranges = False
            continue
        begins.append(found[0])
        ends.append(found[1])
    if not ranges:
        return Visible(mask=rows_of), causal
    return Visible(torch.cat(begins, 1).contiguous(), torch.cat(ends, 1).contiguous()), causal
