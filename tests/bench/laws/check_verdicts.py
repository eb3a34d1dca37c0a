"""Verdicts against the law evaluated directly: gps by its definition, sums and limits by scores
at distances of 30 to 1,000 digits."""

import re

import direct
import mpmath
import numpy
from direct import FAR, sums
from expression import EXACT, LONG, Undefined, Unknown

IMPLIES = [  # what holds with what, by the definitions
    ("cn every-content", "cn expected"),
    ("cn expected", "cn some-content"),
    ("eb limit", "cn every-content"),
    ("eb some-content", "cn some-content"),
    ("eb limit", "eb some-content"),
    ("eb limit", "eb uniform"),
    ("ldcp signed", "ldcp literal"),
    ("ldcp literal", "ldcp probability"),
    ("ldcp content", "ldcp probability"),
    ("ldcp signed", "ldcp weight"),
    ("gps scalar", "gps vector"),
    ("gps norm", "gps vector"),
]
SHORT = {"convergent-normalization": "cn", "entropy-boundedness": "eb", "ldcp": "ldcp", "gps": "gps"}


def by_name(report, bound):
    """{"cn every-content": "holds", …} at a content bound."""
    return {
        f"{SHORT[v['property']]} {v['reading']}": v["verdict"]
        for v in report["verdicts"]
        if v["content_bound"] in (bound, None)
    }


def short(values):
    return ", ".join(mpmath.nstr(x, 5) if abs(x) < mpmath.mpf(10) ** 300 else "huge" for x in values)


def refuted(verdicts, truth, why):
    """Messages for verdicts that say the opposite of `truth`, {name: True or False, or None where nothing is known}."""
    for name, expected in truth.items():
        said = verdicts.get(name)
        if expected is not None and said in ("holds", "fails") and (said == "holds") != expected:
            yield f"{name} {said}, but directly {'holds' if expected else 'fails'}: {why()}"


def contradictions(verdicts):
    for one, other in IMPLIES:
        if verdicts.get(one) == "holds" and verdicts.get(other) == "fails":
            yield f"{one} holds and {other} fails"


def gps(law, verdicts):
    try:
        readings = direct.gradient_readings(law)
    except Unknown:
        return
    yield from refuted(
        verdicts,
        {f"gps {k}": v if v is None else bool(v) for k, v in readings.items()},
        lambda: "f(n)W(n) at the first distances",
    )


def windowed(law, verdicts, bound):
    """Finitely many keys; with L, what happens to them as it grows."""
    if not law.has_length:
        names = ["cn every-content", "cn some-content", "cn expected", "eb limit", "eb some-content", "eb uniform"]
        yield from refuted(verdicts, {name: True for name in names}, lambda: "a window")
        far = {name: False for name in ("ldcp literal", "ldcp signed", "ldcp probability", "ldcp content")}
        yield from refuted(verdicts, far, lambda: "no far token is seen")
        return
    n = law.distances()
    ends = {"every-content": [], "some-content": []}
    for length in (10**4, 10**8, 10**12, 10**16):
        b, a = law.bias(n, length=length), law.amplitude(n, bound, length=length)
        ends["every-content"].append(sums(b + a)[0])
        ends["some-content"].append(sums(b - a)[0])
    truth = {"eb uniform": True}
    for reading, z in ends.items():
        steps = numpy.diff(numpy.array(z))
        if not numpy.isfinite(steps).all():
            continue
        finite = None
        if (steps < 1e-3).all():
            finite = True
        if (steps > 0.3).all():
            finite = False
        truth["cn " + reading] = finite
        truth["eb " + ("limit" if reading == "every-content" else reading)] = finite
    yield from refuted(
        verdicts, truth, lambda: f"a window, log Z_L = {[float(z) for z in ends['every-content']]} at L = 10^4, 10^8, …"
    )


def ratio(law, digits, sign, bound):
    """The largest of A±(n)/log n at a far distance and the next ones; inf and -inf where the score is."""

    def score(n):
        return (law.bias(n, EXACT) + sign * law.amplitude(n, bound, EXACT)) / mpmath.log(n)

    return max(law.far(score, digits))


def finite_sum(ratios):
    """Whether Σ e^A is finite, where A/log n at far distances leaves no doubt."""
    rise = ratios[-1] - ratios[0]
    if all(r > -0.9 for r in ratios) and rise > -0.05 * abs(ratios[0]) - 1e-9:
        return False
    if all(r < -1.1 for r in ratios) and rise < 0.02:
        return True
    return None


