"""docs/tables/model_benchmarks.md from the results of speed.py."""

import statistics


def medians(rounds):
    """Of the times of both, forward and backward together, and of the ratios of each round."""
    pairs = [
        [sum(row[side]) if isinstance(row[side], list) else row[side] for side in ("ours", "theirs")] for row in rounds
    ]
    return *(statistics.median(times) for times in zip(*pairs, strict=True)), statistics.median(
        theirs / ours for ours, theirs in pairs
    )


def duration(seconds):
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def cells(rounds):
    ours, theirs, ratio = medians(rounds)
    return (
        f"{duration(ours)} | {duration(theirs)} | {ratio:.1f} |"
        if ratio >= 10
        else f"{duration(ours)} | {duration(theirs)} | {ratio:.2f} |"
    )


def page(found):
    sizes = {"small": "3 layers, width 96, vocabulary 2,048", "paper": "6 layers, width 384, vocabulary 50,304"}
    lines = [
        "# Benchmarks: the model compared with PyTorch",
        "",
        (
            "Time and memory of attention, training steps and statistics on a CPU. "
            "`.venv/bin/python tests/bench/model/speed.py --page` makes this page from"
        ),
        "[model.json](../../tests/bench/results/model.json), and these commands make that:",
        "",
        "```sh",
        "./setup.sh --tests && cmake --workflow --preset bench-model",
        ".venv/bin/python tests/bench/model/speed.py",
        "```",
        "",
        (
            f"{found['machine']}, shared with other work; PyTorch {found['torch']}. CPU time on one thread, float32; "
            "medians of the times,"
        ),
        "and of the ratios, over rounds. Both sides ran in each round.",
        "",
        "| | gpe | PyTorch | ratio |",
        "|---|---|---|---|",
        f"| attention with ALiBi's bias, forward and backward, {found['attention']['tokens']} tokens, 6 heads of 64; "
        f"beside `scaled_dot_product_attention` with a mask | {cells(found['attention']['rounds'])}",
        (
            f"| APE, forward and backward, {found['ape']['tokens']} tokens, 6 heads of 64; "
            f"beside eager PyTorch | {cells(found['ape']['rounds'])}"
        ),
    ]
    for row in found["step"]:
        lines.append(
            f"| training step of 12 × 64 tokens, {row['encoding']}, {sizes[row['size']]}; "
            f"beside nanoGPT's step in PyTorch | {cells(row['rounds'])}"
        )
    for row in found["evaluation"]:
        lines.append(
            f"| losses at 64 … 16,384 tokens, {row['encoding']}, {sizes['small']}; beside an eager loop over lengths | "
            f"{cells(row['rounds'])}"
        )
    lines += [
        "",
        (
            "Memory of attention beyond its inputs and outputs, forward and backward (a mask of 4,096 tokens "
            "and 6 heads has 403 MB):"
        ),
        "",
        "| tokens | MB |",
        "|---|---|",
    ]
    lines += [f"| {row['tokens']:,} | {row['bytes'] / 1e6:.1f} |" for row in found["memory"]]
    if "statistics" in found:
        lines += probing(found)
    return "\n".join(lines) + "\n"


def probing(found):
    """Statistics of attention: times, errors, memory."""
    part, long_ones = found["statistics"], found["long"]
    median = {name: statistics.median(row[name] for row in part["rounds"]) for name in part["rounds"][0]}
    to_attention = {name: statistics.median(row[name] / row["attention"] for row in part["rounds"]) for name in median}
    shown = {
        "attention": "`scaled_dot_product_attention`, causal: its output alone",
        "rows": "row statistics",
        "rows and buckets": "row statistics and 16 buckets of distance",
        "keys as values": "entropy alone, `scaled_dot_product_attention` with the keys as values",
        "eager": "entropy alone, eager PyTorch",
    }
    lines = [
        "",
        "## Statistics of attention",
        "",
        (
            f"{part['tokens']:,} tokens, 6 heads of 64, no bias. Row statistics are entropy, varentropy, "
            "log-normalizer, mean distance, largest weight, score and content."
        ),
        "",
        "| | time | over attention |",
        "|---|---|---|",
    ]
    lines += [f"| {text} | {duration(median[name])} | {to_attention[name]:.2f} |" for name, text in shown.items()]
    eager = statistics.median(row["eager"] / row["rows"] for row in part["rounds"])
    ours, theirs = part["bytes"]["ours"], part["bytes"]["eager"]
    lines += [
        "",
        f"The statistics take 1/{eager:.1f} of the time of eager entropies, "
        f"and {100 * ours / theirs:.2f} % of their memory: {ours / 1e6:.1f} MB and {theirs / 1e9:.2f} GB "
        "beyond queries and keys.",
        "",
        (
            "Largest error of an entropy in nats, against double precision on the same input, "
            "by the standard deviation of the scores:"
        ),
        "",
        "| deviation | statistics | keys as values | keys as values, bfloat16 |",
        "|---|---|---|---|",
    ]
    lines += [
        (
            f"| {row['deviation']} | {row['ours']:.1e} | {row['keys as values']:.1e} | "
            f"{row['keys as values, bfloat16']:.1e} |"
        )
        for row in part["errors"]
    ]
    lines += [
        "",
        "Longer contexts, with RoPE and 16 buckets; memory including queries and keys:",
        "",
        "| tokens | time | MB |",
        "|---|---|---|",
    ]
    lines += [f"| {row['tokens']:,} | {duration(row['seconds'])} | {row['bytes'] / 1e6:,.0f} |" for row in long_ones]
    lines += [
        "",
        "## Entropies while training",
        "",
        (
            "Steps of 12 × 64 tokens, 3 layers of width 96 and vocabulary 2,048, "
            "with entropies and largest scores of all heads in the log at every step,"
        ),
        "and steps without; a few percent are noise here:",
        "",
        "| encoding | without | with | cost |",
        "|---|---|---|---|",
    ]
    for row in found["log_entropy"]:
        without, with_it = (statistics.median(one[name] for one in row["rounds"]) for name in ("without", "with"))
        cost = statistics.median(one["with"] / one["without"] - 1 for one in row["rounds"])
        lines.append(f"| {row['encoding']} | {duration(without)} | {duration(with_it)} | {100 * cost:+.1f} % |")
    return lines
