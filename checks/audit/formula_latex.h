// The claim language in mathematics mode. Tests: tests/cli/audit.cmake
#pragma once

#include <string>

#include "checks/audit/formula.h"
#include "checks/report/text_table.h"

namespace gpe::checks {

/// LaTeX for inside $…$; breaks at relations and connectives. Needs \claimfn{…} for the names of quantities.
std::string formula_latex(const Formula& formula);
/// A term as it is written.
std::string term_latex(const ClaimTerm& term);
/// "H(\claimfn{ape}_{\delta{=}1/16})"
std::string quantity_latex(const ClaimQuantity& quantity);
std::string encoding_latex(const EncodingName& encoding);
/// An expression, and a symbol by its name, in mathematics mode; decimals instead of long fractions.
std::string expression_latex(const theory::Expr& expression);
/// The same for sentences: "H_L >= e^-m" with its formulas in mathematics mode.
std::string prose_latex(const std::string& text);
/// The same in typewriter type, with breaks after commas and brackets.
std::string code_latex(const std::string& text);

}  // namespace gpe::checks
