// Windows beyond which all weights are 0 (theorem N6), against weights that are computed key by key.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "checks/content/zero_window.h"
#include "tests/checks/law_of.h"
#include "tests/in_time.h"

namespace zero_window_test {

using namespace gpe;
using checks::BigCount;
using gpe::testing::oracle;
using theory::Rational;

struct Sparse {
  const char* normalizer;  // a table
  char kind;               // relu, top-k, entmax
  double parameter;        // k or alpha
};
constexpr int kKeys = 160;
const Sparse kSparse[] = {
    {"{ kind = \"relu\" }", 'r', 0},
    {"{ kind = \"top-k\", k = 1 }", 't', 1},
    {"{ kind = \"top-k\", k = 5 }", 't', 5},
    {"{ kind = \"entmax\", alpha = 2 }", 'e', 2},
    {"{ kind = \"entmax\", alpha = \"3/2\" }", 'e', 1.5},
    {"{ kind = \"entmax\", alpha = 3 }", 'e', 3},
};
struct Score {
  const char* bias;
  double (*b)(double);
  const char* gain;
  double (*f)(double);
};
const Score kScores[] = {
    {"1 - n/3", [](double n) { return 1 - n / 3; }, "1", [](double) { return 1.0; }},
    {"-n/16", [](double n) { return -n / 16; }, "1", [](double) { return 1.0; }},
    {"-2*log(1 + n)", [](double n) { return -2 * std::log1p(n); }, "1", [](double) { return 1.0; }},
    {"2 - 2*digamma(1 + n)",
     [](double n) {
       double b = 2 + 2 * 0.57721566490153286;
       for (double k = 1; k <= n; ++k) b -= 2 / k;
       return b;
     },
     "1", [](double) { return 1.0; }},
    {"ceil(5 - n/3)", [](double n) { return std::ceil(5 - n / 3); }, "1", [](double) { return 1.0; }},
    {"2 - n/8", [](double n) { return 2 - n / 8; }, "1/(1 + n/100)",
     [](double n) { return 1 / (1 + n / 100); }},
};

std::optional<BigCount> window(const std::string& bias, const std::string& normalizer, const Rational& bound,
                               const std::string& gain = "1", const std::string& more = "") {
  const theory::Encoding encoding =
      theory::parse_encoding("schema = 1\nname = \"sparse\"\n[score]\nbias = \"" + bias + "\"\ngain = \"" +
                                 gain + "\"\nnormalizer = " + normalizer + "\n" + more,
                             "sparse", ".");
  const auto law = theory::instantiate(encoding, {}, {}, oracle(), theory::Families::taken);
  return checks::zero_window(at_values(law), bound, gpe::testing::in_time(std::chrono::seconds(20)));
}

// Whether the last key of these scores has a positive weight, nearest first.
bool last_has_weight(const Sparse& sparse, const std::vector<double>& scores) {
  const double mine = scores.back();
  if (sparse.kind == 'r') return mine > 0;
  if (sparse.kind == 't')
    return std::count_if(scores.begin(), scores.end() - 1, [&](double a) { return a >= mine; }) <
           sparse.parameter;
  const double rate = sparse.parameter - 1;
  double low = rate * *std::max_element(scores.begin(), scores.end()) - 1, high = low + 1;
  for (int i = 0; i < 60; ++i) {
    const double tau = (low + high) / 2;
    double sum = 0;
    for (const double a : scores) sum += std::pow(std::max(0.0, rate * a - tau), 1 / rate);
    (sum > 1 ? low : high) = tau;
  }
  return rate * mine > high + 1e-12;
}

TEST(ZeroWindow, is_the_last_key_that_some_content_gives_weight) {
  std::mt19937_64 random(1);
  for (const Score& score : kScores) {
    for (const Sparse& sparse : kSparse) {
      for (const double bound : {0.0, 0.5, 2.0}) {
        if (std::string(score.gain) != "1" && sparse.kind != 'r' && bound > 0.5) continue;  // b - a rises
        long expected = 0;
        std::vector<double> scores;
        for (int n = 0; n < kKeys; ++n) {
          const double b = score.b(n), a = bound * score.f(n);
          scores.push_back(b + a);
          if (last_has_weight(sparse, scores)) expected = n;
          scores.back() = b - a;
        }
        const auto found =
            window(score.bias, sparse.normalizer,
                   bound == 0.5 ? Rational(1, 2) : Rational(static_cast<int>(bound)), score.gain);
        ASSERT_TRUE(found);
        ASSERT_EQ(found->kind, BigCount::Kind::number)
            << score.bias << sparse.normalizer << bound << found->reason;
        EXPECT_EQ(found->number, Rational(expected))
            << score.bias << " " << sparse.normalizer << " " << bound;
        std::uniform_real_distribution<double> content(-bound, bound);
        for (int round = 0; bound > 0 && round < 100; ++round) {  // no content reaches farther, in no context
          std::vector<double> some;
          for (int n = 0; n < kKeys; ++n) some.push_back(score.b(n) + content(random) * score.f(n));
          for (long n = expected + 1; n < kKeys; n += 17)
            EXPECT_FALSE(last_has_weight(sparse, {some.begin(), some.begin() + n + 1})) << score.bias << n;
        }
      }
    }
  }
}

TEST(ZeroWindow, decides_scores_that_are_equal_exactly) {
  EXPECT_EQ(window("5 - n/2", kSparse[0].normalizer, 0)->number, Rational(9));  // A(10) = 0
  EXPECT_EQ(window("-n", kSparse[3].normalizer, 0)->number, Rational(0));       // sparsemax of 0 and -1
  EXPECT_EQ(window("-9*n/10", kSparse[3].normalizer, 0)->number, Rational(1));
  EXPECT_EQ(window("-floor(n/10)", "{ kind = \"top-k\", k = 3 }", 0)->number, Rational(2));
  EXPECT_EQ(window("0", kSparse[2].normalizer, 0)->number, Rational(4));  // of equal scores the nearest
}

TEST(ZeroWindow, is_none_where_every_key_can_have_weight) {
  for (const Sparse& sparse : kSparse) {
    EXPECT_EQ(window("0", sparse.normalizer, 1)->kind, BigCount::Kind::none) << sparse.normalizer;
    EXPECT_EQ(window("0", sparse.normalizer, 1, "1", "window = \"30\"\n")->number, Rational(29))
        << sparse.normalizer;
    EXPECT_EQ(window("-n", sparse.normalizer, 1, "1", "window = \"1\"\n")->number, Rational(0))
        << sparse.normalizer;
  }
  EXPECT_EQ(window("-1 - n", kSparse[0].normalizer, 0)->number, Rational(0));  // no key has weight
  EXPECT_EQ(window("n/2 - n^2/9", kSparse[0].normalizer, 0)->kind, BigCount::Kind::unknown);
  EXPECT_FALSE(window("-n", "\"sigmoid\"", 1));
  EXPECT_FALSE(window("-n", "\"stick-breaking\"", 1));
}

}  // namespace zero_window_test
