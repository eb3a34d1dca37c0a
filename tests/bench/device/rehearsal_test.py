"""everything.py does all it would do on a device, with tiny shapes on the CPU; cut off anywhere, it leaves whole files.

python tests/bench/device/rehearsal_test.py BIN [--cut] WORK; --cut: the run that is cut off alone
"""

import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "model"))
import training_data  # noqa: E402


def everything(programs, work, seconds, speed):
    command = [sys.executable, HERE / "everything.py", "--bin", programs, "--data", work / "data"]
    command += ["--output", work / "results", "--seconds", seconds, "--rehearse", speed]
    result = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert result.returncode == 0 and "failed" not in result.stdout.replace("failed: none", ""), result
    return result.stdout


def whole_files(output):
    """What was written so far: all of it can be read, in the archive too."""
    files = {path.relative_to(output).as_posix(): path for path in output.rglob("*.json")}
    for path in files.values():
        entry = json.loads(path.read_text())
        assert entry["rehearsed"] and entry["machine"]["CPU"], entry
        assert re.search("trees model|sources without git", entry["version"]), entry
    if (output / "results.tar.gz").exists():
        with tarfile.open(output / "results.tar.gz") as archive:
            assert set(archive.getnames()) <= set(files)
            for name in archive.getnames():
                json.load(archive.extractfile(name))
    return set(files)


def positive(value):
    """Every time, ratio and speed of a result."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "median":
                yield part
            yield from positive(part)


def check_results(output):
    def of(name):
        return json.loads((output / f"{name}.json").read_text())

    tests = of("tests")
    assert tests["passed"] == len(tests["tests"]) > 0 and not tests["failed"], tests
    for path in (output / "correct").iterdir():
        case = json.loads(path.read_text())
        assert case["right"] and case["finite"], case
    rows = {path.stem: of(f"rows/{path.stem}") for path in (output / "rows").iterdir()}
    assert set(rows) == {f"G{n}" for n in range(1, 19)} | {"window"}, rows.keys()
    for row in rows.values():
        assert row["met"] is None and all(value > 0 for value in positive(row["result"])), row
    # the kernels compute what they are said to
    results = {name: row["result"] for name, row in rows.items()}
    assert results["G8"]["worst"] < 1e-4 and results["G3"]["our_error"] < 1e-4 < results["G3"]["their_error"], results
    assert results["G11"]["difference"] < 0.05 and results["G13"]["difference"] < 0.05, results
    assert results["G7"]["weight_error"] < 1e-3 and results["G7"]["pairs"], results["G7"]
    assert len(results["window"]["windows"]) == 6, results["window"]
    for name in ("rope-64", "alibi-64", "ape-64"):
        run = of(f"runs/{name}")
        iterations = [run[which]["iteration"] for which in ("best", "last")]  # a run that was cut off has fewer steps
        assert 0 <= iterations[0] <= iterations[1] <= run["steps"], (name, iterations, run["steps"])
        assert run["training"]["validation"] and run["last"]["files"]["val"] and run["probe"]["schema"] == 1, name


def main():
    programs, work = sys.argv[1], pathlib.Path(sys.argv[-1])
    shutil.rmtree(work, ignore_errors=True)
    (work / "data").mkdir(parents=True)
    training_data.write_tokens(work / "data", 250)
    seed = random.randrange(1 << 32)
    print("seed", seed)
    everything(programs, work, random.Random(seed).randrange(60, 400), 10)  # under a clock that runs ten times too fast
    before = whole_files(work / "results")
    if "--cut" in sys.argv:
        return
    text = everything(programs, work, 3000, 1)
    assert "without a result: none" in text, text
    assert before < whole_files(work / "results"), "what was there stays"
    check_results(work / "results")
    assert "started" not in everything(programs, work, 3000, 1), "nothing is done twice"


if __name__ == "__main__":
    main()
