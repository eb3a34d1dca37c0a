"""Stories made, a vocabulary trained on them, and names asked for at exact distances in its tokens.

    python tests/model/make_stories_test.py FOLDER-OF-PROGRAMS WORK

The tokens are looked at with the package tokenizers, which shares nothing with make-stories.
"""

import collections
import json
import pathlib
import subprocess
import sys

import numpy
from each_test import each_test, fresh_folder
from tokenizers import Tokenizer


def run(*arguments, expect=0):
    result = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)
    assert result.returncode == expect, (arguments, result)
    one = result.stderr.count("\n") in (1, 3)  # a line and the place in it may follow
    assert expect != 2 or (result.stdout == "" and one), result
    return result.stderr if expect else result.stdout


def test_texts_have_the_lengths_asked_for(programs, work):
    run(programs / "make-stories", "--words", "50..400", "--count", "600", "--output", work / "stories.txt")
    run(programs / "make-stories", "--words", "50..400", "--count", "600", "--output", work / "again.txt")
    text = (work / "stories.txt").read_text()
    assert text == (work / "again.txt").read_text()
    stories = text.split("\n<|endoftext|>\n")
    assert stories.pop() == "" and len(stories) == len(set(stories)) == 600
    words = [len(story.split()) for story in stories]
    assert min(words) >= 50 and max(words) <= 425
    # As many for each factor of two: a third each of 50-100, 100-200, 200-400, with four standard errors.
    for low in (50, 100, 200):
        assert abs(sum(low <= count < 2 * low for count in words) - 200) < 60


def test_names_are_asked_for_at_exact_distances(programs, work):
    run(programs / "prepare-data", f"train={work / 'stories.txt'}", "--vocabulary", "512", "--output", work / "data")
    arguments = ["--tokenizer", work / "data", "--distances", "24..3072", "--count", "30"]
    run(programs / "make-stories", *arguments, "--output", work / "data/recall.bin")
    run(programs / "make-stories", *arguments, "--output", work / "data/again.bin")
    assert (work / "data/recall.bin").read_bytes() == (work / "data/again.bin").read_bytes()
    description = json.loads((work / "data/recall.json").read_text())
    key = json.loads((work / "data/recall.answers.json").read_text())
    tokens = numpy.fromfile(work / "data/recall.bin", dtype="<u2").astype(int).tolist()
    assert description["tokens"] == len(tokens) and description["documents"] == 8 * 30
    assert description["sha256"] == key["tokens_sha256"]
    assert description["tokenizer"]["file"] == "tokenizer.json"

    tokenizer = Tokenizer.from_file(str(work / "data/tokenizer.json"))
    ends = [i for i, token in enumerate(tokens) if token == tokenizer.token_to_id("<|endoftext|>")]
    begins = [0] + [end + 1 for end in ends[:-1]]
    counts, names = collections.Counter(), collections.Counter()
    for reference, begin, end in zip(key["references"], begins, ends, strict=True):
        assert reference["document"] == begin and reference["answer_end"] == end - 1
        text = tokenizer.decode(tokens[begin:end])
        assert tokenizer.encode(text).ids == tokens[begin:end]  # what a reader of the text would get
        name, creature = reference["name"], reference["creature"]
        answer = tokens[reference["query_at"] + 1 : reference["answer_end"]]
        assert tokenizer.decode(answer) == f" {name}"
        assert tokens[reference["name_at"] : reference["name_at"] + len(answer)] == answer
        assert text.endswith(f"Do you remember? The {creature} was called {name}.")
        assert tokenizer.decode(tokens[begin : reference["name_at"]]).endswith(f"and the {creature} was called")
        assert text.count(f"{creature} was called") == 2 and text.count(f" {name}.") == 2
        assert reference["query_at"] - reference["name_at"] == reference["distance"]
        assert answer[0] in key["candidates"]
        counts[reference["distance"]] += 1
        names[name] += 1
    assert counts == {24 * 2**i: 30 for i in range(8)}
    assert len(set(key["candidates"])) == len(key["candidates"]) >= 8
    assert len(names) > len(key["candidates"]) / 2 and max(names.values()) < 60  # drawn from all of them


