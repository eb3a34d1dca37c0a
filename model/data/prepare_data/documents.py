"""Documents of a text file or a folder, one after the other: a file of any size is read in pieces."""
# Tests: tests/model/prepare_data_test.py

import codecs
import hashlib

from bad_input import BadInput

SEPARATOR = "<|endoftext|>"
PIECE = 1 << 20


class Source:
    """A text file, and after it was read to its end the checksum of its bytes."""

    def __init__(self, path, name):
        self.path = path
        self.name = name  # relative to what the command line named
        self.size = 0
        self.sha256 = None

    def documents(self):
        """Texts between separators, without white space around them; empty ones are left out.

        @raises BadInput  naming the byte that is no UTF-8
        """
        digest, size = hashlib.sha256(), 0
        decoder = codecs.getincrementaldecoder("utf-8")()
        pending = ""
        with open(self.path, "rb") as file:
            while True:
                piece = file.read(PIECE)
                held = len(decoder.getstate()[0])
                try:
                    pending += decoder.decode(piece, final=not piece)
                except UnicodeDecodeError as error:
                    raise BadInput(f"{self.path}: not UTF-8 at byte {size - held + error.start}") from None
                digest.update(piece)
                size += len(piece)
                texts = pending.split(SEPARATOR)
                pending = texts.pop()
                if not piece:
                    texts.append(pending)
                yield from filter(None, map(str.strip, texts))
                if not piece:
                    break
        self.size, self.sha256 = size, digest.hexdigest()


def sources(path, data):
    """The text files of a path: itself, or the .txt files in it and in folders below, sorted by name.

    @param data  where a path that is not here is looked for; may be None
    @raises BadInput
    """
    candidates = [path] if path.is_absolute() or data is None else [path, data / path]
    found = next((candidate for candidate in candidates if candidate.exists()), None)
    if found is None:
        raise BadInput(f"{path}: no such file or folder" + ("" if data is None else f", here or in {data}"))
    if found.is_file():
        return [Source(found, found.name)]
    if not found.is_dir():
        raise BadInput(f"{found}: a pipe or a device, expected a text file or a folder")
    files = sorted(file for file in found.rglob("*.txt") if file.is_file())
    if not files:
        raise BadInput(f"{found}: a folder without .txt files")
    return [Source(file, file.relative_to(found).as_posix()) for file in files]
