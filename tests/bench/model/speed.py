"""The model's side of the programs beside PyTorch, in one run: CPU time on one thread, so that other work on the
machine moves it little. Writes tests/bench/results/model.json; --page makes docs/tables/model_benchmarks.md of it.

Usage: .venv/bin/python tests/bench/model/speed.py [--bin FOLDER] [--rounds N] [--only PART...]
       .venv/bin/python tests/bench/model/speed.py --page | --check
PART: attention, memory, ape, step, evaluation, statistics, long, log_entropy; what is not named
stays as it is in the file."""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from entropies import HEAD_DIM, HEADS, eager_entropy, errors_of, keys_as_values
from speed_page import page

sys.path.insert(0, str(Path(__file__).parents[1] / "runs"))
from record import CPU, ROOT  # noqa: E402

RESULTS = ROOT / "tests" / "bench" / "results" / "model.json"
PAGE = ROOT / "docs" / "tables" / "model_benchmarks.md"
PARTS = ["attention", "memory", "ape", "step", "evaluation", "statistics", "long", "log_entropy"]
STEPS = 20
SIZES = {"small": (3, 6, 96, 2048), "paper": (6, 6, 384, 50304)}  # layers, heads, width, vocabulary
MODEL = """
[model]
layers = {0}
heads = {1}
width = {2}
vocabulary = {3}
vocabulary_padded = {3}
[training]
context = 64
batch = 12
iterations = {4}
[output]
log_every = 1000
evaluate_batches = 0
"""


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(*arguments):
    """CPU time of a program, and what it prints."""
    before = children_seconds()
    result = subprocess.run([str(a) for a in arguments], check=True, capture_output=True, text=True)
    return children_seconds() - before, result.stdout


def timed(function):
    start = time.process_time()
    function()
    return time.process_time() - start


def ours_attention(programs, encoding, tokens, repeats=3):
    """Least times of forward and backward, and bytes."""
    _, text = run(programs / "attention_bench", encoding, tokens, HEADS, HEAD_DIM, repeats)
    found = json.loads(text)
    return min(found["forward"]), min(found["backward"]), found["bytes"]


def with_gradients(function, *tensors):
    """Forward and backward of a PyTorch function, least of three."""
    import torch

    leaves = [tensor.clone().requires_grad_(True) for tensor in tensors]
    gradient = torch.randn_like(leaves[-1])
    times = []
    for _ in range(3):
        start = time.process_time()
        out = function(*leaves)
        middle = time.process_time()
        out.backward(gradient)
        times.append((middle - start, time.process_time() - middle))
    return tuple(min(column) for column in zip(*times, strict=True))


def random_heads(tokens):
    import torch

    return [torch.randn(1, HEADS, tokens, HEAD_DIM) for _ in range(3)]


def attention(programs, rounds):
    import pytorch_reference
    from torch.nn.functional import scaled_dot_product_attention

    tokens = 4096
    mask = pytorch_reference.alibi_mask(HEADS, tokens)[None]
    rows = []
    for _ in range(rounds):
        forward, backward, _ = ours_attention(programs, "alibi", tokens)
        theirs = with_gradients(
            lambda q, k, v: scaled_dot_product_attention(q, k, v, attn_mask=mask), *random_heads(tokens)
        )
        rows.append({"ours": [forward, backward], "theirs": list(theirs)})
    return {"tokens": tokens, "rounds": rows}


def memory(programs, rounds):
    return [
        {"tokens": tokens, "bytes": ours_attention(programs, "alibi", tokens, 1)[2]}
        for tokens in (2048, 4096, 8192, 16384)
    ]


def ape(programs, rounds):
    import eager

    tokens = 1024
    rows = []
    for _ in range(rounds):
        forward, backward, _ = ours_attention(programs, "ape", tokens)
        heads = [tensor[0] for tensor in random_heads(tokens)]
        rows.append({"ours": [forward, backward], "theirs": list(with_gradients(eager.ape_attention, *heads))})
    return {"tokens": tokens, "rounds": rows}


