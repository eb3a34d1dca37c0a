"""What is no JSON, or no list of certificates; and names that go over lines."""

import json

from forged_forms import CONVERGES, LINE, SLOPE, changed
from forgery import CASES, edited, twins

twins(
    "form-lines",
    None,
    name=changed(law__name=LINE),
    escape=changed(law__name="\x1b[1Aforged"),
    unicode=changed(law__name="forged\u2028"),
    empty=changed(law__name=""),
    long=changed(law__name="x" * 100000),
    space=changed(law__name="a b"),
    formula=changed(law__bias="-m*n - " + json.dumps(LINE)),
    region=changed(claim__region=LINE),
    reading=changed(claim__reading=LINE),
    rule_=changed(proof__rule=LINE),
    key=changed(proof={**CONVERGES, LINE: "1"}),
    carriage=changed(law__name="forged\rforged.json: proved"),
    parameter_=changed(law__parameters__0__name="m\n"),
    table_=changed(law__tables={LINE: {"first": 0, "beyond": "constant", "values": ["1"]}}),
    bound=changed(claim__content_bound=LINE),
)
plain = json.dumps(SLOPE)
for i, text in enumerate(
    (
        "",
        "null",
        "[]",
        "{}",
        "1",
        '"x"',
        plain[:-1],
        plain + "x",
        plain.replace('"free"', '"free": [], "free"', 1),
        plain.replace('"schema": 1', '"schema": NaN'),
        plain.replace('"schema": 1', '"schema": 1, "schema": 1'),
        "[" * 100000,
        plain.replace('"head": 1', '"head": 1e0'),
        plain.replace('"k": 0', '"k": 0.0'),
        plain.replace('"k": 0', '"k": 1' + "0" * 400),
        plain.replace('"C": "20"', '"C": "20 + \\u0024B"'),
    )
):
    if text:
        CASES.append((f"no-json-{i}", False, text))
LIST = {"schema": 1, "kind": "list", "certificates": [SLOPE]}
twins(
    "list",
    LIST,
    one_of_two=edited(LIST, certificates=[SLOPE, changed(claim__verdict="fails")]),
    empty=edited(LIST, certificates=[]),
    inside=edited(LIST, certificates=[LIST]),
    more={**LIST, "claim": None},
    schema=edited(LIST, schema=2),
    decimal=edited(LIST, schema=1.0),
    no_list=edited(LIST, certificates=SLOPE),
)
