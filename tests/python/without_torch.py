"""Tests of what the Python package does without torch: pictures, pages and the command gpe."""

import importlib.util
import json
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "probes" / "python"))


def ask(programs, command, cwd=None):
    """The JSON that a program prints."""
    program, *arguments = shlex.split(command)
    done = subprocess.run(
        [programs / program, *arguments, "--format", "json"], capture_output=True, text=True, check=True, cwd=cwd
    )
    return json.loads(done.stdout)


def run(module):
    """Every test of a module, with those of FOLDER-OF-PROGRAMS and WORK that it takes."""
    for package in ("matplotlib", "jinja2"):
        if importlib.util.find_spec(package) is None:
            print(f"SKIPPED: {package} is absent; ./setup.sh --plots installs it")
            return
    programs, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    assert not (work / ".git").exists(), f"{work} holds a repository"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    given = {"programs": programs, "work": work}
    for name, test in list(module.items()):
        if name.startswith("test_"):
            test(**{key: given[key] for key in test.__code__.co_varnames[: test.__code__.co_argcount]})
            print(f"{name}: passed", flush=True)
    assert "torch" not in sys.modules, "pictures and pages need no torch"
