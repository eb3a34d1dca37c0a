"""Numbers against sums added up one by one: Z, H, the mean distance, entropy bands, windows, reach and local ranges."""

import itertools

import mpmath
import numpy
from direct import COUNT, sums
from expression import ARRAYS, EXACT, LONG, Undefined, Unknown, at

SLACK = LONG(1e-13)


class Scores:
    """b, A+ and A- of the keys that are added up; or by distance, with `copies` of each."""

    def __init__(self, law, bound, length=None, by_distance=False):
        self.n = law.distances(length)
        self.copies = numpy.where(law.two_sided & (self.n > 0), LONG(2), LONG(1))
        if not by_distance:
            self.n = numpy.repeat(self.n, self.copies.astype(int))
        index = None if length is None else law.first + length  # of the query: L in the score
        self.b = law.bias(self.n, length=index)
        a = law.amplitude(self.n, bound, length=index)
        self.up, self.low = self.b + a, self.b - a
        if not (numpy.isfinite(self.up).all() and numpy.isfinite(self.low).all()):
            raise Unknown("scores beyond the range of a mantissa")
        if max(numpy.abs(self.up).max(), numpy.abs(self.low).max()) > 1e9:
            raise Unknown("scores with few digits after the point")
        self.whole = length is not None or law.window is not None and law.window <= COUNT

    def tail_is_nothing(self, a):
        middle = len(a) // 2
        return self.whole or a[middle:].max() < a.max() - 90 and a[-1] < a[middle] - 40


def inside(number, low, high, slack=SLACK):
    """Whether {"lower", "upper"} meets [low, high]."""
    margin = slack * (1 + max(abs(low), abs(high)))
    return LONG(number["lower"]) <= high + margin and LONG(number["upper"]) >= low - margin


def log_of(text):
    """The logarithm of a decimal number beyond the range of a mantissa, too."""
    value = mpmath.mpf(text)
    return LONG(mpmath.nstr(mpmath.log(value), 22)) if value > 0 else LONG("-inf")


def has_ends(number):
    return number is not None and number.get("finite", True) is True and number.get("lower") is not None


def sum_checks(law, report):
    numbers = report["sums"]
    s = Scores(law, "1")
    z, h = sums(s.b)
    nothing = s.tail_is_nothing(s.b) and not law.has_length
    if has_ends(numbers["Z"]) and not law.has_length:
        upper = log_of(numbers["Z"]["upper"])
        if upper < z - SLACK * (1 + abs(z)):
            yield f"Z is at most {numbers['Z']['upper']}, but the first terms alone give exp({z})"
        if nothing and log_of(numbers["Z"]["lower"]) > z + SLACK * (1 + abs(z)):
            yield f"Z is at least {numbers['Z']['lower']}, but directly exp({z})"
    if not nothing:
        return
    mean = (s.n * numpy.exp(s.b - z)).sum()
    for name, value in (("H", h), ("mean_distance", mean)):
        if has_ends(numbers[name]) and not inside(numbers[name], value, value, LONG(1e-12)):
            yield f"{name} in [{numbers[name]['lower']}, {numbers[name]['upper']}], but directly {value}"
    if numbers["Z"]["finite"] is False:
        yield f"Z infinite, but directly exp({z})"


def partial_checks(law, report):
    for entry in report["partial_sums"]:
        length = int(entry["L"])
        s = Scores(law, "1", length)
        z, h = sums(s.b)
        if entry["Z"] and not inside({k: log_of(v) for k, v in entry["Z"].items()}, z, z):
            yield f"Z to L = {length} in [{entry['Z']['lower']}, {entry['Z']['upper']}], but directly exp({z})"
        if entry["H"] and not inside(entry["H"], h, h, LONG(1e-12)):
            yield f"H to L = {length} in [{entry['H']['lower']}, {entry['H']['upper']}], but directly {h}"
        for band in entry["entropy_band"]:
            s = Scores(law, band["content_bound"], length)
            yield from band_checks(band, s, f" to L = {length}", length)


