#include "checks/arb/expr_ball.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/checks/parsed.h"
#include "tests/generators/expression_text.h"
#include "tests/generators/rational.h"

using gpe::checks::Ball;
using gpe::checks::BallOperations;
using gpe::checks::BallOracle;
using gpe::checks::evaluate;
using gpe::testing::parsed;
using gpe::theory::EvaluationError;
using gpe::theory::Rational;
using gpe::theory::Relation;

namespace expr_ball_test {

Ball at(const std::string& text, const Rational& n) {
  return evaluate(parsed(text), {{"n", Ball(n, 128)}}, 128);
}

TEST(ExprBall, rational_expressions_are_exact) {
  EXPECT_TRUE(at("3*n^2 - n/4 + 2^-3", 6).contains(Rational(108) - Rational(3, 2) + Rational(1, 8)));
  EXPECT_TRUE(at("floor(n/4) + abs(-n) + min(n, 2, 5) + max(n, 7)", 6).contains(Rational(1 + 6 + 2 + 7)));
  EXPECT_TRUE(at("sum(k, 1, 4, k*n)", 6).contains(Rational(60)));
  EXPECT_TRUE(at("sum(k, 3, 2, k*n)", 6).surely_zero());
  EXPECT_TRUE(at("0^(1/2) + 0^n", 6).surely_zero());
}

TEST(ExprBall, only_the_branch_that_is_taken_counts) {
  EXPECT_TRUE(at("if(n < 3, 1/(n - 6), 5)", 6).contains(Rational(5)));
  EXPECT_FALSE(at("if(n > 3, 1/(n - 6), 5)", 6).is_finite());
  // not settled at this precision: both
  const Ball both = at("if(sqrt(n)^2 < 2, 10, 20)", 2);
  EXPECT_TRUE(both.contains(Rational(10)) && both.contains(Rational(20)));
}

TEST(ExprBall, what_has_no_value_says_so) {
  EXPECT_THROW(evaluate(parsed("n + m", {"m"}), {{"n", Ball(1)}}, 64), EvaluationError);
  EXPECT_THROW(at("sum(k, 1, 5/2, k)", 1), EvaluationError);
  EXPECT_THROW(at("sum(k, 0, 10^7, k)", 1), EvaluationError);
  EXPECT_FALSE(at("log(n - 1)", 1).is_finite());
  EXPECT_FALSE(at("(n - 2)^(1/2)", 1).is_finite());
  EXPECT_FALSE(at("(n - 1)^0", 1).is_finite());
}

TEST(ExprBall, a_sum_with_bounds_at_the_ends_of_64_bits_is_refused_at_once) {
  EXPECT_THROW(at("sum(k, -9*10^18, 9*10^18, k)", 1), EvaluationError);
  EXPECT_THROW(at("sum(k, 0, 10^19, k)", 1), EvaluationError);
}

TEST(ExprBall, a_table_is_read_at_exact_indices) {
  auto table = std::make_shared<gpe::theory::Table>();
  table->name = "t";
  table->values = {Rational(4), Rational(5), Rational(7)};
  table->first_index = 1;
  const auto entry = [&](const gpe::theory::Expr& index) {
    return evaluate(gpe::theory::Expr::raw(gpe::theory::node::TableAt{table, index}), {{"n", Ball(2)}}, 64);
  };
  EXPECT_TRUE(entry(parsed("n")).contains(Rational(5)));
  EXPECT_THROW(entry(parsed("n + 2")), EvaluationError);
  EXPECT_THROW(entry(parsed("n - 2")), EvaluationError);
  EXPECT_THROW(entry(parsed("n/3")), EvaluationError);
  table->beyond = gpe::theory::Beyond::constant;
  EXPECT_TRUE(entry(parsed("n + 9")).contains(Rational(7)));
}

RC_GTEST_PROP(ExprBall, more_bits_lie_in_fewer_bits, ()) {
  const gpe::theory::Expr expression = *gpe::testing::expression(4);
  const Rational n = *gpe::testing::any_rational();
  try {
    const Ball rough = evaluate(expression, {{"n", Ball(n, 2000)}}, 40);
    const Ball fine = evaluate(expression, {{"n", Ball(n, 2000)}}, 300);
    RC_ASSERT(!rough.is_finite() || !fine.is_finite() || rough.overlaps(fine));
  } catch (const EvaluationError&) {
  }
}

RC_GTEST_PROP(ExprBall, a_settled_comparison_is_right, ()) {
  const Rational a = *gpe::testing::any_rational();
  const Rational b = *gpe::testing::any_rational();
  const BallOperations operations(*rc::gen::inRange<long>(4, 60));
  const auto agrees = [&](Relation relation, bool truth) {
    const auto said = operations.compare(relation, operations.number(a), operations.number(b));
    return !said || *said == truth;
  };
  RC_ASSERT(agrees(Relation::less, a < b));
  RC_ASSERT(agrees(Relation::less_equal, a <= b));
  RC_ASSERT(agrees(Relation::greater, a > b));
  RC_ASSERT(agrees(Relation::greater_equal, a >= b));
  RC_ASSERT(agrees(Relation::equal, a == b));
  RC_ASSERT(agrees(Relation::not_equal, a != b));
}

TEST(BallOracle, a_sign_is_proved_or_not_given) {
  const BallOracle oracle;
  EXPECT_EQ(oracle.sign(parsed("log(2) - 69/100"), 64), 1);
  EXPECT_EQ(oracle.sign(parsed("log(2) - 7/10"), 64), -1);
  EXPECT_EQ(oracle.sign(parsed("0"), 64), 0);
  EXPECT_EQ(oracle.sign(parsed("log(2) + log(3) - log(6)"), 64),
            std::nullopt);  // a ball around 0, not the point 0
  EXPECT_EQ(oracle.sign(parsed("sqrt(2)^2 - 2"), 64), std::nullopt);
  EXPECT_EQ(oracle.sign(parsed("log(-1)"), 64), std::nullopt);
  // 355/113 - pi = 2.7e-7 needs more than 16 bits
  EXPECT_EQ(oracle.sign(parsed("355/113 - pi"), 16), std::nullopt);
  EXPECT_EQ(oracle.sign(parsed("355/113 - pi"), 64), 1);
}

TEST(BallOracle, an_enclosure_is_narrow_and_finite) {
  const BallOracle oracle;
  const auto root = oracle.enclose(parsed("sqrt(2)"), 100);
  ASSERT_TRUE(root.has_value());
  EXPECT_LT(root->low * root->low, Rational(2));
  EXPECT_GT(root->high * root->high, Rational(2));
  EXPECT_LT(root->high - root->low, Rational(2).pow(-95));
  EXPECT_FALSE(oracle.enclose(parsed("exp(exp(20))"), 64).has_value());  // beyond 2^(2^20)
  EXPECT_FALSE(oracle.enclose(parsed("1/(1 - cos(0))"), 64).has_value());
}

}  // namespace expr_ball_test
