"""Certificates about weights that are not a softmax: theorems N1 to N3 name the claim that decides,
and have hypotheses."""

from forged_forms import CONVERGES
from forged_gradients import by_entropy
from forged_sums import CN, SPREAD, sums
from forgery import edited, law, parameter, rule, symbolic, twins, verdict


def with_(kind, question, proof, level=None, parameter_=None, bound="1", **of):
    one = verdict(question, proof, bound, **of)
    return edited({**one, "level": level}, law__normalizer={"kind": kind, "parameter": parameter_})


def below(level, kind="relu", question="cn.every-content.holds", parameter_=None, bias="-n", bound="1", **of):
    """The score's upper limit is at most `level`."""
    return with_(
        kind,
        question,
        {**rule("bias-not-positive", i=1), "threshold": rule("x")["threshold"]},
        level,
        parameter_,
        bound,
        bias=bias,
        **of,
    )


def above(
    kind="relu", question="cn.every-content.fails", level="0", parameter_=None, bias="0", c="1/2", bound="1", **of
):
    return with_(kind, question, rule("bias-stays-positive", c=c), level, parameter_, bound, bias=bias, **of)


def top(question, proof, level=None, k="64", **of):
    return with_("top-k", question, proof, level, k, **of)


diverges, weighted = (
    rule("sum-diverges", score="below", k=0, C="20"),
    rule("weighted-sum-converges", score="above", k=0, eta="1/2", C="20", U="n - 1"),
)
true = with_("sigmoid", "cn.every-content.holds", CONVERGES, bias="-n")
twins(
    "normalizer",
    true,
    softmax=with_("softmax", "cn.every-content.holds", CONVERGES, bias="-n"),
    kind=with_("Sigmoid", "cn.every-content.holds", CONVERGES, bias="-n"),
    kinds=with_("sigmoid relu", "cn.every-content.holds", CONVERGES, bias="-n"),
    kind_empty=with_("", "cn.every-content.holds", CONVERGES, bias="-n"),
    null=edited(true, law__normalizer=None),
    text=edited(true, law__normalizer="sigmoid"),
    parameter=with_("sigmoid", "cn.every-content.holds", CONVERGES, parameter_="1", bias="-n"),
    more=edited(true, law__normalizer={"kind": "sigmoid", "parameter": None, "k": "1"}),
    less=edited(true, law__normalizer={"kind": "sigmoid"}),
    no_level=edited(true, level=...),
    level=edited(true, level="0"),
    alone=edited(true, law__normalizer=...),
    numbers=edited(true, kind="numbers"),
    length=with_("sigmoid", "cn.every-content.holds", CONVERGES, bias="-n", gain="1/(1 + L)"),
    path=edited(true, law__path={"low": "-1", "high": "-1", "open": None}, claim__gates="every"),
    claim=edited(true, claim__gates=None),
    turned=edited(true, law__transform="rotation", law__angle="n/L"),
    entropy=edited(true, law__transform="rotation", law__angle="n/(1 + H(n))"),
)
twins(
    "normalizer-sigmoid-uniform",
    with_("sigmoid", "eb.uniform.holds", weighted, bias="-n"),
    fails=with_("sigmoid", "eb.uniform.fails", weighted, bias="-n"),
    relu=with_("relu", "eb.uniform.holds", weighted, bias="-n"),
)
# weights of n log 2 are far from equal, those of sigmoid(n log 2) are not
last = rule("last-tokens", S="n*log(2)", c="1/2", M="2")
twins(
    "normalizer-sigmoid-last",
    with_("sigmoid", "eb.uniform.fails", {**diverges, "score": "above"}, bias="n*log(2)"),
    holds=with_("sigmoid", "eb.uniform.holds", last, bias="n*log(2)"),
)
twins(
    "normalizer-sigmoid-expected",
    with_("sigmoid", "cn.expected.holds", CONVERGES, bias="-n"),
    fails=with_(
        "sigmoid", "cn.expected.fails", rule("sum-diverges", score="b", k=0, C="20"), bias="-n*0 - 2*n", gain="3*n"
    ),
)
twins(
    "normalizer-sigmoid-expected-fails",
    with_("sigmoid", "cn.expected.fails", diverges),
    mean=with_("sigmoid", "cn.expected.fails", {**diverges, "score": "b"}),
    holds=with_("sigmoid", "cn.expected.holds", diverges),
)

