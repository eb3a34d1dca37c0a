"""The picture of results_paper.md: growth, differences with intervals, and entropies, by context and size."""

import math

import curves
from matplotlib import pyplot
from paired import by_seed, by_window, loss
from paper_page import ENCODINGS, KINDS, LAST, RANGES, entropy, every, factor, whole

SHORT = {(64, ""): "64", (128, ""): "128", (256, ""): "256", (64, "-width-192"): "2.2 M", (64, "-width-384"): "11.4 M"}


def growths(panel, found):
    """A mark for each run."""
    for name in ENCODINGS:
        points = [(at, factor(run, kind[0])) for at, (kind, of) in enumerate(found.items()) for run in of[name]]
        mark = {"linestyle": "none", "marker": curves.MARKS[name], "markersize": 4, "color": curves.COLOURS[name]}
        panel.plot(*zip(*points, strict=True), label=name, **mark)
    panel.set_yscale("log")
    panel.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    panel.minorticks_off()
    panel.set_title(f"perplexity at {LAST:,}\nby that at the training length", fontsize=9)


def intervals(panel, found):
    """Of the seeds that both encodings have."""
    seeds = False
    for place, (split, _) in enumerate(RANGES.items()):
        for at, of in enumerate(found.values()):
            pair = of["ape"], of["alibi"]
            kinds = [by_window(*pair, LAST, split)]
            if len(pair[0]) > 1:
                seeds = True
                kinds.append(by_seed(*pair, lambda run, split=split: loss(run, LAST, split)))
            for shift, (mean, low, high) in enumerate(kinds):
                x, colour = at + 0.2 * (place - 1) + 0.07 * shift, f"C{place}"
                panel.errorbar(
                    x, mean, [[mean - low], [high - mean]], fmt="o" if shift else "_", color=colour, capsize=2, ms=3
                )
    panel.axhline(0, color="#999999", linewidth=0.8)
    kinds = "by window (–) and by seed (•)" if seeds else "by window, one seed"
    panel.set_title(f"APE less ALiBi at {LAST:,}, nats:\n{kinds}", fontsize=9)
    for place, title in enumerate(RANGES.values()):
        panel.plot([], [], color=f"C{place}", label=title)
    panel.margins(y=0.3)  # room for the legend
    panel.legend(fontsize=6, loc="upper left")


def entropies(panel, found):
    for name in ENCODINGS:
        for kind, style in zip(found, ("-", "--", ":", "-.", (0, (1, 3))), strict=False):
            rows = [row[0] for row in found[kind][name][0]["entropy"]["rows"]]
            means = [sum(entropy(run, at) for run in found[kind][name]) / len(found[kind][name]) for at in rows]
            label = f"{name}, {SHORT[kind]}" if name == ENCODINGS[0] else None
            panel.plot(rows, means, linestyle=style, color=curves.COLOURS[name], linewidth=1, label=label)
    panel.plot(rows, [math.log(at) for at in rows], color="#bbbbbb", linewidth=0.8, label="log T")
    panel.set_xscale("log", base=2)
    panel.set_xlabel("tokens")
    panel.set_title("entropy of attention, nats", fontsize=9)
    panel.legend(fontsize=6)


def draw(results, path):
    found = {kind: of for kind in KINDS if (of := every(results, kind))}
    paired = {kind: of for kind in KINDS if (of := whole(results, kind))}
    figure, panels = pyplot.subplots(1, 3, figsize=(9, 3.4), layout="constrained")
    growths(panels[0], found)
    intervals(panels[1], paired)
    for panel, kinds in ((panels[0], found), (panels[1], paired)):
        panel.set_xticks(range(len(kinds)), [SHORT[kind] for kind in kinds])
        panel.set_xlabel("context, or size at 64 tokens")
    panels[0].legend()
    entropies(panels[2], found)
    curves.save(figure, path)
