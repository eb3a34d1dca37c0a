"""All figures and tables from the stored results, in some seconds.

Usage: .venv/notebooks/bin/python notebooks/figures.py [--results FOLDER] [--output FOLDER] [--column] [--only NAME...]

Runs the notebooks as programs. Output: figures/NAME.pdf, .svg, .png, .pgf (where there is LaTeX), .json with what is
drawn; tables as .md and .tex. Runs that have no result are named, and left out. --column: as wide as a column of a page
that has two, panels below one another."""

import argparse
import contextlib
import io
import re
import sys
import time
from pathlib import Path

import matplotlib

HERE = Path(__file__).resolve().parent
NOTEBOOKS = ("verdicts", "growth", "perplexity", "entropy", "cost", "reading_far")


def run(name, results, output):
    """A notebook with these parameters; what it prints."""
    text = (HERE / f"{name}.py").read_text()
    for parameter, value in (("results", results), ("output", output)):
        text, count = re.subn(
            rf"(?m)^{parameter} = .*$", f"{parameter} = {str(value) if value else None!r}", text, count=1
        )
        assert count == 1, f"{name}.py has no parameter {parameter}"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, str(HERE / f"{name}.py"), "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, help="default docs/results")
    parser.add_argument("--output", type=Path, default=Path("figures"))
    parser.add_argument("--column", action="store_true", help="3.3 inches wide in place of 5.5")
    parser.add_argument("--only", nargs="+", choices=NOTEBOOKS, metavar="NAME", help=", ".join(NOTEBOOKS))
    arguments = parser.parse_args()
    matplotlib.use("agg")
    sys.path.insert(0, str(HERE))
    import look

    look.WIDTH = look.COLUMN if arguments.column else look.TEXT
    wanted = arguments.only or NOTEBOOKS
    for number, name in enumerate(wanted, 1):
        started = time.time()
        last = run(name, arguments.results, arguments.output).strip().rpartition("\n")[2]
        print(f"{number} of {len(wanted)}: {name}: {time.time() - started:.0f} s; {last}", flush=True)


if __name__ == "__main__":
    main()
