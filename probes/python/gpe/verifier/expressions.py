"""Expressions, in the notation of encoding files: how they are written."""
# Tests: tests/certificates/forgeries.py

import re
from fractions import Fraction as Q

from gpe.verifier.work import NotShown, spend

TOKEN = re.compile(r"\s*(?:((?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(<=|>=|!=|==|.))", re.S | re.A)
RESERVED = set("n L d j h heads layer layers pi H B alpha".split())
FUNCTIONS = set("log exp sqrt abs sin cos min max floor if sum and".split())
RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "=", "==": "=", "!=": "!="}
CONTRARY = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
PARSED = {}


class Parser:
    def __init__(self, source):
        self.tokens, at, source = [], 0, source.rstrip()
        while at < len(source):
            m = TOKEN.match(source, at)
            self.tokens.append(m.groups())
            at = m.end()
        self.at, self.depth = 0, 0

    def peek(self):
        return self.tokens[self.at][2] or self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self, *symbols):
        if self.at < len(self.tokens) and self.peek() in symbols and self.tokens[self.at][0] is None:
            self.at += 1
            return self.tokens[self.at - 1][2] or self.tokens[self.at - 1][1]
        return None

    def need(self, symbol):
        if not self.take(symbol):
            raise NotShown(f"expected '{symbol}'")

    def sum(self):
        e = self.product()
        while op := self.take("+", "-"):
            e = (op, e, self.product())
        return e

    def product(self):
        e = self.factor()
        while op := self.take("*", "/"):
            e = (op, e, self.factor())
        return e

    def factor(self):
        self.depth += 1
        if self.depth > 200:
            raise NotShown("an expression nested too deep")
        if self.take("-"):
            e = ("neg", self.factor())
        elif self.take("+"):
            e = self.factor()
        else:
            e = self.atom()
            e = ("^", e, self.factor()) if self.take("^") else e
        self.depth -= 1
        return e

    def atom(self):
        if self.take("("):
            e = self.sum()
            self.need(")")
            return e
        if self.at >= len(self.tokens):
            raise NotShown("an expression that ends too early")
        number, name, symbol = self.tokens[self.at]
        self.at += 1
        if number is not None:
            mantissa, _, exponent = number.lower().partition("e")
            if len(exponent) > 5:
                raise NotShown("a number with too many digits")
            spend(1 + (len(mantissa) + abs(int(exponent or 0))) // 8)
            return ("number", Q(mantissa) * Q(10) ** int(exponent or 0))
        if name is None:
            raise NotShown(f"unexpected '{symbol}'")
        if not self.take("("):
            return ("name", name)
        if name == "if":
            left = self.sum()
            relation = RELATIONS.get(self.take(*RELATIONS))
            if not relation:
                raise NotShown("expected a comparison")
            e = ("if", relation, left, self.sum())
            for _ in range(2):
                self.need(",")
                e += (self.sum(),)
        else:
            arguments = [self.sum()]
            while self.take(","):
                arguments.append(self.sum())
            e = ("call", name, arguments)
        self.need(")")
        return e

    def conditions(self):
        result = []
        while True:
            left = self.sum()
            relation = RELATIONS.get(self.take(*RELATIONS))
            if not relation:
                raise NotShown("expected a comparison")
            while relation:
                right = self.sum()
                result.append((relation, left, right))
                left, relation = right, RELATIONS.get(self.take(*RELATIONS))
            if not self.take("and"):
                break
        if self.at != len(self.tokens):
            raise NotShown("more than conditions")
        return result


def parse(source, conditions=False):
    if (source, conditions) not in PARSED:
        p = Parser(source)
        e = p.conditions() if conditions else p.sum()
        if p.at != len(p.tokens):
            raise NotShown(f"'{source}' is not an expression")
        PARSED[source, conditions] = e
    return PARSED[source, conditions]


def names_in(e):
    """The names that an expression takes from outside; those of functions and tables too, as 'name('."""
    spend(1)
    if e[0] == "name":
        return {e[1]}
    if e[0] == "number":
        return set()
    if e[0] != "call":
        return set().union(*(names_in(part) for part in e[1:] if isinstance(part, tuple)))
    if e[1] != "sum":
        return {e[1] + "("}.union(*(names_in(part) for part in e[2]))
    if (
        len(e[2]) != 4
        or e[2][0][0] != "name"
        or e[2][0][1] in RESERVED | FUNCTIONS
        or {"n", "L"} & (names_in(e[2][1]) | names_in(e[2][2]))
    ):
        raise NotShown("a sum of another form")
    return names_in(e[2][1]) | names_in(e[2][2]) | (names_in(e[2][3]) - {e[2][0][1]})


def choices(e):
    """The names by which an expression may choose between values: all but those that are factors or divisors of
    the terms of a sum. An unknown that stands for a sum, as in (m*t(n) + (1 - m)*u(n))/1, does not say so."""
    if e[0] in ("+", "-"):
        return choices(e[1]) | choices(e[2])
    factors, inside = [e], set()
    while factors:
        one = factors.pop()
        if one[0] in ("*", "neg") or (one[0] == "/" and one[2][0] in ("name", "number")):
            factors += one[1:]
        elif one[0] == "/":  # a long divisor stands for itself as an unknown, too
            factors.append(one[1])
            inside |= names_in(one[2])
        elif one[0] not in ("name", "number"):
            inside |= names_in(one)
    return inside


def mentioned(source):
    return names_in(parse(source)) if source else set()


def mentioned_in_conditions(source):
    return set().union(*(names_in(e) for condition in parse(source, True) for e in condition[1:]))
