"""Designs over laws that hide something: unknowns, slopes that fall, distances before the first, negative contents; and
invalid requirements, points and splits."""

from forged_designs import QUARTER, SUMS, M, best, design, entropy, one, split
from forgery import edited, parameter, rule, twins

# ---- what unknowns hide: by which parameter a value was chosen, which keys a window has, a
# content before the first distance that is read

near = [one("range", "1", "<=", "2")]
twins(
    "design-choice",
    design([one("range", "1", ">=", "4")], {"m": ("1/2", "1")}, cases={"excluded_by": 0}, bias="-m*n - 2*floor(n/2)"),
    branch=design(near, M, cases={"excluded_by": 0}, bias="-if(m > 1/2, 4, 0)", window="4"),
    floor_=design(near, {"m": ("1", "7/4")}, cases={"excluded_by": 0}, bias="-2*(m - floor(m))", window="4"),
    fraction=design(
        [one("range", "1/2", "<=", "2")], {"m": ("1", "7/4")}, cases={"excluded_by": 0}, bias="floor(m) - m", window="4"
    ),
    root=design(
        [one("range", "3/2", "<=", "2")],
        {"m": ("0", "1")},
        cases={"excluded_by": 0},
        bias="-sqrt(2 + sin(m))",
        window="4",
    ),
    table=design(
        near,
        {"m": ("1/2", "3/2")},
        cases={"excluded_by": 0},
        bias="-t(1 + floor(m))",
        window="4",
        tables={"t": {"first": 0, "beyond": "constant", "values": ["0", "0", "4", "4"]}},
    ),
    small=design(
        [one("range", "1", ">=", "4")],
        {"m": ("1/100000", "1")},
        cases={"excluded_by": 0},
        bias="-8*exp(-600*m*n)",
        window="4",
        first=1,
    ),
)
shortest = design(
    [one("entropy", "1", "<=", "3/5")], {"W": ("2", "20")}, cases={"excluded_by": 0}, bias="n/8 - n^2/4", window="W"
)
twins(
    "design-shortest-window",
    shortest,
    entropy=edited(shortest, claim__requirements__0=one("entropy", "10", "<=", "19/20")),
)
first = design(
    [one("cache", "1/100", ">=", "16")], {"m": ("1", "50")}, cases={"excluded_by": 0}, bias="-2*sqrt(n)", bound="1"
)
twins(
    "design-first-content", first, gain=edited(first, law__gain="if(n == 0, m, 1)", claim__requirements__0__value="14")
)
twins(
    "design-logarithm",
    design([one("range", "1", ">=", "0")], {"m": ("1", "2")}, {"m": "1"}, bias="-m*log(1 + n)"),
    sign=design([one("range", "1", "<=", "-1")], {"m": ("1", "2")}, cases={"excluded_by": 0}, bias="-m*log(1/2 + n)"),
    both=design(
        [one("range", "1", "<=", "-1")],
        {"m": ("1", "2"), "p": ("1", "2")},
        cases={"excluded_by": 0},
        bias="-p*log(1/2 + m*n)",
    ),
    not_zero=design([one("range", "1", ">=", "1")], {"m": ("1", "2")}, {"m": "1"}, bias="if(n == 0, -3, 0) - n^m"),
)

# ---- logarithms whose slope falls with the parameter, or that fall with n; contents that grow with n, or with a
# parameter that is subtracted

WIDE = {"m": ("49", "51")}
twins(
    "design-slope",
    None,
    root=design(
        [one("entropy", None, ">=", "5/2")],
        {"m": ("1", "1000000")},
        cases={"excluded_by": 0},
        bias="-5*sqrt(log(1 + m*n))",
        first=1,
    ),
    two_terms=design(
        [one("entropy", None, ">=", "1")],
        {"m": ("0", "1000")},
        cases={"excluded_by": 0},
        bias="-2*log(1 + m*n + n^2)",
        first=1,
    ),
    negative_power=design(
        [one("reach", "1/4", "<=", "0")], WIDE, {"m": "50"}, bias="-log(1 + m/n)", window="4", first=1
    ),
    falling_root=design(
        [one("reach", "1/4", "<=", "0")], WIDE, {"m": "50"}, bias="-log(1 + m*sqrt(1 + 1/n))", window="4", first=1
    ),
)

# ---- ranges and reaches that do not exist: they are below the first distance, and below all numbers

