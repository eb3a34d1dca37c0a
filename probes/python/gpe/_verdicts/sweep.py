"""The rows of a grid of encodings, made by the workers of any executor."""
# Tests: tests/python/test_sweep.py

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from hashlib import sha256
from pathlib import Path
from typing import Unpack

from gpe._errors import Error, SpecError
from gpe._files import write
from gpe._programs import option_arguments, text_of, version
from gpe._verdicts.options import SweepOptions, refuse_unknown

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
    points = text_of("check-properties", [*arguments, "--dry-run"]).splitlines()[1:]
    if output is not None:
        require_file(output, grid)
    size = -(-len(points) // MOST_TASKS)
    tasks = {first: points[first - 1 : first - 1 + size] for first in range(1, len(points) + 1, size)}
    # What decides the rows: the version, the question, and each point with the digest of its encoding.
    question = sha256(json.dumps([version(), size, arguments[2:], points]).encode()).hexdigest()[:16]
    part = Path(f"{os.fspath(output)}.part-{question}") if output is not None else None
    tables = kept_tables(part, tasks) if part is not None else {}
    own = ThreadPoolExecutor(len(os.sched_getaffinity(0)) if sys.platform == "linux" else None)
    with own:
        futures = {
            (executor or own).submit(rows, arguments, first, size): first for first in tasks.keys() - tables.keys()
        }
        try:
            for future in as_completed(futures):
                first, text = futures.pop(future), future.result()
                if not is_of(tasks[first], text):
                    raise Error(f"{grid}: a worker has another grid or encoding; expected the same everywhere")
                tables[first] = text
                if part is not None:
                    with part.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps([first, text]) + "\n")
        finally:
            for future in futures:
                future.cancel()
    titles = tables[1].partition("\n")[0]
    table = "".join([f"{titles}\n", *(tables[first].partition("\n")[2] for first in sorted(tables))])
    if output is not None and part is not None:
        write(output, table.encode())
        part.unlink(missing_ok=True)
    return table


def rows(arguments: list[str], first: int, size: int) -> str:
    """The titles and at most `size` rows, from the point `first` on: the task of a worker."""
    return text_of("check-properties", [*arguments, "--points", f"{first}..{first + size - 1}"])


def is_of(points: list[str], table: str) -> bool:
    """Whether a table has one row for each of these points (each ends with a digest that rows do not have)."""
    found = table.splitlines()[1:]
    begun = [point.rpartition(",")[0] + "," for point in points]
    return len(found) == len(begun) and all(map(str.startswith, found, begun))


def require_file(output: str | os.PathLike[str], grid: str | os.PathLike[str]) -> None:
    """SpecError where the output cannot be made, or would replace the grid: before the work, not after it."""
    path = Path(output)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise SpecError(f"{path} cannot be made; expected a file in a folder that exists")
    if path.exists() and path.samefile(grid):
        raise SpecError(f"the grid and output are both {path}; expected two files")


def kept_tables(part: Path, tasks: dict[int, list[str]]) -> dict[int, str]:
    """The tables of an earlier call, by their first point; what is none of them is made again."""
    tables: dict[int, str] = {}
    if not part.exists():
        return tables
    whole = part.read_bytes().rpartition(b"\n")[0]  # what follows was cut off
    for line in whole.splitlines():
        try:
            first, text = json.loads(line)
            if is_of(tasks[first], text):
                tables[first] = text
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
    os.truncate(part, len(whole) + 1 if whole else 0)
    return tables
