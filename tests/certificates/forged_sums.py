"""Rules of sums, entropy, length and distance: each hypothesis fails at some law."""

from forgery import FARTHER, edited, rule, twins, verdict


def sums(question, name="sum-converges", bound="1", score="above", of=None, **constants):
    return verdict(question, rule(name, **({"score": score} if score else {}), **constants), bound, **(of or {}))


LADDER = {"bias": "-log(n + 2) - 2*log(log(n + 2))"}
CN, EB = "cn.every-content", "eb.limit"

# ---- convergence: eta, rungs, scores, contents, residue classes

twins(
    "ladder",
    sums(CN + ".holds", k=1, eta="1/2", C="20", of=LADDER),
    harmonic=sums(CN + ".holds", k=0, eta="0", C="20", of={"bias": "-log(n + 1)"}),
    negative_eta=sums(CN + ".holds", k=0, eta="-1/2", C="20", of={"bias": "-log(n + 1)"}),
    one_rung_less=sums(CN + ".holds", k=1, eta="0", C="20", of={"bias": "-log(n + 2) - log(log(n + 2))"}),
    too_much=sums(CN + ".holds", k=1, eta="3/2", C="20", of=LADDER),
    wrong_rung=sums(CN + ".holds", k=0, eta="1/2", C="20", of=LADDER),
    no_constant=sums(CN + ".holds", k=1, eta="1/2", C="n", of=LADDER),
    fails=sums(CN + ".fails", "sum-diverges", k=0, C="20", of=LADDER),
    one_rung_more=sums(CN + ".fails", "sum-diverges", k=1, C="20", of=LADDER),
    early=edited(
        sums(CN + ".holds", k=0, eta="1", C="1/2", of={"bias": "-2*log(n + 1)"}),
        proof__threshold={"depth": 1, "ell": "1/2", "from": "2"},
    ),
    before=edited(sums(CN + ".holds", k=0, eta="1/2", C="20", of={"bias": "-2*log(n + 1)"}), proof__threshold__ell="7"),
    no_threshold=edited(sums(CN + ".holds", k=1, eta="1/2", C="20", of=LADDER), proof__threshold=...),
)
twins(
    "ladder-diverges",
    sums(CN + ".fails", "sum-diverges", k=1, C="20", of={"bias": "-log(n + 2) - log(log(n + 2))"}),
    holds=sums(CN + ".holds", "sum-diverges", k=1, C="20", of={"bias": "-log(n + 2) - log(log(n + 2))"}),
    bounded=sums(CN + ".fails", "sum-diverges", k=1, C="20", of={"bias": "-n"}),
)
GROWS = {"gain": "log(1 + n)", "bias": "-3/2*log(1 + n)"}
twins(
    "scores",
    sums("cn.some-content.holds", score="below", k=0, eta="1/2", C="20", of=GROWS),
    below=sums(CN + ".holds", score="below", k=0, eta="1/2", C="20", of=GROWS),
    bias=sums(CN + ".holds", score="b", k=0, eta="1/4", C="20", of=GROWS),
    mean=sums(CN + ".holds", score="mean", k=0, eta="1/4", C="20", of=GROWS),
    expected=sums("cn.expected.holds", score="b", k=0, eta="1/4", C="20", of=GROWS),
    expected_below=sums("cn.expected.holds", score="below", k=0, eta="1/4", C="20", of=GROWS),
    some_by_above=sums("cn.some-content.fails", "sum-diverges", score="above", k=0, C="20", of=GROWS),
    another=sums(CN + ".holds", score="nothing", k=0, eta="1/4", C="20", of=GROWS),
    entropy=sums(
        "eb.limit.fails", "sum-diverges", score="b", k=0, C="20", of={"bias": "-1/2*log(1 + n)", "gain": "-log(1 + n)"}
    ),
)
twins(
    "bounds",
    sums(CN + ".holds", bound="1/4", k=0, eta="1/5", C="20", of=GROWS),
    larger=sums(CN + ".holds", bound="1", k=0, eta="1/5", C="20", of=GROWS),
    negative=sums(CN + ".holds", bound="-1", k=0, eta="1/5", C="20", of=GROWS),
    fails_of_less=sums(CN + ".fails", "sum-diverges", bound="1/4", k=0, C="20", of=GROWS),
)
twins(
    "negative-gain",
    sums("cn.every-content.fails", "sum-diverges", k=0, C="20", of={**GROWS, "gain": "-log(1 + n)"}),
    holds=sums(CN + ".holds", k=0, eta="1/5", C="20", of={**GROWS, "gain": "-log(1 + n)"}),
)
EVEN = {"bias": "if(floor(n/2)*2 == n, 0, -2*n)"}
twins(
    "classes",
    sums(CN + ".fails", "sum-diverges", k=0, C="20", modulus=2, residue=0, of=EVEN),
    one_class=sums(CN + ".holds", k=0, eta="1", C="20", modulus=2, residue=1, of=EVEN),
    all_classes=sums(CN + ".holds", k=0, eta="1", C="20", modulus=2, of=EVEN),
    other_class=sums(
        CN + ".fails",
        "sum-diverges",
        k=0,
        C="20",
        modulus=2,
        residue=1,
        of={"bias": "if(floor(n/2)*2 == n, -2*n, -2*n)"},
    ),
    no_class=sums(CN + ".fails", "sum-diverges", k=0, C="20", modulus=2, residue=2, of=EVEN),
    modulus_0=sums(CN + ".fails", "sum-diverges", k=0, C="20", modulus=0, residue=0, of=EVEN),
    weighted=sums(EB + ".holds", "weighted-sum-converges", k=0, eta="1", C="20", modulus=2, residue=1, of=EVEN),
)
SLOW_AT_EVEN = {"bias": "-log(n + 2) - 2*log(log(n + 2)) - (1 - (-1)^n)*log(n + 2)"}
WEIGHTED = {"k": 1, "C": "20", "modulus": 2, "residue": 0}
twins(
    "classes-weighted",
    sums(EB + ".fails", "weighted-sum-diverges", of=SLOW_AT_EVEN, **WEIGHTED),
    other_class=sums(EB + ".fails", "weighted-sum-diverges", of=SLOW_AT_EVEN, **{**WEIGHTED, "residue": 1}),
    holds=sums(EB + ".holds", "weighted-sum-diverges", of=SLOW_AT_EVEN, **WEIGHTED),
    uniform=sums("eb.uniform.fails", "weighted-sum-diverges", of=SLOW_AT_EVEN, **WEIGHTED),
)
SPHERES = {"head_dim": 4, "gain": "log(1 + n)", "bias": "-2*log(1 + n) + 3/2*log(log(3 + n))"}
twins(
    "spheres",
    sums("cn.expected.fails", "sum-diverges", score="mean", k=0, C="20", of=SPHERES),
    scaled=sums(
        "cn.expected.fails",
        "sum-diverges",
        score="mean",
        k=0,
        C="20",
        of={**SPHERES, "transform": "scaled-rotation", "angle": "n", "scale": "1/(1 + j)"},
    ),
    capped=sums("cn.expected.fails", "sum-diverges", score="mean", k=0, C="20", of={**SPHERES, "softcap": "5"}),
    holds=sums("cn.expected.holds", score="mean", k=0, eta="1/100", C="20", of=SPHERES),
    small=sums(
        "cn.expected.holds",
        score="mean",
        k=0,
        eta="1/2",
        C="20",
        of={**SPHERES, "gain": "1/(1 + n)", "bias": "-log(1 + n) - log(log(3 + n))"},
    ),
)

