// Growth laws against sums of doubles, at lengths where the error must have become smaller than before.
#include "theory/properties/growth.h"

#include <cmath>
#include <functional>

#include "tests/theory/engine.h"

namespace growth_test {

using gpe::testing::oracle;
using gpe::testing::parse;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::GrowthLaws;
using gpe::theory::ScoreFunction;

GrowthLaws laws_of_bias(const std::string& bias, std::int64_t first = 0, bool two_sided = false) {
  ScoreFunction law;
  law.bias = parse(bias);
  law.first = first;
  law.two_sided = two_sided;
  return growth_laws(law, Context(oracle()));
}

struct Sums {
  double z;
  double entropy;
};

// Of length + 1 keys from `first` on, two-sided on both sides. Scores relative to the largest, so that
// growing ones do not overflow.
Sums sums(const std::function<double(double)>& score, int length, int first = 0, bool two_sided = false) {
  double most = -1e300;
  for (int n = first; n <= first + length; ++n) most = std::max(most, score(n));
  double z = 0;
  double s = 0;
  for (int n = first; n <= first + length; ++n) {
    const double a = score(n) - most;
    const int copies = two_sided && n > 0 ? 2 : 1;
    z += copies * std::exp(a);
    s += copies * a * std::exp(a);
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
    const GrowthLaws laws = laws_of_bias(one.score);
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
  const GrowthLaws laws = laws_of_bias("-log(1 + n)");
  ASSERT_TRUE(laws.z && laws.entropy);
  const Sums measured = sums([](double n) { return -std::log1p(n); }, 1000000);
  EXPECT_NEAR(std::exp(measured.z) - at_length(*laws.z, 1000000), 0.5772, 1e-3);  // Euler's constant
  EXPECT_NEAR(measured.entropy / at_length(*laws.entropy, 1000000), 1, 0.05);
  const GrowthLaws moved = laws_of_bias("2 - log(5 + n)");
  EXPECT_EQ(to_text(*moved.z), "log(L)*exp(2)");
}

// With L + 1 keys from `first` on, and on both sides, the laws are those of that sum.
TEST(GrowthLaws, count_the_keys_that_are_summed) {
  const std::vector<Case> cases = {{"n/2", [](double n) { return n / 2; }, 1e-6},
                                   {"n/2 - log(1 + n)", [](double n) { return n / 2 - std::log1p(n); }, 1e-2},
                                   {"-1/2*log(1 + n)", [](double n) { return -0.5 * std::log1p(n); }, 0.1},
                                   {"1", [](double) { return 1.0; }, 2e-3}};
  for (const Case& one : cases) {
    for (const int first : {0, 3, 7}) {
      for (const bool two_sided : {false, true}) {
        const GrowthLaws laws = laws_of_bias(one.score, first, two_sided);
        ASSERT_TRUE(laws.z && laws.entropy) << one.score;
        const Sums measured = sums(one.value, 5000, first, two_sided);
        EXPECT_NEAR(measured.z, at_length(gpe::theory::log(*laws.z), 5000), one.near)
            << one.score << " from " << first << ": " << to_text(*laws.z);
        EXPECT_NEAR(measured.entropy, at_length(*laws.entropy, 5000), one.near)
            << one.score << " from " << first << ": " << to_text(*laws.entropy);
      }
    }
  }
}

// Theorem K1, second row: log log L is printed where Σ |A + log n - γ|/n converges, and only there. For
// 1/log(n + 2) the true second term is ½ log log L.
TEST(GrowthLaws, of_the_harmonic_series_have_a_second_term_where_it_is_proved) {
  const auto entropy_of = [](const std::string& bias) { return to_text(*laws_of_bias(bias).entropy); };
  for (const char* rest :
       {"", " + 1/(1 + n)", " - 3/sqrt(1 + n)", " + 1/log(n + 2)^2", " - 5/log(n + 2)^(3/2)",
        " + 1/(log(n + 2)*log(log(n + 3))^2)", " + 7 + exp(-n)"}) {
    EXPECT_EQ(entropy_of("-log(1 + n)" + std::string(rest)), entropy_of("-log(1 + n)")) << rest;
  }
  EXPECT_NE(entropy_of("-log(1 + n)").find("log(log(L))"), std::string::npos);
  EXPECT_EQ(entropy_of("-log(n)"), entropy_of("-log(1 + n)"));
  for (const char* rest : {" + 1/log(n + 2)", " - 1/log(n + 2)", " + 1/log(log(n + 20))",
                           " + 1/(log(n + 2)*log(log(n + 3)))", " + log(log(n + 3))/log(n + 3)"}) {
    EXPECT_EQ(entropy_of("-log(1 + n)" + std::string(rest)), to_text(parse("1/2*log(L)"))) << rest;
  }
}

// H_L less that of -log n, both by integrals over t = log n up to log L: where the law of H_L is the same, it
// stays; for 1/log n it falls like ½ log log L, far beyond lengths that can be summed.
TEST(GrowthLaws, of_the_harmonic_series_are_those_far_out) {
  const auto entropy = [](const std::function<double(double)>& rest, double log_length) {
    const int steps = 20000;
    const double step = std::log(log_length) / steps;
    double z = 0;
    double s = 0;
    for (int i = 0; i <= steps; ++i) {
      const double t = std::exp(i * step);
      const double weight = std::exp(rest(t)) * t * (i == 0 || i == steps ? step / 2 : step);
      z += weight;
      s += (rest(t) - t) * weight;
    }
    return std::log(z) - s / z;
  };
  const auto none = [](double) { return 0.0; };
  const auto moves = [&](const std::function<double(double)>& rest) {
    return entropy(rest, 1e9) - entropy(none, 1e9) - entropy(rest, 1e6) + entropy(none, 1e6);
  };
  EXPECT_NEAR(moves([](double t) { return 1 / (t * t); }), 0, 1e-2);
  EXPECT_NEAR(moves([](double t) { return -5 / (t * std::sqrt(t)); }), 0, 5e-2);
  EXPECT_NEAR(moves([](double t) { return 1 / t; }), -0.5 * std::log(1e3), 1e-2);
  EXPECT_NEAR(moves([](double t) { return -1 / t; }), 0.5 * std::log(1e3), 1e-2);
}

TEST(GrowthLaws, are_silent_where_none_applies) {
  for (const char* score : {"-n", "-2*log(1 + n)", "-log(2 + n) - 2*log(log(2 + n))",  // convergent
                            "sin(n)", "2*floor(n/2)", "-floor(log(1 + n))",            // no expansion
                            "sqrt(n)", "n^2"}) {                                       // other laws
    const GrowthLaws laws = laws_of_bias(score);
    EXPECT_FALSE(laws.z.has_value()) << score << ": " << to_text(*laws.z);
    EXPECT_FALSE(laws.entropy.has_value()) << score;
  }
}

}  // namespace growth_test
