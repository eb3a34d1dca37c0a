"""A Hugging Face config.json as encodings."""
# Tests: tests/python/test_configs.py

from __future__ import annotations

import os
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpe._errors import SpecError
from gpe._hub import config_file, is_id
from gpe._programs import run
from gpe._specs import file_of

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedModel


@dataclass(frozen=True)
class ModelEncoding:
    """What one kind of layers of a model does with positions."""

    name: str
    layers: tuple[int, ...]  #: that have it, from 1
    all_layers: int
    heads: int
    key_heads: int  #: fewer than heads: they share keys and values
    head_dim: int
    toml: str  #: the encoding file
    content_bound: str | None = None  #: B where queries and keys are normed with weights 1, as an expression
    caveat: str | None = None  #: why its scores may be no function of the distance, and where they are one

    @property
    def spec(self) -> dict[str, Any]:
        """The encoding as a dict, for every function that takes one."""
        return tomllib.loads(self.toml)


def from_config(config: str | os.PathLike[str] | PretrainedConfig | PreTrainedModel) -> list[ModelEncoding]:
    """The encodings that a config.json (or the folder that holds it) asks for, one for each kind of layers.

    Frequencies of every rope type, ALiBi, buckets, windows, soft caps, sinks, scales and temperatures, as the code of
    transformers reads them; it is `check-properties --show-encoding`.

    Args:
        config: a path, the id of a model of the Hugging Face hub, a model's `config`, or the model.

    Raises gpe.SpecError for a model_type that is not known, for a key that is missing or wrong,
    and for what is no function of a distance.
    """
    config = getattr(config, "config", config)  # a model has one
    if not isinstance(config, str) and (hasattr(config, "encode") or hasattr(config, "image_processor")):
        raise SpecError(
            f"{type(config).__name__} is a tokenizer or a processor; expected a model's config, "
            "or the path of its config.json"
        )
    if hasattr(config, "to_json_file"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "config.json"
            config.to_json_file(path)
            return from_config(path)
    if not isinstance(config, (str, os.PathLike)):
        raise SpecError(f"expected a model's config, or the path of its config.json, not {type(config).__name__}")
    if isinstance(config, str) and is_id(config):
        config = config_file(config)
    shown = run("check-properties", [str(file_of(Path(config))), "--show-encoding"])
    return [ModelEncoding(**{**one, "layers": tuple(one["layers"])}) for one in shown["encodings"]]
