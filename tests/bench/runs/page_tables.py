"""Tables of perplexities in Markdown, from the evaluations in docs/results: for the pages of runs."""

import math

RANGES = {
    "val": "TinyStories, validation",
    "long-0-5000": "tales of up to 5,000 words",
    "long-5000-10000": "tales of 5,000 to 10,000 words",
}


def number(value, decimals=1):
    return f"{value:,.{decimals}f}" if value < 100 else f"{value:,.0f}"


def perplexity(row):
    """exp of a loss and its interval; the columns of a row are tokens, loss, low, high."""
    value, low, high = (None if x is None else number(math.exp(x)) for x in row[1:4])
    return value + ("" if low is None else f" ({low} to {high})")


def series(evaluation, split, over="packed windows"):
    """Rows by number of tokens; none where no document is long enough."""
    found = [part for part in evaluation["files"][split] if part["over"] == over]
    return {row[0]: row for row in found[0]["rows"]} if found else {}


def table(headings, rows):
    return [
        "| " + " | ".join(headings) + " |",
        "|---" * len(headings) + "|",
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
    ]


def by_length(columns, split, over="packed windows", cell=perplexity):
    """A table of perplexities: columns are (heading, evaluation)."""
    tables = [series(evaluation, split, over) for _, evaluation in columns]
    lengths = sorted({length for rows in tables for length in rows})
    if not lengths:
        return []
    return table(
        ["tokens", *(heading for heading, _ in columns)],
        [[f"{length:,}", *(cell(rows[length]) if length in rows else "" for rows in tables)] for length in lengths],
    )


def packed(columns):
    """A table for each range, or nothing before there are results."""
    return (
        [
            line
            for split, name in RANGES.items()
            for line in (f"{name[0].upper()}{name[1:]}, packed:", "", *by_length(columns, split))
        ]
        if columns
        else []
    )


def evaluations(results, names):
    """(heading, evaluation) of the (heading, run) that have a result."""
    return [(heading, results[name]["evaluation"]) for heading, name in names if name in results]
