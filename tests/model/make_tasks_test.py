"""Tasks have the lengths and the answers that they should, by another way than they were made.

python tests/model/make_tasks_test.py FOLDER-OF-PROGRAMS WORK
"""

import array
import collections
import itertools
import json
import math
import pathlib
import sys

from each_test import each_test, fresh_folder
from programs import Programs

ROOT = pathlib.Path(__file__).resolve().parents[2]
TINY = ROOT / "tests" / "cases" / "tiny"
SEPARATOR, PADDING, FIRST_TASK, SYMBOL = 1, 2, 3, 11


def read(file):
    tokens = array.array("H")
    tokens.frombytes(file.read_bytes())
    key = json.loads(file.with_suffix(".answers.json").read_text())
    assert key["fields"] == ["task", "document", "length", "begin", "end", "distance"]
    documents = collections.defaultdict(list)
    for task, document, length, begin, end, distance in key["answers"]:
        documents[key["tasks"][task], document, length].append((begin - document, end - document, distance))
    return list(tokens), key, documents


def test_documents_have_one_length_and_right_answers(run):
    run(
        "make-tasks",
        "--lengths",
        "64..256",
        "--count",
        "6",
        "--tasks",
        "recall,copy=2,flip-flop,n-back,count,most-frequent,sort",
        "--nearest",
        "0.4",
        "--seed",
        "7",
        "--output",
        "tests.bin",
    )
    first = (run.work / "tests.bin").read_bytes(), (run.work / "tests.answers.json").read_bytes()
    tokens, key, documents = read(run.work / "tests.bin")
    description = json.loads((run.work / "tests.json").read_text())
    assert description["documents"] == len(documents) == 3 * 6 * 8 and description["tokens"] == 6 * 8 * (
        64 + 128 + 256
    ) == len(tokens)
    assert description["tokenizer"] == {"kind": "none"} and description["sha256"] == key["tokens_sha256"]
    seen = collections.Counter()
    for (task, document, length), places in documents.items():
        here = tokens[document : document + length]
        assert here[0] == FIRST_TASK + key["tasks"].index(task) and here[-1] == 0 and 0 not in here[:-1]
        seen[task, length] += 1
        answers = [here[begin:end] for begin, end, _ in places]
        if task == "recall":
            known = {here[1 + i]: here[2 + i] for i in range(0, 16, 2)}
            assert [known[here[begin - 1]] for begin, _, _ in places] == [answer[0] for answer in answers] and len(
                places
            ) == 8
        elif task == "flip-flop":
            symbols = [token - SYMBOL for token in here[1 : places[0][0]]]
            pairs = list(zip(symbols[::2], symbols[1::2], strict=False))
            assert symbols[-1] == 4 and [bit for command, bit in pairs if command == 2][-1] == answers[0][0] - SYMBOL
        else:
            at = here.index(SEPARATOR)
            source, target = here[1:at], here[at + 1 : places[0][1]]
            if task == "copy":
                expected = source
            elif task == "n-back":
                expected = [SYMBOL] * 4 + source[:-4]
            elif task == "sort":
                expected = sorted(source)
            elif task == "most-frequent":
                expected = [max(set(source), key=source.count)]
            else:
                expected = []
                for i, symbol in enumerate(source):
                    expected.append(expected[-1] + 1 if i > 0 and symbol == source[i - 1] else SYMBOL)
            assert target == expected and set(here[places[0][1] : -1]) <= {PADDING}, (task, source, target)
            assert places[0][0] == at + 1 + (4 if task == "n-back" else 0)
        if task in ("recall", "flip-flop"):
            assert all(int(0.4 * length) <= distance < length for _, _, distance in places)
    assert seen == {
        (task, length): 12 if task == "copy" else 6
        for task in key["tasks"]
        if task != "story"
        for length in (64, 128, 256)
    }
    assert len({tuple(tokens[d + 1 : d + n]) for _, d, n in documents}) == len(documents), "the same document twice"
    run(
        "make-tasks",
        "--lengths",
        "64..256",
        "--count",
        "6",
        "--tasks",
        "recall,copy=2,flip-flop,n-back,count,most-frequent,sort",
        "--nearest",
        "0.4",
        "--seed",
        "7",
        "--output",
        "tests.bin",
    )
    assert first == ((run.work / "tests.bin").read_bytes(), (run.work / "tests.answers.json").read_bytes())


