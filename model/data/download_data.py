"""Downloads the data that the paper and this project use, and checks every file: needs a network.

    .venv/bin/python -m pip install huggingface_hub==2.4.0
    .venv/bin/python model/data/download_data.py tinystories gpt2 --output downloads

Sets: tinystories (the files of the paper, 1.9 GB), tinystories-v2 (by GPT-4 alone, 2.2 GB), gpt2 (the vocabulary, 1.5
MB). A file that is there with its checksum is not fetched again. TinyStories is by Ronen Eldan and Yuanzhi Li, under
CDLA-Sharing-1.0; GPT-2's vocabulary by OpenAI, under a modified MIT license.
"""
# Tests: tests/model/download_data_test.py

import argparse
import hashlib
import pathlib
import sys

# Kind of the repository, its name, its revision, and per file: where it goes, how many bytes, which checksum.
SETS = {
    "tinystories": (
        "dataset",
        "roneneldan/TinyStories",
        "f54c09fd23315a6f9c86f9dc80f725de7d8f9c64",
        {
            "TinyStories-train.txt": (
                "tinystories",
                1924281556,
                "c5cf5e22ff13614e830afbe61a99fbcbe8bcb7dd72252b989fa1117a368d401f",
            ),
            "TinyStories-valid.txt": (
                "tinystories",
                19447282,
                "94e431816c4cce81ff71e4408ff8d3bda9a42e8d2663986697c3954288cb38b4",
            ),
        },
    ),
    "tinystories-v2": (
        "dataset",
        "roneneldan/TinyStories",
        "f54c09fd23315a6f9c86f9dc80f725de7d8f9c64",
        {
            "TinyStoriesV2-GPT4-train.txt": (
                "tinystories",
                2227753162,
                "6418d412de72888f52b5142c761ac21a582f7d1166f0bfbdb5f03ccfdec90443",
            ),
            "TinyStoriesV2-GPT4-valid.txt": (
                "tinystories",
                22502601,
                "6874bae9a4c1a4e7edcf0e53b86c17817e9cf881fc75ff2368da457b80c0585d",
            ),
        },
    ),
    "gpt2": (
        "model",
        "openai-community/gpt2",
        "607a30d783dfa663caf39e06633721c8d4cfcd7e",
        {
            "vocab.json": ("gpt2", 1042301, "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783"),
            "merges.txt": ("gpt2", 456318, "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"),
        },
    ),
}


def sha256(file):
    digest = hashlib.sha256()
    with open(file, "rb") as opened:
        while piece := opened.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def is_there(file, size, checksum):
    return file.is_file() and file.stat().st_size == size and sha256(file) == checksum


def fetch(name, output):
    """One set into its folder; a file with another checksum is removed. Returns whether all went well."""
    from huggingface_hub import hf_hub_download

    kind, repository, revision, files = SETS[name]
    for file, (folder, size, checksum) in files.items():
        target = output / folder / file
        if is_there(target, size, checksum):
            print(f"{target}: there already")
            continue
        print(f"{target}: {size} bytes from {repository}")
        hf_hub_download(repository, file, repo_type=kind, revision=revision, local_dir=output / folder)
        if not is_there(target, size, checksum):
            target.unlink(missing_ok=True)
            print(
                f"download_data.py: {target}: not the file that was expected (size or sha256); removed", file=sys.stderr
            )
            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", choices=list(SETS))
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("downloads"))
    options = parser.parse_args()
    try:
        return 0 if all([fetch(name, options.output) for name in options.sets]) else 1
    except ImportError as error:
        print(
            f"download_data.py: the Python package {error.name} is absent; pip install huggingface_hub==2.4.0",
            file=sys.stderr,
        )
        return 1
    except Exception as error:  # no network, no space, no such revision: the package raises many kinds
        print(f"download_data.py: {' '.join(str(error).split())[:300]}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
