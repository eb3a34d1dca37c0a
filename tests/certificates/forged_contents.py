"""Certificates about laws of the content without a bound: theorem X2 names the scores that
decide, and has hypotheses."""

from forged_forms import CONVERGES
from forgery import edited, rule, twins, verdict


def expected(question, proof, content, which=None, **of):
    return edited(verdict(question, proof, **of), claim__content_bound=None, claim__law=which, law__content=content)


def holds(content, which=None, gain="1", bias="-n", **of):
    return expected("cn.expected.holds", CONVERGES, content, which, gain=gain, bias=bias, **of)


true = holds("gaussian:1")
twins(
    "content",
    true,
    growing=holds("gaussian:1", gain="sqrt(2*n)"),
    steeper=holds("gaussian:2", gain="sqrt(n)"),
    zero=holds("gaussian:0"),
    negative=holds("gaussian:-1"),
    decimal=holds("gaussian:1,5"),
    none=holds("gaussian"),
    empty=holds("gaussian:"),
    other=holds("laplace:1"),
    which=holds("gaussian:1", "every"),
    both=holds("sub-gaussian:1"),
    text=holds("sub-gaussian:1", "all"),
    bound=edited(true, claim__content_bound="1"),
    no_content=edited(true, law__content=...),
    no_law=edited(true, claim__law=...),
    every=edited(true, claim__reading="every-content"),
    cap=holds("gaussian:1", softcap="5"),
    stretches=holds("gaussian:1", transform="scaled-rotation", angle="n", scale="2^n"),
    length=holds("gaussian:1", gain="1/(1 + L)"),
    length_in_window=expected(
        "cn.expected.holds",
        rule("window-converges", score="above", C="5"),
        "gaussian:1",
        gain="sqrt(2*log(1 + L))",
        window="4",
    ),
    brackets=holds("gaussian:1", gain="0) - (n"),
    kind=edited(true, kind="numbers"),
    number=edited(true, law__content=1),
    query_too=edited(true, claim__query="every", law__query={"radius": "1/2", "shape": "1"}),
)
twins(
    "content-rotation",
    holds("gaussian:1", transform="rotation", angle="n"),
    growing=holds("gaussian:2", transform="rotation", angle="n", gain="sqrt(n)"),
)
twins("content-growth", holds("gaussian:1", gain="sqrt(n)"), edge=holds("gaussian:1", gain="sqrt(2*n)"))
twins(
    "content-sub",
    holds("sub-gaussian:1", "every", gain="sqrt(n)"),
    growing=holds("sub-gaussian:1", "every", gain="sqrt(2*n)"),
)
twins(
    "content-some",
    holds("sub-gaussian:1", "some", gain="n"),
    hole=holds("sub-gaussian:1", "some", gain="1/(n - 5)"),
    domain=holds("sub-gaussian:1", "some", gain="log(5 - n)"),
    every=holds("sub-gaussian:1", "every", gain="n"),
    flat=holds("sub-gaussian:1", "some", bias="0"),
)
diverges = rule("sum-diverges", score="b", k=0, C="20")
twins(
    "content-fails",
    expected("cn.expected.fails", diverges, "gaussian:1", gain="n", bias="-n"),
    some=expected("cn.expected.fails", diverges, "sub-gaussian:1", "some", gain="n", bias="-n"),
    small=expected("cn.expected.fails", diverges, "gaussian:1", gain="1", bias="-n"),
    none=expected("cn.expected.fails", diverges, "gaussian:1", gain="n", bias="-n", transform="none"),
)
