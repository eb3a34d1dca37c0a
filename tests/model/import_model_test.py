"""import-model reads what llama2.c wrote: losses are those of an independent forward, tokens
those of run.c, and wrong files are refused.

    python tests/model/import_model_test.py FOLDER-OF-PROGRAMS TOKENIZER-TOOL WORK

With GPE_DATA set, also the model stories260K on a tale that it was not trained on.
"""

import json
import os
import pathlib
import random
import struct
import subprocess
import sys

import llama2c_reference as reference
import numpy
from each_test import each_test, fresh_folder
from programs import Programs
from tokenizers import Tokenizer

TEXTS = [
    "",
    "a",
    "abba cab",
    "  a  b\n",
    "the cab, the cafe\u0301 and the é",
    "☃ a\u00a0b\t",
    "aaaa aaaaa aaaaaa",
    "<unk>b",
    "a b " * 40,
]
TALE = "long_stories/fairytaleqa/kari-woodencoat.txt"


def write(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def loss(run, model, tokens, piece, *options):
    write(run.work / "text.bin", numpy.asarray(tokens, "<u2").tobytes())
    out, _ = run(
        "evaluate-tsm", model, "text.bin", "--every-token", piece, "--format", "json", "--threads", 1, *options
    )
    return json.loads(out)["files"][0]["series"][0]["lengths"][0]["whole"]["loss"]


def random_pieces(generator):
    """Characters, and pieces that are put together from others, with scores in any order."""
    texts = list(" abcdefhtén,.")
    while len(texts) < 41:
        text = generator.choice(texts) + generator.choice(texts)
        if text not in texts and len(text) < 9:
            texts.append(text)
    scores = [-float(i) for i in range(len(texts))]
    generator.shuffle(scores)
    return reference.special_pieces() + list(zip(scores, texts, strict=True))


def test_random_models(run, tool):
    generator = numpy.random.default_rng(7)
    for name, sizes in {
        "plain": {},
        "unshared": {"tied": False},
        "all-heads": {"key_heads": 4, "layers": 1},
        "one": {"heads": 1, "key_heads": 1},
        "single": {"key_heads": 1, "width": 16, "heads": 2},
    }.items():
        data = reference.random_model(generator, **sizes)
        model = reference.Llama(data)
        write(run.work / f"{name}.bin", data)
        out, _ = run("import-model", f"{name}.bin", "--output", name)
        assert out == (
            f"{name}: {model.layers} layers, {model.heads} heads, width {model.width}, vocabulary 300, context 40\n"
        ), out
        tokens = generator.integers(300, size=150)
        for dtype, allowed in (("float64", 1e-9), ("float32", 1e-4)):
            difference = abs(loss(run, name, tokens, 37, "--dtype", dtype) - model.loss(tokens, 37))
            assert difference < allowed, (name, dtype, difference)
            print(f"  {name}, {dtype}: the losses differ by {difference:.1e}")
        assert sorted(file.name for file in (run.work / name).iterdir()) == [
            "config.toml",
            "encoding.toml",
            "model.safetensors",
        ]
    _, told = run("import-model", "one.bin", "--output", "plain", expect=2)
    assert told == "import-model: plain holds files already; expected a new folder\n", told


def test_an_imported_model_trains(run, tool):
    generator = numpy.random.default_rng(8)
    data = run.work / "data"
    data.mkdir()
    for split in ("train", "val"):
        write(data / f"{split}.bin", generator.integers(300, size=2000).astype("<u2").tobytes())
    small = (
        "--set",
        "training.context=16",
        "--set",
        "training.batch=2",
        "--set",
        "output.evaluate_batches=2",
        "--threads",
        1,
        "--quiet",
    )
    run("train-tsm", "--init", "plain", "--iterations", 3, "--data", "data", "--output", "tuned", *small)
    run(
        "train-tsm",
        "--init",
        "plain",
        "--encoding",
        "alibi",
        "--iterations",
        0,
        "--data",
        "data",
        "--output",
        "as-alibi",
        *small,
    )
    tokens = generator.integers(300, size=100)
    assert loss(run, "tuned", tokens, 50) != loss(run, "plain", tokens, 50) != loss(run, "as-alibi", tokens, 50)
    _, told = run("export-tsm", "plain", "--output", "exported", expect=2)
    assert "SwiGLU or RMSNorm" in told and not (run.work / "exported").exists(), told


def test_tokens_are_those_of_run_c(run, tool):
    generator = random.Random(5)
    texts = TEXTS + ["".join(generator.choices("abcdefht én,.☃", k=generator.randrange(60))) for _ in range(300)]
    files = [write(run.work / f"text{i}", text) for i, text in enumerate(texts)]
    for trial in range(6):
        pieces = random_pieces(generator)
        write(run.work / f"tok{trial}.bin", reference.write_pieces(pieces))
        run("import-model", "plain.bin", "--tokenizer", f"tok{trial}.bin", "--output", f"with-tokens{trial}")
        place = run.work / f"with-tokens{trial}"
        ours = subprocess.run(
            [tool, "encode", place, *files], check=True, capture_output=True, text=True
        ).stdout.splitlines()
        package = Tokenizer.from_file(str(place / "tokenizer.json"))
        for text, line in zip(texts, ours, strict=True):
            tokens = [int(number) for number in line.split()]
            if "<unk>" not in text:
                assert tokens == reference.encode(pieces, text) == package.encode(text).ids, (trial, text)
                assert package.decode(tokens) == text, text


def test_wrong_models_are_refused(run, tool):
    good = reference.random_model(numpy.random.default_rng(9))
    model = reference.Llama(good)

    def expect(message, data, *options):
        write(run.work / "wrong.bin", data)
        _, told = run("import-model", "wrong.bin", *options, "--output", "none", expect=2)
        assert told == f"import-model: {message}\n", f"{told}import-model: {message}"
        assert not (run.work / "none").exists()

    def header(**changes):
        numbers = list(struct.unpack("<7i", good[:28]))
        for place, value in changes.items():
            numbers[int(place[1:])] = value
        return struct.pack("<7i", *numbers) + good[28:]

    def number(name, value, at=0):
        begin = model.at[name] + 4 * at
        return good[:begin] + struct.pack("<f", value) + good[begin + 4 :]

    size = len(good)
    expect("wrong.bin: has 9 bytes; expected a model of llama2.c, which begins with 7 integers of 4 bytes", good[:9])
    expect("wrong.bin: is a model of llama2.c of version 2; expected version 0", header(_0=0x616B3432, _1=2))
    expect("wrong.bin: the width is 0; expected 1 to 1048576 (a model of llama2.c)", header(_0=0))
    expect("wrong.bin: the number of layers is -2; expected 1 to 1024 (a model of llama2.c)", header(_2=-2))
    expect("wrong.bin: the vocabulary is 0; expected 1 to 65536 (a model of llama2.c)", header(_5=-(2**31)))
    expect(
        "wrong.bin: the width is 24 with 5 heads and 2 key heads; expected an even multiple of the heads, "
        "and these one of the key heads",
        header(_3=5),
    )
    expect(
        "wrong.bin: the width is 24 with 4 heads and 3 key heads; expected an even multiple of the heads, "
        "and these one of the key heads",
        header(_4=3),
    )
    largest = header(_0=1 << 20, _1=1 << 22, _2=1024, _3=1024, _4=1024, _5=65536, _6=1 << 24)
    _, told = (
        write(run.work / "wrong.bin", largest),
        run("import-model", "wrong.bin", "--output", "none", expect=2)[1],
    )
    assert told.startswith(f"import-model: wrong.bin: has {size} bytes; expected "), told
    expect(f"wrong.bin: has {size - 1} bytes; expected {size}, as its header says", good[:-1])
    expect(f"wrong.bin: has {size + 4} bytes; expected {size}, as its header says", good + bytes(4))
    expect(f"wrong.bin: has {size} bytes; expected {size + 4 * 300 * 24}, as its header says", header(_5=-300))
    expect('wrong.bin: tensor "wk" has an entry that is NaN; expected finite numbers', number("wk", float("nan"), 5))
    expect(
        'wrong.bin: tensor "rms_final_weight" has an entry that is infinite; expected finite numbers',
        number("rms_final_weight", float("inf")),
    )
    expect(
        "wrong.bin: freq_cis has other angles than n·10000^(-2j/d); expected RoPE of base 10000",
        number("freq_cis_imag", 0.5, 3),
    )
    _, told = run("import-model", "absent.bin", "--output", "none", expect=2)
    assert told == "import-model: absent.bin: no such file\n", told


def test_wrong_tokenizers_are_refused(run, tool):
    good = random_pieces(random.Random(6))

    def expect(message, pieces, end=None):
        write(run.work / "wrong.bin", (reference.write_pieces(pieces) if isinstance(pieces, list) else pieces)[:end])
        _, told = run("import-model", "plain.bin", "--tokenizer", "wrong.bin", "--output", "none", expect=2)
        assert told == f"import-model: wrong.bin: {message}\n", told
        assert not (run.work / "none").exists()

    def changed(token, score=None, text=None):
        pieces = list(good)
        pieces[token] = (pieces[token][0] if score is None else score, pieces[token][1] if text is None else text)
        return pieces

    expect("token 0: the file ends within it; expected a tokenizer of llama2.c with 300 tokens", b"abc")
    expect("token 299: the file ends within it; expected a tokenizer of llama2.c with 300 tokens", good, -1)
    expect("token 299: the file ends within it; expected a tokenizer of llama2.c with 300 tokens", good[:-1])
    extra = len(reference.write_pieces(good + [(0.0, "xyz")])) - len(reference.write_pieces(good))
    expect(f"has {extra} bytes after its 300 tokens; expected none, as the model has that many", good + [(0.0, "xyz")])
    expect("token 7: has the length 0 and the score 0; expected 1 to 256, and a number", changed(7, text=""))
    expect(
        "token 280: has the length 257 and the score 3; expected 1 to 256, and a number", changed(280, 3.0, "a" * 257)
    )
    _, score = good[280]
    length = len(score.encode())
    expect(
        f"token 280: has the length {length} and the score nan; expected 1 to 256, and a number",
        changed(280, float("nan")),
    )
    expect("token 68 is '<0x40>'; expected '<0x41>'", changed(68, text="<0x40>"))
    expect("token 280 is not text in UTF-8 without U+2581; expected that", changed(280, text=b"a\xc3"))
    expect("token 280 is not text in UTF-8 without U+2581; expected that", changed(280, text="a\u2581"))
    expect("token 299: there is another 'a'; expected each once", changed(299, text="a"))
    expect("token 299: there is another '</s>'; expected each once", changed(299, text="</s>"))
    made = [token for token in range(272, 300)]
    alike = changed(made[-1], score=good[made[-2]][0])
    write(run.work / "wrong.bin", reference.write_pieces(alike))
    _, told = run("import-model", "plain.bin", "--tokenizer", "wrong.bin", "--output", "none", expect=2)
    assert "have one score" in told and "expected different ones" in told, told


def test_stories260k(run, tool):
    folder = os.environ.get("GPE_DATA")
    if not folder:
        print("    SKIPPED: GPE_DATA is not set; no model that others trained")
        return
    data = pathlib.Path(folder)
    source = data / "models/stories260K"
    run("import-model", source / "stories260K.bin", "--tokenizer", source / "tok512.bin", "--output", "stories260K")
    pieces = reference.read_pieces((source / "tok512.bin").read_bytes())
    text = (data / TALE).read_text(encoding="utf-8")
    line = subprocess.run(
        [tool, "encode", run.work / "stories260K", write(run.work / "tale", text[:2000])],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert [int(number) for number in line.split()] == reference.encode(pieces, text[:2000])
    run("prepare-data", f"val={data / TALE}", "--tokenizer", "stories260K", "--output", "tales")
    tokens = numpy.fromfile(run.work / "tales/val.bin", "<u2")[:3073]
    difference = abs(
        loss(run, "stories260K", tokens, 512)
        - reference.Llama((source / "stories260K.bin").read_bytes()).loss(tokens, 512)
    )
    assert difference < 1e-4, difference
    print(f"  {TALE}: the losses of {len(tokens) - 1} tokens differ by {difference:.1e}")


def main():
    programs, tool, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    fresh_folder(work)
    run = Programs(programs, work)
    each_test(globals(), run, tool)


if __name__ == "__main__":
    main()
