"""Reports from strangers: cases of hostile_files_test.py."""

import json

from hostile_files import PAGE, replaced


def report_cases(generator, count):
    def one(change):
        def text(old):
            report = json.loads(old)
            return json.dumps(change(report) or report)

        return replaced("report.json", text)

    for name, change in (
        ("no heads", lambda r: r | {"heads": []}),
        ("heads that are numbers", lambda r: r | {"heads": [1, 2]}),
        ("lengths that are empty", lambda r: r | {"lengths": []}),
        ("a schema that is text", lambda r: r | {"schema": "1"}),
        ("a head of 10^15", lambda r: r["heads"][0].update({"head": 10**15})),
        ("a head that is text", lambda r: r["heads"][0].update({"head": "<script>"})),
        ("a negative head", lambda r: r["heads"][0].update({"head": -3})),
        ("a layer that is a list", lambda r: r["heads"][0].update({"layer": [1]})),
        ("a length that is text", lambda r: r | {"lengths": ["<script>", 2]}),
        ("lengths of heads that are numbers", lambda r: r["heads"][0].update({"lengths": [1, 2]})),
        ("distances that are a number", lambda r: r["heads"][0].update({"distances": 7})),
        ("windows that are text", lambda r: r["heads"][0]["statistical_window"].update({"W": "x"})),
        ("contradictions that are text", lambda r: r | {"contradictions": "x"}),
        ("heads of other lengths", lambda r: r["heads"][0]["lengths"].pop() and None),
        ("tokens that are a list", lambda r: r | {"tokens": [], "lengths": None}),
        ("a bound that is a list", lambda r: r | {"content_bound": [1]}),
        ("a type that is a number", lambda r: r | {"dtype": 7}),
    ):
        yield f"report with {name}", PAGE, {2}, one(change)
    yield "report that is nested", PAGE, {2}, replaced("report.json", "[" * 300000)
    yield "report that is binary", PAGE, {2}, replaced("report.json", b"\xff\x00")

    def leaves(value, path=()):
        if isinstance(value, dict):
            return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
        if isinstance(value, list):
            return [leaf for index, item in enumerate(value) for leaf in leaves(item, (*path, index))]
        return [path]

    for index in range(count):
        value = generator.choice((None, -1, 1e308, 10**18, "<script>alert(1)</script>", [], {}, [[]], True))
        seed = generator.random()

        def change(report, value=value, seed=seed):
            paths = leaves(report)
            path = paths[int(seed * len(paths))]
            place = report
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value

        yield f"report {index} {value!r}", PAGE, {0, 2}, one(change)
