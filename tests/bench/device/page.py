"""The tables of docs/device.md from docs/results/device.

Usage: python3 tests/bench/device/page.py [--check]

They stand between two comments of that page; --check compares."""

import json
import math
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "docs" / "results" / "device"
PAGE = ROOT / "docs" / "device.md"
BEGIN, END = "<!-- begin: tests/bench/device/page.py -->\n", "<!-- end -->\n"
ISSUE = "{} of 4 instructions per cycle are issued; {} of 64 warps fit into a multiprocessor"
# why a goal is missed, or a row has no number; places of profile.json in {}
REASONS = {
    "G1": "statistics",
    "G2": (
        "as G1; PyTorch's default is cuDNN's kernel for this architecture (wgmma, copies by TMA), ours has mma of sm_80"
    ),
    "G3": "as G1",
    "G6": "each class of distances is a loop over the tile with two round trips to shared memory",
    "G7": "two passes, and 192 reads of shared memory per row and tile for sums along diagonals",
    "G12": "pairs",
    "G13": "series",
    "G14": "the loss takes 24 % of a step: its kernel reads logits twice, two bytes at a time; sums of the embedding's "
    "gradient 7 %, rotations 5 % (profile-training.json)",
    "G16": "not measured: no time was left",
    "G18": "not measured: no time was left",
}
PROFILED = ("statistics", "output", "series", "pairs")  # the launches of launches.py
ROWS = [f"G{n}" for n in range(1, 19)]
ROWS.insert(13, "window")


def load(name):
    file = RESULTS / name
    return json.loads(file.read_text()) if file.exists() else None


def profile():
    """Instructions per cycle and warps per multiprocessor of each launch, as words."""
    found = {}
    lines = load("profile.json")["lines"]
    for name in reversed(PROFILED):  # the text is cut off at its beginning, the last launch is whole
        start = max(at for at, line in enumerate(lines) if "Section: Compute Workload" in line)
        here, lines = lines[start:], lines[:start]

        def number(what, here=here):
            return next(line.split()[-1] for line in here if what in line)

        found[name] = ISSUE.format(number("Executed Ipc Active"), number("Theoretical Active Warps"))
    return found


def of_row(name, reasons):
    row = load(f"rows/{name}.json")
    reason = REASONS.get(name, "")
    reason = reasons.get(reason, reason)
    if row is None:
        return f"| {name} | | | | | {reason} |"
    result = row["result"]
    parts, floor = [], ""
    if "ratio" in result:
        parts.append("{median:.3g} ({low:.3g} to {high:.3g})".format(**result["ratio"]))
    if "flex" in result:
        parts.append(f"{result['flex']['ratio']['median']:.3g}")
    for key in ("errors", "skipped", "worst", "factor", "over_eager", "over_compiled", "seconds"):
        if key in result:
            parts.append(f"{key.replace('_', ' ')} {result[key]:.3g}")
    for key, of in result.get("encodings", {}).items():
        parts.append(f"{key.split('-')[0]} {of['factor']:.3g}")
    if "over_floor" in result and name != "window":  # its least is that of all tiles
        floor = f"{result['over_floor']:.3g}"
    met = "yes" if row["met"] else "no"
    return (
        f"| {name}: {row['quantity']} | {'; '.join(parts)} | {floor} | {row['goal']} | {met} | "
        f"{'' if row['met'] else reason} |"
    )


