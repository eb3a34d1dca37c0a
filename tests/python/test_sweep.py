"""Sweeps by executors: the rows of the program, on any worker; nothing twice, nothing lost, no worker idle."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import gpe
from gpe._verdicts import sweep as _sweep

GRID = """schema = 1
encodings = ["alibi", "kerple-log"]
[parameters]
m = {{ range = "1/1000..1", points = {points} }}
p = ["2", "3"]
"""


@pytest.fixture
def grid(tmp_path):
    return grid_of(tmp_path, 30)


def grid_of(folder, points):
    file = folder / "grid.toml"
    file.write_text(GRID.format(points=points))
    return file


def parts(folder):
    return list(folder.glob("*.part-*"))


def stopped(*_):
    raise KeyboardInterrupt


def by_the_program(programs, grid):
    command = [programs / "check-properties", "--sweep", grid, "--digits", "6"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_rows_are_those_of_the_program(programs, grid, tmp_path, monkeypatch):
    expected = by_the_program(programs, grid)
    assert expected.count("\n") == 33
    output = tmp_path / "out.csv"
    assert gpe.sweep(grid, digits=6, output=output) == expected == output.read_text()
    with ProcessPoolExecutor(2) as executor:
        assert gpe.sweep(grid, digits=6, executor=executor) == expected
    monkeypatch.setattr(_sweep, "MOST_TASKS", 5)  # tasks of seven points, the last of four
    assert gpe.sweep(grid, digits=6) == expected
    assert parts(tmp_path) == []


def test_rows_that_are_there_are_not_made_again(grid, tmp_path, monkeypatch):
    output, made, lock = tmp_path / "out.csv", Counter(), threading.Lock()
    real, stop = _sweep.rows, True

    def stopping(arguments, first, size):
        with lock:
            if stop and sum(made.values()) == 10:
                raise KeyboardInterrupt
            made[first] += 1
        return real(arguments, first, size)

    monkeypatch.setattr(_sweep, "rows", stopping)
    with pytest.raises(KeyboardInterrupt):
        gpe.sweep(grid, output=output)
    assert not output.exists()
    [part] = parts(tmp_path)
    part.write_bytes(part.read_bytes()[:-20])  # as after a power cut: the last line is made again
    there = part.read_bytes().count(b"\n")
    assert 0 < there < 10
    stop = False
    whole = gpe.sweep(grid, output=output)
    assert len(made) == 32 and sum(made.values()) == 10 + 32 - there
    assert whole == gpe.sweep(grid) and parts(tmp_path) == []


def test_rows_of_another_question_are_not_taken(tmp_path, monkeypatch):
    (tmp_path / "mine.toml").write_text('schema = 1\nname = "mine"\n[score]\nbias = "-n"\n')
    file = tmp_path / "grid.toml"
    file.write_text('schema = 1\nencodings = ["mine.toml"]\n')
    output = tmp_path / "out.csv"
    monkeypatch.setattr(_sweep, "write", stopped)  # after the last row
    with pytest.raises(KeyboardInterrupt):
        gpe.sweep(file, output=output)
    assert len(parts(tmp_path)) == 1
    with pytest.raises(KeyboardInterrupt):
        gpe.sweep(file, output=output, digits=5)
    (tmp_path / "mine.toml").write_text('schema = 1\nname = "mine"\n[score]\nbias = "-2*n"\n')
    with pytest.raises(KeyboardInterrupt):
        gpe.sweep(file, output=output)
    assert len(parts(tmp_path)) == 3


NO_TABLES = [b"\0\0\0\n", b"[1]\n", b'{"1": 2}\n', b'["1", "x"]\n', b"[1, 2]\n", b"[[], []]\n", b"\xff\n"]
NO_TABLES += [b'[99, "a\\nb\\n"]\n', b'[1, "encoding\\nalibi,9,,holds\\n"]\n']


def test_what_is_no_table_is_made_again(grid, tmp_path, monkeypatch):
    output, real = tmp_path / "out.csv", _sweep.write
    monkeypatch.setattr(_sweep, "write", stopped)
    with pytest.raises(KeyboardInterrupt):
        gpe.sweep(grid, output=output)
    monkeypatch.setattr(_sweep, "write", real)
    [part] = parts(tmp_path)
    lines = part.read_bytes().splitlines(keepends=True)
    assert len(lines) > len(NO_TABLES)
    damaged = [damage + line for damage, line in zip(NO_TABLES, lines[1:], strict=False)]
    part.write_bytes(b"".join([*damaged, *lines[len(damaged) + 1 :], *NO_TABLES]))
    assert gpe.sweep(grid, output=output) == gpe.sweep(grid) and parts(tmp_path) == []


def test_a_mistake_ends_the_sweep(grid, tmp_path):
    with pytest.raises(gpe.SpecError, match="did you mean 'digits'"):
        gpe.sweep(grid, digit=3)
    with pytest.raises(gpe.SpecError, match="no such file"):
        gpe.sweep(tmp_path / "absent.toml")
    before = grid.read_text()
    for place, message in (
        (grid, "expected two files"),
        (tmp_path, "cannot be made"),
        (tmp_path / "no" / "a.csv", "cannot be made"),
    ):
        with pytest.raises(gpe.SpecError, match=message):
            gpe.sweep(grid, output=place)
    assert grid.read_text() == before
    grid.write_text('schema = 1\nencodings = ["alibi"]\n[parameters]\nm = [1, -1]\n')
    with pytest.raises(gpe.SpecError, match="outside its domain"):
        gpe.sweep(grid, output=tmp_path / "out.csv")


def test_many_points_keep_the_workers_busy(programs, tmp_path, monkeypatch):
    """Tasks of a stub in place of the program, on two threads: each point once, and no thread waits for the other."""
    made, values = Counter(), 1000 if "GPE_MANY" in os.environ else 200

    def stub(arguments, first, size):
        time.sleep(0.002)
        made[threading.get_ident()] += 1
        return "encoding,p,a,row\n" + "".join(
            f"{point}{i}\n" for i, point in enumerate(started[first - 1 : first - 1 + size], first)
        )

    monkeypatch.setattr(_sweep, "rows", stub)
    file = tmp_path / "grid.toml"
    file.write_text(
        f'schema = 1\nencodings = ["kerple-log"]\n[parameters]\np = {{ range = "1..2", points = 1000 }}\n'
        f'a = {{ range = "1..2", points = {values} }}\n'
    )
    listed = subprocess.run(
        [programs / "check-properties", "--sweep", file, "--dry-run"], capture_output=True, text=True, check=True
    )
    started = [line.rpartition(",")[0] + "," for line in listed.stdout.splitlines()[1:]]
    with ThreadPoolExecutor(2) as executor:
        table = gpe.sweep(file, executor=executor)
    assert [row["row"] for row in csv.DictReader(io.StringIO(table))] == [str(i) for i in range(1, 1000 * values + 1)]
    assert sum(made.values()) == 1000 and min(made.values()) >= 400


CLUSTER = """
import sys
from distributed import Client
import gpe
if __name__ == "__main__":
    with Client(sys.argv[1]) as client:
        gpe.sweep(sys.argv[2], output=sys.argv[3], digits=6, executor=client.get_executor())
