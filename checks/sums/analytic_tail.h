// A settled score on [M, ∞), in the coordinates in which it is summed and integrated.
#pragma once

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// With v = L_level(n) (L_0 = n, L_1 = log n, …):  ∫ e^A dn = ∫ e^{exponent(v)} dv,  exponent = A + L_1 + … +
/// L_level.
struct AnalyticTail {
  theory::Rational start;  ///< M
  theory::Expr score;      ///< A(n), smooth for n >= M
  theory::Expr in_log;     ///< A as an expression of u = log n (written n)
  int level = 1;
  theory::Expr in_scale;  ///< A as an expression of v
  theory::Expr exponent;  ///< of v
  theory::Expr log_n;     ///< L_1 as an expression of v
};

/// Every rewriting is exact on all of [M, ∞), where the score is proved to be defined (C2, docs/bounds.md).
/// @param settled  of + * ^ log exp sin cos alone
/// @param level  1 for sums that end or decay faster than every power of n; the iterated-logarithm scale's
/// level + 1 otherwise
/// @throws theory::Undecided, theory::Undefined
AnalyticTail analytic_tail(const theory::Expr& settled, const theory::Rational& start, int level,
                           const theory::Context& context);

/// A short rational below log(x), for x > 1.
theory::Rational below_log(const theory::Rational& x);

}  // namespace gpe::checks
