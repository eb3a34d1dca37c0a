"""prepare-data: what it writes, twice the same, and what it refuses.

    python tests/model/prepare_data_test.py PROGRAM WORK

With GPE_DATA set, also GPT-2's tokens of TinyStories beside a file that others made.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy
from each_test import each_test, fresh_folder
from tokenizers import Tokenizer

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "model" / "data" / "prepare_data"))
sys.dont_write_bytecode = True
import documents  # noqa: E402

STORIES = ["The cat sat on the mat.", "A dog ran. It ran and ran!\n\nThen it slept.", "naïve café, 中文", "One"]


def run(program, *arguments, **environment):
    base = {name: value for name, value in os.environ.items() if name != "GPE_DATA"}
    return subprocess.run(
        [program, *(a if isinstance(a, bytes) else str(a) for a in arguments)],
        capture_output=True,
        text=True,
        env=base | environment,
    )


def prepared(program, *arguments, **environment):
    result = run(program, *arguments, **environment)
    assert result.returncode == 0, result.stderr
    return result.stdout


def tokens_of(file):
    return numpy.fromfile(file, dtype="<u2").astype(int).tolist()


def corpus(count):
    """Stories for training a vocabulary: made of a few words, all different."""
    words = "the a cat dog sun moon ran sat saw big small red blue and then with under over Lily Tom".split()
    return [
        " ".join(words[(i * 7 + k * k * (i % 5 + 1)) % len(words)] for k in range(10 + i % 30)) + f" {i}."
        for i in range(count)
    ]


def write(file, texts, separator="\n<|endoftext|>\n"):
    file.write_text(separator.join(texts), encoding="utf-8")
    return file


def test_bytes_and_counts_are_those_of_the_texts(program, work):
    source = write(work / "stories.txt", STORIES + ["", "  \n "])
    table = prepared(program, f"train={source}", "--tokenizer", "bytes", "--output", work / "bytes")
    expected = [token for story in STORIES for token in [*story.encode(), 256]]
    data = (work / "bytes/train.bin").read_bytes()
    assert tokens_of(work / "bytes/train.bin") == expected
    description = json.loads((work / "bytes/train.json").read_text())
    assert description["documents"] == 4 and description["tokens"] == len(expected)
    assert description["words"] == 6 + 10 + 3 + 1
    assert description["words_a_document"] == {"least": 1, "median": 3, "greatest": 10}
    assert description["bytes"] == sum(len(story.encode()) for story in STORIES)
    assert description["sha256"] == hashlib.sha256(data).hexdigest()
    assert description["vocabulary"] == 257 and description["end_of_text"] == 256
    assert description["tokenizer"] == {"kind": "bytes"}
    assert description["sources"] == [
        {
            "file": "stories.txt",
            "bytes": source.stat().st_size,
            "sha256": hashlib.sha256(source.read_bytes()).hexdigest(),
        }
    ]
    assert sorted(file.name for file in (work / "bytes").iterdir()) == ["train.bin", "train.json"]
    assert description["sha256"][:12] in table and "train" in table


def test_files_are_read_in_pieces_of_any_size(program, work):
    texts = [*STORIES, "end|<|endof", "text|>", "é" * 40]
    source = write(work / "pieces.txt", texts)
    expected_size, expected_sum = source.stat().st_size, hashlib.sha256(source.read_bytes()).hexdigest()
    for piece in (1, 2, 3, 5, 7, 11, 64, 1 << 20):
        documents.PIECE = piece
        read = documents.Source(source, "pieces.txt")
        assert list(read.documents()) == texts, piece
        assert (read.size, read.sha256) == (expected_size, expected_sum)
    broken = work / "broken.txt"
    for piece in (1, 2, 3, 1 << 20):
        documents.PIECE = piece
        for data, place in ((b"ab\xff", 2), (b"abcd\xc3", 4), (b"\xe4\xb8\xad\xe4\xb8x", 3)):
            broken.write_bytes(data)
            try:
                list(documents.Source(broken, "").documents())
                raise AssertionError("read")
            except documents.BadInput as error:
                assert str(error) == f"{broken}: not UTF-8 at byte {place}", (str(error), piece)


def test_a_trained_vocabulary_is_the_same_on_every_run(program, work):
    source = write(work / "corpus.txt", corpus(600))
    arguments = [f"train={source}", f"val={write(work / 'v.txt', STORIES)}", "--vocabulary", 300]
    prepared(program, *arguments, "--output", work / "one", PYTHONHASHSEED="1", RAYON_NUM_THREADS="1")
    prepared(program, *arguments, "--output", work / "two", PYTHONHASHSEED="2", RAYON_NUM_THREADS="4")
    names = sorted(file.name for file in (work / "one").iterdir())
    assert names == ["tokenizer.json", "train.bin", "train.json", "val.bin", "val.json"]
    for name in names:
        assert (work / "one" / name).read_bytes() == (work / "two" / name).read_bytes(), name
    tokenizer = Tokenizer.from_file(str(work / "one/tokenizer.json"))
    assert tokenizer.get_vocab_size() == 300 and tokenizer.token_to_id("<|endoftext|>") == 0
    for name, texts in (("train", corpus(600)), ("val", STORIES)):
        text = tokenizer.decode(tokens_of(work / f"one/{name}.bin"), skip_special_tokens=False)
        assert text == "".join(story + "<|endoftext|>" for story in texts)
    description = json.loads((work / "one/val.json").read_text())
    assert description["tokenizer"]["sha256"] == hashlib.sha256((work / "one/tokenizer.json").read_bytes()).hexdigest()
    assert description["vocabulary"] == 300 and description["documents_also_in_train"] == 0
    # The trained tokenizer again, from its folder.
    prepared(program, f"val={work / 'v.txt'}", "--tokenizer", work / "one", "--output", work / "again")
    for name in ("tokenizer.json", "val.bin"):
        assert (work / "one" / name).read_bytes() == (work / "again" / name).read_bytes(), name


def test_a_long_word_takes_no_longer_than_others(program, work):
    word = "".join("abcdefgh"[(i * i + i // 7) % 8] for i in range(1_000_000))
    long = write(work / "long.txt", [word, *corpus(300)])
    begin = time.monotonic()
    prepared(program, f"train={long}", "--vocabulary", "400", "--output", work / "long")
    assert time.monotonic() - begin < 100  # the square of its length took hours


def test_nameless_inputs_are_divided_by_what_they_say(program, work):
    texts = corpus(1000)
    prepared(
        program,
        write(work / "all.txt", texts),
        "--tokenizer",
        "bytes",
        "--val-fraction",
        "0.2",
        "--output",
        work / "divided",
    )
    prepared(
        program,
        write(work / "half.txt", texts[500:][::-1]),
        "--tokenizer",
        "bytes",
        "--val-fraction",
        "0.2",
        "--output",
        work / "half",
    )

    def stories(name):
        data = bytes(255 if token == 256 else token for token in tokens_of(work / f"{name}.bin"))
        return [story.decode() for story in data.split(b"\xff")[:-1]]

    train, val = stories("divided/train"), stories("divided/val")
    assert sorted(train + val) == sorted(texts) and 150 < len(val) < 250
    assert set(stories("half/val")) == set(val) & set(texts[500:])


def test_documents_go_where_their_words_say(program, work):
    folder = work / "folder"
    (folder / "sub").mkdir(parents=True)
    for i, count in enumerate([3, 9, 10, 19, 20, 50]):
        name = "sub/b" if i % 2 else "a"
        write(folder / f"{name}{i}.txt", ["word " * count])
    write(folder / "ignored.md", ["not a text"])
    result = run(
        program, f"long={folder}", "--words", "long=0..10,10..20", "--tokenizer", "bytes", "--output", work / "words"
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == "prepare-data: long: 2 documents are outside the ranges of --words\n"
    counts = {}
    for name in ("long-0-10", "long-10-20"):
        description = json.loads((work / f"words/{name}.json").read_text())
        counts[name] = (description["documents"], description["words"])
    assert counts == {"long-0-10": (2, 12), "long-10-20": (2, 29)}
    assert [source["file"] for source in description["sources"]] == [
        "a0.txt",
        "a2.txt",
        "a4.txt",
        "sub/b1.txt",
        "sub/b3.txt",
        "sub/b5.txt",
    ]


def test_documents_that_train_has_too_are_counted(program, work):
    prepared(
        program,
        f"train={write(work / 't.txt', STORIES)}",
        f"val={write(work / 'w.txt', STORIES[1:] + ['new'])}",
        "--tokenizer",
        "bytes",
        "--output",
        work / "leak",
    )
    assert json.loads((work / "leak/val.json").read_text())["documents_also_in_train"] == 3


def test_readability_is_that_of_the_formulas(program, work):
    text = "The cat sat down here. The big dog ran away. It was a very fine day."
    output = prepared(
        program,
        f"train={write(work / 'r.txt', [text] * 3)}",
        "--tokenizer",
        "bytes",
        "--output",
        work / "readable",
        "--readability",
    )
    found = json.loads((work / "readable/readability.json").read_text())["train"]
    # 16 words in 3 sentences. Syllables are counted by hyphenation, which divides none of these words.
    words_a_sentence = 16 / 3
    assert abs(found["FRE"] - (206.835 - 1.015 * words_a_sentence - 84.6)) < 1e-6, found
    assert abs(found["Gunning Fog"] - 0.4 * words_a_sentence) < 1e-6, found
    characters = len(text.replace(" ", ""))
    assert abs(found["ARI"] - (4.71 * characters / 16 + 0.5 * words_a_sentence - 21.43)) < 0.05, found
    assert found["documents"] == 3
    assert "Gunning Fog" in output


def test_what_is_wrong_is_said_in_one_line(program, work):
    good = write(work / "good.txt", STORIES)
    other = write(work / "other.txt", corpus(600))
    (work / "empty").mkdir()
    out = work / "refused"
    broken = work / "binary.txt"
    broken.write_bytes(b"abc\xfe")
    empty, twice = work / "empty.json", work / "twice.json"
    text = json.loads((work / "one" / "tokenizer.json").read_text())
    empty.write_text(json.dumps(text | {"model": text["model"] | {"vocab": {}, "merges": []}}))
    vocabulary = text["model"]["vocab"] | {"a": text["model"]["vocab"]["b"]}
    twice.write_text(json.dumps(text | {"model": text["model"] | {"vocab": vocabulary}}))
    cases = [
        ([], "the following arguments are required: [SPLIT=]PATH, --output"),
        ([good], "the following arguments are required: --output"),
        ([work / "absent.txt", "--output", out], "absent.txt: no such file or folder"),
        ([work / "absent.txt", "--output", out, "--data", work], f"no such file or folder, here or in {work}"),
        ([work / "empty", "--output", out], "empty: a folder without .txt files"),
        (["train=/dev/zero", "--output", out], "/dev/zero: a pipe or a device, expected a text file or a folder"),
        ([f"train={broken}", "--output", out, "--tokenizer", "bytes"], "binary.txt: not UTF-8 at byte 3"),
        ([f"Train={good}", "--output", out], "'Train' cannot name a split; expected small letters, digits and -"),
        (["train=", "--output", out], "'train=': expected SPLIT=PATH"),
        ([good, f"val={good}", "--output", out], "a PATH without a name is divided into train and val"),
        ([f"val={good}", "--output", out], "--tokenizer bpe is trained on the split train, which is not there"),
        ([f"train={good}", "--output", out, "--vocabulary", "256"], "'256' is not a whole number from 257 to 65536"),
        ([f"train={good}", "--output", out, "--vocabulary", "65537"], "is not a whole number from 257 to 65536"),
        ([f"train={good}", "--output", out, "--vocabulary", "5000"], "the texts of train give no more than"),
        (
            [f"train={good}", "--output", out, "--tokenizer", "bytes", "--vocabulary", "300"],
            "--vocabulary is for --tokenizer bpe, not for bytes",
        ),
        (
            [f"train={good}", "--output", out, "--tokenizer", "gpt2"],
            "--tokenizer gpt2: --data (or GPE_DATA) has to name",
        ),
        (
            [f"train={good}", "--output", out, "--tokenizer", "gpt2", "--data", work],
            "model/data/download_data.py gets it",
        ),
        ([f"train={good}", "--output", out, "--tokenizer", "word"], "neither bpe, gpt2 or bytes, nor a tokenizer.json"),
        ([f"train={good}", "--output", out, "--tokenizer", good], "good.txt: not a tokenizer: "),
        ([f"train={good}", "--output", out, "--tokenizer", empty], "empty.json: the vocabulary has no tokens"),
        ([f"train={good}", "--output", out, "--tokenizer", twice], "twice.json: tokens 'a' and 'b' have the id "),
        ([f"train={good}", "--output", out, "--words", "val=0..9"], "--words val: there is no split of that name"),
        ([f"train={good}", "--output", out, "--words", "train=9..9"], "expected SPLIT=LOW..HIGH,... with LOW < HIGH"),
        (
            [f"train={good}", "--output", out, "--tokenizer", "bytes", "--words", "train=500..600"],
            "train-500-600: no documents",
        ),
        (
            [f"a={good}", f"a-0-9={good}", "--words", "a=0..9", "--tokenizer", "bytes", "--output", out],
            "two token files of one name",
        ),
        ([good, "--val-fraction", "1", "--output", out], "'1' is not a fraction between 0 and 1"),
        ([good, "--readability", "0", "--output", out], "'0' is not a positive whole number"),
        ([good, "--frobnicate", "--output", out], "unrecognized arguments: --frobnicate"),
        ([f"train={work}/a\nproved\x1bc\u202e", "--output", out], "a\\nproved\\u001bc\\u202e"),
        ([b"train=a\xff", "--output", out], "a\\xff"),
    ]
    for arguments, message in cases:
        result = run(program, *arguments)
        assert result.returncode == 2, (arguments, result)
        assert result.stdout == "" and result.stderr.startswith("prepare-data: "), result
        assert result.stderr.count("\n") == 1 and message in result.stderr, result.stderr
        assert not out.exists(), list(out.iterdir())
    result = run(program, f"train={broken}", "--tokenizer", "bytes", "--output", work / "deep/er")
    assert result.returncode == 2 and not (work / "deep").exists(), result
    for full in ("/dev/full", "&-"):
        for arguments in ("--help", "--version", f"train={good} --tokenizer bytes --output {work}/full"):
            result = subprocess.run(["sh", "-c", f"'{program}' {arguments} >{full}"], capture_output=True, text=True)
            assert (result.returncode, result.stderr) == (1, "prepare-data: standard output cannot be written\n"), (
                arguments,
                full,
                result,
            )
    # Token files of an earlier test, which stay, would have another tokenizer.
    result = run(program, f"train={other}", "--vocabulary", "299", "--output", work / "one")
    assert result.returncode == 2 and "val.bin was made with another tokenizer than this one" in result.stderr
    prepared(program, f"test={other}", "--tokenizer", work / "two", "--output", work / "one")


def test_gpt2_tokens_are_those_that_others_made(program, work):
    data = os.environ.get("GPE_DATA")
    if not data:
        print("    SKIPPED: GPE_DATA is not set")
        return
    prepared(
        program,
        "train=tinystories/tinystories_train.txt",
        "val=tinystories/tinystories_valid.txt",
        "--tokenizer",
        "gpt2",
        "--output",
        work / "gpt2",
        GPE_DATA=data,
    )
    for ours, theirs in (("train", "train"), ("val", "valid")):
        expected = pathlib.Path(data) / f"tinystories/tinystories_{theirs}.gpt2.u16.bin"
        assert (work / f"gpt2/{ours}.bin").read_bytes() == expected.read_bytes(), ours
    description = json.loads((work / "gpt2/val.json").read_text())
    assert description["vocabulary"] == 50257 and description["end_of_text"] == 50256
    assert description["documents_also_in_train"] == 0


def main():
    program, work = sys.argv[1], fresh_folder(sys.argv[2])
    each_test(globals(), program, work)


main()
