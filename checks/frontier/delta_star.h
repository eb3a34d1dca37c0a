// δ*(m, β, γ): the slope at which bias-only APE, -δn - β log(1 + n) - γ√n, has the entropy of ALiBi, -mn
// (docs/frontier.md, F3).
#pragma once

#include <optional>
#include <string>

#include "checks/sums/sums.h"

namespace gpe::checks {

struct DeltaStar {
  enum class Kind { found, none, undecided };
  Kind kind = Kind::undecided;
  Ball value = Ball::unknown();           ///< found
  std::optional<theory::Rational> exact;  ///< found, and known exactly
  EnclosedNumber alibi;                   ///< H of ALiBi at m
  EnclosedNumber at_zero;                 ///< H of APE at δ = 0, where it is largest
  EnclosedNumber at_m;                    ///< H of APE at δ = m
  std::string reason;                     ///< why none, why undecided, or why fewer digits
};

/// H of APE falls in δ, so there is one solution when H at δ = 0 is at least ALiBi's, and none when it is
/// less; it is at most m. Both ends of the enclosure are proved by the sign of the difference of the
/// entropies.
/// @param m  > 0;  beta, gamma  >= 0;  digits  aim
DeltaStar delta_star(const theory::Rational& m, const theory::Rational& beta, const theory::Rational& gamma,
                     int digits, const theory::Context& context);

}  // namespace gpe::checks
