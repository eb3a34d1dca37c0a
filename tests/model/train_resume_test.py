"""A run that is killed or stopped at any moment resumes as if it had never stopped, to the bit.

python tests/model/train_resume_test.py TRAIN_TSM WORK
"""

import fcntl
import json
import math
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import training_data

CONFIG = """
[model]
layers = 2
heads = 2
width = 32
vocabulary = 250
vocabulary_padded = 256
[position]
encoding = "ENCODING"
learned = ["beta"]
[training]
context = 32
batch = 4
accumulation = 2
iterations = 240
learning_rate = 2e-3
warmup = 10
[output]
log_every = 3
entropy_every = 5
evaluate_every = 40
evaluate_batches = 2
checkpoint_every = 7
keep_best = true
"""
MEASURED = """
schema = 1
name = "measured"
[parameters]
beta = { default = "1/10", domain = "beta >= 0" }
[score]
bias = "-beta*n"
transform = "rotation"
[score.rotation]
angle = "100^(-2*j/d)*n/alpha"
alpha = "measured"
"""


def start(train_tsm, work, folder):
    """Begins the run, or resumes it."""
    started = (folder / "model.safetensors").exists()
    arguments = ["--resume"] if started else [work / "config.toml"]
    return subprocess.Popen(
        [train_tsm, *arguments, "--data", work / "data", "--output", folder, "--threads", "1"],
        stderr=subprocess.PIPE,
        text=True,
    )


def wait(process, seconds):
    """Until the process has had so much of a CPU: on a busy machine, a time by the clock may be
    too short for any step."""
    while process.poll() is None:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        if (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") >= seconds:
            return
        time.sleep(0.01)


def finish(train_tsm, work, folder):
    process = start(train_tsm, work, folder)
    _, errors = process.communicate()
    assert process.returncode == 0, errors


def outcome(folder):
    """Everything a run leaves but the clock, and the checkpoint before the last one, which is of
    the step where it was stopped."""
    older = [path.name.removeprefix("model-") for path in folder.glob("model-*.safetensors")]
    assert len(older) == 1 and (folder / f"optimizer-{older[0]}").exists(), older
    files = {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("log.jsonl", f"model-{older[0]}", f"optimizer-{older[0]}")
    }
    entries = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    for entry in entries:
        entry.pop("tokens_per_second", None)
    return files, entries


def safetensors_metadata(file):
    content = file.read_bytes()
    return json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])["__metadata__"]


def interrupted(train_tsm, work, folder, generator, what):
    """Sends the signal after random CPU times until the run ends by itself. Returns how often it came in time."""
    times = 0
    while True:
        process = start(train_tsm, work, folder)
        wait(process, generator.uniform(0.05, 0.9))
        process.send_signal(what)
        _, errors = process.communicate()
        if process.returncode == 0:
            return times
        if what == signal.SIGKILL:
            assert process.returncode == -signal.SIGKILL, errors
        elif process.returncode != -what:  # it came after the handler was there
            assert process.returncode == 1 and "checkpoint saved; continue with --resume" in errors, (
                process.returncode,
                errors,
            )
        times += 1
        assert times < 400, "the run does not get on"


def holds_what_it_measures(folder, entries):
    """Entropies at each 5th step, and in best/ the model of the least validation loss."""
    losses = {entry["iteration"]: entry["validation_loss"] for entry in entries if "validation_loss" in entry}
    best = safetensors_metadata(folder / "best" / "model.safetensors")
    assert float(best["validation_loss"]) == min(losses.values()) == losses[int(best["iteration"])], (best, losses)
    heads = [entry for entry in entries if "entropy" in entry]
    assert [entry["iteration"] for entry in heads] == list(range(5, 241, 5))
    for entry in heads:
        for name in ("entropy", "largest_score"):
            assert len(entry[name]) == 2 and all(len(layer) == 2 for layer in entry[name]), entry
        assert all(0 < entropy < math.log(32) for layer in entry["entropy"] for entropy in layer), entry


