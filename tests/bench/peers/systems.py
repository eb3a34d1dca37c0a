"""The systems asked, each as a process that reads one question and prints RESULT conv, RESULT div, or neither."""

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from grammar import GIAC, MAXIMA, SYMPY, translate
from questions import Question

HERE = Path(__file__).parent


@dataclass(frozen=True)
class System:
    name: str
    version: Callable[[], str]
    start: Callable[[Path], list[str]]  # the command for no question at all: what starting costs
    ask: Callable[[Question, Path], list[str]]  # given a folder for files


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
    return {"version": _sympy_version, "start": lambda folder: program,
            "ask": lambda question, folder: [*program, translate(question.exponent, SYMPY), str(question.first)]}


def _script(folder: Path, rules: str, question: str) -> str:
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=Path(rules).suffix, delete=False) as file:
        file.write((HERE / rules).read_text() + question)
    return file.name


def _maxima(folder: Path, question: str) -> list[str]:
    return ["maxima", "--very-quiet", "-b", _script(folder, "ladder.mac", question)]


def _giac(folder: Path, question: str) -> list[str]:
    return ["icas", _script(folder, "ladder.giac", question)]


SYSTEMS = [
    System(name="SymPy, limits down the ladder", **_sympy("sympy_ladder.py")),
    System(name="SymPy, Sum.is_convergent", **_sympy("sympy_sum.py")),
    System("Giac, limits down the ladder", _debian_version("xcas"), lambda folder: _giac(folder, ""),
           lambda q, folder: _giac(folder, f'concat("RESULT ",decide({translate(q.exponent, GIAC)}))\n')),
    System("Maxima, limits down the ladder", _debian_version("maxima"), lambda folder: _maxima(folder, ""),
           lambda q, folder: _maxima(folder, f'print("RESULT", decide({translate(q.exponent, MAXIMA)}))$\n')),
]
