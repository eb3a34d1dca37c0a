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

from coq_statements import COQ, Statement, entropy

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
    if low and (
        at_low != ("<" if opened in ("low", "both") else "<=") or not same(low(coq), of_file(str(ends["low"]))(values))
    ):
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
        cap = None if statement.of_score else score.get("softcap")
        if (cap is None) != (statement.cap is None) or cap and not same(of_file(str(cap))(values), statement.cap(coq)):
            differ.append(f"soft cap at {parameters}")
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
