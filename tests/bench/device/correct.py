"""Kernels at real sizes beside attention in float64 on the same stored numbers, on samples of rows and keys.

Usage: python3 tests/bench/device/correct.py --output FOLDER [--bin FOLDER] [--only CASE...] [--list] [--rehearse]

Each case is a file of FOLDER: the largest error of each quantity, relative to 1 + its absolute value, beside the error
that docs/device.md allows. Results are NaN before each call, and all of them have to be finite, not the samples alone.
--rehearse: tiny shapes, lane by lane on the CPU."""

import argparse
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent))
import place  # noqa: E402
import reference  # noqa: E402
from kernels import Kernels, Scores  # noqa: E402

HEADS = 6
ROWS = ("log_normalizer", "entropy", "varentropy", "mean_distance", "largest_weight", "largest_score")
ALLOWED = {  # relative to 1 + the value: docs/device.md
    torch.float32: {"rows": 3e-5, "output": 3e-5, "gradients": 1e-4, "turn": 3e-7},
    torch.bfloat16: {"rows": 1e-4, "output": 1.5e-2, "gradients": 3e-2, "turn": 2**-8},
}
SERIES = {"rows": 2e-3, "output": 1.5e-2, "gradients": 3e-2}  # angles to 2^-10
KINDS = {"output": "output", "turn": "turn"} | {f"{name}_gradient": "gradients" for name in "qkv"}
# encoding, tokens, element, options
CASES = {
    f"{encoding}-{tokens}-{str(element).split('.')[1]}{'-series' if series else ''}": (
        encoding,
        tokens,
        element,
        series,
    )
    for tokens in (1024, 16384)
    for encoding, element, series in (
        ("nope", torch.float32, False),
        ("nope", torch.bfloat16, False),
        ("alibi-vetcha2025", torch.bfloat16, False),
        ("rope", torch.bfloat16, False),
        ("ape", torch.float32, False),
        ("ape", torch.bfloat16, False),
        ("ape", torch.bfloat16, True),
    )
}


class Exact:
    """Attention in float64 of one batch entry: whole rows of some queries, whole columns of some keys."""

    def __init__(self, encoding, q, k, v, out_gradient):
        self.q, self.k, self.v, self.out_gradient = (x[0].double() for x in (q, k, v, out_gradient))
        self.tokens, self.head_dim = q.shape[2:]
        self.position = torch.arange(self.tokens, device=q.device)
        self.gain, self.bias, self.angle = reference.score_tables(encoding, HEADS, self.tokens, self.head_dim, q.device)

    def scores(self, queries, keys):
        """[head, query, key], -inf where a key follows the query, and the rotated keys that scores are linear in."""
        n = self.position[queries][:, None] - self.position[keys][None, :]
        seen = n.clamp_min(0)
        content = reference.turned_products(self.q[:, queries], self.k[:, keys], self.angle, seen)
        scores = self.gain[:, seen] * content / math.sqrt(self.head_dim) + self.bias[:, seen]
        return scores.masked_fill(n < 0, -math.inf), n

    def rows(self, queries):
        scores, n = self.scores(queries, self.position)
        normalizer = scores.logsumexp(-1)
        weights = (scores - normalizer[..., None]).exp()
        logs = torch.where(weights > 0, scores - normalizer[..., None], 0)
        entropy = -(weights * logs).sum(-1)
        return {
            "log_normalizer": normalizer,
            "entropy": entropy,
            "varentropy": (weights * (logs + entropy[..., None]) ** 2).sum(-1),
            "mean_distance": (weights * n.clamp_min(0)).sum(-1),
            "largest_weight": weights.amax(-1),
            "largest_score": scores.amax(-1),
            "output": weights @ self.v,
        }

    def all_rows(self, step):
        """Log-normalizers of all rows, and what each row's gradient of the scores is less by."""
        normalizers, means = [], []
        for queries in self.position.split(step):
            rows = self.rows(queries)
            normalizers.append(rows["log_normalizer"])
            means.append((rows["output"] * self.out_gradient[:, queries]).sum(-1))
        return torch.cat(normalizers, 1), torch.cat(means, 1)

    def gradients(self, queries, keys, normalizer, mean):
        """∂loss/∂q of some queries, ∂loss/∂k and ∂loss/∂v of some keys, by autograd through the scores."""

        def by(rows, columns, of):
            q, k = self.q, self.k
            leaf = (q[:, rows] if of == "q" else k[:, columns]).clone().requires_grad_(True)
            if of == "q":
                self.q = q.index_copy(1, rows, leaf)
            else:
                self.k = k.index_copy(1, columns, leaf)
            scores, _ = self.scores(rows, columns)
            self.q, self.k = q, k
            weights = (scores.detach() - normalizer[:, rows, None]).exp()
            by_weight = self.out_gradient[:, rows] @ self.v[:, columns].transpose(1, 2)
            by_score = weights * (by_weight - mean[:, rows, None])
            scores.masked_fill(scores == -math.inf, 0).backward(by_score)
            return leaf.grad, weights

        q_gradient, _ = by(queries, self.position, "q")
        k_gradient, weights = by(self.position, keys, "k")
        return {"q": q_gradient, "k": k_gradient, "v": weights.transpose(1, 2) @ self.out_gradient}


