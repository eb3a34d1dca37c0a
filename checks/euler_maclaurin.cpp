#include "checks/euler_maclaurin.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "checks/complex_ball.h"
#include "checks/power_series.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr long kBoundBits = 64;

Ball magnitude(const Ball& x) { return abs(x).upper(kBoundBits); }

// 4 (2K)! (2πρ)^{-2K}/(2K - 1)
Ball remainder_factor(long order, const Rational& radius) {
  Ball factorial;
  arb_fac_ui(factorial.raw(), static_cast<ulong>(order), kBoundBits);
  const Ball base = mul(mul(Ball(2), Ball::pi(kBoundBits), kBoundBits), Ball(radius, kBoundBits), kBoundBits);
  const Ball power = pow(base, Rational(static_cast<std::int64_t>(order)), kBoundBits);
  return div(mul(Ball(4), factorial, kBoundBits), mul(power, Ball(order - 1), kBoundBits), kBoundBits);
}

// The panels' left ends: growing steps, at most a factor of 20 each (wider boxes of e^w lose their sign).
std::vector<Rational> panels(const Rational& start, const Rational& end) {
  std::vector<Rational> result = {start};
  Rational factor(5, 4);
  while (result.back() < end) {
    result.push_back(std::min(end, (result.back() * factor).ceil()));
    factor = std::min(Rational(16), factor * Rational(5, 4));
  }
  return result;
}

// Σ_i G_i x_i^{1-2K} for the three functions; nothing when some G_i is not finite.
std::optional<Moments> weighted_bounds(const AnalyticTail& tail, const Rational& end, const Rational& radius,
                                       long order, const theory::Context& clock) {
  const std::vector<Rational> x = panels(tail.start, end);
  Moments total;
  for (std::size_t i = 0; i + 1 < std::max<std::size_t>(2, x.size()); ++i) {
    clock.check_time();
    const Rational& low = x[i];
    const Rational& high = x[std::min(i + 1, x.size() - 1)];
    const Moments g = disc_bounds(tail, low, high, radius);
    if (!g.z.is_finite()) return std::nullopt;
    const Ball weight =
        pow(Ball(low, kBoundBits), Rational(static_cast<std::int64_t>(1 - order)), kBoundBits);
    total.z = add(total.z, mul(g.z, weight, kBoundBits), kBoundBits);
    total.s = add(total.s, mul(g.s, weight, kBoundBits), kBoundBits);
    total.d = add(total.d, mul(g.d, weight, kBoundBits), kBoundBits);
  }
  return total;
}

double log2_of(const Ball& positive) {
  const Ball value = log(positive, kBoundBits);
  return value.is_finite() ? value.approximate() * 1.4426950408889634 : 1e300;
}

}  // namespace

Moments disc_bounds(const AnalyticTail& tail, const Rational& low, const Rational& high,
                    const Rational& radius) {
  // w = log z: |Im w| <= asin ρ, Re w from log((1 - ρ) low) to log((1 + ρ) high)
  const Ball rho(radius, kBoundBits);
  const Ball least = log(mul(sub(Ball(1), rho, kBoundBits), Ball(low, kBoundBits), kBoundBits), kBoundBits);
  const Ball most = log(mul(add(Ball(1), rho, kBoundBits), Ball(high, kBoundBits), kBoundBits), kBoundBits);
  Ball angle;
  arb_asin(angle.raw(), rho.raw(), kBoundBits);
  const ComplexBall w(Ball::hull(least, most, kBoundBits), Ball::hull(neg(angle), angle, kBoundBits));
  const ComplexBall a = evaluate_complex(tail.in_log, w, kBoundBits, true);
  Moments result;
  if (!a.is_finite()) {
    result.z = result.s = result.d = Ball::unknown();
    return result;
  }
  result.z = magnitude(exp(a.real().upper(kBoundBits), kBoundBits));
  result.s = magnitude(mul(a.abs(kBoundBits), result.z, kBoundBits));
  result.d = magnitude(mul(exp(most, kBoundBits), result.z, kBoundBits));
  return result;
}

