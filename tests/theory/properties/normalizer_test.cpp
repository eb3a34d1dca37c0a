// Normalizers other than softmax (theorems N1 to N3): verdicts against weights that are computed here, in
// doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "tests/in_time.h"
#include "tests/theory/findings.h"
#include "theory/source/spec_error.h"

namespace gpe::testing {
namespace normalizer_test {

using Weights = std::vector<double>;

theory::Finding found(const std::string& normalizer, const std::string& score, const std::string& key,
                      const theory::Rational& bound = 1, const std::string& parameters = "") {
  const std::string line = normalizer == "top-k" ? "normalizer = { kind = \"top-k\", k = 3 }"
                                                 : "normalizer = \"" + normalizer + "\"";
  const theory::Encoding encoding = encoding_with(parameters, line + "\n" + score);
  return theory::find(reading_called(key),
                      theory::instantiate(encoding, {}, {}, oracle(), theory::Families::taken), bound,
                      gpe::testing::in_time());
}

std::string decided(const std::string& normalizer, const std::string& score, const std::string& key,
                    const theory::Rational& bound = 1) {
  return std::string(name_of(found(normalizer, score, key, bound).verdict));
}

// Weights before they are divided by their sum, of the scores of the keys 0 … L.
Weights weights_of(const std::string& normalizer, Weights scores) {
  if (normalizer == "sigmoid")
    for (double& a : scores) a = 1 / (1 + std::exp(-a));
  else if (normalizer == "relu")
    for (double& a : scores) a = std::max(a, 0.0);
  else {  // the three largest, of equal ones the nearest
    std::vector<std::size_t> order(scores.size());
    for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    Weights kept(scores.size(), 0.0);
    for (std::size_t i = 0; i < 3 && i < order.size(); ++i) kept[order[i]] = std::exp(scores[order[i]]);
    return kept;
  }
  return scores;
}

double sum_of(const Weights& weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  return sum;
}

double entropy_of(const Weights& weights) {
  const double sum = sum_of(weights);
  if (sum == 0) return 0;
  double entropy = 0;
  for (const double w : weights)
    if (w > 0) entropy -= w / sum * std::log(w / sum);
  return entropy;
}

struct Law {
  std::string bias, gain;
  std::function<double(double)> b, f;
  std::string text() const { return "bias = \"" + bias + "\"\ngain = \"" + gain + "\""; }
  // The score at n of a content that is t times the largest one.
  double at(double n, double t, double bound) const { return b(n) + t * f(n) * bound; }
  Weights scores(int length, double bound, const std::function<double(int)>& content) const {
    Weights result;
    for (int n = 0; n <= length; ++n) result.push_back(at(n, content(n), bound));
    return result;
  }
};

const std::vector<Law>& laws() {
  static const auto one = [](double) { return 1.0; };
  static const std::vector<Law> all = {
      {"0", "1", [](double) { return 0.0; }, one},
      {"-n/2", "1", [](double n) { return -n / 2; }, one},
      {"-3", "1", [](double) { return -3.0; }, one},
      {"3", "1", [](double) { return 3.0; }, one},
      {"-1", "1", [](double) { return -1.0; }, one},
      {"-3*log(1 + n)", "1", [](double n) { return -3 * std::log1p(n); }, one},
      {"-log(1 + n)/2", "1", [](double n) { return -std::log1p(n) / 2; }, one},
      {"-sqrt(n)", "1", [](double n) { return -std::sqrt(n); }, one},
      {"n/100", "1", [](double n) { return n / 100; }, one},
      {"(1 + n)^-3", "(1 + n)^-3", [](double n) { return std::pow(1 + n, -3); },
       [](double n) { return std::pow(1 + n, -3); }},
      {"1/(1 + n)", "1/(1 + n)^2", [](double n) { return 1 / (1 + n); },
       [](double n) { return 1 / (1 + n) / (1 + n); }},
      {"-1/(1 + n)", "1/(1 + n)", [](double n) { return -1 / (1 + n); },
       [](double n) { return 1 / (1 + n); }},
      {"-2*log(1 + n)", "log(1 + n)", [](double n) { return -2 * std::log1p(n); },
       [](double n) { return std::log1p(n); }},
      {"-n", "n", [](double n) { return -n; }, [](double n) { return n; }},
      {"cos(pi*n) - 1", "1/(1 + n)", [](double n) { return std::cos(M_PI * n) - 1; },
       [](double n) { return 1 / (1 + n); }},
      {"cos(pi*n)/(1 + n)^2", "0", [](double n) { return std::cos(M_PI * n) / (1 + n) / (1 + n); },
       [](double) { return 0.0; }},
  };
  return all;
}

// How much larger a quantity is at the larger of two lengths.
double growth(const std::function<double(int)>& at) { return at(40000) - at(5000); }

TEST(Normalizer, sums_over_the_largest_and_the_smallest_content_grow_where_the_verdict_says_so) {
  int checked = 0;
  for (const char* normalizer : {"sigmoid", "relu", "top-k"}) {
    for (const Law& law : laws()) {
      for (const double bound : {0.5, 2.0}) {
        for (const int content : {1, -1}) {
          const std::string key = content > 0 ? "cn/every-content" : "cn/some-content";
          const double more = growth([&](int length) {
            return sum_of(weights_of(normalizer, law.scores(length, bound, [&](int) { return content; })));
          });
          const std::string verdict =
              decided(normalizer, law.text(), key, theory::Rational(bound == 2 ? 4 : 1, 2));
          if (verdict == "undecided") continue;
          ++checked;
          EXPECT_EQ(verdict, more < 0.05 ? "holds" : "fails")
              << normalizer << " " << law.bias << " B = " << bound << " " << key << " " << more;
        }
      }
    }
  }
  EXPECT_GT(checked, 170);
}

TEST(Normalizer, entropies_grow_for_no_content_where_the_verdict_holds_and_for_one_where_it_fails) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<double> drawn;
  for (int n = 0; n <= 40000; ++n) drawn.push_back(unit(random));
  const std::vector<std::function<double(int)>> contents = {[](int) { return 1.0; },
                                                            [](int) { return -1.0; },
                                                            [](int) { return 0.0; },
                                                            [](int n) { return n % 2 == 0 ? 1.0 : -1.0; },
                                                            [](int n) { return n < 100 ? -1.0 : 1.0; },
                                                            [&](int n) { return drawn[std::size_t(n)]; }};
  int checked = 0;
  for (const char* normalizer : {"sigmoid", "relu", "top-k"}) {
    for (const Law& law : laws()) {
      const std::string verdict = decided(normalizer, law.text(), "eb/uniform", 2);
      if (verdict == "undecided") continue;
      ++checked;
      double most = -1;
      for (const auto& content : contents)
        most = std::max(most, growth([&](int length) {
                          return entropy_of(weights_of(normalizer, law.scores(length, 2, content)));
                        }));
      EXPECT_EQ(verdict, most < 0.05 ? "holds" : "fails") << normalizer << " " << law.bias << " " << most;
    }
  }
  EXPECT_GT(checked, 42);
}

TEST(Normalizer, sigmoid_is_bounded_only_where_it_converges) {
  const std::string last = "bias = \"n*log(2)\"\ntransform = \"none\"";
  EXPECT_EQ(std::string(name_of(finding(encoding_with("", last), "eb/uniform").verdict)),
            "holds");  // softmax
  EXPECT_EQ(decided("sigmoid", last, "eb/uniform"), "fails");
  EXPECT_EQ(decided("sigmoid", "bias = \"-log(n + 2) - 2*log(log(n + 2))\"", "cn/every-content"), "holds");
  EXPECT_EQ(decided("sigmoid", "bias = \"-log(n + 2) - 2*log(log(n + 2))\"", "eb/uniform"), "fails");
  EXPECT_EQ(decided("sigmoid", "bias = \"-3\"", "ldcp/weight"), "holds");
  EXPECT_EQ(decided("sigmoid", "bias = \"-n\"", "ldcp/weight"), "fails");
}

// E of the function over c = x, the cosine of two directions of 64 dimensions.
double mean_over_sphere(const std::function<double(double)>& of) {
  double weight = 0, sum = 0;
  for (int i = 0; i < 400000; ++i) {
    const double t = (i + 0.5) / 400000, x = 1 - 2 * t * t * t;  // finer near 1
    const double density = std::pow(1 - x * x, 30.5) * 6 * t * t;
    weight += density;
    sum += density * of(x);
  }
  return sum / weight;
}

TEST(Normalizer, the_mean_of_sigmoids_may_converge_where_that_of_exponentials_does_not) {
  const std::string score = "gain = \"n\"\nbias = \"32*log(1 + n) - n\"";
  EXPECT_EQ(std::string(name_of(finding(encoding_with("", score), "cn/expected").verdict)), "fails");
  EXPECT_EQ(decided("sigmoid", score, "cn/expected"), "undecided");
  const auto mean = [](double n, bool sigmoid) {
    return mean_over_sphere([&](double x) {
      const double a = n * x + 32 * std::log1p(n) - n;
      return sigmoid ? 1 / (1 + std::exp(-a)) : std::exp(a);
    });
  };
  EXPECT_LT(4000 * mean(4000, true), 0.5 * 2000 * mean(2000, true));  // as if summable
  EXPECT_GT(4000 * mean(4000, false), 1.5 * 2000 * mean(2000, false));
  EXPECT_EQ(decided("sigmoid", "gain = \"n\"\nbias = \"-2*n\"", "cn/expected"),
            "holds");  // A is bounded above
  EXPECT_EQ(decided("sigmoid", "gain = \"n\"\nbias = \"-log(1 + n)/2\"", "cn/expected"), "fails");
}

TEST(Normalizer, relu_at_zero_and_around_it) {
  const auto none = [](const std::string& bias) { return "transform = \"none\"\nbias = \"" + bias + "\""; };
  for (const char* key :
       {"cn/every-content", "cn/some-content", "cn/expected", "eb/limit", "eb/some-content", "eb/uniform"}) {
    EXPECT_EQ(decided("relu", none("0"), key), "holds") << key;  // all weights are 0
    EXPECT_EQ(decided("relu", "bias = \"-1\"", key), "holds") << key;
    EXPECT_EQ(decided("relu", none("-1/(1 + n)"), key), "holds") << key;
    EXPECT_EQ(decided("relu", none("1 - n"), key), "holds") << key;
    EXPECT_EQ(decided("relu", none("1/(1 + n)^2"), key), "holds") << key;
    EXPECT_EQ(decided("relu", none("1/(1 + n)"), key), "fails") << key;
    EXPECT_EQ(decided("relu", none("cos(2*n)"), key), "fails") << key;
  }
  EXPECT_EQ(decided("relu", none("1/((2 + n)*log(2 + n)^2)"), "cn/every-content"), "holds");
  EXPECT_EQ(decided("relu", none("1/((2 + n)*log(2 + n)^2)"), "eb/uniform"), "fails");
  EXPECT_EQ(decided("relu", none("2^n"), "eb/uniform"), "holds");
  EXPECT_EQ(decided("relu", "bias = \"2^n\"", "eb/uniform"), "holds");
  EXPECT_EQ(decided("relu", "bias = \"2^n\"\ngain = \"2^n\"", "eb/uniform", 2), "fails");
  EXPECT_EQ(decided("relu", "bias = \"3^n\"\ngain = \"3^n\"", "eb/uniform", theory::Rational(1, 2)), "holds");
  EXPECT_EQ(decided("relu", none("n^3"), "eb/uniform"), "fails");
  EXPECT_EQ(decided("relu", none("-1"), "ldcp/weight"), "fails");
  EXPECT_EQ(decided("relu", none("1"), "ldcp/weight"), "holds");
  EXPECT_EQ(decided("relu", none("1/(1 + n)"), "ldcp/weight"), "fails");
  EXPECT_EQ(decided("relu", "bias = \"-1/2\"", "cn/expected"), "fails");
  EXPECT_EQ(decided("relu", "bias = \"-1/2\"\nsoftcap = \"1/3\"", "cn/every-content"), "holds");
  EXPECT_EQ(decided("relu", "bias = \"-1/2\"\nsoftcap = 1", "cn/every-content"), "fails");
  EXPECT_EQ(found("relu", "bias = \"-m*n - a\"", "cn/every-content", 1,
                  "m = { default = 0, domain = \"m >= 0\" }\na = { default = 1 }")
                .region,
            "m > 0, or m = 0 and a >= 1");
}

TEST(Normalizer, of_top_k_only_the_largest_scores_matter) {
  for (const char* key : {"cn/every-content", "cn/expected", "eb/limit", "eb/uniform"}) {
    EXPECT_EQ(decided("top-k", "transform = \"rotation\"\n[score.rotation]\nangle = \"n\"", key), "holds")
        << key;
    EXPECT_EQ(decided("top-k", "bias = \"cos(n)\"", key), "holds") << key;
  }
  EXPECT_EQ(decided("top-k", "bias = \"log(1 + n)\"", "eb/uniform"), "holds");
  EXPECT_EQ(decided("top-k", "bias = \"log(1 + n)\"", "eb/limit"), "fails");
  EXPECT_EQ(decided("top-k", "bias = \"log(1 + n)\"", "cn/expected"), "fails");
  EXPECT_EQ(decided("top-k", "bias = \"-log(1 + n)\"\ngain = \"2*log(1 + n)\"", "cn/every-content"), "fails");
  EXPECT_EQ(decided("top-k", "bias = \"-log(1 + n)\"\ngain = \"2*log(1 + n)\"", "cn/some-content"), "holds");
  EXPECT_EQ(decided("top-k", "bias = \"n*sin(n)\"", "cn/every-content"), "undecided");
}

TEST(Normalizer, what_is_about_scores_is_as_with_softmax) {
  for (const Law& law : laws()) {
    for (const char* key : {"ldcp/literal", "ldcp/signed", "ldcp/probability", "ldcp/content", "gps/scalar",
                            "gps/norm", "gps/vector"}) {
      const std::string softmax(name_of(finding(encoding_with("", law.text()), key).verdict));
      for (const char* normalizer : {"sigmoid", "relu", "top-k", "softmax"})
        EXPECT_EQ(decided(normalizer, law.text(), key), softmax)
            << law.bias << " " << key << " " << normalizer;
    }
  }
}

TEST(Normalizer, windows_bound_everything) {
  for (const char* normalizer : {"sigmoid", "relu", "top-k"})
    for (const char* key : {"cn/every-content", "eb/limit", "eb/uniform"})
      EXPECT_EQ(decided(normalizer, "bias = \"n\"\nwindow = 8", key), "holds") << normalizer;
  EXPECT_EQ(decided("relu", "bias = 1\nwindow = 8", "ldcp/weight"), "fails");
}

TEST(Normalizer, what_is_not_proved_is_refused_with_one_message) {
  const auto message = [](const std::string& score, theory::Families families) -> std::string {
    try {
      theory::instantiate(encoding_with("", score), {}, {}, oracle(), families);
    } catch (const theory::SpecError& error) {
      return error.what();
    }
    return "";
  };
  for (const auto& [score, expected] : std::vector<std::pair<std::string, std::string>>{
           {"normalizer = \"sigmoidal\"", "did you mean 'sigmoid'"},
           {"normalizer = \"top-k\"", "kind = \"top-k\" and k = "},
           {"[score.normalizer]\nkind = \"top-k\"", "k = "},
           {"[score.normalizer]\nkind = \"top-k\"\nk = 0", "k = 0 is not a whole number"},
           {"[score.normalizer]\nkind = \"top-k\"\nk = \"5/2\"", "k = 5/2 is not a whole number"},
           {"[score.normalizer]\nkind = \"top-k\"\nk = \"n\"", "unknown name 'n'"},
           {"[score.normalizer]\nkind = \"sigmoid\"\nk = 4", "'k'"},
           {"[score.normalizer]\nk = 4", "kind = "},
           {"normalizer = \"relu\"\nbias = \"-log(1 + L)\"", "with L in the score"},
           {"normalizer = \"relu\"\nsided = \"two\"", "with sided"},
           {"normalizer = \"relu\"\nsink = 0", "with a sink"},
           {"normalizer = \"sigmoid\"\n[score.path]\nlow = 0\nhigh = 1", "with [score.path]"},
           {"normalizer = \"relu\"\ntransform = \"rotation\"\n[score.rotation]\nangle = \"n/(1 + H(n))\"",
            "with H(n)"}})
    EXPECT_NE(message(score, theory::Families::taken).find(expected), std::string::npos)
        << score << "\n"
        << message(score, theory::Families::taken);
  EXPECT_EQ(message("normalizer = \"softmax\"\nsink = 0", theory::Families::refused), "");
  EXPECT_NE(message("normalizer = \"relu\"", theory::Families::refused).find("normalizer = \"relu\""),
            std::string::npos);
}

}  // namespace normalizer_test
}  // namespace gpe::testing
