"""The tokenizers that prepare-data knows, with one way to use them."""
# Tests: tests/model/prepare_data_test.py

import hashlib
import json
import re

import numpy
from bad_input import BadInput, printable
from command_line import MAX_VOCABULARY
from documents import SEPARATOR
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

DEFAULT_VOCABULARY = 2048

# The time of training grows with the square of the longest word, or run of spaces: longer ones are cut for it.
LONGEST_WORD = 1000
LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}|\s{{{LONGEST_WORD + 1},}}")

# GPT-2's vocabulary, whatever the files are called; merges.txt with its first line "#version: 0.2" and without.
GPT2_VOCABULARY = {"196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783"}
GPT2_MERGES = {
    "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
    "ac33235097fe06d4a8fff0feac994644809e6eb6ab70669e1e9fd40ae032428e",
}
GPT2_PLACES = (("gpt2/vocab.json", "gpt2/merges.txt"), ("gpt2_bpe/gpt2_vocab.json", "gpt2_bpe/gpt2_merges.txt"))


class Bytes:
    """Token b is byte b; 256 is the end token."""

    kind, vocabulary, end_of_text, text = "bytes", 257, 256, None

    def encode(self, documents):
        return [numpy.frombuffer(document.encode(), dtype=numpy.uint8).astype("<u2") for document in documents]


class BytePairs:
    def __init__(self, kind, tokenizer, name, text=None):
        self.kind = kind
        self.tokenizer = tokenizer
        self.text = text or tokenizer.to_str(pretty=True) + "\n"
        self.vocabulary = 1 + max(tokenizer.get_vocab(with_added_tokens=True).values())
        self.end_of_text = tokenizer.token_to_id(SEPARATOR)
        if self.end_of_text is None:
            raise BadInput(f"{name}: has no token {SEPARATOR}")
        if self.vocabulary > MAX_VOCABULARY:
            raise BadInput(f"{name}: {self.vocabulary} tokens; a token file holds {MAX_VOCABULARY} at most")

    def encode(self, documents):
        encodings = self.tokenizer.encode_batch(documents, add_special_tokens=False)
        return [numpy.array(encoding.ids, dtype="<u2") for encoding in encodings]


def byte_level(model):
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def with_short_words(documents):
    for document in documents:
        begin = 0
        for word in LONG_WORD.finditer(document):
            for end in range(word.start() + LONGEST_WORD, word.end(), LONGEST_WORD):
                yield document[begin:end]
                begin = end
        yield document[begin:]


def train(documents, vocabulary):
    """Byte-pair encoding trained on these documents: the end token, the bytes, then what was merged.

    @raises BadInput  when the documents do not have that many pairs to merge
    """
    tokenizer = byte_level(models.BPE())
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[SEPARATOR],
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(with_short_words(documents), trainer)
    if tokenizer.get_vocab_size() != vocabulary:
        raise BadInput(
            f"--vocabulary {vocabulary}: the texts of train give no more than {tokenizer.get_vocab_size()} tokens"
        )
    return BytePairs("bpe", tokenizer, "--tokenizer bpe")


def gpt2(data):
    """@raises BadInput  when the two files are not there, or are not GPT-2's"""
    if data is None:
        raise BadInput("--tokenizer gpt2: --data (or GPE_DATA) has to name the folder with GPT-2's vocabulary")
    there = [place for place in GPT2_PLACES if (data / place[0]).exists()]
    if not there:
        raise BadInput(
            f"--tokenizer gpt2: neither of {', '.join(place[0] for place in GPT2_PLACES)} is in {data}; "
            "model/data/download_data.py gets it"
        )
    vocabulary, merges = there[0]
    for name, known in ((vocabulary, GPT2_VOCABULARY), (merges, GPT2_MERGES)):
        if not (data / name).is_file():
            raise BadInput(f"{data / name}: no such file")
        if hashlib.sha256((data / name).read_bytes()).hexdigest() not in known:
            raise BadInput(f"{data / name}: not the file of GPT-2 (sha256)")
    pairs = [
        tuple(line.split(" "))
        for line in (data / merges).read_text(encoding="utf-8").split("\n")
        if line and not line.startswith("#version")
    ]
    numbers = json.loads((data / vocabulary).read_text(encoding="utf-8"))
    tokenizer = byte_level(models.BPE(vocab=numbers, merges=pairs))
    tokenizer.add_special_tokens([AddedToken(SEPARATOR, normalized=False)])
    return BytePairs("gpt2", tokenizer, "--tokenizer gpt2")


def require_ids(file, text):
    """@raises BadInput  no tokens, or an id of two tokens: the package ends there without a message of its own"""
    data = json.loads(text)
    vocabulary = data["model"]["vocab"]
    named = list(vocabulary.items()) if isinstance(vocabulary, dict) else []
    if not vocabulary:
        raise BadInput(f"{file}: the vocabulary has no tokens")
    known = {}
    for token, number in [*named, *((one["content"], one["id"]) for one in data.get("added_tokens") or [])]:
        if known.setdefault(number, token) != token:
            raise BadInput(f"{file}: tokens '{printable(known[number])}' and '{printable(token)}' have the id {number}")


def load(place):
    """@raises BadInput"""
    file = place / "tokenizer.json" if place.is_dir() else place
    if not file.is_file():
        raise BadInput(f"--tokenizer {place}: neither bpe, gpt2 or bytes, nor a tokenizer.json, nor a folder with one")
    try:
        text = file.read_text(encoding="utf-8")
        require_ids(file, text)
        tokenizer = Tokenizer.from_str(text)
    except BadInput:
        raise
    except Exception as error:  # the package raises Exception itself
        raise BadInput(f"{file}: not a tokenizer: {' '.join(str(error).split())[:200]}") from None
    return BytePairs("bpe", tokenizer, str(file), text)
