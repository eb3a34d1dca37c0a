"""Sums to 50 and to 1000 digits by every system, and this project's cost against digits and delta. Writes
tests/bench/results/sums.json; tests/bench/peers/sums_page.py makes docs/tables/numbers_benchmarks.md of it.

Usage: .venv/bin/python tests/bench/peers/sums.py [--ours PROGRAM] [--limit SECONDS] [--only PART...] [--ids ID...]
PART: fifty, thousand, digits, delta, tails; what is not named stays as it is in the file."""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
from decimal import Decimal, InvalidOperation, getcontext
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[3]
OUTPUT = ROOT / "tests" / "bench" / "results" / "sums.json"
HERE = Path(__file__).parent
CONVERGENT = ["V01", "V02", "V05", "V06", "V09", "V11", "V12", "X02", "V14", "V15", "V17", "V22", "V24", "V26"]
DIVERGENT = ["V03", "V04", "V07"]
# what PARI's sumnum is told of the decay, where there is a way to say it: e^(-an) as [oo, a], n^-a as [oo, -a]
HINTS = {
    "V01": "[+oo, 1/16]",
    "V02": "[+oo, -1.01]",
    "V11": "[+oo, 1/100]",
    "V12": "[+oo, 1/10^6]",
    "X02": "[+oo, 1/10^6]",
    "V24": "[+oo, -3/2]",
}
AT_1000 = ["V01", "V02", "V05", "V11", "V12", "X02", "V09", "V15", "V14"]
PARTS = ["fifty", "thousand", "digits", "delta", "tails"]
SYSTEMS = ["mpmath", "mpmath-e", "sumnum", "sumnum-hint", "sumpos", "python-flint"]
getcontext().prec = 1100


def golden() -> dict[str, dict[str, str]]:
    def rows(name: str) -> list[dict[str, str]]:
        with (ROOT / "tests" / "cases" / name).open(newline="") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    result = {row["id"]: row for row in rows("series_golden.csv")}
    for row in rows("instances.csv"):
        if row["id"] in DIVERGENT:
            result[row["id"]] = {"id": row["id"], "score": row["bias"], "first": row["first"], "Z": "", "S": ""}
    return result


def right_digits(value: str, truth: str) -> int:
    """-log10 of the relative error, rounded down; 0 for what is not a number."""
    try:
        error = abs(Decimal(value.replace(" E", "E")) / Decimal(truth) - 1)
    except (InvalidOperation, ZeroDivisionError):
        return 0
    return 10000 if error == 0 else max(0, -error.adjusted() - 1)


def limited(command: list[str], limit: float, text: str | None = None) -> str | None:
    """Standard output, or nothing when it takes longer (CPU time; forty times that by the clock)."""

    def set_limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))

    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=40 * limit, preexec_fn=set_limit, cwd=HERE
        )
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode < 0 else done.stdout


def ask(system: str, row: dict[str, str], digits: int, limit: float) -> dict:
    """The values of Z and, where it is finite, of E, with the seconds; or why there are none."""
    with_entropy = bool(row["S"])
    if system.startswith("sum"):
        hint = HINTS.get(row["id"]) if system == "sumnum-hint" else "0"
        if hint is None:
            return {"none": "no hint"}
        head = (
            f'METHOD = "{system[:6]}"; DIGITS = {digits}; FIRST = {row["first"]}; HINT = {hint}; '
            f"WITH_E = {int(with_entropy)};\n"
        )
        text = f"default(parisizemax, 2*10^9);\n{head}A(n) = {row['score']};\n" + (HERE / "sum.gp").read_text()
        output = limited(["gp", "-q", "-f"], limit, text)
        if output is None:
            return {"none": "timeout"}
        found = [
            line.split(" ", 1)[1].replace(" E", "E").split()
            for line in output.splitlines()
            if line.startswith("VALUES")
        ]
        if not found:
            return {"none": "error"}
        z, e, seconds = found[0]
        return {"values": [z, e] if with_entropy else [z], "seconds": float(seconds)}
    output = limited(
        [sys.executable, "sum_with.py", system, str(digits), row["score"], row["first"], "ZE" if with_entropy else "Z"],
        limit,
    )
    if output is None:
        return {"none": "timeout"}
    if output.strip():
        return json.loads(output)
    return {"none": "no closed form" if system == "python-flint" else "error"}


def entropy(z: Decimal, e: Decimal) -> Decimal:
    return z.ln() + e / z


def judged(answer: dict, row: dict[str, str], truth: dict[str, str]) -> dict:
    if "none" in answer:
        return answer
    if row["Z"] and "Z" not in truth:
        return {"none": "nothing to compare with"}
    if not row["Z"]:
        return {"number": answer["values"][0][:12], "digits": 0, "seconds": answer["seconds"]}
    digits = [right_digits(value, truth[name]) for value, name in zip(answer["values"], "ZE", strict=False)]
    return {"digits": min(digits), "asked": len(answer["values"]), "seconds": answer["seconds"]}


