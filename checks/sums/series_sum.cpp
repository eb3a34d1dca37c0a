#include "checks/sums/series_sum.h"
// Tests: tests/checks/sums/second_computation_test.cpp, tests/checks/sums/partial_sum_test.cpp
#include <algorithm>
#include <limits>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/pieces.h"
#include "checks/sums/tail_bounds.h"
#include "checks/sums/terms.h"
#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/any_part.h"
#include "theory/expression/derivative.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr std::int64_t kMaxDirect = std::int64_t{1} << 22;

// 2 n, or the largest number: scores may be monotone only beyond it.
std::int64_t twice(std::int64_t n) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  return n > kMax / 2 ? kMax : 2 * n;
}
constexpr std::int64_t kManyTerms = 4096;
constexpr std::int64_t kFewWaves = std::int64_t{1} << 14;
constexpr int kMaxUndecided = 16;

bool has_exponential(const Expr& e) {
  return theory::any_part(e, [](const Expr& part) {
    const auto* call = part.as<theory::node::Call>();
    return call != nullptr && call->function == theory::Function::exp && part.mentions(theory::kIndex);
  });
}

// Lower bounds of the sizes of sums that contain both: Z and D have positive terms alone; for S it is an aim.
Moments larger(const Moments& a, const Moments& b) {
  const Moments x = sizes(a);
  const Moments y = sizes(b);
  return {max(x.z, y.z, 64), max(x.s, y.s, 64), max(x.d, y.d, 64)};
}

}  // namespace

SeriesSum::SeriesSum(Expr score, std::int64_t first, int digits, const Context& context)
    : score_(std::move(score)),
      first_(first),
      digits_(digits),
      context_(context),
      bits_(working_bits(digits) + 32),
      accuracy_(bits_of_digits(digits) + 12),
      direct_last_(first - 1) {}

const MonotoneTail& SeriesSum::settled() {
  if (!settled_) settled_ = monotone_tail(score_, first_, context_);
  return *settled_;
}

// The score's envelope; the score itself when nothing in it oscillates.
const SeriesSum::Around& SeriesSum::around() {
  for (std::int64_t from = std::max<std::int64_t>(settled().from, 1); !around_;) {
    const Rational start(from);
    auto found = theory::attempt_in_time([&] { return envelope(settled().score, start, context_); });
    if (found) {
      around_ = {*found, start};
    } else if (from > kMaxDirect) {
      found.why().raise();
    } else {
      from = twice(from);
    }
  }
  return *around_;
}

std::int64_t SeriesSum::first_start() {
  return std::max<std::int64_t>({settled().from, first_, 16 + digits_ / 2});
}

// Errors are measured against what is already summed, or against the first terms from `start` on.
Moments SeriesSum::scale_at(std::int64_t start, const Moments& head) {
  return start - first_ >= 8 ? head
                             : sum_terms(score_, first_, Rational(start) + Rational(7), bits_, context_);
}

Moments SeriesSum::direct_to(std::int64_t last) {
  if (last < direct_last_) return sum_terms(score_, first_, last, bits_, context_);
  const std::int64_t from = direct_last_ + 1;
  std::optional<Moments> pieces;
  if (last - direct_last_ > kManyTerms && has_choices(score_)) {
    if (const auto found = theory::attempt_in_time([&] { return by_pieces(from, last); })) pieces = *found;
  }
  direct_ = plus(direct_, pieces ? *pieces : added(from, last), bits_);
  direct_last_ = last;
  return direct_;
}

// One by one; TimeUp as soon as it is clear that the time will not do.
Moments SeriesSum::added(std::int64_t from, std::int64_t to) {
  if (to - from >= kMaxDirect) throw theory::Undecided("more than 4 million terms to add one by one");
  if (to - from < kManyTerms) return sum_terms(score_, from, to, bits_, context_);
  const auto before = context_.budget().left();
  const std::int64_t sample = kManyTerms / 4;
  const Moments some = sum_terms(score_, from, from + sample - 1, bits_, context_);
  const auto left = context_.budget().left();
  if (before && left && (*before - *left) * ((to - from) / sample) > 2 * *left) throw theory::TimeUp();
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
    if (undecided > kMaxUndecided + 4 * pieces)
      throw theory::Undecided("conditions, minima or floors change too often to sum between them");
    const std::int64_t end = until ? *until->to_int64() : std::min(to, n + least - 1);
    if (!until || end - n < kManyTerms / 8) {
      total = plus(total, sum_terms(score_, n, end, bits_, context_), bits_);
    } else {
      const Expr piece =
          simplify(*decided_on(whole, Rational(n), Rational(end)), context_from(Rational(n), context_));
      SeriesSum sum(piece, n, digits_, context_);
      total = plus(total, sum.up_to(Rational(end), {true, true}), bits_);
    }
    n = end + 1;
  }
  return total;
}

