"""The statements of exported verdicts as functions: gain, bias, width, window, angle, gates, query and domains.
Imported by formulas.py."""

import math
import re


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
CONTENTS = r"(?:forall|exists) contents : nat -> R, content (\(.*?\)) B contents (?:->|/\\) (?=[ZH]_finite)"


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
        self.path = bounds and (
            bounds[1] and OfStatement(bounds[1]).term(),
            bounds[2],
            bounds[3],
            OfStatement(bounds[4]).term(),
        )
        self.radius = OfStatement(query).term() if query else None
        bounded = re.findall(CONTENTS, theorem)
        theorem = re.sub(CONTENTS, "", theorem)
        if any(f"_finite {law}" not in theorem for law in bounded) or len(bounded) != ("contents" in theorem):
            raise ValueError(f"contents in {theorem}")
        head, claim = theorem.rsplit(" -> ", 1) if " -> " in theorem else ("", theorem)
        self.domain = [
            condition
            for condition in re.sub(r"forall [^,]*,", "", head).split(" -> ")
            if condition.strip() not in ("", "0 < B")
        ]
        self.two_sided = "both_sides" in claim
        caps = set(re.findall(r"capped(?:_moments|_tails)? (\(.*?\)|\S+)", claim))
        if len(caps) > 1 or (caps and "sphere" in claim):
            raise ValueError(f"two caps in {claim}")
        more = f" {gates}{query}" + "".join(f" capped {cap}" for cap in caps)
        self.cap = OfStatement(caps.pop()).atom() if caps else None
        self.of_score = re.search(r"literal|signed|weight|gps", claim)  # a cap does not matter
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
        self.text = law + more + (rest if "gps" in claim else "")
        turned = re.search(r"\( rotation 32 (\(.*)", rest)
        self.angle = OfStatement(turned.group(1)).atom() if turned else None
        self.conditions = [OfStatement(condition).term() for condition in self.domain]
