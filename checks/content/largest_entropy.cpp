// The upper end of the entropy band. Tests: tests/checks/content/entropy_band_test.cpp
#include <algorithm>

#include "checks/arb/precision.h"
#include "checks/content/entropy_band.h"

namespace gpe::checks {

using theory::Rational;

namespace {

// The largest n of the tail with a(n) > τ, for a(n) that does not increase; tail_first - 1 when there is
// none.
// @throws Undecided when a(n) and τ cannot be told apart (another τ will do).
Rational last_above(const RangeSums& sums, const Ball& tau, const theory::Context& context) {
  const auto above = [&](const Rational& n) {
    context.check_time();
    const Ball value = sums.value(n);
    if (tau.surely_less(value)) return true;
    if (value.surely_less(tau)) return false;
    throw theory::Undecided("two scores too close to be told apart");
  };
  const Rational first(sums.first());
  if (!above(first)) return first - Rational(1);
  if (sums.last() && above(*sums.last())) return *sums.last();
  Rational step(1);
  while (!(sums.last() && first + step >= *sums.last()) && above(first + step)) {
    step *= Rational(2);
    if (step.bits() > 20000) throw theory::Undecided("the scores fall too slowly");
  }
  Rational low = first + (step.is_one() ? Rational(0) : step / Rational(2));
  Rational high = sums.last() ? std::min(*sums.last(), first + step) : first + step;
  while (high - low > Rational(1)) {
    const Rational middle = ((low + high) / Rational(2)).floor();
    (above(middle) ? low : high) = middle;
  }
  return low;
}

// The sums at one τ: over the tokens that stay above it (at l), below it (at u), and the number in between.
struct Clamped {
  Moments above;
  Moments below;
  Ball between{0};

  Ball slope_free(const Ball& tau, long bits) const {  // G(τ)
    const Ball up = sub(above.s, mul(tau, above.z, bits), bits);
    const Ball down = sub(mul(tau, below.z, bits), below.s, bits);
    return sub(up, down, bits);
  }
  Ball partition(const Ball& tau, long bits) const {  // Z(τ)
    return add(add(above.z, below.z, bits), mul(between, exp(tau, bits), bits), bits);
  }
};

Clamped clamped(ScoreIntervals& box, const Ball& tau, const theory::Context& context) {
  const long bits = box.bits();
  Clamped result;
  const auto fixed = [&](Moments& sum, const Ball& score, int copies) {
    const Ball w = mul(Ball(copies), exp(score, bits), bits);
    sum.z = add(sum.z, w, bits);
    sum.s = add(sum.s, mul(score, w, bits), bits);
  };
  for (const Token& token : box.head()) {
    if (tau.surely_less(token.low)) {
      fixed(result.above, token.low, token.copies);
    } else if (token.high.surely_less(tau)) {
      fixed(result.below, token.high, token.copies);
    } else if (token.low.surely_less(tau) && tau.surely_less(token.high)) {
      result.between = add(result.between, Ball(token.copies), bits);
    } else {
      throw theory::Undecided("two scores too close to be told apart");
    }
  }
  if (!box.has_tail()) return result;
  const Rational up = last_above(box.low(), tau, context);
  const Rational down = last_above(box.high(), tau, context);
  for (int i = 0; i < box.copies(); ++i) {
    result.above = plus(result.above, box.low().up_to(up), bits);
    result.below = plus(result.below, box.high().beyond(down), bits);
  }
  result.between = add(result.between, mul(Ball(box.copies()), Ball(down - up, bits), bits), bits);
  return result;
}

// A short number near x that is hardly ever a score.
Rational near(const Ball& x, long bits) {
  const auto ends = x.mid().ends();
  if (!ends) throw theory::Undecided("a threshold that is not finite");
  const Rational scale = Rational(2).pow(bits);
  return ((ends->low * scale).floor() + Rational(1, 3)) / scale;
}

// log N when one score suits all N tokens: then they can be equal.
std::optional<Ball> all_equal(const ScoreIntervals& box) {
  if (box.infinite()) return std::nullopt;
  const long bits = box.bits();
  std::optional<Ball> lowest;
  std::optional<Ball> highest;
  Rational count(0);
  const auto take = [&](const Ball& low, const Ball& high) {
    lowest = lowest ? max(*lowest, low, bits) : low;
    highest = highest ? min(*highest, high, bits) : high;
  };
  for (const Token& token : box.head()) {
    take(token.low, token.high);
    count += Rational(token.copies);
  }
  if (box.has_tail()) {
    const Rational last = *box.high().last();
    take(box.low().value(box.tail_first()), box.high().value(last));
    count += Rational(box.copies()) * (last - box.tail_first() + Rational(1));
  }
  if (!lowest->surely_at_most(*highest)) return std::nullopt;
  return log(Ball(count, bits), bits);
}

}  // namespace

Ball largest_entropy(ScoreIntervals& box, int digits, const theory::Context& context) {
  const long bits = box.bits();
  const long wanted = bits_of_digits(digits) + 12;
  if (const auto uniform = all_equal(box)) return *uniform;
  const auto sign_at = [&](const Rational& tau) {
    const Ball g = clamped(box, Ball(tau, bits), context).slope_free(Ball(tau, bits), bits);
    return int{g.surely_positive()} - int{g.surely_negative()};
  };
  // A bracket: τ below the largest score, in doubling steps.
  Ball top = box.head().front().high;
  for (const Token& token : box.head()) top = max(top, token.high, bits);
  Rational high = near(add(top, Ball(1), 64), 20);
  Rational low = high;
  for (Rational step(1);; step *= Rational(2)) {
    context.check_time();
    low = high - step;
    if (sign_at(low) > 0) break;
    if (step.bits() > 4000) throw theory::Undecided("no bracket for the largest entropy");
  }
  // Newton's method, G' = -Σ_{l>τ} e^l - Σ_{u<τ} e^u, kept inside the bracket.
  Rational tau = (low + high) / Rational(2);
  for (int i = 0; i < 200; ++i) {
    context.check_time();
    tau = near(Ball(tau, bits), std::min<long>(wanted + 20, 16L << std::min(i, 20)));
    const Ball at(tau, bits);
    const Clamped sums = clamped(box, at, context);
    const Ball g = sums.slope_free(at, bits);
    if (g.surely_positive()) low = std::max(low, tau);
    if (g.surely_negative()) high = std::min(high, tau);
    const Ball fall = add(sums.above.z, sums.below.z, bits);
    Rational next = (low + high) / Rational(2);
    const Ball step = div(g, fall, bits);
    if (step.is_finite()) {
      const Rational newton = near(add(at, step, bits), wanted + 20);
      if (newton > low && newton < high) next = newton;
      Ball size = abs(step);
      arb_mul_2exp_si(size.raw(), size.raw(), wanted);
      if (size.surely_less(Ball(1))) {
        tau = newton;
        break;
      }
    }
    tau = next;
  }
  // Certify: signs a little to either side.
  for (long slack = wanted; slack > 16; slack -= 8) {
    const Rational away = Rational(1, 2).pow(slack);
    const Rational left = tau - away;
    const Rational right = tau + away;
    if (sign_at(left) <= 0 || sign_at(right) >= 0) continue;
    const Ball below(left, bits);
    const Ball above(right, bits);
    const Ball least = sub(log(clamped(box, below, context).partition(below, bits), bits), above, bits);
    const Ball most = sub(log(clamped(box, above, context).partition(above, bits), bits), below, bits);
    return Ball::hull(least, most, bits);
  }
  throw theory::Undecided("the largest entropy is not separated from its neighbours");
}

}  // namespace gpe::checks
