"""All that is to be measured on a machine with a device, in the order of its value, within a number of seconds.

Usage: python3 tests/bench/device/everything.py --output FOLDER --seconds N [--data FOLDER]
       [--bin FOLDER] [--rehearse [SPEED]]

Steps with results in FOLDER are not repeated, so that a second call continues the first; a step that does not fit into
N seconds is left out, and one that runs over is stopped. Each result is written as soon as it is there, and
FOLDER/results.tar.gz after each step. --rehearse does everything with tiny shapes on the CPU, under a clock that may
run too fast."""

import argparse
import csv
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import place  # noqa: E402
from correct import CASES  # noqa: E402

TESTS = ("tests_cuda", "tests_device")
# the suites of both programs with most to say of a device, first; what they do not name follows
FIRST = ("RowsKernel", "GradientKernels", "DeviceStep", "DeviceModel", "CrossEntropyKernel", "DeviceStatistics")
REHEARSED = ("CertifiedTiles", "DeviceLibrary", "Accelerator", "DeviceHead")
SANITIZED = (
    "RowsKernel.of_16_bits_is_attention:RowsKernel.turns_tiles_by_series:"
    "GradientKernels.by_series_are_those_of_attention"
)
ROWS = ("G1", "G3", "G10", "window", "G5", "G12", "G6", "G7", "G8", "G2")
COMPILED = ("G13", "G14", "G15")
MORE_ROWS = ("G13", "G15", "G14", "G4", "G11", "G9", "G17", "G16", "G18")
SCRIPTS = Path(__file__).parent


