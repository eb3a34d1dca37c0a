// The entropy band against random and adversarial contents, against exhaustive search, and at its ends.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "checks/content/entropy_band.h"
#include "tests/checks/law_of.h"
#include "tests/in_time.h"

namespace entropy_band_test {

using namespace gpe;
using checks::Ball;
using checks::EntropyBand;
using gpe::testing::law_of;
using gpe::testing::oracle;
using theory::Rational;

double entropy(const std::vector<double>& scores) {
  double top = scores.front();
  for (const double a : scores) top = std::max(top, a);
  double z = 0;
  double s = 0;
  for (const double a : scores) {
    z += std::exp(a - top);
    s += (a - top) * std::exp(a - top);
  }
  return std::log(z) - s / z;
}

double low_end(const EntropyBand& band) { return band.lower.value.lower(64).approximate(); }
double best_low(const EntropyBand& band) { return band.lower.value.upper(64).approximate(); }
double high_end(const EntropyBand& band) { return band.upper.value.upper(64).approximate(); }

EntropyBand band_of(const std::string& bias, int bound, const std::optional<Rational>& length = {}) {
  return checks::entropy_band(law_of(bias), Rational(bound), length, 12,
                              gpe::testing::in_time(std::chrono::seconds(20)));
}

// Every vertex of the box, and the clamped optimum on a fine grid of thresholds.
TEST(EntropyBand, of_few_tokens_is_what_exhaustive_search_finds) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> score(-3, 2);
  for (int round = 0; round < 25; ++round) {
    const std::size_t tokens = 2 + random() % 8;
    std::vector<double> low(tokens);
    std::vector<double> high(tokens);
    for (std::size_t i = 0; i < tokens; ++i) {
      const double a = score(random);
      const double b = score(random);
      low[i] = std::min(a, b);
      high[i] = std::max(a, b);
    }
    double least = 1e9;
    for (std::size_t vertex = 0; vertex < (std::size_t{1} << tokens); ++vertex) {
      std::vector<double> scores(tokens);
      for (std::size_t i = 0; i < tokens; ++i) scores[i] = ((vertex >> i) & 1U) != 0 ? high[i] : low[i];
      least = std::min(least, entropy(scores));
    }
    double most = 0;
    for (double tau = -4; tau < 3; tau += 1e-4) {
      std::vector<double> scores(tokens);
      for (std::size_t i = 0; i < tokens; ++i) scores[i] = std::clamp(tau, low[i], high[i]);
      most = std::max(most, entropy(scores));
    }
    const EntropyBand band = checks::entropy_band(low, high, 12, oracle());
    EXPECT_LE(low_end(band), least + 1e-12);
    EXPECT_GE(best_low(band), least - 1e-12);
    if (tokens <= 6) {
      EXPECT_NEAR(low_end(band), least, 1e-9);  // all tokens enumerated: sharp
    }
    EXPECT_NEAR(high_end(band), most, 1e-7);
  }
}

TEST(EntropyBand, contains_the_entropy_of_every_random_content) {
  std::mt19937_64 random(2);
  for (const auto& [slope, bound] : {std::pair(0.5, 1), std::pair(0.0625, 2), std::pair(0.0625, 5)}) {
    const int length = 120;
    const std::string score = slope == 0.5 ? "-1/2*n" : "-1/16*n";
    const EntropyBand band = band_of(score, bound, Rational(length));
    std::uniform_real_distribution<double> content(-bound, bound);
    std::vector<double> scores(static_cast<std::size_t>(length) + 1);
    for (int round = 0; round < 34000; ++round) {
      const bool extreme = round % 2 == 0;
      for (int n = 0; n <= length; ++n) {
        double c = content(random);
        if (extreme) c = c > 0 ? bound : -bound;
        scores[static_cast<std::size_t>(n)] = -slope * n + c;
      }
      const double h = entropy(scores);
      ASSERT_GE(h, low_end(band) - 1e-12);
      ASSERT_LE(h, high_end(band) + 1e-12);
    }
    // adversaries: the nearest k tokens raised, and everything levelled
    for (int k = 1; k < 60; ++k) {
      for (int n = 0; n <= length; ++n)
        scores[static_cast<std::size_t>(n)] = -slope * n + (n < k ? bound : -bound);
      ASSERT_GE(entropy(scores), low_end(band) - 1e-12);
    }
  }
}

