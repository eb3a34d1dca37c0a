"""Rows G1 to G18, and what a certified window saves: each a JSON file with its times, ratios, spreads, machine and version.

Usage: python3 tests/bench/device/measure.py --output FOLDER [--only ROW...] [--seconds N] [--list] [--rehearse]

What has a file is not measured again, and no row is begun that may not end within --seconds. --rehearse does everything with tiny shapes on the
CPU, the kernels lane by lane: for a try where there is no device; goals say nothing then. docs/device.md says the rest."""

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent))
import models  # noqa: E402
import place  # noqa: E402
import reference  # noqa: E402
from kernels import Kernels, Scores  # noqa: E402
from timing import Clock  # noqa: E402

HEADS = 6
CORE = ("log_normalizer", "entropy", "mean_distance", "largest_weight")


class Bench:
    def __init__(self, where, rehearse):
        self.where, self.rehearse = where, rehearse
        self.device = torch.device("cpu" if rehearse else "cuda")
        self.head_dim = 16 if rehearse else 64
        self.kernels = Kernels(where.kernels())
        self.clock = Clock(self.device, 3 if rehearse else 21, 1 if rehearse else 3)
        self.tables = {}

    def tokens(self, of):
        return (128 if of >= 16384 else 64) if self.rehearse else of

    def random(self, tokens, spread=1.0, batch=1, seed=1, count=3):
        generator = torch.Generator(device=self.device).manual_seed(seed)
        shape = (batch, HEADS, tokens, self.head_dim)
        return [
            (spread * torch.randn(shape, generator=generator, device=self.device)).to(torch.bfloat16)
            for _ in range(count)
        ]

    def scores(self, encoding, tokens, **options):
        key = encoding, tokens
        if key not in self.tables:
            self.tables[key] = self.where.tables(encoding, tokens, HEADS, self.head_dim)
        tables = {name: tensor for name, tensor in self.tables[key].items() if name not in ("angles", "windows")}
        return Scores(tables, self.device, self.head_dim, **options)

    def rows(self, q, *names):
        return {name: torch.empty(q.shape[:3], device=self.device) for name in names}

    def statistics(self, q, k, scores, names=CORE, **more):
        found = self.rows(q, *names)
        return lambda: self.kernels.rows(q, k, scores, **found, **more), found

    def attention(self, q, k, v, scores, *names):
        out, found = torch.empty_like(q), self.rows(q, "log_normalizer", *names)
        return lambda: self.kernels.rows(q, k, scores, v=v, out=out, **found), out

    def shape(self, tokens, batch=1):
        return {"batch": batch, "heads": HEADS, "tokens": tokens, "head_dim": self.head_dim, "element": "bfloat16"}


def statistics_beside(bench, encoding, theirs):
    tokens = bench.tokens(16384)
    q, k, v = bench.random(tokens)
    ours, _ = bench.statistics(q, k, bench.scores(encoding, tokens))
    return bench.shape(tokens) | bench.clock.compare(ours, lambda: theirs(q, k, v))


def attention_beside(bench, encoding, theirs, *names):
    tokens = bench.tokens(16384)
    q, k, v = bench.random(tokens)
    ours, _ = bench.attention(q, k, v, bench.scores(encoding, tokens), *names)
    return bench.shape(tokens) | bench.clock.compare(ours, lambda: theirs(q, k, v))


def core_against_flash(bench):
    return statistics_beside(bench, "nope", reference.flash)


def core_against_default(bench):
    choice = torch._fused_sdp_choice(*bench.random(bench.tokens(16384)), None, 0.0, True)
    return {"their_backend": int(choice)} | statistics_beside(bench, "nope", reference.sdpa)


def core_against_values(bench):
    tokens = bench.tokens(16384)
    q, k, _ = bench.random(tokens, 3.0)
    ours, found = bench.statistics(q, k, bench.scores("nope", tokens))
    result = bench.clock.compare(ours, lambda: reference.entropy_by_values(q, k))
    exact, _ = reference.exact(q, k)
    errors = [(x.double() - exact).abs().max().item() for x in (found["entropy"], reference.entropy_by_values(q, k))]
    return (
        bench.shape(tokens)
        | result
        | {"our_error": errors[0], "their_error": errors[1], "errors": errors[1] / errors[0]}
    )


