"""Rules of the gradient: M(n) = f(n) W(n), angles, blocks, soft caps, distances that are not seen."""

from forgery import at_points, rule, twins, verdict

CONSTANT = {"rule": "constant"}
TURNING = {"transform": "rotation", "angle": "n"}
HALF_TURNS = {"transform": "rotation", "angle": "pi*n"}
SCALED = {"transform": "scaled-rotation", "angle": "0"}
HYPERBOLIC = {"transform": "hyperbolic"}


def gps(claim, name, **more):
    keys = ("from_", "to", "block", "other", "e", "g", "q", "branch", "turned")
    return verdict(
        "gps." + claim, at_points(name, **{key.rstrip("_"): more.pop(key) for key in keys if key in more}), **more
    )


def all_fail(**of):
    return {reading: gps(reading + ".fails", "constant", **of) for reading in ("norm", "vector", "scalar")}


# ---- sizes and factors

size = {"from_": 0, "to": 5, "block": 0, "e": "1"}
twins(
    "size",
    gps("norm.holds", "size-changes", gain="1 + n", **size),
    same=gps("norm.holds", "size-changes", **size),
    falls=gps("norm.holds", "size-changes", **{**size, "e": "-1"}),
    zero=gps("norm.holds", "size-changes", gain="1 + n", **{**size, "e": "0"}),
    none=gps("norm.holds", "size-changes", gain="1 + n", transform="none", **size),
    window=gps("norm.holds", "size-changes", gain="1 + n", window="1", **size),
    seen=gps("norm.holds", "size-changes", gain="if(n == 5, 2, 1)", window="5", **size),
    first=gps("norm.holds", "size-changes", gain="if(n == 0, 0, 1)", first=1, **size),
    sign=gps("norm.holds", "size-changes", gain="n - 5/2", **size),
    scalar=gps("scalar.holds", "size-changes", gain="1 + n", **size),
    fails=gps("norm.fails", "size-changes", gain="1 + n", **size),
    beyond=gps("norm.holds", "size-changes", scale="if(j == 32, 1 + n, 1)", **{**SCALED, **size, "block": 32}),
    turned=gps("norm.holds", "size-changes", **{**TURNING, **size}),
    turned_zero=gps("norm.holds", "size-changes", **{**HYPERBOLIC, "rate": "0", "decay": "0", **size}),
)
twins(
    "size-of-block",
    gps("norm.holds", "size-changes", scale="if(j == 31, 1 + n, 1)", **{**SCALED, **size, "block": 31}),
    other_block=gps(
        "norm.holds",
        "size-changes",
        scale="if(j == 31, 1 + n, 1)",
        gain="if(n == 5, 1, 1)",
        **{**SCALED, **size, "block": 30},
    ),
)
twins(
    "size-of-branch",
    gps("norm.holds", "size-changes", rate="1", decay="1", branch="-1", **{**HYPERBOLIC, **size, "e": "-1"}),
    zero=gps("norm.holds", "size-changes", rate="0", decay="0", branch="3", **{**HYPERBOLIC, **size}),
    other=gps("norm.holds", "size-changes", rate="1", decay="1", branch="1", **{**HYPERBOLIC, **size}),
)
factor = {"from_": 0, "to": 5, "e": "1"}
twins(
    "factor",
    gps("scalar.holds", "factor-changes", gain="1 + n", **factor),
    none=gps("scalar.holds", "factor-changes", gain="1 + n", transform="none", **factor),
    none_vector=gps("vector.holds", "factor-changes", gain="1 + n", transform="none", **factor),
    same=gps("scalar.holds", "factor-changes", **factor),
    turning=gps("scalar.holds", "factor-changes", gain="1 + n", **{**TURNING, **factor}),
    some_blocks=gps(
        "scalar.holds",
        "factor-changes",
        gain="1 + n",
        transform="rotation",
        angle="if(j == 31, pi*n, 2*pi*n)",
        **factor,
    ),
    last_block=gps(
        "scalar.holds", "factor-changes", gain="1 + n", transform="rotation", angle="if(j == 31, n, 2*pi*n)", **factor
    ),
    blocks=gps("scalar.holds", "factor-changes", scale="1 + j*n", **{**SCALED, **factor}),
    last_scale=gps("scalar.holds", "factor-changes", scale="if(j == 31, 1, 1 + n)", **{**SCALED, **factor}),
    hyperbolic=gps("scalar.holds", "factor-changes", gain="1 + n", rate="1", decay="0", **{**HYPERBOLIC, **factor}),
    hyperbolic_block=gps(
        "scalar.holds", "factor-changes", gain="1 + n", rate="if(j == 31, 1, 0)", decay="0", **{**HYPERBOLIC, **factor}
    ),
    norm=gps("norm.holds", "factor-changes", gain="n - 5/2", **factor),
    window=gps("scalar.holds", "factor-changes", gain="1 + n", window="1", **factor),
    square_roots=gps(
        "scalar.holds", "factor-changes", gain="1 + n", transform="rotation", angle="2*pi*sqrt(n)", **factor
    ),
    thirds=gps("scalar.holds", "factor-changes", gain="1 + n", transform="rotation", angle="2*pi*n/3", **factor),
)
twins(
    "factor-of-whole-turns",
    gps("scalar.holds", "factor-changes", gain="1 + n", transform="rotation", angle="2*pi*n*j", **factor),
)
twins(
    "factor-of-half-turns",
    gps("scalar.holds", "factor-changes", **{**HALF_TURNS, **factor, "e": "-1"}),
    even=gps("scalar.holds", "factor-changes", **{**HALF_TURNS, **factor, "to": 4, "e": "-1"}),
    undone=gps("scalar.holds", "factor-changes", gain="cos(pi*n)", **{**HALF_TURNS, **factor, "e": "-1"}),
    rises=gps("scalar.holds", "factor-changes", **{**HALF_TURNS, **factor}),
)

