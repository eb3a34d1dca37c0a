"""Tails of sums: a dip between the terms that are added, one right after them, bounds that hold at the threshold only,
logarithms that are negative."""

from forged_numbers import LATE, POWER, numbers
from forgery import twins

# ---- a tail that is small only where the third logarithm is positive

EARLY = {
    "rule": "sum-converges",
    "score": "above",
    "k": 0,
    "eta": "1",
    "C": "1/1000",
    "threshold": {"depth": 1, "ell": "69/50", "from": "4"},
}
twins(
    "numbers-third-logarithm",
    None,
    Z=numbers(
        {"bias": "-2*log(n) - 5*log(log(log(n)))", "first": 3},
        {"direct": 4, "order": 1, "levels": 0, "tail": EARLY},
        ("15101", "15102"),
    ),
)

# ---- tails: a dip between the terms that are added, one right after them, a bound that holds at
# the threshold only, a negative log log n

DIP = {**POWER, "direct": 16, "order": 6, "levels": 50, "tail": {**POWER["tail"], "C": "3", "threshold": LATE}}


def tail(ell, begin, eta, C):
    return {
        "rule": "sum-converges",
        "score": "above",
        "k": 0,
        "eta": eta,
        "C": C,
        "threshold": {"depth": 1, "ell": ell, "from": begin},
    }


def added(direct, of, Z, H, **rest):
    return numbers(of, {"direct": direct, "order": 1, "levels": 0, "tail": tail(**rest)}, Z, H)


twins(
    "tail-without",
    None,
    bernstein=numbers({"bias": "-2*log(1 + n) - 5*exp(-4*(n - 101)^2)"}, DIP, ("1.6449", "1.645")),
    entropy=added(
        4,
        {"bias": "49/4*(1 - exp(-(2*n/7)^16)) - n^8/38000"},
        ("4", "10000000"),
        ("1", "1000"),  # H < 0.004; psi(4) < -10
        ell="69/50",
        begin="4",
        eta="1/10",
        C="12.25663111430505",
    ),
    decrease=added(4, {"bias": "-3*n^(1/100)"}, ("1", "3"), None, ell="69/50", begin="4", eta="1", C="3/2"),
    not_bernstein=numbers(
        {"bias": "-(n - 10)^2"},
        {"direct": 10, "order": 1, "levels": 3, "tail": tail("41/10", "61", "1", "-50")},
        ("1.92", "1.93"),
    ),
    ell=added(
        2,
        {"bias": "-2*log(n) - 10*log(1/10 + log(n))", "first": 1},
        ("9999999999.9", "10000000001.9"),
        None,
        ell="69/100",
        begin="2",
        eta="1/2",
        C="3/100",
    ),
)
