"""docs/results.md from the results in docs/results: python3 tests/bench/runs/page.py [--check | --results FOLDER]"""

import argparse
import json
import math
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "results.md"
NAMES = {"val": "TinyStories, validation", "long-0-5000": "tales of up to 5,000 words", "long-5000-10000": "tales of 5,000 to 10,000 words"}
ENCODINGS = ("rope", "alibi", "ape")


def load(folder):
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}


def perplexity(row):
    """exp of a loss and its interval; the columns are tokens, loss, low, high."""
    value, low, high = (None if x is None else math.exp(x) for x in row[1:4])
    digits = 1 if value < 100 else 0
    return f"{value:.{digits}f}" + ("" if low is None else f" ({low:.{digits}f} to {high:.{digits}f})")


def series(evaluation, split, over):
    found = [part for part in evaluation["files"][split] if part["over"] == over]
    return {row[0]: row for row in found[0]["rows"]} if found else {}


def by_length(columns, split, over):
    """A table of perplexities: columns are (heading, evaluation)."""
    tables = [(heading, series(evaluation, split, over)) for heading, evaluation in columns]
    lengths = sorted({length for _, table in tables for length in table})
    if not lengths:
        return []
    lines = ["| tokens | " + " | ".join(heading for heading, _ in tables) + " |", "|---" * (len(tables) + 1) + "|"]
    for length in lengths:
        cells = [perplexity(table[length]) if length in table else "" for _, table in tables]
        lines.append(f"| {length:,} | " + " | ".join(cells) + " |")
    return lines + [""]


def summary(results, baseline):
    lines = ["| run | tokens/s | loss on `val` | moved in the last tenth | 3-gram model |", "|---|---|---|---|---|"]
    for name, result in results.items():
        training, every = result["training"], result["every_token"]
        loss = f"{every['rows'][0][1]:.4f}" if every else ""
        speed = training["median_tokens_per_second"]
        lines.append(f"| `{name}` | {'' if speed is None else f'{speed:,.0f}'} | {loss} | {training['moved_in_last_tenth']:.4f} | {baseline:.4f} |")
    return lines + [""]


def groups(results):
    """(title, [(heading, evaluation)]) of what is compared."""
    def runs(names):
        return [(heading, results[name]["evaluation"]) for heading, name in names if name in results]

    for context in (64, 128, 256):
        yield f"Trained at {context} tokens", runs((name, f"{name}-{context}") for name in ENCODINGS)
    for name in ENCODINGS:
        yield f"{name} at 64 tokens, three seeds", runs([("1337", f"{name}-64"), ("1", f"{name}-64-seed-1"), ("2", f"{name}-64-seed-2")])
    controls = runs([("nope", "nope-64"), ("alibi, official slopes", "alibi-official-64")])
    for name in ("rope-64", "ape-64"):
        controls += [(f"{name}, {what}", cut) for what, cut in results.get(name, {"cuts": {}})["cuts"].items()]
    yield "Controls at 64 tokens", controls
    yield "Fine-tuned with APE: 1 % of the tokens, 500 steps", runs([("rope", "rope-64"), ("then ape", "rope-64-tuned-ape"),
                                                                    ("alibi", "alibi-64"), ("then ape", "alibi-64-tuned-ape")])
    yield "25,000 steps at 64 tokens", runs((name, f"{name}-64-25000") for name in ENCODINGS)


def recalled(results):
    names = [name for name in (f"{encoding}-64" for encoding in ENCODINGS) if name in results]
    if not names:
        return []
    lines = ["| distance | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for i, row in enumerate(results[names[0]]["recall"]["rows"]):
        cells = [results[name]["recall"]["rows"][i][2:5] for name in names]
        lines.append(f"| {row[0]:,} | " + " | ".join(f"{right:.2f} ({low:.2f} to {high:.2f})" for right, low, high in cells) + " |")
    return lines + [""]


def page(folder):
    found = load(folder)
    baseline = found.pop("3-gram")["losses"]["val"]["loss_nats"]
    machines = sorted({result["machine"] for result in found.values()})
    lines = [
        "# Runs on TinyStories", "",
        "Made by `python3 tests/bench/runs/page.py` from [docs/results](results), one file a run with its commands, version and machine;",
        "`.venv/bin/python tests/bench/runs/tsm.py` makes those. **The paper's protocol, not its data and not its size**: 2,955,005 training",
        "tokens of TinyStories (a vocabulary of 2,048), and older tales in place of LongTinyStories, which was not published",
        "([data.md](data.md)); 3 layers, width 96, 6 heads, 10,000 steps of 12 sequences.", "",
        f"Machine: {'; '.join(machines)}.", "",
        "Perplexities over windows of 16,384 tokens, 16 a range, documents joined by the end token, at their first T tokens; in brackets 95 %",
        "of the bootstrap over windows. Over documents, where that many are long enough.", "", *summary(found, baseline)]
    for title, columns in groups(found):
        if not columns:
            continue
        lines += [f"## {title}", ""]
        for split, name in NAMES.items():
            for over in ("packed windows", "documents"):
                table = by_length(columns, split, over)
                if table:
                    lines += [f"{name}, {over}:", "", *table]
    table = recalled(found)
    if table:
        lines += ["## Names recalled", "", "How often the right name is the likeliest of 44, by distance in tokens:", "", *table]
    return "\n".join(lines).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--results", type=Path, default=ROOT / "docs" / "results")
    arguments = parser.parse_args()
    text = page(arguments.results)
    if arguments.results != ROOT / "docs" / "results":
        sys.stdout.write(text)
    elif not arguments.check:
        PAGE.write_text(text)
    elif PAGE.read_text() != text:
        sys.exit(f"{PAGE.name} is not what its results give: run tests/bench/runs/page.py")


main()
