"""Limits of expressions that are built backwards, from a limit that is known, and the distance from which the first
term is said to exceed the rest."""

import json
import random
import re
import subprocess

import mpmath
from expression import EXACT, Undefined, Unknown, at

# (text, its limit: a number as text, or +inf, -inf; its sign near infinity)
STARTS = [
    ("1/n", "0", 1),
    ("n", "+inf", 1),
    ("log(n)", "+inf", 1),
    ("-sqrt(n)", "-inf", -1),
    ("(2*n + 1)/(n + 3)", "2", 1),
    ("1/log(n)", "0", 1),
    ("-exp(-n)", "0", -1),
    ("n^(1/n)", "1", 1),
    ("sqrt(n^2 + 3*n) - n", "3/2", 1),
    ("n*log(1 + 2/n)", "2", 1),
    ("(1 + 1/n)^n", "exp(1)", 1),
    ("n - n - 2", "-2", -1),
    ("log(2*n) - log(n)", "log(2)", 1),
    ("log(log(2)) + 1/n", "log(log(2))", -1),
    ("n - sqrt(n^2 - 1)", "0", 1),
    ("exp(1/n) - 1", "0", 1),
    ("log(n + exp(n)) - n", "0", 1),
    ("floor(3 + 1/(n + 1))", "3", 1),
]


def grown(rng, item):
    """The same expression with one more operation, and what that does to its limit."""
    text, limit, sign = item
    finite = limit not in ("+inf", "-inf")
    opposite = "+inf" if limit == "-inf" else "-inf"
    kind = rng.choice(["negative", "even power", "odd root", "exp", "add", "times", "inverse", "abs", "cancel", "log"])
    if kind == "negative":
        return f"-({text})", f"-({limit})" if finite else opposite, -sign
    if kind in ("even power", "abs"):
        size = (f"abs({limit})") if finite else "+inf"
        return (
            rng.choice([f"sqrt(({text})^2)", f"(({text})^4)^(1/4)", f"abs({text})", f"max({text}, -({text}))"]),
            size,
            1,
        )
    if kind == "odd root" and sign > 0:
        return f"({text})^(1/3)", f"({limit})^(1/3)" if finite else limit, 1
    if kind == "exp":
        infinite = "+inf" if limit == "+inf" else "0"
        return f"exp({text})", f"exp({limit})" if finite else infinite, 1
    if kind == "add":
        c = rng.choice(["1", "-2", "log(2)", "1/n", "1/log(n + 2)"])
        far = "0" if "n" in c else c
        return (
            f"{text} + {c}" if c[0] != "-" else f"{text} - 2",
            f"{limit} + {far}" if finite else limit,
            None,
        )
    if kind == "times":
        return (
            f"({text})*log(log(2))",
            f"({limit})*log(log(2))" if finite else opposite,
            -sign if sign else None,
        )
    if kind == "inverse" and sign and limit in ("+inf", "-inf"):
        return f"1/({text})", "0", sign
    if kind == "cancel":
        shift = rng.choice(
            ["(max(n, 7) - n)", "(sqrt((n - 5)^2) - n + 5)", "(sqrt(n^2 + n) - n - 1/2)", "n*(exp(1/n^2) - 1)"]
        )
        return f"{text} + {shift}", limit, None
    if kind == "log" and sign and sign > 0 and limit == "+inf":
        return f"log({text})", "+inf", 1
    return item


def draw(seed):
    rng = random.Random(f"limit {seed}")
    item = rng.choice(STARTS)
    for _ in range(rng.randint(1, 3)):
        grown_item = grown(rng, item)
        if grown_item[2] is not None:
            item = grown_item
        else:  # where its sign is not carried along it is found from the limit
            item = (grown_item[0], grown_item[1], sign_of(grown_item[1]))
            if item[2] is None:
                break
    return item[0], item[1]


def sign_of(limit):
    if limit in ("+inf", "-inf"):
        return 1 if limit == "+inf" else -1
    value = at(limit, {}, EXACT)
    if abs(value) < mpmath.mpf(10) ** -30:
        return None
    return 1 if value > 0 else -1


def check(programs, seed):
    """(whether it was decided, what disagrees)"""
    text, limit = draw(seed)
    run = subprocess.run(
        [programs / "asymptotics", text, "--format", "json", "--time-limit", "1"], capture_output=True, text=True
    )
    if run.returncode != 0:
        return False, [f"asymptotics '{text}': exit {run.returncode}: {run.stderr.strip()}"]
    answer = json.loads(run.stdout)
    said, messages = answer["limit"], []
    if said["kind"] == "undecided":
        return False, []
    if limit in ("+inf", "-inf") or said["kind"] != "finite":
        if said["kind"] != limit:
            messages.append(f"asymptotics '{text}': {said['kind']} {said.get('value')}, built to tend to {limit}")
    else:
        known, value = at(limit, {}, EXACT), at(said["value"], {}, EXACT)
        if abs(known - value) > mpmath.mpf(10) ** -30:
            messages.append(f"asymptotics '{text}': {said['value']}, built to tend to {limit}")
    messages += first_term(text, answer)
    return True, messages


def first_term(text, answer):
    match = re.fullmatch(r"n >= (\d+)", answer.get("valid_from") or "")
    if not match or not answer["terms"] or int(match.group(1)) > 10**30:
        return []
    start = int(match.group(1))
    mpmath.mp.dps = 120
    try:
        for n in [start, start + 1, start + 2, start + 9, 2 * start + 1, 10 * start, 10**6 + start]:
            names = {"n": mpmath.mpf(n)}
            whole, term = at(text, names, EXACT), at(answer["terms"][0], names, EXACT)
            if abs(term) > mpmath.exp(mpmath.mpf(10) ** 60):  # digits of the exponent are digits of the term
                continue
            if abs(whole - term) > abs(term) * (1 + mpmath.mpf(10) ** -20) + mpmath.mpf(10) ** -60:
                return [
                    (
                        f"asymptotics '{text}': the first term {answer['terms'][0]} exceeds the rest from {start} on, "
                        f"but at n = {n} the rest is {mpmath.nstr(whole - term, 8)}"
                    )
                ]
    except (Unknown, Undefined):
        pass
    finally:
        mpmath.mp.dps = 50
    return []
