#include "checks/stack/cosine_sum.h"

#include <chrono>
#include <cmath>

namespace gpe::checks {
namespace cosine_sum_test {

using theory::Rational;

theory::Budget soon() { return theory::Budget(std::chrono::seconds(60)).question(); }

double sum_at(double base, int turning, int still, int n) {
  double sum = still;
  for (int j = 0; j < turning; ++j) sum += std::cos(n * std::pow(base, -static_cast<double>(j) / turning));
  return sum;
}

std::vector<Ball> frequencies(const Rational& base, int turning, int still) {
  std::vector<Ball> result;
  for (int j = 0; j < turning; ++j) result.push_back(pow(Ball(base, 96), Rational(-j, turning), 96));
  result.resize(static_cast<std::size_t>(turning + still), Ball(0));
  return result;
}

RC_GTEST_PROP(CosineSum, IsNegativeFirstWhereDoublesSay, ()) {
  const int turning = *rc::gen::inRange(1, 40);
  const int still = *rc::gen::inRange(0, 5);
  const int base = *rc::gen::inRange(2, 20000);
  int n = 0;
  while (n <= 3000 && sum_at(base, turning, still, n) >= 1e-9) ++n;
  RC_PRE(n > 3000 || sum_at(base, turning, still, n) < -1e-9);
  const BigCount found = first_negative(frequencies(Rational(base), turning, still), 3000, soon());
  if (n > 3000)
    RC_ASSERT(found.kind == BigCount::Kind::unbounded);
  else
    RC_ASSERT(found.number == Rational(n));
}

// Men et al., arXiv 2405.14591, table 2, at d = 128: 4.3e3, 2.7e4; docs/audit.md: 4,294 and not 4,293.
TEST(CosineSum, LeastBasesOfRoPEAreThoseOfThePaper) {
  const LeastBase at_1k = least_base(64, 0, 1023, soon());
  EXPECT_GT(at_1k.below, Rational(4293));
  EXPECT_LT(at_1k.suffices, Rational(4294));
  const LeastBase at_4k = least_base(64, 0, 4095, soon());
  EXPECT_GT(at_4k.below, Rational(26950));
  EXPECT_LT(at_4k.suffices, Rational(26955));
}

// On a fine grid no base below has no negative sum, and the one that suffices has none.
RC_GTEST_PROP(CosineSum, NoBaseBelowTheLeastOneSuffices, ()) {
  const int turning = *rc::gen::inRange(2, 20);
  const int still = *rc::gen::inRange(0, 3);
  const int last = *rc::gen::inRange(2, 200);
  const LeastBase found = least_base(turning, still, last, soon());
  const auto lowest = [&](double base) {
    double least = 1;
    for (int n = 1; n <= last; ++n) least = std::min(least, sum_at(base, turning, still, n));
    return least;
  };
  if (found.any) {
    for (double base = 1.001; base < 1e4; base *= 1.05) RC_ASSERT(lowest(base) >= -1e-9);
    return;
  }
  const double below = Ball(found.below, 64).approximate();
  for (double base = 1.0001; base < below; base *= 1.002) RC_ASSERT(lowest(base) < 1e-9);
  RC_ASSERT(!found.suffices.is_zero());
  RC_ASSERT(lowest(Ball(found.suffices, 64).approximate()) > -1e-9);
  RC_ASSERT(found.suffices <= found.below * Rational(10001, 10000));
}

TEST(CosineSum, BlocksThatStayMakeEveryBaseSuffice) {
  EXPECT_TRUE(least_base(16, 16, 100000, soon()).any);
  EXPECT_FALSE(least_base(17, 16, 100000, soon()).any);
}

TEST(CosineSum, WithoutTimeNothingIsClaimed) {
  const theory::Budget now = theory::Budget(std::chrono::seconds(0)).question();
  EXPECT_TRUE(least_base(64, 0, 4095, now).suffices.is_zero());
  EXPECT_EQ(first_negative(frequencies(Rational(10000), 64, 0), 4095, now).kind, BigCount::Kind::unknown);
}

}  // namespace cosine_sum_test
}  // namespace gpe::checks
