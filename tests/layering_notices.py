"""layering.py finds what it should in a small tree: forbidden includes, circles, a factor, text that is printed past
the layer that escapes it, one `catch` too many, an algorithm that the page lacks; not the right ones beside them."""

from notices import notices

TREE = {
    "theory/exact/CMakeLists.txt": "gpe_folder(theory_exact PUBLIC gpe::theory_expression)",
    "theory/expression/CMakeLists.txt": "gpe_folder(theory_expression)",
    "theory/exact/right.h": '#include <vector>\n#include "theory/expression/low.h"\n',
    "theory/expression/low.h": '// a wrong one\n#include "theory/exact/right.h"\n#include "checks/arb/ball.h"\n',
    "theory/expression/one.h": '#include "theory/expression/two.h"\n',
    "theory/expression/two.cpp": '#include "theory/expression/one.h"\n',
    "checks/arb/CMakeLists.txt": "gpe_folder(checks_arb PUBLIC gpe::theory_expression)",
    "checks/arb/wrong.cpp": (
        '  #  include <probes/report.h>\n#include "limit.h"\n#include "theory/exact/right.h"\nlong b = digits * 3.33;\n'
    ),
    "checks/programs/right.cpp": '#include "checks/arb/wrong.h"\n',
    "checks/verifier/wrong.cpp": '#include "checks/verifier/score_function.h"\n#include "theory/exact/right.h"\n',
    "checks/cli/command_line.cpp": "std::fwrite(text, 1, n, stdout);\n",
    "model/data/CMakeLists.txt": "gpe_folder(formats PUBLIC gpe::checks_arb gpe::attention)",
    "model/attention/CMakeLists.txt": "gpe_folder(attention)",
    "model/attention/wrong.h": '#include "checks/arb/ball.h"\n#include "model/data/token_file.h"\n',
    "model/attention/programs.h": '#include "model/programs/options.h"\n',
    "model/data/right.h": '#include "checks/arb/ball.h"\n#include "model/data/token_file.h"\n',
    "model/programs/right.cpp": '#include "model/data/right.h"\n#include "theory/exact/right.h"\n',
    "probes/predict/CMakeLists.txt": "gpe_folder(probes_predict PUBLIC gpe::formats)",
    "probes/predict/wrong.cpp": '#include "model/data/right.h"\n#include "probes/report/text.h"\n',
    "probes/programs/right.cpp": '#include "model/programs/options.h"\n',
    "probes/python/gpe/__init__.py": "",
    "probes/python/gpe/_errors.py": "from gpe._plots.look import Look\n",
    "probes/python/gpe/_plots/look.py": "def draw():\n    from gpe import testing, _errors\n    import gpe._errors\n",
    "probes/python/gpe/_verdicts/check.py": "from .._plots import look\nfrom .sweep import f\n",
    "probes/python/gpe/_verdicts/sweep.py": "from gpe._verdicts import check\nimport gpe._torch.report\n",
    "probes/python/gpe/testing.py": "import gpe\nfrom gpe._torch.report import Report\n",
    "page/CMakeLists.txt": "set(folders sums coq)\n",
    "page/ranges.h": "constexpr auto count(R&& r, const T& value) {\n",
    "checks/coq/page.cpp": "std::ranges::count(r, 1) + std::ranges::rotate(r);\n",
    "model/wrong.cpp": (
        'void f() {  // no printf(\n  std::printf("%s", text);\n  std::snprintf(t, 9, "%d", 1);\n  cout << t;\n}\n'
        'int g() { return std::system("gpe plot -"); }\n'
    ),
    # nineteen, one on two lines, and one of something else; the next is one too many
    "checks/sums/many.cpp": "} catch (const theory::TimeUp&) {\n" * 19
    + "} catch (\n    const NotProved&) {\n} catch (const ParseError&) {\n",
    "theory/exact/more.cpp": "} catch (const Undefined& undefined) {  // catch (const Undecided&)\n",
}
EXPECTED = [
    "checks/coq/page.cpp: std::ranges::rotate (page/ranges.h has none)",
    'theory/expression/low.h:2: #include "theory/exact/right.h" (theory/expression may use: theory/expression)',
    'theory/expression/low.h:3: #include "checks/arb/ball.h" (theory/expression may use: theory)',
    "checks/arb/wrong.cpp:1: #  include <probes/report.h> (checks/arb may use: theory, checks)",
    'checks/arb/wrong.cpp:2: #include "limit.h" (includes are rooted: "theory/asymptotics/limit.h")',
    'checks/arb/wrong.cpp:3: #include "theory/exact/right.h" (checks/arb may use: checks/arb, theory/expression)',
    "checks/arb/CMakeLists.txt: theory/expression is linked, and nothing of it included",
    "checks/arb/wrong.cpp:4: 3.33 (digits become bits in checks/arb/precision.h)",
    "model/wrong.cpp:2: printf( (text is printed by checks/cli/command_line.h)",
    "model/wrong.cpp:6: system( (no program starts another)",
    "model/wrong.cpp:4: cout (text is printed by checks/cli/command_line.h)",
    (
        '21 times is "not known" caught, 20 at most (theory/exact/attempt.h): '
        "theory/exact/more.cpp 1, checks/sums/many.cpp 20"
    ),
    'model/attention/wrong.h:1: #include "checks/arb/ball.h" (model/attention may use: model/attention)',
    'model/attention/wrong.h:2: #include "model/data/token_file.h" (model/attention may use: model/attention)',
    'model/attention/programs.h:1: #include "model/programs/options.h" (model/attention may use: model/attention)',
    "model/data/CMakeLists.txt: model/attention is linked, and nothing of it included",
    'probes/predict/wrong.cpp:2: #include "probes/report/text.h" (probes/predict may use: model/data, probes/predict)',
    "probes/python/gpe/_errors.py:1: gpe._plots.look (base may use: base)",
    "probes/python/gpe/_plots/look.py:2: gpe.testing (_plots may use: _plots, base)",
    "probes/python/gpe/_verdicts/sweep.py:2: gpe._torch.report (_verdicts may use: _plots, _verdicts, base)",
    "a circle of modules: _errors, _plots.look",
    "a circle of modules: _verdicts.check, _verdicts.sweep",
    'checks/verifier/wrong.cpp:2: #include "theory/exact/right.h" (checks/verifier may use: itself)',
    "a circle of files: theory/exact/right, theory/expression/low",
    "a circle of files: theory/expression/one, theory/expression/two",
    "a circle of folders: checks/arb, theory/exact, theory/expression",
]

notices("layering.py", TREE, EXPECTED)
