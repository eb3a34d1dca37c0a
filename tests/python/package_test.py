"""The wheel is built from what is built, installed into an environment of its own, and the tests run with it there.

    python tests/python/package_test.py BUILD WORK

The environment sees the packages that setup.sh --tests installs; gpe is there from the wheel alone. In it run the
first lines of docs/python.md, then the tests of this folder.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, **options):
    subprocess.run([str(part) for part in command], check=True, **options)


def main(build, work):
    for package in ("scikit_build_core", "pytest", "torch", "hypothesis"):
        if importlib.util.find_spec(package) is None:
            print(f"SKIPPED: {package} is absent; ./setup.sh --tests installs it")
            return
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(
        *pip,
        "wheel",
        "-q",
        "--no-index",
        "--no-build-isolation",
        "--no-deps",
        f"--config-settings=cmake.define.GPE_BUILD={build}",
        "-w",
        work,
        ROOT / "probes" / "python",
    )
    (wheel,) = work.glob("gpe-*-py3-none-*.whl")
    venv.create(work / "environment", with_pip=False)
    python = work / "environment" / "bin" / "python"
    (packages,) = (work / "environment").glob("lib/python3*/site-packages")
    paths = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "tests.pth").write_text("".join(f"{path}\n" for path in paths))
    run(*pip, "--python", python, "install", "-q", "--no-index", "--no-deps", wheel)

    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "GPE_ENCODINGS")}
    environment |= {
        "GPE_PROGRAMS": f"{build}/bin",
        "GPE_INTEROP_TOOL": f"{build}/bin/interop_tool",
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": f"{work}/huggingface",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    lines = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)[1]
    print(lines, flush=True)
    run(python, "-c", lines, cwd=work, env=environment)
    run(
        python,
        "-m",
        "pytest",
        "-q",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:anyio",
        "-p",
        "no:logging",
        "-o",
        "python_files=test_*.py",
        "--durations=8",
        ROOT / "tests" / "python",
        cwd=work,
        env=environment,
    )


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
