"""Models that others trained, read far beyond their training length: docs/tables/models_of_others.md.

Usage: .venv/bin/python tests/bench/runs/others.py [--bin FOLDER]
       .venv/bin/python tests/bench/runs/others.py --page | --check

GPE_DATA names the folder with the models and the texts. Checkpoints and token files go to
data/others, which git ignores. --page makes the page from the stored result,
docs/results/others.json, --check compares it; neither needs a package."""

import argparse
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import others_alibi
import others_rope
from record import CPU, ROOT, rounded, trees, write

RESULT = ROOT / "docs" / "results" / "others.json"
PAGE = ROOT / "docs" / "tables" / "models_of_others.md"
INTRODUCTION = """# Models that others trained

What [RoPE](#rope-stories260k) and [ALiBi](#alibi-alilama) do beyond the training length in small models that were
trained elsewhere, with code that is not ours. `.venv/bin/python tests/bench/runs/others.py`, with `GPE_DATA` set, makes
this page, by way of [others.json](../results/others.json), which has the commands.
{answer}
"""


def answer(result):
    """What both did at the largest multiple of their training length."""
    rope, alibi = result["rope"], result["alibi"]
    first, last = (str(f(map(int, rope["losses"]["stories"]))) for f in (min, max))
    cut = min((of["stories"][last][3], keys) for keys, of in rope["cuts"].items())
    of_alibi = [
        "{:.1f} to {:.1f}".format(*(math.exp(of["losses"][str(f(map(int, of["losses"])))][3]) for f in (min, max)))
        for of in alibi.values()
    ]
    context = next(iter(alibi.values()))["context"]
    return (
        f"From the training length to {int(last) // int(first)} times it, the perplexity of the second half of "
        f"{others_rope.WINDOWS} windows of stories went from "
        f"{math.exp(rope['losses']['stories'][first][3]):.1f} to {math.exp(rope['losses']['stories'][last][3]):.0f} "
        f"with RoPE.\nWhere no head saw more than its {cut[1]} nearest keys, it went to {math.exp(cut[0]):.1f}. "
        f"In two models with ALiBi it went from {' and from '.join(of_alibi)}; the first of each is over "
        f"{others_alibi.WINDOWS * context // 2} tokens alone,\nso that texts can change it."
    )


class Bench:
    def __init__(self, folder, data):
        self.bin, self.data, self.commands = folder.resolve(), data, []

    def call(self, program, *arguments, expect=(0,)):
        """Standard output."""
        words = [str(argument) for argument in arguments]
        shown = [word.replace(str(self.data), "$GPE_DATA").replace(f"{ROOT}/", "") for word in words]
        self.commands.append(" ".join([program, *shown]))
        result = subprocess.run([self.bin / program, *words], capture_output=True, text=True, cwd=ROOT)
        if result.returncode not in expect:
            sys.exit(f"{self.commands[-1]}\n{result.stderr}")
        return result.stdout


def measure(folder):
    data = Path(os.environ["GPE_DATA"])
    bench = Bench(folder, data)
    result = {
        "schema": 1,
        "name": "others",
        "rope": others_rope.measure(bench, data),
        "alibi": others_alibi.measure(bench, data),
    }
    version = bench.call("evaluate-tsm", "--version").strip()
    return rounded(result) | {
        "version": f"{version}, {trees(('theory', 'checks', 'model', 'probes'))}",
        "machine": CPU(),
        "commands": bench.commands[:-1],
    }


def page(result):
    return "\n".join(
        [
            INTRODUCTION.format(answer=answer(result)),
            *others_rope.section(result["rope"]),
            *others_alibi.section(result["alibi"]),
            f"Machine: {result['machine']}. Version: {result['version']}.",
            "",
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.check:
        if PAGE.read_text() != page(json.loads(RESULT.read_text())):
            sys.exit(f"{PAGE.name} is not what its result gives: run tests/bench/runs/others.py --page")
        return
    if not arguments.page:
        if "GPE_DATA" not in os.environ:
            sys.exit("GPE_DATA is not set: the folder of the models and texts")
        write(RESULT, measure(arguments.bin))
    PAGE.write_text(page(json.loads(RESULT.read_text())))


if __name__ == "__main__":
    main()
