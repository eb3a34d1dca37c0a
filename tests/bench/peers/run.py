"""Asks every system every question, this project's programs first, and writes down the answers.

Usage: .venv/bin/python tests/bench/peers/run.py [sums|limits] [--ours PROGRAM] [--limit SECONDS]
       [--output FILE] [--keep]

Writes tests/bench/results/questions.json; of limits, limits.json."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ask import Answer, run
from grammar import SYMPY, translate
from questions import Limit, Question, read_limits, read_questions
from systems import LIMIT_SYSTEMS, SYSTEMS, System

ROOT = Path(__file__).parents[3]
COMMAND = ".venv/bin/python tests/bench/peers/run.py"


def summary(name: str, version: str, start: float, answers: list[tuple[str, Answer]]) -> dict:
    """Counts, and median and worst time; a question out of time counts with the time it used."""
    seconds = [answer.seconds for _, answer in answers]
    return {
        "name": name,
        "version": version,
        "start_s": round(start, 4),
        "asked": len(answers),
        "right": sum(answer.word == truth for truth, answer in answers),
        "wrong": sum(answer.word not in (truth, "none", "timeout") for truth, answer in answers),
        "no_answer": sum(answer.word == "none" for _, answer in answers),
        "timeouts": sum(answer.word == "timeout" for _, answer in answers),
        "median_s": round(statistics.median(seconds), 6),
        "worst_s": round(max(seconds), 6),
    }


def judge_sum(question: Question, word: str) -> str:
    return word if word in ("conv", "div", "timeout") else "none"


def judge_limit(limit: Limit, word: str) -> str:
    """right, none, timeout, or wrong with the answer. "Does not exist" counts as wrong where the limit exists;
    complex infinity is one only where the suite leaves the sign open."""
    if word in ("timeout", "?"):
        return word.replace("?", "none")
    if word == "none" or word.startswith("bounded_function"):
        return "right" if limit.answer == "none" else "none"
    if word == "infinity" and limit.answer in ("+inf", "-inf"):
        return "none"
    if limit.answer == "+-inf":
        right = word in ("+inf", "-inf", "infinity")
    elif word.endswith("inf") or word == "infinity" or limit.answer.endswith(("inf", "none")):
        right = word == limit.answer
    else:
        import sympy_limit

        stated = float(eval(translate(limit.answer, SYMPY), {"__builtins__": {}}, sympy_limit.NAMES).evalf(20))
        right = abs(float(word) - stated) <= 1e-9 * max(1.0, abs(stated))
    return "right" if right else f"wrong: {word}"


def ask_all(
    system: System, questions: list, limit: float, folder: Path, judge: Callable, runs: int
) -> tuple[float, list[Answer]]:
    """What starting costs, and the answers. Times without the time of starting, each the least measured, as other work
    only adds: short questions are asked `runs` times, and starting once before each."""
    starts, asked = [], []
    for question in questions:
        if runs > 1 or len(starts) < 10:
            starts.append(run(system.start(folder), limit, folder).seconds)
        answers = [run(system.ask(question, folder), limit, folder)]
        while len(answers) < runs and answers[0].seconds < 0.5:
            answers.append(run(system.ask(question, folder), limit, folder))
        asked.append(Answer(judge(question, answers[0].word), min(answer.seconds for answer in answers)))
        print(
            f"{system.name}: {question} {answers[0].word} {asked[-1].word} {asked[-1].seconds:.2f} s", file=sys.stderr
        )
    start = min(starts)
    return start, [Answer(answer.word, max(0.0, answer.seconds - start)) for answer in asked]


def ask_program(program: str, *arguments: str) -> dict:
    return json.loads(
        subprocess.run(
            [program, *arguments],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"GPE_ENCODINGS": str(ROOT / "theory" / "encodings")},
        ).stdout
    )


def ask_ours(program: str) -> tuple[dict, list[dict], dict[tuple[str, str], Answer]]:
    """Every question, those that other systems cannot be asked included, and the library's verdicts."""
    output = ask_program(program)
    words = {"holds": "conv", "fails": "div", "undecided": "none", "depends": "none"}
    answers = {(row["id"], row["kind"]): Answer(words[row["verdict"]], row["seconds"]) for row in output["questions"]}
    truths = {(row["id"], row["kind"]): words[row["truth"]] for row in output["questions"]}
    pairs = [(truths[key], answer) for key, answer in answers.items()]
    return summary("gpe", output["version"], 0.0, pairs), output["library"], answers


