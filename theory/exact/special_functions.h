// atan, erfc, lgamma and polygamma of normal forms: exact values, and otherwise a kernel with a normalized
// sign.
#pragma once

#include <vector>

#include "theory/exact/context.h"

namespace gpe::theory {

/// The Bernoulli number B_k; B_1 = -1/2. @pre k >= 0
Rational bernoulli(int k);

/// Exact: atan where a rational multiple of pi is proved, erfc at 0, lgamma and polygamma of odd order at
/// whole numbers and halves; polygamma of even order is there a multiple of that at 1, but for known terms.
/// Further, atan is odd, erfc(-x) = 2 - erfc(x), and lgamma and polygamma of other rationals are reduced to
/// arguments in (0, 1].
/// @throws Undefined  for lgamma and polygamma of what is known not to be positive.
Form special(Function function, const std::vector<Form>& arguments, const Context& context);

/// (-1)^m m!: polygamma(m, x + 1) - polygamma(m, x) = (-1)^m m!/x^(m + 1).
Rational signed_factorial(std::int64_t m);

}  // namespace gpe::theory
