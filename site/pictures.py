"""The site's page of all figures and tables, each with a title."""

import shutil

TITLES = {
    "verdicts": "Twelve encodings in every reading of the four properties",
    "growth": "Z and H by length",
    "band": "Least and greatest entropy over all contents with |c| ≤ B",
    "frontier": "Entropy against local range, and the least possible",
    "training": "Validation losses during training",
    "perplexity_tinystories": "Perplexity by prompt length, TinyStories",
    "perplexity_medium": "Perplexity by prompt length, stories of medium length",
    "perplexity_long": "Perplexity by prompt length, long stories",
    "perplexity_controls": "Perplexity with a window, without position, with official slopes",
    "perplexity_seeds": "Perplexity over three seeds",
    "perplexity_all_contexts": "Perplexity at all training lengths together",
    "fine_tuning": "Before and after 500 steps of fine-tuning with APE",
    "entropy": "Mean entropy by prompt length",
    "entropy_by_head": "Entropy by head",
    "entropy_predicted": "Entropy by head, measured and predicted from 256 tokens",
    "speed_memory": "Speed and memory",
    "memory_by_context": "Memory by context length",
    "study_forest": "Predictors of length generalization in the withdrawn study",
    "study_outcomes": "Outcomes of the withdrawn study",
    "regions": "Parameters for which each property holds",
    "perplexity_val": "Perplexity on the validation texts",
    "perplexity_long-0-5000": "Perplexity on long stories, up to 5,000 tokens",
    "perplexity_long-5000-10000": "Perplexity on long stories, 5,000 to 10,000 tokens",
    "readability": "Readability of the texts",
}


def write(docs, figures):
    """pictures.md, from the folder that notebooks/figures.py has written. ValueError for a figure without a title."""
    (docs / "pictures").mkdir()
    order = list(TITLES)

    def sorted_by_title(ending):
        return sorted(figures.glob(f"*.{ending}"), key=lambda path: order.index(path.stem))

    lines = [
        "# All figures and tables",
        "",
        "Made by `notebooks/figures.py` from the stored results: [figures](results.md#figures-and-tables) says which is which.",  # noqa: E501
        "",
    ]
    for path in sorted_by_title("svg"):
        shutil.copyfile(path, docs / "pictures" / path.name)
        shutil.copyfile(path.with_suffix(".pdf"), docs / "pictures" / f"{path.stem}.pdf")
        title = TITLES[path.stem]
        lines += [f"## {title}", "", f"![{title}](pictures/{path.name})", "", f"[PDF](pictures/{path.stem}.pdf)", ""]
    for path in sorted_by_title("md"):
        lines += [f"## Table: {TITLES[path.stem][0].lower()}{TITLES[path.stem][1:]}", "", path.read_text(), ""]
    (docs / "pictures.md").write_text("\n".join(lines))
