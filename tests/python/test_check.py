"""check, asymptotics, compare and to_sympy are the programs' answers."""

import json
import pathlib
import subprocess
from fractions import Fraction

import pytest
import sympy
import torch

import gpe


def printed(programs, program, *arguments):
    done = subprocess.run(
        [programs / program, "--format", "json", *arguments], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_check_is_the_report_of_check_properties(programs):
    expected = printed(
        programs, "check-properties", "alibi", "--set", "m=1/2", "--epsilon", "1e-2,1e-3", "--head-dim", "32"
    )
    assert gpe.check("alibi", set={"m": Fraction(1, 2)}, epsilon=["1e-2", "1e-3"], head_dim=32) == expected
    assert list(gpe.check("alibi")) == list(expected), "the order of keys too"


def test_a_dict_is_an_encoding_file():
    report = gpe.check(
        {
            "name": "mine",
            "parameters": {"beta": {"default": "3/2", "domain": "beta >= 0"}},
            "score": {"bias": "-beta*log(1 + n)", "transform": "rotation", "rotation": {"angle": "n/10^j"}},
        }
    )
    assert report.verdict("convergent-normalization", "every-content") == "holds"
    assert report["encodings"][0]["parameters"] == {"beta": "3/2"}
    assert gpe.check(bias="-n/2").verdict("ldcp", "weight") == "fails"


def test_names_are_short_or_long_and_a_wrong_one_gets_the_list():
    report = gpe.check("alibi", beside="rope")
    for property, reading in (
        ("cn", "every-content"),
        ("Convergent_Normalization", "every"),
        ("cn", None),
        ("cn", "e" + "v"),
    ):
        assert report.verdict(property, reading) == "holds" and report.verdict(property, reading, "rope") == "fails"
    assert report.verdict("long-distance correlation", "prob", 1) == "holds"
    assert gpe.check("alibi", require="convergent-normalization=every,eb") == gpe.check(
        "alibi", require=["cn", "eb=limit"]
    )
    for wrong, part in (
        (("convergence",), r"unknown property 'convergence'; expected cn \(convergent-normalization\), eb"),
        (("ldcp", "wait"), "ldcp has no reading 'wait'; expected one of literal, signed, probability, content, weight"),
        (("eb", ""), "expected one of limit, some-content, uniform"),
        (("cn", None, "ape"), r"no encoding 'ape' in the report; expected one of 0 \(alibi\), 1 \(rope\)"),
    ):
        with pytest.raises(gpe.SpecError, match=part):
            report.verdict(*wrong)
    with pytest.raises(gpe.SpecError, match="unknown property"):
        gpe.check("alibi", require="convergence")


def test_gates_at_random_have_verdicts_of_their_own():
    def of(**more):
        return {"name": "gated", "score": {"path": {"low": -2, "high": 1, **more}}}

    report = gpe.check(of(mean="-1/2", mean_exp="5/4"), beside="alibi")
    assert [report.verdict("cn", reading, gates="random") for reading in ("every-content", "expected")] == [
        "holds",
        "fails",
    ]
    assert "limit, random gates" in str(report) and report.verdict("cn", encoding="alibi", gates="random") == "holds"
    for wrong, gates in (("ldcp", "random"), ("cn", "most")):
        with pytest.raises(gpe.SpecError, match=f"gates '{gates}'.*expected"):
            report.verdict(wrong, gates=gates)


def test_reports_print_as_tables(programs):
    text = subprocess.run(
        [programs / "check-properties", "alibi", "rope", "--content-bound", "1"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    shown = str(gpe.check("alibi", beside="rope"))
    for line in (
        "Z",
        "entropy H (nats)",
        "mean distance",
        "local range |b| <= 1",
        "local range |b| >= 1",
        "every-content",
        "weight",
    ):
        cells = next(row.split()[-2:] for row in text.splitlines() if row.strip().startswith(line))
        assert next(row.split()[-2:] for row in shown.splitlines() if row.strip().startswith(line)) == cells, line
    assert not any(line.endswith(" ") for line in shown.splitlines())
    assert "when m > 0" in str(gpe.check("alibi")), "the region of one encoding"
    by_bound = str(gpe.check("log-n", content_bound=["1/1000", "10"]))
    assert "at B = 1/1000, " in by_bound and " at B = 10" in by_bound
    frame = gpe.check("alibi", beside="rope").to_dataframe()
    assert len(frame) == 28 and set(frame.encoding) == {"alibi", "rope"}
    numbers = gpe.check("alibi", beside="rope").to_dataframe("numbers")
    assert numbers.Z_lower.tolist()[1] == "inf" and numbers.H_lower[0].startswith("6.545178")
    assert gpe.check("alibi").plot().axes and len(gpe.check("alibi", curves=20).plot(column=True).axes) == 4
    with pytest.raises(gpe.SpecError, match="'verdicts' or 'numbers'"):
        gpe.check("alibi").to_dataframe("sums")


def test_no_file_hides_a_built_in_encoding(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    expected = gpe.check("alibi")
    (tmp_path / "alibi").write_text('schema = 1\nname = "shadow"\n[score]\n')
    assert gpe.check("alibi") == expected
    q = torch.randn(1, 1, 4, 8)
    assert torch.equal(
        gpe.attention_statistics(q, q, "alibi").entropy,
        gpe.attention_statistics(q, q, {"score": {"bias": "-n/256"}}).entropy,
    )
    for path in ("./alibi", tmp_path / "alibi", pathlib.Path("alibi")):
        assert gpe.check(path)["encodings"][0]["name"] == "shadow"
    with pytest.raises(gpe.SpecError, match="is an option"):
        gpe.check("--output=report.json")


def test_what_is_wrong_is_said_with_its_place():
    for spec, part in (
        ("alibbi", "did you mean 'alibi'"),
        ("no/such.toml", "no/such.toml"),
        ({"score": {"bias": "-bta*n"}}, "unknown name 'bta'"),
        ({"score": {"bias": 0.5}}, "a string"),
        (7, "a name, a path or a dict"),
    ):
        with pytest.raises(gpe.SpecError, match=part):
            gpe.check(spec)
    with pytest.raises(gpe.SpecError, match="head-dim"):
        gpe.check("alibi", head_dim=3)
    with pytest.raises(gpe.SpecError, match="the result is a dict"):
        gpe.check("alibi", format="text")


def test_a_requirement_that_does_not_hold_carries_the_report():
    with pytest.raises(gpe.RequirementError, match="convergent-normalization .* fails") as raised:
        gpe.check("rope", require="cn")
    assert raised.value.report["encodings"][0]["name"] == "rope"
    assert gpe.check("alibi", require="cn")["encodings"][0]["name"] == "alibi"


def test_asymptotics_and_compare(programs):
    expression = "n - sqrt(n^2 + 3*n*log(n))"
    assert gpe.asymptotics(expression, terms=2) == printed(programs, "asymptotics", "--terms", "2", "--", expression)
    assert gpe.asymptotics("-1 + 1/n")["limit"]["value"] == "-1", "an expression may begin with a minus"
    assert gpe.compare("alibi", "ape", set={"alibi.m": "1/16"}) == printed(
        programs, "compare-encodings", "alibi", "ape", "--set", "alibi.m=1/16"
    )
    with pytest.raises(gpe.SpecError):
        gpe.asymptotics("n +")
    dicts = [{"name": f"slope-{k}", "score": {"bias": f"-n/{k}"}} for k in (3, 9)]
    several = gpe.compare("alibi", *dicts)
    assert [[e["name"] for e in pair["encodings"]] for pair in several["pairs"]] == [
        ["alibi", "slope-3"],
        ["alibi", "slope-9"],
        ["slope-3", "slope-9"],
    ]
    assert several["pairs"][2] == gpe.compare(*dicts) and several["pairs"][2]["comparisons"][0]["larger"] == "second"
    assert [line.split() for line in str(several).splitlines() if line.startswith("local-range")] == [
        ["local-range", "256", "3", "alibi"],
        ["local-range", "256", "9", "alibi"],
        ["local-range", "3", "9", "slope-9"],
    ]
    assert several["pairs"][2].plot(dark=True).axes
    with pytest.raises(gpe.SpecError, match=r"expected pairs\[i\].plot\(\)"):
        several.plot()
    assert several.to_dataframe().shape[0] == 3 * len(several["pairs"][0]["comparisons"])


def test_formulas_become_sympy_expressions():
    parts = gpe.to_sympy("ape")
    n, delta, beta, gamma = (sympy.Symbol(name) for name in ("n", "delta", "beta", "gamma"))
    assert sympy.simplify(parts["bias"] - (-delta * n - beta * sympy.log(1 + n) - gamma * sympy.sqrt(n))) == 0
    assert parts["gain"] == 1 / (1 + sympy.Symbol("lambda") * n)
    assert "angle" in parts and sympy.Function("c")(n) in parts["score"].atoms(sympy.Function)


def test_a_notebook_shows_verdicts():
    html = gpe.check("rope")._repr_html_()
    assert "<table>" in html and "convergent-normalization" in html and "infinite" in html


def test_ranges_that_are_open_are_said_to_be():
    report = gpe.check("fire")
    assert "undecided" in str(report).split("local range")[1] and "undecided" in report._repr_html_()


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_text_that_no_program_can_be_given_is_refused(text):
    with pytest.raises(gpe.SpecError, match="expected text without NUL"):
        gpe.check(text)


def test_every_public_name_is_there():
    assert all(getattr(gpe, name) is not None for name in gpe.__all__) and set(gpe.__all__) <= set(dir(gpe))
    with pytest.raises(AttributeError, match="chek"):
        gpe.chek  # noqa: B018
