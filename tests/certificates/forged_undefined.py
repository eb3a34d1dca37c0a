"""Scores, and other formulas of a law, without a value somewhere."""

from forged_forms import CONVERGES, changed, gradient
from forgery import at_points, certificate, edited, law, parameter, rule, symbolic, twins, verdict

for i, hole in enumerate(
    (
        "1/(n - 5)",
        "log(n)",
        "log(n - 3)",
        "sqrt(n - 7)",
        "(n - 2)^(1/2)",
        "0^(-n)",
        "n^(-1)",
        "log(5 - n)",
        "1/(1000 - n)",
        "log(abs(n - 3000))",
        "(3 - n)^n",
    )
):
    more = f"0*({hole})"
    twins(
        f"undefined-{i}",
        None,
        bias=changed(law__bias="-m*n + " + more),
        gain=changed(law__gain="1 + " + more),
        window=verdict("cn.every-content.holds", {"rule": "window"}, window="4000", bias=more),
        constant=verdict("gps.norm.fails", {"rule": "constant"}, bias=more),
        no_content=verdict("gps.norm.fails", {"rule": "no-content"}, bias=more, transform="none"),
        points=verdict(
            "gps.norm.holds",
            at_points("size-changes", **{"from": 10, "to": 20, "block": 0, "e": "1"}),
            gain="1 + n",
            bias=more,
        ),
        angle=edited(gradient, law__angle="n + " + more, **{"proof__from": 10, "proof__to": 11}),
        scale=verdict(
            "gps.norm.holds",
            at_points("size-changes", **{"from": 10, "to": 20, "block": 0, "e": "1"}),
            transform="scaled-rotation",
            angle="0",
            scale="1 + n + " + more,
        ),
        waves=verdict("ldcp.literal.holds", {"rule": "bias-oscillates"}, bias="cos(n) + " + more),
    )
