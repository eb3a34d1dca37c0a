"""Does a predictor put encodings in the order of their outcomes? Somers' D, a permutation test and a bootstrap that
keep families together (docs/study.md).

    .venv/bin/python notebooks/ordering.py      power by simulation

Outcomes are [encoding, task, seed], predictors [predictor, encoding] (infinities are numbers as others, only their
order counts), families one label for each encoding.
"""

import numpy

STRONG, CLEAR = 0.6, 0.2
PERMUTATIONS = RESAMPLES = 9999
NOISE = 0.2  # of seeds, in the simulation of power: their deviation by that of encodings


def signs(values, undecided=False):
    """[..., i, j]: whether value i is greater (1), equal (0) or less (-1); 0 where one is NaN, which only predictors
    may be: what is undecided tells nothing apart."""
    values = numpy.asarray(values, float)
    if not undecided and numpy.isnan(values).any():
        raise ValueError("a value is not a number")
    return (values[..., :, None] > values[..., None, :]).astype(float) - (values[..., :, None] < values[..., None, :])


def somers_d(outcome, predictor):
    """Of the outcome given the predictor: over the pairs that the predictor tells apart, those in its order less those
    against it, by all of them. NaN when there are none. Of a predictor with two values it is 2 AUC - 1."""
    return float(all_d(numpy.reshape(outcome, (1, -1)), numpy.reshape(predictor, (1, -1)))[0, 0])


def all_d(outcomes, predictors):
    """[predictor, task] of outcomes [task, encoding] and predictors [predictor, encoding]."""
    by_predictor, by_outcome = signs(predictors, undecided=True), signs(outcomes)
    pairs = (by_predictor != 0).sum((-2, -1)).astype(float)
    with numpy.errstate(invalid="ignore"):
        return numpy.einsum("pij,tij->pt", by_predictor, by_outcome) / pairs[:, None]


def blocks(families):
    """Where the encodings of each family stand."""
    return [numpy.flatnonzero(numpy.asarray(families) == family) for family in dict.fromkeys(families)]


def permuted(outcomes, predictors, families, seed=1, count=PERMUTATIONS):
    """D [predictor, task] of each permutation: outcomes move between encodings in whole families, which are put
    in random order and follow each other."""
    outcomes = numpy.asarray(outcomes, float).mean(-1).T
    groups = blocks(families)
    ordered = numpy.concatenate(groups)
    outcomes, predictors = outcomes[:, ordered], numpy.asarray(predictors, float)[:, ordered]
    sizes = numpy.cumsum([0, *map(len, groups)])
    spans = [numpy.arange(sizes[i], sizes[i + 1]) for i in range(len(groups))]
    generator = numpy.random.default_rng(seed)
    for _ in range(count):
        order = numpy.concatenate([spans[i] for i in generator.permutation(len(spans))])
        order = numpy.roll(
            order, generator.integers(len(order))
        )  # so that families of other sizes do not stand against each other alone
        yield all_d(outcomes[:, order], predictors)


def permutation_test(outcomes, predictors, families, seed=1, count=PERMUTATIONS):
    """P values [predictor, task], each against the greatest D of all predictors and tasks. One-sided, as hypotheses
    have a sign."""
    seen = all_d(numpy.asarray(outcomes, float).mean(-1).T, predictors)
    above = numpy.ones_like(seen)
    for d in permuted(outcomes, predictors, families, seed, count):
        above += numpy.nanmax(d) >= seen - 1e-12
    return numpy.where(numpy.isnan(seen), numpy.nan, above / (count + 1))


def bootstrap(outcomes, predictors, families, seed=1, count=RESAMPLES, level=0.95):
    """D of each predictor, the mean over tasks, and simultaneous bounds at `level`: families are drawn anew, then the
    seeds of each encoding drawn."""
    outcomes, predictors = numpy.asarray(outcomes, float), numpy.asarray(predictors, float)
    groups = blocks(families)
    generator = numpy.random.default_rng(seed)
    mean = all_d(outcomes.mean(-1).T, predictors).mean(1)
    deviations = []
    while len(deviations) < count:
        drawn = numpy.concatenate([groups[i] for i in generator.integers(len(groups), size=len(groups))])
        seeds = generator.integers(outcomes.shape[2], size=(len(drawn), outcomes.shape[2]))
        values = outcomes[drawn[:, None, None], numpy.arange(outcomes.shape[1])[:, None], seeds[:, None, :]].mean(-1)
        deviations.append(all_d(values.T, predictors[:, drawn]).mean(1) - mean)
    deviations = numpy.array(deviations)
    deviations = deviations[~numpy.isnan(deviations).any(1)]  # one family alone tells nothing apart
    margin = (1 - level) / 2
    return mean, mean - numpy.quantile(deviations.max(1), 1 - margin), mean - numpy.quantile(deviations.min(1), margin)


def conclusion(d, lower, upper):
    """What is said of a predictor."""
    if d >= STRONG and lower > CLEAR:
        return "confirmed"
    return "not strong" if upper < STRONG else "open"


def testable(verdict, least=4):
    """A predictor of two values needs enough encodings on each side."""
    values, counts = numpy.unique(verdict, return_counts=True)
    return len(values) > 2 or (len(values) == 2 and counts.min() >= least)


def simulated(generator, families, members, tasks, seeds, strength, predictors):
    """Outcomes that follow the first predictor with correlation `strength`; half the rest belongs to families. The
    other predictors say nothing."""
    labels = numpy.repeat(numpy.arange(families), members)
    count = len(labels)

    def mixed(shape):
        return numpy.sqrt(0.5) * (
            generator.normal(size=(*shape, families))[..., labels] + generator.normal(size=(*shape, count))
        )

    values = mixed((predictors,))
    outcomes = strength * values[0] + numpy.sqrt(1 - strength**2) * mixed((tasks,))
    return outcomes.T[..., None] + NOISE * generator.normal(size=(count, tasks, seeds)), values, labels.tolist()


def power(strength, runs=50, families=22, members=2, tasks=4, seeds=2, predictors=6, count=199):
    """How often the first predictor is confirmed, and how often any other is; the mean D of the first."""
    generator = numpy.random.default_rng(1)
    confirmed = others = 0
    mean = 0.0
    for run in range(runs):
        data = simulated(generator, families, members, tasks, seeds, strength, predictors)
        d, lower, upper = bootstrap(*data, seed=run, count=count)
        said = [conclusion(*at) == "confirmed" for at in zip(d, lower, upper, strict=True)]
        confirmed, others, mean = confirmed + said[0], others + any(said[1:]), mean + d[0]
    return confirmed / runs, others / runs, mean / runs


if __name__ == "__main__":
    print("correlation  mean D  confirmed  another one confirmed")
    for correlation in (0.0, 0.5, 0.7, 0.8, 0.9):
        first, other, d = power(correlation)
        print(f"{correlation:11.2f}  {d:6.2f}  {first:9.2f}  {other:21.2f}")
