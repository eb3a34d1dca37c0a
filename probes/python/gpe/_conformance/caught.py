# Tests: tests/checks/module_test.py
"""What the attention of a model of transformers is called with: queries and keys after the
rotation, scale, mask, sinks.

Attention adds nothing to the states here, so equal tokens have equal states in every layer, and their queries at
position p are those at 0, turned. Norm weights and sinks are drawn at random for the while: equal ones hide what is
done before the norms. With equal ones sizes tell whether there are norms.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import torch
from transformers import AttentionInterface
from transformers.masking_utils import AttentionMaskInterface, eager_mask

from gpe._conformance.departure_kinds import weightless
from gpe._conformance.own_attention import configs_of, configured, eager_of
from gpe._errors import SpecError
from gpe._torch.modes import evaluating
from gpe._torch.watched import HIDDEN

NAME = "gpe_conformance"
LONGEST_MASK = 4100


@dataclass
class Call:
    """One call of an attention function: q and k of tokens, by head."""

    module: torch.nn.Module
    layer: int | None  #: from 0; None where the module does not say
    q: torch.Tensor  #: heads x tokens x d
    k: torch.Tensor
    mask: torch.Tensor | None
    causal: bool | None  #: whether it is so without a mask; None for an eager attention
    scale: float
    softcap: float | None
    sinks: torch.Tensor | None
    weigh: Callable[
        [], torch.Tensor | None
    ]  #: what the module's own eager attention makes of them: heads x tokens x tokens

    @property
    def keys(self) -> torch.Tensor:
        """Of every head of queries."""
        return self.k.repeat_interleave(self.q.size(0) // self.k.size(0), 0)

    def seen(self, tokens: int) -> torch.Tensor:
        """Bool, tokens x tokens, of each head or of all.

        An eager attention adds any mask, one of bools too; others are causal where they get none.
        """
        ones = torch.ones(1, tokens, tokens, dtype=torch.bool)
        if self.mask is None:
            return ones.tril() if self.causal else ones
        mask = self.mask.reshape(-1, *self.mask.shape[-2:])[:, :tokens, :tokens].cpu()
        if mask.dtype == torch.bool:
            return mask if self.causal is not None else ones
        return (mask > HIDDEN) & ~weightless(mask)


@dataclass
class _Catch:
    rows: Sequence[int] | None  #: tokens that are kept; None for all
    eager: bool
    calls: list[Call]


_catch: ContextVar[_Catch] = ContextVar("gpe_catch")


def _attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: Any = None,
    scaling: float | None = None,
    dropout: float = 0.0,
    softcap: float | None = None,
    **more: Any,
) -> tuple[torch.Tensor, None]:
    catch = _catch.get()
    sinks = next(
        (
            found
            for found in (more.get("s_aux"), more.get("sinks"), getattr(module, "sinks", None))
            if found is not None
        ),
        None,
    )

    def weigh() -> torch.Tensor | None:
        eager = eager_of(module)
        if eager is None:
            return None
        cap = {} if softcap is None else {"softcap": softcap}
        one = torch.eye(key.size(2), dtype=value.dtype, device=value.device).expand(*key.shape[:2], -1, -1)
        weighed: torch.Tensor = eager(
            module, query, key, one, attention_mask, scaling=scaling, dropout=0.0, **cap, **more
        )[0]
        return weighed[0].transpose(0, 1).double().cpu()

    def kept(states: torch.Tensor) -> torch.Tensor:
        alone = states.size(2) == 1  # a batch of single tokens
        states = states[:, :, 0].transpose(0, 1) if alone else states[0]
        return (states if catch.rows is None else states[:, list(catch.rows)]).detach().double().cpu()

    layer, causal = getattr(module, "layer_idx", None), more.get("is_causal")
    causal = getattr(module, "is_causal", True) if causal is None else causal
    catch.calls.append(
        Call(
            module,
            layer if isinstance(layer, int) else None,
            kept(query),
            kept(key),
            attention_mask,
            None if catch.eager else bool(causal),
            query.size(-1) ** -0.5 if scaling is None else float(scaling),
            softcap,
            None if sinks is None else sinks.detach().double().cpu().flatten(),
            weigh,
        )
    )
    return value.new_zeros(query.size(0), query.size(2), query.size(1), value.size(3)), None


def _mask(*, q_length: int, **more: Any) -> torch.Tensor | None:
    return eager_mask(q_length=q_length, **more) if q_length <= LONGEST_MASK else None


AttentionInterface.register(NAME, _attend)
AttentionMaskInterface.register(NAME, _mask)


@contextlib.contextmanager
def caught(model: Any) -> Iterator[Callable[..., list[Call]]]:
    """A function (positions, alone, rows, norms) -> calls, of a token at each position: side by side, or each alone.

    norms: what all norm weights are, where they are not random, and biases 0.
    """
    odd = next(
        (value for value in model.parameters() if value.is_meta or value.dtype not in (torch.float32, torch.float64)),
        None,
    )
    if odd is not None:
        raise SpecError(
            f"parameters are {str(odd.dtype).removeprefix('torch.')} on {odd.device}; expected float32, with values"
        )
    norm = [(name, value) for name, value in model.named_parameters() if "norm" in name]
    drawn = [
        (value, value.detach().clone())
        for name, value in model.named_parameters()
        if "sink" in name or (value.dim() == 1 and "norm" in name and name.endswith("weight"))
    ]
    token = min(3, (getattr(model.config.get_text_config(), "vocab_size", None) or 4) - 1)
    generator = torch.Generator().manual_seed(0)
    eager = (configs_of(model)[0].get_text_config()._attn_implementation or "eager") == "eager"

    def calls(
        positions: Sequence[int], *, alone: bool, rows: Sequence[int] | None = None, norms: float | None = None
    ) -> list[Call]:
        shape = (-1, 1) if alone else (1, -1)
        device = next(model.parameters()).device
        at = torch.tensor(positions, device=device).reshape(shape)
        catch = _Catch(rows, eager, [])
        states = [] if norms is None else [model.get_input_embeddings().weight]
        kept = (
            [(value, value.detach().clone()) for value in [*states, *(value for _, value in norm)]]
            if norms is not None
            else []
        )
        before = _catch.set(catch)
        try:
            with torch.no_grad():
                for name, value in norm if norms is not None else []:
                    value.fill_(0.0 if norms is None or name.endswith("bias") else norms)
                for value in states:  # large, so that what norms add to the mean square is nothing beside them
                    value.mul_(1e4)
                model(input_ids=torch.full_like(at, token), position_ids=at, use_cache=False)
        except Exception as error:
            raise SpecError(
                f"{type(model).__name__} could not be called with tokens at positions to {max(positions)}: "
                f"{type(error).__name__}: {error}"
            ) from error
        finally:
            _catch.reset(before)
            _put(kept)
        return catch.calls

    try:
        with torch.no_grad():
            for value, plain in drawn:
                value.copy_(plain.nan_to_num() + 0.5 * torch.rand(plain.shape, generator=generator).to(plain))
        with configured(model, _attn_implementation=NAME), evaluating(model):
            yield calls
    finally:
        _put(drawn)


def _put(values: Sequence[tuple[torch.Tensor, torch.Tensor]]) -> None:
    with torch.no_grad():
        for value, plain in values:
            value.copy_(plain)


@contextlib.contextmanager
def squared_gains(model: torch.nn.Module) -> Iterator[set[float]]:
    """The values of cos^2 + sin^2 that rotary embeddings give while they are called."""
    found: set[float] = set()

    def keep(_: Any, __: Any, out: Any) -> None:
        one = out[0] if isinstance(out, tuple) else out
        if torch.is_tensor(one):
            found.add(round(float((one.abs() ** 2 if one.is_complex() else one**2 + out[1] ** 2).max()), 6))

    hooks = [module.register_forward_hook(keep) for module in model.modules() if "Rotary" in type(module).__name__]
    try:
        yield found
    finally:
        for hook in hooks:
            hook.remove()