// A score with exponentials, such as log(n)·(exp(n + exp(-n)) - exp(n)): the first terms of its expansion,
// when what is left is below the last digit from `start` on.
std::optional<Expr> SeriesSum::leading_part(std::int64_t start) {
  const Rational small = Rational(1, 2).pow(accuracy_ + 4);
  for (int count = 1; count <= 3; ++count) {
    const auto terms =
        theory::attempt_in_time([&] { return theory::dominant_terms(settled().score, count, context_); });
    if (!terms) return std::nullopt;  // none: the score oscillates
    const Expr leading = add(*terms);
    if (has_exponential(leading)) return std::nullopt;
    const Expr error = settled().score - leading;
    if (surely_below(error, small, Rational(start), context_) &&
        surely_below(-error, small, Rational(start), context_)) {
      return leading;
    }
  }
  return std::nullopt;
}

// By the sums of the leading part A_0, |A - A_0| <= ε, with I4 and I5.
std::optional<Moments> SeriesSum::by_leading_part(const std::optional<Rational>& last, WantedMoments want) {
  const std::int64_t first = std::max<std::int64_t>(settled().from, std::int64_t{2} * digits_);
  if (first > kMaxDirect) return std::nullopt;
  for (std::int64_t start = first;
       start < std::max(std::int64_t{100} * digits_, 2 * first) && (!last || Rational(start) < *last);
       start *= 2) {
    const auto leading = leading_part(start);
    if (!leading) continue;
    if (want.s && !surely_below(*leading, Rational(0), Rational(start), context_) &&
        !surely_below(-*leading, Rational(0), Rational(start), context_)) {
      continue;
    }
    const Moments head = direct_to(start - 1);
    SeriesSum rest(*leading, start, digits_, context_);
    const Moments tail = last ? rest.up_to(*last, want) : rest.total(want);
    method_ = "first terms of the expansion from n = " + std::to_string(start) + "; " + rest.method();
    return plus(head, with_score_error(tail, Ball(Rational(1, 2).pow(accuracy_ + 4), 64)), bits_);
  }
  return std::nullopt;
}

// So many terms take less than an integral: some eight for each digit, and more where the score oscillates.
std::int64_t SeriesSum::few() {
  const auto oscillates = theory::attempt_in_time([&] { return around().envelope.above != settled().score; });
  return oscillates && *oscillates ? kFewWaves : 8L * digits_;
}

// The terms one by one where that takes less than an integral.
std::optional<Moments> SeriesSum::few_terms(std::int64_t start, WantedMoments want) {
  const Moments scale = sum_terms(score_, first_, Rational(first_) + Rational(7), bits_, context_);
  const std::int64_t most = std::max(start, few());
  for (std::int64_t n = start;; n *= 2) {
    if (negligible_beyond(Rational(n - 1), scale, want))
      return with_negligible_remainder(n, direct_to(n - 1), want);
    if (n > most / 2) return std::nullopt;
  }
}

Moments SeriesSum::total(WantedMoments want) {
  if (has_exponential(settled().score)) {
    if (const auto sum = by_leading_part(std::nullopt, want)) return *sum;
  }
  std::int64_t start = first_start();
  if (const auto all = few_terms(start, want)) return *all;
  std::string trouble = "no start found for Euler-Maclaurin summation";
  int without_integral = 0;
  for (int tries = 0; tries < 18 && without_integral < 3; ++tries, start = twice(start)) {
    context_.check_time();
    const Moments head = direct_to(start - 1);
    if (const auto all = with_negligible_remainder(start, head, want)) return *all;
    const Moments scale = scale_at(start, head);
    const auto tail = theory::attempt_in_time([&] {
      try {
        return attempt(Rational(start), std::nullopt, scale, want);
      } catch (const NoIntegral&) {
        ++without_integral;
        throw;
      }
    });
    if (tail && *tail) return plus(head, **tail, bits_);
    if (!tail) trouble = tail.reason();
  }
  throw theory::Undecided(trouble);
}

