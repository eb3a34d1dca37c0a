"""everything.py does all it would do on a device, with tiny shapes on the CPU.

python tests/bench/device/rehearsal_test.py BIN WORK
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


def call(script, *arguments):
    result = subprocess.run([sys.executable, HERE / script, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == 0, f"{script}: {result.stdout}{result.stderr}"
    return result.stdout


def test_everything_leaves_files(programs, work):
    data, output = work / "data", work / "results"
    data.mkdir()
    training_data.write_tokens(data, 250)
    one = random.choice(["rope-64", "ape-64", "alibi-128"])
    arguments = (
        "everything.py",
        "--rehearse",
        "--bin",
        programs,
        "--data",
        data,
        "--runs",
        one,
        "--output",
        output,
        "--seconds",
        3000,
    )
    text = call(*arguments)
    assert "all is there" in text, text
    names = {path.stem for path in (output / "rows").iterdir()}
    assert names == {f"G{n}" for n in range(1, 19)} | {"window"}, names
    for path in (output / "rows").iterdir():
        entry = json.loads(path.read_text())
        assert entry["rehearsed"] and entry["met"] is None and entry["machine"]["CPU"], entry
        assert re.search("trees model|sources without git", entry["version"]), entry
        assert all(value > 0 for value in positive(entry["result"])), entry

    # the kernels compute what they are said to
    def of(name):
        return json.loads((output / "rows" / f"{name}.json").read_text())["result"]

    assert of("G8")["worst"] < 1e-4 and of("G3")["our_error"] < 1e-4 < of("G3")["their_error"], (of("G8"), of("G3"))
    assert of("G11")["difference"] < 0.05 and of("G13")["difference"] < 0.05, (of("G11"), of("G13"))
    assert of("G7")["weight_error"] < 1e-3 and of("G7")["pairs"], of("G7")
    assert of("window")["skipped"] >= 0 and len(of("window")["windows"]) == 6, of("window")
    tests = json.loads((output / "tests.json").read_text())
    for name in ("tests_cuda", "tests_device"):
        assert tests[name]["code"] == 0 and tests[name]["passed"] > 0 and tests[name]["failed"] == {}, tests
    run = json.loads((output / "runs" / f"{one}.json").read_text())
    assert run["training"]["validation"] and run["evaluation"]["val"] and run["probe"]["schema"] == 1, run
    with tarfile.open(output / "results.tar.gz") as archive:
        assert len(archive.getnames()) == len(names) + 2 and (output / "results.tar.gz").stat().st_size < 1 << 20
    assert call(*arguments) == f"{one}: there\nall is there\n", "nothing is done twice"


def positive(value):
    """Every time, ratio and speed of a result."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "median":
                yield part
            yield from positive(part)


def test_the_matrix_has_an_order(programs, work):
    arguments = ("matrix.py", "--data", work / "data", "--output", work / "results" / "runs")
    names = call(*arguments, "--list").split()
    assert len(names) == 11 and names[0] == "rope-64" and names[-1] == "ape-256", names
    waits = call(*arguments, "--rehearse", "--bin", programs, "--only", "rope-64-tuned-ape")
    assert "waits for rope-64" in waits, waits


def main():
    programs, work = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    test_everything_leaves_files(programs, work)
    test_the_matrix_has_an_order(programs, work)


if __name__ == "__main__":
    main()
