"""Two processes under mpirun train as one with the doubled batch; a lost one ends the run and leaves a checkpoint.

python tests/model/ranks_test.py TRAIN_TSM WORK
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import training_data
from train_resume_test import CONFIG, MEASURED

ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none"]


def begin(ranks, train_tsm, work, folder, *arguments):
    launcher = [*MPIRUN, "-n", str(ranks)] if ranks > 1 else []
    return subprocess.Popen(
        [*launcher, train_tsm, *arguments, "--data", work / "data", "--output", folder, "--threads", "1"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )


def finish(*arguments):
    process = begin(*arguments)
    _, errors = process.communicate()
    assert process.returncode == 0, errors


def entries(folder):
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def close(found, expected):
    """Whether two logs have the same losses and gradients; batches of validation have training.batch rows."""
    for mine, other in zip(found, expected, strict=True):
        for key in ("loss", "gradient_norm"):
            if key in other:
                assert abs(mine[key] - other[key]) <= 1e-6 * max(1, abs(other[key])), (mine, other)
    return len(found) > 5


def test_two_are_one_with_twice_the_batch(train_tsm, work, config):
    for ranks, batch in ((2, 4), (1, 8), (3, 4), (1, 12)):
        finish(ranks, train_tsm, work, work / f"{ranks}-{batch}", config, f"--set=training.batch={batch}")
    for several, one in (("2-4", "1-8"), ("3-4", "1-12")):
        found, expected = entries(work / several), entries(work / one)
        assert found[0].pop("ranks") == int(several[0]) and len(found) > 20 and close(found, expected), several


def test_a_lost_rank_ends_the_run(train_tsm, work, config):
    folder = work / "lost"
    process = begin(2, train_tsm, work, folder, config, "--set=training.iterations=100000")
    while not (folder / "model.safetensors").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    children = subprocess.run(
        ["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(children) == 2, children
    os.kill(int(children[1]), signal.SIGKILL)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0 and "rank 1" in errors, (process.returncode, errors)
    # two ranks resume what it left, until they are told to stop
    process = begin(2, train_tsm, work, folder, "--resume")
    at = (folder / "log.jsonl").stat().st_size
    while (folder / "log.jsonl").stat().st_size <= at:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0 and errors.count("checkpoint saved; continue with --resume") <= 1, errors


def test_bad_use_ends_all(train_tsm, work, config):
    process = begin(2, train_tsm, work, work / "bad", config, "--set=training.batch=nothing")
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2 and "batch = nothing" in errors, (process.returncode, errors)


def main():
    train_tsm, work = sys.argv[1], pathlib.Path(sys.argv[2])
    if shutil.which("mpirun") is None:
        print("SKIPPED: mpirun is absent; ./setup.sh --tests installs it")
        return
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "data").mkdir()
    training_data.write_tokens(work / "data", 250)
    (work / "measured.toml").write_text(MEASURED)
    config = work / "config.toml"
    config.write_text(
        CONFIG.replace("ENCODING", str(work / "measured.toml")).replace("iterations = 240", "iterations = 90")
    )
    test_two_are_one_with_twice_the_batch(train_tsm, work, config)
    test_a_lost_rank_ends_the_run(train_tsm, work, config)
    test_bad_use_ends_all(train_tsm, work, config)


if __name__ == "__main__":
    main()
