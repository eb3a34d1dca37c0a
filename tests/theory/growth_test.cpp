// Growth laws against sums of doubles, at lengths where the error must have become smaller than before.
#include "theory/growth.h"

#include <cmath>
#include <functional>

#include "tests/theory/engine.h"

namespace {

using gpe::testing::oracle;
using gpe::testing::parse;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::GrowthLaws;

struct Sums {
  double z;
  double entropy;
};

// Scores relative to the largest, so that growing ones do not overflow.
Sums sums(const std::function<double(double)>& score, int length) {
  double most = -1e300;
  for (int n = 0; n <= length; ++n) most = std::max(most, score(n));
  double z = 0;
  double s = 0;
  for (int n = 0; n <= length; ++n) {
    const double a = score(n) - most;
    z += std::exp(a);
    s += a * std::exp(a);
  }
  return {std::log(z) + most, std::log(z) - s / z};
}

double at_length(const Expr& law, int length) {
  return gpe::testing::value(law, {{"L", gpe::theory::Rational(length)}}, 128).approximate();
}

struct Case {
  std::string score;
  std::function<double(double)> value;
  double near;  // how far log Z_L and H_L may be from their laws at the greater length
};

TEST(GrowthLaws, are_approached_as_the_length_grows) {
  const std::vector<Case> cases = {
      {"0", [](double) { return 0.0; }, 1e-5},
      {"3", [](double) { return 3.0; }, 1e-5},
      {"-1/2*log(1 + n)", [](double n) { return -0.5 * std::log1p(n); }, 5e-3},
      {"2*log(1 + n)", [](double n) { return 2 * std::log1p(n); }, 1e-4},
      {"1/(1 + n)", [](double n) { return 1 / (1 + n); }, 1e-3},
      {"-sqrt(log(1 + n))", [](double n) { return -std::sqrt(std::log1p(n)); }, 0.3},
      {"-1/4*log(1 + n) + log(log(3 + n))",
       [](double n) { return -0.25 * std::log1p(n) + std::log(std::log(3 + n)); }, 0.2},
      {"log(2)*n", [](double n) { return std::log(2.0) * n; }, 1e-6},
      {"n/2 - log(1 + n)", [](double n) { return n / 2 - std::log1p(n); }, 1e-4},
      {"n + sqrt(n)", [](double n) { return n + std::sqrt(n); }, 5e-3},
  };
  for (const Case& one : cases) {
    const GrowthLaws laws = growth_laws(parse(one.score), Context(oracle()));
    ASSERT_TRUE(laws.z && laws.entropy) << one.score;
    double last_z = 0;
    double last_h = 0;
    const bool steep =
        one.score.find("n/2") != std::string::npos || one.score[0] == 'n' || one.score.starts_with("log(2)");
    const std::vector<int> lengths = steep ? std::vector<int>{200, 20000} : std::vector<int>{1000, 1000000};
    for (const int length : lengths) {
      const Sums measured = sums(one.value, length);
      const double z = std::abs(measured.z - at_length(gpe::theory::log(*laws.z), length));
      const double h = std::abs(measured.entropy - at_length(*laws.entropy, length));
      if (length == lengths.back()) {
        EXPECT_LT(z, one.near) << one.score << ": Z ~ " << to_text(*laws.z);
        EXPECT_LT(h, one.near) << one.score << ": H ~ " << to_text(*laws.entropy);
        EXPECT_LE(z, last_z + 1e-9) << one.score;
        EXPECT_LE(h, last_h + 1e-9) << one.score;
      }
      last_z = z;
      last_h = h;
    }
  }
}

// At -log n both laws are leading terms: the ratio tends to 1, as slowly as loglog L / log L.
TEST(GrowthLaws, of_the_harmonic_series_hold_as_ratios) {
  const GrowthLaws laws = growth_laws(parse("-log(1 + n)"), Context(oracle()));
  ASSERT_TRUE(laws.z && laws.entropy);
  const Sums measured = sums([](double n) { return -std::log1p(n); }, 1000000);
  EXPECT_NEAR(std::exp(measured.z) - at_length(*laws.z, 1000000), 0.5772, 1e-3);  // Euler's constant
  EXPECT_NEAR(measured.entropy / at_length(*laws.entropy, 1000000), 1, 0.05);
  const GrowthLaws moved = growth_laws(parse("2 - log(5 + n)"), Context(oracle()));
  EXPECT_EQ(to_text(*moved.z), "log(L)*exp(2)");
}

TEST(GrowthLaws, are_silent_where_none_applies) {
  for (const char* score : {"-n", "-2*log(1 + n)", "-log(2 + n) - 2*log(log(2 + n))",  // convergent
                            "sin(n)", "2*floor(n/2)", "-floor(log(1 + n))",            // no expansion
                            "sqrt(n)", "n^2"}) {                                       // other laws
    const GrowthLaws laws = growth_laws(parse(score), Context(oracle()));
    EXPECT_FALSE(laws.z.has_value()) << score << ": " << to_text(*laws.z);
    EXPECT_FALSE(laws.entropy.has_value()) << score;
  }
}

}  // namespace
