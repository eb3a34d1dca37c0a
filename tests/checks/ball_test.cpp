#include "checks/ball.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/generators/rational.h"

using gpe::checks::Ball;
using gpe::theory::Rational;

TEST(Ball, encloses_a_third) {
  const auto ends = Ball(Rational(1, 3), 53).ends();
  ASSERT_TRUE(ends.has_value());
  EXPECT_LE(ends->low, Rational(1, 3));
  EXPECT_GE(ends->high, Rational(1, 3));
}

TEST(Ball, an_end_too_small_to_write_moves_outward) {
  const Ball tiny = exp(neg(Ball(Rational(10).pow(9), 64)), 64);
  EXPECT_TRUE(tiny.surely_positive());
  const auto ends = tiny.ends();
  ASSERT_TRUE(ends.has_value());
  EXPECT_EQ(ends->low, Rational(0));
  EXPECT_GT(ends->high, Rational(0));
}

TEST(Ball, the_logarithm_of_a_ball_that_reaches_zero_is_unknown) {
  EXPECT_FALSE(log(Ball::hull(Ball(-1), Ball(1), 64), 64).is_finite());
}

TEST(Ball, zero_to_a_positive_power_is_zero) {
  EXPECT_TRUE(pow(Ball(0), Rational(1, 3), 64).surely_zero());
  EXPECT_FALSE(pow(Ball(0), Rational(-1, 3), 64).is_finite());
}

RC_GTEST_PROP(Ball, field_operations_contain_the_exact_result, ()) {
  const Rational a = *gpe::testing::any_rational();
  const Rational b = *gpe::testing::any_rational();
  const long bits = *rc::gen::inRange<long>(4, 100);
  const Ball x(a, bits);
  const Ball y(b, bits);
  RC_ASSERT(add(x, y, bits).contains(a + b));
  RC_ASSERT(mul(x, y, bits).contains(a * b));
  if (!b.is_zero()) RC_ASSERT(div(x, y, bits).contains(a / b));
}
