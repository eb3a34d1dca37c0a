"""The site builds without a warning, has every page, loads nothing from elsewhere, and its links
lead somewhere; a link to nothing is seen. Each built-in encoding, notebook and public name of Python is there.

Usage: .venv/site/bin/python site_test.py BIN SOURCE WORK [--quick], as build.py has it. Exit code 0, or what is wrong
in words."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

BIN, SOURCE, WORK = (Path(argument).resolve() for argument in sys.argv[1:4])
QUICK = sys.argv[4:]
sys.path[:0] = [str(SOURCE / "site"), str(SOURCE / "probes" / "python")]
import gallery  # noqa: E402


class Addresses(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.loaded, self.names = [], [], set()

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if found.get("id"):
            self.names.add(found["id"])
        address = found.get("href") or found.get("src")
        if address is None:
            return
        loads = tag in ("script", "img") or (tag == "link" and found.get("rel") in ("stylesheet", "preload", "icon"))
        (self.loaded if loads else self.links).append(address)


def parsed(path):
    reader = Addresses()
    reader.feed(path.read_text())
    return reader


def contents(html, pages):
    """What is missing of the gallery, the notebooks' outputs, the pictures' titles and the reference of Python."""
    names = gallery.shown(QUICK).keys()
    wrong = [f"gallery: no page of {name}" for name in names if html / "gallery" / f"{name}.html" not in pages]
    pictures = {Path(address).stem for address in pages[html / "gallery.html"].loaded}
    wrong += [f"gallery: no picture of {name}" for name in sorted(names - pictures)]
    verdicts = re.findall(r'class="(?:holds|fails|depends|undecided)"', (html / "gallery.html").read_text())
    if len(verdicts) != 4 * len(names):
        wrong.append(f"gallery: {len(verdicts)} verdicts of {len(names)} encodings")
    for name in names:
        if not re.search("Source: (?!none)", (html / "gallery" / f"{name}.html").read_text()):
            wrong.append(f"gallery: {name} has no source")
    for path in [] if QUICK else (SOURCE / "notebooks").glob("*.ipynb"):
        if f"outputs/{path.stem}/" not in (page := (html / f"{path.stem}.html").read_text()) and "<pre>" not in page:
            wrong.append(f"{path.stem}: no outputs")
    titles = set() if QUICK else pages[html / "pictures.html"].names
    names = {one for one in titles if "_" in one and not one.startswith("__")}
    wrong += [f"pictures: a file name as a title: {name}" for name in sorted(names)]
    import gpe

    public = {f"gpe.{name}" for name in (*gpe.__all__, "conformance", "testing")}
    wrong += [
        f"reference: no {name} of Python" for name in sorted(public - pages[html / "reference" / "python.html"].names)
    ]
    return wrong


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    build = [sys.executable, SOURCE / "site" / "build.py", "--bin", BIN, "--output", WORK, *QUICK]
    done = subprocess.run(build, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    html = WORK / "html"
    wrong = []
    pages = {path: parsed(path) for folder in (".", "reference", "gallery") for path in (html / folder).glob("*.html")}
    expected = {path.stem for path in (SOURCE / "docs").rglob("*.md")} - {"README"}
    expected |= {"index", "reference", "changelog", "gallery"}
    if not QUICK:
        expected |= {"pictures"} | {path.stem for path in (SOURCE / "notebooks").glob("*.ipynb")}
    wrong += contents(html, pages)
    wrong += [f"there is no page {name}" for name in sorted(expected - {path.stem for path in pages})]
    for path, page in pages.items():
        wrong += [f"{path.name} loads {address}" for address in page.loaded if re.match(r"(https?:)?//", address)]
        if path.name == "404.html":  # its links are absolute
            continue
        for address in page.links + page.loaded:
            address, _, anchor = unquote(address).partition("#")
            if re.match(r"[a-z]+:", address):
                continue
            target = (path.parent / address).resolve() if address else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                wrong.append(f"{path.name}: a link to {address}, which is not there")
            elif anchor and target in pages and anchor not in pages[target].names and not anchor.startswith("__"):
                wrong.append(f"{path.name}: a link to {address}#{anchor}, which is not there")
    if (
        not (html / "search" / "search_index.js").exists()
        or "assets/iframe-worker.js" not in pages[html / "index.html"].loaded
    ):
        wrong.append("nothing can be searched for without a server")
    broken = WORK / "docs" / "howto.md"
    broken.write_text(broken.read_text() + "\n[nowhere](no_such_page.md) and [no part](tutorial.md#no-such-part)\n")
    seen = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "--config-file",
            WORK / "mkdocs.yml",
            "--site-dir",
            WORK / "broken",
        ],
        capture_output=True,
        text=True,
    )
    for what in ("no_such_page.md", "no-such-part"):
        if seen.returncode == 0 or what not in seen.stdout + seen.stderr:
            wrong.append(f"mkdocs does not see the link to {what}")
    print(f"{len(pages)} pages")
    sys.exit("\n".join(wrong[:40]) or 0)


if __name__ == "__main__":
    main()
