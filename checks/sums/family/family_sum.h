// Z, S and D of the exponential-power family to many digits, over all n or up to any L: terms one by one,
// then Euler–Maclaurin summation with an explicit remainder. The cost grows like log(1/delta), not 1/delta.
#pragma once

#include <optional>
#include <string>

#include "checks/sums/family/exponential_power.h"
#include "theory/exact/context.h"

namespace gpe::checks {

struct FamilySum {
  Moments moments;
  std::string method;
  long bits = 0;
};

/// How the sum is split, when the choice shall not be left to the cost estimate (tests: a second choice).
struct FamilySplit {
  std::int64_t start;       ///< M
  long order;               ///< 2K, even, >= 4
  theory::Rational radius;  ///< ρ, 0 < ρ < 1
  long order_at_end = 0;    ///< derivatives used at a finite end, even; 0 leaves it to the estimate
};

/// Σ over first … last, or over all n >= first; the offset of the score is not included.
/// @pre first >= 0; without `last`, the sums wanted converge
/// @param digits  aim; the radii say what was reached
/// @return nothing when an exponent is out of all proportion (beyond 10^±200)
/// @throws theory::TimeUp
std::optional<FamilySum> family_sum(const ExponentialPower& family, std::int64_t first,
                                    const std::optional<Integer>& last, WantedMoments wanted, int digits,
                                    const theory::Context& context,
                                    const std::optional<FamilySplit>& split = std::nullopt);

/// The sums of e^{a + A} from those of e^A.
Moments with_offset(const Moments& moments, const Ball& offset, long bits);

}  // namespace gpe::checks
