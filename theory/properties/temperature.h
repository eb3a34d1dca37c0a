// On which side of a temperature's threshold attention is, as the number of keys grows (theorem K2,
// docs/theorems.md).
#pragma once

#include "theory/exact/context.h"
#include "theory/exact/region.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

/// The law of the scores T·x, without bias. @p parameter of `decide_dispersion` is
enum class ScoreLaw {
  gaussian,     ///< x independent and normal: their deviation
  edge,         ///< x independent and bounded, P(max - x < y) ~ c y^rho at 0: rho
  exponential,  ///< x independent, P(x > y) = e^(-rate y): the rate
  worst,        ///< every content with |x| <= B: B
  one_above     ///< one key above n equal ones: by how much
};

/// Whether for some c > 0 the entropy of n keys is at least c log n, with a probability that tends to 1 (for
/// `worst`, for every content). It fails where H/log n tends to 0 in probability (for `worst`, for some
/// contents).
/// @param temperature  what multiplies the scores: a function of n, the number of keys; not negative far out
/// @param parameter  positive
/// @throws SplitRequest, Undecided, Undefined
Decision decide_dispersion(ScoreLaw law, const Expr& temperature, const Expr& parameter,
                           const Context& context);

}  // namespace gpe::theory
