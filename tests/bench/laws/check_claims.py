"""The claims of certificates that the verifier accepts, evaluated at distances of their thresholds and beyond
(docs/certificates.md#rules)."""

import json
import random

import mpmath
from direct import Law
from expression import EXACT, Undefined, Unknown, at, mentions

BEYOND = [0, 1, 2, 7, 50, 1000]  # distances tried after the threshold, and then its multiples and powers


class Point:
    """The names of claims at one x: n = M x + r, or n <= L = x for scores that mention L."""

    def __init__(self, law, proof, bound, x, residue=0, n=None):
        self.law, self.proof, self.bound, self.x = law, proof, bound, mpmath.mpf(x)
        self.n = self.x * int(proof.get("modulus") or 1) + residue if n is None else mpmath.mpf(n)
        self.length = self.x if law.has_length else None

    def at_n(self, n):
        return Point(self.law, self.proof, self.bound, self.x, n=n)

    def iter(self, j):
        result = self.x
        for _ in range(j):
            result = EXACT.function("log", result)
        return result

    def rungs(self, k):
        return sum((self.iter(j) for j in range(1, k + 1)), mpmath.mpf(0))

    def constant(self, key):
        return at(str(self.proof[key]), {**self.law.names(EXACT, self.n), "B": mpmath.mpf(1)}, EXACT)

    @property
    def k(self):
        return int(self.proof["k"])

    @property
    def b(self):
        return self.law.bias(self.n, EXACT, self.length)

    def amplitude(self):
        return self.law.amplitude(self.n, self.bound, EXACT, self.length)

    @property
    def size(self):
        return self.law.size(self.n, EXACT, self.length)

    def score(self, name):
        if name == "above":
            return self.b + self.amplitude()
        if name == "below":
            return self.b - self.amplitude()
        if name == "mean":
            a = self.amplitude()
            return self.b + a - mpmath.mpf(self.law.d - 1) / 2 * EXACT.function("log", a)
        return self.b

    @property
    def A(self):
        return self.score(self.proof.get("score", "b"))

    @property
    def U(self):
        return self.constant("U") if self.proof.get("U") else -self.A

    @property
    def vanishing(self):
        return 1 / self.iter(int(self.proof["i"]))


def converges(p):
    return [p.constant("C") - p.A - p.rungs(p.k) - (1 + p.constant("eta")) * p.iter(p.k + 1), p.constant("eta")]


def diverges(p):
    return [p.A + p.constant("C") + p.rungs(p.k) + p.iter(p.k + 1)]


def log_u(p):
    return EXACT.function("log", p.U)


def step(p):
    return p.A - p.at_n(p.n - 1).A