twins(
    "normalizer-relu",
    below("-1"),
    zero=below("0"),
    above_=below("1"),
    text=below("-1x"),
    none=below(None),
    formula=below("-n"),
    number=edited(below("-1"), level=-1),
    brackets=below("-1) - (n"),
    softmax=below("-1", "softmax"),
    sigmoid=below("-1", "sigmoid"),
    fails=below("-1", question="cn.every-content.fails"),
    region=edited(below("-1"), claim__region="never"),
    larger=below("-1", bias="1/2"),
    bound=below("-1", bias="-2", bound="2"),
    bound_negative=below("-1", bias="-1/2", bound="-1"),
    no_bound=edited(below("-1"), claim__content_bound=None),
    capped=below("-1", softcap="1"),
    scaled=below("-1", transform="scaled-rotation", angle="n", scale="1"),
    ldcp=below("-1", question="ldcp.signed.fails"),
    literal=below("-1", question="eb.literal.holds"),
)
twins(
    "normalizer-relu-bound",
    below("-1/2", bias="-3/2"),
    bound=below("-1/2", bias="-3/2", bound="2"),
    gain=below("-1/2", bias="-3/2", gain="-2"),
)
twins("normalizer-relu-none", below("-1/2", bias="-1", transform="none"), identity=below("-1/2", bias="-1"))
twins("normalizer-relu-uniform", below("-1", question="eb.uniform.holds"), fails=above(question="eb.uniform.fails"))
twins(
    "normalizer-relu-some",
    below("-1/2", question="cn.some-content.holds", bias="0"),
    every=below("-1/2", bias="0"),
    expected=below("-1/2", question="cn.expected.holds", bias="0"),
    limit=below("-1/2", question="eb.limit.holds", bias="0"),
)
twins(
    "normalizer-relu-fails",
    above(),
    level=above(level="-2"),
    level_above=above(level="1/4"),
    none=above(level=None),
    some=above(question="cn.some-content.fails"),
    holds=above(question="cn.every-content.holds"),
    bound=above(bias="-3/2"),
    vanishing=above(bias="-1 + 1/(1 + n)^2"),
)
twins(
    "normalizer-relu-expected",
    above(question="cn.expected.fails", bias="1"),
    content=above(question="cn.expected.fails", bias="0"),
)
twins(
    "normalizer-relu-weight",
    with_("relu", "ldcp.weight.holds", rule("bias-stays-positive", c="1/2"), bias="1"),
    bounded=with_("relu", "ldcp.weight.holds", rule("bias-bounded-below", C="2"), bias="-1"),
    level=with_("relu", "ldcp.weight.holds", rule("bias-stays-positive", c="1/2"), "0", bias="1"),
)
twins(
    "normalizer-relu-vanishes",
    with_("relu", "ldcp.weight.fails", rule("bias-not-positive", i=1)),
    sigmoid=with_("sigmoid", "ldcp.weight.fails", rule("bias-not-positive", i=1)),
    top_k=top("ldcp.weight.fails", rule("bias-not-positive", i=1)),
)

twins(
    "normalizer-top",
    below("10", "top-k", parameter_="64", bias="0"),
    uniform=below("10", "top-k", "eb.uniform.holds", "64", "0"),
    grows=below("10", "top-k", parameter_="64", bias="n"),
    k_none=below("10", "top-k", bias="0"),
    k_zero=below("10", "top-k", parameter_="0", bias="0"),
    k_half=below("10", "top-k", parameter_="1/2", bias="0"),
    k_negative=below("10", "top-k", parameter_="-1", bias="0"),
    k_of_n=below("10", "top-k", parameter_="n", bias="0"),
    k_number=below("10", "top-k", parameter_=64, bias="0"),
    relu=below("10", "relu", parameter_="64", bias="0"),
)
twins(
    "normalizer-top-expected",
    below("10", "top-k", "cn.expected.holds", "64", "0"),
    far=below("10", "top-k", "cn.expected.holds", "64", "0", gain="n"),
)
sinks = rule("bias-sinks", i=1)
twins(
    "normalizer-top-fails",
    top("cn.every-content.fails", sinks, bias="n"),
    level=top("cn.every-content.fails", sinks, "0", bias="n"),
    holds=top("cn.every-content.holds", sinks, bias="n"),
    falls=top("cn.every-content.fails", sinks, bias="-n"),
    uniform=top("eb.uniform.fails", sinks, bias="n"),
    region=edited(top("cn.every-content.fails", sinks, bias="n"), claim__region="always"),
)
twins(
    "normalizer-top-some",
    top("eb.some-content.fails", sinks, bias="2*n", gain="n"),
    content=top("eb.some-content.fails", sinks, bias="n/2", gain="n"),
)
twins(
    "normalizer-top-uniform",
    top("eb.uniform.holds", {"rule": "window"}),
    hole=top("eb.uniform.holds", {"rule": "window"}, bias="1/(n - 100)"),
    limit=top("eb.limit.holds", {"rule": "window"}),
    cn=top("cn.every-content.holds", {"rule": "window"}),
    ldcp=top("ldcp.weight.fails", {"rule": "window"}),
    one=top("gps.vector.fails", {"rule": "one-key"}, k="1", transform="rotation", angle="n"),
    sigmoid=with_("sigmoid", "eb.uniform.holds", {"rule": "window"}),
)
twins(
    "normalizer-window",
    with_("relu", "eb.limit.holds", {"rule": "window"}, window="4"),
    no_window=with_("relu", "eb.limit.holds", {"rule": "window"}),
    level=with_("relu", "eb.limit.holds", {"rule": "window"}, "-1", window="4"),
)

