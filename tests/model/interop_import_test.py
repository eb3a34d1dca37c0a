"""GPT-2, GPT-NeoX and nanoGPT models opened here have the logits that they have in PyTorch; wrong ones are refused.

python tests/model/interop_import_test.py FOLDER-OF-PROGRAMS TOOL WORK
"""

import json
import pathlib
import shutil
import subprocess
import sys

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)
import interop_wrong
import nanogpt_reference
import safetensors.torch
import torch
from each_test import each_test, fresh_folder

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()
ROOT = pathlib.Path(__file__).resolve().parents[2]
VOCABULARY = 61
GPT2 = {"vocab_size": VOCABULARY, "n_positions": 40, "n_embd": 24, "n_layer": 3, "n_head": 3}
NEOX = {
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 40,
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 48,
}


class Tool:
    def __init__(self, programs, tool, work):
        self.programs, self.tool, self.work = programs, tool, work
        self.tokens = torch.randint(VOCABULARY, (2, 37), generator=torch.Generator().manual_seed(5))
        safetensors.torch.save_file({"tokens": self.tokens}, work / "tokens.safetensors")

    def logits(self, *models):
        """Of each pair of a folder and a type of numbers."""
        out = self.work / "logits.safetensors"
        asked = [part for model in models for part in model]
        subprocess.run([self.tool, self.work / "tokens.safetensors", out, *asked], check=True)
        found = safetensors.torch.load_file(out)
        return [found[str(number)] for number in range(len(models))]

    def refusal(self, folder):
        result = subprocess.run(
            [self.tool, self.work / "tokens.safetensors", self.work / "none", folder, "float32"],
            capture_output=True,
            text=True,
        )
        one = result.stderr.count("\n") in (1, 3)  # a line and the place in it may follow
        assert result.returncode == 2 and one, result
        return result.stderr.removeprefix("interop_tool: ").strip()


def stirred(model):
    """Every weight away from where it begins: biases that are 0 and normalizations that are 1 would hide mistakes."""
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in model.parameters():
            size = 0.2 if parameter.dim() == 1 else 0.25
            parameter.add_(size * torch.randn(parameter.shape, generator=generator))
    return model.eval()


def theirs(model, tokens, dtype):
    with torch.no_grad():
        return model.to(dtype)(tokens).logits.double()


def compare(tool, name, model, folder):
    report = []
    exact = 1e-5 if "rope_parameters" in model.config.to_dict() else 1e-9  # transformers turns by float32 angles
    found = tool.logits((folder, "float64"), (folder, "float32"))
    for dtype, allowed, ours in zip(("float64", "float32"), (exact, 1e-4), found, strict=True):
        expected = theirs(model, tool.tokens, getattr(torch, dtype))
        difference = (ours - expected).abs().max().item()
        assert expected.std() > 0.5, "logits that are nearly equal say little"
        assert difference < allowed, (name, dtype, difference)
        report.append(f"{dtype} {difference:.1e}")
    print(f"  {name}: logits differ by {', '.join(report)}")


def gpt2(**changes):
    return stirred(transformers.GPT2LMHeadModel(transformers.GPT2Config(**{**GPT2, **changes})))


def neox(**changes):
    return stirred(transformers.GPTNeoXForCausalLM(transformers.GPTNeoXConfig(**{**NEOX, **changes})))


def test_gpt2(tool):
    cases = {
        "gpt2": {},
        "gelu": {"activation_function": "gelu", "layer_norm_epsilon": 1e-3},
        "gelu-fast-inner": {"activation_function": "gelu_fast", "n_inner": 40},
        "relu-untied": {"activation_function": "relu", "tie_word_embeddings": False},
        "unscaled": {"scale_attn_weights": False},
        "by-layer": {"scale_attn_by_inverse_layer_idx": True},
    }
    for name, changes in cases.items():
        model = gpt2(**changes)
        model.save_pretrained(tool.work / name)
        compare(tool, name, model, tool.work / name)


