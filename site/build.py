"""The site: README and docs/ as they are, the reference made from the programs, schemas and headers, and the figures.

Usage: .venv/site/bin/python site/build.py --bin FOLDER [--output FOLDER] [--figures FOLDER] [--no-cpp]

Output: FOLDER/html (default build-site/html), which can be opened without a server. Any warning of mkdocs, a link to
nothing among them, is an error. Figures are those of notebooks/figures.py; without --figures they are made, where
.venv/notebooks is. Doxygen makes the pages of the C++ interface, where it is."""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import reference

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "site"
KATEX = Path("/usr/share/javascript/katex")  # libjs-katex of Debian
NAVIGATION = {
    "Start": ["index.md", "tutorial.md", "howto.md", "python.md"],
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
    "Reference": ["reference.md", "contributing.md", "changelog.md"],
}


def gather(docs):
    """The pages, with links to files of the repository turned to copies beside them."""
    names = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
    pages = {path: path.name for path in (ROOT / "docs").rglob("*.md") if path.name != "README.md"}
    pages |= {ROOT / name: target for name, target in names.items()}
    at = {path.resolve(): target for path, target in pages.items()} | {
        (ROOT / "docs" / "README.md").resolve(): "contents.md"
    }
    pages[ROOT / "docs" / "README.md"] = "contents.md"
    titles = {source.name: re.search(r"(?m)^# (.*)$", source.read_text())[1] for source in pages}
    for source, target in pages.items():

        def link(found, folder=source.parent):
            text, address, anchor = found.groups()
            if re.match(r"[a-z]+:", address) or not address:
                return found.group()
            path = (folder / address).resolve()
            if path in at:
                name = text[1:-1]
                return f"[{titles[name] if name == path.name else name}]({at[path]}{anchor or ''})"
            if not path.exists():
                return found.group()  # mkdocs says so
            return f"{text}({copied(path, docs)})"

        text = re.sub(r"(\[[^\]]*\])\(([^)#\s]*)(#[^)\s]*)?\)", link, source.read_text())
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


def pictures(docs, figures):
    """A page with every figure and table."""
    titles = re.findall(r"(?m)^\| (`[^|]*) \|[^|]*\|[^|]*\| (.*) \|$", (ROOT / "docs" / "results.md").read_text())
    said = {
        f"perplexity{name}" if name.startswith("_") else name: what
        for names, what in titles
        for name in re.findall(r"`([a-z_]+)`", names)
    }
    (docs / "pictures").mkdir()
    lines = [
        "# All figures and tables",
        "",
        "Made by `notebooks/figures.py` from the stored results: [figures](results.md#figures-and-tables) says which is which.",  # noqa: E501
        "",
    ]
    order = list(said)
    for path in sorted(
        figures.glob("*.svg"),
        key=lambda path: (order.index(path.stem) if path.stem in order else len(order), path.stem),
    ):
        shutil.copyfile(path, docs / "pictures" / path.name)
        shutil.copyfile(path.with_suffix(".pdf"), docs / "pictures" / f"{path.stem}.pdf")
        lines += [
            f"## {path.stem.replace('_', ' ')}",
            "",
            f"{said.get(path.stem, '')[:1].upper()}{said.get(path.stem, '')[1:]}. [PDF](pictures/{path.stem}.pdf)",
            "",
            f"![{path.stem}](pictures/{path.name})",
            "",
        ]
    for path in sorted(figures.glob("*.md")):
        lines += [f"## Table: {path.stem.replace('_', ' ')}", "", path.read_text(), ""]
    (docs / "pictures.md").write_text("\n".join(lines))


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
        lines.append(f"  - {tab}:")
        lines += [f"      - {name}" for name in names if (docs / name).exists()]
        if tab == "Reference":
            lines += [f"      - {path.relative_to(docs)}" for path in sorted((docs / "reference").glob("*.md"))]
    lines.append("not_in_nav: |")
    lines += ["  /contents.md", "  /files/**/*.md"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--output", type=Path, default=ROOT / "build-site")
    parser.add_argument("--figures", type=Path)
    parser.add_argument("--no-cpp", action="store_true", help="without the C++ interface")
    arguments = parser.parse_args()
    output = arguments.output.resolve()
    shutil.rmtree(output, ignore_errors=True)
    docs = output / "docs"
    docs.mkdir(parents=True)
    gather(docs)
    assets(docs)
    figures = arguments.figures
    python = ROOT / ".venv" / "notebooks" / "bin" / "python"
    if figures is None and python.exists():
        figures = output / "figures"
        subprocess.run([python, ROOT / "notebooks" / "figures.py", "--output", figures], check=True)
    if figures:
        pictures(docs, figures.resolve())
    reference.write(docs, arguments.bin.resolve(), output, not arguments.no_cpp)
    (output / "mkdocs.yml").write_text((SITE / "mkdocs.yml").read_text() + navigation(docs))
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", output / "mkdocs.yml"],
        capture_output=True,
        text=True,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "true", "DISABLE_MKDOCS_2_WARNING": "true"},
    )
    said = [line for line in (result.stdout + result.stderr).splitlines() if not line.startswith("INFO")]
    if result.returncode != 0 or any("WARNING" in line for line in said):
        sys.exit("\n".join([*said, "site/build.py: mkdocs warned"]))


if __name__ == "__main__":
    main()
