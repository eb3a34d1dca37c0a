// Expressions whose values are whole numbers, as their form shows.
// Tests: tests/theory/asymptotics/limits_test.cpp
#pragma once

#include <set>
#include <string>

#include "theory/expression/expr.h"

namespace gpe::theory {

/// Whether the value is a whole number wherever it is defined: numbers, n and `variables`, their sums,
/// products, powers and extremes, and floors. False says nothing.
bool is_whole(const Expr& expression, const std::set<std::string>& variables);

}  // namespace gpe::theory
