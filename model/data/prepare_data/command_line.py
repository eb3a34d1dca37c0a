"""The command line of prepare-data."""
# Tests: tests/model/prepare_data_test.py

import argparse
import os
import pathlib
import re

from bad_input import BadInput

DESCRIPTION = """Texts become token files: NAME.bin as nanoGPT has them (16-bit little-endian), NAME.json with counts
and checksums beside it, and the tokenizer that made them. The same texts give the same files, whole or not at all."""

EXAMPLES = """Examples:
  prepare-data stories.txt --output data/stories
  prepare-data train=train.txt val=valid.txt long=tales/ --words long=0..5000,5000..10000 --output data/tsm
  prepare-data train=train.txt val=valid.txt --tokenizer gpt2 --data downloads --output data/gpt2
  prepare-data test=more.txt --tokenizer data/tsm --output data/more --readability
Exit: 0 done, 2 bad use or a wrong file, 1 anything else."""

MAX_VOCABULARY = 1 << 16
MIN_BPE_VOCABULARY = 257  # every byte, and the end token


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadInput(message)

    def format_help(self):
        return "Usage: " + super().format_help().removeprefix("usage: ")


def fraction(text):
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a fraction between 0 and 1")
    return value


def vocabulary(text):
    if not text.isascii() or not text.isdigit() or not MIN_BPE_VOCABULARY <= int(text) <= MAX_VOCABULARY:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a whole number from {MIN_BPE_VOCABULARY} to {MAX_VOCABULARY}"
        )
    return int(text)


def positive(text):
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive whole number")
    return int(text)


def split_and_path(text):
    """ "NAME=PATH" or "PATH" (no name)."""
    name, equals, path = text.partition("=")
    if not equals:
        return None, text
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", name):
        raise argparse.ArgumentTypeError(f"'{name}' cannot name a split; expected small letters, digits and -")
    if not path:
        raise argparse.ArgumentTypeError(f"'{text}': expected SPLIT=PATH")
    return name, path


def word_ranges(text):
    """ "NAME=LOW..HIGH,..."."""
    name, equals, ranges = text.partition("=")
    result = []
    for part in ranges.split(","):
        match = re.fullmatch(r"([0-9]{1,12})\.\.([0-9]{1,12})", part)
        if not equals or not match or int(match[1]) >= int(match[2]):
            raise argparse.ArgumentTypeError(f"'{text}': expected SPLIT=LOW..HIGH,... with LOW < HIGH")
        result.append((int(match[1]), int(match[2])))
    return name, result


def parse(arguments):
    """@raises BadInput"""
    parser = Parser(
        prog="prepare-data",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=None,
    )
    parser.add_argument(
        "inputs",
        nargs="+",
        type=split_and_path,
        metavar="[SPLIT=]PATH",
        help="a text file, whose documents are separated by <|endoftext|>, or a folder of .txt files; "
        "without a name it is divided into train and val; looked for here, then in --data",
    )
    parser.add_argument("--output", required=True, type=pathlib.Path, metavar="DIR", help="made if it is absent")
    parser.add_argument(
        "--tokenizer",
        default="bpe",
        metavar="T",
        help="bpe: byte-pair encoding trained on the split train (default); gpt2: GPT-2's, from --data; "
        "bytes; or a tokenizer.json, or a folder that has one",
    )
    parser.add_argument(
        "--vocabulary",
        type=vocabulary,
        metavar="N",
        help="tokens of a trained bpe, bytes and the end token among them (default 2048)",
    )
    parser.add_argument(
        "--words",
        action="append",
        default=[],
        type=word_ranges,
        metavar="SPLIT=LOW..HIGH,...",
        help="instead of SPLIT, write SPLIT-LOW-HIGH: its documents of LOW to HIGH - 1 words",
    )
    parser.add_argument(
        "--val-fraction",
        type=fraction,
        default=0.1,
        metavar="F",
        help="share of the documents of nameless inputs that becomes val, by checksum (default 0.1)",
    )
    parser.add_argument(
        "--readability",
        nargs="?",
        type=positive,
        const=1000,
        metavar="N",
        help="also print the readability of N to 2 N documents of each split, evenly spread (default 1000)",
    )
    parser.add_argument(
        "--data",
        type=pathlib.Path,
        metavar="DIR",
        default=os.environ.get("GPE_DATA") and pathlib.Path(os.environ["GPE_DATA"]),
        help="where inputs and GPT-2's vocabulary are looked for (default: $GPE_DATA)",
    )
    parser.add_argument("--version", action="version", version=f"prepare-data {version()}")
    options = parser.parse_args(arguments)
    if options.vocabulary is not None and options.tokenizer != "bpe":
        raise BadInput(f"--vocabulary is for --tokenizer bpe, not for {options.tokenizer}")
    return options


def version():
    return os.environ.get("GPE_VERSION", "unknown")