twins(
    "defined",
    verdict("cn.every-content.holds", {"rule": "window"}, window="4", bias="1/(n - 5)"),
    unseen=verdict("cn.every-content.holds", {"rule": "window"}, window="6", bias="1/(n - 5)"),
)
twins(
    "defined-lazily",
    verdict("cn.every-content.holds", CONVERGES, bias="if(n == 0, 0, -2*log(n))"),
    later=verdict("cn.every-content.holds", CONVERGES, bias="if(n == 1, 0, -2*log(n))"),
)
twins(
    "defined-from-first",
    verdict("cn.every-content.holds", CONVERGES, bias="-2*log(n)", first=1),
    before=verdict("cn.every-content.holds", CONVERGES, bias="-2*log(n - 1)", first=1),
)
leaf = {"verdict": "holds", "proof": {key: CONVERGES[key] for key in CONVERGES if key != "threshold"}}
shifted = symbolic(
    "cn.every-content.holds",
    "always",
    leaf,
    ["m"],
    law(bias="-2*log(1 + n + m)", parameters=[parameter("m", "1", "m >= 0")]),
)
twins(
    "defined-for-all-parameters",
    shifted,
    m=edited(shifted, law__parameters__0__domain=None),
    pole=edited(shifted, law__bias="-n - 1/(n - m)", law__parameters__0__value="1/2"),
    window=symbolic(
        "cn.every-content.holds",
        "always",
        {"verdict": "holds", "proof": {"rule": "window"}},
        ["m"],
        law(bias="log(n + m)", window="4", parameters=[parameter("m", "1")]),
    ),
)
twins(
    "defined-powers",
    None,
    sign=edited(shifted, law__bias="-n + if(m > 1, (-1)^sqrt(n), 1)", law__parameters__0__domain=None),
    quotient=edited(shifted, law__bias="-n*m/m"),
    root=edited(shifted, law__bias="-n - 0*sqrt(m - 1)", law__parameters__0__value="2"),
    logarithm=edited(shifted, law__bias="-n*(log(m)^2 + 1)"),
    negative_log=edited(shifted, law__bias="-n - n*log(m + 1)^2", law__parameters__0__domain="m > -2"),
    floor_=edited(shifted, law__bias="-n/floor(1/2)"),
    parity=verdict(
        "gps.norm.holds",
        at_points("size-changes", **{"from": 0, "to": 1, "block": 0, "e": "1"}),
        gain="3 - cos(pi*n)*(-1)^n + 0*n",
    ),
)
beside_length = {"verdict": "fails", "proof": {"rule": "no-content"}}
twins(
    "defined-beside-L",
    None,
    pole=symbolic(
        "gps.norm.fails",
        "never",
        beside_length,
        ["q"],
        law(bias="-n/(q - 2) - L", transform="none", parameters=[parameter("q", "5", "q > 0")]),
    ),
    no_keys=symbolic(
        "gps.norm.fails",
        "never",
        beside_length,
        ["w"],
        law(bias="-n/L", first=1, transform="none", window="w", parameters=[parameter("w", "4", "w >= 0")]),
    ),
)
twins(
    "defined-unused",
    None,
    angle_at_L=verdict("cn.every-content.holds", CONVERGES, bias="-2*n", transform="rotation", angle="n/(L - n)"),
    alpha=verdict("cn.every-content.holds", CONVERGES, bias="-2*n", transform="rotation", angle="n", alpha="1/(n - 5)"),
    alpha_of_all=edited(shifted, law__transform="rotation", law__angle="n", law__alpha="1/(m - 5)"),
)
twins(
    "named-as-functions",
    None,
    **{
        name: verdict(
            "cn.every-content.holds",
            CONVERGES,
            bias=f"-n*{'erf' if name == 'erfc' else name}(n)",
            transform="none",
            tables={name: {"first": 0, "beyond": "constant", "values": ["1", "3"]}},
        )
        for name in ("erfc", "erf", "tanh", "log", "floor")
    },
    parameter=verdict("cn.every-content.holds", CONVERGES, bias="-n*erf(n)", parameters=[parameter("erfc", "1")]),
)
zeroth = {"split": "m", "at": leaf, "above": leaf}
twins(
    "defined-zeroth-power",
    None,
    constant=verdict("cn.every-content.holds", CONVERGES, bias="-n - (n - 3)^0"),
    base=verdict("cn.every-content.holds", CONVERGES, bias="-n - 0^n"),
    value=verdict("cn.every-content.holds", CONVERGES, bias="-n - n^m", parameters=[parameter("m", "0", "m >= 0")]),
    logarithm=verdict("cn.every-content.holds", CONVERGES, bias="-n - log(1 + n)^0"),
    region=edited(shifted, law__bias="-n - log(1 + n)^(m - m)"),
    symbol=edited(shifted, law__bias="-2*log(1 + n + m) - m^0"),
    case=edited(shifted, law__bias="-n - 0*n^m", cases=zeroth),
)
twins(
    "defined-angles",
    None,
    pole=verdict("cn.every-content.holds", CONVERGES, bias="-n", transform="rotation", angle="1/(n - 5)"),
    start=verdict("cn.every-content.holds", CONVERGES, bias="-n", transform="rotation", angle="pi/n"),
    root=verdict(
        "ldcp.literal.holds",
        rule("bias-stays", e="-1", c="1/2"),
        bias="-1 - n",
        transform="rotation",
        angle="n + sqrt(n - 3)",
    ),
)
twins(
    "defined-for-all-L",
    None,
    diagonal=verdict("ldcp.literal.holds", rule("bias-stays", e="-1", c="1/2"), bias="-n + 0*log(L - 3)"),
    triangle=verdict(
        "cn.every-content.fails", rule("length-diverges", score="above", i=2), bias="-n/(1 + L) + 0/(L - 100)"
    ),
)

# ---- formulas without a value for some of the free parameters, and in designs for some of the box

