"""One condition of the second verifier is all that refuses each of these; found by its mutants
(tests/bench/mutants.py)."""

from forged_designs import none, point
from forged_forms import CONVERGES, changed, tree
from forged_numbers import NOT_SUMMED, POWER, numbers
from forged_undefined import shifted
from forgery import at_points, edited, law, parameter, rule, symbolic, twins, verdict

TABLE = {"t": {"first": 0, "beyond": "error", "values": ["1", "2"]}}

# ---- invalid laws, in places that the claim does not need

twins(
    "condition-law",
    None,
    alpha=changed(law__alpha="measured"),
    angle=changed(law__angle="n"),
    decay=changed(law__decay="1"),
    value=changed(law__tables=TABLE, law__parameters__0__value="t(0)"),
    domain=changed(law__tables=TABLE, law__parameters__0__domain="m < t(0)"),
    relation=changed(law__bias="-m*n - if(1 > 0, 0, if(n 1, 2, 3))"),
    comparison=changed(law__parameters__0__domain="m"),
    glued=changed(law__parameters__0__domain="m > 0 andm < 5"),
    function=changed(law__transform="rotation", law__angle="unknown(n)"),
    skipped=changed(law__bias="-m*n - if(1 > 0, 0, unknown(n))"),
    entropy=changed(law__bias="-m*n - if(1 > 0, 0, H(n))"),
    beyond=changed(law__tables=edited(TABLE, t__beyond="errorx")),
    rate=changed(law__transform="hyperbolic", law__decay="0"),
    parameters=changed(law__parameters={"a": parameter("m", "1/2")}),
    tables=changed(law__tables=[]),
    values=changed(law__tables=edited(TABLE, t__values={"a": "1"})),
)

# ---- constants and formulas of the proof that have no value

constants = {
    "index": "t(1 - 2)",
    "beyond": "t(2)",
    "half": "t(1/2)",
    "no_name": "sum(1, 1, 0, 1)",
    "bounds": "sum(k, 1/2, 3, 1)",
    "end": "sum(k, 0, 1/2, 1)",
    "start": "sum(k, pi, 4, 1)",
    "nameless": "sum(, 0, 0, 1)",
    "known": "sum(m, 0, 0, 1)",
    "two": "log(2, 3)",
    "comparison": "0 < 30",
    "rules": "$B",
}
twins(
    "condition-constant",
    changed(law__tables=TABLE, proof__C="20 + t(1)"),
    **{name: changed(law__tables=TABLE, proof__C="20 + " + c) for name, c in constants.items()},
)
weighted = verdict(
    "eb.limit.holds",
    rule("weighted-sum-converges", score="above", k=0, eta="1/2", C="20", U="n + t(1)"),
    bias="-3*n",
    tables=TABLE,
)
twins(
    "condition-formula",
    weighted,
    index=edited(weighted, proof__U="n + 0*t(0 - n)"),
    beyond=edited(weighted, proof__U="n + 0*t(n)"),
)

# ---- waves

WAVES = {"rule": "bias-oscillates"}


def signed(bias, **of):
    return verdict("ldcp.signed.holds", WAVES, bias=bias, **of)


twins(
    "condition-waves",
    signed("cos(2*pi*n/3)"),
    sinks=signed("cos(n) - exp(sqrt(n))/(1 + n)^5"),
    floor=signed("cos(2*pi*floor(n/3) + pi)"),
    cube=signed("-cos(2*pi/3*(n - n^3))"),
    square=signed("-cos(n)^2"),
    product=signed("-cos(n)*cos(n)"),
    backward=signed("-cos(-n)*cos(n)"),
    still=signed("cos(2)"),
    drift=signed("cos(n + log(n))", first=1),
    equal=verdict("ldcp.literal.holds", WAVES, bias="cos(sqrt(2)*sqrt(3)*n) - cos(sqrt(6)*n)"),
    name=verdict("ldcp.signed.holds", {"rule": "waves"}, bias="cos(n)"),
)
slow = symbolic(
    "ldcp.signed.holds",
    "always",
    {"verdict": "holds", "proof": WAVES},
    ["m"],
    law(bias="1/2 - cos(m*n)", parameters=[parameter("m", "1", "m > 0 and m < 6")]),
)
twins(
    "condition-wave-of-parameter",
    slow,
    zero=edited(slow, law__parameters__0__domain="m >= 0 and m < 6"),
    turn=edited(slow, law__parameters__0__domain="m > 0 and m < 7"),
)

# ---- regions and cases