def test_stories_of_others_are_joined_and_asked_about(programs, work):
    made = ["--words", "500..2000", "--count", "12", "--from", work / "stories.txt"]
    run(programs / "make-stories", *made, "--output", work / "long.txt")
    stories = (work / "long.txt").read_text().split("\n<|endoftext|>\n")[:-1]
    words = [len(story.split()) for story in stories]
    assert len(stories) == 12 and min(words) >= 500 and max(words) <= 2030
    asked = ["--tokenizer", work / "data", "--distances", "64,256", "--count", "5", "--from", work / "stories.txt"]
    run(programs / "make-stories", *asked, "--output", work / "data/told.bin")
    key = json.loads((work / "data/told.answers.json").read_text())
    tokens = numpy.fromfile(work / "data/told.bin", dtype="<u2").astype(int).tolist()
    tokenizer = Tokenizer.from_file(str(work / "data/tokenizer.json"))
    assert [reference["distance"] for reference in key["references"]] == [64] * 5 + [256] * 5
    for reference in key["references"]:
        text = tokenizer.decode(tokens[reference["document"] : reference["answer_end"]])
        told = f" The {reference['creature']}'s name was {reference['name']}"
        assert text.endswith(told) and text.count(told) == 2 and text.count(reference["name"]) == 2


def test_the_ngram_baseline_reads_what_was_made(programs, work):
    report = json.loads(
        run(programs / "ngram-baseline", work / "data/train.bin", work / "data/recall.bin", "--format", "json")
    )
    assert report["validation"]["tokens"] == report["tokens"] + 1
    assert 0 < report["loss_nats"] < 6 and report["interval_95"][0] < report["loss_nats"] < report["interval_95"][1]
    first = json.loads(
        run(
            programs / "ngram-baseline",
            work / "data/train.bin",
            work / "data/recall.bin",
            "--format",
            "json",
            "--order",
            "1",
        )
    )
    assert first["loss_nats"] > report["loss_nats"]  # longer contexts help on such texts


def test_bad_use_is_one_message(programs, work):
    make, baseline = programs / "make-stories", programs / "ngram-baseline"
    out = work / "no.bin"
    for arguments, message in [
        ([make, "--output", out], "expected --words LOW..HIGH for a text, or --distances with --tokenizer"),
        ([make, "--output", out, "--words", "9"], "--words: expected LOW..HIGH"),
        ([make, "--output", out, "--words", "9..3"], "--words: 9..3 is not a range LOW..HIGH with LOW <= HIGH"),
        ([make, "--output", out, "--words", "0..3"], "--words: 0 is not from 1 to 1000000"),
        ([make, "--output", out, "--words", "1..3", "--tokenizer", "bytes"], "--tokenizer is for --distances"),
        ([make, "--output", out, "--distances", "99"], "--distances needs --tokenizer"),
        (
            [make, "--output", out, "--distances", "3", "--tokenizer", "bytes"],
            "distance 3: sentences of this tokenizer",
        ),
        ([make, "--output", out, "--distances", "99", "--tokenizer", work / "absent"], "absent: no such file"),
        ([make, "--output", work / "a.txt", "--distances", "99", "--tokenizer", "bytes"], "expected FILE.bin"),
        ([make, "--output", out, "--distances", "99", "--tokenizer", work / "stories.txt"], ": not JSON: "),
        ([make, "--output", out, "--distances", "99", "--tokenizer", "bytes", "--ask", "places"], "needs --from"),
        ([make, "--output", out, "--words", "9..90", "--ask", "names"], "--ask is for --distances"),
        ([make, "--output", out, "--words", "9..90", "--from", work / "absent.txt"], "absent.txt"),
        ([make], "expected --output FILE"),
        ([baseline], "expected TRAIN.bin, the token file that the model counts"),
        ([baseline, work / "absent.bin", work / "absent.bin"], "absent.bin: no such file"),
        ([baseline, work / "data/train.bin", work / "data/train.bin", "--order", "5"], "--order"),
    ]:
        error = run(*arguments, expect=2)
        assert message in error, (message, error)
        assert not out.exists()
    run(make, "--output", work / "bytes.bin", "--distances", "99", "--tokenizer", "bytes", "--count", "3")
    error = run(baseline, work / "data/train.bin", work / "bytes.bin", expect=2)
    assert "vocabularies of 512 and 257 tokens; expected the same" in error


def main():
    programs, work = pathlib.Path(sys.argv[1]), fresh_folder(sys.argv[2])
    each_test(globals(), programs, work)


main()
