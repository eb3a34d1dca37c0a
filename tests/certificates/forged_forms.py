"""What is no certificate, or about nothing: forms, names, values, domains, scores without a value."""

import json

from forgery import CASES, FAR, at_points, edited, law, parameter, rule, symbolic, twins, verdict

CONVERGES = rule("sum-converges", score="above", k=0, eta="1/2", C="20")
SLOPE = verdict("cn.every-content.holds", CONVERGES, bias="-m*n", parameters=[parameter("m", "1/2", "m > 0")])
LINE = "accepted\nforged.json: proved: forged: accepted"


def changed(**places):
    return edited(SLOPE, **places)


# ---- keys and strings

twins(
    "form",
    SLOPE,
    schema=changed(schema=2),
    schema_true=changed(schema=True),
    schema_text=changed(schema="1"),
    schema_decimal=changed(schema=1.0),
    kind=changed(kind="verdictx"),
    no_free=changed(free=...),
    free_text=changed(free="m"),
    extra=edited({**SLOPE, "more": None}),
    property_=changed(claim__property="cn"),
    reading=changed(claim__reading="every-contentx"),
    reading_part=changed(claim__reading="every"),
    reading_holds=changed(claim__reading="every-content.holds"),
    reading_of_another=changed(claim__reading="limit"),
    verdict=changed(claim__verdict="holdsx"),
    verdict_case=changed(claim__verdict="Holds"),
    undecided=changed(claim__verdict="undecided", claim__region="never"),
    region=changed(claim__region="never"),
    region_text=changed(claim__region="always, or never"),
    no_bound=changed(claim__content_bound=None),
    bound=changed(claim__content_bound="-1"),
    bound_number=changed(claim__content_bound=1),
    bound_text=changed(claim__content_bound="1x"),
    claim_extra=changed(claim={**SLOPE["claim"], "more": "1"}),
    law_extra=changed(law={**SLOPE["law"], "sink": "0"}),
    no_gain=changed(law__gain=...),
    witnesses=changed(witnesses={}),
    cases=changed(cases={"verdict": "holds", "proof": CONVERGES}),
    free_nothing=changed(free=["m"]),
    free_unknown=changed(free=["p"]),
    transform=changed(law__transform="identityx"),
    transform_case=changed(law__transform="Identity"),
    rule=changed(proof__rule="sum-convergesx"),
    score=changed(proof__score="abovex"),
    extra_key=changed(proof={**CONVERGES, "note": "1"}),
    unused_U=changed(proof={**CONVERGES, "U": "1"}),
    unused_residue=changed(proof={**CONVERGES, "residue": 0}),
    unused_branch=changed(proof={**CONVERGES, "branch": "1"}),
    residue_without_choice=changed(proof={**CONVERGES, "modulus": 2, "residue": 0}),
    k_text=changed(proof__k="0"),
    k_true=changed(proof__k=False),
    k_negative=changed(proof__k=-1),
    k_large=changed(proof__k=9),
    eta_number=changed(proof__eta=1),
    threshold_extra=changed(proof__threshold={**FAR, "to": "1"}),
    threshold_depth=changed(proof__threshold__depth=0),
    threshold_text=changed(proof__threshold__ell="6x"),
    threshold_small=changed(proof__threshold={**FAR, "ell": "1/2"}),
    **{"missing_" + key: changed(**{"proof__" + key: ...}) for key in CONVERGES},
)
window = verdict("cn.every-content.holds", {"rule": "window"}, window="4")
twins(
    "form-window",
    window,
    extra=edited(window, proof={"rule": "window", "C": "1"}),
    number=edited(window, law__window=4),
    fraction=edited(window, law__window="7/2"),
    zero=edited(window, law__window="0"),
    negative=edited(window, law__window="-1"),
    of_n=edited(window, law__window="n"),
    of_L=edited(window, law__window="1 + L"),
    huge=edited(window, law__window="10^12"),
    root=edited(window, law__window="sqrt(2)"),
)
tree = symbolic(
    "cn.every-content.depends",
    "m > 0",
    {
        "split": "m",
        "at": {"verdict": "fails", "proof": {"rule": "sum-diverges", "score": "above", "k": 0, "C": "20"}},
        "above": {"verdict": "holds", "proof": {key: CONVERGES[key] for key in CONVERGES if key != "threshold"}},
    },
    ["m"],
    law(bias="-m*n", parameters=[parameter("m", "1/2", "m >= 0")]),
    {"holds": {"m": "1"}, "fails": {"m": "0"}},
)
twins(
    "form-tree",
    tree,
    side=edited(tree, cases__at__verdict="holds"),
    extra=edited(tree, cases__between=tree["cases"]["at"]),
    leaf=edited(tree, cases__at__note="1"),
    missing=edited(tree, cases__at=...),
    threshold=edited(tree, cases__above__proof=CONVERGES),
    undecided=edited(tree, cases__at={"verdict": "undecided", "proof": None}),
    hidden=edited(tree, cases__at={"verdict": "undecided", "proof": None}, claim__region="m > 0; undecided: never"),
    region=edited(tree, claim__region="m >= 0"),
    region_all=edited(tree, claim__region="always"),
    holds=edited(tree, claim__verdict="holds", witnesses=None),
    no_witnesses=edited(tree, witnesses=None),
    one_witness=edited(tree, witnesses__fails=...),
    extra_witness=edited(tree, witnesses__undecided={"m": "1"}),
    wrong_side=edited(tree, witnesses__holds__m="0"),
    outside=edited(tree, witnesses__fails__m="-1"),
    of_another=edited(tree, witnesses__holds__p="1"),
    witness_empty=edited(tree, witnesses__fails={}),
    witness_number=edited(tree, witnesses__fails__m=0),
    witness_name=edited(tree, witnesses__fails__m="j"),
    witness_n=edited(tree, witnesses__fails__m="n"),
    witness_B=edited(tree, witnesses__fails__B="1"),
    domain=edited(tree, law__parameters__0__domain=None),
    empty=edited(
        tree,
        law__parameters__0__domain="m >= 0 and m < 0",
        claim__verdict="holds",
        claim__region="always",
        witnesses=None,
        cases=tree["cases"]["above"],
    ),
    empty_too=edited(
        tree,
        law__parameters__0__domain="m < m",
        claim__verdict="holds",
        claim__region="always",
        witnesses=None,
        cases=tree["cases"]["above"],
    ),
    value=edited(tree, law__parameters__0__value="-1"),
)
# a case in a cell of no parameters counts for nothing, and only there: no m is at least 1 and below sqrt(1/2)
above, at = tree["cases"]["above"], tree["cases"]["at"]
emptied = edited(
    tree,
    cases__above={
        "split": "m - sqrt(1/2)",
        "below": {"split": "m - 1", "below": above, "at": at, "above": at},
        "at": above,
        "above": above,
    },
)
twins(
    "form-empty-cell",
    emptied,
    quarter=edited(emptied, cases__above__below__split="m - 1/4"),
    below=edited(emptied, cases__above__below__below=at),
    root=edited(emptied, cases__above__below__split="m - sqrt(1/2) + 10^(-30)"),
    key=edited(emptied, cases__above__below__at={**at, "note": "1"}),
    missing=edited(emptied, cases__above__below=edited(emptied["cases"]["above"]["below"], split="m - 1/4", at=...)),
)
twins(
    "form-tree-undecided",
    edited(
        tree,
        cases__at={"verdict": "undecided", "proof": None},
        claim__region="m > 0; undecided: m = 0",
        proof=rule("sum-converges", score="above", k=0, eta="1/2", C="20"),
        witnesses=None,
        claim__verdict="holds",
    ),
)
bounds = symbolic(
    "cn.every-content.depends",
    "B < 1/2",
    {
        "split": "B - 1/2",
        "below": {
            "verdict": "holds",
            "proof": {"rule": "sum-converges", "score": "above", "k": 0, "eta": "(1/2 - B)/2", "C": "20"},
        },
        **{
            key: {"verdict": "fails", "proof": {"rule": "sum-diverges", "score": "above", "k": 0, "C": "20"}}
            for key in ("at", "above")
        },
    },
    ["B"],
    law(gain="log(1 + n)", bias="-3/2*log(1 + n)"),
    {"holds": {"B": "1/4"}, "fails": {"B": "1"}},
)
twins(
    "form-bound",
    bounds,
    negative=edited(bounds, witnesses__holds__B="-5"),
    zero=edited(bounds, witnesses__holds__B="0"),
    missing=edited(bounds, witnesses__holds={}),
    name=edited(bounds, witnesses__holds__B="B"),
    given=edited(bounds, claim__content_bound="1"),
    side=edited(bounds, witnesses__holds__B="1"),
)

