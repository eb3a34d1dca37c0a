// Contents without a bound (theorem X2): E Z given the query, against sums and contents that were drawn.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "tests/in_time.h"
#include "tests/theory/findings.h"
#include "theory/exact/decision.h"

namespace gpe::testing {
namespace property_content_test {

using theory::ContentLaw;
using theory::Quantifier;
using theory::Rational;

theory::Finding under(const std::string& score, ContentLaw::Kind kind, const Rational& deviation,
                      const std::string& key, Quantifier quantifier = Quantifier::none,
                      const std::string& parameters = "") {
  theory::ScoreFunction law = theory::instantiate(encoding_with(parameters, score), {}, {}, oracle());
  law.content_law = ContentLaw{kind, deviation};
  return theory::find(reading_called(key), law, 1, gpe::testing::in_time(), {}, quantifier);
}

std::string expected(const std::string& score, const Rational& deviation) {
  return std::string(name_of(under(score, ContentLaw::Kind::gaussian, deviation, "cn/expected").verdict));
}

std::string over_laws(const std::string& score, const Rational& deviation, Quantifier quantifier) {
  return std::string(
      name_of(under(score, ContentLaw::Kind::sub_gaussian, deviation, "cn/expected", quantifier).verdict));
}

// f = sqrt(log(1 + n)) and b = -beta log(1 + n): the exponents are s²/2 - beta.
TEST(ContentLaw, the_mean_exponential_moves_the_threshold_by_half_the_square_of_the_deviation) {
  for (const Rational& deviation : {Rational(1, 2), Rational(1), Rational(3)})
    for (const Rational& beta : {Rational(1, 2), Rational(1), Rational(9, 8), Rational(5, 4), Rational(3, 2),
                                 Rational(7, 4), Rational(11, 2), Rational(6)}) {
      const std::string score = "gain = \"sqrt(log(1 + n))\"\nbias = \"-(" + beta.str() + ")*log(1 + n)\"";
      const bool every = deviation * deviation / Rational(2) - beta<Rational(-1), some = beta> Rational(1);
      EXPECT_EQ(expected(score, deviation), every ? "holds" : "fails") << score << deviation.str();
      EXPECT_EQ(over_laws(score, deviation, Quantifier::every), every ? "holds" : "fails")
          << score << deviation.str();
      EXPECT_EQ(over_laws(score, deviation, Quantifier::some), some ? "holds" : "fails")
          << score << deviation.str();
    }
}

// Scale-invariant attention, arXiv 2505.17083: log E e^A = (s² - 2) log(1 + n/τ) + s²/2.
const std::string kScaleInvariant = "gain = \"sqrt(1 + 2*log(1 + n/tau))\"\nbias = \"-2*log(1 + n/tau)\"";
const std::string kTau = "tau = { default = 10, domain = \"tau > 0\" }";

double scale_invariant_mean(double s, double tau, int length) {
  double sum = 0;
  for (int n = 0; n <= length; ++n) {
    const double ell = std::log1p(n / tau), f = std::sqrt(1 + 2 * ell);
    sum += std::exp(-2 * ell + f * f * s * s / 2);
  }
  return sum;
}

TEST(ContentLaw, scale_invariant_attention_has_a_bounded_mean_below_deviation_one_only) {
  for (const auto& [deviation, verdict] :
       {std::pair(Rational(9, 10), "holds"), std::pair(Rational(1), "fails"),
        std::pair(Rational(11, 10), "fails")}) {
    const theory::Finding found =
        under(kScaleInvariant, ContentLaw::Kind::gaussian, deviation, "cn/expected", Quantifier::none, kTau);
    EXPECT_EQ(name_of(found.verdict), verdict) << deviation.str() << found.reason;
    EXPECT_EQ(found.region, found.verdict == theory::Verdict::holds ? "always" : "never");  // for every τ
  }
  const double e = std::exp(0.5), tau = 10;
  const auto mean = [&](double s, int length) { return scale_invariant_mean(s, tau, length); };
  EXPECT_NEAR((mean(1, 10000000) - mean(1, 100000)) / (e * tau * std::log(100.0)), 1, 1e-3);  // √e τ log L
  EXPECT_NEAR(std::log(mean(1.1, 10000000) / mean(1.1, 1000000)) / std::log(10.0), 0.21, 0.05);  // L^(s² - 1)
  EXPECT_LT(mean(0.5, 10000000) - mean(0.5, 5000000), 1e-3);
}

// Means of Z_L over drawn contents, independent and all the same (E Z does not feel the difference).
TEST(ContentLaw, drawn_contents_have_the_mean_that_the_formula_says) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const double s = 0.7;
  const auto f = [](int n) { return 1 / (1 + 0.1 * n); };
  const auto b = [](int n) { return -0.2 * n; };
  const auto mean_of = [&](const std::function<double(int)>& content, const std::function<void()>& next) {
    double total = 0;
    for (int trial = 0; trial < 40000; ++trial) {
      next();
      for (int n = 0; n <= 40; ++n) total += std::exp(b(n) + f(n) * content(n));
    }
    return total / 40000;
  };
  double exact = 0, zero = 0, one = 0;
  for (int n = 0; n <= 40; ++n) {
    exact += std::exp(b(n) + f(n) * f(n) * s * s / 2);
    zero += std::exp(b(n));
  }
  EXPECT_NEAR(mean_of([&](int) { return s * normal(random); }, [] {}) / exact, 1, 0.01);
  EXPECT_NEAR(mean_of([&](int) { return s * one; }, [&] { one = normal(random); }) / exact, 1, 0.02);
  // ±s is sub-Gaussian with s: its mean is between that of content 0 and that of the normal law
  const double signs = mean_of([&](int) { return random() % 2 == 0 ? s : -s; }, [] {});
  EXPECT_GT(signs, zero);
  EXPECT_LT(signs, exact);
  // with the query normal too, q = s g, the mean is infinite where f s >= sqrt(d): truncated at |g|² <= R it
  // grows without bound
  const auto truncated = [](double u, double most) {  // d = 2: |g|²/2 is exponential
    double sum = 0;
    for (double t = 0.005; t < most; t += 0.01)
      sum += 0.01 * std::exp(-t + u * u * t / 2);  // E e^{uc} given |g|² = 2t, d = 2
    return sum;
  };
  EXPECT_GT(truncated(std::sqrt(2.0), 400) / truncated(std::sqrt(2.0), 200), 1.9);
  EXPECT_NEAR(truncated(1, 400), 2, 0.01);  // (1 - u²/d)^(-d/2)
}

TEST(ContentLaw, a_content_that_is_not_centred_may_do_what_no_centred_one_does) {
  const std::string growing = "gain = \"log(1 + n)\"";
  EXPECT_EQ(over_laws(growing, Rational(5), Quantifier::some), "fails");
  double shifted = 0;
  for (int n = 0; n < 100000; ++n) shifted += std::exp(-2 * std::log1p(n));  // c = -2 at every n
  EXPECT_LT(shifted, 2);
}

TEST(ContentLaw, what_is_about_a_bound_does_not_apply) {
  for (const std::string key :
       {"cn/every-content", "cn/some-content", "eb/limit", "eb/some-content", "eb/uniform"}) {
    const theory::Finding found = under("bias = \"-n\"", ContentLaw::Kind::gaussian, Rational(1), key);
    EXPECT_EQ(name_of(found.verdict), "undecided") << key;
    EXPECT_NE(found.reason.find("does not apply"), std::string::npos) << found.reason;
    EXPECT_FALSE(found.content_bound);
  }
  const auto verdict = [](const std::string& score, ContentLaw::Kind kind, const std::string& key) {
    return std::string(name_of(under(score, kind, Rational(1), key).verdict));
  };
  using enum ContentLaw::Kind;
  EXPECT_EQ(verdict("bias = \"-n\"", gaussian, "ldcp/content"), "holds");
  EXPECT_EQ(verdict("gain = \"1/(1 + n)\"", gaussian, "ldcp/probability"), "fails");
  EXPECT_EQ(verdict("gain = \"1/(1 + n)\"\nbias = \"-n\"", gaussian, "ldcp/probability"), "holds");
  EXPECT_EQ(verdict("bias = \"-n\"", sub_gaussian, "ldcp/content"), "undecided");
  EXPECT_EQ(verdict("bias = \"-n\"", sub_gaussian, "ldcp/literal"), "holds");
  EXPECT_EQ(verdict("gain = \"1 + n\"", sub_gaussian, "gps/norm"), "holds");
  EXPECT_EQ(verdict("bias = \"-n\"\nsoftcap = 5", gaussian, "cn/expected"), "undecided");
  EXPECT_EQ(verdict("bias = \"-n\"\ngain = \"log(1 + L)\"", gaussian, "cn/expected"), "undecided");
  EXPECT_EQ(
      verdict(
          "bias = \"-n\"\ntransform = \"scaled-rotation\"\n[score.rotation]\nangle = \"n\"\nscale = \"2\"",
          gaussian, "cn/expected"),
      "undecided");
  EXPECT_EQ(verdict("bias = \"-n\"\ntransform = \"rotation\"\n[score.rotation]\nangle = \"n\"", gaussian,
                    "cn/expected"),
            "holds");
}

}  // namespace property_content_test
}  // namespace gpe::testing
