// Form <-> Expr.
#pragma once

#include "theory/context.h"
#include "theory/expr.h"
#include "theory/form.h"

namespace gpe::theory {

Expr to_expr(const Form& form);
/// The normal form of an expression; every n-free condition, floor, min, max and abs is decided on the way,
/// and the rest (those that depend on n) become opaque kernels.
/// @throws SplitRequest, Undecided  from those decisions; Undefined outside the domain of an operation.
Form to_form(const Expr& expression, const Context& context);
/// "beta - 1": the text of to_expr.
std::string to_text(const Form& form);
/// to_expr(to_form(e)): sums collected, powers merged, logarithms of products split.
Expr simplify(const Expr& expression, const Context& context);

}  // namespace gpe::theory
