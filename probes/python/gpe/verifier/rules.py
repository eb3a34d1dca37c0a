"""The rules: which questions each answers. Their constants: certificate.schema.json."""
# Tests: tests/certificates/forged_rules.py

LADDER_HOLDS = {
    "above": "cn.every-content.holds cn.expected.holds",
    "below": "cn.some-content.holds",
    "mean": "cn.expected.holds",
}
LADDER_FAILS = {
    "above": "cn.every-content.fails eb.limit.fails",
    "below": "cn.some-content.fails eb.some-content.fails",
    "b": "cn.expected.fails",
    "mean": "cn.expected.fails",
}
WEIGHTED = {"above": "eb.limit.holds eb.uniform.holds", "below": "eb.some-content.holds"}
UNIFORM = {score: "eb.uniform.fails" for score in ("b", "above", "below")}
FAR = {  # rule: questions, or questions by score
    "sum-converges": LADDER_HOLDS,
    "sum-diverges": LADDER_FAILS,
    "weighted-sum-converges": WEIGHTED,
    "weighted-sum-diverges": {
        "above": "eb.limit.fails eb.uniform.fails",
        "below": "eb.some-content.fails eb.uniform.fails",
        "b": "eb.uniform.fails",
    },
    "sum-diverges-bounded": UNIFORM,
    "levels-out": UNIFORM,
    "last-tokens": "eb.uniform.holds",
    "bias-stays": "ldcp.literal.holds ldcp.probability.holds",
    "bias-stays-positive": "ldcp.signed.holds",
    "bias-vanishes": "ldcp.literal.fails",
    "bias-not-positive": "ldcp.signed.fails",
    "content-stays": "ldcp.content.holds ldcp.probability.holds",
    "content-stays-likely": "ldcp.probability.holds",
    "content-vanishes": "ldcp.content.fails",
    "both-vanish": "ldcp.probability.fails",
    "bias-bounded-below": "ldcp.weight.holds",
    "bias-sinks": "ldcp.weight.fails",
    "turns-by-entropy-fast": "gps.vector.holds gps.scalar.fails gps.norm.holds",
    "turns-by-entropy-slow": "gps.vector.holds gps.scalar.fails gps.norm.holds",
    "turns-by-entropy-divergent": {"b": "gps.vector.holds gps.scalar.fails gps.norm.holds"},
}
LENGTH = {
    "length-diverges": {score: LADDER_FAILS[score] for score in ("above", "below", "b")},
    "first-diverges": {"above": LADDER_FAILS["above"]},
    "length-converges": {score: LADDER_HOLDS[score] for score in ("above", "below")},
    "length-levels": {"above": "eb.limit.fails", "below": "eb.some-content.fails"},
    "length-weighted-converges": WEIGHTED,
    "length-spread": UNIFORM,
    "length-bias-not-positive": "ldcp.signed.fails",
}
POINTS = {
    "size-changes": "gps.norm.holds gps.vector.holds",
    "factor-changes": "gps.scalar.holds gps.vector.holds",
    "turns": "gps.vector.holds gps.scalar.fails gps.norm.holds",
    "flips": "gps.scalar.fails",
    "stretches": "gps.scalar.fails",
    "cap-changes": "gps.norm.holds gps.vector.holds gps.scalar.holds",
}
IN_WINDOW = {
    "window-converges": {
        "above": LADDER_HOLDS["above"] + " eb.limit.holds",
        "below": LADDER_HOLDS["below"] + " eb.some-content.holds",
    },
    "window-diverges": {score: LADDER_FAILS[score] for score in ("above", "below", "b")},
}
DIAGONAL = {"bias-stays", "bias-stays-positive", "content-stays", "content-stays-likely", "bias-bounded-below"}
ONE_CLASS = {"sum-diverges", "weighted-sum-diverges"} | DIAGONAL  # of residues, but for eb uniform
# What they say of all sums rests on the first scores, too: these may not depend on L.
FIXED_FIRST = {
    "sum-converges",
    "weighted-sum-converges",
    "weighted-sum-diverges",
    "sum-diverges-bounded",
    "levels-out",
    "last-tokens",
    "turns-by-entropy-fast",
    "turns-by-entropy-slow",
    "turns-by-entropy-divergent",
}
