// Past the time limit: the enclosure reached, and not much later.
#include <gtest/gtest.h>

#include "checks/sums/sums.h"
#include "tests/checks/sum_tools.h"

using namespace gpe::checks;
using namespace gpe::testing;
using gpe::theory::Rational;

namespace time_limit_test {

constexpr std::chrono::milliseconds kLimit(500);

Sums limited(const std::string& score, int digits, std::chrono::milliseconds limit) {
  gpe::theory::ScoreFunction law;
  law.bias = score_of(score);
  law.first = 1;
  return enclose_sums(law, digits, gpe::testing::in_time(limit));
}

// CPU time: it does not depend on what else the machine does.
template <class Work>
double seconds(const Work& work) {
  const auto begin = gpe::theory::CpuClock::now();
  work();
  return std::chrono::duration<double>(gpe::theory::CpuClock::now() - begin).count();
}

// Twice the limit, and something for the smallest steps.
const double kMax = 2 * 0.5 + 0.25;

TEST(TimeLimit, is_kept_at_any_number_of_digits_and_leaves_an_enclosure) {
  for (const char* score : {"-sqrt(n)", "-exp(n)", "-exp(log(log(n + 3))^2)", "-1e200*log(n + 1)",
                            "-floor(log(n + 1)^2)", "-2*log(n + 2) + sin(n^2)", "-log(n + 1)*(1 + 1e-9)"}) {
    const Sums few = limited(score, 12, std::chrono::milliseconds(700));
    for (const int digits : {1000, 5000}) {
      Sums sums;
      const double taken = seconds([&] { sums = limited(score, digits, kLimit); });
      const std::string what = std::string(score) + " " + std::to_string(digits) + ": " + sums.method;
      // a zeta function of 5000 digits is one call that takes longer
      if (sums.method.find("closed form") == std::string::npos) {
        EXPECT_LT(taken, kMax) << what;
      }
      ASSERT_EQ(sums.z.finite, Finite::yes) << what;
      EXPECT_TRUE(sums.z.value.is_finite()) << what << " " << sums.z.reason;
      EXPECT_TRUE(sums.z.value.overlaps(few.z.value)) << what;
      if (sums.z.value.relative_bits() < bits_of(digits)) {
        EXPECT_FALSE(sums.z.reason.empty()) << what;
      }
    }
  }
}

TEST(TimeLimit, is_kept_by_partial_sums_far_out) {
  for (const char* score :
       {"cos(n)/3 + cos(n/7)", "-floor(sqrt(n))*log(n + 2)/sqrt(n + 1)", "-abs(sin(n))"}) {
    for (const char* length : {"1e6", "1e30"}) {
      gpe::theory::ScoreFunction law;
      law.bias = score_of(score);
      PartialSum sum;
      const double taken = seconds([&] {
        sum = enclose_partial_sum(law, *Rational::parse(length), 30, gpe::testing::in_time(kLimit));
      });
      EXPECT_LT(taken, kMax) << score << " " << length << " " << sum.method;
      EXPECT_TRUE(sum.z.is_finite()) << score << " " << length << " " << sum.reason;
      EXPECT_TRUE(sum.entropy.is_finite()) << score << " " << length << " " << sum.reason;
    }
  }
}

}  // namespace time_limit_test
