// Which way an expression with steps goes over the integers: a composition of monotone functions is monotone.
// Tests: tests/checks/halfline/direction_test.cpp
#pragma once

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// A proof that e does not increase over the integers n >= from, where it is defined: by the sign of a slope
/// on all of [from, ∞); else by its parts, which floor, exp, log, atan, erfc, min, max, sums, and products
/// and powers of what is not negative put together. False means "not proved".
bool surely_never_rises(const theory::Expr& e, const theory::Rational& from, const theory::Context& context);

}  // namespace gpe::checks