BEYOND = {"m": ("1/5", "1")}  # |b(5)| >= 1
late = {"bias": "-m*n", "window": "4", "first": 5}
ALL = {"excluded_by": 0}
MOST_RANGE = {"quantity": "range", "at": "1/2", "goal": "maximize", "bound": "-1"}
twins(
    "design-no-range",
    design([one("range", "1/2", "<=", "3")], BEYOND, {"m": "1/5"}, **late),
    at_least=design([one("range", "1/2", ">=", "3")], BEYOND, {"m": "1/5"}, **late),
    at_least_0=design([one("range", "1/2", ">=", "0")], BEYOND, {"m": "1/5"}, **late),
    none_at_most=design([one("range", "1/2", "<=", "3")], BEYOND, cases=ALL, **late),
    below_none=design([one("range", "1/2", "<=", "-2")], BEYOND, {"m": "1/5"}, **late),
    exists=design([one("range", "1", "<=", "4")], BEYOND, {"m": "1/5"}, **late),
)
twins(
    "design-range-exists",
    design([one("range", "1", ">=", "3"), one("range", "1", "<=", "5")], BEYOND, {"m": "1/5"}, **late),
    none=design([one("range", "1", ">=", "3")], BEYOND, {"m": "1/4"}, **late),
)
twins(
    "design-nowhere-a-range",
    design([one("range", "1/2", ">=", "3")], BEYOND, cases=ALL, **late),
    somewhere=design([one("range", "1", ">=", "3")], BEYOND, cases=ALL, **late),
)
twins(
    "design-most-range",
    design([one("parameter", "m", "<=", "1")], BEYOND, {"m": "1/5"}, "-1", MOST_RANGE, {"excluded_by": 1}, **late),
    value=design(
        [one("parameter", "m", "<=", "1")],
        BEYOND,
        {"m": "1/5"},
        "4",
        {**MOST_RANGE, "bound": None},
        {"excluded_by": 1},
        **late,
    ),
    bound=design(
        [one("parameter", "m", "<=", "1")],
        BEYOND,
        {"m": "1/5"},
        "-1",
        {**MOST_RANGE, "at": "1"},
        {"excluded_by": 1},
        **late,
    ),
    least=design(
        [one("parameter", "m", "<=", "1")],
        BEYOND,
        {"m": "1/4"},
        "4",
        {**MOST_RANGE, "at": "1", "goal": "minimize", "bound": "4"},
        {"excluded_by": 1},
        **late,
    ),
)
twins(
    "design-least-range",
    design(
        [one("parameter", "m", "<=", "1")],
        BEYOND,
        {"m": "1/4"},
        "-1",
        {**MOST_RANGE, "at": "1", "goal": "minimize", "bound": "-1"},
        {"excluded_by": 1},
        **late,
    ),
    bound=design(
        [one("parameter", "m", "<=", "1")],
        BEYOND,
        {"m": "1/5"},
        "5",
        {**MOST_RANGE, "at": "1", "goal": "minimize", "bound": "0"},
        {"excluded_by": 1},
        **late,
    ),
)
SMALL = {"m": ("1/100", "1/10")}  # no token of 4 has half of the weight
twins(
    "design-no-reach",
    design([one("reach", "1/2", "<=", "3")], SMALL, {"m": "1/10"}, **late),
    at_least=design([one("reach", "1/2", ">=", "3")], SMALL, {"m": "1/10"}, **late),
    at_least_0=design([one("reach", "1/2", ">=", "0")], SMALL, {"m": "1/10"}, **late),
    none_at_most=design([one("reach", "1/2", "<=", "3")], SMALL, cases=ALL, **late),
    exists=design([one("reach", "1/4", "<=", "4")], SMALL, {"m": "1/10"}, **late),
)
twins(
    "design-nowhere-a-reach",
    design([one("reach", "1/2", ">=", "0")], SMALL, cases=ALL, **late),
    somewhere=design([one("reach", "1/4", ">=", "0")], SMALL, cases=ALL, **late),
)

# ---- contents whose factor is negative: a bound is of its absolute value

NEGATIVE = {"bias": "-m*n", "window": "16", "gain": "-1", "bound": "2"}
twins(
    "design-negative-gain",
    design([one("cache", "1/100", "<=", "15")], M, {"m": "1"}, **NEGATIVE),
    small=design([one("cache", "1/100", "<=", "5")], M, {"m": "1"}, **NEGATIVE),
    falls=design([one("cache", "1/100", "<=", "5")], M, {"m": "1"}, **{**NEGATIVE, "gain": "-1/(1 + n/100)"}),
    reach=design([one("reach", "1/2", ">=", "4")], M, cases=ALL, **{**NEGATIVE, "bound": "4"}),
)

