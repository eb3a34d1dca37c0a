// The least entropy that any encoding with a given local range can have (docs/compare.md, V1).
#pragma once

#include "checks/arb/ball.h"

namespace gpe::checks {

struct LeastEntropy {
  Ball value;
  theory::Rational full;  ///< k: besides n = 0, so many tokens of full weight; N - k at e^-C1, none beyond
};

/// min over 0 <= k <= N of log z_k + C1 (N - k) e^-C1/z_k, z_k = 1 + k + (N - k) e^-C1: the infimum of H over
/// the biases with b(0) = 0 >= b and b(n) >= -C1 for n <= N. It falls, then rises in k; the least of all real
/// k is where z_k = u (1 + N), u = C1/(e^C1 - 1).
/// @param threshold  C1 > 0;  range  N >= 0, a whole number
LeastEntropy least_entropy(const theory::Rational& threshold, const theory::Rational& range, long bits);

}  // namespace gpe::checks
