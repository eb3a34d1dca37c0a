#include "checks/sums/euler_maclaurin.h"
// Tests: tests/checks/sums/bounds_test.cpp
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "checks/arb/complex_ball.h"
#include "checks/arb/power_series.h"
#include "checks/arb/precision.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr long kMaxOrder = 20000;
const Rational kFarRadius(3, 10);  // ρ of E3

Ball magnitude(const Ball& x) { return abs(x).upper(kBoundBits); }

// 4 (2K)! (2π)^{-2K}/(2K - 1)
Ball remainder_factor(long order) {
  Ball factorial;
  arb_fac_ui(factorial.raw(), static_cast<ulong>(order), kBoundBits);
  const Ball base = mul(Ball(2), Ball::pi(kBoundBits), kBoundBits);
  const Ball power = pow(base, Rational(static_cast<std::int64_t>(order)), kBoundBits);
  return div(mul(Ball(4), factorial, kBoundBits), mul(power, Ball(order - 1), kBoundBits), kBoundBits);
}

double log2_of(const Ball& positive) {
  const Ball value = log(positive, kBoundBits);
  return value.is_finite() ? value.approximate() * 1.4426950408889634 : 1e300;
}

// ρ from wide to narrow: a score that rises steeply is bounded on small discs only.
const std::vector<Rational>& radii() {
  static const std::vector<Rational> all = [] {
    std::vector<Rational> result = {{9, 10}, {7, 10}, {1, 2}, {3, 10}};
    for (Rational radius(1, 10); radius > Rational(10).pow(-16); radius /= Rational(4))
      result.push_back(radius);
    return result;
  }();
  return all;
}

// Part of the range, with the bounds of |f| there for every ρ asked for so far.
class Panel {
 public:
  Panel(Rational low, Rational high) : low_(std::move(low)), high_(std::move(high)) {}

  const Rational& low() const { return low_; }

  // G ρ^{-2K} x^{1-2K} for the ρ that makes it least, looked for on both sides of `place`, which is set to
  // it.
  std::optional<Moments> weighted(const AnalyticTail& tail, long order, std::size_t& place) {
    const auto size = [&](std::size_t i) {
      return log2_bound(tail, i) - static_cast<double>(order) * log2_radius(i);
    };
    double best = size(place);
    for (const int step : {1, -1}) {
      for (std::size_t next = place + static_cast<std::size_t>(step); next < radii().size();
           next += static_cast<std::size_t>(step)) {
        const double other = size(next);
        if (other >= best && best < kNone) break;
        if (other < best) {
          best = other;
          place = next;
        }
      }
    }
    if (best >= kNone) return std::nullopt;
    const Moments& g = *bounds_.at(place);
    const Ball reach = mul(Ball(radii()[place], kBoundBits), Ball(low_, kBoundBits), kBoundBits);
    const Ball weight = mul(pow(reach, Rational(static_cast<std::int64_t>(-order)), kBoundBits),
                            Ball(low_, kBoundBits), kBoundBits);
    return Moments{mul(g.z, weight, kBoundBits), mul(g.s, weight, kBoundBits), mul(g.d, weight, kBoundBits)};
  }

  double log2_bound(const AnalyticTail& tail, std::size_t i) {
    auto [at, fresh] = bounds_.try_emplace(i);
    if (fresh) {
      const Moments g = disc_bounds(tail, low_, high_, radii()[i]);
      if (g.z.is_finite() && g.s.is_finite() && g.d.is_finite()) at->second = g;
    }
    return at->second ? log2_of(at->second->z) : kNone;
  }
  const Moments* bound(std::size_t i) const {
    const auto at = bounds_.find(i);
    return at == bounds_.end() || !at->second ? nullptr : &*at->second;
  }

 private:
  static constexpr double kNone = 1e299;
  static double log2_radius(std::size_t i) { return std::log2(radii()[i].approximate()); }

  Rational low_;
  Rational high_;
  std::map<std::size_t, std::optional<Moments>> bounds_;
};

