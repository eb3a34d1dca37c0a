"""Gates along the path, as a trained model computes them: head by head, what theorem P2 asks for."""
# Tests: tests/python/test_gates.py

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch

from gpe._errors import Error, SpecError
from gpe._plots.drawn import Drawn
from gpe._programs import version
from gpe._tables import text_table
from gpe._torch.modes import evaluating

#: A mean and its threshold are taken to differ when at least so many standard errors lie between them.
_ERRORS = 3


@dataclass(frozen=True)
class GateStatistics:
    """The gates g of one head, in nats: what a token adds to the scores of all keys before it."""

    layer: int  #: from 1, in the order in which gates were computed
    name: str  #: of the module
    head: int  #: from 1
    low: float  #: the least gate seen
    high: float  #: the largest
    mean: float  #: E g
    mean_error: float  #: its standard error, between texts; NaN for one text
    mean_exp: float  #: E e^g
    mean_exp_error: float

    @property
    def almost_surely(self) -> str:
        """Of Z and H, almost surely: "finite" if E g < 0, Z is "infinite" if E g > 0, by three
        standard errors; else "undecided".

        For stationary, ergodic gates, no bias, and contents within a bound (P2).
        """
        return _side(self.mean, self.mean_error)

    @property
    def expected(self) -> str:
        """Of E Z: "finite" if E e^g < 1, "infinite" if E e^g > 1, likewise; for gates that are
        independent, and so of the content, too."""
        return _side(self.mean_exp - 1, self.mean_exp_error)


class GateReport(Drawn, list[GateStatistics]):
    """The gates of every head, layer by layer."""

    def __init__(self, model: str, batch: int, tokens: int) -> None:
        super().__init__()
        self.model, self.batch, self.tokens = model, batch, tokens

    def to_dict(self) -> dict[str, Any]:
        """What json.dumps takes: one entry per head, with the fields of GateStatistics; an error of
        one text is None, a gate of -inf "-inf"."""

        def plain(value: Any) -> Any:
            if isinstance(value, float) and not math.isfinite(value):
                return None if math.isnan(value) else str(value)
            return value

        return {
            "schema": 1,
            "generator": {"program": "gpe.probe_gates", "version": version()},
            "model": self.model,
            "batch": self.batch,
            "tokens": self.tokens,
            "heads": [
                {name: plain(value) for name, value in asdict(one).items()}
                | {"almost_surely": one.almost_surely, "expected": one.expected}
                for one in self
            ],
        }

    def __str__(self) -> str:
        columns = ["layer", "head", "least gate", "largest gate", "E g", "E e^g", "Z and H, almost surely", "E Z"]
        rows = [
            [
                str(one.layer),
                str(one.head),
                f"{one.low:.4g}",
                f"{one.high:.4g}",
                f"{one.mean:.4g} ± {one.mean_error:.2g}",
                f"{one.mean_exp:.4g} ± {one.mean_exp_error:.2g}",
                one.almost_surely,
                one.expected,
            ]
            for one in self
        ]
        return f"{self.model}: {self.batch} x {self.tokens} tokens\n" + text_table([columns, *rows])


def _side(distance: float, error: float) -> str:
    if distance + _ERRORS * error < 0:
        return "finite"
    return "infinite" if distance - _ERRORS * error > 0 else "undecided"


def probe_gates(
    model: torch.nn.Module,
    input_ids: torch.Tensor | Sequence[Sequence[int]],
    module: str,
    *,
    log_gate: Callable[[torch.Tensor], torch.Tensor] = torch.nn.functional.logsigmoid,
    **options: Any,
) -> GateReport:
    """The least and the largest gate, E g and E e^g of every head, over the tokens of some texts.

    Args:
        model: called as `model(input_ids, **options)`, in eval().
        input_ids: texts of one length, [B, T]; standard errors are between texts, so a single one decides nothing.
        module: how the names of those modules end whose outputs, [B, T, heads], give the gates ("fgate_proj").
        log_gate: g from such an output: by default its log σ, as in FoX; `lambda x: -softplus(x)` in CABLE.

    Raises:
        SpecError: no module is called so, or its output has another shape; Error: gates that are not numbers.
    """
    try:
        texts = torch.as_tensor(input_ids)
    except ValueError as error:
        raise SpecError("input_ids: expected texts of one length, [B, T]") from error
    if texts.dim() != 2 or texts.numel() == 0:
        raise SpecError(f"input_ids: expected texts [B, T], not {list(texts.shape)}")
    modules = {
        name: one for name, one in model.named_modules() if (name == module or name.endswith("." + module)) and module
    }
    if not modules:
        raise SpecError(f"module: no module of {type(model).__name__} has a name that ends with '{module}'")
    seen = GateReport(type(model).__name__, texts.size(0), texts.size(1))

    def look(name: str, output: Any) -> None:
        if not isinstance(output, torch.Tensor) or output.dim() != 3 or output.shape[:2] != texts.shape:
            shape = list(output.shape) if isinstance(output, torch.Tensor) else type(output).__name__
            raise SpecError(f"{name}: expected an output [{texts.size(0)}, {texts.size(1)}, heads], not {shape}")
        gates = log_gate(output.double())
        if gates.shape != output.shape or not gates.is_floating_point() or gates.size(2) == 0:
            raise SpecError(
                f"log_gate of {name}: expected real numbers {list(output.shape)} of one head or more, "
                f"not {gates.dtype} {list(gates.shape)}"
            )
        if bool(gates.isnan().any()) or bool((gates == torch.inf).any()):
            raise Error(f"{name}: gates are not numbers (NaN or infinite)")
        means, exps = gates.mean(1), gates.exp().mean(1)  # of each text
        layer = seen[-1].layer + 1 if seen else 1
        for head in range(gates.size(2)):
            (mean, mean_error), (mean_exp, exp_error) = (_mean_of(one[:, head]) for one in (means, exps))
            seen.append(
                GateStatistics(
                    layer,
                    name,
                    head + 1,
                    float(gates[..., head].min()),
                    float(gates[..., head].max()),
                    mean,
                    mean_error,
                    mean_exp,
                    exp_error,
                )
            )

    hooks = [
        one.register_forward_hook(lambda _, __, output, name=name: look(name, output)) for name, one in modules.items()
    ]
    weight = next(model.parameters(), texts)
    try:
        with evaluating(model), torch.no_grad():
            model(texts.to(weight.device), **options)
    finally:
        for hook in hooks:
            hook.remove()
    if not seen:
        raise Error(
            f"{type(model).__name__} has no gates from '{module}': it was not called, "
            "or what it gave was refused in the model"
        )
    return seen


def _mean_of(values: torch.Tensor) -> tuple[float, float]:
    """The mean of one value a text, and its standard error."""
    if values.numel() < 2:
        return float(values.mean()), float("nan")
    return float(values.mean()), float(values.std() / values.numel() ** 0.5)
