"""What the programs write as JSON, certificates among it, and what docs/results holds, is what the schemas in docs/
say; and a report with a key too many, or one of another form, is not. check-properties has report_schema.py,
probe-attention its own test.

Usage: schemas.py BIN SOURCE. Exit code 0, or what is wrong in words."""

import copy
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
from closed_schema import closed

programs, source = map(Path, sys.argv[1:3])
wrong = []


def schema(name):
    """Without room for more; as it is where it names a few fields of many, of results, and where it says so itself,
    of certificates."""
    found = json.loads((source / "docs" / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found if name in ("result", "certificate") else closed(found))


def check(what, validator, content):
    for error in list(validator.iter_errors(content))[:3]:
        wrong.append(f"{what}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")


def run(*arguments, codes=(0,)):
    done = subprocess.run([programs / arguments[0], *arguments[1:], "--format", "json"], capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def refuses(what, validator, good, *damages):
    """Each damage makes of a report that passes one that does not."""
    for name, damage in (
        ("a key too many", lambda report: report.update(another=1)),
        ("another schema", lambda report: report.update(schema=2)),
        *damages,
    ):
        bad = copy.deepcopy(good)
        damage(bad)
        if validator.is_valid(bad):
            wrong.append(f"{what}: {name} passes")


audit = schema("audit")
check("audit-claims published", audit, run("audit-claims", "published"))
asymptotics = schema("asymptotics")
for expression in (
    "n - sqrt(n^2 + 3*n*log(n))",
    "sin(n)",
    "log(n)",
    "-n",
    "1/3 + 1/n",
    "n*(atan(1/2) + atan(1/3) - pi/4)",
):
    report = run("asymptotics", expression)
    check(f"asymptotics '{expression}'", asymptotics, report)
refuses("asymptotics", asymptotics, report)

compare = schema("compare")
for arguments in (
    ["alibi", "sliding-window", "--set", "W=64", "--vary", "m=1/1000..1/2"],
    ["ape", "rope", "--distance", "100"],
    ["alibi", "ape", "--vary", "first.m=1/4..1/2", "--points", "3", "--content-bound", "5"],
):
    report = run("compare-encodings", *arguments)
    check(f"compare-encodings {' '.join(arguments)}", compare, report)
refuses(
    "compare-encodings",
    compare,
    report,
    ("one encoding", lambda report: report["encodings"].pop()),
    ("a number without its end", lambda report: report["comparisons"][0]["first"].pop("upper")),
    ("an unknown order", lambda report: report["comparisons"][0].update(larger="alibi")),
)

configs = schema("compare_configs")
cases = source / "tests" / "cases" / "configs"
for arguments, code in (
    ([cases / "llama-3.1-8b.json", cases / "gemma-3-4b.json"], 3),
    ([cases / "mpt-7b.json", cases / "mpt-7b.json"], 0),
):
    report = run("compare-configs", *arguments, codes=(code,))
    check(f"compare-configs {arguments[0].name} {arguments[1].name}", configs, report)
refuses(
    "compare-configs",
    configs,
    report,
    ("one config", lambda report: report["configs"].pop()),
    ("same as a word", lambda report: report.update(same="yes")),
)

stack = schema("stack")
for arguments in (
    [cases / "gemma-3-4b.json"],
    [cases / "llama-3.1-8b.json", "--context", "1000"],
    [cases / "mpt-7b.json", "--epsilon", "1/100,1/1000"],
):
    report = run("check-properties", *arguments, "--stack")
    check(f"check-properties {arguments[0].name} --stack", stack, report)
refuses(
    "check-properties --stack",
    stack,
    report,
    ("no layers", lambda report: report["kinds"].clear()),
    ("an entropy without its reason", lambda report: report["kinds"][0]["entropy"].update(limit={"finite": None})),
)

frontier = schema("frontier")
for arguments in (
    ["alibi", "ape", "rope", "--vary", "alibi.m=1/4096..1/2", "--points", "3"],
    ["alibi", "--heads", "4", "--gain", "beyond"],
    ["--delta-star", "m=1/16,beta=1/10,gamma=1/10"],
    ["--delta-star", "m=1/16,beta=3,gamma=1"],
):
    report = run("entropy-frontier", *arguments)
    check(f"entropy-frontier {' '.join(arguments)}", frontier, report)
refuses(
    "entropy-frontier",
    frontier,
    report,
    ("an unknown kind", lambda report: report.update(kind="perhaps")),
    ("no entropy", lambda report: report.pop("H_alibi")),
)

design, certificate = schema("design"), schema("certificate")
with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    both = folder / "both.toml"
    both.write_text(
        'schema = 1\nname = "both"\n[parameters]\nc = { default = "1", range = "1/4..4" }\n[score]\n'
        'bias = "-n/(10*c) - c*sqrt(n)"\n'
    )
    for number, (arguments, codes) in enumerate(
        (
            (
                [
                    "alibi",
                    "--vary",
                    "m=1/100..1",
                    "--content-bound",
                    "5",
                    "--cache",
                    "1e-3 <= 4096",
                    "--reach",
                    "1/2 >= 50",
                    "--minimize",
                    "entropy",
                    "--gap",
                    "1e-3",
                ],
                (0,),
            ),
            (
                [
                    "alibi",
                    "--vary",
                    "m=1/100..1",
                    "--entropy",
                    ">= 2",
                    "--entropy-at",
                    "64 <= 6",
                    "--range",
                    "1 >= 2",
                    "--converges",
                ],
                (0,),
            ),
            (
                [
                    "kerple-log",
                    "--vary",
                    "p=1..4",
                    "--vary",
                    "a=1/100..10",
                    "--maximize",
                    "p",
                    "--entropy",
                    ">= 3",
                    "--gap",
                    "1e-2",
                ],
                (0,),
            ),
            (
                [
                    "ape",
                    "--vary",
                    "lambda=1/100..1",
                    "--content-bound",
                    "5",
                    "--cache",
                    "1e-2 <= 300",
                    "--minimize",
                    "lambda",
                    "--gap",
                    "1e-1",
                ],
                (0,),
            ),
            ([both, "--range", "25 >= 100", "--maximize", "c", "--gap", "1e-1"], (0,)),
            (["alibi", "--vary", "m=1/100..1", "--entropy", ">= 60"], (3,)),
        )
    ):
        report = run("design-encoding", *arguments, "--certificate", folder / f"design-{number}.json", codes=codes)
        check(f"design-encoding {' '.join(map(str, arguments))}", design, report)
    refuses(
        "design-encoding",
        design,
        report,
        ("an unknown outcome", lambda report: report.update(outcome="maybe")),
        ("no box", lambda report: report.pop("box")),
    )
    for arguments in (
        [
            "check-properties",
            "alibi",
            "rope",
            "ape",
            "t5",
            "xpos",
            "log-n",
            "gemma2-local",
            "--certificates",
            folder / "proofs",
        ],
        ["check-properties", "alibi", "ape", "--symbolic", "m,delta", "--certificates", folder / "symbolic"],
    ):
        command = [programs / arguments[0], *map(str, arguments[1:]), "--content-bound", "1"]
        subprocess.run(command, check=True, capture_output=True)
    audited = ("vetcha2025", "--results", source / "docs" / "results", "--certificates", folder / "audit")
    check("audit-claims vetcha2025", audit, run("audit-claims", *audited))
    written = sorted(folder.rglob("*.json"))
    kinds = set()
    for path in written:
        proof = json.loads(path.read_text())
        check(path.relative_to(folder), certificate, proof)
        kinds.add(proof["kind"])
    if kinds != {"verdict", "numbers", "design", "list"} or len(written) < 100:
        wrong.append(f"{len(written)} certificates of the kinds {sorted(kinds)}")
    proof = json.loads((folder / "proofs" / "alibi.cn.every-content.json").read_text())
    refuses(
        "certificate",
        certificate,
        proof,
        ("an unknown kind", lambda proof: proof.update(kind="belief")),
        ("no law", lambda proof: proof.pop("law")),
        ("a law with a key too many", lambda proof: proof["law"].update(another=1)),
        ("a proof without a rule", lambda proof: proof["proof"].pop("rule")),
    )
result = schema("result")
files = sorted((source / "docs" / "results").rglob("*.json"))
for path in files:
    absolute = re.search(r'["= ]/[a-z]+/[^" ]*', path.read_text())
    if absolute:
        wrong.append(f"{path.relative_to(source)}: a path of one machine: {absolute[0][1:]}")
    check(
        f"{path.relative_to(source)} (tests/bench/runs/predictors.py --page completes those of probes)",
        result,
        json.loads(path.read_text()),
    )
if len(files) < 20:
    wrong.append(f"only {len(files)} results")
sys.exit("\n".join(wrong) or 0)
