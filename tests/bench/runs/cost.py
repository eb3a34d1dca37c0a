"""What encodings cost: memory of training by context, and speed of reading.

Writes docs/results/memory.json and speed.json, which `audit-claims --results docs/results` reads.

Usage: .venv/bin/python tests/bench/runs/cost.py [--bin FOLDER] [--runs FOLDER] [--data FOLDER]
       [--results FOLDER] [--rounds N]
       [--only memory|speed]"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

import tsm

ENCODINGS = {"rope": "rope", "alibi": "alibi-vetcha2025", "ape": "ape"}
CONTEXTS = (64, 128, 256)
STEPS = 20
TOKENS, WINDOWS = 1024, 16
BATCH, TRAINED = 12, 64  # a step of tests/bench/runs/tsm.toml


def usage(programs, *arguments):
    """Processor seconds and peak resident bytes of a program."""
    process = subprocess.Popen(
        [programs / arguments[0], *map(str, arguments[1:])], stdout=subprocess.DEVNULL, cwd=tsm.ROOT
    )
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(" ".join(map(str, arguments)))
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def memory(arguments):
    """Beyond the program and its libraries: weights, gradients, moments, and what a step of 12 sequences keeps."""
    _, program = usage(arguments.bin, "train-tsm", "--version")
    result = {"what": f"peak resident bytes of {STEPS} steps, less those of train-tsm --version", "program": program}
    for name, encoding in ENCODINGS.items():
        result[name] = {}
        for context in CONTEXTS:
            with tempfile.TemporaryDirectory() as folder:
                run = tsm.Run(
                    name,
                    encoding,
                    context,
                    iterations=STEPS,
                    settings={"training.warmup": 1, "output.evaluate_batches": 0},
                )
                _, peak = usage(
                    arguments.bin,
                    "train-tsm",
                    *run.arguments(1),
                    "--data",
                    arguments.data,
                    "--output",
                    f"{folder}/run",
                    "--threads",
                    1,
                )
            result[name][str(context)] = peak - program
    return result


def speed(arguments):
    """Tokens per second of CPU time, in training and when losses of packed windows are computed, the encodings in turn;
    from the slowest to the fastest of the rounds."""
    result = {
        "what": f"tokens per second of CPU time on one thread: of train-tsm, {BATCH} sequences of {TRAINED} tokens, "
        f"3 layers of width 96; of evaluate-tsm, windows of {TOKENS} tokens"
    }
    found = {name: [] for name in ENCODINGS}
    trained = {name: [] for name in ENCODINGS}
    for _ in range(arguments.rounds):
        for name, encoding in ENCODINGS.items():
            few, many = (training_seconds(arguments, name, encoding, steps) for steps in (STEPS, 6 * STEPS))
            trained[name].append(5 * STEPS * BATCH * TRAINED / (many - few))
            one, all_of_them = (
                usage(
                    arguments.bin,
                    "evaluate-tsm",
                    arguments.runs / f"{name}-64",
                    arguments.data / "val.bin",
                    "--lengths",
                    TOKENS,
                    "--windows",
                    windows,
                    "--threads",
                    1,
                    "--format",
                    "json",
                )[0]
                for windows in (1, WINDOWS)
            )
            found[name].append((WINDOWS - 1) * TOKENS / (all_of_them - one))
    for name in ENCODINGS:
        result[name] = {
            kind: {"lower": round(min(speeds[name])), "upper": round(max(speeds[name]))}
            for kind, speeds in (("training", trained), ("inference", found))
        }
    return result


def training_seconds(arguments, name, encoding, steps):
    with tempfile.TemporaryDirectory() as folder:
        run = tsm.Run(
            name, encoding, TRAINED, iterations=steps, settings={"training.warmup": 1, "output.evaluate_batches": 0}
        )
        return usage(
            arguments.bin,
            "train-tsm",
            *run.arguments(1),
            "--data",
            arguments.data,
            "--output",
            f"{folder}/run",
            "--threads",
            1,
        )[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=tsm.ROOT / "build" / "bin")
    parser.add_argument("--runs", type=Path, default=tsm.ROOT / "data" / "runs")
    parser.add_argument("--data", type=Path, default=tsm.DATA)
    parser.add_argument("--results", type=Path, default=tsm.ROOT / "docs" / "results")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=("memory", "speed"))
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.resolve()
    for name, measure in (("memory", memory), ("speed", speed)):
        if arguments.only not in (None, name):
            continue
        content = {
            "schema": 1,
            "machine": tsm.machine(),
            "version": tsm.version(arguments.bin),
            "command": "tests/bench/runs/cost.py",
        }
        path = arguments.results / f"{name}.json"
        path.write_text(tsm.text_of(content | measure(arguments)))
        print(json.dumps(json.loads(path.read_text())), flush=True)


if __name__ == "__main__":
    main()
