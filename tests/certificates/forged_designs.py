"""Designs: families that are not ordered, biases that rise from n = 0 to 1, boxes, points, windows, twins."""

from forgery import certificate, edited, law, parameter, twins

SUMS = {"direct": None, "order": None, "levels": None, "tail": None}


def one(quantity, at, relation, value):
    return {"quantity": quantity, "at": at, "relation": relation, "value": value}


def design(
    requirements,
    box,
    found=None,
    value=None,
    objective=None,
    cases=None,
    bound="0",
    at=None,
    domain="m >= 0",
    proof=None,
    **of,
):
    values = found or at or {name: low for name, (low, _) in box.items()}
    claim = {
        "box": {name: list(ends) for name, ends in box.items()},
        "content_bound": bound,
        "requirements": requirements,
        "objective": objective,
        "found": {"parameters": found, "value": value} if found else None,
    }
    of = law(
        **{"bias": "-m*n", "window": "16", **of},
        parameters=[parameter(name, values[name], domain if name == "m" else None) for name in box],
    )
    return certificate("design", claim, of, proof or {"bias": None, "twins": {}, "points": []}, list(box), cases)


def split(name, at, below, above):
    return {"split": name, "at": at, "below": {"excluded_by": below}, "above": {"excluded_by": above}}


M = {"m": ("1/4", "1")}
QUARTER = {"m": "1/4"}

# ---- a point that meets the requirements

point = design(
    [
        one("range", "1", ">=", "4"),
        one("entropy", None, ">=", "2.2"),
        one("cache", "1/100", "<=", "15"),
        one("reach", "1/10", ">=", "3"),
    ],
    M,
    QUARTER,
)
related = [parameter("m", "1/4", "m >= 0"), parameter("z", "0", "m - 1/4 = z")]  # at this point only
twins(
    "design-point",
    point,
    angle=edited(point, law__transform="rotation", law__angle="1/(n - 5)"),
    related=edited(point, law__parameters=related),
    range=edited(point, claim__requirements__0__value="5"),
    entropy=edited(point, claim__requirements__1__value="2.3"),
    cache=edited(point, claim__requirements__2__value="10"),
    reach=edited(point, claim__requirements__3__value="9"),
    relation=edited(point, claim__requirements__1__relation="<="),
    strict=edited(point, claim__requirements__0=one("range", "1", ">", "4")),
    other=edited(point, claim__found__parameters__m="1/2"),
    outside=edited(point, claim__found__parameters__m="1/8", law__parameters__0__value="1/8"),
    empty=edited(point, claim__box={}),
    low_above_high=edited(point, claim__box__m=["1", "1/4"]),
    one_end=edited(point, claim__box__m=["1/4"]),
    of_another=edited(point, claim__box={"p": ["0", "1"]}),
    free=edited(point, free=[]),
    free_twice=edited(point, free=["m", "m"]),
    free_more=edited(point, free=["m", "p"]),
    cases=edited(point, cases={"excluded_by": 0}),
    witnesses=edited(point, witnesses={}),
    value=edited(point, claim__found__value="1"),
    quantity=edited(point, claim__requirements__0__quantity="rangex"),
    at=edited(point, claim__requirements__0__at=None),
    at_0=edited(point, claim__requirements__0__at="0"),
    epsilon=edited(point, claim__requirements__2__at="1"),
    weight=edited(point, claim__requirements__3__at="1"),
    fraction=edited(point, claim__requirements__0__value="7/2"),
    extra=edited(point, proof__note=1),
    negative=edited(point, claim__content_bound="-1"),
    negative_none=edited(point, claim__content_bound="-1", law__transform="none"),
    other_too=edited(point, claim__found__parameters={"m": "1/4", "p": "1"}),
    domain=edited(point, law__parameters__0__domain="m > 1/4"),
    box_outside=edited(point, law__parameters__0__domain="m < 1/2"),
    window=edited(point, law__window="4", claim__requirements=[one("range", "1", ">=", "4")]),
    L=edited(point, law__bias="-m*n + 0*L"),
    infinity=edited(point, claim__requirements__1=one("Z", "1", "<", "infinity")),
    Z_above=edited(point, claim__requirements__1=one("Z", None, ">=", "infinity")),
    no_sum=edited(point, law__window=None),
    unused=edited(point, proof__points=[{"at": {"m": "1/4"}, **SUMS, "more": 1}]),
    content=edited(point, claim__content_bound="1", claim__requirements=[one("cache", "1/100", "<=", "15")]),
)
twins(
    "design-content",
    design([one("cache", "1/100", "<=", "13"), one("reach", "1/10", ">=", "5")], M, {"m": "1/2"}, bound="1"),
    cache=design([one("cache", "1/100", "<=", "12")], M, {"m": "1/2"}, bound="1"),
    reach=design([one("reach", "1/10", ">=", "7")], M, {"m": "1/2"}, bound="1"),
    gain=design([one("cache", "1/100", "<=", "13")], M, {"m": "1/2"}, bound="1", gain="2"),
    rises=design([one("cache", "1/100", "<=", "13")], M, {"m": "1/2"}, bound="1", gain="1 + n"),
)

