"""Makes docs/tables/verdicts_benchmarks.md from tests/bench/results/questions.json.

Usage: python3 tests/bench/peers/table.py [--check]      --check: exit 1 when the page is another one"""

import json
import re
import sys
from pathlib import Path

from questions import Limit, read_limits, read_scores

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "tests" / "bench" / "results"
PAGE = ROOT / "docs" / "tables" / "verdicts_benchmarks.md"
RESOLUTION = 1e-3  # seconds: the times of two processes, subtracted

HEAD = """# Benchmarks: verdicts compared with other systems

Verdicts on convergence and entropy, and limits at infinity, compared with computer algebra systems.
`python3 tests/bench/peers/table.py` makes this page from [questions.json](../../tests/bench/results/questions.json) and
[limits.json](../../tests/bench/results/limits.json), and these commands make those:

```sh
./setup.sh --bench && cmake --workflow --preset bench
{command}
{limits_command}
```

All systems ran one after the other on one machine ({machine}). Times are CPU time.

## Does the sum converge?

57 scores A(n), near the boundary of convergence, with hidden zeros, floors and growing gains: is Z = sum e^A finite,
and if so, is the entropy (sum |A| e^A)? These are the 92 questions of [instances.csv](../../tests/cases/instances.csv),
each with the argument for its answer; {asked} of them can be put to a computer algebra system. It is asked about sin(n)
where we are asked about every content c with |c| <= 1. Each question is a separate process, ended after {limit:g} s of
CPU time.
"""

WHERE = """
- Wrong answers: {wrong}.
- Times are per question. Other systems: without startup time, which is listed separately, the least of three runs for
  all that take less than half a second; a question that timed out counts with the time it used. This project: including
  reading the text, the median of five runs.
- *Limits down the ladder* is Bertrand's test: lim A/log n against -1, then (A + log n)/log log n, and so on, with the
  system's own limits, simplification and denesting of radicals ([the rules](../../tests/bench/peers/sympy_ladder.py)). *No
  answer* counts a limit returned unevaluated, a question in return, and an error.
- What this does not show: the scores were collected for this project, which was developed until it answered them; a sum
  that is not the score of an encoding may be beyond it, and easy for the others. They are general systems, and their
  limits were not made for this purpose.
"""  # noqa: E501

LIBRARY = """
## Built-in encodings

Every reading of the {count} built-in encodings of the version that was measured, at B = 1, with the region of
parameters of each verdict, including reading the files: {total:.2f} s. The slowest are {slowest}. Verdicts: {verdicts}.
"""

LIMITS = """
## Limits at infinity

All limits at +infinity in one variable that three published suites state, with their own answers
([limits.csv](../../tests/cases/limits.csv)):

- *Isabelle*: `src/HOL/Real_Asymp/Real_Asymp_Examples.thy` of Isabelle/HOL (commit b021ad2f of the mirror
  github.com/seL4/isabelle), which its method `real_asymp` proves; f ~ g and f in o(g) are the limits 1 and 0 of f/g.
- *SymPy*: `test_limits.py`, `test_gruntz.py`, `test_demidovich.py` and `test_limitseq.py` in
  `sympy/series/tests` of SymPy 1.14.0.
- *Maxima*: `rtest_limit.mac` and `rtest_limit_extra.mac` in the tests of Maxima 5.46.0.

What is left out was decided by this rule before any system was asked, each for the first reason that holds:

| | | {suites} |
|---|---|{rules}|
"""

