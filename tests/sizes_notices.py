"""sizes.py measures functions and files as it should in a small tree, and its list of exceptions can only shrink."""

from notices import notices


def lines(number):
    return "  x += 1;\n" * number


LONG = "  y = 1\n" * 80
TREE = {
    # 81 lines; 80; the lambda counts with what it is in; a brace in a text or in a comment is none
    "theory/long.cpp": "int f(int x) {\n"
    + lines(79)
    + '}\n\nint g(int x)\n    const {  // {\n  s = "{";\n'
    + lines(76)
    + "}\n",
    "theory/lambda.h": (
        "namespace a {\nstruct B : C<D(int)> {\n  B() : b_(1), c_{2} {}\n  bool operator==(const B& b) const {\n"
        "    work([&] {\n"
    )
    + lines(77)
    + "    });\n  }\n};\n}\n",
    "checks/table.cpp": "const std::vector<int> kTable = {\n"
    + "    1,\n" * 100
    + "};\nenum class E {\n"
    + "  a,\n" * 100
    + "};\n",
    "checks/made.cpp": "// Made by a program: not to be edited.\n" + "void f() {\n" + lines(500) + "}\n",
    "model/kept.cpp": "template <class T>\nvoid kept(T x = T()) {\n" + lines(100) + "}\n",
    "probes/grown.cpp": "void grown() {\n" + lines(100) + "}\n",
    "site/less.cpp": "void less() {\n" + lines(100) + "}\n",
    "tests/short.py": "def short():\n" + LONG + "\n\nclass C:\n    def right(self):\n        pass\n",
    "tests/file.py": "y = 1\n" * 401,
    "tests/case.cpp": "TEST(Case, is_long) {\n" + lines(79) + "}\n",
    "tests/sizes.txt": (
        "# a reason\nmodel/kept.cpp:kept 103\nprobes/grown.cpp:grown 101\nsite/less.cpp:less 103\n"
        "site/gone.cpp 500\ntests/short.py:right 90\n"
    ),
}
EXPECTED = [
    "theory/long.cpp:f has 81 lines, 80 at most",
    "theory/lambda.h:operator_ has 81 lines, 80 at most",
    "probes/grown.cpp:grown has 102 lines, 101 at most",
    "tests/sizes.txt: site/gone.cpp is not there",
    "tests/sizes.txt: tests/short.py:right has 2 lines and needs no exception",
    "tests/short.py:short has 81 lines, 80 at most",
    "tests/file.py has 401 lines, 400 at most",
    "tests/case.cpp:Case.is_long has 81 lines, 80 at most",
]

notices("sizes.py", TREE, EXPECTED)
