"""The operators of torch.ops.gpe with gradients: attention on the CPU's kernels, and an encoding's columns."""
# Tests: tests/python/test_attention.py, tests/python/test_statistics.py

from __future__ import annotations

from typing import Any

import torch
from torch.autograd.function import once_differentiable

from gpe._torch.encoding import Encoding, library


class Attend(torch.autograd.Function):
    """Causal attention; keys stand at positions 0 … Nk - 1, queries at the last Nq of them.

    q [B, H, Nq, d], k and v [B, Hkv, Nk, d], float32, float64 or bfloat16, coordinates next to each other; parameters
    [H, given] → output [B, H, Nq, d], and [B, H, Nq]: lse (with the sink), entropy (of the
    tokens, nats), largest score.
    """

    @staticmethod
    def forward(
        ctx: Any, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, parameters: torch.Tensor, encoding: Encoding
    ) -> tuple[torch.Tensor, ...]:
        library()
        out, lse, entropy, largest = torch.ops.gpe.attention_forward(q, k, v, parameters, encoding.address)
        ctx.save_for_backward(q, k, v, parameters, out, lse, entropy)
        ctx.encoding = encoding
        ctx.mark_non_differentiable(largest)
        ctx.set_materialize_grads(False)
        return out, lse, entropy, largest

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any,
        d_out: torch.Tensor | None,
        d_lse: torch.Tensor | None,
        d_entropy: torch.Tensor | None,
        _: torch.Tensor | None,
    ) -> tuple[torch.Tensor | None, ...]:
        q, k, v, parameters, out, lse, entropy = ctx.saved_tensors
        if d_out is None and d_lse is None and d_entropy is None:
            return None, None, None, None, None
        before, groups = k.size(2) - q.size(2), q.size(1) // k.size(1)

        def at_all_keys(rows: torch.Tensor, empty: float = 0.0) -> torch.Tensor:
            """The kernel has as many queries as keys: those that are not there see nothing."""
            if before == 0:
                return rows.contiguous()
            missing = rows.new_full((*rows.shape[:2], before, *rows.shape[3:]), empty)
            return torch.cat([missing, rows], 2)

        def maybe(rows: torch.Tensor | None) -> torch.Tensor | None:
            return None if rows is None else at_all_keys(rows)

        dq, dk, dv, d_parameters = torch.ops.gpe.attention_backward(
            at_all_keys(q),
            k.repeat_interleave(groups, 1).contiguous(),
            v.repeat_interleave(groups, 1).contiguous(),
            at_all_keys(out),
            at_all_keys(lse, -torch.inf),
            at_all_keys(entropy),
            maybe(d_out),
            maybe(d_lse),
            maybe(d_entropy),
            parameters,
            ctx.encoding.address,
        )
        if groups > 1:
            dk, dv = (x.unflatten(1, (-1, groups)).sum(2) for x in (dk, dv))
        return dq[:, :, before:], dk, dv, d_parameters, None


def causal_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, parameters: torch.Tensor, encoding: Encoding
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Output, log-normalizer, entropy and largest score, as `Attend` says."""
    out, lse, entropy, largest = Attend.apply(q, k, v, parameters, encoding)
    return out, lse, entropy, largest


class Columns(torch.autograd.Function):
    """One head's factors for a query with L = `length`: [rows, count] float64, column n. Rows: bias, gain, softcap and
    sink (both at n = 0), then the factors cosine and sine of every block where the content is turned."""

    @staticmethod
    def forward(
        ctx: Any, parameters: torch.Tensor, encoding: Encoding, head: int, length: int, count: int
    ) -> torch.Tensor:
        library()
        ctx.save_for_backward(parameters)
        ctx.of = (encoding, head, length, count)
        result: torch.Tensor = torch.ops.gpe.columns(parameters, encoding.address, head, length, count)
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        encoding, head, length, count = ctx.of
        (parameters,) = ctx.saved_tensors
        back = torch.ops.gpe.columns_backward(gradient.contiguous(), parameters, encoding.address, head, length, count)
        return back, None, None, None, None


def columns(encoding: Encoding, parameters: torch.Tensor, head: int, length: int, count: int) -> torch.Tensor:
    result: torch.Tensor = Columns.apply(parameters, encoding, head, length, count)
    return result


def separate_angles(encoding: Encoding, parameters: torch.Tensor, count: int) -> torch.Tensor | None:
    """Angles per token [heads, d/2] where q and k may be rotated each by its own position, to 1e-9
    radians at every n < count."""
    if any(head["content"] != "rotation" or "transform" in head["depends_on_length"] for head in encoding.heads):
        return None
    library()
    by_head = range(len(encoding.heads))
    found = [torch.ops.gpe.frequencies(parameters.detach(), encoding.address, head, count) for head in by_head]
    return torch.stack(found) if all(angles.numel() for angles in found) else None
