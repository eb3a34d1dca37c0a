// Special functions of doubles, against those of balls.
#include "checks/arb/special_double.h"

#include <gtest/gtest.h>

#include <cmath>

#include "checks/arb/expr_ball.h"

namespace special_double_test {

using gpe::checks::Ball;
using gpe::checks::special_double;
using gpe::checks::special_slope;
using gpe::theory::Function;

double of_ball(Function function, int order, double x) {
  std::vector<Ball> arguments(1);
  arb_set_d(arguments.front().raw(), x);
  if (function == Function::polygamma) arguments.insert(arguments.begin(), Ball(order));
  return gpe::checks::BallOperations(200).call(function, arguments).approximate();
}

struct Case {
  Function function;
  int order;
};

TEST(SpecialDouble, values_and_slopes_are_those_of_balls) {
  for (const auto& [function, order] :
       {Case{Function::atan, 0}, Case{Function::erfc, 0}, Case{Function::lgamma, 0},
        Case{Function::polygamma, 0}, Case{Function::polygamma, 1}, Case{Function::polygamma, 4}}) {
    for (const double x : {1e-3, 0.25, 1.0, 1.4616, 2.0, 3.5, 17.0, 1000.0}) {
      const double exact = of_ball(function, order, x);
      EXPECT_NEAR(special_double(function, order, x), exact, 1e-15 * std::abs(exact) + 1e-300)
          << name_of(function) << order << " at " << x;
      const double step = x / 1024;
      const double slope = special_slope(function, order, x);
      const double low = of_ball(function, order, x - step);
      const double high = of_ball(function, order, x + step);
      const double closer =
          (of_ball(function, order, x + step / 2) - of_ball(function, order, x - step / 2)) / step;
      const double quotient = (4 * closer - (high - low) / (2 * step)) / 3;  // its error is of order step^4
      EXPECT_NEAR(slope, quotient, 1e-6 * std::abs(slope) + 1e-9)
          << name_of(function) << order << " at " << x;
    }
  }
}

TEST(SpecialDouble, what_is_not_positive_has_no_gamma) {
  for (const double x : {0.0, -0.5, -3.0}) {
    EXPECT_TRUE(std::isnan(special_double(Function::lgamma, 0, x)));
    EXPECT_TRUE(std::isnan(special_double(Function::polygamma, 1, x)));
  }
  EXPECT_EQ(special_double(Function::erfc, 0, -30.0), 2.0);
}

}  // namespace special_double_test
