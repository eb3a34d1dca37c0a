# Tests: tests/checks/module_test.py
"""The layers of a model, each held against the encoding that its config.json has for it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import torch

from gpe._conformance.caught import LONGEST_MASK, Call, caught, squared_gains
from gpe._conformance.departure_kinds import weightless
from gpe._conformance.scores import Law, QueriesAndKeys, fault_of_row, fault_of_scores
from gpe._conformance.sinks import fault_of_sink
from gpe._conformance.turned_states import fitted, slopes_of
from gpe._conformance.turning import Pairs, fault_of_frequencies, pairs_of, turns_at, weights_after
from gpe._errors import SpecError
from gpe._verdicts.from_config import ModelEncoding

TOKENS = 24
#: Where single tokens are asked, besides those that are far enough for pairs that turn slowly.
NEAR = [*range(20), 40, 90, 150]


def layer_faults(
    model: torch.nn.Module, kinds: Sequence[tuple[ModelEncoding, Law, list[int]]], distant: list[int], tolerance: float
) -> Iterator[tuple[int, str]]:
    """Layers, from 1, and what is wrong with each. kinds: with the positions at which their scores are asked."""
    singles = NEAR + distant
    widest = max(
        (law.window for _, law, _ in kinds if law.window is not None and law.window + 2 <= LONGEST_MASK), default=0
    )
    with caught(model) as calls, squared_gains(model) as gains:
        alone = calls(singles, alone=True)
        if not alone:
            raise SpecError(
                f"{type(model).__name__} calls no attention function of transformers' interface; "
                "expected a model that does"
            )
        beside = calls(range(TOKENS), alone=False)
        masks = calls(range(widest + 2), alone=False, rows=[0]) if widest + 2 > TOKENS else beside
        asked = max(
            (positions for _, law, positions in kinds if law.gain_by == "position"),
            key=lambda positions: positions[-1],
            default=[],
        )
        far = calls(range(asked[-1] + 1), alone=False, rows=asked) if asked else []
        normed = (
            [calls(range(2), alone=False, norms=weight) for weight in (1.0, 0.0)]
            if any(one.content_bound for one, _, _ in kinds)
            else []
        )
        layers = sorted(layer for one, _, _ in kinds for layer in one.layers)
        yield from (
            (call.layer + 1, "it has softmax attention; expected none")
            for call in alone
            if len(alone) != len(layers) and call.layer is not None and call.layer + 1 not in layers
        )
        for one, law, _ in kinds:
            for layer in one.layers:
                at = index_of(layer, layers, alone)
                if at is None:
                    yield layer, "its attention is not called; expected scores"
                    continue
                call, positions = (far[at], asked) if law.gain_by == "position" else (alone[at], singles)
                fault = (
                    fault_of_sizes(one, law, call)
                    or fault_of_mask(law, masks[at], max(widest + 2, TOKENS))
                    or fault_of_added(beside[at])
                    or fault_of_call(law, call, positions, gains, tolerance)
                    or fault_of_weights(law, beside[at], tolerance)
                    or fault_of_norms(one, [found[at] for found in normed], gains)
                )
                if fault:
                    yield layer, fault


def index_of(layer: int, layers: list[int], calls: list[Call]) -> int | None:
    """Which call is this layer's."""
    if len(calls) == len(layers):
        return layers.index(layer)
    return next((i for i, call in enumerate(calls) if call.layer == layer - 1), None)


def fault_of_sizes(one: ModelEncoding, law: Law, call: Call) -> str | None:
    sizes, expected = (call.q.size(0), call.k.size(0), call.q.size(2)), (one.heads, one.key_heads, one.head_dim)
    if sizes not in (expected, (one.heads, one.heads, one.head_dim)):  # keys may be repeated before
        return "{} heads, {} of keys, of dimension {}; expected {}, {} and {}".format(*sizes, *expected)
    if (call.sinks is not None) != law.sink:
        return (
            "the sink is dropped: no logit is passed to its attention" if law.sink else "it has a sink; expected none"
        )
    if bool(call.softcap) != (law.cap is not None):
        return "the soft cap is dropped" if law.cap is not None else "scores are capped; expected that they are not"
    if call.softcap and law.cap is not None and abs(call.softcap - law.cap) > 1e-6 * law.cap:
        return f"the soft cap is {call.softcap:.9g}; expected {law.cap:.9g}"
    return None


