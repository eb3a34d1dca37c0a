// Terms e^A, A e^A and n e^A, added one by one.
#pragma once

#include "checks/sums/moments.h"
#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// The score at n; evaluated exactly where its ball is wide, as where a floor meets an integer.
Ball term_value(const theory::Expr& score, const theory::Rational& n, long bits,
                const theory::Context& context);

/// Adds the terms n = from … to one by one, or multiplies one where the score does not mention n. A term
/// whose ball is not finite (a floor of what may be an integer) is evaluated exactly first.
Moments sum_terms(const theory::Expr& score, const theory::Rational& from, const theory::Rational& to,
                  long bits, const theory::Context& context);

}  // namespace gpe::checks
