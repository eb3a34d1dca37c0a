"""What check-properties says of an encoding: its tables, its formula, and the law of its scores."""
# Tests: tests/checks/conformance_scores_test.py, tests/checks/conformance_test.py

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from gpe._conformance.scores import Law
from gpe._errors import SpecError
from gpe._hub import is_id
from gpe._programs import argument_of, option_arguments, run
from gpe._specs import Spec, source_of, toml_of
from gpe._verdicts.from_config import ModelEncoding, from_config

#: Types whose code norms queries and keys after the rotation.
NORMED_AFTER = ("hunyuan_v1_dense", "hunyuan_v1_moe", "hunyuan_vl_text")
#: Types whose norms of queries and keys are those of a layer norm, which takes off the mean, of each head.
CENTERED = ("chameleon", "cohere", "persimmon", "phi", "stablelm")
FARTHEST = 1 << 40
#: Positions that few digits do not tell apart, or that a table of few does not have.
FAR = (300, 301, 1027, 4098, 4099)


def _table(argument: str, given: str | None, options: tuple[str, ...]) -> list[Mapping[str, str]]:
    rows: list[Mapping[str, str]] = run("check-properties", [argument, "--table", *options], given)["rows"]
    return rows


_table_of_text = lru_cache(maxsize=1024)(_table)


