"""Runs of program.py at a small scale: written with their commands, killed, resumed, kept.

python tests/bench/runs/program_test.py FOLDER-OF-PROGRAMS WORK
"""

import argparse
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "model")]
import cost_paper  # noqa: E402
import keep  # noqa: E402
from each_test import each_test, fresh_folder  # noqa: E402

NAME = "ape-64-seed-1"


def command(programs, work, *arguments):
    folders = ["--bin", programs, "--work", work / "runs", "--results", work / "results"]
    return [sys.executable, HERE / "program.py", *folders, "--scale", "0.002", *map(str, arguments)]


def call(programs, work, *arguments):
    result = subprocess.run(command(programs, work, *arguments), capture_output=True, text=True)
    assert result.returncode == 0, result
    return result.stdout


def test_a_run_that_was_killed_goes_on(programs, work):
    folder = work / "runs" / NAME
    process = subprocess.Popen(command(programs, work, "--only", NAME), stdout=subprocess.DEVNULL)
    while process.poll() is None and not (folder / "model.safetensors").exists():
        time.sleep(0.01)
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
    process.kill()
    for child in children:
        subprocess.run(["kill", "-9", child], stderr=subprocess.DEVNULL)
    assert process.wait() == -signal.SIGKILL and not (work / "results" / f"{NAME}.json").exists()
    assert "done" in call(programs, work, "--only", NAME)
    result = json.loads((work / "results" / f"{NAME}.json").read_text())
    assert [at for at, _ in result["training"]["validation"]] == [0, 10, 20, 30, 40, 50]
    assert result["command"].startswith("train-tsm tests/bench/runs/schedule.toml --encoding ape --set=")
    assert set(result["evaluation"]["files"]) == {"val", "long-0-5000", "long-5000-10000"}
    assert result["evaluation"]["iteration"] == 50
    assert "delta = { default = [" in result["encoding"], "a number per head"
    at = {row[0]: row for row in result["entropy"]["rows"]}
    assert sorted(at) == [64, 128, 256] and all(low <= mean <= high for _, mean, low, high in at.values())
    assert all("256" in series["by_window"] for of in result["evaluation"]["files"].values() for series in of)
    assert min(result["training"]["validation"], key=lambda at: at[1])[0] == result["best"]["iteration"]


def test_what_is_there_is_not_run_again(programs, work):
    before = (work / "results" / f"{NAME}.json").stat().st_mtime_ns
    assert "there" in call(programs, work, "--only", NAME)
    assert before == (work / "results" / f"{NAME}.json").stat().st_mtime_ns


def test_the_second_study_waits_for_its_power(programs, work):
    pilot, one = "none-rope-seed-101", "none-rope-seed-1"
    cut, tuned = "window-64-rope-64-seed-1", "rope-64-seed-1-tuned-ape-once-1e-4"
    others = ["stories-log-2-rope", "long-rope-64-seed-1", cut, tuned]
    said = call(programs, work, "--only", pilot, one, *others)
    assert "row 5: left out" in said or (HERE.parents[2] / "docs" / "results" / "study-2-power.json").exists()
    results = work / "results"
    assert json.loads((results / "study-2" / "pilot" / f"{pilot}.json").read_text())["seed"] == 101
    stories = json.loads((results / "stories-log-2-rope.json").read_text())
    assert 'bias = "-2*log(1 + n)"' in stories["encoding"] and "rotation" in stories["encoding"]
    long = json.loads((results / "long-rope-64-seed-1.json").read_text())
    assert set(long["evaluation"]["files"]) == {"made"} and [row[0] for row in long["recall"]["places"]["rows"]] == [
        32,
        64,
    ]
    assert json.loads((results / f"{cut}.json").read_text())["evaluation"]["keys"] == [[64] * 6]
    tuned = json.loads((results / f"{tuned}.json").read_text())
    assert set(tuned["evaluation"]["files"]) == {"val"} and "--init" in tuned["command"] and "recall" not in tuned


def test_models_that_are_kept_are_read(programs, work):
    kept, tokens = work / "kept", work / "runs" / "tokens" / "val.bin"
    keep.keep(work / "runs" / NAME, kept)
    whole = work / "runs" / NAME / "model.safetensors"
    assert (kept / "model.safetensors").stat().st_size < 0.8 * whole.stat().st_size
    losses = []
    for folder in (work / "runs" / NAME, kept):
        asked = [programs / "evaluate-tsm", folder, tokens, "--every-token", "64", "--format", "json"]
        report = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
        losses.append(report["files"][0]["series"][0]["lengths"][0]["whole"]["loss"])
    assert 0 < abs(losses[0] - losses[1]) < 1e-2


def test_memory_is_what_is_allocated_at_once(programs, work):
    if shutil.which("heaptrack") is None:
        return print("heaptrack is absent")
    folders = {"bin": programs, "data": work / "runs" / "tokens", "results": None}
    cost = cost_paper.Cost(argparse.Namespace(**folders, rounds=1, scale="ci"))
    assert 1e6 < cost.counted("rope", 64) < cost.resident("rope", 64)


def main():
    programs, work = pathlib.Path(sys.argv[1]), fresh_folder(sys.argv[2])
    each_test(globals(), programs, work)


main()
