"""The head of docs/tables/tinystories.md: what was run, and how it differs from the paper."""

import tomllib

import tsm

TOKENS = 2_955_005  # for training

INTRODUCTION = """# Runs on TinyStories

Small models with RoPE, ALiBi and APE, trained at 64, 128 and 256 tokens and evaluated at up to 16,384 tokens.{answer}

**Model, data and optimizer are not the paper's** ([runs with its optimizer](results_paper.md) have their own page):

| | these runs | paper, with nanoGPT's values where it gives none |
|---|---|---|
| model | {layers} layers of width {width}, {heads} heads, 0.5 million parameters | 6 layers of width 384, 6 heads, 30 million parameters |
| training tokens | {tokens:,}, a part of TinyStories, in a vocabulary of 2,048 | TinyStories; we infer GPT-2's vocabulary of 50,257 from 30 million parameters |
| long stories | older tales ([data.md](../data.md)) that no run was trained on | LongTinyStories; the project could not obtain it |
| steps | {iterations:,} of {batch} sequences, which read the tokens 3, 5 and 10 times | 25,000 of 12 sequences; of 480, if nanoGPT's 40 accumulation steps are meant |
| greatest learning rate | {learning_rate:g} | 6e-4 |
| warmup | {warmup:,} steps | 2,000 steps |
| cosine decay | to {minimum_learning_rate:g} over {decay_iterations:,} steps | to 6e-5 over 600,000 steps |
| ALiBi's slopes | 2^(-4h/3), by head | the same sequence, "layer-wise" |
| APE | δ = 1/48, β = γ = 1/10 at the start, learned by layer and head; λ = 1/100; α from the entropy of the bias | no values; α(n) ∝ the attention entropy at n |

As in the paper are contexts, evaluated lengths, AdamW with nanoGPT's β, weight decay 0.1, gradients clipped at 1, and
no dropout; [training.md](../training.md#configuration) has what the paper leaves open. Because of their words,
perplexities on tales are high at every length. Differences between encodings are specific to this size, these texts,
this optimizer, these starting values and these seeds.

Perplexity is the exponential of the mean loss of the first T tokens of windows of 16,384 tokens, 16 per range.
*Packed* windows are documents joined by the end token; no story of TinyStories is long enough to be a window.
*Documents* are windows within one document. Brackets contain the 95 % bootstrap interval over windows: the variation
over texts, not over training runs. Where no seed is named, there is one: 1337.

`.venv/bin/python tests/bench/runs/page.py` makes this page from [docs/results](../results), one file per run, with its
commands, the version of the sources and the machine; `.venv/bin/python tests/bench/runs/tsm.py` makes those.
"""  # noqa: E501


def introduction(growth):
    """The page's head; `growth` has the least and the greatest factor of each encoding."""
    settings = tomllib.loads((tsm.ROOT / tsm.CONFIG).read_text())
    found = ", ".join(f"by {least} to {greatest} with {name}" for name, (least, greatest) in growth.items())
    answer = (
        f"\nFrom the training length to 16,384 tokens of TinyStories the perplexity [is multiplied](#growth) {found}. "
        "There are three seeds at 64 tokens, and one at 128 and 256.\n"
        "[Simpler models](#what-simpler-models-do) are beside them."
        if found
        else ""
    )
    return INTRODUCTION.format(answer=answer, tokens=TOKENS, **settings["model"], **settings["training"])
