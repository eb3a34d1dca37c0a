#include "checks/arb/root_bracket.h"
// Tests: tests/checks/frontier/delta_star_test.cpp
#include <algorithm>

#include "checks/arb/precision.h"
#include "theory/exact/attempt.h"

namespace gpe::checks {

using theory::Rational;

namespace {

using BallFunction = std::function<Ball(const Rational& x, int digits)>;

// A decimal with `places` places near x.
Rational decimal_near(const Rational& x, std::int64_t places) {
  const Rational scale = Rational(10).pow(places);
  return (x * scale + Rational(1, 2)).floor() / scale;
}

// floor(log10 of a positive number), give or take one.
std::int64_t decimal_order(const Rational& x) {
  const long bits = static_cast<long>(x.numerator().bits()) - static_cast<long>(x.denominator().bits());
  return bits < 0 ? -digits_of_bits(-bits) - 1 : digits_of_bits(bits);
}

// Where the secant meets zero, from approximate values at the ends; the middle when it says nothing.
Rational secant(const RootBracket& bracket, const Ball& at_low, const Ball& at_high) {
  const auto low = at_low.mid().ends();
  const auto high = at_high.mid().ends();
  const Rational middle = (bracket.low + bracket.high) / Rational(2);
  if (!low || !high || low->low <= high->low) return middle;
  const Rational share = low->low / (low->low - high->low);
  if (share.sign() <= 0 || share >= Rational(1)) return middle;
  return bracket.low + (bracket.high - bracket.low) * share;
}

}  // namespace

int proved_sign(const BallFunction& value, const Rational& x, int digits, int most) {
  for (;; digits = std::min(2 * digits, most)) {
    const Ball found = value(x, digits);
    if (found.surely_positive()) return 1;
    if (found.surely_negative()) return -1;
    if (digits >= most) return 0;
  }
}

RootBracket bracket_root(const BallFunction& value, RootBracket bracket, int digits,
                         const theory::Context& context) {
  const int most = 4 * digits + 100;
  const Rational goal = Rational(10).pow(-digits);
  Ball at_low = Ball::unknown();
  Ball at_high = Ball::unknown();
  // moves an end to x when the sign there is proved
  const auto look_at = [&](const Rational& x, int precision) {
    if (x <= bracket.low || x >= bracket.high) return true;
    const int sign = proved_sign(value, x, precision, most);
    if (sign == 0) return false;
    (sign > 0 ? bracket.low : bracket.high) = x;
    return true;
  };
  const auto narrower = [&] {  // false when nothing more can be done
    context.check_time();
    const Rational width = bracket.high - bracket.low;
    const Rational relative = width / bracket.low;
    if (relative <= goal) return false;
    const auto known = static_cast<int>(std::max<std::int64_t>(0, -decimal_order(relative)));
    // the secant is off by about width^2; the last step need not go further than asked
    const int next = std::min(2 * known, digits + 1);
    const int precision = std::min(2 * next + 10, next + digits + 10);
    if (known >= 1) {
      at_low = value(bracket.low, precision);
      at_high = value(bracket.high, precision);
      const std::int64_t places = next - decimal_order(bracket.low) + 2;
      const Rational step = bracket.low * Rational(10).pow(-next) / Rational(4);
      const Rational guess = secant(bracket, at_low, at_high);
      const bool left = look_at(decimal_near(guess - step, places), precision);
      const bool right = look_at(decimal_near(guess + step, places), precision);
      if (left && right && (bracket.high - bracket.low) * Rational(2) < width) return true;
    }
    const Rational middle =
        decimal_near((bracket.low + bracket.high) / Rational(2), known - decimal_order(bracket.low) + 3);
    if (look_at(middle, precision)) return true;
    bracket.reason =
        "the sign at " + middle.str() + " was not proved with " + std::to_string(most) + " digits";
    return false;
  };
  const auto narrowed = theory::attempt<theory::TimeUp>([&] {
    while (narrower()) continue;
  });
  if (!narrowed) bracket.reason = "the time limit";
  return bracket;
}

}  // namespace gpe::checks
