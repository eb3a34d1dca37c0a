# Tests: tests/checks/departure_test.py
"""Where a model first departs from its reference, step by step.

Both run in float64 with their own weights, and each layer of the port gets the input that the reference's has: what one
layer does wrong is not seen in the next one. What a difference may be is measured: the reference runs once more with an
error of NOISE in the output of each module, and in queries and keys one that grows with the position, as that of angles
from frequencies in float32 does. A step differs where it is further from the reference than ALLOWED times as far.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from gpe._conformance.departure_kinds import (
    constants,
    fault_of_module,
    fault_of_queries,
    fault_of_scores,
    fault_of_seen,
    fault_of_unknown_states,
    fault_of_weights,
    in_order,
    order_of,
    weightless,
    window_of,
)
from gpe._conformance.scores import shifted
from gpe._conformance.steps import NOISE, Walk, aligned, rows_of, text_config
from gpe._conformance.turned_states import close
from gpe._conformance.walk import walk
from gpe._errors import SpecError

#: Times what the noise does.
ALLOWED = 8
#: Of the queries of the first two tokens, in the model's own precision, over those of later ones.
GROWTH = 4
LAYER = re.compile(r"(encoder\.)?layers\.(\d+)")
PARTS = ("queries", "keys", "scores", "weights", "values", "heads")


@dataclass(frozen=True)
class Departure:
    layer: int  #: from 1; from -1 down in an encoder beside a decoder; 0 before the layers or after them
    step: str
    fault: str

    @property
    def step_in_layer(self) -> str:
        """Without the number of the layer; what attention does is told without the name of its module."""
        name = re.sub(rf"^{LAYER.pattern}\.?", "", self.step) or "output"
        return name.rpartition(".")[2] if name.endswith(PARTS) else name


def side_of(model: Any, name: str) -> bool:
    """Whether it is a model; stored steps are a mapping."""
    if isinstance(model, torch.nn.Module):
        return True
    if isinstance(model, Mapping) and all(isinstance(value, torch.Tensor) for value in model.values()):
        return False
    raise SpecError(f"{name}: {type(model).__name__}; expected a model of torch, or a dict of its steps as tensors")


def stored(steps: Mapping[str, torch.Tensor]) -> Walk:
    found = Walk()
    for name, value in steps.items():
        found.add(name, value)
        if name.endswith(".scores"):
            found.attention.append(name.removesuffix(".scores"))
    return found


def unit_of(values: Mapping[str, torch.Tensor]) -> float:
    """The rounding of stored tensors, at least that of weights in float32."""
    return max([NOISE, *(torch.finfo(value.dtype).eps / 2 for value in values.values() if value.is_floating_point())])


def require_numbers(reference: Walk) -> None:
    """SpecError for a reference to which anything would be alike: NaN, or queries that see no key."""
    for name, value in reference.steps.items():
        scores = name.endswith(".scores")
        wrong = value.isnan() | value.isposinf() if scores else ~value.isfinite()
        if bool(wrong.any()):
            raise SpecError(f"reference: {name} has NaN or infinity; expected numbers")
        if scores and bool((blind := torch.isneginf(value).all(-1)).any()):
            query = int(blind.nonzero()[0][-1])
            raise SpecError(f"reference: query {query} of {name} sees no key; expected a prompt without padding")


class Walked:
    """A port beside its reference."""

    def __init__(self, port: Any, reference: Any, prompt: Any, names: Mapping[str, str]) -> None:
        models = side_of(port, "port"), side_of(reference, "reference")
        if not any(models):
            raise SpecError("port and reference are both stored; expected a model for one of them")
        self.port_model, self.reference_model = (
            x if is_model else None for x, is_model in zip((port, reference), models, strict=True)
        )
        noise = unit_of(next((x for x in (port, reference) if isinstance(x, Mapping)), {}))
        self.reference = walk(reference, prompt) if models[1] else stored(reference)
        require_numbers(self.reference)
        inputs = self.reference.steps if models[0] else {}
        self.port = walk(port, prompt, forced=inputs) if models[0] else stored(port)
        noisy_model = reference if models[1] else port
        noisy = walk(noisy_model, prompt, forced=inputs, noise=noise)
        exact = self.reference if models[1] else self.port
        starts = [name for name in self.reference.steps if name.endswith(".input")]
        #: Whether each layer of the port got the input of the reference's, and so departs by itself.
        self.forced = models[0] and bool(starts) and all(self._fits(name) for name in starts)
        self._require_outputs(models)
        self.same_names = _matched(self.reference, self.port, names)
        self._hide()
        backwards = {} if models[1] else self.same_names
        self.allowed = {
            name: self._allowance(noisy.steps[at], exact.steps[at], noise)
            for name in self.reference.steps
            for at in [backwards.get(name, name)]
            if at in noisy.steps and at in exact.steps and noisy.steps[at].shape == exact.steps[at].shape
        }
        #: By attention: what is told of heads in another order, and of sinks that come after the softmax.
        self.told: dict[str, str] = {}
        self._arrange()

    def _fits(self, name: str) -> bool:
        steps = self.reference.steps, self.port.steps
        return all(name in side for side in steps) and aligned(steps[1][name], steps[0][name]) is not None

    def _require_outputs(self, models: tuple[bool, bool]) -> None:
        """SpecError for a model whose output would not be compared."""
        sides = self.port.steps, self.reference.steps
        for is_model, steps, name in zip(models, sides, ("port", "reference"), strict=True):
            if is_model and "output" not in steps:
                raise SpecError(
                    f"{name}: returns no tensor of floats; expected logits or states, maybe in a tuple or dict"
                )
        if all("output" in steps for steps in sides) and not self._fits("output"):
            mine, right = (list(steps["output"].shape) for steps in sides)
            raise SpecError(f"port: its output has the shape {mine}, that of the reference {right}; expected the same")

    def _hide(self) -> None:
        """Scores of keys that have no weight on either side, whatever their masks add, are those of hidden keys."""
        for name, mine in self.same_names.items():
            found, right = self.port.steps[mine], self.reference.steps[name]
            if name.endswith(".scores") and found.shape == right.shape:
                hidden = weightless(found) & weightless(right)
                self.port.steps[mine] = found.masked_fill(hidden, -math.inf)
                self.reference.steps[name] = right.masked_fill(hidden, -math.inf)

    def _arrange(self) -> None:
        """What makes no difference by itself: constants on rows of scores, the order of heads, where a sink enters."""
        both = self.same_names.keys() & self.allowed.keys()
        known = [at for at in self.reference.attention if {f"{at}.scores", f"{at}.weights"} <= both]
        for at in known:
            mine, right = self._both(f"{at}.scores")
            order = None if mine is None else order_of(mine, right, self.allowed[f"{at}.scores"])
            if order is None or mine is None:
                continue
            self._change(at, partial(in_order, order=order))
            if order != sorted(order):
                self.told[at] = f"; heads {', '.join(str(h + 1) for h in order)} stand for the reference's"
            step = self.same_names[f"{at}.scores"]
            self.port.steps[step] = self.port.steps[step] - constants(self.port.steps[step], right)[..., None]
        late = {at: ratio for at in known if (ratio := self._ratio_of_sums(at)) is not None}
        if any(not self._reaches(at) for at in late):
            for at, ratio in late.items():
                self._keep_rows(f"{at}.heads", ratio.size(1))
                self._change(at, partial(times, by=ratio), PARTS[3::2])
                self.told[at] = self.told.get(at, "") + "; its sink, which comes after the softmax, is not seen"

    def _change(self, at: str, change: Callable[[torch.Tensor], torch.Tensor], parts: Sequence[str] = PARTS) -> None:
        for mine in (self.same_names.get(f"{at}.{part}") for part in parts):
            if mine is not None:
                self.port.steps[mine] = change(self.port.steps[mine])

    def _keep_rows(self, name: str, count: int) -> None:
        """Of both sides, the queries whose weights are kept."""
        for steps, one in ((self.reference.steps, name), (self.port.steps, self.same_names.get(name))):
            if one in steps and steps[one].dim() == 3 and steps[one].size(1) > count:
                steps[one] = steps[one][:, rows_of(steps[one].size(1))]

    def _ratio_of_sums(self, at: str) -> torch.Tensor | None:
        """Of weights that are the reference's but for a sink that one of both does not have."""
        found, right = self._both(f"{at}.weights")
        sums = [one.sum(-1, keepdim=True) for one in (found, right) if one is not None]
        if found is None or not close(found / sums[0], right / sums[1]) or close(sums[0], sums[1]):
            return None
        return sums[1] / sums[0] if any(close(one, torch.ones_like(one)) for one in sums) else None

    def _reaches(self, at: str) -> bool:
        """Whether a difference within an attention reaches its output or, where that is not seen, its layer's."""
        layer = LAYER.match(at)
        for out in (at, layer[0] if layer else ""):
            if out in self.same_names and out in self.allowed and self._both(out)[0] is not None:
                return self.differs(out)
        return True

    @staticmethod
    def _allowance(noisy: torch.Tensor, exact: torch.Tensor, noise: float) -> float:
        kept = torch.isfinite(exact) & torch.isfinite(noisy)
        if not bool(kept.any()):
            return 0.0
        return ALLOWED * float((noisy - exact)[kept].abs().max()) + ALLOWED * noise * float(exact[kept].abs().max())

    def differs(self, name: str) -> bool:
        """Whether a step that both have is not that of the reference."""
        found, right = self._both(name)
        if found is None:
            return False
        if name.endswith(".scores") and (fault_of_seen(found, right) or self._caps_differ(name)):
            return True
        kept = torch.isfinite(right)
        return not bool(((found - right)[kept].abs() <= self.allowed[name]).all())

    def _caps_differ(self, name: str) -> bool:
        """A soft cap that hardly changes the scores of this prompt changes those of another."""
        mine, right = (
            walked.settings.get(at.removesuffix(".scores"))
            for walked, at in ((self.port, self.same_names[name]), (self.reference, name))
        )
        return mine is not None and right is not None and (mine[1] or 0) != (right[1] or 0)

    def _both(self, name: str) -> tuple[torch.Tensor | None, torch.Tensor]:
        """That of the port in the shape of the reference's, None where it has another; and the reference's."""
        right, found = self.reference.steps[name], self.port.steps[self.same_names[name]]
        if name.endswith((".keys", ".values")):
            found, right = once(found, right.size(0)), once(right, found.size(0))
        return aligned(found, right), right

    def compared(self) -> list[str]:
        return [name for name in self.same_names if name in self.allowed and self._both(name)[0] is not None]

    def departures(self) -> Iterator[Departure]:
        """The first step of each layer that differs, of those that the layer's output depends on."""
        known, attention = set(self.compared()), set(self.reference.attention)
        faulty: set[int] = set()
        waiting: list[str] = []
        before: list[str] = []  # scores: those that differ, though scores do not
        inside = False
        for name in self.reference.steps:
            layer = layer_of(name)
            inside = inside or layer != 0
            if name not in known or layer in faulty or "rotary" in name:
                continue
            judged = (
                name.rpartition(".")[2] in ("input", "scores", "weights", "heads")
                or name in attention
                or LAYER.fullmatch(name)
                or (inside and layer == 0)
            )
            if name.endswith(".input"):
                before = []
            if not self.differs(name):
                before, waiting = (before + waiting, []) if judged else (before, waiting)
            elif not judged:
                waiting.append(name)
            else:
                faulty.add(layer)
                here = [one for one in waiting if layer_of(one) in (layer, 0)]
                yield self._departure(layer, name, here, before)
                waiting = []
                if not self.forced:
                    return

    def _departure(self, layer: int, judged: str, waiting: list[str], before: list[str]) -> Departure:
        at, part = judged.rpartition(".")[::2]
        seen = None
        if part == "scores":
            seen = fault_of_seen(self.port.steps[self.same_names[judged]], self.reference.steps[judged])
            if seen:
                return Departure(layer, judged, seen + self._shift(at))
        if part == "heads" and f"{at}.values" in self.same_names and self.differs(f"{at}.values"):
            states = ("q", "k")  # of these scores are right
            waiting = [one for one in before if not one.rpartition(".")[2].startswith(states)] + [f"{at}.values"]
        step = waiting[0] if waiting else judged
        fault = self._fault(step)
        if judged in self.told:
            return Departure(layer, step, (fault or self._size(step)) + self.told[judged])
        turned = [one for one in waiting if one.endswith((".queries", ".keys"))]
        other = self._fault(turned[0]) if turned and step not in turned else None
        if other and (fault is None or other.startswith("positions are applied before")):
            step, fault = turned[0], other
        return Departure(layer, step, fault or self._size(step))

    def _fault(self, step: str) -> str | None:
        at, part = step.rpartition(".")[::2]
        mine = self.same_names[step]
        found, right = self._both(step)
        assert found is not None
        if at not in self.reference.attention or part not in PARTS:
            return fault_of_module(self.port.modules.get(mine), self.reference.modules.get(step), found, right)
        walks, names = (self.port, self.reference), (mine.rpartition(".")[0], at)
        latent = hasattr(text_config(self.reference_model), "qk_rope_head_dim")
        if part in ("queries", "keys"):
            return fault_of_queries(found, right, self.reference, at, part, latent)
        if part == "scores":
            settings = self.port.settings.get(names[0]), self.reference.settings.get(at)
            return fault_of_scores(found, right, *settings) or fault_of_unknown_states(walks, names, latent)
        return fault_of_weights(walks, names) if part == "weights" else None

    def _size(self, step: str) -> str:
        found, right = self._both(step)
        assert found is not None
        difference = torch.where(torch.isfinite(right), (found - right).abs(), 0).nan_to_num(math.inf)
        at = [int(i) for i in torch.unravel_index(difference.argmax(), difference.shape)]
        place = tuple(at)
        return f"{float(found[place]):.6g} at {at}; expected {float(right[place]):.6g}, to {self.allowed[step]:.2g}"

    def _shift(self, at: str) -> str:
        names = [f"{one}.scores" for one in self.reference.attention if f"{one}.scores" in self.same_names]
        mine = [window_of(self.port.steps[self.same_names[name]]) for name in names]
        return shifted(mine, [window_of(self.reference.steps[name]) for name in names])


