"""Texts in the notation of encoding files, evaluated directly: for arrays of distances in 64-bit mantissas, and for
single ones with mpmath. Nothing is transformed, and nothing is known but the definition of each function."""

import re

import mpmath
import numpy

LONG = numpy.longdouble
mpmath.mp.dps = 50
numpy.seterr(all="ignore")  # what overflows or does not exist is infinite or nan, and looked at as such
TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|([A-Za-z_]\w*)|(<=|>=|==|!=|[-+*/^(),<>=]))")
RELATIONS = ("<", "<=", ">", ">=", "=", "==", "!=")


class Unknown(Exception):
    """A value that this evaluation cannot give."""


class Undefined(Exception):
    """A value that does not exist."""


class Parser:
    def __init__(self, text):
        self.tokens, position = [], 0
        text = text.rstrip()
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                raise Unknown(f"cannot read {text[position:]!r}")
            self.tokens.append((match.lastindex, match.group(match.lastindex)))
            position = match.end()
        self.tokens.append((0, ""))

    def take(self, *texts):
        if self.tokens[0][1] in texts and self.tokens[0][0] in (0, 3):
            return self.tokens.pop(0)[1]
        return None

    def expect(self, text):
        if not self.take(text):
            raise Unknown(f"expected {text!r} before {self.tokens[0][1]!r}")

    def sum(self):
        result = self.product()
        while sign := self.take("+", "-"):
            result = (sign, result, self.product())
        return result

    def product(self):
        result = self.power()
        while sign := self.take("*", "/"):
            result = (sign, result, self.power())
        return result

    def power(self):
        if self.take("-"):
            return ("negative", self.power())
        if self.take("+"):
            return self.power()
        base = self.atom()
        return ("^", base, self.power()) if self.take("^") else base

    def atom(self):
        if self.take("("):
            result = self.sum()
            self.expect(")")
            return result
        kind, text = self.tokens.pop(0)
        if kind == 1:
            return ("number", text)
        if kind != 2:
            raise Unknown(f"unexpected {text!r}")
        if not self.take("("):
            return ("name", text)
        arguments = [self.argument(text)]
        while self.take(","):
            arguments.append(self.sum())
        self.expect(")")
        return ("call", text, arguments)

    def argument(self, function):
        left = self.sum()
        if function != "if":
            return left
        relation = self.take(*RELATIONS)
        return (relation, left, self.sum())


PARSED = {}


def parse(text):
    if text not in PARSED:
        parser = Parser(text)
        PARSED[text] = parser.sum()
        if parser.tokens[0][1]:
            raise Unknown(f"left over in {text!r}")
    return PARSED[text]


def mentions(text, name):
    return text is not None and re.search(rf"\b{name}\b", text) is not None


class Arrays:
    """Elementwise; a value that does not exist is nan, and one that is too large is infinite."""

    pi = LONG("3.14159265358979323846264338327950288")

    def number(self, text):
        return LONG(text)

    def near(self, x, y):  # exact numbers that differ do so by more, for the laws that are drawn
        return numpy.abs(x - y) <= LONG(1e-15) * (1 + numpy.abs(x))

    def add(self, x, y):
        return x + y

    def divide(self, x, y):
        return numpy.where(y == 0, LONG("nan"), x / numpy.where(y == 0, LONG(1), y))

    def power(self, x, y):
        whole = y == numpy.round(y)
        bad = ((x < 0) & ~whole) | ((x == 0) & (y <= 0))
        return numpy.where(bad, LONG("nan"), numpy.power(numpy.where(bad, LONG(1), x), y))

    def wave(self, function, x):
        value, slack = function(x), LONG(1e-18) * numpy.abs(x) + LONG(1e-16)
        for exact in (0, 1, -1, 0.5, -0.5):
            value = numpy.where(numpy.abs(value - exact) < slack, LONG(exact), value)
        return numpy.where(numpy.abs(x) > 1e12, LONG("nan"), value)

    def function(self, name, x):
        if name == "log":
            return numpy.where(x > 0, numpy.log(numpy.where(x > 0, x, LONG(1))), LONG("nan"))
        if name == "sqrt":
            x = numpy.where((x < 0) & (x > -1e-17), LONG(0), x)
            return numpy.where(x >= 0, numpy.sqrt(numpy.abs(x)), LONG("nan"))
        if name == "floor":
            near = numpy.round(x)
            return numpy.where(self.near(x, near), near, numpy.floor(x))
        if name in ("sin", "cos"):
            return self.wave(getattr(numpy, name), x)
        return {"exp": numpy.exp, "abs": numpy.abs, "tanh": numpy.tanh}[name](x)

    def choose(self, condition, x, y):
        return numpy.where(condition, x, y)

    def most(self, x, y):
        return numpy.maximum(x, y)

    def table(self, table, index):
        last = len(table["values"]) - 1
        values = numpy.array([LONG(1) * LONG(v.numerator) / LONG(v.denominator) for v in table["values"]])
        place = numpy.round(index)
        good = (place == index) & (place >= 0) & ((place <= last) | (table["beyond"] == "constant"))
        return numpy.where(good, values[numpy.clip(numpy.nan_to_num(place), 0, last).astype(int)], LONG("nan"))


