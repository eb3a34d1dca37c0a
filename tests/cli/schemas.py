"""What audit-claims and asymptotics write, and what docs/results holds, is what the schemas in docs/ say; and a report with a key too many is not.

Usage: schemas.py BIN SOURCE. Exit code 0, or what is wrong in words."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema

programs, source = map(Path, sys.argv[1:3])
wrong = []


def schema(name):
    found = json.loads((source / "docs" / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


def check(what, validator, content):
    for error in list(validator.iter_errors(content))[:3]:
        wrong.append(f"{what}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")


def run(*arguments):
    return json.loads(subprocess.run([programs / arguments[0], *arguments[1:], "--format", "json"], capture_output=True, text=True, check=True).stdout)


audit = schema("audit")
for arguments in (["published"], ["vetcha2025", "--results", source / "docs" / "results"]):
    check(f"audit-claims {arguments[0]}", audit, run("audit-claims", *arguments))
asymptotics = schema("asymptotics")
for expression in ("n - sqrt(n^2 + 3*n*log(n))", "sin(n)", "log(n)", "-n", "1/3 + 1/n", "n*(sin(1)^2 + cos(1)^2 - 1)"):
    report = run("asymptotics", expression)
    check(f"asymptotics '{expression}'", asymptotics, report)
if not list(asymptotics.iter_errors(report | {"another": 1})):
    wrong.append("a report with a key too many passes")
result = schema("result")
files = sorted((source / "docs" / "results").rglob("*.json"))
for path in files:
    check(f"{path.relative_to(source)} (tests/bench/runs/predictors.py --page completes those of probes)", result, json.loads(path.read_text()))
if len(files) < 20:
    wrong.append(f"only {len(files)} results")
sys.exit("\n".join(wrong) or 0)
