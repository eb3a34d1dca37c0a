"""Alilama's models in torch agree with an independent forward in NumPy, on random weights; its tokenizer with the
package tokenizers; and wrong files are refused. With GPE_DATA set, also on a tale.

    python tests/bench/runs/alilama_test.py WORK
"""

import copy
import os
import pathlib
import sys

import alilama
import numpy
import torch
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "model"))
from each_test import each_test, fresh_folder  # noqa: E402

TALE = "long_stories/fairytaleqa/kari-woodencoat.txt"
PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)


def random_file(seed=1, width=16, layers=2, heads=4, inner=24, vocabulary=50):
    generator = torch.Generator().manual_seed(seed)
    size = {"d": width, "f": inner}
    shapes = {"embed.weight": (vocabulary, width)}
    shapes |= {
        f"blocks.{at}.{name}": [size[axis] for axis in axes]
        for at in range(layers)
        for name, axes in alilama.BLOCK.items()
    }
    weights = {name: 0.5 * torch.randn(*shape, generator=generator) for name, shape in shapes.items()}
    weights["last_lin.weight"] = weights["embed.weight"]
    return {
        "iter": 1,
        "state_dict": weights,
        "train_time": 1.0,
        "params": {
            "model_name": "m",
            "d_model": width,
            "blocks": layers,
            "max_seq_len": 32,
            "num_heads": heads,
            "hidden_dim": inner,
            "head_width": width // heads,
            "weight_tying_dict": {},
        },
    }