# ---- turns

turn = {"from_": 0, "to": 1, "block": 0, "q": "0", "e": "1"}
twins(
    "turns",
    gps("vector.holds", "turns", **{**TURNING, **turn}),
    norm=gps("norm.holds", "turns", g="1", **{**TURNING, **turn}),
    undone=gps("vector.holds", "turns", gain="cos(pi*n)", **{**HALF_TURNS, **turn}),
    undone_back=gps("vector.holds", "turns", gain="1 - 2*n + 2*floor(n/2)*2", window="2", **{**HALF_TURNS, **turn}),
    whole=gps("vector.holds", "turns", transform="rotation", angle="2*pi*n", **turn),
    whole_1=gps("vector.holds", "turns", transform="rotation", angle="2*pi*n", **{**turn, "q": "1"}),
    fraction=gps("vector.holds", "turns", transform="rotation", angle="2*pi*n", **{**turn, "q": "1/2"}),
    none=gps("vector.holds", "turns", gain="0", **{**TURNING, **turn}),
    identity=gps("vector.holds", "turns", **turn),
    outside=gps("vector.holds", "turns", transform="rotation", angle="if(j >= 32, n, 0)", **{**turn, "block": 32}),
    unseen=gps("vector.holds", "turns", window="1", **{**TURNING, **turn}),
    fails=gps("vector.fails", "turns", **{**TURNING, **turn}),
    scalar=gps("scalar.holds", "turns", g="1", **{**TURNING, **turn}),
    off=gps("vector.holds", "turns", transform="scaled-rotation", angle="n", scale="0", **turn),
)
twins(
    "turns-no-multiple",
    gps("scalar.fails", "turns", g="1", **{**TURNING, **turn}),
    half=gps("scalar.fails", "turns", g="1", gain="1 + n", **{**HALF_TURNS, **turn}),
    half_1=gps("scalar.fails", "turns", g="-1", gain="1 + n", **{**HALF_TURNS, **turn, "q": "1"}),
    from_0=gps("scalar.fails", "turns", g="1", gain="n", window="2", **{**TURNING, **turn}),
    to_0=gps("scalar.fails", "turns", g="1", gain="1 - n", window="2", **{**TURNING, **turn}),
    identity=gps("scalar.fails", "turns", g="1", gain="1 + n", **turn),
)
twins(
    "turns-under-a-cap",
    gps("norm.holds", "turns", g="1", softcap="5", **{**TURNING, **turn}),
    half=gps("norm.holds", "turns", g="1", softcap="5", **{**HALF_TURNS, **turn}),
    off=gps("norm.holds", "turns", g="1", gain="0", softcap="5", **{**TURNING, **turn}),
    no_cap=gps("norm.holds", "turns", g="1", **{**TURNING, **turn}),
)
flip = {"from_": 0, "to": 1, "block": 0, "other": 1, "q": "-1"}
SOME = {"transform": "rotation", "angle": "if(j == 0, pi*n, 2*pi*n)"}
twins(
    "flips",
    gps("scalar.fails", "flips", **{**SOME, **flip}),
    all=gps("scalar.fails", "flips", gain="1 + n", **{**HALF_TURNS, **flip, "q": "0"}),
    odd=gps("scalar.fails", "flips", gain="1 + n", **{**HALF_TURNS, **flip}),
    even=gps(
        "scalar.fails",
        "flips",
        gain="1 + n",
        transform="rotation",
        angle="if(j == 0, 2*pi*n, 4*pi*n)",
        **{**flip, "q": "-2"},
    ),
    thirds=gps("scalar.fails", "flips", gain="1 + n", transform="rotation", angle="2*pi*n", **{**flip, "q": "1/3"}),
    same=gps("scalar.fails", "flips", gain="1 + n", **{**HALF_TURNS, **flip, "other": 0, "q": "0"}),
    scale=gps(
        "scalar.fails",
        "flips",
        transform="scaled-rotation",
        angle="if(j == 0, pi*n, 0)",
        scale="if(j == 0, cos(pi*n), 1)",
        gain="1 + n",
        **flip,
    ),
    off=gps(
        "scalar.fails",
        "flips",
        transform="scaled-rotation",
        angle="if(j == 0, pi*n, 0)",
        scale="if(j == 0, 0, 1 + n)",
        **flip,
    ),
    vector=gps("vector.fails", "flips", **{**SOME, **flip}),
)
stretch = {"from_": 0, "to": 5, "block": 0, "other": 1, "e": "1"}
twins(
    "stretches",
    gps("scalar.fails", "stretches", scale="if(j == 0, 1 + n, 1)", **{**SCALED, **stretch}),
    same=gps("scalar.fails", "stretches", scale="1 + n", **{**SCALED, **stretch}),
    ratio=gps("scalar.fails", "stretches", scale="(1 + n)/(1 + j)", **{**SCALED, **stretch}),
    falls=gps("scalar.fails", "stretches", scale="(1 + n)/(1 + j)", **{**SCALED, **stretch, "e": "-1"}),
    outside=gps(
        "scalar.fails", "stretches", scale="if(j == 32, 1, 1 + n)", **{**SCALED, **stretch, "other": 32, "e": "1"}
    ),
    unseen=gps("scalar.fails", "stretches", scale="if(j == 0, 1 + n, 1)", window="1", **{**SCALED, **stretch}),
)
twins(
    "stretches-branches",
    gps("scalar.fails", "stretches", rate="1", decay="1", branch="1", turned="-1", **{**HYPERBOLIC, **stretch}),
    rate=gps("scalar.fails", "stretches", rate="0", decay="1", branch="1", turned="-1", **{**HYPERBOLIC, **stretch}),
    branch=gps("scalar.fails", "stretches", rate="0", decay="1", branch="2", turned="-1", **{**HYPERBOLIC, **stretch}),
)

