"""Certificates about biases linear in the query: theorem Q1 names the scores that decide, and has hypotheses."""

from forged_forms import CONVERGES
from forgery import FAR, edited, law, parameter, rule, symbolic, twins, verdict


def queried(question, proof, which, radius, shape, **of):
    return edited(verdict(question, proof, **of), claim__query=which, law__query={"radius": radius, "shape": shape})


def falls(radius, shape, which="every", bias="-2*n", **of):
    return queried("cn.every-content.holds", CONVERGES, which, radius, shape, bias=bias, **of)


true = falls("1", "n")
twins(
    "queries",
    true,
    wide=falls("2", "n"),
    steep=falls("1", "3*n"),
    above=falls("1", "-3*n"),
    fraction=falls("5/2", "n"),
    zero=falls("0", "n"),
    negative=falls("-1", "n"),
    of_n=falls("n", "1"),
    shape_of_L=falls("1", "n/(1 + L)"),
    shape_of_H=falls("1", "H(n)"),
    shape_of_j=falls("1", "j"),
    unknown=falls("1", "m*n"),
    brackets=falls("1", "0) - abs(n"),
    radius_brackets=falls("1) - (1", "n"),
    radius_sum=falls("1)*0 + (1", "n"),
    length=falls("1", "n", gain="1/(1 + L)"),
    no_query=edited(true, law__query=...),
    no_claim=edited(true, claim__query=...),
    null=falls("1", "n", None),
    text=falls("1", "n", "all"),
    query_null=edited(true, law__query=None),
    missing=edited(true, law__query__shape=...),
    more=edited(true, law__query__more="1"),
    number=edited(true, law__query__radius=1),
    kind=edited(true, kind="numbers"),
    gates_too=edited(true, claim__gates="every", law__path={"low": "-2", "high": "-1", "open": None}),
)
# the smallest scores decide only where the shape has one sign in the end
some = falls("2", "n", "some", "n")
twins("queries-numbers", None, property_=edited(true, kind="numbers", claim={"query": "every"}))
twins(
    "queries-some",
    some,
    every=falls("2", "n", "every", "n"),
    narrow=falls("1/2", "n", "some", "n"),
    both_signs=falls("2", "n*cos(pi*n)", "some", "n"),
    waves=falls("2", "n*sin(n)", "some", "n"),
    open_sign=falls("2", "m*n", "some", "n", parameters=[parameter("m", "1")]),
)
twins(
    "queries-sign",
    falls("2", "m*n", "some", "n", parameters=[parameter("m", "1", "m > 0")]),
    no_domain=falls("2", "m*n", "some", "n", parameters=[parameter("m", "1")]),
    zero=falls("2", "m*n", "some", "n", parameters=[parameter("m", "0", "m >= 0")]),
)
twins(
    "queries-entropy",
    queried(
        "eb.limit.holds",
        rule("weighted-sum-converges", score="above", k=0, eta="1/2", C="20", U="n - 1"),
        "every",
        "1",
        "n",
        bias="-2*n",
    ),
    uniform=queried("eb.uniform.holds", CONVERGES, "every", "1", "n", bias="-2*n"),
)
sinks, stays = rule("bias-sinks", i=1), rule("bias-bounded-below", C="1")
twins(
    "queries-weight",
    queried("ldcp.weight.holds", stays, "every", "1", "n", bias="2*n"),
    wide=queried("ldcp.weight.holds", stays, "every", "3", "n", bias="2*n"),
    fails=queried("ldcp.weight.fails", sinks, "every", "1", "n", bias="2*n"),
)
twins(
    "queries-weight-every-fails",
    queried("ldcp.weight.fails", sinks, "every", "2", "n", bias="n"),
    some=queried("ldcp.weight.fails", sinks, "some", "2", "n", bias="n"),
    both_signs=queried("ldcp.weight.fails", sinks, "every", "2", "n*sin(n)", bias="n"),
)
twins(
    "queries-weight-some",
    queried("ldcp.weight.holds", stays, "some", "1", "n", bias="-n"),
    narrow=queried("ldcp.weight.holds", stays, "some", "1/2", "n", bias="-n"),
)
content = queried("ldcp.content.holds", rule("content-stays", c="1/2"), None, "1", "n")
twins(
    "queries-content",
    content,
    hole=queried("ldcp.content.holds", rule("content-stays", c="1/2"), None, "1", "1/(n - 5)"),
    every=edited(content, claim__query="every"),
    gradient=queried("gps.vector.fails", {"rule": "constant"}, None, "1", "n"),
)
half = {
    "split": "R - 1",
    "below": {"verdict": "holds", "proof": {key: CONVERGES[key] for key in CONVERGES if key != "threshold"}},
    "at": {"verdict": "fails", "proof": {"rule": "sum-diverges", "score": "above", "k": 0, "C": "20"}},
}
half["above"] = half["at"]
ends = edited(
    symbolic(
        "cn.every-content.holds", "R < 1", half, ["R"], law(bias="-n", parameters=[parameter("R", "1/2", "R > 0")])
    ),
    claim__query="every",
    law__query={"radius": "R", "shape": "n"},
    proof=CONVERGES,
)
twins(
    "queries-region",
    edited(ends, claim__region="R < 1"),
    everywhere=edited(ends, claim__region="always"),
    value=edited(ends, law__parameters__0__value="2"),
    some=edited(ends, claim__query="some"),
)