# ---- no point of a box

none = design([one("range", "1", ">=", "4")], {"m": ("1/2", "1")}, cases={"excluded_by": 0})
twins(
    "design-none",
    none,
    larger=edited(none, claim__box__m=["1/5", "1"], law__parameters__0__value="1/5"),
    no_case=edited(none, cases=None),
    leaf=edited(none, cases__excluded_by=1),
    number=edited(none, cases__excluded_by=-1),
    missing=edited(none, cases=split("m", "3/4", 0, 1)),
    split_outside=edited(none, cases=split("m", "2", 0, 0)),
    split_of_another=edited(none, cases=split("p", "3/4", 0, 0)),
    extra=edited(none, cases={**split("m", "3/4", 0, 0), "at_": 1}),
    bound=edited(none, claim__objective={"quantity": "parameter", "at": "m", "goal": "minimize", "bound": "1"}),
    outside_of_box=edited(none, cases=split("m", "1/4", 0, 0)),
    twice_n=edited(
        none,
        claim__requirements=[one("reach", "1/2", ">=", "1")],
        law__bias="-m*n + 3*sin(3*n)",
        claim__box__m=["1/100", "1/50"],
        law__parameters__0__value="1/100",
    ),
    outside=edited(none, law__parameters__0__domain="m >= 3/4", law__parameters__0__value="1"),
    negative=edited(none, claim__box__m=["-1", "1"], law__parameters__0__domain=None),
    rises=edited(none, law__bias="m*n", claim__requirements=[one("range", "1", ">=", "1")]),
    unordered=edited(none, law__bias="-m*n + m^2*n", claim__requirements=[one("range", "1/10", ">=", "4")]),
    sine=edited(none, law__bias="-m*sin(n)", claim__requirements=[one("range", "1/2", ">=", "0")]),
    power_of_sign=edited(
        none,
        law__bias="-sqrt(m^2)*n",
        claim__box__m=["-1", "-1/2"],
        claim__requirements=[one("range", "1", ">=", "1")],
        law__parameters=[parameter("m", "-1")],
    ),
)
twins(
    "design-split",
    None,
    wide_gap=design(
        [one("parameter", "m", ">=", "5/4"), one("parameter", "m", "<=", "7/4")],
        {"m": ("1/4", "4")},
        cases=split("m", "1", 0, 1),
    ),
    gap=design(
        [one("range", "1", ">=", "4"), one("parameter", "m", "<=", "1/8")],
        {"m": ("1/100", "1")},
        cases=split("m", "1/8", 0, 1),
    ),
)
twins(
    "design-parameter",
    design(
        [one("range", "1", ">=", "4"), one("parameter", "m", ">=", "1/2")],
        {"m": ("1/100", "1")},
        cases=split("m", "2/5", 1, 0),
    ),
    touching=design(
        [one("range", "1", ">=", "4"), one("parameter", "m", ">=", "1/2")],
        {"m": ("1/100", "1")},
        cases=split("m", "1/2", 1, 0),
    ),
    swapped=design(
        [one("range", "1", ">=", "4"), one("parameter", "m", ">=", "1/2")],
        {"m": ("1/100", "1")},
        cases=split("m", "2/5", 0, 1),
    ),
    other_name=design([one("parameter", "p", ">=", "1/2")], {"m": ("1/100", "1/4")}, cases={"excluded_by": 0}),
)

# ---- none better

LEAST = {"quantity": "parameter", "at": "m", "goal": "maximize", "bound": "13/50"}
best = design([one("range", "1", ">=", "4")], {"m": ("1/100", "1")}, QUARTER, "1/4", LEAST, split("m", "13/50", 1, 0))
twins(
    "design-best",
    best,
    bound=edited(best, claim__objective__bound="6/25", cases=split("m", "6/25", 1, 0)),
    value=edited(best, claim__found__value="13/50"),
    no_value=edited(best, claim__found__value=None),
    goal=edited(best, claim__objective__goal="minimize"),
    goal_text=edited(best, claim__objective__goal="maximizex"),
    not_found=edited(best, claim__found=None),
    no_cases=edited(best, cases=None),
    split=edited(best, cases=split("m", "1/2", 1, 0)),
    extra=edited(best, claim__objective__note="1"),
    no_objective=edited(best, claim__objective=None),
)
entropy = {"quantity": "entropy", "at": "3", "goal": "minimize", "bound": "9/10"}
twins(
    "design-best-entropy",
    design([one("parameter", "m", "<=", "1")], M, {"m": "1"}, "19/20", entropy, {"excluded_by": 1}),
    bound=design(
        [one("parameter", "m", "<=", "1")], M, {"m": "1"}, "19/20", {**entropy, "bound": "24/25"}, {"excluded_by": 1}
    ),
    value=design([one("parameter", "m", "<=", "1")], M, {"m": "1"}, "9/10", entropy, {"excluded_by": 1}),
    goal=design(
        [one("parameter", "m", "<=", "1")], M, {"m": "1"}, "19/20", {**entropy, "goal": "maximize"}, {"excluded_by": 1}
    ),
)

