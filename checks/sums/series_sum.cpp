#include "checks/sums/series_sum.h"

#include <algorithm>
#include <cmath>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/pieces.h"
#include "checks/sums/tail_integral.h"
#include "checks/sums/tail_rest.h"
#include "checks/sums/terms.h"
#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/derivative.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr std::int64_t kMostDirect = std::int64_t{1} << 22;
constexpr std::int64_t kManyTerms = 4096;
constexpr int kMostUndecided = 16;
constexpr double kMostTurning = 1e5;

// The integral itself is the trouble: a larger start will hardly help.
class NoIntegral : public theory::Undecided {
  using Undecided::Undecided;
};

bool has_exponential(const Expr& e) {
  const auto* call = e.as<theory::node::Call>();
  if (call != nullptr && call->function == theory::Function::exp && e.mentions(theory::kIndex)) return true;
  return std::ranges::any_of(children(e), has_exponential);
}

// Lower bounds of the sizes of sums that contain both: Z and D have positive terms alone; for S it is an aim.
Moments larger(const Moments& a, const Moments& b) {
  const Moments x = sizes(a);
  const Moments y = sizes(b);
  return {max(x.z, y.z, 64), max(x.s, y.s, 64), max(x.d, y.d, 64)};
}

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

SeriesSum::SeriesSum(Expr score, std::int64_t first, int digits, const theory::ConstantOracle& oracle,
                     Context::Clock::time_point deadline)
    : score_(std::move(score)),
      first_(first),
      digits_(digits),
      oracle_(oracle),
      deadline_(deadline),
      context_(oracle),
      bits_(working_bits(digits) + 32),
      accuracy_(bits_of_digits(digits) + 12),
      direct_last_(first - 1) {
  context_.set_deadline(deadline);
}

const SettledTail& SeriesSum::settled() {
  if (!settled_) settled_ = settled_tail(score_, first_, context_);
  return *settled_;
}

// The score's envelope; the score itself when nothing in it oscillates.
const SeriesSum::Around& SeriesSum::around() {
  for (std::int64_t from = std::max<std::int64_t>(settled().from, 1); !around_; from *= 2) {
    try {
      around_ = {envelope(settled().score, Rational(from), context_), Rational(from)};
    } catch (const theory::TimeUp&) {
      throw;
    } catch (const theory::Undecided&) {
      if (from > kMostDirect) throw;
    }
  }
  return *around_;
}

std::int64_t SeriesSum::first_start() {
  return std::max<std::int64_t>({settled().from, first_, 16 + digits_ / 2});
}

// Errors are measured against what is already summed, or against the first terms from `start` on.
Moments SeriesSum::scale_at(std::int64_t start, const Moments& head) {
  return start - first_ >= 8 ? head : sum_terms(score_, first_, start + 7, bits_, context_);
}

Moments SeriesSum::direct_to(std::int64_t last) {
  if (last < direct_last_) return sum_terms(score_, first_, last, bits_, context_);
  if (last - direct_last_ > kManyTerms && has_choices(score_)) {
    direct_ = plus(direct_, by_pieces(direct_last_ + 1, last), bits_);
  } else {
    direct_ = plus(direct_, added(direct_last_ + 1, last), bits_);
  }
  direct_last_ = last;
  return direct_;
}

// One by one; TimeUp as soon as it is clear that the time will not do.
Moments SeriesSum::added(std::int64_t from, std::int64_t to) {
  if (to - from >= kMostDirect) throw theory::Undecided("more than 4 million terms to add one by one");
  if (to - from < kManyTerms) return sum_terms(score_, from, to, bits_, context_);
  const auto begin = Context::Clock::now();
  const std::int64_t sample = kManyTerms / 4;
  const Moments some = sum_terms(score_, from, from + sample - 1, bits_, context_);
  const auto now = Context::Clock::now();
  if ((now - begin) * ((to - from) / sample) > 2 * (deadline_ - now)) throw theory::TimeUp();
  return plus(some, sum_terms(score_, from + sample, to, bits_, context_), bits_);
}

// Between the places where a condition, a minimum or a floor changes, as sums of what is left.
Moments SeriesSum::by_pieces(std::int64_t from, std::int64_t to) {
  const Expr whole = written_out(score_, context_);
  constexpr std::int64_t least = 64;
  int pieces = 0;
  int undecided = 0;
  Moments total;
  for (std::int64_t n = from; n <= to;) {
    context_.check_time();
    const auto until = decided_until(whole, Rational(n), Rational(to), Rational(least));
    ++(until ? pieces : undecided);
    if (undecided > kMostUndecided + 4 * pieces)
      throw theory::Undecided("conditions, minima or floors change too often to sum between them");
    const std::int64_t end = until ? *until->to_int64() : std::min(to, n + least - 1);
    if (!until || end - n < kManyTerms / 8) {
      total = plus(total, sum_terms(score_, n, end, bits_, context_), bits_);
    } else {
      const Expr piece =
          simplify(*decided_on(whole, Rational(n), Rational(end)), context_from(Rational(n), context_));
      SeriesSum sum(piece, n, digits_, oracle_, deadline_);
      total = plus(total, sum.up_to(Rational(end), {true, true}), bits_);
    }
    n = end + 1;
  }
  return total;
}

