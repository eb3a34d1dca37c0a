#!/usr/bin/env python3
"""False claims about laws, with the proofs that check-properties --coq writes: attacks.py PROGRAM
LIBRARY WORK [OPTIONS]

Exports some laws, and changes each export into false ones: the verdict flipped, the region or its bound changed, or the
law, in the statement alone or in the proof, too. coqtop has to accept the statement of each and to refuse its proof at
a step; the exports as they were written are accepted. Exit code 1 when it is otherwise.

--few: one attack per rule, at least those of the exports in --rules-of. --results FILE: a line per attack; what
FILE has already is not tried again. --stored FILE: runs no Coq, but holds that FILE has a line for each attack, that
says refused, and for each export."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

TURN = '[score.rotation]\nangle = "10000^(-2*j/d)*n"\n'
LAWS = {  # gain, bias, and what else the file has
    "line": ("1", "-m*n", ""),
    "root": ("1", "-m*sqrt(n)", ""),
    "logs": ("1", "-m*log(1 + n)", ""),
    "slow": ("1", "-m*log(1 + log(1 + n))", ""),
    "rise": ("1", "m*log(1 + n)", ""),
    "fade": ("1", "-m/(1 + n)", ""),
    "less": ("1/(1 + n)", "-m*log(1 + n)", ""),
    "more": ("log(3 + n)", "-m*log(3 + n)", ""),
    "size": ("1", "-sqrt(m^2)*n", ""),  # certified once for m > 0 where m may be negative
    "flat": ("1", "0", ""),  # certified once as bounded in uniform
    "bend": (
        "1 + (log((1 + n)/3)^2)^(1/2) - log((1 + n)/3)",
        "-m*n",
        "",
    ),  # certified once as a gain that never changes
    "turn": ("1", "-m*n", 'transform = "rotation"\n' + TURN),
    "turn_less": ("1/(1 + m*n)", "-n", 'transform = "rotation"\n' + TURN),
    "still": ("1", "-m*n", 'transform = "rotation"\n[score.rotation]\nangle = "j"\n'),
    "entropy": (
        "1",
        "-m*n - 2*log(1 + n) - 3*sqrt(n)",
        'transform = "rotation"\n[score.rotation]\nangle = "10000^(-2*j/d)*n/(1 + H(n))"\n',
    ),
    "long": ("log(L + 1)", "0", ""),
    "longer": ("(1 + m)*log(L + 1)", "0", 'transform = "rotation"\n' + TURN),
    "near": ("1", "-m*n", 'window = "4"\n'),
    "one": ("1", "-m*n", 'window = "1"\n'),
    "sides": ("1", "-m*n", 'sided = "two"\n'),
    "sides_turn": ("1", "-m*log(1 + n)", 'sided = "two"\ntransform = "rotation"\n' + TURN),
    "sides_near": ("1", "-m*n", 'sided = "two"\nwindow = "4"\n'),
    "turn_capped": ("1", "0", 'softcap = "1 + m"\ntransform = "rotation"\n' + TURN),
    "gates_open": ("1", "0", '[score.path]\nlow = "-inf"\nhigh = "0"\nopen = "high"\n'),
    "gates_closed": ("1", "0", '[score.path]\nlow = "-2 - m"\nhigh = "-1"\n'),
    "gates_rise": ("1", "m*log(1 + n)", '[score.path]\nlow = "1"\nhigh = "2"\n'),
    "query": ("1", "-(2 + m)*n", '[score.query]\nradius = "1"\nshape = "n"\n'),
    "shrink": ("1", "-m*n", 'transform = "scaled-rotation"\n' + TURN + 'scale = "((j + 1)/40)^n"\n'),
}
BUILT_IN = ["fire"]
ONLY = {"bend": ("gps",)}  # of other readings the exports are not accepted as they are
MEMBERS = {  # of gates and queries, with the readings that are false then
    "gates t < 0": ("gates t <= 0", "ldcp__literal"),
    "gates t <= - (1)": ("gates t <= 0", "cn|eb|ldcp__(literal|weight)"),
    "gates t <= - 1": ("gates t <= 0", "cn|eb|ldcp__(literal|weight)"),
    "Rabs query <= 1": ("Rabs query <= m + 3", "cn|eb|ldcp__(literal|signed|weight)"),
}
REGIONS = [
    (" > ", " >= "),
    (" >= ", " > "),
    (" <> 0", " > 0"),
    (" = 0", " >= 0"),
    ("m > 0", "m > 1"),
    ("m > 1", "m > 2"),
    ("m > B + 1", "m > B"),
    ("> B ", "> 2 * B "),
    ("- B", "- 2 * B"),
]
NO_STEP = "Syntax error|was not found|open proof|proof-editing|Timeout"  # errors outside the steps of a proof


def write_laws(folder):
    folder.mkdir(parents=True)
    files = []
    for name, (gain, bias, more) in LAWS.items():
        domain = "m < 100" if name == "size" else "m >= 0"
        file = folder / f"{name}.toml"
        file.write_text(
            f'schema = 1\nname = "{name}"\ntitle = "t"\n[parameters]\n'
            f'm = {{ default = "2", domain = "{domain}", doc = "d" }}\n'
            f'[score]\ngain = "{gain}"\nbias = "{bias}"\n{more}'
        )
        files.append(str(file))
    return files


def rules_of(proof):
    """The theorems of the library that a proof applies as a rule."""
    names = re.findall(r"(?:apply|proof|through|only_key|window_not) ?\(?([a-z]\w+_\w+)?", proof)
    return {name for name in names if name and not re.match("iff_|asy_|eventually_|log_", name)} | set(
        re.findall("only_key|window_not", proof)
    )


class Export:
    def __init__(self, path):
        text = path.read_text()
        self.head = text[text.index("From Coq") : text.index("Theorem ")]
        self.name, self.quantifiers, claim, self.proof = re.search(
            r"^Theorem (\w+) :(.*?(?:\n  let [^\n]*)*)\n  (?!let )(.*?)[.]\n(Proof[.]\n.*)", text, re.S | re.M
        ).groups()
        self.law, self.reading = self.name.split("__", 1)
        region = re.match(r"\((.*) <->\n  (.*)\)$", claim, re.S)
        self.property, self.region = region.groups() if region else (claim.removeprefix("~ "), None)
        self.holds = region is None and not claim.startswith("~ ")
        laws = re.search(
            r"plain \(fun n => (.*?)\) \(fun n => (.*?)\) \(fun n => |gain := fun L n => (.*?); "
            r"bias := fun L n => (.*?);",
            self.property,
        )
        self.laws = [text for text in laws.groups() if text is not None]
        self.rules = rules_of(self.proof)

    def claim(self, property, region):
        if self.region:
            return f"({property} <->\n  {region})"
        return property if self.holds else f"~ {property}"

    def text(self, name, claim, proof=None):
        return f"Theorem {name} :{self.quantifiers}\n  {claim}.\n{proof or self.proof}"

    def attacks(self, exports):
        """(kind, what is changed, claim, proof)"""
        if self.region is None:
            yield (
                "verdict",
                "fails" if self.holds else "holds",
                f"~ {self.property}" if self.holds else self.property,
                self.proof,
            )
        else:
            yield "verdict", "always", self.property, self.proof
            yield "verdict", "never", f"~ {self.property}", self.proof
            for old, new in REGIONS:
                if old in self.region:
                    new_region = self.region.replace(old, new)
                    yield "region", new_region, self.claim(self.property, new_region), self.proof
        halves = self.property[1:-1].split(" /\\\n  ")
        if len(halves) == 2:
            for i, half in enumerate(halves):
                flipped = list(halves)
                flipped[i] = half.removeprefix("~ ") if half.startswith("~ ") else f"~ {half}"
                yield "half", ("every", "some")[i], "(" + " /\\\n  ".join(flipped) + ")", self.proof
        for old, (new, readings) in MEMBERS.items():
            if old in self.property and re.match(readings, self.reading):
                yield "members", new, self.claim(self.property.replace(old, new), self.region), self.proof
        others = [
            e
            for e in exports
            if e.reading == self.reading
            and e.quantifiers == self.quantifiers
            and (e.region, e.holds) != (self.region, self.holds)
            and ("capped" in e.property) == ("capped" in self.property)  # else Coq compares for minutes
        ]
        after = [e for e in others if e.name > self.name] + [e for e in others if e.name < self.name]
        for other in after[:1]:
            yield "law", other.law, self.claim(other.property, self.region), self.proof
            changed = self.proof
            for mine, theirs in zip(self.laws, other.laws, strict=False):
                changed = changed.replace(mine, theirs) if mine not in ("1", "0") else changed
            if changed != self.proof:
                yield "law", f"{other.law}, in the proof too", self.claim(other.property, self.region), changed


def run(coqtop, library, text, folder):
    command = [coqtop, "-q", "-w", "none", "-R", str(library), "Gpe"]
    done = subprocess.run(
        command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder, check=False
    )
    return done.stdout


def proved(name, output):
    return re.search(rf"^(Coq < )+{name} *\n +: ", output, re.M) is not None


def words_of(error):
    """What Coq says, without the hypotheses that it lists before."""
    lines = error.strip().splitlines()
    if lines[0].startswith("In environment"):
        lines = lines[1:]
        while len(lines) > 1 and re.match(r"[\w', ]+ :|\s", lines[0]):
            lines = lines[1:]
    return " ".join(" ".join(lines).split())


def answers(group, arguments):
    """[(export, kind, change, answer)] of one session; what was not proved is unknown to Check."""
    script = group[0][0].head + "Set Default Timeout 300.\n"
    for export in dict.fromkeys(export for export, *_ in group):
        script += (
            export.text(export.name, export.claim(export.property, export.region))
            + f"\nAbort All.\nCheck {export.name}.\n"
        )
    for i, (export, _, _, claim, proof) in enumerate(group):
        text = export.text(f"attack_{i}", claim, proof)
        script += text.replace("Proof.\n", f"Proof.\nFail Check begin_{i}.\n", 1) + f"\nAbort All.\nCheck attack_{i}.\n"
    output = run(arguments.coqtop, arguments.library.resolve(), script, arguments.work)
    (arguments.work / "output.txt").write_text(output)
    result = []
    for export in dict.fromkeys(export for export, *_ in group):
        result.append((export, "as it was written", "", "accepted" if proved(export.name, output) else "REFUSED"))
    for i, (export, kind, change, _, _) in enumerate(group):
        part = re.search(
            rf"begin_{i} was not found.*?(?=The reference attack_{i} was not found|^Coq < attack_{i}$|\Z)",
            output,
            re.S | re.M,
        )
        errors = re.findall(r"^Error:(.*?)\n\n", part.group(), re.S | re.M) if part else []
        first = words_of(errors[0]) if errors else "no error"
        answer = "NO STEP" if not errors or re.search(NO_STEP, first) else "refused"
        if proved(f"attack_{i}", output):
            answer = "ACCEPTED"
        result.append((export, kind, change, f"{answer}: {first[:60]}"))
    return result


def line_of(export, kind, change, answer=""):
    return f"{export.name}: {kind}{': ' if change else ''}{change} -> {answer}"


def compare_stored(path, exports, attacks, least):
    lines = dict(line.split(" -> ", 1) for line in path.read_text().splitlines())
    wanted = {line_of(e, "as it was written", "").split(" -> ")[0]: "accepted" for e in exports}
    wanted |= {line_of(e, kind, change).split(" -> ")[0]: "refused" for e, kind, change, *_ in attacks}
    bad = [
        f"{path} lacks '{key}', or says otherwise"
        for key, answer in wanted.items()
        if not lines.get(key, "").startswith(answer)
    ]
    bad += [f"{path} has '{key}', which is not an attack now" for key in lines if key not in wanted]
    print(
        "\n".join(
            bad
            + [
                f"{len(attacks)} attacks, each refused; {len(exports)} exports, each accepted"
                if not bad
                else f"{len(bad)} wrong"
            ]
        )
    )
    return 1 if bad or len(attacks) < least else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path, help="a folder that is made anew")
    parser.add_argument("--coqtop", default="coqtop")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--rules-of", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--stored", type=pathlib.Path)
    parser.add_argument("--least", type=int, default=1)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    folder = arguments.work / "exports"
    subprocess.run(
        [arguments.program, *write_laws(arguments.work / "laws"), *BUILT_IN, "--quiet", "--coq", str(folder)],
        check=True,
        capture_output=True,
    )
    exports = [Export(path) for path in sorted(folder.glob("*.v"))]
    exports = [export for export in exports if export.reading.startswith(ONLY.get(export.law, ("",)))]
    attacks = [(export, *attack) for export in exports for attack in export.attacks(exports)]
    if arguments.stored:
        return compare_stored(arguments.stored, exports, attacks, arguments.least)
    groups = [
        [attack for attack in attacks if attack[0].law == law]
        for law in dict.fromkeys(export.law for export in exports)
    ]
    if arguments.few:
        few, seen = [], set()
        for attack in attacks:
            if not attack[0].rules <= seen:
                few.append(attack)
                seen |= attack[0].rules
        groups = [few]
        wanted = (
            set().union(*(rules_of(path.read_text()) for path in arguments.rules_of.glob("*.v")))
            if arguments.rules_of
            else set()
        )
        if wanted - seen or arguments.rules_of and len(wanted) < 30:
            print(f"no attack on these rules: {sorted(wanted - seen)} of {len(wanted)}")
            return 1
    done = set()
    if arguments.results and arguments.results.exists():
        done = {line.split("__")[0] for line in arguments.results.read_text().splitlines()}
    counts, bad = {}, 0
    for group in groups:
        if group[0][0].law in done and not arguments.few:
            continue
        result = answers(group, arguments)
        if arguments.results:
            with arguments.results.open("a") as file:
                file.writelines(line_of(*one) + "\n" for one in result)
        for export, kind, change, answer in result:
            counts[kind] = counts.get(kind, 0) + 1
            if not answer.startswith(("accepted", "refused")):
                bad += 1
                print(line_of(export, kind, change, answer), flush=True)
    print(f"{counts}; {bad} wrong")
    return 1 if bad or sum(counts.values()) < arguments.least else 0


if __name__ == "__main__":
    sys.exit(main())
