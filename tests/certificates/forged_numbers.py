"""Certificates of numbers: content bounds of each row, distances beyond a window, biases of another kind."""

from forgery import FAR, certificate, edited, law, parameter, rule, twins

TAIL = {
    **rule("sum-converges", score="above", k=0, eta="20", C="44"),
    "threshold": {"depth": 1, "ell": "47/10", "from": "110"},
}
SUMMED = {"direct": 128, "order": 12, "levels": 0, "tail": TAIL}
NOT_SUMMED = {"direct": None, "order": None, "levels": None, "tail": None}
DIVERGES = {**NOT_SUMMED, "tail": rule("sum-diverges", score="above", k=0, C="20")}


def numbers(of, proof, Z=None, H=None, windows=(), reach=(), own=(), literal=None, within=None, threshold="1"):
    rows = [[{"weight": p, "content_bound": B, "n": n} for p, B, n in several] for several in (reach, own)]
    claim = {
        "Z": {"lower": Z[0], "upper": Z[1]} if isinstance(Z, tuple) else Z,
        "H": {"lower": H[0], "upper": H[1]} if isinstance(H, tuple) else H,
        "windows": [{"epsilon": e, "content_bound": B, "W": W} for e, B, W in windows],
        "reach": rows[0],
        "self_reach": rows[1],
        "local_range": {"threshold": threshold, "literal": literal, "within": within}
        if literal is not None or within is not None
        else None,
    }
    return certificate("numbers", claim, law(**of), proof)


# ---- sums

