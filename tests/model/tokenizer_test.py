"""Our tokenizer and the package tokenizers give the same tokens.

    python tests/model/tokenizer_test.py TOOL WORK

With GPE_DATA set, also on its stories and with GPT-2's vocabulary.
"""

import os
import pathlib
import random
import shutil
import subprocess
import sys

import regex
import unicodedata2
from each_test import each_test, fresh_folder
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

PATTERN = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
NEWER = regex.compile(r"\P{Cn}")  # assigned today; Unicode 16.0, that of tokenizers, is unicodedata2's

ADVERSARIAL = [
    "",
    " ",
    "  ",
    "\n",
    " \n",
    "\n ",
    "a",
    " a",
    "a ",
    "  a",
    "\t\ta\t",
    "a\u00a0\u00a0b",
    "a \u3000b",
    "\u2028\u2029x",
    "I'll don't we've I'm they're he'd it's 'S 'LL '' '''s ' s",
    "x'sx'tx",
    "1'2'3",
    "12ab34\u00bd\u2167\u0663",
    "\u00b2x\u2460",
    "naïve café Ελληνικά русский עברית العربية हिन्दी 中文字符 日本語 한국어",
    "e\u0301 a\u0308",
    "👩‍👩‍👧‍👦🏳️‍🌈 ☃!",
    "\u200b\u200d\ufeff",
    "\u0000\u0001\u001b[31m\u007f\u0085",
    "\u1c89\u1c8a",
    "\U000105c0",
    "\U0010ffff\ue000\ufffd",
    "a" * 5000,
    "ab" * 3000,
    " " * 3000,
    " " * 2999 + "x",
    "!?" * 2000,
    "\r\n\r\n  \r\n x",
    "<|endoftext|>",
    "a<|endoftext|> b<|endoftext|><|endoftext|>",
    "<|endoftext|",
    "<<|endoftext|>>",
    "http://x.y/z?q=1&r=%20#frag",
    "def f(x):\n    return x**2\n",
    "$1,234.56 - 50%",
    "'\u2019s \u2018quoted\u2019",
]


def run(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def numbers(tool, *arguments):
    return [[int(word) for word in line.split()] for line in run(tool, *arguments).splitlines()]


def write(folder, texts):
    files = []
    folder.mkdir(exist_ok=True)
    for i, text in enumerate(texts):
        files.append(folder / f"{i:05}.txt")
        files[-1].write_text(text, encoding="utf-8", newline="")
    return files


def random_texts(count):
    generator = random.Random(3)
    alphabet = list(" \n\t'stremdlvaiz019!?.,\u00a0é中\u0301\u2028☃\U0001f600½") + [
        "'ll",
        "'re",
        "  ",
        " the",
        "<|endoftext|>",
    ]
    texts = []
    for _ in range(count):
        if generator.random() < 0.5:
            texts.append("".join(generator.choices(alphabet, k=generator.randrange(60))))
        else:
            codes = (generator.randrange(0x110000) for _ in range(generator.randrange(40)))
            characters = [chr(c) for c in codes if not 0xD800 <= c < 0xE000]
            texts.append("".join(c for c in characters if not NEWER.match(c) or unicodedata2.category(c) != "Cn"))
    return texts


def trained(texts, size):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=["<|endoftext|>"],
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def compare(tool, place, tokenizer, files):
    ours = numbers(tool, "encode", place, *files)
    assert len(ours) == len(files)
    for file, tokens in zip(files, ours, strict=True):
        expected = tokenizer.encode(file.read_bytes().decode()).ids
        assert tokens == expected, (file, tokens[:50], expected[:50])
    assert run(tool, "round-trip", place, *files) == "same\n" * len(files)


def test_every_character_is_of_the_class_that_both_packages_see(tool, work):
    line = run(tool, "classes").rstrip("\n")
    pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)

    def one_word(text):
        return len(pre_tokenizer.pre_tokenize_str(text)) == 1

    def seen_by_tokenizers(character):
        for kind, neighbour in (("L", "a"), ("N", "1"), ("O", "!")):
            if one_word(neighbour + character):
                return kind
        return "S"

    space = regex.compile(r"\s")
    characters = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    assert len(line) == len(characters)
    for character, ours in zip(characters, line, strict=True):
        category = unicodedata2.category(character)[0]
        by_unicode = "S" if space.match(character) else {"L": "L", "N": "N"}.get(category, "O")
        assert ours == by_unicode == seen_by_tokenizers(character), hex(ord(character))


