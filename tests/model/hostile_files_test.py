"""Files from strangers: checkpoints, token files, tokenizers, data sets, configurations and
reports that try to do harm, or are damaged.

    python tests/model/hostile_files_test.py BIN WORK [SEED]

Each ends with exit code 2 and one printable line (1 where a model computes no numbers); nothing is written outside of
the folder that was named, nothing that lies outside comes into it, and none takes long. Damage that does no harm may be
accepted: then all numbers are finite.
"""

import array
import hashlib
import itertools
import json
import math
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys

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


def read_safetensors(file):
    data = file.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    return json.loads(data[8 : 8 + size]), data[8 + size :]


def write_safetensors(file, header, data):
    text = header if isinstance(header, bytes) else json.dumps(header, ensure_ascii=False).encode()
    file.write_bytes(struct.pack("<Q", len(text)) + text + data)


def drop_checksums(metadata):
    for key in [key for key in metadata if key.startswith("sha256 ")]:
        del metadata[key]


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
        self.run(
            [
                "probe-attention",
                "run",
                "--tokens",
                "data/val.bin",
                "--lengths",
                "8,16",
                "--windows",
                "2",
                "--fit",
                "8",
                "--format",
                "json",
                "--output",
                "report.json",
            ]
        )
        self.run(
            [
                "make-stories",
                "--tokenizer",
                "data/tokenizer.json",
                "--distances",
                "64",
                "--count",
                "2",
                "--output",
                "data/recall.bin",
            ]
        )

    def run(self, command):
        done = subprocess.run(
            [self.programs / command[0], *command[1:]], cwd=self.folder, capture_output=True, text=True
        )
        assert done.returncode == 0, (command, done)


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
        if done.returncode != 0:
            first, *others = errors.splitlines()
            if (
                not errors.endswith("\n")
                or not first.startswith(self.command[0] + ": ")
                or any(not line.startswith("  ") for line in others)
            ):
                return f"{says}: not one line, and what it shows of the file"
            if (
                any(ord(c) < 32 or 127 <= ord(c) < 160 or c == "\ufffd" for line in (first, *others) for c in line)
                or len(errors) > 2000
            ):
                return f"{says}: not a printable line"
            if done.stdout and self.command[0] != "sample-tsm":
                return f"{says}: something on standard output"
        elif any(
            ord(c) < 32 and c not in "\n\t" or 127 <= ord(c) < 160 or c == "\ufffd"
            for c in done.stdout.decode("utf-8", "replace")
        ):
            return f"{says}: prints what a terminal acts on"
        elif any(word in done.stdout.decode().split() for word in ("nan", "-nan", "inf", "NaN")):
            return f"{says}: a number that is none in\n{done.stdout.decode()}"
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
PAGE = ["render-report", "report.json", "--output", "page.html"]


def checkpoint(change):
    """A change of the header, and of the bytes after it, of the run's model."""

    def apply(folder):
        file = folder / "run" / "model.safetensors"
        header, data = read_safetensors(file)
        data = bytearray(data)
        header = change(header, data) or header
        write_safetensors(file, header, bytes(data))

    return apply


def metadata(**changes):
    """Other metadata, without checksums: as a stranger would write it. A callable changes what is there."""

    def change(header, _):
        meta = header["__metadata__"]
        drop_checksums(meta)
        for key, value in changes.items():
            meta[key] = value(meta[key]) if callable(value) else value

    return checkpoint(change)


def weights(name, value, every=False):
    def change(header, data):
        drop_checksums(header["__metadata__"])
        begin, end = header[name]["data_offsets"]
        kind, size = ("<d", 8) if header[name]["dtype"] == "F64" else ("<f", 4)
        for at in range(begin, end if every else begin + size, size):
            data[at : at + size] = struct.pack(kind, value)

    return checkpoint(change)


def replaced(file, text):
    """A file of the base with these bytes, or with what a function makes of its text."""

    def apply(folder):
        path = folder / file
        new = text(path.read_text()) if callable(text) else text
        path.write_bytes(new if isinstance(new, bytes) else new.encode("utf-8", "surrogateescape"))

    return apply