FALLS = {"bias": "-n"}
Z, H = ("1.58197", "1.58198"), ("1.04065", "1.04066")
sums = numbers(FALLS, SUMMED, Z, H)
twins(
    "numbers",
    sums,
    Z=numbers(FALLS, SUMMED, ("1.58198", "1.58199"), H),
    below=numbers(FALLS, SUMMED, ("1.58196", "1.58197"), H),
    H=numbers(FALLS, SUMMED, Z, ("1.04066", "1.04067")),
    H_below=numbers(FALLS, SUMMED, Z, ("1.04064", "1.04065")),
    H_alone=numbers(FALLS, SUMMED, None, H),
    infinite=numbers(FALLS, SUMMED, "infinite", "infinite"),
    H_infinite=numbers(FALLS, SUMMED, Z, "infinite"),
    few=edited(numbers(FALLS, SUMMED, ("1.5814", "1.5815"), None), proof__direct=8),
    first=numbers({"bias": "-n", "first": 1}, SUMMED, Z, H),
    other=numbers({"bias": "-n - 1"}, SUMMED, Z, H),
    odd=edited(sums, proof__direct=95),
    text=edited(sums, proof__direct="96"),
    many=edited(sums, proof__direct=10**6),
    order=edited(sums, proof__order=0, proof__levels=2),
    unused_order=edited(sums, proof__order=0),
    no_tail=edited(sums, proof__tail=None),
    k=edited(sums, proof__tail=rule("sum-converges", score="above", k=1, eta="20", C="44")),
    rule_=edited(sums, proof__tail=rule("sum-diverges", score="above", k=0, C="44")),
    far=edited(sums, proof__tail__threshold={"depth": 1, "ell": "5", "from": "149"}),
    C=edited(sums, proof__tail__C="-20"),
    free=edited(sums, free=["m"]),
    cases=edited(sums, cases={}),
    witnesses=edited(sums, witnesses={}),
    extra=edited(sums, proof__note=1),
    no_H=edited(sums, claim__H=...),
    swapped=numbers(FALLS, SUMMED, Z[::-1], H),
    outside=edited(numbers({"bias": "-m*n", "parameters": [parameter("m", "1", "m < 1")]}, SUMMED, Z, H)),
    unused=edited(numbers(FALLS, SUMMED, within=1), proof__direct=95),
    tail_extra=edited(sums, proof__tail={**TAIL, "U": "n"}),
    from_nothing=edited(sums, proof__tail__threshold={"depth": 1, "ell": "47/10", "from": None}),
)
POWER = {**SUMMED, "levels": 60, "tail": {**TAIL, "eta": "1/2", "C": "1"}}
twins(
    "numbers-doubled",
    numbers({"bias": "-2*log(1 + n)"}, POWER, ("1.644934", "1.644935"), ("1.6376", "1.6377")),
    Z=numbers({"bias": "-2*log(1 + n)"}, POWER, ("1.644933", "1.644934"), None),
    few=numbers({"bias": "-2*log(1 + n)"}, {**POWER, "levels": 0}, ("1.64492", "1.64493"), None),
    waves=numbers({"bias": "-2*log(1 + n) + sin(2*pi*n/3)/10"}, POWER, ("1.644934", "1.644935"), None),
    steps=numbers({"bias": "-2*log(1 + n) - floor(n/100)/1000"}, POWER, ("1.644934", "1.644935"), None),
    bump=numbers(
        {"bias": "-2*log(1 + n) + 5/(1 + ((n - 10000)/10)^2)"},
        {**POWER, "tail": {**POWER["tail"], "C": "10"}},
        ("1.644934", "1.644935"),
        None,
    ),
    late=numbers({"bias": "if(n < 50, -2*log(1 + n), -2*log(1 + n) - 10)"}, POWER, ("1.644934", "1.644935"), None),
    rises=numbers({"bias": "5*log(1 + n) - n"}, {**SUMMED, "levels": 4}, ("1.644934", "1.644935"), None),
)
INFINITE = {"bias": "-log(1 + n)"}
twins(
    "numbers-infinite",
    numbers(INFINITE, DIVERGES, "infinite", "infinite", windows=[("1/100", "1", None)], reach=[("1/2", "1", None)]),
    H=numbers(INFINITE, DIVERGES, "infinite", ("1", "2")),
    no_H=numbers(INFINITE, DIVERGES, "infinite", None),
    W=numbers(INFINITE, DIVERGES, "infinite", "infinite", windows=[("1/100", "1", 1000)]),
    n=numbers(INFINITE, DIVERGES, "infinite", "infinite", reach=[("1/2", "1", 0)]),
    converges=numbers({"bias": "-2*log(1 + n)"}, DIVERGES, "infinite", "infinite"),
    unused=edited(numbers(INFINITE, DIVERGES, "infinite", "infinite"), proof__direct=96),
    no_proof=numbers(INFINITE, NOT_SUMMED, "infinite", "infinite"),
    finite_W=numbers(FALLS, SUMMED, Z, H, windows=[("1/100", "1", None)]),
    epsilon=numbers(INFINITE, DIVERGES, "infinite", "infinite", windows=[("2", "1", None)]),
    bound=numbers(INFINITE, DIVERGES, "infinite", "infinite", reach=[("1/2", "-1", None)]),
    bound_of_window=numbers(INFINITE, DIVERGES, "infinite", "infinite", windows=[("1/100", "-1", None)]),
)
two = numbers({"bias": "-log(1 + n)", "window": "4"}, NOT_SUMMED, ("2.08333", "2.08334"), ("1.24245", "1.24246"))
twins(
    "numbers-of-a-window",
    two,
    Z=edited(two, claim__Z={"lower": "2.08334", "upper": "2.08335"}),
    more=edited(two, law__window="5"),
    less=edited(two, law__window="3"),
    infinite=numbers({"bias": "-log(1 + n)", "window": "4"}, DIVERGES, "infinite", "infinite"),
    unused=edited(two, proof__tail=TAIL),
    unused_order=edited(two, proof__order=12),
    L=edited(two, law__bias="-log(1 + n) + 0*L"),
    gain=edited(two, law__gain="1 + L"),
    undefined=edited(two, law__gain="1/(n - 2)"),
)
ROOT = {"bias": "-sqrt(log(log(2))^2)*n", "window": "4"}
twins(
    "numbers-root",
    numbers(ROOT, NOT_SUMMED, ("2.506624", "2.506625")),
    sign=numbers({**ROOT, "window": "2"}, NOT_SUMMED, ("2.44269", "2.4427")),
    wave=numbers({"bias": "-(sin(1)^2)^(1/2)*n", "window": "2"}, NOT_SUMMED, ("3.3197", "3.3198")),
)

# ---- windows and reach: the bound of the row, the window of the law

