# %% [markdown]
# # Attention entropy by length
#
# Measured by `probe-attention` on trained models, beside what theory predicts from windows of 256 tokens
# ([predictors](../docs/tables/predictors.md)).

# %% tags=["parameters"]
results = None
output = "figures"

# %%
import math
import statistics

import look
import stored as reading
from matplotlib.lines import Line2D

look.begin(output)
stored = reading.Results(results)

# %% [markdown]
# ## The paper's figure 2: mean entropy against prompt length
#
# The mean over all heads and layers. The paper finds APE between RoPE and ALiBi; with the size and starting values of
# these runs it is below both. Of the formulas at equal slopes, R1 of the [audit](../docs/audit.md) proves that
# APE's is below ALiBi's. Thin lines are other seeds.

# %%
figure, [axes] = look.panels(1, 3, 2.0, sharey=True)
measured = stored.read("entropy") or {}
for panel, context in zip(axes, reading.CONTEXTS, strict=True):
    absent = []
    for name in (*reading.ENCODINGS, *(["nope"] if context == 64 else [])):
        rows = measured.get(name, {}).get(str(context), {}).get("rows")
        probe = None if rows else stored.probe(f"{name}-{context}")
        if probe:  # not in entropy.json yet
            rows = [
                [length, statistics.fmean(head["entropy"][i] for head in probe["heads"])]
                for i, length in enumerate(probe["lengths"])
            ]
        if not rows:
            absent.append(f"{name}-{context}")
            continue
        points = ([row[i] if i < len(row) else None for row in rows] for i in range(4))
        look.encoding(panel, name, f"{name}-{context}", points)
        for other in [key for key in measured.get(name, {}) if key.startswith(f"{context}-seed-")]:
            tokens, mean = zip(*(row[:2] for row in measured[name][other]["rows"]), strict=True)
            look.line(
                panel, f"{name}-{other}", tokens, mean, look.COLOURS[name], ":", linewidth=0.7, title="_nolegend_"
            )
    ticks = [64 * 2**i for i in range(9)]
    panel.plot(
        ticks, [math.log(tick) for tick in ticks], color=look.QUIET, linewidth=0.8, linestyle=(0, (4, 2)), label="log T"
    )
    panel.set_title(f"trained at {context}")
    look.by_tokens(panel, context)
    look.absent(panel, absent)
axes[0].set_ylabel("entropy, nats")
look.legend(figure, 5)
look.save(figure, "entropy")

# %% [markdown]
# ## Ours: by head
#
# A mean over heads hides that some read two keys and others hundreds. A line is a head; dashed, what continued
# context predicts for it from windows of 256 tokens (right of the dotted line, nothing was fitted).

# %%
names = ["rope-64", "alibi-64", "ape-64"]
figure, [axes] = look.panels(1, 3, 2.4, sharey=True)
for panel, name in zip(axes, names, strict=True):
    probe = stored.probe(name)
    short = name.split("-")[0]
    panel.set_title(f"{look.TITLES[short]}, trained at 64")
    if not probe:
        look.absent(panel, [name])
        continue
    layers = max(head["layer"] for head in probe["heads"])
    for head in probe["heads"]:
        colour = (
            ["#bdbdbd", look.COLOURS[short], look.INK][min(2, head["layer"] - 1)] if layers > 1 else look.COLOURS[short]
        )
        look.line(
            panel,
            f"{name}, layer {head['layer']}, head {head['head']}",
            probe["lengths"],
            head["entropy"],
            colour,
            "-",
            linewidth=0.7,
            title="_nolegend_",
        )
        predicted = head["predicted"]["continued"]["from_fit"]
        panel.plot(head["predicted_at"], predicted, color=colour, linestyle=(0, (2, 1.5)), linewidth=1.4, alpha=0.6)
    panel.plot(
        probe["lengths"],
        [math.log(length) for length in probe["lengths"]],
        color=look.QUIET,
        linewidth=0.8,
        linestyle=(0, (4, 2)),
    )
    look.by_tokens(panel)
    panel.axvline(256, color=look.QUIET, linewidth=0.7, linestyle=":")
axes[0].set_ylabel("entropy, nats")
look.legend(
    figure,
    3,
    [
        *(
            Line2D([], [], color=colour, linewidth=0.7, label=label)
            for colour, label in (
                ("#bdbdbd", "layer 1"),
                (look.COLOURS["rope"], "layer 2, coloured"),
                (look.INK, "layer 3"),
            )
        ),
        Line2D([], [], color=look.INK, linestyle=(0, (2, 1.5)), linewidth=1.4, alpha=0.6, label="continued from 256"),
        Line2D([], [], color=look.QUIET, linestyle=(0, (4, 2)), linewidth=0.8, label="log T"),
    ],
)
look.save(figure, "entropy_by_head")

# %% [markdown]
# ## Ours: predictions beside measurements
#
# Each point is a head at the greatest length: measured against predicted from 256 tokens, with the median of the
# errors. "Bias alone" is the entropy that the formula has without content, with the trained parameters: for a head with
# a bias it is a bound on nothing, and says where the mass can lie.

# %%
PREDICTORS = {
    "bias": "bias alone",
    "sphere": "sphere",
    "moments": "moments",
    "log": "$a + b\\,\\log T$",
    "continued": "continued context",
}
figure, [axes] = look.panels(1, len(PREDICTORS), 1.7, sharex=True, sharey=True)
runs = {}
for context in reading.CONTEXTS:
    for name in ("rope", "alibi", "ape", "nope"):
        runs[f"{name}-{context}"] = stored.probe(f"{name}-{context}") if name != "nope" or context == 64 else None
rows = []
for panel, (predictor, title) in zip(axes, PREDICTORS.items(), strict=True):
    panel.axline((0, 0), slope=1, color=look.QUIET, linewidth=0.7)
    errors = []
    for name in ("nope", "rope", "alibi", "ape"):
        points = [
            (head["entropy"][-1], head["predicted"][predictor]["from_fit"][-1])
            for run, probe in runs.items()
            if probe and run.startswith(name + "-")
            for head in probe["heads"]
            if head["predicted"][predictor]["from_fit"][-1] is not None
        ]
        if points:
            look.encoding(panel, name, name, zip(*points, strict=True), "none", markersize=1.8, alpha=0.8)
            errors += [abs(predicted - found) for found, predicted in points]
    panel.set_title(title)
    if errors:
        panel.text(
            0.97, 0.04, f"|error| {statistics.median(errors):.2f}", transform=panel.transAxes, ha="right", fontsize=6
        )
        rows.append(
            [
                title.replace("$", "").replace("\\,\\", " "),
                len(errors),
                f"{statistics.median(errors):.3f}",
                f"{max(errors):.2f}",
            ]
        )
    panel.set_xlim(0, 10)
    panel.tick_params(labelbottom=True)
    panel.set_xlabel("measured, nats")
    panel.set_ylim(0, 10)
axes[0].set_ylabel("predicted, nats")
look.legend(figure, 4)
look.save(figure, "entropy_predicted")
print(
    look.table(
        "entropy_predicted",
        "|Error| of entropies at the greatest length, by head, in nats.",
        ["predictor", "heads", "median", "largest"],
        rows,
    )
)

# %%
print(stored.report())
