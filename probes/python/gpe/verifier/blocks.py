"""One formula of a law has a value at all n and L >= n that are seen: by forms, on blocks of n and L."""
# Tests: tests/certificates/forged_undefined.py

from gpe.verifier.cell import Cell, between
from gpe.verifier.enclosures import above
from gpe.verifier.evaluator import OpenCondition
from gpe.verifier.expressions import CONTRARY, mentioned
from gpe.verifier.sums import Form, X
from gpe.verifier.work import NotShown

MOST_BLOCKS, MOST_CONDITIONS, FAR = 1000, 10, 1 << 200


class Formula:
    def __init__(self, key, law, cell, free):
        self.key, self.law, self.cell, self.free, self.blocks, self.why = key, law, cell, free, 0, "too far out"
        self.alpha = law.meaning_of_alpha() if key == "angle" else ""
        self.names = mentioned(law.formula(key)) | mentioned(self.alpha)
        self.with_length = "L" in self.names
        self.last = law.last_seen(free) if self.names & {"n", "L"} else law.first

    def show(self):
        first, lengths = self.law.first, (self.law.first, None)
        closed = not self.names & set(self.free) and not self.with_length
        if not self.has_values((first, self.last), lengths) and not (closed and self.far()):
            self.cover((first, self.last), lengths)

    def has_values(self, n, length):
        """n and L are symbols about which no more is known; or, between two numbers, anything there."""
        self.blocks += 1
        if self.blocks > MOST_BLOCKS:
            self.fail()
        for inside in (False, True):
            if inside and n[1] in (None, n[0]):
                return False
            cell = Cell(self.cell.conditions, self.cell.values)
            at = self.place(cell, n, "n", inside)
            seen = self.place(cell, (max(n[0], length[0]), length[1]), "L", inside)
            if not inside:
                cell.assume(seen - at, ">=")
            if not inside and self.law.j["window"] is not None:
                keys = self.law.evaluator(cell, self.free)(self.law.j["window"])
                cell.assume(keys + (self.law.first - 1) - at, ">=")
            if self.in_blocks(cell, at, seen):
                return True
        return False

    @staticmethod
    def place(cell, ends, name, inside):
        low, high = ends
        if low == high:
            return Form.of(low)
        if inside and high is not None:
            return between(Form.of(low), Form.of(high))
        symbol = Form.of(cell.named("symbol", name))
        cell.assume(symbol - low, ">=")
        if high is not None:
            cell.assume(high - symbol, ">=")
        return symbol

    def in_blocks(self, cell, n, length):
        """With all entropies H >= 0, all that alpha may be, and in all blocks j."""
        entropy, measured, block = (Form.of(cell.named("symbol", name)) for name in ("H", "alpha", "j"))
        cell.assume(entropy, ">=")
        cell.assume(measured, ">")
        cell.assume(block, ">=")
        cell.assume(self.law.d // 2 - 1 - block, ">=")
        names = {"n": n, "L": length, "H": entropy, "alpha": measured, "j": block}
        return self.has_value(cell, names) or (
            "j" in self.names and all(self.has_value(cell, {**names, "j": Form.of(j)}) for j in range(self.law.d // 2))
        )

    def has_value(self, cell, names, conditions=0):
        """Where a condition in the formula is open: in each part of the cell by itself."""
        try:
            e = self.law.evaluator(cell, self.free).with_names(**names)
            e.in_parts = conditions < MOST_CONDITIONS
            if self.alpha:
                e = e.with_names(alpha=e(self.alpha))
            e(self.law.formula(self.key))
        except NotShown as error:
            self.why = str(error)
            return False
        except OpenCondition as open_condition:
            f, relation = open_condition.f, open_condition.relation
        else:
            return True
        for where in (relation, CONTRARY[relation]) if relation not in ("=", "!=") else "<=>":
            part = cell.part(f, where)
            if not self.has_value(part, names, conditions + 1) and not part.empty():
                return False
        return True

    def far(self):
        """Beyond a threshold, as a function of x, and all numbers before it."""
        for depth, ell in ((1, 3), (1, 8), (1, 20), (1, 40), (2, 3)):
            cell = Cell()
            cell.start(depth, ell)
            if self.in_blocks(cell, X, Form()):
                last = int(above(cell.logs[0].exp())) + 1
                if last > self.law.first:
                    self.cover((self.law.first, last), (self.law.first, None))
                return True
        return False

    def cover(self, n, length):
        if self.has_values(n, length):
            return
        if n[0] != n[1]:
            for half in self.halves(*n):
                self.cover(half, length)
            return
        seen = max(n[0], length[0]), length[1]
        if not self.with_length or seen[0] == seen[1]:
            self.fail()
        for half in self.halves(*seen):
            self.cover(n, half)

    def halves(self, low, high):
        if high is None and low > FAR:
            self.fail()
        middle = 2 * low + 1 if high is None else (low + high) // 2
        return (low, middle), (middle + 1, high)

    def fail(self):
        raise NotShown(f"{self.key} may have no value: {self.why}")
