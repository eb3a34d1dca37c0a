"""A law evaluated directly: its scores at the first distances, at some that are far away, and its gradient."""

import re

import mpmath
import numpy
from expression import ARRAYS, EXACT, LONG, Undefined, Unknown, at, mentions

COUNT = 10001  # distances evaluated one by one
FAR = [30, 100, 300]  # digits of the distances that are far away
RESIDUES = 12


class Law:
    def __init__(self, law, options):
        if re.match(r"n - L( \+|$)", law["bias"]):  # a term in L alone, which changes no weight, is taken off
            law = {**law, "bias": law["bias"].replace("n - L", "n", 1)}
        self.law, self.options, self.d = law, options, options["dimension"]
        self.first, self.two_sided = law["first"], law["sided"] == "two"
        self.settings = {"d": self.d, "heads": options["heads"][0], "h": options["heads"][1], "layer": 1, "layers": 1}
        self.tables = law["tables"]
        self.window = int(law["window"]) if law["window"] else None
        self.has_content = law["transform"] != "none"
        texts = [law[key] for key in ("gain", "bias", "angle", "scale")]
        self.bias_has_length = mentions(law["bias"], "L")
        self.has_length = any(mentions(t, "L") for t in texts)
        self.jumps = any(t and any(w in t for w in ("floor", "cos", "sin", "(-1)^")) for t in texts)

    def names(self, how, n, length=None, **more):
        number = (lambda t: LONG(t)) if how is ARRAYS else mpmath.mpf
        result = {**{k: number(v) for k, v in self.settings.items()}, **self.tables, "n": n, **more}
        if length is not None:
            result["L"] = number(length)
        for name, record in self.law["parameters"].items():
            result[name] = at(record["value"], {}, how)
        return result

    def distances(self, length=None):
        """Those up to first + length (at most COUNT), or those seen at all."""
        count = COUNT if length is None else min(COUNT, length + 1)
        if self.window:
            count = min(count, self.window)
        return numpy.arange(count).astype(LONG) + self.first

    def of(self, key, n, how=ARRAYS, length=None, **more):
        text = self.law[key]
        return at(text, self.names(how, n, length, **more), how) + 0 * n

    def bias(self, n, how=ARRAYS, length=None):
        result = self.of("bias", n, how, length)
        if self.bias_has_length:
            first = numpy.array([LONG(self.first)]) if how is ARRAYS else mpmath.mpf(self.first)
            start = self.of("bias", first, how, length)
            result = result - (start[0] if how is ARRAYS else start)
        return result

    def norm(self, n, how=ARRAYS, length=None):
        kind = self.law["transform"]
        if kind == "none":
            return 0 * n
        if kind in ("identity", "rotation"):
            return 0 * n + 1
        result = None
        for j in range(self.d // 2):
            if kind == "scaled-rotation":
                w = abs(self.of("scale", n, how, length, j=self.block(how, j)))
            else:
                rate, decay = self.hyperbolic(how, j)
                w = how.function("exp", n * (abs(rate) - decay))
            result = w if result is None else how.most(result, w)
        return result

    def block(self, how, j):
        return LONG(j) if how is ARRAYS else mpmath.mpf(j)

    def hyperbolic(self, how, j):
        names = self.names(how, None, j=self.block(how, j))
        return at(self.law["rate"], names, how), at(self.law["decay"], names, how)

    def size(self, n, how=ARRAYS, length=None):
        """|f| w, of the gradient at 0."""
        return abs(self.of("gain", n, how, length)) * self.norm(n, how, length)

    def amplitude(self, n, bound, how=ARRAYS, length=None):
        """The largest |f c| within the bound."""
        gain, bounded = abs(self.of("gain", n, how, length)), self.norm(n, how, length) * at(bound, {}, how)
        if self.law["softcap"]:
            cap = at(self.law["softcap"], self.names(how, None), how)
            bounded = cap * how.function("tanh", bounded / cap)
        return gain * bounded

    def far(self, function, digits):
        """function(n) with mpmath at a distance of so many digits, and at the next ones where the law jumps."""
        # 31/16 n: far away a table index, a floor of n/M or a wave of whole period is at a point like any other
        mpmath.mp.dps = 2 * digits + 60
        try:
            start = 720720 * (mpmath.mpf(10) ** digits)
            return [function(start + i) for i in range(RESIDUES if self.jumps else 1)]
        finally:
            mpmath.mp.dps = 50

    def entropy_of_cut(self):
        """H(n) of the bias alone, cut at n, as a function of arrays of the first distances."""
        n = self.distances()
        b = self.bias(n)
        top = numpy.maximum.accumulate(b)
        # log Z and Σ b e^b relative to the largest score so far, one distance after the other
        h, z, s, m = numpy.empty_like(b), LONG(0), LONG(0), b[0]
        for i, x in enumerate(b):
            if top[i] > m:
                z, s = z * numpy.exp(m - top[i]), s * numpy.exp(m - top[i])
                m = top[i]
            w = numpy.exp(x - m)
            z, s = z + w, s + x * w
            h[i] = m + numpy.log(z) - s / z
        return lambda m: h[numpy.clip((m - self.first).astype(int), 0, len(h) - 1)]


def sums(a):
    """log Z and H of scores."""
    top = a.max()
    w = numpy.exp(a - top)
    z = w.sum()
    return top + numpy.log(z), numpy.log(z) - (w * numpy.where(w > 0, a - top, 0)).sum() / z


def matrices(law, n):
    """f(n) W(n), block by block: [n, block, 2, 2]. Angles too large for a mantissa give nan. Of hyperbolic blocks the
    two eigenvalues, whose vectors are the same at all n and orthogonal: the smaller is lost in the rounding of cosh."""
    kind, gain = law.law["transform"], law.of("gain", n)
    if kind == "hyperbolic":
        pairs = [law.hyperbolic(ARRAYS, j) for j in range(law.d // 2)]
        values = [gain * numpy.exp(n * (way * rate - decay)) for rate, decay in pairs for way in (1, -1)]
        return numpy.stack(values, axis=1)[:, :, None, None] * numpy.eye(2, dtype=LONG)
    result = numpy.zeros((len(n), law.d // 2, 2, 2), dtype=LONG)
    more = {"H": law.entropy_of_cut()} if mentions(law.law["angle"], "H") else {}
    for j in range(law.d // 2):
        block = law.block(ARRAYS, j)
        if kind == "identity":
            a, b, c = 1 + 0 * n, 0 * n, 1
        else:
            angle = law.of("angle", n, j=block, **more)
            scale = law.of("scale", n, j=block) if kind == "scaled-rotation" else 1
            a, b, c = scale * ARRAYS.wave(numpy.cos, angle), scale * ARRAYS.wave(numpy.sin, angle), -1
        result[:, j, 0, 0], result[:, j, 0, 1] = gain * a, gain * b
        result[:, j, 1, 0], result[:, j, 1, 1] = gain * b * c, gain * a
    return result


def scaled(x):
    """Divided by the largest entry, so that squares exist; only for finite numbers."""
    most = numpy.abs(x).max()
    return x / most if most > 0 else x


def changes(x):
    """Whether rows of x differ: True, False, or None where rounding might be all. x: [n, block,
    entries], blocks on their own scales."""
    answer = False
    for block in range(x.shape[1]):
        y = scaled(x[:, block])
        spread = numpy.abs(y - y[0]).max()
        if spread > 1e-9:
            return True
        if spread > 1e-13:
            answer = None
    return answer


def gradient_readings(law):
    """The readings of gps by their definitions, over the distances that are seen; None where
    rounding leaves it open."""
    if law.has_length:
        raise Unknown("a gradient that depends on L")
    if not law.has_content:
        return {"vector": False, "norm": False, "scalar": False}
    n = law.distances()
    m = matrices(law, n)
    good = numpy.isfinite(m).all(axis=(1, 2, 3)) & (numpy.abs(m).max(axis=(1, 2, 3)) < LONG("1e2000"))
    if not good[0]:
        raise Unknown("the gradient at the first distance")
    m = m[good]
    flat = m.reshape(len(m), -1, 4)
    if law.law["softcap"]:
        return capped_readings(law, flat, good.all())
    squares = numpy.einsum("nbji,nbjk->nbik", *(2 * [block_scaled(m)])).reshape(len(m), -1, 4)
    result = {"vector": changes(flat), "norm": changes(squares), "scalar": is_multiple(flat)}
    if changes_unseen(law):
        return {name: found or None for name, found in result.items()}
    if not good.all():  # what changes among some changes among all
        result = {
            "vector": result["vector"] or None,
            "norm": result["norm"] or None,
            "scalar": False if result["scalar"] is False and not one_matrix(flat) else None,
        }
    return result


def changes_unseen(law):
    """Whether the gain changes by less than a mantissa holds, as 1 + 2^(-n) from n = 1000 on."""
    with mpmath.workdps(1000):
        try:
            first, *others = (law.of("gain", mpmath.mpf(law.first + k), EXACT) for k in (0, 1, 7))
        except Undefined:
            return False
        return any(0 < abs(one - first) < mpmath.mpf("1e-13") * abs(first) for one in others)


def block_scaled(m):
    return numpy.stack([scaled(m[:, b]) for b in range(m.shape[1])], axis=1)


def one_matrix(flat):
    """Whether all rows are multiples of one."""
    rows = flat.reshape(len(flat), -1)
    length = numpy.sqrt((scaled(rows) ** 2).sum(axis=1))
    place = length.argmax()
    if length[place] == 0:
        return True
    reference = scaled(rows[place])
    factor = rows @ reference / (reference @ reference)
    rest = numpy.abs(rows - numpy.outer(factor, reference)).max(axis=1)
    biggest = numpy.abs(rows).max(axis=1)
    # each row, and in each row each block on the scale of the largest entry it should have
    for block in range(flat.shape[1]):
        y, r = flat[:, block], reference.reshape(flat.shape[1:])[block]
        worst = numpy.abs(y - factor[:, None] * r).max(axis=1) / numpy.maximum(
            numpy.abs(y).max(axis=1), numpy.abs(factor) * numpy.abs(r).max() + LONG("1e-4900")
        )
        if (worst > 1e-9).any():
            return False
    return not (rest > 1e-9 * numpy.maximum(biggest, LONG("1e-4900"))).any()


def is_multiple(flat):
    if not one_matrix(flat):
        return False
    rows = flat.reshape(len(flat), -1)
    place = numpy.unravel_index(numpy.abs(rows).argmax(), rows.shape)[1]
    return changes(rows[:, None, place : place + 1])


def capped_readings(law, flat, all_good):
    """With a soft cap: the gradient f sech²(q'Wk/(s√d)) Wk/√d for some q and k, q = 0 among them."""
    rng, cap = numpy.random.default_rng(1), at(law.law["softcap"], law.names(ARRAYS, None), ARRAYS)
    gain = law.of("gain", law.distances())
    unit = dict(law.law)
    w = matrices(
        type(law)(
            {**unit, "gain": "1"}, {"dimension": law.d, "heads": (int(law.settings["heads"]), int(law.settings["h"]))}
        ),
        law.distances(),
    )
    keep = (
        numpy.isfinite(w).all(axis=(1, 2, 3))
        & numpy.isfinite(gain)
        & (numpy.abs(w).max(axis=(1, 2, 3)) < LONG("1e2000"))
    )
    w, gain = w[keep], gain[keep]
    result = {"vector": False, "norm": False, "scalar": False}
    single = one_matrix(flat)
    for draw in range(12):
        k = rng.normal(size=(w.shape[1], 2)).astype(LONG)
        q = rng.normal(size=(w.shape[1], 2)).astype(LONG) * [0, 0.01, 1, 3][draw % 4] * cap
        wk = numpy.einsum("nbij,bj->nbi", w, k)
        logit = (wk * q).sum(axis=(1, 2)) / (cap * numpy.sqrt(LONG(law.d)))
        sech = 1 / numpy.cosh(numpy.clip(logit, -5000, 5000)) ** 2
        g = (gain * sech)[:, None, None] * wk
        g = g[numpy.isfinite(g).all(axis=(1, 2))]
        vector = changes(g.reshape(len(g), 1, -1))
        norm = changes((scaled(g) ** 2).sum(axis=(1, 2))[:, None, None])
        for name, found in (("vector", vector), ("norm", norm), ("scalar", vector and single)):
            result[name] = result[name] or found
    if not single:
        result["scalar"] = False
    if not all_good:
        result = {
            "vector": result["vector"] or None,
            "norm": result["norm"] or None,
            "scalar": False if not single else None,
        }
    return result