def fault_of_norms(one: ModelEncoding, calls: Sequence[Call], gains: set[float]) -> str | None:
    """Sizes of queries and keys by norms of weights 1, or 0 where 1 is added: of each head, or of all together."""
    if one.content_bound is None:
        return None
    bound, products = math.sqrt(float(Fraction(one.content_bound[5:-1]))), []
    for call in calls:
        q, k = call.q[:, 0], call.k[:, 0]
        scale = call.q.size(2) ** -0.5
        by_head = (q.norm(dim=1) * call.keys[:, 0].norm(dim=1) * scale).tolist()
        over_all = float(q.norm() * k.norm() * scale)
        repeated = math.sqrt(k.size(0) / one.key_heads)
        for gain in gains or {1.0}:
            if (
                all(abs(x / gain - bound) <= 1e-2 * bound for x in by_head)
                or abs(over_all / gain / repeated - bound) <= 1e-2 * bound
            ):
                return None
        products.append(max(by_head))
    return (
        f"|q||k|/sqrt(d) is {products[0]:.6g} with norms of weight 1; "
        f"expected {bound:.6g}, that of normed queries and keys"
    )


def fault_of_mask(law: Law, call: Call, tokens: int) -> str | None:
    i, j = torch.arange(tokens)[:, None], torch.arange(tokens)
    expected = j <= i
    if law.window is not None:
        expected &= i // law.window == j // law.window if law.chunked else i - j < law.window
    wrong = (call.seen(tokens) != expected).nonzero()
    if not len(wrong):
        return None
    row = int(wrong[0][-2])
    return fault_of_row(law, row, call.seen(tokens)[int(wrong[0][0]), row].nonzero().flatten().tolist(), range(tokens))


def fault_of_added(call: Call) -> str | None:
    """A mask adds one number to all keys that a query sees, and leaves none of the others a weight."""
    tokens = call.q.size(1)
    seen = call.seen(tokens)
    if call.mask is None or call.mask.dtype == torch.bool:
        return None
    added = call.mask.reshape(-1, *call.mask.shape[-2:])[:, :tokens, :tokens].double().cpu()
    most = added.masked_fill(~seen, -math.inf).amax(-1, keepdim=True)
    uneven = (seen & (added < most - 1e-3)).nonzero()
    if len(uneven):
        head, i, j = uneven[0].tolist()
        return f"its mask adds {float(added[head, i, j] - most[head, i, 0]):.6g} to key {j} of query {i}; expected 0"
    scores = call.q @ call.keys.transpose(1, 2) * call.scale
    scores = scores if not call.softcap else call.softcap * (scores / call.softcap).tanh()
    leaks = (~weightless(scores + added) & ~seen).nonzero()
    if len(leaks):
        head, i, j = leaks[0].tolist()
        return f"query {i} sees key {j}, to which its mask adds {float(added[min(head, len(added) - 1), i, j]):.6g}"
    return None


def fault_of_call(law: Law, call: Call, positions: Sequence[int], gains: set[float], tolerance: float) -> str | None:
    """Latent attention keeps the coordinates that turn last, and may put them in another order before they do."""
    latent = law.count < law.head_dim and any(
        hasattr(home, "qk_rope_head_dim") for home in (call.module, getattr(call.module, "config", None))
    )
    first = law.head_dim - law.count if latent else 0
    faults = [
        fault_of_states(one, call, positions, first, gain, tolerance)
        for gain in sorted(gains) or [1.0]
        for one in ([law, replace(law, interleaved=not law.interleaved)] if latent else [law])
    ]
    return None if None in faults else faults[0]


