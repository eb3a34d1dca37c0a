"""Makes docs/tables/numbers_benchmarks.md and its plots from tests/bench/results/points.json and sums.json.

Usage: .venv/bin/python tests/bench/peers/sums_page.py [--check]

--check: exit 1 when the page is another one (plots are not compared)."""

import json
import math
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "tests" / "bench" / "results"
PAGE = ROOT / "docs" / "tables" / "numbers_benchmarks.md"
NAMES = {
    "mpmath": "mpmath nsum",
    "mpmath-e": "mpmath nsum 'e'",
    "sumnum": "PARI sumnum",
    "sumnum-hint": "PARI sumnum, told the decay",
    "sumpos": "PARI sumpos",
    "python-flint": "python-flint",
}

HEAD = """# Benchmarks: numbers compared with other systems

Speed and accuracy of sums and entropies, compared with NumPy, mpmath, PARI and python-flint.
`.venv/bin/python tests/bench/peers/sums_page.py` makes this page from [points.json](../../tests/bench/results/points.json)
and [sums.json](../../tests/bench/results/sums.json), and these commands make those:

```sh
./setup.sh --bench && cmake --workflow --preset bench
{points_command}
{sums_command}
```

One machine ({machine}), shared with other work; times are CPU time without startup, for short sums the least or the
mean of several calls. The rows were not all measured in one run (`--only`, `--ids`). Every value of this project is
proved ([the bounds](../bounds.md#bounds-of-the-exponential-power-family)), those of python-flint are balls, and those of the other systems come without a
bound.

## Fifteen digits, many points

Z and H of A(n) = -delta n - beta log(1 + n) - gamma sqrt(n) at {count} points, each exponent log-uniform in [1e-6, 1]
or, with probability 1/5, zero (where Z is finite). *Right digits* is the smaller number for Z and H, compared with
values proved to 30 digits.

| | median | worst | right digits, median | worst | points with 15 |
|---|---|---|---|---|---|
| **gpe** (`checks/sums/family/family_quick.h`) | {ours} |
| NumPy {numpy_version}, sum to {terms} terms | {numpy} |

- Proved digits: median {proved:.1f}, worst {proved_worst:.1f}; values outside their bounds:
  {outside}; points without an answer: {unanswered}.
- {rate} points per second on {threads} threads, wall-clock time. The table of points takes {making} to make, once.
- NumPy is right where the weight ends before n = {terms}, and gives no indication where it does not.
"""  # noqa: E501

FIFTY = """
## Fifty digits

Z, and the entropy where it is finite: the other systems are asked for Z and E = sum of -A e^A, with H = log Z + E/Z;
the time is for both. A cell has the time in milliseconds where 49 digits or more are right, **the number of right
digits** where fewer are, *time* after {limit:g} s; "-" is an error message or no method. The reference values are in
[series_golden.csv](../../tests/cases/series_golden.csv), by other formulas and programs.

| | A(n) | gpe | {names} |
|---|---|---|{rules}|
"""

THOUSAND = """
## A thousand digits

Milliseconds where 999 digits agree with ours, **the number** where fewer do, *time* after {limit:g} s.

| | A(n) | gpe | PARI sumpos | ratio | python-flint (Z) |
|---|---|---|---|---|---|
"""

DIGITS = """
## Cost against digits

`{score}`, Z, H and mean distance together:

| digits | {columns} |
|---|{rules}|
| ms | {times} |

![Seconds against digits](../numbers_digits.svg)

From 500 to 5000 digits the cost grows like digits^{slope:.2f}.
"""

DELTA = """
## Cost against delta

A(n) = -delta n - log(1 + n)/2 - gamma sqrt(n), gamma about sqrt(delta)/10, to {digits} digits:
over all n, and over n <= {length}.

| delta | {columns} |
|---|{rules}|
| all n, ms | {whole} |
| n <= {length}, ms | {part} |

![Milliseconds against delta](../numbers_delta.svg)

The cost grows like log(1/delta): {growth:.2f} ms for every factor of 10. Summing term by term
would take about 120/delta terms.
"""


def duration(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e6:.2g} µs"


def milliseconds(seconds: float) -> str:
    value = 1000 * seconds
    if value < 0.5:
        return f"{value:.2f}"
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}"


def is_right(answer: dict, wanted: int) -> bool:
    return answer.get("digits", 0) >= wanted - 1


