"""python -m gpe.verifier [--budget N] CERTIFICATE...: one line each; exit 0 when all are accepted, 4
when some are not, 2 for bad use."""
# Tests: tests/certificates/forgeries.py

import sys

from gpe.verifier import work
from gpe.verifier.certificate import check
from gpe.verifier.work import NotShown, TooLong, read

LINE_END = {"\n": "\\n"}
DIGITS = 20001  # of whole numbers in texts: more than the engine reads
REFUSALS = (
    NotShown,
    TooLong,
    OSError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    MemoryError,
)


def main():
    sys.setrecursionlimit(20000)
    sys.set_int_max_str_digits(DIGITS)
    bad, files = 0, sys.argv[1:]
    if files[:1] == ["--budget"]:
        try:
            work.times, files = float(files[1]), files[2:]
        except (LookupError, ValueError):
            work.times = 0
        if not 0 < work.times <= 1e6:
            print("gpe.verifier: --budget: expected a number up to 1000000, above 0", file=sys.stderr)
            sys.exit(2)
    for name in files:
        try:
            check(read(name))
            print(f"{shown(name)}: accepted")
        except REFUSALS as error:
            print(f"{shown(name)}: not accepted: {shown(f'{type(error).__name__}: {error}'[:500])}")
            bad += 1
    sys.exit(4 if bad else 0)


def shown(text):
    """One line of ASCII, as verify-certificate has names of files."""
    signs = (chr(c) for c in text.encode("utf-8", "surrogateescape"))
    return "".join(c if " " <= c <= "~" else LINE_END.get(c, f"\\x{ord(c):02x}") for c in signs)


if __name__ == "__main__":
    main()
