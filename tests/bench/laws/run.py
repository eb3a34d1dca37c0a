#!/usr/bin/env python3
"""Random laws, checked against themselves evaluated directly. See docs/limits.md.

run.py BIN --laws 300                         from a folder with check-properties, verify-certificate and asymptotics
run.py BIN --laws 10000 --state laws.jsonl    continues where laws.jsonl ends
run.py BIN --only 4711                        one law: what disagrees
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

import mpmath
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check_claims
import check_numbers
import check_verdicts
import direct
import generate
import limits
from expression import EXACT, Undefined

BATCH = 20


def arguments_for(options, folder):
    lists = {"--content-bound": "bounds", "--epsilon": "epsilons", "--weight": "weights", "--lengths": "lengths"}
    asked = [
        word for option, key in lists.items() if options[key] for word in (option, ",".join(map(str, options[key])))
    ]
    return [
        "--format",
        "json",
        "--digits",
        "16",
        "--time-limit",
        "0.03",
        *asked,
        "--threshold",
        options["threshold"],
        "--heads",
        str(options["heads"][0]),
        "--head",
        str(options["heads"][1]),
        "--head-dim",
        str(options["dimension"]),
        "--certificates",
        str(folder / "certificates"),
    ]


def seed_of(law):
    return int(law["name"].removeprefix("law-"))


def undefined_at(law):
    """Whether some formula has no value at a distance that is tried: looked at again with more
    digits, as exp(-20000) is not 0."""
    n = law.distances()
    length = 10000 if law.has_length else None
    for key in ("gain", "bias"):
        missing = numpy.flatnonzero(~numpy.isfinite(law.of(key, n, length=length)))
        try:
            for place in missing[:50]:
                law.of(key, mpmath.mpf(int(n[place])), EXACT, length=length)
        except Undefined:
            return True
    return False


class Batch:
    """Laws with the same options; of each the program is asked everything at once."""

    def __init__(self, programs, number, laws):
        self.programs, self.options = programs, generate.draw_options(number)
        self.laws = laws
        self.counts, self.disagreements = collections.Counter(), []

    def disagree(self, law, message):
        self.disagreements.append({"seed": seed_of(law), "law": generate.toml(law), "message": message})

    def run(self):
        for law in self.laws:
            with tempfile.TemporaryDirectory(prefix="laws-") as name:
                self.one(law, pathlib.Path(name))
        self.limits()
        return {"counts": dict(self.counts), "disagreements": self.disagreements}

    def one(self, law, folder):
        file = folder / f"{law['name']}.toml"
        file.write_text(generate.toml(law))
        answer = subprocess.run(
            [self.programs / "check-properties", file, *arguments_for(self.options, folder)],
            capture_output=True,
            text=True,
        )
        if answer.returncode == 2:
            return self.refused(law, answer.stderr)
        if answer.returncode != 0:
            return self.disagree(law, f"exit {answer.returncode}: {answer.stderr[-400:]}")
        self.check(law, json.loads(answer.stdout)["encodings"][0])
        self.certificates(law, folder)

    def refused(self, law, message):
        self.counts["refused"] += 1
        if "is undefined" not in message and "division by zero" not in message:
            if "the limit" not in message and "beyond" not in message:
                self.disagree(law, f"refused: {message}")
            return
        try:
            if (
                undefined_at(direct.Law(law, self.options)) is False
                and "angle" not in message
                and "scale" not in message
            ):
                self.disagree(law, f"refused, but directly defined: {message}")
        except direct.Unknown:
            pass

    def check(self, law, report):
        self.counts["laws"] += 1
        for verdict in report["verdicts"]:
            self.counts["verdicts"] += 1
            if verdict["verdict"] == "undecided":
                self.counts["undecided"] += 1
                self.counts[f"undecided {verdict['property']} {verdict['reading']}"] += 1
            elif verdict["certificate"] is None:
                self.counts["without proof"] += 1
        evaluated = direct.Law(law, self.options)
        try:
            if undefined_at(evaluated):
                if any(record["value"] == "0" for record in law["parameters"].values()):
                    return  # what such a parameter multiplies is not looked at (docs/specification.md)
                self.disagree(law, "accepted, but directly undefined at some n")
                return
            for part in (check_verdicts, check_numbers):
                for message in part.check(evaluated, report):
                    self.disagree(law, message)
        except direct.Unknown:
            self.counts["not evaluated"] += 1

    def certificates(self, law, folder):
        """Claims are evaluated here; the verifier has read each certificate before it was
        written, and exit code 1 says that it refused one."""
        files = sorted((folder / "certificates").glob("*.json")) if (folder / "certificates").exists() else []
        self.counts["certificates"] += len(files)
        try:
            for message in check_claims.check(
                direct.Law(law, self.options),
                [(file.name, json.loads(file.read_text())) for file in files],
                law["name"],
            ):
                self.disagree(law, message)
        except direct.Unknown:
            pass

    def limits(self):
        for law in self.laws:
            decided, messages = limits.check(self.programs, seed_of(law))
            self.counts["limits"] += 1
            self.counts["undecided limits"] += not decided
            for message in messages:
                self.disagree(law, message)


def batches(arguments):
    if arguments.only is not None:
        number = arguments.only // BATCH
        yield number, [generate.draw(arguments.only)]
        return
    for number in range(arguments.first // BATCH, -(-(arguments.first + arguments.laws) // BATCH)):
        yield number, [generate.draw(number * BATCH + i) for i in range(BATCH)]


def record_of(programs, number, laws):
    return {"batch": number, **Batch(programs, number, laws).run()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--laws", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--only", type=int, help="one seed")
    parser.add_argument(
        "--state", type=pathlib.Path, help="one line per finished batch; later runs continue after them"
    )
    parser.add_argument("--summary", type=pathlib.Path, help="counts, as JSON")
    parser.add_argument("--jobs", type=int, default=2, help="batches at a time")
    parser.add_argument("--without-proof", type=int, help="how many verdicts may be decided without a certificate")
    parser.add_argument("work", nargs="?", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    done = {}
    if arguments.state and arguments.state.exists():
        done = {record["batch"]: record for record in map(json.loads, arguments.state.read_text().splitlines())}
    counts, disagreements = collections.Counter(), []
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        started = [
            pool.submit(record_of, arguments.bin, number, laws)
            for number, laws in batches(arguments)
            if number not in done
        ]
        for ended in concurrent.futures.as_completed(started):
            record = ended.result()
            done[record["batch"]] = record
            if arguments.state:
                with arguments.state.open("a") as state:
                    state.write(json.dumps(record) + "\n")
            for one in record["disagreements"]:
                print(f"law {one['seed']}: {one['message']}\n{one['law']}", flush=True)
    for number, _ in batches(arguments):
        counts.update(done[number]["counts"])
        disagreements += done[number]["disagreements"]
    share = 100 * counts["undecided"] / max(1, counts["verdicts"])
    print(
        f"{counts['laws']} laws, {counts['refused']} more refused as undefined, {counts['certificates']} certificates, "
        f"{counts['verdicts']} verdicts "
        f"({share:.1f} % undecided, {counts['without proof']} decided without a certificate), "
        f"{counts['limits']} limits ({counts['undecided limits']} undecided), {len(disagreements)} disagreements"
    )
    if arguments.summary:
        summary = {
            "command": f"tests/bench/laws/run.py build/bin --laws {arguments.laws}",
            "disagreements": len(disagreements),
            **counts,
        }
        arguments.summary.write_text(json.dumps(summary, indent=1) + "\n")
    too_many = arguments.without_proof is not None and counts["without proof"] > arguments.without_proof
    if too_many:
        print(f"decided without a certificate: more than {arguments.without_proof} verdicts")
    return 1 if disagreements or too_many else 0


if __name__ == "__main__":
    sys.exit(main())
