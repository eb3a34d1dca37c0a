// Bounds of what lies beyond a point, for the exponential-power family (J5, docs/bounds.md).
#pragma once

#include "checks/sums/family/exponential_power.h"

namespace gpe::checks {

/// Upper bounds of the integrals over [x, ∞) of f, -A f and x f. Not finite when delta = gamma = 0.
/// @param x, root  x >= 1 and its square root
Moments tail_of_integral(const ExponentialPower& family, const Ball& x, const Ball& root);

/// Upper bounds of Σ_{n >= x} f(n), -A f, n f, for an integer x >= 1. D and S are not finite unless n f(n)
/// is proved to decrease from x on.
Moments tail_of_sum(const ExponentialPower& family, const Integer& x);

}  // namespace gpe::checks
