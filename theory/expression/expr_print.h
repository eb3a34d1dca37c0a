// Expr -> text: the specification's own notation (parses back to the same tree), LaTeX, SymPy.
// Tests: tests/theory/expression/printer_test.cpp, tests/theory/expression/print_test.cpp
#pragma once

#include <string>

#include "theory/expression/expr.h"

namespace gpe::theory {

/// parse_expression(to_text(e)) == e for every e that the parser can produce.
std::string to_text(const Expr& expression);
/// "3", "\tfrac{1}{2}".
std::string latex_number(const Rational& value);
/// LaTeX for mathematics mode. Known parameter names become Greek letters, the rest \mathrm{…}.
/// @param number  how numbers are written
std::string to_latex(const Expr& expression, std::string (*number)(const Rational&) = latex_number);
/// Python text for sympy.sympify; symbols that clash with SymPy's own names are quoted as Symbol("…").
std::string to_sympy(const Expr& expression);

}  // namespace gpe::theory
