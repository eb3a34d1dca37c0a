#include "checks/analytic_tail.h"

#include "checks/range.h"
#include "theory/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Rational;

Rational below_log(const Rational& x) {
  const auto ends = log(Ball(x, 64), 64).ends();
  return (ends->low * Rational(1024)).floor() / Rational(1024);
}

Context context_from(const Rational& from, const theory::ConstantOracle& oracle,
                     Context::Clock::time_point deadline) {
  Context context(oracle);
  context.set_deadline(deadline);
  context.set_facts([from](const Form& form) -> std::optional<int> {
    const Range range = over_block(theory::to_expr(form), block(from, std::nullopt, 64), 64);
    if (!range.defined) return std::nullopt;
    if (range.surely_positive()) return 1;
    if (range.surely_negative()) return -1;
    return std::nullopt;
  });
  return context;
}

AnalyticTail analytic_tail(const Expr& settled, const Rational& start, int level,
                           const theory::ConstantOracle& oracle, Context::Clock::time_point deadline) {
  AnalyticTail tail{start, settled, Expr(0), level, Expr(0), Expr(0), Expr(0)};
  Rational from = below_log(start);
  Context context = context_from(from, oracle, deadline);
  Form score = log_coordinates_form(settled, context);
  tail.in_log = theory::by_exponentials(score);
  tail.in_ladder = tail.in_log;
  for (int k = 1; k < level; ++k) {
    if (from <= Rational(1))
      throw theory::Undecided("the sum starts too early for its scale of iterated logarithms");
    from = below_log(from);
    context = context_from(from, oracle, deadline);
    score = log_coordinates_form(tail.in_ladder, context);
    tail.in_ladder = theory::by_exponentials(score);
  }
  // L_level = v, L_{level-1} = e^v, …
  Form rung = Form::symbol(theory::kIndex);
  Form exponent = score + rung;
  for (int k = level - 1; k >= 1; --k) {
    rung = context.exp(rung);
    exponent = exponent + rung;
  }
  tail.log_n = theory::to_expr(rung);
  tail.exponent = theory::by_exponentials(exponent);
  return tail;
}

}  // namespace gpe::checks
