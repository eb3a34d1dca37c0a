// What is proved for exp-log functions must not be said of a function that only lies between two of them.
// Each bias here has bounds that drift apart, and an entropy worked out by hand.
#include <gtest/gtest.h>

#include "tests/in_time.h"
#include "tests/oracle.h"
#include "theory/properties/growth.h"
#include "theory/properties/verdict.h"
#include "theory/score/one_liner.h"
#include "theory/score/spec_parse.h"

namespace between_bounds_test {

using gpe::theory::Encoding;
using gpe::theory::Property;
using gpe::theory::ScoreFunction;

using gpe::testing::oracle;

ScoreFunction law_of(const Encoding& encoding) {
  return gpe::theory::instantiate(encoding, {}, {}, oracle());
}
ScoreFunction law_of_bias(const std::string& bias) {
  return law_of(gpe::theory::encoding_of({bias, "", "none", "", 0}));
}

std::string_view verdict(const ScoreFunction& law, Property property, std::string_view reading) {
  return name_of(find(*find_reading(property, reading), law, 1, gpe::testing::in_time()).verdict);
}

TEST(BetweenBounds, plateaus_that_lengthen_are_not_taken_for_a_linear_score) {
  // 2k + 1 equal scores from k^2 on: H_L reaches log(2 sqrt(L)), though A(n)/n tends to 1
  EXPECT_NE(verdict(law_of_bias("floor(sqrt(n))^2"), Property::entropy_boundedness, "uniform"), "holds");
}

TEST(BetweenBounds, rare_peaks_are_not_taken_for_a_slow_score) {
  // each square outweighs all that came before it: H_L stays bounded, though A(n)/n tends to 0
  EXPECT_NE(verdict(law_of_bias("if(n = floor(sqrt(n))^2, 10*sqrt(n), log(1 + n))"),
                    Property::entropy_boundedness, "uniform"),
            "fails");
}

TEST(BetweenBounds, bounded_changes_decide_nothing) {
  EXPECT_EQ(verdict(law_of_bias("n + sin(n)"), Property::entropy_boundedness, "uniform"), "holds");
  EXPECT_EQ(verdict(law_of_bias("2*floor(n/2)"), Property::entropy_boundedness, "uniform"), "holds");
  EXPECT_EQ(verdict(law_of_bias("floor(sqrt(n))"), Property::entropy_boundedness, "uniform"), "fails");
}

TEST(BetweenBounds, waves_that_grow_keep_a_weight_where_they_come_back) {
  const auto weight = [](const char* bias) { return verdict(law_of_bias(bias), Property::ldcp, "weight"); };
  EXPECT_EQ(weight("n*sin(n)"), "holds");
  EXPECT_EQ(weight("2*n*cos(n) - n"), "holds");
  EXPECT_EQ(weight("n*(sin(n) - 2)"), "fails");
  EXPECT_EQ(weight("n*sin(n) - n^2"), "fails");
  EXPECT_EQ(weight("n*cos(n) - n"), "undecided");  // by how near n comes to multiples of 2 pi
}

TEST(BetweenBounds, sums_diverge_where_the_terms_do_not_tend_to_0) {
  const auto every = [](const char* bias) {
    return verdict(law_of_bias(bias), Property::convergent_normalization, "every-content");
  };
  EXPECT_EQ(every("n*sin(n)"), "fails");
  EXPECT_EQ(every("n*sin(n) - n/2 + log(1 + n)*cos(2*n)"), "fails");
  EXPECT_EQ(every("n*sin(n) - n"), "undecided");  // by how near sin(n) comes to 1
  EXPECT_EQ(every("n*(sin(n) - 2)"), "holds");
}

TEST(BetweenBounds, waves_reach_their_limit_points) {
  for (const auto& [bias, literal, positive] : std::vector<std::tuple<const char*, const char*, const char*>>{
           {"(-1)^n*sin(n) + 1/4", "holds", "holds"},
           {"(1 + (-1)^n)*sin(n) - 2", "holds", "fails"},
           {"cos(n) + sin(2*n)/(1 + n)", "holds", "holds"},
           {"(1 + (-1)^n)*(sin(n) - 1)", "holds", "fails"},
           {"sin(n) + cos(2*n) - 1", "holds", "holds"},
           {"sin(n) + cos(2*n) - 9/8", "holds", "fails"},
           {"sin(n) + sin(2*n)/2 - 5/4", "holds", "holds"},
           {"sin(n) + sin(2*n)/2 - 4/3", "holds", "fails"},
           {"sin(n) + sin(n + 3) - 1/3", "holds", "fails"},
           {"sin(n)/(1 + n)", "fails", "fails"}}) {
    EXPECT_EQ(verdict(law_of_bias(bias), Property::ldcp, "literal"), literal) << bias;
    EXPECT_EQ(verdict(law_of_bias(bias), Property::ldcp, "signed"), positive) << bias;
  }
}

TEST(BetweenBounds, an_oscillating_score_has_no_growth_law) {
  // Z_L ~ L I_0(1), not L e^sin(L)
  const gpe::theory::Context context(oracle());
  const auto laws = gpe::theory::growth_laws(law_of_bias("sin(n)"), context);
  EXPECT_FALSE(laws.z);
  EXPECT_FALSE(laws.entropy);
  EXPECT_TRUE(gpe::theory::growth_laws(law_of_bias("-1/(1 + n)"), context).z);
}

// Theorem X1: each singular value that stays in proportion below the largest costs a factor 1/u, one that
// comes near it less.
TEST(Expectation, singular_values_that_come_near_the_largest_do_not_count_as_smaller) {
  const auto stretched = [](const std::string& scale) {
    return law_of(gpe::theory::parse_encoding(
        "schema = 1\nname = \"t\"\ntitle = \"t\"\n[score]\ngain = \"log(16 + n)\"\nbias = \"-2*log(16 + n) + "
        "(125/2 - "
        "2)*log(log(16 + n))\"\ntransform = \"scaled-rotation\"\n[score.rotation]\nangle = \"n\"\nscale = "
        "\"if(j = 0, 1, " +
            scale + ")\"\n",
        "t.toml", "."));
  };
  const auto expected = [&](const std::string& scale) {
    return verdict(stretched(scale), Property::convergent_normalization, "expected");
  };
  EXPECT_EQ(expected("1/2"), "holds");  // r = 2 of d = 64: u^(-125/2), so -log n - 2 log log n + O(1)
  EXPECT_EQ(expected("1 - log(log(16 + n))/log(16 + n)"), "undecided");
}

ScoreFunction turning(const std::string& bias, const std::string& angle, const std::string& window) {
  return law_of(gpe::theory::parse_encoding(
      "schema = 1\nname = \"t\"\ntitle = \"t\"\n[score]\nbias = \"" + bias + "\"\n" +
          (window.empty() ? "" : "window = \"" + window + "\"\n") +
          "transform = \"rotation\"\n[score.rotation]\nangle = \"" + angle + "\"\n",
      "t.toml", "."));
}

// Theorem G1 speaks of large n: within a window the angle may be whole turns throughout.
TEST(TurnsByEntropy, a_window_of_two_keys_can_turn_exactly_once) {
  const std::string once = "2*pi*(1 + log(1 + exp(-1)) + exp(-1)/(1 + exp(-1)))*n/(1 + H(n))";
  EXPECT_EQ(verdict(turning("-n", once, "2"), Property::gps, "vector"), "fails");
  EXPECT_EQ(verdict(turning("-n", once, "3"), Property::gps, "vector"), "holds");
  EXPECT_EQ(verdict(turning("-n", once, ""), Property::gps, "vector"), "holds");
}

TEST(TurnsByEntropy, needs_a_bias_near_an_exp_log_function_where_entropy_grows) {
  EXPECT_EQ(verdict(turning("sin(n)", "n/(1 + H(n))", ""), Property::gps, "vector"), "holds");
  EXPECT_EQ(verdict(turning("-floor(log(1 + n))", "n/(1 + H(n))", ""), Property::gps, "vector"), "holds");
}

}  // namespace between_bounds_test