def test_texts_are_split_as_the_regular_expression_says(tool, work):
    texts = [text for text in ADVERSARIAL + random_texts(1500)]
    files = write(work / "split", texts)
    for text, lengths in zip(texts, numbers(tool, "split", *files), strict=True):
        assert lengths == [len(word.encode()) for word in PATTERN.findall(text)], repr(text)


def test_a_trained_vocabulary_gives_the_same_tokens(tool, work):
    texts = ADVERSARIAL + random_texts(1500)
    files = write(work / "texts", texts)
    corpus = texts + ["the cat sat on the mat, and the dog's bone wasn't there. " * 20, "naïve café " * 30]
    for size in (257, 300, 1000):
        tokenizer = trained(corpus, size)
        place = work / f"bpe{size}.json"
        tokenizer.save(str(place))
        compare(tool, place, tokenizer, files)


def test_merges_out_of_order_are_done_as_the_package_does_them(tool, work):
    """Ranks that no training gives: a merge whose parts are made later, many ties."""
    generator = random.Random(4)
    letters = "abc"
    files = write(
        work / "shuffled", ["".join(generator.choices(letters, k=generator.randrange(1, 40))) for _ in range(300)]
    )
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    for trial in range(20):
        tokens, merges = list(alphabet), []
        known = list(letters)
        for _ in range(25):
            pair = (generator.choice(known), generator.choice(known))
            if pair in merges:
                continue
            merges.append(pair)
            if "".join(pair) not in tokens:
                tokens.append("".join(pair))
                known.append("".join(pair))
        generator.shuffle(merges)
        tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=merges))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        place = work / f"shuffled{trial}.json"
        tokenizer.save(str(place))
        compare(tool, place, tokenizer, files)


def test_bytes_that_are_no_text_come_back(tool, work):
    generator = random.Random(5)
    files = []
    for i in range(50):
        files.append(work / f"noise{i}")
        files[-1].write_bytes(generator.randbytes(generator.randrange(300)))
    assert run(tool, "round-trip", "bytes", *files) == "same\n" * len(files)
    assert run(tool, "round-trip", work / "bpe1000.json", *files) == "same\n" * len(files)


def test_stories_and_gpt2(tool, work):
    data = os.environ.get("GPE_DATA")
    if not data:
        print("    SKIPPED: GPE_DATA is not set; no stories and no vocabulary of GPT-2")
        return
    data = pathlib.Path(data)
    folder = work / "gpt2"
    folder.mkdir()
    shutil.copyfile(data / "gpt2_bpe/gpt2_vocab.json", folder / "vocab.json")
    shutil.copyfile(data / "gpt2_bpe/gpt2_merges.txt", folder / "merges.txt")
    tokenizer = Tokenizer(models.BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt")))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|endoftext|>"])
    stories = sorted((data / "long_stories/fairytaleqa").glob("*.txt"))[:100]
    files = [data / "tinystories/tinystories_valid.txt", data / "shakespeare/tinyshakespeare_input.txt", *stories]
    texts = sorted((work / "texts").iterdir())
    compare(tool, folder, tokenizer, files + texts)
    # The same vocabulary as tokenizer.json.
    tokenizer.save(str(work / "gpt2.json"))
    compare(tool, work / "gpt2.json", tokenizer, texts)
    assert numbers(tool, "encode", folder, *write(work / "hello", ["Hello world"])) == [[15496, 995]]  # GPT-2's own


def main():
    tool, work = sys.argv[1], fresh_folder(sys.argv[2])
    each_test(globals(), tool, work)


main()
