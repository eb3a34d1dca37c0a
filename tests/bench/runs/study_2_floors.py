"""What predictors reach that read nothing of a source: the floors of the tasks of the second study (docs/study.md)."""

import array
import collections
import json

# What such a predictor sees: the number of the answer among those of its document, and the answers before it.
SEES = {
    "nothing": lambda number, before: (),
    "the number": lambda number, before: number,
    "the last": lambda number, before: before[-1:],
    "the number and the last": lambda number, before: (number, before[-1:]),
    "the last two": lambda number, before: before[-2:],
    "the sum": lambda number, before: sum(before),
}
FIRST = "another than before"  # the most frequent one that is not among the answers before


def documents(file):
    """TASK: the answers of each document, in their order."""
    tokens = array.array("H")
    tokens.frombytes(file.read_bytes())
    key = json.loads(file.with_suffix(".answers.json").read_text())
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for task, document, _, begin, end, _ in key["answers"]:
        found[key["tasks"][task]][document] += tokens[begin:end]
    return {task: [tuple(answers) for answers in of.values()] for task, of in found.items()}


def accuracy(sees, learned_from, asked):
    """Of the likeliest answer given what is seen, by the counts of other documents."""
    counts = collections.defaultdict(collections.Counter)
    for answers in learned_from:
        for number, answer in enumerate(answers):
            counts[sees(number, answers[:number])][answer] += 1
    likeliest = {seen: of.most_common(1)[0][0] for seen, of in counts.items()}
    right = [
        likeliest.get(sees(number, answers[:number])) == answer
        for answers in asked
        for number, answer in enumerate(answers)
    ]
    return sum(right) / len(right)


def accuracy_of_new(learned_from, asked):
    order = [answer for answer, _ in collections.Counter(a for of in learned_from for a in of).most_common()]
    right = []
    for answers in asked:
        for number, answer in enumerate(answers):
            before = set(answers[:number])
            right.append(next((one for one in order if one not in before), None) == answer)
    return sum(right) / len(right)


def floors(file):
    """TASK: the greatest accuracy, whose it is, and that of each predictor. They learn from every second document, and
    are asked of the others."""
    result = {}
    for task, found in documents(file).items():
        learned_from, asked = found[::2], found[1::2]
        of = {name: accuracy(sees, learned_from, asked) for name, sees in SEES.items()}
        of[FIRST] = accuracy_of_new(learned_from, asked)
        best = max(of, key=of.get)
        result[task] = {"floor": round(of[best], 4), "best": best, "answers": sum(map(len, asked))}
        result[task]["predictors"] = {name: round(value, 4) for name, value in of.items()}
    return result
