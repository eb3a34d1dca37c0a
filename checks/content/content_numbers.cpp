#include "checks/content/content_numbers.h"

#include "theory/asymptotics/convergence.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

// Σ e^score as a law without content.
EnclosedNumber sum_of(const theory::ScoreFunction& law, const Expr& score,
                      const std::optional<Rational>& length, int digits, const Context& context) {
  theory::ScoreFunction alone = law;
  alone.bias = score;
  if (!length) return enclose_sums(alone, digits, context).z;
  const PartialSum sum = enclose_partial_sum(alone, *length, digits, context);
  if (!sum.reason.empty()) return {Finite::yes, Ball::unknown(), sum.reason};
  return {Finite::yes, sum.z, ""};
}

}  // namespace

ContentNumbers content_numbers(const theory::ScoreFunction& law, const Rational& bound,
                               const std::optional<Rational>& length, const ContentQuestion& asked,
                               int digits, const Context& context) {
  if (law.path) {
    ContentNumbers result = content_numbers(theory::with_constant_gate(law, law.path->high), bound, length,
                                            asked, digits, context);
    result.over_gates =
        OverGates{entropy_band_over_gates(law, result.band, bound, length, digits, context), {}};
    for (const Rational& weight : asked.weights)
      result.over_gates->reach.push_back(reach_over_gates(law, weight, bound, length, context));
    return result;
  }
  ContentNumbers result;
  result.bound = bound;
  result.z_least = sum_of(law, theory::score_below(law, Expr(bound)), length, digits, context);
  result.z_most = sum_of(law, theory::score_above(law, Expr(bound)), length, digits, context);
  result.band = entropy_band(law, bound, length, digits, context);
  for (const Rational& epsilon : asked.epsilons)
    result.windows.push_back(effective_window(law, epsilon, bound, length, context));
  for (const Rational& weight : asked.weights)
    result.reach.push_back(reach(law, weight, bound, length, context));
  return result;
}

}  // namespace gpe::checks
