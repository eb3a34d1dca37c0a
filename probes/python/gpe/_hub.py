# Tests: tests/python/hub_test.py
"""Models of the Hugging Face hub by their ids: the config.json alone, from the cache of transformers or by its API."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from gpe._errors import SpecError

_ID = re.compile(r"(?=.*[A-Za-z].*/)[A-Za-z0-9][\w.-]*/(?=[\w.-]*[A-Za-z])[\w.-]+")
_FILES = (".toml", ".json", ".gguf", ".txt")


def is_id(text: str) -> bool:
    """Whether this is `org/name`, and not a path: there is no such file, and no folder `org`."""
    path = Path(text)
    return bool(_ID.fullmatch(text)) and path.suffix not in _FILES and not path.exists() and not path.parent.is_dir()


def config_file(name: str) -> str:
    """The path of a model's config.json in the cache, fetched if it is not there. SpecError where it cannot be had."""
    try:
        from transformers.utils.hub import cached_file
    except ImportError:
        raise SpecError(
            f"'{name}': no such file or folder; as a model of the Hugging Face hub it needs transformers "
            "(pip install transformers)"
        ) from None
    try:
        found = cached_file(name, "config.json")
    except OSError as error:
        raise SpecError(f"'{name}': {_reason(name, error)}") from error
    if found is None:
        raise SpecError(f"'{name}' has no config.json on the hub; expected the path of one")
    return str(found)


def _reason(name: str, error: BaseException) -> str:
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    where = f"hf download {name} config.json"
    if any(isinstance(one, GatedRepoError) for one in causes):
        return f"its terms are to be accepted on its page of the hub; then hf auth login, and {where}"
    if any(isinstance(one, RepositoryNotFoundError) for one in causes):
        return "no such file or folder, and no such model of the Hugging Face hub that can be read"
    return (
        "no such file or folder, its config.json is not in the cache of transformers, and the hub is not reached; "
        f"where there is a network: {where}; or expected the path of a config.json"
    )


def with_files(words: Sequence[str], taking: Sequence[str]) -> list[str]:
    """The words of a command line, ids as the paths of their config.json. taking: options that a value follows."""
    return [
        config_file(word) if is_id(word) and (place == 0 or words[place - 1] not in taking) else word
        for place, word in enumerate(words)
    ]