def entropies(s, rng):
    """H of some contents: extreme, random, climbing, levelled."""
    yield sums(s.b)[1]
    yield sums(s.up)[1]
    yield sums(s.low)[1]
    width = s.up - s.low
    yield sums(s.low + width * (numpy.arange(len(width)) % 2))[1]
    yield sums(s.low + width * numpy.arange(len(width)) / max(1, len(width) - 1))[1]
    yield sums(numpy.where(numpy.arange(len(width)) == len(width) - 1, s.up, s.low))[1]
    for _ in range(3):
        yield sums(s.low + width * rng.random(len(width)))[1]
    for tau in numpy.linspace(s.low.min(), s.up.max(), 12):
        yield sums(numpy.clip(tau, s.low, s.up))[1]


def levels(s):
    """Scores to which contents may be levelled: the ends of all ranges, and some between neighbours."""
    ends = numpy.unique(numpy.concatenate([s.low, s.up]))
    return numpy.unique(numpy.concatenate([numpy.linspace(x, y, 30) for x, y in itertools.pairwise(ends)] + [ends]))


def band_checks(band, s, where, length):
    found = [h for h in entropies(s, numpy.random.default_rng(length))]
    low, high = min(found), max(found)
    if len(s.n) <= 9:
        corners = [sums(numpy.where(c, s.up, s.low))[1] for c in itertools.product([False, True], repeat=len(s.n))]
        low = min(low, *corners)  # the least entropy is at a corner: H is concave along each weight
        high = max(high, *(sums(numpy.clip(tau, s.low, s.up))[1] for tau in levels(s)))
        if has_ends(band["lower"]) and LONG(band["lower"]["upper"]) < low - LONG(1e-12):
            yield (
                f"some content has an entropy{where} of {band['lower']['upper']}, but directly the least is {low}, "
                f"B = {band['content_bound']}"
            )
        if has_ends(band["upper"]) and LONG(band["upper"]["lower"]) > high + LONG(1e-2):
            yield (
                f"the largest entropy{where} is at least {band['upper']['lower']}, but directly {high}, "
                f"B = {band['content_bound']}"
            )
    if has_ends(band["lower"]) and LONG(band["lower"]["lower"]) > low + LONG(1e-12):
        yield (
            f"no content has an entropy{where} below {band['lower']['lower']}, but one has {low}, "
            f"B = {band['content_bound']}"
        )
    if has_ends(band["upper"]) and LONG(band["upper"]["upper"]) < high - LONG(1e-12):
        yield (
            f"no content has an entropy{where} above {band['upper']['upper']}, but one has {high}, "
            f"B = {band['content_bound']}"
        )


def window_checks(law, report):
    for entry in report["effective_windows"]:
        window, epsilon = entry["W"], LONG(at(entry["epsilon"], {}, ARRAYS))
        if isinstance(window, (dict, str)):
            continue
        s = Scores(law, entry["content_bound"], by_distance=True)
        top = max(s.up.max(), s.low.max())
        up, low = s.copies * numpy.exp(s.up - top), s.copies * numpy.exp(s.low - top)
        nothing = s.tail_is_nothing(s.up)
        beyond = up[::-1].cumsum()[::-1] - up  # Σ over larger distances, of those added up
        share = beyond / (beyond + low.cumsum())
        if window is None:
            if nothing:
                yield (
                    f"no window for {entry['epsilon']}, B = {entry['content_bound']}, but directly all tails are small"
                )
            continue
        place = window - law.first
        if place < 0 or place >= len(share):
            if nothing and place >= len(share):
                yield (
                    f"window {window} for {entry['epsilon']}, B = {entry['content_bound']}, "
                    f"beyond the {len(share)} distances that have a weight"
                )
            continue
        if share[place] > epsilon * (1 + LONG(1e-12)):
            yield (
                f"window {window} for {entry['epsilon']}, B = {entry['content_bound']}, "
                f"but directly {share[place]} lies beyond"
            )
        if nothing and place > 0 and share[place - 1] < epsilon * (1 - LONG(1e-12)):
            yield (
                f"window {window} for {entry['epsilon']}, B = {entry['content_bound']}, "
                f"but {window - 1} is enough: {share[place - 1]} lies beyond"
            )


