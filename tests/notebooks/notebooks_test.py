"""The notebooks: each .py and .ipynb are the same, without outputs; figures.py runs them where results are missing,
makes all figures and tables from those that are stored, in less than five minutes, with texts
of 6 points or more that do not overlap; and a point of each figure is computed again (points_test.py).

Usage: .venv/notebooks/bin/python notebooks_test.py BIN SOURCE WORK [--column]; --column: the figures of one column
alone, and the model in tests/cases/tiny evaluated again. Exit code 0, or what is wrong in words."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import jupytext

BIN, SOURCE, WORK = (Path(argument).resolve() for argument in sys.argv[1:4])
FEW = ["3-gram", "rope-64", "alibi-64", "memory", "theory/verdicts", "theory/growth", "probes/rope-64"]
STORED = SOURCE / "docs" / "results"
# A program of notebooks/ that saves each figure once, and not in all kinds.
PNG_ALONE = """
import runpy, sys
from matplotlib.figure import Figure
save, sys.argv = Figure.savefig, sys.argv[1:]
Figure.savefig = lambda self, file, **more: save(self, file, **more) if str(file).endswith(".png") else None
runpy.run_path(sys.argv[0], run_name="__main__")
"""
sys.path[:0] = [str(SOURCE / "notebooks"), str(SOURCE / "tests" / "bench" / "runs")]
import figures  # noqa: E402
import tsm  # noqa: E402


def cells(notebook):
    return [(cell.cell_type, cell.source, cell.metadata.get("tags", [])) for cell in notebook.cells]


def illegible(folder):
    """What the figures' own records say of their texts."""
    return [
        f"{folder.name}/{figure.stem}: {what}"
        for figure in folder.glob("*.json")
        for what in json.loads(figure.read_text())["illegible"]
    ]


def in_one_column():
    program = [SOURCE / "notebooks" / "figures.py", "--column", "--output", WORK / "column"]
    subprocess.run([sys.executable, "-c", PNG_ALONE, *program], check=True, cwd=SOURCE, stdout=subprocess.DEVNULL)
    sys.exit("\n".join([*illegible(WORK / "column"), *points(WORK / "column", "--tiny")]) or 0)


def points(figures, *options):
    """What is wrong with a point of each figure, computed again."""
    program = [sys.executable, Path(__file__).parent / "points_test.py", BIN, figures, STORED, *options]
    found = subprocess.run(program, capture_output=True, text=True)
    print(found.stdout, end="")
    return [found.stderr.strip()] if found.returncode else []


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    if "--column" in sys.argv:
        in_one_column()
    few = WORK / "results"
    for name in FEW:
        (few / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(STORED / f"{name}.json", few / f"{name}.json")
    wrong = []
    for name in figures.NOTEBOOKS:
        text, paired = (jupytext.read(SOURCE / "notebooks" / f"{name}{kind}") for kind in (".py", ".ipynb"))
        if cells(text) != cells(paired):
            wrong.append(f"{name}.ipynb is not {name}.py: run .venv/notebooks/bin/jupytext --sync notebooks/*.py")
        if any(cell.get("outputs") or cell.get("execution_count") for cell in paired.cells):
            wrong.append(f"{name}.ipynb has outputs")
    program = [sys.executable, SOURCE / "notebooks" / "figures.py"]
    on_few = [*program, "--results", few, "--output", WORK / "few"]
    printed = subprocess.run(on_few, check=True, cwd=SOURCE, stdout=subprocess.PIPE, text=True).stdout
    if not re.search("perplexity: .*not made yet: .*ape-64", printed):
        wrong.append(f"figures.py does not say that ape-64 is missing: {printed}")
    if not any((WORK / "few").glob("*.png")):
        wrong.append("figures.py: no figures of few results")
    path, os.environ["PATH"] = os.environ["PATH"], str(WORK / "nothing")
    for folder in ("model", "theory"):  # as on a machine that has the sources alone
        if not re.fullmatch(rf"sources without git {folder} [0-9a-f]{{12}}", tsm.trees([folder])) or tsm.trees(
            ["model"]
        ) == tsm.trees(["theory"]):
            wrong.append(f"without git: {tsm.trees([folder])}")
    os.environ["PATH"] = path
    started = time.time()
    made = WORK / "figures"
    subprocess.run([*program, "--output", made], check=True, cwd=SOURCE)
    if time.time() - started > 300:
        wrong.append(f"figures.py took {time.time() - started:.0f} s")
    wrong += illegible(made)
    for figure in made.glob("*.json"):
        for kind in ("pdf", "svg", "png"):
            if not figure.with_suffix(f".{kind}").exists():
                wrong.append(f"{figure.stem}.{kind} is absent")
    for shown in ("study_forest.svg", "study_outcomes.svg"):
        if (SOURCE / "docs" / shown).read_bytes() != (made / shown).read_bytes():
            wrong.append(f"docs/{shown} is another than figures.py makes: copy it from there")
    if not any(made.glob("*.tex")):
        wrong.append("figures.py: no tables")
    wrong += points(made)
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
