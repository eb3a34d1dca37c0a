# %% [markdown]
# # Which property predicts reading far?
#
# The figures of `docs/study.md`: small models that learned tasks at 64 tokens and are asked at 128 to 4,096, beside what their formulas say. `study.py` has the
# outcome, the predictors and the statistic.

# %% tags=["parameters"]
results = None
output = "figures"

# %%
import look
import numpy
import ordering
import study
import stored as reading

look.begin(output)
stored = reading.Results(results)
formulas = stored.read("theory/study")
found = study.load(stored.folder / "study")
counted = study.counted_tasks(found) if found.encodings else []
names, values, left_out = study.predictors(formulas, found.encodings) if formulas and found.encodings else ([], None, {})
print(f"{len(found.encodings)} encodings, {len(found.seeds)} seeds, tasks that count: {[found.tasks[t] for t in counted]}, not tested: {left_out}")

# %% [markdown]
# ## Somers' D
#
# Of the outcome given the predictor: 1 where it puts all encodings in their order, 0 where it says nothing. Small marks are tasks; bars hold the mean over tasks of all
# predictors at once at 95 %, from a bootstrap over families and seeds. Right of the dashed line a predictor is strong.

# %%
figure, [[panel]] = look.panels(1, 1, 2.2)
if counted and names and len(set(found.families)) > 1:
    outcomes = found.outcomes[:, counted]
    by_task = ordering.all_d(outcomes.mean(-1).T, values)
    mean, lower, upper = ordering.bootstrap(outcomes, values, found.families)
    places = -numpy.arange(len(names), dtype=float)
    for t, task in enumerate(counted):
        look.line(panel, found.tasks[task], by_task[:, t], places, look.OTHERS[t % len(look.OTHERS)], "none", "osD^"[t % 4])
    panel.hlines(places, lower, upper, color=look.INK, linewidth=0.9)
    look.line(panel, "mean over tasks", mean, places, look.INK, "none", "|", markersize=8)
    panel.set_yticks(places, names)
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
# A mark is an encoding: the mean over tasks that count and seeds of (accuracy − c)/(1 − c) over the lengths from 128 to 4,096, by the rank of the predictor, on which alone D
# depends; equal values have one rank, and what is undecided has none.

# %%
shown = names or ["window"]
figure, [axes] = look.panels(1, len(shown), 1.7, sharey=True)
for panel, name in zip(axes, shown, strict=True):
    if counted and names:
        column = values[names.index(name)]
        known = ~numpy.isnan(column)
        ranks = numpy.unique(column[known], return_inverse=True)[1] + 1
        look.line(panel, name, ranks, found.outcomes[known][:, counted].mean((1, 2)), look.COLOURS["rope"], "none", "o")
        panel.set_xticks([1, ranks.max()])
        panel.set_xmargin(0.15)
    else:
        look.absent(panel, ["docs/results/study"])
    panel.set_title(name)
    panel.set_xlabel("rank")
axes[0].set_ylabel("outcome")
look.save(figure, "study_outcomes")

# %%
if counted and formulas:
    order = numpy.argsort(-found.outcomes[:, counted].mean((1, 2)))
    rows = [[found.encodings[i], *(f"{found.outcomes[i, t].mean():.2f}" for t in counted), f"{found.outcomes[i][counted].mean():.2f}"] for i in order]
    print(look.table("study_outcomes", "Outcome beyond the trained length, mean over seeds.", ["encoding", *(found.tasks[t] for t in counted), "mean"], rows))

# %%
print(stored.report())