rows = numbers(
    FALLS,
    SUMMED,
    Z,
    H,
    windows=[("1/100", "0", 4), ("1/100", "1", 6), ("1/100", "5", 14)],
    reach=[("1/2", "1", 1), ("1/2", "0", 0), ("1/2", "5", 9)],
    own=[("1/2", "1", 1), ("1/2", "2", 3)],
)
twins(
    "rows",
    rows,
    first_bound=edited(rows, claim__windows__2__W=4),
    second_bound=edited(rows, claim__windows__2__W=6),
    first_row=edited(rows, claim__windows__0__W=6),
    more=edited(rows, claim__windows__1__W=7),
    less=edited(rows, claim__windows__1__W=5),
    none=edited(rows, claim__windows__1__W=None),
    reach=edited(rows, claim__reach__2__n=1),
    reach_more=edited(rows, claim__reach__1__n=1),
    reach_none=edited(rows, claim__reach__0__n=None),
    own=edited(rows, claim__self_reach__1__n=1),
    own_none=edited(rows, claim__self_reach__0__n=None),
    epsilon=edited(rows, claim__windows__0__epsilon="1/1000"),
    epsilon_0=edited(rows, claim__windows__0__epsilon="0"),
    epsilon_1=edited(rows, claim__windows__0__epsilon="1"),
    negative=edited(rows, claim__windows__0__content_bound="-1"),
    weight=edited(rows, claim__reach__0__weight="1"),
    weight_0=edited(rows, claim__reach__0__weight="0"),
    weight_2=edited(rows, claim__reach__0={"weight": "2", "content_bound": "1", "n": None}),
    extra=edited(rows, claim__windows__0__note="1"),
    text=edited(rows, claim__windows__0__W="4x"),
    no_Z=edited(rows, claim__Z=None, claim__H=None, proof=NOT_SUMMED),
    gain=edited(rows, law__gain="1/(1 + n)"),
    gain_wave=edited(rows, law__gain="cos(n)"),
    gain_ripple=edited(rows, law__gain="1 + sin(n)/10^9"),
    twice=edited(rows, law__gain="2"),
    transform=edited(rows, law__transform="none"),
    cap=edited(rows, law__softcap="1"),
)
twins(
    "rows-one-window",
    numbers(
        FALLS, SUMMED, Z, None, windows=[("1/100", "2", 8), ("1/100", "1", 6)], own=[("1/2", "2", 3), ("1/2", "0", 0)]
    ),
)
twins(
    "rows-capped",
    numbers({**FALLS, "softcap": "5"}, SUMMED, Z, None, windows=[("1/100", "1", 6)], reach=[("1/2", "1", 1)]),
    uncapped=numbers({**FALLS, "softcap": "5"}, SUMMED, Z, None, windows=[("1/100", "20", 44)]),
    other=numbers({**FALLS, "softcap": "1/100"}, SUMMED, Z, None, windows=[("1/100", "1", 6)]),
)
twins(
    "rows-without-content",
    numbers({**FALLS, "transform": "none"}, SUMMED, Z, None, windows=[("1/100", "5", 4)]),
    content=numbers({**FALLS, "transform": "none"}, SUMMED, Z, None, windows=[("1/100", "5", 14)]),
)
KEYS = {"bias": "-n/2", "window": "16"}
kept = numbers(
    KEYS,
    NOT_SUMMED,
    ("2.54064", "2.54065"),
    None,
    windows=[("1/10", "0", 4), ("1/10", "1", 8)],
    reach=[("1/4", "1", 4)],
)
twins(
    "rows-of-a-window",
    kept,
    W=edited(kept, claim__windows__1__W=4),
    beyond=edited(kept, claim__windows__1__W=16),
    reach=edited(kept, claim__reach__0__n=16),
)
twins(
    "rows-to-the-end",
    numbers(
        {"bias": "-n/100", "window": "4"},
        NOT_SUMMED,
        ("3.94", "3.95"),
        None,
        windows=[("1/1000", "0", 3)],
        own=[("1/8", "0", 3)],
    ),
    one_more=numbers(
        {"bias": "-n/100", "window": "4"}, NOT_SUMMED, ("3.94", "3.95"), None, windows=[("1/1000", "0", 4)]
    ),
    reach_more=numbers({"bias": "-n/100", "window": "4"}, NOT_SUMMED, ("3.94", "3.95"), None, own=[("1/8", "0", 4)]),
    far=numbers({"bias": "-n/100", "window": "4"}, NOT_SUMMED, ("3.94", "3.95"), None, own=[("1/8", "0", 6)]),
)
twins(
    "rows-rise",
    None,
    reach=numbers({"bias": "n", "window": "4"}, NOT_SUMMED, ("31.19", "31.2"), None, reach=[("1/2", "0", None)]),
)

