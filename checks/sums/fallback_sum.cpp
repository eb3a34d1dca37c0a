#include "checks/sums/fallback_sum.h"
// Tests: tests/checks/sums/time_limit_test.cpp
#include <algorithm>

#include "checks/arb/precision.h"
#include "checks/halfline/envelope.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/or_undecided.h"
#include "checks/sums/iterated_log_bound.h"
#include "checks/sums/tail_bounds.h"
#include "checks/sums/terms.h"
#include "theory/exact/attempt.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr std::int64_t kMaxTerms = std::int64_t{1} << 20;
constexpr std::int64_t kChunk = 64;
constexpr int kDigits = 50;

// E5 for the three sums beyond `after`.
Moments iterated_log_bounds(const Expr& score, const Rational& after, WantedMoments wanted,
                            const Context& context) {
  const auto bound = [&](const Expr& exponent) {
    return theory::attempt([&] { return iterated_log_bound(exponent, after, context); })
        .value_or(std::nullopt)
        .value_or(Ball::unknown());
  };
  const Envelope around =
      theory::attempt([&] { return envelope(score, after, context); }).value_or({score, score});
  Moments rest{bound(around.above), Ball::unknown(), Ball::unknown()};
  if (wanted.s && surely_below(around.above, Rational(0), after, context))
    rest.s = bound(around.above + theory::log(-around.below));
  if (wanted.d) rest.d = bound(around.above + theory::log(Expr::symbol(theory::kIndex)));
  return rest;
}

Ball common(const Ball& a, const Ball& b, long bits) {
  if (!a.is_finite() || !b.is_finite()) return a.is_finite() ? a : b;
  return Ball::hull(max(a.lower(bits), b.lower(bits), bits), min(a.upper(bits), b.upper(bits), bits), bits);
}

// That part of the time of the question, and 0.1 s at least, from now on.
Context with_more_time(const Context& question, int of) {
  using Duration = theory::Budget::Duration;
  const auto each = question.budget().each();
  if (!each) return question;
  const theory::Budget more(std::max<Duration>(std::chrono::milliseconds(100), *each / of));
  return question.within(more.question());
}

}  // namespace

GeneralSum fallback_sum(const Expr& score, std::int64_t first, const std::optional<Rational>& last,
                        WantedMoments wanted, int digits, const Context& question) {
  // of a finite sum, the rest is relatively as well enclosed as before, however many terms are added
  const int part = last ? 32 : 8;
  Context context = with_more_time(question, part);
  GeneralSum result;
  result.bits = working_bits(std::min(digits, kDigits));
  std::int64_t next = first;
  const auto over = [&] { return last && Rational(next) > *last; };
  theory::attempt<theory::TimeUp>([&] {
    while (next - first < kMaxTerms && !over()) {
      std::int64_t end = next + kChunk - 1;
      if (last && Rational(end) > *last) end = *last->to_int64();
      result.moments = plus(result.moments, sum_terms(score, next, end, result.bits, context), result.bits);
      next = end + 1;
    }
  });
  result.proved = wanted;
  result.method = "sum of " + std::to_string(next - first) + " terms";
  if (over()) return result;
  if (next == first) throw theory::TimeUp();
  result.method += " and a bound of the rest";
  context = with_more_time(question, part);
  const Rational after(next - 1);
  Moments falling{Ball::unknown(), Ball::unknown(), Ball::unknown()};
  const auto rest = attempt_all([&] { return iterated_log_bounds(score, after, wanted, context); });
  if (rest) {
    falling = with_remainder(result.moments, *rest, {true, true}, result.bits);
  } else if (!last) {
    rest.why().raise();
  }
  if (last) {
    context = with_more_time(question, 4);
    const Moments all =
        plus(result.moments, between_bounds(score, after, *last, result.bits, context), result.bits);
    falling = {common(falling.z, all.z, result.bits), common(falling.s, all.s, result.bits),
               common(falling.d, all.d, result.bits)};
  }
  result.moments = falling;
  if (!result.moments.z.is_finite()) throw theory::Undecided("no bound of the terms left out");
  result.proved = {wanted.s && result.moments.s.is_finite(), wanted.d && result.moments.d.is_finite()};
  return result;
}

}  // namespace gpe::checks
