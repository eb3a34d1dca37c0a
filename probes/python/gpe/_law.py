"""What check-properties says of an encoding: its tables, its formula, and the law of its scores."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from gpe._errors import SpecError
from gpe._from_config import ModelEncoding, from_config
from gpe._programs import argument_of, option_arguments, run
from gpe._scores import Law
from gpe._specs import Spec, source_of, toml_of

#: Types whose code norms queries and keys after the rotation.
NORMED_AFTER = ("hunyuan_v1_dense", "hunyuan_v1_moe", "hunyuan_vl_text")
FARTHEST = 1 << 40


class Reference:
    """An encoding, or those of a config.json, of which `name` is one."""

    def __init__(self, encoding: Spec, name: str | None, options: Mapping[str, Any]) -> None:
        self._spec = encoding
        self._argument, self._given = argument_of(encoding)
        self.label = self._argument if self._given is None else str(dict(encoding).get("name", "custom"))  # type: ignore[arg-type]
        self.name, self._options = name, option_arguments(options)

    @cached_property
    def encodings(self) -> list[ModelEncoding]:
        """Of a config.json, one for each kind of layers; of anything else none."""
        config = self._given is None and (self._argument.endswith(".json") or Path(self._argument, "config.json").is_file())
        return from_config(Path(self._argument)) if config else []

    @cached_property
    def one(self) -> ModelEncoding | None:
        names = [one.name for one in self.encodings]
        if self.name is None and len(names) > 1:
            raise SpecError(f"{self.label} has several encodings; expected name= one of {', '.join(names)}")
        if self.name is not None and self.name not in names:
            raise SpecError(f"{self.label} has no encoding '{self.name}'" + (f"; expected one of {', '.join(names)}" if names else ""))
        return self.encodings[names.index(self.name) if self.name else 0] if names else None

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
        rows: list[Mapping[str, str]] = run("check-properties", [argument, "--table", kind, *options, *asked], given)["rows"]
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
            raise SpecError(f"{self.label}: scores with a bias, without content, or with a scale of coordinates; expected an encoding that turns, or has no position")
        rotation = score.get("rotation")
        frequencies = self._frequencies(tokens) if rotation else []
        proportional = rotation is not None and re.search(r"if\(j < \d+", rotation["angle"]) is not None
        count = 2 * (len(frequencies) if proportional else sum(value != 0 for value in frequencies))
        names = set(re.findall(r"[A-Za-z_]\w*", score.get("gain", "")))
        if {"n", "L"} <= names:
            raise SpecError(f"{self.label}: a temperature that depends on the distance and on the position; expected one of them")
        known = self.factors([tokens])
        blocks = [[factor for start, factor in known[tokens] if start <= j][-1] for j in range(len(frequencies) or 1)]

        def gain(at: int) -> float:
            if at not in known:
                known.update(self.factors(sorted({*range(max(at - 2, 0), at + 64)})))
            return known[at][0][1]

        window = score.get("window")
        width = self.toml["parameters"].get(window, {}) if window else {}
        normed = None if self.one is None or self.one.content_bound is None else True
        if re.search(rf"model_type ({'|'.join(NORMED_AFTER)}),", str(self.toml.get("reference"))):
            normed = False
        return Law(head_dim=2 * len(frequencies) or self._head_dim(), frequencies=frequencies, count=count,
                   interleaved=bool(rotation) and rotation.get("layout") == "interleaved", factors=[factor / blocks[0] for factor in blocks],
                   gain=gain, gain_by="position" if "L" in names else "distance" if "n" in names else "constant",
                   window=None if window is None else int(width["default"] if width else window),
                   chunked=str(width.get("doc")).startswith("keys in a chunk"), cap=self._cap(score), sink="sink" in score, normed=normed)

    def positions(self, law: Law, tokens: int, last: int = 16) -> list[int]:
        """Where scores are asked: the first ones, where a window ends, and where a temperature by position changes, and `last` times as far."""
        change = self._change() if law.gain_by == "position" else None
        ends = [law.window] if law.window is not None and law.window > tokens // 2 else []
        if change is not None and change <= tokens // 2:
            asked = {*range(tokens // 2), *(1 << k for k in range(6, 13))}
        elif change is not None:
            asked = {*range(tokens // 2), *range(change - tokens // 4, change + tokens // 4), 2 * change, 2 * change + 1, last * change + last - 1}
        else:
            asked = set(range(tokens // 2 if ends and ends[0] >= tokens else tokens))
        asked |= {at for end in ends for at in range(end - tokens // 4, end + tokens // 4)}
        if "L" in re.findall(r"[A-Za-z_]\w*", self.toml["score"].get("rotation", {}).get("angle", "")):
            self._same_frequencies(max(asked))
        return sorted(asked)

    def _frequencies(self, tokens: int) -> list[float]:
        return [float(row["frequency"]) for row in self.rows("frequencies", [tokens])]

    def _same_frequencies(self, last: int) -> None:
        if self._frequencies(0) != self._frequencies(last):
            raise SpecError(f"{self.label}: angles at position {last} are others than at 0; expected angles that do not depend on the position")

    def blocks(self) -> int:
        return self._head_dim() // 2

    def _change(self) -> int | None:
        """The first position whose temperature is another than the first one's."""
        asked = [0, *(1 << k for k in range(FARTHEST.bit_length()))]
        low = 0
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
