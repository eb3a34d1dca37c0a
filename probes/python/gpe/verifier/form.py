"""The form of certificates: which keys there are, and what their values are made of."""
# Tests: tests/certificates/forged_forms.py

import re

NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
FRACTION = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")
DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-][0-9]+)?")


def text(value):
    """A formula; its characters are looked at where it is read."""
    return isinstance(value, str) and value.strip() != ""


def line(value):
    return isinstance(value, str) and value != ""


def count(value):
    return type(value) is int and 0 <= value <= 10**9


def matches(pattern):
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def each(form):
    """An object with keys of its own."""
    return lambda value: (
        isinstance(value, dict) and all(NAME.fullmatch(key) and fits(one, form) for key, one in value.items())
    )


def fits(value, form):
    """Forms: a function, an object with exactly these keys, [the form of all members],
    alternatives in a tuple, or the value itself."""
    if callable(form):
        return form(value)
    if isinstance(form, dict):
        return isinstance(value, dict) and set(value) == set(form) and all(fits(value[key], form[key]) for key in form)
    if isinstance(form, list):
        return isinstance(value, list) and all(fits(one, form[0]) for one in value)
    if isinstance(form, tuple):
        return any(fits(value, one) for one in form)
    return type(value) is type(form) and value == form


def proof(value):
    """A rule with its constants; which of them, the rule says."""
    return (
        isinstance(value, dict)
        and line(value.get("rule"))
        and all(
            key == "rule"
            or fits(
                one,
                {"depth": count, "ell": fraction, "from": (digits, None)} if key == "threshold" else (text, count),
            )
            for key, one in value.items()
        )
    )


def cases(value):
    """A tree of splits."""
    if isinstance(value, dict) and "split" in value:
        return (
            text(value["split"])
            and 1 < len(value)
            and all(key == "split" or (key in ("below", "at", "above") and cases(one)) for key, one in value.items())
        )
    return fits(value, ({"verdict": ("holds", "fails"), "proof": proof}, {"verdict": "undecided", "proof": None}))


def boxes(value):
    if isinstance(value, dict) and "split" in value:
        return fits(value, {"split": line, "at": fraction, "below": boxes, "above": boxes})
    return fits(value, {"excluded_by": count})


name, fraction, decimal, digits = (
    matches(NAME),
    matches(FRACTION),
    matches(DECIMAL),
    matches(re.compile("0|[1-9][0-9]*")),
)
natural = (count, digits)
names = lambda value: fits(value, [name]) and len(set(value)) == len(value)  # noqa: E731
LAW = {
    "name": matches(re.compile("[A-Za-z0-9._-]{1,200}")),
    "head_dim": count,
    "head": count,
    "heads": count,
    "layer": count,
    "layers": count,
    "first": count,
    "transform": ("none", "identity", "rotation", "scaled-rotation", "hyperbolic"),
    "gain": text,
    "bias": text,
    **{key: (text, None) for key in ("window", "softcap", "angle", "alpha", "scale", "rate", "decay")},
    "parameters": [{"name": name, "value": text, "domain": (text, None)}],
    "tables": each(
        {
            "first": count,
            "beyond": ("constant", "error"),
            "values": lambda value: fits(value, [fraction]) and len(value) > 0,
        }
    ),
}
BOUNDS = {"lower": decimal, "upper": decimal}
SUMS = {"direct": (count, None), "order": (count, None), "levels": (count, None), "tail": (proof, None)}
REQUIREMENT = {"quantity": ("parameter", "Z", "entropy", "range", "cache", "reach"), "at": (line, None)}
FORMS = {
    "verdict": {
        "claim": {
            "property": ("convergent-normalization", "entropy-boundedness", "ldcp", "gps"),
            "reading": line,
            "content_bound": (fraction, None),
            "verdict": ("holds", "fails", "depends"),
            "region": line,
        },
        "free": names,
        "proof": (proof, None),
        "cases": (cases, None),
        "witnesses": (None, {"holds": each(text), "fails": each(text)}),
    },
    "numbers": {
        "claim": {
            "Z": (None, "infinite", BOUNDS),
            "H": (None, "infinite", BOUNDS),
            "windows": [{"epsilon": fraction, "content_bound": fraction, "W": (natural, None)}],
            **{
                key: [{"weight": fraction, "content_bound": fraction, "n": (natural, None)}]
                for key in ("reach", "self_reach")
            },
            "local_range": (
                None,
                {
                    "threshold": fraction,
                    "literal": (natural, "none", "unbounded", None),
                    "within": (natural, "none", "unbounded", None),
                },
            ),
        },
        "free": lambda value: value == [],
        "proof": SUMS,
        "cases": None,
        "witnesses": None,
    },
    "design": {
        "claim": {
            "box": each(lambda value: fits(value, [fraction]) and len(value) == 2),
            "content_bound": fraction,
            "requirements": [{**REQUIREMENT, "relation": ("<", "<=", ">", ">="), "value": line}],
            "objective": (None, {**REQUIREMENT, "goal": ("minimize", "maximize"), "bound": (fraction, None)}),
            "found": (None, {"parameters": each(fraction), "value": (fraction, None)}),
        },
        "free": names,
        "proof": {"bias": (text, None), "twins": each(name), "points": [{"at": each(fraction), **SUMS}]},
        "cases": (boxes, None),
        "witnesses": None,
    },
}


def is_certificate(value):
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind in FORMS and fits(value, {"schema": 1, "kind": kind, "law": LAW, **FORMS[kind]})
