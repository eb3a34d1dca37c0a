// Expr -> Form: the normal form of an expression; and back (form_text.h).
// Tests: tests/theory/exact/form_test.cpp
#pragma once

#include "theory/exact/context.h"
#include "theory/exact/form.h"
#include "theory/exact/form_text.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

/// The normal form of an expression; every n-free condition, floor, min, max and abs is decided on the way,
/// and the rest (those that depend on n) become opaque kernels.
/// @throws SplitRequest, Undecided  from those decisions; Undefined outside the domain of an operation.
Form to_form(const Expr& expression, const Context& context);
/// to_expr(to_form(e)): sums collected, powers merged, logarithms of products split.
Expr simplify(const Expr& expression, const Context& context);

}  // namespace gpe::theory
