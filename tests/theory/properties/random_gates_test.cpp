// Gates at random (theorem P2): verdicts, and gates that are drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include "tests/in_time.h"
#include "tests/theory/findings.h"
#include "theory/source/spec_error.h"

namespace gpe::testing {
namespace random_gates_test {

using theory::Quantifier;

theory::Finding at_random(const std::string& score, const std::string& path, const std::string& key,
                          const std::string& parameters = "") {
  const theory::Encoding encoding = encoding_with(parameters, score + "\n[score.path]\n" + path);
  const theory::ScoreFunction law = theory::instantiate(encoding, {}, {}, oracle(), theory::Families::taken);
  return theory::find(reading_called(key), law, 1, gpe::testing::in_time(), {}, Quantifier::random);
}

std::string verdict_of(const std::string& score, const std::string& path, const std::string& key) {
  return std::string(name_of(at_random(score, path, key).verdict));
}

TEST(RandomGates, regions_are_those_of_docs_theorems_p2) {
  const std::string ends = "low = -2\nhigh = 1\n", free = "m = { default = -1 }\nr = { default = \"3/4\" }";
  const std::string mean = ends + "mean = \"m\"", mean_exp = ends + "mean_exp = \"r\"";
  const std::string both = mean + "\nmean_exp = \"r\"",
                    endless = "low = \"-inf\"\nhigh = 0\nopen = \"high\"\n";
  const std::string steep = "bias = \"-n/2\"", open = "never; undecided: always";
  struct Expected {
    std::string score, path, key, region;
  };
  for (const Expected& one : std::vector<Expected>{
           {"", mean, "cn/every-content", "m < 0"},
           {"", mean, "cn/some-content", "m < 0"},
           {"", mean, "eb/limit", "m < 0"},
           {"", mean, "eb/some-content", "m < 0"},
           {"", mean, "eb/uniform", "m != 0; undecided: m = 0"},
           {"", mean, "cn/expected", "never; undecided: m < 0"},  // E e^g >= e^(E g)
           {"", mean_exp, "cn/expected", "r < 1"},
           {"", mean_exp, "cn/every-content", "r < 1; undecided: r >= 1"},  // E g <= log E e^g
           {"", mean_exp, "eb/uniform", "r < 1; undecided: r >= 1"},
           {"", both, "cn/every-content", "m < 0"},
           {"", both, "cn/expected", "r < 1"},
           {steep, mean, "eb/limit", "m < 1/2"},
           {steep, mean, "eb/uniform", "m != 1/2; undecided: m = 1/2"},
           {steep, mean_exp, "cn/expected", "2*log(r) < 1"},
           {"bias = \"-sqrt(n)\"", mean, "cn/every-content", "m < 0; undecided: m = 0"},
           {"bias = \"cos(n)\"", mean, "cn/every-content", "m < 0"},
           {"gain = \"log(1 + n)\"\nbias = \"-3*log(1 + n)\"", mean, "eb/uniform",
            "m < 0; undecided: m >= 0"},
           {"gain = \"n\"", mean, "cn/every-content", "m < -1"},
           {"gain = \"n\"", mean, "cn/some-content", "m < 1"},
           {"gain = \"n\"", mean, "eb/limit", "m < -1"},
           {"", endless + "mean = \"-inf\"", "cn/every-content", "always"},
           {"", endless + "mean = \"-inf\"", "eb/uniform", "always"},
           {"", endless + "mean = \"-inf\"", "cn/expected", open},
           {"bias = \"n\"", endless + "mean = \"m - 1\"", "eb/uniform", "m < 0; undecided: m >= 0"},
           {"bias = \"n^2\"", endless + "mean = \"-inf\"", "cn/every-content", open},
           {"window = 3", ends + "mean = 1", "eb/uniform", "always"}})
    EXPECT_EQ(at_random(one.score, one.path, one.key, free).region, one.region) << one.score << "\n"
                                                                                << one.path << "\n"
                                                                                << one.key;
}

// Gates with two values, in doubles.
struct Coin {
  int low, high;   // in quarters
  int of_low = 1;  // in quarters
  double p() const { return of_low / 4.0; }
  double mean() const { return (p() * low + (1 - p()) * high) / 4; }
  double mean_exp() const { return p() * std::exp(low / 4.0) + (1 - p()) * std::exp(high / 4.0); }
  std::string path() const {
    std::ostringstream text;
    const auto mean_of = [&](const char* function) {
      text << "\"" << of_low << "/4*" << function << "(" << low << "/4) + " << 4 - of_low << "/4*" << function
           << "(" << high << "/4)\"";
    };
    text << "low = \"" << low << "/4\"\nhigh = \"" << high << "/4\"\nmean = ";
    mean_of("");
    text << "\nmean_exp = ";
    mean_of("exp");
    return text.str();
  }
};

struct Sums {
  double log_z, entropy;
};
// Of the scores -slope n + S_n, n = 0 … length.
Sums sums(const Coin& coin, double slope, int length, std::mt19937& random) {
  std::bernoulli_distribution is_low(coin.p());
  std::vector<double> scores = {0};
  for (int n = 1; n <= length; ++n)
    scores.push_back(scores.back() - slope + (is_low(random) ? coin.low : coin.high) / 4.0);
  const double top = *std::ranges::max_element(scores);
  double z = 0, weighted = 0;
  for (const double a : scores) {
    z += std::exp(a - top);
    weighted += (a - top) * std::exp(a - top);
  }
  return {top + std::log(z), std::log(z) - weighted / z};
}

TEST(RandomGates, drawn_gates_do_what_the_verdicts_say) {
  constexpr int kLength = 3000, kDraws = 60;
  std::mt19937 random(11);
  for (const int halves : {0, 1}) {
    const std::string bias = "transform = \"none\"\nbias = \"-" + std::to_string(halves) + "*n/2\"";
    for (const Coin& coin :
         std::vector<Coin>{{-8, 4, 2}, {-2, 1, 2}, {-4, 4, 2}, {-1, 3, 1}, {-3, -1, 2}, {1, 3, 2}}) {
      const double drift = coin.mean() - halves / 2.0, rate = coin.mean_exp() * std::exp(-halves / 2.0);
      double near = 0, far = 0, largest = -1e300, least = 1e300, few = 0;
      for (int draw = 0; draw < kDraws; ++draw) {
        near += sums(coin, halves / 2.0, kLength / 4, random).entropy / kDraws;
        const Sums long_one = sums(coin, halves / 2.0, kLength, random);
        far += long_one.entropy / kDraws;
        largest = std::max(largest, long_one.log_z);
        least = std::min(least, long_one.log_z);
      }
      for (int draw = 0; draw < 20000; ++draw)
        few += std::exp(sums(coin, halves / 2.0, 4, random).log_z) / 20000;
      double expected = 0;
      for (int n = 0; n <= 4; ++n) expected += std::pow(rate, n);
      EXPECT_NEAR(few / expected, 1, 0.1);
      const std::string z = verdict_of(bias, coin.path(), "cn/every-content"),
                        h = verdict_of(bias, coin.path(), "eb/uniform");
      EXPECT_EQ(z, drift < 0 ? "holds" : "fails");
      EXPECT_EQ(h, drift != 0 ? "holds" : "undecided");
      if (drift < 0) {
        EXPECT_LT(largest, 25) << coin.path();
      } else {
        EXPECT_LT(-least, -drift * kLength / 2) << coin.path();
      }
      if (drift != 0) {
        EXPECT_NEAR(far, near, 0.5) << coin.path();  // log 4 where weights are level
      }
      EXPECT_EQ(verdict_of(bias, coin.path(), "cn/expected"), rate < 1 ? "holds" : "fails") << coin.path();
    }
  }
}

TEST(RandomGates, what_no_gates_have_is_refused) {
  const auto message = [](const std::string& path) -> std::string {
    try {
      theory::instantiate(encoding_with("", "[score.path]\n" + path), {}, {}, oracle(),
                          theory::Families::taken);
    } catch (const theory::SpecError& error) {
      return error.what();
    }
    return "";
  };
  for (const auto& [path, expected] : std::vector<std::pair<std::string, std::string>>{
           {"low = -2\nhigh = 1\nmean = -3", "expected low <= mean, and -2 <= -3 is false"},
           {"low = -2\nhigh = 1\nmean = 1\nopen = \"high\"", "expected mean < high, and 1 < 1 is false"},
           {"low = -2\nhigh = 1\nmean = \"-inf\"", "mean = \"-inf\" is below low"},
           {"low = 0\nhigh = 1\nmean_exp = \"1/2\"", "expected e^low <= mean_exp, and 1 <= 1/2 is false"},
           {"low = \"-inf\"\nhigh = 1\nmean_exp = 0", "expected 0 < mean_exp, and 0 < 0 is false"},
           {"low = \"-inf\"\nhigh = 0\nmean_exp = 3", "expected mean_exp <= e^high, and 3 <= 1 is false"},
           {"low = -2\nhigh = 1\nmean = 0\nmean_exp = \"9/10\"",
            "expected e^mean <= mean_exp, and 1 <= 9/10 is false"},
           {"low = -1\nhigh = 0\nmean = \"-1/2\"\nmean_exp = 1",
            "(high - low) mean_exp <= (high - mean) e^low + (mean - low) e^high"},
           {"low = -1\nhigh = 1\nmean = -1\nmean_exp = 2", "(high - low) mean_exp <= "},
           {"low = \"-inf\"\nhigh = 0\nmean = -1\nmean_exp = 1",
            "expected mean_exp < e^high, and 1 < 1 is false"},
           {"low = \"-inf\"\nhigh = 0\nmean = \"-inf\"\nmean_exp = 1", "expected mean_exp < e^high"},
           {"low = -2\nhigh = 1\nmean = \"n\"", "unknown name 'n'"}})
    EXPECT_NE(message(path).find(expected), std::string::npos) << path << "\n" << message(path);
}

}  // namespace random_gates_test
}  // namespace gpe::testing
