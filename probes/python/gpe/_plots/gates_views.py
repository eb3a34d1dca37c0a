"""What the picture and the page of a report of gpe.probe_gates show; neither needs torch."""
# Tests: tests/python/test_gates.py, tests/python/pictures_test.py

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gpe._errors import SpecError
from gpe._plots.findings import Finding, head_name
from gpe._plots.panels import layers_of
from gpe._reports import Report, check_layers, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gpe._plots.look import Look

#: Colour of a verdict in a picture, and its class on a page.
VERDICTS = {"finite": ("blue", "yes"), "infinite": ("orange", "no"), "undecided": ("quiet", "open")}
#: Of each verdict: the mean that decides it, its threshold, its name, and what is decided.
QUESTIONS = {
    "almost_surely": ("mean", 0, "E g", "Z and H are finite almost surely"),
    "expected": ("mean_exp", 1, "E e^g", "E Z is finite"),
}
_ERRORS = 3
_NUMBERS = ("low", "high", "mean", "mean_error", "mean_exp", "mean_exp_error")


def is_gates(report: Report) -> bool:
    return isinstance(report.get("generator"), dict) and report["generator"].get("program") == "gpe.probe_gates"


def complete_gates(report: Report, source: str) -> Report:
    """The report as it is. SpecError where it is not one of gpe.probe_gates."""

    def wrong(what: str) -> SpecError:
        return SpecError(f"{source}: {what}; expected a report of gpe.probe_gates")

    if report.get("schema") != 1:
        raise wrong("schema is not 1")
    heads = report.get("heads")
    if not isinstance(heads, list) or not heads or not all(isinstance(head, dict) for head in heads):
        raise wrong("no object with heads")
    check_layers(heads, wrong)
    for name in ("batch", "tokens"):
        if not isinstance(report.get(name), int) or isinstance(report[name], bool) or report[name] < 1:
            raise wrong(f"{name} is no count")
    if not isinstance(report.get("model"), str):
        raise wrong("model is no text")
    for head in heads:
        if not isinstance(head.get("name"), str):
            raise wrong("a head without a name")
        for name in _NUMBERS:
            value = head.get(name, "")
            if value != "-inf" and (
                isinstance(value, (bool, str, list, dict)) or (value is None and not name.endswith("_error"))
            ):
                raise wrong(f"{name} of head {head_name(head)} is no number")
        for name in QUESTIONS:
            if not isinstance(head.get(name), str) or head[name] not in VERDICTS:
                raise wrong(f"{name} of head {head_name(head)} is none of {', '.join(VERDICTS)}")
    return report