# ---- heads, dimensions, distances

twins(
    "form-law",
    verdict("cn.every-content.holds", CONVERGES, bias="-n*h/heads", head=2, heads=4),
    **{
        f"{key}_{value}": changed(**{"law__" + key: value})
        for key, values in {
            "head": (0, 2, -1, True, "1"),
            "heads": (0, True),
            "layer": (0, 2),
            "layers": (0, "1"),
            "head_dim": (0, 1, 3, 4098, -2),
            "first": (-1, 1.5, "0"),
        }.items()
        for value in values
    },
)
angle = {"transform": "rotation", "angle": "n"}
gradient = verdict(
    "gps.vector.holds", at_points("turns", **{"from": 0, "to": 1, "block": 0, "q": "0", "e": "1"}), **angle
)
twins(
    "form-transform",
    gradient,
    no_angle=edited(gradient, law__angle=None),
    scale=edited(gradient, law__scale="1"),
    rate=edited(gradient, law__rate="1"),
    identity=edited(gradient, law__transform="identity"),
    empty=edited(gradient, law__angle=""),
    alpha=edited(gradient, law__alpha="measuredx"),
    alpha_of_L=edited(gradient, law__alpha="1 + L", law__angle="n/alpha"),
    alpha_of_itself=edited(gradient, law__alpha="alpha", law__angle="n/alpha"),
    block_32=edited(gradient, proof__block=32),
    block_negative=edited(gradient, proof__block=-1),
    q_text=edited(gradient, proof__q=0),
    from_negative=edited(gradient, **{"proof__from": -1}),
    modulus=edited(gradient, proof__modulus=2),
    score=edited(gradient, proof__score="above"),
    threshold=edited(gradient, proof__threshold=FAR),
    g=edited(gradient, proof__g="1"),
    bound=edited(gradient, claim__content_bound="1"),
    H_and_alpha=edited(gradient, law__alpha="1", law__angle="n/(1 + H(n))"),
)

