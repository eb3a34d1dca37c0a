"""The program probe-attention: a model is trained a little and probed.

python tests/probes/probe_attention_test.py FOLDER-OF-PROGRAMS WORK
"""

import hashlib
import html.parser
import json
import math
import pathlib
import shutil
import sys
import xml.etree.ElementTree

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "model"))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import training_data  # noqa: E402
from closed_schema import closed  # noqa: E402
from programs import Programs  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIG = """
[model]
layers = 2
heads = 2
width = 32
vocabulary = 64
[position]
encoding = "%s"
[training]
context = 32
batch = 8
iterations = 60
learning_rate = 3e-3
warmup = 10
"""


PROBE = closed(json.loads((ROOT / "docs" / "probe.schema.json").read_text()))


class Program(Programs):
    def probe(self, run, *arguments, expect=0, read=None):
        output, _ = self(
            "probe-attention",
            run,
            "--tokens",
            "val.bin",
            "--threads",
            "1",
            "--format",
            "json",
            *arguments,
            expect=expect,
        )
        report = json.loads((self.work / read).read_text() if read else output)
        jsonschema.validate(report, PROBE)
        return report


def test_report(run):
    report = run.probe("alibi", "--lengths", "16..256", "--windows", "3", "--fit", "64")
    assert report["schema"] == 1 and report["encoding"] == "alibi" and report["windows"] == 3
    assert report["lengths"] == [16, 32, 64, 128, 256] and report["contradictions"] == []
    assert report["tested_rows"] == 4 * 5 * 3
    assert [(head["layer"], head["head"]) for head in report["heads"]] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    for head in report["heads"]:
        assert abs(sum(bucket["mass"] for bucket in head["distances"]) - 1) < 1e-5
        assert isinstance(head["window"]["W"], int) and head["window"]["largest_mass_beyond"] <= 1e-3
        for at in head["lengths"]:
            rows, tested, says = at["last_row"], at["tested"], at["predictions"]
            assert rows["rows"] == 3 and at["second_half"]["rows"] == 3 * at["length"] // 2
            assert (
                0
                <= rows["entropy"]["min"]
                <= rows["entropy"]["mean"]
                <= rows["entropy"]["max"]
                <= math.log(at["length"])
            )
            assert (
                abs(sum(at["window_entropy"]) / 3 - at["second_half"]["entropy"]["mean"]) < 1e-9
                and len(at["window_entropy"]) == 3
            )
            for end in ("min", "max"):
                assert abs(rows["entropy"][end] - tested["entropy"][end]) < 1e-4
            for band in (says["bound_band"], says["ranges_band"]):
                assert band["lower"] <= tested["entropy"]["min"] <= tested["entropy"]["max"] <= band["upper"]
            assert says["bound_band"]["width"] >= says["ranges_band"]["width"]
            assert says["zero"]["error"] == says["zero"]["entropy"] - rows["entropy"]["mean"]
        assert [at["length"] for at in head["extrapolation"]] == [128, 256]
        for at, measured in zip(head["extrapolation"], head["lengths"][-2:], strict=True):
            assert at["measured"] == measured["second_half"]["entropy"]["mean"]
            assert set(at["predictors"]) == {"bias", "sphere", "moments", "log", "continued"}
            for name, says in at["predictors"].items():
                for way in ("plain", "from_fit"):
                    assert says[way]["error"] == says[way]["entropy"] - at["measured"], (name, says)
            assert abs(at["predictors"]["continued"]["from_fit"]["error"]) < 0.1, at
    assert report["fit"] == {"tokens": 64, "windows": 62, "reason": None}
    assert run.probe("alibi", "--lengths", "16..256", "--windows", "3", "--fit", "64") == report
    for options, reason in (
        (("--fit", "512"), "not beyond the fit"),
        (("--fit", "64", "--fit-windows", "0"), "--fit-windows 0"),
    ):
        nothing = run.probe("alibi", "--lengths", "128,256", "--windows", "3", *options)
        assert nothing["fit"]["reason"] == reason and all(head["extrapolation"] == [] for head in nothing["heads"])
    # The rows of 64 tokens are the same in windows of 64 that begin at the same places.
    shorter = run.probe("alibi", "--lengths", "64", "--windows", "1")
    longer = run.probe("alibi", "--lengths", "64,256", "--windows", "1")
    for a, b in zip(shorter["heads"], longer["heads"], strict=True):
        assert (
            abs(a["lengths"][0]["last_row"]["entropy"]["mean"] - b["lengths"][0]["last_row"]["entropy"]["mean"]) < 1e-5
        )


def test_exact_ranges_are_the_entropy(run):
    report = run.probe("rope", "--lengths", "32,128", "--windows", "1", "--buckets", "exact", "--dtype", "float64")
    for head in report["heads"]:
        for at in head["lengths"]:
            band = at["predictions"]["ranges_band"]
            entropy = at["last_row"]["entropy"]["mean"]
            assert abs(band["lower"] - entropy) < 1e-6 and abs(band["upper"] - entropy) < 1e-6, (band, entropy)
            assert (
                at["predictions"]["zero"]["entropy"] == math.log(at["length"])
                or abs(at["predictions"]["zero"]["entropy"] - math.log(at["length"])) < 1e-12
            )
        assert head["window"]["W"] is None


