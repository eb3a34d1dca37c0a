"""One condition of a rule fails, and every other holds: what the other files leave out."""

from forged_gradients import HALF_TURNS, by_entropy, gps
from forged_sums import CN, EB, EVEN, LADDER, far, sums
from forgery import FARTHER, edited, twins

HARMONIC, SINKS = {"bias": "-log(n + 1)"}, {"bias": "-n"}
SOME = "cn.some-content.holds"
RISING_MEAN = {"head_dim": 4, "gain": "2 + log(1 + n)"}

# ---- sums that converge, sums that diverge

twins(
    "rule-converges",
    None,
    constant=sums(SOME, score="below", k=0, eta="1/2", C="20"),
    harmonic=sums(SOME, score="below", k=0, eta="0", C="20", of=HARMONIC),
    one_class=sums(SOME, score="below", k=0, eta="1", C="20", modulus=2, residue=1, of=EVEN),
    expected_class=sums(
        "cn.expected.holds", score="mean", k=0, eta="1", C="20", modulus=2, residue=1, of={**RISING_MEAN, **EVEN}
    ),
    expected_harmonic=sums(
        "cn.expected.holds",
        score="mean",
        k=0,
        eta="0",
        C="20",
        of={"head_dim": 4, "gain": "log(1 + n)", "bias": "-2*log(1 + n) + 3/2*log(log(3 + n))"},
    ),
)
twins(
    "rule-diverges",
    None,
    some=sums("cn.some-content.fails", "sum-diverges", score="below", k=0, C="20", of=SINKS),
    entropy=sums("eb.some-content.fails", "sum-diverges", score="below", k=0, C="20", of=SINKS),
    expected=sums("cn.expected.fails", "sum-diverges", score="b", k=0, C="20", of=SINKS),
    mean=sums("cn.expected.fails", "sum-diverges", score="mean", k=0, C="20", of={**RISING_MEAN, **SINKS}),
    flat_mean=sums(
        "cn.expected.fails",
        "sum-diverges",
        score="mean",
        k=0,
        C="20",
        of={"head_dim": 4, "gain": "1/(1 + n)", "bias": "-2*log(1 + n)"},
    ),
    bounded_class=sums(
        "eb.uniform.fails",
        "sum-diverges-bounded",
        score="b",
        k=0,
        C="1",
        M="1",
        modulus=2,
        residue=0,
        of={"bias": "if(floor(n/2)*2 == n, 0, n)"},
    ),
    level_steps=sums("eb.uniform.fails", "levels-out", score="b", i=1, modulus=2, residue=1, of={"bias": "floor(n/2)"}),
    level_class=sums(
        "eb.uniform.fails",
        "levels-out",
        score="b",
        i=1,
        modulus=2,
        residue=0,
        of={"bias": "if(floor(n/2)*2 == n, 0, -n)"},
    ),
)

# ---- entropy: x e^-x falls from 1 on, and U is on the right side of -A

WEIGHTED = "weighted-sum-converges"
twins(
    "rule-weighted",
    None,
    constant=sums(EB + ".holds", WEIGHTED, k=0, eta="1", C="20", U="1", of={"bias": "-3"}),
    rising=sums(EB + ".holds", WEIGHTED, k=0, eta="1", C="20", U="exp(-10*n)", of={"bias": "-3"}),
    some_constant=sums(
        "eb.some-content.holds", WEIGHTED, score="below", k=0, eta="1", C="20", U="1", of={"bias": "-3"}
    ),
    some_rising=sums(
        "eb.some-content.holds", WEIGHTED, score="below", k=0, eta="1", C="20", U="exp(-10*n)", of={"bias": "-3"}
    ),
    some_eta=sums("eb.some-content.holds", WEIGHTED, score="below", k=1, eta="0", C="20", of=LADDER),
    some_U=sums("eb.some-content.holds", WEIGHTED, score="below", k=1, eta="1/2", C="20", U="2*log(n + 2)", of=LADDER),
    some_class=sums(
        "eb.some-content.holds", WEIGHTED, score="below", k=0, eta="1", C="20", modulus=2, residue=1, of=EVEN
    ),
)
DIVERGES = "weighted-sum-diverges"
twins(
    "rule-weighted-diverges",
    None,
    **{
        f"{question.split('.')[1].split('-')[0]}_{why}": sums(
            question + ".fails", DIVERGES, score=score, k=0, C="20", **more
        )
        for question, score in ((EB, "above"), ("eb.some-content", "below"), ("eb.uniform", "b"))
        for why, more in (
            ("U", {"U": "log(n + 2)", "of": SINKS}),
            ("sum", {"of": SINKS}),
            ("small", {"U": "n", "of": {"bias": "n"}}),
        )
    },
    one_class=edited(
        sums(
            "eb.uniform.fails",
            DIVERGES,
            score="b",
            k=1,
            C="20",
            modulus=2,
            residue=0,
            of={"bias": "if(floor(n/2)*2 == n, -log(n + 2) - 2*log(log(n + 3)), n)", "gain": "0"},
        ),
        proof__threshold=FARTHER,
    ),
    # log U exists beyond a threshold at which log log n > 1 is known
    **{
        question.split(".")[1].split("-")[0] + "_far_U": edited(
            sums(question + ".fails", DIVERGES, score=score, k=0, C="20", U="log(n + 2)", of=SINKS),
            proof__threshold=FARTHER,
        )
        for question, score in ((EB, "above"), ("eb.some-content", "below"), ("eb.uniform", "b"))
    },
    rising=sums("eb.uniform.fails", DIVERGES, score="b", k=0, C="20", U="1", of={"bias": "n"}),
)

