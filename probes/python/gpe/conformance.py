# Tests: tests/checks/conformance_test.py
"""An implementation's slopes, buckets, frequencies and temperature, held against the certified ones.

    from gpe.conformance import Conformance

    reference = Conformance("config.json")      # a name, a .toml file, a dict, or a config.json
    reference.slopes(my_slopes)                 # by head
    reference.buckets(my_bucket)                # a function of the distance, or a list
    reference.frequencies(my_inverse_frequencies)
    reference.temperature(my_scale * math.sqrt(head_dim))
    reference.rotation(my_rotation)             # (q, k, positions) -> (q, k): pairs, direction, what stays
    reference.scores(my_scores)                 # (q, k[, positions]) -> scores: by head, of the distance; the window
    reference.weights(my_weights, my_sink)      # the same after the softmax, with a sink
    reference.layers(my_windows)                # of a config.json: the window of each layer, None where it has none
    reference.module(my_model)                  # of a config.json: the attention of a model of transformers, by layer
    gpe.conformance.model(port, original, ids)  # two models side by side: where they first depart, and why

Each call passes, or raises NotConforming (an AssertionError) that names the first entry that is
wrong, and what it should be. The values are those of `check-properties --table`, in 17 digits.
Under pytest: the fixture `gpe_conformance` (gpe.pytest_plugin).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from gpe._conformance.functions import Others, asked_of, bounds, called, counts, fault_of_function
from gpe._conformance.law import FAR, Reference
from gpe._conformance.ports import NotConforming, Port, Reader, finite, listed, positive, shown, whole
from gpe._conformance.scores import Matrix, ports, scores_of, shifted, tolerances_of
from gpe._conformance.side_by_side import by_layer, model, steps
from gpe._conformance.sinks import fault_of_sink, rests, scores_of_weights
from gpe._conformance.turning import fault_of_images, fault_of_pairs, fault_of_rows, pairs_of
from gpe._errors import SpecError
from gpe._specs import Spec

__all__ = ["TOLERANCE", "Conformance", "NotConforming", "model", "steps"]

#: Of a value, for float32 implementations.
TOLERANCE = 1e-6


class Conformance:
    """What an implementation of one encoding must compute.

    encoding: a built-in name, a .toml file, a dict with its keys, or a config.json (with `name`,
        where its layers have several encodings).
    options: those of check-properties, for encodings that are not config.json: heads=8, head_dim=128, set={"m": "1/2"}.

    Raises gpe.SpecError, when a table is asked for, for what is wrong with the encoding and for a
    table that it does not have.
    """

    def __init__(
        self, encoding: Spec, *, name: str | None = None, tolerance: float = TOLERANCE, **options: Any
    ) -> None:
        self._reference, self.tolerance = Reference(encoding, name, options), positive("tolerance", tolerance)
        self.encoding = self._reference.label
        self._reader = Reader(self.encoding)

    def slopes(self, values: Iterable[float]) -> None:
        """Penalties per token, by head: b(0) - b(1), positive."""
        rows = self._reference.rows("slopes")
        expected = [(f"slope of head {row['head']}", row["decimal"], row["slope"]) for row in rows]
        self._compare(values, expected, "heads")

    def buckets(self, bucket: Callable[[int], int] | Sequence[int], farthest: int = 4096) -> None:
        """The bucket of each distance, in any numbering: a function of n to `farthest`, or a list
        from n = 0. Held to where buckets begin."""
        edges = [int(row["from n"]) for row in self._reference.rows("buckets") if row["head"] == "1"]
        if whole("farthest", farthest, 0) < edges[-1] and callable(bucket):
            raise SpecError(
                f"farthest = {farthest}; expected at least {edges[-1]}, where the last bucket of {self.encoding} begins"
            )
        known = None if callable(bucket) else self._reader.numbers(bucket)
        asked = Port(bucket, lambda n: n, "a function of the distance, or a list", [1]) if callable(bucket) else None
        if known is not None and len(known) <= edges[-1]:
            raise self._reader.fault(
                f"the list ends at n = {len(known) - 1}; expected one that comes to n = {edges[-1]}, "
                "where the last bucket begins"
            )

        def at(n: int) -> float:
            if known is not None:
                return known[n]
            assert asked is not None
            return self._reader.number(asked(n))

        current = next(k for k in reversed(range(len(edges))) if edges[k] <= 0)
        before, first = at(0), {at(0): 0}
        for n in range(1, (len(known) if known is not None else farthest + 1)):
            begins, now = current + 1 < len(edges) and edges[current + 1] == n, at(n)
            current += begins
            if (now != before) != begins:
                where = f"bucket {current} begins at n = {edges[current]}"
                if begins:
                    raise self._reader.fault(f"n = {n} and n = {n - 1} are in one bucket; expected that {where}")
                raise self._reader.fault(
                    f"a bucket begins at n = {n}; expected none there: {where}"
                    + (f", the next at n = {edges[current + 1]}" if current + 1 < len(edges) else ", the last")
                )
            if begins and now in first:
                raise self._reader.fault(
                    f"n = {n} and n = {first[now]} are in one bucket; expected that bucket {current} begins at n = {n}"
                )
            before = now
            first.setdefault(now, n)

    def frequencies(self, values: Iterable[float], length: int | None = None) -> None:
        """Radians per token, by block of two coordinates; those that do not turn are 0, and may be left out at the end.

        length: L, the index of the query, for frequencies that depend on it.
        """
        rows = self._reference.rows("frequencies", [] if length is None else [length])
        expected = [(f"frequency of block {row['block']}", row["frequency"], row["frequency"]) for row in rows]
        given = self._reader.numbers(values)
        if len(given) < len(expected) and all(float(value) == 0 for _, value, _ in expected[len(given) :]):
            given += [0.0] * (len(expected) - len(given))
        self._compare(given, expected, "blocks")

    def temperature(self, value: float | Sequence[float], length: int | None = None) -> None:
        """What multiplies q'k/sqrt(d): one number, or one per block.

        An implementation that multiplies cos and sin by s, and scores by `scaling`, has scaling*sqrt(d)*s**2.
        length: L, the index of the query, for a temperature that depends on it.
        """
        rows = self._reference.rows("temperature", [] if length is None else [length])
        given = self._reader.numbers(value)
        blocks = self._reference.blocks()
        if len(given) not in (1, blocks):
            raise self._reader.fault(f"{len(given)} temperatures; expected one, or one for each of {blocks} blocks")
        starts = [int(row["from block"]) for row in rows]
        if len(given) == 1 and len(rows) > 1:
            raise self._reader.fault(
                f"one temperature for all blocks; expected {rows[0]['factor']} up to block "
                f"{starts[1] - 1} and {rows[1]['factor']} for later blocks"
            )
        expected = []
        for block in range(len(given)):
            row = rows[max(k for k, start in enumerate(starts) if start <= block)]
            where = "temperature" if len(given) == 1 else f"temperature of block {block}"
            expected.append((where, row["factor"], row["factor"]))
        self._compare(given, expected, "blocks")

    def rotation(
        self,
        turn: Callable[[Any, Any, Any], Any],
        *,
        heads: int = 1,
        first: int = 0,
        tolerance: float = 1e-5,
        like: Callable[[list[Any]], Any] | None = None,
    ) -> None:
        """Which coordinates turn together, in which direction, and which stay.

        turn: (q, k, positions) -> (q, k), of one token per row: q and k are tensors of tokens x (heads*d), positions
            one of tokens, whole numbers. It is asked of every unit vector, at the positions 0, 1, 2, 7 and 100, and 301
            and 4099 where the context of a config.json has them; then each row at its own.
        first: the first coordinate that turns, where a part stays.
        like: what makes the tensors, of nested lists; torch.tensor by default, of queries and keys in float64.
        """
        asked = Port(turn, like, "a function of (q, k, positions)", [3])
        law = self._reference.law(1)
        if not law.frequencies:
            raise SpecError(f"{self.encoding} does not turn; expected an encoding with a rotation")
        tolerance = counts(law, heads, first, tolerance)
        self._reference.same_frequencies(100)
        size = heads * law.head_dim
        unit = [[float(a == b) for b in range(size)] for a in range(size)]

        def images(positions: Sequence[int]) -> dict[str, Matrix]:
            made = asked(unit, unit, list(positions))
            if not isinstance(made, (tuple, list)) or len(made) != 2:
                raise self._reader.fault(f"{shown(made)} came back; expected queries and keys, two")
            found = {
                name: self._reader.matrices(rows, 1, size, size)[0]
                for name, rows in zip(("queries", "keys"), made, strict=True)
            }
            for name, rows in found.items():
                at = next(
                    (at for at, row in zip(positions, rows, strict=True) if not all(map(math.isfinite, row))), None
                )
                if at is not None:
                    raise self._reader.fault(f"{name}: at position {at} there are values that are not finite numbers")
            return found

        where = [1, 0, 2, 7, 100, *(at for at in self._reference.far() if at in (301, 4099))]
        alone = {at: images([at] * size) for at in where}
        each = [where[a % len(where)] for a in range(size)]
        beside = images(each)
        for name in ("queries", "keys"):
            found = {at: rows[name] for at, rows in alone.items()}
            fault = (
                fault_of_pairs(found[1], law.frequencies, law.count, first, law.interleaved, law.head_dim, tolerance)
                or fault_of_images(
                    found, law.frequencies, pairs_of(law.count, first, law.interleaved), law.head_dim, 10 * tolerance
                )
                or fault_of_rows(beside[name], found, each, 10 * tolerance)
            )
            if fault:
                raise self._reader.fault(f"{name}: {fault}")

    def scores(
        self,
        score: Callable[..., Any],
        *,
        heads: int = 1,
        tokens: int = 48,
        first: int = 0,
        tolerance: float = 1e-5,
        norms: tuple[Sequence[float], Sequence[float]] | None = None,
        like: Callable[[list[Any]], Any] | None = None,
    ) -> None:
        """That scores depend on the distance alone, are those of the encoding and of their
        tokens, and end with its window; by head.

        score: (q, k) -> scores or (q, k, positions) -> scores, before the softmax: heads x tokens x tokens, or tokens x
            tokens of one head, of q and k tokens x (heads*d); -inf or less than -1e4 for what is not seen. Rotation,
            temperature, scale and window are its own. With positions, which are whole numbers, those at which a
            temperature by position changes and a window ends are among them, and some from 300 to 4099, as far as the
            context of a config.json goes; without, a window of `tokens` keys or more is not seen to end, and pairs that
            turn by less than tolerance/tokens per token are not told apart.
        norms: the weights of the norms of queries and keys, where `score` norms them: d numbers,
            or heads*d for a norm of all heads, or for layer norms of each. Their biases are 0,
            and what they add to the mean square is that of the config.json.
        """
        law, port, asked = asked_of(self._reference, score, like, heads, tokens, first, tolerance, norms)
        size = len(asked.positions)
        fault = fault_of_function(
            law,
            asked,
            lambda *states: self._reader.matrices(called(port, asked, *states), heads, size, size),
            tolerances_of(law, asked, tolerance),
        )
        if fault:
            raise self._reader.fault(fault)

    def weights(
        self,
        weigh: Callable[..., Any],
        sinks: float | Sequence[float],
        *,
        heads: int = 1,
        tokens: int = 48,
        first: int = 0,
        tolerance: float = 1e-5,
        like: Callable[[list[Any]], Any] | None = None,
    ) -> None:
        """That a softmax has a sink: one more logit, which takes its part of the weights.

        weigh: as `score` of `scores`, but the weights after the softmax, of the tokens alone.
        sinks: the logit that `weigh` has for its sink, by head, or one for all. It has to take 1/1000 of some query's
            weights or more, and to leave 1/10000 of some.
        """
        law, port, asked = asked_of(self._reference, weigh, like, heads, tokens, first, tolerance, None)
        if not law.sink:
            raise SpecError(f"{self.encoding} has no sink; expected an encoding with one")
        logits = finite("sinks", sinks)
        if len(logits) not in (1, heads):
            raise SpecError(f"{len(logits)} sinks; expected one, or one for each of {heads} heads")
        logits = logits * (heads // len(logits))
        largest = max(tolerances_of(replace(law, frequencies=[]), asked, 1.0))
        asked = replace(asked, q=[[x / max(largest / 4, 1) for x in row] for row in asked.q])
        size, expected = len(asked.positions), scores_of(law, asked, ports(law, asked)[0][0])
        lowest = [min(taken) for taken in zip(*rests(bounds(law, asked), logits), strict=True)]  # of each query
        for logit, taken in zip(logits, rests(expected, logits), strict=True):
            if max(taken) < 1e-3 or min(taken) > 1 - 1e-4 or min(lowest) < 0.1 * tolerance:
                raise SpecError(
                    f"a sink of logit {logit:.9g} takes from {min(*taken, *lowest):.3g} to {max(taken):.3g} of the "
                    f"weights, and leaves {1 - min(taken):.3g} at most; expected one that takes {0.1 * tolerance:.3g} "
                    "or more of each query's, 1/1000 of some, and leaves 1/10000 of some"
                )
        rounded = [
            one + 0.04 * tolerance / rest
            for one, rest in zip(tolerances_of(law, asked, tolerance), lowest, strict=True)
        ]

        def scores(q: Matrix, k: Matrix, others: Others = None) -> list[Matrix]:
            given = self._reader.matrices(called(port, asked, q, k, others), heads, size, size)
            fault = fault_of_sink(law, given, asked.positions, logits, expected)
            if fault:
                raise self._reader.fault(fault)
            return scores_of_weights(given, logits)

        fault = fault_of_function(law, asked, scores, rounded)
        if fault:
            raise self._reader.fault(fault)

    def module(self, model: Any, *, tolerance: float = 1e-4) -> None:
        """The attention of a model of transformers in float32 with this config.json, layer by layer: sizes, windows,
        rotation, norms, temperature, sinks.

        It is called with a few tokens, and with as many as it takes for a temperature by position to change; its
        attention functions give queries, keys, scale, mask and sinks, and add nothing to the states. Norm weights and
        sinks are random numbers for the while, and weights of 1 (or 0, where 1 is added) once, where queries and keys
        are normed. What the model does beside attention must not depend on the position. Not seen: windows over 4096
        keys that do not end, a factor of states that are not normed, norms of each head in place of one of all, and
        which of two norms has which weights.
        """
        tolerance = positive("tolerance", tolerance)
        if not self._reference.encodings:
            raise SpecError(f"{self.encoding} is not a config.json; expected that of the model")
        if not hasattr(getattr(model, "config", None), "_attn_implementation"):
            raise SpecError(f"{shown(model)}; expected a model of transformers")
        from gpe._conformance.layers import TOKENS, layer_faults

        kinds, far = [], set(FAR)
        for one in self._reference.encodings:
            reference = self._reference.named(one.name)
            law = reference.law(TOKENS)
            kinds.append((one, law, reference.positions(law, TOKENS, last=2)))
            far &= set(reference.far())
        faults = sorted(layer_faults(model, kinds, sorted(far), tolerance))
        if faults:
            raise self._reader.fault("\n".join(by_layer(faults)))

    def layers(self, windows: Iterable[int | None]) -> None:
        """The window of each layer of a config.json, None for a layer that sees everything."""
        if not self._reference.encodings:
            raise SpecError(f"{self.encoding} is not a config.json; expected that of a model")
        given = [None if window is None else self._reader.number(window) for window in listed(windows)]
        table: dict[int, int | None] = {}
        for one in self._reference.encodings:
            window = int(one.spec["parameters"]["W"]["default"]) if "window" in one.spec["score"] else None
            table |= {layer: window for layer in one.layers} | {0: one.all_layers}
        count = table.pop(0) or 0
        expected = [table.get(layer) for layer in range(1, count + 1)]
        if len(given) != count:
            raise self._reader.fault(f"{len(given)} layers; expected {count}")
        for layer, (mine, right) in enumerate(zip(given, expected, strict=True), 1):
            if mine == right or layer not in table:
                continue
            hint = shifted(given, expected)
            raise self._reader.fault(f"layer {layer} has {_window(mine)}; expected {_window(right)}{hint}")

    def _compare(self, values: Iterable[float], expected: list[tuple[str, str, str]], what: str) -> None:
        given = self._reader.numbers(values)
        for value, (where, decimal, exact) in zip(given, expected, strict=False):
            if not abs(value - float(decimal)) <= self.tolerance * abs(float(decimal)):
                shown = exact if exact == decimal else f"{exact} = {decimal}"
                raise self._reader.fault(f"{where} is {value:.9g}; expected {shown}")
        if len(given) != len(expected):
            raise self._reader.fault(f"{len(given)} {what}; expected {len(expected)}")


def _window(keys: float | None) -> str:
    return "no window" if keys is None else f"a window of {keys:.9g} keys"
