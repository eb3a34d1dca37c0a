// What a SeriesSum leaves out beyond the terms that it adds: remainders below its accuracy, and
// Euler-Maclaurin with the integral and a bound of what that leaves out (docs/bounds.md).
// Tests: tests/checks/sums/second_computation_test.cpp
#include "checks/sums/series_sum.h"

#include <algorithm>
#include <cmath>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/halfline/half_line.h"
#include "checks/sums/tail_bounds.h"
#include "checks/sums/tail_integral.h"
#include "theory/asymptotics/convergence.h"
#include "theory/exact/attempt.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

namespace {

constexpr double kMaxTurning = 1e5;

// How far the arguments of sin and cos run between two places, at most; for choosing what to try.
double turning(const Expr& e, const Rational& from, const Rational& to) {
  if (!e.mentions(theory::kIndex)) return 0;
  const auto* call = e.as<theory::node::Call>();
  if (call != nullptr &&
      (call->function == theory::Function::sin || call->function == theory::Function::cos)) {
    const Expr& angle = call->arguments.front();
    const auto at = [&](const Rational& n) { return evaluate(angle, {{theory::kIndex, Ball(n, 128)}}, 128); };
    return std::abs(sub(at(to), at(from), 64).approximate());
  }
  double most = 0;
  for (const Expr& child : children(e)) most = std::max(most, turning(child, from, to));
  return most;
}

Ball scaled_down(const Ball& x, long bits) {
  Ball result = x;
  arb_mul_2exp_si(result.raw(), result.raw(), -bits);
  return result;
}

}  // namespace

// E2 or E4 when that is below the accuracy.
std::optional<Ball> SeriesSum::small_remainder(const Expr& g, const Rational& after, const Ball& size) {
  const Ball value = evaluate(g, {{theory::kIndex, Ball(after, 64)}}, 64);
  if (!value.is_finite()) return std::nullopt;
  const Ball least = abs(size).lower(64);
  // e^{G(N)} first: it is quickly computed
  if (!exp(value, 64).surely_less(scaled_down(least, accuracy_ - 2))) return std::nullopt;
  const auto small = [&](const std::optional<Ball>& bound) {
    return bound && bound->surely_less(scaled_down(least, accuracy_ - 4));
  };
  if (const auto bound = geometric_bound(g, after, context_); small(bound)) return bound;
  const auto bound = theory::attempt_in_time([&] {
                       return integral_bound(g, after, bits_, context_);
                     }).value_or(std::nullopt);
  return small(bound) ? bound : std::nullopt;
}

// The sums beyond `after` when they are below the accuracy: E2 or E4 for G = A, A + log(-A), A + log n, with
// an envelope in place of an oscillating A.
std::optional<Moments> SeriesSum::negligible_beyond(const Rational& after, const Moments& scale,
                                                    WantedMoments want) {
  const auto& [envelope, from] = around();
  if (after < from) return std::nullopt;
  Moments result;
  const auto z = small_remainder(envelope.above, after, scale.z);
  if (!z) return std::nullopt;
  result.z = *z;
  if (want.s) {  // |A| e^A <= -below·e^above, for above < 0
    if (!surely_below(envelope.above, Rational(0), after, context_)) return std::nullopt;
    const auto s = small_remainder(envelope.above + theory::log(-envelope.below), after, scale.s);
    if (!s) return std::nullopt;
    result.s = *s;
  }
  if (want.d) {
    const auto d =
        small_remainder(envelope.above + theory::log(Expr::symbol(theory::kIndex)), after, scale.d);
    if (!d) return std::nullopt;
    result.d = *d;
  }
  return result;
}

// ∫ over [start, ∞), each function in the coordinate in which it decays exponentially.
Moments SeriesSum::infinite_integral(const Rational& start, const Moments& scale, WantedMoments want) {
  const Expr& a = settled().score;
  const auto alone = [&](const Expr& g, const Ball& size) {
    const AnalyticTail tail = analytic_tail(g, start, theory::decide_sum(g, context_).level + 1, context_);
    const IntegralOptions options{bits_, accuracy_ + 4, false, false, {size, Ball(0), Ball(0)}};
    return tail_integral(tail, std::nullopt, options, context_).z;
  };
  Moments result;
  result.z = alone(a, scale.z);
  if (want.s) result.s = infinite_integral_of_s(start, scale.s);
  if (want.d) result.d = alone(a + theory::log(Expr::symbol(theory::kIndex)), scale.d);
  return result;
}