open_ = edited(
    tree,
    cases__at={"verdict": "undecided", "proof": None},
    claim__region="m > 0; undecided: m = 0",
    claim__verdict="holds",
    witnesses=None,
    proof=CONVERGES,
)
twins(
    "condition-region",
    None,
    part=edited(tree, claim__region="m > 1/2"),
    undecided=edited(tree, claim__region="m > 0; undecided: m = 0"),
    open_=edited(tree, cases__at={"verdict": "undecided", "proof": None}, claim__region="m > 0; undecided: m = 0"),
    reading=verdict("cn.every.holds", {"rule": "window"}, window="4"),
    free=edited(shifted, free=["m", "x"]),
    pole=edited(shifted, law__bias="-2*log(1 + n + m) + 0/(n - 10 - m)", law__parameters__0__value="1/2"),
    verdict=verdict("ldcp.literal.depends", {"rule": "window"}, window="4"),
    no_verdict=edited(tree, cases__at={"verdict": "none", "proof": None}, claim__verdict="holds", witnesses=None),
    no_proof=edited(shifted, free=[], cases=None),
    bound=verdict("cn.every-content.holds", {"rule": "window"}, bound="-1", window="4"),
    proof=edited(open_, cases__at__proof=CONVERGES),
    word=edited(open_, claim__verdict="", proof=None),
    unproved=edited(open_, proof=None),
    cap=edited(
        open_,
        cases={
            "split": "m",
            **{
                side: {"verdict": "holds", "proof": {"rule": "bias-stays", "e": "-1", "c": "1/2"}}
                for side in ("below", "above")
            },
            "at": open_["cases"]["at"],
        },
        claim={
            **open_["claim"],
            "property": "ldcp",
            "reading": "literal",
            "content_bound": None,
            "region": "m < 0, or m > 0; undecided: m = 0",
        },
        law__bias="-1",
        law__softcap="m",
        law__parameters__0__domain=None,
        proof=rule("bias-stays", e="-1", c="1/2"),
    ),
)

# ---- signs of constants, and parameters where a power or a soft cap has no value


def steep(bias, domain="m > 0", value="1", **of):
    return edited(
        shifted,
        law__bias=bias,
        law__parameters__0={"name": "m", "value": value, "domain": domain},
        **{"law__" + key: text for key, text in of.items()},
    )


twins(
    "condition-sign",
    steep("-n*(log(6) - log(2))"),
    logarithms=steep("-n*(log(2) + log(3) - log(6))"),
    roots=steep("-n*(sqrt(2)*sqrt(3) - sqrt(6))"),
    quotient=steep("(1/m - 2)*n"),
    negative=steep("-(1/m + 1/2)*n", "m > -1 and m < 0", "-1/2"),
    root=steep("-n - 0*m^(-1/2)", "m >= 0"),
    capped=steep("-2*log(1 + n)", None, softcap="m"),
)
twins(
    "condition-rule",
    None,
    gradient=verdict("ldcp.literal.fails", {"rule": "constant"}, bias="1"),
    k=edited(shifted, cases__proof__k=9),
    branch=verdict(
        "gps.norm.holds",
        at_points("size-changes", **{"from": 0, "to": 1, "block": 0, "e": "1", "branch": "2"}),
        transform="hyperbolic",
        rate="1/2",
        decay="1/2",
    ),
)

# ---- growths without an upper bound, relative errors that are not small, ratios that rise first


def converges(bias, proof=CONVERGES, **of):
    return verdict("cn.every-content.holds", proof, bias=bias, **of)


def diverges(bias):
    return verdict("cn.every-content.fails", rule("sum-diverges", score="above", k=0, C="30"), bias=bias)


twins(
    "condition-growth",
    None,
    exponential=converges("exp(exp(n)/(1 + n)^5) - 2*log(1 + n)"),
    logarithm=converges("log(1 + n + exp(n)/(1 + n)^5) - 3*log(1 + n)"),
    near=edited(weighted, proof__U="n + 0*log(n - 1000)"),
    floor=diverges("-n*floor(1 + log(6) - log(2) - log(3))"),
    branch=converges("if(sin(n) > 0, 5*sin(n)*log(1 + n), -2*log(1 + n))"),
)
twins(
    "condition-content",
    None,
    scale=converges("-2*log(1 + n)", transform="scaled-rotation", angle="n", scale="-5*log(3 + n)"),
    block=converges("-2*n", transform="hyperbolic", rate="j", decay="0", head_dim=4),
    rate=converges("-2*n", transform="hyperbolic", rate="-1", decay="1/2"),
    spheres=verdict(
        "cn.expected.holds",
        rule("sum-converges", score="mean", k=1, eta="1/4", C="20"),
        head_dim=4,
        gain="log(1 + n)",
        bias="-2*log(1 + n) + 3/2*log(log(3 + n))",
    ),
)
LENGTH = symbolic(
    "gps.norm.holds",
    "always",
    {"verdict": "holds", "proof": at_points("size-changes", **{"from": 0, "to": 1, "block": 0, "e": "1"})},
    ["m"],
    law(gain="1 + m*n*L", parameters=[parameter("m", "1", "m > 0")]),
)
twins(
    "condition-length",
    LENGTH,
    zero=edited(LENGTH, law__parameters__0__domain="m >= 0"),
    triangle=verdict("ldcp.signed.fails", rule("bias-not-positive", i=1), bias="n*(L - n)/(1 + L)"),
)
roots = symbolic(
    "cn.every-content.holds",
    "always",
    {"split": "m", **{key: shifted["cases"] for key in ("below", "at", "above")}},
    ["m"],
    law(bias="-2*log(1 + n)", parameters=[parameter("m", "1")]),
)
twins("condition-root", roots, cube=edited(roots, cases__below=edited(shifted["cases"], proof__C="20 + 0*(m^3)^(1/2)")))