# ---- entropy

twins(
    "weighted",
    sums(
        EB + ".holds", "weighted-sum-converges", k=1, eta="1/2", C="20", of={"bias": "-log(n + 2) - 3*log(log(n + 2))"}
    ),
    eta=sums(EB + ".holds", "weighted-sum-converges", k=1, eta="0", C="20", of=LADDER),
    U=sums(EB + ".holds", "weighted-sum-converges", k=1, eta="1/2", C="20", U="2*log(n + 2)", of=LADDER),
    small_U=sums(EB + ".holds", "weighted-sum-converges", k=0, eta="1", C="50", U="exp(-10*n)", of={"bias": "-1"}),
    content=sums(EB + ".holds", "weighted-sum-converges", score="below", k=0, eta="1/8", C="20", of=GROWS),
    uniform=sums("eb.uniform.holds", "weighted-sum-converges", score="below", k=0, eta="1/8", C="20", of=GROWS),
    fails=sums(EB + ".fails", "weighted-sum-diverges", k=1, C="20", of={"bias": "-log(n + 2) - 3*log(log(n + 2))"}),
)
twins(
    "weighted-diverges",
    sums(EB + ".fails", "weighted-sum-diverges", k=1, C="20", of=LADDER),
    positive=sums(
        "eb.uniform.fails", "weighted-sum-diverges", score="b", k=0, C="20", U="log(n + 2)", of={"bias": "n"}
    ),
    too_small_U=sums(EB + ".fails", "weighted-sum-diverges", k=0, C="20", U="log(n + 2)", of={"bias": "-n"}),
    large_U=sums(EB + ".fails", "weighted-sum-diverges", k=0, C="20", U="n + 5", of={"bias": "-n"}),
)
twins(
    "bounded-scores",
    sums("eb.uniform.fails", "sum-diverges-bounded", score="b", k=0, C="1", M="1"),
    unbounded=sums("eb.uniform.fails", "sum-diverges-bounded", score="b", k=0, C="1", M="1", of={"bias": "n"}),
    converging=sums("eb.uniform.fails", "sum-diverges-bounded", score="b", k=0, C="1", M="1", of={"bias": "-n"}),
)
twins(
    "levels-out",
    sums("eb.uniform.fails", "levels-out", score="b", i=1, of={"bias": "log(log(n + 2))"}),
    falls=sums("eb.uniform.fails", "levels-out", score="b", i=1, of={"bias": "-n"}),
    rises=sums("eb.uniform.fails", "levels-out", score="b", i=1, of={"bias": "n"}),
    converges=sums("eb.uniform.fails", "levels-out", score="b", i=1, of={"bias": "-2*log(n + 1)"}),
)
TOKENS = {"S": "n", "c": "1/2", "M": "3"}
PLATEAUS = "2^(1 + floor(log(1 + n)/log(2)))"
twins(
    "last-tokens",
    sums("eb.uniform.holds", "last-tokens", score=None, of={"bias": "n"}, **TOKENS),
    c=sums("eb.uniform.holds", "last-tokens", score=None, S="0", c="-1", M="3"),
    c_zero=sums("eb.uniform.holds", "last-tokens", score=None, S="0", c="0", M="3"),
    below=sums("eb.uniform.holds", "last-tokens", score=None, of={"bias": "0"}, **TOKENS),
    slow=sums(
        "eb.uniform.holds", "last-tokens", score=None, of={"bias": "log(1 + n)"}, S="log(1 + n)", c="1/1000000", M="3"
    ),
    above=sums("eb.uniform.holds", "last-tokens", score=None, of={"bias": PLATEAUS}, **TOKENS),
    content=sums("eb.uniform.holds", "last-tokens", bound="3", score=None, of={"bias": "n", "gain": "n"}, **TOKENS),
    limit=sums("eb.limit.holds", "last-tokens", score=None, of={"bias": "n"}, **TOKENS),
)

