#include "checks/arb/ball.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/generators/rational.h"

namespace ball_test {

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

RC_GTEST_PROP(Ball, operations_over_balls_contain_the_result_at_every_point_of_them, ()) {
  // A wide ball around a, another around b; every a' and b' in them.
  const Rational a = *gpe::testing::any_rational();
  const Rational b = *gpe::testing::any_rational();
  const Rational u(*rc::gen::inRange<std::int64_t>(-8, 9), 8);
  const Rational v(*rc::gen::inRange<std::int64_t>(-8, 9), 8);
  const long bits = *rc::gen::inRange<long>(8, 80);
  const auto around = [&](const Rational& x) {
    return Ball::hull(Ball(x - 1, bits), Ball(x + 1, bits), bits);
  };
  const Ball x = around(a);
  const Ball y = around(b);
  const Rational p = a + u;
  const Rational q = b + v;
  RC_ASSERT(x.contains(p));
  RC_ASSERT(add(x, y, bits).contains(p + q));
  RC_ASSERT(sub(x, y, bits).contains(p - q));
  RC_ASSERT(mul(x, y, bits).contains(p * q));
  RC_ASSERT(neg(x).contains(-p));
  RC_ASSERT(abs(x).contains(p.abs()));
  RC_ASSERT(floor(x, bits).contains(p.floor()));
  RC_ASSERT(min(x, y, bits).contains(std::min(p, q)));
  RC_ASSERT(max(x, y, bits).contains(std::max(p, q)));
  RC_ASSERT(pow(x, Rational(3), bits).contains(p.pow(3)));
  if (y.may_be_zero()) return;
  RC_ASSERT(div(x, y, bits).contains(p / q));
  RC_ASSERT(pow(y, Rational(-2), bits).contains(q.pow(-2)));
}

RC_GTEST_PROP(Ball, inverse_functions_lead_back, ()) {
  const Rational x = *gpe::testing::positive_rational(1000);
  const long bits = *rc::gen::inRange<long>(10, 200);
  const Ball ball(x, bits);
  RC_ASSERT(exp(log(ball, bits), bits).contains(x));
  RC_ASSERT(log(exp(ball, bits), bits).contains(x));
  RC_ASSERT(mul(sqrt(ball, bits), sqrt(ball, bits), bits).contains(x));
  RC_ASSERT(pow(pow(ball, Rational(1, 3), bits), Rational(3), bits).contains(x));
  RC_ASSERT(log1p(sub(ball, Ball(1), bits), bits).overlaps(log(ball, bits)));
  const Ball s = sin(ball, bits);
  const Ball c = cos(ball, bits);
  RC_ASSERT(add(mul(s, s, bits), mul(c, c, bits), bits).contains(Rational(1)));
  RC_ASSERT(pow(ball, Ball(Rational(3, 7), bits), bits).overlaps(pow(ball, Rational(3, 7), bits)));
}

RC_GTEST_PROP(Ball, ends_enclose_and_are_close, ()) {
  const Rational x = *gpe::testing::any_rational();
  const Ball ball(x, 100);
  const auto ends = ball.ends();
  RC_ASSERT(ends.has_value());
  RC_ASSERT(ends->low <= x && x <= ends->high);
  RC_ASSERT(ends->high - ends->low <= x.abs() * Rational(2).pow(-95));
  RC_ASSERT(ball.lower(100).is_exact() && ball.upper(100).is_exact());
  RC_ASSERT(ball.lower(100).surely_at_most(ball.upper(100)));
  RC_ASSERT(ball.contains(ball.mid()));
}

TEST(Ball, an_error_bound_widens_to_both_sides) {
  const Ball wide = Ball(5).widened(Ball(-2));
  EXPECT_TRUE(wide.contains(Rational(3)));
  EXPECT_TRUE(wide.contains(Rational(7)));
  EXPECT_FALSE(wide.contains(Rational(8)));
}

RC_GTEST_PROP(Ball, a_hull_contains_both_in_either_order, ()) {
  const auto end = [] {
    const std::int64_t size = *rc::gen::element<std::int64_t>(1, 1000, 1000000000000000);
    return Rational(*rc::gen::inRange<std::int64_t>(-2, 6) * size, 3);
  };
  const Rational a = end();
  const Rational b = end();
  const Ball both = Ball::hull(Ball(a, 100), Ball(b, 100), 100);
  RC_ASSERT(both.contains(a) && both.contains(b));
  if (a.sign() >= 0 && b.sign() >= 0) RC_ASSERT(both.surely_nonnegative());
}

TEST(Ball, signs_and_orders_are_proved_or_not_claimed) {
  const Ball around_zero = Ball::hull(Ball(-1), Ball(1), 64);
  EXPECT_FALSE(around_zero.surely_positive() || around_zero.surely_negative() || around_zero.surely_zero());
  EXPECT_FALSE(around_zero.surely_nonzero() || around_zero.surely_nonnegative());
  EXPECT_TRUE(around_zero.may_be_zero());
  EXPECT_TRUE(Ball(0).surely_zero() && Ball(0).surely_nonnegative() && !Ball(0).surely_positive());
  EXPECT_TRUE(around_zero.surely_less(Ball(2)));
  EXPECT_FALSE(around_zero.surely_less(Ball(1)) || around_zero.surely_at_most(Ball(Rational(1, 2), 64)));
  EXPECT_FALSE(Ball(0).surely_less(around_zero) || around_zero.surely_less(Ball(0)));
  const Ball unknown = Ball::unknown();
  EXPECT_FALSE(unknown.is_finite() || unknown.surely_positive() || unknown.surely_zero() ||
               unknown.surely_nonzero());
  EXPECT_TRUE(unknown.may_be_zero());
  EXPECT_FALSE(unknown.ends().has_value());
}

TEST(Ball, an_end_too_large_to_write_has_no_ends) {
  const Ball huge = exp(Ball(Rational(10).pow(9), 64), 64);
  EXPECT_TRUE(huge.is_finite());
  EXPECT_FALSE(huge.ends().has_value());
  EXPECT_TRUE(Ball(Rational(2).pow(1 << 20), 64).ends().has_value());
}

TEST(Ball, pi_lies_between_archimedes_bounds) {
  EXPECT_TRUE(Ball(Rational(223, 71), 64).surely_less(Ball::pi(64)));
  EXPECT_TRUE(Ball::pi(64).surely_less(Ball(Rational(22, 7), 64)));
  EXPECT_GT(Ball::pi(300).relative_bits(), 295);
}

TEST(Ball, a_hull_keeps_an_end_at_zero) {
  const Ball high = log(Ball(Rational(10).pow(12), 200), 200);
  const Ball hull = Ball::hull(Ball(0), high, 200);
  EXPECT_TRUE(hull.surely_nonnegative());
  EXPECT_TRUE(high.upper(200).surely_at_most(hull.upper(200)));
  const Ball tiny(Rational(1, 10).pow(15), 200);  // beside a radius of 1/2
  EXPECT_TRUE(Ball::hull(tiny, Ball(1), 200).surely_nonnegative());
  EXPECT_TRUE(Ball(1).surely_at_most(Ball::hull(tiny, Ball(1), 200).upper(200)));
}

TEST(Ball, undefined_operations_are_unknown) {
  EXPECT_FALSE(div(Ball(1), Ball(0), 64).is_finite());
  EXPECT_FALSE(sqrt(Ball(-1), 64).is_finite());
  EXPECT_FALSE(log(Ball(0), 64).is_finite());
  EXPECT_FALSE(pow(Ball(-2), Rational(1, 3), 64).is_finite());
  EXPECT_FALSE(pow(Ball(0), Ball(0), 64).is_finite());
  EXPECT_FALSE(pow(Ball(-2), Ball(Rational(1, 3), 64), 64).is_finite());
}

}  // namespace ball_test
