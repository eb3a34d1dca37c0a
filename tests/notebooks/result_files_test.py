"""Every file of results says which command made it, with which version, on which machine.

Usage: result_files_test.py RESULTS. Exit code 0, or the files that do not."""

import json
import sys
from pathlib import Path

folder = Path(sys.argv[1])
files = sorted(folder.rglob("*.json"))
wrong = [] if len(files) > 20 else [f"only {len(files)} files in {folder.name}"]
for path in files:
    content = json.loads(path.read_text())
    lacking = [key for key in ("version", "machine") if not content.get(key)]
    if not content.get("command") and not content.get("commands"):
        lacking.append("command")
    if lacking:
        wrong.append(f"{path.relative_to(folder)}: no {', no '.join(lacking)}; tests/bench/runs/predictors.py --page completes files of probes")
sys.exit("\n".join(wrong))