sides = {"split": "m", "above": {"verdict": "fails", "proof": {"rule": "bias-not-positive", "i": 1}}}
slope = symbolic(
    "cn.every-content.holds", "always", sides, ["m"], law(bias="-m*n", parameters=[parameter("m", "1/2", "m > 0")])
)
slope = edited(
    {**slope, "level": "-1"},
    law__normalizer={"kind": "relu", "parameter": None},
    proof={**rule("bias-not-positive", i=1)},
)
flat = {**sides, "at": {"verdict": "holds", "proof": {"rule": "bias-stays-positive", "c": "1/2"}}}
twins(
    "normalizer-region",
    slope,
    leaf=edited(slope, cases__above__verdict="holds"),
    domain=edited(slope, law__parameters__0__domain="m >= 0"),
    region=edited(slope, claim__region="m > 0"),
    region_never=edited(slope, claim__region="never"),
    mixed=edited(slope, law__parameters__0__domain="m >= 0", cases=flat),
    mixed_region=edited(slope, law__parameters__0__domain="m >= 0", cases=flat, claim__region="m > 0"),
)


plain = {"law__normalizer": {"kind": "sigmoid", "parameter": None}}
ends = {
    "split": "m",
    "above": {"verdict": "holds", "proof": {key: CONVERGES[key] for key in CONVERGES if key != "threshold"}},
    "at": {"verdict": "fails", "proof": {"rule": "sum-diverges", "score": "b", "k": 0, "C": "20"}},
}
ends = symbolic(
    "cn.expected.holds", "m > 0", ends, ["m"], law(bias="-m*n", parameters=[parameter("m", "1/2", "m >= 0")])
)
ends = edited({**ends, "level": None}, proof=CONVERGES)
twins(
    "normalizer-plain",
    edited(ends, level=...),
    depends=edited(ends, **plain),
    length=edited({**sums(CN + ".fails", "length-diverges", i=2, of=SPREAD), "level": None}, **plain),
    entropy=edited({**by_entropy("vector.holds"), "level": None}, **plain),
    bound_number=edited(above(bias="2"), claim__content_bound=1),
    self_entropy=with_(
        "sigmoid",
        "ldcp.literal.holds",
        rule("bias-stays", e="-1", c="1/2"),
        bias="-1 - n",
        transform="rotation",
        angle="alpha*n",
        alpha="self-entropy",
    ),
)


def entmax(question, proof, level=None, alpha="3/2", **of):
    return with_("entmax", question, proof, level, alpha, **of)


def stick(question, proof, level=None, **of):
    return with_("stick-breaking", question, proof, level, **of)


