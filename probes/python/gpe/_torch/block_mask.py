"""block_mask for torch's FlexAttention: the blocks of keys that an encoding lets a query see, up
to its certified window."""
# Tests: tests/python/test_flex.py

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import torch
from torch.nn.attention.flex_attention import BlockMask

from gpe._errors import Error, SpecError
from gpe._specs import Spec, names_in
from gpe._torch.encoding import Encoding, Value, bind
from gpe._torch.score_mod import sight_of
from gpe._verdicts.check import check
from gpe._verdicts.options import CheckOptions


def block_mask(
    encoding: Spec | None,
    epsilon: Any = None,
    content_bound: Any = None,
    length: int = 4096,
    *,
    parameters: Mapping[str, Value] | None = None,
    heads: int = 1,
    head_dim: int = 64,
    queries: int | None = None,
    causal: bool = True,
    window: int | None = None,
    layer: int = 0,
    layers: int = 1,
    device: torch.device | str | None = None,
    block_size: int = 128,
) -> BlockMask:
    """The keys that a query has to read, as blocks: `flex_attention(q, k, v, score_mod=...,
    block_mask=...)` skips the others.

    Without epsilon these are the keys that the encoding sees, and the output is the same. With epsilon, keys beyond the
    effective window W(epsilon) of each head (`gpe.check`, certified) are left out too: they have at most the weight
    epsilon for all contents |c| <= content_bound, and no head's output moves by more than 2·epsilon·max |v|. A head
    that has no such window keeps its keys.

    Args:
        epsilon, content_bound: exact, as text or fractions ("1e-3", "8"), or numbers, which are taken as they are.
        length: the number of keys.
        parameters: as for `score_mod`; of tensors, the values that they have now.
        queries: the last ones of `length`, which is the default.
        device: where q and k are; the CPU by default.

    Raises:
        SpecError: a wrong encoding, parameter or argument.
        Error: no head has a certified window; or the window holds for keys before the query only, with causal=False.
    """
    count = length if queries is None else queries
    if not 1 <= count <= length or block_size < 1:
        raise SpecError(
            f"queries = {count}, length = {length}, block_size = {block_size}: "
            "expected 1 <= queries <= length, and blocks"
        )
    if (epsilon is None) != (content_bound is None):
        raise SpecError("epsilon and content_bound: expected both or none")
    here, given = bind(encoding, parameters, head_dim=head_dim, heads=heads, layer=layer, layers=layers, window=window)
    first, last = sight_of(here)
    if epsilon is not None:
        if encoding is None:
            raise Error("plain dot products have no certified window")
        if not causal and not here.description["two_sided"]:
            raise Error(
                f"{here.description['name']}: its windows are certified for keys before the query; "
                'causal=False needs an encoding with sided = "two"'
            )
        options = {"epsilon": _exact(epsilon), "content_bound": _exact(content_bound), "head_dim": head_dim}
        if layers > 1:
            options |= {"layers": layers, "layer": layer + 1}
        windows = certified_windows(encoding, here, given.detach(), parameters or {}, options)
        if all(w is None for w in windows):
            raise Error(
                f"{here.description['name']}: no window is certified for epsilon = {epsilon}, "
                f"content_bound = {content_bound}; without epsilon the mask is that of the keys that it sees"
            )
        last = torch.tensor(
            [int(x) if w is None else min(int(x), w) for x, w in zip(last, windows, strict=True)], dtype=torch.int32
        )
    return _of_band(first.to(device), last.to(device), length - count, count, length, causal, block_size)


def certified_windows(
    spec: Spec, encoding: Encoding, given: torch.Tensor, parameters: Mapping[str, Value], options: Mapping[str, Any]
) -> list[int | None]:
    """The largest distance kept, by head; None where there is no bound."""
    described = encoding.description
    learned = {
        name: given[:, described["given"].index(name)]
        for name, value in parameters.items()
        if isinstance(value, torch.Tensor)
    }
    fixed = {name: str(value) for name, value in parameters.items() if name not in learned}
    heads = len(encoding.heads)
    by_head = heads > 1 and (
        not names_in(spec).isdisjoint({"h", "heads", "tables"})
        or any(len(set(p["exact"])) > 1 for p in described["parameters"])
    )
    if not learned:
        report = check(spec, set=fixed, heads=heads if by_head else None, **options)
        found = [_window(one) for one in report["encodings"]]
        return found if len(found) == heads else found * heads
    result: list[int | None] = []
    known: dict[tuple[object, ...], int | None] = {}
    for head in range(heads):
        values = {name: str(Fraction(float(of_heads[head]))) for name, of_heads in learned.items()}
        key = (*values.items(), head if by_head else 0)
        if key not in known:
            of_head: CheckOptions = {"set": {**fixed, **values}}
            if by_head:
                of_head |= {"heads": heads, "head": head + 1}
            known[key] = _window(check(spec, **of_head, **options)["encodings"][0])
        result.append(known[key])
    return result


def _window(report: Mapping[str, Any]) -> int | None:
    (found,) = report["effective_windows"]
    w = found["W"]
    return int(w) if isinstance(w, int) or (isinstance(w, str) and w.isdigit()) else None  # else null, or beyond 10^30


def _exact(value: Any) -> str:
    return str(Fraction(value)) if isinstance(value, float) else str(value)


def _of_band(
    first: torch.Tensor, last: torch.Tensor, offset: int, queries: int, keys: int, causal: bool, size: int
) -> BlockMask:
    """The mask of first <= n <= last by head, n = query + offset - key, or |n| if not causal: what create_block_mask
    makes of it, without a matrix of tokens x tokens."""

    def seen(batch: torch.Tensor, head: torch.Tensor, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        n = query + offset - key
        apart = n if causal else n.abs()
        result = (apart >= first[head]) & (apart <= last[head])
        return result & (n >= 0) if causal else result

    rows, tiles = (torch.arange(-(-count // size), device=first.device) * size for count in (queries, keys))
    nearest = rows[:, None] + offset - (tiles + size - 1).clamp(max=keys - 1)  # the least n of each tile, and the most
    farthest = (rows + size - 1).clamp(max=queries - 1)[:, None] + offset - tiles
    if not causal:
        nearest, farthest = (
            torch.where((nearest <= 0) & (farthest >= 0), 0, torch.minimum(nearest.abs(), farthest.abs())),
            torch.maximum(nearest.abs(), farthest.abs()),
        )
    low, high = first[:, None, None], last[:, None, None]
    some = (farthest >= low) & (nearest <= high)
    whole = (rows + size <= queries)[:, None] & (tiles + size <= keys)
    full = some & (nearest >= low) & (farthest <= high) & whole
    mask: BlockMask = BlockMask.from_kv_blocks(
        *_ordered(some & ~full), *_ordered(full), BLOCK_SIZE=size, mask_mod=seen, seq_lengths=(queries, keys)
    )
    return mask


def _ordered(tiles: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """How many blocks of keys a block of queries has, and their indices before the others': int32 [1, H, rows, ...]."""
    return (
        tiles.sum(-1, dtype=torch.int32)[None].contiguous(),
        tiles.int().argsort(dim=-1, descending=True, stable=True).to(torch.int32)[None].contiguous(),
    )
