// Sigmoid's weights as those of a softmax: windows, reach and entropy bands against the definition, in long
// double.
#include "checks/content/as_softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "checks/content/effective_window.h"
#include "checks/content/entropy_band.h"
#include "tests/checks/law_of.h"
#include "tests/in_time.h"

namespace as_softmax_test {

using namespace gpe;
using gpe::testing::law_of;
using gpe::testing::oracle;
using theory::Rational;

const theory::Context kTime = gpe::testing::in_time(std::chrono::seconds(20));
constexpr int kDigits = 12;

struct Case {
  const char* bias;
  const char* gain;
  const char* softcap;
  long double (*b)(long double);
  long double (*a)(long double, long double);  // of n and B
};
const Case kCases[] = {
    {"-n/3", "1", nullptr, [](long double n) { return -n / 3; },
     [](long double, long double bound) { return bound; }},
    {"3 - n/4", "-1/(1+n)", nullptr, [](long double n) { return 3 - n / 4; },
     [](long double n, long double bound) { return bound / (1 + n); }},
    {"1 - n/4", "1", "2", [](long double n) { return 1 - n / 4; },
     [](long double, long double bound) { return 2 * std::tanh(bound / 2); }},
};

theory::ScoreFunction sigmoid_law(const Case& law) {
  theory::ScoreFunction result = law_of(law.bias, law.gain);
  result.normalizer = theory::Normalizer::sigmoid;
  if (law.softcap != nullptr) result.softcap = theory::Expr(2);
  return result;
}

long double sigmoid(long double score) { return 1 / (1 + std::exp(-score)); }

struct Weights {
  std::vector<long double> low, high;
};
Weights weights(const Case& law, long double bound, long count) {
  Weights result;
  for (long n = 0; n < count; ++n) {
    const auto x = static_cast<long double>(n);
    result.low.push_back(sigmoid(law.b(x) - law.a(x, bound)));
    result.high.push_back(sigmoid(law.b(x) + law.a(x, bound)));
  }
  return result;
}

long double entropy(const std::vector<long double>& weights) {
  long double sum = 0, logs = 0;
  for (const long double w : weights) {
    sum += w;
    logs += w * std::log(w);
  }
  return std::log(sum) - logs / sum;
}

TEST(AsSoftmax, windows_and_reach_of_sigmoid) {
  for (const Case& law : kCases) {
    for (const int bound : {0, 1, 3}) {
      SCOPED_TRACE(std::string(law.bias) + ", B = " + std::to_string(bound));
      const auto same = checks::as_softmax(sigmoid_law(law), Rational(bound));
      ASSERT_TRUE(same);
      const Weights w = weights(law, bound, 2000);
      long double low = 0;
      for (const long double weight : w.low) low += weight;
      long kept = 1999, farthest = -1;
      for (long double beyond = 0, rest = low;; --kept) {  // the last window that is too small
        rest -= w.low[static_cast<std::size_t>(kept)];
        beyond += w.high[static_cast<std::size_t>(kept)];
        if (kept == 0 || beyond > 0.01L * (beyond + rest)) break;
      }
      for (std::size_t n = 0; n < w.low.size(); ++n) {
        if (w.high[n] >= 0.1L * (w.high[n] + low - w.low[n])) farthest = static_cast<long>(n);
      }
      const auto window = checks::effective_window(*same, Rational(1, 100), Rational(bound), {}, kTime);
      ASSERT_EQ(window.kind, checks::BigCount::Kind::number);
      EXPECT_EQ(window.number, Rational(kept));
      const auto reach = checks::reach(*same, Rational(1, 10), Rational(bound), {}, kTime);
      ASSERT_EQ(reach.n.kind, farthest < 0 ? checks::BigCount::Kind::none : checks::BigCount::Kind::number);
      EXPECT_TRUE(farthest < 0 || reach.n.number == Rational(farthest));
    }
  }
}

TEST(AsSoftmax, entropy_band_of_sigmoid) {
  for (const Case& law : kCases) {
    SCOPED_TRACE(law.bias);
    const Weights w = weights(law, 1, 9);  // distances 0 to 8
    const auto same = checks::as_softmax(sigmoid_law(law), Rational(1));
    const auto band = checks::entropy_band(*same, Rational(1), Rational(8), kDigits, kTime);
    long double least = 10, most = 0;
    for (unsigned corner = 0; corner < 1U << 9; ++corner) {
      std::vector<long double> chosen;
      for (std::size_t n = 0; n < 9; ++n) chosen.push_back(((corner >> n) & 1U) != 0 ? w.high[n] : w.low[n]);
      least = std::min(least, entropy(chosen));
    }
    for (int step = 1; step <= 4000;
         ++step) {  // the largest has weights as near to each other as they can be
      const long double level = step / 4000.0L;
      std::vector<long double> chosen;
      for (std::size_t n = 0; n < 9; ++n) chosen.push_back(std::min(std::max(level, w.low[n]), w.high[n]));
      most = std::max(most, entropy(chosen));
    }
    EXPECT_NEAR(band.lower.value.approximate(), static_cast<double>(least), 1e-3);
    EXPECT_LE(band.lower.value.approximate(), static_cast<double>(least) + 1e-12);
    EXPECT_NEAR(band.upper.value.approximate(), static_cast<double>(most), 1e-6);
  }
}

TEST(AsSoftmax, of_softmax_is_the_law_and_of_others_there_is_none) {
  theory::ScoreFunction law = law_of("-n");
  EXPECT_TRUE(checks::as_softmax(law, Rational(1))->bias == law.bias);
  law.normalizer = theory::Normalizer::relu;
  EXPECT_FALSE(checks::as_softmax(law, Rational(1)));
}

}  // namespace as_softmax_test
