"""Small reports of models, for tests of pictures and pages."""

import copy


def rows(entropy, weight=0.3, content=2):
    return {
        "entropy": {"mean": entropy},
        "mean_distance": {"mean": 5.0},
        "largest_weight": {"mean": weight},
        "largest_content": {"max": content},
        "sink_weight": {"mean": 0.0},
    }


def at(length, second_half, slope=0):
    return {
        "length": length,
        "last_row": second_half,
        "second_half": second_half,
        "slope": slope,
        "content_bound": 2.0,
        "tested": {"reach": 7},
        "predictions": {
            "zero": {"entropy": 2.0},
            "bound_band": {"lower": 0.0, "upper": 3.0},
            "ranges_band": {"lower": 1.0, "upper": 2.5},
        },
    }


def head(number, window, seen):
    return {
        "layer": 1,
        "head": number,
        "lengths": [at(32, rows(2)), at(64, rows(2))],
        "extrapolation": [],
        "window": {"W": window, "content_bound": 2.5, "largest_mass_beyond": None},
        "statistical_window": {"W": seen, "rows": 3, "confidence": 0.95, "coverage": 0.368},
        "verdicts": [
            {
                "property": "convergent-normalization",
                "reading": "every-content",
                "verdict": "fails" if window is None else "holds",
                "reason": "a < b & c",
            }
        ],
        "distances": [
            {"from": 0, "to": 0, "mass": 0.4, "score": {"mean": 0.5, "variance": 1.0}, "bias": 0.0},
            {"from": 1, "to": 63, "mass": 0.6, "score": {"mean": -1.5, "variance": 1.0}, "bias": -2.0},
        ],
    }


def serving(*heads, coverage=0.368):
    """serving_windows of probe-attention for (kind, keys, bounds):
    tests/probes/report/serving_windows_test.cpp has how it is computed."""
    counts = {
        kind: sum(one[0] == kind for one in heads)
        for kind in ("certified", "a-posteriori", "assumed", "statistical", "full")
    }
    mib = 2 * 8 * 4 / 2**20
    return {
        "length": 64,
        "epsilon": "1/1000",
        "proved_windows_hold_for": "every input",
        "heads": [
            {
                "layer": 1,
                "head": i + 1,
                "kind": kind,
                "keys": keys,
                "MiB": mib * keys,
                "MiB_saved": mib * (64 - keys),
                "proved": {"keys": 16, "content_bound": 2.5, "content_seen": 2.6, "bounds_content_seen": bounds},
                "statistical": {"keys": 4, "rows": 3, "confidence": 0.95, "coverage": coverage},
            }
            for i, (kind, keys, bounds) in enumerate(heads)
        ],
        "total": {
            "heads": counts,
            "MiB": mib * sum(one[1] for one in heads),
            "MiB_saved": mib * sum(64 - one[1] for one in heads),
        },
    }


def probe():
    return {
        "schema": 1,
        "generator": {"program": "probe-attention", "version": "1"},
        "checkpoint": "runs/<mine>",
        "encoding": "alibi",
        "context": 32,
        "dtype": "float32",
        "layers": 1,
        "heads_per_layer": 3,
        "head_dim": 8,
        "tokens": {"file": "val.bin"},
        "windows": 2,
        "lengths": [32, 64],
        "content_bound": "weights",
        "epsilon": "1/1000",
        "weight": "1/2",
        "fit": {"tokens": 32},
        "heads": [head(1, 15, 3), head(2, None, 31), head(3, 200, 63)],
        "contradictions": [],
        "serving_windows": serving(("certified", 16, True), ("statistical", 32, True), ("full", 64, True)),
    }


def of_python():
    one = head(1, None, 3)
    distances = copy.deepcopy(one["distances"])
    distances[1]["to"] = None
    return {
        "schema": 1,
        "generator": {"program": "gpe.probe", "version": "1"},
        "model": "tiny",
        "model_type": "llama",
        "batch": 2,
        "tokens": 24,
        "layers": 1,
        "heads": [
            {
                "layer": 1,
                "head": 1,
                "content_bound": 3.5,
                "last_row": rows(1),
                "second_half": rows(1),
                "distances": distances,
            }
        ],
    }


def gates(count):
    """A report of gpe.probe_gates: of finite, infinite and undecided heads in turn, three per layer."""
    kinds = [
        ("finite", "-inf", -0.5, 0.01, -0.01, 0.7, 0.01),
        ("infinite", -0.1, 0.3, 0.02, 0.9, 1.4, None),
        ("undecided", -0.2, 0.0, 0.02, 0.2, 1.0, 0.1),
    ]
    return {
        "schema": 1,
        "generator": {"program": "gpe.probe_gates", "version": "1"},
        "model": "<mine>",
        "batch": 4,
        "tokens": 24,
        "heads": [
            {
                "layer": 1 + i // 3,
                "name": f"layers.{i // 3}.fgate",
                "head": 1 + i % 3,
                "low": low,
                "high": high,
                "mean": mean,
                "mean_error": error,
                "mean_exp": mean_exp,
                "mean_exp_error": exp_error,
                "almost_surely": verdict,
                "expected": verdict,
            }
            for i in range(count)
            for verdict, low, mean, error, high, mean_exp, exp_error in (kinds[i % 3],)
        ],
    }


def evaluation():
    """Of evaluate-tsm, over documents."""
    lengths = [
        {"length": length, "whole": {"perplexity": p, "perplexity_interval": [p - 0.1, p + 0.1]}}
        for length, p in ((64, 5.0), (256, 4.7))
    ]
    series = {"over": "documents", "windows": 9, "lengths": lengths}
    return {"schema": 1, "checkpoint": "runs/ape", "files": [{"file": "val.bin", "series": [series]}]}


def recall():
    """Of evaluate-tsm --recall."""
    distances = [
        {"distance": 32, "accuracy": 0.9, "accuracy_interval": [0.8, 0.95]},
        {"distance": 64, "accuracy": None, "accuracy_interval": None},
    ]
    return {"schema": 1, "checkpoint": "runs/ape", "files": [{"file": "r.bin", "recall": distances}]}
