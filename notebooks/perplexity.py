# %% [markdown]
# # Training and perplexity
#
# The runs of [tinystories](../docs/tables/tinystories.md), which says how they differ from the paper's. Each figure of
# the paper has its counterpart with the same axes, and then ours.

# %% tags=["parameters"]
results = None
output = "figures"

# %%
import statistics

import look
import stored as reading

look.begin(output)
stored = reading.Results(results)
SHORT = {"val": "TinyStories", "long-0-5000": "tales ≤ 5,000 words", "long-5000-10000": "tales 5,000–10,000"}

# %% [markdown]
# ## Training
#
# Validation losses by step, as means over the seeds that are there. Below, ours: each less the
# mean of the three encodings at that step, with the least and the greatest of the seeds as bands;
# the losses themselves lie on one another.

# %%
figure, [above, below] = look.panels(2, 3, 3.3, sharey="row")
for panel, difference, context in zip(above, below, reading.CONTEXTS, strict=True):
    runs = {name: stored.seeds(name, context) for name in reading.ENCODINGS}
    there = {name: [dict(run["training"]["validation"][1:]) for run in found] for name, found in runs.items() if found}
    steps = sorted(set.intersection(*(set(losses) for found in there.values() for losses in found))) if there else []
    middle = {
        step: statistics.fmean(statistics.fmean(losses[step] for losses in found) for found in there.values())
        for step in steps
    }
    for name, found in there.items():
        values = [[losses[step] for losses in found] for step in steps]
        means = [statistics.fmean(of_seeds) for of_seeds in values]
        shown = {"colour": look.COLOURS[name], "style": look.DASHES[name], "title": look.TITLES[name]}
        look.line(panel, f"{name}-{context}", steps, means, **shown)
        look.line(
            difference,
            f"{name}-{context}, difference",
            steps,
            [mean - middle[step] for mean, step in zip(means, steps, strict=True)],
            **shown,
            low=[min(of_seeds) - middle[step] for of_seeds, step in zip(values, steps, strict=True)],
            high=[max(of_seeds) - middle[step] for of_seeds, step in zip(values, steps, strict=True)],
        )
    seeds = {len(found) for found in there.values()}
    title = f"trained at {context}"
    if seeds:
        title += f", {min(seeds)} seed" + "s" * (min(seeds) > 1)
    panel.set_title(title)
    difference.set_xlabel("step")
    for where in (panel, difference):
        where.xaxis.set_major_formatter(lambda value, _: f"{value / 1000:g}k" if value else "0")
    difference.axhline(0, color=look.QUIET, linewidth=0.6)
    if len(seeds) > 1:
        print(f"trained at {context}: not the same number of seeds for all")
    look.absent(panel, [f"{name}-{context}" for name in reading.ENCODINGS if name not in there], right=True)
above[0].set_ylabel("loss, nats per token")
below[0].set_ylabel("less their mean, nats")
look.legend(figure, 3)
look.save(figure, "training")

# %% [markdown]
# ## The paper's figures 1, 5 and 6: perplexity against prompt length
#
# One picture a range, one panel a context, three encodings: as in the paper, with 95 % over
# windows as bands. Dashed: the length of training.


# %%
def by_length(name, split, patterns, height=2.0):
    figure, [axes] = look.panels(1, len(patterns), height, sharey=True)
    for panel, (title, trained, runs) in zip(axes, patterns, strict=True):
        absent = []
        for label, run_name, colour, style, mark in runs:
            run = stored.read(run_name)
            if not run:
                absent.append(run_name)
                continue
            tokens, mean, low, high = reading.columns(reading.losses(run["evaluation"], split))
            look.line(panel, run_name, tokens, mean, colour, style, mark, low, high, title=label)
        panel.set_title(title)
        look.log_y(panel)
        look.by_tokens(panel, trained)
        look.absent(panel, absent)
    axes[0].set_ylabel("perplexity")
    look.legend(figure, 4)
    look.save(figure, name)


def three(context):
    return [
        (look.TITLES[name], f"{name}-{context}", look.COLOURS[name], "-", look.MARKS[name])
        for name in reading.ENCODINGS
    ]


