# Tests: tests/checks/departure_test.py
"""What kind of fault a step of a port has, beside the same step of its reference."""

from __future__ import annotations

import math
from typing import Any

import torch

from gpe._conformance.steps import Walk, rows_of
from gpe._conformance.turned_states import CLOSE, close, fault_of_products, fault_of_states, ratio_of, rotation_of

#: The scale and the soft cap that attention was called with, where that is known.
Known = tuple[float, float | None] | None
#: Nats below the largest score.
NO_WEIGHT = 64


def fault_of_module(port: Any, reference: Any, found: torch.Tensor, right: torch.Tensor) -> str | None:
    """Of the output of a module: its parameters, its settings, or its size."""
    mine, theirs = (dict(module.named_parameters()) if module is not None else {} for module in (port, reference))
    for name, value in mine.items():
        other = theirs.get(name)
        if other is None or other.shape != value.shape:
            continue
        a, b = (x.detach().double().cpu() for x in (value, other))
        if close(a, b + 1) or close(a + 1, b):
            return f"its '{name}' differs by 1: weights that are stored with 1 added, or without"
        if not close(a, b):
            return f"its '{name}' differs from the reference's, by up to {float((a - b).abs().max()):.3g}"
    for name in ("eps", "variance_epsilon", "scaling", "embed_scale"):
        a, b = (getattr(module, name, None) for module in (port, reference))
        if isinstance(a, float) and isinstance(b, float) and a != b:
            return f"{name} is {a:.6g}; expected {b:.6g}"
    weight = theirs.get("weight")
    if weight is not None and weight.dim() == 1 and weight.numel() == found.size(-1):
        for w in (weight.detach().double().cpu(), weight.detach().double().cpu() + 1):
            told = ratio_of(found * w, right)
            if told and told.startswith("sizes"):
                return told
    return ratio_of(found, right)


def fault_of_queries(
    found: torch.Tensor, expected: torch.Tensor, reference: Walk, right: str, what: str, latent: bool
) -> str | None:
    """Of queries or keys of the attention called `right` in the reference; what: "queries" or "keys"."""
    if found.shape != expected.shape:
        return f"they have the shape {list(found.shape)}; expected {list(expected.shape)}, heads x tokens x dimension"
    module = reference.modules.get(right)
    rotation = rotation_of(reference.angles.get(right), found.size(-1), latent)
    if rotation is None:
        return ratio_of(found, expected)
    norms = [
        value.detach().double().cpu()
        for name, value in (module.named_parameters() if module is not None else ())
        if name.lower().startswith((what[0], "qk")) and name.lower().endswith("norm.weight")
    ]
    stays = getattr(module, "use_rope", True) in (False, 0) or getattr(module, "is_nope_layer", False) is True
    return fault_of_states(found, expected, rotation, norms, stays)


