"""Fifteen digits of Z and H of random members of the exponential-power family, beside NumPy's sum.

Ours are proved; NumPy's sum to 16,384 terms proves nothing. Writes tests/bench/results/points.json.

Usage: .venv/bin/python tests/bench/peers/points.py [--ours PROGRAM] [--count N]"""

import argparse
import json
import math
import os
import statistics
import subprocess
import time
from decimal import Decimal
from pathlib import Path

import numpy

ROOT = Path(__file__).parents[3]
OUTPUT = ROOT / "tests" / "bench" / "results" / "points.json"
TERMS = 16384
CALLS = 10


def right_digits(value: float, truth: str) -> float:
    """Decimal digits that agree: -log10 of the relative error, at most 17."""
    error = abs(Decimal(value) - Decimal(truth)) / abs(Decimal(truth))
    return 17.0 if error == 0 else min(17.0, -float(error.log10()))


class NumpySum:
    """log(1 + n) and sqrt(n) are made once, as a program that asks for many points would."""

    def __init__(self) -> None:
        self.n = numpy.arange(TERMS, dtype=numpy.float64)
        self.logarithm = numpy.log1p(self.n)
        self.root = numpy.sqrt(self.n)

    def __call__(self, delta: float, beta: float, gamma: float) -> tuple[float, float]:
        decay = delta * self.n + beta * self.logarithm + gamma * self.root
        weight = numpy.exp(-decay)
        z = weight.sum()
        return float(z), float(numpy.log(z) + numpy.dot(decay, weight) / z)


def numpy_rows(points: list[dict]) -> list[dict]:
    summed, rows = NumpySum(), []
    for point in points:
        exponents, least = (point["delta"], point["beta"], point["gamma"]), math.inf
        for _ in range(3):
            start = time.thread_time()
            for _ in range(CALLS):
                z, entropy = summed(*exponents)
            least = min(least, (time.thread_time() - start) / CALLS)
        rows.append({"seconds": least, "digits": min(right_digits(z, point["Z"]), right_digits(entropy, point["H"]))})
    return rows


def summary(rows: list[dict]) -> dict:
    seconds, digits = [row["seconds"] for row in rows], [row["digits"] for row in rows]
    return {
        "points": len(rows),
        "median_s": statistics.median(seconds),
        "worst_s": max(seconds),
        "digits_median": statistics.median(digits),
        "digits_worst": min(digits),
        "fifteen": sum(d >= 15 for d in digits),
    }


def ours(points: list[dict]) -> dict:
    rows, proved, outside = [], [], 0
    for point in points:
        z, z_error, entropy, entropy_error = point["quick"]
        rows.append(
            {"seconds": point["seconds"], "digits": min(right_digits(z, point["Z"]), right_digits(entropy, point["H"]))}
        )
        proved.append(-math.log10(max(z_error / z, entropy_error / entropy)))
        outside += abs(Decimal(z) - Decimal(point["Z"])) > Decimal(z_error)
        outside += abs(Decimal(entropy) - Decimal(point["H"])) > Decimal(entropy_error)
    return summary(rows) | {
        "proved_median": statistics.median(proved),
        "proved_worst": min(proved),
        "outside_bounds": outside,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", default=str(ROOT / "build-bench" / "bin" / "points_bench"))
    parser.add_argument("--count", default=2000, type=int)
    options = parser.parse_args()
    output = json.loads(
        subprocess.run([options.ours, str(options.count)], capture_output=True, text=True, check=True).stdout
    )
    points = output["points"]
    answered = [point for point in points if "quick" in point]
    result = {
        "command": ".venv/bin/python tests/bench/peers/points.py",
        "machine": f"{os.cpu_count()} cores",
        "count": len(points),
        "unanswered": len(points) - len(answered),
        "making_s": output["making_s"],
        "threads": output["threads"],
        "points_a_second": output["points_a_second"],
        "gpe": ours(answered),
        "numpy": summary(numpy_rows(points)),
        "numpy_version": numpy.__version__,
        "numpy_terms": TERMS,
    }
    OUTPUT.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
