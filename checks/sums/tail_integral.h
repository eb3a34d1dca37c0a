// ∫ e^A, ∫ A e^A and ∫ n e^A over [M, N] or [M, ∞), enclosed.
#pragma once

#include <optional>

#include "checks/sums/analytic_tail.h"
#include "checks/sums/moments.h"

namespace gpe::checks {

struct IntegralOptions {
  long bits;      ///< working precision
  long accuracy;  ///< aim: errors below 2^-accuracy times the value
  bool want_s = true;
  bool want_d = true;
  Moments
      scale;  ///< lower bounds of the sums that the integrals join: errors below 2^-accuracy of them vanish
};

/// @param end  N, or nothing for infinity (then ∫ e^A must converge, and the others where they are wanted)
/// Integrals are computed in v by rigorous adaptive Gauss–Legendre quadrature (Arb's acb_calc_integrate); the
/// part beyond a cut V is bounded by I1 (tail_bounds.h), terms of the exponent are dropped by I2 and I3
/// (simplified_exponent.h).
/// @throws theory::Undecided  when no such V is found
Moments tail_integral(const AnalyticTail& tail, const std::optional<theory::Rational>& end,
                      const IntegralOptions& options, const theory::Context& context);

}  // namespace gpe::checks
