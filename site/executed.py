"""The site's notebooks: pages with code, text and outputs. Executing them makes the figures, too."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbconvert import MarkdownExporter

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
PYTHON = ROOT / ".venv" / "notebooks" / "bin" / "python"
#: Kept with their outputs; the others are executed here, on the stored results.
KEPT = ("cookbook", "formula_to_model")


def executed(work, figures, quick):
    """The notebooks with outputs, {name: file}; those of figures only where .venv/notebooks is, and not in a quick
    try, with figures and tables as files in `figures`."""
    work.mkdir(parents=True, exist_ok=True)
    found = {name: NOTEBOOKS / f"{name}.ipynb" for name in KEPT}
    others = [path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if path.stem not in KEPT]
    if quick or not PYTHON.exists():
        return found

    def execute(notebook):
        command = [PYTHON, "-m", "papermill", notebook, work / notebook.name, "-p", "output", figures]
        command += ["--kernel", "python3", "--language", "python", "--no-progress-bar", "--log-level", "WARNING"]
        done = subprocess.run(
            [str(part) for part in command],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(NOTEBOOKS)},
        )
        if done.returncode:
            raise SystemExit(f"site/executed.py: {notebook}: {done.stderr[-3000:]}")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(execute, others))
    return found | {path.stem: work / path.name for path in others}


def as_markdown(notebook, folder, beside):
    """A notebook as Markdown; the pictures of its outputs are written to `folder`, which the text calls `beside`."""
    read = nbformat.read(notebook, nbformat.NO_CONVERT)
    read.cells = [cell for cell in read.cells if "injected-parameters" not in cell.metadata.get("tags", [])]
    read.metadata["language_info"] = {"name": "python"}
    text, resources = MarkdownExporter().from_notebook_node(read, {"output_files_dir": beside})
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in resources["outputs"].items():
        (folder / Path(name).name).write_bytes(data)
    return text
