// Sums of any score over any range of n: the method that suits it, more precision until the digits are
// proved, and when that fails the best bounds reached, with the reason.
#pragma once

#include <optional>

#include "checks/sums/general_sum_result.h"
#include "theory/exact/context.h"

namespace gpe::checks {

/// Σ over first … last, or over all n >= first. @pre the sums wanted converge.
/// When the time of one question does not do: fewer digits, then some of the terms and bounds E5 or E7 for
/// the rest (fallback_sum.h); about 3/2 of that time in all.
/// @throws theory::Undecided  when not even that is found
GeneralSum general_sum(const theory::Expr& score, std::int64_t first,
                       const std::optional<theory::Rational>& last, WantedMoments wanted, int digits,
                       const theory::Context& context);

}  // namespace gpe::checks
