// Expressions that have a value wherever their symbols have one.
#pragma once

#include "theory/expression/expr.h"

namespace gpe::theory {

/// Whether e is made of numbers and symbols by sums, products and powers whose exponents are positive
/// integers.
bool is_polynomial(const Expr& e);

}  // namespace gpe::theory
