# Tests: tests/checks/departure_test.py
"""How the queries or keys of a port are turned, beside those of its reference at the same positions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from gpe._conformance.turning import Pairs, fault_of_frequencies, pairs_of, words

CLOSE = 1e-4


@dataclass(frozen=True)
class Rotation:
    """What position embeddings do: the block of coordinate pairs j at position p turns by angles[p, j]."""

    angles: torch.Tensor  #: tokens x blocks
    gain: float
    pairs: Pairs
    interleaved: bool

    @property
    def count(self) -> int:
        return 2 * len(self.pairs)

    @property
    def frequencies(self) -> list[float]:
        found: list[float] = slopes_of(self.angles).tolist()
        return found


def rotation_of(embeddings: Any, head_dim: int, latent: bool) -> Rotation | None:
    """Of cos and sin [1, T, c], or complex numbers, as transformers passes them to an attention module.

    A cos that has each angle twice, one after the other, belongs to neighbours; any other one to halves.
    """
    one = embeddings[0] if isinstance(embeddings, (tuple, list)) else embeddings
    if not isinstance(one, torch.Tensor) or one.dim() < 2:
        return None
    if one.is_complex():
        angles, gain, interleaved = one.angle(), one.abs(), True
    elif isinstance(embeddings, (tuple, list)) and len(embeddings) == 2:
        cos, sin = (x.detach().double().cpu() for x in embeddings)
        half, interleaved = cos.size(-1) // 2, False
        if torch.equal(cos[..., :half], cos[..., half:]) and torch.equal(sin[..., :half], sin[..., half:]):
            cos, sin = cos[..., :half], sin[..., :half]
        elif torch.equal(cos[..., ::2], cos[..., 1::2]):
            cos, sin, interleaved = cos[..., ::2], sin[..., ::2], True
        angles, gain = torch.atan2(sin, cos), torch.hypot(cos, sin)
    else:
        return None
    angles, gain = (x.detach().double().cpu().reshape(-1, *x.shape[-2:])[0] for x in (angles, gain))
    count = 2 * angles.size(-1)
    if count > head_dim or float(gain.max() - gain.min()) > CLOSE * float(gain.max()):
        return None
    pairs = pairs_of(count, head_dim - count if latent else 0, interleaved)
    return Rotation(angles, float(gain.mean()), pairs, interleaved)


def slopes_of(angles: torch.Tensor) -> torch.Tensor:
    """Radians per token of angles [T, J] that are known up to whole turns."""
    start, slope = angles[0], torch.zeros_like(angles[0])
    for p in range(1, angles.size(0)):
        slope = slope + _wrapped(angles[p] - start - p * slope) / p
    return slope


def _wrapped(angles: torch.Tensor) -> torch.Tensor:
    return torch.remainder(angles + math.pi, 2 * math.pi) - math.pi


def turned(
    states: torch.Tensor, pairs: Pairs, angles: torch.Tensor, gain: float, by: Pairs | None = None
) -> torch.Tensor:
    """States [H, T, d] with these pairs turned by angles [T, J]; `by` are the pairs that number the angles."""
    result = states.clone()
    if not pairs:
        return result
    first, second = (list(x) for x in zip(*pairs, strict=True))
    of = {c: j for j, pair in enumerate(by or pairs) for c in pair}
    angle_a, angle_b = (angles[:, [of[c] for c in side]] for side in (first, second))
    a, b = states[..., first], states[..., second]
    result[..., first] = gain * (angle_a.cos() * a - angle_a.sin() * b)
    result[..., second] = gain * (angle_b.cos() * b + angle_b.sin() * a)
    return result


def close(a: torch.Tensor, b: torch.Tensor) -> bool:
    return bool(((a - b).abs() <= CLOSE * b.abs().max()).all())


def _complex(states: torch.Tensor, pairs: Pairs) -> torch.Tensor:
    first, second = (list(x) for x in zip(*pairs, strict=True))
    return torch.complex(states[..., first], states[..., second])


def fitted(found: torch.Tensor, plain: torch.Tensor, of: Pairs, pairs: Pairs) -> tuple[torch.Tensor, float] | None:
    """Angles [T, J] and one gain with which `found`, in `pairs`, is `plain`, in the pairs `of`; None where none fit."""
    z, z0 = _complex(found, pairs), _complex(plain, of)
    size = float(found.abs().max())
    stay = [c for c in range(found.size(-1)) if all(c not in pair for pair in [*of, *pairs])]
    if stay and not close(found[..., stay], plain[..., stay]):
        return None
    factor = (z * z0.conj()).sum(0) / (z0.abs() ** 2).sum(0)
    gains = factor.abs()
    gain = float(gains.median())
    if float((z - factor * z0).abs().max()) > CLOSE * size or float((gains - gain).abs().max()) > 10 * CLOSE * gain:
        return None
    return factor.angle(), gain


def _layouts(rotation: Rotation, head_dim: int) -> list[tuple[str, Pairs, Pairs]]:
    """What is said of other pairs, the pairs of the reference's states, and those of the port's."""
    first, count, mine = rotation.pairs[0][0], rotation.count, rotation.interleaved
    other = pairs_of(count, first, not mine)
    expected = f"expected {words(mine)}"
    found = [
        ("", rotation.pairs, rotation.pairs),
        (f"{words(not mine)} turn together; {expected}", other, other),
        ("", rotation.pairs, other),  # weights in another order, which is not a fault
    ]
    if count < head_dim:
        whole = pairs_of(head_dim, 0, mine)
        found.append((f"all {head_dim} coordinates turn; expected {count}", whole, whole))
    part = pairs_of(count // 2, first, mine)
    return [*found, (f"{count // 2} coordinates turn; expected {count}", part, part)]


def _fault_of_angles(angles: torch.Tensor, rotation: Rotation) -> str | None:
    blocks, right = angles.size(1), rotation.angles
    if right.size(1) == blocks and float(_wrapped(angles - right).abs().max()) <= CLOSE:
        return None
    slopes = slopes_of(angles)
    positions = torch.arange(angles.size(0)).to(angles)[:, None]
    bent = _wrapped(angles - angles[0] - positions * slopes).abs() > CLOSE
    straight = not bool(bent.any())
    if right.size(1) != blocks:
        return f"block 1 turns by {float(slopes[1]):.6g} per token; expected {rotation.frequencies[1]:.6g}"
    if not straight:
        p, j = ((_wrapped(angles - right).abs() > CLOSE).nonzero()[0]).tolist()
        return f"at position {p} block {j} is turned by {float(angles[p, j]):.6g}; expected {float(right[p, j]):.6g}"
    late = _wrapped(angles[0] - right[0])
    if float(late.abs().max()) > CLOSE and float((late - slopes * late[0] / slopes[0]).abs().max()) <= CLOSE:
        by = float(late[0] / slopes[0])
        return f"positions are {abs(by):.6g} too {'high' if by > 0 else 'low'}"
    return fault_of_frequencies(slopes.tolist(), rotation.frequencies, CLOSE)


def fault_of_states(
    found: torch.Tensor, right: torch.Tensor, rotation: Rotation, weights: Sequence[torch.Tensor], stays: bool
) -> str | None:
    """What is wrong with queries or keys [H, T, d]; None where nothing that has a name explains it.

    weights: those of their norm. stays: whether the reference has no positions here.
    """
    plain = right if stays else turned(right, rotation.pairs, -rotation.angles, 1 / rotation.gain)
    if stays:
        if close(found, turned(right, rotation.pairs, rotation.angles, rotation.gain)):
            return "they turn; expected a layer without positions"
        return None
    if close(found, turned(right, rotation.pairs, rotation.angles, 1.0)):
        return "they are turned twice"
    other = pairs_of(rotation.count, rotation.pairs[0][0], not rotation.interleaved)
    if close(found, turned(plain, other, rotation.angles, rotation.gain, rotation.pairs)):
        return f"{words(not rotation.interleaved)} turn together, by the angles of {words(rotation.interleaved)}"
    for told, of, pairs in _layouts(rotation, found.size(-1)):
        fit = fitted(found, plain, of, pairs)
        if fit is None:
            continue
        angles, gain = fit
        said = [told, _fault_of_angles(angles, rotation)]
        if told and len(pairs) != len(rotation.pairs):
            said = [told]
        if abs(gain - rotation.gain) > CLOSE * rotation.gain:
            said.append(f"they are {gain:.6g} times as large; expected {rotation.gain:.6g} (cos and sin)")
        return "; ".join(one for one in said if one) or None
    for weight in (w for one in weights for w in (one, one + 1) if one.numel() == found.size(-1)):
        after = weight * turned(plain / weight, rotation.pairs, rotation.angles, rotation.gain)
        if close(found, after):
            return "positions are applied before their norm; expected after it"
    return ratio_of(found, plain, lambda x: turned(x, rotation.pairs, -rotation.angles, 1 / rotation.gain))


def fault_of_products(
    scores: torch.Tensor, q: torch.Tensor, k: torch.Tensor, rows: torch.Tensor, rotation: Rotation
) -> str | None:
    """What is wrong with the rotation behind scores [H, rows, T], over the scale, of a port whose states are not known.

    q, k: the reference's, of every head. At distance 1 a score is linear in the cosines and sines of the angles that
    blocks turn by in one token: least squares give them, where the scores of all queries and heads agree with them.
    """
    q, k = (turned(x, rotation.pairs, -rotation.angles, 1 / rotation.gain) for x in (q, k))
    at = (rows > 0).nonzero().flatten()
    here = scores[:, at, rows[at]] - (q[:, rows[at]] * k[:, rows[at]]).sum(-1)  # at distance 0 nothing turns
    q, k = q[:, rows[at]], k[:, rows[at] - 1]
    other = pairs_of(rotation.count, rotation.pairs[0][0], not rotation.interleaved)
    mine = words(rotation.interleaved)
    for (told, pairs), shift in itertools.product(
        (("", rotation.pairs), (f"{words(not rotation.interleaved)} turn together; expected {mine}", other)),
        (torch.zeros_like(here), here),
    ):
        there = scores[:, at, rows[at] - 1] - shift
        stay = [c for c in range(q.size(-1)) if all(c not in pair for pair in pairs)]
        product = _complex(q, pairs) * _complex(k, pairs).conj()
        rest = (q[..., stay] * k[..., stay]).sum(-1)
        columns = torch.cat([product.real, -product.imag], -1).flatten(0, 1)
        found = torch.linalg.lstsq(columns, (there - rest).flatten()[:, None]).solution[:, 0]
        if len(columns) <= len(found) or not close(columns @ found, (there - rest).flatten()):
            continue
        cosines, sines = found.chunk(2)
        gains = torch.hypot(cosines, sines)
        if not close(gains, gains.mean().expand_as(gains)):
            continue
        slopes = torch.atan2(sines, cosines).tolist()
        return told or fault_of_frequencies(slopes, rotation.frequencies, 10 * CLOSE)
    return None


def ratio_of(
    found: torch.Tensor, right: torch.Tensor, undone: Callable[[torch.Tensor], torch.Tensor] = lambda x: x
) -> str | None:
    """Whether one is the other, times a number, or one for each row, or one for each coordinate."""
    found = undone(found)
    if found.shape != right.shape or not bool(torch.isfinite(found).all()):
        return None
    by_row = (found * right).sum(-1, keepdim=True) / (right * right).sum(-1, keepdim=True)
    rows = found.flatten(0, -2), right.flatten(0, -2)
    by_column = (rows[0] * rows[1]).sum(0) / (rows[1] * rows[1]).sum(0)
    total = float((found * right).sum() / (right * right).sum())
    if close(found, total * right):
        return f"it is {total:.6g} times what it should be"
    if close(found, by_row * right):
        low, high = float(by_row.min()), float(by_row.max())
        return f"sizes of tokens differ, by {low:.6g} to {high:.6g}: another norm, or none"
    if close(rows[0], by_column * rows[1]):
        low, high = float(by_column.min()), float(by_column.max())
        return f"coordinates have other weights, by {low:.6g} to {high:.6g} times: as where 1 is, or is not, added"
    return None
