#!/usr/bin/env python3
"""Writes special_golden.csv: special functions at rational points to 60 digits, by mpmath, from
the definitions that it has of its own.

python3 make_special_golden.py > special_golden.csv
"""

import csv
import sys

from mpmath import acos, asin, atan, digamma, erf, erfc, factorial, gamma, loggamma, mp, mpf, nstr, polygamma

mp.dps = 90
POINTS = {
    "atan": (atan, "0 1/7 -2/7 1 3/2 -12 1000003 1/1000003"),
    "asin": (asin, "0 1/7 -2/7 3/5 -1 1 999999/1000000"),
    "acos": (acos, "0 1/7 -2/7 3/5 -1 1 999999/1000000"),
    "erfc": (erfc, "0 1/7 -2/7 1 3/2 -12 12 100"),
    "erf": (erf, "0 1/7 -2/7 1 3/2 -12 1/1000003"),
    "lgamma": (loggamma, "1/1000003 1/7 1/2 1 7/5 3/2 2 7/3 20 1000003/2"),
    "gamma": (gamma, "1/1000003 1/7 1/2 1 7/5 3/2 2 7/3 20 300"),
    "factorial": (factorial, "-999/1000 -1/2 0 1/7 5 20 41/2"),
    "digamma": (digamma, "1/1000003 1/7 1/2 1 7/5 3/2 2 7/3 20 1000003/2"),
    "polygamma(1, ": (lambda x: polygamma(1, x), "1/1000003 1/7 1/2 1 7/3 20 1000003/2"),
    "polygamma(4, ": (lambda x: polygamma(4, x), "1/1000003 1/7 1/2 1 7/3 20 1000003/2"),
}

out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["expression", "value"])
for name, (function, points) in POINTS.items():
    for point in points.split():
        p, _, q = point.partition("/")
        call = name + point + ")" if "(" in name else f"{name}({point})"
        out.writerow([call, nstr(function(mpf(int(p)) / int(q or 1)), 60, min_fixed=-1, max_fixed=1)])
