// The same function in the variable u = log n, written so that nothing overflows or cancels for large u.
// Tests: tests/checks/sums/bounds_test.cpp
#pragma once

#include "theory/exact/context.h"
#include "theory/exact/form.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

/// expression(n) with n = e^u, u written n again. Every logarithm and fractional power of a sum has its
/// largest term taken out first:  log(1 + e^u) = u + log(1 + e^-u),  (e^u + 1)^a = e^(a·u)·(1 + e^-u)^a.
/// Exact for every u where the original is defined and that term is positive.
/// The parts near one are opaque: sums of the form with powers of e^u cancel exactly, while bringing it to
/// normal form again would take the small exponentials out of the logarithms.
/// @throws Undecided, Undefined, SplitRequest.
Form log_coordinates_form(const Expr& expression, const Context& context);
/// The sum with equal powers of exponentials taken out once each, and the constants of equal functions added
/// up: e^u·(1 - (1 + t)^(1/2)) and not e^u - e^u·(1 + t)^(1/2), (pi - 3)·u and not pi·u - 3·u. Evaluated on a
/// wide box, only the former stay near their values.
Expr by_exponentials(const Form& form);

}  // namespace gpe::theory