def described(name="train", **changes):
    return lambda folder: describe(folder / "data", name, **changes)


def linked(file, target):
    def apply(folder):
        (folder / file).unlink(missing_ok=True)
        (folder / file).symlink_to(target)

    return apply


def all_of(*changes):
    def apply(folder):
        for change in changes:
            change(folder)

    return apply


def tables(name, declared):
    """A table under this name in the checkpoint, which the encoding names, or does not."""

    def change(header, _):
        meta = header["__metadata__"]
        drop_checksums(meta)
        if declared:
            meta["encoding"] = meta["encoding"].replace("steps.csv", name)
            del meta["table steps.csv"]
        meta["table " + name] = "0,1\n"

    return checkpoint(change)


def checkpoint_cases():
    writers = itertools.cycle((INIT, EXPORT, RESUME))
    for name in (
        "../stolen.csv",
        "/tmp/gpe-hostile-stolen.csv",
        "a/../../stolen.csv",
        "../inside/../stolen.csv",
        "undeclared.csv",
        "",
    ):
        for declared in (True, False):
            for command in [] if name == "undeclared.csv" and declared else [next(writers), next(writers)]:
                yield f"table {name} {declared} {command[0]} {command[1]}", command, {2}, tables(name, declared)
    for name in ("modeling_tsm.py", "model.safetensors", "config.json", "log.jsonl", "merges.txt", "run.lock"):
        yield f"table called {name}", next(writers), {2}, tables(name, True)
    for value in ("x", "-1", "3e1", "99999999999999999999999", ""):
        yield f"iteration {value}", SAMPLE, {2}, metadata(iteration=value)
    yield "iteration beyond", RESUME, {2}, metadata(iteration="7")
    for old, new in (
        ("layers = 1", "layers = 1024"),
        ("width = 8", "width = 1048576"),
        ("heads = 2", "heads = 1024"),
        ("width = 8", "width = 1e400"),
        ("context = 8", "context = 9223372036854775807"),
        ("layers = 1", "layers = -1"),
        ("[model]", "[" + "a." * 30000 + "a]\n[model]"),
        ("[model]", "x = " + "[" * 30000 + "\n[model]"),
        ("learned = ['a']", "learned = ['nope']"),
        ("'layer-and-head'", "'\\u001b[31m\\u000a'"),
        ("position_table = 0", "position_table = 16777216"),
        ("vocabulary = 259", "vocabulary = 0"),
    ):

        def changed(text, old=old, new=new):
            assert old in text, (old, text)
            return text.replace(old, new)

        yield f"config {new[:30]!r}", SAMPLE, {2}, metadata(config=changed)
    for new in (
        'schema = 1\nname = "x"\n[score]\nbias = "' + "-" * 5000 + 'n"\n',
        "schema = 1\n" + "a." * 30000 + "a = 1\n",
        "schema = 2\n",
        "",
        "\x00",
        'schema = 1\nname = "../x"\n[score]\n',
        'schema = 1\nname = "\\u001b[2J"\n[score]\n',
        'schema = 1\nname = "x"\n[score]\nbias = "' + "(" * 5000 + 'n"\n',
        TABLE.replace("a > 0", "a > n"),
    ):
        yield f"encoding {new[:40]!r}", SAMPLE, {2}, metadata(encoding=new)
    yield "table with a bad number", SAMPLE, {2}, metadata(**{"table steps.csv": "0,nan\n"})
    yield "table of 2 MiB", SAMPLE, {2}, metadata(**{"table steps.csv": "0,0\n" + "#" * (2 << 20)})
    for name in (
        "transformer.wte.weight",
        "transformer.h.0.attn.c_attn.weight",
        "transformer.ln_f.weight",
        "position.raw",
    ):
        for value in (math.nan, math.inf):
            yield f"{name} {value}", SAMPLE if math.isnan(value) else PROBE, {2}, weights(name, value)
    for command in (SAMPLE, EVALUATE, PROBE):
        yield (
            f"weights of 1e30 {command[0]}",
            command,
            {1},
            weights("transformer.h.0.attn.c_attn.weight", 1e30, every=True),
        )
        yield f"embedding of 1e25 {command[0]}", command, {1}, weights("transformer.wte.weight", 1e25, every=True)
    for file in ("log.jsonl", "encoding.toml", "run.lock", "steps.csv"):
        yield (
            f"{file} leads outside",
            RESUME,
            {2},
            all_of(linked("run/" + file, "../../secret.csv"), replaced("run/config.toml", "")),
        )
    yield "tokenizer of the run leads outside", EXPORT, {2}, linked("run/tokenizer.json", "../../secret.json")
    yield "another optimizer", RESUME, {2}, replaced("run/optimizer-2.safetensors", b"\x02\0\0\0\0\0\0\0{}")
    yield (
        "other data",
        RESUME,
        {2},
        lambda folder: (
            training_data.write_tokens(folder / "data", 200, train=3000, val=600),
            describe(folder / "data", "train"),
            describe(folder / "data", "val"),
        ),
    )