def test_contradictions(run):
    report = run.probe("alibi", "--lengths", "64", "--windows", "1", "--content-bound", "weights")
    assert report["contradictions"] == []
    wrong = run.probe("alibi", "--lengths", "64", "--windows", "1", "--content-bound", "1e-3", expect=3)
    kinds = {(one["layer"], one["head"], one["kind"]) for one in wrong["contradictions"]}
    assert all((layer, head, "content") in kinds for layer in (1, 2) for head in (1, 2)), kinds
    assert any(kind == "bound-band" for _, _, kind in kinds) and any(kind == "reach" for _, _, kind in kinds), kinds
    output, errors = run(
        "probe-attention",
        "alibi",
        "--tokens",
        "val.bin",
        "--lengths",
        "64",
        "--windows",
        "1",
        "--content-bound",
        "1e-3",
        expect=3,
    )
    assert "contradiction: layer 1, head 1, T = 64: |c(n)|/w(n) is" in output, output
    assert "probe-attention: layer 2, head 2, T = 64: " in errors, errors


def test_text(run):
    output, _ = run("probe-attention", "rope", "--tokens", "val.bin", "--lengths", "16..128", "--output", "report.txt")
    assert output == ""
    text = (run.work / "report.txt").read_text()
    assert "rope, 2 layers of 2 heads" in text and "no contradiction of a theorem in 64 rows tested" in text, text
    assert max(len(line) for line in text.splitlines()) <= 160, text


def test_audit(run):
    (run.work / "results").mkdir()
    (run.work / "results" / "entropy.json").write_text('{"kept": 1}')
    for encoding in ("alibi", "rope"):
        report = run.probe(
            encoding, "--lengths", "16,64", "--windows", "3", "--audit", f"{encoding}=results/entropy.json"
        )
        mean = sum(head["lengths"][-1]["second_half"]["entropy"]["mean"] for head in report["heads"]) / 4
        found = json.loads((run.work / "results" / "entropy.json").read_text())
        table = found[encoding]["32"]
        tokens, entropy, low, high = table["rows"][-1]
        assert found["kept"] == 1 and table["columns"] == ["tokens", "entropy", "low", "high"] and tokens == 64
        assert abs(entropy - mean) < 1e-9 and low <= entropy <= high, (entropy, mean, low, high)
    (run.work / "claims.toml").write_text("""
schema = 1
title = "Measured"
reference = "none"
[[claim]]
id = "M"
where = "here"
statement = "RoPE has more entropy."
[[claim.reading]]
name = "at 64"
formula = "measured(entropy, alibi, 32, 64) < measured(entropy, rope, 32, 64)"
""")
    output, _ = run("audit-claims", "claims.toml", "--results", "results", "--format", "json")
    verdict = json.loads(output)["claims"][0]["readings"][0]["verdict"]
    rows = {name: found[name]["32"]["rows"][-1] for name in ("alibi", "rope")}
    expected = "undecided"
    if rows["alibi"][3] < rows["rope"][2]:
        expected = "confirmed"
    if rows["alibi"][2] > rows["rope"][3]:
        expected = "refuted"
    assert verdict == expected, (verdict, rows)


