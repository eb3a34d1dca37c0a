"""Which differences between biases are larger than chance: the statistics of the second study (docs/study.md).

Outcomes are [bias, transform, task, seed]; transforms are none, then rotations. A hypothesis has a sign: more is
better. Each statistic is divided by its deviation under its own permutations, so that the greatest of all is fair to
all."""

from dataclasses import dataclass

import numpy

RESAMPLES = 9999
LEVEL = 0.05


@dataclass(frozen=True)
class Hypothesis:
    """Of all biases: a number of each, 0 or 1 or ranks. Of a dose: biases in its order. Of the transform: a sign."""

    name: str
    values: tuple = ()
    dose: tuple = ()  # places of biases
    rotation: int = 0  # -1: rotations read less far


def centred(values):
    return values - values.mean(0)


def of_biases(values, outcomes, order):
    """outcomes [bias, task], their rows in the given order."""
    x, y = centred(numpy.asarray(values, float)), centred(outcomes)
    scale = numpy.sqrt((x**2).sum() * (y**2).sum(0) / (len(x) - 1))
    return x @ y[order] / numpy.where(scale > 0, scale, numpy.inf)


def of_dose(outcomes, orders):
    """outcomes [dose, stratum, task]; orders [dose, stratum], of each stratum its own."""
    x, y = centred(numpy.arange(len(outcomes), dtype=float)), centred(outcomes)
    moved = numpy.take_along_axis(y, orders[:, :, None], 0)
    scale = numpy.sqrt((x**2).sum() * (y**2).sum((0, 1)) / (len(x) - 1))
    return numpy.einsum("d,dst->t", x, moved) / numpy.where(scale > 0, scale, numpy.inf)


def of_pairs(differences, signs):
    """differences [bias, task]."""
    scale = numpy.sqrt((differences**2).sum(0))
    return signs @ differences / numpy.where(scale > 0, scale, numpy.inf)


def strata(outcomes, dose):
    """[dose, transform and seed, task]"""
    chosen = numpy.moveaxis(outcomes[list(dose)], 2, 3)
    return chosen.reshape(len(dose), -1, outcomes.shape[2])


def statistics(outcomes, hypotheses, draw=None):
    """[hypothesis, task]; of permuted outcomes where there is a generator to draw from. All hypotheses about all biases
    see the same permutation, and so do all tasks."""
    means = outcomes.mean((1, 3))
    differences = outcomes[:, 1].mean(-1) - outcomes[:, 0].mean(-1)
    order = numpy.arange(len(means)) if draw is None else draw.permutation(len(means))
    signs = numpy.ones(len(means)) if draw is None else draw.choice([-1.0, 1.0], len(means))
    result = []
    for hypothesis in hypotheses:
        if hypothesis.rotation:
            result.append(hypothesis.rotation * of_pairs(differences, signs))
        elif hypothesis.dose:
            of = strata(outcomes, hypothesis.dose)
            orders = numpy.tile(numpy.arange(len(of))[:, None], (1, of.shape[1]))
            result.append(of_dose(of, orders if draw is None else draw.permuted(orders, axis=0)))
        else:
            result.append(of_biases(hypothesis.values, means, order))
    return numpy.array(result)


def greatest(outcomes, hypotheses, count=RESAMPLES, seed=1):
    """Of each permutation, the greatest of all statistics without their signs."""
    draw = numpy.random.default_rng(seed)
    return numpy.array([abs(statistics(outcomes, hypotheses, draw)).max() for _ in range(count)])


def adjusted(found, greatest_of):
    """P of each statistic against the greatest of all."""
    return (1 + (greatest_of[:, None, None] >= abs(found)).sum(0)) / (1 + len(greatest_of))


def effect(outcomes, hypothesis, quantile):
    """(estimate, low, high) for each task, of intervals that hold for all at once. Of two sides the difference of their
    means, of an order the correlation, of a dose the change for each step, of rotations the change."""
    if hypothesis.rotation:
        of = outcomes[:, 1].mean(-1) - outcomes[:, 0].mean(-1)
        return around(of.mean(0), quantile * of.std(0, ddof=1) / len(of) ** 0.5)
    if hypothesis.dose:
        of = centred(strata(outcomes, hypothesis.dose))
        x = centred(numpy.arange(len(of), dtype=float))
        slopes = numpy.einsum("d,dst->st", x, of) / (x**2).sum()
        return around(slopes.mean(0), quantile * slopes.std(0, ddof=1) / len(slopes) ** 0.5)
    means, values = outcomes.mean((1, 3)), numpy.asarray(hypothesis.values)
    if set(values) == {0, 1}:
        sides = [means[values == side] for side in (1, 0)]
        error = sum(side.var(0, ddof=1) / len(side) for side in sides) ** 0.5
        return around(sides[0].mean(0) - sides[1].mean(0), quantile * error)
    r = of_biases(values, means, numpy.arange(len(means))) / (len(means) - 1) ** 0.5
    middle, margin = numpy.arctanh(numpy.clip(r, -0.999999, 0.999999)), quantile / (len(means) - 3) ** 0.5
    return r, numpy.tanh(middle - margin), numpy.tanh(middle + margin)


def around(middle, margin):
    return middle, middle - margin, middle + margin


def simulated(hypothesis, size, spread, noise, shape, draw):
    """Outcomes [bias, transform, 1, seed] in which the hypothesis is true by `size`, in the unit of effect()."""
    biases, transforms, seeds = shape
    own = draw.normal(0, 1, biases)
    change = numpy.zeros((biases, transforms))
    if hypothesis.rotation:
        change[:, 1] = hypothesis.rotation * size + draw.normal(0, spread, biases)
        base = spread * own
    elif hypothesis.dose:
        base = spread * own
        base[list(hypothesis.dose)] = size * numpy.arange(len(hypothesis.dose))
    else:
        values = numpy.asarray(hypothesis.values, float)
        if set(values) == {0, 1}:
            base = size * values + spread * own
        else:
            standard = centred(values) / values.std()
            base = spread * (size * standard + (1 - size**2) ** 0.5 * own)
    result = (base[:, None] + change)[:, :, None, None]
    return result + draw.normal(0, noise, (biases, transforms, 1, seeds))


def least_detectable(hypothesis, spread, noise, shape, quantile, sets=200, wanted=0.8, seed=1):
    """The least of SIZES that is found in `wanted` of the data sets against the quantile of the greatest, or None."""
    for size in SIZES:
        draw = numpy.random.default_rng(seed)
        found = [
            statistics(simulated(hypothesis, size, spread, noise, shape, draw), [hypothesis])[0, 0] > quantile
            for _ in range(sets)
        ]
        if numpy.mean(found) >= wanted:
            return size
    return None


SIZES = tuple(round(0.02 * step, 2) for step in range(1, 50))
