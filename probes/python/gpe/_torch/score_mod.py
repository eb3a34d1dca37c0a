"""score_mod for torch's FlexAttention: an encoding's bias, gain, soft cap and sight as a function of one score; and
what belongs outside of it, rotations of q and k before and sinks after."""
# Tests: tests/python/test_flex.py

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

import torch

from gpe._errors import Error, SpecError
from gpe._specs import Spec, names_in
from gpe._torch.blockwise import rotated
from gpe._torch.encoding import Encoding, Value, bind
from gpe._torch.operators import columns, separate_angles

ScoreMod = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]

_BIAS, _GAIN, _SOFTCAP, _SINK = range(4)  # rows of gpe._torch.operators.columns
_NAMES = ("bias", "gain", "softcap", "sink")
_MOST_NUMBERS = 1 << 25  # of a table by length and distance


def score_mod(
    encoding: Spec | None,
    parameters: Mapping[str, Value] | None = None,
    *,
    heads: int = 1,
    head_dim: int = 64,
    length: int = 4096,
    query_offset: int = 0,
    causal: bool = True,
    window: int | None = None,
    softcap: float | torch.Tensor | None = None,
    sink: float | torch.Tensor | None = None,
    outside: str | Collection[str] = (),
    layer: int = 0,
    layers: int = 1,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
) -> ScoreMod:
    """A function for `flex_attention(q, k, v, score_mod=...)` that makes it `gpe.attention(q, k, v, encoding)`.

    From qᵀk/√d, which FlexAttention has computed, it makes gain·cap(qᵀk/√d) + bias, and -inf for keys that the encoding
    does not see: later ones (causal), those before `first`, those beyond its window. `gpe.block_mask` skips whole
    blocks of them. Its numbers are tables that it captures, by head and distance, or query where a factor depends on L
    (not both beyond 2^25 numbers).

    Args:
        parameters: tensors [] or [heads] get gradients, where FlexAttention has them (not on the CPU).
        length: the most keys; farther ones have the score nan, never a wrong one.
        query_offset: position of the first query less that of the first key.
        outside: what the caller computes: "rotation", with q and k from `gpe.rotate`; "sink", by `gpe.add_sink`.
        device, dtype: of the tables; FlexAttention has its scores in float32, or float64 for float64.

    Raises:
        SpecError: a wrong encoding, parameter or argument.
        Error: what no function of a score can express, with the reason: a rotation or a sink that is not `outside`; a
            transform that needs each pair of q and k.
    """
    if length < 1:
        raise SpecError(f"length = {length}: expected at least one key")
    here, given = bind(
        encoding,
        parameters,
        head_dim=head_dim,
        heads=heads,
        layer=layer,
        layers=layers,
        window=window,
        softcap=softcap,
        sink=sink,
    )
    _check_outside(here, given, {outside} if isinstance(outside, str) else set(outside), length)
    with_cap = any(head["softcap"] for head in here.heads)
    bias, gain = (_lookup(_table(encoding, here, given, part, length), device, dtype) for part in (_BIAS, _GAIN))
    cap = _lookup(_table(encoding, here, given, _SOFTCAP, length), device, dtype) if with_cap else None
    content = here.heads[0]["content"] != "none"
    first, last = (sight.to(device) for sight in sight_of(here))

    def of_encoding(
        score: torch.Tensor, batch: torch.Tensor, head: torch.Tensor, query: torch.Tensor, key: torch.Tensor
    ) -> torch.Tensor:
        position = query + query_offset
        n = position - key
        apart = n.clamp(min=0) if causal else n.abs()
        result = bias(head, position, apart)
        if content:
            if cap is not None:
                most = cap(head, position, apart)
                score = most * torch.tanh(score / most)
            result = gain(head, position, apart) * score + result
        seen = (apart >= first[head]) & (apart <= last[head])
        if causal:
            seen = seen & (n >= 0)
        return torch.where(seen, result, -torch.inf)

    return of_encoding


