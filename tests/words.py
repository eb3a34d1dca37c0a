"""The English of README, CONTRIBUTING, docs/ and --help: short sentences; and no construction of a telegram there,
or in the comments, docstrings and messages of the code.

    words.py SOURCE [--bin FOLDER]

Prints the median length of a sentence in words, the longest ones and each construction that CONTRIBUTING.md names. A
formula, a link's text and a piece of code count as one word each. Exit code 0, or what is wrong in words."""

import argparse
import re
import statistics
import subprocess
import sys
from pathlib import Path

MEDIAN = 18
LONGEST = 40
MOST_LINES = {"CHANGELOG.md": 150, "docs/README.md": 40}  # the README: cli_documentation
PROOFS = {"theorems.md", "bounds.md", "bounds_family.md", "certificates.md", "proofs.md"}  # may be longer
UNIT = (
    r"(?:line|head|layer|row|token|key|query|distance|file|run|kind|page|point|step|reading|rule|verdict|class|column)"
)
CODE = ("theory", "checks", "model", "probes", "page", "notebooks", "site", "cmake", "tests")
ENDINGS = {".h", ".cpp", ".cu", ".cuh", ".py", ".cmake", ".txt", ".js", ".mjs", ".toml", ".v"}
CONSTRUCTIONS = {
    "what of": r"\b[Ww]hat of\b",
    "is no <noun>": (
        r"(?<!there )(?<!There )\b(?:is|are|was|were|be) no "
        r"(?!(?:longer|more|less|fewer|greater|smaller|larger|wider|better|worse|other)\b)[a-z]"
    ),
    "that is none": r"\bthat (?:is|are) none\b",
    "one a <noun>": (
        rf"(?i)\b(?:one|two|once|numbers) an? {UNIT}\b|"
        rf"\b(?:one|a|two|three) (?:{UNIT}|block|table|number|[a-z]+s) an? {UNIT}\b"
    ),
    "nobody reads": r"\bnobody\b",
    "goes on": r"\b(?:goes|go|going|went) on\b",
    "begun": r"\bbegun\b",
    "of which": r"(?<!\bone)(?<!\beach)(?<!\bboth)(?<!\beither)(?<!\bnone)(?<!\ball)(?<!\blast) of which\b",
    "as is": r"\bas is\b",
    "from some n on": r"\bfrom (?:some|there|which|a)\b[^.;,]{0,25} on\b|\bfrom which on\b|\bfrom there on\b",
    "for ever": r"\bfor ever\b",
    "whoever": r"\b[Ww]hoever\b",
    "is there twice": r"\bis there (?:twice|once)\b",
    "which it has not": r"\b(?:it|that|which|they) (?:has|have) not\b(?! (?:been|seen|yet|\w+ed\b))",
}


def paragraphs(text):
    """(line, prose) of Markdown: paragraphs, items of lists and cells of tables; no code, displays or headings."""
    held, start, skipped = [], 0, None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if skipped:
            skipped = None if stripped.endswith(skipped) else skipped
            continue
        opens = next((mark for mark in ("```", "$$") if stripped.startswith(mark)), None)
        item = re.match(r"(?:[-*] |\d+\. )(.*)", stripped)
        apart = not stripped or opens or stripped.startswith(("#", "|", "![", "<")) or line.startswith("    ") or item
        if apart and held:
            yield start, " ".join(held)
            held = []
        if opens and not (len(stripped) > len(opens) and stripped.endswith(opens)):
            skipped = opens
        elif stripped.startswith("|"):
            cells = re.split(r"(?<!\\)\|", re.sub(r"`[^`]*`", "code", stripped.strip("|")))
            yield from ((number, cell.strip()) for cell in cells)
        elif item:
            held, start = [item[1]], number
        elif not apart or (line.startswith("    ") and held):
            start = start if held else number
            held.append(stripped)
    if held:
        yield start, " ".join(held)


