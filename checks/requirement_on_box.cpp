#include "checks/requirement_on_box.h"

#include <algorithm>

#include "checks/decimal.h"

namespace gpe::checks {

using theory::Rational;
using theory::Relation;

namespace {

constexpr int kFigures = 16;                    // of bounds that are real numbers
constexpr std::int64_t kMostCount = 1LL << 40;  // of counts that are searched for

bool at_least(const Ball& a, const Rational& b, bool strict, long bits) {
  const Ball difference = sub(a, Ball(b, bits), bits);
  return strict ? difference.surely_positive() : difference.surely_nonnegative();
}

bool entropy_met(const Requirement& r, const BoxCorners& at) {
  const bool above = r.relation == Relation::greater || r.relation == Relation::greater_equal;
  const bool strict = r.relation == Relation::greater || r.relation == Relation::less;
  DesignPoint& worst = above ? at.steep : at.flat;
  Ball entropy;
  if (r.measure.at) {
    entropy = worst.up_to(Rational(worst.law().first) + *r.measure.at).entropy;
  } else {
    const EnclosedNumber& known = worst.sums().entropy;
    if (known.finite == Finite::no) return above;
    if (known.finite == Finite::unknown) return false;
    entropy = known.value;
  }
  if (!entropy.is_finite()) return false;
  const long bits = worst.bits();
  return above ? at_least(entropy, r.value, strict, bits) : at_least(neg(entropy), -r.value, strict, bits);
}

// |b(m)| <= C1 for all m <= n: b falls, so the ends say it.
bool range_met(const Requirement& r, const BoxCorners& at) {
  const bool above = r.relation == Relation::greater_equal;
  const Rational first(at.flat.law().first), n = above ? r.value : r.value + Rational(1), c1 = *r.measure.at;
  if (n < first) return above;
  DesignPoint &high = above ? at.flat : at.steep, &low = above ? at.steep : at.flat;
  const auto top = high.bias_against(first, c1), end = low.bias_against(n, -c1);
  if (above) return !at.steep.ends_before(n) && top && *top <= 0 && end && *end >= 0;
  return at.flat.ends_before(n) || (top && *top > 0) || (end && *end < 0);
}

// W = keys - 1 + first: ε l >= (1 - ε) e^2a (Z - l), or the contrary.
bool cache_met(const Requirement& r, const BoxCorners& at) {
  const bool most = r.relation == Relation::less_equal;
  DesignPoint& worst = most ? at.flat : at.steep;
  const Rational keys = most ? r.value : r.value - Rational(1);
  if (keys < Rational(1)) return !most;
  const Rational w = keys - Rational(1) + Rational(worst.law().first);
  if (worst.ends_before(w + Rational(1))) return most;
  if (worst.surely_infinite()) return !most;
  if (!worst.surely_finite()) return false;
  const long bits = worst.bits();
  const Ball inside = worst.up_to(w).z, beyond = sub(worst.sums().z.value, inside, bits);
  const Ball gain = exp(mul(Ball(2), at.family.amplitude(), bits), bits);
  const Ball excess = sub(mul(Ball(*r.measure.at, bits), inside, bits),
                          mul(mul(Ball(Rational(1) - *r.measure.at, bits), gain, bits), beyond, bits), bits);
  return most ? excess.surely_nonnegative() : excess.surely_negative();
}

// (1 - p) e^2a >= p Σ_{m != n} e^(b(m) - b(n)): nearer m count least where b falls least, farther ones where
// it falls most.
bool reach_met(const Requirement& r, const BoxCorners& at) {
  const bool above = r.relation == Relation::greater_equal;
  const Rational first(at.flat.law().first), n = above ? r.value : r.value + Rational(1);
  if (n < first) return above;
  if (above ? at.steep.ends_before(n) : at.flat.ends_before(n)) return !above;
  DesignPoint &near = above ? at.steep : at.flat, &far = above ? at.flat : at.steep;
  if (far.surely_infinite()) return !above;
  if (!far.surely_finite()) return false;
  if (near.ends_before(n) || far.ends_before(n)) return false;
  const long bits = near.bits();
  Ball sum = sub(far.sums().z.value, far.up_to(n).z, bits);
  sum = div(sum, far.weight(n), bits);
  if (n > first) sum = add(sum, div(near.up_to(n - Rational(1)).z, near.weight(n), bits), bits);
  const Ball gain = exp(mul(Ball(2), at.family.amplitude(), bits), bits);
  const Ball excess = sub(mul(Ball(Rational(1) - *r.measure.at, bits), gain, bits),
                          mul(Ball(*r.measure.at, bits), sum, bits), bits);
  return above ? excess.surely_nonnegative() : excess.surely_negative();
}

bool parameter_met(const Requirement& r, const BoxCorners& at) {
  const auto& free = at.family.free();
  const auto index = static_cast<std::size_t>(
      std::ranges::find(free, r.measure.parameter, &FreeParameter::name) - free.begin());
  const auto& [low, high] = at.box[index];
  switch (r.relation) {
    case Relation::less:
      return high < r.value;
    case Relation::less_equal:
      return high <= r.value;
    case Relation::greater:
      return low > r.value;
    default:
      return low >= r.value;
  }
}

// The least N at which a statement holds, that goes on holding; nothing beyond kMostCount.
template <class Statement>
std::optional<Rational> least(const Statement& holds) {
  std::int64_t high = 1, low = -1;
  if (holds(Rational(0))) return Rational(0);
  for (; high < kMostCount && !holds(Rational(high)); high *= 2) low = high;
  if (high >= kMostCount) return std::nullopt;
  low = std::max<std::int64_t>(low, 0);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (holds(Rational(middle)) ? high : low) = middle;
  }
  return Rational(high);
}

}  // namespace

bool surely_met(const Requirement& r, const BoxCorners& at) {
  switch (r.measure.quantity) {
    case Quantity::parameter:
      return parameter_met(r, at);
    case Quantity::convergence:
      return r.relation == Relation::less ? at.flat.surely_finite() : at.steep.surely_infinite();
    case Quantity::entropy:
      return entropy_met(r, at);
    case Quantity::range:
      return range_met(r, at);
    case Quantity::cache:
      return cache_met(r, at);
    case Quantity::reach:
      return reach_met(r, at);
  }
  return false;
}

std::optional<Rational> bound_of(const Measure& measure, bool maximize, const BoxCorners& at) {
  if (measure.quantity == Quantity::parameter) {
    const auto& free = at.family.free();
    const auto index = static_cast<std::size_t>(
        std::ranges::find(free, measure.parameter, &FreeParameter::name) - free.begin());
    return maximize ? at.box[index].second : at.box[index].first;
  }
  if (measure.is_count()) {
    const Relation relation = maximize ? Relation::less_equal : Relation::greater_equal;
    const auto holds = [&](const Rational& n) { return surely_met({measure, relation, n}, at); };
    if (maximize) return least(holds);
    const auto first_failing = least([&](const Rational& n) { return !holds(n); });  // of measure >= N
    return first_failing.value_or(Rational(kMostCount / 4)) - Rational(1);
  }
  DesignPoint& best = maximize ? at.flat : at.steep;
  Ball entropy = Ball::unknown();
  if (measure.at)
    entropy = best.up_to(Rational(best.law().first) + *measure.at).entropy;
  else if (best.sums().entropy.finite == Finite::yes)
    entropy = best.sums().entropy.value;
  if (!entropy.is_finite()) return std::nullopt;
  const DecimalEnds ends = decimal_ends(entropy, kFigures);
  return Rational::parse(maximize ? ends.upper : ends.lower);
}

}  // namespace gpe::checks
