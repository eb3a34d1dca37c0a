"""The site's reference: command lines from --help, JSON Schemas, the Python package from its docstrings, the C++
interface from the headers."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import gpe

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = {
    "check-properties": "specification.md",
    "compare-encodings": "compare.md",
    "compare-configs": "ports.md",
    "entropy-frontier": "compare.md",
    "asymptotics": "asymptotics.md",
    "audit-claims": "audit.md",
    "design-encoding": "design.md",
    "verify-certificate": "certificates.md",
    "prepare-data": "data.md",
    "make-stories": "data.md",
    "make-tasks": "data.md",
    "ngram-baseline": "data.md",
    "train-tsm": "training.md",
    "evaluate-tsm": "training.md",
    "sample-tsm": "training.md",
    "export-tsm": "data.md",
    "import-model": "data.md",
    "probe-attention": "probes.md",
}
DOXYGEN = """
PROJECT_NAME = gpe
INPUT = theory checks model/attention model/cuda/gpe_kernels.h probes
FILE_PATTERNS = *.h
EXCLUDE_PATTERNS = */verifier/* */attention_kernel_body.h */attention_kernel_vectors.h
RECURSIVE = YES
EXTRACT_ALL = YES
INPUT_FILTER = "sed -e 's:^\\( *\\)// :\\1/// :' -e 's:; *// :; ///< :'"
GENERATE_LATEX = NO
HTML_OUTPUT = cpp
HAVE_DOT = NO
CLASS_GRAPH = NO
COLLABORATION_GRAPH = NO
VERBATIM_HEADERS = NO
SHOW_INCLUDE_FILES = NO
SORT_MEMBER_DOCS = NO
MARKDOWN_SUPPORT = NO
AUTOLINK_SUPPORT = NO
QUIET = YES
WARN_IF_UNDOCUMENTED = NO
WARN_IF_DOC_ERROR = NO
WARN_IF_INCOMPLETE_DOC = NO
"""


def help_of(program):
    """What --help prints, without the place of the program."""
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    return re.sub(r"(?m)^(Usage: )\S*/", r"\1", text)


def of_package():
    """The page of the Python package, which mkdocstrings fills in from the docstrings of its public names."""
    lines = ["# The package gpe", "", "Its public names, from their docstrings. [How they are used](../python.md).", ""]
    for name in (*sorted(gpe.__all__, key=str.lower), "conformance", "testing"):
        lines += [f"::: gpe.{name}", ""]
    return "\n".join(lines)


def write(docs, programs, output, cpp):
    folder = docs / "reference"
    folder.mkdir()
    lines = ["# Reference", "", "- [The encoding file](specification.md), TOML", "- [The JSON report](report.md)"]
    there = [name for name in PROGRAMS if (programs / name).exists()]
    if len(there) < 5:
        raise SystemExit(f"site/build.py: {programs}: no programs; build them first")
    for name in there:
        text = help_of(programs / name)
        page = PROGRAMS[name]
        about = f"Output of `{name} --help`; more: [{page}](../{page})."
        (folder / f"{name}.md").write_text(f"# {name}\n\n{about}\n\n```text\n{text}```\n")
        said = next(line for line in text.splitlines() if line and line[0].isupper() and not line.startswith("Usage"))
        lines.append(f"- [`{name}`](reference/{name}.md): {said}")
    schemas = sorted((ROOT / "docs").glob("*.schema.json"))
    lines += [
        "",
        "## JSON Schemas",
        "",
        "The tests validate what the programs write, and all encoding files, against these.",
    ]
    for path in schemas:
        shutil.copyfile(path, docs / path.name)
        lines.append(f"- [`{path.name}`]({path.name}): {json.loads(path.read_text()).get('title', '')}")
    (folder / "python.md").write_text(of_package())
    lines += [
        "",
        "## Python",
        "",
        "[The package `gpe`](reference/python.md), name by name; [how it is used](python.md).",
    ]
    if cpp and shutil.which("doxygen"):
        lines += [
            "",
            "## C++",
            "",
            "The headers of `gpe::theory`, `gpe::checks`, the attention kernels and the probes, by Doxygen: "
            "[all files](cpp/files.html), [namespaces](cpp/namespaces.html). How to link them: "
            "[how to](howto.md#install-and-link-the-libraries).",
        ]
        config = output / "Doxyfile"
        config.write_text(DOXYGEN + f"OUTPUT_DIRECTORY = {docs}\nWARN_LOGFILE = {output / 'doxygen.log'}\n")
        subprocess.run(["doxygen", config], cwd=ROOT, check=True, capture_output=True)
        log = (output / "doxygen.log").read_text()
        if log.strip():
            raise SystemExit(f"site/build.py: doxygen warned\n{log[:4000]}")
    (docs / "reference.md").write_text("\n".join(lines) + "\n")