def test_plot(run):
    report = run.probe(
        *("alibi", "--lengths", "16..256", "--windows", "2", "--fit", "64", "--output", "report.json"),
        read="report.json",
    )
    run("gpe", "plot", "report.json", "-o", "picture.svg")
    svg = xml.etree.ElementTree.parse(run.work / "picture.svg").getroot()
    texts = ["".join(element.itertext()) for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    for shown in (
        "alibi, trained at 32 tokens; 2 windows of 256 tokens",
        "Entropy by length, nats; T in tokens",
        "Score A(n) by distance, logits; n in tokens",
        "continued from 64 tokens",
        "layer 2",
        "2.2",
    ):
        assert shown in texts, (shown, texts)
    entropy = report["heads"][0]["lengths"][-1]["second_half"]["entropy"]["mean"]
    assert f"{entropy:.1f}" in texts, texts


class PageParser(html.parser.HTMLParser):
    """Whether every tag is closed where it should be, and what the page shows."""

    def __init__(self, text):
        super().__init__()
        self.open, self.identifiers, self.words = [], [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)
        for name, value in attributes:
            assert name not in ("src", "href") and "http" not in (value or ""), (tag, name, value)
            if name == "id":
                self.identifiers.append(value)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.words.append(data)


def test_page(run):
    arguments = ("alibi", "--lengths", "16..256", "--windows", "3", "--fit", "64", "--content-bound", "weights")
    report = run.probe(
        *arguments,
        "--serving-windows",
        "windows.json",
        "--output",
        "report.json",
        read="report.json",
    )
    run("gpe", "page", "report.json", "--output", "page.html")
    text = (run.work / "page.html").read_text()
    page = PageParser(text)
    pictures = [name for name in page.identifiers if not name.startswith("by-")]  # the others choose the order of heads
    assert len(page.identifiers) == len(set(page.identifiers)) > len(pictures) == 3 * 4, "three pictures per head"
    for shown in (
        "alibi",
        "What to do",
        "Entropy at T = 256",
        "Windows at 256 tokens",
        "1.2",
        "convergent-normalization",
    ):
        assert shown in page.words, shown
    entropy = report["heads"][3]["lengths"][-1]["second_half"]["entropy"]["mean"]
    assert f"{entropy:.3f}" in page.words
    named, _ = run("gpe", "page", "report.json")
    assert (named, (run.work / "report.html").read_text()) == ("report.html\n", text)
    (run.work / "wrong.json").write_text("{}")
    _, errors = run("gpe", "page", "wrong.json", expect=2)
    assert "no object with heads; expected a report of probe-attention, gpe.probe or gpe.probe_gates" in errors, errors
    assert report["serving_windows"] == json.loads((run.work / "windows.json").read_text())

    windows = json.loads((run.work / "windows.json").read_text())
    jsonschema.validate(windows, json.loads((ROOT / "docs" / "windows.schema.json").read_text()))
    assert windows["proved_windows_hold_for"] == "every input" and windows["length"] == 256
    for one, head in zip(windows["heads"], report["heads"], strict=True):
        seen = head["statistical_window"]
        assert (
            one["statistical"]["keys"] == seen["W"] + 1
            and seen["rows"] == 3
            and abs(seen["coverage"] ** 3 - 0.05) < 1e-12
        )
        proved = head["window"]["W"] + 1
        assert one["proved"]["keys"] == proved >= one["statistical"]["keys"]
        kind = "statistical" if seen["W"] + 1 < 256 else "full"
        assert one["kind"] == ("certified" if proved < 256 else kind)
        assert one["keys"] == min(256, proved if proved < 256 else seen["W"] + 1)
        assert abs(one["MiB"] + one["MiB_saved"] - 256 * 2 * 16 * 4 / 2**20) < 1e-12
        assert [verdict["verdict"] for verdict in head["verdicts"]] == ["holds", "holds", "fails", "fails"]
        assert list(head["parameters"]) == ["m"]
    rope = run.probe(
        "rope", "--lengths", "64", "--windows", "2", "--fit-windows", "0", "--serving-windows", "windows.json"
    )
    windows = json.loads((run.work / "windows.json").read_text())
    assert all(one["proved"] is None and one["kind"] in ("statistical", "full") for one in windows["heads"])
    assert all(head["verdicts"][0]["verdict"] == "fails" for head in rope["heads"])


def test_bad_input(run):
    for arguments, message in (
        (("absent", "--tokens", "val.bin"), "absent"),
        (("rope", "--tokens", "absent.bin"), "absent.bin"),
        (("rope", "--tokens", "val.bin"), "a window of 16384 needs 16385 tokens; there are 8000"),
        (("rope", "--tokens", "val.bin", "--lengths", "1"), "--lengths"),
        (("rope", "--tokens", "val.bin", "--lengths", "64,64"), "increasing"),
        (("rope", "--tokens", "val.bin", "--buckets", "1,2"), "--buckets"),
        (("rope", "--tokens", "val.bin", "--weight", "2"), "--weight"),
        (("rope", "--tokens", "val.bin", "--epsilon", "0"), "--epsilon"),
        (("rope", "--tokens", "val.bin", "--threshold", "0"), "--threshold"),
        (("rope", "--tokens", "val.bin", "--content-bound", "many"), "--content-bound"),
        (("rope", "--tokens", "val.bin", "--report", "page.html"), "gpe page"),
        (("rope", "--tokens", "val.bin", "--audit", "entropy.json"), "NAME=FILE"),
        (("rope", "--tokens", "val.bin", "--device", "gpu"), "--device"),
        (("rope",), "--tokens"),
    ):
        _, errors = run("probe-attention", *arguments, expect=2)
        assert message in errors, (arguments, errors)


def main():
    programs, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    run = Program(programs, work)
    training_data.write_tokens(work, 64)
    tokens = (work / "val.bin").read_bytes()
    description = {
        "schema": 1,
        "tokens": len(tokens) // 2,
        "vocabulary": 64,
        "end_of_text": 7,
        "sha256": hashlib.sha256(tokens).hexdigest(),
        "tokenizer": {"kind": "bytes"},
    }
    (work / "val.json").write_text(json.dumps(description))  # documents end at 7, and windows begin after it
    for encoding in ("alibi", "rope"):
        (work / "config.toml").write_text(CONFIG % encoding)
        run("train-tsm", "config.toml", "--data", ".", "--output", encoding, "--threads", "1")
    for test in (
        test_report,
        test_exact_ranges_are_the_entropy,
        test_contradictions,
        test_text,
        test_audit,
        test_plot,
        test_page,
        test_bad_input,
    ):
        print(test.__name__, flush=True)
        test(run)


main()
