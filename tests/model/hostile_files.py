"""What the tests of hostile files share: a run, data and a report that are as they should be, and cases: one change of
them, one command, and what is checked of it."""

import hashlib
import json
import shutil
import subprocess

import training_data

SECONDS = 120  # on a machine that is busy
SECRET = "a secret that lies outside"
TABLE = (
    'schema = 1\nname = "steps"\n[parameters]\na = { default = "1/2", domain = "a > 0" }\n'
    '[tables]\nt = { file = "steps.csv", index = "n", beyond = "constant" }\n[score]\nbias = "-a*t(n)"\n'
)
CONFIG = """
[model]
layers = 1
heads = 2
width = 8
[position]
encoding = "steps.toml"
learned = ["a"]
[training]
context = 8
batch = 2
iterations = 2
[output]
evaluate_batches = 1
"""


def byte_alphabet():
    """GPT-2's visible character for each byte."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in visible else next(others)) for byte in range(256)]


def tokenizer_json():
    vocabulary = {character: token for token, character in enumerate(byte_alphabet())} | {
        "th": 256,
        "the": 257,
        "<|endoftext|>": 258,
    }
    return {
        "added_tokens": [{"id": 258, "content": "<|endoftext|>", "special": True}],
        "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": vocabulary, "merges": ["t h", ["th", "e"]]},
    }


def describe(folder, name, **changes):
    """What prepare-data writes beside NAME.bin."""
    data = (folder / f"{name}.bin").read_bytes()
    text = (folder / "tokenizer.json").read_bytes()
    description = {
        "schema": 1,
        "tokens": len(data) // 2,
        "vocabulary": 259,
        "end_of_text": 258,
        "sha256": hashlib.sha256(data).hexdigest(),
        "tokenizer": {"kind": "bpe", "file": "tokenizer.json", "sha256": hashlib.sha256(text).hexdigest()},
    }
    (folder / f"{name}.json").write_text(json.dumps(description | changes))


class Base:
    """A run, data and a report that are as they should be."""

    def __init__(self, programs, work):
        self.programs, self.folder = programs, work / "base"
        data = self.folder / "data"
        data.mkdir(parents=True)
        training_data.write_tokens(data, 259, train=3000, val=600)
        (data / "tokenizer.json").write_text(json.dumps(tokenizer_json()))
        for name in ("train", "val"):
            describe(data, name)
        (self.folder / "steps.toml").write_text(TABLE)
        (self.folder / "steps.csv").write_text("0,0\n1,1\n2,3/2\n")
        (self.folder / "config.toml").write_text(CONFIG)
        self.run(["train-tsm", "config.toml", "--data", "data", "--output", "run", "--quiet"])
        probe = "probe-attention run --tokens data/val.bin --lengths 8,16 --windows 2 --fit 8 --format json"
        self.run([*probe.split(), "--output", "report.json"])
        recall = "make-stories --tokenizer data/tokenizer.json --distances 64 --count 2 --output data/recall.bin"
        self.run(recall.split())

    def run(self, command):
        done = subprocess.run(
            [self.programs / command[0], *command[1:]], cwd=self.folder, capture_output=True, text=True
        )
        assert done.returncode == 0, (command, done)


def printable(text):
    return not any(ord(c) < 32 or 127 <= ord(c) < 160 or c == "\ufffd" for c in text)


class Case:
    """A copy of the base in a folder of its own, beside what is not to be touched."""

    def __init__(self, base, work, name, command, expected, change):
        self.base, self.name, self.command, self.expected, self.change = base, name, command, expected, change
        self.outer = work / "cases" / name
        self.folder = self.outer / "inside"

    def listing(self):
        return {
            str(path.relative_to(self.outer)): path.read_bytes() if path.is_file() and not path.is_symlink() else None
            for path in self.outer.rglob("*")
            if path != self.folder and self.folder not in path.parents
        }

    def wrong_answer(self, code, output, errors):
        """What is wrong with what the program printed, if anything is."""
        if code == 0:
            if not printable(output.replace("\n", "").replace("\t", "")):
                return "prints what a terminal acts on"
            if any(word in output.split() for word in ("nan", "-nan", "inf", "NaN")):
                return f"NaN or an infinity in\n{output}"
            return ""
        first, *others = errors.splitlines()
        one_line = errors.endswith("\n") and first.startswith(self.command[0] + ": ")
        if not one_line or any(not line.startswith("  ") for line in others):
            return "not one line, and what it shows of the file"
        if len(errors) > 2000 or not all(map(printable, (first, *others))):
            return "not a printable line"
        if output and self.command[0] != "sample-tsm":
            return "something on standard output"
        return ""

    def check(self):
        shutil.copytree(self.base.folder, self.folder, ignore=None, dirs_exist_ok=True)
        (self.outer / "secret.csv").write_text(f"0,1\n# {SECRET}\n")
        (self.outer / "secret.json").write_text(json.dumps({"secret": SECRET}))
        self.change(self.folder)
        before = self.listing()
        inside = {path for path in self.folder.rglob("*")}
        try:
            done = subprocess.run(
                [self.base.programs / self.command[0], *self.command[1:]],
                cwd=self.folder,
                capture_output=True,
                timeout=SECONDS,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return f"{self.name}: does not end within {SECONDS} s"
        errors = done.stderr.decode("utf-8", "replace")
        says = f"{self.name}: {self.command}: exit {done.returncode}: {errors[-600:]!r}"
        if done.returncode not in self.expected:
            return f"{says}; expected {self.expected}"
        wrong = self.wrong_answer(done.returncode, done.stdout.decode("utf-8", "replace"), errors)
        if wrong:
            return f"{says}: {wrong}"
        if self.listing() != before:
            return f"{says}: something outside of the folder has changed"
        for path in self.folder.rglob("*"):
            if path not in inside and path.is_file() and not path.is_symlink() and SECRET.encode() in path.read_bytes():
                return f"{says}: what lies outside is in {path}"
        shutil.rmtree(self.outer)
        return ""


READERS = (
    ["sample-tsm", "run", "--tokens", "4"],
    ["evaluate-tsm", "run", "data/val.bin", "--lengths", "4,8", "--windows", "2"],
    ["probe-attention", "run", "--tokens", "data/val.bin", "--lengths", "8", "--windows", "2", "--fit", "8"],
    ["export-tsm", "run", "--output", "out"],
    ["train-tsm", "--init", "run", "--data", "data", "--output", "new", "--quiet"],
    ["train-tsm", "--resume", "--data", "data", "--output", "run", "--quiet"],
)
SAMPLE, EVALUATE, PROBE, EXPORT, INIT, RESUME = READERS
TRAIN = ["train-tsm", "config.toml", "--data", "data", "--output", "new", "--quiet"]
RECALL = ["evaluate-tsm", "run", "data/recall.bin", "--recall"]
PAGE = ["gpe", "page", "report.json", "--output", "page.html"]


def replaced(file, text):
    """A file of the base with these bytes, or with what a function makes of its text."""

    def apply(folder):
        path = folder / file
        new = text(path.read_text()) if callable(text) else text
        path.write_bytes(new if isinstance(new, bytes) else new.encode("utf-8", "surrogateescape"))

    return apply


def linked(file, target):
    def apply(folder):
        (folder / file).unlink(missing_ok=True)
        (folder / file).symlink_to(target)

    return apply


def removed(file):
    return lambda folder: (folder / file).unlink()


def all_of(*changes):
    def apply(folder):
        for change in changes:
            change(folder)

    return apply
