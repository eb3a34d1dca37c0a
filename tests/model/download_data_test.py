"""download_data.py keeps what has its checksum and removes what has not; the network is a folder here.

python tests/model/download_data_test.py WORK
"""

import hashlib
import importlib.util
import pathlib
import shutil
import sys
import types

CODE = pathlib.Path(__file__).parents[2] / "model" / "data" / "download_data.py"


def load_program(served, requests):
    """The program, with a package huggingface_hub that copies from `served`."""
    hub = types.ModuleType("huggingface_hub")

    def hf_hub_download(repository, file, repo_type, revision, local_dir):
        requests.append((repository, file, repo_type, revision))
        pathlib.Path(local_dir).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(served / file, pathlib.Path(local_dir) / file)

    hub.hf_hub_download = hf_hub_download
    sys.modules["huggingface_hub"] = hub
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("download_data", CODE)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    return program


def main():
    work = pathlib.Path(sys.argv[-1])
    shutil.rmtree(work, ignore_errors=True)
    (work / "served").mkdir(parents=True)
    requests = []
    program = load_program(work / "served", requests)
    for name, (kind, _, revision, files) in program.SETS.items():
        assert kind in ("dataset", "model") and len(revision) == 40, name
        assert all(len(checksum) == 64 and size > 0 for _, size, checksum in files.values()), name

    text = b"some stories"
    (work / "served/a.txt").write_bytes(text)
    checksum = hashlib.sha256(text).hexdigest()
    program.SETS = {
        "good": ("dataset", "someone/stories", "0" * 40, {"a.txt": ("stories", len(text), checksum)}),
        "bad": ("dataset", "someone/stories", "0" * 40, {"a.txt": ("others", len(text), "f" * 64)}),
    }
    assert program.fetch("good", work / "out")
    assert (work / "out/stories/a.txt").read_bytes() == text
    assert requests == [("someone/stories", "a.txt", "dataset", "0" * 40)]
    assert program.fetch("good", work / "out") and len(requests) == 1  # not again
    (work / "out/stories/a.txt").write_bytes(b"some storied")
    assert program.fetch("good", work / "out") and len(requests) == 2
    assert (work / "out/stories/a.txt").read_bytes() == text
    assert not program.fetch("bad", work / "out")
    assert not (work / "out/others/a.txt").exists()
    print("ok")


main()
