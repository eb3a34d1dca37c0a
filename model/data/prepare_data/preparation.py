"""What prepare-data does: splits, the tokenizer, token files, and the tables that it prints."""
# Tests: tests/model/prepare_data_test.py

import contextlib
import hashlib
import itertools
import json
import pathlib
import shutil
import sys

import readability
import tokenizing
from bad_input import BadInput
from command_line import version
from documents import sources
from token_writer import TokenWriter, write_text

BATCH = 512  # documents encoded at a time


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def fingerprint(document):
    return hashlib.sha256(document.encode()).digest()[:8]


class Split:
    """A name, and the documents that go under it."""

    def __init__(self, name, keep=None):
        self.name = name
        self.sources = []
        self.keep = keep or (lambda document: True)

    def documents(self):
        for source in self.sources:
            for document in source.documents():
                if self.keep(document):
                    yield document


def make_splits(inputs, data, val_fraction):
    """Splits in the order of their names on the command line, train first."""
    bound = int(val_fraction * 2**64)

    def chosen_for_val(document):  # the same text on the same side, whatever else there is
        return int.from_bytes(fingerprint(document), "big") < bound

    nameless = any(name is None for name, _ in inputs)
    named = {name for name, _ in inputs}
    if nameless and named & {"train", "val"}:
        raise BadInput("a PATH without a name is divided into train and val: it cannot stand beside one of these")
    splits = {}
    if nameless:
        splits["train"] = Split("train", lambda document: not chosen_for_val(document))
        splits["val"] = Split("val", chosen_for_val)
    for name, path in inputs:
        found = sources(pathlib.Path(path), data)
        for target in [name] if name else ["train", "val"]:
            splits.setdefault(target, Split(target)).sources += found
    return sorted(splits.values(), key=lambda split: split.name != "train")


def make_tokenizer(options, splits):
    if options.tokenizer == "bytes":
        return tokenizing.Bytes()
    if options.tokenizer == "gpt2":
        return tokenizing.gpt2(options.data)
    if options.tokenizer != "bpe":
        return tokenizing.load(pathlib.Path(options.tokenizer))
    if splits[0].name != "train":
        raise BadInput(
            "--tokenizer bpe is trained on the split train, which is not there; "
            "a tokenizer that is trained already can be named instead"
        )
    progress("training the tokenizer")
    return tokenizing.train(splits[0].documents(), options.vocabulary or tokenizing.DEFAULT_VOCABULARY)


def names_and_ranges(splits, words):
    """Per split its token files: (name, least words, bound on words); None where every document goes in."""
    ranges = {}
    for name, bounds in words:
        if name not in {split.name for split in splits}:
            raise BadInput(f"--words {name}: there is no split of that name")
        ranges.setdefault(name, []).extend(bounds)
    return {
        split.name: [(f"{split.name}-{low}-{high}", low, high) for low, high in ranges[split.name]]
        if split.name in ranges
        else [(split.name, 0, None)]
        for split in splits
    }


def check_folder(folder, files, tokenizer):
    """Token files that stay in the folder keep the tokenizer they were made with."""
    file = folder / "tokenizer.json"
    if tokenizer.text is None or not file.exists() or file.read_text(encoding="utf-8") == tokenizer.text:
        return
    for other in sorted(folder.glob("*.bin")):
        if other.stem not in files:
            raise BadInput(
                f"{folder}: {other.name} was made with another tokenizer than this one; "
                "another --output, or that file's removal, keeps them apart"
            )


class ReadabilitySample:
    """Of a split whose number of documents is not known before: those whose number in binary ends in enough zeros,
    evenly spread; between N and 2 N of them."""

    def __init__(self, size):
        self.size, self.step, self.count, self.documents = size, 1, 0, []

    def add(self, document):
        if self.size is None:
            return
        if self.count % self.step == 0:
            self.documents.append(document)
            if len(self.documents) > 2 * self.size:
                self.documents = self.documents[::2]
                self.step *= 2
        self.count += 1


def write_split(split, targets, tokenizer, options, in_train):
    """Writes the token files of one split. Returns a description and a sample of the documents for each of them."""
    generator = {"program": "prepare-data", "version": version()}
    with contextlib.ExitStack() as stack:
        writers = [
            (
                stack.enter_context(TokenWriter(options.output, name, tokenizer)),
                low,
                high,
                ReadabilitySample(options.readability),
            )
            for name, low, high in targets
        ]
        left_out = 0
        documents = split.documents()
        for number in itertools.count():
            batch = list(itertools.islice(documents, BATCH))
            if not batch:
                break
            progress(f"{split.name}: {number * BATCH} documents")
            for text, tokens in zip(batch, tokenizer.encode(batch), strict=True):
                words = len(text.split())
                known = split.name != "train" and fingerprint(text) in in_train
                if split.name == "train":
                    in_train.add(fingerprint(text))
                fitting = [entry for entry in writers if entry[1] <= words and (entry[2] is None or words < entry[2])]
                left_out += not fitting
                for writer, _, _, sample in fitting:
                    writer.add(text, tokens, known)
                    sample.add(text)
        for writer, _, _, _ in writers:
            if not writer.tokens.values:
                raise BadInput(f"{writer.name}: no documents")
        descriptions = [writer.description(generator, split.sources) for writer, *_ in writers]
    for (writer, *_), description in zip(writers, descriptions, strict=True):
        writer.write_description(description)
    progress("")
    if left_out:
        print(f"prepare-data: {split.name}: {left_out} documents are outside the ranges of --words", file=sys.stderr)
    return [
        (writer.name, description, sample.documents)
        for (writer, _, _, sample), description in zip(writers, descriptions, strict=True)
    ]


def print_counts(rows):
    print("split                 documents      words     tokens  tokens/word  in train  sha256")
    for name, description, _ in rows:
        ratio = description["tokens"] / description["words"]
        print(
            f"{name:20} {description['documents']:10} {description['words']:10} {description['tokens']:10} "
            f"{ratio:12.3f} {description['documents_also_in_train']:9}  {description['sha256'][:12]}"
        )


def prepare(options):
    """@raises BadInput, OSError"""
    splits = make_splits(options.inputs, options.data, options.val_fraction)
    targets = names_and_ranges(splits, options.words)
    files = [name for entries in targets.values() for name, _, _ in entries]
    if len(set(files)) != len(files):
        raise BadInput("two token files of one name: a split is called like a range of another")
    if options.readability:
        readability.require_packages()
    tokenizer = make_tokenizer(options, splits)
    with new_folder(options.output):
        write(options, splits, targets, files, tokenizer)


@contextlib.contextmanager
def new_folder(folder):
    """Made if it is absent; then bad input leaves nothing of it."""
    absent = [one for one in [folder, *folder.parents] if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BadInput:
        if absent:
            shutil.rmtree(absent[-1])
        raise


def write(options, splits, targets, files, tokenizer):
    check_folder(options.output, files, tokenizer)
    if tokenizer.text is not None:
        write_text(options.output / "tokenizer.json", tokenizer.text)
    in_train, rows = set(), []
    for split in splits:
        rows += write_split(split, targets[split.name], tokenizer, options, in_train)
    print_counts(rows)
    if options.readability:
        table = [(name, readability.measure(sample)) for name, _, sample in rows]
        print()
        readability.print_table(table)
        write_text(options.output / "readability.json", json.dumps(dict(table), indent=2) + "\n")