FEW = [one("cache", "1/100", "<=", "20")]
twins(
    "design-content-constants",
    design([one("cache", "1/100", "<=", "12")], M, {"m": "1"}, **{**NEGATIVE, "gain": "(1 - pi)/(pi - 2 + n)"}),
    rises=design(FEW, M, {"m": "1/2"}, bound="1", gain="1 - pi/4/(1 + n)", window="1000"),
    inside=design(FEW, M, {"m": "1/2"}, bound="1", gain="1/(8 + (3 - pi)*n)", window="40"),
    unknown=design(FEW, M, {"m": "1/2"}, bound="1", gain="2 - pi*floor(n/2)/n", window="1000", first=1),
    parameter=design(FEW, M, {"m": "1/2"}, bound="1", gain="4 + (3 - pi)*m", window="1000"),
)
twins(
    "design-content-grows",
    None,
    with_n=design(FEW, M, {"m": "1/2"}, bound="1", gain="(n/100)^8", window="1000"),
    inside=design(FEW, M, {"m": "1/2"}, bound="500", gain="1/(1 + (100/n)^16)", window="1000", first=1),
    subtracted=design(
        [one("cache", "1/100", ">=", "13")],
        {"m": ("0", "1")},
        cases={"excluded_by": 0},
        bound="3",
        bias="-n/2",
        gain="1/(2 + n - m)",
    ),
)

# ---- invalid requirements, points, twins and splits; equal sums; what an infinite sum, a
# window or an unknown does not say

sharp = design([one("cache", "1/10", "<=", "3")], {"m": ("0", "1")}, cases=ALL, window="4")
TWO_LOGS = {"window": None, "bias": "-(m + 1)*log(1 + n)"}
LONG = {"at": {"m": "0"}, **SUMS, "tail": {**rule("sum-diverges", score="above", k=0, C="20")}}
infinite = {"proof": {"bias": None, "twins": {}, "points": [LONG]}, **TWO_LOGS}
ZERO = {"m": "0"}
unused = design(
    [one("entropy", None, "<=", "1"), one("parameter", "m", "<=", "1")], {"m": ("0", "1/100")}, cases=ALL, window="4"
)
twins(
    "design-unused",
    unused,
    parameter_=edited(unused, claim__requirements__1__at="p"),
    quantity=edited(unused, claim__requirements__1=one("size", "1/2", "<=", "1")),
    relation=edited(unused, claim__requirements__0__relation="=<"),
    by=edited(best, cases=split("m", "13/50", 7, 0)),
    split=edited(
        unused, claim__box__m=["1/200", "1/100"], law__parameters__0__value="1/200", cases=split("m", "1/300", 0, 0)
    ),
    box=edited(unused, claim__box={"p": ["0", "1"]}),
    point=edited(unused, proof__points=[{"at": {"p": "0"}, **SUMS}]),
    key=edited(unused, proof__points=[{"at": ZERO}]),
    bound=edited(unused, claim__content_bound="-1", law__transform="none"),
    cap=edited(unused, law__softcap="-5"),
    twin=edited(
        unused,
        law__bias="-m*n - p*n",
        law__parameters=[parameter("m", "0", "m >= 0"), parameter("p", "100")],
        proof={"bias": "-m*n - p_2*n", "twins": {"p_2": "p"}, "points": []},
    ),
)
twins(
    "design-shown",
    design([one("entropy", None, ">=", "1")], M, QUARTER),
    goal=design(
        [one("parameter", "m", "<=", "1")], M, {"m": "1"}, "19/20", {**entropy, "goal": "least"}, {"excluded_by": 1}
    ),
    Z_at_most=design([one("Z", None, "<=", "infinity")], M, QUARTER),
    Z_of_number=design([one("Z", None, "<", "1/2")], M, QUARTER),
    Z=design([one("Z", None, "<", "infinity")], M, cases=ALL),
    half=design([one("cache", "1/10", "<=", "5/2")], {"m": ("0", "1")}, ZERO, window="4"),
    equal=design([one("cache", "1/3", ">=", "2")], {"m": ("1", "2")}, {"m": "1"}, bias="-m*n*log(2)", window="2"),
    none=design([one("cache", "1/10", "<=", "0")], M, QUARTER),
    beyond=design([one("cache", "1/10", ">=", "6")], M, QUARTER, window="4"),
    reach=design([one("reach", "1/10", ">=", "5")], M, QUARTER, window="4"),
    outside=design([one("entropy", None, ">=", "1/100")], M, {"m": "2"}),
    entropy=design([one("entropy", None, "<=", "100")], {"m": ("0", "1")}, ZERO, **infinite),
    cache=design([one("cache", "1/10", "<=", "5")], {"m": ("0", "1")}, ZERO, **infinite),
)
SIGN = "log(1 + sqrt(2)*sqrt(3) - sqrt(6) + 10^(-78))"
twins(
    "design-direction",
    None,
    both=edited(sharp, law__bias="-10*m*n + m*n^2"),
    open_sign=edited(sharp, law__bias=f"-m*n*10^79*{SIGN}"),
    choice=design([one("cache", "1/10", ">=", "12")], M, cases=ALL, bound="1", bias="-n", gain="if(m > 1/2, 3, 0)"),
)
