"""What export-tsm writes is opened by transformers, and has the logits that the model has here.

python tests/model/interop_export_test.py FOLDER-OF-PROGRAMS TOOL WORK
"""

import pathlib
import shutil
import subprocess
import sys

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)
import safetensors
import safetensors.torch
import tokenizers
import torch
import training_data
from each_test import each_test
from interop_import_test import Tool, gpt2, neox

ROOT = pathlib.Path(__file__).resolve().parents[2]
TINY = ROOT / "tests" / "cases" / "tiny"
VOCABULARY = 61
INTERLEAVED = """schema = 1
name = "interleaved"
[score]
transform = "rotation"
[score.rotation]
angle = "500^(-2*j/d)*n"
layout = "interleaved"
"""
MEASURED = """schema = 1
name = "measured"
[score]
bias = "-n/32"
transform = "rotation"
[score.rotation]
alpha = "measured"
angle = "1000^(-2*j/d)*n/alpha"
"""
TWO_KINDS = """schema = 1
name = "two-kinds"
[score]
bias = "if(layer = 1, -n/8, -h*log(1 + n))"
window = "24 + 8*h"
"""


class Programs:
    def __init__(self, folder, work):
        self.folder, self.work = folder, work

    def __call__(self, program, *arguments, expect=0):
        result = subprocess.run([self.folder / program, *(str(a) for a in arguments)], capture_output=True, text=True)
        assert result.returncode == expect, (program, arguments, result)
        assert expect != 2 or (result.stdout == "" and result.stderr.count("\n") == 1), result
        return result.stderr.strip() if expect else result.stdout


def make(run, name, encoding, *settings):
    """A model with random weights of every kind."""
    folder = run.work / name
    sizes = [
        "model.layers=2",
        "model.heads=2",
        "model.width=32",
        f"model.vocabulary={VOCABULARY}",
        "model.vocabulary_padded=64",
        "training.context=40",
        "output.evaluate_batches=0",
        *settings,
    ]
    run(
        "train-tsm",
        "--data",
        run.work / "data",
        "--output",
        folder,
        "--encoding",
        encoding,
        "--iterations",
        "0",
        "--threads",
        "1",
        *(part for setting in sizes for part in ("--set", setting)),
    )
    file = folder / "model.safetensors"
    with safetensors.safe_open(file, "pt") as opened:
        metadata = {
            key: value for key, value in opened.metadata().items() if not key.startswith("sha256 ")
        }  # of weights that change
    weights = safetensors.torch.load_file(file)
    generator = torch.Generator().manual_seed(11)
    for key, weight in weights.items():
        if not key.startswith("position."):
            weight.add_((0.2 if weight.dim() == 1 else 0.25) * torch.randn(weight.shape, generator=generator))
    safetensors.torch.save_file(weights, file, metadata)
    return folder


def opened(folder):
    return transformers.AutoModelForCausalLM.from_pretrained(folder, trust_remote_code=True).eval()


def compare(run, tool, name, folder, layout, *options):
    out = run.work / f"out-{name}"
    assert run("export-tsm", folder, "--output", out, *options) == f"{out}: {layout}\n"
    model = opened(out)
    report = []
    *found, again = tool.logits((folder, "float64"), (folder, "float32"), (out, "float32"))
    exact = 2e-5 if layout != "gpt2" else 1e-9
    for dtype, allowed, ours in zip(("float64", "float32"), (exact, 1e-4), found, strict=True):
        with torch.no_grad():
            theirs = model.to(getattr(torch, dtype))(tool.tokens).logits.double()
        difference = (ours - theirs).abs().max().item()
        assert theirs.std() > 0.5, "logits that are nearly equal say little"
        assert difference < allowed, (name, dtype, difference)
        report.append(f"{dtype} {difference:.1e}")
    model.to(torch.float32)
    # What was written is opened here, too.
    difference = (again - found[1]).abs().max().item()
    assert difference < 1e-4, (name, difference)
    print(f"  {name} as {layout}: logits differ by {', '.join(report)}; read again {difference:.1e}", flush=True)
    return model


def test_stock_layouts(run, tool):
    neox_like = [
        "model.bias=true",
        "model.feed_forward=48",
        "model.activation=gelu_tanh",
        "model.norm_epsilon=1e-3",
        "model.tied_head=false",
    ]
    compare(run, tool, "nope", make(run, "nope", "nope"), "gpt2", "--positions", "64")
    compare(run, tool, "nope-biased", make(run, "nope-biased", "nope", *neox_like), "gpt2")
    compare(run, tool, "table", make(run, "table", "nope", "model.position_table=50", "model.activation=relu"), "gpt2")
    compare(run, tool, "rope", make(run, "rope", "rope"), "gpt_neox")
    parallel = make(
        run, "rope-parallel", "rope", "model.parallel_residual=true", 'position.set=["base=1000000"]', *neox_like
    )
    compare(run, tool, "rope-parallel", parallel, "gpt_neox")
    compare(run, tool, "partial", make(run, "partial", "partial-rotary", 'position.set=["fraction=3/8"]'), "gpt_neox")
    compare(run, tool, "interpolated", make(run, "interpolated", "position-interpolation"), "gpt_neox")
    (run.work / "interleaved.toml").write_text(INTERLEAVED)
    compare(run, tool, "interleaved", make(run, "interleaved", run.work / "interleaved.toml"), "gpt_neox")


