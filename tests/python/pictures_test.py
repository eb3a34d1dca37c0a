"""Pictures and pages of reports, and the command gpe that makes them; needs matplotlib and jinja2, and no torch.

python tests/python/pictures_test.py FOLDER-OF-PROGRAMS WORK"""

import copy
import importlib.util
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "probes" / "python"))
sys.path.insert(0, str(ROOT / "tests" / "python"))

from example_reports import at, gates, head, of_python, probe, rows, serving  # noqa: E402


def found(report):
    from gpe._findings import findings

    return {one.title: one for one in findings(report)}


def test_a_calm_model_has_no_suspects():
    calm = probe() | {
        "serving_windows": serving(
            ("certified", 16, True), ("statistical", 32, True), ("full", 64, True), coverage=0.999
        )
    }
    titles = found(calm)
    assert list(titles) == [
        "Attention stays as it was trained, up to 64 tokens",
        "Keep 58.3 % of the cache at 64 tokens",
        "No window holds at every length",
    ]
    assert titles["Keep 58.3 % of the cache at 64 tokens"].kind == "use"


def test_a_cache_is_to_be_used_only_where_it_is_proved_or_seen_in_enough_rows():
    few = found(probe())["The 3 rows tested would do with 58.3 % of the cache at 64 tokens"]
    assert few.kind == "look" and "36.8 % of all rows at 95 % confidence" in few.text
    for kind, says in (("certified", "use"), ("a-posteriori", "look"), ("assumed", "look"), ("statistical", "look")):
        one = probe() | {"serving_windows": serving((kind, 16, True), (kind, 32, True))}
        assert [f.kind for title, f in found(one).items() if "of the cache" in title] == [says], kind
    full = probe() | {"serving_windows": serving(("full", 64, True))}
    assert found(full)["No head can drop keys at 64 tokens"].kind == "look"


