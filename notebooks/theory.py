"""What the programs say of the formulas alone, as docs/results/theory/NAME.json.

Usage: python3 notebooks/theory.py [--bin FOLDER] [--results FOLDER] [--scale ci|cpu|gpu] [--again]

Verdicts, sums by length and the frontier. Takes a minute on one CPU; what is there is left as it is, unless --again. At
--scale ci lengths are short. Each file has its command, the versions of program and sources, and the machine."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "bench" / "runs"))
import tsm  # noqa: E402

VERDICTS = [
    "rope",
    "alibi",
    "ape",
    "nope",
    "t5",
    "kerple-log",
    "kerple-power",
    "sandwich",
    "xpos",
    "yarn",
    "hope-hyperbolic",
    "sliding-window",
]
SLOW = "-log(n+2) - 2*log(log(n+2))"  # Z converges, H does not: theorem T1.i's counterexample
LAST = {"ci": 4096, "cpu": 16777216, "gpu": 16777216}
BAND = {"ci": 1024, "cpu": 16384, "gpu": 16384}
POINTS = {"ci": 4, "cpu": 25, "gpu": 25}


def commands(scale):
    """NAME: a program's command."""
    lengths = ["--lengths", f"64..{LAST[scale]}", "--digits", "10", "--content-bound", "0", "--format", "json"]
    return {
        "verdicts": ["check-properties", *VERDICTS, "--content-bound", "1", "--digits", "10", "--format", "json"],
        "growth": [
            "check-properties",
            "nope",
            "alibi",
            "ape",
            "kerple-log",
            "--set",
            "kerple-log.p=1",
            "--set",
            "kerple-log.a=1",
            *lengths,
        ],
        "growth-slow": ["check-properties", "--bias", SLOW, *lengths],
        "band": [
            "check-properties",
            "rope",
            "alibi-vetcha2025",
            "ape",
            "--lengths",
            f"64..{BAND[scale]}",
            "--digits",
            "10",
            "--content-bound",
            "1,3",
            "--format",
            "json",
        ],
        "frontier": [
            "entropy-frontier",
            "alibi",
            "ape",
            "kerple-power",
            "sliding-window",
            "--vary",
            "alibi.m=1/65536..1/2",
            "--vary",
            "ape.delta=1/65536..1/2",
            "--vary",
            "kerple-power.a=1/100..4",
            "--vary",
            "W=16..65536",
            "--points",
            str(POINTS[scale]),
            "--digits",
            "10",
            "--format",
            "json",
        ],
    }


def condensed(name, output):
    """What the notebooks read: verdicts without reasons, sums without the rest."""
    keys = {"verdicts": ("name", "title", "parameters", "verdicts", "sums"), "frontier": None}.get(
        name, ("name", "parameters", "partial_sums", "growth")
    )
    if keys is None:
        for point in output["points"]:
            point.pop("mean_distance")
            point.pop("weight_beyond")
        return output
    reports = [{key: report[key] for key in keys} for report in output["encodings"]]
    for report in reports:
        for verdict in report.get("verdicts", []):
            verdict.pop("reason")
            verdict.pop("certificate")
        for sums in report.get("partial_sums", []):
            sums.pop("growth_error", None)
    return output | {"encodings": reports}


def ask(programs, command):
    result = subprocess.run([programs / command[0], *command[1:]], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    return json.loads(result.stdout)


def shown(command):
    return " ".join(f"'{word}'" if set(word) & set("()*, ") else word for word in command)


def version(programs, program):
    """Of the program, and of its sources."""
    text = subprocess.run([programs / program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return f"{text}, {tsm.trees(('theory', 'checks'))}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    parser.add_argument("--scale", choices=tuple(LAST), default="cpu")
    parser.add_argument("--again", action="store_true", help="also what is there already")
    arguments = parser.parse_args()
    folder = arguments.results / "theory"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = commands(arguments.scale)
    for number, (name, command) in enumerate(wanted.items(), 1):
        path = folder / f"{name}.json"
        if path.exists() and not arguments.again:
            print(f"theory {number} of {len(wanted)}: {name}: there", flush=True)
            continue
        content = {
            "schema": 1,
            "name": f"theory/{name}",
            "command": shown(command),
            "version": version(arguments.bin.resolve(), command[0]),
            "machine": tsm.machine(),
            "output": condensed(name, ask(arguments.bin.resolve(), command)),
        }
        partial = path.with_suffix(".tmp")
        partial.write_text(tsm.text_of(content))
        partial.replace(path)
        print(f"theory {number} of {len(wanted)}: {name}: done", flush=True)


if __name__ == "__main__":
    main()
