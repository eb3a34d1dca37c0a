"""The site's gallery: a page for each built-in encoding with its picture, verdicts, file and source, and one of all."""

import itertools
import json
import os
import re
import shutil
import subprocess
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gpe._verdicts.readings import USUAL, property_of

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "probes" / "python"
PYTHON = ROOT / ".venv" / "bin" / "python"
ENCODINGS = ROOT / "theory" / "encodings"
#: What the Python with matplotlib runs, on a folder and names: writes the pictures, prints the encodings' reports.
DRAW = """
import json, sys
from pathlib import Path
from gpe._plots.figure import figure_of
from gpe._plots.look import Look, written
from gpe._programs import with_curves
for name in sys.argv[2:]:
    report = with_curves([name], 200)
    Path(sys.argv[1], f"{name}.svg").write_bytes(written(figure_of(report, "the report"), "svg", Look()))
    print(json.dumps({key: report["encodings"][0][key] for key in ("name", "title", "verdicts")}))
"""
HEAD = """\
# Gallery

Every built-in encoding at its default parameters: `gpe check NAME`, `gpe plot NAME`, and `gpe show NAME` for its file.
The verdicts are those of convergent normalization (`cn`, every content), entropy boundedness (`eb`, limit),
long-distance correlation (`ldcp`, weight) and gradient positional sensitivity (`gps`, vector), which
[readings](readings.md) defines.
"""


def output_of(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def draw(programs, names, folder, pool):
    """Writes the pictures of encodings, one process per core; their reports' names, titles and verdicts."""

    def draw_some(some):
        command = [PYTHON, "-c", DRAW, folder, *some]
        environment = os.environ | {"PYTHONPATH": str(PACKAGE), "GPE_PROGRAMS": str(programs)}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise SystemExit(f"site/gallery.py: {done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    cores = os.cpu_count()
    return itertools.chain(*pool.map(draw_some, [names[core::cores] for core in range(cores)]))


def verdict_line(encoding):
    """The four usual verdicts of a report's encoding, each in its colour."""
    found = {(one["property"], one["reading"]): one["verdict"] for one in reversed(encoding["verdicts"])}
    verdicts = {name: found[property_of(name), USUAL[property_of(name)]] for name in ("cn", "eb", "ldcp", "gps")}
    return " · ".join(f'{name} <span class="{verdict}">{verdict}</span>' for name, verdict in verdicts.items())


def with_links(reference):
    """The reference, its arXiv numbers as links."""
    return re.sub(r"arXiv (\d{4}\.\d{4,5})", r"[arXiv \1](https://arxiv.org/abs/\1)", reference)


def page(name, file, programs):
    """The page of one encoding."""
    text = file.read_text()
    known = tomllib.loads(text)
    lines = [f"# {name}", "", f"{known.get('title', name)}. Source: {with_links(known.get('reference', 'none'))}.", ""]
    lines += [f"![Scores, weights, Z and H of {name}]({name}.svg)", ""]
    lines += ["## Verdicts and numbers", "", f"`gpe check {name}` prints:", "", "```text"]
    lines += [output_of(programs / "check-properties", name).strip("\n"), "```", ""]
    lines += ["## The file", "", f"`gpe show {name}` prints it; [{file.name}]({file.name}) is the same.", ""]
    lines += ["```toml", text.strip("\n"), "```", ""]
    return "\n".join(lines)


def shown(quick):
    """The files of the built-in encodings by their names; quick: of an eighth of them."""
    return {file.stem: file for file in sorted(ENCODINGS.glob("*.toml"))[:: 8 if quick else 1]}


def write(docs, programs, files):
    """gallery.md, and gallery/NAME.md for each encoding."""
    folder = docs / "gallery"
    folder.mkdir()
    for file in (*files.values(), *ENCODINGS.glob("*.csv")):
        shutil.copyfile(file, folder / file.name)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        report_of = {one["name"]: one for one in draw(programs, list(files), folder, pool)}
        page_of = dict(zip(files, pool.map(lambda name: page(name, files[name], programs), files), strict=True))
    lines = [HEAD, '<div class="grid cards" markdown>', ""]
    for name in files:
        report = report_of[name]
        (folder / f"{name}.md").write_text(page_of[name])
        lines += [f"-   [**{name}**](gallery/{name}.md): {report['title'] or name}", ""]
        lines += [f"    [![{name}](gallery/{name}.svg){{ loading=lazy }}](gallery/{name}.md)", ""]
        lines += [f"    {verdict_line(report)}", ""]
    (docs / "gallery.md").write_text("\n".join([*lines, "</div>", ""]))
