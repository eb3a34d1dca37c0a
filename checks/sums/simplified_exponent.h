// The exponent of an integrand far out, without what is proved to be small there.
#pragma once

#include <optional>

#include "checks/arb/ball.h"
#include "checks/sums/analytic_tail.h"

namespace gpe::checks {

/// |F - exponent| <= error on [at, ∞). Then |∫ e^F - ∫ e^{F_0}| <= 2·error·∫ e^{F_0} (I4, moments.h).
struct SimplifiedExponent {
  theory::Rational at;
  theory::Expr exponent;  ///< F_0
  Ball error;
};

/// The exponent without those of its k terms that are proved to be below 2^-(accuracy + 3)/k on [at, ∞), such
/// as log(1 + e^-v): log|t| is below the bound at `at` and falls, and |log(1 + s)| <= 2|s| for |s| <= 1/2
///                                                                                bound I2, docs/bounds.md.
/// Nothing when there is no such term from any place tried below cut/2 on.
std::optional<SimplifiedExponent> without_small_terms(const theory::Expr& exponent,
                                                      const theory::Rational& start,
                                                      const theory::Rational& cut, long accuracy,
                                                      const theory::Context& context);

/// The first terms of the expansion of tail.exponent at infinity, when |F - F_0| <= 2^-(accuracy + 3) is
/// proved in u = log n                                                                   bound I3,
/// docs/bounds.md.
std::optional<SimplifiedExponent> leading_exponent(const AnalyticTail& tail, const theory::Rational& start,
                                                   long accuracy, const theory::Context& context);

}  // namespace gpe::checks
