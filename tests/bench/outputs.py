"""What the programs say, kept and compared: before and after a change that should change nothing.

outputs.py record BIN FOLDER     JSON reports and certificates of all built-in encodings, the audit, and a probe
                                 in float64
outputs.py compare OLD NEW       every value that differs; exit 1 where a verdict, a region or a certificate does,
                                 where two enclosures have no point in common, or where numbers of the probe differ
                                 by more than 1e-12"""

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBER = r"-?\d+(?:\.\d*)?(?:e[-+]?\d+)?"


def record(bin_folder, folder):
    folder.mkdir(parents=True)

    def run(name, program, *arguments):
        done = subprocess.run([bin_folder / program, *arguments], cwd=folder, capture_output=True, text=True)
        (folder / name).write_text(done.stdout + (f"exit {done.returncode}: {done.stderr}" if done.returncode else ""))

    encodings = subprocess.run(
        [bin_folder / "check-properties", "--list"], capture_output=True, text=True, check=True
    ).stdout
    names = [line.split()[0] for line in encodings.splitlines() if line.strip()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in names:
            pool.submit(
                run,
                f"{name}.json",
                "check-properties",
                name,
                "--format",
                "json",
                "--content-bound",
                "1,5,10",
                "--digits",
                "30",
                "--lengths",
                "64,1024",
            )
            pool.submit(run, f"{name}.txt", "check-properties", name, "--certificates", f"certificates-{name}")
        pool.submit(run, "audit.json", "audit-claims", "--format", "json")
    run(
        "stories.txt",
        "make-stories",
        "--tokenizer",
        ROOT / "tests/cases/tiny",
        "--distances",
        "32..256",
        "--count",
        "40",
        "--output",
        "stories.bin",
    )
    run(
        "probe.json",
        "probe-attention",
        ROOT / "tests/cases/tiny",
        "--tokens",
        "stories.bin",
        "--lengths",
        "64,1024",
        "--windows",
        "2",
        "--fit-windows",
        "32",
        "--dtype",
        "float64",
        "--format",
        "json",
    )


def leaves(value, path=""):
    if isinstance(value, dict):
        ends = [value.get("lower"), value.get("upper")]
        whole = all(isinstance(end, (str, int, float)) for end in ends)
        if whole:
            yield path, f"[{ends[0]}, {ends[1]}]"
        for key, inner in value.items():
            if not (whole and key in ("lower", "upper", "width")):
                yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{at}]")
    else:
        yield path, value


def enclosure(text):
    """The interval that a printed number means: `a +- r`, `[a, b]`, or digits, the last one uncertain by one;
    None where it is not a number."""
    text = str(text)
    if found := re.fullmatch(rf"\[?({NUMBER}) (?:\+-|±) ({NUMBER})\]?", text):
        middle, radius = map(Fraction, found.groups())
        return middle - radius, middle + radius
    if found := re.fullmatch(rf"\[({NUMBER}), ({NUMBER})\]", text):
        return tuple(map(Fraction, found.groups()))
    if re.fullmatch(NUMBER, text):
        mantissa, _, exponent = text.partition("e")
        unit = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        return Fraction(text) - unit, Fraction(text) + unit
    return None


def same(name, old, new):
    if old == new:
        return True
    a, b = enclosure(old), enclosure(new)
    if a is None or b is None:
        return False
    if name == "probe.json" and not str(old).startswith("["):
        return abs(sum(a) - sum(b)) / 2 <= Fraction(10) ** -12
    return a[0] <= b[1] and b[0] <= a[1]


def compare(old, new):
    wrong = 0
    files = sorted(
        {
            str(path.relative_to(folder))
            for folder in (old, new)
            for path in folder.rglob("*")
            if path.is_file() and path.suffix != ".bin"
        }
    )
    for name in files:
        texts = [(folder / name).read_text() if (folder / name).exists() else "" for folder in (old, new)]
        if texts[0] == texts[1]:
            continue
        try:
            trees = [dict(leaves(json.loads(text))) for text in texts]
        except ValueError:
            trees = [dict(enumerate(text.splitlines())) for text in texts]
        for path in {**trees[0], **trees[1]}:
            values = [tree.get(path) for tree in trees]
            if values[0] != values[1]:
                agrees = same(name, *values)
                wrong += not agrees
                print(f"{name}{path}: {values[0]!r} -> {values[1]!r}{'' if agrees else '  DIFFERENT'}")
    print(f"{len(files)} files, {wrong} values differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "compare"])
    parser.add_argument("first", type=lambda text: Path(text).resolve())
    parser.add_argument("second", type=lambda text: Path(text).resolve())
    given = parser.parse_args()
    sys.exit(record(given.first, given.second) if given.what == "record" else compare(given.first, given.second))