def reach_checks(law, report):
    for entry in report["reach"]:
        s, p = Scores(law, entry["content_bound"], by_distance=True), LONG(at(entry["weight"], {}, ARRAYS))
        top = max(s.up.max(), s.low.max())
        up, low = numpy.exp(s.up - top), numpy.exp(s.low - top)
        for name, others in (("n", (s.copies * low).sum() - low), ("self_reach", low.cumsum() - low)):
            weight = up / (up + numpy.maximum(others, 0))
            nothing = name == "self_reach" or s.tail_is_nothing(s.low)
            gets = numpy.flatnonzero(weight >= p * (1 + LONG(1e-11)))
            claim = entry[name]
            what = f"{name} = {claim} of weight {entry['weight']}, B = {entry['content_bound']}"
            if (
                isinstance(claim, int)
                and law.first <= claim < law.first + len(weight)
                and weight[claim - law.first] < p * (1 - LONG(1e-11))
            ):
                yield f"reach: {what}, but there the weight is at most {weight[claim - law.first]}"
            if (
                (claim is None or isinstance(claim, int))
                and nothing
                and len(gets)
                and (claim is None or s.n[gets[-1]] > claim)
            ):
                yield f"reach: {what}, but n = {int(s.n[gets[-1]])} can have {weight[gets[-1]]}"


def range_checks(law, report):
    if law.bias_has_length:
        return
    threshold = report["local_range"]["threshold"]
    n = law.distances()
    size, limit = numpy.abs(law.bias(n)), LONG(at(threshold, {}, ARRAYS))
    if not numpy.isfinite(size).all():
        return
    near = numpy.abs(size - limit) <= LONG(1e-15) * (1 + limit)
    last = law.first + law.window - 1 if law.window else None
    for name, good in (("within", (size <= limit) | near), ("literal", (size >= limit) | near)):
        claim = report["local_range"][name]
        if isinstance(claim, dict) and "undecided" in claim:
            continue
        wrong = numpy.flatnonzero(~good)
        if len(wrong):
            expected = None if wrong[0] == 0 else int(n[wrong[0] - 1])
            if claim != expected:
                yield f"local range {name} of {threshold} is {claim}, but directly {expected}"
        elif last is not None and last <= n[-1]:
            if claim != last:
                yield f"local range {name} of {threshold} is {claim}, but directly all of the window, {last}"
        elif claim is None or isinstance(claim, int) and claim < n[-1]:
            yield f"local range {name} of {threshold} is {claim}, but directly it goes beyond {int(n[-1])}"
        elif claim != "unbounded" and (last is None or claim != last):
            yield from far_range(law, name, claim, at(threshold, {}, EXACT))


def far_range(law, name, claim, limit):
    """The end of a range beyond the distances that are tried, at it and after it."""
    if isinstance(claim, dict):
        exponent = mpmath.mpf(claim["log10"])
        if exponent > 1000:
            return
        mpmath.mp.dps = int(exponent) + 60
        unit = mpmath.mpf(10) ** -len(claim["log10"].partition(".")[2])  # of the last digit
        places = [mpmath.floor(10 ** (exponent - unit)), mpmath.ceil(10 ** (exponent + unit))]
    else:
        mpmath.mp.dps = 100
        places = [mpmath.mpf(str(claim)), mpmath.mpf(str(claim)) + 1]
    inside_, beyond = (abs(law.bias(x, EXACT)) for x in places)
    mpmath.mp.dps = 50
    if name == "literal":
        inside_, beyond, limit = -inside_, -beyond, -limit
    if inside_ > limit + mpmath.mpf("1e-25") or beyond < limit - mpmath.mpf("1e-25"):
        yield (
            f"local range {name} ends at {claim}, but |b| there is {mpmath.nstr(inside_, 20)}, "
            f"and after it {mpmath.nstr(beyond, 20)}"
        )


def check(law, report):
    for part in (sum_checks, partial_checks, window_checks, reach_checks, range_checks):
        if part is window_checks and law.has_length or part is reach_checks and law.has_length:
            continue
        try:
            yield from part(law, report)
        except (Unknown, Undefined):
            pass
