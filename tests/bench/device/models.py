"""Rows of whole models: train-tsm and evaluate-tsm on a device beside nanoGPT's model and training step in PyTorch."""

import array
import math
import random
import shutil
import sys
import time
from pathlib import Path

import place
import torch
from timing import spread
from torch import nn
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[1] / "model"))
import eager  # noqa: E402

MODEL = """
[model]
layers = {layers}
heads = {heads}
width = {width}
vocabulary = {vocabulary}
vocabulary_padded = {vocabulary}
[training]
dtype = "bfloat16"
context = {context}
batch = {batch}
iterations = {iterations}
[output]
log_every = {every}
evaluate_batches = 0
checkpoint_every = 1000000
"""
FULL = {"layers": 6, "heads": 6, "width": 384, "vocabulary": 50304}
TINY = {"layers": 1, "heads": 2, "width": 32, "vocabulary": 64}


class CausalAttention(nn.Module):
    def __init__(self, heads, width):
        super().__init__()
        self.heads = heads
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)

    def forward(self, x):
        batch, tokens, width = x.shape
        q, k, v = (
            part.view(batch, tokens, self.heads, -1).transpose(1, 2) for part in self.c_attn(x).split(width, dim=2)
        )
        return self.c_proj(
            functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            .transpose(1, 2)
            .reshape(batch, tokens, width)
        )


class Block(nn.Module):
    def __init__(self, heads, width):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(width, bias=False), nn.LayerNorm(width, bias=False)
        self.attn = CausalAttention(heads, width)
        self.c_fc, self.c_proj = nn.Linear(width, 4 * width, bias=False), nn.Linear(4 * width, width, bias=False)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.c_proj(functional.gelu(self.c_fc(self.ln_2(x))))


class Gpt(nn.Module):
    """model.py of karpathy/nanoGPT with bias = False and dropout = 0: learned positions, flash attention, a tied
    head."""

    def __init__(self, layers, heads, width, vocabulary, context):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList(Block(heads, width) for _ in range(layers))
        self.ln_f, self.lm_head = nn.LayerNorm(width, bias=False), nn.Linear(width, vocabulary, bias=False)
        self.lm_head.weight = self.wte.weight
        for weight in self.parameters():
            if weight.dim() == 2:
                nn.init.normal_(weight, std=0.02)

    def forward(self, inputs, targets):
        x = self.wte(inputs) + self.wpe(torch.arange(inputs.shape[1], device=inputs.device))
        for block in self.blocks:
            x = block(x)
        logits = self.lm_head(self.ln_f(x))
        return functional.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))


def peer_step(bench, context, batch, parts, compiled):
    """nanoGPT's training step: bfloat16 by autocast, fused AdamW, clipping; batch rows in so many parts."""
    size = TINY if bench.rehearse else FULL
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    model = Gpt(**size, context=context).to(bench.device)
    call = torch.compile(model) if compiled and not bench.rehearse else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
    tokens = torch.randint(0, size["vocabulary"], (batch, context + 1), device=bench.device)

    def step():
        for part in tokens.chunk(parts):
            with torch.autocast(bench.device.type, torch.bfloat16):
                loss = call(part[:, :-1].contiguous(), part[:, 1:].contiguous())
            (loss / parts).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def peer_speed(bench, context, batch, parts, compiled, steps):
    """Tokens per second of that step."""
    step = peer_step(bench, context, batch, parts, compiled)
    for _ in range(2 if bench.rehearse else 5):
        step()
    bench.clock.wait()
    speeds = []
    for _ in range(bench.clock.samples):
        start = time.perf_counter()
        for _ in range(steps):
            step()
        bench.clock.wait()
        speeds.append(batch * context * steps / (time.perf_counter() - start))
    return spread(speeds)


def prepare(bench):
    """Tokens without sense: times do not depend on it."""
    folder = bench.where.work / "tokens"
    if not (folder / "val.bin").exists():
        folder.mkdir()
        generator = random.Random(1)
        vocabulary = (TINY if bench.rehearse else FULL)["vocabulary"]
        for name in ("train", "val"):
            with open(folder / f"{name}.bin", "wb") as file:
                array.array("H", [generator.randrange(vocabulary) for _ in range(400_000)]).tofile(file)
    return folder


def train(bench, encoding, context, batch, iterations, every, *options):
    """A run of train-tsm and the speed in its log."""
    if bench.rehearse:
        iterations, batch = 6, min(batch, 2)
        every = min(every, 2)
    data, folder = prepare(bench), bench.where.work / "run"
    shutil.rmtree(folder, ignore_errors=True)
    config = bench.where.work / "config.toml"
    config.write_text(
        MODEL.format(
            **(TINY if bench.rehearse else FULL), context=context, batch=batch, iterations=iterations, every=every
        )
    )
    bench.where.call(
        "train-tsm",
        config,
        "--device",
        bench.device.type,
        "--encoding",
        place.ROOT / "theory" / "encodings" / f"{encoding}.toml",
        "--data",
        data,
        "--output",
        folder,
        *options,
    )
    return place.median_speed(folder / "log.jsonl")


PARTS = 8  # of a step of 480 sequences of 256 tokens; ours takes it whole