def rotate(
    q: torch.Tensor,
    k: torch.Tensor,
    encoding: Spec,
    parameters: Mapping[str, Value] | None = None,
    *,
    query_offset: int | None = None,
    layer: int = 0,
    layers: int = 1,
) -> tuple[torch.Tensor, torch.Tensor]:
    """q and k, each rotated by its own position, so that their dot products are those of a rotary encoding.

    Args:
        q, k: [B, Hq, Nq, d] and [B, Hkv, Nk, d].
        query_offset: Nk - Nq by default: queries are the last tokens.

    Raises:
        Error: where no rotation by a position gives the encoding's, which turns with the distance or the length.
    """
    offset = k.size(2) - q.size(2) if query_offset is None else query_offset
    here, given = bind(encoding, parameters, head_dim=q.size(3), heads=q.size(1), layer=layer, layers=layers)
    farthest = max(abs(offset + q.size(2)), abs(offset - k.size(2)), 2)
    angles = separate_angles(here, given, farthest)
    if angles is None:
        if here.heads[0]["content"] in ("none", "dot-product"):
            return q, k
        raise Error(_why_not_separate(here))
    angles = angles.to(q.device)
    of_keys = angles.unflatten(0, (k.size(1), -1))
    if not bool((of_keys == of_keys[:, :1]).all()):
        raise Error(
            f"{here.description['name']}: heads that share keys rotate by different angles; repeat the keys for each"
        )
    layout = here.heads[0]["layout"]
    queries = torch.arange(offset, offset + q.size(2), device=q.device)[None]
    keys = torch.arange(k.size(2), device=k.device)[None]
    return rotated(q, queries, angles, layout), rotated(k, keys, of_keys[:, 0], layout)


def add_sink(
    output: torch.Tensor,
    lse: torch.Tensor,
    encoding: Spec | None = None,
    parameters: Mapping[str, Value] | None = None,
    *,
    sink: float | torch.Tensor | None = None,
    head_dim: int = 64,
    query_offset: int = 0,
    layer: int = 0,
    layers: int = 1,
) -> torch.Tensor:
    """An output of attention without a sink, as it is with the sink's mass in the normalizer:
    output·1/(1 + e^(sink - lse)).

    Args:
        output: [B, H, Nq, dv].
        lse: [B, H, Nq], log Σ e^A in nats: `flex_attention(..., return_aux=AuxRequest(lse=True))`.
        sink: the logit, one number or one per head, where it is not the encoding's own.
    """
    heads, queries = output.size(1), output.size(2)
    here, given = bind(encoding, parameters, head_dim=head_dim, heads=heads, layer=layer, layers=layers, sink=sink)
    if not any(head["sink"] for head in here.heads):
        raise SpecError(f"{here.description['name']}: it has no sink")
    logits = _table(encoding, here, given, _SINK, query_offset + queries)[:, :, 0]
    if logits.size(1) > 1:
        logits = logits[:, query_offset : query_offset + queries]
    return output * torch.sigmoid(lse - logits.to(lse.device, lse.dtype))[..., None].to(output.dtype)


def sight_of(encoding: Encoding) -> tuple[torch.Tensor, torch.Tensor]:
    """The first and the last distance that each head sees, int32 [heads]."""
    farthest = torch.iinfo(torch.int32).max
    return (
        torch.tensor([min(head["first"], farthest) for head in encoding.heads], dtype=torch.int32),
        torch.tensor(
            [farthest if head["last"] is None else min(head["last"], farthest) for head in encoding.heads],
            dtype=torch.int32,
        ),
    )


