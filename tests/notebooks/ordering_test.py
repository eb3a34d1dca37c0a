"""Somers' D by its definition, and tests and intervals that err as often as they say.

python tests/notebooks/ordering_test.py
"""

import itertools
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "notebooks"))
import ordering  # noqa: E402


def by_definition(outcome, predictor):
    told = agreeing = 0
    for (x, u), (y, v) in itertools.combinations(zip(predictor, outcome, strict=True), 2):
        if x != y:
            told += 1
            if u != v:
                agreeing += 1 if (x > y) == (u > v) else -1
    return agreeing / told


def test_somers_d():
    # Agresti, Categorical Data Analysis: of the table [[2, 1], [1, 3]], 6 pairs agree and 1 does
    # not of 12 that the rows tell apart.
    rows, columns = [0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 0, 1, 1, 1]
    assert ordering.somers_d(columns, rows) == (6 - 1) / 12
    assert ordering.somers_d([1, 2, 3], [4, numpy.inf, numpy.inf]) == 1 and numpy.isnan(
        ordering.somers_d([1, 2], [3, 3])
    )
    generator = numpy.random.default_rng(5)
    for _ in range(50):
        outcome, predictor = generator.integers(4, size=12), generator.integers(3, size=12)
        assert numpy.isclose(ordering.somers_d(outcome, predictor), by_definition(outcome, predictor))
        outcome, verdict = generator.normal(size=12), numpy.arange(12) % 3 == 0
        above = numpy.mean([u > v for u in outcome[verdict] for v in outcome[~verdict]])
        assert numpy.isclose(ordering.somers_d(outcome, verdict), 2 * above - 1)
    assert ordering.somers_d([1, 2, 0, 5], [1, 2, numpy.nan, 3]) == ordering.somers_d([1, 2, 5], [1, 2, 3]), (
        "what is undecided tells nothing apart"
    )
    try:
        ordering.somers_d([1, numpy.nan], [1, 2])
    except ValueError:
        return
    raise AssertionError("a NaN was accepted")


def test_the_permutation_test_finds_what_is_there_and_little_else():
    generator = numpy.random.default_rng(6)
    data = ordering.simulated(generator, 12, 3, 2, 2, 0.95, 3)
    p = ordering.permutation_test(*data, count=199)
    assert p.shape == (3, 2) and p[0].max() <= 0.02 and p[1:].min() > 0.02, p
    rejected = 0
    for seed in range(60):  # nothing is there: 5 % of 60 are 3, with four standard deviations 9.8
        data = ordering.simulated(generator, 10, 2, 2, 2, 0.0, 2)
        rejected += ordering.permutation_test(*data, seed=seed, count=39).min() <= 0.05
    assert rejected <= 9, rejected


def test_bounds_hold_what_they_promise():
    generator = numpy.random.default_rng(7)
    truth = 2 / numpy.pi * numpy.arcsin(0.8)  # of two normal variables with that correlation, and without seeds' noise
    inside = 0
    for run in range(40):
        outcomes, predictors, families = ordering.simulated(generator, 30, 1, 1, 2, 0.8, 1)
        d, lower, upper = ordering.bootstrap(outcomes, predictors, families, seed=run, count=199)
        assert lower[0] <= d[0] <= upper[0]
        inside += lower[0] <= truth <= upper[0]
    assert inside >= 33, inside
    data = ordering.simulated(generator, 12, 4, 3, 2, 0.97, 3)
    d, lower, upper = ordering.bootstrap(*data, count=299)
    said = [ordering.conclusion(*at) for at in zip(d, lower, upper, strict=True)]
    assert said[0] == "confirmed" and "confirmed" not in said[1:], (d, lower, upper)
    again = ordering.bootstrap(*data, count=299)
    assert all((one == other).all() for one, other in zip((d, lower, upper), again, strict=True))


def test_conclusions():
    assert ordering.conclusion(0.7, 0.3, 0.9) == "confirmed"
    assert ordering.conclusion(0.7, 0.1, 0.9) == "open" == ordering.conclusion(0.5, 0.3, 0.7)
    assert ordering.conclusion(0.4, 0.3, 0.5) == "not strong"
    assert (
        ordering.testable([0, 0, 0, 0, 1, 1, 1, 1])
        and not ordering.testable([0, 0, 0, 1, 1, 1, 1])
        and not ordering.testable([1, 1])
    )
    assert ordering.testable([1, 2, 3])


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print(f"ok  {name}")
