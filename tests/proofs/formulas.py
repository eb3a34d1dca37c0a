#!/usr/bin/env python3
"""The formulas in exported statements are those of the encoding files: formulas.py ENCODINGS EXPORTS

EXPORTS is what check-properties --all --coq wrote (missing.py makes it). Prints gain, bias, angle, window and domains
of each encoding as the file has them and as the statement has them, and compares their values at many points. Both are
read here, by the rules of the two languages."""

import ast
import itertools
import math
import pathlib
import re
import sys
import tomllib

NAMES = {"d": 64.0, "h": 1.0, "heads": 1.0, "layer": 1.0, "layers": 1.0, "pi": math.pi}
FUNCTIONS = {
    "log": math.log,
    "exp": math.exp,
    "sqrt": math.sqrt,
    "abs": abs,
    "min": min,
    "max": max,
    "floor": math.floor,
    "ceil": math.ceil,
    "sin": math.sin,
    "cos": math.cos,
}


class OfFile(ast.NodeTransformer):
    """Python that has the value of an expression in an encoding file: if and sum are not functions."""

    def visit_Call(self, node):
        self.generic_visit(node)
        if node.func.id == "if_":
            return ast.IfExp(*node.args)
        if node.func.id == "sum":
            name, low, high, body = node.args
            each = ast.comprehension(
                ast.Name(name.id, ast.Store()),
                ast.Call(
                    ast.Name("range", ast.Load()),
                    [
                        ast.Call(ast.Name("int", ast.Load()), [e], [])
                        for e in (low, ast.BinOp(high, ast.Add(), ast.Constant(1)))
                    ],
                    [],
                ),
                [],
                0,
            )
            return ast.Call(ast.Name("fsum", ast.Load()), [ast.GeneratorExp(body, [each])], [])
        return node


def of_file(text):
    text = re.sub(r"\blambda\b", "lambda_", re.sub(r"\bif\(", "if_(", text.replace("^", "**")))
    text = re.sub(r"(?<![<>=!])=(?!=)", "==", " ".join(text.split()))
    tree = ast.fix_missing_locations(OfFile().visit(ast.parse(text, mode="eval")))
    code = compile(tree, text, "eval")
    return lambda values: eval(
        code, {**FUNCTIONS, "fsum": math.fsum, **{("lambda_" if k == "lambda" else k): v for k, v in values.items()}}
    )


class OfStatement:
    """The terms of Coq that statements have, each as a function of the values of its names."""

    def __init__(self, text):
        self.tokens = re.findall(r"\d+|[A-Za-z_]\w*|:=|=>|<->|<=|>=|<>|\{\||\|\}|\S", text)

    def take(self, *texts):
        if self.tokens and self.tokens[0] in texts:
            return self.tokens.pop(0)
        return None

    def expect(self, text):
        if not self.take(text):
            raise ValueError(f"expected {text} before {' '.join(self.tokens[:9])}")

    def term(self):
        if self.take("fun"):
            names = list(iter(lambda: self.tokens.pop(0), "=>"))
            body = self.term()
            return lambda v: lambda *given: body({**v, **dict(zip(names, given, strict=False))})
        if self.take("if"):
            decision = self.application()
            self.expect("then")
            yes = self.term()
            self.expect("else")
            no = self.term()
            return lambda v: yes(v) if decision(v) else no(v)
        left = self.product()
        while sign := self.take("+", "-"):
            left = (lambda a, b, s: lambda v: a(v) + b(v) if s == "+" else a(v) - b(v))(left, self.product(), sign)
        if relation := self.take("<", "<=", ">", ">=", "=", "<>"):
            right = self.term()
            return lambda v: {
                "<": left(v) < right(v),
                "<=": left(v) <= right(v),
                ">": left(v) > right(v),
                ">=": left(v) >= right(v),
                "=": left(v) == right(v),
                "<>": left(v) != right(v),
            }[relation]
        return left

    def product(self):
        left = self.signed()
        while sign := self.take("*", "/"):
            left = (lambda a, b, s: lambda v: a(v) * b(v) if s == "*" else a(v) / b(v))(left, self.signed(), sign)
        return left

    def signed(self):
        if self.take("-"):
            inner = self.signed()
            return lambda v: -inner(v)
        if self.take("/"):
            inner = self.signed()
            return lambda v: 1 / inner(v)
        base = self.application()
        if self.take("^"):
            exponent = self.signed()
            return lambda v: base(v) ** exponent(v)
        return base

    def application(self):
        function, arguments = self.atom(), []
        while (
            self.tokens and re.match(r"[A-Za-z_\d(\[]", self.tokens[0]) and self.tokens[0] not in ("then", "else", "in")
        ):
            arguments.append(self.atom())
        return (lambda v: function(v)(*(argument(v) for argument in arguments))) if arguments else function

    def atom(self):
        token = self.tokens.pop(0)
        if token == "(":
            inner = self.term()
            self.expect(")")
            return inner
        if token == "[":
            rows = [self.term()]
            while self.take(";"):
                rows.append(self.term())
            self.expect("]")
            return lambda v: [row(v) for row in rows]
        if token.isdigit():
            return lambda v: float(token)
        return lambda v: v[token]

    def law(self):
        """(gain, bias, width, window or None): functions of L and n, of n, and a number."""
        window = None
        if self.take("windowed"):
            window = self.atom()
            self.expect("(")
        if self.take("plain"):
            parts = [self.atom() for _ in range(3)]
            return [lambda v: lambda L, n: parts[0](v)(n), lambda v: lambda L, n: parts[1](v)(n), parts[2], window]
        self.expect("{|")
        fields = {}
        while not self.take("|}"):
            name = self.tokens.pop(0)
            self.expect(":=")
            fields[name] = self.term()
            self.take(";")
        if fields["last"]({})(17) != 17:
            raise ValueError("last")
        return [fields["gain"], fields["bias"], fields["width"], window]