def sums(program: str, limit: float, folder: Path) -> dict:
    questions = read_questions()
    ours, library, our_answers = ask_ours(program)
    systems, columns = [ours], [[our_answers[q.id, q.kind] for q in questions]]
    for system in SYSTEMS:
        start, answers = ask_all(system, questions, limit, folder, judge_sum, 3)
        systems.append(
            summary(
                system.name, system.version(), start, [(q.truth, a) for q, a in zip(questions, answers, strict=True)]
            )
        )
        columns.append(answers)
    same = summary(
        "gpe, the same questions",
        ours["version"],
        0.0,
        [(q.truth, a) for q, a in zip(questions, columns[0], strict=True)],
    )
    return {
        "systems": [ours, same, *systems[1:]],
        "questions": [
            {
                "id": q.id,
                "kind": q.kind,
                "truth": q.truth,
                "answers": [[column[i].word, round(column[i].seconds, 6)] for column in columns],
            }
            for i, q in enumerate(questions)
        ],
        "library": library,
    }


def limits(program: str, limit: float, folder: Path, kept: dict | None) -> dict:
    """The limits that exist are counted; of those that do not, who gives one."""
    asked = [each for each in read_limits() if not each.excluded]
    output = ask_program(program, "limits")
    names, columns = (
        [("gpe", output["version"], 0.0)],
        [[Answer(row["answer"], row["seconds"]) for row in output["limits"]]],
    )
    for i, system in enumerate(LIMIT_SYSTEMS, 1):
        if kept:
            start, answers = kept["systems"][i]["start_s"], [Answer(*row["answers"][i]) for row in kept["limits"]]
        else:
            start, answers = ask_all(system, asked, limit, folder, judge_limit, 1)
        names.append((system.name, system.version(), start))
        columns.append(answers)
    systems = []
    for name, answers in zip(names, columns, strict=True):
        row = summary(*name, [("right", a) for each, a in zip(asked, answers, strict=True) if each.answer != "none"])
        systems.append(
            row
            | {
                "wrong_without": sum(
                    a.word.startswith("wrong") for each, a in zip(asked, answers, strict=True) if each.answer == "none"
                )
            }
        )
    return {
        "systems": systems,
        "limits": [
            {"place": each.place, "answers": [[column[i].word, round(column[i].seconds, 6)] for column in columns]}
            for i, each in enumerate(asked)
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["sums", "limits"], nargs="?", default="sums")
    parser.add_argument("--ours", default=str(ROOT / "build-bench" / "bin" / "questions_bench"))
    parser.add_argument("--limit", type=float, default=30.0, help="CPU seconds per question (default 30)")
    parser.add_argument("--output", type=Path)
    parser.add_argument(
        "--keep", action="store_true", help="of limits: ask this project alone, and keep what the others answered"
    )
    options = parser.parse_args()
    output = options.output or ROOT / "tests" / "bench" / "results" / (
        "limits.json" if options.what == "limits" else "questions.json"
    )
    with tempfile.TemporaryDirectory() as folder:
        if options.what == "sums":
            answers = sums(options.ours, options.limit, Path(folder))
        else:
            answers = limits(
                options.ours, options.limit, Path(folder), json.loads(output.read_text()) if options.keep else None
            )
    result = {
        "command": COMMAND + " limits" * (options.what == "limits"),
        "machine": f"{os.cpu_count()} cores",
        "limit_s": options.limit,
    } | answers
    lines = [
        f" {json.dumps(key)}: "
        + (
            json.dumps(value)
            if not isinstance(value, list)
            else "[\n  " + ",\n  ".join(json.dumps(row) for row in value) + "\n ]"
        )
        for key, value in result.items()
    ]
    temporary = output.with_suffix(".tmp")
    temporary.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    temporary.replace(output)


if __name__ == "__main__":
    main()
