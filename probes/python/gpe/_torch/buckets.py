"""Classes of distances: where they begin, and sums over their pairs."""
# Tests: tests/python/test_statistics.py

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch

from gpe._errors import SpecError
from gpe._torch.blockwise import Block

Buckets = int | Literal["exact"] | Sequence[int] | torch.Tensor | None


def bucket_edges(buckets: Buckets, keys: int) -> torch.Tensor:
    """Where classes of distances begin, int64: None for 0, 1, 2, 4, … 2^14; a number of them for as many; "exact" for a
    class for each distance; or the edges, ascending from 0."""
    if buckets is None:
        buckets = 16
    if isinstance(buckets, str):
        if buckets != "exact":
            raise SpecError(f"distance_buckets = '{buckets}': expected None, a number, 'exact' or edges")
        return torch.arange(max(keys, 1))
    if isinstance(buckets, int):
        if not 1 <= buckets <= 63:
            raise SpecError(f"distance_buckets = {buckets}: expected 1 to 63 classes that double, 'exact' or edges")
        return torch.tensor([0] + [1 << i for i in range(buckets - 1)])
    edges = torch.as_tensor(buckets, dtype=torch.int64).cpu()
    if edges.dim() != 1 or edges.numel() == 0 or int(edges[0]) != 0 or bool((edges[1:] <= edges[:-1]).any()):
        raise SpecError("distance_buckets: edges must ascend, and begin with 0")
    return edges.contiguous()


class BucketTotals:
    """Sums over the pairs of each class of distances, [B, H, K] in float64; spreads are merged as
    in Chan, Golub and LeVeque 1979."""

    def __init__(self, edges: torch.Tensor, batch: int, heads: int) -> None:
        self.edges = edges
        shape = (batch, heads, edges.numel())
        self.mass, self.count = (torch.zeros(shape, dtype=torch.float64, device=edges.device) for _ in range(2))
        self.least = torch.full_like(self.mass, torch.inf)
        self.most = torch.full_like(self.mass, -torch.inf)
        self.spreads = [(torch.zeros_like(self.mass), torch.zeros_like(self.mass)) for _ in range(2)]  # mean, squares

    def add(self, block: Block, weights: torch.Tensor) -> None:
        where = torch.bucketize(block.distance, self.edges, right=True) - 1
        where = where.expand(block.seen.shape).flatten(2)
        seen = block.seen.flatten(2)

        def summed(x: torch.Tensor) -> torch.Tensor:
            return torch.zeros_like(self.mass).scatter_add_(2, where, torch.where(seen, x.flatten(2).double(), 0.0))

        self.mass += summed(weights)
        here = summed(torch.ones_like(block.content))
        content = block.content.flatten(2).double()
        self.least.scatter_reduce_(2, where, torch.where(seen, content, torch.inf), "amin")
        self.most.scatter_reduce_(2, where, torch.where(seen, content, -torch.inf), "amax")
        both = self.count + here
        for i, x in enumerate((block.content, block.scores)):
            mean = summed(x) / here.clamp(min=1)
            off = torch.where(seen, x.flatten(2).double() - mean.gather(2, where), 0.0)
            squares = torch.zeros_like(self.mass).scatter_add_(2, where, off.square())
            old_mean, old_squares = self.spreads[i]
            apart = mean - old_mean
            self.spreads[i] = (
                old_mean + apart * here / both.clamp(min=1),
                old_squares + squares + apart.square() * self.count * here / both.clamp(min=1),
            )
        self.count = both

    def values(self) -> list[torch.Tensor]:
        (content, content_squares), (score, score_squares) = self.spreads
        n = self.count.clamp(min=1)
        return [self.mass, self.count, content, content_squares / n, self.least, self.most, score, score_squares / n]
