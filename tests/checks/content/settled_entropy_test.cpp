// H beside what H_L does where Z is infinite: uniform weights, ones that fall slowly, ones that all lie on
// the last tokens.
#include "checks/content/settled_entropy.h"

#include <gtest/gtest.h>

#include "checks/arb/expr_ball.h"
#include "theory/score/spec_parse.h"

namespace {

using namespace gpe;
using checks::EnclosedNumber;
using checks::Finite;

EnclosedNumber entropy_of(const std::string& bias) {
  static const checks::BallOracle oracle;
  theory::OneLiner text;
  text.bias = bias;
  const theory::ScoreFunction law = at_values(theory::instantiate(theory::encoding_of(text), {}, {}, oracle));
  return settled_entropy(law, checks::enclose_sums(law, {}, oracle), {}, oracle);
}

}  // namespace

TEST(SettledEntropy, is_infinite_where_H_of_L_tends_to_infinity) {
  for (const char* bias :
       {"0", "-log(1+n)", "sin(n)", "sqrt(n)", "3*log(1+n)", "-log(n + 2) - 2*log(log(n + 2))"})
    EXPECT_EQ(entropy_of(bias).finite, Finite::no) << bias;
}

TEST(SettledEntropy, is_not_infinite_by_convention_alone) {
  for (const char* bias : {"n*log(2)", "n", "n^2", "n + sin(n)"}) {
    EXPECT_EQ(entropy_of(bias).finite, Finite::unknown) << bias;
    EXPECT_NE(entropy_of(bias).reason.find("Z is infinite, and H_L"), std::string::npos) << bias;
  }
  EXPECT_EQ(entropy_of("-n").finite, Finite::yes);
}
