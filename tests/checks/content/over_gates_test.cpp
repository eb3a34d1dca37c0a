// The entropy band and the reach over all gates (theorem P3) against gates and contents that were tried.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "checks/content/over_gates.h"
#include "tests/checks/law_of.h"
#include "tests/in_time.h"

namespace over_gates_test {

using namespace gpe;
using checks::BigCount;
using gpe::testing::oracle;
using theory::Rational;

const theory::Context kTime = gpe::testing::in_time(std::chrono::seconds(20));
constexpr int kDigits = 12;
constexpr double kNone = -std::numeric_limits<double>::infinity();

struct Gated {
  const char* bias;
  double (*b)(double);
  const char* low;
  double least;
  const char* high;
  double most;
  const char* more = "";  // of [score]
  const char* open = "";
};
double zero(double) { return 0; }
double minus_log(double n) { return -std::log1p(n); }
double concave(double n) { return -n * n / 50; }
double wave(double n) { return 2 * std::sin(n) - n; }

const Gated kGated[] = {
    {"0", zero, "-2", -2, "-1/10", -0.1},
    {"-log(1 + n)", minus_log, "-1", -1, "0", 0},
    {"-log(1 + n)", minus_log, "\"-inf\"", kNone, "-1/20", -0.05},
    {"-n^2/50", concave, "-1/2", -0.5, "1/4", 0.25},
    {"2*sin(n) - n", wave, "-1", -1, "1/2", 0.5},
    {"0", zero, "-1/2", -0.5, "-1/4", -0.25, "sink = \"1/2\"\n"},
};

const Gated kLogarithm{"-3*log(1 + n)", [](double n) { return -3 * std::log1p(n); }, "-1", -1, "0", 0};

theory::ScoreFunction law_of(const Gated& one) {
  const std::string open = *one.open == 0 ? "" : std::string("open = \"") + one.open + "\"\n";
  const auto quoted = [](const std::string& text) { return text.front() == '"' ? text : '"' + text + '"'; };
  const theory::Encoding encoding = theory::parse_encoding(
      "schema = 1\nname = \"gated\"\n[score]\nbias = \"" + std::string(one.bias) + "\"\n" + one.more +
          "[score.path]\nlow = " + quoted(one.low) + "\nhigh = " + quoted(one.high) + "\n" + open,
      "gated", ".");
  return at_values(theory::instantiate(encoding, {}, {}, oracle(), theory::Families::taken));
}

double entropy(const std::vector<double>& scores) {
  double z = 0, s = 0;
  for (const double a : scores) {
    z += std::exp(a);
    s += a * std::exp(a);
  }
  return std::log(z) - s / z;
}

checks::EntropyBand band_of(const Gated& one, int bound, const std::optional<Rational>& length) {
  const theory::ScoreFunction law = law_of(one);
  const auto of_high =
      checks::entropy_band(with_constant_gate(law, law.path->high), bound, length, kDigits, kTime);
  return checks::entropy_band_over_gates(law, of_high, bound, length, kDigits, kTime);
}

BigCount reach_of(const Gated& one, const Rational& weight, int bound,
                  const std::optional<Rational>& length = {}) {
  return checks::reach_over_gates(law_of(one), weight, bound, length, kTime);
}

double low_end(const checks::EnclosedNumber& number) { return number.value.lower(64).approximate(); }
double high_end(const checks::EnclosedNumber& number) { return number.value.upper(64).approximate(); }

TEST(OverGates, no_gates_and_contents_leave_the_band_and_some_come_near_its_ends) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const Gated& one : kGated) {
    for (const int bound : {0, 1, 3}) {
      const int length = 12;
      const auto band = band_of(one, bound, Rational(length));
      ASSERT_EQ(band.lower.finite, checks::Finite::yes) << one.bias << ": " << band.lower.reason;
      ASSERT_EQ(band.upper.finite, checks::Finite::yes) << one.bias << ": " << band.upper.reason;
      const double least = std::isfinite(one.least) ? one.least : one.most - 40;
      double lowest = 1e9, highest = 0;
      for (int round = 0; round < 20000; ++round) {
        const double steep = round % 5 / 4.0;  // many gates and contents at their ends
        const double share = round % 7 / 6.0;
        std::vector<double> scores;
        double sum = 0;
        const double level = -20 * uniform(random);
        const auto gate = [&] {
          if (uniform(random) < share) return uniform(random) < steep ? one.most : least;
          return least + (one.most - least) * uniform(random);
        };
        for (int n = 0; n <= length; ++n) {
          if (n > 0) sum += gate();
          const double at = one.b(n) + sum;
          double content = 0;
          if (round % 3 == 0)
            content = std::clamp(level - at, -1.0 * bound, 1.0 * bound);
          else if (round % 3 == 1)
            content = n == round % 13 ? bound : -bound;
          else
            content = bound * (2 * uniform(random) - 1);
          scores.push_back(at + content);
        }
        const double h = entropy(scores);
        ASSERT_GE(h, low_end(band.lower) - 1e-10) << one.bias << " " << bound;
        ASSERT_LE(h, high_end(band.upper) + 1e-10) << one.bias << " " << bound;
        lowest = std::min(lowest, h);
        highest = std::max(highest, h);
      }
      EXPECT_LE(lowest, high_end(band.lower) + 1e-9) << one.bias << " " << bound;
      EXPECT_GE(highest, low_end(band.upper) - 0.02) << one.bias << " " << bound;
    }
  }
}

