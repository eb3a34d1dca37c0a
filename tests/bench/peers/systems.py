"""The systems asked, each as a process that reads one question and prints RESULT and the answer, or nothing like it."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grammar import GIAC, MAXIMA, SYMPY, translate
from questions import Limit, Question

HERE = Path(__file__).parent


@dataclass(frozen=True)
class System:
    name: str
    version: Callable[[], str]
    start: Callable[[Path], list[str]]  # the command for no question at all: what starting costs
    ask: Callable[[Question | Limit, Path], list[str]]  # given a folder for files


def _debian_version(package: str) -> Callable[[], str]:
    def version() -> str:
        command = ["dpkg-query", "-W", "-f=${Version}", package]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    return version


def _sympy_version() -> str:
    import sympy

    return sympy.__version__


def _sympy(script: str) -> dict:
    program = [sys.executable, str(HERE / script)]
    return {
        "version": _sympy_version,
        "start": lambda folder: program,
        "ask": lambda question, folder: [*program, translate(question.exponent, SYMPY), str(question.first)],
    }


def _script(folder: Path, rules: str, question: str) -> str:
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=Path(rules).suffix, delete=False) as file:
        file.write((HERE / rules).read_text() + question)
    return file.name


def _maxima(folder: Path, rules: str, question: str) -> list[str]:
    return ["maxima", "--very-quiet", "-b", _script(folder, rules, question)]


def _giac(folder: Path, rules: str, question: str) -> list[str]:
    return ["icas", _script(folder, rules, question)]


def _sympy_limit(limit: Limit, folder: Path) -> list[str]:
    return [sys.executable, str(HERE / "sympy_limit.py"), translate(limit.text, SYMPY), *["sequence"] * limit.sequence]


def _giac_limit(limit: Limit, folder: Path) -> list[str]:
    assumed = "assume(n,integer)" if limit.sequence else "assume(n>10)"
    return _giac(folder, "limit.giac", f'{assumed};\nconcat("RESULT ",answer({translate(limit.text, GIAC)}))\n')


def _maxima_limit(limit: Limit, folder: Path) -> list[str]:
    declared = "declare(n, integer)$\n" if limit.sequence else ""
    return _maxima(
        folder, "limit.mac", f'{declared}assume(n > 10)$\nprint("RESULT", answer({translate(limit.text, MAXIMA)}))$\n'
    )


SYSTEMS = [
    System(name="SymPy, limits down the ladder", **_sympy("sympy_ladder.py")),
    System(name="SymPy, Sum.is_convergent", **_sympy("sympy_sum.py")),
    System(
        "Giac, limits down the ladder",
        _debian_version("xcas"),
        lambda folder: _giac(folder, "ladder.giac", ""),
        lambda q, folder: _giac(folder, "ladder.giac", f'concat("RESULT ",decide({translate(q.exponent, GIAC)}))\n'),
    ),
    System(
        "Maxima, limits down the ladder",
        _debian_version("maxima"),
        lambda folder: _maxima(folder, "ladder.mac", ""),
        lambda q, folder: _maxima(folder, "ladder.mac", f'print("RESULT", decide({translate(q.exponent, MAXIMA)}))$\n'),
    ),
]
LIMIT_SYSTEMS = [
    System("SymPy", _sympy_version, lambda folder: [sys.executable, str(HERE / "sympy_limit.py")], _sympy_limit),
    System("Giac", _debian_version("xcas"), lambda folder: _giac(folder, "limit.giac", ""), _giac_limit),
    System("Maxima", _debian_version("maxima"), lambda folder: _maxima(folder, "limit.mac", ""), _maxima_limit),
]
