"""Names of properties and readings, short or long."""
# Tests: tests/python/test_check.py

from __future__ import annotations

from gpe._errors import SpecError

#: The readings of each property; the first name of a property is that of the report, the second
#: one the programs' short one.
READINGS = {
    ("convergent-normalization", "cn"): ("every-content", "some-content", "expected"),
    ("entropy-boundedness", "eb"): ("limit", "some-content", "uniform"),
    ("ldcp", "long-distance-correlation"): ("literal", "signed", "probability", "content", "weight"),
    ("gps", "gradient-positional-sensitivity"): ("scalar", "norm", "vector"),
}

#: The headings of the programs' tables.
TITLES = {
    "convergent-normalization": "convergent normalization",
    "entropy-boundedness": "entropy boundedness",
    "ldcp": "long-distance correlation",
    "gps": "gradient positional sensitivity",
}

#: What `require="cn"` asks for.
USUAL = {"convergent-normalization": "every-content", "entropy-boundedness": "limit", "ldcp": "weight", "gps": "vector"}


def property_of(name: str) -> str:
    """The report's name of a property, from that or a short one. SpecError with the list otherwise."""
    for names in READINGS:
        if _plain(name) in names:
            return names[0]
    known = ", ".join(f"{short} ({long})" for long, short in READINGS if len(short) < len(long))
    raise SpecError(f"unknown property '{name}'; expected {known}, ldcp or gps")


def reading_of(property: str, name: str | None) -> str:
    """The reading of a property that a name, or its unambiguous beginning, means; without one the usual reading."""
    long = property_of(property)
    if name is None:
        return USUAL[long]
    known = next(readings for names, readings in READINGS.items() if names[0] == long)
    plain = _plain(name)
    found = [plain] if plain in known else [reading for reading in known if plain and reading.startswith(plain)]
    if len(found) != 1:
        raise SpecError(f"{property} has no reading '{name}'; expected one of {', '.join(known)}")
    return found[0]


def requirement_of(text: str) -> str:
    """PROPERTY, READING or PROPERTY=READING, or several with commas, as the programs write them; of a word alone, the
    programs know what it means (checks/report/selected.h)."""
    parts = []
    for part in text.split(","):
        property, equals, reading = part.strip().partition("=")
        parts.append(f"{property_of(property)}={reading_of(property, reading)}" if equals else property)
    return ",".join(parts)


def _plain(name: str) -> str:
    return str(name).strip().lower().replace("_", "-").replace(" ", "-")