def goes_on_after_signals(train_tsm, work, expected):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    generator = random.Random(seed)
    for name, what in (("killed", signal.SIGKILL), ("terminated", signal.SIGTERM), ("interrupted", signal.SIGINT)):
        folder = work / name
        times = interrupted(train_tsm, work, folder, generator, what)
        print(f"{name} {times} times")
        found = outcome(folder)
        for file in sorted(expected[0]):  # best/ among them
            assert found[0].get(file) == expected[0][file], f"{name}: {file} differs"
        assert set(found[0]) == set(expected[0]), sorted(map(str, found[0]))
        assert found[1] == expected[1], f"{name}: log.jsonl differs"


def goes_on_from_the_checkpoint_before(train_tsm, work, expected):
    """Back by one checkpoint, and to the same end."""
    back = work / "back"
    shutil.copytree(work / "whole", back)
    damaged = bytearray((back / "model.safetensors").read_bytes())
    damaged[-1] ^= 1
    (back / "model.safetensors").write_bytes(damaged)
    process = start(train_tsm, work, back)
    _, errors = process.communicate()
    assert process.returncode == 2 and "its bytes are not those that were written" in errors, errors
    assert "the checkpoint before it is in model-238.safetensors" in errors, errors
    (back / "model-238.safetensors").rename(back / "model.safetensors")
    finish(train_tsm, work, back)
    assert outcome(back) == expected


def refused(train_tsm, *arguments):
    done = subprocess.run([train_tsm, *arguments], capture_output=True, text=True)
    assert done.returncode == 2, done
    return done.stderr


def other_data_and_locked_folders_are_refused(train_tsm, work):
    other = work / "other"
    shutil.copytree(work / "data", other)
    tokens = bytearray((other / "train.bin").read_bytes())
    tokens[100:102] = tokens[102:104]
    (other / "train.bin").write_bytes(tokens)
    told = refused(train_tsm, "--resume", "--data", other, "--output", work / "whole")
    assert "the run began with another train.bin" in told, told
    with open(work / "whole" / "run.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        told = refused(train_tsm, "--resume", "--data", work / "data", "--output", work / "whole")
        assert "another process trains in this folder" in told, told


def data_that_are_cut_off_are_one_message(train_tsm, work):
    """Cut off while they are read."""
    long = work / "long"
    long.mkdir()
    (long / "train.bin").write_bytes(bytes(4 << 20))
    (long / "val.bin").write_bytes(bytes(4 << 20))
    command = [train_tsm, work / "config.toml", "--data", long, "--output", work / "cut"]
    process = subprocess.Popen(
        [*command, "--threads", "1", "--set=training.iterations=1000000"], stderr=subprocess.PIPE, text=True
    )
    while not (work / "cut" / "model.safetensors").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    os.truncate(long / "train.bin", 4096)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2 and errors.count("\n") == 1, (process.returncode, errors)
    assert "train.bin: was cut off while it was read" in errors, errors


def runs_begin_once(train_tsm, work):
    """A run that is there is not started again, and only a run that is there continues."""
    told = refused(train_tsm, work / "config.toml", "--data", work / "data", "--output", work / "whole")
    assert "holds a run already; --resume" in told, told
    told = refused(train_tsm, "--resume", "--data", work / "data", "--output", work / "absent")
    assert told.count("\n") == 1, told


def main():
    train_tsm, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    (work / "data").mkdir(parents=True)
    training_data.write_tokens(work / "data", 250)
    (work / "config.toml").write_text(CONFIG.replace("ENCODING", str(work / "measured.toml")))
    (work / "measured.toml").write_text(MEASURED)
    finish(train_tsm, work, work / "whole")
    expected = outcome(work / "whole")
    holds_what_it_measures(work / "whole", expected[1])
    goes_on_after_signals(train_tsm, work, expected)
    goes_on_from_the_checkpoint_before(train_tsm, work, expected)
    other_data_and_locked_folders_are_refused(train_tsm, work)
    data_that_are_cut_off_are_one_message(train_tsm, work)
    runs_begin_once(train_tsm, work)


if __name__ == "__main__":
    main()
