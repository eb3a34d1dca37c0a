"""stories260K of llama2.c in docs/tables/models_of_others.md, by the programs; the page alone needs no package."""

import json
import math
import shutil
import subprocess
from pathlib import Path

import predictors
from predictors import PREDICTORS, errors, middle_and_largest, table
from record import ROOT

WORK = ROOT / "data" / "others"
CONTEXT, LAST, WINDOWS = 512, 16384, 4
CUTS = (64, 128, 256, 512)
BEYOND = 0.1  # nats above the loss at the training length, from which a length counts as one at which the model fails

INTRODUCTION = """## RoPE: stories260K

`stories260K` of [llama2.c](https://github.com/karpathy/llama2.c) has 5 layers of width 64, 8 heads on 4 key heads and a
vocabulary of 512, and was trained on TinyStories at {context} tokens. [`import-model`](../data.md#import-and-export-of-models) reads it; its losses
are those of an independent forward in NumPy (`tests/model/import_model_test.py`). Texts are the validation stories of
TinyStories, joined by end tokens, and tales that are long enough alone, {windows} windows of {last:,} tokens of each;
brackets contain the 95 % bootstrap interval over windows.
"""  # noqa: E501


def losses(report):
    """By file, {length: [loss, low, high, loss of the second half]}: of documents where enough are long, else of
    windows over joined ones."""
    found = {}
    for file in report["files"]:
        series = next(each for each in file["series"] if each["lengths"][-1]["length"] == LAST)
        found[Path(file["file"]).stem] = {
            str(at["length"]): [at["whole"]["loss"], *at["whole"]["loss_interval"], at["far"]["loss"]]
            for at in series["lengths"]
        }
    return found


def measure(bench, data):
    WORK.mkdir(parents=True, exist_ok=True)
    model, tokens = WORK / "stories260K", WORK / "tokens"
    source = data / "models" / "stories260K"
    shutil.rmtree(model, ignore_errors=True)
    bench.call("import-model", source / "stories260K.bin", "--tokenizer", source / "tok512.bin", "--output", model)
    bench.call(
        "prepare-data",
        f"stories={data / 'tinystories/tinystories_valid.txt'}",
        f"tales={data / 'long_stories'}",
        "--tokenizer",
        model,
        "--output",
        tokens,
    )
    files = [tokens / "stories.bin", tokens / "tales.bin"]
    common = ["--lengths", f"{CONTEXT}..{LAST}", "--windows", WINDOWS, "--threads", 1, "--format", "json"]
    report = json.loads(bench.call("evaluate-tsm", model, *files, *common))
    result = {"context": report["context"], "encoding": report["encoding"], "losses": losses(report), "cuts": {}}
    for keys in CUTS:
        result["cuts"][str(keys)] = losses(
            json.loads(bench.call("evaluate-tsm", model, *files, *common, "--window", keys))
        )
    told = subprocess.run(
        [bench.bin / "evaluate-tsm", model, files[0], "--epsilon", "1e-3"], capture_output=True, text=True, cwd=ROOT
    )
    result["certified"] = told.stderr.strip().removeprefix("evaluate-tsm: ") if told.returncode == 2 else None
    windows = WORK / "windows.json"
    probe = json.loads(
        bench.call(
            "probe-attention",
            model,
            "--tokens",
            files[0],
            "--lengths",
            f"{CONTEXT}..{LAST}",
            "--windows",
            WINDOWS,
            "--fit",
            CONTEXT // 2,
            "--serving-windows",
            windows,
            "--threads",
            1,
            "--format",
            "json",
            expect=(0, 3),
        )
    )
    result["probe"] = predictors.condensed(probe)
    result["kinds"] = json.loads(windows.read_text())["total"]["heads"]
    return result