def test_even_weights_are_even_at_every_length():
    for length in (8, 64, 462, 16384):
        even = sum(math.log(row + 1) for row in range(length // 2, length)) / (length - length // 2)
        for share in (1.0, 0.96, 0.94):
            one = probe() | {
                "lengths": [length],
                "heads": [head(1, 15, 3) | {"lengths": [at(length, rows(share * even))]}],
            }
            assert ("Nearly even weights" in found(one)) == (share > 0.95), (length, share)


def test_each_rule_finds_its_head():
    wrong = probe()
    wrong["heads"][0]["lengths"][1] = at(64, rows(0.01, 0.99))
    wrong["heads"][1]["lengths"][1] = at(64, rows(4.1, 0.1, 80), 0.95)
    wrong["heads"][2]["lengths"][1] = at(64, rows(2) | {"sink_weight": {"mean": 0.95}})
    wrong["heads"][2]["extrapolation"] = [
        {"length": 64, "predictors": {"continued": {"from_fit": {"entropy": 1.0, "error": -0.7}}}}
    ]
    wrong["contradictions"] = [{"layer": 1, "head": 3, "text": "layer 1, head 3, T = 64: far"}]
    says = found(wrong)
    for title, heads in (
        ("A theorem is broken", ["1.3"]),
        ("One key has it all", ["1.1"]),
        ("Nearly even weights", ["1.2"]),
        ("Large contents", ["1.2"]),
        ("Entropy grows like log T", ["1.2"]),
        ("The sink has the weight", ["1.3"]),
        ("Not as short windows say", ["1.3"]),
        ("Attention changes beyond 32 tokens", ["1.1", "1.2"]),
    ):
        assert says[title].heads == heads, title


def test_the_page_needs_nothing_else_and_escapes_names():
    from gpe._page import page

    text = page(probe())
    for part in ("http:", "https:", "<script", "@import", "src=", "<link", "<mine>"):
        assert part not in text, part
    assert text.count("url(") == text.count("url(#") and "&lt;mine&gt;" in text and "a &lt; b &amp; c" in text
    assert text.count("<svg") == 3 * 3 and text == page(probe())  # entropies, scores and weights of three heads
    assert "Content-Security-Policy\" content=\"default-src 'none'; " in text
    limit = probe() | {"serving_windows": serving(("statistical", 4, False), ("full", 64, True), ("full", 64, True))}
    assert "no: |c| beyond B" in page(
        limit
    ) and "those of 1 of 3 heads are not used: contents beyond their B were seen" in page(limit)
    every = probe()
    for one in every["heads"]:
        one["lengths"][1]["second_half"]["largest_weight"]["mean"] = 0.99
    assert "<span>all heads</span>" in page(every)


def test_the_heads_of_the_page_are_sorted_by_what_is_chosen():
    from gpe._page import page

    report = probe()
    for one, entropy, weight in zip(report["heads"], (1.5, 3.5, None), (0.2, 0.1, 0.9), strict=True):
        one["lengths"][1]["second_half"] = rows(entropy, weight)
    text = page(report)
    assert re.findall(r'id="by-(\d)"( checked)?> ([a-z |]+)<', text) == [
        ("1", " checked", "head"),
        ("2", "", "entropy"),
        ("3", "", "mean distance"),
        ("4", "", "largest weight"),
        ("5", "", "largest |c|"),
    ]
    assert re.findall(r'<tr style="--by-1:(\d);--by-2:(\d);--by-3:(\d);--by-4:(\d);', text) == [
        ("1", "2", "1", "2"),
        ("2", "1", "2", "3"),
        ("3", "3", "3", "1"),
    ]
    for column in range(1, 6):
        assert f"body:has(#by-{column}:checked) .sorted td {{ order: var(--by-{column}); }}" in text


def leaves(value, place=()):
    items = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    if not items:
        yield place
    for key, member in items:
        yield from leaves(member, (*place, key))


def test_no_value_of_a_report_is_markup_or_a_crash():
    """Every leaf of the report in turn is something else: a page that shows it as words, or a refusal."""
    from gpe import SpecError
    from gpe._page import page

    values = ["\"'><script>x</script>", "\n\x1b[2J", 0, -1, 1e308, -1e308, 2**64 - 1, None, [], {}, "x" * 3000, True]
    pages = 0
    good = probe()
    good["heads"] = good["heads"][:2]
    for report, place in [(one, place) for one in (good, gates(2)) for place in leaves(one)]:
        for value in values:
            changed = copy.deepcopy(report)
            inside = changed
            for key in place[:-1]:
                inside = inside[key]
            inside[place[-1]] = value
            try:
                text = page(changed)
            except SpecError:
                continue
            pages += 1
            assert "<script" not in text and "\"'>" not in text and "\x1b" not in text, place
    assert pages > 100


def test_the_page_takes_the_report_of_the_python_package():
    from gpe._page import page

    text = page(of_python())
    assert "Entropy at T = 24" in text and text.count("<svg") == 2


def test_other_objects_are_refused():
    from gpe import SpecError
    from gpe._page import page

    def message(other):
        try:
            page(other, "x.json")
        except SpecError as error:
            return str(error)
        return "accepted"

    assert (
        message({})
        == "x.json: no object with heads; expected a report of probe-attention, gpe.probe or gpe.probe_gates"
    )
    assert (
        message(probe() | {"schema": 2})
        == "x.json: schema is not 1; expected a report of probe-attention, gpe.probe or gpe.probe_gates"
    )
    bare = probe()
    del bare["heads"][1]["distances"]
    assert message(bare).startswith("x.json: not a report in the form of schema 1: ")
    for lengths in ([64, 32], [0, 64], [1.5, 2], "x"):
        assert "lengths" in message(probe() | {"lengths": lengths}), lengths
    turned = probe()
    turned["heads"].reverse()
    assert "no object" not in message(turned | {"heads": [one | {"layer": 3} for one in turned["heads"]]})
    assert "order of layers" in message(turned | {"heads": [one | {"layer": 3} for one in turned["heads"]]})


def contrast(one, other):
    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_words_can_be_read_on_either_ground():
    from gpe._look import COLOURS

    for name, pair in COLOURS.items():
        for ground, colour in zip(COLOURS["paper"], pair, strict=True):
            assert name in ("paper", "grid") or contrast(ground, colour) >= 4.5, (
                name,
                colour,
                contrast(ground, colour),
            )
    assert len({light for light, _ in COLOURS.values()}) == len(COLOURS), (
        "a colour of the light ground stands for one of the dark"
    )


def test_an_encoding_has_one_look_everywhere():
    from gpe._look import Look

    look = Look()
    for names in (["rope", "ape"], ["ape", "alibi", "rope"], ["mine", "ape", "yours"]):
        found = look.of_encodings(names)
        assert found["ape"]["color"] == look["green"]
        assert len({(one["color"], str(one["linestyle"])) for one in found.values()}) == len(names)
    assert look.of_encodings(["alibi-vetcha2025"])["alibi-vetcha2025"]["color"] == look["orange"]
    heads = look.of_encodings(["ape, head 1", "ape, head 2"])
    assert heads["ape, head 1"]["color"] == look["green"] and heads["ape, head 1"] != heads["ape, head 2"]
    many = look.of_encodings([f"e{i}" for i in range(20)])
    assert len({(one["color"], str(one["linestyle"])) for one in many.values()}) == 20


def overlaps(figure):
    """Words that stand over one another, or beyond the edge."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    FigureCanvasAgg(figure)
    figure.canvas.draw()
    renderer, boxes = figure.canvas.get_renderer(), []
    hidden = set()
    for axes in figure.findobj(lambda a: hasattr(a, "get_xaxis")):
        if not axes.get_visible():
            hidden |= set(axes.findobj(Text))
        for axis in (axes.xaxis, axes.yaxis):
            shown = axis._update_ticks()  # the ticks that are drawn; others keep their words
            hidden |= {
                label
                for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]
                if tick not in shown
                for label in (tick.label1, tick.label2)
            }
    for text in figure.findobj(Text):
        if text.get_text().strip() and text.get_visible() and text not in hidden:
            boxes.append((text.get_text(), text.get_window_extent(renderer), text.get_rotation() % 90))
    edge = figure.bbox.padded(2)
    wrong = [
        f"'{words}' is cut off"
        for words, box, _ in boxes
        if box.x0 < edge.x0 or box.x1 > edge.x1 or box.y0 < edge.y0 or box.y1 > edge.y1
    ]
    for i, (one, a, turned) in enumerate(boxes):
        for other, b, too in boxes[i + 1 :]:
            if (
                not (turned or too)
                and a.x0 < b.x1 - 1.5
                and b.x0 < a.x1 - 1.5
                and a.y0 < b.y1 - 2.5
                and b.y0 < a.y1 - 2.5
            ):
                wrong.append(f"'{one}' and '{other}' overlap")
    return wrong


def ask(programs, *arguments):
    return json.loads(
        subprocess.run(
            [programs / arguments[0], *arguments[1:], "--format", "json"], capture_output=True, text=True, check=True
        ).stdout
    )


def reports(programs):
    wide = probe()
    wide["heads"] = [
        head(1, 15, 3) | {"layer": layer, "head": number} for layer in range(1, 13) for number in range(1, 13)
    ]
    return {
        "frontier": ask(
            programs,
            "entropy-frontier",
            "alibi",
            "ape",
            "sliding-window",
            "--vary",
            "alibi.m=1/4096..1/2",
            "--vary",
            "W=16..4096",
            "--points",
            "5",
        ),
        "beyond": ask(programs, "entropy-frontier", "alibi", "rope", "--gain", "beyond"),
        "delta": ask(programs, "entropy-frontier", "--delta-star", "m=1/16,beta=1/10,gamma=1/10"),
        "none": ask(programs, "entropy-frontier", "--delta-star", "m=1/16,beta=3,gamma=1"),
        "compare": ask(
            programs, "compare-encodings", "alibi", "sliding-window", "--set", "W=64", "--vary", "m=1/1000..1/2"
        ),
        "infinite": ask(programs, "compare-encodings", "rope", "ape"),
        "verdicts": ask(programs, "check-properties", "rope", "alibi", "ape"),
        "curves": ask(programs, "check-properties", "ape", "--curves", "50", "--content-bound", "1,5"),
        "beside": ask(programs, "check-properties", "rope", "alibi", "--curves", "50"),
        "several": ask(
            programs,
            "check-properties",
            "alibi",
            "sliding-window",
            "--heads",
            "2",
            "--curves",
            "20",
            "--lengths",
            "64,1000",
        ),
        "design": ask(
            programs,
            "design-encoding",
            "alibi",
            "--vary",
            "m=1/100..1",
            "--content-bound",
            "5",
            "--cache",
            "1e-3 <= 4096",
            "--minimize",
            "entropy",
            "--gap",
            "1e-2",
        ),
        "audit": ask(programs, "audit-claims", "vetcha2025", "--only", "T1.i,P3"),
        "probe": probe(),
        "wide": wide,
        "python": of_python(),
        "gates": gates(6),
        "gate": gates(1),
        "many gates": gates(900),
        "evaluation": {
            "schema": 1,
            "checkpoint": "runs/ape",
            "files": [
                {
                    "file": "val.bin",
                    "series": [
                        {
                            "over": "documents",
                            "windows": 9,
                            "lengths": [
                                {
                                    "length": length,
                                    "whole": {"perplexity": p, "perplexity_interval": [p - 0.1, p + 0.1]},
                                }
                                for length, p in ((64, 5.0), (256, 4.7))
                            ],
                        }
                    ],
                }
            ],
        },
        "recall": {
            "schema": 1,
            "checkpoint": "runs/ape",
            "files": [
                {
                    "file": "r.bin",
                    "recall": [
                        {"distance": 32, "accuracy": 0.9, "accuracy_interval": [0.8, 0.95]},
                        {"distance": 64, "accuracy": None, "accuracy_interval": None},
                    ],
                }
            ],
        },
    }


def test_every_report_is_drawn_with_words_that_can_be_read(programs):
    from gpe._plot import figure_of

    for name, report in reports(programs).items():
        for column in (False, True):
            figure = figure_of(report, name, column=column)
            assert figure.get_size_inches()[0] >= (3.3 if column else 5.5)
            wrong = overlaps(figure)
            assert not wrong, (name, column, wrong)


def test_a_frontier_has_its_points_where_they_are(programs):
    from gpe._plot import figure_of

    report = ask(programs, "entropy-frontier", "alibi", "rope", "--vary", "m=1/100..1", "--points", "5")
    drawn = {tuple(map(float, point)) for line in figure_of(report).axes[0].get_lines() for point in line.get_xydata()}
    points = [p for p in report["points"] if p["H"]["finite"]]
    assert len(points) == 5
    for point in points:
        x, y = point["local_range"] + 1, (float(point["H"]["lower"]) + float(point["H"]["upper"])) / 2
        assert any(abs(x - a) < 1e-9 and abs(y - b) < 1e-9 for a, b in drawn), (x, y)
        assert (x, float(point["least_entropy"]["lower"])) in {(a, b) for a, b in drawn} or point["least_entropy"][
            "finite"
        ]


def test_curves_are_the_numbers_of_the_report(programs):
    """Points of --curves against closed forms, partial sums of the same program, and the picture against the points."""
    from gpe._plot import figure_of

    report = ask(
        programs,
        "check-properties",
        "alibi",
        "--set",
        "m=1/8",
        "--curves",
        "40",
        "--lengths",
        "16,64,1024",
        "--content-bound",
        "1,5",
    )
    [encoding] = report["encodings"]
    points = {p["n"]: p for p in encoding["curves"]}
    assert list(points) == sorted(points) and {0, 1, 2, 1024} <= points.keys() and len(points) <= 40
    for n, p in points.items():
        r = math.exp(-1 / 8)
        z, whole = (1 - r ** (n + 1)) / (1 - r), (1 - r**1025) / (1 - r)
        terms = [math.exp(-k / 8) / z for k in range(n + 1)]
        for key, value in (
            ("A", -n / 8),
            ("weight", r**n / whole),
            ("mass", z / whole),
            ("Z", z),
            ("H", -sum(w * math.log(w) for w in terms)),
        ):
            assert abs(float(p[key]) - value) <= 1e-6 * max(abs(value), 1e-7), (n, key, p[key], value)
        assert [float(v) for v in p["upper"]] == [-n / 8 + 1, -n / 8 + 5] and [float(v) for v in p["lower"]] == [
            -n / 8 - 1,
            -n / 8 - 5,
        ]
        assert p["Z_law"] is None and p["H_law"] is None
    plain = ask(
        programs, "check-properties", "alibi", "--set", "m=1/8", "--lengths", "16,64,1024", "--content-bound", "1,5"
    )
    del encoding["curves"]
    assert plain == report, "without --curves the report is what it was"
    grows = ask(programs, "check-properties", "rope", "--curves", "30", "--lengths", "4096")["encodings"][0]["curves"][
        -1
    ]
    assert (
        float(grows["Z"]) == 4097
        and float(grows["Z_law"]) == 4096
        and abs(float(grows["H_law"]) - math.log(4096)) < 1e-6
    )
    kept = ask(programs, "check-properties", "sliding-window", "--set", "W=16", "--curves", "30", "--lengths", "64")[
        "encodings"
    ][0]["curves"]
    assert all((p["A"] is None) == (p["n"] > 15) and float(p["Z"]) == min(16, p["n"] + 1) for p in kept)
    drawn = {
        tuple(map(float, point))
        for axes in figure_of(report | {"encodings": [encoding | {"curves": list(points.values())}]}).axes
        for line in axes.get_lines()
        for point in line.get_xydata()
    }
    assert {(n, float(p[key])) for n, p in points.items() for key in ("A", "mass", "Z", "H")} <= drawn


def test_rows_of_csv(programs):
    import csv

    lines = subprocess.run(
        [programs / "check-properties", "alibi", "ape", "--format", "csv", "--curves", "9"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rows = list(csv.DictReader(lines.splitlines()))
    assert len(rows) == 18 and {row["encoding"] for row in rows} == {"alibi", "ape"} and float(rows[8]["mass"]) == 1
    lines = subprocess.run(
        [programs / "check-properties", "alibi", "--heads", "2", "--format", "csv"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = {
        (row["head"], row["quantity"], row["reading"], row["content_bound"]): row["value"]
        for row in csv.DictReader(lines.splitlines())
    }
    assert (
        found["2", "convergent-normalization", "every-content", "5"] == "holds"
        and found["1", "local_range", "within", ""] == "16"
    )
    done = subprocess.run([programs / "check-properties", "alibi", "--curves", "9"], capture_output=True, text=True)
    assert done.returncode == 2 and "--curves: expected --format json or csv" in done.stderr


def test_encodings_are_drawn_from_python(programs):
    import gpe

    os.environ["GPE_BIN"] = str(programs)
    assert (
        len(gpe.plot("ape", 20).axes) == 4
        and len(gpe.plot(["alibi", "ape"], 20, set={"m": "1/8"}, column=True).axes) == 8
    )
    try:
        gpe.plot("alibo")
    except gpe.SpecError as error:
        assert "did you mean 'alibi'?" in str(error)
    else:
        raise AssertionError("alibo was drawn")


def command(programs, *arguments, expect=0, given=None, **environment):
    done = subprocess.run(
        [programs / "gpe", *arguments],
        capture_output=True,
        input=given,
        env=os.environ | {"GPE_PYTHON": sys.executable} | environment,
    )
    assert done.returncode == expect, (arguments, done.returncode, done.stderr.decode())
    assert done.stderr.count(b"\n") == (expect != 0), done.stderr
    return done.stdout.decode(), done.stderr.decode()


def test_the_command(programs, work):
    summary, _ = command(programs)
    assert len(summary.splitlines()) <= 10 and command(programs, "--help")[0] == summary
    for word in re.findall(r"(?m)^  ([a-z, ]+?)  +", summary):
        for name in word.split(", "):
            assert f"'{name}' is not known" not in command(programs, name, "--help")[0] if shutil.which(name) else True
    assert command(programs, "check", "rope", "--require", "cn", "--quiet", "--content-bound", "1", expect=3)[
        1
    ].startswith("check-properties: required")
    assert (
        command(programs, "limit", "1/n")[0]
        == subprocess.run([programs / "asymptotics", "1/n"], capture_output=True, text=True).stdout
    )
    assert command(programs, "limit", "--nosuch", expect=2)[1].startswith("asymptotics: ")
    assert "did you mean 'plot'" in command(programs, "plto", expect=2)[1]
    report = json.dumps(ask(programs, "entropy-frontier", "alibi", "ape")).encode()
    (work / "report.json").write_bytes(report)
    for ending, begins in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        command(programs, "plot", work / "report.json", "-o", work / f"a.{ending}")
        command(programs, "plot", "-", "-o", work / f"b.{ending}", given=report)
        assert (work / f"a.{ending}").read_bytes() == (work / f"b.{ending}").read_bytes()
        assert (work / f"a.{ending}").read_bytes().startswith(begins)
    command(
        programs,
        "plot",
        "-",
        "-o",
        work / "named.svg",
        given=report.replace(b'"alibi"', '"al\\u001b[31m\\u202e字"'.encode()),
    )  # no warning of a font
    assert "\\u001b[31m\\u202e" in (work / "named.svg").read_text()  # as text, nothing that a terminal acts on
    assert "prefers-color-scheme: dark" in (work / "a.svg").read_text()
    command(programs, "plot", work / "report.json", "-o", work / "dark.svg", "--ground", "dark")
    assert (
        "#12161b" in (work / "dark.svg").read_text() and "prefers-color-scheme" not in (work / "dark.svg").read_text()
    )
    before = sorted(work.iterdir())
    for arguments, message in (
        (["plot", work / "report.json"], "--output : expected a name that ends in .svg, .png or .pdf"),
        (["plot", work / "report.json", "-o", work / "a.gif"], ".svg, .png or .pdf"),
        (["plot", "-o", work / "c.svg"], "no report given"),
        (["page", work / "report.json", "-o", ""], "--output: the value is empty; expected FILE"),
        (["plot", work / "absent.json", "-o", work / "c.svg"], "absent.json: No such file or directory"),
        (
            ["plot", work / "report.json", "-o", work / "c.png", "--ground", "reader"],
            "light or dark; reader is for .svg",
        ),
        (["plot", "--outptu", "x", work / "report.json"], "did you mean '--output'?"),
        (["page", work / "report.json"], "report.json: no object with heads"),
        (["plot", "-", "-o", work / "c.svg"], "standard input:1:1: not JSON"),
    ):
        assert message in command(programs, *arguments, expect=2, given=b"")[1], message
    assert (
        "nothing to draw; expected the JSON of check-properties"
        in command(programs, "plot", "-", "-o", work / "c.svg", expect=2, given=b"{}")[1]
    )
    assert (
        "nothing to draw"
        in command(programs, "plot", "-", "-o", work / "c.svg", expect=2, given=b'{"encodings": []}')[1]
    )
    for closed, says in (
        ("completion bash >&-", "standard output cannot be written"),
        ("plot - -o c.svg <&-", "standard input: cannot be read"),
        ("plot - -o c.svg <&- 2>&-", ""),
    ):
        done = subprocess.run(["sh", "-c", f"'{programs / 'gpe'}' {closed}"], cwd=work, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (1 + closed.startswith("plot"), says and f"gpe: {says}\n"), (
            closed,
            done,
        )
    command(programs, "plot", work / "report.json", "-o", work / "absent" / "c.svg", expect=1)
    assert sorted(work.iterdir()) == before


def test_without_matplotlib_the_command_says_what_installs_it(programs, work):
    (work / "bare").mkdir()
    bare = work / "bare" / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    report = work / "report.json"
    report.write_text(json.dumps(probe()))
    for arguments in (
        ["plot", report, "-o", work / "no.svg"],
        ["page", report],
        ["plot", "--can", "-o", work / "no.svg"],
    ):
        assert "./setup.sh --plots" in command(programs, *arguments, expect=2, GPE_PYTHON=str(bare))[1]
    done = subprocess.run(
        [programs / "entropy-frontier", "alibi", "--plot", work / "no.svg"],
        capture_output=True,
        text=True,
        env=os.environ | {"GPE_PYTHON": str(bare)},
    )
    assert (
        done.returncode == 2
        and "./setup.sh --plots" in done.stderr
        and done.stdout == ""
        and not (work / "no.svg").exists()
    ), done


def main():
    for package in ("matplotlib", "jinja2"):
        if importlib.util.find_spec(package) is None:
            print(f"SKIPPED: {package} is absent; ./setup.sh --plots installs it")
            return
    programs, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    given = {"programs": programs, "work": work}
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test(**{key: given[key] for key in test.__code__.co_varnames[: test.__code__.co_argcount]})
            print(f"{name}: passed", flush=True)
    assert "torch" not in sys.modules, "pictures and pages need no torch"


if __name__ == "__main__":
    main()
