"""Designs, for verify.py: rules D1 and D2 of docs/certificates.md, with the sums of verify_numbers.py.

    check(V, law, top)      V: the module verify.py; raises V.NotShown
"""
import copy
from fractions import Fraction as Q

import verify_numbers


def ordered(V, phi, box):
    """D1: by name, whether -b grows with a free parameter (1), at larger n more, or falls (-1)."""
    direction = dict.fromkeys(box, 0)

    def note(name, e):
        sign = 1 if e > 0 else -1
        low = box[name][0]
        if direction[name] == -sign or low < 0 or (sign < 0 and low == 0):
            raise V.NotShown("the direction of " + name)
        direction[name] = sign

    def logarithm(of):
        number, others, free = V.Constant(), [], False
        for key, q in of.t.items():
            opened = [(name, e) for name, e in key if V.ATOMS[name][2]]
            if not opened:
                number = number + V.Constant({key: q})
                continue
            for name, e in opened:
                if name in box:
                    note(name, e)
                    free = True
                elif name != "n" or e < 0:
                    others.append(None)
            others.append(q)
        if free and (len(others) != 1 or others[0] is None or others[0] < 0 or not V.enclose(number) >= 1):
            raise V.NotShown("a logarithm of the family")
        return free

    for key, q in phi.t.items():
        closed = V.Constant({tuple(p for p in key if not V.ATOMS[p[0]][2]): q})
        mine = [p for p in key if p[0] in box]
        rest = [p for p in key if V.ATOMS[p[0]][2] and p[0] not in box]
        for name, e in mine:
            note(name, e)
        if len(rest) > 1 or (rest and rest[0][1] < 0):
            raise V.NotShown("the order of the family")
        inside = False
        if rest and V.ATOMS[rest[0][0]][0] == "log":
            if rest[0][1] != 1:
                raise V.NotShown("a power of a logarithm")
            inside = logarithm(V.ATOMS[rest[0][0]][1])
        if not mine and not inside:
            continue
        rises = not rest or inside or rest[0][0] == "n" or verify_numbers.is_bernstein(V, V.Constant({((rest[0][0], Q(1)),): Q(1)}), 0)
        if not rises or not V.enclose(closed) >= 0:
            raise V.NotShown("the order of the family")
    return direction


class Requirement:
    """quantity >= value (above), or <=; strict: > or <. Counts are whole, and never strict."""

    def __init__(self, design, one, relation, value):
        V = design.V
        self.quantity, self.at, self.above, self.strict = one["quantity"], one["at"], relation[0] == ">", len(relation) == 1
        if relation not in ("<=", ">=", "<", ">"):
            raise V.NotShown("no relation")
        self.counts = self.quantity in ("range", "cache", "reach")
        if self.quantity == "Z":
            if (relation, value, self.at) != ("<", "infinity", None):
                raise V.NotShown("Z is compared with infinity")
            return
        self.value = design.rational(value)
        if self.quantity == "parameter":
            if self.at not in design.box:
                raise V.NotShown("no such parameter")
            return
        self.at = None if self.at is None else design.rational(self.at)
        if self.quantity == "entropy":
            good = self.at is None or (self.at.denominator == 1 and 0 <= self.at <= 10 ** 6)
        else:
            good = self.counts and self.at is not None and self.at > 0 and (self.quantity == "range" or self.at < 1)
        if not good or (self.counts and (self.value.denominator != 1 or abs(self.value) > 10 ** 9)):
            raise V.NotShown("no such requirement")
        if self.counts and self.strict:
            self.value += 1 if self.above else -1
            self.strict = False

    def contrary(self):
        other = copy.copy(self)
        other.above, other.strict = not self.above, not self.strict and not self.counts
        if self.counts:
            other.value = self.value + (-1 if self.above else 1)
        return other


