// Sums of any score over any range of n: the method that suits it, more precision until the digits are
// proved, and when that fails the best bounds reached, with the reason.
#pragma once

#include <optional>
#include <string>

#include "checks/sums/sums.h"
#include "theory/exact/context.h"

namespace gpe::checks {

struct GeneralSum {
  Moments moments;
  Wanted proved;       ///< which of S and D were enclosed
  std::string method;  ///< "Euler-Maclaurin from n = 41, 52 derivatives", …
  std::string reason;  ///< why something is missing or has fewer digits; empty when nothing is
  long bits = 0;
};

/// Σ over first … last, or over all n >= first. @pre the sums wanted converge.
/// When the time does not do: fewer digits, then some of the terms and bounds E5 or E7 for the rest
/// (crude_sum.h); about 3/2 of the time limit in all.
/// @throws theory::Undecided  when not even that is found
GeneralSum general_sum(const theory::Expr& score, std::int64_t first,
                       const std::optional<theory::Rational>& last, Wanted wanted, const SumOptions& options,
                       const theory::ConstantOracle& oracle);

}  // namespace gpe::checks
