"""What a new user asks for first: the list of encodings, a file to begin with, and which parts are installed."""
# Tests: tests/python/gpe_command_test.py

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from importlib.util import find_spec
from pathlib import Path

from gpe._errors import Error, SpecError, meant
from gpe._programs import WHEEL, operators_library, program_path, version
from gpe._specs import PACKAGE, encodings_folder
from gpe._tables import text_table

_NEW = """\
# The score of a key n tokens before the query: A(n) = gain(n) * q^T W(n) k / sqrt(d) + bias(n).
#   gpe check {file}                          verdicts and certified numbers
#   gpe check {file} --symbolic beta          for which beta they hold
#   gpe check alibi {file} --plot {stem}.png  beside another encoding, as a picture
schema = 1
name = {name}
title = "One line on the idea"

[parameters]  # exact: an integer, "1/48", "0.1", or an expression in h (the head, from 1), heads, layer, layers, d
beta = {{ default = "3/2", domain = "beta >= 0", doc = "penalty of log(1 + n)" }}

[score]
bias = "-beta*log(1 + n)"  # in n, the distance in tokens; with log exp sqrt abs min max floor if(n < 4, 0, 1) ...
transform = "rotation"     # of query and key; "identity" where positions act by the bias alone
# gain = "1/(1 + n/100)"   # factor of the content; 1 where it is left out
# window = "4096"          # keys that are seen; all of them where it is left out

[score.rotation]           # only with transform = "rotation"
angle = "10000^(-2*j/d)*n"  # of block j, from 0 to d/2 - 1
"""

_PROGRAMS = "./setup.sh && cmake --workflow --preset main"
_MODELS = "./setup.sh --model && cmake --workflow --preset model"


def encodings() -> dict[str, str]:
    """The built-in encodings: {name: title}, in the order of their names.

    Raises:
        Error: the folder of the built-in encodings is absent.
    """
    files = sorted(encodings_folder().glob("*.toml"), key=lambda file: file.stem)
    if not files:
        raise Error(f"{encodings_folder()}: no built-in encodings; GPE_ENCODINGS may name their folder")
    return {file.stem: str(tomllib.loads(file.read_text(encoding="utf-8")).get("title", "")) for file in files}


def listed(word: str = "") -> str:
    """One line per built-in encoding whose name or title contains `word`. SpecError where there is none."""
    known = encodings()
    found = [(name, title) for name, title in known.items() if word.lower() in f"{name} {title}".lower()]
    if not found:
        near = meant(word, known, "; gpe list shows all of them")
        raise SpecError(f"list '{word}': no built-in encoding has it in its name or title{near}")
    return text_table(found) + "\n"


def shown(name: str) -> str:
    """The TOML file of a built-in encoding. SpecError where the name is unknown."""
    known = encodings()
    if name not in known:
        raise SpecError(f"show '{name}': not a built-in encoding{meant(name, known, '; see gpe list')}")
    return (encodings_folder() / f"{name}.toml").read_text(encoding="utf-8")


def started(name: str) -> str:
    """Writes NAME.toml, a file with comments that `gpe check` accepts, and says what to do next. SpecError where a
    file of this name exists."""
    path = Path(name if name.endswith(".toml") else f"{name}.toml")
    if not re.fullmatch(r"[a-z0-9_][a-z0-9_.-]{0,63}", path.stem):
        raise SpecError(f"new '{name}': expected a name of up to 64 of a-z, 0-9, '.', '-' and '_', such as my-encoding")
    text = _NEW.format(file=path, stem=path.stem, name=json.dumps(path.stem))
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise SpecError(f"new '{name}': {path} exists; expected another name") from None
    return f"{path}: an encoding to change; its verdicts: gpe check {path}\n"


def doctor() -> str:
    """One line per part: what it does, whether it is there, and the command that installs it where it is not."""
    rows = [("gpe", version(), str(PACKAGE))]
    for what, found, command in _PARTS:
        try:
            rows.append((what, "there", found()))
        except (Error, PackageNotFoundError) as error:
            rows.append((what, "absent", f"{error.args[0].partition(' ')[0]}: {command}"))
    return text_table(rows) + "\n"


def _program(name: str) -> Callable[[], str]:
    return lambda: str(program_path(name))


def _package(name: str, project: str = "") -> Callable[[], str]:
    """A module that can be imported, of a project of another name where one is given."""

    def found() -> str:
        if find_spec(name) is None:
            raise PackageNotFoundError(project or name)
        return f"{project or name} {installed(project or name)}"

    return found


def _torch() -> str:
    """That of ./setup.sh --model is LibTorch alone, and cannot be imported."""
    try:
        import torch
    except (ImportError, OSError) as error:
        raise PackageNotFoundError("torch") from error
    return f"torch {torch.__version__}"


def _built_in() -> str:
    return f"{len(encodings())} in {encodings_folder()}"


def _operators() -> str:
    library = operators_library()
    if not library.is_file():
        raise Error(library.name)
    return str(library)


#: What a part does, how it is found, and what installs it.
_PARTS: list[tuple[str, Callable[[], str], str]] = [
    ("verdicts", _program("check-properties"), _PROGRAMS),
    ("certificates", _program("verify-certificate"), _PROGRAMS),
    ("second verifier", _package("flint", "python-flint"), "pip install python-flint"),
    ("built-in encodings", _built_in, "GPE_ENCODINGS names their folder"),
    ("models", _program("train-tsm"), _MODELS),
    ("heads of models", _program("probe-attention"), _MODELS),
    ("pictures", _package("matplotlib"), "./setup.sh --plots, or pip install matplotlib"),
    ("pages", _package("jinja2"), "./setup.sh --plots, or pip install jinja2"),
    ("attention in torch", _torch, "./setup.sh --tests, or pip install torch"),
    ("operators of torch", _operators, WHEEL),
    ("gpe.probe", _package("transformers"), "pip install transformers"),
    ("to_dataframe", _package("pandas"), "pip install pandas"),
    ("to_sympy", _package("sympy"), "pip install sympy"),
    ("sliders in notebooks", _package("ipywidgets"), "pip install ipywidgets"),
]
