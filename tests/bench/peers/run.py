"""Asks every system every question, this project's programs first, and writes tests/bench/results/questions.json.

Usage: .venv/bin/python tests/bench/peers/run.py [--ours PROGRAM] [--limit SECONDS] [--output FILE]"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from ask import Answer, run
from questions import Question, read_questions
from systems import SYSTEMS, System

ROOT = Path(__file__).parents[3]
COMMAND = ".venv/bin/python tests/bench/peers/run.py"


def summary(name: str, version: str, start: float, answers: list[tuple[str, Answer]]) -> dict:
    """Counts, and median and worst time; a question out of time counts with the time it used."""
    seconds = [answer.seconds for _, answer in answers]
    return {
        "name": name, "version": version, "start_s": round(start, 4), "asked": len(answers),
        "right": sum(answer.word == truth for truth, answer in answers),
        "wrong": sum(answer.word in ("conv", "div") and answer.word != truth for truth, answer in answers),
        "no_answer": sum(answer.word == "none" for _, answer in answers),
        "timeouts": sum(answer.word == "timeout" for _, answer in answers),
        "median_s": round(statistics.median(seconds), 6), "worst_s": round(max(seconds), 6),
    }


def ask_all(system: System, questions: list[Question], limit: float, folder: Path) -> tuple[dict, list[Answer]]:
    """Times without the time of starting, each the least measured, as other work only adds: short questions are asked
    three times, and starting once before each."""
    starts, asked = [], []
    for question in questions:
        starts.append(run(system.start(folder), limit, folder).seconds)
        answers = [run(system.ask(question, folder), limit, folder)]
        while len(answers) < 3 and answers[0].seconds < 0.5:
            answers.append(run(system.ask(question, folder), limit, folder))
        asked.append(Answer(answers[0].word, min(answer.seconds for answer in answers)))
        print(f"{system.name}: {question.id} {question.kind} {asked[-1].word} {asked[-1].seconds:.2f} s", file=sys.stderr)
    start = min(starts)
    net = [Answer(answer.word, max(0.0, answer.seconds - start)) for answer in asked]
    return summary(system.name, system.version(), start, [(q.truth, a) for q, a in zip(questions, net)]), net


def ask_ours(program: str) -> tuple[dict, list[dict], dict[tuple[str, str], Answer]]:
    """Every question, those that other systems cannot be asked included, and the library's verdicts."""
    output = json.loads(subprocess.run([program], capture_output=True, text=True, check=True, env=os.environ | {
        "GPE_ENCODINGS": str(ROOT / "theory" / "encodings")}).stdout)
    words = {"holds": "conv", "fails": "div", "undecided": "none", "depends": "none"}
    answers = {(row["id"], row["kind"]): Answer(words[row["verdict"]], row["seconds"]) for row in output["questions"]}
    truths = {(row["id"], row["kind"]): words[row["truth"]] for row in output["questions"]}
    pairs = [(truths[key], answer) for key, answer in answers.items()]
    return summary("gpe", output["version"], 0.0, pairs), output["library"], answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", default=str(ROOT / "build-bench" / "bin" / "questions_bench"))
    parser.add_argument("--limit", type=float, default=30.0, help="CPU seconds a question (default 30)")
    parser.add_argument("--output", type=Path, default=ROOT / "tests" / "bench" / "results" / "questions.json")
    options = parser.parse_args()
    questions = read_questions()
    ours, library, our_answers = ask_ours(options.ours)
    systems, columns = [ours], [[our_answers[q.id, q.kind] for q in questions]]
    with tempfile.TemporaryDirectory() as folder:
        for system in SYSTEMS:
            row, answers = ask_all(system, questions, options.limit, Path(folder))
            systems.append(row)
            columns.append(answers)
    same = summary("gpe, the same questions", ours["version"], 0.0, [(q.truth, a) for q, a in zip(questions, columns[0])])
    result = {
        "command": COMMAND, "machine": f"{os.cpu_count()} cores", "limit_s": options.limit,
        "systems": [ours, same, *systems[1:]],
        "questions": [{"id": q.id, "kind": q.kind, "truth": q.truth,
                       "answers": [[column[i].word, round(column[i].seconds, 6)] for column in columns]}
                      for i, q in enumerate(questions)],
        "library": library,
    }
    lines = [f" {json.dumps(key)}: " + (json.dumps(value) if not isinstance(value, list) else
             "[\n  " + ",\n  ".join(json.dumps(row) for row in value) + "\n ]") for key, value in result.items()]
    temporary = options.output.with_suffix(".tmp")
    temporary.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    temporary.replace(options.output)


if __name__ == "__main__":
    main()