def entropy(bias, length):
    scores = [bias(n) for n in range(length + 1)]
    z = math.fsum(map(math.exp, scores))
    return math.log(z) - math.fsum(math.exp(a) * a for a in scores) / z


COQ = {
    "INR": float,
    "ln": math.log,
    "exp": math.exp,
    "sqrt": math.sqrt,
    "Rabs": abs,
    "Rmin": min,
    "Rmax": max,
    "floor": math.floor,
    "sin": math.sin,
    "cos": math.cos,
    "PI": math.pi,
    "power": lambda x, p: x**p,
    "H": entropy,
    "Rlt_dec": lambda x, y: x < y,
    "Rle_dec": lambda x, y: x <= y,
    "Req_EM_T": lambda x, y: x == y,
    "sum_f_R0": lambda u, m: math.fsum(u(k) for k in range(int(m) + 1)),
    "table": lambda rows: lambda x: dict(enumerate(rows)).get(math.floor(x), 0.0),
}


MEMBER = r"(?:forall|exists) (?:gates : nat -> R, \(forall t : nat, (.*?)\)|query : R, Rabs query <= (.*?)) (?:->|/\\) "


class Statement:
    def __init__(self, text):
        theorem = re.search(r"^Theorem \w+ :(.*?)\nProof", text, re.S | re.M).group(1)
        self.tables = {
            name: OfStatement(rows).term()
            for name, rows in re.findall(r"let (\w+) := (table \[.*?\]) in", theorem, re.S)
        }
        theorem = re.sub(r"\n  let .*? in(?=\n)", "", theorem, flags=re.S)
        members = set(re.findall(MEMBER, theorem))  # of gates or queries: their conditions
        if len(members) > 1:
            raise ValueError(f"two families in {theorem}")
        gates, query = members.pop() if members else ("", "")
        theorem = re.sub(MEMBER, "", theorem)
        bounds = re.fullmatch(r"(?:(.*) (<=?) )?gates t (<=?) (.*)", gates)
        self.path = bounds and (bounds[1] and OfStatement(bounds[1]).term(), bounds[2], bounds[3], OfStatement(bounds[4]).term())
        self.radius = OfStatement(query).term() if query else None
        head, claim = theorem.rsplit(" -> ", 1) if " -> " in theorem else ("", theorem)
        self.domain = [
            condition
            for condition in re.sub(r"forall [^,]*,", "", head).split(" -> ")
            if condition.strip() not in ("", "0 < B")
        ]
        self.two_sided = "both_sides" in claim
        if claim.count("gated gates") != (claim.count("plain") if gates else 0):
            raise ValueError(f"gates in {claim}")
        start = re.search(r"windowed|plain|\{\|", claim)
        parser = OfStatement(claim[start.start() :])
        tokens = list(parser.tokens)
        self.gain, self.bias, self.width, self.window = parser.law()
        rest = " ".join(parser.tokens)
        law = " ".join(tokens[: len(tokens) - len(parser.tokens)])
        if claim.count("both_sides") not in (0, 2 if "sphere" in rest else 1) or ("both_ways" in rest) != (
            self.two_sided and "gps" in claim
        ):
            raise ValueError(f"sides in {claim}")
        if law.count("plain") and " ".join(tokens).count(law) != claim.count("plain"):
            raise ValueError(f"two laws in {claim}")
        self.text = law + (rest if "gps" in claim else "")
        turned = re.search(r"\( rotation 32 (\(.*)", rest)
        self.angle = OfStatement(turned.group(1)).atom() if turned else None
        self.conditions = [OfStatement(condition).term() for condition in self.domain]


