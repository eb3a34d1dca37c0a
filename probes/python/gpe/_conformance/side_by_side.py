# Tests: tests/checks/departure_test.py
"""Two models, or a model and the stored steps of another, walked side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gpe._conformance.ports import NotConforming
from gpe._errors import SpecError


def model(port: Any, reference: Any, prompt: Any, *, names: Mapping[str, str] | None = None) -> list[str]:
    """Walks two models of torch side by side, and returns the names of the steps that were compared.

    Each layer of the port gets the input that the reference's has, and so every faulty layer is found. Both run in
    float64, with their own weights, and what they ask of float32 is float64 too. The allowance of a step is measured: 8
    times what errors of 2^-23 in every module, and of queries and keys in proportion to the position, do to it. Last,
    the port runs in its own precision, in which errors of queries and keys must not grow with the position.

    port, reference: models, or one of them its steps as `steps` has them, stored as tensors: their rounding is that of
        their dtype, and of a stored port the first wrong step is told alone.
    prompt: tokens, [T] or [1, T], longer than the windows that are to be seen to end; or keywords of both models.
    names: where the port's modules are called otherwise, their names by the reference's steps, {} for the number of the
        layer: {"layers.{}.mlp": "blocks.{}.ff"}. Attention is matched by its order.

    Raises NotConforming with the first step of each layer that differs by more than rounding, and the kind of fault.
    """
    from gpe._conformance.departure import Walked, precision_faults

    walked = Walked(port, reference, prompt, names or {})
    compared = walked.compared()
    if not compared:
        raise SpecError(
            "port and reference have no step in common; expected names=, such as {'layers.{}': 'blocks.{}'}"
        )
    found = list(walked.departures())
    if not found and walked.port_model is not None:
        found = list(precision_faults(walked, port, prompt))
    if found:
        label = type(port).__name__ if walked.port_model is not None else "port"
        raise NotConforming(
            f"{label}: " + "\n".join(by_layer([(one.layer, f"{one.step_in_layer}: {one.fault}") for one in found]))
        )
    return compared


def steps(model: Any, prompt: Any) -> dict[str, Any]:
    """What each step of a model gives, as tensors in float64 that can be stored, by the names that `model` compares."""
    from gpe._conformance.walk import walk

    return walk(model, prompt).steps


def by_layer(faults: list[tuple[int, str]]) -> list[str]:
    """Those that differ in numbers alone are one line; layer 0 is before the layers, or after them, and those below are
    of an encoder beside a decoder."""
    alike: dict[tuple[int, str], list[tuple[int, str]]] = {}
    for layer, fault in faults:
        alike.setdefault(((layer > 0) - (layer < 0), re.sub(r"-?[\d.]+(e-?\d+)?", "", fault)), []).append(
            (layer, fault)
        )
    return [
        f"{'encoder: ' * (found[0][0] < 0)}layer{'s' * (len(found) > 1)} "
        f"{', '.join(str(abs(layer)) for layer, _ in found)}: {found[0][1]}"
        if found[0][0]
        else found[0][1]
        for found in alike.values()
    ]
