"""format.py notices what each of its tools finds in a small tree, nested conditional expressions and statements joined
by commas; and not the right ones beside them.

    .venv/bin/python tests/format_notices.py CLANG_FORMAT SOURCE WORK
"""

import pathlib
import shutil
import subprocess
import sys

CONDITIONALS = """\
int chain(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }
int inside(int x) { return x < 0 ? (x < -9 ? -2 : -1) : 0; }
int condition(int x) { return (x < 0 ? x < -9 : x > 9) ? 1 : 0; }
int argument(int x) { return x < 0 ? abs(x < -9 ? -9 : x) : 0; }
int right(int x) { return (x < 0 ? -1 : 1) * (x > 9 ? 2 : 1); }
int lambda(int x) { return x < 0 ? [&] { return x < -9 ? -2 : -1; }() : 0; }
int assigned(int x, int* y) { return y[x < 0 ? 0 : 1] = x < 9 ? x : 9; }
const char* text() { return one ? "?" : "'" /* ? */; }  // one ? two : three ? four : five
"""
STATEMENTS = """\
void assigned() { a = 1, b = 2; }
void under(int x) {
  if (x > 0) a = 1, b = 2;
  for (int i = 0, j = 9; i < j; ++i, --j) f(i), f(j);
  switch (x) {
    case 1:
      g(), h();
  }
}
int returned() { return f<1, 2>(), 1; }
std::pair<int, std::vector<std::pair<int, int>>> right(int a, int b);
class Right : A, B {
  Right(int x, int y) : x_(x), y_(y) {}
  int x_, y_;
};
void also_right() {
  int a = 1, b = 2;
  const std::map<int, int> c = {{1, 2}, {3, 4}}, d;
  auto [e, f] = std::pair<int, int>(a, b);
  a = g<int, int>(b < 1, c > 2);
  kernel<int><<<a, b>>>(c, d);
}
"""
PYTHON = """\
y = 1 if a else (2 if b else 3)
f(), g()
z = (1 if a else 2) + (3 if b else 4)
a, b = b, a
"""
TREE = {
    "theory/laid.cpp": "int  f( );\n",
    "theory/conditionals.cpp": CONDITIONALS,
    "theory/statements.cpp": STATEMENTS,
    "tests/laid.py": "x = {'a':1}\n",
    "tests/lint.py": "import os\n",
    "tests/statements.py": PYTHON,
    "probes/python/gpe/typed.py": "def number() -> int:\n    return 'one'\n",
}
EXPECTED = [
    "theory/laid.cpp:1:4: error: code should be clang-formatted",
    " --> tests/laid.py:1:6",
    "F401 [*] `os` imported but unused",
    "gpe/typed.py:2: error: Incompatible return value type",
    *(f"theory/conditionals.cpp:{line}: nested conditional expression" for line in (1, 2, 3, 4)),
    *(f"theory/statements.cpp:{line}: statements joined by a comma" for line in (1, 3, 4, 7, 10)),
    "tests/statements.py:1: nested conditional expression",
    "tests/statements.py:2: statements joined by a comma",
]

clang_format, source, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
tree = work / "tree"
shutil.rmtree(tree, ignore_errors=True)
for name, text in TREE.items():
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
for name in (".clang-format", "ruff.toml", "probes/python/pyproject.toml"):
    shutil.copy(source / name, tree / name)
done = subprocess.run(
    [sys.executable, source / "tests" / "format.py", clang_format, tree, work],
    stdout=subprocess.PIPE,
    stderr=subprocess.STDOUT,
    text=True,
)
if done.stdout.startswith("SKIPPED: "):
    print(done.stdout, end="")
    sys.exit(0)
missing = [line for line in EXPECTED if line not in done.stdout]
ours = [line for line in done.stdout.splitlines() if line.endswith((" nested conditional expression", " by a comma"))]
if missing or done.returncode != 1 or not set(ours) <= set(EXPECTED):
    print(done.stdout)
    sys.exit(f"exit code {done.returncode}; not noticed: {missing}; needlessly: {sorted(set(ours) - set(EXPECTED))}")
