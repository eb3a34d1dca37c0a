"""What is not a certificate, or about nothing: forms, names, values, domains."""

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
    bound_less=changed(claim__content_bound="1--2"),
    bound_over=changed(claim__content_bound="0/-1"),
    bound_twice_over=changed(claim__content_bound="1/1/1"),
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

for i, name in enumerate(
    (
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
    )
):
    CASES.append((f"form-name-{i}", False, changed(law__parameters=[parameter("m", "1/2"), parameter(name, "1")])))
    CASES.append(
        (
            f"form-table-{i}",
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
