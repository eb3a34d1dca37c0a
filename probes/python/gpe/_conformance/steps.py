# Tests: tests/checks/departure_test.py
"""The steps of a model, recorded by hooks: the output of every module, and what attention makes of queries and keys.

A step has the name of its module below the layers' parent, with the list of layers called `layers`:
`layers.3.self_attn.q_norm`. Attention has the steps `.queries` and `.keys` (after positions), `.scores` (scaled and
masked), `.weights`, `.values` and `.heads` (its output, by head). It is seen where it goes through transformers'
interface, where torch's scaled_dot_product_attention is called, and, scores and weights alone, where a softmax is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from gpe._errors import SpecError
from gpe._torch.blockwise import read_weights
from gpe._torch.watched import HIDDEN

#: The number of queries whose scores and weights are kept.
ROWS = 64
#: Two units of float32: the error of weights that are stored in it after a product, and of an angle by a token.
NOISE = 2.0**-23


@dataclass
class Walk:
    """What one run did, in the order in which it was done; the first tensor where a module has several."""

    steps: dict[str, torch.Tensor] = field(default_factory=dict)
    attention: list[str] = field(default_factory=list)  #: names of what called attention, in order
    angles: dict[str, Any] = field(default_factory=dict)  #: by attention: the position embeddings that it got
    modules: dict[str, torch.nn.Module] = field(default_factory=dict)  #: by the names of their steps
    settings: dict[str, tuple[float, float | None]] = field(default_factory=dict)  #: by attention: scale and soft cap
    named: Callable[[str], str] = lambda name: name  #: the name of a module's step
    _counts: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, value: torch.Tensor) -> None:
        if value.is_complex():
            return
        count = self._counts[name] = self._counts.get(name, 0) + 1
        kept = value.detach().to("cpu", torch.float64, copy=True)  # what follows may change it in place
        self.steps[name if count == 1 else f"{name}#{count}"] = kept


def aligned(found: torch.Tensor, right: torch.Tensor) -> torch.Tensor | None:
    """`found` in the shape of `right`, where they differ in axes of length 1 alone; else None."""
    bare = [[size for size in value.shape if size != 1] for value in (found, right)]
    return found.reshape(right.shape) if bare[0] == bare[1] else None


def output_of(out: Any) -> torch.Tensor | None:
    """Logits or states: the first tensor of floats with axes that a model returns, by itself or in a tuple or dict."""
    several = out.values() if isinstance(out, Mapping) else out
    several = several if isinstance(out, (Mapping, tuple, list)) else (out,)
    tensors = (one for one in several if isinstance(one, torch.Tensor))
    return next((one for one in tensors if one.is_floating_point() and one.dim() > 0), None)


def text_config(model: Any) -> Any:
    """That of a model of transformers; None of any other."""
    config: Any = getattr(model, "config", None)
    return config.get_text_config() if hasattr(config, "get_text_config") else config


def layers_of(model: torch.nn.Module) -> dict[str, str]:
    """The names of the lists of layers, by what they are called: "layers", and "encoder.layers" beside a decoder's.

    A list has as many layers as the config says, or is the longest that is in no other. There is none where a model
    that is not of transformers has several of this length side by side: attentions in one, say, and MLPs in another.
    """
    lists: dict[str, int] = {}
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.ModuleList) and not any(name.startswith(f"{one}.") for one in lists):
            lists[name] = len(module)
    count = getattr(text_config(model), "num_hidden_layers", None)

    def chosen(names: list[str]) -> str:
        return max(names, key=lambda one: (lists[one] == count, lists[one]))

    def alone(name: str) -> bool:
        beside = [
            one for one in lists if lists[one] == lists[name] and one.rpartition(".")[0] == name.rpartition(".")[0]
        ]
        return len(beside) == 1 or any(kind.__name__ == "PreTrainedModel" for kind in type(model).__mro__)

    encoders, decoders = ([name for name in lists if what in name.split(".")] for what in ("encoder", "decoder"))
    if encoders and decoders:
        return {"layers": chosen(decoders), "encoder.layers": chosen(encoders)}
    return {"layers": chosen(list(lists))} if lists and alone(chosen(list(lists))) else {}


class Namer:
    """Names of steps, alike for models that call their layers and what holds them otherwise."""

    def __init__(self, lists: Mapping[str, str]) -> None:
        self._lists, self._parent = lists, lists.get("layers", "").rpartition(".")[0]

    def __call__(self, name: str) -> str:
        for called, path in self._lists.items():
            if name == path or name.startswith(f"{path}."):
                return called + name[len(path) :]
        if self._parent and name.startswith(f"{self._parent}."):
            return name[len(self._parent) + 1 :]
        return name


def rows_of(tokens: int) -> torch.Tensor:
    """The queries whose scores and weights are kept: all, or ROWS of them with the last one."""
    return torch.linspace(0, tokens - 1, min(tokens, ROWS), dtype=torch.float64).round().long()


@dataclass(frozen=True)
class Setting:
    """What attention is called with beside its states."""

    mask: torch.Tensor | None
    causal: bool
    scale: float
    cap: float | None = None
    bias: torch.Tensor | None = None

    def scores(self, q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        """Scores [H, T, T] of q and k [H, T, d]; -inf for what is not seen."""
        scores = (q @ k.repeat_interleave(q.size(0) // k.size(0), 0).transpose(1, 2)).double() * self.scale
        if self.cap:
            scores = self.cap * torch.tanh(scores / self.cap)
        if self.bias is not None:
            scores = scores + self.bias.reshape(-1, *self.bias.shape[-2:])[..., : k.size(1)]
        if self.mask is None:
            seen = torch.ones(scores.shape[1:], dtype=torch.bool, device=q.device)
            return scores.masked_fill(~(seen.tril() if self.causal else seen), -math.inf)
        mask = self.mask.reshape(-1, *self.mask.shape[-2:])[..., : k.size(1)]
        if mask.dtype == torch.bool:
            return scores.masked_fill(~mask, -math.inf)
        return torch.where(mask > HIDDEN, scores + mask, -math.inf)


class Walker:
    """The hooks of one run. `forced` are inputs and outputs of layers that take the place of its own."""

    def __init__(self, model: torch.nn.Module, forced: Mapping[str, torch.Tensor], noise: float) -> None:
        self.forced, self.noise = forced, noise
        self.inside: list[str] = []
        self.busy = False  #: within an attention that is recorded already
        lists = layers_of(model)
        for called in [called for called, path in lists.items() if f"{called}.0.input" in forced]:
            count = len(list(model.get_submodule(lists[called]).children()))
            if f"{called}.{count - 1}.input" not in forced or f"{called}.{count}.input" in forced:
                del lists[called]  # not as many, as where an attention and an MLP are one each
        named = Namer(lists)
        self.model = model
        self.names = {module: named(name) for name, module in model.named_modules() if name}
        self.walk = Walk(named=named, modules={name: module for module, name in self.names.items()})
        self.of_layer = {
            layer: f"{called}.{i}"
            for called, path in lists.items()
            for i, layer in enumerate(model.get_submodule(path).children())
        }
        self._generator = torch.Generator().manual_seed(0)

    def noisy(self, value: torch.Tensor, by_position: bool = False) -> torch.Tensor:
        """With errors of `noise` relative to its largest entry; of queries and keys, to each token's, by position."""
        if not self.noise or not value.is_floating_point() or value.numel() == 0:
            return value
        signs = torch.randint(2, value.shape, generator=self._generator).mul(2).sub(1).to(value)
        if not by_position:
            return value + self.noise * value.abs().max() * signs
        far = (2 * NOISE * (1 + torch.arange(value.size(-2)).to(value))).clamp(min=self.noise)[:, None]
        return value + far * value.abs().amax(-1, keepdim=True) * signs

    def before(self, module: torch.nn.Module, args: Any, kwargs: Any) -> Any:
        self.inside.append(self.names.get(module, ""))
        embeddings = kwargs.get("position_embeddings")
        if embeddings is not None:
            self.walk.angles[self.inside[-1]] = embeddings
        if module not in self.of_layer:
            return None
        name = f"{self.of_layer[module]}.input"
        states = args[0] if args else kwargs.get("hidden_states")
        if not isinstance(states, torch.Tensor):
            return None
        if name in self.walk.steps:
            raise SpecError(
                f"{self.of_layer[module]} is called more than once; expected layers that are called once each"
            )
        self.walk.add(name, states)
        states = self._forced(name, states)
        return ((states, *args[1:]), kwargs) if args else (args, {**kwargs, "hidden_states": states})

    def after(self, module: torch.nn.Module, args: Any, kwargs: Any, out: Any) -> Any:
        name = self.inside.pop()
        if module is self.model:
            whole = output_of(out)
            if whole is not None:
                self.walk.add("output", whole)
        first = out[0] if isinstance(out, tuple) and out else out
        if not name or not isinstance(first, torch.Tensor):
            return None
        turns = "rotary" in name.rpartition(".")[2].lower()
        self.walk.add(name, first)
        first = first if turns else self._forced(self.of_layer.get(module, ""), self.noisy(first))
        if hasattr(out, "_fields"):  # a named tuple
            return out._replace(**{out._fields[0]: first})
        return (first, *out[1:]) if isinstance(out, tuple) else first

    def _forced(self, name: str, own: torch.Tensor) -> torch.Tensor:
        given = self.forced.get(name)
        fitting = None if given is None else aligned(given, own)
        return own if fitting is None else fitting.to(own, copy=True)  # a layer may change it in place

    def attended(
        self,
        states: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
        setting: Setting,
        run: Callable[[torch.Tensor, torch.Tensor, torch.Tensor], tuple[Any, torch.Tensor, torch.Tensor | None]],
    ) -> Any:
        """Records an attention of q, k and v [1, H, T, d], and returns its result.

        run: of these, its result, the output of heads [H, T, d], and weights [1, H, T, T], if it has them.
        """
        name = self.inside[-1] if self.inside else "attention"
        walk, rows = self.walk, rows_of(states[0].size(2)).to(states[0].device)
        walk.attention.append(name)
        walk.settings[name] = setting.scale, setting.cap
        q, k, v = self.noisy(states[0], True), self.noisy(states[1], True), states[2]
        walk.add(f"{name}.queries", q[0])
        walk.add(f"{name}.keys", k[0])
        walk.add(f"{name}.scores", setting.scores(q[0], k[0])[:, rows])
        self.busy = True
        try:
            result, heads, weights = run(q, k, v)
            if weights is None:
                weights = read_weights(lambda one: run(q, k, one)[1], v.new_zeros(*k.shape[:3], v.size(-1)))[None]
        finally:
            self.busy = False
        walk.add(f"{name}.weights", weights[0][:, rows])
        walk.add(f"{name}.values", v[0])
        walk.add(f"{name}.heads", heads)
        return result