def core_against_eager(bench):
    tokens = bench.tokens(8192)
    q, k, _ = bench.random(tokens)
    ours, _ = bench.statistics(q, k, bench.scores("nope", tokens))
    result = bench.clock.compare(ours, lambda: reference.eager_entropy(q, k))
    memory = [bench.where.peak_bytes(f) for f in (ours, lambda: reference.eager_entropy(q, k))]
    own = sum(4 * q[..., 0].numel() for _ in CORE)  # what it writes; nothing else is allocated
    return bench.shape(tokens) | result | {"our_bytes": memory[0] + own, "their_bytes": memory[1]}


def core_with_tables(bench):
    return statistics_beside(bench, "alibi-vetcha2025", reference.flash)


def core_with_buckets(bench):
    tokens = bench.tokens(16384)
    q, k, _ = bench.random(tokens)
    scores = bench.scores("nope", tokens)
    edges = torch.tensor([0, *(2**i for i in range(15))], dtype=torch.int32, device=bench.device)
    mass = torch.empty(1, HEADS, (tokens + 63) // 64, len(edges), device=bench.device)
    with_buckets, _ = bench.statistics(q, k, scores, edges=edges, mass=mass)
    without, _ = bench.statistics(q, k, scores)
    return bench.shape(tokens) | {"buckets": len(edges)} | bench.clock.compare(with_buckets, without)


def exact_distances(bench):
    tokens = bench.tokens(16384)
    q, k, v = bench.random(tokens)
    scores = bench.scores("alibi-vetcha2025", tokens)
    first, found = bench.statistics(q, k, scores, ("log_normalizer",))
    second, sums = bench.kernels.distances(q, k, scores, found["log_normalizer"])

    def ours():
        first()
        second()

    result = bench.clock.compare(ours, lambda: reference.flash(q, k, v))
    rows = sums[:, :, 0].sum(-1) / tokens  # each row's weights are 1
    pairs = torch.arange(tokens, 0, -1, device=bench.device)
    return (
        bench.shape(tokens)
        | result
        | {"weight_error": (rows - 1).abs().max().item(), "pairs": bool((sums[:, :, 1, :tokens] == pairs).all())}
    )


def accuracy(bench):
    cases = []
    for tokens in (bench.tokens(2048), bench.tokens(16384)):
        for deviation in (1.0, 3.0, 8.0):
            for offset in (0.0, 100.0):
                q, k, _ = bench.random(tokens, math.sqrt(deviation), seed=tokens + int(deviation + offset))
                root = math.sqrt(offset * math.sqrt(bench.head_dim))
                q[..., 0], k[..., 0] = root, root  # adds the offset to every score
                run, found = bench.statistics(q, k, bench.scores("nope", tokens))
                run()
                entropy, normalizer = reference.exact(q, k)
                cases.append(
                    {
                        "tokens": tokens,
                        "deviation": deviation,
                        "offset": offset,
                        "entropy": (found["entropy"].double() - entropy).abs().max().item(),
                        "log_normalizer": (found["log_normalizer"].double() - normalizer).abs().max().item(),
                    }
                )
    return {"cases": cases, "worst": max(max(case["entropy"], case["log_normalizer"]) for case in cases)}


def longest(bench):
    tokens = bench.tokens(1 << 20)
    q, k = bench.random(tokens, count=2)
    ours, found = bench.statistics(q, k, bench.scores("nope", tokens))
    start = time.perf_counter()
    ours()
    bench.clock.wait()
    return bench.shape(tokens) | {
        "seconds": time.perf_counter() - start,
        "finite": bool(found["entropy"].isfinite().all()),
        "bytes": sum(x.numel() * x.element_size() for x in (q, k, *found.values())),
    }


def output_and_entropy(bench):
    return attention_beside(bench, "nope", reference.flash, "entropy")


def ape_short(bench):
    tokens, batch = (64, 2) if bench.rehearse else (256, 480)
    q, k, v = bench.random(tokens, batch=batch)
    ours, out = bench.attention(q, k, v, bench.scores("ape", tokens))
    part = max(1, batch // 16)  # eager scores of all of it do not fit

    def theirs():
        for first in range(0, batch, part):
            reference.eager_ape(*(x[first : first + part] for x in (q, k, v)))

    result = bench.clock.compare(ours, theirs)
    error = (out[:part].float() - reference.eager_ape(q[:part], k[:part], v[:part]).float()).abs().max().item()
    return bench.shape(tokens, batch) | result | {"difference": error}


def ape_direct(bench):
    return attention_beside(bench, "ape", reference.flash)


def ape_series(bench):
    tokens = bench.tokens(16384)
    q, k, v = bench.random(tokens)
    by_pairs, exact = bench.attention(q, k, v, bench.scores("ape", tokens))
    ours, out = bench.attention(q, k, v, bench.scores("ape", tokens, series=True))
    result = bench.shape(tokens) | bench.clock.compare(ours, lambda: reference.flash(q, k, v))
    by_pairs()
    ours()
    result["difference"] = (out.float() - exact.float()).abs().max().item()
    if not bench.rehearse:  # torch.compile for the CPU takes a compiler that is not always there
        flex = reference.FlexBuckets(tokens, bench.head_dim, bench.device)
        result["flex"] = bench.clock.compare(ours, lambda: flex(q, k, v)) | {"calls": len(flex.parts)}
    return result


def certified_window(bench):
    tokens = bench.tokens(16384)
    q, k, v = bench.random(tokens)
    windows = [
        int(window) for window in bench.where.tables("alibi-vetcha2025", tokens, HEADS, bench.head_dim)["windows"]
    ]
    windows = [tokens if window < 0 else window for window in windows]
    dense, _ = bench.attention(q, k, v, bench.scores("alibi-vetcha2025", tokens))
    ours, _ = bench.attention(q, k, v, bench.scores("alibi-vetcha2025", tokens, windows=windows))
    tiles = (tokens + 63) // 64
    all_tiles = HEADS * tiles * (tiles + 1) // 2
    seen = sum(tile - max(0, (tile * 64 - window) // 64) + 1 for window in windows for tile in range(tiles))
    return (
        bench.shape(tokens)
        | {"epsilon": "1/512", "content_bound": 5, "windows": windows, "skipped": 1 - seen / all_tiles}
        | bench.clock.compare(ours, dense)
    )


def at_most(bound):
    return lambda result: result["ratio"]["median"] <= bound


# name: what, measured by, goal in words, whether it is met
ROWS = {
    "G1": ("statistics of rows / flash attention forward", core_against_flash, "ratio <= 0.85", at_most(0.85)),
    "G2": ("statistics of rows / default attention forward", core_against_default, "ratio <= 1.1", at_most(1.1)),
    "G3": (
        "statistics of rows / entropy by V = K",
        core_against_values,
        "ratio <= 0.75, errors >= 100",
        lambda r: r["ratio"]["median"] <= 0.75 and r["errors"] >= 100,
    ),
    "G4": (
        "statistics of rows / all pairs in memory",
        core_against_eager,
        "ratio <= 1/30, a hundredth of the memory",
        lambda r: r["ratio"]["median"] <= 1 / 30 and r["our_bytes"] <= r["their_bytes"] / 100,
    ),
    "G5": ("statistics with ALiBi / flash attention forward", core_with_tables, "ratio <= 1.1", at_most(1.1)),
    "G6": ("statistics with 16 classes of distance / without", core_with_buckets, "ratio <= 1.15", at_most(1.15)),
    "G7": (
        "weights and contents by exact distance, in two passes / flash attention forward",
        exact_distances,
        "ratio <= 2.2",
        lambda r: r["ratio"]["median"] <= 2.2 and r["weight_error"] < 1e-3 and r["pairs"],
    ),
    "G8": ("error of entropies and log-normalizers", accuracy, "worst <= 1e-4", lambda r: r["worst"] <= 1e-4),
    "G9": ("statistics of 2^20 tokens", longest, "done, and finite", lambda r: r["finite"]),
    "G10": ("output and entropy / flash attention forward", output_and_entropy, "ratio <= 1.3", at_most(1.3)),
    "G11": ("APE pair by pair / block by block in PyTorch", ape_short, "ratio <= 1/20", at_most(1 / 20)),
    "G12": ("APE pair by pair / flash attention forward", ape_direct, "ratio <= 12", at_most(12)),
    "G13": (
        "APE by series / flash attention forward, and / FlexAttention by classes of distance",
        ape_series,
        "ratio <= 1.6, flex <= 1/1.5",
        lambda r: r["ratio"]["median"] <= 1.6 and r["flex"]["ratio"]["median"] <= 1 / 1.5,
    ),
    "window": (
        "ALiBi with certified windows / all tiles",
        certified_window,
        "ratio <= 1/3, skipped >= 0.85",
        lambda r: r["ratio"]["median"] <= 1 / 3 and r["skipped"] >= 0.85,
    ),
    "G14": (
        "training at context 256, 480 sequences a step, beside compiled nanoGPT",
        models.training,
        "RoPE and ALiBi >= 1.3 times",
        lambda r: all(of["factor"] >= 1.3 for of in r["encodings"].values()),
    ),
    "G15": (
        "a training step of 12 x 64 tokens, beside nanoGPT",
        models.small_steps,
        ">= 4 times eager, >= 1.5 times compiled",
        lambda r: r["over_eager"] >= 4 and r["over_compiled"] >= 1.5,
    ),
    "G16": (
        "training with APE / with RoPE",
        models.ape_training,
        "contexts 64, 128, 256: >= 0.90, 0.83, 0.72",
        lambda r: all(
            of["factor"] >= least for of, least in zip(r["contexts"].values(), (0.90, 0.83, 0.72), strict=True)
        ),
    ),
    "G17": (
        "training with entropies at every step / without",
        models.logging,
        "costs <= 3 %",
        lambda r: r["factor"] >= 1 / 1.03,
    ),
    "G18": (
        "perplexities of 64 to 16,384 tokens in one pass / length by length in PyTorch",
        models.evaluation,
        ">= 10 times",
        lambda r: all(of["factor"] >= 10 for of in r["encodings"].values()),
    ),
}


SECONDS = {"G14": 300, "G15": 120, "G16": 240, "G18": 180}  # guesses, so that no row is begun that would be cut off


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", nargs="+", metavar="ROW", choices=ROWS)
    parser.add_argument(
        "--bin",
        type=Path,
        help="the programs and, in ../lib, the libraries (default: build/bin, or what pack.py packed)",
    )
    parser.add_argument(
        "--seconds", type=float, default=540, help="begin no row that may not end within these (default 540)"
    )
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--rehearse", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(ROWS))
        return
    start = time.monotonic()
    arguments.output.mkdir(parents=True, exist_ok=True)
    failed = False
    with tempfile.TemporaryDirectory() as work:
        where = place.Place(arguments.bin, Path(work), arguments.rehearse)
        bench = Bench(where, arguments.rehearse)
        for name, (what, measure, goal, met) in ROWS.items():
            file = arguments.output / f"{name}.json"
            if (arguments.only and name not in arguments.only) or file.exists():
                continue
            if time.monotonic() - start + SECONDS.get(name, 60) > arguments.seconds and not arguments.rehearse:
                print(f"{name}: not begun", flush=True)
                continue
            try:
                result = measure(bench)
            except (RuntimeError, torch.OutOfMemoryError) as error:  # one row that fails leaves the others
                print(f"{name}: failed: {error}", flush=True)
                failed = True
                continue
            entry = (
                {
                    "schema": 1,
                    "name": name,
                    "quantity": what,
                    "goal": goal,
                    "met": None if arguments.rehearse else bool(met(result)),
                    "rehearsed": arguments.rehearse,
                }
                | where.about()
                | {"result": place.rounded(result)}
            )
            place.write(file, entry)
            print(
                f"{name}: {what}: {place.summary(result)}; goal {goal}: {'rehearsed' if arguments.rehearse else entry['met']}",
                flush=True,
            )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
