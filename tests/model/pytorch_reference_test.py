"""train-tsm's loss is that of plain PyTorch, step by step.

python tests/model/pytorch_reference_test.py TRAIN_TSM WORK
"""

import array
import json
import pathlib
import shutil
import subprocess
import sys
import tomllib
import warnings

warnings.filterwarnings("ignore")
import pytorch_reference  # noqa: E402
import safetensors.torch  # noqa: E402
import torch  # noqa: E402
import training_data  # noqa: E402

STEPS = 100
CONFIG = """
[model]
layers = 3
heads = 6
width = 96
vocabulary = 250
vocabulary_padded = 256
[training]
context = 64
batch = 6
iterations = {iterations}
learning_rate = 2e-3
minimum_learning_rate = 1e-4
warmup = 10
decay_iterations = 80
[output]
log_every = 1
evaluate_batches = 0
"""


def run(train_tsm, work, encoding, iterations, data):
    folder = work / f"{encoding}-{iterations}"
    (work / "config.toml").write_text(CONFIG.format(iterations=iterations))
    subprocess.run(
        [train_tsm, work / "config.toml", "--data", data, "--output", folder, "--encoding", encoding, "--threads", "1"],
        check=True,
    )
    return folder


def compare(train_tsm, work, encoding, data):
    initial = run(train_tsm, work, encoding, 0, data)
    trained = run(train_tsm, work, encoding, STEPS, data)
    entries = [json.loads(line) for line in (trained / "log.jsonl").read_text().splitlines()]
    ours = [entry["loss"] for entry in entries if "loss" in entry]
    weights = safetensors.torch.load_file(str(initial / "model.safetensors"))
    weights = {name: weight.requires_grad_(True) for name, weight in weights.items()}
    config = tomllib.loads((trained / "config.toml").read_text())
    numbers = array.array("H", (data / "train.bin").read_bytes())
    theirs = pytorch_reference.train(
        weights,
        config["model"]["layers"],
        config["model"]["heads"],
        encoding,
        torch.tensor(numbers.tolist()),
        config["training"],
    )
    assert len(ours) == len(theirs) == STEPS
    worst = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    print(f"{encoding}: loss {ours[0]:.4f} to {ours[-1]:.4f}, largest difference {worst:.1e}")
    assert worst < 1e-4, worst
    assert ours[-1] < ours[0] - 1, "nothing was learned: the comparison says little"


def main():
    train_tsm, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    (work / "data").mkdir(parents=True)
    torch.set_num_threads(1)
    training_data.write_tokens(work / "data", 250)
    for encoding in ("nope", "rope", "alibi"):
        compare(train_tsm, work, encoding, work / "data")


main()