falls = entmax("eb.uniform.holds", sinks, bias="-n")
twins(
    "normalizer-entmax",
    falls,
    level=entmax("eb.uniform.holds", sinks, "0", bias="-n"),
    flat=entmax("eb.uniform.holds", sinks, bias="0"),
    rises=entmax("eb.uniform.holds", sinks, bias="n"),
    content=entmax("eb.uniform.holds", sinks, bias="-n", gain="2*n"),
    one=entmax("eb.uniform.holds", sinks, alpha="1", bias="-n"),
    half=entmax("eb.uniform.holds", sinks, alpha="1/2", bias="-n"),
    alpha_none=edited(falls, law__normalizer={"kind": "entmax", "parameter": None}),
    of_n=entmax("eb.uniform.holds", sinks, alpha="2 + n", bias="-n"),
    of_L=entmax("eb.uniform.holds", sinks, alpha="2 + L", bias="-n"),
    fails=entmax("eb.uniform.fails", sinks, bias="n"),
    flat_fails=entmax("eb.uniform.fails", rule("bias-bounded-below", C="2"), bias="0"),
    region=edited(falls, claim__region="never"),
)
twins(
    "normalizer-entmax-alpha",
    entmax("eb.limit.holds", sinks, alpha="1 + a", bias="-n", parameters=[parameter("a", "1/2")]),
    value=entmax("eb.limit.holds", sinks, alpha="1 + a", bias="-n", parameters=[parameter("a", "0")]),
)
twins(
    "normalizer-entmax-some",
    entmax("eb.some-content.holds", sinks, gain="n"),
    every=entmax("eb.limit.holds", sinks, gain="n"),
)
twins(
    "normalizer-entmax-cn",
    below("10", "entmax", parameter_="2", bias="0"),
    limit=below("10", "entmax", "eb.limit.holds", "2", "0"),
    grows=below("10", "entmax", parameter_="2", bias="n"),
)
twins(
    "normalizer-entmax-fails",
    entmax("cn.every-content.fails", sinks, bias="n"),
    falls=entmax("cn.every-content.fails", sinks, bias="-n"),
)
twins(
    "normalizer-entmax-weight",
    entmax("ldcp.weight.fails", sinks, bias="-n"),
    holds=entmax("ldcp.weight.holds", rule("bias-bounded-below", C="10"), bias="1/(1 + n)"),
)
twins(
    "normalizer-stick",
    stick("cn.every-content.holds", {"rule": "window"}, bias="n"),
    hole=stick("cn.every-content.holds", {"rule": "window"}, bias="1/(n - 5)"),
    domain=stick("cn.every-content.holds", {"rule": "window"}, bias="log(5 - n)"),
    gain_hole=stick("cn.every-content.holds", {"rule": "window"}, gain="1/(n - 5)"),
    weight_hole=stick("ldcp.weight.fails", {"rule": "window"}, bias="1/(n - 5)"),
    entropy=stick("eb.limit.holds", {"rule": "window"}),
    level=stick("cn.every-content.holds", {"rule": "window"}, "0"),
    fails=stick("cn.every-content.fails", {**diverges, "score": "above"}),
    parameter=edited(stick("cn.every-content.holds", {"rule": "window"}), law__normalizer__parameter="1"),
)
twins(
    "normalizer-stick-weight",
    stick("ldcp.weight.fails", {"rule": "window"}),
    holds=stick("ldcp.weight.holds", rule("bias-bounded-below", C="10")),
    signed=stick("ldcp.signed.fails", {"rule": "window"}),
)
twins(
    "normalizer-stick-entropy",
    stick("eb.uniform.holds", weighted, bias="-n"),
    fails=stick("eb.limit.fails", {**diverges, "score": "above"}),
    relu=with_("relu", "eb.limit.holds", weighted, bias="-n"),
)
twins(
    "normalizer-stick-level",
    below("2", "stick-breaking", "eb.uniform.holds", bias="0"),
    logarithm=below("2", "stick-breaking", "eb.uniform.holds", bias="-log(1 + n)", bound="3"),
    steep=below("2", "stick-breaking", "eb.limit.holds", bias="-2*log(1 + n)"),
    sinking=below("2", "stick-breaking", "eb.limit.holds", bias="-log(1 + n) - log(1 + log(1 + n))"),
    gain=below("2", "stick-breaking", "eb.limit.holds", bias="0", gain="2*log(1 + n)"),
    fails=below("2", "stick-breaking", "eb.limit.fails", bias="0"),
    softmax=below("2", "top-k", "eb.uniform.holds", "4", "0"),
)
twins(
    "normalizer-stick-some",
    below("2", "stick-breaking", "eb.some-content.holds", bias="0", gain="2*log(1 + n)"),
    every=below("2", "stick-breaking", "eb.uniform.holds", bias="0", gain="2*log(1 + n)"),
)
