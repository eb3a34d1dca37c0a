"""Certificates with another claim, and with one object of another certificate: a proof by another rule, or a threshold,
a tree of cases, a point."""

import pathlib
import re

from forged_proofs import flipped, kind_of, places
from forgery import edited

CHECKS = pathlib.Path(__file__).resolve().parents[2] / "checks" / "verifier"
OF_A_KIND = 2  # certificates, beside the first one with each rule


def rules():
    """The names of all rules, from the tables of the verifier."""
    table, shapes = ((CHECKS / name).read_text(encoding="utf-8") for name in ("rules.cpp", "proof.cpp"))
    shapes = re.findall(r'name == "([a-z-]+)"', shapes[shapes.index("bool by_shape") :])
    return {*re.findall(r'"([a-z-]+)",\s+"[a-z ]*",\s+\w+,\s+(?:true|false)', table), *shapes}


def at(one, place):
    for key in place.split("__"):
        one = one[int(key) if isinstance(one, list) else key]
    return one


def shape(value):
    """What tells objects apart: of proofs the rule and the score, of others their keys."""
    if isinstance(value, list):
        return ("rows", *(shape(value[0]) if value else ()))
    return ("rule", value["rule"], value.get("score", "")) if "rule" in value else ("keys", *sorted(value))


def sources(cases):
    """The objects of true certificates by their places: of the first one with each rule, and of some of each kind."""
    seen = {}
    for name, true, one in cases:
        if not true or isinstance(one, str) or one["kind"] == "list":
            continue
        objects = {place: at(one, place) for place in places(one)}
        kinds = [kind_of(one), *(shape(value) for value in objects.values() if "rule" in value)]
        if seen.get(kinds[0], 0) < OF_A_KIND or any(kind not in seen for kind in kinds):
            yield name, one, objects
        for kind in kinds:
            seen[kind] = seen.get(kind, 0) + 1


def fitted(proof, place, value):
    """A proof by another rule as it may stand at this place: with a threshold where claims are about all x >= X0."""
    if place.startswith("cases"):
        return {key: one for key, one in proof.items() if key != "threshold"}
    return {"threshold": value["threshold"], **proof} if "threshold" in value and proof.keys() - {"rule"} else proof


def exchanged(cases, every=1):
    """(name, False, certificate): each `every`-th."""
    chosen, pool, result = list(sources(cases)), {}, []
    for _, _, objects in chosen:
        for value in objects.values():
            pool.setdefault(shape(value), []).append(value)
    missing = rules() - {kind[1] for kind in pool if kind[0] == "rule"}
    assert len(rules()) > 30 and not missing, f"no true certificate has the rules {missing}"
    for name, one, objects in chosen:
        flip = edited(one, claim=flipped(one["claim"]))
        for place, value in objects.items():
            for kind, found in () if place.startswith("claim") else pool.items():
                other = next((other for other in found if other != value), None)
                if other is None or (kind != shape(value) and {kind[0], shape(value)[0]} != {"rule"}):
                    continue
                new = fitted(other, place, value) if kind[0] == "rule" else other
                result.append((f"{name}-{place}-by-{'-'.join(kind)}", False, edited(flip, **{place: new})))
    return result[::every]
