// Proofs about all real x >= a: by interval arithmetic to infinity, else by an asymptotic interval form.
#pragma once

#include "checks/ball.h"
#include "theory/context.h"
#include "theory/expr.h"

namespace gpe::checks {

/// A proof that expression(x) < bound for every real x >= from (x written n); false means "not proved".
bool surely_below(const theory::Expr& expression, const theory::Rational& bound, const theory::Rational& from,
                  const theory::Context& context);

}  // namespace gpe::checks
