"""What an unknown forgets: the parameter that it was made of, its sign in a power, the bias that a gate changes; and
that it, or n, L and H(n), may grow with x."""

from forged_designs import design, one
from forgery import edited, law, parameter, rule, symbolic, twins, verdict

MANY = " + ".join(f"n^{k}" for k in range(1, 8))  # a form of more than 8 terms
SMALL = " + ".join(f"n^{k}/10^7" for k in range(1, 8))
EXCLUDED = {"excluded_by": 0}

# ---- designs whose bias changes with m, by an unknown without m

TABLE = {"t": {"first": 0, "beyond": "constant", "values": ["1/2", "0", "1"]}}
power = design(  # false: at m = 2, b(0) = 1/4
    [one("range", "1/3", ">=", "0")], {"m": ("1", "2")}, cases=EXCLUDED, bias="t(n)^m", window="1", tables=TABLE
)
twins(
    "unknowns-of-a-parameter",
    None,
    power=power,
    power_less=edited(power, claim__requirements=[one("range", "1/3", "<=", "-1")], law__bias="t(n)^(1/2 + m)"),
    base=edited(power, law__bias="m^t(n)"),
    long=design(  # false: b(0) = 2^-(2^-m) is 0.52 at m = 1/10
        [one("range", "3/5", "<=", "-1")],
        {"m": ("1/10", "8")},
        cases=EXCLUDED,
        bias=f"2^-(if(n < 5, 2, 3) + {MANY})^-m",
        window="1",
    ),
    divisor=design(  # false: b(0) = 5 exp(-1/(m + 1)) is 1.84 at m = 0
        [one("range", "2", "<=", "-1")],
        {"m": ("0", "1000")},
        cases=EXCLUDED,
        bias=f"5*exp(-1/(m + if(n < 5, 1, 2) + {SMALL}))",
        window="1",
    ),
    product=design(  # false: b(0) = 1/m + m/10^6 is 10 at m = 1/10
        [one("range", "2", "<=", "-1")],
        {"m": ("1/10", "10")},
        cases=EXCLUDED,
        bias=f"1/(m*(if(n < 5, 1, 2) + {SMALL})) + m/1000000",
        window="1",
    ),
)

# ---- a long sum between its ends, from which m falls out: b(0) is 1 - m, and a little

TABLES = {"t": ("0", "1"), "u": ("1", "0"), **{f"small{k}": ("0", "1/1000") for k in range(9)}}
SUM = "m*t(n) + (1 - m)*u(n)" + "".join(f" + small{k}(n)" for k in range(9))
summed = edited(
    power,
    claim__box={"m": ["1/2", "1"]},
    law__bias=f"({SUM})/1 + m/10^6",
    law__tables={name: {"first": 0, "beyond": "constant", "values": list(of)} for name, of in TABLES.items()},
)
twins(
    "unknowns-of-a-sum",
    None,
    at_one=summed,
    at_half=edited(summed, claim__requirements=[one("range", "1/3", "<=", "-1")]),
    doubled=edited(summed, law__bias=f"2*({SUM})/2 + m/1000000"),
    decimal=edited(summed, law__bias=f"({SUM})/1 + m/1000000"),
    negated=edited(summed, law__bias=f"-(({SUM})/-1) + m/1000000"),
)

# ---- gates in [-2, -1]: the scores that stay are those of -2n; of 2n, the gate -2 leaves 0

stays = verdict("ldcp.literal.holds", rule("bias-stays-positive", c="1"), bias="-2*n")
stays["claim"]["gates"], stays["gate"] = "every", "0"
stays["law"]["path"] = {"low": "-2", "high": "-1", "open": None}
twins(
    "unknowns-of-a-gate",
    stays,
    other_sign=edited(stays, law__bias="2*n"),
    probability=edited(stays, law__bias="2*n", claim__reading="probability"),
)

# ---- 1/M for an unknown M >= 1 may be near 0: b = n^8 e^(-n^2)

vanishes = verdict("ldcp.signed.holds", rule("bias-stays-positive", c="1"), bias="1/(exp(n^2)/n^8)", first=1)
twins("unknowns-in-a-divisor", None, vanishes=vanishes, less=edited(vanishes, proof__c="1/1000"))

# ---- near infinity, for all m > 0: M = 24 e^(n^2)/n^8 as a divisor, in a root and in a logarithm; b is -n, or 1/n


def near_infinity(question, proof, region="always", **of):
    leaf = {"verdict": question.split(".")[-1], "proof": proof}
    return symbolic(question, region, leaf, ["m"], law(parameters=[parameter("m", "1", "m > 0")], first=1, **of))


POSITIVE = {"rule": "bias-stays-positive", "c": "m"}
CONVERGES = {"rule": "sum-converges", "score": "above", "k": 0, "eta": "1", "C": "1"}
NOT_POSITIVE = {"rule": "bias-not-positive", "i": 0}
VANISHES = {"rule": "bias-vanishes", "i": 0}
GROWS = "m*exp(n^2)/n^8"
twins(
    "unknowns-near-infinity",
    near_infinity("ldcp.signed.holds", POSITIVE, bias="m*n*(1 + 1/exp(n^2))"),
    divisor=near_infinity("ldcp.signed.holds", POSITIVE, bias="m*n/(exp(n^2)/n^8)"),
    divisor_of_one=near_infinity("ldcp.signed.holds", POSITIVE, bias="n/(exp(n^2)/n^8/m)"),
    logarithm=near_infinity("ldcp.signed.fails", NOT_POSITIVE, "never", bias=f"log(m + {GROWS}) - n"),
    sum_=near_infinity("cn.every-content.holds", CONVERGES, bias=f"log(1 + {GROWS}) - n"),
    root=near_infinity("cn.every-content.holds", CONVERGES, bias=f"log(1 + (m + {GROWS})^(1/2)/n) - 3*log(n)"),
    exponential=near_infinity("ldcp.literal.fails", VANISHES, "never", bias="exp(-n*m/(exp(n^2)/n^8))"),
    quotient=near_infinity("ldcp.literal.fails", {**VANISHES, "i": 1}, "never", bias=f"m*log(1 + {GROWS})/n^2"),
)

# ---- n <= L, and H(n) <= log(n + 1), are not constants beside x: the last key turns; the angle is 0, or 2n/log(n + 2)

CONSTANT = {"rule": "constant"}
TURNING = {"transform": "rotation", "gain": "m"}
last = near_infinity("gps.vector.fails", CONSTANT, "never", angle="if(n < L, 0, 1)", **TURNING)
half = near_infinity("gps.vector.fails", CONSTANT, "never", angle="max(0, 2*n - L)", **TURNING)
level = {"rule": "turns-by-entropy-divergent", "score": "b", "k": 0, "C": "1", "c": "1", "e": "1", "block": 0}
turns = near_infinity("gps.vector.holds", level, angle="n/(1 + H(n))", **TURNING)
twins(
    "distances-near-infinity",
    turns,
    less=edited(turns, law__angle="if(H(n) < log(2 + n)/2, n/(1 + H(n)), 0)"),
    least=edited(turns, law__angle="n/(1 + min(H(n), log(2 + n)/2))"),
    last=last,
    scalar=edited(last, claim__reading="scalar"),
    half=half,
    at_one_value=edited(last, free=[], cases=None, proof=CONSTANT),
    capped=edited(half, claim__reading="norm", law__softcap="1"),
    matrix=near_infinity(
        "gps.scalar.holds",
        {"rule": "factor-changes", "from": 1, "to": 2, "e": "1"},
        **{**TURNING, "gain": "m + n"},
        angle="max(0, 2*n - L)",
    ),
)
