#include "checks/sums/tail_bounds.h"
// Tests: tests/checks/sums/bounds_test.cpp
#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/arb/range.h"
#include "checks/halfline/half_line.h"
#include "checks/sums/analytic_tail.h"
#include "theory/asymptotics/convergence.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

std::optional<Ball> integral_beyond(const Expr& f, const Rational& from, const Ball& at, long bits,
                                    const Context& context) {
  const auto sigma = rate_of_fall(f, from, at, bits, context);
  if (!sigma) return std::nullopt;
  const Ball top = exp(evaluate(f, {{theory::kIndex, at}}, bits), bits);
  const Ball bound = div(top, Ball(*sigma, 64), 64);
  if (!bound.is_finite()) return std::nullopt;
  return bound.upper(64);
}

std::optional<Ball> geometric_bound(const Expr& g, const Rational& after, const Context& context) {
  const Ball here(after, 64);
  const auto sigma = rate_of_fall(g, after, here, 64, context);
  if (!sigma) return std::nullopt;
  Ball step;
  arb_expm1(step.raw(), Ball(*sigma, 64).raw(), 64);
  const long bits = 64 + static_cast<long>(after.bits());
  const Ball top = exp(evaluate(g, {{theory::kIndex, Ball(after, bits)}}, bits), 64);
  const Ball bound = div(top, step, 64);
  if (!bound.is_finite()) return std::nullopt;
  return bound.upper(64);
}

std::optional<Ball> integral_bound(const Expr& g, const Rational& after, long bits, const Context& context) {
  if (!surely_falls(g, Rational(0), after, context)) return std::nullopt;
  const theory::SumDecision decision = theory::decide_sum(g, context);
  if (!decision.converges) return std::nullopt;
  const AnalyticTail tail = analytic_tail(g, after, decision.level + 1, context);
  Ball v(after, bits);
  Rational from = after;
  for (int k = 0; k < tail.level; ++k) {
    v = log(v, bits);
    if (from <= Rational(1)) return std::nullopt;
    from = below_log(from);
  }
  return integral_beyond(tail.exponent, from, v, bits, context);
}

Ball rising_sum(const Expr& g, const Rational& sigma, const Rational& last, long bits) {
  Ball step;
  arb_expm1(step.raw(), Ball(-sigma, 64).raw(), 64);
  const long index_bits = bits + static_cast<long>(last.bits());
  const Ball top = exp(evaluate(g, {{theory::kIndex, Ball(last, index_bits)}}, bits), 64);
  return div(top, neg(step), 64).upper(64);
}

Moments between_bounds(const Expr& score, const Rational& after, const Rational& last, long bits,
                       const Context& context) {
  Moments result;
  for (Rational first = after + Rational(1); first <= last;) {
    context.check_time();
    const Rational end = std::min(last, first + (first / Rational(2)).floor());
    const Range a = over_block(score, block(first, end, bits), bits, context.budget());
    const Ball least = exp(a.low, bits);
    const Ball most = exp(a.high, bits);
    const Rational count = end - first + Rational(1);
    const Ball one = Ball::hull(least, most, bits);
    // t e^t falls to -1/e at t = -1 and rises from there
    Ball weighted = Ball::hull(mul(a.low, least, bits), mul(a.high, most, bits), bits);
    if (!Ball(-1).surely_less(a.low) && !a.high.surely_less(Ball(-1)))
      weighted = Ball::hull(weighted, neg(exp(Ball(-1), bits)), bits);
    result.z = add(result.z, mul(Ball(count, bits), one, bits), bits);
    result.s = add(result.s, mul(Ball(count, bits), weighted, bits), bits);
    result.d = add(result.d, mul(Ball((first + end) * count / Rational(2), bits), one, bits), bits);
    first = end + Rational(1);
  }
  return result;
}

}  // namespace gpe::checks