// E2 or E4 when that is below the accuracy.
std::optional<Ball> SeriesSum::small_rest(const Expr& g, const Rational& after, const Ball& size) {
  const Ball value = evaluate(g, {{theory::kIndex, Ball(after, 64)}}, 64);
  if (!value.is_finite()) return std::nullopt;
  const Ball least = abs(size).lower(64);
  // e^{G(N)} first: it is quickly computed
  if (!exp(value, 64).surely_less(scaled_down(least, accuracy_ - 2))) return std::nullopt;
  const auto small = [&](const std::optional<Ball>& bound) {
    return bound && bound->surely_less(scaled_down(least, accuracy_ - 4));
  };
  if (const auto bound = geometric_rest(g, after, context_); small(bound)) return bound;
  try {
    if (const auto bound = integral_rest(g, after, bits_, context_); small(bound)) return bound;
  } catch (const theory::TimeUp&) {
    throw;
  } catch (const theory::Undecided&) {
  }
  return std::nullopt;
}

// The sums beyond `after` when they are below the accuracy: E2 or E4 for G = A, A + log(-A), A + log n, with
// an envelope in place of an oscillating A.
std::optional<Moments> SeriesSum::negligible_beyond(const Rational& after, const Moments& scale,
                                                    Wanted want) {
  const auto& [envelope, from] = around();
  if (after < from) return std::nullopt;
  Moments result;
  const auto z = small_rest(envelope.above, after, scale.z);
  if (!z) return std::nullopt;
  result.z = *z;
  if (want.s) {  // |A| e^A <= -below·e^above, for above < 0
    if (!surely_below(envelope.above, Rational(0), after, context_)) return std::nullopt;
    const auto s = small_rest(envelope.above + theory::log(-envelope.below), after, scale.s);
    if (!s) return std::nullopt;
    result.s = *s;
  }
  if (want.d) {
    const auto d = small_rest(envelope.above + theory::log(Expr::symbol(theory::kIndex)), after, scale.d);
    if (!d) return std::nullopt;
    result.d = *d;
  }
  return result;
}

// ∫ over [start, ∞), each function in the coordinate in which it decays exponentially.
Moments SeriesSum::infinite_integral(const Rational& start, const Moments& scale, Wanted want) {
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
    try {
      const AnalyticTail tail = analytic_tail(weighted, start, level, context_);
      const IntegralOptions options{bits_, accuracy_ + 4, false, false, {size, Ball(0), Ball(0)}};
      return neg(tail_integral(tail, std::nullopt, options, context_).z);
    } catch (const theory::TimeUp&) {
      throw;
    } catch (const theory::Undecided&) {  // log(-A) has no coordinates: A as a factor
    }
  }
  const AnalyticTail tail = analytic_tail(a, start, level, context_);
  const IntegralOptions options{bits_, accuracy_ + 4, true, false, {Ball(0), size, Ball(0)}};
  return tail_integral(tail, std::nullopt, options, context_).s;
}