# ---- rules asked of another question, classes, notation

ODD = "if(floor(n/2)*2 == n, -2*n, 0)"
twins(
    "condition-question",
    None,
    no_content=verdict("gps.norm.holds", {"rule": "no-content"}, transform="none"),
    one_key=verdict("cn.every-content.fails", {"rule": "one-key"}, window="1"),
    sign=verdict(
        "gps.scalar.fails",
        at_points("turns", **{"from": 0, "to": 1, "block": 0, "q": "0", "e": "1", "g": "-1"}),
        transform="rotation",
        angle="n",
    ),
    class_=converges(ODD, {**CONVERGES, "modulus": 2}),
    k=verdict("cn.every-content.fails", rule("sum-diverges", score="above", k=2**64 - 1, C="20"), bias="-n/2"),
)
SHORT = {**CONVERGES, "threshold": {"depth": 1, "ell": "2", "from": "8"}}
twins(
    "condition-ends",
    None,
    high=converges("-2*n + sum(k, 1, n, 2)", SHORT),
    low=converges("-2*n*sum(k, n, 1, 1)", SHORT),
)
unneeded = {
    name: verdict("gps.norm.fails", {"rule": "constant"}, window="9", tables=TABLE, bias=bias)
    for name, bias in {
        "more": "sum(k, 0, 1, k, 9)",
        "number": "sum(3, 0, 1, 1)",
        "function": "sum(exp, 0, 1, exp)",
        "bracket": "(n",
        "table": "t(n)",
        "ends": "sum(k, 0, n, 1)",
    }.items()
}
twins("condition-notation", None, **unneeded)

# ---- free parameters that are a text, distances before the first, boxes of other parameters

twins(
    "condition-form",
    None,
    text=edited(shifted, free="m"),
    twice=edited(shifted, free=["m", "m"]),
    kind=edited(point, kind="designs"),
    depth=verdict(
        "eb.uniform.holds",
        {"rule": "last-tokens", "S": "n", "c": "1/2", "M": "2", "threshold": {"depth": 0, "ell": "404", "from": None}},
        bias="n",
    ),
)
twins(
    "condition-first",
    None,
    range_=numbers({"bias": "-n", "first": 5}, NOT_SUMMED, within=3, threshold="3"),
    reach=numbers({"bias": "-2*log(1 + n)", "first": 5}, POWER, ("0.18132", "0.18133"), None, reach=[("1/2", "0", 2)]),
)
twins(
    "condition-box",
    None,
    nothing=edited(point, claim__box={}, free=[], claim__found__parameters={}),
    free=edited(point, free=["p"]),
    empty=edited(none, claim__box__m=["1", "1/2"]),
    another=edited(
        point,
        claim__box={"m": ["1/4", "1"], "p": ["0", "1"]},
        free=["m", "p"],
        claim__found__parameters={"m": "1/4", "p": "0"},
    ),
)

# ---- what a form leaves out may lie inside of another function; b is cos(n) (2 + cos(n/10))
# (e^(1/n) - 1), and tends to 0
POWERS = "n^7 + n^6 + n^5 + n^4 + n^3 + n^2 + n"
wave = verdict("ldcp.literal.holds", {"rule": "bias-oscillates"}, bias="cos(n)", first=1)
twins(
    "condition-left-out",
    wave,
    literal=edited(
        wave,
        law__bias=f"exp(({POWERS} + log(2 + cos(n/10)) + 1/n)*1 - ({POWERS}))*cos(n) "
        "- 2*cos(n) - cos(11*n/10)/2 - cos(9*n/10)/2",
    ),
    probability=edited(
        wave,
        claim__reading="probability",
        law__bias=f"cos(n)*exp(({POWERS} + log(2 + cos(n)) + 1/n)*1 - ({POWERS})) - 2*cos(n) - 1/2 - cos(2*n)/2",
    ),
)
entry = verdict(
    "ldcp.signed.holds",
    rule("bias-stays-positive", c="1/2"),
    bias="t(2)",
    tables={"t": {"first": 0, "beyond": "constant", "values": ["1", "1"]}},
)
twins("condition-whole-index", entry, half=edited(entry, law__bias="t(5/2)"), beyond=edited(entry, law__bias="t(7/2)"))
kept = symbolic(
    "cn.every-content.holds",
    "always",
    {"verdict": "holds", "proof": {"rule": "window"}},
    ["W"],
    law(bias="-n", window="W", parameters=[parameter("W", "10", "W >= 1")]),
)
twins(
    "condition-any-window",
    kept,
    beyond=edited(kept, law__bias="log(20 - n)"),
    table=edited(kept, law__bias="t(n)", law__tables=TABLE),
    none=edited(kept, law__parameters__0__domain=None),
    zero=edited(kept, law__parameters__0__domain="W >= 0"),
)
