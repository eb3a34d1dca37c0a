"""What the measured claims of audit.md read for models that the claims are not about: a table of tinystories.md."""

import json
import math

from page_tables import series, table

LAST = 16384
COLUMNS = ("rope", "alibi", "ape", "no position", "rope, its 64 nearest keys", "`tiny`", "3-gram")
RUNS = ("rope-64", "alibi-64", "ape-64", "nope-64", None, "tiny")  # None: with few keys
ROWS = (
    ("perplexity at 16,384 by that at 64 (M1, M2, M9)", "val", "growth"),
    ("perplexity at 16,384, TinyStories (M10)", "val", "last"),
    ("the same, tales of up to 5,000 words (M11)", "long-0-5000", "last"),
    ("the same, tales of 5,000 to 10,000 words (M12)", "long-5000-10000", "last"),
)


def perplexity_cells(results, baseline, split, what):
    evaluations = [results[name]["evaluation"] if name else results["rope-64"]["cuts"]["window 64"] for name in RUNS]
    for evaluation in evaluations:
        loss = {length: row[1] for length, row in series(evaluation, split).items()}
        yield f"{math.exp(loss[LAST] - loss[64]):.2f}" if what == "growth" else f"{math.exp(loss[LAST]):,.1f}"
    yield "" if what == "growth" else f"{baseline['losses'][split]['perplexity']:,.1f}"


def entropy_cells(entropy, first):
    for name in ("rope", "alibi", "ape", "nope"):
        rows = {row[0]: row[1] for row in entropy[name]["64"]["rows"]}
        yield f"{rows[LAST] - rows[first]:+.2f}".replace("-0.00", "+0.00")
    yield from ("", "", "")


def baselines(results, baseline, folder):
    """Lines of Markdown; nothing until all of these results are there."""
    path = folder / "entropy.json"
    if not path.exists() or not all(name in results for name in RUNS if name):
        return []
    entropy = json.loads(path.read_text())
    rows = [[title, *perplexity_cells(results, baseline, split, what)] for title, split, what in ROWS]
    rows += [
        [f"entropy at 16,384 less that at {first:,}, nats ({claim})", *entropy_cells(entropy, first)]
        for claim, first in (("M13", 4096), ("M14", 1024))
    ]
    return [
        "## What simpler models do",
        "",
        "The numbers of [the measured claims](../audit.md#what-is-measured), whose names are in brackets, beside those",
        "of models that the claims are not about: the first seed, packed. Without position the perplexity grows more",
        "than fivefold, as with RoPE; at 16,384 tokens it is below RoPE's, as APE's is. Like that of APE, the",
        "perplexity of RoPE that sees its 64 nearest keys does not double, and is below ALiBi's on each text.",
        "That of `tiny`, whose loss is above a 3-gram's, does not double either. The entropy of even weights gains",
        "log 4 = 1.39 from 4,096 to 16,384, about as much as RoPE's; APE's levels off, as ALiBi's does. The 3-gram is",
        "of whole files, not of these windows.",
        "",
        *table(["", *COLUMNS], rows),
    ]
