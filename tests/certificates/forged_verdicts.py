"""Laws at which a hypothesis of a rule fails: signs, waves, names, windows, soft caps, first tokens."""

from forgery import law, parameter, rule, symbolic, twins, verdict

CONVERGES = rule("sum-converges", score="above", k=0, eta="1/2", C="20")
DIVERGES = rule("sum-diverges", score="above", k=0, C="20")
WAVES = {"rule": "bias-oscillates"}
CONSTANT = {"rule": "constant"}
WINDOW = {"rule": "window"}


def near(proof):
    """A proof in a cell of parameters: near infinity."""
    return {key: value for key, value in proof.items() if key != "threshold"}


# ---- even powers and their roots


def slope(bias, domain, region, **more):
    of = law(bias=bias, parameters=[parameter("m", "1", domain)])
    return symbolic(
        "cn.every-content.depends",
        region,
        {
            "split": "m",
            "at": {"verdict": "fails", "proof": near(DIVERGES)},
            "above": {"verdict": "holds", "proof": near(CONVERGES)},
            **more,
        },
        ["m"],
        of,
        {"holds": {"m": "1"}, "fails": {"m": "0"}},
    )


below = {"below": {"verdict": "fails", "proof": near(DIVERGES)}}
for i, root in enumerate(
    (
        "sqrt(m^2)",
        "(m^2)^(1/2)",
        "(m^6)^(1/6)",
        "(m^2*m^4)^(1/6)",
        "(4*m^2)^(1/2)",
        "(m^2)^(3/2)",
        "exp(log(m^2 + 0)/2)",
    )
):
    twins(
        f"root-{i}",
        slope(f"-{root}*n", "m >= 0", "m > 0") if i < 6 else None,
        any_sign=slope(f"-{root}*n", None, "m > 0", **below),
    )
twins(
    "root-of-fourth-power",
    slope("-sqrt(m^4)*n", "m >= 0", "m > 0"),
    any_sign=slope("-sqrt(m^4)*n", None, "m > 0", **below),
)
for i, root in enumerate(
    ("sqrt(log(log(2))^2)", "sqrt((1 - sqrt(2))^2)", "(log(1/2)^2)^(1/2)", "(log(log(2))^4)^(1/4)")
):
    true = verdict("cn.every-content.holds", CONVERGES, bias=f"-{root}*n")
    twins(
        f"root-of-number-{i}",
        true,
        fails=verdict("cn.every-content.fails", DIVERGES, bias=f"-{root}*n"),
        grows=verdict(
            "eb.uniform.holds", rule("last-tokens", S=f"-{root}*n", c="1/10", M="20"), bias=f"n - 2*n - {root}*n"
        ),
    )
twins(
    "root-of-wave",
    verdict("ldcp.signed.holds", WAVES, bias="-sin(n)"),
    sine=verdict("ldcp.signed.holds", WAVES, bias="-sqrt(sin(n)^2)"),
    fourth=verdict("ldcp.signed.holds", WAVES, bias="-(sin(n)^4)^(1/4)"),
    cosine=verdict("ldcp.signed.holds", WAVES, bias="-(cos(n)^2)^(1/2) - 1/(1 + n)"),
)
fold = "1 + (log((1 + n)/3)^2)^(1/2) - log((1 + n)/3)"
twins(
    "root-in-gain",
    verdict("gps.norm.holds", {"rule": "size-changes", "from": 0, "to": 5, "block": 0, "e": "-1"}, gain=fold),
    **{reading: verdict(f"gps.{reading}.fails", CONSTANT, gain=fold) for reading in ("norm", "vector", "scalar")},
)

# ---- waves inside of other functions, and waves that cancel

twins(
    "waves",
    verdict("ldcp.signed.holds", WAVES, bias="-cos(n) + cos(2*n)/4 + 1/(1 + n)"),
    inside_exp=verdict("ldcp.signed.holds", WAVES, bias="cos(n)*exp(-cos(n)) - cos(n) + cos(2*n)/4"),
    inside_root=verdict("ldcp.signed.holds", WAVES, bias="cos(n)*(2 + cos(n))^(-1/2) - cos(n)*2^(-1/2) + cos(2*n)/9"),
    inside_log=verdict("ldcp.signed.holds", WAVES, bias="cos(n)*log(3) - cos(n)*log(3 + cos(n)) + cos(2*n)/9"),
    inside_power=verdict("ldcp.signed.holds", WAVES, bias="cos(n)*2^(-cos(n)) - cos(n) + cos(2*n)/9"),
    product=verdict("ldcp.signed.holds", WAVES, bias="-cos(n)*cos(n) + cos(3*n)/100 - 1/50"),
    opposite=verdict("ldcp.literal.holds", WAVES, bias="cos(n) + cos(n + pi)"),
    half_turn=verdict("ldcp.literal.holds", WAVES, bias="cos(pi*n + pi/2)"),
    whole_turn=verdict("ldcp.literal.holds", WAVES, bias="cos(2*pi*n + 1) - cos(1)"),
    other_way_round=verdict("ldcp.literal.holds", WAVES, bias="cos(n) - cos((2*pi - 1)*n)"),
    vanishing=verdict("ldcp.literal.holds", WAVES, bias="cos(n)/(1 + n)"),
    sinking=verdict("ldcp.signed.holds", WAVES, bias="1 + cos(n) - log(3 + n)"),
    negative=verdict("ldcp.signed.holds", WAVES, bias="cos(n)/4 - 1"),
    weight=verdict("ldcp.weight.holds", WAVES, bias="cos(n)"),
    window=verdict("ldcp.literal.holds", WAVES, bias="cos(n)", window="4"),
)
twins("waves-about-a-mean", verdict("ldcp.literal.holds", WAVES, bias="cos(n)/4 - 1"))