# ---- nothing changes

twins(
    "constant",
    gps("vector.fails", "constant"),
    gain=gps("vector.fails", "constant", gain="1 + 1/(1 + n)"),
    turning=gps("vector.fails", "constant", **TURNING),
    half=gps("vector.fails", "constant", **HALF_TURNS),
    sign=gps("vector.fails", "constant", gain="(n - 5/2)/abs(n - 5/2)"),
    last_angle=gps("vector.fails", "constant", transform="rotation", angle="2*pi*n*if(j == 31, 1/2, 1)"),
    last_scale=gps("norm.fails", "constant", scale="if(j == 31, 1 + n, 1)", **SCALED),
    scale=gps("norm.fails", "constant", scale="1 + n", **SCALED),
    hyperbolic=gps("norm.fails", "constant", rate="1", decay="1", **HYPERBOLIC),
    hyperbolic_decay=gps("norm.fails", "constant", rate="0", decay="1", **HYPERBOLIC),
    hyperbolic_block=gps("norm.fails", "constant", rate="if(j == 31, 1, 0)", decay="if(j == 31, 1, 0)", **HYPERBOLIC),
    alpha=gps("norm.fails", "constant", transform="rotation", angle="n/alpha", alpha="1 + log(1 + n)", gain="alpha"),
    alpha_holds=gps(
        "norm.holds", "size-changes", transform="rotation", angle="n/alpha", alpha="1", gain="alpha", **size
    ),
    waves=gps("norm.fails", "constant", gain="2 + sin(n)"),
    table=gps(
        "norm.fails", "constant", gain="t(n)", tables={"t": {"first": 0, "beyond": "constant", "values": ["1", "2"]}}
    ),
    floor=gps("norm.fails", "constant", gain="1 + floor(n/1000000)"),
    branch=gps("norm.fails", "constant", gain="if(n == 1000, 2, 1)"),
    holds=gps("vector.holds", "constant"),
)
twins(
    "constant-norm",
    gps("norm.fails", "constant", **TURNING),
    **{"capped_" + key: one for key, one in all_fail(softcap="5", **TURNING).items()},
)
twins(
    "constant-scalar",
    gps("scalar.fails", "constant", transform="rotation", angle="2*pi*n"),
    half=gps("scalar.fails", "constant", **HALF_TURNS),
)
twins(
    "constant-product",
    gps("norm.fails", "constant", gain="2^(-n)", scale="2^n", **SCALED),
    **{"capped_" + key: one for key, one in all_fail(softcap="5", gain="2^(-n)", scale="2^n", **SCALED).items()},
)
twins(
    "constant-under-a-cap",
    gps("norm.fails", "constant", softcap="5"),
    **{"gain_" + key: one for key, one in all_fail(softcap="5", gain="1 + n").items()},
    **{"scale_" + key: one for key, one in all_fail(softcap="5", gain="1/(1 + n)", scale="1 + n", **SCALED).items()},
    **{
        "decay_" + key: one
        for key, one in all_fail(softcap="5", gain="exp(n)", rate="0", decay="1", **HYPERBOLIC).items()
    },
)
twins(
    "constant-off",
    gps("vector.fails", "constant", gain="0", **TURNING),
    almost=gps("vector.fails", "constant", gain="if(n == 7, 1, 0)", **TURNING),
    capped=gps("vector.fails", "constant", gain="1/1000000", softcap="5", **TURNING),
)
cap = {"from_": 0, "to": 5, "block": 0, "e": "1", "g": "1"}
twins(
    "cap-changes",
    gps("norm.holds", "cap-changes", softcap="5", gain="2^(-n)", scale="2^n", **{**SCALED, **cap}),
    no_cap=gps("norm.holds", "cap-changes", gain="2^(-n)", scale="2^n", **{**SCALED, **cap}),
    off=gps("norm.holds", "cap-changes", softcap="5", gain="0", scale="2^n", **{**SCALED, **cap}),
    same=gps("norm.holds", "cap-changes", softcap="5", **cap),
    unseen=gps("norm.holds", "cap-changes", softcap="5", scale="2^n", window="1", **{**SCALED, **cap}),
    scalar=gps("scalar.holds", "cap-changes", softcap="5", gain="2^(-n)", scale="2^n*(1 + j)", **{**SCALED, **cap}),
    scalar_turning=gps(
        "scalar.holds",
        "cap-changes",
        softcap="5",
        gain="2^(-n)",
        transform="scaled-rotation",
        angle="n",
        scale="2^n",
        **cap,
    ),
)

