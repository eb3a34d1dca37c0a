"""The rules: which questions each answers, and with which constants."""
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
FAR = {  # rule: (questions by score, or questions; constants)
    "sum-converges": (LADDER_HOLDS, "k C eta"),
    "sum-diverges": (LADDER_FAILS, "k C"),
    "weighted-sum-converges": (WEIGHTED, "k C eta U"),
    "weighted-sum-diverges": (
        {
            "above": "eb.limit.fails eb.uniform.fails",
            "below": "eb.some-content.fails eb.uniform.fails",
            "b": "eb.uniform.fails",
        },
        "k C U",
    ),
    "sum-diverges-bounded": (UNIFORM, "k C M"),
    "levels-out": (UNIFORM, "i"),
    "last-tokens": ("eb.uniform.holds", "S c M"),
    "bias-stays": ("ldcp.literal.holds ldcp.probability.holds", "e c"),
    "bias-stays-positive": ("ldcp.signed.holds", "c"),
    "bias-vanishes": ("ldcp.literal.fails", "i"),
    "bias-not-positive": ("ldcp.signed.fails", "i"),
    "content-stays": ("ldcp.content.holds ldcp.probability.holds", "c"),
    "content-stays-likely": ("ldcp.probability.holds", "eps p"),
    "content-vanishes": ("ldcp.content.fails", "i"),
    "both-vanish": ("ldcp.probability.fails", "i"),
    "bias-bounded-below": ("ldcp.weight.holds", "C"),
    "bias-sinks": ("ldcp.weight.fails", "i"),
    "turns-by-entropy-fast": ("gps.vector.holds gps.scalar.fails gps.norm.holds", "c e block"),
    "turns-by-entropy-slow": ("gps.vector.holds gps.scalar.fails gps.norm.holds", "C c e block"),
    "turns-by-entropy-divergent": ({"b": "gps.vector.holds gps.scalar.fails gps.norm.holds"}, "k C c e block"),
}
LENGTH = {
    "length-diverges": (LADDER_FAILS, "i"),
    "first-diverges": ({"above": LADDER_FAILS["above"]}, "i"),
    "length-converges": (LADDER_HOLDS, "C"),
    "length-levels": ({"above": "eb.limit.fails", "below": "eb.some-content.fails"}, "C"),
    "length-weighted-converges": (WEIGHTED, "C"),
    "length-spread": (UNIFORM, "i"),
    "length-bias-not-positive": ("ldcp.signed.fails", "i"),
}
POINTS = {
    "size-changes": ("gps.norm.holds gps.vector.holds", "from to block e"),
    "factor-changes": ("gps.scalar.holds gps.vector.holds", "from to e"),
    "turns": ("gps.vector.holds gps.scalar.fails gps.norm.holds", "from to block q e"),
    "flips": ("gps.scalar.fails", "from to block other q"),
    "stretches": ("gps.scalar.fails", "from to block other e"),
    "cap-changes": ("gps.norm.holds gps.vector.holds gps.scalar.holds", "from to block e g"),
}
IN_WINDOW = {
    "window-converges": (
        {"above": LADDER_HOLDS["above"] + " eb.limit.holds", "below": LADDER_HOLDS["below"] + " eb.some-content.holds"},
        "C",
    ),
    "window-diverges": ({score: LADDER_FAILS[score] for score in ("above", "below", "b")}, "to i"),
}
DIAGONAL = {"bias-stays", "bias-stays-positive", "content-stays", "content-stays-likely", "bias-bounded-below"}
ONE_CLASS = {"sum-diverges"} | DIAGONAL
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
READINGS = {
    "cn": ("every-content", "some-content", "expected"),
    "eb": ("limit", "some-content", "uniform"),
    "ldcp": ("literal", "signed", "probability", "content", "weight"),
    "gps": ("scalar", "norm", "vector"),
}