# ---- scores that read L, and windows

STEEP = {"bias": "-n*log(1 + L)"}
twins(
    "rule-length",
    None,
    every=sums(CN + ".fails", "length-diverges", i=2, of=STEEP),
    some=sums("cn.some-content.fails", "length-diverges", score="below", i=2, of=STEEP),
    entropy=sums("eb.limit.fails", "length-diverges", i=2, of=STEEP),
    levels=sums("eb.some-content.fails", "length-levels", score="below", C="5", of=STEEP),
    first=edited(
        sums(EB + ".holds", "length-weighted-converges", C="20", of={"bias": "-5*log(1 + L)"}), proof__threshold=FARTHER
    ),
)
twins(
    "rule-window",
    None,
    rises=sums(SOME, "window-converges", score="below", C="5", of={"bias": "n*log(1 + L)", "window": "4"}),
    bounded=sums("cn.some-content.fails", "window-diverges", score="below", i=2, to=3, of={"bias": "n", "window": "4"}),
    expected=sums("cn.expected.fails", "window-diverges", score="b", i=2, to=3, of={"bias": "n", "window": "4"}),
)

# ---- one residue class of two

PARITY = "if(floor(n/2)*2 == n, %s, %s)"
ODD = {"modulus": 2, "residue": 1}
twins(
    "rule-class",
    None,
    signed=edited(
        far("signed.fails", "bias-not-positive", i=1, bias=PARITY % (1, -1)), proof__modulus=2, proof__residue=1
    ),
    sinks=edited(far("weight.fails", "bias-sinks", i=1, bias=PARITY % (0, "-n")), proof__modulus=2, proof__residue=1),
    literal=edited(
        far("literal.fails", "bias-vanishes", i=1, bias=PARITY % (1, 0)), proof__modulus=2, proof__residue=1
    ),
    content=edited(
        far("content.fails", "content-vanishes", i=1, gain=PARITY % (1, 0)), proof__modulus=2, proof__residue=1
    ),
    probability=edited(
        far("probability.fails", "both-vanish", i=1, gain=PARITY % (1, 0)), proof__modulus=2, proof__residue=1
    ),
    tokens=sums(
        "eb.uniform.holds",
        "last-tokens",
        score=None,
        S=PARITY % (0, "n"),
        c="1/2",
        M="3",
        of={"bias": PARITY % (0, "n")},
        **ODD,
    ),
)

# ---- turns

TURN = {"from_": 0, "to": 1, "block": 0}
twins(
    "rule-turns",
    None,
    from_=gps("vector.holds", "turns", gain="cos(pi*n)", q="0", e="-1", **HALF_TURNS, **TURN),
    less=gps("scalar.fails", "turns", gain="1 + n", q="1", e="1", g="1", **HALF_TURNS, **TURN),
    **{
        kind + "_class": by_entropy("vector.holds", kind, bias=PARITY % (bias, 0), modulus=2)
        for kind, bias in (("fast", "-3*log(1 + n)"), ("slow", "-3/2*log(1 + n)"))
    },
    **{
        kind + "_gain": by_entropy("vector.holds", kind, bias=bias, gain="0")
        for kind, bias in (("slow", "-3/2*log(1 + n)"), ("divergent", "0"))
    },
    **{
        kind + "_angle": by_entropy("vector.holds", kind, bias=bias, angle="2*pi*n")
        for kind, bias in (("slow", "-3/2*log(1 + n)"), ("divergent", "0"))
    },
)