def plain(prose):
    """Without marks: a formula and a piece of code are a word each."""
    prose = re.sub(r"`+[^`]*`+", "CODE", prose)
    prose = re.sub(r"\$[^$]*\$", "FORMULA", prose)
    prose = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", prose)
    return re.sub(r"[*_]{1,2}(\S(?:.*?\S)?)[*_]{1,2}", r"\1", prose)


def sentences(prose):
    prose = re.sub(r"\b(e\.g|i\.e|cf|vs|al|resp|Fig|eq|Sec|No)\.", r"\1", plain(prose))
    return [one for one in re.split(r"(?<=[.!?])(?:\s+|(?<=\.\")\s*)(?=[A-Z`\"(*0-9])", prose) if one.strip()]


def words(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def helps(source, folder):
    """(name, text) of what the programs print for --help."""
    for program in sorted({line.split()[0] for line in (source / "tests/cli/options.txt").read_text().splitlines()}):
        if (folder / program).exists():
            shown = subprocess.run([folder / program, "--help"], capture_output=True, text=True).stdout
            text = "\n\n".join(re.sub(r"\n {20,}", " ", shown).splitlines())
            yield f"{program} --help", re.sub(r"(?m)^ +(?:-\w,)?--?[\w-]+ ?(?:[A-Z_.\[\]0-9:]+ )*", "", text)


def pages(source):
    for path in [source / "README.md", source / "CONTRIBUTING.md", *sorted((source / "docs").rglob("*.md"))]:
        yield str(path.relative_to(source)), path.read_text()


def measured(name, text):
    """(line, sentence, how many words) of a text. A preregistration stays as it was registered."""
    if name == "docs/study.md":
        text = text[text.index("\n## Results\n") : text.index("\n## The second study\n")]
    return [(line, one, len(words(one))) for line, prose in paragraphs(text) for one in sentences(prose)]


def code(source):
    """(path, its text with the lines of a comment joined) of every file of code; not of this one, nor of encodings:
    results have their checksums."""
    for folder in CODE:
        for path in sorted((source / folder).rglob("*")):
            if path.suffix in ENDINGS and path.name != "words.py" and path.parent.name != "encodings":
                joined = re.sub(r"\n *(?://[/!<]*|#:?|\*)? ?(?=[a-zA-Z])", " ", path.read_text())
                yield str(path.relative_to(source)), joined


def constructions(text):
    """(its name, begin, end) of each construction, with some of the text around it."""
    for what, pattern in CONSTRUCTIONS.items():
        for found in re.finditer(pattern, text):
            yield what, max(0, found.start() - 60), found.end() + 60


def lengths_of(found):
    """Of the sentences; three words or less are a cell of a table."""
    return [count for _, _, count in found if count > 3]


def faults(name, found):
    """What is wrong with a text, in words."""
    for line, sentence, count in found:
        if count > LONGEST and Path(name).name not in PROOFS:
            yield f"{name}:{line}: {count} words: {sentence}"
        yield from (f"{name}:{line}: {what}: {sentence}" for what, *_ in constructions(sentence))
    lengths = lengths_of(found)
    if lengths and statistics.median(lengths) > MEDIAN:
        yield f"{name}: the median sentence has {statistics.median(lengths)} words, more than {MEDIAN}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--bin", type=Path)
    arguments = parser.parse_args()
    source = arguments.source.resolve()
    texts = [*pages(source), *(helps(source, arguments.bin.resolve()) if arguments.bin else ())]
    wrong, every = [], []
    for name, text in texts:
        found = measured(name, text)
        every += lengths_of(found)
        wrong += faults(name, found)
    for name, text in code(source):
        wrong += [f"{name}: {what}: …{text[start:end]}…" for what, start, end in constructions(text)]
    for name, most in MOST_LINES.items():
        lines = (source / name).read_text().count("\n")
        if lines > most:
            wrong.append(f"{name}: {lines} lines, more than {most}")
    print(f"{len(texts)} texts, {len(every)} sentences, median {statistics.median(every)} words, {len(wrong)} faults")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
