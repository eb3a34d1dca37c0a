"""Expressions of docs/specification.md, written for SymPy, Maxima and Giac."""

import ast
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Dialect:
    power: str
    integer: str  # how an exact integer is written
    names: dict[
        str, str
    ]  # functions and constants whose names differ; with {0} where an argument goes, if not after it
    branch: str  # of {condition}, {then}, {otherwise}


SYMPY = Dialect(
    "**",
    "Integer({})",
    {"min": "Min", "max": "Max", "abs": "Abs", "ceil": "ceiling", "lgamma": "loggamma"},
    "Piecewise(({then}, {condition}), ({otherwise}, True))",
)
MAXIMA = Dialect(
    "^",
    "{}",
    {
        "pi": "%pi",
        "ceil": "ceiling",
        "sign": "signum",
        "lgamma": "log_gamma",
        "digamma": "psi[0]",
        "polygamma": "psi[{0}]({1})",
    },
    "(if {condition} then {then} else {otherwise})",
)
GIAC = Dialect(
    "^",
    "{}",
    {"log": "ln", "gamma": "Gamma", "lgamma": "ln(Gamma({0}))", "digamma": "Psi", "polygamma": "Psi({1}, {0})"},
    "piecewise({condition}, {then}, {otherwise})",
)

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_RELATIONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def translate(text: str, dialect: Dialect) -> str:
    """The same expression in another system's words. Every operation is put in parentheses.

    Raises ValueError for anything that none of the questions uses."""
    # Python reads the grammar as it stands, once powers and the keyword `if` are renamed.
    tree = ast.parse(text.replace("^", "**").replace("if(", "branch("), mode="eval")
    return _write(tree.body, dialect)


def _write(node: ast.expr, dialect: Dialect) -> str:
    match node:
        case ast.Constant(value=int(value)):
            return dialect.integer.format(value)
        case ast.Constant(value=float(value)):
            exact = Fraction(repr(value))  # the decimals of the text
            return f"({dialect.integer.format(exact.numerator)}/{dialect.integer.format(exact.denominator)})"
        case ast.Name(id=name):
            return dialect.names.get(name, name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"(-{_write(operand, dialect)})"
        case ast.BinOp(left=left, op=operator, right=right):
            sign = dialect.power if isinstance(operator, ast.Pow) else _OPERATORS[type(operator)]
            return f"({_write(left, dialect)}{sign}{_write(right, dialect)})"
        case ast.Compare(left=left, ops=[relation], comparators=[right]):
            return f"{_write(left, dialect)} {_RELATIONS[type(relation)]} {_write(right, dialect)}"
        case ast.Call(func=ast.Name(id="branch"), args=[condition, then, otherwise]):
            return dialect.branch.format(
                condition=_write(condition, dialect), then=_write(then, dialect), otherwise=_write(otherwise, dialect)
            )
        case ast.Call(func=ast.Name(id=name), args=arguments):
            inside = [_write(argument, dialect) for argument in arguments]
            written = dialect.names.get(name, name)
            return written.format(*inside) if "{" in written else f"{written}({', '.join(inside)})"
    raise ValueError(f"no translation of {ast.unparse(node)}")
