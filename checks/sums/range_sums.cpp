#include "checks/sums/range_sums.h"
// Tests: tests/checks/content/entropy_band_test.cpp
#include <algorithm>

#include "checks/sums/stepped_sum.h"
#include "checks/sums/terms.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr std::int64_t kRemembered = 4096;  // terms added one by one, with every partial sum kept

Moments difference(const Moments& a, const Moments& b, long bits) {
  return {sub(a.z, b.z, bits), sub(a.s, b.s, bits), Ball::unknown()};
}

}  // namespace

RangeSums::RangeSums(const std::vector<theory::Expr>& scores, std::int64_t first,
                     std::optional<Rational> last, bool wants_s, int digits, const theory::Context& context,
                     Steps steps)
    : first_(first),
      last_(std::move(last)),
      steps_(steps),
      digits_(digits),
      context_(context),
      wanted_{wants_s, false},
      prefix_(1) {
  const auto count = static_cast<std::int64_t>(scores.size());
  for (std::int64_t r = 0; r < count; ++r) {
    const theory::Expr& score = scores[static_cast<std::size_t>(r)];
    const std::int64_t least = count == 1 ? first : *(Rational(first - r, count).ceil()).to_int64();
    classes_.push_back({score, least, SeriesSum(score, least, digits, context)});
  }
  bits_ = classes_.front().sum.bits();
}

std::pair<const RangeSums::Class&, Rational> RangeSums::place(const Rational& n) const {
  const Rational k = (n / modulus()).floor();
  return {classes_[static_cast<std::size_t>(*(n - k * modulus()).to_int64())], k};
}

const Moments& RangeSums::prefix(std::int64_t count) {
  while (static_cast<std::int64_t>(prefix_.size()) <= count) {
    const std::int64_t n = first_ + static_cast<std::int64_t>(prefix_.size()) - 1;
    const auto [one, k] = place(Rational(n));
    prefix_.push_back(plus(prefix_.back(), sum_terms(one.score, k, k, bits_, context_), bits_));
  }
  return prefix_[static_cast<std::size_t>(count)];
}

Ball RangeSums::value(const Rational& n) const {
  const auto [one, k] = place(n);
  return term_value(one.score, k, bits_, context_);
}

Moments RangeSums::class_up_to(Class& one, const Rational& k) {
  if (k < Rational(one.first)) return {};
  if (!one.score.mentions(theory::kIndex))
    return sum_terms(one.score, Rational(one.first), k, bits_, context_);
  if (steps_ == Steps::none) return one.sum.up_to(k, wanted_);
  return SteppedSum(one.score, one.first, digits_, context_).sum(k, wanted_);
}

Moments RangeSums::class_beyond(Class& one, const Rational& k) {
  if (steps_ == Steps::none) return one.sum.beyond(k, wanted_);
  const auto next = (k + Rational(1)).to_int64();
  if (!next) throw theory::Undecided("a score with steps, too far out");
  return SteppedSum(one.score, *next, digits_, context_).sum(std::nullopt, wanted_);
}

template <class Sum>
Moments RangeSums::over_classes(const Rational& n, const Sum& sum) {
  if (classes_.size() == 1) return sum(classes_.front(), n);
  Moments result{Ball(0), Ball(0), Ball::unknown()};
  for (std::size_t r = 0; r < classes_.size(); ++r) {
    const Rational k = ((n - Rational(static_cast<std::int64_t>(r))) / modulus()).floor();
    result = plus(result, sum(classes_[r], std::max(k, Rational(classes_[r].first - 1))), bits_);
  }
  return result;
}

Moments RangeSums::up_to(const Rational& n) {
  const Rational end = last_ ? std::min(n, *last_) : n;
  if (end < Rational(first_)) return {};
  const auto small = end.to_int64();
  if (small && *small - first_ < kRemembered && classes_.front().score.mentions(theory::kIndex))
    return prefix(*small - first_ + 1);
  if (const auto known = up_to_.find(end); known != up_to_.end()) return known->second;
  const auto sum = [&](Class& one, const Rational& k) { return class_up_to(one, k); };
  return up_to_.emplace(end, over_classes(end, sum)).first->second;
}

Moments RangeSums::beyond(const Rational& n) {
  if (last_) return n >= *last_ ? Moments{} : difference(up_to(*last_), up_to(n), bits_);
  const Rational split = Rational(first_ + kRemembered / 8 - 1);
  if (n < split) return plus(difference(up_to(split), up_to(n), bits_), beyond(split), bits_);
  if (const auto known = beyond_.find(n); known != beyond_.end()) return known->second;
  const auto sum = [&](Class& one, const Rational& k) { return class_beyond(one, k); };
  return beyond_.emplace(n, over_classes(n, sum)).first->second;
}

}  // namespace gpe::checks
