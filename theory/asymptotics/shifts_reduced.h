// Recurrences of special functions, applied near infinity.
// Tests: tests/theory/asymptotics/special_limits_test.cpp
#pragma once

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

/// The expression with lgamma(x + k), polygamma(m, x + k) for whole k reduced to one k for each x, and
/// atan(x) to atan(1/x) or the other way round, where x is known to be positive near infinity: equal ones
/// become equal.
Expr with_shifts_reduced(const Expr& expression, const Context& context);

}  // namespace gpe::theory
