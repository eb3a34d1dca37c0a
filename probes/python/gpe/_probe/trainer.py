"""TrainerCallback: entropies and scores of every head while a transformers Trainer trains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import Trainer, TrainerControl, TrainerState, TrainingArguments
from transformers import TrainerCallback as _Callback

from gpe._errors import SpecError
from gpe._probe.probe import probe


class TrainerCallback(_Callback):  # type: ignore[misc]
    """Probes the model on the same tokens every so many steps, and logs to whatever the Trainer logs to.

        trainer.add_callback(gpe.TrainerCallback(trainer, tokens, every=100))

    Logged by layer and head, from 1: `gpe/layer_1/head_1/entropy` and `…/lse`, means over queries in nats, and
    `…/max_score`, the largest over queries, a logit.

    Args:
        trainer: whose `log` is called; in distributed runs by the first process.
        input_ids: tokens [T] or [B, T] that are read each time.
        every: optimizer steps between probes.
        options: of the model's forward, such as `attention_mask`.
    """

    def __init__(
        self, trainer: Trainer, input_ids: torch.Tensor | Sequence[int], *, every: int = 100, **options: Any
    ) -> None:
        if every < 1:
            raise SpecError(f"every = {every}: expected a number of steps, at least 1")
        self.trainer, self.input_ids, self.every, self.options = trainer, input_ids, every, options

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        if state.global_step % self.every or not state.is_world_process_zero:
            return
        report = probe(self.trainer.accelerator.unwrap_model(kwargs["model"]), self.input_ids, **self.options)
        logs = {}
        for head in report.to_dict()["heads"]:
            at, rows = f"gpe/layer_{head['layer']}/head_{head['head']}", head["all_rows"]
            logs[f"{at}/entropy"] = rows["entropy"]["mean"]
            logs[f"{at}/lse"] = rows["log_normalizer"]["mean"]
            logs[f"{at}/max_score"] = rows["largest_score"]["max"]
        due = control.should_log  # logging clears it: the Trainer's own line of this step would be lost
        self.trainer.log(logs)
        control.should_log = due
