"""gpe.sliders: moving a slider changes the report and the picture to what gpe.check says at that value.

Usage: .venv/notebooks/bin/python sliders_test.py BIN SOURCE. Exit code 0, or what is wrong in words."""

import os
import sys
from pathlib import Path

BIN, SOURCE = (Path(argument).resolve() for argument in sys.argv[1:3])
os.environ["GPE_PROGRAMS"] = str(BIN)
sys.path.insert(0, str(SOURCE / "probes" / "python"))

import gpe  # noqa: E402


def refused(*arguments, **options):
    try:
        gpe.sliders(*arguments, **options)
    except gpe.SpecError as error:
        return str(error)
    return "nothing is refused"


def main():
    box = gpe.sliders("alibi", points=10)
    slope, picture, tables = box.children
    assert slope.value == "1/256" and slope.options[0] == "1/16384" and slope.options[-1] == "1/4", slope.options
    first = bytes(picture.value)
    assert first.startswith(b"\x89PNG") and tables.value == gpe.check("alibi")._repr_html_()
    slope.value = "1/4"
    assert bytes(picture.value) != first
    assert tables.value == gpe.check("alibi", set={"m": "1/4"})._repr_html_()

    (chosen, _, tables) = gpe.sliders("alibi", {"m": ["1/2", -1]}, 10, content_bound="1").children
    assert tables.value == gpe.check("alibi", set={"m": "1/2"}, content_bound="1")._repr_html_()
    chosen.value = "-1"
    assert "m &gt;= 0" in tables.value, tables.value

    (slope, _, tables) = gpe.sliders("alibi", points=10, set={"m": "2^(2/3)"}).children
    slope.value = "(2^(2/3))*2^(-1)"
    assert tables.value == gpe.check("alibi", set={"m": "2^(2/3)/2"})._repr_html_()
    assert "expected a list of values" in refused("alibi", {"m": "1/2"})

    (picture, tables) = gpe.sliders("stick-breaking").children  # no curves: the picture is that of the verdicts
    assert bytes(picture.value).startswith(b"\x89PNG")
    assert "unknown parameter 'slope'; expected one of m" in refused("alibi", {"slope": [1]})
    assert "did you mean 'alibi'?" in refused("alibbi")


main()
