#include "checks/sums/iterated_log_bound.h"
// Tests: tests/checks/sums/bounds_test.cpp
#include <array>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/halfline/half_line.h"
#include "theory/asymptotics/convergence.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

namespace {

// The least of a few constants with value <= C at N for which h < C is proved on [N, ∞).
std::optional<Rational> constant_above(const Expr& h, const Rational& after, const theory::Context& context) {
  const auto ends = evaluate(h, {{theory::kIndex, Ball(after, kBoundBits)}}, kBoundBits).ends();
  if (!ends) return std::nullopt;
  for (const Rational& slack : {Rational(1, 100), Rational(1, 4), Rational(2), Rational(10)}) {
    const Rational bound = ((ends->high + slack) * Rational(1 << 20)).ceil() / Rational(1 << 20);
    if (surely_below(h, bound, after, context)) return bound;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Ball> iterated_log_bound(const Expr& g, const Rational& after, const theory::Context& context) {
  static const std::array<Rational, 9> rates = {
      {{4}, {2}, {1}, {1, 2}, {1, 4}, {1, 10}, {1, 100}, {1, 1000}, {1, 1000000}}};
  const theory::SumDecision decision = theory::decide_sum(g, context);
  if (!decision.converges) return std::nullopt;
  Expr iterated_log = Expr::symbol(theory::kIndex);
  Expr sum_of_logs(0);
  Ball last_log(after, kBoundBits);  // L_k(N)
  for (int k = 0; k < decision.level; ++k) {
    iterated_log = theory::log(iterated_log);
    sum_of_logs = sum_of_logs + iterated_log;
    last_log = log(last_log, kBoundBits);
  }
  iterated_log = theory::log(iterated_log);
  const Ball logarithm =
      log(last_log, kBoundBits);  // L_{k+1}(N); finite: every iterated logarithm before it is positive at N
  if (!logarithm.is_finite()) return std::nullopt;
  std::optional<Ball> best;
  for (const Rational& eta : rates) {
    context.check_time();
    const auto constant =
        constant_above(g + sum_of_logs + Expr(Rational(1) + eta) * iterated_log, after, context);
    if (!constant) continue;
    const Ball top =
        sub(Ball(*constant, kBoundBits), mul(Ball(eta, kBoundBits), logarithm, kBoundBits), kBoundBits);
    const Ball bound = div(exp(top, kBoundBits), Ball(eta, kBoundBits), kBoundBits).upper(kBoundBits);
    if (!best || bound.surely_less(*best)) best = bound;
  }
  return best;
}

}  // namespace gpe::checks
