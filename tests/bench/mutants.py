#!/usr/bin/env python3
"""Mutants of the verifiers of certificates: each has one check less, and some false certificate
of the corpus must pass it.

    mutants.py python|cpp [--results FILE] [--only TEXT] [--fresh]

The checks are conditions that refuse, claims that are needed, and what mutants_by_hand.json names; the false
certificates are those of tests/certificates/forgeries.py. First each false certificate is refused, and it is noted
which checks it failed on the way: only without one of these may it pass. What is known of a mutant is kept with the
results; when files change, its certificate is tried first. The file mutants_equivalent.json says of those that accept
nothing false why they cannot. Exit: 0 when each mutant is killed or equivalent, else 1.
"""

import argparse
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[0] / "certificates"))
import forgeries  # noqa: E402
import mutants_by_hand  # noqa: E402
import mutants_cpp  # noqa: E402
import mutants_python  # noqa: E402
from forgery import CASES  # noqa: E402

FALSE = {name: forgeries.text(one) for name, true, one in CASES if not true}
TRUE = {name: forgeries.text(one) for name, true, one in CASES if true}


def equivalents():
    """By mutant, why it accepts nothing false."""
    return {
        name: one["why"]
        for one in json.loads((HERE / "mutants_equivalent.json").read_text())
        for name in one["mutants"]
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("which", choices=("python", "cpp"))
    parser.add_argument("--results", default=str(HERE / "results" / "mutants.json"))
    parser.add_argument("--only", default="", help="mutants with this in their name")
    parser.add_argument("--fresh", action="store_true", help="forget what is known")
    options = parser.parse_args()
    results, equivalent = pathlib.Path(options.results), equivalents()
    by_hand = {one["file"] for one in mutants_by_hand.ENTRIES}
    if lost := by_hand - {
        path.name for folder in (mutants_cpp.FOLDER, mutants_python.CERTIFICATES) for path in folder.iterdir()
    }:
        sys.exit(f"mutants_by_hand.json: there is no {', '.join(sorted(lost))}")
    report = json.loads(results.read_text()) if results.exists() else {}
    known = {} if options.fresh else report.get(options.which, {})
    verifier = mutants_python.Verifier() if options.which == "python" else mutants_cpp.Verifier()
    of_this = [name for name in equivalent if (".py:" in name) == (options.which == "python")]
    if stale := [name for name in of_this if name not in verifier.numbers]:
        sys.exit(f"mutants_equivalent.json: there is no '{stale[0]}'")
    if wrong := [name for name, text in TRUE.items() if verifier.refusals(text) is not None]:
        sys.exit(f"{wrong[0]} is refused")
    failed = {}  # by mutant, the certificates that fail its check
    for certificate, text in FALSE.items():
        refusals = verifier.refusals(text)
        if refusals is None:
            sys.exit(f"{certificate} is accepted")
        for one in refusals:
            failed.setdefault(one, []).append(certificate)
    found, survivors = {}, []
    for name, number in verifier.numbers.items():
        before = known.get(name, {}).get("by")
        if options.only not in name:
            found.update({name: known[name]} if name in known else {})
            continue
        if name in equivalent:
            found[name] = {"equivalent": True}
            continue
        rule = re.findall(r"[a-z]+", name)
        candidates = sorted(failed.get(number, []), key=lambda one: (one != before, -sum(word in one for word in rule)))
        by = next((one for one in candidates if verifier.accepts(FALSE[one], number)), None)
        found[name] = {"by": by} if by else {"survives": len(candidates)}
        if not by:
            survivors.append(name)
            print(f"{name}: SURVIVES {len(candidates)} certificates", flush=True)
        report.update(
            {"command": "tests/bench/mutants.py python; tests/bench/mutants.py cpp", options.which: {**known, **found}}
        )
        results.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")
    report[options.which] = found
    report["counts"] = {
        which: {
            key: sum(key in one for one in report.get(which, {}).values()) for key in ("by", "equivalent", "survives")
        }
        for which in ("python", "cpp")
    }
    results.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")
    print(f"{options.which}: {report['counts'][options.which]}")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
