#include "checks/arb/power_series.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/checks/parsed.h"
#include "tests/generators/analytic_text.h"
#include "tests/generators/rational.h"

namespace power_series_test {

using gpe::checks::Ball;
using gpe::checks::evaluate;
using gpe::checks::PowerSeries;
using gpe::checks::taylor;
using gpe::testing::parsed;
using gpe::theory::Expr;
using gpe::theory::Rational;

RC_GTEST_PROP(PowerSeries, coefficients_are_derivatives_over_factorials, ()) {
  const Expr expression = *gpe::testing::analytic_expression(2);
  const Rational center = *gpe::testing::positive_rational(50);
  const long length = *rc::gen::inRange<long>(1, 5);
  const PowerSeries series = taylor(expression, Ball(center, 200), length, 200);
  Expr derivative = expression;
  Rational factorial(1);
  for (long k = 0; k < length; ++k) {
    if (k > 0) {
      derivative = gpe::testing::derivative_of(derivative);
      factorial *= Rational(k);
    }
    const Ball value = evaluate(derivative, {{"n", Ball(center, 200)}}, 200);
    const Ball expected = div(value, Ball(factorial, 200), 200);
    const Ball found = series.coefficient(k);
    RC_ASSERT(!expected.is_finite() || !found.is_finite() || found.overlaps(expected));
  }
}

RC_GTEST_PROP(PowerSeries, a_ball_around_the_center_covers_the_coefficients_at_its_points, ()) {
  const Expr expression = *gpe::testing::analytic_expression(2);
  const Rational center = *gpe::testing::positive_rational(50);
  const Rational offset(*rc::gen::inRange<std::int64_t>(-4, 5), 400);
  const PowerSeries wide = taylor(expression, Ball(center, 200).widened(Ball(Rational(1, 100), 200)), 5, 200);
  const PowerSeries narrow = taylor(expression, Ball(center + offset, 200), 5, 200);
  for (long k = 0; k < 5; ++k) {
    const Ball inner = narrow.coefficient(k);
    const Ball outer = wide.coefficient(k);
    RC_ASSERT(!inner.is_finite() || !outer.is_finite() || outer.overlaps(inner));
  }
}

TEST(PowerSeries, of_known_functions) {
  const auto coefficient = [](const std::string& text, const Rational& center, long k) {
    return taylor(parsed(text), Ball(center, 128), k + 2, 128).coefficient(k);
  };
  EXPECT_TRUE(coefficient("exp(n)", 0, 7).contains(Rational(1, 5040)));
  EXPECT_TRUE(coefficient("log(n)", 1, 6).contains(Rational(-1, 6)));
  EXPECT_TRUE(coefficient("sin(n)", 0, 5).contains(Rational(1, 120)));
  EXPECT_TRUE(coefficient("cos(n)", 0, 6).contains(Rational(-1, 720)));
  EXPECT_TRUE(coefficient("1/(1 + n)", 0, 9).contains(Rational(-1)));
  EXPECT_TRUE(coefficient("sqrt(n)", 1, 4).contains(Rational(-5, 128)));
  EXPECT_TRUE(coefficient("n^(1/3)", 8, 1).contains(Rational(1, 12)));
  EXPECT_TRUE(coefficient("n^5", 2, 3).contains(Rational(40)));
  EXPECT_TRUE(coefficient("n^5", 2, 6).surely_zero());
  EXPECT_TRUE(coefficient("n^-3", 1, 2).contains(Rational(6)));
  EXPECT_TRUE(coefficient("n^n", 1, 2).contains(Rational(1)));
  EXPECT_TRUE(coefficient("sum(k, 1, 3, n^k)", 1, 2).contains(Rational(4)));
  EXPECT_TRUE(coefficient("n^100", 1, 2).contains(Rational(4950)));
}

TEST(PowerSeries, what_is_not_analytic_has_no_coefficients) {
  for (const char* text : {"abs(n)", "floor(n/2)", "min(n, 2)", "if(n < 3, n, 2*n)", "log(n - 2)",
                           "1/(n - 2)", "sqrt(n - 2)", "(n - 2)^(n)"}) {
    EXPECT_FALSE(taylor(parsed(text), Ball(2), 3, 64).coefficient(1).is_finite()) << text;
  }
}

}  // namespace power_series_test
