"""python -m gpe.verifier [--budget N] CERTIFICATE...: one line each; exit 0 when all are accepted, 4 otherwise."""
# Tests: tests/certificates/forgeries.py

import sys

from gpe.verifier import work
from gpe.verifier.certificate import check
from gpe.verifier.work import NotShown, TooLong, read

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
    bad, files = 0, sys.argv[1:]
    if files[:1] == ["--budget"]:
        work.times, files = float(files[1]), files[2:]
    for name in files:
        try:
            check(read(name))
            print(f"{name}: accepted")
        except REFUSALS as error:
            why = f"{type(error).__name__}: {error}"[:500]
            shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in why)
            print(f"{name}: not accepted: {shown}")
            bad += 1
    sys.exit(4 if bad else 0)


if __name__ == "__main__":
    main()
