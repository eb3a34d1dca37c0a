"""How long the tests took in the last run of ctest, beside the stored times; those that doubled are named.

    python3 tests/times/times.py BUILD             prints what changed; exit code 0
    python3 tests/times/times.py BUILD --store     writes tests/times/seconds.txt, after a whole run on an idle machine

The machines differ, and so a time is divided by the median ratio of all tests of 5 seconds or more.
"""

import re
import sys
from pathlib import Path
from statistics import median

STORED = Path(__file__).with_name("seconds.txt")
HEAD = "# Seconds of each test on two cores, two at a time, written by times.py --store.\n"


def measured(build: Path) -> dict[str, float]:
    folder = build / "Testing" / "Temporary"
    files = [folder / "LastTest.log.tmp", folder / "LastTest.log"]  # the first while ctest runs
    text = next((file.read_text(errors="replace") for file in files if file.exists()), "")
    parts = re.split(r"(?m)^\d+/\d+ Testing: (.+)$", text)[1:]
    found = [re.search(r"(?m)^Test time = +([0-9.]+) sec$", part) for part in parts[1::2]]
    return {name: float(one[1]) for name, one in zip(parts[::2], found, strict=True) if one}


def stored() -> dict[str, float]:
    lines = [line.split() for line in STORED.read_text().splitlines() if not line.startswith("#")]
    return {name: float(seconds) for seconds, name in lines}


def main(build: Path, store: bool) -> None:
    now, before = measured(build), stored()
    if store:
        lines = [f"{seconds:.1f} {name}\n" for name, seconds in sorted(now.items(), key=lambda one: -one[1])]
        STORED.write_text(HEAD + "".join(lines))
        return
    ratios = {name: now[name] / before[name] for name in now if before.get(name, 0) >= 5}
    usual = median(ratios.values()) if ratios else 1
    print(f"{len(now)} tests, {sum(now.values()):.0f} s; {usual:.2f} of the stored times in the median")
    for name, ratio in ratios.items():
        if ratio > 2 * usual:
            print(f"{name}: {now[name]:.0f} s, {before[name]:.0f} s before")
    for name in sorted(set(now) - set(before)):
        print(f"{name}: {now[name]:.0f} s, not stored before")


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--store" in sys.argv[2:])