// ∫ A e^A: of one sign as -∫ e^{A + log(-A)}, else with A as a factor.
Ball SeriesSum::infinite_integral_of_s(const Rational& start, const Ball& size) {
  const Expr& a = settled().score;
  const Expr weighted = a + theory::log(-a);
  const int level = theory::decide_sum(weighted, context_).level + 1;
  if (surely_below(a, Rational(0), start, context_)) {
    const auto found = theory::attempt_in_time([&] {
      const AnalyticTail tail = analytic_tail(weighted, start, level, context_);
      const IntegralOptions options{bits_, accuracy_ + 4, false, false, {size, Ball(0), Ball(0)}};
      return neg(tail_integral(tail, std::nullopt, options, context_).z);
    });
    if (found) return *found;  // else log(-A) has no coordinates: A as a factor
  }
  const AnalyticTail tail = analytic_tail(a, start, level, context_);
  const IntegralOptions options{bits_, accuracy_ + 4, true, false, {Ball(0), size, Ball(0)}};
  return tail_integral(tail, std::nullopt, options, context_).s;
}

// Where an infinite sum is cut for its remainder bound. Beyond N2: Σ_{n>N2} f = ∫_{N2}^∞ f - θ f(N2), f
// decreasing; with the boundary terms at N2 left out, bound E3 in all.
std::optional<SeriesSum::FarEnd> SeriesSum::far_end(const AnalyticTail& tail, const Moments& scale,
                                                    WantedMoments want) {
  const std::int64_t digits = digits_of_bits(accuracy_) + 6;
  Rational end = std::max(tail.start * Rational(4), Rational(10).pow(digits));
  for (int tries = 0; tries < 7; ++tries, end = end * end) {
    const Rational from = below_log(end);
    if (!surely_falls(tail.in_log, Rational(want.d ? 1 : 0), from, context_)) continue;
    if (want.s && !surely_below(tail.in_log, Rational(-1), from, context_)) continue;
    const Moments rest = far_boundary(tail, end);
    if (!small_beside(rest, sizes(scale), accuracy_, want)) continue;
    return FarEnd{end, rest};
  }
  return std::nullopt;
}

std::optional<Moments> SeriesSum::attempt(const Rational& start, const std::optional<Rational>& last,
                                          const Moments& scale, WantedMoments want) {
  const Expr& a = settled().score;
  if (last && turning(a, start, *last) > kMaxTurning)
    throw theory::Undecided("the score oscillates too often up to n = " + last->str());
  const AnalyticTail tail = analytic_tail(a, start, 1, context_);
  const EulerMaclaurinAim aim{accuracy_ + 2, sizes(scale), want.s, want.d};
  std::optional<FarEnd> far;
  if (!last) {
    far = far_end(tail, scale, want);
    if (!far) return std::nullopt;
  }
  const auto plan = plan_euler_maclaurin(tail, last ? *last : far->at, aim, context_);
  if (!plan || (far && Rational(std::int64_t{plan->order}) > farthest_order(far->at))) return std::nullopt;
  Moments result = boundary_terms(a, start, plan->order, -1, want.s, want.d, bits_, context_);
  if (last) {
    result = plus(result, boundary_terms(a, *last, plan->order, 1, want.s, want.d, bits_, context_), bits_);
    const IntegralOptions options{bits_, accuracy_ + 4, want.s, want.d, aim.scale};
    result = plus(result, tail_integral(tail, *last, options, context_), bits_);
  } else {
    const auto beyond = theory::attempt_in_time([&] { return infinite_integral(start, aim.scale, want); });
    if (!beyond) throw NoIntegral(beyond.reason());
    result = plus(result, *beyond, bits_);
  }
  result = widened(result, plan->remainder);
  if (far) result = widened(result, far->rest);
  method_ = "Euler-Maclaurin from n = " + start.str() + ", " + std::to_string(plan->order) + " derivatives";
  return result;
}

std::optional<Moments> SeriesSum::with_negligible_remainder(std::int64_t start, const Moments& head,
                                                            WantedMoments want) {
  const auto rest = negligible_beyond(Rational(start - 1), head, want);
  if (!rest) return std::nullopt;
  method_ = "sum of " + std::to_string(start - first_) + " terms; the rest is below the last digit";
  return with_remainder(head, *rest, want, bits_);
}

}  // namespace gpe::checks
