"""The site: README and docs/ as they are, a gallery of the built-in encodings, the notebooks with outputs and figures,
and the reference made from the programs, schemas, docstrings and headers.

Usage: .venv/site/bin/python site/build.py --bin FOLDER [--output FOLDER] [--no-cpp]

Output: FOLDER/html (default build-site/html), which can be opened without a server. Any warning of mkdocs, a link to
nothing among them, is an error. Figures are made where .venv/notebooks is, those of encodings by .venv,
and the pages of the C++ interface where Doxygen is."""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "probes" / "python"))  # the package, for its names
import executed  # noqa: E402
import gallery  # noqa: E402
import pictures  # noqa: E402
import reference  # noqa: E402

SITE = ROOT / "site"
KATEX = Path("/usr/share/javascript/katex")  # libjs-katex of Debian
NAVIGATION = {
    "Start": ["index.md", "tutorial.md", "howto.md", "python.md", "gallery.md", "cookbook.md", "formula_to_model.md"],
    "Check and compare": [
        "readings.md",
        "specification.md",
        "configs.md",
        "ports.md",
        "models.md",
        "compare.md",
        "design.md",
        "sweeps.md",
        "audit.md",
        "report.md",
        "limits.md",
    ],
    "Mathematics": ["mathematics.md", "asymptotics.md", "theorems.md", "bounds.md", "certificates.md", "proofs.md"],
    "Models and results": [
        "data.md",
        "training.md",
        "device.md",
        "probes.md",
        "results.md",
        "pictures.md",
        "tinystories.md",
        "results_paper.md",
        "study.md",
        "predictors.md",
        "models_of_others.md",
        "verdicts_benchmarks.md",
        "numbers_benchmarks.md",
        "model_benchmarks.md",
    ],
    "Notebooks": ["verdicts.md", "growth.md", "perplexity.md", "entropy.md", "cost.md", "reading_far.md"],
    "Reference": ["reference.md", "contributing.md", "changelog.md"],
}


def gather(docs, notebooks):
    """The pages, with links to files of the repository turned to copies beside them; and the notebooks {name: file}."""
    names = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
    pages = {path: path.name for path in (ROOT / "docs").rglob("*.md") if path.name != "README.md"}
    pages |= {ROOT / name: target for name, target in names.items()}
    pages[ROOT / "docs" / "README.md"] = "contents.md"
    text_of = {path: path.read_text() for path in pages}
    for name, file in notebooks.items():
        path = ROOT / "notebooks" / f"{name}.ipynb"
        pages[path] = f"{name}.md"
        text_of[path] = executed.as_markdown(file, docs / "outputs" / name, f"outputs/{name}")
    titles = {path.name: re.search(r"(?m)^# (.*)$", text)[1] for path, text in text_of.items()}
    for source, target in pages.items():

        def link(found, folder=source.parent):
            text, address, anchor = found.groups()
            if re.match(r"[a-z]+:", address) or not address or address.startswith("outputs/"):
                return found.group()
            path = (folder / address).resolve()
            if path in pages:
                name = text[1:-1]
                return f"[{titles[name] if name == path.name else name}]({pages[path]}{anchor or ''})"
            if not path.exists():
                return found.group()  # mkdocs says so
            return f"{text}({copied(path, docs)})"

        text = re.sub(r"(\[[^\]]*\])\(([^)#\s]*)(#[^)\s]*)?\)", link, text_of[source])
        (docs / target).write_text(as_mathematics(text))


def copied(path, docs):
    """Where a copy of a file of the repository stands; a folder is a page that lists it."""
    where = Path("files") / path.relative_to(ROOT)
    target = docs / where
    if path.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        listing = target.with_suffix(".md")
        inside = sorted(item for item in path.rglob("*") if item.is_file() and item.suffix in (".json", ".toml"))
        lines = [
            f"- [{item.relative_to(path)}]({os.path.relpath(docs / copied(item, docs), listing.parent)})"
            for item in inside
        ]
        listing.write_text(f"# {path.relative_to(ROOT)}\n\n" + "\n".join(lines) + "\n")
        return where.with_suffix(".md")
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".md":  # not a page of the site
        target = target.with_suffix(".md.txt")
        where = where.with_suffix(".md.txt")
    shutil.copyfile(path, target)
    return where


def as_mathematics(text):
    """A display that has its own lines, as Python-Markdown wants it; text in fences stays."""
    parts = re.split(r"(?ms)(^```.*?^```$)", text)
    return "".join(
        part if part.startswith("```") else re.sub(r"(?ms)^\$\$(.*?)\$\$$", r"\n$$\1$$\n", part) for part in parts
    )


def assets(docs):
    target = docs / "assets" / "katex"
    if not KATEX.exists():
        sys.exit("site/build.py: there is no KaTeX; ./setup.sh --tests installs libjs-katex")
    (target / "fonts").mkdir(parents=True)
    shutil.copyfile(KATEX / "katex.min.css", target / "katex.min.css")
    shutil.copyfile(KATEX / "katex.min.js", target / "katex.min.js")
    shutil.copyfile(KATEX / "contrib" / "auto-render.js", target / "auto-render.min.js")
    for font in (KATEX / "fonts").glob("*.woff2"):
        shutil.copyfile(font, target / "fonts" / font.name)
    for name in ("iframe-worker.js", "mathematics.js", "site.css"):
        shutil.copyfile(SITE / name, docs / "assets" / name)


def navigation(docs):
    """The tabs, with the pages that are there."""
    lines = ["nav:"]
    for tab, names in NAVIGATION.items():
        there = [name for name in names if (docs / name).exists()]
        if tab == "Reference":
            there += [path.relative_to(docs) for path in sorted((docs / "reference").glob("*.md"))]
        if there:
            lines += [f"  - {tab}:", *(f"      - {name}" for name in there)]
    lines.append("not_in_nav: |")
    lines += ["  /contents.md", "  /files/**/*.md", "  /gallery/*.md"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--output", type=Path, default=ROOT / "build-site")
    parser.add_argument("--quick", action="store_true", help="without figures, and an eighth of the gallery, for a try")
    parser.add_argument("--no-cpp", action="store_true", help="without the C++ interface")
    arguments = parser.parse_args()
    output = arguments.output.resolve()
    written = output / "mkdocs.yml"
    if output.exists() and any(output.iterdir()) and not written.exists():
        sys.exit(f"site/build.py: {output} holds other files; expected an empty folder, or a site of before")
    shutil.rmtree(output, ignore_errors=True)
    docs = output / "docs"
    docs.mkdir(parents=True)
    written.touch()
    figures = output / "figures"
    gather(docs, executed.executed(output / "notebooks", figures, arguments.quick))
    assets(docs)
    if figures.exists():
        pictures.write(docs, figures)
    programs = arguments.bin.resolve()
    gallery.write(docs, programs, gallery.shown(arguments.quick))
    reference.write(docs, programs, output, not arguments.no_cpp)
    settings = (SITE / "mkdocs.yml").read_text().replace("PACKAGE", str(ROOT / "probes" / "python"))
    written.write_text(settings + navigation(docs))
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", written],
        capture_output=True,
        text=True,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "true", "DISABLE_MKDOCS_2_WARNING": "true"},
    )
    said = [line for line in (result.stdout + result.stderr).splitlines() if not line.startswith("INFO")]
    if result.returncode != 0 or any("WARNING" in line for line in said):
        sys.exit("\n".join([*said, "site/build.py: mkdocs warned"]))


if __name__ == "__main__":
    main()