def error(found, exact):
    found, exact = found.double(), exact.double()
    return ((found - exact).abs() / (1 + exact.abs())).max().item()


def shape(tokens, rehearse):
    """Tokens and head dimension."""
    if rehearse:
        return (128 if tokens > 1024 else 96), 16
    return tokens, 64


def check(where, kernels, case, rehearse):
    encoding, tokens, element, series = CASES[case]
    device = torch.device("cpu" if rehearse else "cuda")
    tokens, head_dim = shape(tokens, rehearse)
    generator = torch.Generator(device=device).manual_seed(len(case))
    size = (1, HEADS, tokens, head_dim)
    q, k, v, out_gradient = (torch.randn(size, generator=generator, device=device).to(element) for _ in range(4))
    tables = where.tables(encoding, tokens, HEADS, head_dim)
    scores = Scores(
        {name: table for name, table in tables.items() if name not in ("angles", "windows")}, device, head_dim, series
    )
    found = {name: torch.full(size[:3], torch.nan, device=device) for name in ROWS}
    out = torch.full_like(q, torch.nan)
    errors = {}
    if "angles" in tables:  # each token by its own position, and rounded: kernels see these numbers
        angles = tables["angles"].to(device)
        exact_turns = [reference.turned(x, angles) for x in (q, k)]
        for x in (q, k):
            kernels.turn(x, angles)
        errors["turn"] = max(error(x, exact) for x, exact in zip((q, k), exact_turns, strict=True))
    kernels.rows(q, k, scores, v=v, out=out, **found)
    gradients = kernels.gradients(q, k, v, scores, out, found["log_normalizer"], out_gradient)
    count = min(tokens, 64)
    picked = 1 + torch.randperm(tokens - 2, generator=generator, device=device)[: count - 2]
    sample = torch.cat([picked, torch.tensor([0, tokens - 1], device=device)])
    exact = Exact(encoding, q, k, v, out_gradient)
    rows = exact.rows(sample)
    errors |= {name: error(found[name][0, :, sample], rows[name]) for name in ROWS}
    errors["output"] = error(out[0, :, sample], rows["output"])
    keys = sample[:16] if encoding == "ape" else sample  # pair by pair in float64, a block after the other
    normalizer, mean = exact.all_rows(64 if encoding == "ape" else 512)
    by = exact.gradients(sample, keys, normalizer, mean)
    for name, gradient, at in zip("qkv", gradients, (sample, keys, keys), strict=True):
        errors[f"{name}_gradient"] = error(gradient[0, :, at], by[name])
    finite = all(bool(x.isfinite().all()) for x in (*found.values(), out, *gradients))
    allowed = SERIES if series else ALLOWED[element]
    errors = {name: {"found": x, "allowed": allowed[KINDS.get(name, "rows")]} for name, x in errors.items()}

    return {
        "encoding": encoding,
        "tokens": tokens,
        "heads": HEADS,
        "head_dim": head_dim,
        "element": str(element).split(".")[1],
        "series": series,
        "finite": finite,
        "errors": errors,
        "right": finite and all(part["found"] <= part["allowed"] for part in errors.values()),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path)
    parser.add_argument("--bin", type=Path)
    parser.add_argument("--only", nargs="+", metavar="CASE", choices=CASES)
    parser.add_argument("--tables", action="store_true", help="make the tables of all cases in --work, and end")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--work", type=Path, help="where tables of encodings are kept (default: nowhere)")
    parser.add_argument("--rehearse", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(CASES))
        return
    wrong = False
    with place.work_folder(arguments.work) as work:
        where = place.Place(arguments.bin, work, arguments.rehearse)
        if arguments.tables:
            shapes = {(encoding, *shape(tokens, arguments.rehearse)) for encoding, tokens, _, _ in CASES.values()}
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda of: where.tables(of[0], of[1], HEADS, of[2]), shapes))
            return
        arguments.output.mkdir(parents=True, exist_ok=True)
        kernels = Kernels(where.kernels())
        for case in arguments.only or CASES:
            file = arguments.output / f"{case}.json"
            if file.exists():
                continue
            result = check(where, kernels, case, arguments.rehearse)
            about = {"schema": 1, "name": case, "rehearsed": arguments.rehearse} | where.about()
            place.write(file, about | place.rounded(result))
            worst, of = max(result["errors"].items(), key=lambda entry: entry[1]["found"] / entry[1]["allowed"])
            verdict = "right" if result["right"] else "WRONG"
            print(f"{case}: {verdict}; {worst} errs by {of['found']:.2g}, {of['allowed']:.2g} allowed", flush=True)
            wrong |= not result["right"]
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