def same(x, y):
    return abs(x - y) <= 1e-9 * max(1, abs(x), abs(y))


def values_of(file, folder):
    tables = {}
    for name, table in file.get("tables", {}).items():
        rows = [line.split("#")[0] for line in (folder / table["file"]).read_text().splitlines()]
        numbers = [of_file(row.split(",")[1].strip())({}) for row in rows if row.strip() and re.match(r"\s*\d", row)]
        tables[name] = lambda x, numbers=numbers: numbers[int(x)]
    return tables


def points(file, statement):
    """Values of the parameters on both sides of the borders of the domain."""
    names = list(file.get("parameters", {}))
    some = [-1.0, 0.0, 0.01, 0.3, 1.0, 1.5, 2.0, 3.0, 7.0, 40.0, 5000.0]
    for k in range(40):
        yield {name: some[(k * (2 * i + 3) + i * i + k // 11) % len(some)] for i, name in enumerate(names)}
    for name in names:  # one that varies, about what the file has
        base = {
            n: of_file(str(p["default"]))(NAMES) if not isinstance(p["default"], list) else 1.0
            for n, p in file["parameters"].items()
        }
        for value in some + [0.1, 100.0]:
            yield {**base, name: value}


def width_of(score, values):
    """The norm of W(n): 1, or that of the largest block."""
    blocks = [{**values, "j": float(j)} for j in range(32)]
    if score.get("transform") == "scaled-rotation":
        return max(abs(of_file(score["rotation"]["scale"])(block)) for block in blocks)
    if score.get("transform") == "hyperbolic":
        rate, decay = (of_file(str(score["hyperbolic"][key])) for key in ("rate", "decay"))
        return max(math.exp(values["n"] * (abs(rate(block)) - decay(block))) for block in blocks)
    return 1.0


def same_family(score, statement, values, coq):
    """Whether the interval of the gates, and the radius of the query, are those of the file."""
    if ("path" in score) != (statement.path is not None) or ("query" in score) != (statement.radius is not None):
        return False
    if "query" in score and not same(statement.radius(coq), of_file(str(score["query"]["radius"]))(values)):
        return False
    if "path" not in score:
        return True
    ends, opened = score["path"], score["path"].get("open", "")
    low, at_low, at_high, high = statement.path
    if at_high != ("<" if opened in ("high", "both") else "<=") or (low is None) != (ends["low"] == "-inf"):
        return False
    if low and (at_low != ("<" if opened in ("low", "both") else "<=") or not same(low(coq), of_file(str(ends["low"]))(values))):
        return False
    return same(high(coq), of_file(str(ends["high"]))(values))


def compare(path, statements):
    """What differs, and how many values were the same."""
    file = tomllib.loads(path.read_text())
    score, tables = file["score"], values_of(file, path.parent)
    rotation = score.get("rotation", {}) if score.get("transform") == "rotation" else {}
    texts = {"gain": score.get("gain", "1"), "bias": score.get("bias", "0"), "angle": rotation.get("angle", "0")}
    wanted = {key: of_file(str(text)) for key, text in texts.items()}
    domains = [
        of_file(parameter["domain"]) for parameter in file.get("parameters", {}).values() if "domain" in parameter
    ]
    cut = re.search(r"\bL\b", texts["bias"]) is not None  # such a bias is taken less its value at distance 0
    differ, count = [], {"gain": 0, "bias": 0, "angle": 0, "domain": 0}
    for parameters, statement in itertools.product(points(file, statements[0]), statements):
        values = {**NAMES, **parameters, **tables}
        coq = {**COQ, **{name: table(COQ) for name, table in statement.tables.items()}}
        coq |= {name + suffix: value for name, value in parameters.items() for suffix in ("", "_")} | {"query": 0.0}
        inside = all(condition(coq) for condition in statement.conditions)
        if inside != all(domain(values) for domain in domains):
            differ.append(f"domain at {parameters}: {statement.domain}")
        count["domain"] += 1
        if not inside:
            continue
        if (
            ("window" in score) != (statement.window is not None)
            or statement.window
            and statement.window(coq) != of_file(str(score["window"]))(values)
        ):
            differ.append("window")
        if statement.two_sided != (score.get("sided") == "two"):
            differ.append("sides")
        if rotation and "identity" in statement.text:
            differ.append("no angle")
        if not all(same(width_of(score, {**values, "n": n}), statement.width(coq)(n)) for n in (3.0, 40.0)):
            differ.append("width")
        if not same_family(score, statement, values, coq):
            differ.append(f"gates or query at {parameters}")
        values["H"] = lambda n, values=values: entropy(lambda k: wanted["bias"]({**values, "n": float(k)}), int(n))
        for n, more, j in (
            (0, 0, 0),
            (1, 3, 1),
            (2, 0, 5),
            (3, 7, 31),
            (15, 1, 13),
            (16, 0, 2),
            (17, 5000, 20),
            (100, 1, 7),
            (127, 0, 16),
            (128, 10**6, 30),
            (1000, 9, 3),
        ):
            at = {"n": float(n), "L": float(n + more), "j": float(j)}
            pairs = [
                ("gain", wanted["gain"], statement.gain, (n + more, n)),
                ("bias", wanted["bias"], statement.bias, (n + more, n)),
            ]
            if statement.radius and not same(
                statement.bias({**coq, "query": 1.0})(n, n) - statement.bias(coq)(n, n),
                of_file(str(score["query"]["shape"]))({**values, **at}),
            ):
                differ.append(f"shape of the query at {parameters}, {at}")
            if statement.angle:
                pairs.append(("angle", wanted["angle"], statement.angle, (n + more, n, j)))
            for key, here, there, given in pairs:
                try:
                    value = here({**values, **at})
                    if key == "bias" and cut:
                        value -= here({**values, **at, "n": 0.0})
                except (ZeroDivisionError, OverflowError, ValueError):
                    continue  # no number in this arithmetic
                count[key] += 1
                if isinstance(value, complex) or not same(value, there(coq)(*given)):
                    differ.append(f"{key} at {parameters}, {at}: {value} and {there(coq)(*given)}")
    return texts, differ, count


def main():
    encodings, exports = map(pathlib.Path, sys.argv[1:])
    bad, seen, total = [], 0, 0
    for path in sorted(encodings.glob("*.toml")):
        files = sorted(exports.glob(re.sub(r"[^A-Za-z0-9]", "_", path.stem) + "__*.v"))
        if not files:
            continue
        seen += 1
        found = {}
        for file in files:  # each law once
            statement = Statement(file.read_text())
            found.setdefault(re.sub("<->.*", "", statement.text) + str(statement.domain), statement)
        texts, differ, count = compare(path, list(found.values()))
        print(f"{path.stem}: {count}")
        for key, text in texts.items():
            print(f"  {key} in the file: {' '.join(text.split())}")
        for text in found:
            print(f"  in statements: {text[:2000]}")
        turned = texts["angle"] != "0" and any("__gps__" in file.name for file in files)
        need = {"gain", "bias"} | ({"angle"} if turned else set())
        bad += [f"{path.stem}: {text}" for text in differ[:5]] + [
            f"{path.stem}: {key} compared at {count[key]} points" for key in need if count[key] < 50
        ]
        total += sum(count.values())
    print("\n".join(bad + [f"{seen} encodings, {total} values, {len(bad)} differ"]))
    return 1 if bad or seen < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