def at(part, question, proof, which, radius, shape, **of):
    """By r = part times the radius, or by the largest scores of all, or the smallest."""
    return edited(queried(question, proof, which, radius, shape, **of), at=part)


WEIGHTED, DIVERGES = (
    rule("weighted-sum-converges", score="above", k=0, eta="1/2", C="20", U="n - 1"),
    half["at"]["proof"] | {"threshold": FAR},
)
near = at("-1/2", "cn.every-content.holds", CONVERGES, "some", "2", "n", bias="-n")
twins(
    "query-at",
    near,
    every=edited(near, claim__query="every"),
    null=edited(near, at=None),
    number=edited(near, at=1),
    of_n=edited(near, at="-1/2*n"),
    none=edited(near, claim__query=None),
    beyond=at("-2", "cn.every-content.holds", CONVERGES, "some", "1", "n", bias="0"),
    fails=at("2", "cn.every-content.fails", DIVERGES, "every", "1/2", "n", bias="-n"),
    random=edited(near, claim__query="random"),
    region=edited(near, claim__region="never"),
    zero=at("-1/2", "cn.every-content.holds", CONVERGES, "some", "0", "n", bias="-2*n"),
    both=at("1/2", "cn.every-content.holds", CONVERGES, "some", "2", "n", bias="-n"),
)
twins(
    "query-at-fails",
    at("1", "eb.limit.fails", DIVERGES, "every", "1", "n", bias="-n"),
    some=at("1", "eb.limit.fails", DIVERGES, "some", "1", "n", bias="-n"),
)
twins(
    "query-at-uniform",
    at("1", "eb.uniform.holds", WEIGHTED, "every", "1", "n", bias="-2*n"),
    smallest=at("-1", "eb.uniform.holds", WEIGHTED, "every", "1", "n", bias="-n"),
    half=at("1/2", "eb.uniform.holds", WEIGHTED, "every", "1", "n", bias="-3/2*n"),
    zero=at("0", "eb.uniform.holds", WEIGHTED, "every", "1", "n", bias="-n"),
    some=at("1", "eb.uniform.fails", DIVERGES, "some", "1", "n", bias="-n"),
    words=at("1", "eb.uniform.holds", WEIGHTED, "all", "1", "n", bias="-2*n"),
    limit=at("1", "eb.limit.holds", WEIGHTED, "every", "1", "n", bias="-2*n"),
)
positive = {"rule": "bias-stays-positive", "c": "1/2", "threshold": FAR}
twins(
    "query-at-literal",
    at("1", "ldcp.literal.holds", positive, "every", "1", "n", bias="-2*n"),
    meets=at("1", "ldcp.literal.holds", positive, "every", "2", "n", bias="-2*n"),
    half=at("1/2", "ldcp.literal.holds", positive, "every", "2", "n", bias="-2*n"),
    signed=at("1", "ldcp.signed.holds", positive, "every", "1", "n", bias="-2*n"),
    fails=at("1", "ldcp.literal.fails", positive, "every", "1", "n", bias="-2*n"),
)
twins(
    "query-at-literal-above",
    at("-1", "ldcp.probability.holds", positive, "every", "1", "n", bias="2*n"),
    wide=at("-1", "ldcp.probability.holds", positive, "every", "3", "n", bias="2*n"),
    half=at("1/2", "ldcp.probability.holds", positive, "every", "1", "n", bias="2*n"),
)
twins(
    "query-at-literal-some",
    at(
        "1/2",
        "ldcp.literal.holds",
        {"rule": "bias-stays", "e": "1", "c": "1/2", "threshold": FAR},
        "some",
        "1",
        "n",
        bias="0",
    ),
    every=at(
        "1/2",
        "ldcp.literal.holds",
        {"rule": "bias-stays", "e": "1", "c": "1/2", "threshold": FAR},
        "every",
        "1",
        "n",
        bias="0",
    ),
)
likely = queried("ldcp.probability.holds", rule("content-stays", c="1/2"), "every", "1", "n")
twins(
    "query-probability",
    likely,
    fades=edited(likely, law__gain="1/(1 + n)"),
    none=edited(likely, claim__query=None),
    literal=edited(likely, claim__reading="literal"),
    fails=edited(likely, claim__verdict="fails", claim__region="never"),
    at=edited(likely, at="1"),
)
slope = {"split": "m", "below": half["at"], "at": half["at"], "above": half["below"]}
cases = edited(
    symbolic("cn.every-content.holds", "m > 0", slope, ["m"], law(bias="-m*n", parameters=[parameter("m", "1")])),
    proof=CONVERGES,
    claim__query="some",
    law__query={"radius": "1", "shape": "n"},
    at="0",
)
twins(
    "query-cases",
    None,
    region=cases,
    gradient=at("1", "gps.vector.fails", {"rule": "constant"}, "every", "1", "n"),
    content=at("1", "ldcp.content.holds", rule("content-stays", c="1/2"), "some", "1", "n"),
    content_none=edited(content, at="1"),
)
