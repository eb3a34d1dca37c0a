"""Rows G1 to G18, and what a certified window saves: each a JSON file of times, ratios, spreads, machine and version.

Usage: python3 tests/bench/device/measure.py --output FOLDER [--only ROW...] [--samples N] [--list] [--rehearse]

Rows are measured in the order they are named in. What has a file is not measured again. --compile ROW compiles what
PyTorch is measured with, and measures nothing: torch keeps it for the next process. --rehearse does everything with
tiny shapes on the CPU, the kernels lane by lane: for a try where there is no device; goals say nothing then.
docs/device.md says the rest."""

import argparse
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent))
import attention_rows as rows  # noqa: E402
import models  # noqa: E402
import place  # noqa: E402


def at_most(bound):
    return lambda result: result["ratio"]["median"] <= bound


# name: what, measured by, goal in words, whether it is met
ROWS = {
    "G1": ("statistics of rows / flash attention forward", rows.core_against_flash, "ratio <= 0.85", at_most(0.85)),
    "G2": ("statistics of rows / default attention forward", rows.core_against_default, "ratio <= 1.1", at_most(1.1)),
    "G3": (
        "statistics of rows / entropy by V = K",
        rows.core_against_values,
        "ratio <= 0.75, errors >= 100",
        lambda r: r["ratio"]["median"] <= 0.75 and r["errors"] >= 100,
    ),
    "G4": (
        "statistics of rows / all pairs in memory",
        rows.core_against_eager,
        "ratio <= 1/30, a hundredth of the memory",
        lambda r: r["ratio"]["median"] <= 1 / 30 and r["our_bytes"] <= r["their_bytes"] / 100,
    ),
    "G5": ("statistics with ALiBi / flash attention forward", rows.core_with_tables, "ratio <= 1.1", at_most(1.1)),
    "G6": ("statistics with 16 classes of distance / without", rows.core_with_buckets, "ratio <= 1.15", at_most(1.15)),
    "G7": (
        "weights and contents by exact distance, in two passes / flash attention forward",
        rows.exact_distances,
        "ratio <= 2.2",
        lambda r: r["ratio"]["median"] <= 2.2 and r["weight_error"] < 1e-3 and r["pairs"],
    ),
    "G8": ("error of entropies and log-normalizers", rows.accuracy, "worst <= 1e-4", lambda r: r["worst"] <= 1e-4),
    "G9": ("statistics of 2^20 tokens", rows.longest, "done, and finite", lambda r: r["finite"]),
    "G10": ("output and entropy / flash attention forward", rows.output_and_entropy, "ratio <= 1.3", at_most(1.3)),
    "G11": ("APE pair by pair / block by block in PyTorch", rows.ape_short, "ratio <= 1/20", at_most(1 / 20)),
    "G12": ("APE pair by pair / flash attention forward", rows.ape_direct, "ratio <= 12", at_most(12)),
    "G13": (
        "APE by series / flash attention forward, and / FlexAttention by classes of distance",
        rows.ape_series,
        "ratio <= 1.6, flex <= 1/1.5",
        lambda r: r["ratio"]["median"] <= 1.6 and "ratio" in r["flex"] and r["flex"]["ratio"]["median"] <= 1 / 1.5,
    ),
    "window": (
        "ALiBi with certified windows / all tiles",
        rows.certified_window,
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


COMPILED = {"G13": rows.compile_flex, "G14": models.compile_peer, "G15": models.compile_small_peer}


def measured(bench, name, rehearse):
    what, measure, goal, met = ROWS[name]
    result = measure(bench)
    if "ours_ms" in result and "floor_ms" in result:
        result["over_floor"] = result["ours_ms"]["median"] / result["floor_ms"]
    about = {"schema": 1, "name": name, "quantity": what, "goal": goal, "rehearsed": rehearse}
    about["met"] = None if rehearse else bool(met(result))
    return about | bench.where.about() | {"ceilings": bench.ceilings, "result": place.rounded(result)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path)
    parser.add_argument("--only", nargs="+", metavar="ROW", choices=ROWS, default=list(ROWS))
    parser.add_argument(
        "--bin",
        type=Path,
        help="the programs and, in ../lib, the libraries (default: build/bin, or what pack.py packed)",
    )
    parser.add_argument("--samples", type=int, default=21, help="pairs of samples of each row (default 21)")
    parser.add_argument("--compile", choices=COMPILED, metavar="ROW")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--work", type=Path, help="where tables of encodings are kept (default: nowhere)")
    parser.add_argument("--rehearse", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(ROWS))
        return
    if arguments.output is not None:
        arguments.output.mkdir(parents=True, exist_ok=True)
    failed = False
    with place.work_folder(arguments.work) as work:
        where = place.Place(arguments.bin, work, arguments.rehearse)
        bench = rows.Bench(where, arguments.rehearse, arguments.samples)
        if arguments.compile:
            COMPILED[arguments.compile](bench)
            return
        for name in arguments.only:
            file = arguments.output / f"{name}.json"
            if file.exists():
                continue
            try:
                entry = measured(bench, name, arguments.rehearse)
            except (RuntimeError, torch.OutOfMemoryError) as error:  # one row that fails leaves the others
                print(f"{name}: failed: {error}", flush=True)
                failed = True
                continue
            place.write(file, entry)
            met = "rehearsed" if arguments.rehearse else entry["met"]
            print(
                f"{name}: {entry['quantity']}: {place.summary(entry['result'])}; goal {entry['goal']}: {met}",
                flush=True,
            )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