# ---- angles through the entropy

ENTROPY = {"transform": "rotation", "angle": "n/(1 + H(n))"}


def by_entropy(claim, kind="fast", bias="-3*log(1 + n)", **more):
    constants = {key: more.pop(key) for key in ("k", "C", "score", "modulus", "residue") if key in more}
    usual = {"divergent": {"k": 0, "C": "20", "score": "b"}, "slow": {"C": "20"}}
    constants = {**usual.get(kind, {}), **constants}
    more_constants = {key: more.pop(key) for key in ("c", "e", "block") if key in more}
    return verdict(
        "gps." + claim,
        rule("turns-by-entropy-" + kind, **{"c": "1", "e": "1", "block": 0, **constants, **more_constants}),
        bias=bias,
        **{**ENTROPY, **more},
    )


twins(
    "entropy-fast",
    by_entropy("vector.holds"),
    window=by_entropy("vector.holds", window="1"),
    windows=by_entropy("vector.holds", window="4"),
    off=by_entropy("vector.holds", gain="0"),
    c=by_entropy("vector.holds", c="0", angle="0*n/(1 + H(n))"),
    other=by_entropy("vector.holds", angle="2*pi*n"),
    twice=by_entropy("vector.holds", angle="2*n/(1 + H(n))"),
    negative=by_entropy("vector.holds", c="-1"),
    outside=by_entropy("vector.holds", angle="if(j >= 32, n/(1 + H(n)), 0)", block=32),
    norm=by_entropy("norm.holds"),
    slower=by_entropy("vector.holds", bias="-2*log(1 + n)"),
    flat=by_entropy("vector.holds", bias="0"),
    other_n=by_entropy("vector.holds", angle="n/(1 + H(n + 1))"),
    scaled=by_entropy("vector.holds", transform="scaled-rotation", scale="0"),
    by_name=by_entropy("vector.holds", angle="n/(1 + H)"),
    early=by_entropy("vector.holds", bias="if(n == 1, L, -3*log(1 + n))"),
    scalar=by_entropy("scalar.holds"),
    sign=by_entropy("vector.holds", e="-1"),
)
twins(
    "entropy-slow",
    by_entropy("scalar.fails", "slow", bias="-3/2*log(1 + n)"),
    faster=by_entropy("scalar.fails", "slow", bias="-5/2*log(1 + n)"),
    slower=by_entropy("scalar.fails", "slow", bias="-log(1 + n)"),
    fast=by_entropy("scalar.fails", "fast", bias="-3/2*log(1 + n)"),
)
twins(
    "entropy-divergent",
    by_entropy("vector.holds", "divergent", bias="-log(1 + n)/2"),
    rises=by_entropy("vector.holds", "divergent", bias="n"),
    waves=by_entropy("vector.holds", "divergent", bias="sin(n)"),
    converges=by_entropy("vector.holds", "divergent", bias="-2*log(1 + n)"),
    one_class=by_entropy("vector.holds", "divergent", bias="if(floor(n/2)*2 == n, 0, -n)", modulus=2, residue=0),
)
twins("entropy-under-a-cap", by_entropy("norm.holds", softcap="5"), no_cap=by_entropy("norm.holds"))
twins(
    "entropy-alpha",
    by_entropy("vector.holds", angle="n/alpha", alpha="self-entropy"),
    measured=by_entropy("vector.holds", angle="n/alpha", alpha="measured"),
    schedule=by_entropy("vector.holds", angle="n/alpha", alpha="1"),
)
