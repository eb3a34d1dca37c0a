# %% [markdown]
# # From a formula to a trained and probed model
#
# One encoding: its verdicts, a small model that learns its parameters, and what the heads of the model do, beside the
# predictions. On a laptop this takes some minutes. It needs the programs of the preset `model`
# ([training](../docs/training.md)).

# %% tags=["parameters"]
iterations = 400
folder = "formula_to_model"  # where everything goes

# %% [markdown]
# ## The formula
# A slope m, a logarithm with β, and rotations: for which m and β does the entropy stay bounded?

# %%
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import gpe

folder = Path(folder)
folder.mkdir(exist_ok=True)
spec = folder / "mine.toml"
spec.write_text("""schema = 1
name = "mine"
title = "A slope, a logarithm and rotations"

[parameters]
m = { default = "1/64", domain = "m >= 0" }
beta = { default = "1/2", domain = "beta >= 0" }

[score]
bias = "-m*n - beta*log(1 + n)"
transform = "rotation"

[score.rotation]
angle = "10000^(-2*j/d)*n"
""")
report = gpe.check(spec, content_bound="1,5", epsilon="1/1000", digits=6, symbolic="m,beta")
print(report)

# %% [markdown]
# ## The model
# Stories that are made, a vocabulary of 512 byte pairs, two layers of width 48; m and β are learned for each layer and
# head, at 64 tokens.


# %%
def run(program, *arguments):
    """What it prints. A model that is there is not trained again."""
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


shutil.rmtree(folder / "run", ignore_errors=True)
print(run("make-stories", "--words", "50..400", "--count", 300, "--output", "stories.txt"))
run("prepare-data", "stories.txt", "--vocabulary", 512, "--output", "made")
sizes = {"model.layers": 2, "model.width": 48, "training.learning_rate": "3e-3", "training.warmup": 10}
settings = [part for name, value in sizes.items() for part in ("--set", f"{name}={value}")]
settings += ["--set", 'position.learned=["beta", "m"]', "--iterations", iterations, "--threads", 1, "--quiet"]
run("train-tsm", "--data", "made", "--encoding", "mine.toml", "--output", "run", *settings)

# %% [markdown]
# Perplexity by the number of tokens read, up to eight times the training length:

# %%
print(run("evaluate-tsm", "run", "made/val.bin", "--lengths", "64..512", "--windows", 4, "--threads", 1))

# %% [markdown]
# ## What was learned
# The run writes its encoding with the learned values, and the theory applies to each head.

# %%
for head in (1, 6):
    of_head = gpe.check(folder / "run" / "encoding.toml", heads=6, head=head, layers=2, layer=1, digits=4)
    [values] = [one["parameters"] for one in of_head["encodings"]]
    words = ", ".join(f"{name} = {float(Fraction(value)):.4f}" for name, value in values.items())
    print(f"layer 1, head {head}: {words}; entropy bounded {of_head.verdict('entropy-boundedness', 'uniform')}")

# %% [markdown]
# ## What the heads do
# Measured entropies beside those that short windows predict, and whether anything contradicts a theorem:

# %%
shown = ["probe-attention", "run", "--tokens", "made/val.bin", "--lengths", "64..512", "--windows", 2, "--threads", 1]
print(run(*shown)[-1500:])

# %%
run(*shown, "--format", "json", "--output", "probe.json")
run("gpe", "page", "probe.json", "--output", "probe.html")
print("open", folder / "probe.html")
