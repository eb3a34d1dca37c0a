// LaTeX and SymPy texts, piece by piece. (tests/theory/sympy_texts_test.cmake asks SymPy about random ones.)
#include "tests/generators/expression.h"
#include "tests/theory/engine.h"

namespace printer_test {

using gpe::testing::whole_scope;
using gpe::theory::parse_expression;
using gpe::theory::to_latex;
using gpe::theory::to_sympy;
using gpe::theory::to_text;

struct Texts {
  const char* source;
  const char* text;
  const char* latex;
  const char* sympy;
};

TEST(Printer, writes_text_latex_and_sympy) {
  const std::vector<Texts> all = {
      {"n", "n", "n", "n"},
      {"pi", "pi", "\\pi", "pi"},
      {"-2/3", "-2/3", "-\\tfrac{2}{3}", "Rational(-2, 3)"},
      {"0.25*n", "1/4*n", "\\tfrac{1}{4}\\,n", "Rational(1, 4)*n"},
      {"n/2", "n/2", "n\\,\\tfrac{1}{2}", "n*Rational(1, 2)"},
      {"1/n", "1/n", "\\frac{1}{n}", "1/n"},
      {"n/(1 + L)", "n/(1 + L)", "\\frac{n}{1 + L}", "n/(1 + L)"},
      {"n - (L - 1)", "n - (L - 1)", "n - \\left(L - 1\\right)", "n - (L - 1)"},
      {"-n^2", "-n^2", "-n^{2}", "-n**2"},
      {"(-n)^2", "(-n)^2", "\\left(-n\\right)^{2}", "(-n)**2"},
      {"2^-n", "2^(-n)", "2^{-n}", "2**(-n)"},
      {"n^L^2", "n^L^2", "n^{L^{2}}", "n**L**2"},
      {"(n^L)^2", "(n^L)^2", "\\left(n^{L}\\right)^{2}", "(n**L)**2"},
      {"sqrt(n + 1)", "sqrt(n + 1)", "\\sqrt{n + 1}", "sqrt(n + 1)"},
      {"log(1 + n)", "log(1 + n)", "\\log\\left(1 + n\\right)", "log(1 + n)"},
      {"abs(n)", "abs(n)", "\\left|n\\right|", "Abs(n)"},
      {"floor(n/2)", "floor(n/2)", "\\left\\lfloor n\\,\\tfrac{1}{2}\\right\\rfloor",
       "floor(n*Rational(1, 2))"},
      {"max(n, 1, L)", "max(n, 1, L)", "\\max\\left(n, 1, L\\right)", "Max(n, 1, L)"},
      // names that SymPy has of its own
      {"beta*n", "beta*n", "\\beta\\,n", "Symbol(\"beta\")*n"},
      {"E + factor", "E + factor", "E + \\mathrm{factor}", "Symbol(\"E\") + Symbol(\"factor\")"},
      {"alpha0", "alpha0", "\\alpha_{0}", "Symbol(\"alpha0\")"},
      {"if(n >= 2, n, 0)", "if(n >= 2, n, 0)",
       "\\begin{cases}n & n \\ge 2\\\\ 0 & \\text{otherwise}\\end{cases}",
       "Piecewise((n, n >= 2), (0, True))"},
      {"if(n = 2, 1, 0)", "if(n == 2, 1, 0)", "\\begin{cases}1 & n = 2\\\\ 0 & \\text{otherwise}\\end{cases}",
       "Piecewise((1, Eq(n, 2)), (0, True))"},
      {"if(n != 2, 1, 0)", "if(n != 2, 1, 0)",
       "\\begin{cases}1 & n \\ne 2\\\\ 0 & \\text{otherwise}\\end{cases}",
       "Piecewise((1, Ne(n, 2)), (0, True))"},
      {"sum(k, 0, d/2 - 1, k*n)", "sum(k, 0, d/2 - 1, k*n)", "\\sum_{k=0}^{d\\,\\tfrac{1}{2} - 1} k\\,n",
       "Sum(k*n, (k, 0, d*Rational(1, 2) - 1))"},
      {"slopes(n)", "slopes(n)", "\\mathrm{slopes}\\left(n\\right)", "Function(\"slopes\")(n)"},
      {"n/(1 + H(n))", "n/(1 + H(n))", "\\frac{n}{1 + H\\left(n\\right)}", "n/(1 + Function(\"H\")(n))"},
  };
  for (const Texts& one : all) {
    const auto tree = parse_expression(one.source, whole_scope());
    EXPECT_EQ(to_text(tree), one.text);
    EXPECT_EQ(to_latex(tree), one.latex) << one.source;
    EXPECT_EQ(to_sympy(tree), one.sympy) << one.source;
  }
}

// What a LaTeX engine needs: braces, \left and \right in pairs, and no \frac without its two arguments.
RC_GTEST_PROP(Printer, latex_is_balanced, ()) {
  const auto tree = gpe::testing::parsed_or_discarded(*gpe::testing::any_expression_text(), whole_scope());
  const std::string latex = to_latex(tree);
  RC_LOG() << latex << "\n";
  int braces = 0;
  int sides = 0;
  for (std::size_t i = 0; i < latex.size(); ++i) {
    braces += int{latex[i] == '{'} - int{latex[i] == '}'};
    if (latex.compare(i, 6, "\\left(") == 0 || latex.compare(i, 6, "\\left|") == 0 ||
        latex.compare(i, 11, "\\left\\lfloor") == 0)
      ++sides;
    if (latex.compare(i, 6, "\\right") == 0) --sides;
    RC_ASSERT(braces >= 0);
  }
  RC_ASSERT(braces == 0);
  RC_ASSERT(latex.find("{}") == std::string::npos);
}

}  // namespace printer_test