def fault_of_unknown_states(walks: tuple[Walk, Walk], names: tuple[str, str], latent: bool) -> str | None:
    """Of the scores of a port whose queries and keys are not known."""
    (port, reference), (mine, right) = walks, names
    if shared := _shared(reference, right, port.steps[f"{mine}.scores"].softmax(-1)):
        return shared
    q, k = (reference.steps.get(f"{right}.{what}") for what in ("queries", "keys"))
    if q is None or k is None or f"{mine}.queries" in port.steps or right not in reference.settings:
        return None
    rotation = rotation_of(reference.angles.get(right), q.size(-1), latent)
    scale, cap = reference.settings[right]
    if rotation is None or cap:
        return None
    keys = k.repeat_interleave(q.size(0) // k.size(0), 0)
    return fault_of_products(port.steps[f"{mine}.scores"] / scale, q, keys, rows_of(q.size(1)), rotation)


def weightless(scores: torch.Tensor) -> torch.Tensor:
    """Of scores [H, rows, T]: keys whose weights are less than e^-64 of the largest."""
    return scores < scores.amax(-1, keepdim=True) - NO_WEIGHT


def constants(found: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """By row, the mean difference of scores: a softmax takes no notice of it."""
    seen = seen_of(right) & seen_of(found)
    return torch.where(seen, found - right, 0).sum(-1) / seen.sum(-1).clamp(min=1)


def order_of(found: torch.Tensor, right: torch.Tensor, allowed: float) -> list[int] | None:
    """Which head of `found` has the scores of each head of `right`, up to constants in rows; None if one has not."""

    def alike(g: int, h: int) -> bool:
        if not torch.equal(seen_of(found[g]), seen_of(right[h])):
            return False
        rest = found[g] - right[h] - constants(found[g], right[h])[..., None]
        return bool((rest[seen_of(right[h])].abs() <= 2 * allowed).all())

    order: list[int] = []
    for h in range(right.size(0)):
        left = [h, *range(found.size(0))]
        order += next(([g] for g in left if g not in order and alike(g, h)), [])
        if len(order) <= h:
            return None
    return order


def in_order(states: torch.Tensor, order: list[int]) -> torch.Tensor:
    """Of each head, or of each group of heads where groups stay together."""
    times = len(order) // states.size(0)
    heads = [g // times for g in order[::times]] if times else []
    return states[heads] if sorted(heads) == list(range(states.size(0))) else states


def seen_of(scores: torch.Tensor) -> torch.Tensor:
    """Bool [H, rows, T]."""
    return scores > -math.inf


def window_of(scores: torch.Tensor) -> int | None:
    """How many keys the last query sees, if they are the last ones and not all; None otherwise."""
    seen = seen_of(scores)[0, -1]
    count = int(seen.sum())
    return count if count < len(seen) and bool(seen[len(seen) - count :].all()) and count > 0 else None


def fault_of_seen(found: torch.Tensor, right: torch.Tensor) -> str | None:
    """Of scores: which keys a query sees."""
    a, b = (x.expand(max(found.size(0), right.size(0)), -1, -1) for x in (seen_of(found), seen_of(right)))
    if bool((a == b).all()):
        return None
    head, row = (int(i) for i in (a != b).any(-1).nonzero()[0])
    query, mine, theirs = int(rows_of(found.size(-1))[row]), a[head, row], b[head, row]
    later = mine.nonzero().flatten()[mine.nonzero().flatten() > query]
    if len(later) and not bool(theirs[query + 1 :].any()):
        return f"query {query} sees key {int(later[-1])}, which comes after it"
    own = "" if bool(mine[query]) or not bool(theirs[query]) else ", and not its own"
    told = f"query {query} sees {int(mine.sum())} keys{own}; expected {int(theirs.sum())}"
    width, expected = window_of(found), window_of(right)
    if own or width == expected:
        return told
    ways = [f"a window of {keys} keys" if keys else "no window" for keys in (width, expected)]
    return f"{told}: {ways[0]}; expected {ways[1]}"


def fault_of_scores(found: torch.Tensor, right: torch.Tensor, mine: Known, theirs: Known) -> str | None:
    """Of scores that see the same keys, of the same queries and keys."""
    caps = (mine[1] or 0, theirs[1] or 0) if mine and theirs else (0, 0)
    if caps[0] != caps[1] and 0 in caps:
        return "the soft cap is dropped" if caps[1] else f"scores have a soft cap of {caps[0]:.6g}; expected none"
    if caps[0] != caps[1]:
        return f"the soft cap is {caps[0]:.6g}; expected {caps[1]:.6g}"
    seen = seen_of(right)
    plain = [torch.where(seen, x, 0) for x in (found, right)]
    centered = [torch.where(seen, x - constants(x, torch.where(seen, 0.0, right))[..., None], 0) for x in plain]
    for a, b in (plain, centered):  # constants on rows make no difference
        ratio = float((a * b).sum() / (b * b).sum())
        if close(a, ratio * b):
            told = f"scores are {ratio:.6g} times what they should be"
            return f"{told} (scale {theirs[0] * ratio:.6g}; expected {theirs[0]:.6g})" if theirs else told
    a, b = plain
    by_query = (a * b).sum(-1, keepdim=True) / (b * b).sum(-1, keepdim=True).clamp(min=1e-300)
    if close(a, by_query * b):
        row = int((by_query[0, :, 0] - 1).abs().argmax())
        return (
            f"scores have another factor by query, {float(by_query[0, row, 0]):.6g} for query "
            f"{int(rows_of(found.size(-1))[row])}: a temperature by position"
        )
    rows = rows_of(found.size(-1))
    distance = rows[:, None] - torch.arange(found.size(-1))
    by_distance = torch.zeros(found.size(0), found.size(-1), dtype=a.dtype)
    by_distance[:, distance[-1]] = (a - b)[:, -1]
    if close(torch.where(seen, a - b, 0), torch.where(seen, by_distance[:, distance.clamp(min=0)], 0)):
        return "scores have another bias by distance"
    return None


def fault_of_weights(walks: tuple[Walk, Walk], names: tuple[str, str]) -> str | None:
    """Of weights whose scores are right: which keys heads share, and the sink."""
    (port, reference), (mine, right) = walks, names
    found, expected = port.steps[f"{mine}.weights"], reference.steps[f"{right}.weights"]
    scores = reference.steps[f"{right}.scores"]
    shared = _shared(reference, right, found)
    if shared is not None:
        return shared
    a, b = found.sum(-1), expected.sum(-1)
    if not close(found / a[..., None], expected / b[..., None]):
        return None
    if float((a - 1).abs().max()) <= CLOSE:
        return "the sink is dropped: the weights of each query sum to 1"
    if float((b - 1).abs().max()) <= CLOSE:
        return f"a sink takes up to {float((1 - a).max()):.3g} of the weights; expected none"
    lse = scores.logsumexp(-1)
    logits, wanted = ((1 / x - 1).log() + lse for x in (a, b))
    head = int((logits - wanted).abs().amax(-1).argmax())
    if close(logits, logits[:, :1].expand_as(logits)):
        shift = float((logits - wanted).mean())
        twice = ": counted twice" if abs(shift - math.log(2)) < CLOSE else ""
        return (
            f"the sink of head {head + 1} is {float(logits[head, 0]):.6g}; expected {float(wanted[head, 0]):.6g}{twice}"
        )
    return f"the weights of query 0 of head {head + 1} sum to {float(a[head, 0]):.6g}; expected {float(b[head, 0]):.6g}"


def _shared(reference: Walk, name: str, found: torch.Tensor) -> str | None:
    """Whether heads read the keys of h mod groups, in place of those of their own group."""
    q, k = (reference.steps.get(f"{name}.{what}") for what in ("queries", "keys"))
    if q is None or k is None or k.size(0) in (1, q.size(0)) or name not in reference.settings:
        return None
    scale, cap = reference.settings[name]
    scores = q @ k.repeat(q.size(0) // k.size(0), 1, 1).transpose(1, 2) * scale
    scores = cap * torch.tanh(scores / cap) if cap else scores
    scores = scores[:, rows_of(q.size(1))].masked_fill(~seen_of(reference.steps[f"{name}.scores"]), -math.inf)
    if close(scores.softmax(-1) * found.sum(-1, keepdim=True), found):
        return f"head h reads the keys of head h mod {k.size(0)}; expected neighbours to share them"
    return None
