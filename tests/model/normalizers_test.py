"""Models whose weights are not a softmax, and gates that are one number: trained, resumed to the bit, evaluated; who
refuses what.

    python tests/model/normalizers_test.py FOLDER-OF-PROGRAMS WORK
"""

import json
import pathlib
import shutil
import sys

import training_data
from programs import Programs

CONFIG = """
[model]
layers = 2
heads = 2
width = 16
vocabulary = 250
vocabulary_padded = 256
[position]
encoding = "sigmoid.toml"
[training]
context = 24
batch = 4
iterations = 6
learning_rate = 2e-3
[output]
log_every = 1
entropy_every = 3
evaluate_every = 6
evaluate_batches = 2
checkpoint_every = 2
"""
HEAD = 'schema = 1\nname = "test"\n[parameters]\nm = { default = "1/8" }\nkeys = { default = 4 }\n[score]\n'
SCORES = {
    "sigmoid": 'bias = "-m*n"\nnormalizer = "sigmoid"\n',
    "relu": 'bias = "1 - m*n"\nwindow = 9\nnormalizer = "relu"\n',
    "selected": 'bias = "-m*n"\ntransform = "rotation"\n[score.rotation]\nangle = "100^(-2*j/d)*n"\n'
    '[score.normalizer]\nkind = "top-k"\nk = "keys"\n',
    "sparse": '[score.normalizer]\nkind = "entmax"\nalpha = 2\n',
    "stick": 'normalizer = "stick-breaking"\n',
    "gate": '[score.path]\nlow = "-m"\nhigh = "-m"\n',
    "slope": 'bias = "-m*n"\n',
    "gates": '[score.path]\nlow = "-m"\nhigh = 0\n',
    "open": '[score.path]\nlow = "-inf"\nhigh = "-m"\n',
}


def train(run, name, folder, *options, expect=0):
    return run(
        "train-tsm",
        "config.toml",
        f"--encoding={name}.toml",
        "--data",
        "data",
        "--output",
        folder,
        "--threads",
        "1",
        "--quiet",
        *options,
        expect=expect,
    )[1]


def log(folder):
    return [
        {key: value for key, value in json.loads(line).items() if key not in ("tokens_per_second", "encoding")}
        for line in (folder / "log.jsonl").read_text().splitlines()
    ]


def main():
    programs, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    shutil.rmtree(work, ignore_errors=True)
    (work / "data").mkdir(parents=True)
    training_data.write_tokens(work / "data", 250, 6000, 2000)
    (work / "config.toml").write_text(CONFIG)
    for name, score in SCORES.items():
        (work / f"{name}.toml").write_text(HEAD + score)
    run = Programs(programs, work)

    for name in ("sigmoid", "relu", "selected"):
        train(run, name, name, '--set=position.learned=["m"]')
        whole, back = work / name, work / f"{name}-resumed"
        shutil.copytree(whole, back)
        (back / "model-4.safetensors").rename(back / "model.safetensors")
        run("train-tsm", "--resume", "--data", "data", "--output", back, "--threads", "1", "--quiet")
        for file in ("model.safetensors", "optimizer-6.safetensors", "encoding.toml"):
            assert (back / file).read_bytes() == (whole / file).read_bytes(), f"{name}: {file} differs"
        assert log(back) == log(whole), name
        losses = [entry["loss"] for entry in log(whole) if "loss" in entry]
        assert len(losses) == 6 and losses[-1] < losses[0], losses
        assert '"1/8"' not in (whole / "encoding.toml").read_text(), "nothing was learned"
        report = json.loads(
            run(
                "evaluate-tsm",
                name,
                "data/val.bin",
                "--lengths",
                "8,24",
                "--windows",
                "2",
                "--window",
                "12",
                "--threads",
                "1",
                "--format",
                "json",
            )[0]
        )
        assert report["files"][0]["series"], report
        kind = "top-k" if name == "selected" else name
        for command in (
            ["evaluate-tsm", name, "data/val.bin", "--epsilon", "1e-3"],
            ["export-tsm", name, "--output", "exported"],
            ["probe-attention", name, "--tokens", "data/val.bin", "--lengths", "8"],
        ):
            assert f'normalizer = "{kind}"' in run(*command, expect=2)[1], command
        assert not (work / "exported").exists()

    for name, text in (
        ("sparse", 'normalizer = "entmax"'),
        ("stick", 'normalizer = "stick-breaking"'),
        ("gates", "[score.path]"),
        ("open", "[score.path]"),
    ):
        assert f"{text}" in train(run, name, "refused", expect=2), name
    error = train(run, "selected", "refused", '--set=position.learned=["keys"]', expect=2)
    assert "'keys', which is learned" in error, error

    # One gate is a slope, to the bit.
    for name in ("gate", "slope"):
        train(run, name, name, '--set=position.learned=["m"]')
    assert log(work / "gate") == log(work / "slope")
    run("export-tsm", "gate", "--output", "exported")


if __name__ == "__main__":
    main()
