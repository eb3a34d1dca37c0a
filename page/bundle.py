"""FOLDER FILE: the files of a folder as one JSON object, names to contents."""

import json
import sys
from pathlib import Path

folder, target = map(Path, sys.argv[1:])
files = {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}
temporary = target.with_suffix(".new")
temporary.write_text(json.dumps(files, ensure_ascii=False, indent=0, sort_keys=True) + "\n")
temporary.replace(target)