# ---- the first distance is 1, and 0 is none

from_1 = numbers(
    {"bias": "-8*n^(1/16)", "window": "100", "first": 1},
    NOT_SUMMED,
    ("0.0052", "0.0053"),
    None,
    reach=[("1/2", "0", None)],
)
none = numbers({"bias": "-2*n", "first": 1}, NOT_SUMMED, within="none")
twins("rows-before-the-first", from_1, reach=edited(from_1, claim__reach__0__n=0))
twins("range-before-the-first", none, within=edited(none, claim__local_range__within=0))
twins(
    "range-literal-before-the-first",
    numbers({"bias": "-n/8", "first": 1}, NOT_SUMMED, literal="none"),
    literal=numbers({"bias": "-n/8", "first": 1}, NOT_SUMMED, literal=0),
)

# ---- local range

SLOPE = {"bias": "-n/8"}
near = numbers(SLOPE, NOT_SUMMED, within=8, literal="none")
twins(
    "range",
    near,
    less=edited(near, claim__local_range__within=7),
    more=edited(near, claim__local_range__within=9),
    none=edited(near, claim__local_range__within="none"),
    unbounded=edited(near, claim__local_range__within="unbounded"),
    literal=edited(near, claim__local_range__literal=8),
    literal_0=edited(near, claim__local_range__literal=0),
    threshold=edited(near, claim__local_range__threshold="2"),
    zero=edited(near, claim__local_range__threshold="0"),
    zero_within=edited(near, claim__local_range={"threshold": "0", "literal": None, "within": 0}),
    negative=edited(near, claim__local_range__threshold="-1"),
    text=edited(near, claim__local_range__within="nonex"),
    rises=edited(near, law__bias="if(n == 3, 5, -n/8)"),
    saw=numbers({"bias": "n/10 - floor(n/10)"}, NOT_SUMMED, within=15, threshold="1/2"),
    hill=numbers({"bias": "-sqrt(1 + 10*n/(1 + n^2/25))", "window": "101"}, NOT_SUMMED, within=100, threshold="2"),
    L=edited(near, law__bias="-n/8 + 0*L"),
)
twins(
    "range-literal",
    numbers({"bias": "n/8 - 2"}, NOT_SUMMED, literal=8),
    more=numbers({"bias": "n/8 - 2"}, NOT_SUMMED, literal=9),
    unbounded=numbers({"bias": "n/8 - 2"}, NOT_SUMMED, literal="unbounded"),
)
keys = numbers({**SLOPE, "window": "4"}, NOT_SUMMED, within=3)
twins(
    "range-of-a-window",
    keys,
    beyond=edited(keys, claim__local_range__within=8),
    one_more=edited(keys, claim__local_range__within=4),
    less=edited(keys, claim__local_range__within=2),
    unbounded=edited(keys, law__bias="0", claim__local_range__within="unbounded"),
)
twins(
    "range-unbounded",
    numbers({"bias": "1/2"}, NOT_SUMMED, within="unbounded"),
    literal=numbers({"bias": "1/2"}, NOT_SUMMED, literal="unbounded"),
    wave=numbers({"bias": "sin(n)"}, NOT_SUMMED, within="unbounded", threshold="1/2"),
    steps=numbers({"bias": "floor(n/1000)"}, NOT_SUMMED, within="unbounded"),
    branch=numbers({"bias": "if(n == 1000, 2, 0)"}, NOT_SUMMED, within="unbounded"),
    slow=numbers({"bias": "-n/1000000000"}, NOT_SUMMED, within="unbounded"),
    table=numbers(
        {"bias": "t(n)", "tables": {"t": {"first": 0, "beyond": "constant", "values": ["0", "2"]}}},
        NOT_SUMMED,
        within="unbounded",
    ),
)

