"""The answer of docs/study.md from runs in which it is known.

python tests/notebooks/study_test.py [WORK]
"""

import json
import pathlib
import sys
import tempfile

import numpy

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "notebooks"), str(SOURCE / "tests" / "bench" / "runs")]
import ordering  # noqa: E402
import study  # noqa: E402
import study_encodings  # noqa: E402
import study_limits  # noqa: E402

COLUMNS = ["task", "length", "documents", "answers", "accuracy", "constant", "loss"]


def formula(name, convergent, window, growth, reach=3):
    held = ["holds" if convergent else "fails"] * 2
    return {
        "name": name,
        "convergent-normalization": held,
        "entropy-boundedness": held,
        "ldcp": ["fails"] * 2,
        "gps": ["holds"] * 2,
        "window": [window, 1],
        "reach": [reach, "unbounded"] if reach is None else [reach, None],
        "entropy": [[2.0, 2.0 + growth], [1.0, 1.0 + growth]],
    }


def write(folder, name, family, seed, far, near=0.9):
    """A task whose outcome beyond 64 tokens is `far`, and one that is never learned."""
    rows = [
        ["copy", length, 4, 40, 0.2 + 0.8 * (near if length == 64 else far), 0.2, 1 - far] for length in (64, 128, 256)
    ]
    rows += [["sort", length, 4, 40, 0.25, 0.2, 2.0] for length in (64, 128, 256)]
    (folder / f"{name}-seed-{seed}.json").write_text(
        json.dumps({"encoding": name, "family": family, "seed": seed, "answers": {"columns": COLUMNS, "rows": rows}})
    )


def made(folder, generator, strength):
    """Outcomes that follow the window with this correlation, of 12 families of 3."""
    (folder / "study").mkdir(parents=True)
    (folder / "theory").mkdir()
    formulas = []
    for i in range(36):
        name, follows, rest = f"e{i:02}", generator.normal(), generator.normal()
        formulas.append(
            formula(name, i % 3 == 0, None if follows > 1.5 else round(100 * numpy.exp(follows)), generator.normal())
        )
        for seed in (1, 2):
            write(
                folder / "study",
                name,
                f"f{i // 3}",
                seed,
                1 / (1 + numpy.exp(-strength * follows - (1 - strength**2) ** 0.5 * rest - 0.05 * generator.normal())),
            )
    (folder / "theory" / "study.json").write_text(json.dumps({"encodings": formulas}))
    return study.load(folder / "study"), {"encodings": formulas}


def test_outcomes_are_corrected_for_chance_and_a_seed_stands_for_one_that_lacks(work):
    (work / "few").mkdir()
    for seed in (1, 2):
        write(work / "few", "a", "one", seed, 0.5 + 0.1 * seed, near=0.3)
    write(work / "few", "b", "two", 1, 0.1)
    both = study.load(work / "few")
    assert (
        both.encodings == ["a", "b"]
        and both.runs == [[1, 2], [1]]
        and numpy.allclose(both.outcomes[1], [[0.1, 0.1], [0.0625, 0.0625]])
    )
    assert "With fewer seeds: b." in study.markdown(both, None)
    found = study.load(work / "few", whole=True)
    assert (
        found.encodings == ["a"]
        and found.runs == [[1, 2]]
        and found.families == ["one"]
        and found.seeds == [1, 2]
        and found.tasks == ["copy", "sort"]
    )
    assert numpy.allclose(found.outcomes, [[[0.6, 0.7], [0.0625, 0.0625]]]) and numpy.allclose(
        found.losses, [[[0.4, 0.3], [2, 2]]]
    )
    assert numpy.allclose(found.trained, [[0.3, 0.0625]]) and study.counted_tasks(found) == []


def test_predictors_are_of_all_heads():
    of = study.primary(formula("a", True, None, 0.25))
    assert (
        of["convergent"] == 1
        and of["window"] == numpy.inf
        and of["reach"] == 3
        and numpy.isclose(of["slow entropy"], -0.25)
        and of["all four"] == 0
    )
    assert study.primary(formula("a", False, 7, 0, reach=None))["reach"] == numpy.inf
    assert (
        study.verdict(["holds", "fails"]) == 0
        and numpy.isnan(study.verdict(["holds", "undecided"]))
        and study.verdict(["undecided", "fails"]) == 0
    )
    undecided = study.primary(formula("a", False, {"undecided": "why"}, 0))
    assert numpy.isnan(undecided["window"]) and undecided["reach"] == 3
    assert study.number({"log10": "40"}, 0) == 1e40 and study.number("123456789012345678901", 0) > 1e20


def test_what_cannot_be_tested_or_coincides_is_left_out():
    formulas = {"encodings": [formula(str(i), i < 5, 10 + i, i / 10) for i in range(10)]}
    names, values, left_out = study.predictors(formulas, [str(i) for i in range(10)])
    assert names == ["convergent", "window", "slow entropy"] and values.shape == (3, 10)
    assert left_out == {
        "bounded entropy": "the same as convergent",
        "reach": "not testable",
        "all four": "not testable",
    }, left_out
    assert (
        "convergent"
        not in study.predictors({"encodings": formulas["encodings"][2:]}, [str(i) for i in range(2, 10)])[0]
    )