def test_stories_ask_for_names_among_the_tasks(run):
    run(
        "make-tasks",
        "--tokenizer",
        TINY,
        "--tasks",
        "story,copy",
        "--lengths",
        "128,512",
        "--count",
        "4",
        "--output",
        "stories.bin",
    )
    tokens, key, documents = read(run.work / "stories.bin")
    for (task, document, length), places in documents.items():
        if task == "story":
            ((begin, end, distance),) = places
            here = tokens[document : document + length]
            assert distance == length // 2
            assert here[begin:end] == here[begin - 1 - distance : end - 1 - distance]
    assert json.loads((run.work / "stories.json").read_text())["tokenizer"]["file"] == "tokenizer.json"


def test_texts_of_mixed_lengths_stand_anywhere(run):
    tasks = ["--tasks", "recall,copy,count,most-frequent", "--run-lengths", "--share", "0.4", "--shortest", "8"]
    run("make-tasks", *tasks, "--count", "200", "--output", "mixed.bin")
    tokens, key, documents = read(run.work / "mixed.bin")
    begins, sizes = collections.Counter(), collections.Counter()
    for (task, document, length), places in documents.items():
        here = tokens[document : document + length]
        begin = here.index(FIRST_TASK + key["tasks"].index(task))
        text = here[begin + 1 : places[-1][1]]
        assert set(here[:begin]) <= {PADDING} and set(here[places[-1][1] : -1]) <= {PADDING, SYMBOL}
        begins[begin] += 1
        sizes[len(text)] += 1
        if task == "recall":
            pairs = len(places)
            known = {text[2 * i]: text[2 * i + 1] for i in range(pairs)}
            assert all(known[here[at - 1]] == here[at] for at, _, _ in places)
        elif task == "count":
            source, target = text[: text.index(SEPARATOR)], text[text.index(SEPARATOR) + 1 :]
            runs = [len(list(run)) for _, run in itertools.groupby(source)]
            assert target == [SYMBOL + run for run in runs] and all(2 <= run <= 12 for run in runs)
            assert [at - 1 - distance - begin - 1 for at, _, distance in places] == [
                sum(runs[:i]) for i in range(len(runs))
            ]
        elif task == "copy":
            assert text[: len(text) // 2] == text[len(text) // 2 + 1 :]
        else:
            source = text[:-2]
            assert source.count(text[-1]) == max(2, math.ceil(0.4 * len(source)))
    assert min(sizes) < 10 and max(sizes) > 58 and 0 in begins and max(begins) > 50


def test_bad_use_is_one_line(run):
    for arguments, message in [
        (["--output", "a.txt"], "expected FILE.bin"),
        (["--output", "a.bin", "--tasks", "recal"], "unknown task 'recal'; did you mean 'recall'?"),
        (["--output", "a.bin", "--tasks", "copy,copy=2"], "'copy' is given twice"),
        (["--output", "a.bin", "--tasks", "copy=0"], "expected NAME=N"),
        (["--output", "a.bin", "--tasks", "story"], "needs --tokenizer"),
        (["--output", "a.bin", "--tasks", "story", "--tokenizer", "absent"], "absent: no such file"),
        (["--output", "a.bin", "--lengths", "8"], "8 is not from 32 to 1048576"),
        (["--output", "a.bin", "--lengths", "32"], "recall: 30 tokens have no room for 8 pairs"),
        (
            ["--output", "a.bin", "--nearest", "0.9"],
            "recall: 62 tokens have no room for 8 pairs and queries at distances from 57",
        ),
        (["--output", "a.bin", "--count", "100000000"], "more than 2147483648 tokens"),
        (["--output", "a.bin", "--shortest", "64"], "--shortest 64: documents have 64 tokens"),
        (["--output", "a.bin", "--share", "0.1"], "--share"),
        ([], "expected --output FILE"),
    ]:
        error = run("make-tasks", *arguments, expect=2)[1]
        assert message in error, (message, error)
        assert not (run.work / "a.bin").exists()


def main():
    programs, work = pathlib.Path(sys.argv[1]), fresh_folder(sys.argv[2])
    run = Programs(programs, work)
    each_test(globals(), run)


main()