"""


def test_workers_of_a_cluster_are_killed_and_replaced(programs, tmp_path):
    """A scheduler and two workers of Dask, each a process; a worker is killed, then the sweep itself is."""
    pytest.importorskip("distributed")
    grid, output = grid_of(tmp_path, 400), tmp_path / "out.csv"
    (tmp_path / "run.py").write_text(CLUSTER)
    address = tmp_path / "scheduler.json"
    started = []

    def start(*words):
        with (tmp_path / "log").open("ab") as log:
            started.append(subprocess.Popen(words, cwd=tmp_path, stdout=log, stderr=log))
        return started[-1]

    def dask(what, *options):
        words = ("--scheduler-file", address, "--no-dashboard", *options)
        return start(sys.executable, "-m", f"distributed.cli.dask_{what}", *words)

    def worker():
        return dask("worker", "--nthreads", "1", "--no-nanny")

    def made():
        return sum(part.read_bytes().count(b"\n") for part in parts(tmp_path))

    def wait_for(count, process):
        end = time.monotonic() + 120
        while made() < count and time.monotonic() < end:
            assert process.poll() is None, (tmp_path / "log").read_text()
            time.sleep(0.02)

    try:
        dask("scheduler", "--port", "0")
        workers = [worker(), worker()]
        while not address.exists() or not address.read_text().endswith("}"):
            time.sleep(0.05)
        uri = json.loads(address.read_text())["address"]
        sweep = start(sys.executable, tmp_path / "run.py", uri, grid, output)
        wait_for(20, sweep)
        workers[0].kill()
        worker()
        wait_for(100, sweep)
        sweep.send_signal(signal.SIGKILL)
        sweep.wait()
        there = made()
        assert 100 <= there < 402 and not output.exists()
        again = start(sys.executable, tmp_path / "run.py", uri, grid, output)
        assert again.wait(timeout=300) == 0, (tmp_path / "log").read_text()
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert output.read_text() == by_the_program(programs, grid) and parts(tmp_path) == []
