"""The 88 questions of tests/cases/instances.csv that can be put to other systems: does a sum of e^A converge? And the
limits of tests/cases/limits.csv."""

import csv
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parents[2] / "cases"


@dataclass(frozen=True)
class Question:
    id: str
    kind: str  # "Z": sum e^A; "H": sum |A| e^A, finite where the entropy is
    exponent: str  # of the terms, in the grammar of docs/specification.md
    first: int
    truth: str  # "conv" or "div"


@dataclass(frozen=True)
class Limit:
    suite: str
    place: str
    text: str  # in the grammar of docs/specification.md; of a limit that is left out, in that of the suite
    answer: str  # likewise, or "+inf", "-inf", "+-inf", "none"
    excluded: str  # the reason, or empty

    @property
    def sequence(self) -> bool:
        """Whether its suite, too, states it for whole numbers."""
        return self.place.startswith("test_limitseq")


def _rows(name: str = "instances.csv") -> list[dict[str, str]]:
    with (CASES / name).open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def read_questions() -> list[Question]:
    questions = []
    for row in _rows():
        # Content that multiplies a gain becomes one function, sin(n): no system quantifies over contents.
        score = f"({row['gain']})*sin(n) + ({row['bias']})" if row["gain"] else row["bias"]
        for kind in row["asked"]:
            holds = row["z_every" if kind == "Z" else "h_every"] == "holds"
            exponent = score if kind == "Z" else f"({score}) + log(-({score}))"
            # log(-A) has to exist at the first term
            first = int(row["first"]) if kind == "Z" else max(int(row["first"]), 4)
            questions.append(Question(row["id"], kind, exponent, first, "conv" if holds else "div"))
    return questions


def read_scores() -> dict[str, str]:
    """The scores as texts to print, content written c."""
    return {row["id"]: f"({row['gain']})*c + {row['bias']}" if row["gain"] else row["bias"] for row in _rows()}


def read_limits() -> list[Limit]:
    """All of them, those that are left out included."""
    return [Limit(*row.values()) for row in _rows("limits.csv")]
