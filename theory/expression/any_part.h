// Whether some part of an expression is of a kind.
#pragma once

#include <algorithm>

#include "theory/expression/expr.h"

namespace gpe::theory {

/// Whether `is(part)` holds for the expression itself or for one of its parts, at any depth.
template <class Is>
bool any_part(const Expr& expression, const Is& is) {
  return is(expression) ||
         std::ranges::any_of(children(expression), [&](const Expr& part) { return any_part(part, is); });
}

}  // namespace gpe::theory