def test_gpt_neox(tool):
    cases = {
        "neox": {},
        "sequential": {"use_parallel_residual": False, "hidden_act": "gelu_new"},
        "whole": {"rope_parameters": {"rope_type": "default", "rope_theta": 500.0, "partial_rotary_factor": 1.0}},
        "partial": {"rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "partial_rotary_factor": 0.4}},
        "linear": {
            "rope_parameters": {"rope_type": "linear", "factor": 3.0, "rope_theta": 10000, "partial_rotary_factor": 0.5}
        },
        "tied": {"tie_word_embeddings": True, "layer_norm_eps": 1e-3},
        "no-attention-bias": {"attention_bias": False},
    }
    for name, changes in cases.items():
        model = neox(**changes)
        model.save_pretrained(tool.work / name)
        compare(tool, name, model, tool.work / name)


def edit(folder, **changes):
    file = folder / "config.json"
    content = json.loads(file.read_text())
    for key, value in changes.items():
        content.pop(key, None)
        if value is not None:
            content[key] = value
    file.write_text(json.dumps(content))


def test_files_of_other_releases(tool):
    model = neox(rope_parameters={"rope_type": "default", "rope_theta": 700.0, "partial_rotary_factor": 0.5})
    folder = tool.work / "older-neox"
    model.save_pretrained(folder)
    edit(folder, rope_parameters=None, rotary_pct=0.5, rotary_emb_base=700, rope_scaling=None)
    weights = safetensors.torch.load_file(folder / "model.safetensors")
    weights["lm_head.weight"] = weights.pop("embed_out.weight")  # as release 5 calls it in memory
    weights["gpt_neox.layers.0.attention.rotary_emb.inv_freq"] = torch.ones(3)
    safetensors.torch.save_file(weights, folder / "model.safetensors", {"format": "pt"})
    compare(tool, "GPT-NeoX with older keys", model, folder)
    model = gpt2()
    folder = tool.work / "headless"
    model.transformer.save_pretrained(folder)
    weights = safetensors.torch.load_file(folder / "model.safetensors")
    assert "wte.weight" in weights
    weights["h.0.attn.bias"] = torch.ones(1, 1, 40, 40).tril()
    safetensors.torch.save_file(weights, folder / "model.safetensors", {"format": "pt"})
    compare(tool, "GPT-2 without its head", model, folder)


def test_shards_and_short_types(tool):
    model = neox()
    model.save_pretrained(tool.work / "shards", max_shard_size="20KB")
    assert len(list((tool.work / "shards").glob("*.safetensors"))) > 3
    compare(tool, "shards", model, tool.work / "shards")
    for dtype in (torch.float16, torch.bfloat16):
        name = str(dtype).removeprefix("torch.")
        short = gpt2().to(dtype)
        short.save_pretrained(tool.work / name)
        compare(tool, f"stored as {name}", short, tool.work / name)


def test_nanogpt(tool):
    for bias in (True, False):
        model = stirred(nanogpt_reference.Gpt(VOCABULARY, block_size=40, layers=3, heads=3, width=24, bias=bias))
        name = f"nanogpt-bias-{bias}".lower()
        checkpoint = {
            "model": {"_orig_mod." + key: value for key, value in model.state_dict().items()},
            "optimizer": {"state": {}, "param_groups": []},
            "model_args": {
                "n_layer": 3,
                "n_head": 3,
                "n_embd": 24,
                "block_size": 40,
                "bias": bias,
                "vocab_size": VOCABULARY,
                "dropout": 0.0,
            },
            "iter_num": 17,
            "best_val_loss": torch.tensor(3.5),
            "config": {"batch_size": 12, "wandb_log": False},
        }
        torch.save(checkpoint, tool.work / f"{name}.pt")
        convert = [sys.executable, ROOT / "model/interop/convert_nanogpt.py"]
        subprocess.run([*convert, tool.work / f"{name}.pt", tool.work / name], check=True)
        compare(tool, name, model, tool.work / name)
    result = subprocess.run(
        [*convert, tool.work / "tokens.safetensors", tool.work / "x"], capture_output=True, text=True
    )
    assert result.returncode == 2 and result.stderr.count("\n") == 1 and "tokens.safetensors" in result.stderr, result
    assert not (tool.work / "x").exists()
    torch.save({"weights": 1}, tool.work / "other.pt")
    result = subprocess.run([*convert, tool.work / "other.pt", tool.work / "x"], capture_output=True, text=True)
    assert result.returncode == 2 and "'model' is missing" in result.stderr and result.stderr.count("\n") == 1, result


def test_wrong_ones_are_refused(tool):
    cases = [("gpt2", change, {}, message) for change, message in interop_wrong.WEIGHTS]
    cases += [(source, None, config, message) for source, config, message in interop_wrong.CONFIGS]
    for number, (source, change, config, message) in enumerate(cases):
        folder = tool.work / f"wrong-{number}"
        shutil.copytree(tool.work / source, folder)
        edit(folder, **config)
        if change:
            weights = safetensors.torch.load_file(folder / "model.safetensors")
            change(weights)
            safetensors.torch.save_file(weights, folder / "model.safetensors", {"format": "pt"})
        told = tool.refusal(folder).replace(str(folder), "DIR")
        assert told == message, f"{told}\n{message}"


def test_wrong_folders_are_refused(tool):
    def folder(name, files):
        path = tool.work / name
        shutil.copytree(tool.work / "shards", path)
        for file, content in files.items():
            (path / file).unlink(missing_ok=True)
            if content is not None:
                (path / file).write_text(content)
        return tool.refusal(path).replace(str(path), "DIR")

    index = "model.safetensors.index.json"
    assert folder("bad-json", {"config.json": "{"}).startswith("DIR/config.json:1:2: not JSON: ")
    assert (
        folder("no-weights", {index: None})
        == "DIR: there is no model.safetensors in it and no model.safetensors.index.json"
    )
    told = folder("pickle", {index: None, "pytorch_model.bin": "x"})
    assert "pytorch_model.bin is not read" in told, told
    told = folder("outside", {index: json.dumps({"weight_map": {"a": "../shards/model.safetensors"}})})
    assert told == (
        f"DIR/{index}: key 'weight_map.a' is \"../shards/model.safetensors\"; "
        "expected the name of a file in the same folder"
    )
    weight_map = json.loads((tool.work / "shards" / index).read_text())["weight_map"]
    shards = sorted(set(weight_map.values()))
    moved = {
        **weight_map,
        "gpt_neox.embed_in.weight": next(s for s in shards if s != weight_map["gpt_neox.embed_in.weight"]),
    }
    told = folder("moved", {index: json.dumps({"weight_map": moved})})
    assert "says that it is there" in told and "gpt_neox.embed_in.weight" in told, told
    told = folder("lost", {shards[1]: None})
    assert shards[1] in told, told


def test_programs_take_them(tool):
    def run(program, *arguments, expect=0):
        result = subprocess.run(
            [tool.programs / program, *(str(a) for a in arguments)], capture_output=True, text=True, errors="replace"
        )  # of random bytes
        assert result.returncode == expect, result
        return result.stderr if expect else result.stdout

    tokens = torch.randint(VOCABULARY, (400,), generator=torch.Generator().manual_seed(3))
    (tool.work / "text.bin").write_bytes(tokens.numpy().astype("uint16").tobytes())
    for name in ("gpt2", "neox"):
        model = transformers.AutoModelForCausalLM.from_pretrained(tool.work / name).eval()
        report = json.loads(
            run("evaluate-tsm", tool.work / name, tool.work / "text.bin", "--every-token", 32, "--format", "json")
        )
        assert report["context"] == 40 and report["encoding"] == {"gpt2": "gpt2", "neox": "gpt-neox"}[name], report
        losses = []
        for begin in range(0, 399, 32):
            piece = tokens[begin : begin + 33][None]
            logits = theirs(model, piece[:, :-1], torch.float32)[0]
            losses.append(torch.nn.functional.cross_entropy(logits, piece[0, 1:], reduction="none"))
        expected = torch.cat(losses).mean().item()
        loss = report["files"][0]["series"][0]["lengths"][0]["whole"]["loss"]
        assert abs(loss - expected) < 1e-5, (loss, expected)
    told = run("evaluate-tsm", tool.work / "gpt2", tool.work / "text.bin", "--lengths", "64", expect=2)
    assert "table of 40 positions" in told, told
    bytes_model = stirred(transformers.GPT2LMHeadModel(transformers.GPT2Config(**{**GPT2, "vocab_size": 300})))
    bytes_model.save_pretrained(tool.work / "bytes")
    run("sample-tsm", tool.work / "bytes", "--prompt", "Once", "--tokens", 30)
    told = run("sample-tsm", tool.work / "bytes", "--prompt", "Once", "--tokens", 40, expect=2)
    assert "more than the 40 positions" in told, told
    for program in ("evaluate-tsm", "sample-tsm"):
        told = run(
            program, tool.work / "wrong-0", *([tool.work / "text.bin"] if program == "evaluate-tsm" else []), expect=2
        )
        assert "is missing" in told and told.count("\n") == 1, told


def test_entropies_of_heads_are_those_of_transformers(tool):
    text = torch.randint(VOCABULARY, (33,), generator=torch.Generator().manual_seed(9))
    (tool.work / "window.bin").write_bytes(text.numpy().astype("uint16").tobytes())
    for name in ("gpt2", "neox"):
        probe = [tool.programs / "probe-attention", tool.work / name, "--tokens", tool.work / "window.bin"]
        probe += "--lengths 16,32 --windows 1 --dtype float64 --format json --threads 1".split()
        report = json.loads(subprocess.run(probe, capture_output=True, text=True, check=True).stdout)
        assert report["contradictions"] == [] and report["windows"] == 1, report["contradictions"]
        model = transformers.AutoModelForCausalLM.from_pretrained(tool.work / name, attn_implementation="eager")
        model = model.double().eval()
        with torch.no_grad():
            attentions = model(text[None, :32], output_attentions=True).attentions
        worst = 0
        for head in report["heads"]:
            for at in head["lengths"]:
                weights = attentions[head["layer"] - 1][0, head["head"] - 1, at["length"] - 1, : at["length"]]
                expected = -(weights * weights.log()).sum().item()
                worst = max(worst, abs(at["last_row"]["entropy"]["mean"] - expected))
        assert worst < 1e-5, (name, worst)  # the weights of transformers are made in float32
        print(f"  {name}: entropies differ by {worst:.1e}")


def main():
    programs, binary, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    fresh_folder(work)
    torch.set_num_threads(1)
    torch.manual_seed(3)
    tool = Tool(programs, binary, work)
    each_test(globals(), tool)


if __name__ == "__main__":
    main()
