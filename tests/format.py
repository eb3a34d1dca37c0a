"""Layout and lint of C++ and Python: what clang-format, ruff and mypy find, every nested conditional expression and
every statement joined by commas; exit code 1 if there is anything.

    .venv/bin/python tests/format.py CLANG_FORMAT SOURCE WORK

WORK holds the caches of ruff and mypy. Versions of clang-format lay out differently: the layout is that of version 14.
"""

import pathlib
import re
import subprocess
import sys

from statements import complaints

FOLDERS = ("theory", "checks", "model", "probes", "notebooks", "page", "site", "tests")
C_FAMILY = {".h", ".cpp", ".cu", ".cuh"}
VERSION = "14"


def sources(source):
    for top in FOLDERS:
        for path in sorted((source / top).rglob("*")):
            if path.suffix in C_FAMILY | {".py"} and "build" not in path.relative_to(source).parts:
                yield path.relative_to(source).as_posix()


def passes(folder, *command):
    return subprocess.run(command, cwd=folder, stderr=subprocess.STDOUT).returncode == 0


def main():
    clang_format, source, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    version = subprocess.run([clang_format, "--version"], capture_output=True, text=True, check=True).stdout
    if re.search(r"version (\d+)", version)[1] != VERSION:
        print(f"SKIPPED: {version.strip()}; expected version {VERSION}")
        return 0
    files = list(sources(source))
    if not files:
        sys.exit(f"no sources under {source}")
    python = [file for file in files if file.endswith(".py")]
    in_venv = [sys.executable, "-m"]
    good = [
        passes(source, clang_format, "--dry-run", "-Werror", *(file for file in files if not file.endswith(".py"))),
        passes(source, *in_venv, "ruff", "format", "--check", "--cache-dir", work / "ruff", *python),
        passes(source, *in_venv, "ruff", "check", "--cache-dir", work / "ruff", *python),
        passes(source / "probes" / "python", *in_venv, "mypy", "--cache-dir", work / "mypy"),
    ]
    found = [complaint for file in files for complaint in complaints(file, (source / file).read_text())]
    print("\n".join(found))
    return 0 if all(good) and not found else 1


if __name__ == "__main__":
    sys.exit(main())
