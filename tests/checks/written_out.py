"""Decoders whose attention is written out, without a rotary embedding that can be asked alone: the scores of a small
model of equal tokens, held against the encodings of check-properties."""

import importlib
import json
import re
import tomllib

import numpy
import readings
import torch
import wheel
from transformers import CONFIG_MAPPING

from gpe._conformance.walk import walk

TOKENS = 300  # beyond the last bucket


def model_of(decoder, keys):
    """The decoder alone, of random weights."""
    for file, name, _ in wheel.reached(decoder):
        if re.search("(?<!PreTrained)Model$|Stack$", name):
            home = importlib.import_module(f"transformers.models.{file.parent.name}.{file.stem}")
            kind = getattr(home, name)
            if not issubclass(kind, torch.nn.Module) or name == "UdopModel":
                continue
            config = CONFIG_MAPPING[decoder](**json.loads(json.dumps(keys)))
            config.is_decoder, config.initializer_range = True, 0.02
            config.num_layers = getattr(config, "num_decoder_layers", None) or config.num_hidden_layers
            torch.manual_seed(0)
            return kind(config)
    raise ValueError("no model")


def scores_of(model, tokens):
    """By attention: heads x distances, from the last query."""
    found = walk(model, torch.full((tokens,), 3))
    return {at: found.steps[f"{at}.scores"][:, -1].flip(-1).numpy() for at in found.attention}


def by_head(toml, head, head_dim):
    names = {"d": float(head_dim)}
    for name, parameter in toml.get("parameters", {}).items():
        value = parameter["default"]
        value = value[head] if isinstance(value, list) and len(value) > 1 else value
        names[name] = float(readings.formula(value if isinstance(value, str) else value[0])({}))
    return names | {name: lambda at: at for name in toml.get("tables", {})}  # the number of the bucket


def fault_of_head(one, toml, head, scores):
    n = numpy.arange(len(scores), dtype=float)
    seen = numpy.isfinite(scores)
    if (expected := n < (one.window or len(scores))).tolist() != seen.tolist():
        return f"{seen.sum()} keys are seen; expected {expected.sum()}"
    rest = scores - scores[0]
    if "bias" in toml["score"]:
        bias = readings.formula(toml["score"]["bias"])(by_head(toml, head, one.head_dim) | {"n": n, "L": n[-1]})
        bias = bias * numpy.ones_like(n)
        if "tables" in toml:
            same = numpy.isclose(rest[1:], rest[:-1], rtol=0, atol=1e-9)
            wrong = (same != (bias[1:] == bias[:-1])).nonzero()[0]
        else:
            wrong = (abs(rest - bias + bias[0]) > 1e-5 * abs(bias).max()).nonzero()[0]
        return f"another bias at distance {wrong[0]}" if len(wrong) else None
    angles = n[:, None] * numpy.unique(one.frequencies(0))
    columns = numpy.concatenate([numpy.cos(angles), numpy.sin(angles), numpy.ones((len(n), 1))], 1)
    fit = columns @ numpy.linalg.lstsq(columns, scores, rcond=None)[0]
    worst = abs(fit - scores).max() / max(abs(rest).max(), 1e-30)
    return f"scores are not those of its frequencies, by {worst:.2g}" if worst > 1e-4 else None


def fault_of(program, decoder, keys):
    """Where a small model and its encodings differ."""
    model = model_of(decoder, keys)
    with torch.no_grad():
        for name, value in model.named_parameters():
            if "position" not in name:
                value += (10 if "relative" in name else 0.1) * torch.rand_like(value)
    ours, scores = program.readings([keys])[0], list(scores_of(model, TOKENS).items())
    if isinstance(ours, str):
        return f"refused: {ours}"
    for one in ours:
        toml = tomllib.loads(one.text)
        # Where values turn too, equal tokens have equal states in the first layer alone.
        for layer in one.layers[: 1 if keys.get("rotary_value") else None]:
            at, of_heads = scores[layer - 1]
            if len(of_heads) != one.heads:
                return f"layer {layer}: {one.heads} heads; expected {len(of_heads)}"
            plain = readings.scale_of(model.get_submodule(at)) if at in dict(model.named_modules()) else None
            expected = None if plain is None else plain * one.head_dim**0.5
            if expected is not None and abs(one.factor(0, 0) - expected) > 4e-6 * expected:
                return f"layer {layer}: the factor of q'k/sqrt(d) is {one.factor(0, 0):.9g}; expected {expected:.9g}"
            for head, of_head in enumerate(of_heads):
                if fault := fault_of_head(one, toml, head, of_head):
                    return f"layer {layer}, head {head + 1}: {fault}"
    return None