for split, name in (
    ("val", "perplexity_tinystories"),
    ("long-0-5000", "perplexity_medium"),
    ("long-5000-10000", "perplexity_long"),
):
    by_length(name, split, [(f"trained at {context}", context, three(context)) for context in reading.CONTEXTS])

# %% [markdown]
# ## Ours: the controls beside
#
# Three encodings cannot say what it is that helps; the controls have one seed. RoPE that sees only the 64 last keys
# was trained with nothing new, and does not explode; ALiBi with the slopes of its official code, and APE cut to the
# keys that its bias makes matter. Right, without the two that explode: the second half of each window, where the
# tokens of the training length do not count. With few keys RoPE comes to about where APE is.

# %%
figure, axes = look.panels(1, 2, 2.9)
[[left, right]] = axes
controls = [
    ("RoPE", "rope-64", None, look.COLOURS["rope"], "-", "o"),
    ("RoPE, window of 64", "rope-64", "window 64", look.COLOURS["rope"], (0, (1, 1)), "o"),
    ("no position", "nope-64", None, look.COLOURS["nope"], "-", "D"),
    ("ALiBi, the paper's slopes", "alibi-64", None, look.COLOURS["alibi"], "-", "s"),
    ("ALiBi, official slopes", "alibi-official-64", None, look.COLOURS["alibi"], (0, (4, 1.5)), "s"),
    ("APE", "ape-64", None, look.COLOURS["ape"], "-", "^"),
    ("APE, window for 1/1000", "ape-64", "W(1e-3), bias alone", look.COLOURS["ape"], (0, (1, 1)), "^"),
]
absent = []
for title, name, cut, colour, style, mark in controls:
    run = stored.read(name)
    evaluation = run and (run["evaluation"] if cut is None else run["cuts"].get(cut))
    if not evaluation:
        absent.append(name)
        continue
    label = name if cut is None else f"{name}, {cut}"
    for panel, far in ((left, False), (right, True)):
        if far and title in ("RoPE", "no position"):
            continue
        tokens, mean, low, high = reading.columns(reading.losses(evaluation, "val", far=far))
        look.line(panel, label, tokens, mean, colour, style, mark, low, high, title=title)
for panel, title in ((left, "first T tokens"), (right, "tokens T/2 to T")):
    panel.set_title(title)
    look.by_tokens(panel, 64, label="T, tokens")
look.log_y(left)
left.set_ylabel("perplexity, TinyStories")
look.absent(left, absent)
look.legend(figure, 3)
look.save(figure, "perplexity_controls")

# %% [markdown]
# ## Ours: seeds
#
# Geometric means over the seeds that are there, with the least and the greatest as bands: what another run would give,
# where bands over windows say what other texts would give.

# %%
figure, [axes] = look.panels(1, 3, 2.0)
for panel, (split, title) in zip(axes, SHORT.items(), strict=True):
    for name in reading.ENCODINGS:
        runs = stored.seeds(name, 64)
        if runs:
            words = f"{look.TITLES[name]}, {len(runs)} seed{'s' if len(runs) > 1 else ''}"
            points = reading.over_seeds(runs, split)
            look.encoding(panel, name, f"{name}, {len(runs)} seeds", points, title=words)
    panel.set_title(title)
    look.log_y(panel)
    look.by_tokens(panel, 64)
axes[0].set_ylabel("perplexity, trained at 64")
look.legend(figure, 3)
look.save(figure, "perplexity_seeds")

# %% [markdown]
# ## The paper's figure 4: all contexts together
#
# RoPE and ALiBi trained at 64, 128 and 256 against APE trained at 64. It compares a model with others that were
# trained on longer texts, and here on more tokens; ours has APE's longer contexts beside. Trained at 64 tokens,
# geometric means over the seeds, and bands from the least to the greatest.

