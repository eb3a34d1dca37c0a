"""probe: what every head of a transformers model does with a text."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

from gpe._errors import Error, SpecError
from gpe._torch.buckets import Buckets, bucket_edges
from gpe._torch.encoding import library
from gpe._torch.modes import evaluating
from gpe._torch.report import LayerStatistics, ProbeReport, require_finite

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from gpe._probe.interface import Recorder


def probe(
    model: PreTrainedModel,
    input_ids: torch.Tensor | Sequence[int] | Sequence[Sequence[int]],
    *,
    distance_buckets: Buckets = None,
    **options: Any,
) -> ProbeReport:
    """Entropies, scores and weights by distance of every head, in one forward pass and without a
    matrix of tokens x tokens.

    The model is asked through transformers' attention interface: queries and keys are measured as they meet, after
    rotations and norms, with the model's own scale, masks, windows, soft caps and sinks. Its outputs are those of eager
    attention, to rounding. It is set to eval() and its attention implementation changed for the time of the call.

    Args:
        model: a transformers model whose attention goes through the interface (most do).
        input_ids: tokens, [T] or [B, T].
        distance_buckets: classes of distances: None for 16 that double, a number of them, "exact", or edges.
        options: what else the model's forward takes: `attention_mask` [B, T], `past_key_values`, `position_ids`, ...
            Queries that `attention_mask` calls padding are left out. `use_cache` is False unless it is given, or a
            cache is: then `position_ids` that begin again mark packed texts, which see only themselves.

    Raises:
        Error: a model that bypasses the interface, in whole or in part: nothing would be
            measured; or scores that are not numbers.
    """
    if isinstance(model, str):
        raise SpecError(
            f"'{model}' is a name, and models are not fetched here; expected the model, such as "
            f"transformers.AutoModelForCausalLM.from_pretrained('{model}')"
        )
    if isinstance(input_ids, str):
        raise SpecError("input_ids are tokens, not text: use the model's tokenizer")
    tokens = torch.as_tensor(input_ids)
    if tokens.dim() == 1:
        tokens = tokens[None]
    if tokens.dim() != 2 or tokens.numel() == 0 or tokens.dtype.is_floating_point:
        raise SpecError(f"input_ids: expected integers [T] or [B, T], not {tokens.dtype} {list(tokens.shape)}")
    vocabulary = getattr(getattr(model, "config", None), "vocab_size", None)
    if isinstance(vocabulary, int) and not 0 <= int(tokens.min()) <= int(tokens.max()) < vocabulary:
        raise SpecError(
            f"input_ids: from {int(tokens.min())} to {int(tokens.max())}; the model's vocabulary has "
            f"{vocabulary} tokens, 0 to {vocabulary - 1}"
        )
    if "output_attentions" in options:
        raise SpecError("output_attentions asks for the matrices that a probe does without")
    if "use_cache" in inspect.signature(model.forward).parameters and "past_key_values" not in options:
        options.setdefault("use_cache", False)  # with a cache, transformers takes packed texts for one
    with recording(model, bucket_edges(distance_buckets, tokens.size(1))) as recorder, torch.no_grad():
        model(input_ids=tokens.to(model.device), **options)
    if not recorder.records:
        raise Error(
            f"{type(model).__name__} computed attention without transformers' attention interface: nothing was measured"
        )
    for record in recorder.records:
        require_finite(record.name, record.statistics)
    layers = [
        LayerStatistics(record.name, i if record.layer is None else record.layer, record.statistics)
        for i, record in enumerate(recorder.records)
    ]
    return ProbeReport(
        type(model).__name__, getattr(model.config, "model_type", ""), tokens.size(0), tokens.size(1), layers
    )


@contextmanager
def recording(model: PreTrainedModel, edges: torch.Tensor) -> Iterator[Recorder]:
    """The model in eval() with its attention recorded; as it was, afterwards."""
    from gpe._probe import interface as _interface

    library()  # where it is absent, says so before the model runs
    if not hasattr(model, "set_attn_implementation"):
        raise Error(f"{type(model).__name__} is not a model of transformers")
    before = model.config._attn_implementation
    if not type(model)._can_set_attn_implementation():
        raise Error(
            f"{type(model).__name__} does not go through transformers' attention interface: "
            "its attention cannot be measured; gpe.attention_statistics takes its q and k"
        )
    recorder = _interface.Recorder(edges, {id(module): name for name, module in model.named_modules()})
    token = _interface._recorder.set(recorder)
    try:
        model.set_attn_implementation(_interface.NAME)
        with evaluating(model):
            yield recorder
    finally:
        model.set_attn_implementation(before)
        _interface._recorder.reset(token)
