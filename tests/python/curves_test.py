"""Points of curves, in JSON, in CSV and in the picture; needs matplotlib and jinja2, and no torch.

python tests/python/curves_test.py FOLDER-OF-PROGRAMS WORK"""

import csv
import math
import subprocess

import without_torch
from without_torch import ask


def test_curves_are_the_numbers_of_the_report(programs):
    """Points of --curves against closed forms, partial sums of the same program, and the picture against the points."""
    from gpe._plots.figure import figure_of

    report = ask(programs, "check-properties alibi --set m=1/8 --curves 40 --lengths 16,64,1024 --content-bound 1,5")
    [encoding] = report["encodings"]
    points = {p["n"]: p for p in encoding["curves"]}
    assert list(points) == sorted(points) and {0, 1, 2, 1024} <= points.keys() and len(points) <= 40
    for n, p in points.items():
        r = math.exp(-1 / 8)
        z, whole = (1 - r ** (n + 1)) / (1 - r), (1 - r**1025) / (1 - r)
        terms = [math.exp(-k / 8) / z for k in range(n + 1)]
        for key, value in (
            ("A", -n / 8),
            ("weight", r**n / whole),
            ("mass", z / whole),
            ("Z", z),
            ("H", -sum(w * math.log(w) for w in terms)),
        ):
            assert abs(float(p[key]) - value) <= 1e-6 * max(abs(value), 1e-7), (n, key, p[key], value)
        assert [float(v) for v in p["upper"]] == [-n / 8 + 1, -n / 8 + 5]
        assert [float(v) for v in p["lower"]] == [-n / 8 - 1, -n / 8 - 5]
        assert p["Z_law"] is None and p["H_law"] is None
    plain = ask(programs, "check-properties alibi --set m=1/8 --lengths 16,64,1024 --content-bound 1,5")
    del encoding["curves"]
    assert plain == report, "without --curves the report is what it was"
    grows = ask(programs, "check-properties rope --curves 30 --lengths 4096")["encodings"][0]["curves"][-1]
    assert float(grows["Z"]) == 4097 and float(grows["Z_law"]) == 4096
    assert abs(float(grows["H_law"]) - math.log(4096)) < 1e-6
    kept = ask(programs, "check-properties sliding-window --set W=16 --curves 30 --lengths 64")["encodings"][0]
    for p in kept["curves"]:
        assert (p["A"] is None) == (p["n"] > 15) and float(p["Z"]) == min(16, p["n"] + 1)
    drawn = {
        tuple(map(float, point))
        for axes in figure_of(report | {"encodings": [encoding | {"curves": list(points.values())}]}).axes
        for line in axes.get_lines()
        for point in line.get_xydata()
    }
    assert {(n, float(p[key])) for n, p in points.items() for key in ("A", "mass", "Z", "H")} <= drawn


def test_rows_of_csv(programs):
    def rows_of(*arguments):
        command = [programs / "check-properties", *arguments, "--format", "csv"]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return list(csv.DictReader(lines.splitlines()))

    rows = rows_of("alibi", "ape", "--curves", "9")
    assert len(rows) == 18 and {row["encoding"] for row in rows} == {"alibi", "ape"} and float(rows[8]["mass"]) == 1
    found = {
        (row["head"], row["quantity"], row["reading"], row["content_bound"]): row["value"]
        for row in rows_of("alibi", "--heads", "2")
    }
    assert found["2", "convergent-normalization", "every-content", "5"] == "holds"
    assert found["1", "local_range", "within", ""] == "16"
    done = subprocess.run([programs / "check-properties", "alibi", "--curves", "9"], capture_output=True, text=True)
    assert done.returncode == 2 and "--curves: expected --format json or csv" in done.stderr


if __name__ == "__main__":
    without_torch.run(globals())