def test_the_answer_finds_what_is_there(work):
    generator = numpy.random.default_rng(8)
    found, formulas = made(work / "strong", generator, 0.97)
    names, values, _ = study.predictors(formulas, found.encodings)
    counted = study.counted_tasks(found)
    assert [found.tasks[t] for t in counted] == ["copy"], "half of the encodings have to solve a task"
    expected = ordering.somers_d(found.outcomes[:, 0].mean(-1), values[names.index("window")])
    of = study.answer(found, formulas, resamples=299)
    text = "\n".join(study.markdown(found, of))
    row = next(line for line in text.splitlines() if line.startswith("| window"))
    assert f"| {expected:.2f} * |" in row and row.endswith("| confirmed |"), text
    stored = study.stored(found, of)
    assert numpy.allclose([row[1] for row in stored["seed-2"]["rows"]], found.outcomes[:, 0, 1], atol=1e-4)
    window = next(row for row in stored["predictors"]["rows"] if row[0] == "window")
    assert numpy.allclose(window[1], expected, atol=1e-4) and window[2] < window[1] < window[3]
    assert (
        text.count("confirmed") == 1
        and "36 encodings in 12 families, 2 seeds, 72 runs" in text
        and "all four: not testable" in text
    ), text
    few = study.Study(
        **vars(found) | {"outcomes": numpy.where(numpy.arange(36)[:, None, None] < 8, found.outcomes, 0.05)}
    )
    assert not study.counted_tasks(few), "a quarter has to read farther than it learned"
    some = study.solvers(found)
    assert some.encodings == found.encodings
    found.trained[:3, 0] = 0.4
    assert study.solvers(found).encodings == found.encodings[3:]


def test_the_answer_finds_little_where_nothing_is(work):
    generator = numpy.random.default_rng(9)
    rejected = 0
    for run in range(20):  # 5 % of 20 is 1, with four standard deviations 4.9
        found, formulas = made(work / f"weak-{run}", generator, 0.0)
        text = "\n".join(study.markdown(found, study.answer(found, formulas, resamples=99)))
        assert "confirmed" not in text, text
        rejected += " * |" in text
    assert rejected <= 4, rejected


def test_the_encodings_are_as_many_as_the_page_says():
    page = (SOURCE / "docs" / "study.md").read_text()
    families = {encoding.family for encoding in study_encodings.ENCODINGS}
    assert f"{len(study_encodings.ENCODINGS)} encodings in {len(families)} families" in page
    runs = len(list((SOURCE / "docs" / "results" / "study").glob("*.json")))
    assert f"{runs} of {2 * len(study_encodings.ENCODINGS)} runs exist" in page
    assert (
        len({encoding.name for encoding in study_encodings.ENCODINGS})
        == len(study_encodings.ENCODINGS)
        == len(study_encodings.IN_TURN)
        >= 40
    )
    assert len({encoding.family for encoding in study_encodings.IN_TURN[: len(families)]}) == len(families) >= 12, (
        "one of each family first"
    )
    stored = json.loads((SOURCE / "docs" / "results" / "theory" / "study.json").read_text())["encodings"]
    assert [of["name"] for of in stored] == [encoding.name for encoding in study_encodings.ENCODINGS]
    for of in stored:
        study.primary(of)


def test_the_page_has_the_answer():
    page, results = (SOURCE / "docs" / "study.md").read_text(), SOURCE / "docs" / "results"
    formulas, found = json.loads((results / "theory" / "study.json").read_text()), study.load(results / "study")
    answer = study.answer(found, formulas)
    lines = [
        *study.markdown(found, answer),
        *study.exploratory(found, formulas),
        *study.learned(results),
        *study.afterwards(results, found),
        *study_limits.lines(results),
    ]
    assert [line for line in lines if line and line not in page] == []
    assert study.stored(found, answer) == json.loads((results / "study-answer.json").read_text())


def test_the_floor_of_counting_is_that_of_texts_that_are_drawn():
    generator = numpy.random.default_rng(3)
    for length in (64, 256):
        answers, right = length // 2 - 2, []
        for _ in range(4000):
            counts = numpy.concatenate([numpy.arange(run) for run in generator.integers(2, 13, answers)])[:answers]
            guesses = numpy.where(counts[:-1] == 11, 0, counts[:-1] + 1)
            right.append((1 + (guesses == counts[1:]).sum()) / answers)
        error = numpy.std(right) / len(right) ** 0.5
        assert abs(numpy.mean(right) - study_limits.floor_of_count(length)) < 4 * error


def test_the_noise_of_seeds_is_found():
    generator = numpy.random.default_rng(4)
    encodings = [f"e{i}" for i in range(4000)]
    outcomes = generator.normal(size=(4000, 1, 1)) + 0.5 * generator.normal(size=(4000, 1, 2))
    runs = [[1, 2]] * 4000
    made = study.Study(encodings, encodings, ["count"], [1, 2], outcomes, outcomes, outcomes[..., 0], runs)
    assert abs(study_limits.noise(made, "count") - 0.5) < 0.05


with tempfile.TemporaryDirectory() as temporary:
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test(*[pathlib.Path(temporary)] * test.__code__.co_argcount)
            print(f"ok  {name}")
