// Integrals to thousands of bits over a half-line on which the integrand decays exponentially or faster.
#pragma once

#include <optional>

#include "checks/sums/integrand.h"

namespace gpe::checks {

struct DoubleExponentialAim {
  long bits;      ///< working precision
  long accuracy;  ///< aim: an error below 2^-accuracy times the scale
  Ball scale;     ///< positive
};

/// ∫_V^∞ of the integrand by the trapezoidal rule in t, where v = V + s·φ(t) and φ is e^{t - e^{-t}} or
/// log(1 + e^{t - e^{-t}}), whichever takes fewer nodes; the error is bounded by T7, docs/bounds.md.
/// @param from  V
/// @param cut   beyond it the integral is at most `rest` in absolute value
/// Nothing when no such map gives the accuracy (singularities near the half-line, an integrand that turns).
/// @throws theory::TimeUp
std::optional<Ball> double_exponential(const Integrand& integrand, const Ball& from,
                                       const theory::Rational& cut, const Ball& rest,
                                       const DoubleExponentialAim& aim);

}  // namespace gpe::checks