# ---- lengths

SPREAD = {"bias": "-n/(1 + L)"}
twins(
    "length",
    sums(CN + ".fails", "length-diverges", i=2, of=SPREAD),
    holds=sums(CN + ".holds", "length-converges", C="20", of=SPREAD),
    sinks=sums(CN + ".fails", "length-diverges", score="b", i=2, of={"bias": "-n"}),
    steep=sums("cn.expected.fails", "length-diverges", score="b", i=2, of={"bias": "-n*log(1 + L)"}),
    mean=sums("cn.expected.fails", "length-diverges", score="mean", i=2, of={"bias": "-n", "gain": "exp(-L)"}),
    window=sums(CN + ".fails", "length-diverges", i=2, of={**SPREAD, "window": "4"}),
)
twins(
    "length-levels",
    sums(EB + ".fails", "length-levels", C="5", of=SPREAD),
    steep=sums(EB + ".fails", "length-levels", C="5", of={"bias": "-n*log(1 + L)"}),
    holds=sums(EB + ".holds", "length-weighted-converges", C="20", of=SPREAD),
    window=sums(EB + ".fails", "length-levels", C="5", of={**SPREAD, "window": "4"}),
)
BELOW = {"gain": "2*log(1 + L)"}
twins(
    "length-converges",
    sums("cn.some-content.holds", "length-converges", score="below", C="20", of=BELOW),
    every=sums(CN + ".holds", "length-converges", score="below", C="20", of=BELOW),
    above=sums(CN + ".holds", "length-converges", C="20", of=BELOW),
    slower=sums(
        "cn.some-content.holds", "length-converges", score="below", bound="1/4", C="20", of={"gain": "log(1 + L)"}
    ),
)
twins(
    "length-first",
    None,
    subtracted=sums(CN + ".holds", "length-converges", C="20", of={"bias": "-2*log(1 + L)"}),
    diagonal=verdict("ldcp.literal.holds", rule("bias-stays", e="-1", c="1/2"), bias="-log(2 + L)"),
)
twins(
    "length-weighted",
    edited(
        sums("eb.some-content.holds", "length-weighted-converges", score="below", C="20", of=BELOW),
        proof__threshold=FARTHER,
    ),
    exactly=sums(
        "eb.some-content.holds", "length-weighted-converges", score="below", C="20", of={"gain": "log(1 + L)"}
    ),
    limit=sums(EB + ".holds", "length-weighted-converges", score="below", C="20", of=BELOW),
)
twins(
    "length-spread",
    sums("eb.uniform.fails", "length-spread", i=2, of=SPREAD),
    steep=sums("eb.uniform.fails", "length-spread", i=2, of={"bias": "-n*log(1 + L)"}),
    content=sums("eb.uniform.fails", "length-spread", score="b", i=2, of={"bias": "n - n/(1 + L)"}),
)
twins(
    "first",
    sums(CN + ".fails", "first-diverges", i=2, of={"gain": "log(1 + L)"}),
    bounded=sums(CN + ".fails", "first-diverges", i=2, of={"bias": "-2*n"}),
    of_zero=sums(CN + ".fails", "first-diverges", i=2, bound="0", of={"gain": "log(1 + L)", "bias": "-2*n"}),
    later=sums(
        CN + ".fails",
        "first-diverges",
        i=2,
        of={"gain": "if(n == 0, 0, log(1 + L)/(1 + n^2))", "bias": "-n*L", "first": 0},
    ),
)
twins(
    "length-bias",
    sums("ldcp.signed.fails", "length-bias-not-positive", score=None, i=1, of=SPREAD),
    rises=sums("ldcp.signed.fails", "length-bias-not-positive", score=None, i=1, of={"bias": "n/(1 + L)"}),
    constant=sums("ldcp.signed.fails", "length-bias-not-positive", score=None, i=1, of={"bias": "1"}),
)
twins(
    "window-converges",
    sums(CN + ".holds", "window-converges", C="5", of={"bias": "-n*log(1 + L)", "window": "4"}),
    rises=sums(CN + ".holds", "window-converges", C="5", of={"bias": "n*log(1 + L)", "window": "4"}),
    last=sums(CN + ".holds", "window-converges", C="5", of={"bias": "if(n == 3, log(1 + L), 0)", "window": "4"}),
    below=sums(CN + ".holds", "window-converges", score="below", C="5", of={"gain": "log(1 + L)", "window": "4"}),
    none=sums(CN + ".holds", "window-converges", C="5", of={"bias": "-n/(1 + L)"}),
)
twins(
    "window-diverges",
    sums(CN + ".fails", "window-diverges", i=2, to=3, of={"bias": "n*log(1 + L)", "window": "4"}),
    outside=sums(CN + ".fails", "window-diverges", i=2, to=4, of={"bias": "if(n == 4, log(1 + L), 0)", "window": "4"}),
    bounded=sums(CN + ".fails", "window-diverges", i=2, to=3, of={"bias": "n", "window": "4"}),
    none=sums("eb.uniform.fails", "window-diverges", i=2, to=3, of={"bias": "n*log(1 + L)"}),
    some=sums("cn.some-content.fails", "window-diverges", i=2, to=3, of={"gain": "log(1 + L)", "window": "4"}),
    uniform=sums("eb.uniform.fails", "window-diverges", i=2, to=3, of={"bias": "n*log(1 + L)", "window": "4"}),
)

