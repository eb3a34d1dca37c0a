// d/dn of an exp-log expression, exactly. Tests: tests/checks/arb/power_series_test.cpp
#pragma once

#include "theory/expression/expr.h"

namespace gpe::theory {

/// @throws Undecided  for floor, min, max, abs, if, tables of n (resolve them first), H(n)
Expr derivative(const Expr& expression, std::string_view symbol);

}  // namespace gpe::theory
