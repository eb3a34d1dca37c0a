"""The notebooks that are kept with their outputs: each .ipynb is its .py, executed. That of the cookbook prints today
what it has; that of the model is executed with few steps, whose numbers are others.

Usage: .venv/notebooks/bin/python executed_test.py BIN SOURCE WORK [--update]

--update executes them as they are kept, and keeps the outputs. Exit code 0, or what is wrong in words."""

import os
import shutil
import sys
from pathlib import Path

import jupytext
import papermill
from notebooks_test import cells

BIN, SOURCE, WORK = (Path(argument).resolve() for argument in sys.argv[1:4])
FEW = {"cookbook": {}, "formula_to_model": {"iterations": 20}}


def printed(notebook):
    """The text of each cell's outputs."""
    return ["".join(out.get("text", "") for out in cell.get("outputs", [])) for cell in notebook.cells]


def execute(name, parameters, done):
    source = WORK / f"{name}-source.ipynb"
    jupytext.write(jupytext.read(SOURCE / "notebooks" / f"{name}.py"), source)
    papermill.execute_notebook(
        str(source),
        str(done),
        parameters,
        progress_bar=False,
        log_output=False,
        kernel_name="python3",
        language="python",
        cwd=str(WORK),
    )
    return jupytext.read(done)


def bare(notebook):
    """Without what differs between runs of the same cells."""
    for cell in notebook.cells:
        cell.pop("id", None)
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
    notebook.metadata = {}
    notebook.nbformat_minor = 4
    return notebook


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.environ |= {
        "GPE_PROGRAMS": str(BIN),
        "PYTHONPATH": str(SOURCE / "probes" / "python"),
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "GPE_PYTHON": str(SOURCE / ".venv" / "bin" / "python"),
    }
    wrong = []
    for name, few in FEW.items():
        kept = SOURCE / "notebooks" / f"{name}.ipynb"
        if "--update" in sys.argv:
            jupytext.write(bare(execute(name, {}, WORK / f"{name}.ipynb")), kept)
            continue
        text, notebook = jupytext.read(SOURCE / "notebooks" / f"{name}.py"), jupytext.read(kept)
        if cells(text) != cells(notebook):
            wrong.append(f"{name}.ipynb is not {name}.py")
        if not any(printed(notebook)):
            wrong.append(f"{name}.ipynb has no outputs")
        done = execute(name, few, WORK / f"{name}.ipynb")
        if not few and printed(done) != printed(notebook):
            wrong.append(f"{name}.ipynb does not print what it has")
    sys.exit("\n".join(f"{one}: run {Path(__file__).name} with --update" for one in wrong) or 0)


if __name__ == "__main__":
    main()