CLAIMS = {  # each must be at least 0
    "sum-converges": converges,
    "sum-diverges": diverges,
    "weighted-sum-converges": lambda p: [
        -p.A - p.U,
        p.U - 1,
        p.constant("C") + p.U - log_u(p) - p.rungs(p.k) - (1 + p.constant("eta")) * p.iter(p.k + 1),
    ],
    "weighted-sum-diverges": lambda p: [
        p.A + p.U,
        -1 - p.A,
        p.constant("C") - p.U + log_u(p) + p.rungs(p.k) + p.iter(p.k + 1),
    ],
    "sum-diverges-bounded": lambda p: diverges(p) + [p.constant("M") - p.A],
    "levels-out": lambda p: [step(p), p.vanishing - step(p)],
    "last-tokens": lambda p: [
        p.constant("S") - p.at_n(p.n - 1).constant("S") - p.constant("c"),
        p.constant("c"),
        p.constant("M") - p.score("above") + p.constant("S"),
        p.constant("M") + p.score("below") - p.constant("S"),
    ],
    "length-diverges": lambda p: [p.A + p.iter(1) - p.iter(int(p.proof["i"]))],
    "first-diverges": lambda p: [p.at_n(p.law.first).A - p.iter(int(p.proof["i"]))],
    "length-converges": lambda p: [p.constant("C") - p.A - mpmath.log(1 + p.x)],
    "length-levels": lambda p: [p.A + p.iter(1) + p.constant("C")],
    "length-weighted-converges": lambda p: [p.constant("C") - p.A - mpmath.log(1 + p.x) - mpmath.log(1 + abs(p.A))],
    "bias-stays": lambda p: [p.constant("e") * p.b - p.constant("c"), p.constant("c")],
    "bias-stays-positive": lambda p: [p.b - p.constant("c"), p.constant("c")],
    "bias-vanishes": lambda p: [p.vanishing - abs(p.b)],
    "bias-not-positive": lambda p: [p.vanishing - p.b],
    "length-bias-not-positive": lambda p: [p.vanishing - p.b],
    "content-stays": lambda p: [p.size - p.constant("c"), p.constant("c")],
    "content-stays-likely": lambda p: [p.size - 2 * p.constant("eps"), p.constant("eps"), p.constant("p")],
    "content-vanishes": lambda p: [p.vanishing - p.size],
    "both-vanish": lambda p: [p.vanishing - p.size, p.vanishing - abs(p.b)],
    "bias-bounded-below": lambda p: [p.b + p.constant("C")],
    "bias-sinks": lambda p: [-p.b - p.iter(int(p.proof["i"]))],
}
DIAGONAL = {"bias-stays", "bias-stays-positive", "content-stays", "content-stays-likely", "bias-bounded-below"}


def places(law, proof, start, rng):
    """(x, residue, n): n left out where it follows from x."""
    xs = [start + k for k in BEYOND] + [2 * start + 3, start * start + rng.randint(0, 99), 10**30 + rng.randint(0, 99)]
    residues = [int(proof["residue"])] if proof.get("residue") is not None else range(int(proof.get("modulus") or 1))
    for x in xs:
        if law.has_length and proof["rule"] not in DIAGONAL:
            for n in {law.first, law.first + 1, (law.first + x) // 2, x - 1, x}:
                if law.first <= n <= x:
                    yield x, 0, n
        else:
            for residue in residues:
                yield x, residue, None


def first_of(threshold):
    """The first whole x of the threshold; none when it is too far to be tried."""
    if threshold["from"] is not None:
        start = int(threshold["from"])
    else:
        start = at(threshold["ell"], {}, EXACT)
        for _ in range(threshold["depth"]):
            if start > 100:
                return None
            start = mpmath.exp(start)
        start = int(mpmath.ceil(start))
    return start if start < 10**40 else None


def false_claims(law, certificate, rng):
    proof = certificate["proof"]
    if proof is None or "rule" not in proof or proof["rule"] not in CLAIMS or "threshold" not in proof:
        return
    stated = certificate["law"]["bias"]
    if law.bias_has_length and not mentions(stated, "L"):  # a term in L alone, which changes no weight, is taken off
        law = Law({**law.law, "bias": stated}, law.options)
    bound, start = certificate["claim"].get("content_bound") or "1", first_of(proof["threshold"])
    if start is None:
        return
    mpmath.mp.dps = 160
    try:
        for x, residue, n in places(law, proof, start, rng):
            values = CLAIMS[proof["rule"]](Point(law, proof, bound, x, residue, n))
            if min(values) < -(mpmath.mpf(10) ** -30):
                yield (
                    f"{proof['rule']} is accepted, but at x = {x}{f', n = {n}' if n is not None else ''} a claim "
                    f"is {mpmath.nstr(min(values), 8)}: {json.dumps(proof)}"
                )
                return
    except (Unknown, Undefined, KeyError):
        return
    finally:
        mpmath.mp.dps = 50


def check(law, certificates, seed):
    rng = random.Random(seed)
    for name, certificate in certificates:
        if certificate["kind"] == "verdict":
            for message in false_claims(law, certificate, rng):
                yield f"{name}: {message}"
