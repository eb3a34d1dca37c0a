"""Runs the programs that the package brings, and turns their exit codes into exceptions."""
# Tests: tests/python/package_parts_test.py

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn, cast

from gpe._errors import Error, RequirementError, SpecError
from gpe._hub import config_file, is_id
from gpe._specs import CLONE, PACKAGE, Spec, file_of, toml_of


def option_arguments(options: Mapping[str, Any]) -> list[str]:
    """head_dim=64, epsilon=["1e-2", "1e-3"], set={"m": "1/2"} as --head-dim 64 --epsilon 1e-2,1e-3 --set m=1/2."""
    result = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")  # as_ is --as, a word of Python's
        if value is None or value is False:
            continue
        if value is True:
            result.append(flag)
        elif isinstance(value, Mapping):
            result += [part for key, item in value.items() for part in (flag, f"{key}={_text(item)}")]
        elif isinstance(value, (list, tuple)):
            result += [flag, ",".join(_text(item) for item in value)]
        else:
            result += [flag, _text(value)]
    return result


def _text(value: Any) -> str:
    if isinstance(value, (str, int, float, Fraction)):
        return str(value)
    if isinstance(value, os.PathLike):
        path: str = os.fspath(value)
        return path
    raise SpecError(f"expected a number or text, not {type(value).__name__}")


def argument_of(spec: Spec) -> tuple[str, str | None]:
    """How a program is told of an encoding: its argument, and what it reads from standard input."""
    if isinstance(spec, Mapping):
        return "-", toml_of(spec)
    if isinstance(spec, (str, os.PathLike)):
        name = file_of(spec) or os.fspath(spec)
        if isinstance(spec, str) and is_id(name):
            return config_file(name), None
        if name.startswith("-"):
            raise SpecError(f"'{name}' is an option, not an encoding; expected a built-in name, a path or a dict")
        return name, None
    raise SpecError(f"an encoding is a name, a path or a dict, not {type(spec).__name__}")


def several_arguments(specs: Spec | Sequence[Spec]) -> tuple[list[str], str | None]:
    """The same of one encoding or of several; one of them may be a dict."""
    several = specs if isinstance(specs, (list, tuple)) else [cast("Spec", specs)]
    told = [argument_of(spec) for spec in several]
    given = [text for _, text in told if text is not None]
    if len(given) > 1:
        raise SpecError("of several encodings one may be a dict; write the others to files")
    return [argument for argument, _ in told], given[0] if given else None


def program_path(program: str) -> Path:
    """The program in the folder that GPE_PROGRAMS names, in the package, beside the command gpe, in a build of the
    clone that holds this package, or else on the PATH."""
    chosen = [Path(os.environ[name]) for name in ("GPE_PROGRAMS", "GPE_BIN") if os.environ.get(name)]
    clone = [CLONE / "build" / "bin"] if CLONE else []
    folders = [*chosen[:1], PACKAGE / "bin", *chosen[1:], *clone]
    found = next((path for path in (folder / program for folder in folders) if path.exists()), shutil.which(program))
    if found is None:
        raise Error(
            f"{program} is neither in the package gpe nor on the PATH; in a clone of the project, "
            "./setup.sh --model && cmake --workflow --preset model builds all programs, in build/bin"
        )
    return Path(found)


#: What builds the library of torch operators, in a clone.
WHEEL = "cmake --workflow --preset model, or pip install --no-build-isolation './probes/python[probe,table]'"


def operators_library() -> Path:
    """Where the library of torch operators is: in the package, or else in the build whose programs GPE_PROGRAMS names,
    or in that of the clone; it may be absent."""
    builds = [Path(chosen).parent] if (chosen := os.environ.get("GPE_PROGRAMS")) else []
    builds += [CLONE / "build"] if CLONE else []
    folders = [PACKAGE, *(build / "probes" / "python" for build in builds)]
    found = (folder / "libgpe_operators.so" for folder in folders)
    return next((path for path in found if path.is_file()), PACKAGE / "libgpe_operators.so")


def help_of(program: str, typed: str) -> str:
    """What the program's --help prints, its usage line as it was typed: `gpe check`."""
    return re.sub(rf"(?m)^Usage: (\S*/)?{program} ", f"Usage: {typed} ", text_of(program, ["--help"]))


def replace_by(program: str | Path, arguments: Sequence[str], typed: str = "") -> NoReturn:
    """Becomes the program, whose messages begin with what was typed; where it is one in Python (prepare-data), this
    Python runs it."""
    os.environ.setdefault("GPE_PYTHON", sys.executable)
    sys.stdout.flush()
    os.execv(program, [typed or str(program), *arguments])


def command() -> NoReturn:
    """The program of the wheel by whose name this was called."""
    replace_by(PACKAGE / "bin" / Path(sys.argv[0]).name, sys.argv[1:])


def version() -> str:
    """Of the command gpe in a build, of the clone that holds this package, or of the installed package; "0" where none
    is known."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    if os.environ.get("GPE_VERSION"):
        return os.environ["GPE_VERSION"]
    if CLONE:
        stated = re.search(r"project\(gpe VERSION ([0-9.]+)", (CLONE / "CMakeLists.txt").read_text(encoding="utf-8"))
        return stated[1] if stated else "0"
    try:
        return installed("gpe")
    except PackageNotFoundError:
        return "0"


def run(program: str, arguments: Sequence[str], given: str | None = None, also: Sequence[int] = ()) -> Any:
    """The JSON that a program prints. SpecError for exit code 2, RequirementError for 3, Error for the rest, but for
    those that `also` names."""
    printed = text_of(program, ["--format", "json", *arguments], given, also)
    try:
        return json.loads(printed)
    except json.JSONDecodeError:
        raise SpecError(f"{' '.join(arguments)}: {program} printed no report; expected options of a report") from None


def with_curves(arguments: Sequence[str], points: int, given: str | None = None) -> Any:
    """The report of check-properties with the points that pictures show; without them where weights are not those of
    softmax, which have none."""
    try:
        return run("check-properties", [*arguments, "--curves", str(points)], given)
    except SpecError:
        return run("check-properties", arguments, given)  # says what else is wrong


def text_of(program: str, arguments: Sequence[str], given: str | None = None, also: Sequence[int] = ()) -> str:
    """What a program prints; exceptions as for run."""
    done = ended(program, arguments, given)
    message = done.stderr.strip().removeprefix(f"{program}: ")
    if done.returncode == 0 or done.returncode in also:
        return done.stdout
    if done.returncode == 2:
        raise SpecError(message)
    if done.returncode == 3:
        raise RequirementError(message, json.loads(done.stdout))
    raise Error(f"{program} ended with exit code {done.returncode}: {message}")


def ended(program: str, arguments: Sequence[str], given: str | None = None) -> subprocess.CompletedProcess[str]:
    """Exit code and output of a program. SpecError for text that no program can be given."""
    command: list[str | Path] = [program_path(program), *arguments]
    try:
        return subprocess.run(command, input=given or "", text=True, capture_output=True, encoding="utf-8", check=False)
    except ValueError as error:
        raise SpecError(f"{error}; expected text without NUL and surrogates") from error
