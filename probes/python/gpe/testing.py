"""Tests for your own encodings and kernels: Hypothesis draws contents and shapes, and finds the
smallest one that fails.

    import gpe.testing

    def test_my_kernel():
        # my_attention(q, k, v) is gpe.attention(q, k, v, "alibi")
        gpe.testing.assert_matches(my_attention, "alibi")

    def test_my_encoding():
        gpe.testing.assert_encodes("mine.toml", bias=lambda n, head: -n / 2**head, heads=8)

    @hypothesis.given(gpe.testing.encodings(), gpe.testing.contents())
    def test_any_encoding(encoding, content): ...

A failure is a `Mismatch`, an AssertionError that says at which query and key, and what was expected. Hypothesis' own
settings and profiles hold; `examples` is how many are drawn. It needs the package hypothesis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from gpe._errors import SpecError
from gpe._specs import Spec
from gpe._testing.mismatch import (
    Implementation,
    Mismatch,
    allowed_of,
    explained,
    is_close,
    output_of,
    weights_from,
    worst_of,
)
from gpe._testing.strategies import (
    Content,
    Shape,
    built_in_encodings,
    contents,
    encoding_files,
    encodings,
    exact_numbers,
    shapes,
)
from gpe._torch.attention import attention
from gpe._torch.encoding import Value, bind
from gpe._torch.operators import columns
from gpe._torch.report import AttentionStatistics
from gpe._torch.statistics import attention_statistics

__all__ = [
    "Content",
    "Mismatch",
    "Shape",
    "assert_causal",
    "assert_encodes",
    "assert_matches",
    "assert_normalized",
    "assert_statistics",
    "assert_statistics_match",
    "assert_window",
    "built_in_encodings",
    "contents",
    "encoding_files",
    "encodings",
    "exact_numbers",
    "shapes",
]


def assert_matches(
    implementation: Implementation,
    encoding: Spec | None = None,
    parameters: Mapping[str, Value] | None = None,
    *,
    shapes: st.SearchStrategy[Shape] | None = None,
    dtype: torch.dtype = torch.float32,
    tolerance: float | None = None,
    gradients: bool = False,
    examples: int = 40,
    **options: Any,
) -> None:
    """implementation(q, k, v) is gpe.attention(q, k, v, encoding, parameters, **options), in float64.

    Args:
        shapes: by default 4 heads with keys of their own, d = 16, as many queries as keys;
            `gpe.testing.shapes` has others.
        gradients: those of q, k and v as well.
    """

    def holds(content: Content) -> None:
        q, k, v = content.tensors
        exact = [x.double().requires_grad_(gradients) for x in (q, k, v)]
        wanted = attention(exact[0], exact[1], exact[2], encoding, parameters, **options)
        own = [x.clone().requires_grad_(gradients) for x in (q, k, v)]
        found = output_of(implementation, *own)
        allowed = allowed_of(content, tolerance)
        if not is_close(found, wanted, allowed):
            raise Mismatch(
                explained(implementation, content, encoding, parameters, options, found.detach(), wanted.detach())
            )
        if gradients:
            direction = torch.linspace(-1, 1, wanted.numel(), dtype=torch.float64).view(wanted.shape)
            expected = torch.autograd.grad((wanted * direction).sum(), exact)
            ours = torch.autograd.grad((found.double() * direction).sum(), own, allow_unused=True)
            for name, x, y in zip("qkv", ours, expected, strict=True):
                x = torch.zeros_like(y) if x is None else x
                if not is_close(x, y, 10 * allowed * (1 + float(y.abs().max()))):
                    raise Mismatch(f"the gradient of {name} {worst_of(x, y)}")

    _run(holds, contents(shapes, dtype=dtype), examples)


def assert_causal(
    implementation: Implementation,
    *,
    shapes: st.SearchStrategy[Shape] | None = None,
    dtype: torch.dtype = torch.float32,
    tolerance: float | None = None,
    examples: int = 40,
) -> None:
    """No output depends on later keys and values."""

    def holds(content: Content, cut: int) -> None:
        q, k, v = content.tensors
        first = k.size(2) - q.size(2)
        seen = first + cut % q.size(2) + 1  # by the query before the cut
        other_k, other_v = (torch.cat([x[:, :, :seen], 3 - x[:, :, seen:]], 2) for x in (k, v))
        before, after = (output_of(implementation, q, *kv)[:, :, : seen - first] for kv in ((k, v), (other_k, other_v)))
        if not is_close(after, before, allowed_of(content, tolerance)):
            raise Mismatch(
                f"with other keys from key {seen} on, which no earlier query sees, the output {worst_of(after, before)}"
            )

    _run(holds, (contents(shapes, dtype=dtype), st.integers(0, 2**16)), examples)


def assert_window(
    implementation: Implementation,
    window: int,
    *,
    shapes: st.SearchStrategy[Shape] | None = None,
    dtype: torch.dtype = torch.float32,
    tolerance: float | None = None,
    examples: int = 40,
) -> None:
    """No output depends on keys and values at distances of `window` or more: a query sees `window` keys."""

    def holds(content: Content, at: int) -> None:
        q, k, v = content.tensors
        query = at % q.size(2)
        hidden = max(0, k.size(2) - q.size(2) + query + 1 - window)
        other_k, other_v = (torch.cat([3 - x[:, :, :hidden], x[:, :, hidden:]], 2) for x in (k, v))
        before, after = (
            output_of(implementation, q, *kv)[:, :, query : query + 1] for kv in ((k, v), (other_k, other_v))
        )
        if not is_close(after, before, allowed_of(content, tolerance)):
            raise Mismatch(
                f"with other keys at distances from {window} on, the output of query {query} of {k.size(2)} keys "
                f"{worst_of(after, before)}"
            )

    _run(holds, (contents(shapes, dtype=dtype), st.integers(0, 2**16)), examples)


def assert_normalized(
    implementation: Implementation,
    *,
    sink: bool = False,
    shapes: st.SearchStrategy[Shape] | None = None,
    dtype: torch.dtype = torch.float32,
    tolerance: float | None = None,
    examples: int = 40,
) -> None:
    """Weights are not negative, and sum to 1; with a sink, to at most 1."""

    def holds(content: Content) -> None:
        q, k, v = content.tensors
        allowed = allowed_of(content, tolerance)
        weights = weights_from(implementation, q, k, v.size(-1))
        total = weights.sum(-1)
        if not bool((weights >= -allowed).all()):
            raise Mismatch(f"a weight is {float(weights.min()):.6g}")
        wrong = (total > 1 + allowed) if sink else ~((total - 1).abs() <= allowed)
        if bool(wrong.any()) or not bool(total.isfinite().all()):
            batch, head, query = (int(i) for i in (wrong | ~total.isfinite()).nonzero()[0])
            raise Mismatch(
                f"the weights of query {query} of head {head + 1} (batch entry {batch}) sum to "
                f"{float(total[batch, head, query]):.6g}; expected {'at most 1' if sink else '1'}"
            )

    _run(holds, contents(shapes, dtype=dtype), examples)


def assert_statistics(statistics: AttentionStatistics | Mapping[str, torch.Tensor], tolerance: float = 1e-4) -> None:
    """What must be true of any attention's statistics; those names of `AttentionStatistics` that
    are there. `keys` is needed.

    0 <= entropy <= log keys; max_score <= lse of the tokens <= max_score + log keys; max_weight =
    e^(max_score - lse), at least the tokens' share over the keys; entropy >= -log of the largest
    share; masses of all distances sum to the tokens' shares.
    """
    s = _fields(statistics)
    if "keys" not in s:
        raise SpecError("statistics: expected 'keys', how many keys each query sees")
    sees = s["keys"] > 0
    log_keys = torch.where(sees, s["keys"], 1).log()
    share = 1 - s.get("sink_weight", torch.zeros_like(log_keys))  # of the tokens

    def check(what: str, holds: torch.Tensor) -> None:
        wrong = sees & ~holds  # nan fails too
        if bool(wrong.any()):
            batch, head, query = (int(i) for i in wrong.nonzero()[0])
            values = ", ".join(
                f"{name} = {float(s[name][batch, head, query]):.6g}" for name in s if s[name].shape == sees.shape
            )
            raise Mismatch(f"{what} does not hold at query {query} of head {head + 1} (batch entry {batch}): {values}")

    if "entropy" in s:
        check("0 <= entropy <= log keys", (s["entropy"] >= -tolerance) & (s["entropy"] <= log_keys + tolerance))
    if "lse" in s and "max_score" in s:
        tokens = s["lse"] + share.log()
        scale = tolerance * (1 + s["lse"].abs())
        check(
            "max_score <= lse of the tokens <= max_score + log keys",
            (tokens >= s["max_score"] - scale) & (tokens <= s["max_score"] + log_keys + scale),
        )
        if "max_weight" in s:
            check(
                "max_weight = e^(max_score - lse)", ((s["max_score"] - s["lse"]).exp() - s["max_weight"]).abs() <= scale
            )
    if "max_weight" in s:
        check(
            "share of the tokens/keys <= max_weight <= share of the tokens",
            (s["max_weight"] >= share / torch.where(sees, s["keys"], 1) - tolerance)
            & (s["max_weight"] <= share + tolerance),
        )
        if "entropy" in s:
            check(
                "entropy >= -log(max_weight/share of the tokens)",
                (-s["entropy"]).exp() <= s["max_weight"] / share + tolerance,
            )
    if "varentropy" in s:
        check("varentropy >= 0", s["varentropy"] >= -tolerance)
    if "mean_distance" in s:
        check("mean_distance >= 0", s["mean_distance"] >= -tolerance)
    if "mass" in s:
        total, rows = s["mass"].nansum(-1), (share * sees).sum(-1)
        if not bool(((total - rows).abs() <= tolerance * (1 + rows)).all()):
            raise Mismatch(
                f"masses of all distances sum to {total.flatten().tolist()} by head; the tokens' shares to "
                f"{rows.flatten().tolist()}"
            )


def assert_statistics_match(
    function: Callable[[torch.Tensor, torch.Tensor], AttentionStatistics | Mapping[str, torch.Tensor]],
    encoding: Spec | None = None,
    parameters: Mapping[str, Value] | None = None,
    *,
    shapes: st.SearchStrategy[Shape] | None = None,
    dtype: torch.dtype = torch.float32,
    tolerance: float = 1e-3,
    examples: int = 40,
    **options: Any,
) -> None:
    """function(q, k) has the statistics by query that it returns as gpe.attention_statistics
    does, and they are consistent.

    Args:
        function: returns a mapping of names of `AttentionStatistics`, such as "lse" and "entropy", to [B, H, Nq].
        tolerance: relative to 1 + the largest content.
    """

    def holds(content: Content) -> None:
        q, k, _ = content.tensors
        found = _fields(function(q, k))
        options_here = {"query_offset": k.size(2) - q.size(2), **options}
        wanted = attention_statistics(q.double(), k.double(), encoding, parameters, **options_here)
        allowed = tolerance * (1 + float(wanted.content_bound.max()))
        for name, values in found.items():
            expected = getattr(wanted, name, None)
            if expected is None or values.shape != expected.shape:
                raise Mismatch(f"'{name}', {list(values.shape)}: expected a name of AttentionStatistics and its shape")
            if not is_close(values, expected, allowed * (1 + float(expected.abs().nan_to_num(posinf=0.0).max()))):
                raise Mismatch(f"{name} {worst_of(values[..., None], expected[..., None])}")
        assert_statistics({"keys": wanted.keys, "sink_weight": wanted.sink_weight, **found}, allowed)

    _run(holds, contents(shapes, dtype=dtype), examples)


def assert_encodes(
    encoding: Spec,
    *,
    bias: Callable[[int, int], float] | None = None,
    gain: Callable[[int, int], float] | None = None,
    angle: Callable[[int, int, int], float] | None = None,
    parameters: Mapping[str, Value] | None = None,
    heads: int = 1,
    head_dim: int = 16,
    length: int = 64,
    layer: int = 0,
    layers: int = 1,
    tolerance: float = 1e-9,
) -> None:
    """An encoding file says what these functions compute: bias(n, head) and gain(n, head) as A(n) = gain·c(n) + bias,
    and angle(n, block, head) in radians, up to whole turns; heads count from 1, blocks from 0, n from the first
    distance to length - 1, for a query with L = length - 1."""
    here, given_values = bind(encoding, parameters, head_dim=head_dim, heads=heads, layer=layer, layers=layers)
    name = here.description["name"]
    for head in range(heads):
        described = here.heads[head]
        table = columns(here, given_values, head, length - 1, length).detach()
        blocks = (table.size(0) - 4) // 2
        for n in range(described["first"], length):
            for what, function, row in (("bias", bias, 0), ("gain", gain, 1)):
                if function is not None:
                    _same(
                        f"{name}: {what} at n = {n} of head {head + 1}",
                        float(table[row, n]),
                        function(n, head + 1),
                        tolerance,
                    )
            if angle is None:
                continue
            if described["content"] != "rotation":
                raise Mismatch(f"{name}: it has no angle")
            for block in range(blocks):
                cosine, sine = float(table[4 + block, n]), float(table[4 + blocks + block, n])
                expected = angle(n, block, head + 1)
                difference = math.remainder(math.atan2(sine, cosine) - expected, 2 * math.pi)
                if not abs(difference) <= tolerance * (1 + abs(expected)):
                    raise Mismatch(
                        f"{name}: angle at n = {n} of block {block}, head {head + 1} is {expected + difference:.9g}; "
                        f"expected {expected:.9g}"
                    )


def _same(where: str, found: float, expected: float, tolerance: float) -> None:
    if not abs(found - expected) <= tolerance * (1 + abs(expected)):
        raise Mismatch(f"{where} is {found:.9g}; expected {float(expected):.9g}")


def _run(holds: Callable[..., None], strategy: Any, examples: int) -> None:
    strategies = strategy if isinstance(strategy, tuple) else (strategy,)
    quietly = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        phases=[
            phase for phase in Phase if phase is not Phase.explain
        ],  # lines of this package say nothing of the kernel
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.nested_given],
    )
    quietly(given(*strategies)(holds))()


def _fields(statistics: AttentionStatistics | Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    found = statistics if isinstance(statistics, Mapping) else vars(statistics)
    return {name: values.detach().double() for name, values in found.items() if name != "bucket_edges"}
