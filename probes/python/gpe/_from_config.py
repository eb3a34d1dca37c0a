"""A Hugging Face config.json as encodings."""

from __future__ import annotations

import os
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpe._programs import run
from gpe._specs import file_of

if TYPE_CHECKING:
    from transformers import PretrainedConfig


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

    @property
    def spec(self) -> dict[str, Any]:
        """The encoding as a dict, for every function that takes one."""
        return tomllib.loads(self.toml)


def from_config(config: str | os.PathLike[str] | PretrainedConfig) -> list[ModelEncoding]:
    """The encodings that a config.json (or the folder that holds it) asks for, one for each kind of layers.

    Frequencies of every rope type, ALiBi, buckets, windows, soft caps, sinks, scales and temperatures, as the code of
    transformers reads them; it is `check-properties --show-encoding`.

    Args:
        config: a path, or a model's `config`.

    Raises gpe.SpecError for a model_type that is not known, for a key that is missing or wrong, and for what is no function of a
    distance.
    """
    if hasattr(config, "to_json_file"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "config.json"
            config.to_json_file(path)
            return from_config(path)
    shown = run("check-properties", [str(file_of(Path(config))), "--show-encoding"])
    return [ModelEncoding(**{**one, "layers": tuple(one["layers"])}) for one in shown["encodings"]]
