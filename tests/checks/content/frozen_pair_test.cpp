#include "checks/content/frozen_pair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/checks/law_of.h"
#include "tests/in_time.h"

namespace frozen_pair_test {

using namespace gpe;
using checks::Ball;
using gpe::testing::law_of;
using gpe::testing::oracle;
using theory::Rational;

const theory::Context kTime = gpe::testing::in_time(std::chrono::seconds(20));
constexpr int kDigits = 15;

TEST(FrozenPair, sums_are_those_of_the_rotated_vectors) {
  const theory::ScoreFunction law = law_of("-n/10", "1", "10000^(-2*j/d)*n");
  const checks::FrozenPair pair = checks::frozen_pair(7, 64);
  const checks::Sums sums = checks::frozen_sums(law, 7, Rational(3), {}, kDigits, kTime);
  ASSERT_EQ(sums.z.finite, checks::Finite::yes) << sums.z.reason;
  double qq = 0;
  double kk = 0;
  for (int i = 0; i < 64; ++i) {
    const auto at = static_cast<std::size_t>(i);
    qq += static_cast<double>(pair.query[at]) * static_cast<double>(pair.query[at]);
    kk += static_cast<double>(pair.key[at]) * static_cast<double>(pair.key[at]);
  }
  double z = 0;
  double s = 0;
  for (int n = 0; n < 600; ++n) {
    double dot = 0;
    for (std::size_t j = 0; j < 32; ++j) {
      const double t = std::pow(10000.0, -2.0 * static_cast<double>(j) / 64) * n;
      const double q1 = static_cast<double>(pair.query[j]);
      const double q2 = static_cast<double>(pair.query[j + 32]);
      const double k1 = static_cast<double>(pair.key[j]);
      const double k2 = static_cast<double>(pair.key[j + 32]);
      dot += std::cos(t) * (q1 * k1 + q2 * k2) + std::sin(t) * (q1 * k2 - q2 * k1);
    }
    const double a = -n / 10.0 + 3 * dot / std::sqrt(qq * kk);
    z += std::exp(a);
    s += a * std::exp(a);
  }
  EXPECT_NEAR(sums.z.value.approximate() / z, 1, 1e-12);
  EXPECT_NEAR(sums.entropy.value.approximate(), std::log(z) - s / z, 1e-11);
}

// Terms grow up to n = 10^7, far beyond those that are added one by one.
TEST(FrozenPair, a_sum_that_is_not_reached_is_not_given) {
  const checks::Sums sums = checks::frozen_sums(law_of("10 - n/1000000"), 1, Rational(1), {}, 8,
                                                gpe::testing::in_time(std::chrono::seconds(60)));
  EXPECT_EQ(sums.z.finite, checks::Finite::unknown);
  EXPECT_NE(sums.z.reason.find("2 million terms"), std::string::npos) << sums.z.reason;
}

// docs/readings.md: the law's error in log Z_L is small once L is far beyond 2π·base.
// Of one constant content beside n log 2 H_L tends to 2 log 2; of a score of order -2.92 log n the mean
// distance is finite, although that of a content within the same bound may be infinite.
TEST(FrozenPair, infinite_is_what_is_proved_to_be) {
  const auto sums = [](const theory::ScoreFunction& law, std::uint64_t seed, const Rational& bound) {
    return checks::frozen_sums(law, seed, bound, std::nullopt, 8,
                               gpe::testing::in_time(std::chrono::seconds(5)));
  };
  const checks::Sums rising = sums(law_of("n*log(2)"), 1, Rational(1));
  EXPECT_EQ(rising.z.finite, checks::Finite::no);
  EXPECT_EQ(rising.entropy.finite, checks::Finite::unknown);
  EXPECT_EQ(rising.mean_distance.finite, checks::Finite::no);
  EXPECT_EQ(sums(law_of("-log(1+n)"), 1, Rational(1)).entropy.finite, checks::Finite::no);
  EXPECT_NE(sums(law_of("-3*log(1+n)", "log(1+n)"), 1, Rational(3, 2)).mean_distance.finite,
            checks::Finite::no);
  EXPECT_EQ(sums(law_of("-n/4", "1", "n/(1+L)"), 1, Rational(1)).z.reason,
            "the score depends on L: see lengths");
}

TEST(FrozenPair, growth_law_of_rotations_holds_far_out) {
  const theory::ScoreFunction law = law_of("0", "1", "10^(-2*j/d)*n");
  const checks::FrozenPair pair = checks::frozen_pair(3, 64);
  const checks::FrozenGrowth growth = checks::frozen_growth(pair, theory::Layout::half, Ball(2), {}, 128);
  const Rational length(20000);
  const checks::Sums sums =
      checks::frozen_sums(law, 3, Rational(2), length, 8, gpe::testing::in_time(std::chrono::seconds(30)));
  ASSERT_EQ(sums.z.finite, checks::Finite::yes) << sums.z.reason;
  EXPECT_NEAR(std::log(sums.z.value.approximate() / 20001), std::log(growth.z_over_length.approximate()),
              2e-2);
  EXPECT_NEAR(sums.entropy.value.approximate() - std::log(20001.0), growth.entropy_less_log.approximate(),
              2e-2);
}

}  // namespace frozen_pair_test