def gates_figure(report: Report, look: Look, _: str) -> Figure:
    """Over all heads in order: the range of the gates with E g, and E e^g, with three standard
    errors, beside 0 and 1."""
    from matplotlib.lines import Line2D

    heads, layers = report["heads"], layers_of(report)
    texts = "1 text" if report["batch"] == 1 else f"{report['batch']} texts"
    figure, [[gates], [exps]] = look.figure(
        2, 1, 4.2, f"{report['model']}: gates over {texts} of {report['tokens']} tokens", sharex=True
    )
    few = len(heads) <= 72
    style: dict[str, Any] = {
        "linestyle": "none",
        "marker": "o",
        "markersize": 2.5 if few else 1.5,
        "elinewidth": 0.8,
        "capsize": 1.5 if few else 0,
    }
    finite = [
        value
        for head in heads
        for value in map(number, (head["low"], head["mean"], head["high"]))
        if math.isfinite(value)
    ] or [0.0]
    floor = 1.2 * min([0.0, *finite]) - 0.05
    for at, head in enumerate(heads):
        low, high = (max(floor, number(head[name])) for name in ("low", "high"))
        gates.plot([at, at], [low, high], color=look["quiet"], linewidth=1.0 if few else 0.5, alpha=0.6)
    for axes, (question, (name, threshold, words, decided)) in zip((gates, exps), QUESTIONS.items(), strict=True):
        axes.set_title(f"{decided} where {words} < {threshold}")
        axes.axhline(threshold, color=look["ink"], linewidth=0.7, linestyle=(0, (4, 2)))
        for verdict, (colour, _) in VERDICTS.items():
            chosen = [
                (at, head)
                for at, head in enumerate(heads)
                if head[question] == verdict and math.isfinite(number(head[name]))
            ]
            errors = [_ERRORS * number(head[f"{name}_error"]) for _, head in chosen]
            axes.errorbar(
                [at for at, _ in chosen],
                [number(head[name]) for _, head in chosen],
                [error if math.isfinite(error) else 0.0 for error in errors],
                color=look[colour],
                **style,
            )
    gates.set_yscale("symlog", linthresh=0.1, linscale=0.5)
    gates.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    gates.set(ylabel="g and E g, nats")
    exps.set(ylabel="E e^g", xlabel="head, by layer", xlim=(-0.8, len(heads) - 0.2))
    step = max(1, -(-len(layers) // 12))
    shown = [(heads_of, f"layer {number_of + 1}") for number_of, heads_of in enumerate(layers)][::step]
    exps.set_xticks(
        [heads_of[0] for heads_of, _ in shown],
        [words if len(shown) <= 6 else words.split()[1] for _, words in shown],
        ha="left",
    )
    marks = [
        Line2D([], [], color=look[colour], label=verdict, linestyle="none", marker="o")
        for verdict, (colour, _) in VERDICTS.items()
    ]
    figure.legend(
        handles=[*marks, Line2D([], [], color=look["quiet"], label="range of g")],
        loc="outside lower center",
        ncols=2 if look.column else 4,
    )
    return figure


def gates_values(report: Report) -> dict[str, Any]:
    """What gates.html is filled in with."""
    heads = report["heads"]
    names = [head_name(head) for head in heads]
    most = {
        name: max([abs(number(head[name])) for head in heads if math.isfinite(number(head[name]))] or [0.0]) or 1.0
        for name in ("mean", "mean_exp")
    }

    def cell(head: dict[str, Any], name: str) -> tuple[str, float]:
        value = number(head[name])
        return (f"{value:.3g}" if math.isfinite(value) else "−∞"), min(1.0, abs(value) / most[name])

    maps = [
        (
            f"{words}{', nats' if name == 'mean' else ''}",
            f"{decided} where it is below {threshold}",
            [cell(head, name) for head in heads],
        )
        for name, threshold, words, decided in QUESTIONS.values()
    ]
    rows = [
        [
            names[at],
            str(head["name"]),
            _words(head["low"]),
            _words(head["high"]),
            *(f"{_words(head[name])} ± {_words(head[f'{name}_error'])}" for name in ("mean", "mean_exp")),
        ]
        for at, head in enumerate(heads)
    ]
    layers = layers_of(report)
    return {
        "title": report["model"] or "Gates",
        "subject": "gates",
        "report": report,
        "names": names,
        "layers": layers,
        "across": max(map(len, layers)),
        "findings": _findings(heads),
        "maps": maps,
        "rows": rows,
        "verdicts": [[(head[question], VERDICTS[head[question]][1]) for question in QUESTIONS] for head in heads],
        "values": [
            (words, [number(head[name]) for head in heads])
            for words, name in (("E g", "mean"), ("E e^g", "mean_exp"), ("largest gate", "high"))
        ],
    }


def _words(value: Any) -> str:
    value = number(value)
    if math.isnan(value):
        return "?"
    return f"{value:.4g}" if math.isfinite(value) else "−∞"


_FINDINGS = {
    ("almost_surely", "finite"): (
        "good",
        "Z and H are finite almost surely",
        "E g < 0 by three standard errors or more: for stationary gates without a bias, "
        "and contents within a bound, both sums converge (theorem P2).",
    ),
    ("almost_surely", "infinite"): (
        "look",
        "Z is infinite almost surely",
        "E g > 0 by three standard errors or more: for stationary gates without a bias, and "
        "contents within a bound, Z grows without end with the context (theorem P2).",
    ),
    ("almost_surely", "undecided"): (
        "look",
        "Whether Z and H are finite almost surely is undecided",
        "E g is not three standard errors away from 0. More texts may tell.",
    ),
    ("expected", "finite"): (
        "good",
        "E Z is finite",
        "E e^g < 1 by three standard errors or more: that is enough for independent gates without a bias, and contents "
        "within a bound (theorem P2).",
    ),
    ("expected", "infinite"): (
        "look",
        "E Z is infinite",
        "E e^g > 1 by three standard errors or more, for independent gates without a bias (theorem P2): also where Z "
        "is finite almost surely.",
    ),
    ("expected", "undecided"): (
        "look",
        "Whether E Z is finite is undecided",
        "E e^g is not three standard errors away from 1. More texts may tell.",
    ),
}


def _findings(heads: list[dict[str, Any]]) -> list[Finding]:
    found = [
        Finding(*words, [head_name(head) for head in heads if head[question] == verdict])
        for (question, verdict), words in _FINDINGS.items()
    ]
    return [one for one in found if one.heads]