// A score that rises by more than σ per step beyond some a: its last terms, and E6 for those between.
std::optional<Moments> SeriesSum::from_the_top(const Rational& last, WantedMoments want) {
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
      if (from > kMaxDirect / 64) return std::nullopt;
      continue;
    }
    // e^{-σk} below the accuracy, with room for n, |A| and the factor 1/(1 - e^{-σ})
    const Rational count = (Rational(std::int64_t{accuracy_} + 64) / *sigma).ceil();
    if (count > Rational(kMaxDirect / 64) || last - count <= Rational(from)) return std::nullopt;
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

Moments SeriesSum::up_to(const Rational& last, WantedMoments want) {
  auto smooth = theory::attempt_in_time([&] { return smooth_up_to(last, want); });
  if (!smooth && last.to_int64()) return listed_up_to(last);
  return std::move(smooth).or_raise();
}

Moments SeriesSum::listed_up_to(const Rational& last) {
  const auto end = last.to_int64();
  if (!end) throw theory::Undecided("too many terms to add one by one");
  const bool few = *end - first_ < kManyTerms || !has_choices(score_);
  method_ = few ? "sum of " + std::to_string(*end - first_ + 1) + " terms"
                : "sum between the changes of conditions, minima and floors";
  return direct_to(*end);
}

Moments SeriesSum::smooth_up_to(const Rational& last, WantedMoments want) {
  if (last - Rational(first_) < Rational(512 + std::int64_t{4} * digits_)) return listed_up_to(last);
  if (has_exponential(settled().score)) {
    if (const auto sum = by_leading_part(last, want)) return *sum;
  }
  if (const auto sum = from_the_top(last, want)) return *sum;
  const Moments top = sum_terms(score_, last, last, bits_, context_);
  std::int64_t start = first_start();
  for (int tries = 0; tries < 18 && Rational(start) < last; ++tries, start = twice(start)) {
    context_.check_time();
    const Moments head = direct_to(start - 1);
    if (const auto all = with_negligible_remainder(start, head, want)) return *all;
    const Moments scale = larger(scale_at(start, head), top);
    if (const auto rest = negligible_beyond(last, scale, want)) {
      return with_remainder(total(want), {neg(rest->z), neg(rest->s), neg(rest->d)}, want, bits_);
    }
    if (const auto tail = attempt(Rational(start), last, scale, want)) return plus(head, *tail, bits_);
  }
  throw theory::Undecided("no start found for Euler-Maclaurin summation");
}

Moments SeriesSum::beyond(const Rational& after, WantedMoments want) {
  const Rational from = after + Rational(1);
  const Ball n(from, bits_);
  const Ball score = evaluate(settled().score, {{theory::kIndex, n}}, bits_);
  const Ball weight = exp(score, bits_);
  const Moments first{weight, mul(score, weight, bits_), mul(n, weight, bits_)};
  const std::int64_t most = few();
  for (std::int64_t count = 8; count <= most; count *= 2) {
    const Rational last = after + Rational(count);
    if (const auto rest = negligible_beyond(last, first, want))
      return with_remainder(sum_terms(score_, from, last, bits_, context_), *rest, want, bits_);
  }
  std::int64_t start = first_start();
  std::string trouble = "no start found for Euler-Maclaurin summation";
  for (int tries = 0; tries < 18; ++tries, start = twice(start)) {
    context_.check_time();
    const Rational begin = std::max(from, Rational(start));
    if (begin - from > Rational(kMaxDirect)) break;
    const Moments head =
        begin > from ? sum_terms(score_, from, begin - Rational(1), bits_, context_) : Moments{};
    const Moments& scale = begin > from ? head : first;
    if (begin > from) {
      if (const auto rest = negligible_beyond(begin - Rational(1), head, want))
        return with_remainder(head, *rest, want, bits_);
    }
    const auto tail = theory::attempt_in_time([&] { return attempt(begin, std::nullopt, scale, want); });
    if (tail && *tail) return plus(head, **tail, bits_);
    if (!tail) trouble = tail.reason();
  }
  throw theory::Undecided(trouble);
}

}  // namespace gpe::checks
