"""Certificates about gates along the path: theorem P1 names the constant gate, and has hypotheses."""

from forged_forms import CONVERGES
from forged_gradients import by_entropy
from forged_sums import CN, SPREAD, sums
from forgery import FAR, edited, law, parameter, rule, symbolic, twins, verdict


def gated(question, proof, gates, low, high, open_=None, **of):
    return edited(
        verdict(question, proof, **of), claim__gates=gates, law__path={"low": low, "high": high, "open": open_}
    )


def bounded(low, high, gates="every", open_=None, **of):
    return gated("cn.every-content.holds", CONVERGES, gates, low, high, open_, **of)


true = bounded("-2", "-1")
twins(
    "gates",
    true,
    high=bounded("-2", "0"),
    some=bounded("0", "1", "some"),
    no_gate=bounded("0", "-1"),
    one_open=bounded("-1", "-1", open_="low"),
    no_gates=edited(true, claim__gates=...),
    no_path=edited(true, law__path=...),
    gates_null=bounded("-2", "-1", None),
    gates_text=bounded("-2", "-1", "all"),
    path_null=edited(true, law__path=None),
    end_missing=edited(true, law__path__low=...),
    end_more=edited(true, law__path__more="1"),
    end_number=edited(true, law__path__high=-1),
    left=bounded("-2", "-1", open_="left"),
    open_list=bounded("-2", "-1", open_="low high"),
    of_n=bounded("-2", "-1 - n"),
    of_L=bounded("-2", "-1 - L"),
    of_H=bounded("-2", "-1 - H(n)"),
    unknown=bounded("-2", "-m"),
    brackets=bounded("-2", "0) - n*(1"),
    both_brackets=bounded("-1) + (-1", "-1"),
    lower=bounded("--", "-1"),
    infinite=bounded("-inf", "-inf"),
    high_infinite=bounded("-2", "-inf"),
    length=bounded("-2", "-1", gain="1/(1 + L)"),
    kind=edited(true, kind="numbers"),
    bias_number=edited(true, law__bias=0),
    of_n_alone=bounded("-inf", "-1 - 0*n", open_="low"),
)
still_gates = {"law__path": {"low": "0", "high": "0", "open": None}}
twins(
    "gates-none",
    None,
    length=edited(sums(CN + ".fails", "length-diverges", i=2, of=SPREAD), claim__gates="every", **still_gates),
    entropy=edited(by_entropy("vector.holds"), claim__gates=None, **still_gates),
    alpha=edited(by_entropy("vector.holds", angle="n/alpha", alpha="self-entropy"), claim__gates=None, **still_gates),
)
twins("gates-below", bounded("-inf", "-1", open_="both"), some=bounded("-inf", "1", "some"))
twins("gates-some", bounded("-1", "1", "some"), every=bounded("-1", "1"), low=bounded("0", "1", "some"))
twins(
    "gates-entropy",
    gated(
        "eb.limit.holds",
        rule("weighted-sum-converges", score="above", k=0, eta="1/2", C="20", U="n - 1"),
        "every",
        "-2",
        "-1",
    ),
    uniform=gated("eb.uniform.holds", CONVERGES, "every", "-2", "-1"),
    uniform_some=gated("eb.uniform.holds", CONVERGES, "some", "-2", "-1"),
)
sinks, stays = rule("bias-sinks", i=1), rule("bias-bounded-below", C="1")
twins(
    "gates-weight",
    gated("ldcp.weight.holds", stays, "every", "0", "1"),
    below=gated("ldcp.weight.holds", stays, "every", "-1", "1"),
    infinite=gated("ldcp.weight.holds", stays, "every", "-inf", "1"),
    fails=gated("ldcp.weight.fails", sinks, "every", "0", "1"),
)
twins(
    "gates-weight-some",
    gated("ldcp.weight.holds", stays, "some", "-1", "0"),
    below=gated("ldcp.weight.holds", stays, "some", "-2", "-1"),
)
sign = {"rule": "bias-not-positive", "i": 1, "threshold": rule("bias-sinks", i=1)["threshold"]}
twins(
    "gates-signed",
    gated("ldcp.signed.fails", sign, "every", "0", "1"),
    open_end=gated("ldcp.signed.fails", sign, "every", "0", "1", "low"),
    some=gated("ldcp.signed.fails", sign, "some", "0", "1"),
    literal=gated("ldcp.literal.fails", rule("bias-vanishes", i=1), "every", "0", "0"),
)
still = gated("gps.vector.fails", {"rule": "constant"}, None, "-1", "0")
twins(
    "gates-gradient",
    still,
    every=edited(still, claim__gates="every"),
    entropy=edited(still, law__transform="rotation", law__angle="0*H(n)"),
)
summed = {
    "Z": None,
    "H": None,
    "windows": [],
    "reach": [],
    "self_reach": [],
    "local_range": {"threshold": "1", "literal": None, "within": "none"},
}
twins("gates-numbers", None, property_=edited(true, kind="numbers", claim={**summed, "gates": "every"}))
half = {
    "split": "hi",
    "below": {"verdict": "holds", "proof": {key: CONVERGES[key] for key in CONVERGES if key != "threshold"}},
    "at": {"verdict": "fails", "proof": {"rule": "sum-diverges", "score": "above", "k": 0, "C": "20"}},
}
half["above"] = half["at"]
ends = edited(
    symbolic(
        "cn.every-content.holds",
        "hi < 0",
        half,
        ["hi"],
        law(parameters=[parameter("hi", "-1/2"), parameter("lo", "-1")]),
    ),
    claim__gates="every",
    law__path={"low": "lo", "high": "hi", "open": None},
    proof=CONVERGES,
)
twins(
    "gates-ends",
    edited(ends, claim__region="hi < 0"),
    everywhere=edited(ends, claim__region="always"),
    value=edited(ends, law__parameters__1__value="0"),
    some=edited(ends, claim__gates="some"),
)


