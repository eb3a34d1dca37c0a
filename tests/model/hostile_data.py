"""Data sets, tokenizers and configurations from strangers: cases of hostile_files_test.py."""

import array
import json
import os

from hostile_files import RECALL, SAMPLE, TABLE, TRAIN, all_of, describe, linked, removed, replaced, tokenizer_json


def described(name="train", **changes):
    return lambda folder: describe(folder / "data", name, **changes)


def data_cases():
    for file in ("../../secret.json", "/etc/passwd", "sub/../../../secret.json", "", ".", "\0", "train.bin/x", 7, None):
        yield f"tokenizer file {file!r}", TRAIN, {2}, described(tokenizer={"kind": "bpe", "file": file})
    outside = all_of(
        linked("data/tokenizer.json", "../../secret.json"),
        described(tokenizer={"kind": "bpe", "file": "tokenizer.json"}),
    )
    yield "tokenizer that leads outside", TRAIN, {2}, outside
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
        half = all_of(replaced(f"data/{file}", b"\x01\x00\x01"), removed(f"data/{file[:-4]}.json"))
        yield f"{file} of half a token", TRAIN, {2}, half
        for name, made in (("folder", os.mkdir), ("pipe", os.mkfifo)):
            other = all_of(removed(f"data/{file}"), lambda folder, file=file, made=made: made(folder / "data" / file))
            yield f"{file} that is a {name}", TRAIN, {2}, other
        yield f"{file} that is a device", TRAIN, {2}, linked(f"data/{file}", "/dev/zero")
        yield f"{file} that leads to itself", TRAIN, {2}, linked(f"data/{file}", file)
    beyond = array.array("H", [65535] * 3000).tobytes()
    yield "tokens beyond the vocabulary", TRAIN, {2}, all_of(replaced("data/train.bin", beyond), described())


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
    endless = '{"normalizer":' + "[" * 300000 + "]" * 300000 + "}"
    yield "tokenizer nested without end", SAMPLE, {2}, replaced("run/tokenizer.json", endless)
    yield "tokenizer that is binary", SAMPLE, {2}, replaced("run/tokenizer.json", b"\xff\xfe\x00")

    def many(content):
        content["added_tokens"] = [{"id": 300 + i, "content": f"<{i}>"} for i in range(40000)]
        content["model"]["vocab"].update({f"x{i}": 300 + 40000 + i for i in range(60000)})

    yield "tokenizer with many added tokens", SAMPLE, {2}, one(many)
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
        change = replaced("steps.toml", TABLE.replace("steps.csv", file))
        if file == "steps.csv":
            change = all_of(change, linked(file, "../secret.csv"))
        yield f"table {file} of a stranger", TRAIN, {2}, change
