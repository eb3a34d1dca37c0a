#!/usr/bin/env python3
"""A certificate of another form ends there, with the same words in both verifiers: they and a validator of JSON Schema
read docs/certificate.schema.json alike, and neither verifier ends in another way.

    forms.py VERIFY-CERTIFICATE EVERY FOLDER

At each kind of place in the true certificates of forgeries.py the value becomes null, true, 0, "", [] or {}, the key
goes, and a key is added; every EVERY-th of these is read. FOLDER is made again. Exit: 0, or 1 with what is wrong.
"""

import copy
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import jsonschema
from forged_forms import SLOPE
from forgeries import text
from forgery import CASES, edited

PYTHON = str(pathlib.Path(__file__).resolve().parents[2] / "probes" / "python")
sys.path.insert(0, PYTHON)
from gpe.verifier import form  # noqa: E402
from gpe.verifier.work import NotShown  # noqa: E402

READ = {"$ref", "allOf", "oneOf", "required", "properties", "additionalProperties", "propertyNames", "items"}
SAYING_NOTHING = {"$schema", "$defs", "title", "description"}
OF_NAMES = ("tables", "holds", "fails", "box", "at", "parameters", "twins")  # whose keys are names
VALUES = (None, True, 0, "", [], {})
SECONDS = 10  # for one file, on a busy machine


def digits_are_many(pattern):
    """Whether runs of digits may be read as one digit."""
    return all(re.match(r"[^\]]*\]\+", part) for part in pattern.split("0-9")[1:]) and not re.search(
        "[0-9]", pattern.replace("0-9", "")
    )


def unread(schema):
    """Keywords and patterns that the verifiers would not read as JSON Schema does."""
    for key, value in schema.items() if isinstance(schema, dict) else ():
        if key not in READ | SAYING_NOTHING | set(form.KEYWORDS):
            yield key
        if key == "pattern" and not (value[0] + value[-1] == "^$" and "\\" not in value and digits_are_many(value)):
            yield value
        parts = value if isinstance(value, list) else [value]
        for one in value.values() if key in ("properties", "$defs") else parts:
            yield from unread(one)


def places(value, path=(), kind=""):
    """Of each value in a certificate the path, and what places of other certificates have in common with it."""
    yield path, f"{kind} {type(value).__name__}"
    if isinstance(value, dict):
        for key, one in value.items():
            alike = "*" if path and path[-1] in OF_NAMES or ("split" in value and isinstance(one, dict)) else key
            yield from places(one, (*path, key), f"{kind}/{value.get('rule', '')}/{alike}".replace("*/*", "*"))
    for i, one in enumerate(value if isinstance(value, list) else ()):
        yield from places(one, (*path, i), kind + "/*")


def changed(one, path, change):
    """A copy in which `change` was called with the container of a place and its key."""
    result = at = [copy.deepcopy(one)]
    path = (0, *path)
    for key in path[:-1]:
        at = at[key]
    change(at, path[-1])
    return result[0]


def mutants():
    """Names, and certificates: of those called "more" none is of the form."""
    seen = set()
    for name, true, one in CASES:
        for path, kind in places(one) if true else ():
            if (one["kind"], kind) in seen:
                continue
            seen.add((one["kind"], kind))
            changes = [(repr(to), lambda at, key, to=to: at.__setitem__(key, copy.deepcopy(to))) for to in VALUES]
            changes.append(("gone", lambda at, key: at.__delitem__(key)))
            if kind.endswith(" dict") and not (path and path[-1] in OF_NAMES):
                changes.append(("more", lambda at, key: at[key].update(more=1)))
            for how, change in changes:
                other = changed(one, path, change) if path or how != "gone" else None
                if other != one or how == "True":
                    yield f"{name} {'/'.join(map(str, path))} {how}", other


def hostile():
    """Certificates as large as they may be."""
    tree = {"verdict": "undecided", "proof": None}
    for _ in range(250):
        tree = {"split": "m", "at": tree}
    yield edited(SLOPE, free=["m"], proof=None, cases=tree)
    yield edited(SLOPE, free=[f"m{i}" for i in range(300000)])
    yield edited(SLOPE, free=["m"] * 600000)
    yield edited(SLOPE, law__tables={f"t{i}": {} for i in range(200000)})
    yield edited(SLOPE, law__tables={"t" * 2000000: {str(i): 1 for i in range(100000)}})
    yield edited(SLOPE, claim__content_bound="1" * 4000000)
    yield edited(SLOPE, proof__rule="r" * 4000000)
    yield {"schema": 1, "kind": "list", "certificates": [{}] * 1000000}
    yield json.dumps(SLOPE).replace("null", "[" * 1000000 + "]" * 1000000, 1)


def said_by(command, files):
    """What a verifier says of each file, or of itself."""
    said = {}
    for at in range(0, len(files), 1000):
        words = [*command, *files[at : at + 1000]]
        run = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS * len(words), check=False)
        for line in run.stdout.splitlines():
            said.update([line.split(": ", 1)] if line.startswith(files[0].rsplit("/", 1)[0]) else ())
        if run.returncode not in (0, 4) or run.stderr:
            said[command[-1]] = f"exit code {run.returncode} {run.stderr[-500:]}"
    return said


def main():
    first, every, folder = [sys.argv[1], "--verbose"], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    second = [sys.executable, "-m", "gpe.verifier"] if importlib.util.find_spec("flint") else None
    os.environ["PYTHONPATH"] = PYTHON
    validator = jsonschema.Draft202012Validator(form.SCHEMA)
    wrong = [f"the verifiers do not read '{one}' of the schema" for one in unread(form.SCHEMA)]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    names, refusals = {}, {}
    for i, (name, one) in enumerate(list(mutants())[::every]):
        file = folder / f"{i}.json"
        file.write_text(json.dumps(one), encoding="utf-8")
        names[str(file)] = name
        try:
            form.require(one)
        except NotShown as error:
            refusals[str(file)] = f"not valid: {error}"
        if name.endswith(" more") and str(file) not in refusals:
            wrong.append(f"{name}: it has the form of a certificate")
        if validator.is_valid(one) != (str(file) not in refusals):
            wrong.append(f"{name}: {refusals.get(str(file), 'of the form')}; not so by JSON Schema")
    said = said_by(first, list(names))
    for file, name in names.items():
        mine = said.pop(file, "nothing")
        if mine.startswith(("nothing", "not valid: form: ")) if file not in refusals else mine != refusals[file]:
            wrong.append(f"{name}: '{mine}'; by the second verifier '{refusals.get(file, 'of the form')}'")
        if "json.exception" in mine:
            wrong.append(f"{name}: {mine}")
    wrong += said.values()
    passed = [file for file in names if file not in refusals]
    for i, one in enumerate(hostile()):
        (folder / f"hostile-{i}.json").write_text(text(one), encoding="utf-8")
    large = sorted(map(str, folder.glob("hostile-*.json")))
    for command, files in ((first, large), (second, large), (second, passed)):
        said = said_by(command, files) if command else {}
        wrong += [f"{file}: {line[:500]}" for file, line in said.items() if not line.startswith(("not ", "accepted"))]
        wrong += [f"{names.get(file, file)}: nothing by {command[0]}" for file in files if command and file not in said]
    print("\n".join([*wrong, f"{len(names)} certificates, {len(refusals)} not of the form, {len(wrong)} errors"]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
