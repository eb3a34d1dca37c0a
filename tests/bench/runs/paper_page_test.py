"""The page of the runs with the paper's optimizer, from results in which the answers are known.

python tests/bench/runs/paper_page_test.py
"""

import json
import math
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import gram_windows  # noqa: E402
import paired  # noqa: E402
import paper_curves  # noqa: E402
import paper_page  # noqa: E402
from program_rows import ROWS, Long  # noqa: E402

LENGTHS = (64, 128, 256, 1024, 4096, 16384)
LEVEL = {"rope": 3.0, "alibi": 0.3, "ape": 0.2}  # growth to 16,384 tokens, in nats


def series(level, seed):
    """16 windows about 2.5 nats at 64 tokens, which differ as much as texts do."""
    at = {length: 2.5 + level * math.log2(length / 64) / 8 + 0.01 * seed for length in LENGTHS}
    windows = {str(length): [mean + 0.1 * (i % 4 - 1.5) for i in range(16)] for length, mean in at.items()}
    rows = [[length, mean, mean - 0.1, mean + 0.1, mean, mean, mean] for length, mean in at.items()]
    return [{"over": "packed windows", "windows": 16, "rows": rows, "by_window": windows}]


def made(run):
    if isinstance(run, Long):
        name = run.name.removeprefix("long-").split("-")[0]
        recall = {"names": 40, "rows": [[16, 100, 0.25], [64, 100, 0.05]]}
        return {
            "evaluation": {"files": {"made": series(LEVEL[name], 0)}},
            "recall": {"names": recall, "places": recall},
        }
    run = getattr(run, "of", run)
    name = run.name.split("-")[0]
    level = LEVEL.get(name, 1.0) - (0.1 if "-tuned-ape" in run.name else 0)
    rows = [[length, 1 + level * math.log2(length / 64), 0, 9] for length in LENGTHS]
    files = {split: series(level, run.seed) for split in run.splits}
    every_token = {"rows": [[run.context, 2.5 + level / 10, 0, 9]]}
    evaluated = {"evaluation": {"files": files}, "every_token": every_token}
    return evaluated | {"seed": run.seed, "context": run.context, "entropy": {"rows": rows}}


def main():
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        assert "three encodings at 64 tokens: 9 of 9" in paper_page.page(folder)
        for run in (run for runs in ROWS.values() for run in runs):
            (folder / f"{run.name}.json").write_text(json.dumps(made(run)))
        gram = {split: series(0.4, 0) for split in paper_page.RANGES}
        (folder / f"{paper_page.GRAM}.json").write_text(json.dumps({"evaluation": {"files": gram}}))
        page = paper_page.page(folder)
        assert "Not made yet" not in page and page.count("\n## ") == 9, page
        lines = page.splitlines()
        growth = next(line for line in lines if line.startswith("| 0.5 million parameters, 64 tokens |"))
        factors = [", ".join([factor] * 3) for factor in ("20.09", "1.35", "1.22")]
        assert growth.endswith("| " + " | ".join(factors) + " |"), growth
        less = next(line for line in lines if "tokens | alibi | 3 |" in line)
        assert "-0.100 (-0.100 to -0.100)" in less and "-0.100 (-0.100 to -0.100) |" in less
        change = next(line for line in lines if line.startswith("| rope, as many tokens as are read, 6e-4 | 16,384"))
        cells = ["-0.100 (-0.100 to -0.100)", "+0.000 (+0.000 to +0.000)", "-0.100 (-0.100 to -0.100)"]
        assert change.endswith(" | ".join(["", *cells, cells[0]]) + " |"), change
        assert "| 0.5 million parameters, 64 tokens | ape less alibi | 3 | -0.010 (-0.010 to -0.010) |" in page
        assert "are within 0.000 of those above" in page
        assert (
            "| TinyStories, validation | ape | 3 | -0.190 (-0.215 to -0.165) |" in page and "grows 1.49 times" in page
        )
        assert "| TinyStories, validation | rope | 3 | +0.000 (+0.000 to +0.000) |" in page
        results, missing = paper_page.load(folder)
        assert not missing
        paper_curves.draw(results, folder / "picture.svg")
        text = (folder / "picture.svg").read_text()
        assert "APE less ALiBi" in text and "11.4 M" in text
        (folder / "ape-64-seed-2.json").unlink()
        assert (
            "| alibi | 3 |" not in "\n".join(paper_page.differences(paper_page.load(folder)[0])).split("128 tokens")[0]
        )
    assert gram_windows.begins([0, 1, 1, 0, 1, 1, 1, 0, 1, 1], 0, 2) == [0, 4], "from the beginning of a document on"
    mean, low, high = paired.interval([1.0, 2.0, 3.0])
    assert mean == 2 and abs(high - 2 - 4.303 / 3**0.5) < 1e-9 and abs(low - 2 + 4.303 / 3**0.5) < 1e-9
    assert paired.interval([1.0]) == (1.0, None, None)


main()
