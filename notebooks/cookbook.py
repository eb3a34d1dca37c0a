# %% [markdown]
# # Ten encodings, each from an idea
#
# An idea becomes a formula of the distance `n` (the key is `n` tokens before the query), the formula a dict with the
# keys of [an encoding file](../docs/specification.md), and `gpe.check` decides the
# [four properties](../docs/readings.md). `told` prints what an idea usually stands or falls by: whether the normalizer
# and the entropy stay bounded in every context, what weight remains far away, and how many keys have all but a
# thousandth of the weight.

# %%
import gpe


def told(name, parameters=None, **score):
    """Regions of three verdicts, and keys for all but 1/1000 of the weight, content within 1."""
    spec = {"name": name, "parameters": parameters or {}, "score": {"transform": "none"} | score}
    report = gpe.check(spec, content_bound="1", epsilon="1/1000", digits=6)
    found = report["encodings"][0]
    for title, place in (
        ("normalizer bounded", ("convergent-normalization", "every-content")),
        ("entropy bounded", ("entropy-boundedness", "uniform")),
        ("weight far away", ("ldcp", "weight")),
    ):
        [one] = [v for v in found["verdicts"] if (v["property"], v["reading"]) == place]
        print(f"{title:20} {one['verdict']:10} {one['region'] or ''}")
    [window] = found["effective_windows"]
    keys = window["W"]
    if isinstance(keys, dict):  # beyond every number, or not decided, with the reason
        keys = "undecided: " + keys["undecided"]
    else:
        keys = "no number is enough" if keys is None else int(keys) + 1
    print(f"{'keys':20} {keys}")
    return report


# %% [markdown]
# ## 1. Near tokens matter more
# A penalty that grows linearly, ALiBi. Everything is bounded, and a token far away gets nothing.

# %%
linear = told("linear", {"m": {"default": "1/16", "domain": "m >= 0"}}, bias="-m*n")

# %% [markdown]
# ## 2. Forget like a power law
# What is remembered of an event often falls like a power of its age. The normalizer needs an exponent above 1.

# %%
power = told("power", {"p": {"default": "3/2", "domain": "p >= 0"}}, bias="-p*log(1 + n)")

# %% [markdown]
# ## 3. As slowly as possible
# Between the powers: log n and twice log log n. The normalizer is finite for q > 1, the entropy only for q > 2.

# %%
slow = told("slow", {"q": {"default": "3/2", "domain": "q >= 0"}}, bias="-log(3 + n) - q*log(log(3 + n))")

# %% [markdown]
# ## 4. Only the last tokens
# A window of W keys: bounded by construction, whatever the bias.

# %%
window = told("window", {"W": {"default": "256", "domain": "W >= 1"}}, window="W")

# %% [markdown]
# ## 5. Rotations, and a little forgetting
# RoPE alone keeps no property of convergence. A slope as small as 1/1000 changes that.

# %%
rotated = told(
    "rotated",
    {"m": {"default": "1/1000", "domain": "m >= 0"}},
    bias="-m*n",
    transform="rotation",
    rotation={"angle": "10000^(-2*j/d)*n"},
)

# %% [markdown]
# ## 6. In octaves
# Distances 1, 2 to 3, 4 to 7, … are told apart, and no others. Each octave has twice as many keys as the one before, so
# a penalty of log 2 for each octave is just too small.

# %%
octaves = told("octaves", {"s": {"default": "1", "domain": "s >= 0"}}, bias="-s*floor(log(1 + n)/log(2))")

# %% [markdown]
# ## 7. Every seventh token
# A rhythm on top of a slope: the wave changes how much, and not whether.

# %%
weekly = told("weekly", {"m": {"default": "1/32", "domain": "m >= 0"}}, bias="-m*n + cos(2*pi*n/7)")

# %% [markdown]
# ## 8. Sharper as the context grows
# A gain s log(L + 1), L + 1 keys: as in scalable softmax. Without a bias the content alone decides.

# %%
sharper = told("sharper", {"s": {"default": "2", "domain": "s >= 0"}}, gain="s*log(1 + L)")

# %% [markdown]
# ## 9. Never more than a few
# A soft cap keeps contents within ± 4, so that no key can be far above the others; the slope does the rest.

# %%
capped = told("capped", {"m": {"default": "1/64", "domain": "m >= 0"}}, bias="-m*n", softcap="4")

# %% [markdown]
# ## 10. Heads that differ
# Slopes fall geometrically over the heads, and the last heads have a window: `h` is the head, from 1.

# %%
heads = told("heads", {"m": {"default": "1/4", "domain": "m > 0"}}, bias="-m*2^(-h)*n", window="if(h >= 3, 512, none)")

# %% [markdown]
# ## What next
# A report prints as a table, `plot()` draws it, and `gpe.check(spec, certificates=FOLDER)` writes proofs.
# [formula_to_model](formula_to_model.ipynb) trains a model with such an encoding, and looks at its heads.

# %%
print(power)
