"""All that is to be done on a machine with a device: the tests, the rows of measure.py, the runs of matrix.py.

Usage: python3 tests/bench/device/everything.py --output FOLDER [--data FOLDER] [--runs RUN...] [--bin FOLDER] [--seconds N] [--rehearse]

What has a file in FOLDER is not done again, and nothing is begun that may not end within --seconds: call it until it says that all is there. FOLDER/results.tar.gz
has all files, some hundred kilobytes. --rehearse does everything with tiny shapes on the CPU."""

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import place  # noqa: E402

TESTS = ("tests_cuda", "tests_device")
REHEARSED = "--gtest_filter=DeviceLibrary.*:Accelerator.*:CertifiedTiles.*"
SANITIZED = "--gtest_filter=-*of_floats*"  # those take six times the products, of the same kernels


def run_tests(where, name, work, rehearse):
    """How many passed, what failed and what was skipped, of a program of GoogleTest."""
    file = work / f"{name}.json"
    start = time.monotonic()
    result = subprocess.run(
        [where.programs / name, f"--gtest_output=json:{file}", *([REHEARSED] if rehearse else [])],
        capture_output=True,
        text=True,
        cwd=place.ROOT,
        env=where.environment(),
    )
    if not file.exists():  # it did not come to an end
        return {
            "code": result.returncode,
            "seconds": time.monotonic() - start,
            "output": (result.stdout + result.stderr)[-4000:],
        }
    cases = [
        (f"{suite['name']}.{case['name']}", case)
        for suite in json.loads(file.read_text())["testsuites"]
        for case in suite["testsuite"]
    ]
    return {
        "code": result.returncode,
        "seconds": time.monotonic() - start,
        "passed": sum("failures" not in case and case["result"] == "COMPLETED" for _, case in cases),
        "skipped": [test for test, case in cases if case["result"] == "SKIPPED"],
        "failed": {test: case["failures"][0]["failure"][:1000] for test, case in cases if "failures" in case},
    }


def sanitize(where):
    """What compute-sanitizer finds in the kernels, where it is installed."""
    if shutil.which("compute-sanitizer") is None:
        return {"reason": "compute-sanitizer is not installed"}
    try:
        result = subprocess.run(
            ["compute-sanitizer", "--error-exitcode", "99", where.programs / "tests_cuda", SANITIZED],
            capture_output=True,
            text=True,
            cwd=place.ROOT,
            env=where.environment(),
            timeout=300,
        )
    except subprocess.TimeoutExpired:
        return {"reason": "300 seconds were not enough"}
    return {"code": result.returncode, "output": (result.stdout + result.stderr)[-2000:]}


def tests(where, output, work, rehearse):
    file = output / "tests.json"
    if file.exists():
        return
    content = (
        {"schema": 1, "name": "tests", "rehearsed": rehearse}
        | where.about()
        | {name: run_tests(where, name, work, rehearse) for name in TESTS}
        | {"compute-sanitizer": {"reason": "rehearsed"} if rehearse else sanitize(where)}
    )
    place.write(file, place.rounded(content))
    for name in TESTS:
        found = content[name]
        print(
            f"{name}: {found.get('passed', 0)} passed, {len(found.get('failed', {}))} failed, exit {found['code']}",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument(
        "--data", type=Path, help="token files for the runs (default: those that pack.py packed, or no runs)"
    )
    parser.add_argument("--runs", nargs="+", metavar="RUN", help="of matrix.py (default: all)")
    parser.add_argument("--bin", type=Path)
    parser.add_argument(
        "--seconds", type=float, default=540, help="begin nothing that may not end within these (default 540)"
    )
    parser.add_argument("--rehearse", action="store_true")
    arguments = parser.parse_args()
    until = time.monotonic() + arguments.seconds
    arguments.output.mkdir(parents=True, exist_ok=True)
    place.unpack()
    packed = place.PACK / "data"
    data = arguments.data or (packed if packed.exists() else None)
    common = [*(["--bin", arguments.bin] if arguments.bin else []), *(["--rehearse"] if arguments.rehearse else [])]
    with tempfile.TemporaryDirectory() as work:
        tests(
            place.Place(arguments.bin, Path(work), arguments.rehearse), arguments.output, Path(work), arguments.rehearse
        )
    scripts = [("measure.py", "rows", [])]
    if data is not None:
        scripts.append(
            ("matrix.py", "runs", ["--data", data, *(["--only", *arguments.runs] if arguments.runs else [])])
        )
    left, failed = [], False
    for script, folder, more in scripts:
        command = [
            sys.executable,
            Path(__file__).with_name(script),
            "--output",
            arguments.output / folder,
            *common,
            *more,
        ]
        result = subprocess.run([*map(str, command), "--seconds", str(max(0.0, until - time.monotonic()))])
        failed |= result.returncode != 0
        names = subprocess.run(
            [*map(str, command), "--list"], capture_output=True, text=True, check=True
        ).stdout.split()
        left += [name for name in names if not (arguments.output / folder / f"{name}.json").exists()]
    with tarfile.open(arguments.output / "results.tar.gz", "w:gz") as archive:
        for file in sorted(arguments.output.rglob("*.json")):
            archive.add(file, file.relative_to(arguments.output))
    print(f"left, call again: {' '.join(left)}" if left else "all is there", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