ANSWERS = """
n is a whole number here; in most of the suites it is real. A limit over the reals is one over the whole numbers, and
what the suites answer is compared with that: here exactly, as constants; the decimals of the other systems to 9 digits.
{without} of the {asked} have no limit, by their suite. Of the others:
{table}
- *No answer* counts a limit that is returned unevaluated, a question in return, an error, and the answer that there is
  no limit. Maxima's complex infinity counts as such where the suite states a sign.
- Limits given where there is none: {given}.
- Each limit is a separate process, ended after {limit:g} s of CPU time, asked once; SymPy is asked `limit`, and
  `limit_seq` for `test_limitseq.py`. They get the texts of limits.csv, where the functions named above are written out.
- What this does not show: functions of several variables, limits at other points and the functions left out by
  `language`, which those systems have. The engine was extended for this: when it was first asked, it left {late}
  unanswered, and did not know the functions from atan to polygamma of [specification.md](../specification.md#expressions),
  which stand in {special} of these limits.

Right, by suite:

| | asked | {names} |
|---|---|{rules}|
{suites}
Answered wrongly, as the suite states another limit, or none:

| | | the suite | the system |
|---|---|---|---|
{wrong}"""  # noqa: E501
# Those that were not answered when all were first asked, of functions that were known then; and
# the functions that were not.
SPECIAL = re.compile(r"(atan|asin|acos|erfc?|l?gamma|factorial|digamma|polygamma)\(")
LATE = ["test_limits.py:1418", "rtest_limit.mac:190", "rtest_limit.mac:640", "rtest_limit.mac:713"]

REASONS = {
    "parameter": "the statement has a second free variable",
    "complex": "at whole numbers the function is not real, or the answer is not",
    "language": "a function that [specification.md](../specification.md#expressions) does not list, a sum of n terms, "
    "an integral, a derivative or an infinite constant. Not left out, but replaced by their definitions, are sec, csc, "
    "cot, coth, acot, asec, acsc, acosh, acsch, frac, binomial coefficients, roots, logarithms to any base, and "
    "Euler's constant, -digamma(1)",
    "unanswered": "the suite states no answer",
    "integers": "the limit over whole numbers is known to be another, or to exist where that over the reals does not",
    "repeated": "the same text stands before it in the same suite",
}

EACH = """
## Each question

The time in milliseconds where the answer is right; **wrong** where it is wrong; empty where there
is none; *time* where the question timed out.

| | A(n) | | {names} |
|---|---|---|{rules}|
"""


def duration(seconds: float, resolution: float = 0) -> str:
    if seconds < resolution:
        return f"< {duration(resolution)}"
    for unit, scale in (("s", 1), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.{0 if seconds >= 10 * scale or seconds == scale else 1}f} {unit}"
    return f"{1e3 * seconds:.2g} ms"


def summary_table(systems: list[dict]) -> str:
    text = (
        "\n| | asked | right | wrong | no answer | out of time | median | worst | starting |\n"
        "|---|---|---|---|---|---|---|---|---|\n"
    )
    for row in systems:
        ours = row["name"].startswith("gpe")
        start = "" if ours else duration(row["start_s"])
        name = f"**{row['name']}**" if ours else f"{row['name']} ({row['version']})"
        resolution = 0 if ours else RESOLUTION
        text += (
            f"| {name} | {row['asked']} | {row['right']} | {row['wrong']} | {row['no_answer']} | {row['timeouts']} "
            f"| {duration(row['median_s'], resolution)} | {duration(row['worst_s'], resolution)} | {start} |\n"
        )
    return text


def cell(word: str, seconds: float, truth: str, ours: bool) -> str:
    if word == "timeout":
        return "*time*"
    if word == "none":
        return ""
    if word != truth:
        return "**wrong**"
    if ours:
        return f"{1000 * seconds:.2g}"
    return "< 1" if seconds < RESOLUTION else f"{1000 * seconds:.0f}"


def wrong_text(data: dict) -> str:
    names = [data["systems"][0]["name"], *(row["name"] for row in data["systems"][2:])]
    found = {
        name: [
            f"{row['id']} {row['kind']}"
            for row in data["questions"]
            if row["answers"][i][0] not in (row["truth"], "none", "timeout")
        ]
        for i, name in enumerate(names)
    }
    return (
        "; ".join(
            f"{name.replace(', limits down the ladder', '')}: {', '.join(wrong)}"
            for name, wrong in found.items()
            if wrong
        )
        or "none"
    )