class Corner:
    def __init__(self, V, law, proof):
        self.V, self.law, self.infinite = V, law, False
        self.numbers = verify_numbers.Numbers(V, law)
        self.last = None if law.j["window"] is None else law.first + law.keys_in_window() - 1
        if self.last is not None:
            self.numbers.sum_up(None)
        elif proof is not None and proof["direct"] is None:
            self.numbers.shown(proof["tail"]["rule"] == "sum-diverges", "the sum is not seen to diverge")
            V.Proof("cn.every-content.fails", "0", law, V.Cell(), (), proof["tail"], True).check()
            self.infinite = True
        elif proof is not None:
            self.numbers.sum_up(proof)

    def total(self):
        self.numbers.shown(self.numbers.total is not None, "the sum over all distances is not claimed")
        return self.numbers.total

    def ends_before(self, n):
        return self.last is not None and self.last < n

    def up_to(self, n):
        return self.numbers.up_to(self.last if self.ends_before(n) else n)

    def weight(self, n):
        return (-self.numbers.phi_at(n)).exp()

    def bias(self, n):
        return self.V.Score(self.law, self.numbers.e, self.V.Form.of(0), n=self.V.Form.of(n)).b()


class Design:
    def __init__(self, V, law, top):
        self.V, self.law, self.corners = V, law, {}
        claim = top["claim"]
        V.keys(claim, {"box", "content_bound", "requirements", "objective", "found"})
        self.box = {name: (self.rational(low), self.rational(high)) for name, (low, high) in claim["box"].items()}
        names = {p["name"] for p in law.j["parameters"]}
        if not self.box or set(top["free"]) != set(self.box) or len(top["free"]) != len(self.box) or not set(self.box) <= names \
                or any(low > high for low, high in self.box.values()):
            raise V.NotShown("no box of the free parameters")
        bound = self.rational(claim["content_bound"])
        if bound < 0:
            raise V.NotShown("a negative content bound")
        self.order(bound)
        V.keys(top["proof"], {"points"})
        self.proofs = {}
        for one in top["proof"]["points"]:
            V.keys(one, {"at", "direct", "order", "levels", "tail"})
            self.proofs[self.key(self.point(one["at"]))] = one
        self.requirements = []
        for one in claim["requirements"]:
            V.keys(one, {"quantity", "at", "relation", "value"})
            self.requirements.append(Requirement(self, one, one["relation"], one["value"]))
        objective, found, self.better = claim["objective"], claim["found"], None
        if objective is not None:
            V.keys(objective, {"quantity", "at", "goal", "bound"})
            if objective["goal"] not in ("minimize", "maximize"):
                raise V.NotShown("no goal")
            self.maximize = objective["goal"] == "maximize"
            if objective["bound"] is not None:
                self.better = Requirement(self, objective, ">" if self.maximize else "<", objective["bound"])
        if found is None and self.better is not None:
            raise V.NotShown("a bound of what is not there")
        self.corner(self.box, True).weight(law.first)
        if found is not None:
            self.check_found(found, objective)
        if found is None or objective is not None:
            self.check_cases(top["cases"], self.box)
        elif top["cases"] is not None:
            raise V.NotShown("cases without a claim")

    def rational(self, text):
        return self.V.Evaluator(self.V.Cell(), {}, {}).rational(text)

    def point(self, values):
        if set(values) != set(self.box):
            raise self.V.NotShown("a point of other parameters")
        return {name: self.rational(value) for name, value in values.items()}

    @staticmethod
    def key(point):
        return tuple(sorted(point.items()))

    def order(self, bound):
        V, cell = self.V, self.V.Cell()
        n = V.Form.of(V.atom("symbol", "n"))
        e = self.law.evaluator(cell, set(self.box))
        for name, (low, high) in self.box.items():
            symbol = V.Form.of(cell.named("symbol", name))
            cell.assume(symbol - low, ">=")
            cell.assume(V.Form.of(high) - symbol, ">=")
        cell.assume(n - self.law.first, ">=")
        score = V.Score(self.law, e, V.Form.of(bound), n=n)
        b, a = score.b().only(), score.a().only()
        if self.law.with_length or b is None or a is None:
            raise V.NotShown("a bias or a content of another kind")
        self.amplitude = V.enclose(a)
        self.direction, self.whole = ordered(V, -b, self.box), None
        window = self.law.formula("window")
        for name in self.box:
            if window and name in V.mentioned(window):
                if window != name or self.direction[name]:
                    raise V.NotShown("the window is not a parameter alone")
                self.direction[name], self.whole = -1, name

    def corner(self, box, flat):
        at = {name: ends[0] if (self.direction[name] >= 0) == flat else ends[1] for name, ends in box.items()}
        key = self.key(at)
        if key not in self.corners:
            if len(self.corners) > 64:
                self.corners.clear()
            j = copy.deepcopy(self.law.j)
            for p in j["parameters"]:
                if p["name"] in at:
                    p["value"] = str(at[p["name"]])
            self.corners[key] = Corner(self.V, self.V.Law(j), self.proofs.get(key))
        return self.corners[key]

    def surely(self, r, box):
        """D2: every point of the box meets the requirement."""
        if not self.met(r, box):
            raise self.V.NotShown("a bound over a box, or at the point found: " + r.quantity)

    def met(self, r, box):
        V, first = self.V, self.law.first
        if r.quantity == "parameter":
            over = box[r.at][0] - r.value if r.above else r.value - box[r.at][1]
            return over > 0 if r.strict else over >= 0
        flat, steep = self.corner(box, True), self.corner(box, False)
        worst, best = (steep, flat) if r.above else (flat, steep)
        if r.quantity == "Z":
            return steep.infinite if r.above else bool(flat.total())
        if r.quantity == "entropy":
            if r.at is None and worst.infinite:
                return r.above
            z, s = worst.total() if r.at is None else worst.up_to(first + int(r.at))
            over = (z.log() + s / z - V.ball(r.value)) * (1 if r.above else -1)
            return bool(over > 0) if r.strict else bool(over >= 0)
        n = int(r.value) if r.above else int(r.value) + 1
        if r.quantity == "range":
            if n < first:
                return r.above
            if worst.ends_before(n):
                return not r.above
            holds, c1 = worst.numbers.cell.holds, V.Form.of(r.at)
            if r.above:
                return holds(steep.bias(n) + c1, False) and holds(c1 - flat.bias(first), False)
            return holds(-c1 - flat.bias(n), True) or holds(steep.bias(first) - c1, True)
        gain = (2 * self.amplitude).exp()
        if r.quantity == "cache":
            kept = n - 1  # of the n that are needed at least; or allowed
            if kept < 1:
                return r.above
            last = kept - 1 + first
            if worst.ends_before(last + 1):
                return not r.above
            if worst.infinite:
                return r.above
            inside = worst.up_to(last)[0]
            excess = V.ball(r.at) * inside - V.ball(1 - r.at) * gain * (worst.total()[0] - inside)
            return bool(excess < 0) if r.above else bool(excess >= 0)
        if n < first:
            return r.above
        if worst.ends_before(n) or best.infinite:
            return not r.above
        others = (best.total()[0] - best.up_to(n)[0]) / best.weight(n)
        if n > first:
            others = others + worst.up_to(n - 1)[0] / worst.weight(n)
        excess = V.ball(1 - r.at) * gain - V.ball(r.at) * others
        return bool(excess >= 0) if r.above else bool(excess < 0)

    def check_found(self, found, objective):
        self.V.keys(found, {"parameters", "value"})
        point = self.point(found["parameters"])
        if any(not low <= point[name] <= high for name, (low, high) in self.box.items()):
            raise self.V.NotShown("a point outside of the box")
        for p in self.law.j["parameters"]:
            if p["name"] in point and self.rational(p["value"]) != point[p["name"]]:
                raise self.V.NotShown("the law is that of another point")
        alone = {name: (value, value) for name, value in point.items()}
        for r in self.requirements:
            self.surely(r, alone)
        if (objective is None) != (found["value"] is None):
            raise self.V.NotShown("a value without an objective")
        if objective is not None:
            self.surely(Requirement(self, objective, ">=" if self.maximize else "<=", found["value"]), alone)

    def check_cases(self, tree, box):
        V = self.V
        if "split" in tree:
            V.keys(tree, {"split", "at", "below", "above"})
            name, at = tree["split"], self.rational(tree["at"])
            above = at + 1 if name == self.whole else at
            low, high = box[name]
            if not low <= at <= above <= high or (name == self.whole and at.denominator != 1):
                raise V.NotShown("no such split")
            self.check_cases(tree["below"], {**box, name: (low, at)})
            self.check_cases(tree["above"], {**box, name: (above, high)})
            return
        V.keys(tree, {"excluded_by"})
        by = V.whole(tree["excluded_by"])
        if by > len(self.requirements) or (by == len(self.requirements) and self.better is None):
            raise V.NotShown("no such requirement")
        self.surely((self.requirements + [self.better])[by].contrary(), box)


def check(V, law, top):
    Design(V, law, top)
