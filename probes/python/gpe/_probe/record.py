"""record: what every attention function of torch does, in modules of one's own, too."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

import torch
from torch.overrides import TorchFunctionMode

from gpe._errors import Error, SpecError
from gpe._probe.flex import flex_arguments, flex_statistics, measured_calls
from gpe._torch.blockwise import Block, Blockwise
from gpe._torch.buckets import Buckets, bucket_edges
from gpe._torch.report import AttentionStatistics, LayerStatistics, ProbeReport, require_finite
from gpe._torch.statistics import Setting, bound, measure, measure_blockwise
from gpe._torch.visible import Visible, visible_by_rows
from gpe._torch.watched import HIDDEN, SDPA, SOFTMAX

_F = torch.nn.functional


@contextmanager
def record(module: torch.nn.Module | None = None, *, distance_buckets: Buckets = None) -> Iterator[ProbeReport]:
    """Measures every scaled_dot_product_attention and flex_attention of torch and every nn.MultiheadAttention inside
    the with block.

        with gpe.record(model) as report:
            model(x)
        print(report.to_dataframe())

    Outputs, gradients and random numbers are those without it. Queries and keys are measured as they are given, with
    the call's mask, scale and causality; numbers that a mask adds to the scores are measured as a bias (from -10⁴ down:
    as a key that is not seen). A distance is query position - key position: both count from 0 with `is_causal`, and
    otherwise the queries are the last tokens. FlexAttention's `lse` and `max_scores` are taken as they come; compiled,
    it is seen where a part of the module gets queries and keys first and returns an AuxOutput. Other attention, and
    what else is inside compiled code, is not seen.

    Args:
        module: whose parts give the layers their names; otherwise calls are numbered.
        distance_buckets: as for `probe`.

    Yields:
        a ProbeReport whose layers are the calls, in their order.

    Raises:
        Error: at the end, if there was no such call; and for scores that are not numbers.
    """
    if module is not None and not isinstance(module, torch.nn.Module):
        raise SpecError(f"record: expected a module of torch or nothing, not {type(module).__name__}")
    report = ProbeReport("torch" if module is None else type(module).__name__, "torch", 0, 0, [])
    inside: list[str] = []
    by_hand: list[str] = []
    before: list[int] = []  # how many calls were measured when the parts that are called now began

    def add(statistics: AttentionStatistics) -> None:
        name = inside[-1] if inside else f"call {len(report.layers) + 1}"
        require_finite(name, statistics)
        if not report.layers:
            report.batch, _, report.tokens = statistics.lse.shape
        report.layers.append(LayerStatistics(name, len(report.layers), statistics))

    def add_flex(query: torch.Tensor, key: torch.Tensor, aux: Any, **more: Any) -> None:
        add(flex_statistics(query, key, aux, distance_buckets=distance_buckets, **more))

    def enter(name: str) -> None:
        inside.append(name)
        before.append(len(report.layers))

    def leave(args: Any, kwargs: dict[str, Any], out: Any) -> None:
        try:
            if before.pop() == len(report.layers) and (given := flex_arguments(args, kwargs, out)):
                add_flex(*given[0], **given[1])
        finally:
            inside.pop()

    with ExitStack() as stack:
        for name, part in module.named_modules() if module is not None else ():
            label = name or type(part).__name__
            started = part.register_forward_pre_hook(lambda *_, label=label: enter(label))
            done = part.register_forward_hook(
                lambda _, args, kwargs, out: leave(args, kwargs, out), always_call=True, with_kwargs=True
            )
            stack.callback(started.remove)
            stack.callback(done.remove)
        with measured_calls(add_flex), _Calls(add, distance_buckets, lambda: by_hand.extend(inside[-1:] or ["here"])):
            yield report
    if not report.layers:
        hint = f" (a softmax in {by_hand[0]} looks like one by hand)" if by_hand else ""
        raise Error(
            "no scaled_dot_product_attention or flex_attention of torch was called: nothing was measured; of attention "
            f"by products and a softmax{hint}, give q and k to gpe.attention_statistics"
        )


class _Calls(TorchFunctionMode):
    """Sees torch's functions as they are called, whatever name they were imported by."""

    def __init__(
        self, add: Callable[[AttentionStatistics], None], buckets: Buckets, by_hand: Callable[[], None]
    ) -> None:
        super().__init__()
        self.add, self.buckets, self.by_hand = add, buckets, by_hand

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is SDPA:
            return self._measured(*args, **kwargs)
        if func in SOFTMAX and (args[0] if args else kwargs["input"]).dim() > 2:
            self.by_hand()
        if func is not _F.multi_head_attention_forward:
            return func(*args, **kwargs)
        call = inspect.signature(func).bind(*args, **kwargs)
        call.apply_defaults()
        if not call.arguments["need_weights"]:
            with mock.patch.object(_F, "scaled_dot_product_attention", self._measured):
                return func(*args, **kwargs)
        # Torch computes weights that it hands out by other functions: they are measured in a run of their own.
        call.arguments.update(need_weights=False, dropout_p=0.0)
        with torch.no_grad(), mock.patch.object(_F, "scaled_dot_product_attention", self._measured):
            func(*call.args, **call.kwargs)
        return func(*args, **kwargs)

    def _measured(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attn_mask: torch.Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Any:
        out = SDPA(
            query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
        )  # refuses what is wrong
        with torch.no_grad():
            self.add(_statistics(query.detach(), key.detach(), attn_mask, is_causal, scale, self.buckets))
        return out


class _Biased(Blockwise):
    """Scores to which a mask adds numbers, [B, 1 or H, Nq, Nk]."""

    added: torch.Tensor

    def _block(self, rows: slice) -> Block:
        block = super()._block(rows)
        return replace(block, scores=block.scores + self.added[:, :, rows].to(block.scores.dtype))


def _four(x: torch.Tensor) -> torch.Tensor:
    """[..., N, d] as [B, H, N, d]; three dimensions are a batch of one head."""
    if x.dim() < 4:
        return x[(None,) * (3 - x.dim())][:, None]
    return x.reshape(-1, *x.shape[-3:])


def _statistics(
    query: torch.Tensor,
    key: torch.Tensor,
    mask: torch.Tensor | None,
    is_causal: bool,
    scale: float | None,
    buckets: Buckets,
) -> AttentionStatistics:
    q, k = _four(query), _four(key)
    batch, queries, keys = max(q.size(0), k.size(0)), q.size(2), k.size(2)
    q, k = (x.expand(batch, -1, -1, -1) for x in (q, k))
    offset = 0 if is_causal else keys - queries
    visible, causal, added = Visible(), is_causal or (mask is None and queries == 1), None
    if mask is not None:
        mask = _four(mask.detach().expand(*mask.shape[:-2], queries, keys)).expand(batch, -1, -1, -1)
        allowed = mask if mask.dtype == torch.bool else mask > HIDDEN
        visible, causal = visible_by_rows(lambda rows: allowed[:, :, rows], queries, offset)
        if mask.dtype != torch.bool and bool((allowed & (mask != 0)).any()):
            added = torch.where(allowed, mask, 0)
    setting = Setting.in_order(q, k, scale, causal, visible, offset)
    q, k, encoding, given = bound(q, k)
    edges = bucket_edges(buckets, keys)
    if added is None:
        return measure(q, k, encoding, given, setting, edges)
    scores = setting.blockwise(_Biased, q, k, encoding, given)
    scores.added = added
    return measure_blockwise(scores, edges)
