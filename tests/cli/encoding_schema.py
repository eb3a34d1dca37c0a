"""docs/encoding.schema.json, which editors read: every encoding file of the project is one, and a file with a mistake
that a schema can see is not.

Usage: encoding_schema.py SOURCE. Exit code 0, or what is wrong in words."""

import json
import re
import sys
import tomllib
from pathlib import Path

import jsonschema

source = Path(sys.argv[1])
schema = json.loads((source / "docs" / "encoding.schema.json").read_text())
jsonschema.Draft4Validator.check_schema(schema)
validator = jsonschema.Draft4Validator(schema)
wrong = []

files = {str(file): file.read_text() for file in (source / "theory" / "encodings").glob("*.toml")}
page = (source / "docs" / "specification.md").read_text()
files |= {
    f"docs/specification.md, {block.splitlines()[0]}": block
    for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
}
if len(files) < 50:
    wrong.append(f"only {len(files)} files")
for name, text in files.items():
    wrong += [
        f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message}"
        for error in validator.iter_errors(tomllib.loads(text))
    ]

MISTAKES = [
    '[score]\ntransform = "rope"',
    '[score]\ntransform = "RoPE"',
    "[score]\nwindow = 128.0",
    "[score]\nbias = 0.5",
    "[score]\nbias = true",
    'bias = "-n"\n[score]',
    '[score]\nangle = "n"',
    '[rotation]\nangle = "n"\n[score]',
    '[score]\nslope = "1/2"',
    "[score]\nfirst = -1",
    '[score]\nsided = "both"',
    '[parameters]\nm = "1/2"\n[score]',
    "[parameters]\nm = 0.5\n[score]",
    '[parameters]\nm = { value = "1/2" }\n[score]',
    "[parameters]\nm = { default = 0.5 }\n[score]",
    "[parameters]\nm = { default = [] }\n[score]",
    '[parameters]\n"a-b" = { default = 1 }\n[score]',
    '[parameters]\nm = { default = 1, range = "1" }\n[score]',
    "[tables]\nt = { values = [1] }\n[score]",
    '[tables]\nt = { values = [1], file = "t.csv", index = "n" }\n[score]',
    '[score]\ntransform = "rotation"\n[score.rotation]\nlayout = "half"',
    '[score]\ntransform = "hyperbolic"\n[score.hyperbolic]\nrate = "1"',
    "",
    "title = 1\n[score]",
]
for mistake in MISTAKES:
    if validator.is_valid(tomllib.loads('schema = 1\nname = "x"\n' + mistake)):
        wrong.append(f"accepted: {mistake!r}")
for head in ('schema = 2\nname = "x"', 'schema = "1"\nname = "x"', 'schema = 1\nname = "A/B"', 'name = "x"'):
    if validator.is_valid(tomllib.loads(head + "\n[score]")):
        wrong.append(f"accepted: {head!r}")

sys.exit("\n".join(wrong) or 0)
