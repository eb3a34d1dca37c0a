// Powers of functions of n that are negative or 0 at some n, too large to write out: verdicts that follow by
// hand.
#include <gtest/gtest.h>

#include "tests/in_time.h"
#include "tests/theory/engine.h"
#include "theory/properties/verdict.h"
#include "theory/score/spec_parse.h"

namespace gpe::testing {
namespace powers_test {

std::string verdict(const std::string& score, const std::string& property, const std::string& reading) {
  const theory::ScoreFunction law = at_values(instantiate(
      theory::parse_encoding("schema = 1\nname = \"x\"\n[score]\n" + score, "x", {}), {}, {}, oracle()));
  for (const theory::Finding& finding : find_all(law, {theory::Rational(1)}, gpe::testing::in_time())) {
    if (short_name_of(finding.reading->property) == property && finding.reading->name == reading)
      return std::string(name_of(finding.verdict));
  }
  return "";
}

TEST(Powers, gains_that_differ_at_some_n_change) {
  for (const std::string gain :
       {"if((n - 5)^11 > 0, 1, 2)", "if((9 - 2*n)^11 > 0, 1, 2)", "if((n - 5)^12 == 0, 1, 2)",
        "if((n - 5)^10 == 0, 1, 2)", "sqrt((5 - n)^22) - (5 - n)^11",
        "max((n - 5)^11, 0)/(1 + (n - 5)^22)^(1/2)", "if((n - 5)^n > 0, 1, 2)", "if((2*n - 9)^n > 0, 1, 2)",
        "sqrt((2*n - 9)^(2*n)) - (2*n - 9)^n"}) {
    for (const std::string reading : {"scalar", "norm", "vector"})
      EXPECT_EQ(verdict("bias = \"-n\"\ngain = \"" + gain + "\"\n", "gps", reading), "holds")
          << gain << ", " << reading;
  }
  for (const std::string gain :
       {"sign((n - 5)^11)", "abs((2*n - 9)^11)/((2*n - 9)^11)", "sign((2*n - 9)^n)"}) {
    for (const std::string reading : {"scalar", "vector"})
      EXPECT_EQ(verdict("bias = \"-n\"\ngain = \"" + gain + "\"\n", "gps", reading), "holds")
          << gain << ", " << reading;
  }
  EXPECT_EQ(
      verdict(
          "bias = \"-n\"\ntransform = \"rotation\"\n[score.rotation]\nangle = \"if((n - 5)^11 > 0, 0, 1)\"\n",
          "gps", "vector"),
      "holds");
}

TEST(Powers, scores_with_L_keep_their_sign) {
  const std::string of_l = "gain = \"1 + 1/(1 + L)\"\n";
  const std::string falls = "bias = \"-max((n - 5)^11, 0)\"\n" + of_l;
  for (const std::string reading : {"every-content", "some-content"})
    EXPECT_NE(verdict(falls, "cn", reading), "fails") << reading;
  EXPECT_NE(verdict(falls, "eb", "limit"), "fails");
  EXPECT_NE(verdict(falls, "ldcp", "literal"), "fails");
  EXPECT_NE(verdict(falls, "ldcp", "weight"), "holds");
  const std::string rises = "bias = \"max((n - 5)^11, 0)\"\n" + of_l;
  EXPECT_NE(verdict(rises, "ldcp", "literal"), "fails");
  EXPECT_NE(verdict(rises, "ldcp", "signed"), "fails");
  const std::string gain = "bias = \"-n\"\ngain = \"(1 + 1/(1 + L))*max((n - 5)^11, 0)\"\n";
  EXPECT_NE(verdict(gain, "cn", "every-content"), "holds");
  EXPECT_NE(verdict(gain, "ldcp", "content"), "fails");
  EXPECT_NE(verdict("transform = \"none\"\nbias = \"-(cos(n) + cos(2*n)) - 3/4*(sqrt((5 - n)^22) - (5 - "
                    "n)^11)/(n + 1)^11\"\n",
                    "ldcp", "signed"),
            "holds");
}

TEST(Powers, of_exponents_that_are_no_numbers_are_those_of_positive_bases) {
  const theory::Context context(oracle());
  EXPECT_EQ(to_text(form("(n + 1)^n*(n + 1)^(-n)")), "1");
  EXPECT_EQ(to_text(form("2^n*3^n")), "2^n*3^n");
  EXPECT_EQ(to_text(form("0^(1 + pi)")), "0");
  EXPECT_THROW(form("a^b"), theory::SplitRequest);
  EXPECT_THROW(form("(0 - 2)^pi"), theory::Undefined);
}

}  // namespace powers_test
}  // namespace gpe::testing
