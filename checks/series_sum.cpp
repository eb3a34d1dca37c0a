#include "checks/series_sum.h"

#include <algorithm>

#include "checks/expr_ball.h"
#include "checks/tail_integral.h"
#include "theory/derivative.h"
#include "theory/form_expr.h"
#include "theory/limit.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr std::int64_t kMostDirect = std::int64_t{1} << 22;

// The integral itself is the trouble: a larger start will hardly help.
class NoIntegral : public theory::Undecided {
  using Undecided::Undecided;
};

bool has_exponential(const Expr& e) {
  const auto* call = e.as<theory::node::Call>();
  if (call != nullptr && call->function == theory::Function::exp && e.mentions(theory::kIndex)) return true;
  return std::ranges::any_of(children(e), has_exponential);
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

std::int64_t SeriesSum::first_start() {
  return std::max<std::int64_t>({settled().from, first_, 16 + options_.digits / 2});
}

// Errors are measured against what is already summed, or against the first terms from `start` on.
Moments SeriesSum::scale_at(std::int64_t start, const Moments& head) {
  return start - first_ >= 8 ? head : sum_terms(score_, first_, start + 7, bits_, context_);
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
std::optional<Moments> SeriesSum::negligible_beyond(const Rational& after, const Moments& scale,
                                                    Wanted want) {
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
Moments SeriesSum::infinite_integral(const Rational& start, Wanted want) {
  const Expr& a = settled().score;
  const auto in_ladder = [&](const Expr& decaying, const Expr& score) {
    const theory::SumDecision decision = theory::decide_sum(decaying, context_);
    return analytic_tail(score, start, decision.level + 1, oracle_, deadline_);
  };
  const auto alone = [&](const Expr& g) {
    return tail_integral(in_ladder(g, g), std::nullopt, {bits_, accuracy_ + 4, false, false}, context_).z;
  };
  Moments result;
  result.z = alone(a);
  if (want.s && surely_below(a, Rational(0), start, context_)) {
    result.s = neg(alone(a + theory::log(-a)));
  } else if (want.s) {
    const AnalyticTail tail = in_ladder(a + theory::log(-a), a);
    result.s = tail_integral(tail, std::nullopt, {bits_, accuracy_ + 4, true, false}, context_).s;
  }
  if (want.d) result.d = alone(a + theory::log(Expr::symbol(theory::kIndex)));
  return result;
}

// Where an infinite sum is cut for its remainder bound. Beyond N2: Σ_{n>N2} f = ∫_{N2}^∞ f - θ f(N2), f
// decreasing; with the boundary terms at N2 left out, at most 5/2·G(N2) (bound E3).
std::optional<SeriesSum::FarEnd> SeriesSum::far_end(const AnalyticTail& tail, const Moments& scale,
                                                    Wanted want) {
  const Expr slope = theory::derivative(tail.in_log, theory::kIndex);
  const auto digits = static_cast<std::int64_t>(static_cast<double>(accuracy_) * 0.30103) + 6;
  Rational end = std::max(tail.start * Rational(4), Rational(10).pow(digits));
  for (int tries = 0; tries < 7; ++tries, end = end * end) {
    const Rational from = below_log(end);
    if (!surely_below(slope, Rational(want.d ? -1 : 0), from, context_)) continue;
    if (want.s && !surely_below(tail.in_log, Rational(-1), from, context_)) continue;
    const Moments far = disc_bounds(tail, end, end, Rational(3, 10));
    if (!far.z.is_finite()) continue;
    const Ball factor(Rational(5, 2), 64);
    const Moments rest{mul(factor, far.z, 64), mul(factor, far.s, 64), mul(factor, far.d, 64)};
    if (!small_beside(rest, sizes(scale), accuracy_, want)) continue;
    return FarEnd{end, rest};
  }
  return std::nullopt;
}

std::optional<Moments> SeriesSum::attempt(const Rational& start, const std::optional<Rational>& last,
                                          const Moments& scale, Wanted want) {
  const Expr& a = settled().score;
  const AnalyticTail tail = analytic_tail(a, start, 1, oracle_, deadline_);
  const EulerMaclaurinAim aim{accuracy_ + 2, sizes(scale), want.s, want.d};
  std::optional<FarEnd> far;
  if (!last) {
    far = far_end(tail, scale, want);
    if (!far) return std::nullopt;
  }
  const auto plan = plan_euler_maclaurin(tail, last ? *last : far->at, aim);
  if (!plan) return std::nullopt;
  Moments result = boundary_terms(a, start, plan->order, -1, want.s, want.d, bits_);
  if (last) {
    result = plus(result, boundary_terms(a, *last, plan->order, 1, want.s, want.d, bits_), bits_);
    result =
        plus(result, tail_integral(tail, *last, {bits_, accuracy_ + 4, want.s, want.d}, context_), bits_);
  } else {
    try {
      result = plus(result, infinite_integral(start, want), bits_);
    } catch (const theory::TimeUp&) {
      throw;
    } catch (const theory::Undecided& undecided) {
      throw NoIntegral(undecided.what());
    }
  }
  result = widened(result, plan->remainder);
  if (far) result = widened(result, far->rest);
  method_ = "Euler-Maclaurin from n = " + start.str() + ", " + std::to_string(plan->order) + " derivatives";
  return result;
}

std::optional<Moments> SeriesSum::with_negligible_rest(std::int64_t start, const Moments& head, Wanted want) {
  const auto rest = negligible_beyond(Rational(start - 1), head, want);
  if (!rest) return std::nullopt;
  method_ = "sum of " + std::to_string(start - first_) + " terms; the rest is below the last digit";
  return with_rest(head, *rest, want, bits_);
}

// A score with exponentials, such as log(n)·(exp(n + exp(-n)) - exp(n)): the first terms of its expansion,
// when what is left is below the last digit from `start` on.
std::optional<Expr> SeriesSum::leading_part(std::int64_t start) {
  const Rational small = Rational(1, 2).pow(accuracy_ + 4);
  for (int count = 1; count <= 3; ++count) {
    const Expr leading = add(theory::dominant_terms(settled().score, count, context_));
    if (has_exponential(leading)) return std::nullopt;
    const Expr error = settled().score - leading;
    if (surely_below(error, small, Rational(start), context_) &&
        surely_below(-error, small, Rational(start), context_)) {
      return leading;
    }
  }
  return std::nullopt;
}

// |Σ e^A - Σ e^{A_0}| <= 2ε Σ e^{A_0} and |Σ A e^A - Σ A_0 e^{A_0}| <= 2ε Σ (|A_0| + 1) e^{A_0} for |A - A_0|
// <= ε <= 1.
std::optional<Moments> SeriesSum::by_leading_part(const std::optional<Rational>& last, Wanted want) {
  for (std::int64_t start = std::max<std::int64_t>(settled().from, 2L * options_.digits);
       start < 100L * options_.digits && (!last || Rational(start) < *last); start *= 2) {
    const auto leading = leading_part(start);
    if (!leading) continue;
    const Moments head = direct_to(start - 1);
    SeriesSum rest(*leading, start, options_, oracle_, deadline_);
    const Moments tail = last ? rest.up_to(*last, want) : rest.total(want);
    Moments error{tail.z, add(abs(tail.s), tail.z, 64), tail.d};
    for (Ball* one : {&error.z, &error.s, &error.d}) *one = scaled_down(*one, accuracy_ + 3);
    method_ = "first terms of the expansion from n = " + std::to_string(start) + "; " + rest.method();
    return plus(head, widened(tail, error), bits_);
  }
  return std::nullopt;
}

Moments SeriesSum::total(Wanted want) {
  if (has_exponential(settled().score)) {
    if (const auto sum = by_leading_part(std::nullopt, want)) return *sum;
  }
  std::int64_t start = first_start();
  std::string trouble = "no start found for Euler-Maclaurin summation";
  int without_integral = 0;
  for (int tries = 0; tries < 18 && without_integral < 3; ++tries, start *= 2) {
    context_.check_time();
    const Moments head = direct_to(start - 1);
    if (const auto all = with_negligible_rest(start, head, want)) return *all;
    const Moments scale = scale_at(start, head);
    try {
      if (const auto tail = attempt(Rational(start), std::nullopt, scale, want))
        return plus(head, *tail, bits_);
    } catch (const theory::TimeUp&) {
      throw;
    } catch (const NoIntegral& none) {
      ++without_integral;
      trouble = none.what();
    } catch (const theory::Undecided& undecided) {
      trouble = undecided.what();
    }
  }
  throw theory::Undecided(trouble);
}

Moments SeriesSum::up_to(const Rational& last, Wanted want) {
  const auto small = last.to_int64();
  const std::int64_t cheap = 512 + 4L * options_.digits;
  const auto one_by_one = [&] {
    method_ = "sum of " + std::to_string(*small - first_ + 1) + " terms";
    return direct_to(*small);
  };
  if (small && *small - first_ < cheap) return one_by_one();
  std::string trouble = "no start found for Euler-Maclaurin summation";
  try {
    if (has_exponential(settled().score)) {
      if (const auto sum = by_leading_part(last, want)) return *sum;
    }
    std::int64_t start = first_start();
    for (int tries = 0; tries < 18 && Rational(start) < last; ++tries, start *= 2) {
      context_.check_time();
      const Moments head = direct_to(start - 1);
      if (const auto all = with_negligible_rest(start, head, want)) return *all;
      const Moments scale = scale_at(start, head);
      if (const auto rest = negligible_beyond(last, scale, want)) {
        return with_rest(total(want), {neg(rest->z), neg(rest->s), neg(rest->d)}, want, bits_);
      }
      if (const auto tail = attempt(Rational(start), last, scale, want)) return plus(head, *tail, bits_);
    }
  } catch (const theory::TimeUp&) {
    throw;
  } catch (const theory::Undecided& undecided) {
    trouble = undecided.what();
  }
  if (small && *small - first_ < kMostDirect) return one_by_one();
  throw theory::Undecided(trouble);
}

Moments SeriesSum::beyond(const Rational& after, Wanted want) {
  const Rational from = after + Rational(1);
  std::int64_t start = first_start();
  std::string trouble = "no start found for Euler-Maclaurin summation";
  for (int tries = 0; tries < 18; ++tries, start *= 2) {
    context_.check_time();
    const Rational begin = std::max(from, Rational(start));
    Moments head;
    if (begin - from > Rational(kMostDirect)) break;
    if (begin > from) head = sum_terms(score_, *from.to_int64(), *begin.to_int64() - 1, bits_, context_);
    Moments scale = head;  // or the first term of the tail
    if (!(begin > from)) {
      const Ball n(begin, bits_);
      const Ball score = evaluate(settled().score, {{theory::kIndex, n}}, bits_);
      scale.z = exp(score, bits_);
      scale.s = mul(score, scale.z, bits_);
      scale.d = mul(n, scale.z, bits_);
    }
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
