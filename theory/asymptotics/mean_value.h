// Cesàro means of trigonometric sums: what keeps an oscillating bias from tending to zero (theorem M1,
// docs/theorems.md).
// Tests: tests/theory/score/encodings_verdicts_test.cpp, tests/theory/properties/gps_test.cpp
#pragma once

#include <optional>

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

/// score(n) = mean + Σ a_i·cos(ω_i n + φ_i) + o(1) with ω_i no multiples of 2π.
struct MeanValue {
  Form mean;             ///< lim (1/N) Σ score(n)
  bool has_oscillation;  ///< some a_i is not zero, its frequency met once: the mean square about the mean is
                         ///< positive
};
/// Nothing when the expression is not of that shape, or a frequency cannot be told from a multiple of 2π.
std::optional<MeanValue> mean_value(const Expr& score, const Context& context);

/// Whether a closed angle is not a multiple of 2π, proved; nothing when that is not settled.
std::optional<bool> is_whole_turn(const Form& angle, const Context& context);

}  // namespace gpe::theory
