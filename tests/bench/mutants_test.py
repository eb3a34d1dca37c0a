"""What mutants.py changes by hand is in the verifiers, and the second one can be read with its checks switched off.

.venv/bin/python tests/bench/mutants_test.py WORK
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "probes" / "python")]
import mutants_python  # noqa: E402
from mutants_by_hand import ENTRIES, written  # noqa: E402

PYTHON, CPP = ROOT / "probes" / "python" / "gpe" / "verifier", ROOT / "checks" / "verifier"


def text_of(file):
    return ((PYTHON if file.endswith(".py") else CPP) / file).read_text()


def main():
    absent = [entry for entry in ENTRIES if not written(entry["old"]).search(text_of(entry["file"]))]
    assert not absent, absent
    unread = {path.stem for path in PYTHON.glob("*.py")} - {*mutants_python.FILES, "__init__", "__main__"}
    assert not unread, unread
    assert len(mutants_python.Verifier().numbers) > 400


main()
