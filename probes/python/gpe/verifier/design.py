"""Designs: rules D1 and D2 of docs/certificates.md, with the sums of numbers.py. check(law, top) raises NotShown."""
# Tests: tests/certificates/forged_designs.py

import copy
import re

from flint import arb, arb_series, ctx

from gpe.verifier import defined, numbers
from gpe.verifier.cell import Cell
from gpe.verifier.enclosures import ball, varies
from gpe.verifier.evaluator import Evaluator
from gpe.verifier.expressions import choices, mentioned, parse
from gpe.verifier.law import Law
from gpe.verifier.order import Order
from gpe.verifier.proof import Proof
from gpe.verifier.score import Score
from gpe.verifier.sums import ATOMS, Form, atom
from gpe.verifier.work import NotShown


class Requirement:
    """quantity >= value (above), or <=; strict: > or <. Counts are whole, and never strict."""

    def __init__(self, design, one, relation, value):
        self.quantity, self.at, self.above, self.strict = (
            one["quantity"],
            one["at"],
            relation[0] == ">",
            len(relation) == 1,
        )
        self.counts = self.quantity in ("range", "cache", "reach")
        if self.quantity == "Z":
            return
        self.value = design.rational(value)
        if self.quantity == "parameter":
            if self.at not in design.box:
                raise NotShown("no such parameter")
            return
        self.at = None if self.at is None else design.rational(self.at)
        if self.quantity == "entropy":
            good = self.at is None or (self.at.denominator == 1 and 0 <= self.at <= 10**6)
        else:
            good = self.at > 0 and (self.quantity == "range" or self.at < 1)
        if not good or (self.counts and (self.value.denominator != 1 or abs(self.value) > 10**9)):
            raise NotShown("no such requirement")
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
    def __init__(self, law, proof):
        self.law, self.infinite, self.prefixes = law, False, {}
        self.numbers = numbers.Numbers(law)
        self.last = None if self.numbers.beyond is None else self.numbers.beyond - 1
        if self.last is not None:
            self.numbers.sum_up(None)
        elif proof is not None and proof["direct"] is None:
            diverges = proof["tail"] is not None and proof["tail"]["rule"] == "sum-diverges"
            self.numbers.shown(diverges, "the sum is not seen to diverge")
            Proof("cn.every-content.fails", "0", law, Cell(), (), proof["tail"], True).check()
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
        return Score(self.law, self.numbers.e, Form.of(0), n=Form.of(n)).b()