def ours(program: str, digits: int, ids: list[str], rows: dict[str, dict[str, str]], limit: float) -> dict[str, dict]:
    result = {}
    for name in ids:
        output, row = limited([program, "instances", str(digits), name], limit), rows[name]
        if output is None:
            result[name] = {"none": "timeout"}
            continue
        answer = json.loads(output)[0]
        if answer["Z"] == "infinite":
            result[name] = {"infinite": True, "digits": digits if not row["Z"] else 0, "seconds": answer["seconds"]}
            continue
        right = [right_digits(answer["Z"], row["Z"])]
        if row["S"]:
            right.append(right_digits(answer["H"], str(entropy(Decimal(row["Z"]), -Decimal(row["S"])))))
        result[name] = {
            "digits": min(right),
            "seconds": answer["seconds"],
            "method": answer["method"],
            "Z": answer["Z"],
            "H": answer["H"],
        }
        if digits > 50 and min(right) >= 50:
            result[name]["digits"] = digits  # as far as the other value goes; the rest is proved
    return result


def truths(mine: dict[str, dict], rows: dict[str, dict[str, str]], digits: int) -> dict[str, dict[str, str]]:
    """To 50 digits those of series_golden.csv; beyond, our own proved values: that of E is Z (H - log Z)."""
    if digits <= 50:
        return {name: {"Z": row["Z"], "E": row["S"].lstrip("-")} for name, row in rows.items()}
    result = {}
    for name, value in mine.items():
        if "Z" not in value:
            continue
        z = Decimal(value["Z"])
        e = str(z * (Decimal(value["H"]) - z.ln())) if value["H"] != "infinite" else ""
        result[name] = {"Z": value["Z"], "E": e}
    return result


def compare(
    program: str, digits: int, ids: list[str], systems: list[str], rows: dict[str, dict[str, str]], limit: float
) -> list[dict]:
    mine = ours(program, digits, ids, rows, limit)
    truth = truths(mine, rows, digits)
    result = []
    for name in ids:
        answers = {
            system: judged(ask(system, rows[name], digits, limit), rows[name], truth.get(name, {}))
            for system in systems
        }
        answers["gpe"] = {
            key: mine[name][key] for key in ("digits", "seconds", "infinite", "method", "none") if key in mine[name]
        }
        print(digits, name, json.dumps(answers), file=sys.stderr)
        result.append(
            {
                "id": name,
                "score": rows[name]["score"],
                "first": rows[name]["first"],
                "entropy": bool(rows[name]["S"]),
                "answers": answers,
            }
        )
    return result


def compare_into(
    result: dict,
    part: str,
    options: argparse.Namespace,
    digits: int,
    ids: list[str],
    systems: list[str],
    rows: dict[str, dict[str, str]],
) -> None:
    """Puts the rows of options.ids in place of those there; the others stay."""
    found = {row["id"]: row for row in result.get(part, [])}
    asked = [name for name in ids if name in options.ids]
    found |= {row["id"]: row for row in compare(options.ours, digits, asked, systems, rows, options.limit)}
    result[part] = [found[name] for name in ids if name in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", default=str(ROOT / "build-bench" / "bin" / "sums_bench"))
    parser.add_argument("--limit", default=30.0, type=float, help="CPU seconds for the sums of one score")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--ids", nargs="+", default=CONVERGENT + DIVERGENT)
    options = parser.parse_args()
    options.ours = str(Path(options.ours).resolve())
    rows = golden()
    result = json.loads(OUTPUT.read_text()) if OUTPUT.exists() else {}
    gp = subprocess.run(["gp", "--version-short"], capture_output=True, text=True, check=True).stdout.strip()
    result |= {
        "command": ".venv/bin/python tests/bench/peers/sums.py",
        "machine": f"{os.cpu_count()} cores",
        "versions": {"PARI": gp, "mpmath": version("mpmath"), "python-flint": version("python-flint")},
    }
    if "fifty" in options.only:
        compare_into(result, "fifty", options, 50, CONVERGENT + DIVERGENT, SYSTEMS, rows)
        result["limit_s"] = options.limit
    if "thousand" in options.only:
        compare_into(result, "thousand", options, 1000, AT_1000, ["sumpos", "python-flint"], rows)
        result["limit_thousand_s"] = options.limit
    for name, settings in {"digits": [], "delta": [], "tails": ["1", "20", "1000"]}.items():
        if name in options.only:
            result[name] = json.loads(
                subprocess.run([options.ours, name, *settings], capture_output=True, text=True, check=True).stdout
            )
    OUTPUT.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