# ---- names of the rules' own language

tokens = rule("last-tokens", S="n", c="1/2", M="2")
twins(
    "names",
    verdict("eb.uniform.holds", tokens, bias="n"),
    **{
        f"S{i}": verdict("eb.uniform.holds", {**tokens, "S": S}, bias="0")
        for i, S in enumerate(
            ("n - iter(0)", "n - iter(1)", "n - with(n)", "largest(n)", "L", "H(n)", "j + n", "n - x")
        )
    },
)
for i, name in enumerate(
    ("iter(0)", "iter(1)", "largest(n)", "with(n, n)", "above", "b", "x", "j", "alpha", "H(n)", "B")
):
    twins(
        f"names-of-rules-{i}",
        None,
        bias=verdict("cn.every-content.holds", CONVERGES, bias=f"-2*n - {name}"),
        gain=verdict("gps.norm.fails", CONSTANT, gain=f"1 + {name} - {name}"),
        U=verdict(
            "eb.limit.holds",
            rule("weighted-sum-converges", score="above", k=0, eta="1/2", C="20", U=f"n + {name} - {name}"),
            bias="-2*n",
        ),
    )

# ---- first tokens whose scores grow with L

for name, of in {"gain": {"gain": "if(n < 5, log(1 + L), 1)"}, "bias": {"bias": "if(n == 1, L, -2*n)"}}.items():
    of = {"bias": "-2*n", **of}
    twins(
        f"early-{name}",
        None,
        cn=verdict("cn.every-content.holds", CONVERGES, **of),
        eb=verdict("eb.limit.holds", rule("weighted-sum-converges", score="above", k=0, eta="1/2", C="20"), **of),
    )
twins(
    "early-token",
    verdict("eb.uniform.fails", rule("sum-diverges-bounded", score="b", k=0, C="1", M="1")),
    bounded=verdict(
        "eb.uniform.fails", rule("sum-diverges-bounded", score="b", k=0, C="1", M="1"), bias="if(n == 1, L, 0)"
    ),
    levels=verdict("eb.uniform.fails", rule("levels-out", score="b", i=2), bias="if(n == 1, L^2, 0)"),
    weighted=verdict(
        "eb.uniform.fails",
        rule("weighted-sum-diverges", score="b", k=1, C="5"),
        bias="if(n == 1, L, -2 - log(n + 2) - 2*log(log(n + 2)))",
    ),
)

# ---- windows

twins(
    "window",
    verdict("cn.every-content.holds", WINDOW, bias="n", window="4"),
    none=verdict("cn.every-content.holds", WINDOW, bias="n"),
    diverges=verdict("cn.every-content.fails", DIVERGES, bias="n", window="4"),
    weight=verdict("ldcp.weight.holds", rule("bias-bounded-below", C="1"), window="4"),
    grows=verdict("cn.every-content.holds", WINDOW, bias="n*log(1 + L)", window="4"),
    grows_below=verdict("cn.some-content.holds", WINDOW, bias="n*log(1 + L)", window="4"),
    limit=verdict("eb.limit.holds", WINDOW, bias="n*log(1 + L)", window="4"),
    some=verdict("eb.some-content.holds", WINDOW, bias="n*log(1 + L)", window="4"),
    gain=verdict("cn.every-content.holds", WINDOW, gain="log(1 + L)", window="4"),
    scale=verdict("cn.every-content.holds", WINDOW, transform="scaled-rotation", angle="n", scale="1 + L", window="4"),
    correlation=verdict("ldcp.literal.holds", WINDOW, bias="1", window="4"),
    gradient=verdict("gps.norm.fails", WINDOW, gain="1 + n", window="4"),
)
twins("window-uniform", verdict("eb.uniform.holds", WINDOW, bias="n*log(1 + L)", window="4"))
twins("window-correlation", verdict("ldcp.weight.fails", WINDOW, window="4"), none=verdict("ldcp.weight.fails", WINDOW))
twins(
    "one-key",
    verdict("gps.norm.fails", {"rule": "one-key"}, gain="1 + n", window="1"),
    two=verdict("gps.norm.fails", {"rule": "one-key"}, gain="1 + n", window="2"),
    none=verdict("gps.norm.fails", {"rule": "one-key"}, gain="1 + n"),
    holds=verdict("gps.norm.holds", {"rule": "one-key"}, window="1"),
)


# ---- a condition on one factor of a product, times the other one


def falls(bias, m, w):
    of = law(bias=f"-({bias})*n", parameters=[parameter("m", m[0], m[1]), parameter("w", w[0], w[1])])
    return symbolic("cn.every-content.holds", "always", {"verdict": "holds", "proof": near(CONVERGES)}, ["m", "w"], of)


NEAR, OVER, SOME, NONE = ("1", "m >= 0"), ("3", "w >= 1"), ("1", "m > 0"), ("-1", "m <= 0")
twins(
    "factors",
    falls("m*w - m + 1", NEAR, OVER),
    smaller=falls("m*w - m + 1", NEAR, ("3", "w >= 1/2")),
    more=falls("m*w - 2*m + 1", NEAR, OVER),
    sign=falls("m*w - m + 1", ("1", None), OVER),
    negative=falls("m*w - m + 3", NONE, OVER),
)
twins(
    "factors-above-zero",
    falls("m*w - m", SOME, ("3", "w > 1")),
    factor=falls("m*w - m", NEAR, ("3", "w > 1")),
    condition=falls("m*w - m", SOME, OVER),
)
twins(
    "factors-below-zero", falls("m*w - m + 1", NONE, ("-3", "w <= 1")), any=falls("m*w - m + 1", NONE, ("-3", "w <= 2"))
)
