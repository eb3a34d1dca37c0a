#include "checks/sums/analytic_tail.h"
// Tests: tests/checks/sums/bounds_test.cpp
#include "checks/halfline/half_line.h"
#include "theory/asymptotics/log_coordinates.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Rational;

Rational below_log(const Rational& x) {
  const auto ends = log(Ball(x, 64), 64).ends();
  return (ends->low * Rational(1024)).floor() / Rational(1024);
}

AnalyticTail analytic_tail(const Expr& settled, const Rational& start, int level,
                           const Context& near_infinity) {
  if (!surely_defined(settled, start, near_infinity))
    throw theory::Undecided("the score is not proved to be defined at every real n >= " + start.str());
  AnalyticTail tail{start, settled, Expr(0), level, Expr(0), Expr(0), Expr(0)};
  Rational from = below_log(start);
  Context context = context_from(from, near_infinity);
  Form score = log_coordinates_form(settled, context);
  tail.in_log = theory::by_exponentials(score);
  tail.in_scale = tail.in_log;
  for (int k = 1; k < level; ++k) {
    if (from <= Rational(1))
      throw theory::Undecided("the sum starts too early for its scale of iterated logarithms");
    from = below_log(from);
    context = context_from(from, near_infinity);
    score = log_coordinates_form(tail.in_scale, context);
    tail.in_scale = theory::by_exponentials(score);
  }
  // L_level = v, L_{level-1} = e^v, …
  Form iterated_log = Form::symbol(theory::kIndex);
  Form exponent = score + iterated_log;
  for (int k = level - 1; k >= 1; --k) {
    iterated_log = context.exp(iterated_log);
    exponent = exponent + iterated_log;
  }
  tail.log_n = theory::to_expr(iterated_log);
  tail.exponent = theory::by_exponentials(exponent);
  return tail;
}

}  // namespace gpe::checks
