"""Values of expressions in a cell."""
# Tests: tests/certificates/forgeries.py

from fractions import Fraction as Q

from gpe.verifier import special
from gpe.verifier.cell import between
from gpe.verifier.expressions import CONTRARY, parse
from gpe.verifier.sums import PI, Constant, Form, atom, is_unknown, text
from gpe.verifier.work import NotShown, spend

DISTANCES = ("n", "n'")  # symbols that stand for whole numbers


def whole_part(f):
    """The terms that are integers for every integer x, and every integer n."""

    def natural(g):
        return g == () or (len(g) == 2 and g[0] == 0 and g[1] > 0 and g[1].denominator == 1)

    result = Form()
    for g, c in f.t.items():
        for key, q in c.t.items():
            if (
                natural(g)
                and q.denominator == 1
                and all(a in DISTANCES and e > 0 and e.denominator == 1 for a, e in key)
            ):
                result.plus(g, Constant({key: q}))
    return result


class OpenCondition(Exception):
    """f <relation> 0, for a constant f, is not decided in the cell."""

    def __init__(self, f, relation):
        super().__init__(relation)
        self.f, self.relation = f, relation


class Evaluator:
    """Values of expressions in a cell; names maps to forms. in_parts: raises an OpenCondition, for a value in each part
    of the cell."""

    def __init__(self, cell, names, tables, in_parts=False):
        self.cell, self.names, self.tables, self.waves, self.in_parts = cell, dict(names), tables, {}, in_parts

    def with_names(self, **names):
        spend(1 + len(self.names) // 8)
        other = Evaluator(self.cell, {**self.names, **names}, self.tables, self.in_parts)
        other.waves = self.waves
        return other

    def __call__(self, source):
        return self.value(parse(source))

    def rational(self, source):
        q = self(source).rational()
        if q is None:
            raise NotShown(f"'{source}' is not a rational number")
        return q

    def conditions(self, source):
        """One by one: a cell may get each of them before the next has a value."""
        for r, a, b in parse(source, True):
            yield self.value(a) - self.value(b), r

    def value(self, e):
        spend(4)
        kind, cell = e[0], self.cell
        if kind == "number":
            return Form.of(e[1])
        if kind == "name":
            if e[1] == "pi":
                return Form.of(PI)
            if e[1] not in self.names or e[1] == "H":
                raise NotShown(f"'{e[1]}' is not known")
            return self.names[e[1]]
        if kind == "neg":
            return -self.value(e[1])
        if kind in "+-":
            a, b = self.value(e[1]), self.value(e[2])
            return a + b if kind == "+" else a - b
        if kind in "*/":
            a, b = self.value(e[1]), self.value(e[2])
            if kind == "*":
                return cell.trimmed(a * b)
            return cell.narrowed(cell.trimmed(a * cell.power(b, Form.of(-1))))
        if kind == "^":
            base, exponent = self.value(e[1]), self.value(e[2])
            turns = (base.rational() or 0) < 0 and self.is_whole(e[2])  # (-c)^k = c^k cos(pi k)
            return (
                cell.power(-base, exponent) * self.wave("cos", Form.of(PI) * exponent)
                if turns
                else cell.power(base, exponent)
            )
        if kind == "if":
            f = self.value(e[2]) - self.value(e[3])
            if cell.follows(f, e[1]):
                return self.value(e[4])
            if cell.follows(f, CONTRARY[e[1]]):
                return self.value(e[5])
            if self.in_parts and f.only() is not None and not any(is_unknown(a) for key in f.only().t for a, _ in key):
                raise OpenCondition(f, e[1])
            return between(self.value(e[4]), self.value(e[5]))
        return self.call(e[1], e[2])

    def wave(self, name, x):
        """Without whole turns, which integers do not feel; then known, or only bounded."""
        turn = Form.of(PI * 2)
        angle = x - turn * whole_part(x * self.cell.power(turn, Form.of(-1)))
        if (
            quarters := (angle * self.cell.power(Form.of(PI), Form.of(-1)) * 2).rational()
        ) is not None and quarters.denominator == 1:
            return Form.of([1, 0, -1, 0][int(quarters - (name == "sin")) % 4])
        wave = f"{name}({text(angle)})"
        self.waves[wave] = angle
        return Form.of(atom("error", wave))

    def is_whole(self, e):
        """Whether it is a whole number where n is, as it is written: sums and products of such."""
        if e[0] == "number":
            return e[1].denominator == 1
        if e[0] == "name":
            known = self.names[e[1]].rational() if e[1] in self.names else None
            return e[1] in ("n", "L") or (known is not None and known.denominator == 1)
        if e[0] in ("neg", "+", "-", "*"):
            return all(map(self.is_whole, e[1:]))
        return e[0] == "call" and (e[1] == "floor" or (e[1] in ("min", "max") and all(map(self.is_whole, e[2]))))

    def call(self, name, arguments):
        cell = self.cell
        if name == "sum":
            low, high = self.value(arguments[1]).rational(), self.value(arguments[2]).rational()
            if (
                low is None
                or high is None
                or low.denominator != 1
                or high.denominator != 1
                or arguments[0][0] != "name"
                or high - low > 20000
            ):
                raise NotShown("a sum without whole bounds")
            if arguments[0][1] in self.names:
                raise NotShown("a sum over a name that is known")
            total = Form()
            while low <= high:
                total = cell.narrowed(
                    cell.trimmed(total + self.with_names(**{arguments[0][1]: Form.of(low)}).value(arguments[3]))
                )
                low += 1
            return total
        if special.is_called(name, arguments, {*self.tables, *self.names}):
            return special.of_forms(self, name, arguments)
        xs = [self.value(a) for a in arguments]
        x = xs[0]
        if name in ("min", "max") and len(xs) > 1:
            for y in xs[1:]:
                x = cell.larger(x, y) if name == "max" else -cell.larger(-x, -y)
            return x
        if len(xs) != 1:
            raise NotShown(f"{name} takes one argument")
        known = {
            "sqrt": lambda: cell.power(x, Form.of(Q(1, 2))),
            "log": lambda: cell.log(x),
            "exp": lambda: cell.exp(x),
            "abs": lambda: cell.larger(x, -x),
            "floor": lambda: whole_part(x) + cell.floor(x - whole_part(x)),
            "sin": lambda: self.wave(name, x),
            "cos": lambda: self.wave(name, x),
        }
        if name in known:
            return known[name]()
        if name == "H" and "H" in self.names and arguments == [("name", "n")]:
            return self.names["H"]
        if name not in self.tables:
            raise NotShown(f"no function is called {name}")
        first, constant, values = self.tables[name]
        start, over = x - first, x - (first + len(values) - 1)
        at = start.rational()
        if at.denominator != 1 if at is not None else not self.is_whole(arguments[0]):
            raise NotShown("an index that may not be whole")
        if constant and cell.holds(over, False):
            return Form.of(values[-1])
        if not cell.holds(start, False) or not (constant or cell.holds(-over, False)):
            raise NotShown(f"an index outside of table {name}")
        if start.only() is None or at is None:
            spend(len(values))
            return between(Form.of(min(values)), Form.of(max(values)))
        return Form.of(values[int(at)])