def header_cases(generator, count):
    """Headers of safetensors that are wrong in one place, at random."""
    numbers = (-1, 2**63, 2**64, 1e300, 0.5, None, "4", [], 7)
    for index in range(count):
        tensor = generator.choice(("transformer.wte.weight", "transformer.h.0.ln_1.weight", "position.raw"))
        kind = generator.choice(
            ("offsets", "shape", "dtype", "rename", "twice", "nest", "utf8", "length", "cut", "extra")
        )
        value, place = generator.choice(numbers), generator.randrange(2)

        def change(header, data, tensor=tensor, kind=kind, value=value, place=place):
            entry = header[tensor]
            if kind == "offsets":
                entry["data_offsets"][place] = value
            elif kind == "shape":
                entry["shape"] = [value] * (place + 1)
            elif kind == "dtype":
                entry["dtype"] = ("F8\n", "I8")[place]
            elif kind == "rename":
                header["x\x1b[31m\n"] = header.pop(tensor)
            elif kind == "twice":
                return json.dumps(header).encode()[:-1] + b', "position.raw": ' + json.dumps(entry).encode() + b"}"
            elif kind == "nest":
                return b'{"a":' + b"[" * 100000 + b"]" * 100000 + b"}"
            elif kind == "utf8":
                return json.dumps(header).encode().replace(b"wte", b"w\xff\xfe")
            elif kind == "cut":
                del data[len(data) // 2 + place :]
            elif kind == "extra":
                data += b"\0" * (place + 1)
            return None

        def apply(folder, kind=kind, change=change, place=place):
            checkpoint(change)(folder)
            if kind == "length":
                file = folder / "run" / "model.safetensors"
                file.write_bytes(struct.pack("<Q", (2**64 - 1, 2**40)[place]) + file.read_bytes()[8:])

        yield f"header {index} {kind} {value}", SAMPLE, {2}, apply


def flip_cases(generator, count):
    """A bit of a checkpoint that is another one: refused, or of no consequence."""
    for index in range(count):
        at, bit = generator.random(), generator.randrange(8)

        def apply(folder, at=at, bit=bit):
            file = folder / "run" / "model.safetensors"
            data = bytearray(file.read_bytes())
            data[int(at * len(data))] ^= 1 << bit
            file.write_bytes(data)

        yield f"bit {index}", generator.choice((SAMPLE, RESUME)), {0, 2}, apply


def data_cases():
    for file in ("../../secret.json", "/etc/passwd", "sub/../../../secret.json", "", ".", "\0", "train.bin/x", 7, None):
        yield f"tokenizer file {file!r}", TRAIN, {2}, described(tokenizer={"kind": "bpe", "file": file})
    yield (
        "tokenizer that leads outside",
        TRAIN,
        {2},
        all_of(
            linked("data/tokenizer.json", "../../secret.json"),
            lambda f: describe(f / "data", "train", tokenizer={"kind": "bpe", "file": "tokenizer.json"}),
        ),
    )
    yield "another tokenizer", TRAIN, {2}, replaced("data/tokenizer.json", "{}")
    for changes in (
        {"tokens": 1},
        {"tokens": -1},
        {"tokens": 2**64},
        {"tokens": "3000"},
        {"vocabulary": 70000},
        {"vocabulary": 100},
        {"end_of_text": -1},
        {"sha256": "0" * 64},
        {"sha256": 7},
        {"schema": 2},
        {"tokenizer": "bpe"},
        {"tokenizer": {"kind": "bpe"}},
    ):
        yield f"description {changes}", TRAIN, {2}, described(**changes)
    yield "description that is nested", TRAIN, {2}, replaced("data/train.json", "[" * 200000)
    yield "description that is cut off", TRAIN, {2}, replaced("data/train.json", lambda text: text[:40])
    yield "description that is binary", TRAIN, {2}, replaced("data/train.json", b"\x00\xff\x1b[31m")
    for file in ("train.bin", "val.bin"):
        yield f"{file} that is cut off", TRAIN, {2}, replaced(f"data/{file}", b"\x01\x00" * 40)
        yield (
            f"{file} of half a token",
            TRAIN,
            {2},
            all_of(
                replaced(f"data/{file}", b"\x01\x00\x01"),
                lambda f, n=file: (f / "data" / n).with_suffix(".json").unlink(),
            ),
        )
        yield (
            f"{file} that is a folder",
            TRAIN,
            {2},
            lambda f, n=file: ((f / "data" / n).unlink(), (f / "data" / n).mkdir()),
        )
        yield (
            f"{file} that is a pipe",
            TRAIN,
            {2},
            lambda f, n=file: ((f / "data" / n).unlink(), os.mkfifo(f / "data" / n)),
        )
        yield f"{file} that is a device", TRAIN, {2}, linked(f"data/{file}", "/dev/zero")
        yield f"{file} that leads to itself", TRAIN, {2}, linked(f"data/{file}", file)
    yield (
        "tokens beyond the vocabulary",
        TRAIN,
        {2},
        all_of(replaced("data/train.bin", array.array("H", [65535] * 3000).tobytes()), described()),
    )


def key_cases():
    def key(change):
        return replaced("data/recall.answers.json", lambda text: json.dumps(change(json.loads(text))))

    def reference(name, value):
        return key(lambda k: k | {"references": [k["references"][0] | {name: value}, *k["references"][1:]]})

    for name in ("document", "name_at", "query_at", "answer_end", "distance"):
        for value in (-1, 2**64 - 1, 10**6, 1.5, "3"):
            yield f"answer {name} {value}", RECALL, {2}, reference(name, value)
    for candidates in ([70000], [-1], [65535], [1.5], "x", [[1]]):
        yield f"candidates {candidates}", RECALL, {2}, key(lambda k, c=candidates: k | {"candidates": c})
    yield "key that is nested", RECALL, {2}, replaced("data/recall.answers.json", '{"a":' * 100000)
    yield "key of other tokens", RECALL, {2}, key(lambda k: k | {"tokens_sha256": "0" * 64})


def tokenizer_cases(generator, count):
    def one(change, file="run/tokenizer.json"):
        def text(_):
            content = tokenizer_json()
            return json.dumps(change(content) or content)

        return replaced(file, text)

    for name, change in (
        ("nested", lambda t: t | {"normalizer": json.loads("[" * 99 + "]" * 99)}),
        ("no model", lambda t: {"x": 1}),
        ("a list", lambda t: [t]),
        ("a normalizer", lambda t: t | {"normalizer": {"type": "NFC"}}),
        ("a token twice", lambda t: t["model"]["vocab"].update({"x!": 0})),
        ("a token far away", lambda t: t["model"]["vocab"].update({"x!": 1 << 29})),
        ("a negative token", lambda t: t["model"]["vocab"].update({"x!": -1})),
        ("a token that is text", lambda t: t["model"]["vocab"].update({"x!": "1"})),
        ("a byte that is absent", lambda t: t["model"]["vocab"].pop("a") and None),
        ("a merge of nothing", lambda t: t["model"]["merges"].append("zz qq")),
        ("a merge twice", lambda t: t["model"]["merges"].append("t h")),
        ("a merge of three", lambda t: t["model"]["merges"].append(["t", "h", "e"])),
        ("an added token without text", lambda t: t["added_tokens"].append({"id": 9})),
        ("an added token of nothing", lambda t: t["added_tokens"].append({"id": 300, "content": ""})),
        ("an added token that is a number", lambda t: t | {"added_tokens": 7}),
        ("merges that are a number", lambda t: t["model"].update({"merges": 7})),
        ("a vocabulary beyond the model", lambda t: t["model"]["vocab"].update({f"x{i}": 300 + i for i in range(500)})),
        ("escapes in a name", lambda t: t | {"decoder": {"type": "\x1b[31m\n"}}),
    ):
        yield f"tokenizer with {name}", SAMPLE, {2}, one(change)
    yield (
        "tokenizer nested without end",
        SAMPLE,
        {2},
        replaced("run/tokenizer.json", '{"normalizer":' + "[" * 300000 + "]" * 300000 + "}"),
    )
    yield "tokenizer that is binary", SAMPLE, {2}, replaced("run/tokenizer.json", b"\xff\xfe\x00")
    yield (
        "tokenizer with many added tokens",
        SAMPLE,
        {2},
        one(
            lambda t: (
                t
                | {"added_tokens": [{"id": 300 + i, "content": f"<{i}>"} for i in range(40000)]}
                | {
                    "model": t["model"]
                    | {"vocab": t["model"]["vocab"] | {f"x{i}": 300 + 40000 + i for i in range(60000)}}
                }
            )
        ),
    )
    text = json.dumps(tokenizer_json())
    for index in range(count):
        data = bytearray(text.encode())
        for _ in range(3):
            at = generator.randrange(len(data))
            data[at : at + generator.randrange(3)] = generator.choice(
                (b"\xff", b"{", b"]", b",", b"\\u0000", b"9", b'"')
            )
        yield f"tokenizer {index}", SAMPLE, {0, 2}, replaced("run/tokenizer.json", bytes(data))


def config_cases():
    def one(old, new):
        return replaced("config.toml", lambda text: text.replace(old, new))

    for old, new in (
        ("width = 8", "width = 1048576"),
        ("layers = 1", "layers = 1024\nfeed_forward = 4194304"),
        ("width = 8", "width = 512\nposition_table = 16777216\nvocabulary_padded = 1048576\nfeed_forward = 4194304"),
        ("context = 8\nbatch = 2", "context = 2048\nbatch = 1048576"),
        ("context = 8", "context = 16777216"),
        ("batch = 2", "batch = 0"),
        ("batch = 2", "batch = 1.5"),
        ("batch = 2", "learning_rate = nan"),
        ("batch = 2", "learning_rate = inf"),
        ("batch = 2", "data_fraction = 0"),
        ("batch = 2", "data_fraction = 1e-9"),
        ("[model]", "[model]\n" + "a." * 40000 + "a = 1"),
        ("[model]", "a = " + "[" * 40000),
        ("[model]", "a = " + "{a=" * 40000),
        ("[model]", "\x1b[31m"),
        ("[model]", "[model]\nlayerz = 1"),
        ('"steps.toml"', '"-"'),
        ('"steps.toml"', '"/dev/zero"'),
        ('"steps.toml"', '"."'),
        ('"steps.toml"', '"\\u0000"'),
        ('["a"]', '["a", "a"]'),
        ('["a"]', '["t"]'),
        ("[training]", 'set = ["a=1/0"]\n[training]'),
        ("[training]", 'set = ["=1"]\n[training]'),
        ("[training]", 'set = ["a=n"]\n[training]'),
        ("iterations = 2", "iterations = -1"),
    ):
        yield f"configuration {new[:40]!r}", TRAIN, {2}, one(old, new)
    yield "configuration that is binary", TRAIN, {2}, replaced("config.toml", b"\x00\xff")
    yield "configuration of 2 MiB", TRAIN, {2}, replaced("config.toml", lambda text: text + "#" * (2 << 20))
    for file in ("steps.csv", "../secret.csv", "/etc/passwd"):
        yield (
            f"table {file} of a stranger",
            TRAIN,
            {2},
            all_of(
                replaced("steps.toml", TABLE.replace("steps.csv", file)),
                linked("steps.csv", "../secret.csv") if file == "steps.csv" else lambda _: None,
            ),
        )


def report_cases(generator, count):
    def one(change):
        def text(old):
            report = json.loads(old)
            return json.dumps(change(report) or report)

        return replaced("report.json", text)

    for name, change in (
        ("no heads", lambda r: r | {"heads": []}),
        ("heads that are numbers", lambda r: r | {"heads": [1, 2]}),
        ("lengths that are empty", lambda r: r | {"lengths": []}),
        ("a schema that is text", lambda r: r | {"schema": "1"}),
        ("a head of 10^15", lambda r: r["heads"][0].update({"head": 10**15})),
        ("a head that is text", lambda r: r["heads"][0].update({"head": "<script>"})),
        ("a negative head", lambda r: r["heads"][0].update({"head": -3})),
        ("a layer that is a list", lambda r: r["heads"][0].update({"layer": [1]})),
        ("a length that is text", lambda r: r | {"lengths": ["<script>", 2]}),
        ("lengths of heads that are numbers", lambda r: r["heads"][0].update({"lengths": [1, 2]})),
        ("distances that are a number", lambda r: r["heads"][0].update({"distances": 7})),
        ("windows that are text", lambda r: r["heads"][0]["statistical_window"].update({"W": "x"})),
        ("contradictions that are text", lambda r: r | {"contradictions": "x"}),
        ("heads of other lengths", lambda r: r["heads"][0]["lengths"].pop() and None),
        ("tokens that are a list", lambda r: r | {"tokens": [], "lengths": None}),
        ("a bound that is a list", lambda r: r | {"content_bound": [1]}),
        ("a type that is a number", lambda r: r | {"dtype": 7}),
    ):
        yield f"report with {name}", PAGE, {2}, one(change)
    yield "report that is nested", PAGE, {2}, replaced("report.json", "[" * 300000)
    yield "report that is binary", PAGE, {2}, replaced("report.json", b"\xff\x00")

    def leaves(value, path=()):
        if isinstance(value, dict):
            return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
        if isinstance(value, list):
            return [leaf for index, item in enumerate(value) for leaf in leaves(item, (*path, index))]
        return [path]

    for index in range(count):
        value = generator.choice((None, -1, 1e308, 10**18, "<script>alert(1)</script>", [], {}, [[]], True))
        seed = generator.random()

        def change(report, value=value, seed=seed):
            paths = leaves(report)
            path = paths[int(seed * len(paths))]
            place = report
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value

        yield f"report {index} {value!r}", PAGE, {0, 2}, one(change)


def main():
    programs, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    work = work.resolve()
    generator = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    base = Base(programs, work)
    cases = [
        *checkpoint_cases(),
        *header_cases(generator, 20),
        *flip_cases(generator, 10),
        *data_cases(),
        *key_cases(),
        *tokenizer_cases(generator, 10),
        *config_cases(),
        *report_cases(generator, 20),
    ]
    wrong = []
    for number, (name, command, expected, change) in enumerate(cases):
        trouble = Case(base, work, f"{number}", command, expected, change).check()
        if trouble:
            wrong.append(f"{name}: {trouble}")
            print(wrong[-1], flush=True)
    print(f"{len(cases)} files, {len(wrong)} of them wrong")
    assert not wrong and len(cases) >= 150


if __name__ == "__main__":
    main()
