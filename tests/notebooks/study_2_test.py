"""The answer of the second study of docs/study.md, from runs in which it is known.

python tests/notebooks/study_2_test.py
"""

import json
import pathlib
import sys
import tempfile

import numpy

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "notebooks"), str(SOURCE / "tests" / "bench" / "runs")]
import maxima  # noqa: E402
import study_2  # noqa: E402
from maxima import Hypothesis  # noqa: E402
from study_2_biases import BIASES, STRENGTHS, TRANSFORMS  # noqa: E402

CONVERGENT = (0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1)
ASKED = [
    Hypothesis("convergent", CONVERGENT),
    Hypothesis("ranks", tuple(range(16))),
    Hypothesis("dose", dose=(5, 6, 7, 8, 9, 10)),
    Hypothesis("no rotation", rotation=-1),
]


def outcomes(generator, tasks=2):
    return generator.normal(0, 0.1, (16, 2, tasks, 3))


def test_nothing_is_found_where_there_is_nothing():
    generator = numpy.random.default_rng(1)
    found = 0
    for i in range(60):
        of = outcomes(generator) + generator.normal(0, 0.3, (16, 1, 2, 1))
        of[5:11] = outcomes(generator)[5:11]  # alike along the dose
        p = maxima.adjusted(maxima.statistics(of, ASKED), maxima.greatest(of, ASKED, 199, i))
        found += (p <= 0.05).any()
    assert found <= 8, f"{found} of 60 data sets; 3 expected"


def test_what_is_there_is_found_with_its_size_and_sign():
    generator = numpy.random.default_rng(2)
    of = outcomes(generator)
    of[:, :, 0] += 0.4 * numpy.array(CONVERGENT)[:, None, None]
    of[:, 1, 1] -= 0.3
    of[5:11, :, 1] += 0.1 * numpy.arange(6)[:, None, None]
    statistics = maxima.statistics(of, ASKED)
    p = maxima.adjusted(statistics, maxima.greatest(of, ASKED, 999))
    for h, t in ((0, 0), (2, 1), (3, 1)):
        assert statistics[h, t] > 0 and p[h, t] <= 0.01, (h, t)
    quantile = 3.0
    for h, t, size in ((0, 0, 0.4), (2, 1, 0.1), (3, 1, -0.3)):
        effect, low, high = (of_task[t] for of_task in maxima.effect(of, ASKED[h], quantile))
        assert low <= size <= high and high - low < 0.5 and abs(effect - size) < 0.12, (h, t, effect, low, high)
    assert maxima.statistics(-of, ASKED)[3, 1] < 0, "the other sign"


def test_statistics_have_the_deviation_1_under_permutation():
    of = outcomes(numpy.random.default_rng(3)) + numpy.arange(16)[:, None, None, None] ** 2 / 50
    draw = numpy.random.default_rng(4)
    many = numpy.array([maxima.statistics(of, ASKED, draw) for _ in range(2000)])
    assert abs(many.std(0) - 1).max() < 0.1 and abs(many.mean(0)).max() < 0.1


def test_what_can_be_found_depends_on_the_noise():
    little, much = (
        maxima.least_detectable(ASKED[3], spread, spread, (16, 2, 3), 3.0, sets=50) for spread in (0.05, 0.4)
    )
    assert little < 0.15 and (much is None or much > 3 * little)


def run(bias, transform, seed, far, near=0.9):
    rows = [["recall", length, 4, 40, near if length == 64 else far, 0.1, 1.0] for length in (64, 128, 4096)]
    columns = ["task", "length", "documents", "answers", "accuracy", "constant", "loss"]
    return {"bias": bias, "transform": transform, "seed": seed, "answers": {"columns": columns, "rows": rows}}


def formula(bias):
    held = ["holds" if CONVERGENT[list(BIASES).index(bias)] else "fails"]
    window = 40 if held == ["holds"] else None
    if bias.startswith("log-log"):
        window = {"undecided": "beyond 10^3000"}
    content = {
        "convergent-normalization": held,
        "entropy-boundedness": held,
        "window": [window],
        "reach": [None, len(bias)],
    }
    return content | {"name": f"{bias}-none", "entropy": [[2.0, 3.0 + len(bias)]]}


def stored(folder, pilot=False):
    (folder / "study-2" / "pilot").mkdir(parents=True, exist_ok=True)
    (folder / "theory").mkdir(exist_ok=True)
    for i, bias in enumerate(BIASES):
        for transform in TRANSFORMS:
            for seed in (1, 2, 3):
                far = 0.9 if not CONVERGENT[i] else 0.02
                content = run(bias, transform, seed, far + 0.001 * seed)
                (folder / "study-2" / f"{bias}-{transform}-seed-{seed}.json").write_text(json.dumps(content))
                content = run(bias, transform, seed, 0.5 + 0.01 * i + 0.002 * seed)
                (folder / "study-2" / "pilot" / f"{bias}-{transform}-{seed}.json").write_text(json.dumps(content))
    (folder / "study-2-floors.json").write_text(json.dumps({"tasks": {"recall": {"floor": 0.02}}}))
    formulas = {"encodings": [formula(bias) for bias in BIASES]}
    (folder / "theory" / "study-2.json").write_text(json.dumps(formulas))
    return formulas


def test_stored_runs_are_read_and_claims_refuted():
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        formulas = stored(folder)
        found = study_2.load(folder)
        assert found.outcomes.shape == (16, 2, 1, 3) and study_2.counts(found, "recall")
        assert abs(found.outcomes[0, 0, 0, 0] - (0.901 - 0.02) / 0.98) < 1e-9, "above the floor"
        asked = study_2.hypotheses(formulas, found.biases)
        assert asked[0].values == tuple(float(holds) for holds in CONVERGENT)
        window = dict(zip(found.biases, asked[2].values, strict=True))
        assert window["alibi-2"] < window["log-log-2"] < window["none"], "beyond what is computed, but there"
        assert [found.biases[i] for i in asked[5].dose] == list(STRENGTHS)
        lines, answer = study_2.sentences(found, asked, 199)
        first = dict(zip(answer["recall"]["columns"], answer["recall"]["rows"][0], strict=True))
        assert first["conclusion"] == "contradicted" and abs(first["effect"] + 0.88 / 0.98) < 0.01
        refuted = study_2.refuted(found, "recall")
        assert refuted["convergence suffices"] == study_2.CLAIMS["convergence suffices"][1]
        assert refuted["convergence is essential"] == study_2.CLAIMS["convergence is essential"][1]
        assert refuted["no position is best"] == []
        more, said = study_2.claims(found)
        assert said["refuters"]["convergence suffices"] == 4 and "- recall: convergence suffices (alibi-2" in more[-1]
        (folder / "study-2" / "ape-rope-seed-2.json").unlink()
        assert study_2.load(folder).biases == list(BIASES)[:-1], "not without a seed that others have"


def test_power_is_that_of_the_pilot():
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        stored(folder)
        lines, found = study_2.power(folder, 199)
        of = found["recall"]
        assert abs(of["within"] - 0.002 / 0.98) < 1e-4 and 0.03 < of["between"] < 0.06
        assert of["least"]["no rotation"] < 0.2 and "recall" in lines[-1]


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            print(name, flush=True)
            test()


main()
