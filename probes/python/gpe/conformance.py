"""An implementation's slopes, buckets, frequencies and temperature, held against the certified ones.

    from gpe.conformance import Conformance

    reference = Conformance("config.json")      # a name, a .toml file, a dict, or a config.json
    reference.slopes(my_slopes)                 # by head
    reference.buckets(my_bucket)                # a function of the distance, or a list
    reference.frequencies(my_inverse_frequencies)
    reference.temperature(my_scale * math.sqrt(head_dim))
    reference.rotation(my_rotation)             # (q, k, positions) -> (q, k): pairs, direction, what stays
    reference.scores(my_scores)                 # (q, k[, positions]) -> scores: by head, of the distance alone, and which; the window
    reference.weights(my_weights, my_sink)      # the same after the softmax, with a sink
    reference.layers(my_windows)                # of a config.json: the window of each layer, None where it has none
    reference.module(my_model)                  # of a config.json: the attention of a model of transformers, layer by layer

Each call passes, or raises NotConforming (an AssertionError) that names the first entry that is wrong, and what it should be.
The values are those of `check-properties --table`, in 17 digits. Under pytest: the fixture `gpe_conformance` (gpe.pytest_plugin).
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from gpe._errors import SpecError
from gpe._law import Reference
from gpe._scores import Asked, Law, Matrix, Vector, differs, fault_of_scores, fault_of_sink, fault_of_token, ports, scores_of, scores_of_weights, tolerances_of
from gpe._specs import Spec
from gpe._turning import fault_of_images, fault_of_pairs, pairs_of

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
        self._reference, self.tolerance = Reference(encoding, name, options), tolerance
        self.encoding = self._reference.label

    def slopes(self, values: Iterable[float]) -> None:
        """Penalties per token, by head: b(0) - b(1), positive."""
        rows = self._reference.rows("slopes")
        expected = [(f"slope of head {row['head']}", row["decimal"], row["slope"]) for row in rows]
        self._compare(values, expected, "heads")

    def buckets(self, bucket: Callable[[int], int] | Sequence[int], farthest: int = 4096) -> None:
        """The bucket of each distance, in any numbering: a function of n to `farthest`, or a list from n = 0. Held to where buckets begin."""
        edges = [int(row["from n"]) for row in self._reference.rows("buckets") if row["head"] == "1"]
        if callable(bucket) and farthest < edges[-1]:
            raise SpecError(f"farthest = {farthest}; expected at least {edges[-1]}, where the last bucket of {self.encoding} begins")
        known = None if callable(bucket) else self._numbers(bucket)
        if known is not None and len(known) <= edges[-1]:
            raise NotConforming(f"{self.encoding}: the list ends at n = {len(known) - 1}; expected one that comes to n = {edges[-1]}, where the last bucket begins")

        def at(n: int) -> float:
            return known[n] if known is not None else self._numbers(bucket(n))[0]  # type: ignore[operator]

        current = next(k for k in reversed(range(len(edges))) if edges[k] <= 0)
        before, first = at(0), {at(0): 0}
        for n in range(1, (len(known) if known is not None else farthest + 1)):
            begins, now = current + 1 < len(edges) and edges[current + 1] == n, at(n)
            current += begins
            if (now != before) != begins:
                where = f"bucket {current} begins at n = {edges[current]}"
                if begins:
                    raise NotConforming(f"{self.encoding}: n = {n} and n = {n - 1} are in one bucket; expected that {where}")
                raise NotConforming(f"{self.encoding}: a bucket begins at n = {n}; expected none there: {where}"
                                    + (f", the next at n = {edges[current + 1]}" if current + 1 < len(edges) else ", the last"))
            if begins and now in first:
                raise NotConforming(f"{self.encoding}: n = {n} and n = {first[now]} are in one bucket; expected that bucket {current} begins at n = {n}")
            before = now
            first.setdefault(now, n)

    def frequencies(self, values: Iterable[float], length: int | None = None) -> None:
        """Radians per token, by block of two coordinates; those that do not turn are 0, and may be left out at the end.

        length: L, the index of the query, for frequencies that depend on it.
        """
        rows = self._reference.rows("frequencies", _lengths(length))
        expected = [(f"frequency of block {row['block']}", row["frequency"], row["frequency"]) for row in rows]
        given = self._numbers(values)
        if len(given) < len(expected) and all(float(value) == 0 for _, value, _ in expected[len(given):]):
            given += [0.0] * (len(expected) - len(given))
        self._compare(given, expected, "blocks")

    def temperature(self, value: float | Sequence[float], length: int | None = None) -> None:
        """What multiplies q'k/sqrt(d): one number, or one a block.

        An implementation that multiplies cos and sin by s, and scores by `scaling`, has scaling*sqrt(d)*s**2.
        length: L, the index of the query, for a temperature that depends on it.
        """
        rows = self._reference.rows("temperature", _lengths(length))
        given = self._numbers(value)
        blocks = self._reference.blocks()
        if len(given) not in (1, blocks):
            raise NotConforming(f"{self.encoding}: {len(given)} temperatures; expected one, or one for each of {blocks} blocks")
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

        turn: (q, k, positions) -> (q, k), of one token a row: q and k are tensors of tokens x (heads*d), positions one of tokens,
            whole numbers. It is asked at the positions 0, 1, 2, 7 and 100, of every unit vector.
        first: the first coordinate that turns, where a part stays.
        like: what makes the tensors, of nested lists; torch.tensor by default, of queries and keys in float64.
        """
        law = self._reference.law(1)
        if not law.frequencies:
            raise SpecError(f"{self.encoding} does not turn; expected an encoding with a rotation")
        _counts(law, heads, first)
        size = heads * law.head_dim
        unit = [[float(a == b) for b in range(size)] for a in range(size)]
        images: dict[str, dict[int, Matrix]] = {"queries": {}, "keys": {}}
        for position in (1, 0, 2, 7, 100):
            made = turn((like or _tensor)(unit), (like or _tensor)(unit), (like or _tensor)([position] * size))
            if not isinstance(made, (tuple, list)) or len(made) != 2:
                raise NotConforming(f"{self.encoding}: {_shown(made)} came back; expected queries and keys, two")
            for name, rows in zip(images, made):
                images[name][position] = self._matrices(rows, 1, size, size)[0]
                if not all(math.isfinite(x) for row in images[name][position] for x in row):
                    raise NotConforming(f"{self.encoding}: {name}: at position {position} there are values that are no finite numbers")
        for name, found in images.items():
            fault = (fault_of_pairs(found[1], law.frequencies, law.count, first, law.interleaved, law.head_dim, tolerance)
                     or fault_of_images(found, law.frequencies, pairs_of(law.count, first, law.interleaved), law.head_dim, 10 * tolerance))
            if fault:
                raise NotConforming(f"{self.encoding}: {name}: {fault}")

    def scores(self, score: Callable[..., Any], *, heads: int = 1, tokens: int = 48, first: int = 0, tolerance: float = 1e-5,
               norms: tuple[Sequence[float], Sequence[float]] | None = None, like: Callable[[list[Any]], Any] | None = None) -> None:
        """That scores depend on the distance alone, are those of the encoding and of their tokens, and end with its window; by head.

        score: (q, k) -> scores or (q, k, positions) -> scores, before the softmax: heads x tokens x tokens, or tokens x tokens of one
            head, of q and k tokens x (heads*d); -inf or less than -1e4 for what is not seen. Rotation, temperature, scale and window
            are its own. With positions, which are whole numbers, those at which a temperature by position changes and a window ends
            are among them; without, a window of `tokens` keys or more is not seen to end. Pairs that turn by less than
            tolerance/tokens a token are told apart by `rotation`.
        norms: the weights of the norms of queries and keys, where `score` norms them: d numbers, or heads*d for a norm of all heads.
        """
        law, make = self._reference.law(tokens), like or _tensor
        asked = self._asked(score, law, heads, tokens, first, norms)
        size = len(asked.positions)
        self._examine(law, asked, lambda q, k, other=None: self._matrices(_call(score, make, q, k, asked.positions, other), heads, size, size), tolerance)

    def weights(self, weigh: Callable[..., Any], sinks: float | Sequence[float], *, heads: int = 1, tokens: int = 48, first: int = 0,
                tolerance: float = 1e-5, like: Callable[[list[Any]], Any] | None = None) -> None:
        """That a softmax has a sink: one more logit, which takes its part of the weights.

        weigh: as `score` of `scores`, but the weights after the softmax, of the tokens alone.
        sinks: the logit that `weigh` has for its sink, by head, or one for all. It has to take 1/1000 of some query's weights or more.
        """
        law, make = self._reference.law(tokens), like or _tensor
        if not law.sink:
            raise SpecError(f"{self.encoding} has no sink; expected an encoding with one")
        logits = self._numbers(sinks)
        if len(logits) not in (1, heads):
            raise SpecError(f"{len(logits)} sinks; expected one, or one for each of {heads} heads")
        logits = logits * (heads // len(logits))
        asked = self._asked(weigh, law, heads, tokens, first, None)
        size = len(asked.positions)
        expected = scores_of(law, asked, ports(law, asked)[0][0])
        rests = [[1 / (1 + math.fsum(math.exp(score - sink) for score in row)) for row in rows] for rows, sink in zip(expected, logits)]
        small = next((h for h, rest in enumerate(rests) if max(rest) < 1e-3), None)
        if small is not None:
            raise SpecError(f"a sink of logit {logits[small]:.9g} takes {max(rests[small]):.3g} of the weights at most; expected one that takes 1/1000 or more")
        rounded = [tolerance + 4e-7 / min(rest) for tolerance, rest in zip(tolerances_of(law, asked, tolerance), zip(*rests))]

        def scores(q: Matrix, k: Matrix, other: _Other = None) -> list[Matrix]:
            given = self._matrices(_call(weigh, make, q, k, asked.positions, other), heads, size, size)
            fault = fault_of_sink(law, given, asked.positions, logits)
            if fault:
                raise NotConforming(f"{self.encoding}: {fault}")
            return scores_of_weights(given, logits)

        self._examine(law, asked, scores, rounded)

    def module(self, model: Any, *, tolerance: float = 1e-4) -> None:
        """The attention of a model of transformers in float32 with this config.json, layer by layer: sizes, windows, rotation, norms, temperature, sinks.

        It is called with a few tokens, and with as many as it takes for a temperature by position to change; its attention functions
        give queries, keys, scale, mask and sinks, and add nothing to the states. Norm weights and sinks are random numbers for the
        while. Windows over 4096 keys are not seen to end. What the model does beside attention must not depend on the position.
        """
        if not self._reference.encodings:
            raise SpecError(f"{self.encoding} is no config.json; expected that of the model")
        if not hasattr(getattr(model, "config", None), "_attn_implementation"):
            raise SpecError(f"{_shown(model)}; expected a model of transformers")
        from gpe._layers import TOKENS, layer_faults

        kinds = []
        for one in self._reference.encodings:
            reference = self._reference.named(one.name)
            law = reference.law(TOKENS)
            kinds.append((one, law, reference.positions(law, TOKENS, last=2)))
        faults: dict[str, list[tuple[int, str]]] = {}  # those that differ in numbers alone are one
        for layer, fault in sorted(layer_faults(model, kinds, tolerance)):
            faults.setdefault(re.sub(r"[\d.]+(e-\d+)?", "", fault), []).append((layer, fault))
        if faults:
            told = [f"layer{'s' * (len(found) > 1)} {', '.join(str(layer) for layer, _ in found)}: {found[0][1]}" for found in faults.values()]
            raise NotConforming(f"{self.encoding}: " + "\n".join(told))

    def layers(self, windows: Iterable[int | None]) -> None:
        """The window of each layer of a config.json, None for a layer that sees everything."""
        if not self._reference.encodings:
            raise SpecError(f"{self.encoding} is no config.json; expected that of a model")
        given = list(windows)
        table: dict[int, int | None] = {}
        for one in self._reference.encodings:
            window = int(one.spec["parameters"]["W"]["default"]) if "window" in one.spec["score"] else None
            table |= {layer: window for layer in one.layers} | {0: one.all_layers}
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

    def _asked(self, call: Callable[..., Any], law: Law, heads: int, tokens: int, first: int,
               norms: tuple[Sequence[float], Sequence[float]] | None) -> Asked:
        _counts(law, heads, first)
        if tokens < 2:
            raise SpecError(f"tokens = {tokens}; expected 2 or more")
        positions = self._reference.positions(law, tokens)
        if not _takes_positions(call):
            change = next((p for p in positions if law.gain_by == "position" and law.gain(p) != law.gain(0)), 0)
            if change >= tokens:
                raise SpecError(f"the temperature of {self.encoding} changes at position {change}; expected a function of (q, k, positions)")
            positions = list(range(tokens))
        if norms is not None and self._reference.one is not None and law.normed is None:
            raise SpecError(f"{self.encoding} does not norm queries and keys; expected no norms=")
        q = [[math.sin(1 + 3 * c * c + 7 * h) + 0.5 for c in range(law.head_dim)] for h in range(heads)]
        k = [[math.cos(2 + 5 * c * c + 4 * h) - 0.3 for c in range(law.head_dim)] for h in range(heads)]
        weights = None if norms is None else tuple(self._numbers(one) for one in norms)
        if weights is not None and (len(weights) != 2 or not {len(one) for one in weights} <= {law.head_dim, heads * law.head_dim}):
            raise SpecError(f"norms of {[len(one) for one in weights]} numbers; expected two, of {law.head_dim}" + f" or {heads * law.head_dim}" * (heads > 1))
        return Asked(q, k, positions, first, weights)  # type: ignore[arg-type]

    def _examine(self, law: Law, asked: Asked, scores: Callable[..., list[Matrix]], tolerance: float | Vector) -> None:
        given = scores(asked.q, asked.k)
        law = replace(law, normed=None if asked.norms is None else law.normed is not False)
        tolerances = tolerance if isinstance(tolerance, list) else tolerances_of(law, asked, tolerance)

        def mixed() -> str | None:
            for other in range(len(asked.q)):
                changed = [[row[::-1] if h == other else row for h, row in enumerate(rows)] for rows in (asked.q, asked.k)]
                for h, (before, after) in enumerate(zip(given, scores(*changed))):
                    if h != other and differs(after, before, tolerances):
                        return f"across heads: the scores of head {h + 1} change with the coordinates of head {other + 1}; expected its own alone"
            return None

        def misplaced() -> str | None:
            token = len(asked.positions) // 3
            other = replace(asked, q=[row[::-1] for row in asked.q], k=[row[::-1] for row in asked.k])
            changed = scores(asked.q, asked.k, (token, other.q, other.k))
            return fault_of_token(law, changed, asked, other, token, tolerances)

        alone = asked.norms is None or len(asked.norms[0]) == law.head_dim
        fault = fault_of_scores(law, given, asked, tolerances, mixed if alone and len(asked.q) > 1 else lambda: None) or misplaced()
        if fault:
            raise NotConforming(f"{self.encoding}: {fault}")

    def _numbers(self, values: Any) -> Vector:
        found = _plain(values)
        found = found if isinstance(found, list) else [found]
        if not all(isinstance(value, (int, float)) for value in found):
            raise NotConforming(f"{self.encoding}: {_shown(values)}; expected numbers")
        return [float(value) for value in found]

    def _matrices(self, values: Any, count: int, rows: int, columns: int) -> list[Matrix]:
        """So many matrices, with leading axes of length 1; one may be without its axis."""
        found = _plain(values)
        shape = _shape(found)
        while shape is not None and len(shape) > 3 and shape[0] == 1:
            found, shape = found[0], shape[1:]
        if count == 1 and shape == (rows, columns):
            found, shape = [found], (1, rows, columns)
        if shape != (count, rows, columns):
            raise NotConforming(f"{self.encoding}: {_shown(values)} came back; expected numbers of shape {(count, rows, columns)}")
        return found  # type: ignore[no-any-return]

    def _compare(self, values: Iterable[float], expected: list[tuple[str, str, str]], what: str) -> None:
        given = self._numbers(values)
        for value, (where, decimal, exact) in zip(given, expected):
            if not abs(value - float(decimal)) <= self.tolerance * abs(float(decimal)):
                shown = exact if exact == decimal else f"{exact} = {decimal}"
                raise NotConforming(f"{self.encoding}: {where} is {value:.9g}; expected {shown}")
        if len(given) != len(expected):
            raise NotConforming(f"{self.encoding}: {len(given)} {what}; expected {len(expected)}")


#: A token, and its queries and keys by head.
_Other = tuple[int, Matrix, Matrix] | None


def _call(call: Callable[..., Any], make: Callable[[list[Any]], Any], q: Matrix, k: Matrix, positions: Sequence[int], other: _Other = None) -> Any:
    """Of equal tokens, but for the other one."""
    states = []
    for side, rows in enumerate((q, k), 1):
        tokens = [[x for row in rows for x in row] for _ in positions]
        if other is not None:
            tokens[other[0]] = [x for row in other[side] for x in row]  # type: ignore[union-attr]
        states.append(make(tokens))
    return call(*states, make(list(positions))) if _takes_positions(call) else call(*states)


def _takes_positions(call: Callable[..., Any]) -> bool:
    """Whether it has a third argument that it must be given."""
    try:
        parameters = inspect.signature(getattr(call, "forward", call)).parameters.values()
    except (TypeError, ValueError):
        raise SpecError(f"{_shown(call)}; expected a function of (q, k) or of (q, k, positions)") from None
    return sum(one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in parameters) > 2


def _counts(law: Law, heads: int, first: int) -> None:
    if heads < 1:
        raise SpecError(f"heads = {heads}; expected 1 or more")
    if not 0 <= first <= law.head_dim - law.count:
        raise SpecError(f"first = {first}; expected 0 to {law.head_dim - law.count}, as {law.count} of {law.head_dim} coordinates turn")


def _lengths(length: int | None) -> list[int]:
    return [] if length is None else [length]


def _tensor(values: list[Any]) -> Any:
    """Of positions whole numbers."""
    import torch

    return torch.tensor(values, dtype=torch.float64 if isinstance(values[0], list) else torch.int64)


def _plain(values: Any) -> Any:
    """Lists of what is a list, an array or a tensor, of the same in a list too."""
    if hasattr(values, "detach"):
        values = values.detach()
    if hasattr(values, "tolist"):
        return values.tolist()
    return [_plain(value) for value in values] if isinstance(values, Iterable) and not isinstance(values, (str, bytes, dict)) else values


def _shape(values: Any) -> tuple[int, ...] | None:
    """Of lists of lists of real numbers; None for anything else, and where rows differ in length."""
    if not isinstance(values, list):
        return () if isinstance(values, (int, float)) else None
    inner = {_shape(value) for value in values}
    one = inner.pop() if len(inner) == 1 else None
    return None if one is None else (len(values), *one)


def _shown(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return type(value).__name__ + ("" if shape is None else f" of shape {tuple(shape)}") + (f" of length {len(value)}" if isinstance(value, (list, tuple)) else "")


def _window(keys: int | None) -> str:
    return "no window" if keys is None else f"a window of {keys} keys"
