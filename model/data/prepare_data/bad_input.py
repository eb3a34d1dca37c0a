"""Bad input: one message, exit code 2."""


class BadInput(Exception):
    """Caught only in __main__.py."""
