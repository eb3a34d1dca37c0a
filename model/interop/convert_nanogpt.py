"""A checkpoint of nanoGPT as a folder that evaluate-tsm, sample-tsm and export-tsm open.

    .venv/bin/python model/interop/convert_nanogpt.py ckpt.pt FOLDER

ckpt.pt is a pickle; it is read without running what is in it (weights_only). FOLDER gets model.safetensors and
config.json with "model_type": "nanogpt". Exit: 0 done, 2 bad use or a wrong file.
"""
# Tests: tests/model/interop_import_test.py

import json
import os
import pathlib
import pickle
import secrets
import sys
import zipfile

import safetensors.torch
import torch

SIZES = ("n_layer", "n_head", "n_embd", "block_size", "vocab_size", "bias")


def fail(message):
    print(f"convert_nanogpt: {message}", file=sys.stderr)
    sys.exit(2)


def read(path):
    try:
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError, zipfile.BadZipFile) as error:
        fail(f"{path}: not a checkpoint that PyTorch reads as weights alone: {str(error).splitlines()[0]}")
    for key in ("model", "model_args"):
        if not isinstance(checkpoint, dict) or not isinstance(checkpoint.get(key), dict):
            fail(f"{path}: '{key}' is missing; expected a ckpt.pt of nanoGPT")
    missing = [key for key in SIZES if key not in checkpoint["model_args"]]
    if missing:
        fail(f"{path}: model_args: '{missing[0]}' is missing")
    return checkpoint


def weights_of(checkpoint):
    """By nanoGPT's names, without what torch.compile puts before them, the masks, and the embedding's second name."""
    weights = {name.removeprefix("_orig_mod."): tensor for name, tensor in checkpoint["model"].items()}
    embedding, head = weights.get("transformer.wte.weight"), weights.get("lm_head.weight")
    if embedding is not None and head is not None and torch.equal(embedding, head):
        del weights["lm_head.weight"]
    return {name: tensor.contiguous() for name, tensor in weights.items() if not name.endswith(".attn.bias")}


def main():
    if len(sys.argv) != 3:
        fail("expected CKPT.pt FOLDER")
    checkpoint, folder = read(sys.argv[1]), pathlib.Path(sys.argv[2])
    config = {"model_type": "nanogpt", **{key: checkpoint["model_args"][key] for key in SIZES}}
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"model.safetensors.tmp{secrets.token_hex(8)}"
    safetensors.torch.save_file(weights_of(checkpoint), unfinished, {"format": "pt"})
    os.replace(unfinished, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")


main()
