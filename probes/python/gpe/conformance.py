"""An implementation's slopes, buckets, frequencies and temperature, held against the certified ones.

    from gpe.conformance import Conformance

    reference = Conformance("config.json")      # a name, a .toml file, a dict, or a config.json
    reference.slopes(my_slopes)                 # by head
    reference.buckets(my_bucket)                # a function of the distance, or a list
    reference.frequencies(my_inverse_frequencies)
    reference.temperature(my_scale * math.sqrt(head_dim))

Each call passes, or raises NotConforming (an AssertionError) that names the first entry that is wrong, and what it should be.
The values are those of `check-properties --table`, in 17 digits. Under pytest: the fixture `gpe_conformance` (gpe.pytest_plugin).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gpe._errors import SpecError
from gpe._programs import argument_of, option_arguments, run
from gpe._specs import Spec

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


def _numbers(values: Iterable[float]) -> list[float]:
    return [float(value) for value in (values.tolist() if hasattr(values, "tolist") else values)]