def far_sums(law, verdicts, bound):
    above = [ratio(law, k, 1, bound) for k in FAR]
    below = [ratio(law, k, -1, bound) for k in FAR]
    middle = [ratio(law, k, 0, bound) for k in FAR]
    every, some, bias = finite_sum(above), finite_sum(below), finite_sum(middle)
    truth = {
        "cn every-content": every,
        "eb limit": every,
        "cn some-content": some,
        "eb some-content": some,
        "cn expected": False if bias is False else None,
    }
    if every:
        truth["cn expected"] = truth["eb uniform"] = True
    if (
        bias is False
        and all(abs(r) * mpmath.log(10) * k < 1000 or r < 0 for r, k in zip(above, FAR, strict=True))
        and max(mpmath.mpf(x) * k for x, k in zip(above, FAR, strict=True)) <= 0
    ):
        truth["eb uniform"] = False  # A+ <= 0 and Z infinite
    yield from refuted(verdicts, truth, lambda: f"A/log n at n = 10^30, 10^100, 10^300: {short(above + below)}")


def stays(values):
    """Whether a function does not tend to 0 (or below): seen to stay, seen to go, or None."""
    if all(v > 0.05 for v in values) and values[-1] >= 0.9 * values[0]:
        return True
    if all(v < 1e-6 for v in values[1:]) and (values[-1] <= 0 or values[-1] < values[0] / 2):
        return False
    return None


def far_limits(law, verdicts, wild):
    """`wild`: the law has waves of no whole period, whose next values are not sample of all."""
    b = [law.far(lambda n: law.bias(n, EXACT), k) for k in FAR]
    size = [max(law.far(lambda n: law.size(n, EXACT), k)) for k in FAR]
    most, least = [max(x) for x in b], [max(abs(y) for y in x) for x in b]
    truth = {
        "ldcp signed": stays(most),
        "ldcp literal": stays(least),
        "ldcp content": stays(size),
        "ldcp probability": stays([max(x, y) for x, y in zip(least, size, strict=True)]),
    }
    if all(m > -20 for m in most) and most[-1] >= most[0] - 0.1:
        truth["ldcp weight"] = True
    elif all(m < -50 for m in most) and most[-1] < 2 * most[0]:
        truth["ldcp weight"] = False
    if wild:
        truth = {name: None if value is False else value for name, value in truth.items()}
    yield from refuted(verdicts, truth, lambda: f"b and |f|w at n = 10^30 …: {short(most + size)}")


def with_length(law, verdicts, bound):
    """Scores that mention L: Z_L at lengths up to 10^4, and the diagonal far away."""
    for reading, sign in (("every-content", 1), ("some-content", -1)):
        z = []
        for length in (100, 1000, 10000):
            n = law.distances(length)
            score = law.bias(n, length=length) + sign * law.amplitude(n, bound, length=length)
            # also without the first, which may hide the others
            z.append([sums(score)[0], sums(score[n >= law.first + 30])[0]])
        steps = numpy.diff(numpy.array(z), axis=0)
        truth = None
        if ((steps[0] > 0.5) & (steps[1] > 0.9 * steps[0])).any():
            truth = False
        elif (steps < 1e-4).all():
            truth = True
        if truth is False and sign < 0 and law.amplitude(numpy.array([LONG(10**6)]), bound, length=10**6)[0] > 30:
            truth = None  # the lowest score sinks farther out
        yield from refuted(
            verdicts,
            {"cn " + reading: truth},
            lambda z=z: f"log Z_L = {[float(x) for x, _ in z]} at L = 100, 1000, 10000",
        )
    diagonal = [law.far(lambda n: law.bias(n, EXACT, n), k) for k in FAR]
    positive = all(max(x) > 0.05 for x in diagonal) and max(diagonal[-1]) >= 0.9 * max(diagonal[0])
    large = [max(abs(y) for y in x) for x in diagonal]
    truth = {"ldcp signed": True if positive else None, "ldcp literal": True if stays(large) else None}
    yield from refuted(verdicts, truth, lambda: f"b(n; n) at n = 10^30 …: {short(map(max, diagonal))}")


def is_wild(law):
    return any(re.search(r"(sin|cos)\((?![^()]*pi)", law.law[key] or "") for key in ("bias", "gain", "scale"))


def check(law, report):
    for bound in report["content_bounds"]:
        verdicts = by_name(report, bound)
        yield from contradictions(verdicts)
        try:
            if law.window:
                yield from windowed(law, verdicts, bound)
            elif law.has_length:
                yield from with_length(law, verdicts, bound)
            else:
                if not is_wild(law):
                    yield from far_sums(law, verdicts, bound)
                yield from far_limits(law, verdicts, is_wild(law))
        except (Unknown, Undefined):
            pass
    yield from gps(law, by_name(report, report["content_bounds"][0]))
