"""Mutants of the first verifier (checks/verifier), all in one program: GPE_MUTANT says which of them is switched on.

Verifier()                       compiles it
.numbers, .refusals, .accepts    as in mutants_python.py
"""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import mutants_by_hand

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
FOLDER = SOURCE / "checks" / "verifier"
SECONDS = 10  # of CPU time
PROGRAM = [
    SOURCE / "checks" / "programs" / f"{name}.cpp"
    for name in ("verify_certificate_main", "claim_in_words", "specification")
]
SWITCH = """#pragma once
#include <cstdio>
#include <cstdlib>
#include <set>
namespace mutants {
struct Failed : std::set<int> {
  ~Failed() {
    for (int one : *this) std::fprintf(stderr, "mutant %d\\n", one);
  }
};
inline Failed failed;
inline const int active = std::getenv("GPE_MUTANT") ? std::atoi(std::getenv("GPE_MUTANT")) : -1;
inline bool refuses(int one, bool condition) { return condition && (failed.insert(one), active != one); }
template <class T> bool permits(int one, const T& condition) {
  return bool(condition) || (failed.insert(one), active == one);
}
inline bool other(int one) { return failed.insert(one), active == one; }
}
"""
CLAIMS = """
namespace gpe::verifier {
static void list(int number, const Rule& rule, const std::string& what) {
  const char* const name = rule.name.c_str();
  if (mutants::active == -2)
    std::fprintf(stderr, "%d\\t%s\\t%s %s: %s\\n", number, name, name, rule.questions.c_str(), what.c_str());
}
const std::vector<Rule>& rules() {
  static const std::vector<Rule> some = [] {
    std::vector<Rule> result = all_rules();
    int number = FIRST;
    for (Rule& rule : result) {
      std::string rest;
      for (std::size_t at = 0; at < rule.claims.size();) {
        const std::size_t end = std::min(rule.claims.find(" and ", at), rule.claims.size());
        const std::string claim = rule.claims.substr(at, end - at);
        list(number, rule, "not " + claim);
        const bool weak = number++ == mutants::active;  // its constants are still those of the rule
        if (!rest.empty()) rest += " and ";
        rest += weak ? "0*(" + claim.substr(0, claim.find_last_not_of(">= 0") + 1) + ") >= 0" : claim;
        at = end + 5;
      }
      rule.claims = rest;
      if (rule.every_class) list(number, rule, "one class");
      if (number++ == mutants::active) rule.every_class = false;
    }
    return result;
  }();
  return some;
}
const bool listed = mutants::active == -2 && (rules(), std::exit(0), true);
}
"""


def closing(text, at):
    """The end of what opens at `at`."""
    depth = 0
    for i, quoted in unquoted(text, at):
        if not quoted:
            depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(text[i], 0)
            if depth == 0:
                return i
    raise ValueError("no end")


def unquoted(text, at):
    quote = ""
    while at < len(text):
        yield at, bool(quote)
        if quote and text[at] == "\\":
            at += 1
        elif quote:
            quote = "" if text[at] == quote else quote
        elif text[at] in "\"'":
            quote = text[at]
        at += 1


def split(text, operator):
    """At an operator that stands in no bracket."""
    parts, depth, start = [], 0, 0
    for i, quoted in unquoted(text, 0):
        if quoted:
            continue
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(text[i], 0)
        if depth == 0 and (text.startswith(operator, i) or text[i] == "?"):
            if text[i] == "?":
                return [text]
            parts.append(text[start:i])
            start = i + len(operator)
    return parts + [text[start:]]