std::optional<EulerMaclaurinPlan> plan_euler_maclaurin(const AnalyticTail& tail, const Rational& end,
                                                       const EulerMaclaurinAim& aim,
                                                       const theory::Context& clock) {
  static const std::vector<Rational> radii = {{9, 10}, {7, 10}, {1, 2}, {3, 10}};
  const double start = tail.start.approximate();
  std::optional<EulerMaclaurinPlan> best;
  for (const Rational& radius : radii) {
    const Moments first = disc_bounds(tail, tail.start, (tail.start * Rational(5, 4)).ceil(), radius);
    if (!first.z.is_finite()) continue;
    // The least order that seems to do, from the first panel; log2 of E1 falls until 2K = 2πρM.
    const double excess = std::max({log2_of(first.z) - log2_of(aim.scale.z),
                                    aim.want_s ? log2_of(first.s) - log2_of(aim.scale.s) : -1e300,
                                    aim.want_d ? log2_of(first.d) - log2_of(aim.scale.d) : -1e300});
    const double rho = radius.approximate();
    const double needed = static_cast<double>(aim.accuracy) + 3 + excess + std::log2(start);
    long order = 0;
    for (long k = 4; static_cast<double>(k) < 2 * M_PI * rho * start && k < 20000; k += 2) {
      const double bits = -(2 + std::lgamma(static_cast<double>(k) + 1) / M_LN2 -
                            static_cast<double>(k) * std::log2(2 * M_PI * rho * start) -
                            std::log2(static_cast<double>(k - 1)));
      if (bits >= needed) {
        order = k;
        break;
      }
    }
    if (order == 0 || (best && best->order <= order)) continue;
    const auto weighted = weighted_bounds(tail, end, radius, order, clock);
    if (!weighted) continue;
    const Ball factor = remainder_factor(order, radius);
    const Moments remainder{mul(factor, weighted->z, kBoundBits), mul(factor, weighted->s, kBoundBits),
                            mul(factor, weighted->d, kBoundBits)};
    const auto small = [&](const Ball& error, const Ball& scale) {
      Ball limit = scale;
      arb_mul_2exp_si(limit.raw(), limit.raw(), -aim.accuracy);
      return error.is_finite() && error.surely_at_most(limit);
    };
    if (!small(remainder.z, aim.scale.z) || (aim.want_s && !small(remainder.s, aim.scale.s)) ||
        (aim.want_d && !small(remainder.d, aim.scale.d))) {
      continue;
    }
    best = EulerMaclaurinPlan{radius, order, remainder};
  }
  return best;
}

Moments boundary_terms(const theory::Expr& score, const Rational& x, long order, int sign, bool want_s,
                       bool want_d, long bits, const theory::Context& clock) {
  const Ball center(x, bits);
  const PowerSeries a = taylor(score, center, order + 1, bits, &clock);
  const SeriesOperations operations(order + 1, bits, &clock);
  const PowerSeries f = operations.call(theory::Function::exp, {a});
  std::vector<PowerSeries> functions = {f};
  if (want_s) functions.push_back(operations.mul(a, f));
  if (want_d) {
    PowerSeries n;
    n.set(0, center);
    n.set(1, Ball(1));
    functions.push_back(operations.mul(n, f));
  }
  std::vector<Ball> totals;
  for (const PowerSeries& function : functions) totals.push_back(div(function.coefficient(0), Ball(2), bits));
  Ball bernoulli;
  for (long k = 1; 2 * k <= order; ++k) {
    clock.check_time();
    arb_bernoulli_ui(bernoulli.raw(), static_cast<ulong>(2 * k), bits);
    const Ball factor = div(bernoulli, Ball(2 * k * sign), bits);
    for (std::size_t i = 0; i < functions.size(); ++i) {
      totals[i] = add(totals[i], mul(factor, functions[i].coefficient(2 * k - 1), bits), bits);
    }
  }
  Moments result;
  result.z = totals[0];
  result.s = want_s ? totals[1] : Ball::unknown();
  result.d = want_d ? totals[want_s ? 2 : 1] : Ball::unknown();
  return result;
}

}  // namespace gpe::checks
