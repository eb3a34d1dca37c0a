"""What a test of the tree says of a small tree, held against what it should say."""

import pathlib
import subprocess
import sys
import tempfile


def notices(script, tree, expected):
    """@param tree  {path: text}"""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tree.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        command = [sys.executable, pathlib.Path(__file__).with_name(script), folder]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 1 or sorted(done.stdout.splitlines()) != sorted(expected):
        print(done.stdout, done.stderr, sep="\n")
        sys.exit("expected these, and exit code 1:\n" + "\n".join(expected))
