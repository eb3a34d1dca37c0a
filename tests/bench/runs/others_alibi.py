"""Alilama's models in models_of_others.md: measured with alilama.py, held against what check-properties proves of
ALiBi. The page alone needs no package."""

import json
import math
import re

from predictors import interval, middle_and_largest, table

NAMES = {"32": "alilama_batches_32_470K", "512": "alilama_batches_512_470K"}  # by batch
WINDOWS, TIMES, FIT_WINDOWS = 4, 32, 64
EPSILON = "1/1000"


def stories(path):
    """As their author's downloadTinyStories.py writes them: those in ASCII, each beginning with a word of its own."""
    texts = (text.strip() for text in path.read_text(encoding="utf-8").split("<|endoftext|>"))
    return (" STARTSTORY " + text.replace("\n", " ") for text in texts if text and re.fullmatch(r"[ -\x7f\n]*", text))


def tokens_of(path, tokenizer, count):
    import torch

    found = []
    for text in stories(path):
        found += tokenizer.encode(text)
        if len(found) >= count:
            return torch.tensor(found[:count])
    raise SystemExit(f"{path}: fewer than {count} tokens")


def not_below(bound):
    """A decimal."""
    return f"{math.ceil(bound * 1e6) / 1e6:.6f}"


def asked(bench, model, head, bounds, *options):
    """A report on the law of a head, and the bounds in its order."""
    wanted = sorted(set(bounds), key=float)
    report = bench.call(
        "check-properties",
        "alibi",
        "--set",
        f"m=1/{round(1 / model.slopes[head])}",
        "--content-bound",
        ",".join(wanted),
        "--head-dim",
        model.head_dim,
        "--digits",
        12,
        "--format",
        "json",
        "--quiet",
        *options,
    )
    return wanted, json.loads(report)["encodings"][0]


def windows_of(bench, model, bounds):
    """By [kind][layer][head], how many keys have all but EPSILON of the weight, with proof.
    bounds: likewise, as text."""
    keys = [{} for _ in range(model.heads)]
    for head in range(model.heads):
        wanted, report = asked(
            bench, model, head, [layer[head] for kind in bounds for layer in kind], "--epsilon", EPSILON
        )
        keys[head] = {bound: window["W"] + 1 for bound, window in zip(wanted, report["effective_windows"], strict=True)}
    return [[[keys[head][bound] for head, bound in enumerate(layer)] for layer in kind] for kind in bounds]


def bands_of(bench, model, length, bounds):
    """By [layer][head], the ends of the band of entropies of a row with so many keys; None: undecided."""
    bands = []
    for head in range(model.heads):
        wanted, report = asked(bench, model, head, [layer[head] for layer in bounds], "--lengths", length - 1)
        [at] = report["partial_sums"]
        found = {
            bound: (band["lower"]["lower"], band["upper"]["upper"])
            for bound, band in zip(wanted, at["entropy_band"], strict=True)
        }
        bands.append([[None if end is None else float(end) for end in found[layer[head]]] for layer in bounds])
    return [list(layer) for layer in zip(*bands, strict=True)]