// Where an infinite sum is cut for its remainder bound. Beyond N2: Σ_{n>N2} f = ∫_{N2}^∞ f - θ f(N2), f
// decreasing; with the boundary terms at N2 left out, bound E3 in all.
std::optional<SeriesSum::FarEnd> SeriesSum::far_end(const AnalyticTail& tail, const Moments& scale,
                                                    Wanted want) {
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
                                          const Moments& scale, Wanted want) {
  const Expr& a = settled().score;
  if (last && turning(a, start, *last) > kMostTurning)
    throw theory::Undecided("the score oscillates too often up to n = " + last->str());
  const AnalyticTail tail = analytic_tail(a, start, 1, context_);
  const EulerMaclaurinAim aim{accuracy_ + 2, sizes(scale), want.s, want.d};
  std::optional<FarEnd> far;
  if (!last) {
    far = far_end(tail, scale, want);
    if (!far) return std::nullopt;
  }
  const auto plan = plan_euler_maclaurin(tail, last ? *last : far->at, aim, context_);
  if (!plan || (far && Rational(plan->order) > farthest_order(far->at))) return std::nullopt;
  Moments result = boundary_terms(a, start, plan->order, -1, want.s, want.d, bits_, context_);
  if (last) {
    result = plus(result, boundary_terms(a, *last, plan->order, 1, want.s, want.d, bits_, context_), bits_);
    const IntegralOptions options{bits_, accuracy_ + 4, want.s, want.d, aim.scale};
    result = plus(result, tail_integral(tail, *last, options, context_), bits_);
  } else {
    try {
      result = plus(result, infinite_integral(start, aim.scale, want), bits_);
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

// By the sums of the leading part A_0, |A - A_0| <= ε, with L1 and L2.
std::optional<Moments> SeriesSum::by_leading_part(const std::optional<Rational>& last, Wanted want) {
  const std::int64_t first = std::max<std::int64_t>(settled().from, 2L * digits_);
  for (std::int64_t start = first;
       start < std::max(100L * digits_, 2 * first) && (!last || Rational(start) < *last);
       start *= 2) {
    const auto leading = leading_part(start);
    if (!leading) continue;
    if (want.s && !surely_below(*leading, Rational(0), Rational(start), context_) &&
        !surely_below(-*leading, Rational(0), Rational(start), context_)) {
      continue;
    }
    const Moments head = direct_to(start - 1);
    SeriesSum rest(*leading, start, digits_, oracle_, deadline_);
    const Moments tail = last ? rest.up_to(*last, want) : rest.total(want);
    method_ = "first terms of the expansion from n = " + std::to_string(start) + "; " + rest.method();
    return plus(head, with_score_error(tail, Ball(Rational(1, 2).pow(accuracy_ + 4), 64)), bits_);
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

// A score that rises by more than σ a step from some a on: its last terms, and E6 for those between.
std::optional<Moments> SeriesSum::from_the_top(const Rational& last, Wanted want) {
  const Expr falling = -settled().score;
  const auto value = [&](const Expr& g, const Rational& n) {
    return evaluate(g, {{theory::kIndex, Ball(n, bits_ + static_cast<long>(n.bits()))}}, bits_);
  };
  const auto least = theory::derivative(settled().score, theory::kIndex);
  const Ball slope = value(least, last);
  if (!Ball(Rational(1, 200), 64).surely_less(slope)) return std::nullopt;
  for (std::int64_t from = std::max<std::int64_t>(settled().from, 16); Rational(from) < last; from *= 4) {
    const auto sigma = rate_of_fall(falling, Rational(from), Ball(from), 64, context_);
    if (!sigma) {
      if (from > kMostDirect / 64) return std::nullopt;
      continue;
    }
    // e^{-σk} below the accuracy, with room for n, |A| and the factor 1/(1 - e^{-σ})
    const Rational count = (Rational(accuracy_ + 64) / *sigma).ceil();
    if (count > Rational(kMostDirect / 64) || last - count <= Rational(from)) return std::nullopt;
    const Rational m = last - count;
    Moments result =
        plus(direct_to(from - 1), sum_terms(score_, m + Rational(1), last, bits_, context_), bits_);
    const Ball bound = rising_sum(settled().score, *sigma, m, bits_);
    const Ball most = add(abs(value(settled().score, m)), abs(value(settled().score, Rational(from))), 64);
    const Moments rest{bound, mul(most, bound, 64), mul(Ball(m, 64), bound, 64)};
    if (!small_beside(rest, sizes(result), accuracy_, want)) return std::nullopt;
    method_ = "sum of the last " + count.str() + " terms; the rest is below the last digit";
    return widened(result, rest);
  }
  return std::nullopt;
}

Moments SeriesSum::up_to(const Rational& last, Wanted want) {
  try {
    return smooth_up_to(last, want);
  } catch (const theory::TimeUp&) {
    throw;
  } catch (const theory::Undecided&) {
    if (!last.to_int64()) throw;
    return listed_up_to(last);
  }
}

Moments SeriesSum::listed_up_to(const Rational& last) {
  const auto end = last.to_int64();
  if (!end) throw theory::Undecided("too many terms to add one by one");
  const bool few = *end - first_ < kManyTerms || !has_choices(score_);
  method_ = few ? "sum of " + std::to_string(*end - first_ + 1) + " terms"
                : "sum between the changes of conditions, minima and floors";
  return direct_to(*end);
}

Moments SeriesSum::smooth_up_to(const Rational& last, Wanted want) {
  if (last - Rational(first_) < Rational(512 + 4L * digits_)) return listed_up_to(last);
  if (has_exponential(settled().score)) {
    if (const auto sum = by_leading_part(last, want)) return *sum;
  }
  if (const auto sum = from_the_top(last, want)) return *sum;
  const Moments top = sum_terms(score_, last, last, bits_, context_);
  std::int64_t start = first_start();
  for (int tries = 0; tries < 18 && Rational(start) < last; ++tries, start *= 2) {
    context_.check_time();
    const Moments head = direct_to(start - 1);
    if (const auto all = with_negligible_rest(start, head, want)) return *all;
    const Moments scale = larger(scale_at(start, head), top);
    if (const auto rest = negligible_beyond(last, scale, want)) {
      return with_rest(total(want), {neg(rest->z), neg(rest->s), neg(rest->d)}, want, bits_);
    }
    if (const auto tail = attempt(Rational(start), last, scale, want)) return plus(head, *tail, bits_);
  }
  throw theory::Undecided("no start found for Euler-Maclaurin summation");
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
