"""What a report says to do: where attention changes with length, which windows hold, which heads
to look at. The rules of docs/probes.md."""
# Tests: tests/python/pages_test.py

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gpe._reports import Report, even_entropy, number

_DEPARTURE = 0.5  # nats from the entropy at the length of training
_FEW_HEADS = 0.1  # of all
_ONE_KEY = 0.95  # mean largest weight
_EVEN = 0.95  # entropy over that of even weights
_LARGE_CONTENT = 50  # |c|: e^50 against 1
_GROWTH = 0.9  # dH/dlog T
_SINK = 0.9  # mean weight of the sink
_UNPREDICTED = 0.5  # nats
_COVERAGE = 0.999  # of all rows, at 95 % confidence


@dataclass
class Finding:
    """`kind`: "wrong", a theorem is broken; "look", worth a look; "use", fine, or to be used.
    `heads`: "1.2", that it is about."""

    kind: str
    title: str
    text: str
    heads: list[str] = field(default_factory=list)


def findings(report: Report) -> list[Finding]:
    """In the order of a page. `report` is complete_probe's."""
    found = [
        Finding("wrong", "A theorem is broken", str(one["text"]), [head_name(one)])
        for one in report.get("contradictions", [])
    ]
    return [*found, *_context_limit(report), *_windows(report), *_divergent(report), *_suspects(report)]


def head_name(head: dict[str, Any]) -> str:
    """ "1.2", of layer 1 and head 2."""
    return f"{head['layer']}.{head['head']}"


def count_of(some: int, all_of: int) -> str:
    """ "3 of 12 heads"."""
    if some == all_of:
        return "the head" if all_of == 1 else f"all {all_of} heads"
    return f"{some} of {all_of} heads"


def _context_limit(report: Report) -> list[Finding]:
    """The greatest length read at which few heads have left the entropy that they have at the length of training."""
    context, lengths, heads = report.get("context") or 0, report["lengths"], report["heads"]
    if context == 0 or lengths[-1] <= context:
        return []
    trained = max((i for i, length in enumerate(lengths) if length <= context), default=0)

    def entropy(head: dict[str, Any], i: int) -> float:
        return number(head["lengths"][i]["second_half"]["entropy"]["mean"])

    limit = lengths[trained]
    for i in range(trained + 1, len(lengths)):
        left = [head_name(head) for head in heads if abs(entropy(head, i) - entropy(head, trained)) > _DEPARTURE]
        if len(left) > _FEW_HEADS * len(heads):
            return [
                Finding(
                    "look",
                    f"Attention changes beyond {limit} tokens",
                    f"At T = {lengths[i]}, {count_of(len(left), len(heads))} are more than {_DEPARTURE} nats from the "
                    f"entropy they have at T = {lengths[trained]} (the model was trained at {context}). "
                    f"Serve up to {limit} tokens, or measure the task beyond.",
                    left,
                )
            ]
        limit = lengths[i]
    return [
        Finding(
            "use",
            f"Attention stays as it was trained, up to {limit} tokens",
            f"At most {100 * _FEW_HEADS:.0f} % of the heads are more than {_DEPARTURE} nats from the entropy they have "
            f"at T = {lengths[trained]}; longer texts were not read.",
        )
    ]