// Where the scores of the constant gate at the upper end fall it has the largest entropy, also of endless
// contexts.
TEST(OverGates, the_upper_end_is_that_of_the_constant_gate) {
  for (const auto& [one, sharp] : {std::pair(kGated[0], true),
                                   {kGated[2], true},
                                   {kLogarithm, true},
                                   {kGated[3], false},
                                   {kGated[4], false}}) {
    const theory::ScoreFunction law = law_of(one);
    const auto high = checks::entropy_band(with_constant_gate(law, law.path->high), 2, {}, kDigits, kTime);
    const auto band = band_of(one, 2, {});
    ASSERT_EQ(high.upper.finite, checks::Finite::yes) << one.bias << high.upper.reason;
    EXPECT_EQ(band.upper.finite == checks::Finite::yes && high_end(band.upper) - low_end(band.upper) < 1e-9,
              sharp)
        << one.bias;
    if (band.upper.finite == checks::Finite::yes) {
      EXPECT_NEAR(low_end(band.upper), low_end(high.upper), 1e-9);
    }
  }
  const Gated forgetful{"0", zero, "\"-inf\"", kNone, "0", 0, "", "high"};
  const auto band = band_of(forgetful, 1, {});
  EXPECT_EQ(band.upper.finite, checks::Finite::no);
  EXPECT_TRUE(band.lower.value.surely_zero());
  const auto from_zero = band_of({"0", zero, "-1", -1, "0", 0}, 1, {});
  EXPECT_EQ(from_zero.upper.finite, checks::Finite::no);
  EXPECT_EQ(low_end(from_zero.lower), 0);
  EXPECT_EQ(band_of({"0", zero, "0", 0, "1/2", 0.5}, 1, {}).lower.finite, checks::Finite::unknown);
}

// The last n of 0 … length to which some of the gates in {least, most}, and some contents at their ends, give
// weight p.
std::optional<int> searched(const Gated& one, double p, double bound, int length) {
  const double least = std::isfinite(one.least) ? one.least : one.most - 60;
  std::optional<int> found;
  for (unsigned gates = 0; gates < 1U << length; ++gates) {
    std::vector<double> at = {one.b(0)};
    double sum = 0;
    for (int n = 1; n <= length; ++n) {
      sum += ((gates >> (n - 1)) & 1U) != 0 ? one.most : least;
      at.push_back(one.b(n) + sum);
    }
    for (int n = 0; n <= length; ++n) {
      double others = *one.more != 0 ? std::exp(0.5) : 0;  // the sink
      for (int m = 0; m <= length; ++m)
        others += m == n ? 0 : std::exp(at[static_cast<std::size_t>(m)] - bound);
      const double mine = std::exp(at[static_cast<std::size_t>(n)] + bound);
      if (mine >= p * (mine + others)) found = std::max(found.value_or(n), n);
    }
  }
  return found;
}

