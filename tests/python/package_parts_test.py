"""The parts of the wheel that can be tested without making one.

python tests/python/package_parts_test.py
"""

import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "probes" / "python"


def python(*words, **variables):
    """Exit code and standard error of this Python with a copy of the package, where no program is found."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(PACKAGE / "gpe", Path(folder) / "gpe")
        done = subprocess.run(
            [sys.executable, "-B", *words],
            capture_output=True,
            text=True,
            env={"PYTHONPATH": folder, "PATH": "/nowhere"} | variables,
        )
    return done.returncode, done.stderr


def test_a_clone_is_used_as_it_is():
    """The version and the encodings of the sources, and programs and operators of its build or of GPE_PROGRAMS."""
    (stated,) = re.findall(r"project\(gpe VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    with tempfile.TemporaryDirectory() as folder:
        for name in ("CMakeLists.txt", "probes/python/make_wheel.py"):
            (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, Path(folder) / name)
        shutil.copytree(PACKAGE / "gpe", Path(folder) / "probes/python/gpe")
        shutil.copytree(ROOT / "theory/encodings", Path(folder) / "theory/encodings")
        for build in ("build", "chosen"):
            (Path(folder) / build / "bin").mkdir(parents=True)
            program = Path(folder) / build / "bin" / "check-properties"
            program.write_text(f'#!/bin/sh\necho \'{{"from": "{build}"}}\'\n')
            program.chmod(0o755)
            (Path(folder) / build / "probes/python").mkdir(parents=True)
            (Path(folder) / build / "probes/python/libgpe_operators.so").touch()
        environment = {"PYTHONPATH": f"{folder}/probes/python", "PATH": "/usr/bin:/bin"}
        asks = (
            "import gpe; from gpe._programs import operators_library as of; "
            "print(gpe.__version__, len(gpe.encodings()) > 60, dict(gpe.check('alibi')), of().parts[-4])"
        )
        for more, build in (({}, "build"), ({"GPE_PROGRAMS": f"{folder}/chosen/bin"}, "chosen")):
            done = subprocess.run(
                [sys.executable, "-B", "-c", asks], capture_output=True, text=True, env=environment | more
            )
            assert done.stdout == f"{stated} True {{'from': '{build}'}} {build}\n", done


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
        and "--preset model" in said
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
    if importlib.util.find_spec("torch"):
        code, said = python("-c", "import gpe, torch; gpe.attention_statistics(*torch.ones(2, 1, 1, 4, 8))")
        last = said.splitlines()[-1]
        assert last.startswith("gpe._errors.Error: libgpe_operators.so, ") and "pip install" in last, said
    code, said = python("-c", absent.format("torch", "nothing"))
    assert said.splitlines()[-1].startswith("AttributeError"), said


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