def _windows(report: Report) -> list[Finding]:
    windows = report.get("serving_windows")
    if not windows:
        return []
    total, length = windows["total"], windows["length"]
    whole = total["MiB"] + total["MiB_saved"]
    kinds = ", ".join(
        f"{count} keep every key" if kind == "full" else f"{count} {kind}"
        for kind, count in total["heads"].items()
        if count
    )
    # what was seen in a few rows, or is proved of them alone, says little of others
    seen = windows["heads"][0]["statistical"]
    rest_on_rows = sum(total["heads"][kind] for kind in ("statistical", "a-posteriori", "assumed"))
    enough = rest_on_rows == 0 or seen["coverage"] >= _COVERAGE
    share = f"{100 * total['MiB'] / whole:.1f} % of the cache at {length} tokens"
    rows = f"{seen['rows']} row" + ("" if seen["rows"] == 1 else "s")
    exceeded = sum(
        head["proved"] is not None and not head["proved"]["bounds_content_seen"] for head in windows["heads"]
    )
    text = (
        f"Windows that leave out at most {windows['epsilon']} of the weight, by head: {kinds}; "
        f"{total['MiB_saved']:.2f} of {whole:.2f} MiB saved in "
        f"{report['dtype']}. Proved ones hold for {windows['proved_windows_hold_for']}"
    )
    if exceeded:
        text += (
            f"; those of {count_of(exceeded, len(windows['heads']))} are not used: contents beyond their B were seen"
        )
    if not enough:
        text += (
            f"; those seen hold for {100 * seen['coverage']:.1f} % of all rows at 95 % confidence, "
            "were rows independent: read more windows first"
        )
    saves = total["MiB_saved"] > 0
    title = f"Keep {share}" if enough else f"The {rows} tested would do with {share}"
    if not saves:
        title = f"No head can drop keys at {length} tokens"
    return [Finding("use" if saves and enough else "look", title, text + "; --serving-windows writes them as a file.")]


def _divergent(report: Report) -> list[Finding]:
    heads = [
        head_name(head)
        for head in report["heads"]
        if any(
            v["property"] == "convergent-normalization" and v["verdict"] == "fails" for v in head.get("verdicts", [])
        )
    ]
    text = (
        "The weights of these heads do not sum up (convergent normalization fails): "
        "with enough tokens any window loses any share of the weight, whatever was measured here."
    )
    return [Finding("look", "No window holds at every length", text, heads)] if heads else []


def _suspects(report: Report) -> list[Finding]:
    def mean(name: str) -> Callable[[dict[str, Any]], float]:
        return lambda head: number(head["lengths"][-1]["second_half"].get(name, {}).get("mean"))

    def missed(head: dict[str, Any]) -> float:
        further = head.get("extrapolation") or []
        return abs(number(further[-1]["predictors"]["continued"]["from_fit"]["error"])) if further else math.nan

    even = _EVEN * even_entropy(report["lengths"][-1])
    rules: list[tuple[str, str, float, Callable[[dict[str, Any]], float]]] = [
        (
            "One key has it all",
            f"Mean largest weight of {_ONE_KEY} or more: the entropy has collapsed, and little gradient flows.",
            _ONE_KEY,
            mean("largest_weight"),
        ),
        (
            "Nearly even weights",
            f"Entropy of {_EVEN} times that of even weights or more: these heads average over everything they see.",
            even,
            mean("entropy"),
        ),
        (
            "Large contents",
            f"|q'k|/sqrt(d) of {_LARGE_CONTENT} or more in some row: position hardly matters there, "
            "and 16-bit formats round such logits.",
            _LARGE_CONTENT,
            lambda head: number(head["lengths"][-1]["second_half"]["largest_content"]["max"]),
        ),
        (
            "Entropy grows like log T",
            f"dH/dlog T of {_GROWTH} or more between the last two lengths: "
            "attention spreads over everything that is added.",
            _GROWTH,
            lambda head: number(head["lengths"][-1].get("slope")),
        ),
        ("The sink has the weight", f"Mean weight of the sink of {_SINK} or more.", _SINK, mean("sink_weight")),
        (
            "Not as short windows say",
            f"The entropy at the greatest length is {_UNPREDICTED} nats or more from what windows of the fit predict: "
            "the model's "
            "states drift with position.",
            _UNPREDICTED,
            missed,
        ),
    ]
    result = []
    for title, text, limit, value in rules:
        heads = [head_name(head) for head in report["heads"] if value(head) >= limit]
        if heads:
            result.append(Finding("look", title, text, heads))
    return result
