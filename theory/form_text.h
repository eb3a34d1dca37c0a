// Form -> Expr and text.
#pragma once

#include <string>

#include "theory/expr.h"
#include "theory/form.h"

namespace gpe::theory {

Expr to_expr(const Form& form);
/// "beta - 1": the text of to_expr.
std::string to_text(const Form& form);

}  // namespace gpe::theory
