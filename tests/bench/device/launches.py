"""One launch of each kernel whose time is compared, at 16,384 tokens: for a profiler. everything.py calls it.

Usage: ncu ... python3 tests/bench/device/launches.py [--bin FOLDER] [--work FOLDER] [--rehearse]"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import attention_rows as rows  # noqa: E402
import place  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--rehearse", action="store_true")
    arguments = parser.parse_args()
    with place.work_folder(arguments.work) as work:
        bench = rows.Bench(place.Place(arguments.bin, work, arguments.rehearse), arguments.rehearse, 1)
        tokens = bench.tokens(16384)
        q, k, v = bench.random(tokens)
        bench.statistics(q, k, bench.scores("nope", tokens))[0]()
        bench.attention(q, k, v, bench.scores("nope", tokens), "entropy")[0]()
        bench.attention(q, k, v, bench.scores("ape", tokens, series=True))[0]()
        bench.attention(q, k, v, bench.scores("ape", tokens))[0]()
        bench.clock.wait()


if __name__ == "__main__":
    main()
