"""What a result file has beside its numbers, and how it is written."""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[3]


def rounded(value):
    """To six digits, wherever there are numbers."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list | tuple) else value


def text_of(content):
    """JSON with a line for each innermost list or object."""
    text = json.dumps(content, indent=1)
    return re.sub(r"[\[{][^\[\]{}]*[\]}]", lambda found: " ".join(found.group().split()), text) + "\n"


def write(path, content):
    """The file is replaced whole."""
    partial = path.with_suffix(".tmp")
    partial.write_text(text_of(content))
    partial.replace(path)


def CPU():
    names = [
        line.split(":")[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def git(*arguments):
    return subprocess.run(
        ["git", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"},
    ).stdout.strip()


def trees(folders=("model", "theory", "checks")):
    """The git trees of the sources, which commits of results do not change; where there is no git
    to ask, digests of their files."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        return "sources without git " + ", ".join(f"{folder} {digest(ROOT / folder)}" for folder in folders)
    names = ", ".join(f"{folder} {git('rev-parse', '--short=12', f'HEAD:{folder}')}" for folder in folders)
    return f"trees {names}{', changed' if git('status', '--porcelain', '--untracked-files=no', '--', *folders) else ''}"


def digest(folder):
    """Of the names and bytes of all files, but for what Python keeps."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return found.hexdigest()[:12]