def perplexity_table(result):
    rows = []
    for length in result["losses"]["stories"]:
        row = [f"{int(length):,}", str(int(length) // result["context"])]
        for text in ("stories", "tales"):
            loss, low, high, far = result["losses"][text][length]
            row += [f"{math.exp(loss):.2f} ({math.exp(low):.2f} to {math.exp(high):.2f})", f"{math.exp(far):.2f}"]
        rows.append(row)
    return table(["tokens", "times", "stories", "second half", "tales", "second half"], rows)


def cuts_table(result):
    lengths = list(result["losses"]["stories"])
    rows = [
        [keys, *(f"{result['cuts'][keys]['stories'][length][3]:.3f}" for length in lengths)] for keys in result["cuts"]
    ]
    rows.append(["all", *(f"{result['losses']['stories'][length][3]:.3f}" for length in lengths)])
    return table(["keys", *(f"{int(length):,}" for length in lengths)], rows)


def breakdown(result):
    """Where the loss of the second half leaves that at the training length, in words."""
    lengths = list(result["losses"]["stories"])
    keys = min(result["cuts"], key=lambda keys: result["cuts"][keys]["stories"][lengths[-1]][3])
    cut = [row[3] for row in result["cuts"][keys]["stories"].values()]
    said = []
    for text in ("stories", "tales"):
        far = {length: result["losses"][text][length][3] for length in lengths}
        base = far[lengths[0]]
        beyond = next((int(length) for length in lengths if far[length] > base + BEYOND), None)
        where = "at none of these lengths" if beyond is None else f"from {beyond:,} tokens on"
        said.append(f"on the {text} {where}, and at {int(lengths[-1]):,} by {far[lengths[-1]] - base:.2f}")
    return (
        f"Beyond the training length the loss of the second half of a window is above that at {int(lengths[0])} tokens "
        f"by more than {BEYOND} nats per token:\n\n"
        f"- {said[0]};\n- {said[1]}.\n\n"
        f"Texts alone move it, too: with {keys} keys, [below](#fewer-keys), it moves by {max(cut) - min(cut):.2f}"
        f" on the stories.\nGuessing all tokens alike costs ln 512 = {math.log(512):.2f}."
    )


def entropy_tables(probe):
    lengths = probe["lengths"]
    beyond = [length for length in lengths if length in probe["heads"][0]["predicted_at"]]
    rows = [
        [name, *(middle_and_largest(errors(probe, key, "from_fit", length)) for length in beyond)]
        for key, name in PREDICTORS.items()
    ]
    rows = [row for row in rows if any(row[1:])]
    none = [middle_and_largest(predictors.unchanged(probe, at, beyond[0])) for at in beyond[1:]]
    rows.append([f"no change from {beyond[0]}", "", *none])
    lines = table(["predictor", *(f"{length:,}" for length in beyond)], rows)
    shown = [length for length in lengths if length in (lengths[0], lengths[len(lengths) // 2], lengths[-1])]
    rows = []
    for at, head in enumerate(probe["heads"]):
        error = errors(probe, "continued", "from_fit", lengths[-1])[at]
        rows.append(
            [
                f"{head['layer']}.{head['head']}",
                *(f"{head['entropy'][lengths.index(length)]:.3f}" for length in shown),
                "" if error is None else f"{head['entropy'][-1] + error:.3f}",
                "" if error is None else f"{error:+.3f}",
            ]
        )
    return lines, table(["head", *(f"{length:,}" for length in shown), f"predicted at {lengths[-1]:,}", "error"], rows)


def section(result):
    probe = result["probe"]
    context, last = result["context"], probe["lengths"][-1]
    summary, heads = entropy_tables(probe)
    kinds = ", ".join(f"{count} {kind}" for kind, count in result["kinds"].items() if count)
    best = min(result["cuts"], key=lambda keys: result["cuts"][keys]["stories"][str(last)][3])
    theorems = "none" if probe["contradictions"] == 0 else f"**{probe['contradictions']}**"
    certified = (
        f"`evaluate-tsm --epsilon 1e-3` ends with: {result['certified']}."
        if result["certified"]
        else "Certified windows hold for every head."
    )
    return [
        INTRODUCTION.format(context=context, windows=probe["windows"], last=last),
        "### Perplexity",
        "",
        (
            "Over the first T tokens of a window, and over the second half of these; "
            "T in tokens, and as a multiple of the training length:"
        ),
        "",
        *perplexity_table(result),
        breakdown(result),
        "",
        "### Fewer keys",
        "",
        (
            "Loss in nats per token of the second half of a window of the stories, "
            "when no head sees more than so many of its nearest keys (`evaluate-tsm --window`):"
        ),
        "",
        *cuts_table(result),
        f"At {last:,} tokens a window of {best} keys has the least loss of these: "
        f"{result['cuts'][best]['stories'][str(last)][3] - result['losses']['stories'][str(context)][3]:+.3f} nats "
        f"against all keys at {context} tokens.",
        "",
        "### Windows for serving",
        "",
        (
            f"{certified} [Windows of `probe-attention`](../probes.md#windows-for-serving) for 1/1000 of the weight at "
            f"{last:,} tokens, by kind: {kinds}."
        ),
        "",
        "### Theorems",
        "",
        f"Every [theorem](../probes.md#contradictions) was tested on {probe['tested_rows']:,} rows of "
        f"{len(probe['heads'])} heads at {len(probe['lengths'])} lengths. "
        f"Contradicted: {theorems}.",
        "",
        "### Entropies",
        "",
        f"Mean entropy of rows T/2 to T - 1, predicted from windows of {probe['fit']['tokens']} tokens, "
        "half the training length. Median and largest |error| over heads in nats, each predictor's difference\n"
        "added to the entropy measured there ([the same for our models](predictors.md)):",
        "",
        *summary,
        f"By head, measured, and predicted by continued context for {last:,} tokens:",
        "",
        *heads,
    ]
