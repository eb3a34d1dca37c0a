# Tests: tests/python/test_sweep.py
"""The rows of a grid of encodings, made by the workers of any executor."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from hashlib import sha256
from pathlib import Path
from typing import Unpack

from gpe._errors import Error
from gpe._options import SweepOptions, refuse_unknown
from gpe._programs import option_arguments, text_of, version

#: A grid is cut into at most so many tasks: few enough for a scheduler, enough to keep many workers busy to the end.
MOST_TASKS = 1000


def sweep(
    grid: str | os.PathLike[str],
    *,
    executor: Executor | None = None,
    output: str | os.PathLike[str] | None = None,
    **options: Unpack[SweepOptions],
) -> str:
    """One CSV row for every point of a grid, as `check-properties --sweep` makes them (docs/sweeps.md).

    Args:
        grid: the grid's file, which all workers see at the same path, as they do the encodings that it names.
        executor: any `concurrent.futures.Executor`, of processes or of other machines; by default, a thread for each
            CPU of this machine, which waits for the program.
        output: the file to write. Rows that are there are kept beside it, and a call with the same question, after
            this one was stopped, makes the others only.
        options: `digits=`, `content_bound=`, ... of `check-properties`.

    Returns:
        The text of the table, with its line of titles.

    Raises:
        SpecError: for a mistake in the grid, an option or a value; the other points are not begun.
    """
    refuse_unknown(options, SweepOptions)
    arguments = ["--sweep", os.path.abspath(grid), *option_arguments(options)]
    points = text_of("check-properties", [*arguments, "--dry-run"])
    count = points.count("\n") - 1
    size = -(-count // MOST_TASKS)
    # What decides the rows: the version, the question, and each point with the digest of its encoding.
    question = sha256(json.dumps([version(), size, arguments[2:], points]).encode()).hexdigest()[:16]
    kept = _Kept(Path(f"{os.fspath(output)}.part-{question}") if output is not None else None)
    missing = [first for first in range(1, count + 1, size) if first not in kept.parts]
    own = ThreadPoolExecutor(len(os.sched_getaffinity(0)) if sys.platform == "linux" else None)
    with own:
        futures = {(executor or own).submit(rows, arguments, first, size): first for first in missing}
        try:
            for future in as_completed(futures):
                first, text = futures.pop(future), future.result()
                if text.count("\n") - 1 != min(size, count - first + 1):
                    raise Error(f"{grid}: a worker has another grid, version or encoding; expected the same everywhere")
                kept.add(first, text)
        finally:
            for future in futures:
                future.cancel()
    titles = kept.parts[1].partition("\n")[0]
    table = "".join([f"{titles}\n", *(kept.parts[first].partition("\n")[2] for first in sorted(kept.parts))])
    if output is not None:
        kept.replace_by(Path(output), table)
    return table


def rows(arguments: list[str], first: int, size: int) -> str:
    """The titles and at most `size` rows, from the point `first` on: the task of a worker."""
    return text_of("check-properties", [*arguments, "--points", f"{first}..{first + size - 1}"])


class _Kept:
    """The tables that are there, by their first point; in a file too, when a call may be repeated."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.parts: dict[int, str] = {}
        if file is None or not file.exists():
            return
        # What follows the last whole line was cut off.
        lines = file.read_bytes().rpartition(b"\n")[0]
        self.parts = dict(json.loads(line) for line in lines.splitlines())
        os.truncate(file, len(lines) + 1 if lines else 0)

    def add(self, first: int, text: str) -> None:
        self.parts[first] = text
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps([first, text]) + "\n")

    def replace_by(self, output: Path, table: str) -> None:
        assert self.file is not None
        whole = self.file.with_name(f"{self.file.name}.whole")
        whole.write_text(table, encoding="utf-8")
        os.replace(whole, output)
        self.file.unlink(missing_ok=True)
