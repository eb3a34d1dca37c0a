#include "checks/sums/range_sums.h"
// Tests: tests/checks/content/entropy_band_test.cpp
#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/sums/terms.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr std::int64_t kRemembered = 4096;  // terms added one by one, with every partial sum kept

Moments difference(const Moments& a, const Moments& b, long bits) {
  return {sub(a.z, b.z, bits), sub(a.s, b.s, bits), Ball::unknown()};
}

}  // namespace

RangeSums::RangeSums(theory::Expr score, std::int64_t first, std::optional<Rational> last, bool wants_s,
                     int digits, const theory::Context& context)
    : score_(std::move(score)),
      first_(first),
      last_(std::move(last)),
      sum_(score_, first, digits, context),
      context_(context),
      bits_(sum_.bits()),
      wanted_{wants_s, false},
      prefix_(1) {}

const Moments& RangeSums::prefix(std::int64_t count) {
  while (static_cast<std::int64_t>(prefix_.size()) <= count) {
    const std::int64_t n = first_ + static_cast<std::int64_t>(prefix_.size()) - 1;
    prefix_.push_back(plus(prefix_.back(), sum_terms(score_, n, n, bits_, context_), bits_));
  }
  return prefix_[static_cast<std::size_t>(count)];
}

Ball RangeSums::value(const Rational& n) const {
  return evaluate(score_, {{theory::kIndex, Ball(n, bits_)}}, bits_);
}

Moments RangeSums::up_to(const Rational& n) {
  const Rational end = last_ ? std::min(n, *last_) : n;
  if (end < Rational(first_)) return {};
  if (!score_.mentions(theory::kIndex)) return sum_terms(score_, Rational(first_), end, bits_, context_);
  const auto small = end.to_int64();
  if (small && *small - first_ < kRemembered) return prefix(*small - first_ + 1);
  if (const auto known = up_to_.find(end); known != up_to_.end()) return known->second;
  return up_to_.emplace(end, sum_.up_to(end, wanted_)).first->second;
}

Moments RangeSums::beyond(const Rational& n) {
  if (last_) return n >= *last_ ? Moments{} : difference(up_to(*last_), up_to(n), bits_);
  const Rational split = Rational(first_ + kRemembered / 8 - 1);
  if (n < split) return plus(difference(up_to(split), up_to(n), bits_), beyond(split), bits_);
  if (const auto known = beyond_.find(n); known != beyond_.end()) return known->second;
  return beyond_.emplace(n, sum_.beyond(n, wanted_)).first->second;
}

}  // namespace gpe::checks
