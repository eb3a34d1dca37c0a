"""The texts of the runs: TinyStories, with stories of its validation file moved to training, and the long stories."""

import os
import sys
from pathlib import Path

END = "<|endoftext|>\n"
MOVED = 5000  # of the 6,457 stories of the validation file


def folder():
    if "GPE_DATA" not in os.environ:
        sys.exit("GPE_DATA is not set: the folder of the texts (docs/data.md)")
    return Path(os.environ["GPE_DATA"])


def divided(output, moved=MOVED):
    """Writes train.txt and val.txt: the first `moved` stories of the validation file are for training. Returns the
    arguments of prepare-data for these texts and the long stories."""
    output.mkdir(parents=True, exist_ok=True)
    stories = (folder() / "tinystories" / "tinystories_valid.txt").read_text().split(END)
    if len(stories) <= moved:
        sys.exit(f"tinystories_valid.txt has {len(stories)} stories; expected more than {moved}")
    train = (folder() / "tinystories" / "tinystories_train.txt").read_text()
    (output / "train.txt").write_text(train + "".join(story + END for story in stories[:moved]))
    (output / "val.txt").write_text(END.join(stories[moved:]))
    texts = {"train": output / "train.txt", "val": output / "val.txt", "long": folder() / "long_stories"}
    return [f"{name}={text}" for name, text in texts.items()]


if __name__ == "__main__":
    print(" ".join(divided(Path(sys.argv[1]))))
