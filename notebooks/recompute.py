"""All results, computed again, and then all figures and tables.

Usage: .venv/notebooks/bin/python notebooks/recompute.py --scale ci|cpu|gpu [--bin FOLDER] [--only STEP...] [--list]

  ci   some minutes: short lengths, a five-hundredth of the steps, stories that are made here;
       results go to data/try/results
  cpu  some days on two CPUs: what docs/results has; needs GPE_DATA
  gpu  the paper's size; needs GPE_DATA; results go to data/paper/results

Stop it at any time and start it again: finished results are kept, and training resumes at its last
checkpoint."""

import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNS = ROOT / "tests" / "bench" / "runs"
PLACES = {  # results, checkpoints, tokens
    "ci": ("data/try/results", "data/try", "data/try/tokens"),
    "cpu": ("docs/results", "data/runs", "data/tsm"),
    "gpu": ("data/paper/results", "data/paper", "data/paper/tokens"),
}


def steps(scale, programs):
    """NAME: (what it does, command)."""
    results, runs, tokens = (ROOT / place for place in PLACES[scale])
    own = sys.executable
    elsewhere = [] if scale == "cpu" else ["--results", results]
    return {
        "theory": (
            "sums and verdicts of formulas",
            [own, ROOT / "notebooks" / "theory.py", "--bin", programs, "--results", results, "--scale", scale],
        ),
        "runs": ("training and evaluation", [own, RUNS / "tsm.py", "--bin", programs, "--scale", scale]),
        "probes": (
            "entropies of attention",
            [
                own,
                RUNS / "predictors.py",
                "--bin",
                programs,
                "--runs",
                runs,
                "--data",
                tokens,
                *elsewhere,
                *(["--lengths", "64..1024"] if scale == "ci" else []),
            ],
        ),
        "cost": (
            "speed and memory",
            [
                own,
                RUNS / "cost.py",
                "--bin",
                programs,
                "--runs",
                runs,
                "--data",
                tokens,
                "--results",
                results,
                *(["--rounds", "1"] if scale == "ci" else []),
            ],
        ),
        **(
            {}
            if scale == "ci"
            else {
                "readability": (
                    "readability of the texts",
                    [own, RUNS / "readability.py", "--bin", programs, "--results", results],
                )
            }
        ),
        "figures": (
            "figures and tables",
            [own, ROOT / "notebooks" / "figures.py", "--results", results, "--output", ROOT / "figures" / scale],
        ),
    }


def done(name, results):
    """Whether a step that does not look for itself has its result already."""
    files = {"cost": ["speed", "memory"], "readability": ["readability"]}.get(name)
    return files is not None and all((results / f"{file}.json").exists() for file in files)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", choices=tuple(PLACES), required=True)
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--only", nargs="+", metavar="STEP")
    parser.add_argument("--list", action="store_true", help="the steps and their commands")
    arguments = parser.parse_args()
    chosen = steps(arguments.scale, arguments.bin.resolve())
    unknown = set(arguments.only or []) - set(chosen)
    if unknown:
        parser.error(f"unknown step: {', '.join(sorted(unknown))}; expected {', '.join(chosen)}")
    chosen = {name: step for name, step in chosen.items() if not arguments.only or name in arguments.only}
    for number, (name, (what, command)) in enumerate(chosen.items(), 1):
        if arguments.list:
            print(f"{name:12} {what}: {' '.join(str(word).replace(f'{ROOT}/', '') for word in command)}")
            continue
        print(f"step {number} of {len(chosen)}: {name}: {what}", flush=True)
        if done(name, ROOT / PLACES[arguments.scale][0]):
            print(f"{name}: there", flush=True)
            continue
        started = time.time()
        result = subprocess.run(command, cwd=ROOT)
        if result.returncode != 0:
            sys.exit(f"recompute.py: step {name} failed; start it again to resume")
        print(f"{name}: {time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