# ---- biases that rise first, twins, windows that are parameters

bump = "if(n == 0, 0, 5 - m*n)"
twins(
    "design-bump",
    design([one("range", "1", ">=", "2")], {"m": ("1", "2")}, {"m": "1"}, bias="if(n == 0, 0, 1 - m*n)"),
    range=design([one("range", "1", ">=", "5")], {"m": ("1", "2")}, {"m": "1"}, bias=bump),
    larger=design([one("range", "1", ">=", "6")], {"m": ("1", "2")}, {"m": "1"}, bias=bump),
    entropy=design([one("entropy", "1", ">=", "0.6")], {"m": ("1", "2")}, {"m": "1"}, bias=bump),
    reach=design([one("reach", "1/2", "<=", "0")], {"m": ("1", "2")}, {"m": "1"}, bias=bump),
    not_zero_power=design([one("range", "1", ">=", "1")], {"m": ("1", "2")}, {"m": "1"}, bias="3 - n^m"),
    powers=design([one("range", "2", ">=", "1")], {"m": ("1", "2")}, {"m": "1"}, bias="if(n == 0, 3, 0) - n^m"),
    not_zero=design([one("range", "1", ">=", "2")], {"m": ("1", "2")}, {"m": "1"}, bias="if(n == 0, 3, 1 - m*n)"),
)
TWINS = {"bias": "-m*n - m_2*n/2", "twins": {"m_2": "m"}, "points": []}
twin = design([one("range", "1", ">=", "2")], M, QUARTER, bias="-m*n - m*n/2", proof=TWINS)
twins(
    "design-twin",
    twin,
    other=edited(twin, proof__bias="-m*n/8 - m_2*n/2"),
    none=edited(twin, proof__bias=None),
    of_nothing=edited(twin, proof__twins={"m_2": "p"}),
    taken=edited(twin, proof__twins={"m_2": "m", "m": "m"}),
    taken_by_another=edited(twin, law__parameters=[parameter("m", "1/4", "m >= 0"), parameter("m_2", "1")]),
    in_sum=edited(twin, law__bias="-m*n - sum(k, 0, 1, m*n/4)", proof__bias="-m*n - sum(k, 0, 1, m_2*n/4)"),
    reserved=edited(twin, proof__bias="-m*n - L*n/2", proof__twins={"L": "m"}),
    summed=edited(twin, law__bias="-m*n - sum(m_2, 0, 1, m*n/2)", proof__bias="-m*n - sum(m_2, 0, 1, m_2*n/2)"),
    more=edited(twin, claim__requirements__0__value="3"),
)
keys = design([one("range", "1", ">=", "7")], {"W": ("8", "20")}, {"W": "8"}, bias="-n/8", window="W")
twins(
    "design-window",
    keys,
    short=edited(keys, claim__requirements__0__value="8"),
    half=edited(keys, claim__found__parameters__W="17/2", law__parameters__0__value="17/2"),
    zero=edited(keys, claim__box__W=["0", "20"], claim__found__parameters__W="0", law__parameters__0__value="0"),
    split=design(
        [one("parameter", "W", ">=", "3"), one("parameter", "W", "<=", "3")],
        {"W": ("2", "20")},
        cases=split("W", "5/2", 0, 1),
        bias="-n/8",
        window="W",
    ),
    twice=edited(keys, law__window="2*W"),
    both_ways=edited(keys, law__bias="-n/W"),
)

# ---- what falls with n, and with each parameter

HUMP = "(1 + 10*n/(1 + n^2/25))"
RISES = {"bias": "5*log(1 + n) - m*n"}
twins(
    "design-falls",
    design([one("range", "4", ">=", "3")], {"m": ("1", "2")}, {"m": "1"}, bias="-(1 + n)^m"),
    hump=design([one("range", "4", ">=", "100")], {"m": ("1", "2")}, {"m": "1"}, bias=f"-{HUMP}^m", window="101"),
    logarithm=design(
        [one("reach", "1/4", "<=", "0")], {"m": ("49", "51")}, {"m": "50"}, bias="-log(1 + m/(1 + n))", window="4"
    ),
    rises=design([one("reach", "1/8", "<=", "0")], {"m": ("1", "2")}, {"m": "1"}, **RISES),
    first=design(
        [one("reach", "1/8", "<=", "-1")], {"m": ("1/10", "1/5")}, {"m": "1/10"}, bias="if(n == 0, -5, 0) - m*n"
    ),
    entropy=design(
        [one("entropy", "30", ">=", "3/2")], {"m": ("1", "2")}, {"m": "1"}, bias="5*log(1 + n) - m*n", window="4"
    ),
    outside=design([one("range", "1", ">=", "1")], {"m": ("1/4", "1/2")}, {"m": "1/8"}),
    law_elsewhere=edited(
        design([one("range", "1", ">=", "1")], {"m": ("1/4", "1/2")}, {"m": "1/4"}), law__parameters__0__value="1/2"
    ),
    negative_parameter=design(
        [one("range", "1", ">=", "1")], {"m": ("-1", "1")}, {"m": "1"}, bias="-m*n", domain=None, cases=None
    ),
)
