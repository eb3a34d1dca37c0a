# %% [markdown]
# # Verdicts and regions
#
# What `check-properties` proves of each encoding, at every length: nothing here is measured. The paper states its
# verdicts in propositions 3.1 to 4.1; a property has several readings, because the paper's words and formulas differ
# ([readings](../docs/readings.md)).

# %% tags=["parameters"]
results = None  # a folder as docs/results
output = "figures"

# %%
import look
import stored
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

look.begin(output)
stored = stored.Results(results)
report = stored.theory("verdicts")
encodings = report["encodings"] if report else []
SHOWN = {
    "convergent-normalization": "normalization",
    "entropy-boundedness": "entropy",
    "ldcp": "long distance",
    "gps": "gradient",
}
ORDER = ["holds", "depends", "undecided", "fails"]
SIGNS = {"holds": "✓", "depends": "~", "undecided": "?", "fails": "×"}
SHADES = ["#9ecae1", "#fee8c8", "#d9d9d9", "#fdae6b"]

# %% [markdown]
# ## The matrix
#
# A row is an encoding with default parameters left free; a column is a reading. Tick, cross and colour say the same.
# The paper's propositions are about RoPE, ALiBi and APE, in one reading a property.

# %%
if encodings:
    cells = [(v["property"], v["reading"]) for v in encodings[0]["verdicts"]]
    table = [
        [next(v["verdict"] for v in e["verdicts"] if (v["property"], v["reading"]) == cell) for cell in cells]
        for e in encodings
    ]
    figure, [[panel]] = look.panels(1, 1, 1.05 + 0.2 * len(encodings))
    panel.pcolormesh(
        [[ORDER.index(v) for v in row] for row in table], cmap=ListedColormap(SHADES), vmin=0, vmax=len(ORDER) - 1
    )
    for y, row in enumerate(table):
        for x, verdict in enumerate(row):
            panel.text(x + 0.5, y + 0.5, SIGNS[verdict], ha="center", va="center", fontsize=8, family="DejaVu Sans")
    panel.set_xticks(
        [x + 0.5 for x in range(len(cells))],
        [reading for _, reading in cells],
        rotation=35 if look.WIDTH == look.TEXT else 60,
        ha="right",
        rotation_mode="anchor",
    )
    panel.set_yticks([y + 0.5 for y in range(len(encodings))], [e["name"] for e in encodings])
    panel.grid(False)
    panel.tick_params(length=0)
    for x, (name, _) in enumerate(cells):
        of_property = [i for i, (other, _) in enumerate(cells) if other == name]
        if x == of_property[0]:
            panel.text(
                sum(of_property) / len(of_property) + 0.5,
                -0.25,
                SHOWN[name] if look.WIDTH == look.TEXT else SHOWN[name].replace(" ", "\n").replace("aliz", "-\naliz"),
                ha="center",
                va="bottom",
                fontsize=7.5 if look.WIDTH == look.TEXT else 6.5,
                fontweight="bold",
            )
        if x == of_property[0] and x:
            panel.axvline(x, color="white", linewidth=3)
    for e, row in zip(encodings, table, strict=True):  # what the test recomputes
        look.line(panel, e["name"], range(len(row)), [ORDER.index(v) for v in row], "none", title="_nolegend_", alpha=0)
    panel.set_ylim(len(encodings), 0)
    panel.set_xlim(0, len(cells))
    seen = {verdict for row in table for verdict in row}
    look.legend(
        figure,
        4,
        [
            Patch(color=shade, label=f"{SIGNS[verdict]} {verdict}")
            for verdict, shade in zip(ORDER, SHADES, strict=True)
            if verdict in seen
        ],
    )
    look.save(figure, "verdicts")

# %% [markdown]
# ## Regions
#
# Where a property holds, as a condition on the parameters: over all of their domains.

# %%
rows = []
for e in encodings:
    found = {(v["property"], v["reading"]): v["region"] for v in e["verdicts"]}
    rows.append(
        [
            e["name"],
            found[("convergent-normalization", "every-content")],
            found[("entropy-boundedness", "limit")],
            found[("ldcp", "weight")],
            found[("gps", "vector")],
        ]
    )
print(
    look.table(
        "regions",
        "Where each property holds: every-content, limit, weight, vector. check-properties, proved.",
        ["encoding", "Z finite", "H finite", "far weight", "gradient"],
        [[cell or "" for cell in row] for row in rows],
    )
)

# %%
print(stored.report())
