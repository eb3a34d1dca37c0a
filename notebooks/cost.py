# %% [markdown]
# # Speed and memory
#
# Tokens per second of CPU time on one thread, in training and when losses are computed, and what training keeps in
# memory; `tests/bench/runs/cost.py` measures.

# %% tags=["parameters"]
results = None
output = "figures"

# %%
import look
import stored as reading

look.begin(output)
stored = reading.Results(results)
speed, memory = stored.read("speed"), stored.read("memory")

# %% [markdown]
# ## The paper's figure 3
#
# Training speed, inference speed, memory. Bars end at the middle of the slowest and the fastest round, which the
# black lines show: where those overlap, no order is measured. Memory is one number of resident memory each, and
# within two percent the same for the three.

# %%
figure, [axes] = look.panels(1, 3, 1.9)
places = range(len(reading.ENCODINGS))
for panel, kind, title in zip(axes, ("training", "inference"), ("training", "inference"), strict=False):
    if speed:
        ranges = [(speed[name][kind]["lower"], speed[name][kind]["upper"]) for name in reading.ENCODINGS]
        look.bars(
            panel,
            kind,
            places,
            [(low + high) / 2 for low, high in ranges],
            [look.COLOURS[name] for name in reading.ENCODINGS],
            ranges,
        )
    else:
        look.absent(panel, ["speed"])
    panel.set_title(title)
    panel.set_ylabel("tokens per second")
    panel.yaxis.set_major_formatter(lambda value, _: f"{value / 1000:g}k" if value else "0")
if memory:
    contexts = [
        context for context in reading.CONTEXTS if all(str(context) in memory[name] for name in reading.ENCODINGS)
    ]
    for i, context in enumerate(contexts):
        look.bars(
            axes[2],
            f"context {context}",
            [place + (i - 1) * 0.27 for place in places],
            [memory[name][str(context)] / 2**20 for name in reading.ENCODINGS],
            [look.COLOURS[name] for name in reading.ENCODINGS],
            width=0.24,
        )
        for place, name in zip(places, reading.ENCODINGS, strict=True):
            axes[2].text(
                place + (i - 1) * 0.27,
                memory[name][str(context)] / 2**20 + 2,
                str(context),
                ha="center",
                va="bottom",
                fontsize=6,
            )
else:
    look.absent(axes[2], ["memory"])
axes[2].set_title("training, by context")
axes[2].set_ylabel("memory, MiB")
for panel in axes:
    panel.set_xticks(places, [look.TITLES[name] for name in reading.ENCODINGS])
    panel.grid(axis="x", visible=False)
look.save(figure, "speed_memory")

# %% [markdown]
# ## Ours: memory by context
#
# The paper's "66 % less memory" compares a model trained at 64 tokens with others trained at 256: here it is the
# context that saves, for each encoding alike. A line is an encoding; what is left at context 0 does not depend on the
# context, as weights, gradients and moments.

# %%
figure, [[panel]] = look.panels(1, 1, 2.2)
if memory:
    for name, style in zip(reading.ENCODINGS, ("-", (0, (4, 1.5)), (0, (1, 1))), strict=True):
        contexts = sorted(map(int, memory[name]))
        points = contexts, [memory[name][str(context)] / 2**20 for context in contexts]
        look.encoding(panel, name, name, points, style)
    saved = 1 - memory["ape"]["64"] / memory["rope"]["256"]
    own = 1 - memory["ape"]["64"] / memory["ape"]["256"]
    panel.text(
        0.97,
        0.08,
        f"APE at 64 against RoPE at 256: {saved:.0%} less\nagainst APE at 256: {own:.0%} less",
        transform=panel.transAxes,
        ha="right",
        fontsize=7,
    )
else:
    look.absent(panel, ["memory"])
panel.set_xlim(0)
panel.set_ylim(0)
panel.set_xticks(reading.CONTEXTS)
panel.set_xlabel("context in training, tokens")
panel.set_ylabel("memory, MiB")
panel.legend(loc="upper left")
look.save(figure, "memory_by_context")

# %%
if speed and memory:
    rows = [
        [
            look.TITLES[name],
            *(
                f"{speed[name][kind]['lower']:,} to {speed[name][kind]['upper']:,}"
                for kind in ("training", "inference")
            ),
            *(f"{memory[name][context] / 2**20:.1f}" for context in sorted(memory[name], key=int)),
        ]
        for name in reading.ENCODINGS
    ]
    headings = [
        "encoding",
        "training, tokens/s",
        "inference, tokens/s",
        *(f"MiB at {context}" for context in sorted(memory["rope"], key=int)),
    ]
    print(
        look.table(
            "speed_memory",
            "One thread; slowest to fastest round; peak memory of training beyond the program.",
            headings,
            rows,
        )
    )

# %% [markdown]
# ## The paper's table 1: readability
#
# Of the texts here, beside the paper's numbers; by the paper's own table LongTinyStories is
# easier than TinyStories in one of three measures.

# %%
readability = stored.read("readability")
if readability:
    rows = [
        [
            row["split"],
            f"{row['documents']:,}" if row["documents"] else "",
            *(f"{row[key]:.2f}" for key in ("fre", "fog", "ari")),
        ]
        for row in readability["rows"]
    ]
    print(
        look.table(
            "readability",
            "Flesch reading ease (higher is easier), Gunning fog, automated readability index.",
            ["texts", "documents", "FRE", "fog", "ARI"],
            rows,
        )
    )

# %%
print(stored.report())
