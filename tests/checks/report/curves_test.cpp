#include "checks/report/curves.h"

#include <gtest/gtest.h>

#include "checks/arb/expr_ball.h"
#include "checks/sums/sums.h"
#include "tests/checks/parsed.h"
#include "tests/in_time.h"

using gpe::checks::Ball;
using gpe::checks::CurvePoint;
using gpe::testing::parsed;
using gpe::theory::Rational;
using gpe::theory::ScoreFunction;

namespace curves_test {

const gpe::checks::BallOracle oracle;

std::vector<CurvePoint> curves(const ScoreFunction& law, std::int64_t length, int points) {
  return gpe::checks::curves_of(law, {}, {points, length, {1}}, gpe::testing::in_time());
}

// The sums of points are those that partial sums have: of both sides, and at the index of the query.
TEST(Curves, sums_are_the_partial_sums) {
  for (const bool two_sided : {false, true})
    for (const std::int64_t first : {0, 5}) {
      ScoreFunction law;
      law.bias = parsed("-n/2");
      law.first = first;
      law.two_sided = two_sided;
      for (const CurvePoint& point : curves(law, 6, 4)) {
        const auto sum =
            gpe::checks::enclose_partial_sum(law, point.n - Rational(first), 20, gpe::testing::in_time());
        ASSERT_TRUE(point.z && point.entropy && point.mass && sum.reason.empty());
        EXPECT_TRUE(point.z->overlaps(sum.z) && point.entropy->overlaps(sum.entropy)) << point.n.str();
        EXPECT_EQ(point.n == Rational(first + 6), point.mass->overlaps(Ball(1)));
      }
    }
}

TEST(Curves, a_score_that_depends_on_the_length_is_that_of_the_query) {
  ScoreFunction law;
  law.bias = parsed("-(n - 5)*log(1 + L)", {"L"});
  law.first = 5;
  const CurvePoint last = curves(law, 6, 4).back();  // n = 11 = L
  ASSERT_TRUE(last.score && last.weight && last.z);
  const Ball expected = mul(Ball(-6), log(Ball(12), 128), 128);
  EXPECT_TRUE(last.score->overlaps(expected));
  EXPECT_TRUE(mul(*last.weight, *last.z, 128).overlaps(exp(expected, 128)));
}

}  // namespace curves_test
