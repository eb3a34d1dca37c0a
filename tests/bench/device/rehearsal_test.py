"""measure.py and matrix.py do all they would do on a device, with tiny shapes on the processor.

    python tests/bench/device/rehearsal_test.py BIN WORK
"""

import json
import pathlib
import random
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "model"))
import training_data  # noqa: E402


def call(script, *arguments):
    result = subprocess.run([sys.executable, HERE / script, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == 0, f"{script}: {result.stdout}{result.stderr}"
    return result.stdout


def test_every_row_has_a_file(programs, work):
    text = call("measure.py", "--rehearse", "--bin", programs, "--output", work / "rows")
    names = {path.stem for path in (work / "rows").iterdir()}
    assert names == {f"G{n}" for n in range(1, 19) if n != 7} | {"window"}, names
    for path in (work / "rows").iterdir():
        entry = json.loads(path.read_text())
        assert entry["rehearsed"] and entry["met"] is None and re.search("trees model|sources without git", entry["version"]) and entry["machine"]["processor"], entry
        assert all(value > 0 for value in positive(entry["result"])), entry
    # the kernels compute what they are said to
    def of(name):
        return json.loads((work / "rows" / f"{name}.json").read_text())["result"]

    assert of("G8")["worst"] < 1e-4 and of("G3")["our_error"] < 1e-4 < of("G3")["their_error"], (of("G8"), of("G3"))
    assert of("G11")["difference"] < 0.05 and of("G13")["difference"] < 0.05, (of("G11"), of("G13"))
    assert of("window")["skipped"] >= 0 and len(of("window")["windows"]) == 6, of("window")
    assert text.count("rehearsed") == len(names), text
    assert call("measure.py", "--rehearse", "--bin", programs, "--output", work / "rows") == "", "rows are measured once"


def positive(value):
    """Every time, ratio and speed of a result."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "median":
                yield part
            yield from positive(part)


def test_the_matrix_goes_on(programs, work):
    data = work / "data"
    data.mkdir()
    training_data.write_tokens(data, 250)
    names = call("matrix.py", "--list", "--data", data, "--output", work / "runs").split()
    assert len(names) == 11 and names[0] == "rope-64" and names[-1] == "ape-256", names
    one = random.choice(["rope-64", "ape-64", "alibi-128"])
    arguments = ("matrix.py", "--rehearse", "--bin", programs, "--data", data, "--output", work / "runs", "--only", one)
    assert call(*arguments).strip() == f"{one}: done"
    assert call(*arguments).strip() == f"{one}: there"
    entry = json.loads((work / "runs" / f"{one}.json").read_text())
    assert entry["training"]["validation"] and entry["evaluation"]["val"] and entry["probe"]["schema"] == 1, entry
    assert (work / "runs" / f"{one}.json").stat().st_size < 1 << 20
    waits = call("matrix.py", "--rehearse", "--bin", programs, "--data", data, "--output", work / "runs", "--only", "rope-64-tuned-ape")
    assert "waits for rope-64" in waits, waits


def main():
    programs, work = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    test_every_row_has_a_file(programs, work)
    test_the_matrix_goes_on(programs, work)


if __name__ == "__main__":
    main()