def fault_of_states(
    law: Law, call: Call, positions: Sequence[int], first: int, gain: float, tolerance: float
) -> str | None:
    """Queries and keys as the attention gets them. gain: of cos and sin, squared."""
    pairs = pairs_of(law.count, first, law.interleaved)
    near = [p for p in positions if p < 200]
    turns_near = [turns_at(p, law.frequencies, pairs) for p in near]
    plain = {}
    states = {"queries": call.q.clone(), "keys": call.keys.clone()}
    for name, rows in states.items():
        sizes = rows.norm(dim=2)
        if (
            law.gain_by == "constant"
            and bool(((sizes - sizes[:, :1]).abs() > 1e-3 * sizes).any())
            and law.normed is not False
        ):
            whole = sizes.norm(dim=0)
            if bool(((whole - whole[0]).abs() <= 1e-3 * whole).all()):
                return (
                    f"across heads: the sizes of {name} change with the position by head, and not over all heads; "
                    "expected that heads turn in themselves"
                )
        for h in range(rows.size(0)):
            if law.frequencies and not (name == "queries" and law.gain_by == "position"):
                size = float(rows[h].abs().max())
                weights = weights_after(
                    rows[h, : len(near)].tolist(), law.frequencies, pairs, near, turns_near, max(tolerance, 1e-4) * size
                )
                if weights and law.normed is not False:
                    return f"positions are applied before the norms of {name}; expected after them"
                if law.normed is False and not weights:
                    return f"positions are applied after the norms of {name}; expected before them"
                if weights:
                    rows[h] /= torch.tensor(weights, dtype=rows.dtype)
        unscaled = rows[:, 0].clone()
        unscaled[:, [c for pair in pairs for c in pair]] /= math.sqrt(gain)
        plain[name] = unscaled.tolist()
    scores = states["queries"] @ states["keys"].transpose(1, 2) * call.scale
    if call.softcap:
        scores = call.softcap * torch.tanh(scores / call.softcap)
    sees = torch.tensor([[law.sees(i, j) for j in positions] for i in positions])
    asked = QueriesAndKeys(plain["queries"], plain["keys"], positions, first)
    fault = fault_of_scores(replace(law, normed=None), scores.masked_fill(~sees, -math.inf).tolist(), asked, tolerance)
    turns = fault_of_turns(law, states["queries"], positions, pairs) if fault else None
    return f"{fault}: {turns}" if turns and fault and fault.endswith("frequencies and pairs") else fault


def fault_of_turns(law: Law, rows: torch.Tensor, positions: Sequence[int], pairs: Pairs) -> str | None:
    """Which blocks of equal queries, heads x positions x d, turn by other frequencies, and the base that fits."""
    near = next((i for i, p in enumerate(positions) if p != i), len(positions))
    if not law.frequencies or law.gain_by == "position" or near < 3:
        return None
    fit = fitted(rows[:, :near], rows[:, :1].expand(-1, near, -1), pairs, pairs)
    if fit is None:
        return None
    slopes = slopes_of(fit[0]).tolist()
    found = [float(value) for value in slopes] + [0.0] * (len(law.frequencies) - len(slopes))
    return fault_of_frequencies(found, law.frequencies, 1e-3)


def fault_of_weights(law: Law, call: Call, tolerance: float) -> str | None:
    """Weights of the module's own softmax with a sink, which transformers writes into its eager attention."""
    weights = call.weigh() if law.sink else None
    if weights is None or call.sinks is None:
        return None
    tokens = call.q.size(1)
    scores = (call.q @ call.keys.transpose(1, 2) * call.scale).masked_fill(~call.seen(tokens), -math.inf)
    fault = fault_of_sink(law, weights.tolist(), range(tokens), call.sinks.tolist(), scores.tolist())
    expected = torch.cat([scores, call.sinks[:, None, None].expand(-1, tokens, 1)], 2).softmax(2)[..., :-1]
    return fault or (
        None
        if bool(((weights - expected).abs() <= tolerance).all())
        else "weights are not those of a softmax with one more logit, the sink"
    )
