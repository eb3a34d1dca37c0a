#include "theory/score/score_function.h"

#include <gtest/gtest.h>

#include "tests/theory/engine.h"
#include "theory/expression/expr_print.h"
#include "theory/score/spec_parse.h"

using gpe::theory::ScoreFunction;

namespace score_function_test {

ScoreFunction law(const std::string& score) {
  return instantiate(
      gpe::theory::parse_encoding(
          "schema = 1\nname = \"x\"\n[parameters.c]\ndefault = \"2\"\n[score]\n" + score, "x", "."),
      {}, {}, gpe::testing::oracle());
}

// What a bias adds to the scores of all keys changes no weight.
TEST(ScoreFunction, terms_in_L_alone_are_taken_off_the_bias_and_the_sink) {
  const ScoreFunction plain = law("bias = \"3 - 2*log(1 + n) - c*L^2/7\"\nsink = \"1\"\n");
  EXPECT_EQ(to_text(plain.bias), "-2*log(1 + n) + 3");
  EXPECT_FALSE(plain.depends_on_length());
  EXPECT_EQ(to_text(*plain.sink), "1/7*c*L^2 + 1");
}

TEST(ScoreFunction, where_L_is_left_the_bias_of_the_nearest_key_is_taken_off) {
  EXPECT_EQ(to_text(law("bias = \"-n/(1 + L) - L\"\nfirst = 1\n").bias), "-n/(1 + L) + 1/(1 + L)");
  // 1/L has no value at L = 0, which is asked of the bias that is kept.
  EXPECT_TRUE(law("bias = \"-n + 1/L\"\n").bias.mentions("L"));
}

}  // namespace score_function_test
