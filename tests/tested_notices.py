"""tested.py finds modules without a test in a small tree, and tests that are named wrongly; its
list of exceptions can only shrink."""

from notices import notices

TREE = {
    "theory/exact/form.h": "// A form.\n#pragma once\n",
    "theory/exact/form.cpp": '#include "theory/exact/form.h"\n#include "theory/exact/inner.h"\n',
    "theory/exact/inner.h": "// Inside a form. Tests: tests/theory/exact/form_test.cpp\n#pragma once\n",
    "theory/exact/apart.cpp": "// Tests: tests/theory/exact/form_test.cpp\nint apart;\n",
    "theory/exact/print.cpp": '// Tests: tests/theory/exact/form_test.cpp\n#include "theory/exact/form.h"\n',
    "theory/print.cpp": '// Tests: tests/theory/exact/form_test.cpp\n#include "theory/exact/form.h"\n',
    "theory/exact/late.cpp": "\n" * 12 + "// Tests: tests/theory/exact/form_test.cpp\n",
    "checks/sum.cpp": "int sum;\n",
    "checks/gone.cpp": "// Tests: tests/checks/gone_test.cpp\n",
    "model/listed.cpp": "int listed;\n",
    "model/needless.py": '"""A module.\n\nTests: tests/model/run.py\n"""\n',
    "model/cuda/kernel.cu": "int kernel;\n",
    "probes/python/gpe/_part/inner.py": '"""A module."""\n',
    "probes/python/build/copy.py": "",
    "probes/_hidden.py": '"""A module."""\n',
    "tests/theory/exact/form_test.cpp": '#include "tests/tool.h"\n',
    "tests/tool.h": '#include "theory/exact/form.h"\n',
    "tests/model/run.py": "",
    "tests/probes/hidden_test.py": "",
    "tests/cuda/kernel_test.cpp": "",
    "tests/python/test_inner.py": "",
    "tests/untested.txt": "# a reason\nmodel/listed\nmodel/needless\nmodel/left\n",
}
EXPECTED = [
    "theory/print: tests/theory/exact/form_test.cpp does not reach it",
    "theory/exact/apart: tests/theory/exact/form_test.cpp does not reach it",
    'theory/exact/late has no test of its name, and no line "Tests: tests/…" at its head',
    'checks/sum has no test of its name, and no line "Tests: tests/…" at its head',
    "checks/gone: tests/checks/gone_test.cpp is not there",
    "tests/untested.txt: model/needless has a test and needs no exception",
    "tests/untested.txt: model/left is not there",
]

notices("tested.py", TREE, EXPECTED)
