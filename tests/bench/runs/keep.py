"""The models of the first seed that stay in the repository: weights in bfloat16, and what a probe says of them.

Usage: .venv/bin/python tests/bench/runs/keep.py [--bin FOLDER] [--work FOLDER] [--output FOLDER]

Reads the runs of program.py in --work (default data/program), and writes tests/cases/trained/NAME, each a folder that
the programs take as a run, with probe.json of probe-attention, probe.html of `gpe page`, and commands.json."""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import torch
import tsm
from record import ROOT, commit, write
from safetensors import safe_open
from safetensors.torch import save_file

RUNS = {"rope": "rope-64-seed-0", "alibi": "alibi-64-seed-0", "ape": "ape-64-seed-0"}
LENGTHS, WINDOWS = "64,1024,16384", 4


def bytes_of(tensor):
    return tensor.contiguous().view(torch.uint8).numpy().tobytes()


def in_bfloat16(source, target):
    """Weights of float32 are rounded; the numbers of an encoding stay as they are."""
    with safe_open(source, framework="pt") as file:
        metadata, names = file.metadata(), file.keys()
        tensors = {name: file.get_tensor(name) for name in names}
    for name, tensor in tensors.items():
        if tensor.dtype == torch.float32:
            tensors[name] = tensor.to(torch.bfloat16)
            metadata[f"sha256 {name}"] = hashlib.sha256(bytes_of(tensors[name])).hexdigest()
    save_file(tensors, target, metadata)
    target.chmod(0o644)


def keep(run, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("config.toml", "encoding.toml", "tokenizer.json"):
        shutil.copy(run / name, folder / name)
    in_bfloat16(run / "model.safetensors", folder / "model.safetensors")


def probe(programs, folder, tokens, lengths, windows):
    """The report and its page, with paths from the root; exit code 3 says that a head contradicts a theorem."""
    folder, tokens = (Path(os.path.relpath(path, ROOT)) for path in (folder, tokens))
    options = ["--lengths", lengths, "--windows", str(windows), "--threads", "1", "--format", "json"]
    command = ["probe-attention", folder, "--tokens", tokens, *options, "--output", folder / "probe.json"]
    page = ["gpe", "page", folder / "probe.json", "--output", folder / "probe.html"]
    for asked in (command, page):
        subprocess.run([programs / asked[0], *asked[1:]], check=True, cwd=ROOT)
    return [" ".join(map(str, asked)) for asked in (command, page)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--work", type=Path, default=ROOT / "data" / "program")
    parser.add_argument("--output", type=Path, default=ROOT / "tests" / "cases" / "trained")
    parser.add_argument("--only", nargs="+", choices=RUNS, default=list(RUNS))
    arguments = parser.parse_args()
    for name in arguments.only:
        folder, result = arguments.output / name, ROOT / "docs" / "results" / "paper" / f"{RUNS[name]}.json"
        keep(arguments.work / RUNS[name], folder)
        commands = [json.loads(result.read_text())["command"], ".venv/bin/python tests/bench/runs/keep.py"]
        commands += probe(arguments.bin.resolve(), folder, arguments.work / "tokens" / "val.bin", LENGTHS, WINDOWS)
        content = {"schema": 1, "machine": tsm.machine(), "version": tsm.version(arguments.bin), "commit": commit()}
        write(folder / "commands.json", content | {"commands": commands})
        print(f"{name}: kept", flush=True)


if __name__ == "__main__":
    main()