def correctness():
    worst = {}
    for file in sorted((RESULTS / "correct").glob("*.json")):
        case = json.loads(file.read_text())
        for name, of in case["errors"].items():
            key = case["element"] + (", phase tiles" if case["series"] else ""), name
            worst[key] = max(worst.get(key, (0.0, 0.0)), (of["found"], of["allowed"]))
    kinds = sorted({kind for kind, _ in worst})
    lines = [f"| quantity | {' | '.join(kinds)} |", f"|---|{'---|' * len(kinds)}"]
    for name in dict.fromkeys(name for _, name in worst):
        cells = [f"{of[0]:.1e} of {of[1]:.1e}" if (of := worst.get((kind, name))) else "" for kind in kinds]
        lines.append(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |")
    return lines


def trio():
    names = ("rope", "alibi", "ape")
    runs = {name: load(f"runs/{name}-64.json") for name in names}
    packed = {name: {row[0]: row for row in run["last"]["files"]["val"][-1]["rows"]} for name, run in runs.items()}
    lines = ["| tokens | RoPE | ALiBi | APE |", "|---|---|---|---|"]
    for length in packed["rope"]:
        losses = [
            f"{packed[name][length][1]:.3f} ({packed[name][length][2]:.3f} to {packed[name][length][3]:.3f})"
            for name in names
        ]
        lines.append(f"| {length:,} | {' | '.join(losses)} |")
    speeds = ", ".join(f"{runs[name]['speed']['median']:,.0f}" for name in names)
    growth = " / ".join(f"{math.exp(packed[name][16384][1] - packed[name][64][1]):.3g}" for name in names)
    *_, before, last = zip(*(run["training"]["validation"] for run in runs.values()), strict=True)
    least = min(a[1] - b[1] for a, b in zip(before, last, strict=True))
    still = f"by {least:.2f} nats or more from step {before[0][0]:,} on"
    return lines, runs["rope"]["steps"], speeds, growth, still


def block():
    tests, about = load("tests.json"), load("rows/G1.json")
    machine = about["machine"]
    reasons = profile()
    losses, steps, speeds, growth, still = trio()
    ceilings = [json.loads(file.read_text())["ceilings"] for file in (RESULTS / "rows").glob("*.json")]
    products, copies = ([of[f"{unit}_per_second"] / 1e12 for of in ceilings] for unit in ("operations", "bytes"))
    return "\n".join(
        [
            f"On one {machine['device']} (driver {machine['driver_version']}, {machine['clocks.max.sm']}, "
            f"PyTorch {about['torch']}, "
            f"{about['date']}), {tests['passed']} tests pass and {len(tests['failed']) or 'none'} fails, "
            "and `compute-sanitizer` finds nothing (memcheck and racecheck, three tests of kernels).",
            "",
            "**Kernels at 1,024 and 16,384 tokens**, 6 heads of 64: the largest error on samples of rows and keys, "
            "relative to 1 + the value, and what is allowed. Encodings: none and APE, in bfloat16 also ALiBi and RoPE, "
            "by phase tiles APE alone; reference: float64 on the same stored numbers.",
            "",
            *correctness(),
            "",
            f"**Rows.** Ceilings measured beside them: {min(products):.0f} to {max(products):.0f} TFLOP/s "
            f"(product of 8,192 × 8,192 matrices in bfloat16), {min(copies):.1f} to {max(copies):.1f} TB/s (a copy, "
            "bytes read and written). *Over least* is our time over the least that the row's ceilings allow for the "
            "products and bytes of causal attention. Ratios are medians of 7 pairs of samples, "
            "with the least and the greatest; in G14, G15 and G17 they are those of medians.",
            "",
            "| row | measured | over least | goal | met | reason |",
            "|---|---|---|---|---|---|",
            *(of_row(name, reasons) for name in ROWS),
            "",
            f"**The paper's three encodings at full size.** From 64 to 16,384 tokens perplexity grows {growth} times "
            "with RoPE, ALiBi and APE; not all of it is growth, as [the first tokens are "
            "easier](tables/tinystories.md#growth). The models have 30 million parameters and one seed. They were "
            f"trained at 64 tokens on 3,650,815 tokens, in bfloat16, for {steps:,} steps of 12 sequences; the learning "
            "rate decays "
            f"over these steps. Validation losses still fell {still}. Recorded as a CUDA graph, training took "
            f"{speeds} tokens per second (RoPE, ALiBi, APE with learned bias). Losses are in nats per token of packed "
            "validation stories, 16 windows of 16,384 tokens, with the 95 % bootstrap interval over windows.",
            "",
            *losses,
            "",
        ]
    )


def main():
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    new = before + BEGIN + block() + END + after
    if "--check" in sys.argv[1:]:
        sys.exit(0 if new == page else f"{PAGE} differs from its results; run tests/bench/device/page.py")
    PAGE.write_text(new)


if __name__ == "__main__":
    main()
