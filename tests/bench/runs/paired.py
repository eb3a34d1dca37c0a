"""Differences of two encodings within each seed, and within each window of text, with their 95 % intervals."""

import statistics

# 97.5 % points of Student's distribution by degrees of freedom, as in any textbook; as many windows as there are
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 7: 2.365, 15: 2.131}


def interval(values):
    """(mean, low, high); without ends where there are fewer than two."""
    mean = statistics.fmean(values)
    point = STUDENT.get(len(values) - 1)
    if point is None:
        return mean, None, None
    margin = point * statistics.stdev(values) / len(values) ** 0.5
    return mean, mean - margin, mean + margin


def packed(result, split="val"):
    """The series of packed windows; None where there is none."""
    return next((of for of in result["evaluation"]["files"].get(split, []) if of["over"] == "packed windows"), None)


def loss(result, length, split="val"):
    found = packed(result, split)
    rows = {row[0]: row[1] for row in found["rows"]} if found else {}
    return rows.get(length)


def by_seed(ones, others, measure):
    """Of runs of the same seeds, in the same order."""
    return interval([measure(one) - measure(other) for one, other in zip(ones, others, strict=True)])


def by_window(ones, others, length, split="val"):
    """The mean over seeds within each window, so that the interval is over texts."""
    differences = []
    for one, other in zip(ones, others, strict=True):
        windows = [packed(result, split)["by_window"][str(length)] for result in (one, other)]
        differences.append([a - b for a, b in zip(*windows, strict=True)])
    return interval([statistics.fmean(of) for of in zip(*differences, strict=True)])


def shown(difference):
    mean, low, high = difference
    return f"{mean:+.3f}" + ("" if low is None else f" ({low:+.3f} to {high:+.3f})")
