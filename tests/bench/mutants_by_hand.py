"""mutants_by_hand.json: of a file, what is written there and what a mutant has instead."""

import json
import pathlib
import re

ENTRIES = json.loads(pathlib.Path(__file__).with_suffix(".json").read_text())


def written(code):
    """A pattern of this code in any layout."""
    return re.compile(r"\s*".join(map(re.escape, re.findall(r"\w+|\S", code))))
