#include "checks/arb/decimal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/checks/parsed.h"
#include "tests/generators/rational.h"

using gpe::checks::Ball;
using gpe::checks::Decimal;
using gpe::checks::decimal_above;
using gpe::checks::decimal_below;
using gpe::checks::decimal_ends;
using gpe::checks::proved_decimal;
using gpe::theory::Rational;

namespace decimal_test {

Rational read(const std::string& text) {
  const auto value = Rational::parse(text);
  if (!value) throw std::runtime_error("not a decimal: " + text);
  return *value;
}

// One unit of the last place of `digits` significant digits.
Rational unit(const Rational& value, int digits) {
  Rational power(1);
  while (power > value.abs()) power /= Rational(10);
  while (power * Rational(10) <= value.abs()) power *= Rational(10);
  return power * Rational(10).pow(1 - digits);
}

std::size_t significant(const std::string& text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e'))) {
    if (c >= '0' && c <= '9') digits += c;
  }
  return digits.size() - std::min(digits.find_first_not_of('0'), digits.size());
}

Ball between(const Rational& low, const Rational& high) {
  return Ball::hull(Ball(low, 4000), Ball(high, 4000), 4000);
}

RC_GTEST_PROP(Decimal, below_and_above_are_the_nearest_decimals_outward, ()) {
  const Rational value = *gpe::testing::any_rational();
  const int digits = *rc::gen::inRange(1, 40);
  const Rational below = read(decimal_below(value, digits));
  const Rational above = read(decimal_above(value, digits));
  RC_ASSERT(below <= value && value <= above);
  if (value.is_zero()) return;
  const Rational last = unit(value, digits);
  RC_ASSERT(value - below < last);
  RC_ASSERT(above - value < last);
  RC_ASSERT((below / last).is_integer());
  RC_ASSERT((above / last).is_integer());
}

RC_GTEST_PROP(Decimal, as_many_digits_as_asked_for, ()) {
  const Rational value = *gpe::testing::any_rational();
  const int digits = *rc::gen::inRange(1, 40);
  RC_PRE(!value.is_zero() && value.abs() < Rational(10).pow(20) && value.abs() > Rational(10).pow(-30));
  const std::string text = decimal_below(value, digits);
  const Rational magnitude = read(text).abs();
  if (magnitude.is_integer() && magnitude >= Rational(10).pow(digits))
    return;  // zeros for places, as 1200 in 2 digits
  RC_ASSERT(significant(text) == static_cast<std::size_t>(digits));
}

TEST(Decimal, notation_is_plain_between_1e_7_and_1e21) {
  EXPECT_EQ(decimal_below(Rational(1, 10000000), 3), "0.000000100");
  EXPECT_EQ(decimal_below(Rational(1, 100000000), 3), "1.00e-8");
  EXPECT_EQ(decimal_below(Rational(10).pow(20), 21), "100000000000000000000");
  EXPECT_EQ(decimal_below(Rational(10).pow(20), 3), "1.00e+20");  // the other digits were not computed
  EXPECT_EQ(decimal_below(Rational(10).pow(21), 3), "1.00e+21");
  EXPECT_EQ(decimal_below(Rational(-5, 4), 2), "-1.3");
  EXPECT_EQ(decimal_above(Rational(-5, 4), 2), "-1.2");
  EXPECT_EQ(decimal_above(Rational(999), 2), "1.0e+3");
  EXPECT_EQ(decimal_above(Rational(9999, 10), 3), "1.00e+3");
  EXPECT_EQ(decimal_below(Rational(9999, 10), 3), "999");
  EXPECT_EQ(decimal_below(Rational(0), 5), "0");
  EXPECT_EQ(decimal_below(Rational(7), 1), "7");
}

RC_GTEST_PROP(Decimal, every_digit_is_proved_and_none_is_held_back, ()) {
  const Rational low = *gpe::testing::any_rational();
  const Rational width = *rc::gen::map(rc::gen::inRange(0, 60),
                                       [](int k) { return k == 0 ? Rational(0) : Rational(10).pow(-k); });
  const Rational high = low + low.abs() * width;
  const int most = *rc::gen::inRange(1, 40);
  const Ball ball = between(low, high);
  const auto ends = ball.ends();
  RC_ASSERT(ends.has_value());
  const Decimal text = proved_decimal(ball, most);
  RC_ASSERT(text.digits <= most);
  // Rounded to so many digits, halves away from zero, by a second computation.
  const auto rounded = [](const Rational& value, int digits) {
    if (value.is_zero()) return Rational(0);
    const Rational last = unit(value, digits);
    const Rational quotient = value.abs() / last + Rational(1, 2);
    return quotient.floor() * last * Rational(value.sign());
  };
  if (text.digits > 0) {
    RC_ASSERT(read(text.text) == rounded(ends->low, text.digits));
    RC_ASSERT(read(text.text) == rounded(ends->high, text.digits));
  } else {
    RC_ASSERT(text.text == "?");
  }
  for (int more = text.digits + 1; more <= most; ++more) {
    RC_ASSERT(rounded(ends->low, more) != rounded(ends->high, more));
  }
}