class Exact:
    """One value at a time, with mpmath at its working precision."""

    @property
    def pi(self):
        return mpmath.mp.pi

    def number(self, text):
        return mpmath.mpf(text)

    def slack(self, x):
        return mpmath.mpf(10) ** (12 - mpmath.mp.dps) * (1 + abs(x))

    def near(self, x, y):
        return abs(x - y) <= self.slack(x)

    def add(self, x, y):  # 5 - m 5000 with m = 1/1000 is 0
        sum_ = x + y
        return mpmath.mpf(0) if abs(sum_) <= self.slack(0) * max(abs(x), abs(y)) else sum_

    def divide(self, x, y):
        if y == 0:
            raise Undefined("division by zero")
        return x / y

    def exp(self, x):
        if abs(x) > mpmath.mpf(10) ** 3000:
            raise Unknown("a tower")
        return mpmath.exp(x)

    def power(self, x, y):
        whole = mpmath.isint(y)
        if (x < 0 and not whole) or (x == 0 and y <= 0):
            raise Undefined("a power")
        if x == 0 or abs(y) <= 64 and whole:
            return x ** int(y) if whole else mpmath.mpf(0)
        sign = -1 if x < 0 and int(y) % 2 else 1
        return sign * self.exp(y * mpmath.log(abs(x)))

    def function(self, name, x):
        if name == "log":
            if x <= 0:
                raise Undefined("log")
            return mpmath.log(x)
        if name == "sqrt":
            if x < 0 and x > -self.slack(0):
                x = mpmath.mpf(0)
            if x < 0:
                raise Undefined("sqrt")
            return mpmath.sqrt(x)
        if name == "floor":
            near = mpmath.nint(x)
            return near if self.near(x, near) else mpmath.floor(x)
        if name in ("sin", "cos"):
            value = getattr(mpmath, name)(x)
            for exact in (0, 1, -1):
                if abs(value - exact) <= self.slack(x):
                    return mpmath.mpf(exact)
            return value
        if name == "tanh" and abs(x) > 10000:
            return mpmath.sign(x)
        return {"exp": self.exp, "abs": abs, "tanh": mpmath.tanh}[name](x)

    def most(self, x, y):
        return max(x, y)

    def table(self, table, index):
        place = int(index)
        if place != index or place < 0:
            raise Undefined("table")
        if place >= len(table["values"]):
            if table["beyond"] != "constant":
                raise Undefined("table")
            place = -1
        value = table["values"][place]
        return mpmath.mpf(value.numerator) / value.denominator


ARRAYS, EXACT = Arrays(), Exact()


def holds(how, relation, x, y):
    equal, less = how.near(x, y), x < y
    if how is EXACT:
        return {
            "<": less and not equal,
            "<=": less or equal,
            ">": not less and not equal,
            ">=": not less or equal,
            "=": equal,
            "==": equal,
            "!=": not equal,
        }[relation]
    return {
        "<": less & ~equal,
        "<=": less | equal,
        ">": ~less & ~equal,
        ">=": ~less | equal,
        "=": equal,
        "==": equal,
        "!=": ~equal,
    }[relation]


def value(tree, names, how):
    """`names` gives every name a value, every table its record under its name, and H a function."""
    kind = tree[0]
    if kind == "number":
        return how.number(tree[1])
    if kind == "name":
        if tree[1] == "pi":
            return how.pi
        if tree[1] not in names:
            raise Unknown(f"unknown name {tree[1]}")
        return names[tree[1]]
    if kind == "negative":
        return -value(tree[1], names, how)
    if kind == "call":
        return call(tree[1], tree[2], names, how)
    x, y = value(tree[1], names, how), value(tree[2], names, how)
    if kind == "+":
        return how.add(x, y)
    if kind == "-":
        return how.add(x, -y)
    if kind == "*":
        return x * y
    return how.divide(x, y) if kind == "/" else how.power(x, y)


def call(name, arguments, names, how):
    if name == "if":
        relation, left, right = arguments[0]
        condition = holds(how, relation, value(left, names, how), value(right, names, how))
        if how is EXACT:
            return value(arguments[1] if condition else arguments[2], names, how)
        return how.choose(condition, value(arguments[1], names, how), value(arguments[2], names, how))
    if name == "sum":
        low, high = (int(value(a, names, how)) for a in arguments[1:3])
        result = how.number("0")
        for k in range(low, high + 1):
            result = result + value(arguments[3], {**names, arguments[0][1]: how.number(str(k))}, how)
        return result
    values = [value(a, names, how) for a in arguments]
    if name == "H":
        return names["H"](values[0])
    if name == "iter":  # of certificates: log^j x
        result = names["n"]
        for _ in range(int(values[0])):
            result = how.function("log", result)
        return result
    if name in ("min", "max"):
        result = values[0]
        for other in values[1:]:
            result = how.most(result, other) if name == "max" else -how.most(-result, -other)
        return result
    if name in names and isinstance(names[name], dict):
        return how.table(names[name], values[0])
    return how.function(name, values[0])


def at(text, names, how):
    return value(parse(text), names, how)
