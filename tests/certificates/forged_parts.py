"""Formulas whose conditions part the cell: what has a value in one part only, and what long formulas are near."""

from forged_forms import CONVERGES
from forgery import certificate, edited, law, parameter, symbolic, twins, verdict

CONSTANT = {"verdict": "fails", "proof": {"rule": "constant"}}
WINDOW = {"verdict": "holds", "proof": {"rule": "window"}}
TIE = "if({0} > 0, 1/(1 + 1/{0}), {0})"  # positive but where {0} = 0
LONG = "1+q+q^2+q^3+q^4+q^5+q^6+q^7+q^8+q^9"  # more terms than are kept apart


def turned(angle, domain="q >= 0", **of):
    parameters = [parameter("q", "5", domain)]
    return symbolic(
        "gps.norm.fails", "never", CONSTANT, ["q"], law(transform="rotation", angle=angle, parameters=parameters, **of)
    )


def biased(bias, proof, **of):
    cases = {"verdict": "holds", "proof": {key: proof[key] for key in proof if key != "threshold"}}
    return symbolic(
        "cn.every-content.holds",
        "always",
        cases,
        ["q"],
        law(bias=bias, parameters=[parameter("q", "5", "q >= 0")], **of),
    )


def needs(condition):
    return f"n*if({condition}, 1, log(-1))"


twins(
    "parts",
    turned("n*if(q > 0, if(1/(1 + 1/q) > 0, 1, log(-1)), 1)"),
    tie=turned(needs(f"{TIE.format('q')} > 0")),
    square=turned(needs(f"{TIE.format('q^2')} > 0"), None),
    root=turned(needs(f"{TIE.format('q^(1/2)')} > 0")),
    logarithm=turned(needs(f"{TIE.format('log(q)')} > 0"), "q >= 1"),
    alpha=turned("n/alpha", alpha=f"if({TIE.format('q')} > 0, 1, 0)"),
    argument=turned(f"log({TIE.format('q')})"),
    exponential=turned("1/if(q > 0, exp(-1/q), q)"),
    larger=turned(f"1/max({TIE.format('q')}, 0)"),
    distance=verdict("gps.norm.fails", CONSTANT["proof"], bias=needs(f"{TIE.format('n')} > 0")),
    length=verdict("gps.norm.fails", CONSTANT["proof"], bias=needs(f"{TIE.format('(L - n)')} > 0")),
    block=verdict("gps.norm.fails", CONSTANT["proof"], transform="rotation", angle=needs(f"{TIE.format('j')} > 0")),
    measured=verdict(
        "gps.norm.fails", CONSTANT["proof"], transform="rotation", angle="log(alpha - 1/10^10)", alpha="measured"
    ),
)
twins(
    "parts-of-rules",
    biased("-n", CONVERGES),
    tie=biased(f"-n*if({TIE.format('q')} > 0, 1, 0)", CONVERGES),
    slope=biased("-n*if(q > 0, 1/(q*(1 + n)^2), 1)", CONVERGES),
    window=biased("-n", WINDOW["proof"], window=f"if({TIE.format('q')} > 0, 1, 0)"),
    cap=biased("-n", WINDOW["proof"], window="4", softcap=TIE.format("q")),
)
twins(
    "parts-of-long-formulas",
    turned(f"n/if(q > 3, {LONG}, 1)"),
    zero=turned(f"1/if(q > 3, {LONG}, 0)"),
    root=turned(f"n*if(q > 3, {LONG}, 0)^(-1/2)"),
    product=turned("n/((1+q+q^2+q^3+q^4+q^5+q^6+q^7+q^8)*if(q > 1, 1, 0))"),
    bias=edited(turned("n"), law__bias=f"-n/if(q > 3, {LONG}, 0)"),
    in_window=biased(f"1/if(q > 3, {LONG}, 0)", WINDOW["proof"], window="4"),
    distance=verdict(
        "cn.every-content.holds", WINDOW["proof"], window="100000", bias=f"1/if(n > 50000, {LONG.replace('q', 'n')}, 0)"
    ),
)
forgetful = edited(turned("n"), law__transform="none", law__angle=None, cases__proof={"rule": "no-content"})
gated = edited(forgetful, claim__gates=None, law__parameters__0__domain="q > 0")
for name, high in (("-inverse", "-1/q"), ("-logarithm", "-log(1 + 1/q)"), ("-always", "-1/(1 + q)")):
    twins("parts-gates" + name, edited(gated, law__path={"low": "-inf", "high": high, "open": None}))
twins(
    "parts-gates",
    None,
    tie=edited(
        gated,
        law__parameters__0__domain="q >= 0",
        law__path={"low": "-inf", "high": f"if({TIE.format('q')} > 0, -1, log(-1))", "open": None},
    ),
)
twins(
    "parts-query",
    None,
    shape=edited(
        forgetful,
        claim__query=None,
        claim__reading="content",
        claim__property="ldcp",
        law__query={"radius": "1", "shape": needs(f"{TIE.format('q')} > 0")},
    ),
)
box = certificate(
    "design",
    {
        "box": {"q": ["0", "3"]},
        "content_bound": "1",
        "requirements": [{"quantity": "parameter", "at": "q", "relation": ">=", "value": "0"}],
        "objective": None,
        "found": {"parameters": {"q": "3"}, "value": None},
    },
    law(bias="-q*n", transform="rotation", angle=needs("1 + q > 0"), parameters=[parameter("q", "3")]),
    {"bias": None, "twins": {}, "points": []},
    ["q"],
)
twins(
    "parts-of-box",
    box,
    tie=edited(box, law__angle=needs(f"{TIE.format('q')} > 0")),
    long=edited(box, law__angle=f"n/if(q > 1, {LONG}, 0)"),
)