# ---- names and values

for name in (
    "n",
    "L",
    "d",
    "j",
    "h",
    "heads",
    "layer",
    "layers",
    "pi",
    "H",
    "B",
    "alpha",
    "log",
    "exp",
    "sum",
    "if",
    "and",
    "floor",
    "1m",
    "",
    "m n",
    "m\n",
):
    CASES.append(
        (f"form-name-{len(CASES)}", False, changed(law__parameters=[parameter("m", "1/2"), parameter(name, "1")]))
    )
    CASES.append(
        (
            f"form-table-{len(CASES)}",
            False,
            changed(law__tables={name: {"first": 0, "beyond": "constant", "values": ["1"]}}),
        )
    )
twins(
    "form-names",
    None,
    twice=changed(law__parameters=[parameter("m", "1/2"), parameter("m", "1/2")]),
    table=changed(law__tables={"m": {"first": 0, "beyond": "constant", "values": ["1"]}}),
    value_n=changed(law__parameters__0__value="n"),
    value_j=changed(law__parameters__0__value="1 + j"),
    value_B=changed(law__parameters__0__value="1 + B - B"),
    value_of_another=changed(law__parameters=[parameter("m", "1 + p"), parameter("p", "1")]),
    domain=changed(law__parameters__0__domain="n > 0"),
    outside=changed(law__parameters__0__value="-1", law__bias="-n"),
    outside_of_many=changed(law__parameters__0__domain="0 < m < 1/4"),
    domain_text=changed(law__parameters__0__domain="always"),
    domain_or=changed(law__parameters__0__domain="m > 1, or m < 1"),
    unused=changed(law__bias="-n", law__parameters__0__value="log(0)"),
    bias_j=changed(law__bias="-m*n - j"),
    bias_unknown=changed(law__bias="-m*n - x"),
    bias_table=changed(law__bias="-m*n - t(n)"),
    gain_H=changed(law__gain="1 + H(n)"),
    gain_alpha=changed(law__gain="alpha"),
    softcap_n=changed(law__softcap="1 + n"),
    softcap_0=changed(law__softcap="0"),
    softcap_negative=changed(law__softcap="-5"),
    sum_n=changed(law__bias="-m*n - sum(n, 0, 3, n)"),
    sum_m=changed(law__bias="-m*n - sum(m, 0, 3, m)"),
    sum_L=changed(law__bias="-m*n - sum(L, 0, 3, 1)"),
    sum_inside=changed(law__bias="-m*n - sum(k, 0, 3, sum(k, 0, 3, k))"),
    constant_n=changed(proof__C="n"),
    constant_j=changed(proof__C="20 + j"),
    constant_B=changed(proof__C="20*B"),
    bias_empty=changed(law__bias=" "),
    bias_more=changed(law__bias="-m*n )"),
    bias_dollar=changed(law__bias="-m*n - $n"),
    bias_deep=changed(law__bias="-m*n" + "-" + "(" * 5000 + "n" + ")" * 5000),
)
table = verdict(
    "cn.every-content.holds",
    CONVERGES,
    bias="t(n) - n",
    tables={"t": {"first": 0, "beyond": "constant", "values": ["0", "-1/2", "-3"]}},
)
twins(
    "form-tables",
    table,
    empty=edited(table, law__tables__t__values=[]),
    errorx=edited(table, law__tables__t__beyond="errorx"),
    error=edited(table, law__tables__t__beyond="error"),
    extra=edited(table, law__tables__t__file="x"),
    no_first=edited(table, law__tables__t__first=...),
    first=edited(table, law__tables__t__first=1),
    number=edited(table, law__tables__t__values=[0]),
    text=edited(table, law__tables__t__values=["0", "x"]),
    formula=edited(table, law__tables__t__values=["0", "log(2)"]),
    half=edited(table, law__bias="t(n/2) - n"),
    negative=edited(table, law__bias="t(n - 5) - n"),
    two=edited(table, law__bias="t(n, 1) - n"),
    first_text=edited(table, law__tables__t__first="0"),
)
twins(
    "form-empty-table",
    None,
    gradient=verdict(
        "gps.norm.fails", {"rule": "constant"}, tables={"t": {"first": 0, "beyond": "constant", "values": []}}
    ),
    window=verdict(
        "cn.every-content.holds",
        {"rule": "window"},
        window="2",
        tables={"t": {"first": 0, "beyond": "constant", "values": []}},
        bias="t(n)",
    ),
)