def once(states: torch.Tensor, heads: int) -> torch.Tensor:
    """Keys or values [H, T, d] with equal neighbours merged into one, where that makes `heads` of them."""
    times = states.size(0) // heads
    one = states[::times] if times > 1 and states.size(0) % heads == 0 else states
    return one if one is not states and torch.equal(one.repeat_interleave(times, 0), states) else states


def times(states: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
    return states * by if states.shape[:2] == by.shape[:2] else states


def layer_of(name: str) -> int:
    found = LAYER.match(name)
    if not found:
        return 0
    return -int(found[2]) - 1 if found[1] else int(found[2]) + 1


def _matched(reference: Walk, port: Walk, names: Mapping[str, str]) -> dict[str, str]:
    """{step of the reference: step of the port}: by `names`, by the order of attention calls, or by the same name."""
    found = {name: name for name in reference.steps if name in port.steps}
    if len(reference.attention) == len(port.attention):
        for right, mine in zip(reference.attention, port.attention, strict=True):
            if right in reference.steps and mine in port.steps and not LAYER.fullmatch(mine):
                found[right] = mine
            for part in PARTS:
                found.pop(f"{right}.{part}", None)
                if f"{right}.{part}" in reference.steps and f"{mine}.{part}" in port.steps:
                    found[f"{right}.{part}"] = f"{mine}.{part}"
    for theirs, mine in names.items():
        pattern = re.compile(re.escape(theirs).replace(r"\{\}", r"(\d+)"))
        matches = [match for match in map(pattern.fullmatch, reference.steps) if match]
        if not matches:
            raise SpecError(f"names: the reference has no step '{theirs}'; gpe.conformance.steps lists them")
        for match in matches:
            at = port.named(mine.replace("{}", match[1]) if match.groups() else mine)
            if at not in port.steps:
                raise SpecError(f"names: the port has no step '{at}'; gpe.conformance.steps lists them")
            found[match[0]] = at
    return {name: found[name] for name in reference.steps if name in found}


def precision_faults(walked: Walked, port: torch.nn.Module, prompt: Any) -> Iterator[Departure]:
    """Queries and keys whose errors in the model's own precision grow with the position."""
    kinds = {value.dtype for value in port.parameters() if value.is_floating_point()}
    if not kinds or kinds == {torch.float64}:
        return
    kind = max(kinds, key=lambda one: torch.finfo(one).eps)
    unit = torch.finfo(kind).eps / 2
    own = walk(port, prompt, forced=walked.reference.steps, own=True)
    for name in walked.port.attention:
        for part in ("queries", "keys"):
            step = f"{name}.{part}"
            if step not in own.steps or step not in walked.port.steps:
                continue
            exact = walked.port.steps[step]
            errors = (own.steps[step] - exact).abs().amax((0, 2))
            size = float(exact.abs().max())
            usual = GROWTH * max(float(errors[:2].max()), 2 * unit * size)
            allowed = usual + ALLOWED * 2 * NOISE * size * (1 + torch.arange(len(errors)))
            wrong = (errors > allowed).nonzero()
            if len(wrong):
                p = int(wrong[0])
                told = f"{float(errors[p]):.3g} at position {p}, {float(errors[:2].max()):.3g} at the first two"
                fault = f"errors grow with the position ({told}): angles or positions are rounded to {str(kind)[6:]}"
                yield Departure(layer_of(name), step, fault)
                break