// Growing steps, at most a factor of 20 each (wider boxes of e^w lose their sign).
std::vector<Panel> panels(const Rational& start, const Rational& end) {
  std::vector<Panel> result;
  Rational low = start;
  Rational factor(5, 4);
  do {
    const Rational high = std::min(std::max(end, start), (low * factor).ceil());
    result.emplace_back(low, high);
    low = high;
    factor = std::min(Rational(16), factor * Rational(5, 4));
  } while (low < end);
  return result;
}

// Σ_i G_i ρ_i^{-2K} x_i^{1-2K} for the three functions; nothing when some G_i is not finite.
std::optional<Moments> weighted_bounds(std::vector<Panel>& all, const AnalyticTail& tail, long order,
                                       std::size_t place, const theory::Context& clock) {
  Moments total;
  for (Panel& panel : all) {
    clock.check_time();
    const auto one = panel.weighted(tail, order, place);
    if (!one) return std::nullopt;
    total = plus(total, *one, kBoundBits);
  }
  return total;
}

// The least order for which E1 on the first panel alone is below the aim; log2 of it falls until 2K = 2πρM.
long least_order(Panel& first, const AnalyticTail& tail, const EulerMaclaurinAim& aim, std::size_t& place) {
  const double start = first.low().approximate();
  long least = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    if (first.log2_bound(tail, i) > 1e298) continue;
    const Moments& g = *first.bound(i);
    const double excess = std::max({log2_of(g.z) - log2_of(aim.scale.z),
                                    aim.want_s ? log2_of(g.s) - log2_of(aim.scale.s) : -1e300,
                                    aim.want_d ? log2_of(g.d) - log2_of(aim.scale.d) : -1e300});
    const double reach = 2 * M_PI * radii()[i].approximate() * start;
    const double needed = static_cast<double>(aim.accuracy) + 3 + excess + std::log2(start);
    for (long k = 4; static_cast<double>(k) < reach && k < kMaxOrder && (least == 0 || k < least); k += 2) {
      const double bits =
          -(2 + std::lgamma(static_cast<double>(k) + 1) / M_LN2 - static_cast<double>(k) * std::log2(reach) -
            std::log2(static_cast<double>(k - 1)));
      if (bits >= needed) {
        least = k;
        place = i;
        break;
      }
    }
  }
  return least;
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

Moments far_boundary(const AnalyticTail& tail, const Rational& end) {
  const Moments g = disc_bounds(tail, end, end, kFarRadius);
  const Ball factor(Rational(1, 2) + Rational(1) / (Rational(11) * kFarRadius * end), kBoundBits);
  return {mul(factor, g.z, kBoundBits), mul(factor, g.s, kBoundBits), mul(factor, g.d, kBoundBits)};
}

Rational farthest_order(const Rational& end) { return kFarRadius * end; }

std::optional<EulerMaclaurinPlan> plan_euler_maclaurin(const AnalyticTail& tail, const Rational& end,
                                                       const EulerMaclaurinAim& aim,
                                                       const theory::Context& clock) {
  std::vector<Panel> all = panels(tail.start, end);
  std::size_t place = 0;
  long order = least_order(all.front(), tail, aim, place);
  if (order == 0) return std::nullopt;
  for (int tries = 0; tries < 4 && order < kMaxOrder; ++tries, order += order / 4 * 2) {
    const auto weighted = weighted_bounds(all, tail, order, place, clock);
    if (!weighted) return std::nullopt;
    const Ball factor = remainder_factor(order);
    const Moments remainder{mul(factor, weighted->z, kBoundBits), mul(factor, weighted->s, kBoundBits),
                            mul(factor, weighted->d, kBoundBits)};
    if (small_beside(remainder, aim.scale, aim.accuracy, {aim.want_s, aim.want_d}))
      return EulerMaclaurinPlan{order, remainder};
  }
  return std::nullopt;
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
  result.d = want_d ? totals.back() : Ball::unknown();
  return result;
}

}  // namespace gpe::checks
