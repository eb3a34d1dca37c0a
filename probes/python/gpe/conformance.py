"""An implementation's slopes, buckets, frequencies and temperature, held against the certified ones.

    from gpe.conformance import Conformance

    reference = Conformance("config.json")      # a name, a .toml file, a dict, or a config.json
    reference.slopes(my_slopes)                 # by head
    reference.buckets(my_bucket)                # a function of the distance, or a list
    reference.frequencies(my_inverse_frequencies)
    reference.temperature(my_scale * math.sqrt(head_dim))
    reference.rotation(my_rotation)             # (q, k, positions) -> (q, k): pairs, direction, what stays
    reference.scores(my_scores)                 # (q, k) -> scores: of the distance alone, and which; the window
    reference.layers(my_windows)                # of a config.json: the window of each layer, None where it has none

Each call passes, or raises NotConforming (an AssertionError) that names the first entry that is wrong, and what it should be.
The values are those of `check-properties --table`, in 17 digits. Under pytest: the fixture `gpe_conformance` (gpe.pytest_plugin).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gpe._errors import SpecError
from gpe._programs import argument_of, option_arguments, run
from gpe._specs import Spec
from gpe._turning import content, fault_of_pairs, largest_shift, pairs_of, rows_of, words

#: Of a value, for float32 implementations.
TOLERANCE = 1e-6


class NotConforming(AssertionError):
    """The first entry that differs from the certified one."""


class Conformance:
    """What an implementation of one encoding must compute.

    encoding: a built-in name, a .toml file, a dict with its keys, or a config.json (with `name`, where its layers have several
        encodings).
    options: those of check-properties, for encodings that are no config.json: heads=8, head_dim=128, set={"m": "1/2"}.

    Raises gpe.SpecError, when a table is asked for, for what is wrong with the encoding and for a table that it does not have.
    """

    def __init__(self, encoding: Spec, *, name: str | None = None, tolerance: float = TOLERANCE, **options: Any) -> None:
        self._argument, self._given = argument_of(encoding)
        self.encoding = self._argument if self._given is None else str(dict(encoding).get("name", "custom"))
        self.name, self.tolerance, self._options = name, tolerance, option_arguments(options)
        self._shown: dict[str, Any] | None = None

    def slopes(self, values: Iterable[float]) -> None:
        """Penalties per token, by head: b(0) - b(1), positive."""
        rows = self._rows("slopes")
        expected = [(f"slope of head {row['head']}", row["decimal"], row["slope"]) for row in rows]
        self._compare(values, expected, "heads")

    def buckets(self, bucket: Callable[[int], int] | Sequence[int], farthest: int = 4096) -> None:
        """The bucket of each distance, in any numbering: a function of n, or a list from n = 0. Held to where buckets begin."""
        edges = [int(row["from n"]) for row in self._rows("buckets") if row["head"] == "1"]
        last = min(farthest, 4096 if callable(bucket) else len(bucket) - 1)
        at = bucket if callable(bucket) else bucket.__getitem__
        current = next(k for k in reversed(range(len(edges))) if edges[k] <= 0)
        for n in range(1, last + 1):
            begins = current + 1 < len(edges) and edges[current + 1] == n
            current += begins
            if (int(at(n)) != int(at(n - 1))) != begins:
                where = f"bucket {current} begins at n = {edges[current]}"
                if begins:
                    raise NotConforming(f"{self.encoding}: n = {n} and n = {n - 1} are in one bucket; expected that {where}")
                raise NotConforming(f"{self.encoding}: a bucket begins at n = {n}; expected none there: {where}"
                                    + (f", the next at n = {edges[current + 1]}" if current + 1 < len(edges) else ", the last"))

    def frequencies(self, values: Iterable[float], length: int | None = None) -> None:
        """Radians per token, by block of two coordinates; those that do not turn are 0, and may be left out at the end.

        length: L, the index of the query, for frequencies that depend on it.
        """
        rows = self._rows("frequencies", length)
        expected = [(f"frequency of block {row['block']}", row["frequency"], row["frequency"]) for row in rows]
        given = _numbers(values)
        if len(given) < len(expected) and all(float(value) == 0 for _, value, _ in expected[len(given):]):
            given += [0.0] * (len(expected) - len(given))
        self._compare(given, expected, "blocks")

    def temperature(self, value: float | Sequence[float], length: int | None = None) -> None:
        """What multiplies q'k/sqrt(d): one number, or one a block.

        An implementation that multiplies cos and sin by s, and scores by `scaling`, has scaling*sqrt(d)*s**2.
        length: L, the index of the query, for a temperature that depends on it.
        """
        rows = self._rows("temperature", length)
        given = _numbers(value if isinstance(value, Iterable) else [value])
        starts = [int(row["from block"]) for row in rows]
        if len(given) == 1 and len(rows) > 1:
            raise NotConforming(f"{self.encoding}: one temperature for all blocks; expected {rows[0]['factor']} up to block "
                                f"{starts[1] - 1} and {rows[1]['factor']} from there on")
        expected = []
        for block in range(len(given)):
            row = rows[max(k for k, start in enumerate(starts) if start <= block)]
            where = "temperature" if len(given) == 1 else f"temperature of block {block}"
            expected.append((where, row["factor"], row["factor"]))
        self._compare(given, expected, "blocks")

    def rotation(self, turn: Callable[[Any, Any, Any], Any], *, heads: int = 1, first: int = 0, tolerance: float = 1e-5,
                 like: Callable[[list[Any]], Any] | None = None) -> None:
        """Which coordinates turn together, in which direction, and which stay.

        turn: (q, k, positions) -> (q, k), of one token a row: q and k are tensors of tokens x (heads*d), positions one of tokens.
        first: the first coordinate that turns, where a part stays.
        like: what makes the tensors, of nested lists; torch.tensor in float64 by default.
        """
        frequencies, count, interleaved, head_dim = self._rotation()
        make = like or _tensor
        size = heads * head_dim
        unit = [[float(a == b) for b in range(size)] for a in range(size)]
        images = turn(make(unit), make(unit), make([1] * size))
        for name, rows in zip(("queries", "keys"), map(rows_of, images)):
            fault = fault_of_pairs(rows, frequencies, count, first, interleaved, head_dim, tolerance)
            if fault:
                raise NotConforming(f"{self.encoding}: {name}: {fault}")

    def scores(self, score: Callable[[Any, Any], Any], *, tokens: int = 48, first: int = 0, tolerance: float = 1e-5,
               like: Callable[[list[Any]], Any] | None = None) -> None:
        """That scores depend on the distance alone, are those of the encoding, and end with its window.

        score: (q, k) -> scores of one head, tokens x tokens, before the softmax; -inf or less than -1e4 for what is not seen.
            Rotation, scale and window are its own. For encodings that turn, without a bias.
        """
        frequencies, count, interleaved, d = self._rotation()
        make = like or _tensor
        q = [math.sin(1 + 3 * c * c) + 0.5 for c in range(d)]
        k = [math.cos(2 + 5 * c * c) - 0.3 for c in range(d)]
        given = rows_of(score(make([q] * tokens), make([k] * tokens)))

        def unseen(value: float) -> bool:
            return not value > -1e4

        self._check_window(given, unseen, tokens)
        worst, n, one, other = largest_shift(given, unseen)
        size = max(abs(value) for i, row in enumerate(given) for value in row[:i + 1] if not unseen(value))
        if worst > tolerance * (1 + size):
            raise NotConforming(f"{self.encoding}: scores at distance {n} differ by {worst:.9g} between queries {one} and {other}; "
                                "expected that they depend on the distance alone")
        at = {n: next(given[i][i - n] for i in range(n, tokens) if not unseen(given[i][i - n])) for n in range(tokens)
              if any(not unseen(given[i][i - n]) for i in range(n, tokens))}

        def fits(layout: bool, way: int, power: float) -> bool:
            pairs = pairs_of(count, first, layout)
            changed = [factor**power for factor in self._factors(tokens - 1, d)]
            return all(abs(value - content(q, k, frequencies, pairs, changed, way * n) / math.sqrt(d)) <= tolerance * (1 + size)
                       for n, value in at.items())

        if fits(interleaved, 1, 1):
            return
        pairing = f"{words(not interleaved)} turn together; expected {words(interleaved)}"
        for layout, way, power, fault in ((not interleaved, 1, 1, pairing),
                                          (interleaved, -1, 1, "it turns the other way round"),
                                          (interleaved, 1, 2, "the temperature is applied twice"),
                                          (interleaved, 1, 0, "the temperature is not applied"),
                                          (not interleaved, -1, 1, "pairs and direction are both wrong")):
            if fits(layout, way, power):
                raise NotConforming(f"{self.encoding}: {fault}")
        expected = content(q, k, frequencies, pairs_of(count, first, interleaved), self._factors(tokens - 1, d), 0) / math.sqrt(d)
        raise NotConforming(f"{self.encoding}: the score at distance 0 is {at[0]:.9g}; expected {expected:.9g}" if
                            abs(at[0] - expected) > tolerance * (1 + size) else
                            f"{self.encoding}: scores at distances over 0 are not those of its frequencies and pairs")

    def layers(self, windows: Iterable[int | None]) -> None:
        """The window of each layer of a config.json, None for a layer that sees everything."""
        given = list(windows)
        table: dict[int, int | None] = {}
        for one in run("check-properties", [self._argument, "--show-encoding"], self._given)["encodings"]:
            spec = tomllib.loads(one["toml"])
            window = int(spec["parameters"]["W"]["default"]) if "window" in spec["score"] else None
            table |= {layer: window for layer in one["layers"]} | {0: one["all_layers"]}
        count = table.pop(0) or 0
        expected = [table.get(layer) for layer in range(1, count + 1)]
        if len(given) != count:
            raise NotConforming(f"{self.encoding}: {len(given)} layers; expected {count}")
        for layer, (mine, right) in enumerate(zip(given, expected), 1):
            if mine == right or layer not in table:
                continue
            shifted = next((by for by in (1, -1) if all(given[i] == expected[i - by] for i in range(1, count - 1))), None)
            way = "later" if shifted == 1 else "earlier"
            hint = "" if shifted is None else f"; the schedule is shifted by one layer, to {way} ones"
            raise NotConforming(f"{self.encoding}: layer {layer} has {_window(mine)}; expected {_window(right)}{hint}")

    def _check_window(self, given: list[list[float]], unseen: Callable[[float], bool], tokens: int) -> None:
        score = self._toml()["score"]
        window = min(tokens, int(self._toml()["parameters"]["W"]["default"])) if "window" in score else tokens
        for i, row in enumerate(given):
            seen = sum(not unseen(value) for value in row[:i + 1])
            if seen != min(i + 1, window):
                raise NotConforming(f"{self.encoding}: query {i} sees {seen} keys; expected {min(i + 1, window)}"
                                    + (", its own among them" if window < tokens else ""))

    def _toml(self) -> dict[str, Any]:
        if self._shown is None:
            if self._given is not None:
                self._shown = tomllib.loads(self._given)
            elif self._argument.endswith(".toml"):
                self._shown = tomllib.loads(Path(self._argument).read_text(encoding="utf-8"))
            else:
                shown = run("check-properties", [self._argument, "--show-encoding"])["encodings"]
                names = [one["name"] for one in shown]
                if self.name is None and len(shown) > 1:
                    raise SpecError(f"{self.encoding} has several encodings; expected name= one of {', '.join(names)}")
                if self.name is not None and self.name not in names:
                    raise SpecError(f"{self.encoding} has no encoding '{self.name}'; expected one of {', '.join(names)}")
                self._shown = tomllib.loads(shown[names.index(self.name) if self.name else 0]["toml"])
        return self._shown

    def _rotation(self) -> tuple[list[float], int, bool, int]:
        """Signed frequencies by block, how many coordinates turn, whether neighbours do, and the head dimension."""
        rotation = self._toml()["score"].get("rotation")
        if rotation is None:
            raise SpecError(f"{self.encoding} does not turn; expected an encoding with a rotation")
        frequencies = [float(row["frequency"]) for row in self._rows("frequencies")]
        blocks = sum(value != 0 for value in frequencies)
        proportional = re.search(r"if\(j < \d+", rotation["angle"]) is not None
        count = 2 * len(frequencies) if proportional else 2 * blocks
        return frequencies, count, rotation.get("layout") == "interleaved", 2 * len(frequencies)

    def _factors(self, length: int, head_dim: int) -> list[float]:
        rows = self._rows("temperature", length)
        starts = [int(row["from block"]) for row in rows]
        return [float(rows[max(k for k, start in enumerate(starts) if start <= block)]["factor"]) for block in range(head_dim // 2)]

    def _compare(self, values: Iterable[float], expected: list[tuple[str, str, str]], what: str) -> None:
        given = _numbers(values)
        for value, (where, decimal, exact) in zip(given, expected):
            if not abs(value - float(decimal)) <= self.tolerance * abs(float(decimal)):
                shown = exact if exact == decimal else f"{exact} = {decimal}"
                raise NotConforming(f"{self.encoding}: {where} is {value:.9g}; expected {shown}")
        if len(given) != len(expected):
            raise NotConforming(f"{self.encoding}: {len(given)} {what}; expected {len(expected)}")

    def _rows(self, kind: str, length: int | None = None) -> list[Mapping[str, str]]:
        lengths = [] if length is None else ["--lengths", str(length)]
        shown = run("check-properties", [self._argument, "--table", kind, *self._options, *lengths], self._given)
        tables = {table["encoding"]: table["rows"] for table in shown.get("tables", [shown])}
        if self.name is None and len(tables) > 1:
            raise SpecError(f"{self.encoding} has several encodings; expected name= one of {', '.join(tables)}")
        if self.name is not None and self.name not in tables:
            raise SpecError(f"{self.encoding} has no encoding '{self.name}'; expected one of {', '.join(tables)}")
        rows = tables[self.name] if self.name is not None else next(iter(tables.values()))
        lengths = {row["length"] for row in rows if "length" in row} - {"every"}
        if len(lengths) > 1:
            raise SpecError(f"the {kind} of {self.encoding} depend on the length; expected length=")
        return rows


def _tensor(values: list[Any]) -> Any:
    import torch

    return torch.tensor(values, dtype=torch.float64)


def _window(keys: int | None) -> str:
    return "no window" if keys is None else f"a window of {keys} keys"


def _numbers(values: Iterable[float]) -> list[float]:
    return [float(value) for value in (values.tolist() if hasattr(values, "tolist") else values)]