# ---- what a verifier without one check takes for the sum, the window, the reach

TWO_LOGS = {"bias": "-2*log(1 + n)"}
LATE = {"depth": 1, "ell": "10", "from": "22027"}
LADDER = {
    "rule": "sum-converges",
    "score": "above",
    "k": 1,
    "eta": "1/2",
    "C": "1/10",
    "threshold": {"depth": 2, "ell": "2", "from": "1619"},
}
HALVES = {"rule": "sum-converges", "score": "above", "k": 0, "eta": "1", "C": "-13/10", "modulus": 2, "threshold": FAR}
twins(
    "sum-without",
    None,
    even=numbers(TWO_LOGS, {**POWER, "direct": 95}, ("1.644878", "1.644879")),
    remainder=numbers(TWO_LOGS, {**POWER, "direct": 4, "order": 1}, ("1.644497", "1.644498")),
    tail=numbers(TWO_LOGS, {**POWER, "levels": 0}, ("1.637", "1.6391")),
    entropy_of_tail=numbers(
        TWO_LOGS,
        {"direct": 10000, "order": 12, "levels": 0, "tail": {**TAIL, "eta": "19/20", "C": "1/10"}},
        ("1.6448", "1.6451"),
        ("1.6362", "1.6366"),
    ),
    ladder=numbers(
        {"bias": "-log(2 + n) - 2*log(log(2 + n))", "first": 1},
        {"direct": 2000, "order": 1, "levels": 0, "tail": LADDER},
        ("0.9375", "0.987"),
    ),
    modulus=numbers(TWO_LOGS, {"direct": 1000, "order": 1, "levels": 0, "tail": HALVES}, ("1.6439", "1.6443")),
    bernstein=numbers(
        {"bias": "-2*log(1 + n) - 5*exp(-((n - 1000)/2)^2)"},
        {**POWER, "tail": {**POWER["tail"], "C": "3", "threshold": LATE}},
        ("1.644926136", "1.64492614"),
    ),
)
own = numbers(FALLS, SUMMED, Z, None, own=[("1/2", "5", 9)])
twins(
    "rows-twice-a",
    own,
    window=numbers(FALLS, SUMMED, Z, None, windows=[("1/100", "5", 9)]),
    reach=numbers(FALLS, SUMMED, Z, None, reach=[("1/2", "5", 4)]),
    own=edited(own, claim__self_reach__0__n=4),
    first_bound=numbers(FALLS, SUMMED, Z, None, windows=[("1/100", "5", 6)]),
)
twins(
    "range-hump",
    None,
    falls=numbers({"bias": "-n^(1/100) - 1/(1 + n)", "window": "11"}, NOT_SUMMED, within=10, threshold="6/5"),
)
twins(
    "range-product", None, falls=numbers({"bias": "-10*log(n)/n", "first": 1, "window": "100"}, NOT_SUMMED, within=100)
)

# ---- empty rows, and rows of invalid weights

even = numbers(
    {"bias": "0", "window": "4"}, NOT_SUMMED, ("4", "4"), None, windows=[("1/8", "0", 3)], own=[("1/8", "0", 3)]
)
twins(
    "rows-of-nothing",
    even,
    windows=edited(even, claim__windows=None),
    reach=edited(even, claim__reach={}),
    range_=edited(even, claim__local_range={"threshold": "1", "literal": None, "within": None}),
    all_=edited(even, claim__Z=None, claim__windows=[], claim__self_reach=[]),
    epsilon=edited(even, claim__windows__0__epsilon="0"),
    weight=edited(even, claim__self_reach__0__weight="0"),
)
# a divisor less than the rounding of what it is made of
LOGS = "log(2) + log(3) + log(5) + log(7) + log(11) + log(13) + log(17) + log(19)"
twins(
    "numbers-of-a-small-divisor",
    None,
    Z=numbers(
        {
            "bias": (
                f"-n*10^(-76)/({LOGS} - "
                "16.08760448420003250089258250434149761933823384861588151370022357862827033475108253439191710401558)"
            ),
            "window": "2",
        },
        NOT_SUMMED,
        ("1", "2.292385536"),
    ),
)