# %%
figure, [[panel, ours]] = look.panels(1, 2, 3.0)
absent = []
for name, contexts in (("rope", reading.CONTEXTS), ("alibi", reading.CONTEXTS), ("ape", reading.CONTEXTS)):
    for context, style in zip(contexts, ("-", (0, (4, 1.5)), (0, (1, 1))), strict=True):
        run = stored.read(f"{name}-{context}")
        if not run:
            absent.append(f"{name}-{context}")
            continue
        points = reading.columns(reading.losses(run["evaluation"], "val"))[:2]
        if len(seeds := stored.seeds(name, context)) > 1:
            points = reading.over_seeds(seeds, "val")
        for where in ([panel] if name != "ape" or context == 64 else []) + ([ours] if name != "rope" else []):
            title = f"{look.TITLES[name]}, {context}"
            look.encoding(where, name, f"{name}-{context}", points, style, title)
for where, title in ((panel, "as in the paper"), (ours, "ALiBi and APE, every context")):
    where.set_title(title)
    look.by_tokens(where)
look.log_y(panel)
panel.set_ylabel("perplexity, TinyStories")
look.absent(panel, absent)
look.legend(figure, 3)
look.save(figure, "perplexity_all_contexts")

# %% [markdown]
# ## The paper's figure 7: fine-tuning with APE
#
# 500 steps on 1 % of the tokens, which read each of 29,550 tokens 13 times. Third panel, ours: the difference in nats
# per token, negative where the tuned model is better. It is for RoPE from 256 tokens on, and worse at 64 and 128; for
# ALiBi it is worse at every length. One seed, and no control that is tuned with its own encoding, so the part due to
# APE is not known.

# %%
figure, [axes] = look.panels(1, 3, 2.3)
absent = []
for panel, start in zip(axes, ("rope", "alibi"), strict=False):
    before, after = stored.read(f"{start}-64"), stored.read(f"{start}-64-tuned-ape")
    for run, name, style, title in (
        (before, start, "-", look.TITLES[start]),
        (after, "ape", (0, (4, 1.5)), "then tuned with APE"),
    ):
        if run:
            label = f"{start}-64" if name == start else f"{start}-64-tuned-ape"
            points = reading.columns(reading.losses(run["evaluation"], "val"))
            look.encoding(panel, name, label, points, style, title)
        else:
            absent.append(f"{start}-64" + ("" if name == start else "-tuned-ape"))
    panel.set_title(f"({'ab'[start == 'alibi']}) {look.TITLES[start]}")
    look.log_y(panel)
    look.by_tokens(panel, 64)
    if before and after:
        old, new = (reading.losses(run["evaluation"], "val") for run in (before, after))
        points = zip(*((a[0], b[1] - a[1]) for a, b in zip(old, new, strict=True)), strict=True)
        look.encoding(axes[2], start, f"{start}, change", points)
axes[0].set_ylabel("perplexity, TinyStories")
axes[2].set_title("(c) change by tuning")
axes[2].set_ylabel("nats per token")
axes[2].axhline(0, color=look.INK, linewidth=0.6)
look.by_tokens(axes[2], 64)
look.absent(axes[0], absent)
look.legend(figure, 4)
look.save(figure, "fine_tuning")

# %% [markdown]
# ## The numbers

# %%
names = [
    f"{name}-{context}"
    for context in reading.CONTEXTS
    for name in reading.ENCODINGS
    if stored.read(f"{name}-{context}")
]


def cell(columns):
    if columns is None:
        return ""
    [mean], [low], [high] = columns[1:4]
    return f"{mean:.1f}" if low is None else f"{mean:.1f} ({low:.1f} to {high:.1f})"


for split, title in reading.RANGES.items():
    tables = {name: {row[0]: row for row in reading.losses(stored.read(name)["evaluation"], split)} for name in names}
    lengths = sorted({length for rows in tables.values() for length in rows})
    rows = []
    for length in lengths:
        cells = [reading.columns([tables[name][length]]) if length in tables[name] else None for name in names]
        rows.append([f"{length:,}", *map(cell, cells)])
    print(
        look.table(
            f"perplexity_{split}",
            f"Perplexity on {title}, packed windows, 95 % over windows.",
            ["tokens", *names],
            rows,
        ),
        end="\n\n",
    )

# %%
print(stored.report())
