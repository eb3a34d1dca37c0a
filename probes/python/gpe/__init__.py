# Tests: tests/python/test_check.py, tests/python/package_parts_test.py
"""Exact verdicts and certified numbers for positional encodings, and what attention does with them.

    import gpe
    gpe.check("alibi")                             # verdicts and certified numbers, as check-properties --format json
    gpe.design("alibi", vary="m=1/100..1", entropy=">= 4")   # also audit, verify, frontier, stack, sweep, encodings
    gpe.probe(model, input_ids)                    # what every head of a transformers model does
    gpe.record(module)                             # the same for attention modules of one's own
    gpe.attention_statistics(q, k, "ape")          # entropies and scores of tensors, without tokens x tokens
    gpe.attention(q, k, v, "ape", {"delta": slope})  # the same attention, differentiable
    gpe.from_config("config.json")                 # the encodings of a Hugging Face model
    gpe.compare_configs("original.json", "port.json")   # which layers differ, in what, and by how much
    gpe.score_mod("alibi", heads=8)                # for torch's FlexAttention; and gpe.block_mask

Modules: gpe.conformance holds an implementation's tables against the certified ones, gpe.testing a kernel against an
encoding. Everything is imported when it is first used: `import gpe` needs neither torch nor transformers.
"""

import sys as _sys
from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from gpe._errors import Error, RequirementError, SpecError

#: Where each public name lives.
_HOMES = {
    "check": "_verdicts.check",
    "asymptotics": "_verdicts.check",
    "compare": "_verdicts.check",
    "plot": "_verdicts.plot",
    "sliders": "_verdicts.sliders",
    "compare_configs": "_verdicts.check",
    "CheckReport": "_verdicts.check",
    "Comparison": "_verdicts.check",
    "from_config": "_verdicts.from_config",
    "ModelEncoding": "_verdicts.from_config",
    "to_sympy": "_torch.symbolic",
    "parameter_values": "_torch.symbolic",
    "attention_statistics": "_torch.statistics",
    "AttentionStatistics": "_torch.report",
    "attention": "_torch.attention",
    "score_mod": "_torch.score_mod",
    "rotate": "_torch.score_mod",
    "add_sink": "_torch.score_mod",
    "block_mask": "_torch.block_mask",
    "ConfigComparison": "_verdicts.check",
    "encodings": "_command.starting",
    "design": "_verdicts.questions",
    "audit": "_verdicts.questions",
    "verify": "_verdicts.questions",
    "Verified": "_verdicts.questions",
    "frontier": "_verdicts.questions",
    "stack": "_verdicts.questions",
    "StackReport": "_verdicts.questions",
    "sweep": "_verdicts.sweep",
    "probe": "_probe.probe",
    "probe_gates": "_probe.gates",
    "GateReport": "_probe.gates",
    "record": "_probe.record",
    "MaxScores": "_probe.max_scores",
    "ProbeReport": "_torch.report",
    "TrainerCallback": "_probe.trainer",
}

#: Modules that are imported when they are first used, and not by `from gpe import *`.
_MODULES = ("conformance", "testing")

if TYPE_CHECKING:
    from gpe import conformance as conformance
    from gpe import testing as testing
    from gpe._command.starting import encodings as encodings
    from gpe._probe.gates import GateReport as GateReport
    from gpe._probe.gates import probe_gates as probe_gates
    from gpe._probe.max_scores import MaxScores as MaxScores
    from gpe._probe.probe import probe as probe
    from gpe._probe.record import record as record
    from gpe._probe.trainer import TrainerCallback as TrainerCallback
    from gpe._torch.attention import attention as attention
    from gpe._torch.block_mask import block_mask as block_mask
    from gpe._torch.report import AttentionStatistics as AttentionStatistics
    from gpe._torch.report import ProbeReport as ProbeReport
    from gpe._torch.score_mod import add_sink as add_sink
    from gpe._torch.score_mod import rotate as rotate
    from gpe._torch.score_mod import score_mod as score_mod
    from gpe._torch.statistics import attention_statistics as attention_statistics
    from gpe._torch.symbolic import parameter_values as parameter_values
    from gpe._torch.symbolic import to_sympy as to_sympy
    from gpe._verdicts.check import CheckReport as CheckReport
    from gpe._verdicts.check import Comparison as Comparison
    from gpe._verdicts.check import ConfigComparison as ConfigComparison
    from gpe._verdicts.check import asymptotics as asymptotics
    from gpe._verdicts.check import check as check
    from gpe._verdicts.check import compare as compare
    from gpe._verdicts.check import compare_configs as compare_configs
    from gpe._verdicts.from_config import ModelEncoding as ModelEncoding
    from gpe._verdicts.from_config import from_config as from_config
    from gpe._verdicts.plot import plot as plot
    from gpe._verdicts.questions import StackReport as StackReport
    from gpe._verdicts.questions import Verified as Verified
    from gpe._verdicts.questions import audit as audit
    from gpe._verdicts.questions import design as design
    from gpe._verdicts.questions import frontier as frontier
    from gpe._verdicts.questions import stack as stack
    from gpe._verdicts.questions import verify as verify
    from gpe._verdicts.sliders import sliders as sliders
    from gpe._verdicts.sweep import sweep as sweep

__all__ = ["Error", "RequirementError", "SpecError", *_HOMES]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from gpe._programs import version

        return version()
    if name in _MODULES:
        return _import_module(f"gpe.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'gpe' has no attribute '{name}'")
    try:
        home = _import_module(f"gpe.{_HOMES[name]}")
    except (ImportError, OSError) as error:
        if error.__class__ is ModuleNotFoundError and error.name in ("torch", "transformers"):
            raise Error(
                f"gpe.{name} needs {error.name}, which is not installed: the extra gpe[probe] of the wheel installs it"
            ) from error
        if "torch" in _sys.modules or not _HOMES[name].startswith(("_probe", "_torch")):
            raise
        # That of ./setup.sh --model is LibTorch alone.
        raise Error(
            f"gpe.{name} needs torch, which cannot be imported; ./setup.sh --tests installs all of it ({error})"
        ) from error
    return getattr(home, name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