def write_tokens(folder, vocabulary, count=60000):
    import numpy

    numbers = numpy.random.default_rng(1).integers(0, vocabulary, count).astype("<u2")
    for name in ("train", "val"):
        (folder / f"{name}.bin").write_bytes(numbers.tobytes())


def make_run(programs, folder, size, encoding, iterations, *settings):
    """A run of train-tsm; its CPU time."""
    (folder / "config.toml").write_text(MODEL.format(*SIZES[size], iterations))
    output = folder / "-".join([encoding, str(iterations), *settings])
    seconds, _ = run(
        programs / "train-tsm",
        folder / "config.toml",
        "--data",
        folder,
        "--encoding",
        encoding,
        "--output",
        output,
        "--threads",
        1,
        *(f"--set={setting}" for setting in settings),
    )
    return output, seconds


def load(folder):
    import safetensors.torch

    weights = safetensors.torch.load_file(str(folder / "model.safetensors"))
    return {name: weight.requires_grad_(True) for name, weight in weights.items()}


def their_step(folder, size, encoding):
    """Least time of a step as nanoGPT takes it, with the fused AdamW."""
    import pytorch_reference
    import torch

    layers, heads, _, vocabulary = SIZES[size]
    weights = load(folder)
    model = pytorch_reference.Gpt(weights, layers, heads, encoding)
    adamw = torch.optim.AdamW(list(weights.values()), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1, fused=True)

    def step():
        tokens = torch.randint(0, vocabulary, (12, 65))
        loss = model.loss(tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous())
        adamw.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(weights.values()), 1.0)
        adamw.step()

    step()
    return timed(lambda: [step() for _ in range(STEPS)]) / STEPS


def step(programs, rounds):
    result = []
    for size in SIZES:
        for encoding in ("rope", "alibi"):
            rows = []
            for _ in range(rounds):
                with tempfile.TemporaryDirectory() as name:
                    folder = Path(name)
                    write_tokens(folder, SIZES[size][3])
                    start, none = make_run(programs, folder, size, encoding, 0)
                    _, some = make_run(programs, folder, size, encoding, STEPS)
                    rows.append({"ours": (some - none) / STEPS, "theirs": their_step(start, size, encoding)})
            result.append({"size": size, "encoding": encoding, "rounds": rows})
    return result


def eager_evaluation(folder, encoding, lengths):
    import eager
    import numpy
    import torch

    layers, heads, _, _ = SIZES["small"]
    model = eager.EagerGpt(load(folder), layers, heads, encoding)
    numbers = torch.from_numpy(numpy.fromfile(folder.parent / "val.bin", dtype="<u2").astype("int64"))

    def evaluate():
        with torch.no_grad():
            return [
                model.loss(numbers[None, :length], numbers[None, 1 : length + 1].contiguous()).item()
                for length in lengths
            ]

    losses = []
    seconds = timed(lambda: losses.extend(evaluate()))
    return seconds, losses


def evaluation(programs, rounds):
    result = []
    lengths = [64 << i for i in range(9)]
    for encoding in ("rope", "alibi"):
        rows = []
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                write_tokens(folder, SIZES["small"][3])
                start, _ = make_run(programs, folder, "small", encoding, 0)
                seconds, text = run(
                    programs / "evaluate-tsm",
                    start,
                    folder / "val.bin",
                    "--lengths",
                    "64..16384",
                    "--windows",
                    1,
                    "--threads",
                    1,
                    "--format",
                    "json",
                )
                theirs, losses = eager_evaluation(start, encoding, lengths)
                ours = [at["whole"]["loss"] for at in json.loads(text)["files"][0]["series"][-1]["lengths"]]
                difference = max(abs(a - b) for a, b in zip(ours, losses, strict=True))
                assert difference < 1e-4, (ours, losses)
                rows.append({"ours": seconds, "theirs": theirs, "largest_difference": difference})
        result.append({"encoding": encoding, "rounds": rows})
    return result


