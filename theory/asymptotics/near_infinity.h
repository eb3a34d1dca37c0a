// What conditions, minima and floors come to for all large n. Tests: tests/theory/exact/rewriting_test.cpp
#pragma once

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

/// An expression with the same value for all large n, in which every if, min, max, abs and floor that settles
/// is replaced by what it settles to; the others stay.
/// @throws SplitRequest  when that depends on parameters
Expr near_infinity(const Expr& expression, const Context& context);

}  // namespace gpe::theory
