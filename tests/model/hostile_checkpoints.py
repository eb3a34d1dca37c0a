"""Checkpoints from strangers: cases of hostile_files_test.py."""

import itertools
import json
import math
import struct

import training_data
from hostile_files import EVALUATE, EXPORT, INIT, PROBE, RESUME, SAMPLE, TABLE, all_of, describe, linked, replaced


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
    yield from table_cases(itertools.cycle((INIT, EXPORT, RESUME)))
    yield from metadata_cases()
    yield from weight_cases()
    yield from folder_cases()


def table_cases(writers):
    """Names of tables that would be written, and where."""
    stolen = ("../stolen.csv", "/tmp/gpe-hostile-stolen.csv", "a/../../stolen.csv", "../inside/../stolen.csv")
    for name in (*stolen, "undeclared.csv", ""):
        for declared in (True, False):
            if name == "undeclared.csv" and declared:
                continue
            for command in (next(writers), next(writers)):
                yield f"table {name} {declared} {command[0]} {command[1]}", command, {2}, tables(name, declared)
    for name in ("modeling_tsm.py", "model.safetensors", "config.json", "log.jsonl", "merges.txt", "run.lock"):
        yield f"table called {name}", next(writers), {2}, tables(name, True)


def metadata_cases():
    """Iterations, configurations, encodings and tables in the metadata."""
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


def weight_cases():
    """Weights that are not numbers, or with which the model computes none."""
    attention, embedding = "transformer.h.0.attn.c_attn.weight", "transformer.wte.weight"
    for name in (embedding, attention, "transformer.ln_f.weight", "position.raw"):
        yield f"{name} nan", SAMPLE, {2}, weights(name, math.nan)
        yield f"{name} inf", PROBE, {2}, weights(name, math.inf)
    for command in (SAMPLE, EVALUATE, PROBE):
        yield f"weights of 1e30 {command[0]}", command, {1}, weights(attention, 1e30, every=True)
        yield f"embedding of 1e25 {command[0]}", command, {1}, weights(embedding, 1e25, every=True)


def folder_cases():
    """Folders of runs whose files lead outside, or do not belong together."""
    for file in ("log.jsonl", "encoding.toml", "run.lock", "steps.csv"):
        change = all_of(linked("run/" + file, "../../secret.csv"), replaced("run/config.toml", ""))
        yield f"{file} leads outside", RESUME, {2}, change
    yield "tokenizer of the run leads outside", EXPORT, {2}, linked("run/tokenizer.json", "../../secret.json")
    yield "another optimizer", RESUME, {2}, replaced("run/optimizer-2.safetensors", b"\x02\0\0\0\0\0\0\0{}")

    def other_data(folder):
        data = folder / "data"
        training_data.write_tokens(data, 200, train=3000, val=600)
        describe(data, "train")
        describe(data, "val")

    yield "other data", RESUME, {2}, other_data


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
