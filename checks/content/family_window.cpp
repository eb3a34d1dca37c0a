#include "checks/content/family_window.h"
// Tests: tests/checks/frontier/frontier_test.cpp
#include <cmath>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/halfline/half_line.h"
#include "checks/sums/family/family_sum.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr int kFamilyDigits = 18;
constexpr double kMax = 4e18;  // below 2^62

// log T(w) - log(limit), to choose where to look; and whether T(w) > limit, proved.
struct Tail {
  double excess;
  std::optional<bool> too_large;
};

class Tails {
 public:
  Tails(const ExponentialPower& family, Ball limit, const Context& context)
      : family_(family), limit_(std::move(limit)), context_(context) {}
  std::optional<Tail> at(std::int64_t w) const {
    const auto sum = family_sum(family_, w + 1, std::nullopt, {false, false}, kFamilyDigits, context_);
    if (!sum) return std::nullopt;
    const Ball& t = sum->moments.z;
    Tail result{log(div(t, limit_, kSearchBits), kSearchBits).approximate(), std::nullopt};
    if (limit_.surely_less(t)) result.too_large = true;
    if (t.surely_at_most(limit_)) result.too_large = false;
    return result;
  }

 private:
  const ExponentialPower& family_;
  Ball limit_;
  const Context& context_;
};

// Between `low`, which is too small a window, and `high`, which is not: by the line through both tails, or
// the middle where that does not halve the interval.
std::optional<std::int64_t> least_between(const Tails& tails, std::int64_t low, double low_excess,
                                          std::int64_t high, double high_excess) {
  for (bool by_line = true; high - low > 1;) {
    const std::int64_t width = high - low;
    std::int64_t guess = low + width / 2;
    if (by_line && std::isfinite(low_excess) && std::isfinite(high_excess)) {
      const double share = low_excess / (low_excess - high_excess);
      const auto step = static_cast<std::int64_t>(share * static_cast<double>(width));
      guess = std::min(std::max(low + step, low + 1), high - 1);
    }
    // a step past the line closes the interval from the other side as well
    for (const std::int64_t w : {guess, guess + 1 + width / 256}) {
      if (w <= low || w >= high) continue;
      const auto tail = tails.at(w);
      if (!tail || !tail->too_large) return std::nullopt;
      (*tail->too_large ? low : high) = w;
      (*tail->too_large ? low_excess : high_excess) = tail->excess;
    }
    by_line = high - low <= width / 2;
  }
  return high;
}

}  // namespace

std::optional<BigCount> family_window(const theory::ScoreFunction& law, const Rational& epsilon,
                                      const Rational& bound, const Context& context) {
  if (law.two_sided || law.window || law.first < 0 || law.depends_on_length()) return std::nullopt;
  const Expr amplitude = theory::amplitude(law, Expr(bound));
  if (theory::varies(amplitude)) return std::nullopt;
  theory::Form offset;
  const Context facts = context_from(Rational(law.first), context);
  const auto family = exponential_power(simplify(law.bias, facts), offset, facts);
  if (!family || (family->delta.is_zero() && family->gamma.is_zero())) return std::nullopt;
  const auto z = family_sum(*family, law.first, std::nullopt, {false, false}, kFamilyDigits, context);
  if (!z) return std::nullopt;
  const Ball spread = exp(mul(Ball(2), evaluate(amplitude, {}, kSearchBits), kSearchBits), kSearchBits);
  const Ball divisor = add(mul(Ball(Rational(1) - epsilon, kSearchBits), spread, kSearchBits),
                           Ball(epsilon, kSearchBits), kSearchBits);
  const Ball limit = div(mul(Ball(epsilon, kSearchBits), z->moments.z, kSearchBits), divisor, kSearchBits);
  const Tails tails(*family, limit, context);
  std::int64_t low = law.first;
  auto before = tails.at(low);
  if (!before || !before->too_large) return std::nullopt;
  if (!*before->too_large) return BigCount::of(Rational(low));
  for (double step = 1;; step *= 4) {
    if (static_cast<double>(low) + step > kMax) return std::nullopt;
    const std::int64_t high = low + static_cast<std::int64_t>(step);
    const auto tail = tails.at(high);
    if (!tail || !tail->too_large) return std::nullopt;
    if (!*tail->too_large) {
      const auto found = least_between(tails, low, before->excess, high, tail->excess);
      return found ? std::optional(BigCount::of(Rational(*found))) : std::nullopt;
    }
    low = high;
    before = tail;
  }
}

}  // namespace gpe::checks