def _check_outside(encoding: Encoding, parameters: torch.Tensor, outside: set[str], length: int) -> None:
    name = encoding.description["name"]
    unknown = outside - {"rotation", "sink"}
    if unknown:
        raise SpecError(f"outside: expected 'rotation' or 'sink', not '{min(unknown)}'")
    kind = encoding.heads[0]["content"]
    if kind in ("rotation", "hyperbolic"):
        if separate_angles(encoding, parameters, max(length, 2)) is None:
            raise Error(_why_not_separate(encoding))
        if "rotation" not in outside:
            raise Error(
                f"{name}: it rotates q and k before they meet, and a score_mod sees the score only: "
                "give flex_attention what gpe.rotate(q, k, encoding) returns, and score_mod outside='rotation'"
            )
    elif "rotation" in outside:
        raise SpecError(f"{name}: outside='rotation', but it has none")
    if any(head["sink"] for head in encoding.heads):
        if "sink" not in outside:
            raise Error(
                f"{name}: its sink is in the normalizer, which a score_mod does not reach: "
                "give score_mod outside='sink', "
                "and what flex_attention returns, with its lse, to gpe.add_sink"
            )
    elif "sink" in outside:
        raise SpecError(f"{name}: outside='sink', but it has none")


def _why_not_separate(encoding: Encoding) -> str:
    formulas: dict[str, Any] = encoding.description["formulas"]
    if "rate" in formulas:
        why = "its transform weighs every block of q and k by the distance"
    elif "scale" in formulas:
        why = f"its rotation is scaled by the distance, {formulas['scale']['text']}"
    elif any("transform" in head["depends_on_length"] for head in encoding.heads):
        why = "its angle depends on L, the query's index, by which keys would have to turn as well"
    elif set(encoding.description["given"]) & set(re.findall(r"\w+", formulas["angle"]["text"])):
        why = "its angle has a parameter that is a tensor; give that one as a number"
    else:
        why = f"its angle is not a multiple of the distance, {formulas['angle']['text']}"
    return (
        f"{encoding.description['name']}: {why}: q and k cannot be rotated each by its own position, "
        "and a score_mod sees the score only; gpe.attention has it"
    )


def _table(spec: Spec | None, encoding: Encoding, parameters: torch.Tensor, part: int, length: int) -> torch.Tensor:
    """A factor, float64 [heads, length or 1, length or 1]: by query and by distance, where it depends on them."""
    name = _NAMES[part]
    by_length = any(name in head["depends_on_length"] for head in encoding.heads)
    of_tokens = part in (_BIAS, _GAIN)
    by_distance = of_tokens and spec is not None and "n" in names_in(spec, name)
    if by_length and by_distance and len(encoding.heads) * length * length > _MOST_NUMBERS:
        raise Error(
            f"{encoding.description['name']}: its {name} depends on L and on n, "
            f"a table of {len(encoding.heads)} x {length} x {length} numbers; gpe.attention computes it row by row"
        )
    tables = []
    for head, described in enumerate(encoding.heads):
        begin = 0 if by_distance or not of_tokens else described["first"]
        end = length if by_distance else begin + 1
        rows = [columns(encoding, parameters, head, at, end)[part, begin:] for at in range(length if by_length else 1)]
        tables.append(torch.stack(rows))
    return torch.stack(tables)


def _lookup(
    table: torch.Tensor, device: torch.device | str | None, dtype: torch.dtype
) -> Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]:
    """The factor as a function of head, position and distance; nan past its end."""
    positions, distances = table.shape[1:]
    if positions > 1:
        table = torch.nn.functional.pad(table, (0, 0, 0, 1), value=torch.nan)
    if distances > 1:
        table = torch.nn.functional.pad(table, (0, 1), value=torch.nan)
    table = table.to(device, dtype)
    if positions > 1 and distances > 1:
        return lambda head, position, n: table[head, position.clamp(max=positions), n.clamp(max=distances)]
    if positions > 1:
        by_position = table[:, :, 0].contiguous()
        return lambda head, position, n: by_position[head, position.clamp(max=positions)]
    by_distance = table[:, 0].contiguous()
    if distances > 1:
        return lambda head, position, n: by_distance[head, n.clamp(max=distances)]
    one = by_distance[:, 0].contiguous()
    return lambda head, position, n: one[head]
