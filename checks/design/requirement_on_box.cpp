#include "checks/design/requirement_on_box.h"
// Tests: tests/checks/design/design_test.cpp
#include <algorithm>

#include "checks/arb/decimal.h"
#include "checks/arb/expr_ball.h"
#include "checks/design/box_sums.h"
#include "theory/exact/context.h"

namespace gpe::checks {

using theory::Rational;
using theory::Relation;

namespace {

constexpr int kMaxTerms = 100000;              // one by one; as many as verifiers add
constexpr int kBoundFigures = 16;              // of bounds that are real numbers
constexpr std::int64_t kMaxCount = 1LL << 40;  // of counts that are searched for

bool at_least(const Ball& a, const Rational& b, bool strict, long bits) {
  const Ball difference = sub(a, Ball(b, bits), bits);
  return strict ? difference.surely_positive() : difference.surely_nonnegative();
}

bool entropy_met(const Requirement& r, const BoxCorners& at) {
  const bool above = r.relation == Relation::greater || r.relation == Relation::greater_equal;
  const bool strict = r.relation == Relation::greater || r.relation == Relation::less;
  if (above && infinite_entropy(r.measure, at)) return true;
  const Ball entropy = entropy_bound(r.measure.at, !above, at);
  const long bits = at.flat.bits();
  return entropy.is_finite() &&
         (above ? at_least(entropy, r.value, strict, bits) : at_least(neg(entropy), -r.value, strict, bits));
}

// Ranges and reaches are distances, or do not exist: so what is at least some n >= 0 is at least the first
// distance. One that does not exist counts as kNoCount, below all that do.
std::optional<Rational> distance_of(const Requirement& r, const Rational& first) {
  const Rational n = r.relation == Relation::greater_equal ? r.value : r.value + Rational(1);
  if (n.sign() < 0) return std::nullopt;  // all are at least that
  return std::max(n, first);
}

// |b(m)| <= C1 for all m <= n: where b falls, the ends say it.
bool range_met(const Requirement& r, const BoxCorners& at) {
  const bool above = r.relation == Relation::greater_equal, falls = at.falls();
  const Rational first(at.flat.law().first), c1 = *r.measure.at;
  const auto asked = distance_of(r, first);
  if (!asked) return above;
  const Rational& n = *asked;
  if (above ? at.steep.ends_before(n) : at.flat.ends_before(n)) return !above;
  if (!falls && n > Rational(kMaxTerms)) return false;
  const auto inside = [&](const Rational& top, const Rational& low) {
    const auto over = at.flat.bias_against(top, c1), under = at.steep.bias_against(low, -c1);
    return over && *over <= 0 && under && *under >= 0;
  };
  const auto outside = [&](const Rational& top, const Rational& low) {
    const auto over = at.steep.bias_against(top, c1), under = at.flat.bias_against(low, -c1);
    return (over && *over > 0) || (under && *under < 0);
  };
  if (falls) return above ? inside(first, n) : outside(first, n);
  for (Rational m = first; m <= n; m += Rational(1)) {
    if (above ? !inside(m, m) : outside(m, m)) return !above;
  }
  return above;
}

// The sign of a difference that takes sums beyond n: with more and more of them one by one.
template <class Difference>
bool settled(const Rational& n, bool same, bool above, const Difference& difference) {
  for (Rational to = std::max(n, Rational(64));; to = to * Rational(2)) {
    const Ball d = difference(to);
    if (d.surely_nonnegative() || d.surely_negative())
      return above ? d.surely_nonnegative() : d.surely_negative();
    if (same || to + to > Rational(kMaxTerms)) return false;
  }
}

// W = keys - 1 + first: ε Σ_{n <= W} e^(b - a) >= (1 - ε) Σ_{n > W} e^(b + a), or the contrary.
bool cache_met(const Requirement& r, const BoxCorners& at) {
  const bool most = r.relation == Relation::less_equal;
  DesignPoint& worst = most ? at.flat : at.steep;
  const Rational keys = most ? r.value : r.value - Rational(1);
  if (keys < Rational(1)) return !most;
  const Rational w = keys - Rational(1) + Rational(worst.law().first);
  if (worst.ends_before(w + Rational(1))) return most;
  if (worst.surely_infinite()) return !most;
  if (!worst.surely_finite()) return false;
  const theory::Expr a = at.family.amplitude(at.box, most);
  const ContentSum low(worst, a, -1), high(worst, a, 1);
  const long bits = worst.bits();
  return settled(w, !theory::varies(a), most, [&](const Rational& to) {
    return sub(mul(Ball(*r.measure.at, bits), low.up_to(w), bits),
               mul(Ball(Rational(1) - *r.measure.at, bits), high.beyond(w, to), bits), bits);
  });
}

// (1 - p) e^a(n) >= p Σ_{m != n} e^(b(m) - b(n) - a(m)): nearer m count least where b falls least, farther
// ones where it falls most. That it fails beyond n follows where b falls.
bool reach_met(const Requirement& r, const BoxCorners& at) {
  const bool above = r.relation == Relation::greater_equal;
  const Rational first(at.flat.law().first);
  const auto asked = distance_of(r, first);
  if (!asked) return above;
  const Rational& n = *asked;
  if (above ? at.steep.ends_before(n) : at.flat.ends_before(n)) return !above;
  DesignPoint &near = above ? at.steep : at.flat, &far = above ? at.flat : at.steep;
  if (far.surely_infinite()) return !above;
  if (!far.surely_finite() || (!above && !at.falls())) return false;
  if (near.ends_before(n) || far.ends_before(n)) return false;
  const theory::Expr a = at.family.amplitude(at.box, !above);
  const ContentSum nearer(near, a, -1), farther(far, a, -1);
  const long bits = near.bits();
  const Ball own = exp(evaluate(a, {{theory::kIndex, Ball(n, bits)}}, bits), bits);
  return settled(n, !theory::varies(a), above, [&](const Rational& to) {
    Ball sum = div(farther.beyond(n, to), far.weight(n), bits);
    if (n > first) sum = add(sum, div(nearer.up_to(n - Rational(1)), near.weight(n), bits), bits);
    return sub(mul(Ball(Rational(1) - *r.measure.at, bits), own, bits),
               mul(Ball(*r.measure.at, bits), sum, bits), bits);
  });
}

const std::pair<Rational, Rational>& interval_of(const std::string& parameter, const BoxCorners& at) {
  const auto& free = at.family.free();
  const auto one = std::ranges::find(free, parameter, &FreeParameter::name);
  return at.box[static_cast<std::size_t>(one - free.begin())];
}

bool parameter_met(const Requirement& r, const BoxCorners& at) {
  const auto& [low, high] = interval_of(r.measure.parameter, at);
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

// The least N >= kNoCount such that a statement holds at N and at all larger numbers; nothing beyond
// kMaxCount.
template <class Statement>
std::optional<Rational> least(const Statement& holds) {
  std::int64_t high = 1, low = 0;
  for (const Rational& n : {Rational(kNoCount), Rational(0)}) {
    if (holds(n)) return n;
  }
  for (; high < kMaxCount && !holds(Rational(high)); high *= 2) low = high;
  if (high >= kMaxCount) return std::nullopt;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (holds(Rational(middle)) ? high : low) = middle;
  }
  return Rational(high);
}

}  // namespace

bool surely_met(const Requirement& r, const BoxCorners& at) {
  switch (r.measure.quantity) {
    case DesignQuantity::parameter:
      return parameter_met(r, at);
    case DesignQuantity::convergence:
      return r.relation == Relation::less ? at.flat.surely_finite() : at.steep.surely_infinite();
    case DesignQuantity::entropy:
      return entropy_met(r, at);
    case DesignQuantity::range:
      return range_met(r, at);
    case DesignQuantity::cache:
      return cache_met(r, at);
    case DesignQuantity::reach:
      return reach_met(r, at);
  }
  return false;
}

bool infinite_entropy(const Measure& measure, const BoxCorners& at) {
  return measure.quantity == DesignQuantity::entropy && !measure.at && at.falls() &&
         at.steep.sums().entropy.finite == Finite::no;
}

std::optional<Rational> bound_of(const Measure& measure, bool maximize, const BoxCorners& at) {
  if (measure.quantity == DesignQuantity::parameter) {
    const auto& [low, high] = interval_of(measure.parameter, at);
    return maximize ? high : low;
  }
  if (measure.is_count()) {
    const Relation relation = maximize ? Relation::less_equal : Relation::greater_equal;
    const auto holds = [&](const Rational& n) { return surely_met({measure, relation, n}, at); };
    if (maximize) return least(holds);
    const auto first_failing = least([&](const Rational& n) { return !holds(n); });  // of measure >= N
    return first_failing.value_or(Rational(kMaxCount / 4)) - Rational(1);
  }
  const Ball entropy = entropy_bound(measure.at, maximize, at);
  if (!entropy.is_finite()) return std::nullopt;
  const DecimalEnds ends = decimal_ends(entropy, kBoundFigures);
  return Rational::parse(maximize ? ends.upper : ends.lower);
}

}  // namespace gpe::checks
