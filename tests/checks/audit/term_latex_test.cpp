// Terms of claims in LaTeX: as they are written, with each operator of the language.
#include "checks/audit/formula_latex.h"
#include "checks/audit/formula_parse.h"

namespace gpe::testing {
namespace term_latex_test {

// Of "TERM < 1", the term.
std::string latex(const std::string& term) {
  return checks::term_latex(checks::parse_formula(term + " < 1", {}, {}).terms[0]);
}

TEST(TermLatex, keeps_what_is_written) {
  EXPECT_EQ(latex("6*12*384^2 + 13*2"), "6\\cdot 12\\cdot 384^{2}+13\\cdot 2");
  EXPECT_EQ(latex("(1 - 2) / 4"), "(1-2)/4");
  EXPECT_EQ(latex("0.0452439836*pi"), "0.0452439836\\,\\pi ");
  EXPECT_EQ(latex("- -1"), "-(-1)");
  EXPECT_EQ(latex("2*-3 + -4^2"), "2\\cdot (-3)+(-4^{2})");
  EXPECT_EQ(latex("2/1e3 - 3/4"), "2/(1\\cdot 10^{3})-3/4");
  EXPECT_EQ(latex("1.5e-7 + 2e3 + 1E+9"), "1.5\\cdot 10^{-7}+2\\cdot 10^{3}+1\\cdot 10^{9}");
}

TEST(TermLatex, an_exponent_is_all_that_belongs_to_it) {
  EXPECT_EQ(latex("2^-3"), "2^{-3}");
  EXPECT_EQ(latex("2^+3"), "2^{3}");
  EXPECT_EQ(latex("2^(1 + 3)*4"), "2^{1+3}\\cdot 4");
  EXPECT_EQ(latex("2^3^4"), "2^{3^{4}}");
  EXPECT_EQ(latex("2^(1 + 3)^-4"), "2^{(1+3)^{-4}}");
  EXPECT_EQ(latex("2^sqrt(3)"), "2^{\\sqrt{3}}");
  EXPECT_EQ(latex("1e3^2*exp(2)^3"), "(1\\cdot 10^{3})^{2}\\,(e^{2})^{3}");
  EXPECT_EQ(latex("2^exp(1)^2"), "2^{(e^{1})^{2}}");
  EXPECT_EQ(latex("sum(k, 1, 9, k)^2"), "(\\sum_{k=1}^{9} k)^{2}");
}

TEST(TermLatex, functions_as_they_are_usually_written) {
  EXPECT_EQ(latex("sqrt(2)*exp(-1/2)"), "\\sqrt{2}\\,e^{-1/2}");
  EXPECT_EQ(latex("exp(-(1 + 2 + 3 + 4 + 5 + 6))"), "\\exp(-(1+2+3+4+5+6))");
  EXPECT_EQ(latex("abs(floor(7/2))"), "\\lvert \\lfloor 7/2\\rfloor \\rvert ");
  EXPECT_EQ(latex("max(1, log(2), sigmoid(3))"), "\\max(1,\\, \\log(2),\\, \\claimfn{sigmoid}(3))");
  EXPECT_EQ(latex("sum(k, 1, 9, k^2)"), "\\sum_{k=1}^{9} k^{2}");
}

TEST(TermLatex, quantities_wherever_they_stand) {
  EXPECT_EQ(latex("2*H(alibi(m=1/16), 64)^2 - choose(5, 2)"),
            "2\\,H(\\claimfn{alibi}_{m{=}1/16},\\, 64)^{2}-\\binom{5}{2}");
  EXPECT_EQ(latex("Z(rope, 9) + exp(-Z(nope, 8))*Z(nope, 7)^-Z(rope, 6)"),
            "Z(\\claimfn{rope},\\, 9)+e^{-Z(\\claimfn{nope},\\, 8)}\\,"
            "Z(\\claimfn{nope},\\, 7)^{-Z(\\claimfn{rope},\\, 6)}");
  EXPECT_EQ(latex("limit(bias(alibi)/n)"), "\\lim(b(\\claimfn{alibi})/n)");
}

TEST(TermLatex, numbers_of_expressions) {
  const auto number = [](const std::string& text) {
    return checks::expression_latex(theory::parse_expression(text, {}));
  };
  EXPECT_EQ(number("1000000000"), "10^{9}");
  EXPECT_EQ(number("-1/1000000000"), "-\\tfrac{1}{10^{9}}");
  EXPECT_EQ(number("21000000000"), "21000000000");
  EXPECT_EQ(number("100000000"), "100000000");
  EXPECT_EQ(number("-93/40"), "-2.325");
  EXPECT_EQ(number("3/256"), "\\tfrac{3}{256}");
  EXPECT_EQ(number("0"), "0");
  theory::NameScope scope;
  scope.names = {"b"};
  EXPECT_EQ(checks::expression_latex(theory::parse_expression("1000000000^b", scope)),
            "\\left(10^{9}\\right)^{b}");
}

}  // namespace term_latex_test
}  // namespace gpe::testing