class Plan:
    def __init__(self, arguments, where, work):
        self.output, self.data, self.rehearse = arguments.output, arguments.data, arguments.rehearse is not None
        self.where, self.work = where, work
        self.fast = arguments.rehearse or 1  # a rehearsal's clock
        self.started = time.monotonic()
        self.seconds = arguments.seconds
        self.common = ["--rehearse"] if self.rehearse else []
        self.common += ["--bin", arguments.bin] if arguments.bin else []
        self.common += ["--work", work]
        self.helpers = []

    def left(self):
        return self.seconds - (time.monotonic() - self.started) * self.fast

    def run(self, command, seconds, **more):
        """The exit code; None where it was stopped."""
        process = subprocess.Popen(
            [*map(str, command)], env=self.where.environment(), cwd=place.ROOT, start_new_session=True, **more
        )
        try:
            return process.wait(timeout=max(0.1, min(seconds, self.left()) / self.fast))
        except subprocess.TimeoutExpired:
            for sign in (signal.SIGTERM, signal.SIGKILL):
                os.killpg(process.pid, sign)
                try:
                    process.wait(timeout=3)
                    break
                except subprocess.TimeoutExpired:
                    continue
            return None

    def script(self, name, folder, seconds, *more):
        command = [sys.executable, SCRIPTS / name, "--output", self.output / folder, *self.common, *more]
        return self.run(command, seconds)

    def wait_for_helpers(self, seconds):
        """What warm_up began; what is not done then is stopped."""
        until = time.monotonic() + min(seconds, self.left()) / self.fast
        for helper in self.helpers:
            try:
                helper.wait(timeout=max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(helper.pid, signal.SIGKILL)
                helper.wait()

    def write(self, name, content):
        about = {"schema": 1, "name": name, "rehearsed": self.rehearse} | self.where.about()
        place.write(self.output / f"{name}.json", place.rounded(about | content))

    def archive(self):
        with tempfile.NamedTemporaryFile(dir=self.output, suffix=".tmp", delete=False) as partial:
            with tarfile.open(fileobj=partial, mode="w:gz") as archive:
                for file in sorted(self.output.rglob("*.json")):
                    archive.add(file, file.relative_to(self.output))
        Path(partial.name).replace(self.output / "results.tar.gz")


def cases(plan):
    """(program, test) of both programs, the most telling suites first."""
    found = []
    for program in TESTS:
        suite = ""
        for line in plan.where.call(program, "--gtest_list_tests").splitlines():
            if not line.startswith(" "):
                suite = line.strip()
            elif not plan.rehearse or suite[:-1] in REHEARSED:
                found.append((program, suite + line.split()[0]))

    def place_of(case):
        suite = case[1].split(".")[0]
        return FIRST.index(suite) if suite in FIRST else len(FIRST)

    return sorted(found, key=place_of)


def run_case(plan, program, test, seconds):
    """One test in a process of its own: whether it passed, and what it printed where it failed."""
    file = plan.work / f"{test}.txt"
    start = time.monotonic()
    with file.open("w") as out:
        code = plan.run([plan.where.programs / program, f"--gtest_filter={test}"], seconds, stdout=out, stderr=out)
    result = {"code": code, "seconds": time.monotonic() - start}
    text = file.read_text(errors="replace")
    if "[  SKIPPED ]" in text:
        result["skipped"] = True
    return result if code == 0 else result | {"output": text[-3000:]}


def tests(plan):
    """Both programs of tests, several tests at a time; those that had no time are named."""
    found = {}
    with ThreadPoolExecutor(2 if plan.rehearse else 8) as pool:
        waiting = {test: pool.submit(run_case, plan, program, test, 60) for program, test in cases(plan)}
        for test, future in waiting.items():
            found[test] = future.result()
            failed = [name for name, of in found.items() if of["code"] != 0]
            plan.write("tests", {"tests": found, "passed": len(found) - len(failed), "failed": failed})
    print(f"tests: {len(found) - len(failed)} passed, failed: {' '.join(failed) or 'none'}", flush=True)


def sanitizer(plan):
    """What compute-sanitizer finds in the kernels."""
    if shutil.which("compute-sanitizer") is None:
        plan.write("sanitizer", {"reason": "compute-sanitizer is not installed"})
        return
    found = {}
    for tool in ("memcheck", "racecheck"):
        file = plan.work / f"{tool}.txt"
        command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", plan.where.programs / "tests_cuda"]
        with file.open("w") as out:
            code = plan.run([*command, f"--gtest_filter={SANITIZED}"], 60, stdout=out, stderr=out)
        found[tool] = {"code": code, "output": file.read_text(errors="replace")[-2000:]}
        plan.write("sanitizer", {"tests": SANITIZED, "tools": found})
    print(f"sanitizer: { ({tool: of['code'] for tool, of in found.items()}) }", flush=True)


def profile(plan):
    """What Nsight Compute says of statistics, attention, and APE by series and pair by pair, in that order."""
    if shutil.which("ncu") is None:
        plan.write("profile", {"reason": "Nsight Compute is not installed"})
        return
    sections = ("SpeedOfLight", "ComputeWorkloadAnalysis", "WarpStateStats", "Occupancy", "LaunchStats")
    asked = [f"--section={section}" for section in sections]
    file = plan.work / "profile.txt"
    command = ["ncu", "--clock-control=none", "--kernel-name=regex:run_tiles", *asked]
    with file.open("w") as out:
        code = plan.run([*command, sys.executable, SCRIPTS / "launches.py", *plan.common], 60, stdout=out, stderr=out)
    plan.write("profile", {"code": code, "lines": file.read_text(errors="replace")[-30000:].splitlines()})


def trio(plan, context, seconds):
    if plan.data is None:
        print(f"trio-{context}: no token files", flush=True)
        return
    compile_peers(plan)
    seconds = min(seconds, plan.left())
    own = ["--data", plan.data, "--context", context, "--seconds", seconds / plan.fast]
    plan.script("trio.py", "runs", seconds, *own)


def measure(plan, names, seconds):
    plan.wait_for_helpers(30)
    samples = 3 if plan.rehearse else 7
    plan.script("measure.py", "rows", seconds, "--samples", samples, "--only", *names)


def missing(plan, patterns):
    return [pattern for pattern in patterns if not any(plan.output.glob(pattern))]


def profile_training(plan):
    """Milliseconds of each kernel in two steps of 480 sequences of 256 tokens, RoPE at full size."""
    if shutil.which("ncu") is None or plan.data is None:
        plan.write("profile-training", {"reason": "Nsight Compute is not installed, or there are no token files"})
        return
    file, run = plan.work / "training.csv", plan.work / "profiled"
    settings = {"training.context": 256, "training.batch": 480, "training.iterations": 2, "output.evaluate_batches": 0}
    options = [f"--set={key}={value}" for key, value in settings.items()]
    encoding = ["--encoding", place.ROOT / "theory" / "encodings" / "rope.toml"]
    train = ["train-tsm", SCRIPTS / "full.toml", "--device", "cuda", *encoding, "--data", plan.data, "--output", run]
    command = ["ncu", "--clock-control=none", "--metrics=gpu__time_duration.sum", "--csv", f"--log-file={file}"]
    code = plan.run([*command, plan.where.programs / train[0], *train[1:], *options], 60)
    lines = [line for line in file.read_text(errors="replace").splitlines() if line.startswith('"')]
    times = {}
    for row in csv.DictReader(lines):
        name = row["Kernel Name"][:120]
        count, sum_ms = times.get(name, (0, 0.0))
        scale = {"ns": 1e-6, "us": 1e-3, "ms": 1.0}[row["Metric Unit"]]
        times[name] = (count + 1, sum_ms + float(row["Metric Value"].replace(",", "")) * scale)
    kernels = [[name, *of] for name, of in sorted(times.items(), key=lambda entry: -entry[1][1])[:40]]
    plan.write("profile-training", {"code": code, "columns": ["kernel", "launches", "ms"], "kernels": kernels})


def begin_beside(plan, *commands):
    """Scripts that run beside a step that is not timed."""
    for name, *more in commands:
        command = [sys.executable, SCRIPTS / name, *more, *plan.common]
        plan.helpers.append(subprocess.Popen([*map(str, command)], stderr=subprocess.DEVNULL, start_new_session=True))


def compile_peers(plan):
    """PyTorch's side of the rows to come: torch keeps what it compiled."""
    if not plan.rehearse:
        rows = [row for row in COMPILED if missing(plan, [f"rows/{row}.json"])]
        begin_beside(plan, *(("measure.py", "--compile", row) for row in rows))


# name, the files that it leaves, the least seconds to begin it with, what it does; most valuable first
STEPS = [
    ("tests", ["tests.json"], 20, tests),
    ("correct", [f"correct/{case}.json" for case in CASES], 20, lambda plan: plan.script("correct.py", "correct", 70)),
    ("rows", [f"rows/{row}.json" for row in ROWS], 20, lambda plan: measure(plan, ROWS, 110)),
    ("trio-64", [f"runs/{name}-64.json" for name in ("rope", "alibi", "ape")], 100, lambda plan: trio(plan, 64, 310)),
    ("profile", ["profile.json"], 25, profile),
    ("training profile", ["profile-training.json"], 25, profile_training),
    ("sanitizer", ["sanitizer.json"], 20, sanitizer),
    ("more rows", [f"rows/{row}.json" for row in MORE_ROWS], 15, lambda plan: measure(plan, MORE_ROWS, 300)),
    (
        "trio-128",
        [f"runs/{name}-128.json" for name in ("rope", "alibi", "ape")],
        150,
        lambda plan: trio(plan, 128, 300),
    ),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument(
        "--data", type=Path, help="token files for the runs (default: those that pack.py packed, or no runs)"
    )
    parser.add_argument("--bin", type=Path)
    parser.add_argument("--rehearse", type=float, nargs="?", const=1, metavar="SPEED", help="of the clock (default 1)")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    place.unpack()
    packed = place.PACK / "data"
    if arguments.data is None and packed.exists():
        arguments.data = packed
    with tempfile.TemporaryDirectory() as work:
        where = place.Place(arguments.bin, Path(work), arguments.rehearse is not None)
        plan = Plan(arguments, where, Path(work))
        begin_beside(plan, ("correct.py", "--tables"))
        left_out = []
        for name, files, least, step in STEPS:
            if not missing(plan, files):
                continue
            if plan.left() < least:
                left_out.append(name)
                continue
            print(f"{name}: started with {plan.left():.0f} seconds left", flush=True)
            try:
                step(plan)
            except (OSError, RuntimeError, subprocess.SubprocessError) as error:
                print(f"{name}: failed: {error}", flush=True)
            plan.archive()
        plan.wait_for_helpers(0)
        absent = [file for _, files, _, _ in STEPS for file in missing(plan, files)]
        print(
            f"left out: {', '.join(left_out) or 'nothing'}; without a result: {' '.join(absent) or 'none'}", flush=True
        )


if __name__ == "__main__":
    main()