def mean_bias_entropy(slope, length):
    """Of the law exp(-m n), mean over rows T/2 to T - 1."""
    import torch

    distances = torch.arange(length, dtype=torch.float64)
    powers = torch.exp(-slope * distances)
    sums, moments = powers.cumsum(0), (slope * distances * powers).cumsum(0)
    return float((sums.log() + moments / sums)[length // 2 :].mean())


def far(values, length):
    return values[..., length // 2 : length].mean(-1)


def measure_one(bench, path, tokens, fit_tokens):
    import torch
    from alilama import Alilama

    model = Alilama(path, torch.float64)
    lengths = [model.context * 2**at for at in range(TIMES.bit_length())]
    whole = [model.read(window) for window in tokens]
    losses = torch.stack([each[0] for each in whole])
    entropies, contents = (torch.stack([each[at] for each in whole]) for at in (1, 2))  # [window, layer, head, row]
    outside = tested = undecided = 0
    for length in lengths[::3]:
        bounds = [[not_below(bound) for bound in layer] for layer in contents[..., length - 1].amax(0).tolist()]
        allowed = 1e-8 * (1 + math.log(length))
        for layer, of_layer in enumerate(bands_of(bench, model, length, bounds)):
            for head, (low, high) in enumerate(of_layer):
                undecided += [low, high].count(None)
                low, high = 0 if low is None else low, math.log(length) if high is None else high
                rows = entropies[:, layer, head, length - 1]
                tested += rows.numel()
                outside += int(((rows < low - allowed) | (rows > high + allowed)).sum())
    windows = {}
    kinds = {"weights": model.content_bounds(), "rows": contents.amax((0, 3)).tolist()}
    kept_by_kind = windows_of(
        bench, model, [[[not_below(bound) for bound in layer] for layer in kind] for kind in kinds.values()]
    )
    for kind, kept in zip(kinds, kept_by_kind, strict=True):
        cut = torch.stack([model.read(window, kept)[0] for window in tokens])
        windows[kind] = {
            "keys": kept,
            "loss": float(far(cut, lengths[-1]).mean()),
            "largest_difference": float((cut - losses).abs().max()),
        }
    fit = model.context // 2
    started = far(torch.stack([model.read(window)[1] for window in fit_tokens]), fit).mean(0)
    heads = [
        {
            "layer": layer + 1,
            "head": head + 1,
            "entropy": [float(far(entropies[:, layer, head], length).mean()) for length in lengths],
            "predicted": [
                float(started[layer, head])
                + mean_bias_entropy(model.slopes[head], length)
                - mean_bias_entropy(model.slopes[head], fit)
                for length in lengths
            ],
        }
        for layer in range(model.layers)
        for head in range(model.heads)
    ]
    by_length = {
        str(length): [
            float(losses[:, :length].mean()),
            *interval(losses[:, :length].mean(1).tolist()),
            float(far(losses, length).mean()),
        ]
        for length in lengths
    }
    return {
        "context": model.context,
        "losses": by_length,
        "heads": heads,
        "windows": windows,
        "tested_rows": tested,
        "outside": outside,
        "bands": len(lengths[::3]) * model.layers * model.heads,
        "undecided": undecided,
    }


def measure(bench, data):
    import torch
    from alilama import MinBpe

    torch.set_num_threads(1)
    source = data / "models" / "alilama-470K"
    length = 128 * TIMES
    tokens = tokens_of(
        data / "tinystories" / "tinystories_valid.txt",
        MinBpe(source / "tokenizer.model"),
        WINDOWS * (length + 1) + FIT_WINDOWS * 65,
    )
    windows, fit = (
        tokens[: WINDOWS * (length + 1)].view(WINDOWS, -1),
        tokens[WINDOWS * (length + 1) :].view(FIT_WINDOWS, -1),
    )
    return {batch: measure_one(bench, source / f"{name}.pth", windows, fit) for batch, name in NAMES.items()}


INTRODUCTION = """## ALiBi: Alilama

Two models of [Alilama](https://github.com/JohannesVod/Alilama), which differ in the size of their batches, have 4
layers of width 64, 8 heads with slopes 2⁻¹ to 2⁻⁸ and a vocabulary of 4,000, and were trained on TinyStories at 128
tokens. LayerNorm takes the place of their residual stream, and nothing is projected after attention, so they are read
by a module of their own, `tests/bench/runs/alilama.py`, in float64. On random weights its losses, entropies and
contents are those of an independent forward in NumPy to 1e-10 (1e-4 in float32, also for these models;
`tests/bench/runs/alilama_test.py`).

The text is {windows} windows of {last:,} tokens of validation stories of TinyStories, joined as those models had them;
brackets contain the 95 % bootstrap interval over windows: with so few it is rough.

### Perplexity

Over the first T tokens of a window, and over the second half of these; T in tokens, and as a
multiple of the training length:
"""


def perplexities(result, lengths):
    context = next(iter(result.values()))["context"]
    rows = []
    for length in lengths:
        row = [f"{int(length):,}", str(int(length) // context)]
        for of in result.values():
            loss, low, high, second = of["losses"][length]
            row += [f"{math.exp(loss):.2f} ({math.exp(low):.2f} to {math.exp(high):.2f})", f"{math.exp(second):.2f}"]
        rows.append(row)
    heads = (head for batch in result for head in (f"batches of {batch}", "second half"))
    return table(["tokens", "times", *heads], rows)


def section(result):
    lengths = list(next(iter(result.values()))["losses"])
    heads = len(next(iter(result.values()))["heads"])
    lines = [
        INTRODUCTION.format(windows=WINDOWS, last=int(lengths[-1])),
        *perplexities(result, lengths),
        "### Windows for serving",
        "",
        "Windows such that a head has at most 1/1000 of its weight outside, all heads together, "
        f"as a part of all keys of a row of {int(lengths[-1]):,} tokens; "
        "and the loss of the second half with these keys alone:",
        "",
    ]
    rows = []
    for batch, of in result.items():
        for kind, name in (("weights", "every input (B from the weights)"), ("rows", "the rows read (B measured)")):
            window = of["windows"][kind]
            kept = sum(min(keys, int(lengths[-1])) for layer in window["keys"] for keys in layer) / (
                heads * int(lengths[-1])
            )
            rows.append(
                [
                    batch,
                    name,
                    f"{kept:.3f}",
                    f"{of['losses'][lengths[-1]][3]:.5f}",
                    f"{window['loss']:.5f}",
                    f"{window['largest_difference']:.1e}",
                ]
            )
    lines += table(
        ["batches of", "certified for", "keys kept", "loss, all keys", "loss", "largest change of a token's loss"], rows
    )
    tested, outside, bands, undecided = (
        sum(of[key] for of in result.values()) for key in ("tested_rows", "outside", "bands", "undecided")
    )
    lines += [
        "### Theorems",
        "",
        (
            f"Entropies of {tested:,} rows were held against the certified bands for the contents of their head at "
            f"their length: {outside} lie outside. "
        )
        + (
            f"Of the {2 * bands} ends of these\nbands, {undecided} are undecided; there 0 or log T is the end."
            if undecided
            else f"All {2 * bands} ends of these bands\nare decided."
        ),
        "",
        "### Entropies",
        "",
        (
            "Mean entropy of rows T/2 to T - 1, predicted from windows of 64 tokens, half the training length: "
            "what was measured there, plus the difference that the"
        ),
        f"bias alone makes, beside no change from {int(lengths[0])}. Median and largest |error| over heads, in nats:",
        "",
    ]
    rows = []
    for batch, of in result.items():
        heads = [(head["entropy"], head["predicted"]) for head in of["heads"]]
        biased = [[predicted[at] - entropy[at] for entropy, predicted in heads] for at in range(len(lengths))]
        none = [[entropy[0] - entropy[at] for entropy, _ in heads] for at in range(1, len(lengths))]
        rows.append([batch, *map(middle_and_largest, biased)])
        rows.append([f"{batch}, no change", "", *map(middle_and_largest, none)])
    lines += table(["batches of", *(f"{int(length):,}" for length in lengths)], rows)
    return lines
