#include "checks/series_sum.h"

#include <algorithm>

#include "checks/expr_ball.h"
#include "checks/tail_integral.h"
#include "theory/derivative.h"
#include "theory/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr std::int64_t kMostDirect = std::int64_t{1} << 22;

Moments plus(const Moments& a, const Moments& b, long bits) {
  return {add(a.z, b.z, bits), add(a.s, b.s, bits), add(a.d, b.d, bits)};
}

Moments widened(const Moments& a, const Moments& error) {
  return {a.z.widened(error.z), a.s.widened(error.s), a.d.widened(error.d)};
}

Ball scaled_down(const Ball& x, long bits) {
  Ball result = x;
  arb_mul_2exp_si(result.raw(), result.raw(), -bits);
  return result;
}

}  // namespace

SeriesSum::SeriesSum(Expr score, std::int64_t first, const SumOptions& options,
                     const theory::ConstantOracle& oracle, Context::Clock::time_point deadline)
    : score_(std::move(score)),
      first_(first),
      options_(options),
      oracle_(oracle),
      deadline_(deadline),
      context_(oracle),
      bits_(bits_for(options.digits) + 32),
      accuracy_(static_cast<long>(3.3220 * options.digits) + 12),
      direct_last_(first - 1) {
  context_.set_deadline(deadline);
}

const SettledTail& SeriesSum::settled() {
  if (!settled_) settled_ = settled_tail(score_, first_, context_);
  return *settled_;
}

Moments SeriesSum::direct_to(std::int64_t last) {
  if (last - direct_last_ > kMostDirect)
    throw theory::Undecided("more than 4 million terms to add one by one");
  if (last < direct_last_) return sum_terms(score_, first_, last, bits_, context_);
  direct_ = plus(direct_, sum_terms(score_, direct_last_ + 1, last, bits_, context_), bits_);
  direct_last_ = last;
  return direct_;
}

// The sums beyond `after` when they are below the accuracy: Σ_{n>N} e^G <= e^{G(N)}/(e^σ - 1) when G' <= -σ
// on [N, ∞) (bound E2, docs/bounds.md), for G = A, A + log(-A), A + log n.
std::optional<Moments> SeriesSum::negligible_beyond(const Rational& after, const Moments& scale, Want want) {
  const Expr& a = settled().score;
  const Expr n = Expr::symbol(theory::kIndex);
  const Ball here(after, 64);
  const auto bounded = [&](const Expr& g, const Ball& size) -> std::optional<Ball> {
    const Ball value = evaluate(g, {{theory::kIndex, here}}, 64);
    if (!value.is_finite()) return std::nullopt;
    const Ball wanted = scaled_down(abs(size).lower(64), accuracy_ - 2);
    if (!exp(value, 64).surely_less(wanted)) return std::nullopt;
    const Expr slope = theory::derivative(g, theory::kIndex);
    const auto ends = evaluate(slope, {{theory::kIndex, here}}, 64).ends();
    if (!ends || ends->high.sign() >= 0) return std::nullopt;
    const Rational sigma = ((-ends->high) * Rational(3, 4) * Rational(1 << 20)).floor() / Rational(1 << 20);
    if (sigma.sign() <= 0 || !surely_below(slope, -sigma, after, context_)) return std::nullopt;
    Ball step;
    arb_expm1(step.raw(), Ball(sigma, 64).raw(), 64);
    const Ball bound = div(exp(value, 64), step, 64).upper(64);
    if (!bound.surely_less(scaled_down(abs(size).lower(64), accuracy_ - 4))) return std::nullopt;
    return bound;
  };
  Moments result;
  const auto z = bounded(a, scale.z);
  if (!z) return std::nullopt;
  result.z = *z;
  if (want.s) {
    const auto s = bounded(a + theory::log(-a), scale.s);
    if (!s) return std::nullopt;
    result.s = *s;
  }
  if (want.d) {
    const auto d = bounded(a + theory::log(n), scale.d);
    if (!d) return std::nullopt;
    result.d = *d;
  }
  return result;
}

// ∫ over [start, ∞), each function in the coordinate in which it decays exponentially.
Moments SeriesSum::infinite_integral(const Rational& start, Want want) {
  const Expr& a = settled().score;
  const IntegralOptions o{bits_, accuracy_ + 4, false, false};
  const auto integral = [&](const Expr& g) {
    const theory::SumDecision decision = theory::decide_sum(g, context_);
    const AnalyticTail tail = analytic_tail(g, start, decision.level + 1, oracle_, deadline_);
    return tail_integral(tail, std::nullopt, o, context_).z;
  };
  Moments result;
  result.z = integral(a);
  if (want.s) result.s = neg(integral(a + theory::log(-a)));
  if (want.d) result.d = integral(a + theory::log(Expr::symbol(theory::kIndex)));
  return result;
}