// docs/readings.md: ALiBi with slope 1/2 at B = 1, 2, 5.
TEST(EntropyBand, of_alibi_has_the_vertices_known_for_it) {
  const double vertex[] = {.7540, .1726, .0009};
  const int bounds[] = {1, 2, 5};
  for (int i = 0; i < 3; ++i) {
    const EntropyBand band = band_of("-n/2", bounds[i]);
    EXPECT_NEAR(best_low(band), vertex[i], 6e-5);
    EXPECT_GE(low_end(band), 0);
  }
}

TEST(EntropyBand, collapses_onto_the_entropy_when_every_range_is_a_point) {
  std::vector<double> scores;
  for (int n = 0; n < 300; ++n) scores.push_back(-0.01 * n + std::sin(n));
  const EntropyBand band = checks::entropy_band(scores, scores, 12, oracle());
  EXPECT_NEAR(low_end(band), entropy(scores), 1e-10);
  EXPECT_NEAR(high_end(band), entropy(scores), 1e-10);
}

TEST(EntropyBand, widens_with_the_bound_and_is_all_of_log_N_for_equal_tokens) {
  EntropyBand before = band_of("-n/16", 1);
  for (const int bound : {2, 3, 5, 8}) {
    const EntropyBand now = band_of("-n/16", bound);
    EXPECT_GE(high_end(now), high_end(before));
    EXPECT_LE(low_end(now), low_end(before));
    before = now;
  }
  const EntropyBand flat = band_of("0", 3, Rational(999));
  EXPECT_NEAR(high_end(flat), std::log(1000.0), 1e-9);
}

TEST(EntropyBand, of_a_divergent_law_is_infinite_at_both_ends_and_finite_at_a_length) {
  const EntropyBand band = band_of("-log(1+n)", 1);
  EXPECT_EQ(band.upper.finite, checks::Finite::no);
  EXPECT_EQ(band.lower.finite, checks::Finite::no);
  const EntropyBand cut = band_of("-log(1+n)", 1, Rational(100000));
  EXPECT_EQ(cut.upper.finite, checks::Finite::yes);
  EXPECT_GT(high_end(cut), low_end(cut));
}

// Bias and gain fall, and the lowest scores b - B f rise first: up to n = 306.
TEST(EntropyBand, of_scores_that_rise_before_they_fall_is_that_of_their_list) {
  std::vector<double> low;
  std::vector<double> high;
  for (int n = 0; n <= 2000; ++n) {
    low.push_back(-n / 1000.0 - 10 / (1 + n / 10.0));
    high.push_back(-n / 1000.0 + 10 / (1 + n / 10.0));
  }
  const EntropyBand band =
      checks::entropy_band(law_of("-n/1000", "1/(1 + n/10)"), Rational(10), Rational(2000), 12,
                           gpe::testing::in_time(std::chrono::seconds(20)));
  EXPECT_NEAR(high_end(band), 7.538145284885097, 1e-9);
  EXPECT_NEAR(band.upper.value.lower(64).approximate(), 7.538145284885097, 1e-9);
  const EntropyBand listed = checks::entropy_band(low, high, 10, oracle());
  EXPECT_NEAR(high_end(listed), 7.538145284885097, 1e-9);
  EXPECT_NEAR(low_end(band), low_end(listed), 1e-9);
}

