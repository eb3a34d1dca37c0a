"""What encodings cost: memory of training by context, and speed of reading, as docs/results/memory.json and speed.json, which
`audit-claims --results docs/results` reads.

Usage: .venv/bin/python tests/bench/runs/cost.py [--bin FOLDER] [--runs FOLDER] [--data FOLDER] [--rounds N]"""

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


def usage(programs, *arguments):
    """Processor seconds and peak resident bytes of a program."""
    process = subprocess.Popen([programs / arguments[0], *map(str, arguments[1:])], stdout=subprocess.DEVNULL, cwd=tsm.ROOT)
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
                run = tsm.Run(name, encoding, context, iterations=STEPS, settings={"training.warmup": 1, "output.evaluate_batches": 0})
                _, peak = usage(arguments.bin, "train-tsm", *run.arguments(1), "--data", arguments.data, "--output", f"{folder}/run", "--threads", 1)
            result[name][str(context)] = peak - program
    return result


def speed(arguments):
    """Tokens a second of processor time when losses of packed windows are computed; from the slowest to the fastest of the rounds."""
    result = {"what": f"tokens a second of evaluate-tsm, processor time on one thread, windows of {TOKENS} tokens"}
    found = {name: [] for name in ENCODINGS}
    for _ in range(arguments.rounds):
        for name in ENCODINGS:
            one, all_of_them = (usage(arguments.bin, "evaluate-tsm", arguments.runs / f"{name}-64", arguments.data / "val.bin", "--lengths", TOKENS,
                                      "--windows", windows, "--threads", 1, "--format", "json")[0] for windows in (1, WINDOWS))
            found[name].append((WINDOWS - 1) * TOKENS / (all_of_them - one))
    for name, speeds in found.items():
        result[name] = {"inference": {"lower": round(min(speeds)), "upper": round(max(speeds))}}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=tsm.ROOT / "build" / "bin")
    parser.add_argument("--runs", type=Path, default=tsm.ROOT / "data" / "runs")
    parser.add_argument("--data", type=Path, default=tsm.DATA)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.resolve()
    for name, measure in (("memory", memory), ("speed", speed)):
        content = {"schema": 1, "machine": tsm.machine(), "version": tsm.version(arguments.bin), "command": "tests/bench/runs/cost.py"}
        path = tsm.ROOT / "docs" / "results" / f"{name}.json"
        path.write_text(tsm.text_of(content | measure(arguments)))
        print(json.dumps(json.loads(path.read_text())), flush=True)


if __name__ == "__main__":
    main()