class Reference:
    """An encoding, or the one called `name` of a config.json."""

    def __init__(self, encoding: Spec, name: str | None, options: Mapping[str, Any]) -> None:
        self._spec = encoding
        self._argument, self._given = argument_of(encoding)
        self.label = self._argument
        if isinstance(encoding, Mapping):
            self.label = str(encoding.get("name", "custom"))
        elif isinstance(encoding, str) and is_id(encoding):
            self.label = encoding
        self.name, self._options = name, option_arguments(options)

    @cached_property
    def encodings(self) -> list[ModelEncoding]:
        """Of a config.json, one for each kind of layers; of anything else none."""
        config = self._given is None and (
            self._argument.endswith(".json") or Path(self._argument, "config.json").is_file()
        )
        return from_config(Path(self._argument)) if config else []

    @cached_property
    def one(self) -> ModelEncoding | None:
        names = [one.name for one in self.encodings]
        if self.name is None and len(names) > 1:
            raise SpecError(f"{self.label} has several encodings; expected name= one of {', '.join(names)}")
        if self.name is not None and self.name not in names:
            raise SpecError(
                f"{self.label} has no encoding '{self.name}'"
                + (f"; expected one of {', '.join(names)}" if names else "")
            )
        if not names:
            return None
        return self.encodings[names.index(self.name) if self.name else 0]

    def named(self, name: str) -> Reference:
        return Reference(self._spec, name, {})

    @cached_property
    def toml(self) -> dict[str, Any]:
        return tomllib.loads(self.one.toml if self.one else source_of(self._spec).text)

    def rows(self, kind: str, lengths: Sequence[int] = ()) -> list[Mapping[str, str]]:
        """Those of --table, of each length where they depend on it."""
        argument, given, options = self._argument, self._given, self._options
        if self.one is not None:
            argument, given = "-", self.one.toml
            options = ["--head-dim", str(self.one.head_dim), "--heads", str(self.one.heads), *options]
        asked = ["--lengths", ",".join(map(str, lengths))] if lengths else []
        table = _table if given is None else _table_of_text  # a file may change
        rows = table(argument, given, (kind, *options, *asked))
        if not lengths and len({row["length"] for row in rows if "length" in row}) > 1:
            raise SpecError(f"the {kind} of {self.label} depend on the length; expected length=")
        return rows

    def factors(self, lengths: Sequence[int]) -> dict[int, list[tuple[int, float]]]:
        """By length, the first blocks of a factor, and the factor."""
        found: dict[int, list[tuple[int, float]]] = {}
        for row in self.rows("temperature", lengths):
            for length in lengths if row["length"] == "every" else [int(row["length"])]:
                found.setdefault(length, []).append((int(row["from block"]), float(row["factor"])))
        return found

    def law(self, tokens: int) -> Law:
        """Of the scores of a sequence of so many tokens."""
        score = self.toml["score"]
        if "bias" in score or score.get("transform", "identity") not in ("identity", "rotation"):
            raise SpecError(
                f"{self.label}: scores with a bias, without content, or with a scale of coordinates; "
                "expected an encoding that turns, or has no position"
            )
        rotation = score.get("rotation")
        frequencies = self._frequencies(tokens) if rotation else []
        partial = rotation is not None and rotation["angle"].startswith(
            "if(2*j < "
        )  # those that stay are not blocks of the others' pairs
        count = 2 * (sum(value != 0 for value in frequencies) if partial else len(frequencies))
        names = set(re.findall(r"[A-Za-z_]\w*", score.get("gain", "")))
        if {"n", "L"} <= names:
            raise SpecError(
                f"{self.label}: a temperature that depends on the distance and on the position; expected one of them"
            )
        known = self.factors([tokens])
        blocks = [[factor for start, factor in known[tokens] if start <= j][-1] for j in range(len(frequencies) or 1)]

        def gain(at: int) -> float:
            if at not in known:
                known.update(self.factors(range(max(at - 2, 0), at + 64)))
            return known[at][0][1]

        window = score.get("window")
        width = self.toml["parameters"].get(window, {}) if window else {}
        if window is not None:
            window = int(width["default"] if width else window)
        gain_by = "distance" if "n" in names else "constant"
        if "L" in names:
            gain_by = "position"
        kind = (re.findall(r"model_type ([\w.-]+),", str(self.toml.get("reference"))) or [""])[0]
        unweighted = kind == "llama4_text" and bool(rotation) and bool(self.config.get("use_qk_norm", True))
        normed = True if unweighted or (self.one is not None and self.one.content_bound is not None) else None
        return Law(
            head_dim=2 * len(frequencies) or self._head_dim(),
            frequencies=frequencies,
            count=count,
            interleaved=bool(rotation) and rotation.get("layout") == "interleaved",
            factors=[factor / blocks[0] for factor in blocks],
            gain=gain,
            gain_by=gain_by,
            window=window,
            chunked=str(width.get("doc")).startswith("keys in a chunk"),
            cap=self._cap(score),
            sink="sink" in score,
            normed=False if kind in NORMED_AFTER else normed,
            unweighted=unweighted,
            centered=kind in CENTERED,
            eps=self._eps(kind in CENTERED),
        )

    def positions(self, law: Law, tokens: int, last: int = 16) -> list[int]:
        """Where scores are asked: the first ones, where a window ends, where a temperature by position changes, and
        `last` times as far, and far."""
        change = self._change() if law.gain_by == "position" else None
        ends = [law.window] if law.window is not None and law.window >= tokens // 2 else []
        near = max(tokens // 4, 1)
        if change is not None and change <= tokens // 2:
            asked = {*range(tokens // 2), *(1 << k for k in range(6, 13))}
        elif change is not None:
            asked = {
                *range(tokens // 2),
                *range(change - near, change + near),
                2 * change,
                2 * change + 1,
                last * change + last - 1,
            }
        else:
            asked = set(range(max(tokens // 2, 1) if ends and ends[0] >= tokens else tokens))
        asked |= {at for end in ends for at in range(end - near, end + near)}
        self.same_frequencies(max(asked))
        return sorted({*asked, *self.far()})

    def far(self) -> list[int]:
        """Of FAR, those within the context of a config.json, where angles are those of the first positions."""
        context = self.config.get("max_position_embeddings")
        found = [at for at in FAR if not isinstance(context, int) or at < context]
        while found and self._angles_depend_on_length and self._frequencies(found[-1]) != self._frequencies(0):
            found.pop()
        return found

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """The keys of a config.json, those of its text model before the others; of anything else none."""
        if not self.encodings:
            return {}
        path = Path(self._argument)
        keys = json.loads((path / "config.json" if path.is_dir() else path).read_text(encoding="utf-8"))
        return {**keys, **(keys["text_config"] if isinstance(keys.get("text_config"), dict) else {})}

    def _eps(self, centered: bool) -> float:
        """What a norm adds to the mean square."""
        given = self.config.get("layer_norm_eps" if centered else "rms_norm_eps")
        if isinstance(given, (int, float)):
            return float(given)
        return 1e-5 if centered else 1e-6

    @property
    def _angles_depend_on_length(self) -> bool:
        return "L" in re.findall(r"[A-Za-z_]\w*", self.toml["score"].get("rotation", {}).get("angle", ""))

    def _frequencies(self, tokens: int) -> list[float]:
        return [float(row["frequency"]) for row in self.rows("frequencies", [tokens])]

    def same_frequencies(self, last: int) -> None:
        if self._angles_depend_on_length and self._frequencies(0) != self._frequencies(last):
            raise SpecError(
                f"{self.label}: angles at position {last} are others than at 0; "
                "expected angles that do not depend on the position"
            )

    def blocks(self) -> int:
        return self._head_dim() // 2

    def _change(self) -> int | None:
        """The first position whose temperature is another than the first one's."""
        asked = [0, *(1 << k for k in range(FARTHEST.bit_length()))]
        while True:
            factors = self.factors(asked)
            high = next((at for at in asked[1:] if factors[at] != factors[asked[0]]), None)
            if high is None:
                return None
            low = max(at for at in asked if at < high)
            if high - low <= 1:
                return high
            asked = sorted({low, high, *(low + (high - low) * k // 64 for k in range(1, 64))})

    def _head_dim(self) -> int:
        if self.one is not None:
            return self.one.head_dim
        return int(self._options[self._options.index("--head-dim") + 1]) if "--head-dim" in self._options else 64

    def _cap(self, score: Mapping[str, Any]) -> float | None:
        """The soft cap, a formula of the parameters, as the gain of another encoding."""
        if "softcap" not in score:
            return None
        spec = {"name": "cap", "parameters": self.toml.get("parameters", {}), "score": {"gain": score["softcap"]}}
        return float(run("check-properties", ["-", "--table", "temperature"], toml_of(spec))["rows"][0]["factor"])