def library_text(rows: list[dict]) -> str:
    slowest = sorted(rows, key=lambda row: -row["seconds"])[:3]
    counts: dict[str, int] = {}
    for row in rows:
        for verdict, count in row["verdicts"].items():
            counts[verdict] = counts.get(verdict, 0) + count
    return LIBRARY.format(
        count=len(rows),
        total=sum(row["seconds"] for row in rows),
        slowest=", ".join(f"{row['name']} ({duration(row['seconds'])})" for row in slowest),
        verdicts=", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())),
    )


def limits_text() -> str:
    limits = read_limits()
    suites = list(dict.fromkeys(limit.suite for limit in limits))

    def row(name: str, what: str, reasons: set[str]) -> str:
        counts = [sum(limit.suite == suite and limit.excluded in reasons for limit in limits) for suite in suites]
        return f"| {name} | {what} | {' | '.join(map(str, [*counts, sum(counts)]))} |\n"

    text = LIMITS.format(suites=" | ".join([*suites, "all"]), rules="|".join("---" for _ in [*suites, "all"]))
    text += row("stated", "", {"", *REASONS})
    for reason, what in REASONS.items():
        text += row(reason, what, {reason})
    return text + row("**asked**", "", {""}) + answers_text([limit for limit in limits if not limit.excluded], suites)


def answers_text(asked: list[Limit], suites: list[str]) -> str:
    data = json.loads((RESULTS / "limits.json").read_text())
    systems = data["systems"]
    words = [[word for word, _ in row["answers"]] for row in data["limits"]]
    if [limit.place for limit in asked] != [row["place"] for row in data["limits"]]:
        raise ValueError("limits.json has other limits than limits.csv")
    by_suite = ""
    for suite in suites:
        mine = [row for limit, row in zip(asked, words, strict=True) if limit.suite == suite and limit.answer != "none"]
        by_suite += (
            f"| {suite} | {len(mine)} | "
            f"{' | '.join(str(sum(row[i] == 'right' for row in mine)) for i in range(len(systems)))} |\n"
        )
    wrong = "".join(
        f"| {limit.place} | `{limit.text}` | {limit.answer} | {system['name']}: {row[i].removeprefix('wrong: ')} |\n"
        for limit, row in zip(asked, words, strict=True)
        for i, system in enumerate(systems)
        if row[i].startswith("wrong")
    )
    return ANSWERS.format(
        asked=len(asked),
        without=sum(limit.answer == "none" for limit in asked),
        limit=data["limit_s"],
        table=summary_table(systems),
        given=", ".join(f"{row['name']} {row['wrong_without']}" for row in systems),
        late=", ".join(LATE),
        special=sum(bool(SPECIAL.search(limit.text)) for limit in asked),
        suites=by_suite,
        wrong=wrong,
        names=" | ".join(row["name"] for row in systems),
        rules="|".join("---" for _ in systems),
    )


def page() -> str:
    data = json.loads((RESULTS / "questions.json").read_text())
    peers = data["systems"][2:]
    text = HEAD.format(
        command=data["command"],
        limits_command=data["command"] + " limits",
        machine=data["machine"],
        asked=peers[0]["asked"],
        limit=data["limit_s"],
    )
    text += (
        summary_table(data["systems"])
        + WHERE.format(wrong=wrong_text(data))
        + library_text(data["library"])
        + limits_text()
    )
    names = [
        "gpe",
        *(row["name"].replace(", limits down the ladder", " ladder").replace(", Sum.", " ") for row in peers),
    ]
    text += EACH.format(names=" | ".join(names), rules="|".join("---" for _ in names))
    scores = read_scores()
    for row in data["questions"]:
        cells = " | ".join(
            cell(word, seconds, row["truth"], i == 0) for i, (word, seconds) in enumerate(row["answers"])
        )
        text += (
            f"| {row['id']} {row['kind']} | `{scores[row['id']]}` | "
            f"{'finite' if row['truth'] == 'conv' else 'infinite'} | {cells} |\n"
        )
    return text


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text() == page():
            return 0
        print("docs/tables/verdicts_benchmarks.md is not what table.py makes of the results", file=sys.stderr)
        return 1
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
