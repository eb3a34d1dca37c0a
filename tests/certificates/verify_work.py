"""What a file may ask of verify.py: loops that it can make long count their steps, and no file
takes more than MOST of them."""

import json
import re

MOST = 600 * 10**6
MOST_TERMS = 1 << 15
MOST_BYTES = 1 << 22
taken = 0


class NotShown(Exception):
    """A step that does not follow."""


class TooLong(Exception):
    """More work than is done; no NotShown, as nothing else is to be tried."""


def spend(steps):
    global taken
    taken += steps
    if taken > MOST:
        raise TooLong(f"it takes more than {MOST} steps to check")


def length(q, times=1):
    """Steps for a fraction: the divisors that its whole numbers have in common take the square of their length."""
    return (max(q.numerator.bit_length(), q.denominator.bit_length()) * times >> 9) ** 2


def once(pairs):
    if len({k for k, _ in pairs}) < len(pairs):
        raise NotShown("a key is there twice")
    return dict(pairs)


def read(name):
    """The JSON in a file."""
    with open(name, "rb") as file:
        return parsed(file.read(MOST_BYTES + 1))


def parsed(source):
    """The JSON in these bytes, whose steps are counted from here on."""
    global taken
    taken = 0
    if len(source) > MOST_BYTES:
        raise NotShown(f"expected a file of at most {MOST_BYTES} bytes")
    if b"$" in source or b"\\u" in source or b"\0" in source:
        raise NotShown("a certificate has no $, no \\u and no NUL byte")
    return json.loads(source.decode(), object_pairs_hook=once)


def whole(j):
    if type(j) is str and re.fullmatch("0|[1-9][0-9]{0,9}", j):
        j = int(j)
    if type(j) is not int or not 0 <= j <= 10**9:
        raise NotShown(f"{j!r} is no count")
    return j


def whole_root(value, k):
    """The whole r with r^k = value, if there is one."""
    low, high = 1, 1 << (value.bit_length() // k + 1)
    while low < high:
        spend(1 + length(value) // 16)
        middle = (low + high) // 2
        low, high = (low, middle) if middle**k >= value else (middle + 1, high)
    return low if low**k == value else None