def statistics_bench(programs, encoding, tokens, deviation, repeats, *folder):
    _, text = run(programs / "statistics_bench", encoding, tokens, HEADS, HEAD_DIM, deviation, repeats, *folder)
    return json.loads(text)


def peak_of_child(function, *arguments):
    """Most memory a function takes in a process of its own, beyond what it has before."""
    code = (
        "import json, sys; sys.path[:0] = %r; import speed, torch; torch.set_num_threads(1);"
        "from pathlib import Path; before, peak = speed.memory_of(%r, %r); print(peak - before)"
    )
    paths = [str(ROOT / "tests" / "model"), str(Path(__file__).parent)]
    return int(run(sys.executable, "-c", code % (paths, function, list(arguments)))[1])


def peak_bytes():
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))


def memory_of(function, arguments):
    q, k, _ = random_heads(*arguments)
    before = peak_bytes()
    globals()[function](q, k)
    return before, peak_bytes()


def statistics_of_rows(programs, rounds):
    from torch.nn.functional import scaled_dot_product_attention

    tokens = 4096
    rows = []
    for _ in range(rounds):
        found = statistics_bench(programs, "nope", tokens, 1, 3)
        q, k, v = random_heads(tokens)
        times = {
            "rows": min(found["rows"]),
            "rows and buckets": min(found["rows_and_buckets"]),
            "attention": min(timed(partial(scaled_dot_product_attention, q, k, v, is_causal=True)) for _ in range(3)),
            "keys as values": min(timed(partial(keys_as_values, q, k)) for _ in range(3)),
            "eager": min(timed(partial(eager_entropy, q, k)) for _ in range(2)),
        }
        rows.append(times)
    errors = []
    for deviation in (1, 3, 8):
        with tempfile.TemporaryDirectory() as folder:
            statistics_bench(programs, "nope", tokens, deviation, 1, folder)
            errors.append({"deviation": deviation} | errors_of(folder, tokens))
    return {
        "tokens": tokens,
        "rounds": rows,
        "errors": errors,
        "bytes": {
            "ours": statistics_bench(programs, "nope", tokens, 1, 1)["bytes"],
            "eager": peak_of_child("eager_entropy", tokens),
        },
    }


def long(programs, rounds):
    result = []
    for tokens in (16384, 65536):
        found = statistics_bench(programs, "rope", tokens, 1, 1)
        result.append(
            {
                "tokens": tokens,
                "seconds": min(found["rows_and_buckets"]),
                "bytes": found["bytes_with_buckets"] + found["input_bytes"],
            }
        )
    return result


def log_entropy(programs, rounds):
    """Steps with entropies and largest scores of all heads in the log at each of them, beside steps without; of the
    model whose attention is the larger part."""
    result = []
    for encoding in ("rope", "alibi", "ape"):
        rows = []
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                write_tokens(folder, SIZES["small"][3])
                times = {}
                for name, every in (("without", 0), ("with", 1)):
                    none, some = (
                        make_run(programs, folder, "small", encoding, steps, f"output.entropy_every={every}")[1]
                        for steps in (0, 5 * STEPS)
                    )
                    times[name] = (some - none) / (5 * STEPS)
                rows.append(times)
        result.append({"encoding": encoding, "rounds": rows})
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, default=ROOT / "build-bench-model" / "bin")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if arguments.check:
        if PAGE.read_text() != page(found):
            sys.exit(f"{PAGE.name} is not what {RESULTS.name} gives: run tests/bench/model/speed.py --page")
        return
    if arguments.page:
        PAGE.write_text(page(found))
        return
    import torch

    sys.path[:0] = [str(ROOT / "tests" / "model"), str(Path(__file__).parent)]
    torch.set_num_threads(1)
    found |= {"machine": CPU(), "torch": torch.__version__}
    for part in arguments.only:
        measure = statistics_of_rows if part == "statistics" else globals()[part]
        found[part] = measure(arguments.bin, arguments.rounds)
        print(part, json.dumps(found[part]), flush=True)
        RESULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
