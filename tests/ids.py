"""Ids of theorems, bounds and rules: each has a row in the table of docs/mathematics.md, and one meaning.

    ids.py SOURCE

Exit code 0, or what is wrong in words: an id that a page defines and the table lacks, or has elsewhere; one that
two pages define; one that code or a page cites and the table lacks; one that is the text of a link to another page; a
file of the table that is absent; one that --explain prints with another page or file of Coq than the table has."""

import re
import sys
from pathlib import Path

ID = r"[A-Z][0-9]{1,2}"
DEFINED = re.compile(rf"^(?:#+ (?:Bound )?({ID}(?:, {ID})*)(?:\. |$)|\*\*({ID})(?:\.\*\*|,? \(|, ))", re.M)
CITED = re.compile(rf"\b(?:[Tt]heorem|[Bb]ound|[Ll]emma)s? \[?({ID}(?:(?:, | and |, and | or | to ){ID})*)\b(?!\()")
IN_PAGE = re.compile(rf"\((?!X0\b)({ID}(?:(?:, | and | or | to ){ID})*)[):]")  # X0 is a point
CLAIMS = ("study.md", "limits.md")  # these cite claims of audit.md by their names
FILE = re.compile(r"`((?:theory|checks|tests)/[\w/.]+)`|\]\(\.\./(theory/proofs/\w+\.v)\)")
LINKED = re.compile(rf"\[({ID}(?:(?:, | and | or | to ){ID})*)\]\(([\w.]*\.md)?(?:#[^)]*)?\)")
PRINTED = re.compile(rf'\{{"({ID})", "(\w+\.md)", "(\w+\.v)?"\}}')  # checks/report/theorems_used.cpp
BESIDE = re.compile(rf"\b({ID}(?:(?:, | and | or | to ){ID})*),? (?:of )?docs/\w+\.md|docs/\w+\.md[,:]? \(?({ID})\b")


def table(text):
    """{id: page} of the rows, and the ids that have two."""
    rows = re.findall(rf"^\| ({ID}) \| [^\n]+ \| \[(\w+\.md)\]", text, re.M)
    return dict(rows), sorted({name for name, _ in rows if sum(name == other for other, _ in rows) > 1})


def printed(source, text):
    """What --explain prints of an id, where the rows of the table have something else."""
    rows = re.findall(rf"^\| ({ID}) \| .+ \| \[(\w+\.md)\].*\| (?:\[(\w+\.v)\].*)?\|$", text, re.M)
    said = PRINTED.findall((source / "checks/report/theorems_used.cpp").read_text())
    if not said:
        yield "checks/report/theorems_used.cpp: no ids found"
    for one in said:
        if one not in rows:
            yield f"checks/report/theorems_used.cpp: {one} is not a row of docs/mathematics.md"


def definitions(docs):
    """(id, page) of every heading and bold start of a paragraph that names one; not of claims in audit.md."""
    for path in sorted(docs.glob("*.md")):
        if path.name in ("audit.md", "mathematics.md", "proofs.md"):
            continue
        for heading, bold in DEFINED.findall(path.read_text()):
            yield from ((name, path.name) for name in re.findall(ID, heading or bold))


def citations(source):
    """(id, where) of code and pages; both ends of a range."""
    files = [path for path in sorted((source / "docs").glob("*.md")) if path.name not in ("audit.md", "proofs.md")]
    for folder in ("theory", "checks", "model", "probes", "tests"):
        files += [path for path in sorted((source / folder).rglob("*")) if path.suffix in (".h", ".cpp", ".py")]
    for path in files:
        text = path.read_text()
        in_page = IN_PAGE.finditer(text) if path.suffix == ".md" and path.name not in CLAIMS else ()
        for found in [*CITED.finditer(text), *BESIDE.finditer(text), *in_page]:
            where = f"{path.relative_to(source)}:{text[: found.start()].count(chr(10)) + 1}"
            yield from ((name, where) for name in re.findall(ID, " ".join(filter(None, found.groups()))))


def links(docs):
    """(id, page, where) of every link whose text is an id: the page that it leads to."""
    for path in sorted(docs.glob("*.md")):
        if path.name in ("audit.md", "proofs.md", *CLAIMS):
            continue
        for found in LINKED.finditer(text := path.read_text()):
            where = f"docs/{path.name}:{text[: found.start()].count(chr(10)) + 1}"
            yield from ((name, found[2] or path.name, where) for name in re.findall(ID, found[1]))


def main():
    source = Path(sys.argv[1]).resolve()
    rows, repeated = table((source / "docs/mathematics.md").read_text())
    wrong = [f"docs/mathematics.md: {name} has two rows" for name in repeated]
    seen = {}
    for name, page in definitions(source / "docs"):
        if page not in seen.setdefault(name, []):
            seen[name].append(page)
    for name, pages in seen.items():
        if len(pages) > 1:
            wrong.append(f"{name} is defined {len(pages)} times: {', '.join(pages)}")
        elif rows.get(name) not in pages:
            wrong.append(f"docs/{pages[0]}: {name} has no row in docs/mathematics.md, or one with another page")
    wrong += [f"docs/mathematics.md: no page defines {name}" for name in sorted(rows.keys() - seen.keys())]
    files = {one for pair in FILE.findall((source / "docs/mathematics.md").read_text()) for one in pair if one}
    wrong += [f"docs/mathematics.md: {name} is absent" for name in sorted(files) if not (source / name).exists()]
    cited = list(citations(source))
    wrong += [
        f"{where}: {name} is not in the table of docs/mathematics.md" for name, where in cited if name not in rows
    ]
    wrong += printed(source, (source / "docs/mathematics.md").read_text())
    linked = list(links(source / "docs"))
    wrong += [
        f"{where}: {name} is linked to {page}; expected {rows.get(name)}"
        for name, page, where in linked
        if rows.get(name) != page
    ]
    print(f"{len(rows)} ids, {len(cited)} citations, {len(linked)} links, {len(wrong)} faults")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