TEST(Decimal, rounding_at_a_carry_is_proved_or_left_out) {
  const auto shown = [](const char* low, const char* high, int most) {
    return proved_decimal(between(read(low), read(high)), most).text;
  };
  EXPECT_EQ(shown("1.99949999999", "1.99949999999", 4), "1.999");
  EXPECT_EQ(shown("1.99950001", "1.99950002", 4), "2.000");
  EXPECT_EQ(shown("1.99949", "1.99951", 4), "2.00");  // 4 digits: 1.999 or 2.000
  EXPECT_EQ(shown("1.99999999", "2.00000001", 8), "2.0000000");
  EXPECT_EQ(shown("1.9999999", "2.0000001", 8), "2.000000");
  EXPECT_EQ(shown("9.9996", "9.9997", 4), "10.00");
  EXPECT_EQ(shown("0.09999999", "0.10000001", 4), "0.1000");
  EXPECT_EQ(shown("-0.33334", "-0.33333", 4), "-0.3333");
  EXPECT_EQ(shown("1/8", "1/8", 3), "0.125");
  EXPECT_EQ(shown("1/8", "1/8", 2), "0.13");
  EXPECT_EQ(shown("-1", "1", 8), "?");
  EXPECT_EQ(shown("0", "1", 8), "?");
  EXPECT_EQ(shown("1", "9", 8), "?");
  EXPECT_EQ(proved_decimal(Ball(0), 8).text, "0");
  EXPECT_EQ(proved_decimal(Ball::unknown(), 8).digits, 0);
}

TEST(Decimal, sizes_beyond_2_to_the_million_bits_keep_proved_digits) {
  // mpmath: exp(10^7) = 6.592232534618439489560886…e+4342944, exp(-10^7) = 1.516936780898734…e-4342945
  const Ball huge = exp(Ball(10000000), 200);
  EXPECT_EQ(proved_decimal(huge, 16).text, "6.592232534618439e+4342944");
  EXPECT_EQ(proved_decimal(neg(huge), 16).text, "-6.592232534618439e+4342944");
  const auto ends = decimal_ends(huge, 12);
  EXPECT_EQ(ends.lower, "6.59223253461e+4342944");
  EXPECT_EQ(ends.upper, "6.59223253462e+4342944");
  // exp(10^7) … exp(10^7 + 1/1000): three digits are common to 6.592 and 6.599
  const Ball wide =
      exp(Ball::hull(Ball(10000000), Ball(Rational(10000000) + Rational(1, 1000), 200), 200), 200);
  const Decimal shown = proved_decimal(wide, 8);
  EXPECT_LE(shown.digits, 2);
  EXPECT_TRUE(shown.text == "6.6e+4342944" || shown.text == "?") << shown.text;
  // nothing is known of a ball from exp(10^7) to exp(2·10^7)
  EXPECT_EQ(proved_decimal(exp(Ball::hull(Ball(10000000), Ball(20000000), 200), 200), 8).digits, 0);
}

TEST(Decimal, ends_of_a_ball_that_touches_or_straddles_zero) {
  const auto ends = decimal_ends(between(-1, 2), 3);
  EXPECT_EQ(ends.lower, "-1.01");  // a hull is a little wider
  EXPECT_EQ(ends.upper, "2.01");
  EXPECT_EQ(decimal_ends(Ball(0), 3).lower, "0");
  EXPECT_EQ(decimal_ends(Ball(0), 3).upper, "0");
}

TEST(Decimal, sizes_below_2_to_the_minus_million_bits_keep_proved_digits) {
  const Ball tiny = exp(Ball(-10000000), 200);
  const Decimal shown = proved_decimal(tiny, 8);
  EXPECT_EQ(shown.text, "1.5169368e-4342945");
  EXPECT_EQ(shown.digits, 8);
  const auto ends = decimal_ends(tiny, 4);
  EXPECT_EQ(ends.lower, "1.516e-4342945");
  EXPECT_EQ(ends.upper, "1.517e-4342945");
}

}  // namespace decimal_test
