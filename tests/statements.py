"""Nested conditional expressions (`a ? b : c ? d : e`, also in brackets) and statements joined by commas.

C++ is read as tokens in brackets. The operands of a conditional expression reach to a comma, a semicolon, an assignment
or `return`, with the brackets between, but without the bodies of lambdas. Statements are joined where a comma stands
outside of all brackets and template arguments, except in a declaration.
"""

import ast
import re

TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*"
    r'|(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
    r"|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|'?[\w.])*"
    r"|<<<|\.\.\.|->\*?|::|\+\+|--|&&|\|\||<=>|(?:<<|[-+*/%&|^=!<>])=|<<|\S",
    re.DOTALL | re.MULTILINE,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="}
# What a declaration begins with, and what stands before a statement.
DECLARING = set(
    "alignas auto class const consteval constexpr constinit enum explicit extern friend inline mutable namespace "
    "private protected public register signed static struct template thread_local typedef typename union unsigned "
    "using virtual volatile".split()
)
LEADING = {"if", "else", "for", "while", "switch", "do", "case", "default"}
ENDING = {"return", "throw", "co_return", "co_yield", "co_await", "delete", "goto"}
IN_ARGUMENTS = {"::", ",", ".", "*", "&", "&&", "+", "-", "..."}
WORD = re.compile(r"[A-Za-z_]")


class Group:
    """What stands in a pair of brackets."""

    def __init__(self, sign, line):
        self.sign, self.line, self.items = sign, line, []

    def is_body(self):
        """Of statements: a semicolon is in it, or a body."""
        inside = any(item == ";" or (isinstance(item, Group) and item.is_body()) for _, item in self.items)
        return self.sign == "{" and inside


def is_word(item):
    return isinstance(item, str) and WORD.match(item) is not None


def read(text):
    """The tokens of a file, brackets as groups: (line, token or group)."""
    stack, line, at = [Group("{", 1)], 1, 0
    for match in TOKEN.finditer(text):
        line, at, token = line + text.count("\n", at, match.start()), match.start(), match.group(0)
        if token.startswith(("//", "/*")) or token.lstrip().startswith("#"):
            continue
        if token in CLOSING:
            group = Group(token, line)
            stack[-1].items.append((line, group))
            stack.append(group)
        elif len(stack) > 1 and token == CLOSING[stack[-1].sign]:
            stack.pop()
        else:
            stack[-1].items.append((line, token))
    return stack[0]


def arguments_end(items, start):
    """Of `<` at `start`: where the template arguments end, or those of a launch; `start` where it is a comparison."""
    depth = 0
    for at in range(start, len(items)):
        item = items[at][1]
        if item in ("<", "<<<", ">"):
            depth += {"<": 1, "<<<": 3, ">": -1}[item]
            if depth == 0:
                return at
        elif isinstance(item, Group):
            if item.is_body():
                break
        elif not WORD.match(item) and not item[0].isdigit() and item not in IN_ARGUMENTS:
            break
    return start


def without_arguments(items):
    """Template arguments are left out."""
    result, at = [], 0
    while at < len(items):
        end = at
        if items[at][1] == "<<<" or (items[at][1] == "<" and at > 0 and is_word(items[at - 1][1])):
            end = arguments_end(items, at)
        if end == at:
            result.append(items[at])
        at = end + 1
    return result


def split(items, signs):
    part = []
    for line, item in items:
        if isinstance(item, str) and item in signs:
            yield part
            part = []
        else:
            part.append((line, item))
    yield part


def has_conditional(group):
    return any(
        has_conditional(item) if isinstance(item, Group) and not item.is_body() else item == "?"
        for _, item in group.items
    )


def nested_conditionals(group):
    """Lines of conditional expressions that hold another one."""
    for part in split(without_arguments(group.items), {",", ";", *ASSIGNMENTS, *ENDING}):
        signs = [line for line, item in part if item == "?"]
        inner = [item for _, item in part if isinstance(item, Group) and not item.is_body() and has_conditional(item)]
        if signs and (len(signs) > 1 or inner):
            yield signs[0]
    for _, item in group.items:
        if isinstance(item, Group):
            yield from nested_conditionals(item)


def statements(group):
    """Of a body, between semicolons and bodies."""
    part = []
    for line, item in group.items:
        ended = part and isinstance(part[-1][1], Group) and part[-1][1].sign == "{"
        if ended and (is_word(item) or item in ("~", "++", "--", "*")):
            yield part
            part = []
        if item == ";":
            yield part
            part = []
        else:
            part.append((line, item))


def declares(items):
    """Whether a statement is a declaration: its first words name a type, and a name follows; or of a constructor."""
    if not items or items[0][1] in DECLARING:
        return True
    words = 0
    for at, (_, item) in enumerate(items):
        if isinstance(item, Group):
            is_attribute, after = item.sign == "[" and at == 0, [one for _, one in items[at + 1 : at + 3]]
            return is_attribute or (item.sign == "(" and (after[:1] == [":"] or after == ["noexcept", ":"]))
        if is_word(item):
            words += at == 0 or items[at - 1][1] != "::"
            if words == 2:
                return items[0][1] not in ENDING
        elif item not in ("::", "*", "&", "&&"):
            return False
    return False


def without_heads(items):
    """A statement without what it is under: `if (...)`, `for (...)`, `else`, `case 1:`."""
    while items and items[0][1] in LEADING:
        if items[0][1] in ("case", "default"):
            items = next((items[at + 1 :] for at, (_, item) in enumerate(items) if item == ":"), [])
            continue
        is_constant = len(items) > 1 and items[1][1] == "constexpr"
        items = items[1 + is_constant :]
        if items and isinstance(items[0][1], Group) and items[0][1].sign == "(":
            items = items[1:]
    return items


def joined(group):
    """Lines of statements that are joined by commas."""
    for part in statements(group) if group.is_body() else ():
        items = without_heads(without_arguments(part))
        commas = [line for line, item in items if item == ","]
        if commas and not declares(items):
            yield commas[0]
    for _, item in group.items:
        if isinstance(item, Group):
            yield from joined(item)


def of_python(text):
    """(line, what) of nested conditional expressions, and of tuples that are statements."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.IfExp) and any(
            isinstance(one, ast.IfExp) and one is not node for one in ast.walk(node)
        ):
            yield node.lineno, "nested conditional expression"
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Tuple):
            yield node.lineno, "statements joined by a comma"


def of_cpp(text):
    root = read(text)
    yield from ((line, "nested conditional expression") for line in nested_conditionals(root))
    yield from ((line, "statements joined by a comma") for line in joined(root))


def complaints(file, text):
    """One line of text for each of them."""
    found = of_python(text) if file.endswith(".py") else of_cpp(text)
    for line, what in sorted(set(found)):
        yield f"{file}:{line}: {what}"
