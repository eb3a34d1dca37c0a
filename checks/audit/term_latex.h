// Numbers and encodings of the claim language in mathematics mode.
#pragma once

#include "checks/audit/formula_latex.h"

namespace gpe::checks {

/// A term as it is written.
std::string term_latex(const ClaimTerm& term);
/// "H(\claimfn{ape}_{\delta{=}1/16})"
std::string quantity_latex(const Quantity& quantity);
std::string encoding_latex(const EncodingName& encoding);

}  // namespace gpe::checks
