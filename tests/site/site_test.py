"""The site builds without a warning, has every page, loads nothing from elsewhere, and its links
lead somewhere; a link to nothing is seen.

Usage: .venv/site/bin/python site_test.py BIN SOURCE FIGURES WORK. Exit code 0, or what is wrong in words."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

BIN, SOURCE, FIGURES, WORK = (Path(argument).resolve() for argument in sys.argv[1:5])
sys.path.insert(0, str(SOURCE / "site"))


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


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    build = [sys.executable, SOURCE / "site" / "build.py", "--bin", BIN, "--output", WORK]
    if any(FIGURES.glob("*.svg")):
        build += ["--figures", FIGURES]
    done = subprocess.run(build, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    html = WORK / "html"
    wrong = []
    pages = {path: parsed(path) for path in [*html.glob("*.html"), *(html / "reference").glob("*.html")]}
    expected = {path.stem for path in (SOURCE / "docs").rglob("*.md")} - {"README"} | {
        "index",
        "reference",
        "changelog",
        "pictures",
    }
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
