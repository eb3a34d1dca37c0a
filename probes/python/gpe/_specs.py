"""Encodings as Python gives them: a built-in name, a path, or a dict of the TOML file's keys."""
# Tests: tests/python/test_check.py

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpe._errors import SpecError, meant

Spec = str | os.PathLike[str] | Mapping[str, Any]

PACKAGE = Path(__file__).resolve().parent

#: The clone of the project whose sources this package is; None where it is installed.
CLONE = PACKAGE.parents[2] if (PACKAGE.parent / "make_wheel.py").is_file() else None


def encodings_folder() -> Path:
    """The folder of the built-in encodings: $GPE_ENCODINGS, else that of the clone, of the wheel, or beside the
    installed package (share/gpe/python)."""
    chosen = os.environ.get("GPE_ENCODINGS")
    if chosen:
        return Path(chosen)
    if CLONE:
        return CLONE / "theory" / "encodings"
    of_wheel = PACKAGE / "share" / "gpe" / "encodings"
    return of_wheel if of_wheel.is_dir() else PACKAGE.parents[1] / "encodings"


def softmax_names() -> list[str]:
    """Built-in encodings whose weights are a softmax of functions of n: without gates, a bias of
    the query, or another normalizer."""
    scores = {
        file.stem: tomllib.loads(file.read_text(encoding="utf-8"))["score"]
        for file in encodings_folder().glob("*.toml")
    }
    return sorted(name for name, score in scores.items() if not score.keys() & {"path", "query", "normalizer"})


@dataclass(frozen=True)
class Source:
    """The text of an encoding, the name that messages give it, and the folder of its tables."""

    text: str
    name: str
    folder: str


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_value(item)}" for key, item in value.items()) + "}"
    return repr(value)  # a float is refused where it is read, with what to write instead


def toml_of(spec: Mapping[str, Any]) -> str:
    """The TOML text of a dict with the keys of an encoding file; `schema` and `name` may be left out."""
    document = {"schema": 1, "name": "custom", **spec}
    lines = [f"{key} = {_value(value)}" for key, value in document.items() if not isinstance(value, Mapping)]
    for key, table in document.items():
        if isinstance(table, Mapping):
            lines += ["", f"[{key}]"] + [f"{json.dumps(str(name))} = {_value(value)}" for name, value in table.items()]
    return "\n".join(lines) + "\n"


def file_of(spec: str | os.PathLike[str]) -> str | None:
    """The path, when this names a file: a path object, or text with a slash or that ends in .toml. Other text is a
    built-in name, whatever lies in the current folder."""
    text = os.fspath(spec)
    if not isinstance(spec, str) and os.sep not in text:
        return os.path.join(os.curdir, text)
    return text if os.sep in text or text.endswith(".toml") else None


def source_of(spec: Spec) -> Source:
    """Reads what names an encoding. SpecError when it is neither a built-in name nor a file nor a dict."""
    if isinstance(spec, Mapping):
        return Source(toml_of(spec), str(spec.get("name", "custom")), os.getcwd())
    if not isinstance(spec, (str, os.PathLike)):
        raise SpecError(f"an encoding is a name, a path or a dict, not {type(spec).__name__}")
    file = file_of(spec)
    if file is not None:
        path = Path(file)
    else:
        text = os.fspath(spec)
        path = encodings_folder() / f"{text}.toml"
        if not path.is_file():
            names = [file.stem for file in encodings_folder().glob("*.toml")]
            raise SpecError(f"'{text}' is neither a built-in encoding nor a file{meant(text, names)}")
    try:
        return Source(path.read_text(encoding="utf-8"), str(path), str(path.parent))
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"{path}: {error}") from error


def names_in(spec: Spec, *keys: str) -> set[str]:
    """The names in the formulas of [score] under these keys, or in all formulas and defaults of the file: what a part
    may depend on at any head. "tables", where the file has any, is one of the latter."""
    document = tomllib.loads(source_of(spec).text)
    score = document.get("score", {})
    found = (
        [score.get(key, "") for key in keys]
        if keys
        else [score, document.get("parameters", {}), "tables" * ("tables" in document)]
    )
    return set(re.findall(r"[A-Za-z_]\w*", " ".join(_texts(found))))


def _texts(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [text for item in value.values() for text in _texts(item)]
    return [text for item in value for text in _texts(item)] if isinstance(value, list) else [str(value)]
