"""What one certificate may take: counted steps, seconds of CPU, bytes.

The count decides first, so that what is accepted does not depend on the machine."""
# Tests: tests/certificates/forgeries.py

import json
import resource
import time

STEPS, SECONDS, BYTES = 14 * 10**6, 30, 1 << 30
STEPS_PER_LOOK = 2000  # at the clock and at the memory
MOST_TERMS = 1 << 15
MOST_BYTES = 1 << 22
BEFORE = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
times = 1  # of the budget above
taken, look, end = 0, 0, None


class NotShown(Exception):
    """A step that does not follow."""


class TooLong(Exception):
    """More work than is done; no NotShown, as nothing else is to be tried."""


def begin():
    """One certificate begins: what is spent from here on counts."""
    global taken, look, end
    taken, look, end = 0, 0, time.thread_time() + SECONDS * times


def stop(limit, unit):
    raise TooLong(f"checking it takes more than {int(limit)} {unit}; --budget {int(2 * times) + 1} allows more")


def spend(steps):
    global taken, look
    taken += steps
    if taken < look:
        return
    look = taken + STEPS_PER_LOOK
    if taken > STEPS * times:
        stop(STEPS * times, "steps")
    if end is not None and time.thread_time() > end:
        stop(SECONDS * times, "s")
    most = BYTES * max(1, times)
    if 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - BEFORE) > most:
        stop(most, "bytes")


def length(q, times=1):
    """Steps for a fraction: the divisors that its whole numbers have in common take the square of their length."""
    return (max(q.numerator.bit_length(), q.denominator.bit_length()) * times >> 9) ** 2


def once(pairs):
    if len({k for k, _ in pairs}) < len(pairs):
        raise NotShown("duplicate key")
    return dict(pairs)


def read(name):
    """The JSON in a file."""
    with open(name, "rb") as file:
        return parsed(file.read(MOST_BYTES + 1))


def parsed(source):
    """The JSON in these bytes."""
    begin()
    if len(source) > MOST_BYTES:
        raise NotShown(f"expected a file of at most {MOST_BYTES} bytes")
    if b"$" in source or b"\\u" in source or b"\0" in source:
        raise NotShown("a certificate has no $, no \\u and no NUL byte")
    return json.loads(source.decode("utf-8-sig"), object_pairs_hook=once)


def whole_root(value, k):
    """The whole r with r^k = value, if there is one."""
    low, high = 1, 1 << (value.bit_length() // k + 1)
    while low < high:
        spend(1 + length(value) // 16)
        middle = (low + high) // 2
        low, high = (low, middle) if middle**k >= value else (middle + 1, high)
    return low if low**k == value else None
