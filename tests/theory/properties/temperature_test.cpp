// Temperatures (theorem K2): the side of the threshold, against entropies of scores that were drawn.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "tests/theory/engine.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_parse.h"
#include "theory/properties/temperature.h"

namespace gpe::testing {
namespace temperature_test {

using theory::ScoreLaw;

std::string disperses(ScoreLaw law, const std::string& temperature, const std::string& parameter = "1") {
  theory::NameScope scope;
  scope.names = {"n"};
  const theory::Context context(oracle());
  const auto decision = theory::attempt<theory::Undecided>([&] {
    return theory::decide_dispersion(law, theory::parse_expression(temperature, scope),
                                     theory::parse_expression(parameter, scope), context);
  });
  if (!decision) return "undecided";
  return decision->truth == theory::Truth::holds ? "holds" : "fails";
}

std::string reason(ScoreLaw law, const std::string& temperature, const std::string& parameter) {
  theory::NameScope scope;
  scope.names = {"n"};
  return theory::decide_dispersion(law, theory::parse_expression(temperature, scope),
                                   theory::parse_expression(parameter, scope), theory::Context(oracle()))
      .reason;
}

TEST(Temperature, reasons_call_a_bound_a_bound) {
  const std::string wave = reason(ScoreLaw::worst, "log(n)*(2 + (-1)^n)", "1/2");
  EXPECT_NE(wave.find("has limits of at least 1"), std::string::npos) << wave;
  const std::string above = reason(ScoreLaw::one_above, "digamma(n) + sin(n)", "1");
  EXPECT_NE(above.find("has limits of at most 1"), std::string::npos) << above;
  EXPECT_NE(reason(ScoreLaw::worst, "log(n)/2", "1").find(" -> 1"), std::string::npos);
  EXPECT_EQ(reason(ScoreLaw::edge, "n^(-2)", "1").find("H/log n -> 1"), 0U);
}

TEST(Temperature, thresholds_are_those_of_theorem_k2) {
  using enum ScoreLaw;
  struct Case {
    ScoreLaw law;
    std::string temperature, parameter, expected;
  };
  for (const Case& one : std::vector<Case>{{gaussian, "sqrt(log(n))", "1", "holds"},
                                           {gaussian, "sqrt(log(n))", "7/5", "holds"},
                                           {gaussian, "sqrt(2*log(n))", "1", "fails"},
                                           {gaussian, "sqrt(log(n))", "3/2", "fails"},
                                           {gaussian, "99/100*sqrt(2*log(n) + 5*log(log(n)))", "1", "holds"},
                                           {gaussian, "log(n)", "1/1000", "fails"},
                                           {gaussian, "log(n)^(1/3)", "1000", "holds"},
                                           {gaussian, "0", "1", "holds"},
                                           {edge, "log(n)^50", "31", "holds"},
                                           {edge, "sqrt(n)", "1", "holds"},
                                           {edge, "sqrt(n)", "2", "fails"},
                                           {edge, "n/log(n)", "1", "fails"},  // t = 1
                                           {edge, "n^(1/32)", "63/2", "holds"},
                                           {edge, "exp(sqrt(log(n)))", "100", "holds"},
                                           {edge, "1/n", "100", "holds"},
                                           {exponential, "1", "2", "holds"},
                                           {exponential, "2", "2", "holds"},  // a half of log n is left
                                           {exponential, "2 - 1/log(n)", "2", "holds"},
                                           {exponential, "2 + 1/log(n)", "2", "undecided"},
                                           {exponential, "3", "2", "fails"},
                                           {exponential, "log(log(n))", "1000", "fails"},
                                           {worst, "log(n)/2", "9/10", "holds"},
                                           {worst, "log(n)/2", "1", "fails"},
                                           {worst, "sqrt(log(n))", "1000", "holds"},
                                           {one_above, "log(n)", "1", "holds"},
                                           {one_above, "log(n) + log(log(n))", "1", "fails"},
                                           {one_above, "log(n) - log(log(n))", "1", "holds"},
                                           {one_above, "log(n)", "101/100", "fails"},
                                           {one_above, "-log(n)", "1", "undecided"},
                                           {gaussian, "(1 + sin(n)/2)*sqrt(2*log(n))", "1", "undecided"},
                                           {gaussian, "sqrt(log(n))", "-1", "undecided"}})
    EXPECT_EQ(disperses(one.law, one.temperature, one.parameter), one.expected)
        << one.temperature << ", " << one.parameter;
}

// Entropy of the weights e^(T x) over log n, a mean of `draws` draws.
double share(int n, double temperature, int draws, const std::function<double()>& draw) {
  double total = 0;
  for (int i = 0; i < draws; ++i) {
    std::vector<double> scores(static_cast<std::size_t>(n));
    for (double& score : scores) score = temperature * draw();
    const double top = *std::max_element(scores.begin(), scores.end());
    double z = 0, weighted = 0;
    for (const double score : scores) {
      z += std::exp(score - top);
      weighted += (score - top) * std::exp(score - top);
    }
    total += std::log(z) - weighted / z;
  }
  return total / draws / std::log(n);
}

TEST(Temperature, drawn_scores_have_the_entropies_of_the_theorem) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::exponential_distribution<double> exponential;
  constexpr int kKeys = 100000, kDraws = 20;
  const double log_n = std::log(kKeys);
  const auto normal_at = [&](double t) {
    return share(kKeys, t * std::sqrt(2 * log_n), kDraws, [&] { return normal(random); });
  };
  const auto uniform_at = [&](double kappa) {
    return share(kKeys, std::pow(kKeys, kappa), kDraws, [&] { return uniform(random); });
  };
  const auto exponential_at = [&](double t) {
    return share(kKeys, t, kDraws, [&] { return exponential(random); });
  };
  const double half = normal_at(0.5), one = normal_at(1), two = normal_at(2), edge = uniform_at(0.5),
               below = exponential_at(0.5), critical = exponential_at(1), above = exponential_at(2);
  EXPECT_NEAR(half, 0.75, 0.02);  // these numbers are in docs/theorems.md
  EXPECT_LT(one, 0.35);           // 0 in the limit
  EXPECT_LT(two, 0.08);
  EXPECT_NEAR(edge - 1 / log_n, 0.5, 0.02);  // log(n/T) + 1
  EXPECT_NEAR(below, 1, 0.05);
  EXPECT_GT(critical, 0.4);
  EXPECT_LT(critical, 0.8);
  EXPECT_LT(above, 0.2);
  // beyond the edge: the largest key takes all
  EXPECT_LT(uniform_at(1.5), 0.02);
  // any power of log n leaves uniform scores dispersed, and not normal ones
  EXPECT_GT(share(kKeys, log_n, kDraws, [&] { return uniform(random); }), 0.8);
  EXPECT_LT(share(kKeys, log_n, kDraws, [&] { return normal(random); }), 0.2);
}

// The entropy of m keys at B and the others at -B, for the m that makes it least.
TEST(Temperature, the_worst_content_has_the_share_of_the_theorem) {
  for (const double t : {0.25, 0.5, 0.75, 1.5}) {
    const double n = 1e12, gap = t * std::log(n);
    double least = std::log(n);
    for (double log_m = 0; log_m < std::log(n / 2); log_m += 0.01) {
      const double m = std::exp(log_m), weight = m / (m + (n - m) * std::exp(-gap));
      const double inner =
          weight * (log_m - std::log(weight)) + (1 - weight) * (std::log(n - m) - std::log1p(-weight));
      least = std::min(least, inner);
    }
    EXPECT_GE(least, std::log(n) - gap - 1e-9);
    EXPECT_NEAR(least / std::log(n), std::max(0.0, 1 - t), 0.15) << t;
  }
}

}  // namespace temperature_test
}  // namespace gpe::testing
