"""Bad input: one message, exit code 2; and what may be printed of a text from outside."""
# Tests: tests/model/prepare_data_test.py


class BadInput(Exception):
    """Caught only in __main__.py."""


def escaped(character):
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(character) or (
        f"\\u{code:04x}" if code < 1 << 16 else f"\\U{code:08x}"
    )


def printable(text):
    """One line: no line that a file's name forges, nothing that a terminal acts on."""
    return "".join(c if c.isprintable() else escaped(c) for c in str(text))
