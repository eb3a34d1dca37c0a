"""The form of certificates: certificate.schema.json says it, and is checked before anything else is read."""
# Tests: tests/certificates/forms.py

import json
import re
from pathlib import Path

from gpe.verifier.work import NotShown

SCHEMA = json.loads(Path(__file__).with_name("certificate.schema.json").read_text(encoding="utf-8"))
KINDS = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", type(None): "null"}
#: Keywords: the type of values that they are about (None: all), what they ask for in words, and whether a value is so.
KEYWORDS = {
    "type": (None, "a value of type ", lambda said, value: kind(value) in listed(said)),
    "enum": (None, "one of ", lambda said, value: any(type(one) is type(value) and one == value for one in said)),
    "minimum": (int, "at least ", lambda said, value: value >= said),
    "maximum": (int, "at most ", lambda said, value: value <= said),
    "minLength": (str, "at least ", lambda said, value: len(value.encode()) >= said),
    "maxLength": (str, "at most ", lambda said, value: len(value.encode()) <= said),
    "pattern": (str, "a text like ", lambda said, value: re.fullmatch(said, value)),
    "minItems": (list, "at least ", lambda said, value: len(value) >= said),
    "maxItems": (list, "at most ", lambda said, value: len(value) <= said),
    "uniqueItems": (list, "unique items: ", lambda said, value: len(set(map(json.dumps, value))) == len(value)),
    "minProperties": (dict, "at least ", lambda said, value: len(value) >= said),
    "maxProperties": (dict, "at most ", lambda said, value: len(value) <= said),
}


def require(certificate):
    if found := wrong(SCHEMA, certificate, ""):
        raise NotShown("form: " + ("/" if found[0] == ":" else "") + found)


def kind(value):
    return KINDS.get(type(value), "number")  # such as 1.0


def listed(said):
    return said if isinstance(said, list) else [said]


def brief(value):
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    return text[:100].decode("utf-8", "surrogateescape") + ("..." if len(text) > 100 else "")


def resolved(schema):
    """What `$ref` names: "#/$defs/law"."""
    return SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema


def wrong(schema, value, place):
    """What is wrong with a value, and where; or nothing."""
    if isinstance(schema, bool):
        return "" if schema else f"{place}: unknown key"
    if "$ref" in schema and (found := wrong(resolved(schema), value, place)):
        return found
    for keyword, (of, words, fits) in KEYWORDS.items():
        if keyword in schema and (of is None or type(value) is of) and not fits(schema[keyword], value):
            return f"{place}: {brief(value)}, expected {words}{brief(schema[keyword])}"
    if isinstance(value, dict):
        for key in schema.get("required", ()):
            if key not in value:
                return f"{place}: there is no key {brief(key)}"
    return next(filter(None, (wrong(*part) for part in parts(schema, value, place))), "")


def parts(schema, value, place):
    """Of what a value is made, and what else is asked of it: (schema, value, place)."""
    if isinstance(value, list):
        for i, one in enumerate(value):
            yield schema.get("items", True), one, f"{place}/{i}"
    if isinstance(value, dict):
        known, other = schema.get("properties", {}), schema.get("additionalProperties", True)
        for key in sorted(value):
            yield schema.get("propertyNames", True), key, place
            yield known.get(key, other), value[key], f"{place}/{key}"
    for one in schema.get("allOf", ()):
        yield one, value, place
    if "oneOf" in schema:
        yield chosen(schema["oneOf"], value), value, place


def chosen(alternatives, value):
    """The first alternative that has the type of the value and, of objects, agrees with the first key that it requires;
    if there is none, what they ask of this key."""
    types, words, keys = [], [], []
    for one in alternatives:
        alternative = resolved(one)
        types += listed(alternative.get("type", []))
        if "type" in alternative and kind(value) not in listed(alternative["type"]):
            continue
        if not isinstance(value, dict) or "required" not in alternative:
            return one
        keys = alternative["required"][:1]
        asked = alternative.get("properties", {}).get(keys[0], True)
        if keys[0] in value and not wrong(asked, value[keys[0]], ""):
            return one
        words += asked.get("enum", ()) if isinstance(asked, dict) else ()
    return {
        **({"type": types} if types else {}),
        "required": keys,
        "properties": {key: {"enum": words} for key in keys},
    }
