"""Readability of documents: the three measures of the paper's table, by the package textstat."""
# Tests: tests/model/prepare_data_test.py

import warnings

from bad_input import BadInput

MEASURES = (("FRE", "flesch_reading_ease"), ("Gunning Fog", "gunning_fog"), ("ARI", "automated_readability_index"))


def require_packages():
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # textstat 0.7.4 still imports pkg_resources
            import textstat
    except ImportError as error:
        raise BadInput(
            f"--readability: the Python package {error.name} is absent; ./setup.sh --model installs it"
        ) from None
    textstat.set_rounding(False)
    return textstat


def measure(documents):
    """Means over the documents: Flesch reading ease (higher is easier), Gunning fog and the automated readability
    index (higher is harder)."""
    textstat = require_packages()
    result = {"documents": len(documents)}
    for name, function in MEASURES:
        values = [getattr(textstat, function)(document) for document in documents]
        result[name] = sum(values) / len(values)
    return result


def print_table(table):
    print("readability           documents    FRE  Gunning Fog    ARI")
    for name, row in table:
        print(f"{name:20} {row['documents']:10} {row['FRE']:6.2f} {row['Gunning Fog']:12.2f} {row['ARI']:6.2f}")
