"""Certificates for the tests, as Python values: what forged_*.py have in common.

twins(name, true, **false)      a true certificate (or None), and false ones by name
"""

import copy

CASES = []  # (name, true or false, the certificate)
FAR = {"depth": 1, "ell": "6", "from": "404"}  # log 404 > 6
FARTHER = {"depth": 3, "ell": "2", "from": None}  # for log log n and log log log n


def law(**changes):
    return {
        "name": "forged",
        "head_dim": 64,
        "head": 1,
        "heads": 1,
        "layer": 1,
        "layers": 1,
        "first": 0,
        "transform": "identity",
        "gain": "1",
        "bias": "0",
        "window": None,
        "softcap": None,
        "angle": None,
        "alpha": None,
        "scale": None,
        "rate": None,
        "decay": None,
        "parameters": [],
        "tables": {},
        **changes,
    }


def parameter(name, value, domain=None):
    return {"name": name, "value": value, "domain": domain}


def certificate(kind, claim, of, proof, free=(), cases=None, witnesses=None):
    return {
        "schema": 1,
        "kind": kind,
        "claim": claim,
        "law": of,
        "free": list(free),
        "proof": proof,
        "cases": cases,
        "witnesses": witnesses,
    }


def claimed(question, bound="1", region=None):
    """The claim "cn.every-content.holds", or of another property, reading and verdict."""
    short, reading, verdict = question.split(".")
    full = {"cn": "convergent-normalization", "eb": "entropy-boundedness"}.get(short, short)
    return {
        "property": full,
        "reading": reading,
        "content_bound": bound if short in ("cn", "eb") else None,
        "verdict": verdict,
        "region": region or ("always" if verdict == "holds" else "never"),
    }


def rule(name, **constants):
    """A proof about all large n."""
    return {
        "rule": name,
        **constants,
        "threshold": FARTHER
        if 1 in (constants.get("k"), constants.get("i")) or constants.get("i") == 2 or name.startswith("turns-by")
        else FAR,
    }


def at_points(name, **constants):
    return {"rule": name, **constants}


def verdict(question, proof, bound="1", **of):
    """A claim about a law without free parameters."""
    return certificate("verdict", claimed(question, bound), law(**of), proof)


def symbolic(question, region, cases, free, of, witnesses=None, bound="1"):
    bound = None if "B" in free else bound
    return certificate("verdict", claimed(question, bound, region), of, None, free, cases, witnesses)


def edited(one, **places):
    """A copy with other values: claim__verdict="fails", law__bias="n" ..., or law__bias=...
    removed by the value Ellipsis."""
    one = copy.deepcopy(one)
    for path, value in places.items():
        at, keys = one, path.split("__")
        for key in keys[:-1]:
            at = at[int(key) if isinstance(at, list) else key]
        key = int(keys[-1]) if isinstance(at, list) else keys[-1]
        if value is ...:
            del at[key]
        else:
            at[key] = value
    return one


def twins(name, true, /, **false):
    if true is not None:
        CASES.append((name, True, true))
    for why, one in false.items():
        CASES.append((f"{name}.{why.replace('_', '-')}", False, one))
