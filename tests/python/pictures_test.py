"""Pictures of reports; needs matplotlib and jinja2, and no torch.

python tests/python/pictures_test.py FOLDER-OF-PROGRAMS WORK"""

import os

import without_torch
from example_reports import evaluation, gates, head, of_python, probe, recall
from without_torch import ask


def contrast(one, other):
    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_words_can_be_read_on_either_ground():
    from gpe._plots.look import COLOURS

    for name, pair in COLOURS.items():
        for ground, colour in zip(COLOURS["paper"], pair, strict=True):
            seen = contrast(ground, colour)
            assert name in ("paper", "grid") or seen >= 4.5, (name, colour, seen)
    assert len({light for light, _ in COLOURS.values()}) == len(COLOURS), (
        "a colour of the light ground stands for one of the dark"
    )


def test_an_encoding_has_one_look_everywhere():
    from gpe._plots.look import Look

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
            beside = a.x0 >= b.x1 - 1.5 or b.x0 >= a.x1 - 1.5
            above = a.y0 >= b.y1 - 2.5 or b.y0 >= a.y1 - 2.5
            if not (turned or too or beside or above):
                wrong.append(f"'{one}' and '{other}' overlap")
    return wrong


def reports(programs):
    wide = probe()
    wide["heads"] = [
        head(1, 15, 3) | {"layer": layer, "head": number} for layer in range(1, 13) for number in range(1, 13)
    ]
    frontier = "entropy-frontier alibi ape sliding-window --vary alibi.m=1/4096..1/2 --vary W=16..4096 --points 5"
    design = "design-encoding alibi --vary m=1/100..1 --content-bound 5 --cache '1e-3 <= 4096'"
    return {
        "frontier": ask(programs, frontier),
        "beyond": ask(programs, "entropy-frontier alibi rope --gain beyond"),
        "delta": ask(programs, "entropy-frontier --delta-star m=1/16,beta=1/10,gamma=1/10"),
        "none": ask(programs, "entropy-frontier --delta-star m=1/16,beta=3,gamma=1"),
        "compare": ask(programs, "compare-encodings alibi sliding-window --set W=64 --vary m=1/1000..1/2"),
        "infinite": ask(programs, "compare-encodings rope ape"),
        "verdicts": ask(programs, "check-properties rope alibi ape"),
        "curves": ask(programs, "check-properties ape --curves 50 --content-bound 1,5"),
        "beside": ask(programs, "check-properties rope alibi --curves 50"),
        "several": ask(programs, "check-properties alibi sliding-window --heads 2 --curves 20 --lengths 64,1000"),
        "design": ask(programs, f"{design} --minimize entropy --gap 1e-2"),
        "audit": ask(programs, "audit-claims vetcha2025 --only T1.i,P3"),
        "probe": probe(),
        "wide": wide,
        "python": of_python(),
        "gates": gates(6),
        "gate": gates(1),
        "many gates": gates(900),
        "evaluation": evaluation(),
        "recall": recall(),
    }


def test_every_report_is_drawn_with_words_that_can_be_read(programs):
    from gpe._plots.figure import figure_of

    for name, report in reports(programs).items():
        for column in (False, True):
            figure = figure_of(report, name, column=column)
            assert figure.get_size_inches()[0] >= (3.3 if column else 5.5)
            wrong = overlaps(figure)
            assert not wrong, (name, column, wrong)


def test_a_frontier_has_its_points_where_they_are(programs):
    from gpe._plots.figure import figure_of

    report = ask(programs, "entropy-frontier alibi rope --vary m=1/100..1 --points 5")
    drawn = {tuple(map(float, point)) for line in figure_of(report).axes[0].get_lines() for point in line.get_xydata()}
    points = [p for p in report["points"] if p["H"]["finite"]]
    assert len(points) == 5
    for point in points:
        x, y = point["local_range"] + 1, (float(point["H"]["lower"]) + float(point["H"]["upper"])) / 2
        assert any(abs(x - a) < 1e-9 and abs(y - b) < 1e-9 for a, b in drawn), (x, y)
        least = point["least_entropy"]
        assert (x, float(least["lower"])) in drawn or least["finite"]


def test_encodings_are_drawn_from_python(programs):
    import gpe

    os.environ["GPE_BIN"] = str(programs)
    figure = gpe.plot("ape", 20)
    assert len(figure.axes) == 4
    picture, size = figure._repr_png_()  # what a notebook shows
    assert picture.startswith(b"\x89PNG") and size["width"] == round(5.5 * 110), size
    assert int.from_bytes(picture[16:20], "big") == 2 * size["width"]
    assert len(gpe.plot(["alibi", "ape"], 20, set={"m": "1/8"}, column=True).axes) == 4
    try:
        gpe.plot("alibo")
    except gpe.SpecError as error:
        assert "did you mean 'alibi'?" in str(error)
    else:
        raise AssertionError("alibo was drawn")


if __name__ == "__main__":
    without_torch.run(globals())
