#!/usr/bin/env python3
"""The fuzzers of tests/fuzz, one after the other, each for so many seconds of its own CPU time.

    cmake --preset fuzz && cmake --build --preset fuzz && tests/bench/fuzz.py build-fuzz --seconds 600

What each did is kept with its result: one that ran for as long is left out, unless --fresh. Exit:
1 when one finds something, else 0.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
EXTRA = {"specification": "theory/encodings", "claims": "checks/claims", "hugging_face": "tests/cases/configs"}
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def fuzz(build, name, seconds):
    """Executions, CPU time, and the files of what was found."""
    found = build / "tests" / "fuzz" / ("found-" + name)
    found.mkdir(parents=True, exist_ok=True)
    seeds = [SOURCE / "tests" / "fuzz" / "corpus" / name, *([SOURCE / EXTRA[name]] if name in EXTRA else [])]
    command = [
        build / "bin" / (name + "_fuzz"),
        "-timeout=100",
        "-report_slow_units=100",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        "-verbosity=0",
        "-dict=%s" % (SOURCE / "tests" / "fuzz" / (name + ".dict")),
        "-artifact_prefix=%s-" % (found.parent / name),
        found,
        *seeds,
    ]
    before, log = set(found.parent.glob(name + "-*")), found.parent / (name + ".log")
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
        used = 0
        while process.poll() is None and used < seconds:
            time.sleep(1)
            used = max(used, processor_seconds(process.pid))
        ended = process.poll() is not None
        process.send_signal(signal.SIGINT)
        process.wait()
    artifacts = sorted(path.name for path in set(found.parent.glob(name + "-*")) - before)
    if ended and not artifacts:
        sys.exit(f"{name}_fuzz ended by itself: {log}")
    executions = re.search(r"number_of_executed_units: (\d+)", log.read_text(errors="replace"))
    return {
        "executions": int(executions[1]) if executions else None,
        "processor_seconds": round(used),
        "found": artifacts,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--only", default="", help="fuzzers with this in their name")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results" / "fuzz.json")
    parser.add_argument("--fresh", action="store_true", help="forget what is known")
    options = parser.parse_args()
    report = {"command": "tests/bench/fuzz.py build-fuzz --seconds 600", "fuzzers": {}}
    if options.results.exists() and not options.fresh:
        report = json.loads(options.results.read_text())
    names = sorted(path.name.removesuffix("_fuzz.cpp") for path in (SOURCE / "tests" / "fuzz").glob("*_fuzz.cpp"))
    for name in names:
        known = report["fuzzers"].get(name)
        if options.only not in name or (known and not known["found"] and known["processor_seconds"] >= options.seconds):
            continue
        report["fuzzers"][name] = one = fuzz(options.build.resolve(), name, options.seconds)
        options.results.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")
        print(name, one, flush=True)
    sys.exit(1 if any(one["found"] for one in report["fuzzers"].values()) else 0)


if __name__ == "__main__":
    main()
