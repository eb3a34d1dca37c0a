"""Runs of docs/study.md at a small scale: stopped, resumed, kept.

python tests/bench/runs/study_test.py FOLDER-OF-PROGRAMS WORK
"""

import json
import pathlib
import signal
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "model"))
from each_test import each_test, fresh_folder  # noqa: E402

NAMES = ["kerple-log-learned-seed-2", "rope-window-keys-16-seed-1"]


def command(programs, work, *arguments):
    return [
        sys.executable,
        HERE / "study.py",
        "--bin",
        programs,
        "--work",
        work / "runs",
        "--results",
        work / "results",
        *map(str, arguments),
    ]


def call(programs, work, *arguments, expect=0):
    result = subprocess.run(command(programs, work, *arguments), capture_output=True, text=True)
    assert result.returncode == expect, result
    return result.stdout + result.stderr


def test_each_run_is_written_with_its_command(programs, work):
    call(programs, work, "--scale", 0.002, "--jobs", 2, "--only", *NAMES)
    for name in NAMES:
        result = json.loads((work / "results" / f"{name}.json").read_text())
        assert result["name"] == f"{result['encoding']}-seed-{result['seed']}" == name and result["command"].startswith(
            "train-tsm tests/bench/runs/study.toml --encoding "
        )
        assert (
            f"--set=training.seed={result['seed']}" in result["command"] and "--answers" in result["answers"]["command"]
        )
        rows = [dict(zip(result["answers"]["columns"], row, strict=True)) for row in result["answers"]["rows"]]
        assert {row["length"] for row in rows} == {64, 128, 256} and len({row["task"] for row in rows}) == len(rows) / 3
        assert ("learned" in result) == ("learned" in name) and result["training"]["validation"][-1][0] == len(
            result["training"]["validation"]
        ) - 1 > 1
    assert 'p = { default = "0.5' not in json.loads((work / "results" / f"{NAMES[0]}.json").read_text())["learned"], (
        "a number per head, not as it began"
    )


def test_what_is_there_is_not_run_again(programs, work):
    before = {file: file.stat().st_mtime_ns for file in (work / "results").iterdir()}
    assert call(programs, work, "--scale", 0.002, "--only", *NAMES).count(": there") == 2
    assert before == {file: file.stat().st_mtime_ns for file in (work / "results").iterdir()}
    assert "unknown: rop; --list" in call(programs, work, "--only", "rop", expect=1)


def test_what_is_not_counted_lies_apart(programs, work):
    call(programs, work, "--scale", 0.002, "--only", "rope-seed-1")
    call(programs, work, "--scale", 0.002, "--afterwards", "--only", "yarn-8-seed-1")
    rope, yarn = (
        json.loads((work / "results" / name).read_text())
        for name in ("rope-seed-1.json", "afterwards/yarn-8-seed-1.json")
    )
    assert "--init" in yarn["command"] and "factor=8" in yarn["command"] and yarn["training"]["validation"][-1][0] == 0
    assert yarn["answers"]["rows"] != rope["answers"]["rows"]


def test_stopped_runs_go_on(programs, work):
    steps = round(tomllib.loads((HERE / "study.toml").read_text())["training"]["iterations"] * 0.25)
    arguments = ["--scale", 0.25, "--only", NAMES[1]]
    process = subprocess.Popen(
        command(programs, work / "stopped", *arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    folder = work / "stopped" / "runs" / NAMES[1]
    while process.poll() is None and not (folder / f"optimizer-{steps // 8}.safetensors").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 1 and not (work / "stopped" / "results").exists()
    call(programs, work / "stopped", *arguments)
    result = json.loads((work / "stopped" / "results" / f"{NAMES[1]}.json").read_text())
    assert [at for at, _ in result["training"]["validation"]][:9] == [steps // 8 * i for i in range(9)] and result[
        "seconds"
    ] is None


def main():
    programs, work = pathlib.Path(sys.argv[1]), fresh_folder(sys.argv[2])
    each_test(globals(), programs, work)


main()