def shown(question, proof, gates, low, high, part, open_=None, **of):
    """By one gate, which is part of the way from the largest to the smallest, or below the largest."""
    return edited(gated(question, proof, gates, low, high, open_, **of), gate=part)


def of_random(question, proof, mean, part, low="-2", high="1", open_=None, **of):
    return edited(shown(question, proof, "random", low, high, part, open_, **of), law__path__mean=mean)


LATE = {**CONVERGES, "eta": "1/4"}
DIVERGES = rule("sum-diverges", score="above", k=0, C="20")
WEIGHTED = rule("weighted-sum-converges", score="above", k=0, eta="1/2", C="20", U="n - 1")
true = shown("cn.every-content.holds", CONVERGES, "some", "-2", "0", "1/2")
twins(
    "gate-shown",
    true,
    every=shown("cn.every-content.holds", CONVERGES, "every", "-2", "0", "1/2"),
    largest=shown("cn.every-content.holds", CONVERGES, "some", "-2", "0", "0"),
    beyond=shown("cn.every-content.holds", CONVERGES, "some", "-1/2", "0", "2"),
    number=edited(true, gate=1),
    null=edited(true, gate=None),
    of_n=edited(true, gate="1/2*n"),
    text=edited(true, gate="0.5x"),
    negative=shown("cn.every-content.holds", CONVERGES, "some", "0", "1", "-2"),
    no_gates=edited(true, claim__gates=None),
    one_gate=shown("cn.every-content.holds", CONVERGES, "some", "0", "0", "1/2"),
    crossed=shown("cn.every-content.holds", CONVERGES, "some", "0", "-2", "1/2"),
    one_open=shown("cn.every-content.holds", CONVERGES, "some", "-1", "-1", "1/2", "high"),
    region=edited(true, claim__region="never"),
    random=edited(true, claim__gates="random"),
)
twins(
    "gate-shown-below",
    shown("cn.every-content.holds", CONVERGES, "some", "-inf", "0", "1", "high"),
    above=shown("cn.every-content.holds", CONVERGES, "some", "-inf", "0", "-1", "high"),
    every=shown("cn.every-content.holds", CONVERGES, "every", "-inf", "0", "1", "high"),
)
twins(
    "gate-shown-fails",
    shown("eb.limit.fails", DIVERGES, "every", "-1", "0", "0", "both"),
    some=shown("eb.limit.fails", DIVERGES, "some", "-1", "0", "0", "both"),
)
twins(
    "gate-uniform",
    shown("eb.uniform.holds", WEIGHTED, "every", "-2", "-1", "0"),
    smallest=shown("eb.uniform.holds", WEIGHTED, "every", "-2", "0", "1"),
    half=shown("eb.uniform.holds", WEIGHTED, "every", "-2", "0", "1/2"),
    zero=shown("eb.uniform.holds", WEIGHTED, "every", "-2", "0", "0"),
)
stays = {"rule": "bias-stays-positive", "c": "1/2", "threshold": FAR}
vanish = rule("bias-not-positive", i=1)
away = shown("ldcp.literal.holds", stays, "every", "-2", "-1", "0")
twins(
    "gate-literal",
    away,
    largest_zero=shown("ldcp.literal.holds", stays, "every", "-2", "0", "0"),
    around=shown("ldcp.literal.holds", stays, "every", "-1", "1", "0"),
    around_low=shown("ldcp.literal.holds", stays, "every", "-1", "1", "1"),
    half=shown("ldcp.literal.holds", stays, "every", "-2", "-1", "1/2"),
    fails=edited(away, claim__verdict="fails", claim__region="never"),
    signed=shown("ldcp.signed.holds", stays, "every", "-2", "-1", "0"),
    windowed=edited(away, law__window="4"),
    signed_open=shown("ldcp.signed.holds", vanish, "every", "-2", "0", "0", "high"),
)
twins(
    "gate-literal-low",
    shown("ldcp.literal.holds", stays, "every", "1", "2", "1"),
    zero=shown("ldcp.literal.holds", stays, "every", "0", "2", "1"),
    infinite=shown("ldcp.literal.holds", stays, "every", "-inf", "2", "1", "low"),
)
left = shown("ldcp.literal.holds", vanish, "every", "-1", "0", "0", "high")
twins(
    "gate-literal-open",
    left,
    closed=shown("ldcp.literal.holds", vanish, "every", "-1", "0", "0", "low"),
    windowed=edited(left, law__window="4", proof={"rule": "window"}),
    rises=shown("ldcp.literal.holds", vanish, "every", "-1", "1", "0", "high"),
    other_end=shown("ldcp.literal.holds", vanish, "every", "-1", "0", "1", "high"),
)
twins(
    "gate-literal-open-low",
    shown("ldcp.probability.holds", vanish, "every", "0", "1", "1", "low"),
    closed=shown("ldcp.probability.holds", vanish, "every", "0", "1", "1", "high"),
)
twins(
    "gate-literal-some",
    shown("ldcp.literal.holds", {"rule": "bias-stays", "e": "1", "c": "1/2", "threshold": FAR}, "some", "0", "1", "0"),
    left_out=shown(
        "ldcp.literal.holds",
        {"rule": "bias-stays", "e": "1", "c": "1/2", "threshold": FAR},
        "some",
        "0",
        "1",
        "0",
        "high",
    ),
    every=shown(
        "ldcp.literal.holds", {"rule": "bias-stays", "e": "1", "c": "1/2", "threshold": FAR}, "every", "0", "1", "0"
    ),
)
likely = gated("ldcp.probability.holds", {"rule": "content-stays", "c": "1/2", "threshold": FAR}, "every", "-1", "1")
twins(
    "gate-probability",
    likely,
    fades=edited(likely, law__gain="1/(1 + n)"),
    none=edited(likely, claim__gates=None),
    literal=edited(likely, claim__reading="literal"),
    fails=edited(likely, claim__verdict="fails", claim__region="never"),
    windowed=edited(likely, law__window="4"),
)
twins(
    "gate-random",
    of_random("cn.every-content.holds", LATE, "-1", "1/2"),
    at=of_random("cn.every-content.holds", LATE, "-1", "0"),
    below=of_random("cn.every-content.holds", LATE, "0", "-1"),
    expected=of_random("cn.expected.holds", LATE, "-1", "1/2"),
    uniform=of_random("eb.uniform.holds", {**WEIGHTED, "U": "1/2*n - 1"}, "-1", "1/2"),
    weight=of_random("ldcp.weight.fails", sinks, "-1", "-1/2"),
    no_mean=edited(of_random("cn.every-content.holds", LATE, "-1", "1/2"), law__path__mean=...),
    mean_below=of_random("cn.every-content.holds", LATE, "-3", "1/2"),
    mean_above=of_random("cn.every-content.holds", LATE, "-1", "1/2", high="-3/2"),
    mean_out=of_random("cn.every-content.holds", LATE, "-1", "1/2", low="-1", open_="low"),
    of_n=of_random("cn.every-content.holds", LATE, "-1 - n", "1/2", low="-inf"),
    every=edited(of_random("cn.every-content.holds", LATE, "-1", "1/2"), claim__gates="every"),
    infinite=of_random("cn.every-content.holds", LATE, "-inf", "1/2", low="-inf"),
    gone=edited(of_random("cn.every-content.holds", LATE, "-1", "1/2"), gate=...),
)
twins(
    "gate-random-fails",
    of_random("cn.some-content.fails", {**DIVERGES, "score": "below"}, "1", "-1/2", high="2"),
    entropy=of_random("eb.some-content.fails", {**DIVERGES, "score": "below"}, "1", "-1/2", high="2"),
    above=of_random("cn.some-content.fails", {**DIVERGES, "score": "below"}, "-1", "1", high="2"),
)
twins(
    "gate-random-entropy",
    of_random("eb.limit.holds", {**WEIGHTED, "U": "1/2*n - 1"}, "-1", "1/2"),
    at=of_random("eb.limit.holds", {**WEIGHTED, "U": "1/2*n - 1"}, "-1/2", "0"),
)
annealed = edited(bounded("-2", "1", "random"), law__path__mean_exp="1/2")
twins(
    "gate-annealed",
    edited(annealed, claim__reading="expected"),
    quenched=annealed,
    one=edited(annealed, claim__reading="expected", law__path__mean_exp="1"),
    zero=edited(annealed, claim__reading="expected", law__path__mean_exp="0"),
    above=edited(annealed, claim__reading="expected", law__path__mean_exp="1/2", law__path__high="-1"),
    below=edited(annealed, claim__reading="expected", law__path__mean_exp="1/9"),
    mean=edited(annealed, claim__reading="expected", law__path__mean="-1"),
    brackets=edited(annealed, claim__reading="expected", law__path__mean_exp="1/2) - (1"),
    of_n=edited(annealed, claim__reading="expected", law__path__mean_exp="1/2/(1 + n)"),
    shown=edited(annealed, claim__reading="expected", gate="1"),
)
# the claim has no cases, there are such gates, and it asks for them
half["split"] = "m"
slope = {**half, "below": half["at"], "above": half["below"]}
cases = edited(
    symbolic("cn.every-content.holds", "m > 0", slope, ["m"], law(bias="-m*n", parameters=[parameter("m", "1")])),
    proof=CONVERGES,
    claim__gates="every",
    law__path={"low": "0", "high": "2", "open": None},
    gate="1",
)
twins(
    "gate-cases",
    None,
    region=cases,
    region_some=edited(cases, claim__gates="some", law__path={"low": "-2", "high": "0", "open": None}, gate="0"),
    words=shown("eb.uniform.holds", WEIGHTED, "all", "-2", "-1", "0"),
    gradient=shown("gps.vector.fails", {"rule": "constant"}, "every", "-1", "0", "0"),
    content=shown(
        "ldcp.content.holds", {"rule": "content-stays", "c": "1/2", "threshold": FAR}, "some", "-1", "0", "0"
    ),
    above=shown("cn.every-content.fails", DIVERGES, "every", "-2", "-1", "-1"),
    above_all=shown("cn.every-content.fails", DIVERGES, "every", "-inf", "-1", "-1"),
    some=shown("eb.uniform.fails", DIVERGES, "some", "-2", "0", "0"),
    between=shown("ldcp.literal.holds", stays, "every", "1", "2", "1/2"),
)
