"""Token files and what is said of them, whole or not at all."""
# Tests: tests/model/prepare_data_test.py

import contextlib
import hashlib
import json
import os
import secrets

import numpy


@contextlib.contextmanager
def written_whole(path):
    """A file to write that gets its name when everything is on the disk; nothing is left of it when not."""
    temporary = path.with_name(f"{path.name}.tmp{secrets.token_hex(8)}")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_text(path, text):
    with written_whole(path) as file:
        file.write(text.encode())


class Summary:
    """Least, median (the lower of two) and greatest of some counts, and their sum."""

    def __init__(self):
        self.values = []

    def add(self, value):
        self.values.append(value)

    def total(self):
        return sum(self.values)

    def to_json(self):
        ordered = sorted(self.values)
        return {"least": ordered[0], "median": ordered[(len(ordered) - 1) // 2], "greatest": ordered[-1]}


class TokenWriter:
    """NAME.bin and NAME.json in a folder, from encoded documents; docs/data.md says what the JSON holds."""

    def __init__(self, folder, name, tokenizer):
        self.folder, self.name, self.tokenizer = folder, name, tokenizer
        self.words, self.tokens = Summary(), Summary()
        self.bytes = 0
        self.also_in_train = 0
        self.digest = hashlib.sha256()
        self.stack = contextlib.ExitStack()
        self.file = None

    def __enter__(self):
        self.file = self.stack.enter_context(written_whole(self.folder / f"{self.name}.bin"))
        return self

    def __exit__(self, *error):
        if error[0] is None:  # never a new file beside what an older one was
            (self.folder / f"{self.name}.json").unlink(missing_ok=True)
        return self.stack.__exit__(*error)

    def add(self, text, tokens, also_in_train):
        data = numpy.append(tokens, numpy.array([self.tokenizer.end_of_text], dtype="<u2")).tobytes()
        self.file.write(data)
        self.digest.update(data)
        self.words.add(len(text.split()))
        self.tokens.add(len(data) // 2)
        self.bytes += len(text.encode())
        self.also_in_train += also_in_train

    def description(self, generator, sources):
        text = self.tokenizer.text
        return {
            "schema": 1,
            "generator": generator,
            "tokens": self.tokens.total(),
            "dtype": "uint16",
            "sha256": self.digest.hexdigest(),
            "vocabulary": self.tokenizer.vocabulary,
            "end_of_text": self.tokenizer.end_of_text,
            "tokenizer": {"kind": self.tokenizer.kind}
            | ({} if text is None else {"file": "tokenizer.json", "sha256": hashlib.sha256(text.encode()).hexdigest()}),
            "documents": len(self.tokens.values),
            "documents_also_in_train": self.also_in_train,
            "words": self.words.total(),
            "bytes": self.bytes,
            "words_a_document": self.words.to_json(),
            "tokens_a_document": self.tokens.to_json(),
            "sources": [{"file": source.name, "bytes": source.size, "sha256": source.sha256} for source in sources],
        }

    def write_description(self, description):
        write_text(self.folder / f"{self.name}.json", json.dumps(description, indent=2, ensure_ascii=False) + "\n")
