# %% [markdown]
# # Which property predicts reading far?
#
# The figures of `docs/study.md`: small models that learned tasks at 64 tokens and are asked at 128 to 4,096, beside
# what their formulas say. `study.py` has the outcome, the predictors and the statistic. The answer is withdrawn;
# `study_limits.py` shows why.

# %% tags=["parameters"]
results = None
output = "figures"

# %%
import look
import numpy
import ordering
import stored as reading
import study

look.begin(output)
stored = reading.Results(results)
formulas = stored.read("theory/study")
found = study.load(stored.folder / "study")
answer = study.answer(found, formulas) if formulas and found.encodings else None
print("\n".join(study.markdown(found, answer)))

# %% [markdown]
# ## Somers' D
#
# Of the outcome given the predictor: 1 where it puts all encodings in their order, 0 where it says nothing. Small marks
# are tasks; bars hold the mean over tasks of all predictors at once at 95 %, from a bootstrap over families and seeds.
# Right of the dashed line a predictor is strong.

# %%
figure, [[panel]] = look.panels(1, 1, 2.2)
if answer:
    places = -numpy.arange(len(answer.names), dtype=float)
    for t, task in enumerate(answer.counted):
        look.line(panel, task, answer.d[:, t], places, look.OTHERS[t % len(look.OTHERS)], "none", "osD^"[t % 4])
    panel.hlines(places, answer.lower, answer.upper, color=look.INK, linewidth=0.9)
    look.line(panel, "mean over tasks", answer.mean, places, look.INK, "none", "|", markersize=8)
    panel.set_yticks(places, answer.names)
    panel.axvline(0, color=look.QUIET, linewidth=0.7)
    panel.axvline(ordering.STRONG, color=look.QUIET, linewidth=0.7, linestyle=(0, (4, 2)))
    panel.set_xlim(-1.05, 1.05)
else:
    look.absent(panel, ["docs/results/study"])
panel.set_xlabel("Somers' D of the outcome")
look.legend(figure, 5)
look.save(figure, "study_forest")

# %% [markdown]
# ## Outcome by predictor
#
# A mark is an encoding: the mean over tasks that count and seeds of (accuracy − c)/(1 − c) over
# the lengths from 128 to 4,096, by the rank of the predictor, on which alone D depends; equal
# values have one rank, and what is undecided has none.

# %%
shown = answer.names if answer else ["window"]
figure, axes = look.panels(-(-len(shown) // 3), min(3, len(shown)), 1.5 * -(-len(shown) // 3), sharey=True)
if answer:
    counted = [found.tasks.index(task) for task in answer.counted]
    outcomes = found.outcomes[:, counted].mean(-1)
for panel in axes.flat[len(shown) :]:
    panel.set_visible(False)
for i, (panel, name) in enumerate(zip(axes.flat, shown, strict=False)):
    if answer:
        known = ~numpy.isnan(answer.values[i])
        ranks = numpy.unique(answer.values[i][known], return_inverse=True)[1] + 1
        look.line(panel, name, ranks, outcomes[known].mean(1), look.COLOURS["rope"], "none", "o")
        panel.set_xticks([1, ranks.max()])
        panel.set_xmargin(0.15)
    else:
        look.absent(panel, ["docs/results/study"])
    panel.set_title(name)
    panel.set_xlabel("rank")
for row in axes:
    row[0].set_ylabel("outcome")
look.save(figure, "study_outcomes")

# %%
if answer:
    rows = [
        [found.encodings[i], *(f"{outcome:.2f}" for outcome in outcomes[i]), f"{outcomes[i].mean():.2f}"]
        for i in numpy.argsort(-outcomes.mean(1))
    ]
    print(
        look.table(
            "study_outcomes",
            "Outcome beyond the trained length, mean over seeds.",
            ["encoding", *answer.counted, "mean"],
            rows,
        )
    )

# %%
print(stored.report())
