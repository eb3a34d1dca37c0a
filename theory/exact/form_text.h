// Form -> Expr and text. Tests: tests/theory/exact/form_test.cpp, tests/theory/exact/region_test.cpp
#pragma once

#include <string>

#include "theory/exact/form.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

Expr to_expr(const Form& form);
/// "beta - 1": the text of to_expr.
std::string to_text(const Form& form);

}  // namespace gpe::theory
