"""Training on answers alone, and how many of them a model knows.

python tests/model/answers_test.py FOLDER-OF-PROGRAMS WORK
"""

import json
import math
import pathlib
import shutil
import subprocess
import sys
import time

from each_test import each_test
from programs import Programs

TRAIN = [
    "--data",
    "tasks",
    "--encoding",
    "alibi",
    "--threads",
    "1",
    "--set=training.answers_only=true",
    "--set=model.layers=1",
    "--set=model.heads=2",
    "--set=model.width=32",
    "--set=training.batch=16",
    "--set=training.learning_rate=1e-2",
    "--set=training.warmup=10",
    "--set=output.evaluate_batches=4",
    "--set=output.evaluate_every=100",
    "--set=output.checkpoint_every=50",
]


def log(folder):
    entries = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [{key: value for key, value in entry.items() if key != "tokens_per_second"} for entry in entries]


def test_a_model_learns_answers(run):
    for name, seed, count in (("train", 1, 400), ("val", 2, 50)):
        run(
            "make-tasks",
            "--tasks",
            "count,most-frequent",
            "--count",
            count,
            "--seed",
            seed,
            "--output",
            f"tasks/{name}.bin",
        )
    run(
        "make-tasks",
        "--tasks",
        "count,most-frequent",
        "--count",
        8,
        "--lengths",
        "64..256",
        "--seed",
        3,
        "--output",
        "tasks/far.bin",
    )
    run("train-tsm", *TRAIN, "--iterations", "200", "--output", "run")
    losses = [entry["validation_loss"] for entry in log(run.work / "run") if "validation_loss" in entry]
    assert abs(losses[0] - math.log(128)) < 0.1, "75 tokens, padded to 128, none known"
    assert losses[-1] < 1.5, losses
    report = json.loads(
        run("evaluate-tsm", "run", "tasks/val.bin", "tasks/far.bin", "--answers", "--threads", "1", "--format", "json")[
            0
        ]
    )
    val, far = (file["tasks"] for file in report["files"])
    assert [(at["task"], at["length"], at["documents"]) for at in val] == [("count", 64, 50), ("most-frequent", 64, 50)]
    assert [(at["task"], at["length"]) for at in far] == [
        (task, length) for task in ("count", "most-frequent") for length in (64, 128, 256)
    ]
    assert [at["answers"] for at in far] == [8 * 30, 8 * 62, 8 * 126, 8, 8, 8]
    for at in val + far:
        assert 0 < at["constant"] <= 1 and at["accuracy_interval"][0] <= at["accuracy"] <= at["accuracy_interval"][1], (
            at
        )
    assert val[0]["accuracy"] > val[0]["constant"] + 0.2, "the counts repeat what came before"
    # As many answers of either document as there are: the mean loss of validation is that of the answers.
    mean = (val[0]["loss"]["loss"] * val[0]["answers"] + val[1]["loss"]["loss"] * val[1]["answers"]) / (
        val[0]["answers"] + val[1]["answers"]
    )
    assert abs(mean - losses[-1]) < 0.2, (mean, losses)
    text = run("evaluate-tsm", "run", "tasks/val.bin", "--answers", "--threads", "1")[0]
    assert "most-frequent" in text and f"{val[0]['accuracy']:.3f}" in text


def test_it_resumes_to_the_bit(run):
    process = subprocess.Popen(
        [run.folder / "train-tsm", *TRAIN, "--iterations", "200", "--output", "stopped"],
        cwd=run.work,
        stderr=subprocess.DEVNULL,
    )
    while process.poll() is None and not (run.work / "stopped" / "optimizer-50.safetensors").exists():
        time.sleep(0.01)
    process.terminate()
    assert process.wait() in (0, 1)  # 0: it was done before
    run("train-tsm", "--resume", "--data", "tasks", "--threads", "1", "--output", "stopped")
    assert (run.work / "stopped" / "model.safetensors").read_bytes() == (
        run.work / "run" / "model.safetensors"
    ).read_bytes()
    assert log(run.work / "stopped") == log(run.work / "run")
    shutil.move(run.work / "tasks" / "train.answers.json", run.work / "answers")
    assert "train.answers.json" in run("train-tsm", "--resume", "--data", "tasks", "--output", "stopped", expect=2)[1]
    shutil.move(run.work / "answers", run.work / "tasks" / "train.answers.json")


def test_what_has_no_answers_is_refused(run):
    run("make-stories", "--words", "50..100", "--count", "20", "--output", "stories.txt")
    run("prepare-data", "stories.txt", "--tokenizer", "bytes", "--output", "text")
    arguments = [*TRAIN, "--iterations", "1", "--output", "none"]
    arguments[1] = "text"
    assert "train.answers.json" in run("train-tsm", *arguments, expect=2)[1]
    assert (
        "within a context of 2"
        in run("train-tsm", *TRAIN, "--set=training.context=2", "--iterations", "1", "--output", "near", expect=2)[1]
    )
    assert "excludes" in run("evaluate-tsm", "run", "tasks/val.bin", "--answers", "--recall", expect=2)[1]
    assert "answers.json" in run("evaluate-tsm", "run", "text/val.bin", "--answers", expect=2)[1]


def main():
    programs, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    (work / "tasks").mkdir(parents=True)
    run = Programs(programs, work)
    each_test(globals(), run)


main()