# ---- scores without a value

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

# ---- what is no JSON, and names that go over lines

twins(
    "form-lines",
    None,
    name=changed(law__name=LINE),
    escape=changed(law__name="\x1b[1Aforged"),
    unicode=changed(law__name="forged\u2028"),
    empty=changed(law__name=""),
    long=changed(law__name="x" * 100000),
    space=changed(law__name="a b"),
    formula=changed(law__bias="-m*n - " + json.dumps(LINE)),
    region=changed(claim__region=LINE),
    reading=changed(claim__reading=LINE),
    rule_=changed(proof__rule=LINE),
    key=changed(proof={**CONVERGES, LINE: "1"}),
    carriage=changed(law__name="forged\rforged.json: proved"),
    parameter_=changed(law__parameters__0__name="m\n"),
    table_=changed(law__tables={LINE: {"first": 0, "beyond": "constant", "values": ["1"]}}),
    bound=changed(claim__content_bound=LINE),
)
plain = json.dumps(SLOPE)
for i, text in enumerate(
    (
        "",
        "null",
        "[]",
        "{}",
        "1",
        '"x"',
        plain[:-1],
        plain + "x",
        plain.replace('"free"', '"free": [], "free"', 1),
        plain.replace('"schema": 1', '"schema": NaN'),
        plain.replace('"schema": 1', '"schema": 1, "schema": 1'),
        "[" * 100000,
        plain.replace('"head": 1', '"head": 1e0'),
        plain.replace('"k": 0', '"k": 0.0'),
        plain.replace('"k": 0', '"k": 1' + "0" * 400),
        plain.replace('"C": "20"', '"C": "20 + \\u0024B"'),
    )
):
    if text:
        CASES.append((f"no-json-{i}", False, text))
LIST = {"schema": 1, "kind": "list", "certificates": [SLOPE]}
twins(
    "list",
    LIST,
    one_of_two=edited(LIST, certificates=[SLOPE, changed(claim__verdict="fails")]),
    empty=edited(LIST, certificates=[]),
    inside=edited(LIST, certificates=[LIST]),
    more={**LIST, "claim": None},
    schema=edited(LIST, schema=2),
    decimal=edited(LIST, schema=1.0),
    no_list=edited(LIST, certificates=SLOPE),
)

# ---- logarithms of logarithms that are not there from the threshold on

early = {"depth": 1, "ell": "6/5", "from": "4"}  # log log log log n is there from n = 3,814,280 on
twins(
    "defined-logarithms",
    None,
    fourth=verdict(
        "cn.every-content.holds",
        {**CONVERGES, "defined": early},
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
