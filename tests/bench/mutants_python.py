"""Mutants of the second verifier (gpe.verifier), all in one syntax tree: one of
them is switched on at a time.

Verifier().numbers               by name
          .refusals(text)        the checks that this certificate fails on the way to its refusal, by number
          .accepts(text, one)    whether the verifier without that check accepts it
"""

import ast
import os
import pathlib
import re
import resource
import sys
import types

import mutants_by_hand

HERE = pathlib.Path(__file__).resolve().parent
CERTIFICATES = HERE.parents[1] / "probes" / "python" / "gpe" / "verifier"
PACKAGE = "gpe.verifier"
# Each after those that it imports.
FILES = (
    "work form sums enclosures signs cell expressions rules special evaluator blocks law score defined proof_claims "
    "proof_shapes proof regions numbers order design path normalizer reduction certificate"
).split()
PROOFS = ("proof", "proof_claims", "proof_shapes")
SECONDS = 5  # of CPU time


class Switch:
    """What the trees call. Nothing is switched off where `active` is -1."""

    active, failed = -1, set()

    def refuses(self, one, condition):
        """A condition that refuses."""
        if condition:
            self.failed.add(one)
        return condition and self.active != one

    def permits(self, one, condition):
        """A condition that is needed."""
        if not condition:
            self.failed.add(one)
        return condition or self.active == one

    def tries(self, one, claim):
        try:
            return claim()
        except Exception:
            self.failed.add(one)
            if self.active != one:
                raise

    def other(self, one):
        self.failed.add(one)
        return self.active == one


def call(method, number, argument):
    return ast.Call(
        ast.Attribute(ast.Name("_switch", ast.Load()), method, ast.Load()), [ast.Constant(number), argument], []
    )


class Weaker(ast.NodeTransformer):
    """Puts a switch around each check: a condition that leads to a refusal, a claim that is needed, one of several
    conditions of an answer."""

    def __init__(self, file, numbers):
        self.file, self.numbers, self.where = file, numbers, ""

    def number(self, what):
        what = re.sub(r"_switch\.other\(\d+\)", "_", what)
        name, again = f"{self.file}.py:{self.where}: {what}", 1
        whole = name
        while whole in self.numbers:
            again += 1
            whole = f"{name} #{again}"
        self.numbers[whole] = len(self.numbers)
        return len(self.numbers) - 1

    def inside(self, node):
        outer, self.where = self.where, node.name
        self.generic_visit(node)
        self.where = outer
        return node

    visit_FunctionDef = visit_ClassDef = inside

    def parts(self, several, method, what):
        """With a switch around each, but for those that have mutants by hand."""
        return [
            one if "_switch.other" in ast.unparse(one) else call(method, self.number(what + ast.unparse(one)), one)
            for one in several
        ]

    def each(self, node, operator, method, what):
        parts = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, operator) else [node]
        parts[:] = self.parts(parts, method, what)
        return node if len(parts) > 1 else parts[0]

    def visit_If(self, node):
        self.generic_visit(node)
        last = node.body[-1]
        refuses = isinstance(last, ast.Raise) or (
            isinstance(last, ast.Return) and isinstance(last.value, ast.Constant) and last.value.value in (False, None)
        )
        if len(node.body) == 1 and refuses and not node.orelse:
            node.test = self.each(node.test, ast.Or, "refuses", "not if ")
        return node

    def visit_Return(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.BoolOp) and isinstance(node.value.op, ast.And):
            node.value = self.each(node.value, ast.And, "permits", "not and ")
        elif isinstance(node.value, ast.Call):
            node.value = self.claim(node.value)
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        value, target = node.value, node.targets[0]
        if (
            isinstance(value, ast.BoolOp)
            and isinstance(value.op, ast.And)
            and isinstance(target, ast.Name)
            and ast.unparse(value.values[0]) == target.id
        ):
            value.values[1:] = self.parts(value.values[1:], "permits", "not and ")
        return node

    def visit_Expr(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Call):
            node.value = self.claim(node.value)
        return node

    def claim(self, node):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name not in ("need", "shown", "surely", "refuse") or name == self.where:
            return node
        if name == "shown":
            node.args[0] = self.each(node.args[0], ast.And, "permits", "not ")
            return node
        if name == "refuse" or (name == "need" and self.file in PROOFS and isinstance(node.args[0], ast.Constant)):
            return node
        everything = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        return call("tries", self.number("no " + ast.unparse(node)), ast.Lambda(everything, node))


def by_hand(file, text, numbers):
    for one in mutants_by_hand.ENTRIES:
        if one["file"] != file:
            continue
        old = mutants_by_hand.written(one["old"])
        starts = [m.start() for m in re.finditer(rf"def {one['in']}\(", text)]
        found = [(m.start() - start, m) for start in starts if (m := old.search(text, start))]
        if not found:
            sys.exit(f"{file}: '{one['old']}' is not in {one['in']}")
        begin, end = min(found, key=lambda pair: pair[0])[1].span()
        number = numbers[f"{file}:{one['in']}: {one['old']} -> {one['new']}"] = len(numbers)
        # each may be a choice itself
        switched = f"(({one['new']}) if _switch.other({number}) else ({text[begin:end]}))"
        text = text[:begin] + switched + text[end:]
    return text


def trees():
    numbers, result = {}, {}
    for file in FILES:
        tree = ast.parse(by_hand(file + ".py", (CERTIFICATES / (file + ".py")).read_text(), numbers))
        result[file] = ast.fix_missing_locations(Weaker(file, numbers).visit(tree))
    return result, numbers


class Verifier:
    def __init__(self):
        self.switch = Switch()
        every, self.numbers = trees()
        package = sys.modules[PACKAGE] = types.ModuleType(PACKAGE)
        sys.modules.setdefault("gpe", types.ModuleType("gpe")).verifier = package
        package.__path__ = []
        for file, tree in every.items():
            module = types.ModuleType(f"{PACKAGE}.{file}")
            module.__file__ = str(CERTIFICATES / (file + ".py"))
            sys.modules[module.__name__], module._switch = module, self.switch
            setattr(package, file, module)
            exec(compile(tree, file + ".py", "exec"), module.__dict__)
        self.check, self.parsed = package.certificate.check, package.work.parsed

    def accepted(self, text):
        try:
            self.check(self.parsed(text.encode()))
        except Exception:
            return False
        return True

    def refusals(self, text):
        """None: it is accepted."""
        self.switch.active, self.switch.failed = -1, set()
        return None if self.accepted(text) else self.switch.failed

    def accepts(self, text, one):
        """In a process of its own: a verifier without a limit of its work may never end."""
        readable, writable = os.pipe()
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            self.switch.active = one
            os.write(writable, b"1" if self.accepted(text) else b"0")
            os._exit(0)
        os.close(writable)
        said = os.read(readable, 1)
        os.close(readable)
        os.waitpid(child, 0)
        return said == b"1"