def cell(answer: dict, wanted: int) -> str:
    if "none" in answer:
        return "*time*" if answer["none"] == "timeout" else "-"
    if is_right(answer, wanted):
        return "< 1" if answer["seconds"] == 0 else milliseconds(answer["seconds"])
    return f"**{answer['digits']}**" if "number" not in answer else f"**{answer['number']}**"


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def ratios(rows: list[dict], system: str, wanted: int, resolution: float) -> list[float]:
    """Of times, where both are right; a time that the other system's clock reads as zero counts as one tick of it."""
    return [
        max(row["answers"][system]["seconds"], resolution) / row["answers"]["gpe"]["seconds"]
        for row in rows
        if system in row["answers"]
        and is_right(row["answers"][system], wanted)
        and is_right(row["answers"]["gpe"], wanted)
    ]


def resolution(system: str) -> float:
    return 2e-5 if system.startswith("sum") else 0.0


def points_text(points: dict, sums: dict) -> str:
    def row(data: dict) -> str:
        return " | ".join(
            [
                duration(data["median_s"]),
                duration(data["worst_s"]),
                f"{data['digits_median']:.1f}",
                f"{data['digits_worst']:.1f}",
                f"{data['fifteen']} of {data['points']}",
            ]
        )

    return HEAD.format(
        points_command=points["command"],
        sums_command=sums["command"],
        machine=points["machine"],
        count=points["count"],
        ours=row(points["gpe"]),
        numpy=row(points["numpy"]),
        numpy_version=points["numpy_version"],
        terms=points["numpy_terms"],
        proved=points["gpe"]["proved_median"],
        proved_worst=points["gpe"]["proved_worst"],
        outside=points["gpe"]["outside_bounds"],
        unanswered=points["unanswered"],
        rate=f"{points['points_a_second']:,.0f}",
        threads=points["threads"],
        making=duration(points["making_s"]),
    )


def fifty_text(data: dict) -> str:
    rows, systems = data["fifty"], list(NAMES)
    text = FIFTY.format(limit=data["limit_s"], names=" | ".join(NAMES.values()), rules="|".join("---" for _ in systems))
    for row in rows:
        mine = row["answers"]["gpe"]
        first = "infinite, " + milliseconds(mine["seconds"]) if mine.get("infinite") else cell(mine, 50)
        cells = " | ".join(cell(row["answers"][system], 50) for system in systems)
        text += f"| {row['id']} | `{row['score']}` | {first} | {cells} |\n"
    text += (
        "\n| | right | wrong, without a word | no answer | out of time | their time / ours, "
        "geometric mean over what they have right |\n|---|---|---|---|---|---|\n"
    )
    for system in ["gpe", *systems]:
        answers = [row["answers"][system] for row in rows]
        right = sum(is_right(answer, 50) for answer in answers)
        late = sum(answer.get("none") == "timeout" for answer in answers)
        silent = sum("none" in answer for answer in answers) - late
        found = ratios(rows, system, 50, resolution(system)) if system != "gpe" else []
        mean = f"{geometric_mean(found):.3g} ({len(found)} sums)" if found else ""
        name = "**gpe**" if system == "gpe" else NAMES[system]
        text += f"| {name} | {right} | {len(answers) - right - late - silent} | {silent} | {late} | {mean} |\n"
    family = [
        row
        for row in rows
        if "exponential-power" in row["answers"]["gpe"].get("method", "") or row["id"] in ("V01", "V02", "V12")
    ]
    found = ratios(family, "sumpos", 50, resolution("sumpos"))
    slower = [
        f"{row['id']} ({1 / one:.1f} times)"
        for row in rows
        for one in ratios([row], "sumpos", 50, resolution("sumpos"))
        if one < 1
    ]
    series = [row for row in family if row["id"] not in ("V01", "V02")]
    without = ratios(series, "sumpos", 50, resolution("sumpos"))
    text += (
        "\n- Of the exponential-power family alone (V01, V02, V05, V11, V12, X02), "
        f"`sumpos` takes {geometric_mean(found):.3g} times as long;\n"
        f"  without the geometric series and the zeta value (V01, V02) {geometric_mean(without):.3g} times.\n"
        f"- Slower than `sumpos`: {', '.join(slower) or 'none'}.\n"
        "- V03, V04 and V07 diverge: a number there is wrong, whatever it is. "
        "The entropy of V06 is infinite, and Z only was asked for.\n"
        "- PARI's clock counts milliseconds: quick sums are repeated up to fifty times.\n"
        "- mpmath, PARI: general summation of any function. They see its values only, "
        "and do not know that it is a score.\n"
    )
    return text