std::optional<Moments> SeriesSum::attempt(const Rational& start, const std::optional<Rational>& last,
                                          const Moments& scale, Want want) {
  const Expr& a = settled().score;
  const AnalyticTail tail = analytic_tail(a, start, 1, oracle_, deadline_);
  EulerMaclaurinAim aim{accuracy_ + 2, scale, want.s, want.d};
  Moments extra;
  Rational end = last.value_or(start);
  if (!last) {
    // Beyond N2: Σ_{n>N2} f = ∫_{N2}^∞ f - θ f(N2); with the boundary terms at N2 left out, at most 5/2·G(N2)
    // (E3).
    const auto digits = static_cast<std::int64_t>(static_cast<double>(accuracy_) * 0.30103) + 6;
    end = std::max(start * Rational(4), Rational(10).pow(digits));
    const Expr slope = theory::derivative(tail.in_log, theory::kIndex);
    const Rational from = below_log(end);
    if (!surely_below(slope, Rational(want.d ? -1 : 0), from, context_)) return std::nullopt;
    if (want.s && !surely_below(tail.in_log, Rational(-1), below_log(start), context_)) return std::nullopt;
    const Moments far = disc_bounds(tail, end, end, Rational(3, 10));
    if (!far.z.is_finite()) return std::nullopt;
    const Ball factor(Rational(5, 2), 64);
    extra = {mul(factor, far.z, 64), mul(factor, far.s, 64), mul(factor, far.d, 64)};
  }
  const auto plan = plan_euler_maclaurin(tail, end, aim);
  if (!plan) return std::nullopt;
  Moments result = boundary_terms(a, start, plan->order, -1, want.s, want.d, bits_);
  if (last) {
    result = plus(result, boundary_terms(a, *last, plan->order, 1, want.s, want.d, bits_), bits_);
    result =
        plus(result, tail_integral(tail, *last, {bits_, accuracy_ + 4, want.s, want.d}, context_), bits_);
  } else {
    result = plus(result, infinite_integral(start, want), bits_);
  }
  result = widened(widened(result, plan->remainder), extra);
  method_ = "Euler-Maclaurin from n = " + start.str() + ", " + std::to_string(plan->order) + " derivatives";
  return result;
}

Moments SeriesSum::total(Want want) {
  std::int64_t start = std::max<std::int64_t>({settled().from, first_, 16 + options_.digits / 2});
  std::string trouble = "no start found for Euler-Maclaurin summation";
  for (int tries = 0; tries < 18; ++tries, start *= 2) {
    context_.check_time();
    const Moments head = direct_to(start - 1);
    if (const auto rest = negligible_beyond(Rational(start - 1), head, want)) {
      method_ = "sum of " + std::to_string(start - first_) + " terms; the rest is below the last digit";
      Moments result = head;
      result.z = Ball::hull(result.z, add(result.z, rest->z, bits_), bits_);
      if (want.s) result.s = Ball::hull(result.s, sub(result.s, rest->s, bits_), bits_);
      if (want.d) result.d = Ball::hull(result.d, add(result.d, rest->d, bits_), bits_);
      return result;
    }
    try {
      if (const auto tail = attempt(Rational(start), std::nullopt, head, want))
        return plus(head, *tail, bits_);
    } catch (const theory::TimeUp&) {
      throw;
    } catch (const theory::Undecided& undecided) {
      trouble = undecided.what();
    }
  }
  throw theory::Undecided(trouble);
}

Moments SeriesSum::up_to(const Rational& last, Want want) {
  const auto small = last.to_int64();
  const std::int64_t cheap = 512 + 4L * options_.digits;
  if (small && *small - first_ < cheap) {
    method_ = "sum of " + std::to_string(*small - first_ + 1) + " terms";
    return direct_to(*small);
  }
  std::string trouble = "no start found for Euler-Maclaurin summation";
  try {
    std::int64_t start = std::max<std::int64_t>({settled().from, first_, 16 + options_.digits / 2});
    for (int tries = 0; tries < 18 && Rational(start) < last; ++tries, start *= 2) {
      context_.check_time();
      const Moments head = direct_to(start - 1);
      if (const auto tail = attempt(Rational(start), last, head, want)) return plus(head, *tail, bits_);
    }
  } catch (const theory::TimeUp&) {
    throw;
  } catch (const theory::Undecided& undecided) {
    trouble = undecided.what();
  }
  if (small && *small - first_ < kMostDirect) {
    method_ = "sum of " + std::to_string(*small - first_ + 1) + " terms";
    return direct_to(*small);
  }
  throw theory::Undecided(trouble);
}

Moments SeriesSum::beyond(const Rational& after, Want want) {
  const Rational from = after + Rational(1);
  std::int64_t start = std::max<std::int64_t>({settled().from, first_, 16 + options_.digits / 2});
  std::string trouble = "no start found for Euler-Maclaurin summation";
  for (int tries = 0; tries < 18; ++tries, start *= 2) {
    context_.check_time();
    const Rational begin = std::max(from, Rational(start));
    Moments head;
    if (begin > from) head = sum_terms(score_, *from.to_int64(), *begin.to_int64() - 1, bits_, context_);
    // the scale: the first few terms of the tail
    const std::int64_t probe = begin.to_int64().value_or(0);
    Moments scale = head;
    if (!(begin > from) && probe > 0) scale = sum_terms(score_, probe, probe + 3, bits_, context_);
    try {
      if (const auto tail = attempt(begin, std::nullopt, scale, want)) return plus(head, *tail, bits_);
    } catch (const theory::TimeUp&) {
      throw;
    } catch (const theory::Undecided& undecided) {
      trouble = undecided.what();
    }
  }
  throw theory::Undecided(trouble);
}

}  // namespace gpe::checks
