"""Formulas whose conditions part the cell: what has a value in one part only, and what long formulas are near."""

from forged_forms import CONVERGES
from forged_undefined import box, forgetful, turned
from forgery import edited, law, parameter, symbolic, twins, verdict

CONSTANT = turned["cases"]
WINDOW = {"verdict": "holds", "proof": {"rule": "window"}}
TIE = "if({0} > 0, 1/(1 + 1/{0}), {0})"  # positive but where {0} = 0
LONG = "1+q+q^2+q^3+q^4+q^5+q^6+q^7+q^8+q^9"  # more terms than are kept apart


def angle(text, domain="q >= 0", **of):
    return edited(turned, law__angle=text, law__parameters__0__domain=domain, **of)


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
    angle("n*if(q > 0, if(1/(1 + 1/q) > 0, 1, log(-1)), 1)"),
    tie=angle(needs(f"{TIE.format('q')} > 0")),
    square=angle(needs(f"{TIE.format('q^2')} > 0"), None),
    root=angle(needs(f"{TIE.format('q^(1/2)')} > 0")),
    logarithm=angle(needs(f"{TIE.format('log(q)')} > 0"), "q >= 1"),
    alpha=angle("n/alpha", law__alpha=f"if({TIE.format('q')} > 0, 1, 0)"),
    argument=angle(f"log({TIE.format('q')})"),
    exponential=angle("1/if(q > 0, exp(-1/q), q)"),
    larger=angle(f"1/max({TIE.format('q')}, 0)"),
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
    angle(f"n/if(q > 3, {LONG}, 1)"),
    zero=angle(f"1/if(q > 3, {LONG}, 0)"),
    root=angle(f"n*if(q > 3, {LONG}, 0)^(-1/2)"),
    product=angle("n/((1+q+q^2+q^3+q^4+q^5+q^6+q^7+q^8)*if(q > 1, 1, 0))"),
    bias=angle("n", law__bias=f"-n/if(q > 3, {LONG}, 0)"),
    in_window=biased(f"1/if(q > 3, {LONG}, 0)", WINDOW["proof"], window="4"),
    distance=verdict(
        "cn.every-content.holds", WINDOW["proof"], window="100000", bias=f"1/if(n > 50000, {LONG.replace('q', 'n')}, 0)"
    ),
)
for name, high in (("-inverse", "-1/q"), ("-logarithm", "-log(1 + 1/q)"), ("-always", "-1/(1 + q)")):
    twins("parts-gates" + name, edited(forgetful, law__path={"low": "-inf", "high": high, "open": None}))
twins(
    "parts-gates",
    None,
    tie=edited(
        forgetful,
        law__parameters__0__domain="q >= 0",
        law__path={"low": "-inf", "high": f"if({TIE.format('q')} > 0, -1, log(-1))", "open": None},
    ),
)
twins(
    "parts-query",
    None,
    shape=edited(
        forgetful,
        claim__gates=...,
        claim__query=None,
        claim__reading="content",
        claim__property="ldcp",
        law__parameters__0__domain="q >= 0",
        law__query={"radius": "1", "shape": needs(f"{TIE.format('q')} > 0")},
    ),
)
from_0 = edited(box, claim__box__q=["0", "3"], claim__requirements__0__value="0", law__angle=needs("1 + q > 0"))
twins(
    "parts-of-box",
    from_0,
    tie=edited(from_0, law__angle=needs(f"{TIE.format('q')} > 0")),
    long=edited(from_0, law__angle=f"n/if(q > 1, {LONG}, 0)"),
)
