// Enclosures with few digits, when nothing better was found in time: some terms, and a bound of the rest.
#pragma once

#include <optional>

#include "checks/sums/general_sum_result.h"
#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// Σ over first … last, or over all n >= first: the terms that a part of the time allows, then for a
/// finite sum bounds from both sides (E7), else comparison with the iterated-logarithm scale (E5), for A, A +
/// log(-A) and A + log n, with an envelope in place of an A with floors or oscillations.
/// @throws theory::Undecided  when no bound of the rest is found
GeneralSum fallback_sum(const theory::Expr& score, std::int64_t first,
                        const std::optional<theory::Rational>& last, WantedMoments wanted, int digits,
                        const theory::Context& question);

}  // namespace gpe::checks