// floor(7/7) in balls is anything from 0 to 1.
TEST(EntropyBand, of_a_gain_with_steps_is_that_of_its_exact_values) {
  std::vector<double> low;
  std::vector<double> high;
  for (int n = 0; n <= 9; ++n) {
    const double a = n < 7 ? 0 : 5;
    low.push_back(-n / 2.0 - a);
    high.push_back(-n / 2.0 + a);
  }
  const EntropyBand listed = checks::entropy_band(low, high, 10, oracle());
  const EntropyBand band = checks::entropy_band(law_of("-n/2", "floor(n/7)"), Rational(5), Rational(9), 12,
                                                gpe::testing::in_time(std::chrono::seconds(20)));
  EXPECT_NEAR(low_end(band), low_end(listed), 1e-9);
  EXPECT_NEAR(best_low(band), best_low(listed), 1e-9);
  EXPECT_NEAR(high_end(band), high_end(listed), 1e-9);
}

// The same band whether the tokens are listed one by one or summed by bounds of their tail.
TEST(EntropyBand, of_a_long_context_agrees_with_its_list_of_tokens) {
  const int length = 5000;
  for (const int bound : {1, 3}) {
    const EntropyBand summed = band_of("-n/100 - log(1+n)/3", bound, Rational(length));
    std::vector<double> low;
    std::vector<double> high;
    for (int n = 0; n <= length; ++n) {
      const double b = -n / 100.0 - std::log1p(n) / 3;
      low.push_back(b - bound);
      high.push_back(b + bound);
    }
    const EntropyBand listed = checks::entropy_band(low, high, 10, oracle());
    EXPECT_NEAR(high_end(summed), high_end(listed), 1e-9);
    EXPECT_NEAR(low_end(summed), low_end(listed), 1e-9);
    EXPECT_NEAR(best_low(summed), best_low(listed), 1e-9);
  }
}

// Scores that never stop rising and falling, whose tokens far out have no weight.
TEST(EntropyBand, of_waves_agrees_with_its_list_of_tokens) {
  struct Wave {
    const char* bias;
    const char* gain;
    double (*b)(double);
    double (*f)(double);
  };
  for (const Wave& wave :
       {Wave{"-n", "cos(2*pi*n/9)", [](double n) { return -n; },
             [](double n) { return std::cos(2 * std::numbers::pi * n / 9); }},
        Wave{"-n/5 + cos(n)", "1", [](double n) { return -n / 5 + std::cos(n); }, [](double) { return 1.0; }},
        Wave{"-n/20 - 2*sin(n)^2", "1 + sin(n)/2",
             [](double n) { return -n / 20 - 2 * std::pow(std::sin(n), 2); },
             [](double n) { return 1 + std::sin(n) / 2; }}}) {
    for (const int bound : {1, 4}) {
      std::vector<double> low;
      std::vector<double> high;
      for (int n = 0; n <= 1000; ++n) {
        low.push_back(wave.b(n) - bound * std::abs(wave.f(n)));
        high.push_back(wave.b(n) + bound * std::abs(wave.f(n)));
      }
      const EntropyBand listed = checks::entropy_band(low, high, 10, oracle());
      const EntropyBand band = checks::entropy_band(law_of(wave.bias, wave.gain), Rational(bound), {}, 12,
                                                    gpe::testing::in_time(std::chrono::seconds(20)));
      EXPECT_NEAR(high_end(band), high_end(listed), 1e-9) << wave.bias << " " << band.upper.reason;
      EXPECT_NEAR(low_end(band), low_end(listed), 1e-9) << wave.bias << " " << band.lower.reason;
      EXPECT_NEAR(best_low(band), best_low(listed), 1e-9) << wave.bias;
      EXPECT_LT(high_end(band) - band.upper.value.lower(64).approximate(), 1e-10);
    }
  }
}

// One token may take all weight but e^-93: its entropy is known to fewer digits than it is small.
TEST(EntropyBand, never_begins_below_0) {
  std::vector<double> low(500, -54);
  std::vector<double> high(500, 54);
  for (const int digits : {5, 8, 30}) {
    const EntropyBand band = checks::entropy_band(low, high, digits, oracle());
    EXPECT_TRUE(band.lower.value.lower(64).surely_nonnegative()) << digits;
  }
}

}  // namespace entropy_band_test
