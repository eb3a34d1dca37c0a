"""Rows of attention: kernels beside PyTorch's attention, and how far each is from what the device could do."""

import functools
import math
import time

import reference
import torch
from kernels import Kernels, Scores
from timing import Clock

HEADS = 6
CORE = ("log_normalizer", "entropy", "mean_distance", "largest_weight")


class Bench:
    def __init__(self, where, rehearse, samples):
        self.where, self.rehearse = where, rehearse
        self.device = torch.device("cpu" if rehearse else "cuda")
        self.head_dim = 16 if rehearse else 64
        self.kernels = Kernels(where.kernels())
        self.clock = Clock(self.device, samples, 1 if rehearse else 3)
        self.tables = {}

    def tokens(self, of):
        if not self.rehearse:
            return of
        return 128 if of >= 16384 else 64

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

    @functools.cached_property
    def ceilings(self):
        """What the device reaches at most: bytes per second of a copy, read and written, and operations per second of a
        matrix product in bfloat16."""
        size, count = (1 << 8, 1 << 16) if self.rehearse else (8192, 1 << 30)
        a, b = (torch.randn(size, size, device=self.device).to(torch.bfloat16) for _ in range(2))
        source = torch.randint(0, 255, (count,), dtype=torch.uint8, device=self.device)
        to = torch.empty_like(source)
        product, copy = (self.clock.alone(f)["ms"]["median"] for f in (lambda: a @ b, lambda: to.copy_(source)))
        return {"operations_per_second": 2000 * size**3 / product, "bytes_per_second": 2000 * count / copy}

    def floor(self, operations, moved):
        """The least milliseconds for so many operations and bytes."""
        return 1000 * max(
            operations / self.ceilings["operations_per_second"], moved / self.ceilings["bytes_per_second"]
        )

    def shape(self, tokens, batch=1, products=1):
        """With the least time for causal scores (products 1), or scores and outputs (2): q, k, or q, k, v and out
        once."""
        pairs = batch * HEADS * tokens * (tokens + 1) / 2
        numbers = 2 * products * batch * HEADS * tokens * self.head_dim
        return {
            "batch": batch,
            "heads": HEADS,
            "tokens": tokens,
            "head_dim": self.head_dim,
            "element": "bfloat16",
            "floor_ms": self.floor(2 * products * self.head_dim * pairs, 2 * numbers),
        }


def statistics_beside(bench, encoding, theirs):
    tokens = bench.tokens(16384)
    q, k, v = bench.random(tokens)
    ours, _ = bench.statistics(q, k, bench.scores(encoding, tokens))
    return bench.shape(tokens) | bench.clock.compare(ours, lambda: theirs(q, k, v))


def attention_beside(bench, encoding, theirs, *names):
    tokens = bench.tokens(16384)
    q, k, v = bench.random(tokens)
    ours, _ = bench.attention(q, k, v, bench.scores(encoding, tokens), *names)
    return bench.shape(tokens, products=2) | bench.clock.compare(ours, lambda: theirs(q, k, v))


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
    return bench.shape(tokens, batch, 2) | result | {"difference": error}


def ape_direct(bench):
    return attention_beside(bench, "ape", reference.flash)


def ape_series(bench):
    tokens = bench.tokens(16384)
    q, k, v = bench.random(tokens)
    by_pairs, exact = bench.attention(q, k, v, bench.scores("ape", tokens))
    ours, out = bench.attention(q, k, v, bench.scores("ape", tokens, series=True))
    result = bench.shape(tokens, products=2) | bench.clock.compare(ours, lambda: reference.flash(q, k, v))
    by_pairs()
    ours()
    result["difference"] = (out.float() - exact.float()).abs().max().item()
    if not bench.rehearse:  # torch.compile for the CPU takes a compiler that is not always there
        try:
            flex = reference.FlexBuckets(tokens, bench.head_dim, bench.device)
            result["flex"] = bench.clock.compare(ours, lambda: flex(q, k, v)) | {"calls": len(flex.parts)}
        except RuntimeError as error:  # of the compiler
            result["flex"] = {"failed": str(error)[:500]}
    return result


def compile_flex(bench):
    tokens = bench.tokens(16384)
    reference.FlexBuckets(tokens, bench.head_dim, bench.device)(*bench.random(tokens))


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
        bench.shape(tokens, products=2)
        | {"epsilon": "1/512", "content_bound": 5, "windows": windows, "skipped": 1 - seen / all_tiles}
        | bench.clock.compare(ours, dense)
    )