def thousand_text(data: dict) -> str:
    text = THOUSAND.format(limit=data["limit_thousand_s"])
    for row in data["thousand"]:
        answers = row["answers"]
        found = ratios([row], "sumpos", 1000, resolution("sumpos"))
        ratio = f"{found[0]:.3g}" if found else ""
        text += (
            f"| {row['id']} | `{row['score']}` | {cell(answers['gpe'], 1000)} | "
            f"{cell(answers['sumpos'], 1000)} | {ratio} "
            f"| {cell(answers['python-flint'], 1000)} |\n"
        )
    found = ratios(data["thousand"], "sumpos", 1000, resolution("sumpos"))
    summed = ratios([row for row in data["thousand"] if row["id"] != "V01"], "sumpos", 1000, resolution("sumpos"))
    slowest = max(row["answers"]["gpe"].get("seconds", 0.0) for row in data["thousand"])
    tails = data["tails"]["rows"]
    quick, complete = sum(row["seconds"] < 2 for row in tails), sum(row["Z_digits"] >= 1000 for row in tails)
    text += (
        f"\n{len(tails)} random tails (`sums_bench tails {data['tails']['seed']} {len(tails)} 1000`): "
        f"a thousand digits for {complete}, within 2 s for {quick}; the slowest takes "
        f"{duration(max(row['seconds'] for row in tails))}.\n"
    )
    text += (
        f"\n`sumpos` takes {geometric_mean(found):.3g} times as long, "
        f"in the geometric mean over the {len(found)} sums that it finishes;\n"
        f"{geometric_mean(summed):.3g} times without V01, a geometric series.\n\n"
        "What is slow: outside the exponential-power family and the closed forms, "
        "tails are integrated without a recurrence, and a\n"
        f"thousand digits take seconds, up to {duration(slowest)} here. "
        "For a polylogarithm python-flint computes Z faster (V12), but not the entropy.\n"
        "Our values agree with the other formulas to all of their 50 or more digits, and are proved beyond; "
        "agreement with `sumpos` is to 999 digits.\n"
    )
    return text


def table(values: list[str]) -> tuple[str, str]:
    return " | ".join(values), "|".join("---" for _ in values)


def cost_text(data: dict) -> str:
    rows = data["digits"]["rows"]
    columns, rules = table([str(row["digits"]) for row in rows])
    low, high = next(row for row in rows if row["digits"] == 500), rows[-1]
    slope = math.log(high["seconds"] / low["seconds"]) / math.log(high["digits"] / low["digits"])
    text = DIGITS.format(
        score=data["digits"]["score"],
        columns=columns,
        rules=rules,
        slope=slope,
        times=" | ".join(milliseconds(row["seconds"]) for row in rows),
    )
    deltas = data["delta"]["rows"]
    columns, rules = table([row["delta"] for row in deltas])
    growth = 1000 * (deltas[-1]["seconds"] - deltas[2]["seconds"]) / (len(deltas) - 3)
    text += DELTA.format(
        digits=data["delta"]["digits"],
        length=data["delta"]["length"],
        columns=columns,
        rules=rules,
        growth=growth,
        whole=" | ".join(milliseconds(row["seconds"]) for row in deltas),
        part=" | ".join(milliseconds(row["partial_seconds"]) for row in deltas),
    )
    return text


def plots(data: dict) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams |= {
        "svg.hashsalt": "gpe",
        "svg.fonttype": "none",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    from matplotlib import pyplot

    def save(name: str, draw) -> None:
        figure, axes = pyplot.subplots(figsize=(6, 3.4), layout="constrained")
        draw(axes)
        axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
        figure.savefig(ROOT / "docs" / name, metadata={"Date": None, "Creator": None})
        pyplot.close(figure)

    def digits(axes) -> None:
        rows = data["digits"]["rows"]
        axes.loglog(
            [row["digits"] for row in rows], [row["seconds"] for row in rows], "o-", color="#0072B2", markersize=4
        )
        axes.set_xlabel("proved digits of Z, H and the mean distance")
        axes.set_ylabel("seconds")

    def delta(axes) -> None:
        rows = data["delta"]["rows"]
        x = [float(row["delta"]) for row in rows]
        axes.semilogx(x, [1000 * row["seconds"] for row in rows], "o-", color="#0072B2", markersize=4, label="all n")
        axes.semilogx(
            x,
            [1000 * row["partial_seconds"] for row in rows],
            "s--",
            color="#D55E00",
            markersize=4,
            label="n up to 1e12",
        )
        axes.invert_xaxis()
        axes.set_ylim(bottom=0)
        axes.set_xlabel("delta")
        axes.set_ylabel("milliseconds, 50 digits")
        axes.legend(frameon=False)

    save("numbers_digits.svg", digits)
    save("numbers_delta.svg", delta)


def main() -> int:
    points, sums = (json.loads((RESULTS / name).read_text()) for name in ("points.json", "sums.json"))
    page = points_text(points, sums) + fifty_text(sums) + thousand_text(sums) + cost_text(sums)
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text() == page:
            return 0
        print("docs/tables/numbers_benchmarks.md is not what sums_page.py makes of the results", file=sys.stderr)
        return 1
    PAGE.write_text(page)
    plots(sums)
    return 0


if __name__ == "__main__":
    sys.exit(main())
