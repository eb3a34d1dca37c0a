// Whether a law has values wherever it is seen: shown for every certificate, before any rule.
#pragma once

#include "checks/verifier/score_function.h"

namespace gpe::verifier {

/// Every formula of the law, used by the claim or not, has a value for all parameters in the cell, at all
/// distances n of the window, lengths L >= n, blocks j and entropies H(n) >= 0; the window has a key, and the
/// soft cap is positive. @throws NotShown  where this is not seen
void require_defined(const ScoreFunction& law, const Calculus& cell, const std::set<std::string>& free);

}  // namespace gpe::verifier
