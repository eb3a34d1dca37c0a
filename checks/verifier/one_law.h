// Claims about laws with gates, a query, a law of the content or a normalizer, which follow from claims about
// one law without: theorems P1, P2, Q1, X2 and N1 to N5.
#pragma once

#include "checks/verifier/score_function.h"

namespace gpe::verifier {

/// The certificate of the law without these keys from which the claim follows; itself where there are none.
/// @throws NotShown  where no theorem says so
Json of_one_law(const Json& given);
/// What free parameters may be: the condition of their domains.
Calculus cell_of(const ScoreFunction& law, const std::set<std::string>& free);

}  // namespace gpe::verifier
