// Feasibility of linear inequalities with rational coefficients, decided exactly by Fourier–Motzkin
// elimination. Tests: tests/theory/exact/constraints_test.cpp
#pragma once

#include <map>
#include <vector>

#include "theory/source/rational.h"

namespace gpe::theory {

/// Σ coefficients[i]·x_i + constant  >= 0,  > 0  or  = 0.
struct LinearRow {
  enum class Kind { at_least_zero, positive, zero };
  std::map<int, Rational> coefficients;  ///< no zero entries
  Rational constant;
  Kind kind;
};

/// Whether some real point satisfies every row. Gives `true` (may be feasible) when elimination would exceed
/// `most_rows` rows, so only `false` is a proof.
bool may_be_feasible(std::vector<LinearRow> rows, std::size_t most_rows = 400);

}  // namespace gpe::theory
