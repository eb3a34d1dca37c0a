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
    done = subprocess.run([programs / program, "--format", "json", *arguments], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_check_is_the_report_of_check_properties(programs):
    expected = printed(programs, "check-properties", "alibi", "--set", "m=1/2", "--epsilon", "1e-2,1e-3", "--head-dim", "32")
    assert gpe.check("alibi", set={"m": Fraction(1, 2)}, epsilon=["1e-2", "1e-3"], head_dim=32) == expected
    assert list(gpe.check("alibi")) == list(expected), "the order of keys too"


def test_a_dict_is_an_encoding_file():
    report = gpe.check({"name": "mine", "parameters": {"beta": {"default": "3/2", "domain": "beta >= 0"}},
                        "score": {"bias": "-beta*log(1 + n)", "transform": "rotation", "rotation": {"angle": "n/10^j"}}})
    assert report.verdict("convergent-normalization", "every-content") == "holds"
    assert report["encodings"][0]["parameters"] == {"beta": "3/2"}
    assert gpe.check(bias="-n/2").verdict("ldcp", "weight") == "fails"
    with pytest.raises(KeyError):
        report.verdict("ldcp", "wait")


def test_no_file_hides_a_built_in_encoding(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    expected = gpe.check("alibi")
    (tmp_path / "alibi").write_text('schema = 1\nname = "shadow"\n[score]\n')
    assert gpe.check("alibi") == expected
    q = torch.randn(1, 1, 4, 8)
    assert torch.equal(gpe.attention_statistics(q, q, "alibi").entropy, gpe.attention_statistics(q, q, {"score": {"bias": "-n/256"}}).entropy)
    for path in ("./alibi", tmp_path / "alibi", pathlib.Path("alibi")):
        assert gpe.check(path)["encodings"][0]["name"] == "shadow"
    with pytest.raises(gpe.SpecError, match="is an option"):
        gpe.check("--output=report.json")


def test_what_is_wrong_is_said_with_its_place():
    for spec, part in (("alibbi", "did you mean 'alibi'"), ("no/such.toml", "no/such.toml"),
                       ({"score": {"bias": "-bta*n"}}, "unknown name 'bta'"), ({"score": {"bias": 0.5}}, "a string"),
                       (7, "a name, a path or a dict")):
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
        programs, "compare-encodings", "alibi", "ape", "--set", "alibi.m=1/16")
    with pytest.raises(gpe.SpecError):
        gpe.asymptotics("n +")


def test_formulas_become_sympy_expressions():
    parts = gpe.to_sympy("ape")
    n, delta, beta, gamma = (sympy.Symbol(name) for name in ("n", "delta", "beta", "gamma"))
    assert sympy.simplify(parts["bias"] - (-delta * n - beta * sympy.log(1 + n) - gamma * sympy.sqrt(n))) == 0
    assert parts["gain"] == 1 / (1 + sympy.Symbol("lambda") * n)
    assert "angle" in parts and sympy.Function("c")(n) in parts["score"].atoms(sympy.Function)


def test_a_notebook_shows_verdicts():
    html = gpe.check("rope")._repr_html_()
    assert "<table>" in html and "convergent-normalization" in html and "infinite" in html


def test_every_public_name_is_there():
    assert all(getattr(gpe, name) is not None for name in gpe.__all__) and set(gpe.__all__) <= set(dir(gpe))
    with pytest.raises(AttributeError, match="chek"):
        gpe.chek  # noqa: B018