class Weaker:
    def __init__(self):
        self.numbers, self.next = {}, 0

    def number(self, name):
        name, again = re.sub(r"mutants::other\(\d+\)", "_", " ".join(name.split())), 1
        whole = name
        while whole in self.numbers:
            again += 1
            whole = f"{name} #{again}"
        self.numbers[whole] = self.next
        self.next += 1
        return self.next - 1

    def each(self, text, operator, method, name):
        return operator.join(
            f"mutants::{method}({self.number(name + part)}, ({part}))" for part in split(text, operator)
        )

    def source(self, path):
        text, name = path.read_text(), path.name + ": "
        self.next = (self.next // 1000 + 1) * 1000  # so that a file is compiled again only when it has changed
        for one in mutants_by_hand.ENTRIES:
            if one["file"] == path.name:
                found = list(mutants_by_hand.written(one["old"]).finditer(text))
                if len(found) != 1:
                    sys.exit(f"{path.name}: '{one['old']}' is there {len(found)} times")
                begin, end = found[0].span()
                number = self.number(f"{name}{one['old']} -> {one['new']}")
                switched = f"(mutants::other({number}) ? {one['new']} : {text[begin:end]})"
                text = text[:begin] + switched + text[end:]
        result, at = "", 0
        for m in re.finditer(r"\bif (?=\()|\bshown(?=\()|\breturn (?=[^;{]*&&)", text):
            if m.start() < at:
                continue
            begin = m.end()
            if text[m.start()] == "r":
                end = begin + next(
                    i for i, quoted in unquoted(text[begin:], 0) if not quoted and text[begin + i] == ";"
                )
                if (
                    "{" in text[begin:end]
                    or "?" in text[begin:end]
                    or len(split(text[begin:end], "||")) > 1
                    or len(split(text[begin:end], "&&")) < 2
                ):
                    continue
                result += text[at:begin] + self.each(text[begin:end], "&&", "permits", name + "not and ")
            else:
                begin += 1
                end = closing(text, begin - 1)
                refuses = text[m.start()] == "i" and re.match(
                    r"\)\s*\{?\s*(throw Not(?:Shown|Followed)|return false|expect\()", text[end:]
                )
                claimed = (
                    text[m.start()] == "s"
                    and path.stem.startswith("design")
                    and not text[begin:end].startswith("bool ")
                )
                if not (refuses or claimed) or ";" in text[begin:end]:
                    continue
                result += text[at:begin] + (
                    self.each(text[begin:end], "||", "refuses", name + "not if ")
                    if refuses
                    else self.each(text[begin:end], "&&", "permits", name + "not ")
                )
            at = end
        result += text[at:]
        if path.name == "rules.cpp":
            result = result.replace("const std::vector<Rule>& rules()", "const std::vector<Rule>& all_rules()") + CLAIMS
        return result


class Verifier:
    def __init__(self):
        self.work = tempfile.TemporaryDirectory()
        folder, weaker, running = pathlib.Path(self.work.name), Weaker(), []
        (folder / "mutants.h").write_text(SWITCH)
        version = folder / "checks" / "cli" / "version.h"  # made by CMake otherwise
        version.parent.mkdir(parents=True)
        version.write_text('namespace gpe { inline const char* const kVersion = "a mutant"; }')
        names = [path.name for path in sorted(FOLDER.glob("*.cpp"))]
        headers = folder / FOLDER.relative_to(SOURCE)  # found before those of SOURCE
        headers.mkdir(parents=True)
        for path in sorted(FOLDER.glob("*.h")):
            (headers / path.name).write_text(weaker.source(path))
        for name in names:
            (folder / name).write_text(weaker.source(FOLDER / name).replace("FIRST", str(10**6)))
        for path in PROGRAM:  # as it is: no file of a law goes with the false certificates
            names.append(path.name)
            shutil.copy(path, folder)
        compiler = [
            *(["ccache"] if shutil.which("ccache") else []),
            os.environ.get("CXX", "c++"),
            "-std=c++20",
            "-O0",
            "-w",
            "-I.",
            "-I",
            str(SOURCE),
            "-include",
            "mutants.h",
        ]
        for name in names:  # one per core
            running.append(subprocess.Popen([*compiler, "-c", name], cwd=folder))
            while sum(one.poll() is None for one in running) >= (os.cpu_count() or 1):
                next(one for one in running if one.poll() is None).wait()
        if any([one.wait() for one in running]):
            sys.exit("the mutants do not compile")
        libraries = ["-ltomlplusplus", "-lmpfr", "-lgmpxx", "-lgmp"]
        subprocess.run(
            [
                compiler[0 if compiler[0] != "ccache" else 1],
                *(name[:-3] + "o" for name in names),
                "-o",
                "mutants",
                *libraries,
            ],
            cwd=folder,
            check=True,
        )
        self.program, self.numbers, self.rules = str(folder / "mutants"), weaker.numbers, {}
        for line in self.run("", -2)[1].splitlines():
            number, rule, what = line.split("\t")
            self.rules[int(number)] = rule
            self.numbers["rules.cpp: " + what] = int(number)

    def run(self, file, one=-1):
        run = subprocess.run(
            [self.program, file],
            capture_output=True,
            env={**os.environ, "GPE_MUTANT": str(one)},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)),
        )
        return run.returncode, run.stderr.decode("utf-8", "replace")

    def refusals(self, text):
        """None: it is accepted."""
        code, said = self.run(self.file(text))
        rules = set(re.findall(r'"rule": "([a-z-]+)"', text))
        return (
            None
            if code == 0
            else {int(number) for number in re.findall(r"^mutant (\d+)$", said, re.M)}
            | {n for n, rule in self.rules.items() if rule in rules}
        )

    def accepts(self, text, one):
        return self.run(self.file(text), one)[0] == 0

    def file(self, text):
        file = os.path.join(self.work.name, "forged.json")
        pathlib.Path(file).write_text(text, encoding="utf-8")
        return file