turned = symbolic(
    "gps.norm.fails",
    "never",
    {"verdict": "fails", "proof": {"rule": "constant"}},
    ["q"],
    law(transform="rotation", angle="n/q", parameters=[parameter("q", "5", "q > 0")]),
)
around = {
    "split": "q - 2",
    "below": turned["cases"],
    "at": {"verdict": "undecided", "proof": None},
    "above": turned["cases"],
}
open_at_2 = edited(
    turned,
    law__angle="n/(q - 2)",
    cases=around,
    proof=turned["cases"]["proof"],
    claim__region="never; undecided: q = 2",
)
twins(
    "defined-in-cells",
    turned,
    pole=edited(turned, law__angle="n/(q - 2)"),
    logarithm=edited(turned, law__angle="min(log(q), max(j, 1))", law__parameters__0__domain="q > -1"),
    block=edited(turned, law__angle="q^j", law__parameters__0__domain="q >= 0"),
    alpha=edited(turned, law__angle="n/alpha", law__alpha="q - 2"),
    unused=edited(turned, law__angle="log(1/2)", law__alpha="asin(n)"),
    branch=edited(turned, law__angle="n*if(q > 2, 1/(q - 3), 1)"),
    content=symbolic(
        "cn.expected.holds",
        "always",
        leaf,
        ["q"],
        law(
            bias="-2*n", content="gaussian:1", transform="rotation", angle="1/(q - 2)", parameters=[parameter("q", "5")]
        ),
        bound=None,
    ),
)
twins("defined-in-branches", edited(turned, law__angle="n*if(q > 2, 1/(q - 2), 1)"))
twins(
    "defined-where-decided",
    open_at_2,
    elsewhere=edited(open_at_2, law__angle="n/(q - 3)"),
    whole=edited(open_at_2, cases=turned["cases"], claim__region="never"),
)
forgetful = edited(
    turned, law__transform="none", law__angle=None, cases__proof={"rule": "no-content"}, claim__gates=None
)
twins(
    "defined-gates",
    edited(forgetful, law__path={"low": "-inf", "high": "-1/(1 + q^2)", "open": None}),
    pole=edited(forgetful, law__path={"low": "-inf", "high": "1/(q - 2)", "open": None}),
    closed=edited(forgetful, law__path={"low": "-inf", "high": "sqrt(asin(2))", "open": None}),
)
box = certificate(
    "design",
    {
        "box": {"q": ["1", "3"]},
        "content_bound": "1",
        "requirements": [{"quantity": "parameter", "at": "q", "relation": ">=", "value": "1"}],
        "objective": None,
        "found": {"parameters": {"q": "3"}, "value": None},
    },
    law(bias="-q*n", transform="rotation", angle="n/q", parameters=[parameter("q", "3")]),
    {"bias": None, "twins": {}, "points": []},
    ["q"],
)
twins("defined-in-box", box, angle=edited(box, law__angle="n/(q - 2)"), cap=edited(box, law__softcap="2 - q"))

# ---- logarithms of logarithms that are not there from the threshold on: log log log log n is from n = 3,814,280

twins(
    "defined-logarithms",
    None,
    fourth=verdict(
        "cn.every-content.holds",
        CONVERGES,
        bias="-2*log(n) - if(n < 5, 0, 0*log(log(log(log(n)))))",
        first=4,
    ),
    U=verdict(
        "eb.limit.holds",
        rule("weighted-sum-converges", score="above", k=0, eta="1/2", C="20", U="n) + (n"),
        bias="-3*n",
    ),
)

# ---- what has no value in a formula that the claim does not need

TABLE = {"t": {"first": 0, "beyond": "error", "values": ["0", "1", "2", "3"]}}


def unneeded(**of):
    return verdict("gps.norm.fails", {"rule": "constant"}, parameters=[parameter("m", "1")], tables=TABLE, **of)


twins(
    "unneeded",
    unneeded(bias="t(min(n, 3)) + sum(k, 0, 3, k*n) + max(n, 2)", window="4"),
    table=unneeded(bias="t(n)"),
    half=unneeded(bias="t(n + 1/2)", window="2"),
    branch=unneeded(bias="t(if(n > 1, n, n/2))", window="4"),
    otherwise=unneeded(bias="t(if(n < 2, n, n/2))", window="4"),
    then=unneeded(bias="t(if(n > 1, n/2, n))", window="4"),
    open_bounds=unneeded(bias="sum(k, 0, sin(1), k)", window="2"),
    variable=unneeded(bias="sum(m, 0, 3, m)"),
    bounds=unneeded(bias="sum(k, 0, 1/2, k)", window="2"),
    one=unneeded(bias="min(n)"),
    two=unneeded(bias="log(2, 1 + n)"),
    odd_power=unneeded(bias="sqrt(8 + (n - 3)^3)"),
    rounded=unneeded(bias="sqrt(exp(10^90 - 10^90 - 5) - 1/2)"),
    cap=verdict("ldcp.literal.holds", rule("bias-stays", e="-1", c="1/2"), bias="-1 - n", softcap="-5"),
    entropy=verdict(
        "gps.norm.holds",
        at_points("size-changes", **{"from": 0, "to": 1, "block": 0, "e": "1"}),
        transform="scaled-rotation",
        scale="1 + n",
        angle="H(2*n)",
    ),
    scale=verdict(
        "ldcp.literal.holds",
        rule("bias-stays", e="-1", c="1/2"),
        bias="-1 - n",
        transform="scaled-rotation",
        scale=" ",
        angle="0",
    ),
    no_scale=verdict(
        "ldcp.literal.holds",
        rule("bias-stays", e="-1", c="1/2"),
        bias="-1 - n",
        transform="scaled-rotation",
        scale="",
        angle="0",
    ),
)