def reference(content, tokens, keys=None):
    """Losses, entropies and largest contents, one row after the other, in float64."""
    weights = {name: tensor.double().numpy() for name, tensor in content["state_dict"].items()}
    heads, layers = content["params"]["num_heads"], content["params"]["blocks"]
    x = weights["embed.weight"][tokens[:-1]]
    count, width = x.shape
    entropies, contents = numpy.empty((2, layers, heads, count))

    def norm(y, name):
        centred = y - y.mean(-1, keepdims=True)
        return (
            centred / numpy.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * weights[name + ".weight"]
            + weights[name + ".bias"]
        )

    for layer in range(layers):
        at = f"blocks.{layer}."
        x = norm(x, at + "norm1")
        out = numpy.empty_like(x)
        for head in range(heads):
            part = slice(head * width // heads, (head + 1) * width // heads)
            q, k, v = (x @ weights[f"{at}MHSA.{which}.weight"][part].T for which in "qkv")
            for row in range(count):
                first = 0 if keys is None else max(0, row + 1 - keys[layer][head])
                content = k[first : row + 1] @ q[row] / numpy.sqrt(width // heads)
                powers = numpy.exp(content - 2.0 ** (-8 * (head + 1) / heads) * (row - numpy.arange(first, row + 1)))
                share = powers / powers.sum()
                out[row, part] = share @ v[first : row + 1]
                entropies[layer, head, row] = -(share * numpy.log(share)).sum()
                contents[layer, head, row] = abs(content).max()
        x = x + out
        inner = norm(x, at + "norm2") @ weights[at + "MLP.p1.weight"].T
        x = x + (inner / (1 + numpy.exp(-inner))) @ weights[at + "MLP.p2.weight"].T
    logits = x @ weights["last_lin.weight"].T
    top = logits.max(1)
    losses = top + numpy.log(numpy.exp(logits - top[:, None]).sum(1)) - logits[numpy.arange(count), tokens[1:]]
    return losses, entropies, contents


def test_losses_entropies_and_contents(work):
    content = random_file()
    torch.save(content, work / "random.pth")
    tokens = torch.randint(50, (71,), generator=torch.Generator().manual_seed(2))
    keys = [[1, 3, 20, 100], [5, 70, 7, 2]]
    rows, alilama.ROWS = alilama.ROWS, 16
    for dtype, allowed in ((torch.float64, 1e-10), (torch.float32, 1e-4)):
        model = alilama.Alilama(work / "random.pth", dtype)
        for cut in (None, keys):
            worst = max(
                float(abs(ours.double().numpy() - theirs).max())
                for ours, theirs in zip(model.read(tokens, cut), reference(content, tokens.numpy(), cut), strict=True)
            )
            assert worst < allowed, (dtype, cut, worst)
            print(f"  {dtype}, {'all keys' if cut is None else 'few keys'}: differ by {worst:.1e}")
        bounds = torch.tensor(model.content_bounds())
        assert bool((model.read(tokens)[2].amax(-1) <= bounds).all()), bounds
    alilama.ROWS = rows


def test_wrong_files_are_refused(work):
    good = random_file()

    def expect(message, change):
        content = copy.deepcopy(good)
        change(content)
        torch.save(content, work / "wrong.pth")
        try:
            alilama.Alilama(work / "wrong.pth")
        except alilama.WrongFile as error:
            assert message in str(error) and "\n" not in str(error), error
        else:
            raise AssertionError(message)

    name = "blocks.1.norm2.bias"
    expect(f"tensor {name} is None; expected (16,)", lambda content: content["state_dict"].pop(name))
    expect(
        f"tensor {name} is (3,); expected (16,)", lambda content: content["state_dict"].update({name: torch.ones(3)})
    )
    expect(
        "tensor blocks.2.more is (3,); expected None",
        lambda content: content["state_dict"].update({"blocks.2.more": torch.ones(3)}),
    )
    expect(
        f"tensor {name} has an entry that is not a finite number",
        lambda content: content["state_dict"][name].fill_(float("nan")),
    )
    expect("4 heads of 5 in a width of 16", lambda content: content["params"].update(head_width=5))
    expect("expected a model of Alilama", lambda content: content.pop("params"))
    expect("a size out of range; expected a model of Alilama", lambda content: content["params"].update(blocks=1 << 40))
    expect("other things than the tensors of its layers", lambda content: content["params"].update(blocks=1 << 20))
    expect("other things than the tensors of its layers", lambda content: content["state_dict"].update({name: 3}))
    expect(
        "expected a model of Alilama", lambda content: content.update(hidden=pathlib.PurePosixPath)
    )  # would run code


def test_tokens_are_those_of_the_package(work):
    text = (
        "Once upon a time, a cat's toy (it's red!) was 12345 steps away.\r\n\n"
        "  She'll find it; we've 2 days. naïve café ☃"
    )
    merges = [(104, 101), (32, 97), (116, 256), (32, 116), (259, 256), (10, 10), (49, 50)]
    (work / "tokenizer.model").write_text(
        f"minbpe v1\n{PATTERN}\n0\n" + "".join(f"{a} {b}\n" for a, b in merges), encoding="utf-8"
    )
    ours = alilama.MinBpe(work / "tokenizer.model").encode(text)
    alphabet = {
        byte: chr(byte if byte in {*range(33, 127), *range(161, 173), *range(174, 256)} else 0) for byte in range(256)
    }
    hidden = iter(range(256, 512))
    alphabet = {byte: character if character != "\0" else chr(next(hidden)) for byte, character in alphabet.items()}
    names = [alphabet[byte] for byte in range(256)]
    for left, right in merges:
        names.append(names[left] + names[right])
    package = Tokenizer(
        models.BPE(
            vocab={name: token for token, name in enumerate(names)}, merges=[(names[a], names[b]) for a, b in merges]
        )
    )
    package.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    assert ours == package.encode(text).ids and max(ours) > 255, ours


def test_models_of_470k(work):
    folder = os.environ.get("GPE_DATA")
    if not folder:
        print("    SKIPPED: GPE_DATA is not set; no model that others trained")
        return
    source = pathlib.Path(folder) / "models/alilama-470K"
    text = (pathlib.Path(folder) / TALE).read_text(encoding="utf-8")
    tokens = torch.tensor(alilama.MinBpe(source / "tokenizer.model").encode(text)[:257])
    for name in ("alilama_batches_32_470K", "alilama_batches_512_470K"):
        content = torch.load(source / f"{name}.pth", weights_only=True, map_location="cpu")
        worst = max(
            float(abs(ours.double().numpy() - theirs).max())
            for ours, theirs in zip(
                alilama.Alilama(source / f"{name}.pth").read(tokens), reference(content, tokens.numpy()), strict=True
            )
        )
        assert worst < 1e-4, worst
        print(f"  {name} on {TALE}: losses, entropies and contents differ by {worst:.1e}")


def main():
    work = fresh_folder(sys.argv[1])
    torch.set_num_threads(1)
    each_test(globals(), work)


if __name__ == "__main__":
    main()