# ---- distance

FADES, CAP = (
    {"gain": "1/(1 + n)"},
    {"transform": "scaled-rotation", "angle": "0", "scale": "1 + n", "gain": "1/(1 + n)"},
)


def far(question, name, **more):
    constants = {key: more.pop(key) for key in ("e", "c", "i", "C", "eps", "p") if key in more}
    return verdict("ldcp." + question, rule(name, **constants), **more)


twins(
    "bias-stays",
    far("literal.holds", "bias-stays", e="-1", c="1/2", bias="-1"),
    c=far("literal.holds", "bias-stays", e="1", c="-1", bias="1/(1 + n)"),
    fades=far("literal.holds", "bias-stays", e="1", c="1/1000", bias="1/(1 + n)"),
    sign=far("signed.holds", "bias-stays", e="-1", c="1/2", bias="-1"),
    content=far("content.holds", "bias-stays", e="1", c="1/2", bias="1", gain="1/(1 + n)"),
    window=far("literal.holds", "bias-stays", e="-1", c="1/2", bias="-1", window="4"),
)
twins(
    "bias-stays-positive",
    far("signed.holds", "bias-stays-positive", c="1/2", bias="1"),
    c=far("signed.holds", "bias-stays-positive", c="-2", bias="-1"),
    negative=far("signed.holds", "bias-stays-positive", c="1/2", bias="-1"),
)
twins(
    "bias-vanishes",
    far("literal.fails", "bias-vanishes", i=1, bias="-1/(1 + n)"),
    positive=far("literal.fails", "bias-vanishes", i=1, bias="1"),
    negative=far("literal.fails", "bias-vanishes", i=1, bias="-1"),
    probability=far("probability.fails", "bias-vanishes", i=1),
)
twins(
    "bias-not-positive",
    far("signed.fails", "bias-not-positive", i=1, bias="-n"),
    positive=far("signed.fails", "bias-not-positive", i=1, bias="1"),
    class_of=far("signed.fails", "bias-not-positive", i=1, bias="if(floor(n/2)*2 == n, 1, -1)"),
)
twins(
    "content-stays",
    far("content.holds", "content-stays", c="1/2"),
    c=far("content.holds", "content-stays", c="-1", **FADES),
    fades=far("content.holds", "content-stays", c="1/1000", **FADES),
    none=far("content.holds", "content-stays", c="1/1000", transform="none"),
    capped=far("content.holds", "content-stays", c="1/2", softcap="5", **CAP),
)
twins(
    "content-stays-scaled",
    far("content.holds", "content-stays", c="1/2", **CAP),
    probability=far("probability.holds", "content-stays", c="1/2", softcap="5", **CAP),
)
twins("content-stays-capped", far("content.holds", "content-stays", c="1/2", softcap="5"))
twins(
    "content-stays-likely",
    far("probability.holds", "content-stays-likely", eps="1/4", p="1/10000000000"),
    eps=far("probability.holds", "content-stays-likely", eps="-1", p="1/10000000000", **FADES),
    p=far("probability.holds", "content-stays-likely", eps="1/4", p="1/2"),
    p_zero=far("probability.holds", "content-stays-likely", eps="1/4", p="-1"),
    fades=far("probability.holds", "content-stays-likely", eps="1/1000", p="1/10000000000", **FADES),
    scaled=far("probability.holds", "content-stays-likely", eps="1/4", p="1/10000000000", softcap="5", **CAP),
    capped=far("probability.holds", "content-stays-likely", eps="1/4", p="1/10000000000", softcap="1/100"),
)
twins(
    "content-vanishes",
    far("content.fails", "content-vanishes", i=1, **FADES),
    stays=far("content.fails", "content-vanishes", i=1),
    grows=far("content.fails", "content-vanishes", i=1, **CAP),
    probability=far("probability.fails", "content-vanishes", i=1, bias="1", **FADES),
)
twins(
    "both-vanish",
    far("probability.fails", "both-vanish", i=1, **FADES),
    content=far("probability.fails", "both-vanish", i=1),
    positive=far("probability.fails", "both-vanish", i=1, bias="1", **FADES),
    negative=far("probability.fails", "both-vanish", i=1, bias="-1", **FADES),
)
twins(
    "bias-bounded-below",
    far("weight.holds", "bias-bounded-below", C="1"),
    sinks=far("weight.holds", "bias-bounded-below", C="1", bias="-n"),
)
twins(
    "bias-sinks",
    far("weight.fails", "bias-sinks", i=1, bias="-n"),
    stays=far("weight.fails", "bias-sinks", i=1, bias="-1"),
    class_of=far("weight.fails", "bias-sinks", i=1, bias="if(floor(n/2)*2 == n, 0, -n)"),
)
twins(
    "no-content",
    verdict("ldcp.content.fails", {"rule": "no-content"}, transform="none"),
    identity=verdict("ldcp.content.fails", {"rule": "no-content"}),
    norm=verdict("gps.norm.fails", {"rule": "no-content"}, gain="1 + n"),
    bias=verdict("ldcp.literal.fails", {"rule": "no-content"}, transform="none", bias="1"),
)