class Design:
    def __init__(self, law, top):
        self.law, self.corners = law, {}
        claim = top["claim"]
        self.box = {name: (self.rational(low), self.rational(high)) for name, (low, high) in claim["box"].items()}
        names = {p["name"] for p in law.j["parameters"]}
        if (
            set(top["free"]) != set(self.box)
            or not set(self.box) <= names
            or any(low > high for low, high in self.box.values())
        ):
            raise NotShown("no box of the free parameters")
        self.bound = self.rational(claim["content_bound"])
        self.read_twins(top["proof"])
        self.from_1 = False
        try:
            self.order(law.first)
        except NotShown:
            self.from_1 = True
            self.order(1)  # b(0) = 0; where distances begin later this asks no less
        self.proofs = {}
        for one in top["proof"]["points"]:
            self.proofs[self.key(self.point(one["at"], self.places))] = one
        self.requirements = []
        for one in claim["requirements"]:
            self.requirements.append(Requirement(self, one, one["relation"], one["value"]))
        objective, found, self.better = claim["objective"], claim["found"], None
        if objective is not None:
            self.maximize = objective["goal"] == "maximize"
            if objective["bound"] is not None:
                self.better = Requirement(self, objective, ">" if self.maximize else "<", objective["bound"])
        if found is None and self.better is not None:
            raise NotShown("a bound of what is not there")
        if found is not None:
            self.check_found(found, objective)
        if top["cases"] is not None:
            self.check_cases(top["cases"], self.box)

    def rational(self, text):
        return Evaluator(Cell(), {}, {}).rational(text)

    def point(self, values, names):
        if set(values) != set(names):
            raise NotShown("a point of other parameters")
        return {name: self.rational(value) for name, value in values.items()}

    @staticmethod
    def key(point):
        return tuple(sorted(point.items()))

    def read_twins(self, proof):
        """Names of their own for some places of a parameter in the bias."""
        law = self.law
        self.places = {**{name: name for name in self.box}, **proof["twins"]}
        if proof["bias"] is None:
            return
        text = proof["bias"]
        plain = re.sub(r"[A-Za-z0-9_]+", lambda word: proof["twins"].get(word[0], word[0]), text)
        if (
            plain != law.j["bias"]
            or "sum" in re.findall(r"\w+", text)
            or not set(proof["twins"].values()) <= set(self.box)
        ):
            raise NotShown("another bias")
        j = copy.deepcopy(law.j)
        j["bias"] = text
        j["parameters"] += [{"name": twin, "value": "0", "domain": None} for twin in proof["twins"]]
        self.law = Law(j)

    def order(self, start):
        cell = Cell()
        n = Form.of(atom("symbol", "n"))
        e = self.law.evaluator(cell, set(self.places))
        box = {place: self.box[name] for place, name in self.places.items()}
        for place, (low, high) in box.items():
            symbol = Form.of(cell.named("symbol", place))
            cell.assume(symbol - low, ">=")
            cell.assume(Form.of(high) - symbol, ">=")
        for p in self.law.j["parameters"]:
            if p["domain"] is not None and not all(cell.follows(f, r) for f, r in e.conditions(p["domain"])):
                raise NotShown("a box outside of the domain of " + p["name"])
        defined.require(self.law, cell, set(self.places))
        score, everywhere = Score(self.law, e, Form.of(self.bound), n=n), Cell(cell.conditions, cell.values)
        cell.assume(n - start, ">=")
        everywhere.assume(n - self.law.first, ">=")
        b = score.b().only()
        a = Score(self.law, self.law.evaluator(everywhere, set(self.places)), Form.of(self.bound), n=n).a().only()
        if b is None or a is None:
            raise NotShown("a bias or a content of another kind")
        if start != self.law.first and score.at(n=Form.of(self.law.first)).b().t:
            raise NotShown("a bias that is not 0 at 0")
        if varies(b) and choices(parse(self.law.formula("bias"))) & set(box):
            raise NotShown("a bias that chooses by a free parameter")
        bias, content = Order(box), Order(box)
        bias.bias(-b)
        content.content(a)
        self.direction, self.content_direction, self.falls, self.whole = (
            bias.direction,
            content.direction,
            bias.falls,
            None,
        )
        window = self.law.formula("window")
        for name in self.box:
            if window and name in mentioned(window):
                if window != name or self.direction[name]:
                    raise NotShown("the window is not a parameter alone")
                self.direction[name], self.whole = -1, name

    def corner(self, box, flat, direction=None):
        direction = direction or self.direction
        at = {
            place: box[self.places[place]][0 if sign == 0 or (sign > 0) == flat else 1]
            for place, sign in direction.items()
        }
        key = self.key(at)
        if key not in self.corners:
            if len(self.corners) > 64:
                self.corners.clear()
            j = copy.deepcopy(self.law.j)
            for p in j["parameters"]:
                if p["name"] in at:
                    p["value"] = str(at[p["name"]])
            self.corners[key] = Corner(Law(j), self.proofs.get(key))
        return self.corners[key]

    def content_sums(self, corner, content, side, last):
        """Sums of e^(b + side a) up to first, first + 1 ... last; with a of another corner."""
        a, key = content.numbers.content_of_n(self.bound), (id(content), side)
        sums, first = corner.prefixes.setdefault(key, [content]), self.law.first
        while len(sums) <= last - first + 1:
            n = first + len(sums) - 1
            ctx.cap = 1
            more = (content.numbers.series(a, arb_series([arb(n)]))[0] * side - corner.numbers.phi_at(n)).exp()
            sums.append((sums[-1] if len(sums) > 1 else 0) + more)
        return sums[last - first + 1]

    def content_at(self, content, n):
        ctx.cap = 1
        return content.numbers.series(content.numbers.content_of_n(self.bound), arb_series([arb(n)]))[0]

    def same(self, content):
        return not any(ATOMS[name][2] for key in content.numbers.content_of_n(self.bound).t for name, _ in key)

    def with_content(self, corner, content, side, last):
        if self.same(content):
            return corner.up_to(last)[0] * (self.content_at(content, last) * side).exp()
        return self.content_sums(corner, content, side, corner.last if corner.ends_before(last) else last)

    def beyond(self, corner, content, side, last, to):
        if self.same(content):
            return (corner.total()[0] - corner.up_to(last)[0]) * (self.content_at(content, last) * side).exp()
        near = self.with_content(corner, content, side, to) - self.with_content(corner, content, side, last)
        between = (self.content_at(content, to + 1) * arb(0.5, 0.5) * side).exp()
        return near + (corner.total()[0] - corner.up_to(to)[0]) * between

    @staticmethod
    def settled(n, above, excess):
        to = max(n, 64)
        while to <= 100000:
            value = excess(to)
            if value >= 0 or value < 0:
                return bool(value >= 0) == above
            to *= 2
        return False

    def entropy_between(self, flat, steep, last):
        if last is None and flat.numbers.far is None:  # a window has none
            raise NotShown("biases that rise, and a tail that is not far out")
        end = flat.numbers.far - 1 if last is None else last
        while last is None and end > self.law.first and flat.numbers.phi_at(end) >= 1:
            end -= 1
        if steep.ends_before(end):  # the shorter window
            raise NotShown("a window")
        s = (
            arb(0)
            if last is not None
            else (steep.total()[1] - steep.up_to(end)[1]).union(flat.total()[1] - flat.up_to(end)[1])
        )
        for n in range(self.law.first, end + 1):
            low, high = flat.numbers.phi_at(n), steep.numbers.phi_at(n)
            s = s + low.union(high) * (-low).exp().union((-high).exp())
        z = (flat.total() if last is None else flat.up_to(end))[0].union(
            (steep.total() if last is None else steep.up_to(end))[0]
        )
        return z.log() + s / z

    def surely(self, r, box):
        """D2: every point of the box meets the requirement."""
        if not self.met(r, box):
            raise NotShown("a bound over a box, or at the point found: " + r.quantity)

    def met(self, r, box):
        first = self.law.first
        if r.quantity == "parameter":
            over = box[r.at][0] - r.value if r.above else r.value - box[r.at][1]
            return over > 0 if r.strict else over >= 0
        flat, steep = self.corner(box, True), self.corner(box, False)
        worst, best = (steep, flat) if r.above else (flat, steep)
        if r.quantity == "Z":
            return steep.infinite if r.above else bool(flat.total())
        falls = self.falls or flat.numbers.bernstein
        if falls and self.from_1:  # b(0) = 0, and b falls from 1 on
            falls = flat.numbers.cell.holds(-flat.bias(1), False)
        if r.quantity == "entropy":
            if r.at is None and worst.infinite and falls:
                return r.above
            if falls:
                z, s = worst.total() if r.at is None else worst.up_to(first + int(r.at))
                h = z.log() + s / z
            else:
                h = self.entropy_between(flat, steep, None if r.at is None else first + int(r.at))
            over = (h - ball(r.value)) * (1 if r.above else -1)
            return bool(over > 0) if r.strict else bool(over >= 0)
        asked = int(r.value) if r.above else int(r.value) + 1
        if asked < 0 and r.quantity != "cache":
            return r.above
        n = max(asked, first)  # of range and reach: they are distances, or -1: none
        if r.quantity == "range":
            if worst.ends_before(n):
                return not r.above
            holds, c1 = worst.numbers.cell.holds, Form.of(r.at)

            def inside(top, low):
                return holds(steep.bias(low) + c1, False) and holds(c1 - flat.bias(top), False)

            def outside(top, low):
                return holds(-c1 - flat.bias(low), True) or holds(steep.bias(top) - c1, True)

            pairs = [(first, n)] if falls else ((m, m) for m in range(first, n + 1))
            return (falls or n <= 100000) and (
                all(inside(*p) for p in pairs) if r.above else any(outside(*p) for p in pairs)
            )
        content = self.corner(box, r.above, self.content_direction)
        if r.quantity == "cache":
            kept = asked - 1  # of the number that are needed at least; or allowed
            if kept < 1:
                return r.above
            last = kept - 1 + first
            if worst.ends_before(last + 1):
                return not r.above
            if worst.infinite:
                return r.above
            return self.settled(
                last,
                not r.above,
                lambda to: (
                    ball(r.at) * self.with_content(worst, content, -1, last)
                    - ball(1 - r.at) * self.beyond(worst, content, 1, last, to)
                ),
            )
        if worst.ends_before(n) or best.infinite:
            return not r.above
        if not (r.above or falls):
            return False

        def excess(to):
            others = self.beyond(best, content, -1, n, to) / best.weight(n)
            if n > first:
                others = others + self.with_content(worst, content, -1, n - 1) / worst.weight(n)
            return ball(1 - r.at) * self.content_at(content, n).exp() - ball(r.at) * others

        return self.settled(n, r.above, excess)

    def check_found(self, found, objective):
        point = self.point(found["parameters"], self.box)
        if any(not low <= point[name] <= high for name, (low, high) in self.box.items()):
            raise NotShown("a point outside of the box")
        for p in self.law.j["parameters"]:
            if p["name"] in point and self.rational(p["value"]) != point[p["name"]]:
                raise NotShown("the law is that of another point")
        alone = {name: (value, value) for name, value in point.items()}
        for r in self.requirements:
            self.surely(r, alone)
        if objective is not None:
            self.surely(Requirement(self, objective, ">=" if self.maximize else "<=", found["value"]), alone)

    def check_cases(self, tree, box):
        if "split" in tree:
            name, at = tree["split"], self.rational(tree["at"])
            if name not in box:
                raise NotShown("no such split")
            above = at + 1 if name == self.whole else at
            low, high = box[name]
            if not low <= at <= above <= high or (name == self.whole and at.denominator != 1):
                raise NotShown("no such split")
            self.check_cases(tree["below"], {**box, name: (low, at)})
            self.check_cases(tree["above"], {**box, name: (above, high)})
            return
        by = tree["excluded_by"]
        if by > len(self.requirements) or (by == len(self.requirements) and self.better is None):
            raise NotShown("no such requirement")
        self.surely((self.requirements + [self.better])[by].contrary(), box)


def check(law, top):
    Design(law, top)
