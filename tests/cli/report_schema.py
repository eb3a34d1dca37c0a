#!/usr/bin/env python3
"""Every JSON report is what docs/report.schema.json says, and its numbers agree with one another.

report_schema.py FOLDER-OF-PROGRAMS SOURCE
"""

import copy
import decimal
import json
import pathlib
import subprocess
import sys

import jsonschema
from closed_schema import closed

programs, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
schema = json.loads((source / "docs/report.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
wrong = []


strict = jsonschema.Draft202012Validator(closed(schema))
published = jsonschema.Draft202012Validator(schema)


def complain(what, text):
    wrong.append(f"{what}: {text}")


def check_schema(what, report):
    for error in list(strict.iter_errors(report))[:5]:
        complain(what, f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")


def run(*arguments):
    done = subprocess.run(
        [programs / "check-properties", *arguments, "--format", "json"], capture_output=True, text=True, timeout=600
    )
    if done.returncode != 0:
        complain(" ".join(arguments), f"exit {done.returncode}: {done.stderr}")
        return None
    return json.loads(done.stdout)


def check_ends(what, part, digits):
    """lower <= upper, at most `digits` digits, and close together unless a reason says why not."""
    lower, upper = (part.get(key) for key in ("lower", "upper"))
    if lower is None or upper is None:
        return
    low, high = decimal.Decimal(lower), decimal.Decimal(upper)
    if low > high:
        complain(what, f"{lower} > {upper}")
    if any(len(number.as_tuple().digits) > digits for number in (low, high)):
        complain(what, f"more than {digits} digits: {lower}, {upper}")
    close = 2 * max(low.copy_abs(), high.copy_abs()).scaleb(1 - digits)
    if high - low > close and "reason" not in part and what.split(".")[-1] in ("Z", "H", "mean_distance"):
        complain(what, f"wide without a reason: {lower}, {upper}")


def check_numbers(what, report, digits):
    for encoding in report["encodings"]:
        name = f"{what} {encoding['name']}"
        for key in ("Z", "H", "mean_distance"):
            check_ends(f"{name}.{key}", encoding["sums"][key], digits)
        if encoding["sums"]["Z"]["finite"] is False and encoding["sums"]["H"] != {"finite": False}:
            complain(name, "H is not infinite although Z is")
        for part in encoding["partial_sums"]:
            for key in ("Z", "H"):
                if part[key] is not None:
                    check_ends(f"{name} to {part['L']}.{key}", part[key], digits)
        bounds = encoding["content_bounds"]
        for verdict in encoding["verdicts"]:
            if verdict["content_bound"] is not None and verdict["content_bound"] not in bounds:
                complain(name, f"a verdict for B = {verdict['content_bound']}")
            if verdict["region"] == "always" and verdict["verdict"] == "fails":
                complain(name, f"{verdict['reading']} fails and holds always")
            if verdict["region"] == "never" and verdict["verdict"] == "holds":
                complain(name, f"{verdict['reading']} holds and never does")
        within = {(v["property"], v["reading"], v["content_bound"]): v["verdict"] for v in encoding["verdicts"]}
        for bound in bounds:  # what every content does, some content does
            for property, every in (("convergent-normalization", "every-content"), ("entropy-boundedness", "limit")):
                if (
                    within.get((property, every, bound)) == "holds"
                    and within.get((property, "some-content", bound)) == "fails"
                ):
                    complain(name, f"{property} at B = {bound}: every content, but not some content")


reports = {
    "all": (run("--all", "--time-limit", "2"), 30),
    "contract": (run("alibi", "--set", "m=1/2", "--epsilon", "1e-3", "--lengths", "64"), 30),
    "curves": (
        run(
            "ape",
            "rope",
            "sliding-window",
            "fire",
            "--curves",
            "20",
            "--content-bound",
            "1,5",
            "--lengths",
            "64,1000",
            "--time-limit",
            "2",
        ),
        30,
    ),
    "heads": (run("alibi", "ape", "--heads", "4", "--layers", "2", "--layer", "2"), 30),
    "symbolic": (run("ape", "--symbolic", "delta,B"), 30),
    "bounds": (run("ape", "rope", "--content-bound", "0,1/2,5,10", "--digits", "12", "--lengths", "0,1,100,1e6"), 12),
    "one line": (run("--bias", "-log(n+2) - 2*log(log(n+2))", "--first", "3", "--lengths", "1e20", "--digits", "5"), 5),
    "far": (run("--bias", "-log(1+n)", "--threshold", "1000"), 30),
    "huge": (run("--bias", "-n/10^25", "--threshold", "7", "--lengths", "1e30", "--time-limit", "2"), 30),
    "one key": (run("--bias", "-100000*n"), 30),
    "undefined soon": (run("--bias", "-sqrt(n)*sin(n)^2", "--time-limit", "1"), 30),
    "length": (run("fire", "log-n", "--time-limit", "2"), 30),
}
for what, (report, digits) in reports.items():
    if report is not None:
        check_schema(what, report)
        check_numbers(what, report, digits)

# The contract's own example, without the number of readings that a whole report has.
example = json.loads((source / "tests/cases/report_example.json").read_text())
example["encodings"][0]["verdicts"] *= 14
check_schema("example", example)

# The schema is able to say no.
good = reports["contract"][0]
damages = {
    "another schema": lambda r: r.update(schema=2),
    "no generator": lambda r: r.pop("generator"),
    "an unknown verdict": lambda r: r["encodings"][0]["verdicts"][0].update(verdict="maybe"),
    "a reading of another property": lambda r: r["encodings"][0]["verdicts"][0].update(reading="vector"),
    "a number for digits": lambda r: r["encodings"][0]["sums"]["Z"].update(lower=2.5),
    "digits that are not a number": lambda r: r["encodings"][0]["sums"]["Z"].update(lower="?"),
    "finite without ends": lambda r: r["encodings"][0]["sums"]["H"].pop("upper"),
    "a negative count": lambda r: r["encodings"][0]["local_range"].update(within=-1),
    "a small count in quotes": lambda r: r["encodings"][0]["local_range"].update(within="2"),
    "a decimal bound": lambda r: r["encodings"][0].update(content_bounds=["0.5"]),
    "a missing section": lambda r: r["encodings"][0].pop("growth"),
    "a short digest": lambda r: r["encodings"][0].update(spec_sha256="abc"),
    "no encodings": lambda r: r.update(encodings=[]),
}
for what, damage in damages.items():
    bad = copy.deepcopy(good)
    damage(bad)
    if published.is_valid(bad):
        complain(what, "the schema accepts it")
bad = copy.deepcopy(good)
bad["encodings"][0]["surprise"] = 1
if not published.is_valid(bad) or strict.is_valid(bad):
    complain("a new field", "must be allowed for readers, and must be written down here")

print("\n".join(wrong) if wrong else f"{len(reports) + 1} reports, {len(damages)} damaged ones")
sys.exit(1 if wrong else 0)
