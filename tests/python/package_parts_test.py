"""What of the wheel can be tested without making one.

python tests/python/package_parts_test.py
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "probes" / "python"


def python(*words, **variables):
    """Exit code and standard error of this Python with the sources' package, where no program is found."""
    done = subprocess.run(
        [sys.executable, "-B", *words],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE), "PATH": "/nowhere"} | variables,
    )
    return done.returncode, done.stderr


def test_every_program_of_the_wheel_is_a_command():
    scripts = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]["scripts"]
    (listed,) = re.findall(r"set\(python_programs ([^)]*)\)", (PACKAGE / "CMakeLists.txt").read_text())
    assert {name for name, home in scripts.items() if home == "gpe._programs:command"} == set(listed.split()), listed


def test_a_program_that_is_not_there_is_one_message():
    code, said = python("-m", "gpe", "train", "--help")
    assert (
        code == 2
        and said.count("\n") == 1
        and said.startswith("gpe: train-tsm is neither")
        and "--preset tests" in said
    ), said


def test_without_torch_the_message_names_the_extra():
    absent = "import sys; sys.modules[{!r}] = None; import gpe; gpe.{}"
    for module, name in (
        ("torch", "probe"),
        ("torch", "attention_statistics"),
        ("transformers", "TrainerCallback"),
        ("torch", "score_mod"),
    ):
        code, said = python("-c", absent.format(module, name))
        last = said.splitlines()[-1]
        assert (
            code == 1
            and last.startswith("gpe._errors.Error: gpe.")
            and f"needs {module}" in last
            and "gpe[probe]" in last
        ), said
    assert python("-c", absent.format("torch", "check"))[0] == 0
    code, said = python("-c", absent.format("torch", "nothing"))
    assert said.splitlines()[-1].startswith("AttributeError"), said


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
