# %% [markdown]
# # Growth, band, frontier
#
# Sums over the keys of one query, without content (A = b) and with any content |c| ≤ B, certified by
# `check-properties`; and what range costs in entropy, by `entropy-frontier`.

# %% tags=["parameters"]
results = None
output = "figures"

# %%
import math

import look
import stored
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

look.begin(output)
stored = stored.Results(results)

# %% [markdown]
# ## Growth
#
# Z and H of the keys up to distance L. Theorem 3.1 of the paper says that both are finite or both infinite. For b =
# −log(n+2) − 2 log log(n+2), Z converges and H does not: at any length one can compute, nothing shows it. Growth laws
# are proved, not read off.

# %%
laws = [
    ("nope", "no position, RoPE", look.COLOURS["nope"], "-"),
    ("kerple-log", "−log(1+n)", look.OTHERS[1], (0, (5, 1, 1, 1))),
    ("ape", "APE", look.COLOURS["ape"], (0, (7, 1.5, 1, 1.5, 1, 1.5))),
    ("alibi", "ALiBi, m = 1/256", look.COLOURS["alibi"], (0, (4, 1.5))),
    ("slow", "−log(n+2) − 2 log log(n+2)", look.OTHERS[0], (0, (1, 1))),
]
found = {e["name"]: e for e in (stored.theory("growth") or {"encodings": []})["encodings"]}
slow = stored.theory("growth-slow")
if slow:
    found["slow"] = slow["encodings"][0]
figure, [[left, right]] = look.panels(1, 2, 2.5)
for name, title, colour, style in laws:
    if name in found:
        sums = found[name]["partial_sums"]
        lengths = [at["L"] for at in sums]
        look.line(left, name, lengths, [float(at["Z"]["lower"]) for at in sums], colour, style, title=title)
        look.line(right, name, lengths, [float(at["H"]["lower"]) for at in sums], colour, style, title=title)
for panel, title in ((left, "normalizer $Z_L$"), (right, "entropy $H_L$, nats")):
    panel.set_title(title)
    panel.set_xscale("log")
    panel.set_xlabel("length L, tokens")
left.set_yscale("log")
look.legend(figure, 3)
look.save(figure, "growth")

# %% [markdown]
# ## Band
#
# The least and the greatest entropy over all contents |c| ≤ B, at each length: with B = 1 the band tells encodings
# apart, with B = 3, less than most trained heads reach, it says little. The dashed line is log(L + 1), the most that
# L + 1 keys can have. ALiBi's slope is the paper's for the first of 6 heads, m = 2^(−4/3).

# %%
band = stored.theory("band")
figure, [axes] = look.panels(1, 3, 2.1, sharey=True)
for panel, report in zip(axes, band["encodings"] if band else [], strict=False):
    name = report["name"].removesuffix("-vetcha2025")
    sums = report["partial_sums"]
    lengths = [at["L"] for at in sums]
    panel.plot(
        lengths, [math.log(length + 1) for length in lengths], color=look.QUIET, linewidth=0.8, linestyle=(0, (4, 2))
    )
    for i, (bound, alpha) in enumerate((("1", 0.45), ("3", 0.18))):
        low = [float(at["entropy_band"][i]["lower"]["lower"]) for at in sums]
        high = [float(at["entropy_band"][i]["upper"]["upper"]) for at in sums]
        panel.fill_between(lengths, low, high, color=look.COLOURS[name], alpha=alpha, linewidth=0)
        shown = {"style": "-" if i == 0 else ":", "linewidth": 0.7, "title": "_nolegend_"}
        for end, values in (("least", low), ("most", high)):
            look.line(panel, f"{name}, B = {bound}, {end}", lengths, values, look.COLOURS[name], **shown)
    plain = [float(at["H"]["lower"]) for at in sums]
    look.line(panel, f"{name}, no content", lengths, plain, look.INK, linewidth=1.2, title="_nolegend_")
    panel.set_title(look.TITLES[name] + (", the paper's slope" if report["name"] != name else ""))
    look.by_tokens(panel, label="length L, tokens")
axes[0].set_ylabel("entropy $H_L$, nats")
look.legend(
    figure,
    4,
    [
        Line2D([], [], color=look.INK, linewidth=1.2, label="no content"),
        Patch(color="#777777", alpha=0.45, label="all with |c| ≤ 1"),
        Patch(color="#777777", alpha=0.18, label="all with |c| ≤ 3"),
        Line2D([], [], color=look.QUIET, linewidth=0.8, linestyle=(0, (4, 2)), label="log(L + 1)"),
    ]
    if band
    else [],
)
look.save(figure, "band")

# %% [markdown]
# ## Frontier
#
# Entropy against the tokens whose bias is at least −1 (local range). No encoding lies below the
# line: that is a theorem (V1 in [frontier](../docs/compare.md#the-frontier-entropy-against-range)). APE pays more
# than ALiBi for the same range: its logarithm and its root bite at small distances.

# %%
frontier = stored.theory("frontier")
points = frontier["points"] if frontier else []
figure, [[panel]] = look.panels(1, 1, 2.7)
marks = {
    "alibi": ("ALiBi", look.COLOURS["alibi"], "s"),
    "ape": ("APE", look.COLOURS["ape"], "^"),
    "kerple-power": ("KERPLE, power", look.OTHERS[0], "v"),
    "sliding-window": ("sliding window", look.OTHERS[1], "o"),
}
of_range = sorted(
    {
        (int(p["local_range"]) + 1, float(p["least_entropy"]["lower"]))
        for p in points
        if isinstance(p["local_range"], int)
    }
)
if of_range:
    look.line(panel, "least", *zip(*of_range, strict=True), look.INK, "-", linewidth=1.3, title="least possible")
for name, (title, colour, mark) in marks.items():
    of_name = [
        (int(p["local_range"]) + 1, float(p["H"]["lower"]))
        for p in points
        if p["name"] == name and isinstance(p["local_range"], int) and p["H"]["finite"]
    ]
    if of_name:
        look.line(panel, name, *zip(*of_name, strict=True), colour, "none", mark, title=title)
panel.set_xscale("log")
panel.set_xlabel("local range: tokens with |b| ≤ 1")
panel.set_ylabel("entropy H, nats")
panel.legend(loc="upper left")
look.save(figure, "frontier")

# %%
print(stored.report())
