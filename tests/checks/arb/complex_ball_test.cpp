#include "checks/arb/complex_ball.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/checks/parsed.h"
#include "tests/generators/analytic_text.h"
#include "tests/generators/rational.h"

using gpe::checks::Ball;
using gpe::checks::ComplexBall;
using gpe::checks::evaluate;
using gpe::checks::evaluate_complex;
using gpe::testing::parsed;
using gpe::theory::Rational;

namespace complex_ball_test {

Ball imaginary(const ComplexBall& z) {
  Ball result;
  arb_set(result.raw(), acb_imagref(z.raw()));
  return result;
}

ComplexBall point(const Rational& x, const Rational& y, long bits) { return {Ball(x, bits), Ball(y, bits)}; }

ComplexBall box(const Rational& x, const Rational& y, const Rational& half_side, long bits) {
  const auto around = [&](const Rational& c) { return Ball(c, bits).widened(Ball(half_side, bits)); };
  return {around(x), around(y)};
}

bool overlap(const ComplexBall& a, const ComplexBall& b) { return acb_overlaps(a.raw(), b.raw()) != 0; }

RC_GTEST_PROP(ComplexBall, on_the_real_axis_it_is_the_real_value, ()) {
  const gpe::theory::Expr expression = *gpe::testing::analytic_expression(3);
  const Rational n = *gpe::testing::positive_rational(100);
  const Ball real = evaluate(expression, {{"n", Ball(n, 200)}}, 200);
  RC_PRE(real.is_finite());
  const ComplexBall complex = evaluate_complex(expression, ComplexBall(Ball(n, 200)), 200, false);
  RC_ASSERT(!complex.is_finite() || complex.real().overlaps(real));
  RC_ASSERT(!complex.is_finite() || imaginary(complex).may_be_zero());
}

RC_GTEST_PROP(ComplexBall, a_box_contains_the_values_at_its_points, ()) {
  const gpe::theory::Expr expression = *gpe::testing::analytic_expression(3);
  const Rational x = *gpe::testing::any_rational();
  const Rational y = *gpe::testing::any_rational();
  const Rational side(1, *rc::gen::inRange<std::int64_t>(1, 100));
  const Rational u(*rc::gen::inRange<std::int64_t>(-4, 5), 4);
  const Rational v(*rc::gen::inRange<std::int64_t>(-4, 5), 4);
  const ComplexBall whole = evaluate_complex(expression, box(x, y, side, 80), 80, false);
  const ComplexBall part = evaluate_complex(expression, point(x + u * side, y + v * side, 300), 300, false);
  RC_ASSERT(!whole.is_finite() || !part.is_finite() || overlap(whole, part));
}

RC_GTEST_PROP(ComplexBall, the_conjugate_has_the_conjugate_value, ()) {
  const gpe::theory::Expr expression = *gpe::testing::analytic_expression(3);
  const Rational x = *gpe::testing::any_rational();
  const Rational y = *gpe::testing::positive_rational();
  const ComplexBall upper = evaluate_complex(expression, point(x, y, 200), 200, true);
  const ComplexBall lower = evaluate_complex(expression, point(x, -y, 200), 200, true);
  RC_PRE(upper.is_finite() && lower.is_finite());
  RC_ASSERT(upper.real().overlaps(lower.real()));
  RC_ASSERT(imaginary(upper).overlaps(neg(imaginary(lower))));
}

RC_GTEST_PROP(ComplexBall, analytic_on_a_box_means_equal_to_its_taylor_series_there, ()) {
  // For f analytic on the box, f(z) differs from f(c) by at most |z - c| sup|f'|: the derivative exists on
  // it.
  const gpe::theory::Expr expression = *gpe::testing::analytic_expression(2);
  const gpe::theory::Expr slope = gpe::testing::derivative_of(expression);
  const Rational x = *gpe::testing::any_rational();
  const Rational y = *gpe::testing::any_rational();
  const Rational side(1, *rc::gen::inRange<std::int64_t>(1, 50));
  const ComplexBall here = box(x, y, side, 100);
  const ComplexBall value = evaluate_complex(expression, here, 100, true);
  const ComplexBall derivative = evaluate_complex(slope, here, 100, true);
  RC_PRE(value.is_finite() && derivative.is_finite());
  const ComplexBall at_center = evaluate_complex(expression, point(x, y, 200), 200, true);
  const ComplexBall at_corner = evaluate_complex(expression, point(x + side, y + side, 200), 200, true);
  RC_PRE(at_center.is_finite() && at_corner.is_finite());
  const gpe::checks::ComplexOperations operations(200, false);
  const ComplexBall step = operations.mul(ComplexBall(Ball(side, 200), Ball(side, 200)), derivative);
  RC_ASSERT(overlap(at_corner, operations.add(at_center, step)));
}

TEST(ComplexBall, the_branch_cut_is_unknown_where_analyticity_is_asked_for) {
  const ComplexBall across = box(-2, 0, Rational(1, 2), 64);
  for (const char* text : {"log(n)", "sqrt(n)", "n^(1/3)", "n^pi", "log(n)^2", "exp(log(n)/2)"}) {
    EXPECT_FALSE(evaluate_complex(parsed(text), across, 64, true).is_finite()) << text;
    EXPECT_TRUE(evaluate_complex(parsed(text), across, 64, false).is_finite()) << text;
    EXPECT_TRUE(evaluate_complex(parsed(text), box(2, 0, Rational(1, 2), 64), 64, true).is_finite()) << text;
    EXPECT_TRUE(evaluate_complex(parsed(text), box(-2, 1, Rational(1, 2), 64), 64, true).is_finite()) << text;
  }
  for (const char* text : {"n^2", "1/n", "exp(n)", "sin(n)", "n^3 - n"}) {  // no cut there
    EXPECT_TRUE(evaluate_complex(parsed(text), across, 64, true).is_finite()) << text;
  }
}

TEST(ComplexBall, what_is_not_analytic_has_no_value) {
  for (const char* text :
       {"abs(n)", "floor(n/2)", "min(n, 2)", "max(n, 2)", "if(n < 3, n, 2*n)", "1/(n - 2)"}) {
    EXPECT_FALSE(evaluate_complex(parsed(text), box(2, 0, Rational(1, 4), 64), 64, true).is_finite()) << text;
  }
}

TEST(ComplexBall, values_at_complex_points) {
  // exp(x + iy) = e^x (cos y + i sin y), at x = 1, y = 2
  const ComplexBall value = evaluate_complex(parsed("exp(n)"), point(1, 2, 128), 128, true);
  EXPECT_TRUE(value.real().overlaps(mul(exp(Ball(1), 128), cos(Ball(2), 128), 128)));
  EXPECT_TRUE(imaginary(value).overlaps(mul(exp(Ball(1), 128), sin(Ball(2), 128), 128)));
  // log i = i pi/2; sqrt(-4 + 0i) = 2i; i^2 = -1; |3 + 4i| = 5
  EXPECT_TRUE(imaginary(evaluate_complex(parsed("log(n)"), point(0, 1, 128), 128, true))
                  .overlaps(div(Ball::pi(128), Ball(2), 128)));
  EXPECT_TRUE(
      imaginary(evaluate_complex(parsed("sqrt(n)"), point(-4, 0, 128), 128, false)).contains(Rational(2)));
  EXPECT_TRUE(evaluate_complex(parsed("n^2"), point(0, 1, 128), 128, true).real().contains(Rational(-1)));
  EXPECT_TRUE(point(3, 4, 128).abs(128).contains(Rational(5)));
  EXPECT_TRUE(evaluate_complex(parsed("sum(k, 1, 3, n^k)"), point(0, 1, 128), 128, true)
                  .real()
                  .contains(Rational(-1)));
}

}  // namespace complex_ball_test
