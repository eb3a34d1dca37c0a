// Envelopes: around the score at every n, without an oscillation or a floor, and as close as the range of
// what was replaced.
#include "checks/halfline/envelope.h"

#include <gtest/gtest.h>

#include <cmath>

#include "checks/arb/expr_ball.h"
#include "tests/checks/sum_tools.h"
#include "theory/expression/expr_print.h"

namespace envelope_test {

using namespace gpe;
using checks::Ball;
using gpe::testing::oracle;
using gpe::testing::score_of;
using theory::Expr;
using theory::Rational;

checks::Envelope envelope_of(const std::string& text, std::int64_t from) {
  return checks::envelope(score_of(text), Rational(from), theory::Context(oracle()));
}

Ball at(const Expr& e, std::int64_t n) { return checks::evaluate(e, {{theory::kIndex, Ball(n)}}, 128); }

TEST(Envelope, is_around_the_score_without_its_oscillations) {
  for (const char* const text :
       {"-n/5 + cos(n)^2", "-n - abs(sin(n))", "-n^2 - log(1 + sin(n)^2)", "-n/9 - exp(sin(n))",
        "-sqrt(n) - sin(n)^2*log(n + 1)", "-floor(n/3) - sin(n)", "-n + sin(n)/(2 + cos(3*n))",
        "-n*(2 + sin(n))^(1/2)", "-n - max(sin(n), cos(n))", "-n - if(sin(n) > 1/2, 1, cos(n)^3)",
        "-n/(3 + sin(n)^3)", "-n/3 + sin(n)/(n + 1) - sin(n)^2"}) {
    const Expr score = score_of(text);
    const checks::Envelope found = envelope_of(text, 3);
    for (const Expr* end : {&found.below, &found.above}) {
      EXPECT_EQ(theory::to_text(*end).find("sin"), std::string::npos) << text;
      EXPECT_EQ(theory::to_text(*end).find("floor"), std::string::npos) << text;
    }
    for (std::int64_t n = 3; n < 2000; n += 1 + n / 9) {
      EXPECT_FALSE(at(found.above, n).surely_less(at(score, n))) << text << " at " << n;
      EXPECT_FALSE(at(score, n).surely_less(at(found.below, n))) << text << " at " << n;
    }
  }
}

TEST(Envelope, is_as_close_as_the_range) {
  const auto width = [](const std::string& text) {
    const checks::Envelope found = envelope_of(text, 3);
    return sub(at(found.above, 100), at(found.below, 100), 128).approximate();
  };
  EXPECT_NEAR(width("-n/5 + cos(n)^2"), 1, 1e-9);
  EXPECT_NEAR(width("-n - log(1 + sin(n)^2)"), std::log(2), 1e-9);
  EXPECT_NEAR(width("-n + log(n)*abs(sin(n))"), std::log(100), 1e-9);
  EXPECT_NEAR(width("-n - exp(sin(n))"), std::exp(1) - std::exp(-1), 1e-9);
}

TEST(Envelope, is_not_given_where_a_factor_changes_its_sign) {
  EXPECT_THROW(envelope_of("-n + sin(n)*cos(3*n)*n", 3), theory::Undecided);
  EXPECT_THROW(envelope_of("-n + log(sin(n) + 2*cos(n))", 3), theory::Undecided);
}

}  // namespace envelope_test