def shapes(bench):
    """Context, sequences and parts of a large step and of a small one."""
    return ((32, 4, 2), (16, 2, 1)) if bench.rehearse else ((256, 480, PARTS), (64, 12, 1))


def compile_peer(bench):
    peer_step(bench, *shapes(bench)[0], True)()


def compile_small_peer(bench):
    peer_step(bench, *shapes(bench)[1], True)()


def utilization(bench, speed, context):
    """Which part of the device's matrix rate a speed is: six operations per parameter, and causal attention."""
    size = TINY if bench.rehearse else FULL
    per_layer = 12 * size["width"] ** 2 + context * size["width"]
    parameters = size["layers"] * per_layer + size["vocabulary"] * size["width"]
    return 6 * parameters * speed["median"] / bench.ceilings["operations_per_second"]


def training(bench):
    context, batch, parts = shapes(bench)[0]
    peer = peer_speed(bench, context, batch, parts, True, 1 if bench.rehearse else 3)
    encodings = {}
    for name in ("rope", "alibi-vetcha2025"):
        speed = train(bench, name, context, batch, 60, 5)
        encodings[name] = {
            "tokens_per_second": speed,
            "factor": speed["median"] / peer["median"],
            "utilization": utilization(bench, speed, context),
        }
    return {"context": context, "batch": batch, "nanogpt": peer, "nanogpt_parts": parts, "encodings": encodings}


def small_steps(bench):
    context, batch, _ = shapes(bench)[1]
    ours = train(bench, "rope", context, batch, 2000, 100)
    steps = 1 if bench.rehearse else 20
    eager_speed, compiled = (peer_speed(bench, context, batch, 1, on, steps) for on in (False, True))
    return {
        "context": context,
        "batch": batch,
        "tokens_per_second": {"ours": ours, "eager": eager_speed, "compiled": compiled},
        "over_eager": ours["median"] / eager_speed["median"],
        "over_compiled": ours["median"] / compiled["median"],
    }


def ape_training(bench):
    contexts = {}
    for context in (16, 24, 32) if bench.rehearse else (64, 128, 256):
        batch = 2 if bench.rehearse else 480 * 64 // context
        rope = train(bench, "rope", context, batch, 220, 10)
        fixed = train(bench, "ape", context, batch, 220, 10)
        learned = train(bench, "ape", context, batch, 220, 10, "--set", 'position.learned=["delta","beta","gamma"]')
        contexts[str(context)] = {
            "batch": batch,
            "rope": rope,
            "ape": fixed,
            "ape_learned": learned,
            "factor": fixed["median"] / rope["median"],
            "learned_factor": learned["median"] / rope["median"],
        }
    return {"contexts": contexts}


def logging(bench):
    context, batch = (16, 2) if bench.rehearse else (256, 480)
    without = train(bench, "rope", context, batch, 220, 10)
    every = train(bench, "rope", context, batch, 220, 10, "--set", "output.entropy_every=1")
    return {
        "context": context,
        "batch": batch,
        "tokens_per_second": {"without": without, "every_step": every},
        "factor": every["median"] / without["median"],
    }


def evaluation(bench):
    """Ours: evaluate-tsm, the start of the program included. Theirs: all pairs in memory, a head and a length at a
    time."""
    lengths = [16, 32] if bench.rehearse else [64 << i for i in range(9)]
    sequences = 2 if bench.rehearse else 100
    size = TINY if bench.rehearse else FULL
    result = {}
    for encoding in ("rope", "alibi"):
        train(bench, encoding, 16 if bench.rehearse else 64, 12, 20, 10)
        run, data = bench.where.work / "run", prepare(bench)
        file = bench.where.work / "long.bin"
        file.write_bytes(
            (data / "val.bin").read_bytes() * (1 + 2 * sequences * lengths[-1] // (data / "val.bin").stat().st_size)
        )
        start = time.perf_counter()
        bench.where.call(
            "evaluate-tsm",
            run,
            file,
            "--device",
            bench.device.type,
            "--lengths",
            f"{lengths[0]}..{lengths[-1]}",
            "--windows",
            sequences,
            "--format",
            "json",
        )
        ours = time.perf_counter() - start
        weights = {
            name: weight.to(bench.device) for name, weight in place.load_tensors(run / "model.safetensors").items()
        }
        model = eager.EagerGpt(weights, size["layers"], size["heads"], encoding)
        some = min(sequences, 5)  # theirs take as long each
        times = []
        with torch.no_grad(), torch.device(bench.device):
            for _ in range(some):
                start = time.perf_counter()
                for length in lengths:
                    tokens = torch.randint(0, size["vocabulary"], (1, length + 1))
                    model.loss(tokens[:, :-1], tokens[:, 1:]).item()
                times.append(time.perf_counter() - start)
        theirs = sequences * sorted(times)[len(times) // 2]
        result[encoding] = {
            "seconds": ours,
            "their_seconds": theirs,
            "their_sequences_timed": some,
            "factor": theirs / ours,
        }
    assert all(math.isfinite(of["factor"]) for of in result.values())
    return {"lengths": lengths, "sequences": sequences, "encodings": result}