def test_every_other_encoding(run, tool):
    compare(run, tool, "alibi", make(run, "alibi", "alibi"), "tsm")
    learned = make(run, "ape", "ape", 'position.learned=["delta","beta","gamma"]', "model.bias=true")
    compare(run, tool, "ape", learned, "tsm", "--positions", "40")
    (run.work / "measured.toml").write_text(MEASURED)
    compare(
        run, tool, "measured", make(run, "measured", run.work / "measured.toml", "model.parallel_residual=true"), "tsm"
    )
    for name in (
        "t5",
        "gpt-oss-sink",
        "gemma2-local",
        "xpos",
        "hope-hyperbolic",
        "sliding-window",
        "sinusoidal",
        "ssmax",
        "llama4",
    ):
        compare(run, tool, name, make(run, name, name, "model.tied_head=false"), "tsm", "--positions", "64")
    (run.work / "two-kinds.toml").write_text(TWO_KINDS)
    model = compare(run, tool, "two-kinds", make(run, "two-kinds", run.work / "two-kinds.toml"), "tsm")
    assert model.position.bias.shape[0] == 4 and model.position.even is None
    # rope as a class of its own: the two ways to turn agree
    compare(run, tool, "rope-tsm", run.work / "rope", "tsm", "--layout", "tsm")


def test_the_cache_and_padding_of_the_class(run, tool):
    for name in ("alibi", "ape", "ssmax"):
        model = opened(run.work / f"out-{name}")
        with torch.no_grad():
            whole = model(tool.tokens).logits
            first = model(tool.tokens[:, :20], use_cache=True)
            rest = model(tool.tokens[:, 20:], past_key_values=first.past_key_values, use_cache=True)
            assert (rest.logits - whole[:, 20:]).abs().max() < 1e-4, name
            padded = torch.cat([torch.zeros(2, 3, dtype=torch.long), tool.tokens], dim=1)[:, :40]
            mask = torch.ones_like(padded)
            mask[:, :3] = 0
            assert (model(padded, attention_mask=mask).logits[:, 3:] - whole[:, :37]).abs().max() < 1e-4, name
    model = opened(run.work / "out-ape")
    try:
        model(torch.zeros(1, 41, dtype=torch.long))
        raise AssertionError("41 tokens were read with tables for 40")
    except ValueError as error:
        assert "tables for 40" in str(error)


def test_a_trained_model_speaks_the_same_there(run, tool):
    out = run.work / "out-tiny"
    assert run("export-tsm", TINY, "--output", out) == f"{out}: tsm\n"
    model, tokenizer = opened(out), transformers.AutoTokenizer.from_pretrained(out, trust_remote_code=True)
    prompt = "Once upon a time"
    expected = tokenizers.Tokenizer.from_file(str(TINY / "tokenizer.json")).encode(prompt).ids
    assert tokenizer.encode(prompt) == expected
    text = run("sample-tsm", TINY, "--prompt", prompt, "--tokens", "60", "--temperature", "0", "--threads", "1").rstrip(
        "\n"
    )
    assert model.config.eos_token_id == tokenizer.eos_token_id is not None
    ids = torch.tensor([[tokenizer.eos_token_id, *expected]])
    made = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=60)
    assert tokenizer.decode(made[0], skip_special_tokens=True) == text, (tokenizer.decode(made[0]), text)
    assert (
        run("sample-tsm", out, "--prompt", prompt, "--tokens", "60", "--temperature", "0", "--threads", "1").rstrip(
            "\n"
        )
        == text
    )


def test_imported_models_go_out_again(run, tool):
    for name, model, layout in (
        ("again-gpt2", gpt2(), "gpt2"),
        ("again-neox", neox(), "gpt_neox"),
        ("again-unscaled", gpt2(scale_attn_weights=False), "tsm"),
    ):
        model.save_pretrained(run.work / name)
        compare(run, tool, name, run.work / name, layout)


def test_what_does_not_fit_is_refused(run, tool):
    def refused(name, *options):
        return run("export-tsm", run.work / name, "--output", run.work / "refused", *options, expect=2)

    def misfit(layout, reason):
        return f"export-tsm: the model does not fit into the layout {layout}: {reason}"

    shutil.copy(TINY / "tokenizer.json", run.work / "rope")  # which nothing is left of
    assert refused("rope", "--layout", "gpt2") == misfit("gpt2", "it has rotations")
    assert refused("nope", "--layout", "gpt_neox") == misfit("gpt_neox", "it has no rotations")
    assert refused("alibi", "--layout", "gpt2") == misfit("gpt2", "layer 1, head 1 has a bias")
    assert refused("two-kinds", "--layout", "gpt_neox") == misfit("gpt_neox", "layer 1, head 1 has a window")
    assert "table of 50 positions" in refused("table", "--positions", "64")
    make(run, "dynamic-ntk", "dynamic-ntk")
    assert refused("dynamic-ntk") == (
        "export-tsm: the encoding 'dynamic-ntk' reads L, the index of the query, and not in a gain "
        "alone: its scores are not a table"
    )
    assert not (run.work / "refused").exists()
    assert "holds files already" in run("export-tsm", run.work / "rope", "--output", run.work / "out-rope", expect=2)
    assert "holds files already" in run("export-tsm", run.work / "rope", "--output", run.work / "rope", expect=2)
    assert "no model.safetensors" in run("export-tsm", run.work / "data", "--output", run.work / "refused", expect=2)


def main():
    programs, binary, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    (work / "data").mkdir(parents=True)
    torch.set_num_threads(1)
    torch.manual_seed(3)
    training_data.write_tokens(work / "data", VOCABULARY)
    run, tool = Programs(programs, work), Tool(programs, binary, work)
    each_test(globals(), run, tool)


if __name__ == "__main__":
    main()
