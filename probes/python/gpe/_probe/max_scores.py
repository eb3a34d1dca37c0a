# Tests: tests/python/test_flex_record.py
"""The largest score of each head during training, over all processes: what QK-clip needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from gpe._errors import Error, SpecError
from gpe._probe.flex import aux_of


class MaxScores:
    """Hooks that keep the largest score of each head, a logit, since `reduce` was last called.

        largest = gpe.MaxScores(model)
        ...                                    # forward, backward, optimizer.step(), as often as you like
        for name, by_head in largest.reduce().items():
            ...                                # clip the heads of this part whose score is over a threshold

    They read FlexAttention's `max_scores` from every part of the model that returns its AuxOutput, with no pass of
    their own and without waiting for the device.

    Args:
        model: a module of torch.
        group: the processes whose maxima are taken together; all of them by default. Each has to hold the same parts.
    """

    def __init__(self, model: torch.nn.Module, group: Any = None) -> None:
        if not isinstance(model, torch.nn.Module):
            raise SpecError(f"MaxScores: expected a module of torch, not {type(model).__name__}")
        self._group, self._largest = group, dict[str, torch.Tensor]()
        self._hooks = [
            part.register_forward_hook(self._kept(name or type(part).__name__), with_kwargs=True)
            for name, part in model.named_modules()
        ]

    def _kept(self, name: str) -> Callable[..., None]:
        def keep(_: Any, __: Any, kwargs: dict[str, Any], out: Any) -> None:
            aux = aux_of(out, kwargs)
            if aux is None or aux.max_scores is None:
                return
            found = aux.max_scores.detach().transpose(0, 1).flatten(1).amax(1)
            before = self._largest.get(name)
            self._largest[name] = found if before is None else torch.maximum(before, found)

        return keep

    def reduce(self) -> dict[str, torch.Tensor]:
        """By part, the largest score of each head [H], the same in every process of the group; starts anew.

        One all-reduce for all parts. Error where no part has returned `max_scores` since the last time.
        """
        if not self._largest:
            raise Error(
                "no part returned max_scores: call flex_attention with return_aux=AuxRequest(max_scores=True), and "
                "return what it returns"
            )
        names, values = list(self._largest), list(self._largest.values())
        together = torch.cat(values)
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            torch.distributed.all_reduce(together, torch.distributed.ReduceOp.MAX, group=self._group)
        self._largest.clear()
        return dict(zip(names, together.split([len(value) for value in values]), strict=True))

    def remove(self) -> None:
        """Takes the hooks back."""
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()
