"""One sum by one Python system, for sums.py: prints Z, E = sum of -A e^A and the CPU seconds for both, as JSON.

Usage: sum_with.py mpmath|mpmath-e|python-flint DIGITS SCORE FIRST Z|ZE"""

import json
import re
import sys
import time

import mpmath


def score_of(text: str):
    """A(n) in mpmath, every number of the text a binary one of the working precision."""
    code = re.sub(r"(?<![\w.])(\d+)", r"mpf(\1)", text.replace("^", "**"))
    return eval(f"lambda n: {code}", {name: getattr(mpmath, name) for name in ("mpf", "log", "sqrt", "floor", "exp")})


def by_mpmath(text: str, first: int, with_entropy: bool, method: str | None) -> list[str]:
    a, options = score_of(text), {"method": method} if method else {}
    values = [mpmath.nsum(lambda n: mpmath.exp(a(n)), [first, mpmath.inf], **options)]
    if with_entropy:
        values.append(mpmath.nsum(lambda n: -a(n) * mpmath.exp(a(n)), [first, mpmath.inf], **options))
    return [mpmath.nstr(value, mpmath.mp.dps) for value in values]


def by_flint(text: str, first: int, digits: int) -> list[str]:
    """The closed forms that FLINT has functions for: a geometric series, zeta and its derivative,
    a polylogarithm (Z only)."""
    import flint

    flint.ctx.dps = digits + 10
    number = flint.fmpq
    term = r"(?:\((\d+)/(\d+)\)\*)?"
    if match := re.fullmatch(r"-n/(\d+)", text):
        delta = flint.arb(number(1, int(match[1])))
        r = (-delta).exp()
        values = [1 / (1 - r), delta * r / (1 - r) ** 2]
    elif match := re.fullmatch(rf"-{term}log\(1 \+ n\)", text):
        beta = number(int(match[1] or 1), int(match[2] or 1))
        if beta <= 1:
            raise ValueError("no closed form: the sum diverges")
        series = flint.acb_series([beta, 1], prec=2).zeta()
        values = [series[0].real, -flint.arb(beta) * series[1].real]
    elif match := re.fullmatch(r"-n/(\d+) - log\(1 \+ n\)/(\d+)", text):
        delta = flint.arb(number(1, int(match[1])))
        values = [delta.exp() * flint.acb((-delta).exp()).polylog(flint.acb(number(1, int(match[2])))).real]
    else:
        raise ValueError("no closed form")
    return [value.str(digits, radius=False) for value in values]


def main() -> None:
    system, digits, text, first, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5]
    mpmath.mp.dps = digits
    runs, seconds = 0, 0.0
    while runs == 0 or (seconds < 0.1 and runs < 50):
        start = time.process_time()
        if system == "python-flint":
            values = by_flint(text, first, digits)
        else:
            values = by_mpmath(text, first, kind == "ZE", "e" if system == "mpmath-e" else None)
        seconds += time.process_time() - start
        runs += 1
    print(json.dumps({"values": values, "seconds": seconds / runs}))


if __name__ == "__main__":
    main()
