"""The pictures beside the theorems of docs/, from numbers that check-properties certifies; the weights beside the reach
that it certifies are summed here.

Usage: .venv/bin/python notebooks/theorems.py [--check]      --check: exit 1 when a stored picture is another one

Writes docs/theorem_NAME.svg, for scale, normalizer, band and reach."""

import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "probes" / "python"))

import gpe  # noqa: E402
from gpe._plots.look import Look, label_curves, log_axis, written  # noqa: E402
from gpe._reports import number  # noqa: E402

LENGTHS = [2**power for power in range(4, 17)]
HEIGHT = 1.9


def partial(bias, **options):
    """Z_L and H_L at LENGTHS, without content."""
    lengths = ",".join(map(str, LENGTHS))
    found = gpe.check(bias=bias, transform="none", lengths=lengths, digits=8, **options)["encodings"][0]
    return [[number(at[name]) for at in found["partial_sums"]] for name in ("Z", "H")]


def curves(look, panel, words, drawn):
    """Curves (label, x, y, colour, dashes), named beside them."""
    lines = [
        (panel.plot(x, y, color=look[colour], linestyle=dashes)[0], label) for label, x, y, colour, dashes in drawn
    ]
    panel.set_title(words)
    return [(line, label) for line, label in lines if label]


def scale(look):
    figure, panels = look.figure(1, 2, HEIGHT, "")
    found = {p: partial("-log(3 + n) - p*log(log(3 + n))", set={"p": p}) for p in ("1/2", "1", "2", "3")}
    looks = {"1/2": ("blue", "-"), "1": ("orange", (0, (4, 1.5))), "2": ("green", (0, (1, 1))), "3": ("purple", "-")}
    names = []
    for panel, which, words in zip(
        panels[0], (0, 1), ("Z to L: bounded for p > 1", "H to L: bounded for p > 2"), strict=True
    ):
        log_axis(panel, LENGTHS[0], LENGTHS[-1])
        panel.set_xlabel("L, tokens")
        drawn = [(f"p = {p}", LENGTHS, found[p][which], *looks[p]) for p in found if which or p != "3"]
        names.append((panel, curves(look, panel, words, drawn)))
    return figure, names


def normalizer(look):
    figure, panels = look.figure(1, 2, HEIGHT, "")
    bounded = [partial(bias) for bias in ("0", "-log(1 + n)")]
    left = [
        ("b = 0: H", LENGTHS, bounded[0][1], "blue", "-"),
        ("b = −log(1 + n): H", LENGTHS, bounded[1][1], "orange", "-"),
        ("its log Z", LENGTHS, [math.log(z) for z in bounded[1][0]], "quiet", (0, (4, 1.5))),
    ]
    right = [
        (f"b = {bias.replace('*', '')}", LENGTHS, partial(bias)[1], colour, "-")
        for bias, colour in (("n/2", "green"), ("sqrt(n)", "purple"))
    ]
    names = []
    for panel, words, drawn in (
        (panels[0][0], "b ≤ 0: H ≥ log Z", left),
        (panels[0][1], "b → ∞: the slope decides", right),
    ):
        log_axis(panel, LENGTHS[0], LENGTHS[-1])
        panel.set_xlabel("L, tokens")
        panel.set_ylabel("nats")
        names.append((panel, curves(look, panel, words, drawn)))
    return figure, names


def band(look):
    bounds = [f"{step}/4" for step in range(25)]
    found = gpe.check("alibi", set={"m": "1/2"}, content_bound=bounds, digits=8)["encodings"][0]
    x = list(map(number, bounds))
    low = [float(one["lower"]["lower"]) for one in found["entropy_band"]]
    high = [float(one["upper"]["upper"]) for one in found["entropy_band"]]
    figure, panels = look.figure(1, 1, HEIGHT, "")
    panel = panels[0][0]
    panel.fill_between(x, low, high, color=look["blue"], alpha=0.15, linewidth=0)
    names = curves(
        look,
        panel,
        "ALiBi, m = 1/2: entropy over all contents with |c| ≤ B",
        [("greatest", x, high, "blue", "-"), ("least", x, low, "orange", "-")],
    )
    panel.set_xlabel("B")
    panel.set_ylabel("nats")
    return figure, [(panel, names)]


def reach(look):
    bound, slope = 5.0, 1 / 16
    found = gpe.check("alibi", set={"m": "1/16"}, content_bound="5", weight="1/2")["encodings"][0]["reach"][0]
    farthest = int(found["n"])
    x = list(range(0, 160))
    total = sum(math.exp(-slope * n - bound) for n in range(4096))
    weight = [
        math.exp(-slope * n + bound) / (math.exp(-slope * n + bound) + total - math.exp(-slope * n - bound)) for n in x
    ]
    figure, panels = look.figure(1, 2, HEIGHT, "")
    scores, weights = panels[0]
    scores.fill_between(
        x, [-slope * n - bound for n in x], [-slope * n + bound for n in x], color=look["blue"], alpha=0.15
    )
    names = [
        (scores, curves(look, scores, "scores within b(n) ± 5", [("b(n)", x, [-slope * n for n in x], "blue", "-")]))
    ]
    named = curves(look, weights, "greatest weight of one key", [("", x, weight, "blue", "-")])
    weights.plot([0, farthest, farthest], [0.5, 0.5, 0], color=look["orange"], linestyle=(0, (4, 1.5)))
    weights.annotate(
        f"reach of 1/2: n = {farthest}",
        (farthest, 0.5),
        (2, 8),
        textcoords="offset points",
        fontsize=6.5,
        color=look["orange"],
    )
    for panel in (scores, weights):
        panel.set_xlabel("distance n")
    return figure, [*names, (weights, named)]


def picture(draw):
    """Its SVG, which follows the reader's choice of light and dark."""
    look = Look()
    with look.style():
        figure, names = draw(look)
        label_curves(*names)
    return written(figure, "svg", look, both=True)


def main():
    other = []
    for draw in (scale, normalizer, band, reach):
        path = ROOT / "docs" / f"theorem_{draw.__name__}.svg"
        svg = picture(draw)
        if "--check" not in sys.argv[1:]:
            path.write_bytes(svg)
        elif not path.exists() or path.read_bytes() != svg:
            other.append(f"docs/{path.name} is not what is drawn today; remake it with notebooks/theorems.py")
    sys.exit("\n".join(other) or 0)


if __name__ == "__main__":
    main()
