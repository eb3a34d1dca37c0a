"""What tiles could be skipped by what is read, beside certified windows: for docs/limits.md. On the CPU, a minute.

Usage: python3 tests/bench/device/skipped_tiles.py [--tokens N]

Scores of the paper's ALiBi with queries and keys of normal numbers. A tile may be skipped for its norms where |q||k|/8
plus the bias of its nearest pair is below the largest score so far minus log(N/epsilon), for every query: all that is
left out has weight at most epsilon then. Nearest tiles first."""

import argparse
import math

import torch

SIZE, HEAD_DIM, HEADS, EPSILON = 64, 64, 6, 2**-9


def window(slope, bound):
    """The least W with at most EPSILON beyond it, where contents are -bound up to it, and bound beyond."""
    ratio = EPSILON / (1 - EPSILON)  # exp(bound - m(W + 1)) <= ratio exp(-bound)(1 - exp(-m(W + 1)))
    return max(0, math.ceil(math.log(math.exp(2 * bound) / ratio + 1) / slope) - 1)


def by_window(tiles, last):
    return sum(tile + 1 - max(0, (SIZE * tile - last) // SIZE) for tile in range(tiles))


def by_norms(q, k, slope, every):
    tiles = len(k) // SIZE
    query_norms, key_norms = q.norm(dim=1).view(tiles, SIZE), k.norm(dim=1).view(tiles, SIZE).amax(1)
    below = math.log(len(k) / EPSILON)
    read = 0
    for t in range(0, tiles, every):
        i = torch.arange(SIZE * t, SIZE * (t + 1))
        largest = torch.full((SIZE,), -math.inf)
        for u in range(t, -1, -1):
            nearest = max(0, SIZE * (t - u) - SIZE + 1)
            if (query_norms[t] * key_norms[u] / math.sqrt(HEAD_DIM) - slope * nearest < largest - below).all():
                continue
            read += 1
            n = i[:, None] - torch.arange(SIZE * u, SIZE * (u + 1))
            scores = q[i] @ k[SIZE * u : SIZE * (u + 1)].T / math.sqrt(HEAD_DIM) - slope * n
            largest = torch.maximum(largest, scores.masked_fill(n < 0, -math.inf).amax(1))
    return read / sum(t + 1 for t in range(0, tiles, every))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tokens", type=int, default=16384)
    tokens = parser.parse_args().tokens
    tiles = tokens // SIZE
    slopes = [2 ** (-4 * h / 3) for h in range(1, HEADS + 1)]
    for deviation in (1, 3):  # of a score
        generator = torch.Generator().manual_seed(1)
        q, k = (math.sqrt(deviation) * torch.randn(tokens, HEAD_DIM, generator=generator) for _ in range(2))
        bound = (q.norm(dim=1).max() * k.norm(dim=1).max()).item() / math.sqrt(HEAD_DIM)
        proved = sum(by_window(tiles, window(slope, bound)) for slope in slopes) / (HEADS * tiles * (tiles + 1) / 2)
        seen = sum(by_norms(q, k, slope, 8) for slope in slopes) / HEADS
        print(
            f"deviation {deviation}, |q||k|/8 up to {bound:.1f}: skipped by a window {1 - proved:.0%}, "
            f"by norms {1 - seen:.0%}"
        )


if __name__ == "__main__":
    main()
