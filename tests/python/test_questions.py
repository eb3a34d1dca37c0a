"""design, audit, verify, frontier, stack and encodings are the programs' answers; options are typed and known."""

import json
import keyword
import subprocess
import typing

import pytest

import gpe
from gpe._command.completion import options_of
from gpe._verdicts import options as _options


def printed(programs, program, *arguments):
    done = subprocess.run([programs / program, "--format", "json", *arguments], capture_output=True, text=True)
    return json.loads(done.stdout)


def test_the_answers_are_those_of_the_programs(programs, tmp_path):
    asked = {"vary": ["m=1/100..1"], "entropy": ">= 4", "maximize": "m"}
    words = ("--vary", "m=1/100..1", "--entropy", ">= 4", "--maximize", "m")
    assert gpe.design("alibi", **asked) == printed(programs, "design-encoding", "alibi", *words)
    assert gpe.design("alibi", **asked)["outcome"] == "found"
    mine = {"parameters": {"m": {"default": "1"}}, "score": {"bias": "-m*n"}}
    none = gpe.design(mine, vary="m=1/2..1", entropy=">= 6")
    assert none["outcome"] == "infeasible"
    assert gpe.audit(only="T1.i") == printed(programs, "audit-claims", "vetcha2025", "--only", "T1.i")
    claim = "for all m > 0: eb(alibi)"
    assert gpe.audit(claim=claim) == printed(programs, "audit-claims", "--claim", claim)
    found = gpe.frontier(["alibi", "ape"], vary="ape.delta=1/64..1/2", points=3)
    assert found == printed(
        programs, "entropy-frontier", "alibi", "ape", "--vary", "ape.delta=1/64..1/2", "--points", "3"
    )
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps(
            {
                "model_type": "llama",
                "hidden_size": 64,
                "num_attention_heads": 4,
                "num_hidden_layers": 2,
                "rope_theta": 10000,
                "max_position_embeddings": 512,
            }
        )
    )
    layers = gpe.stack(config, context=256)
    assert layers == printed(programs, "check-properties", str(config), "--stack", "--context", "256")
    assert len(repr(layers)) < 200 and "2 layers" in repr(layers) and str(layers).split()[-1] == "256"
    assert "<td>10000</td>" in layers._repr_html_()
    listed = subprocess.run([programs / "check-properties", "--list"], capture_output=True, text=True).stdout
    assert [f"{name} {title}".split() for name, title in gpe.encodings().items()] == [
        line.split() for line in listed.splitlines()
    ]


def test_certificates_of_a_folder(programs, tmp_path):
    gpe.check("alibi", certificates=tmp_path)
    good = gpe.verify(tmp_path, spec="alibi")
    assert len(good) == len(list(tmp_path.glob("*.json"))) > 5 and all(good) and good[0].text.startswith("alibi, ")
    assert not any(gpe.verify(tmp_path, spec="rope"))
    changed = tmp_path / "alibi.cn.every-content.json"
    changed.write_text(changed.read_text().replace("m > 0", "m > 1"))
    [bad] = [one for one in gpe.verify(tmp_path) if not one]
    assert bad.file == str(changed) and "region" in bad.text
    (tmp_path / "empty").mkdir()
    with pytest.raises(gpe.SpecError, match="a folder without certificates"):
        gpe.verify(tmp_path / "empty")
    with pytest.raises(gpe.SpecError, match="absent.json: cannot be read"):
        gpe.verify(tmp_path / "absent.json")


@pytest.mark.parametrize(
    ("options", "program", "of_others"),
    [
        (_options.AsymptoticsOptions, "asymptotics", set()),
        (
            _options.CheckOptions,
            "check-properties",
            {"stack", "context", "cache_dtype", "batch", "page", "sweep", "points", "dry_run"},
        ),
        (_options.CompareOptions, "compare-encodings", set()),
        (_options.CompareConfigsOptions, "compare-configs", set()),
        (_options.DesignOptions, "design-encoding", set()),
        (_options.AuditOptions, "audit-claims", set()),
        (_options.FrontierOptions, "entropy-frontier", set()),
    ],
)
def test_every_option_of_a_program_is_a_typed_keyword(programs, options, program, of_others):
    text = subprocess.run([programs / program, "--help"], capture_output=True, text=True).stdout
    known = {option.name[2:].replace("-", "_") for option in options_of(text)} - {"help", "version"}
    keywords = {f"{name}_" if keyword.iskeyword(name) else name for name in known}
    assert set(typing.get_type_hints(options)) == keywords - set(_options.TEXT_ONLY) - of_others


def test_an_unknown_option_gets_what_was_meant():
    for options, message in (
        ({"m": 0.5}, r"""unknown option 'm'; .* set=\{"m": "1/2"\}"""),
        ({"epsilom": "1e-3"}, "did you mean 'epsilon'"),
        ({"format": "text"}, "the result is a dict"),
    ):
        with pytest.raises(gpe.SpecError, match=message):
            gpe.check("alibi", **options)
    with pytest.raises(gpe.SpecError, match="unknown option 'zz'; expected one of"):
        gpe.compare_configs("a", "b", zz=1)
    with pytest.raises(gpe.SpecError, match="did you mean 'content_bound'"):
        gpe.plot("alibi", content_bond=1)


def test_several_encodings_are_one_report():
    report = gpe.check(["alibi", {"name": "mine", "score": {"bias": "-n/8"}}])
    assert [e["name"] for e in report["encodings"]] == ["alibi", "mine"]
    assert repr(report) == "<CheckReport of alibi, mine>"
    with pytest.raises(gpe.SpecError, match="one may be a dict"):
        gpe.check([{"score": {}}, {"score": {}}])


def test_notebooks_and_tables(tmp_path):
    report = gpe.check("alibi", epsilon="1e-3")
    html = report._repr_html_()
    parts = ["window for 1/1000, B = 1", "2280", "self-reach of weight 1/2", "<th>B</th>", "✓</b> holds", "local range"]
    for part in parts:
        assert part in html, part
    [line] = report.to_dataframe("numbers").to_dict("records")
    assert line["window_1/1000_B1"] == 2280 and line["self_reach_1/2_B1"] == 7 and line["local_range_within"] == 256
    assert line["Z_lower"].startswith("256.50032552")
    [line] = report.to_dataframe("numbers", floats=True).to_dict("records")
    assert line["Z_upper"] == pytest.approx(256.500325520750549)
    assert line["entropy_upper_B1"] == pytest.approx(7.0966225)
    assert gpe.check("rope").to_dataframe("numbers", floats=True)["Z_upper"][0] == float("inf")
    pair = gpe.compare("alibi", "ape")
    assert repr(pair) == "<Comparison of alibi and ape>" and "<td>entropy</td>" in pair._repr_html_()
    for base in (10000, 500000):
        (tmp_path / f"{base}.json").write_text(
            json.dumps(
                {
                    "model_type": "llama",
                    "hidden_size": 64,
                    "num_attention_heads": 4,
                    "num_hidden_layers": 2,
                    "rope_theta": base,
                }
            )
        )
    both = gpe.compare_configs(tmp_path / "10000.json", tmp_path / "500000.json")
    assert "they differ" in repr(both) and "<td>500000</td>" in both._repr_html_() and "base" in str(both)
    assert both.to_dataframe()["what"].tolist() == ["base"]