TEST(OverGates, reach_is_what_exhaustive_search_finds) {
  for (const Gated& one : kGated) {
    for (const int bound : {0, 1, 2}) {
      for (const auto& [weight, p] : {std::pair(Rational(1, 3), 1 / 3.0), {Rational(3, 5), 0.6}}) {
        const auto expected = searched(one, p, bound, 9);
        const BigCount found = reach_of(one, weight, bound, Rational(9));
        ASSERT_EQ(found.kind, expected ? BigCount::Kind::number : BigCount::Kind::none)
            << one.bias << one.low << " " << bound << found.reason;
        if (expected) {
          EXPECT_EQ(found.number, Rational(*expected)) << one.bias << " " << bound << " " << p;
        }
      }
    }
  }
}

TEST(OverGates, reach_in_a_long_window_is_that_of_an_endless_context) {
  for (const Gated& one : {kGated[0], kGated[1]}) {
    for (const int bound : {0, 2, 4}) {
      const BigCount endless = reach_of(one, Rational(1, 2), bound);
      const BigCount found = reach_of(one, Rational(1, 2), bound, Rational(200000));
      ASSERT_EQ(found.kind, endless.kind) << one.bias << found.reason;
      EXPECT_EQ(found.number, endless.number) << one.bias << " " << bound;
    }
  }
}

// Upper gates up to n and lower ones beyond, each n of 2000 by its sums: also where weights are not in order.
TEST(OverGates, reach_in_endless_contexts_is_the_last_of_a_list) {
  for (const Gated& one : kGated) {
    for (const int bound : {1, 3, 4}) {
      const double least = std::isfinite(one.least) ? one.least : -700;
      std::optional<int> expected;
      double nearer = *one.more != 0 ? std::exp(0.5) : 0;
      for (int n = 0; n < 2000; ++n) {
        const double to_n = n * one.most;
        double beyond = 0;
        for (int k = 1; k < 500; ++k) beyond += std::exp(one.b(n + k) + to_n + k * least - bound);
        if (std::exp(one.b(n) + to_n + bound) >= nearer + beyond && std::exp(one.b(n) + to_n) > 0)
          expected = n;
        nearer += std::exp(one.b(n) + to_n - bound);
      }
      const BigCount found = reach_of(one, Rational(1, 2), bound);
      ASSERT_EQ(found.kind, expected ? BigCount::Kind::number : BigCount::Kind::none)
          << one.bias << one.low << " " << bound << found.reason;
      if (expected) {
        EXPECT_EQ(found.number, Rational(*expected)) << one.bias << " " << bound;
      }
    }
  }
}

TEST(OverGates, a_weight_that_is_reached_in_the_limit_only_is_not_reached) {
  const auto of = [](const char* low, const char* high, const char* open, int length) {
    return reach_of({"0", zero, low, 0, high, 0, "", open}, Rational(1, 2), 0, Rational(length));
  };
  EXPECT_EQ(of("-1", "0", "", 1).number, Rational(1));
  EXPECT_EQ(of("-1", "0", "low", 1).number, Rational(1));
  EXPECT_EQ(of("-1", "0", "high", 1).number, Rational(0));
  EXPECT_EQ(of("-1", "0", "both", 0).number, Rational(0));
  EXPECT_EQ(of("\"-inf\"", "0", "", 2).number, Rational(0));  // 1/(2 + e^g) at n = 1
  EXPECT_EQ(of("\"-inf\"", "0", "", 1).number, Rational(1));
}

TEST(OverGates, what_diverges_for_every_gate_has_no_reach_and_no_finite_entropy) {
  const Gated one{"-log(1 + n)", minus_log, "0", 0, "0", 0};
  EXPECT_EQ(reach_of(one, Rational(1, 2), 1).kind, BigCount::Kind::none);
  EXPECT_EQ(band_of(one, 1, {}).lower.finite, checks::Finite::no);
}

}  // namespace over_gates_test
