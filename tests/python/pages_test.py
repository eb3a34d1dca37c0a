"""Pages of reports, and what they find in them; needs matplotlib and jinja2, and no torch.

python tests/python/pages_test.py FOLDER-OF-PROGRAMS WORK"""

import copy
import math
import re

import without_torch
from example_reports import at, gates, head, of_python, probe, rows, serving


def found(report):
    from gpe._plots.findings import findings

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


def test_what_is_continued_is_a_line_from_the_fit():
    from gpe._plots.panels import entropy_panels

    continued = {"length": 64, "predictors": {"continued": {"from_fit": {"entropy": 1.0, "error": -1.0}}}}
    report = probe() | {"fit": {"tokens": 32}, "heads": [head(1, 15, 3) | {"extrapolation": [continued]}]}
    drawn = {part: (x, y) for part, x, y in entropy_panels(report).heads[0].curves}
    assert drawn["predicted"] == ([5.0, 6.0], [drawn["measured"][1][0], 1.0])


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
    from gpe._plots.page import page

    text = page(probe())
    for part in ("http:", "https:", "<script", "@import", "src=", "<link", "<mine>"):
        assert part not in text, part
    assert text.count("url(") == text.count("url(#") and "&lt;mine&gt;" in text and "a &lt; b &amp; c" in text
    assert text.count("<svg") == 3 * 3 and text == page(probe())  # entropies, scores and weights of three heads
    assert "Content-Security-Policy\" content=\"default-src 'none'; " in text
    limit = probe() | {"serving_windows": serving(("statistical", 4, False), ("full", 64, True), ("full", 64, True))}
    limited = page(limit)
    assert "no: |c| beyond B" in limited
    assert "those of 1 of 3 heads are not used: contents beyond their B were seen" in limited
    every = probe()
    for one in every["heads"]:
        one["lengths"][1]["second_half"]["largest_weight"]["mean"] = 0.99
    assert "<span>all heads</span>" in page(every)


def test_scores_are_shown_to_fifty_below_the_top_of_each_head():
    from gpe._plots.page import page

    for depth, words in ((1.5, "logits"), (49.0, "logits"), (70.0, "logits, cut at −50"), (9e5, "logits, cut at −50")):
        steep = probe()
        steep["heads"][1]["distances"][1]["score"] = {"mean": -depth, "variance": 0.0}
        assert f"Up: {words}. Across: n in tokens." in page(steep), depth
    for far, words in ((1e7, "logits, cut at 2"), (-1e300, "logits, cut at −3")):
        steep = probe()
        steep["heads"][1]["distances"][1]["score"] = {"mean": far, "variance": 0.0}
        assert f"Up: {words}. Across: n in tokens." in page(steep), far
    low = probe()  # one whole head far below
    for bucket in low["heads"][1]["distances"]:
        bucket["score"] = {"mean": -300.0, "variance": 0.0}
    assert "Up: logits. Across: n in tokens." in page(low)


def test_the_heads_of_the_page_are_sorted_by_what_is_chosen():
    from gpe._plots.page import page

    report = probe()
    for one, entropy, weight in zip(report["heads"], (1.5, 3.5, None), (0.2, 0.1, 0.9), strict=True):
        one["lengths"][1]["second_half"] = rows(entropy, weight)
    text = page(report)
    assert re.findall(r'id="by-(\d)"( checked)?> ([a-z |,]+)<', text) == [
        ("1", " checked", "head"),
        ("2", "", "entropy"),
        ("3", "", "mean distance"),
        ("4", "", "largest weight, mean"),
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
    from gpe._plots.page import page

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
    from gpe._plots.page import page

    text = page(of_python())
    assert "Entropy at T = 24" in text and text.count("<svg") == 2


def test_other_objects_are_refused():
    from gpe import SpecError
    from gpe._plots.page import page

    def message(other):
        try:
            page(other, "x.json")
        except SpecError as error:
            return str(error)
        return "accepted"

    expected = "expected a report of probe-attention, gpe.probe or gpe.probe_gates"
    assert message({}) == f"x.json: no object with heads; {expected}"
    assert message(probe() | {"schema": 2}) == f"x.json: schema is not 1; {expected}"
    bare = probe()
    del bare["heads"][1]["distances"]
    assert message(bare).startswith("x.json: not a report in the form of schema 1: ")
    for lengths in ([64, 32], [0, 64], [1.5, 2], "x"):
        assert "lengths" in message(probe() | {"lengths": lengths}), lengths
    turned = probe()
    turned["heads"].reverse()
    assert "no object" not in message(turned | {"heads": [one | {"layer": 3} for one in turned["heads"]]})
    assert "order of layers" in message(turned | {"heads": [one | {"layer": 3} for one in turned["heads"]]})


if __name__ == "__main__":
    without_torch.run(globals())
