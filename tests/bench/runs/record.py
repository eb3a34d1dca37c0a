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
    """JSON with a line for each innermost list or object; files of the sources by their place in them."""
    text = json.dumps(content, indent=1).replace(f"{ROOT}/", "")
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


def commit(folders=("model", "theory", "checks", "tests/bench/runs")):
    """The last commit that changed what makes results, which those that add results do not; None without git."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        return None
    return git("log", "-1", "--format=%H", "--", *folders)


def digest(folder):
    """Of the names and bytes of all files, but for what Python keeps."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return found.hexdigest()[:12]


def rows(series):
    """A series of evaluate-tsm, a line for each length: mean losses in nats, their intervals at 95 %, and the losses of
    each window: at all lengths of packed windows, and at the greatest length of documents, which are hundreds."""

    def of(loss):
        return [loss["loss"], *(loss["loss_interval"] or [None, None])]

    return {
        "over": series["over"],
        "windows": series["windows"],
        "columns": ["tokens", "loss", "low", "high", "second half", "low", "high"],
        "rows": [rounded([at["length"], *of(at["whole"]), *of(at["far"])]) for at in series["lengths"]],
    } | windows(series)


def windows(series):
    lengths = series["lengths"] if series["over"] == "packed windows" else series["lengths"][-1:]
    losses = {str(at["length"]): rounded(at["by_window"]) for at in lengths if "by_window" in at}
    return {"by_window": losses} if losses else {}


def training_curve(log):
    """Validation losses by iteration, and how far they moved in the last tenth."""
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    validation = [(entry["iteration"], entry["validation_loss"]) for entry in entries if "validation_loss" in entry]
    last, loss = validation[-1]
    before = [value for iteration, value in validation if iteration <= 0.9 * last][-1]
    speeds = sorted(entry["tokens_per_second"] for entry in entries if "tokens_per_second" in entry)
    return {
        "parameters": entries[0]["parameters"],
        "train_sha256": entries[0]["train_sha256"],
        "median_tokens_per_second": speeds[len(speeds) // 2] if speeds else None,
        "moved_in_last_tenth": rounded(before - loss),
        "validation": [[iteration, rounded(value)] for iteration, value in validation],
    }
