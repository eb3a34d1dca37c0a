// Normal forms: simplification keeps values, hidden zeros are found, and near zeros are not taken for them.
#include "theory/exact/form.h"

#include "tests/generators/exp_log.h"
#include "tests/theory/engine.h"
#include "theory/exact/decision.h"
#include "theory/exact/factor.h"
#include "theory/exact/form_functions.h"
#include "theory/exact/product_to_sum.h"

namespace form_test {

using gpe::checks::Ball;
using gpe::testing::form;
using gpe::testing::oracle;
using gpe::testing::parse;
using gpe::theory::Constraint;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::Form;
using gpe::theory::Rational;
using gpe::theory::Relation;
using gpe::theory::Undecided;
using gpe::theory::Undefined;

Context positive_a() {
  Context context(oracle());
  context.constraints().add({Form::symbol("a"), Relation::greater});
  return context;
}

// n far enough that n, log n, log log n, log log log n are positive, as normal forms assume.
RC_GTEST_PROP(Form, simplification_keeps_the_value, ()) {
  std::string text = *gpe::testing::any_exp_log_text();
  if (gpe::testing::pick(2) == 0) text = "a*(" + text + ") + (a + n)^2 - sqrt(a^2*n)";
  const Expr whole = gpe::testing::exp_log_expression(text);
  const Context context = positive_a();
  const gpe::testing::Point point = {{"n", Rational(101, 2)}, {"a", Rational(3, 7)}};
  const Ball before = gpe::testing::value(whole, point, 4096);
  if (!before.is_finite()) RC_DISCARD("undefined there");
  Expr simple = whole;
  try {
    simple = simplify(whole, context);
  } catch (const Undecided&) {  // the sign of a constant
    RC_TAG("undecided");
    return;
  }
  const Ball after = gpe::testing::value(simple, point, 4096);
  RC_LOG() << text << "\n"
           << to_text(simple) << "\n"
           << before.approximate() << " " << after.approximate() << "\n";
  if (before.relative_bits() > 64) RC_ASSERT(gpe::testing::agree(before, after, 64));
  RC_ASSERT(after.overlaps(before));
  // what is printed in reports reads back with the same value
  RC_ASSERT(gpe::testing::value(parse(to_text(simple)), point, 4096).overlaps(before));
}

RC_GTEST_PROP(Form, simplifying_twice_changes_nothing_more, ()) {
  const Context context = positive_a();
  Form once;
  Form twice;
  try {
    once = to_form(gpe::testing::exp_log_expression(*gpe::testing::any_exp_log_text()), context);
    twice = to_form(to_expr(once), context);
  } catch (const Undecided&) {
    RC_DISCARD("undecided");
  } catch (const Undefined&) {  // near infinity
    RC_DISCARD("undefined");
  }
  RC_LOG() << to_text(once) << "\n" << to_text(twice) << "\n";
  RC_ASSERT(once == twice);
}

// Each is zero by school algebra; the last ones need the separation bound of radicals, here also times
// something transcendental.
const std::vector<std::string>& zeros() {
  static const std::vector<std::string> list = {
      "log(6) - log(2) - log(3)",
      "log(8)/log(2) - 3",
      "exp(log(2)/2) - sqrt(2)",
      "2^(1/3)*4^(1/3) - 2",
      "(sqrt(2) - 1)*(sqrt(2) + 1) - 1",
      "sqrt(12) - 2*sqrt(3)",
      "sin(pi/6) - 1/2",
      "cos(7*pi/4) - 1/sqrt(2)",
      "sin(pi/3)^2 + cos(pi/3)^2 - 1",
      "sin(1 + 100*pi) - sin(1)",
      "cos(sqrt(2) - 7*pi/2) + sin(sqrt(2))",
      "sin(3 - pi/3) - cos(3 - 5*pi/6)",
      "sin(pi/3 - 3) + cos(3 - 5*pi/6)",
      "log(exp(pi + sqrt(2))) - pi - sqrt(2)",
      "exp(1)^3 - exp(3)",
      "pi^2/pi - pi",
      "sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6))",
      "sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2)",
      "(2 + sqrt(5))^(1/3) - (1 + sqrt(5))/2",
      "1/(sqrt(2) - 1) - sqrt(2) - 1",
      "sqrt(2 + sqrt(2 + sqrt(3)))*sqrt(2 - sqrt(2 + sqrt(3))) - sqrt(2 - sqrt(3))",
      "(7 + 5*sqrt(2))^(1/3) - 1 - sqrt(2)",
      "pi*(sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)))",
      "exp(2)*(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2)) + log(2)*(sqrt(12) - 2*sqrt(3))",
      "sum(k, 1, 4, (-1)^k*k) - 2",
      "floor(log(8)/log(2)) - 3",
      "floor(sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)))",
      "max(pi, 22/7) - 22/7",
      "abs(1 - pi) - pi + 1",
      "if(exp(pi) > pi^exp(1), 0, 1)"};
  return list;
}

TEST(Form, constants_that_are_zero_have_the_sign_zero) {
  const Context context(oracle());
  for (const std::string& text : zeros()) {
    EXPECT_EQ(context.sign(form(text)), 0) << text;
    // a second way: an enclosure of 3,000 digits
    const Ball ball = gpe::testing::value(parse(text), {}, 10000);
    EXPECT_TRUE(ball.may_be_zero() || text.find("floor") != std::string::npos) << text;
  }
}

TEST(Form, constants_near_zero_keep_their_sign) {
  const Context context(oracle());
  const std::vector<std::pair<std::string, int>> near = {
      {"exp(pi*sqrt(163)) - 262537412640768744", -1},  // -7.5e-13, Ramanujan's constant
      {"sqrt(2) + sqrt(3) - pi", 1},
      {"pi - 355/113", -1},
      {"exp(pi) - pi - 20", -1},
      {"log(2) - 20359/29372", 1},
      {"sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)) + 1e-400", 1},
      {"(2 + sqrt(5))^(1/3) - (1 + sqrt(5))/2 - 10^-1000", -1},
      {"sqrt(5) + sqrt(6) + sqrt(18) - 2 - 2*sqrt(12)", -1},  // -4.8e-6
      {"sqrt(23) + sqrt(53) - sqrt(34) - sqrt(39)", -1},
      {"sqrt(1000001) + sqrt(1000025) + sqrt(1000031) - sqrt(1000000) - sqrt(1000028) - sqrt(1000029)", 1},
      {"22/7 - pi - 1/790", -1},
      {"sin(11)  + 1", 1},  // 1e-5
      {"cos(22) + 1", 1}};
  for (const auto& [text, expected] : near) {
    EXPECT_EQ(context.sign(form(text)), expected) << text;
    const Ball ball = gpe::testing::value(parse(text), {}, 5000);
    EXPECT_TRUE(expected > 0 ? ball.surely_positive() : ball.surely_negative()) << text;
  }
}

// As sums of waves, whatever the angles are.
TEST(Form, products_of_sines_and_cosines) {
  const Context context(oracle());
  for (const char* zero :
       {"sin(1)^2 + cos(1)^2 - 1", "cos(2) - 2*cos(1)^2 + 1", "sin(1)*cos(2) + cos(1)*sin(2) - sin(3)",
        "sin(sqrt(2))^4 - (3 - 4*cos(2*sqrt(2)) + cos(4*sqrt(2)))/8", "1 + (sin(1)/cos(1))^2 - 1/cos(1)^2",
        "exp(1)*sin(log(2))^2 + exp(1)*cos(log(2))^2 - exp(1)", "sin(1)^8 - (sin(1)^4)^2",
        "cos(1)*cos(1 + pi/5) - (cos(pi/5) + cos(2 + pi/5))/2"})
    EXPECT_EQ(context.sign(form(zero)), 0) << zero;
  EXPECT_EQ(context.sign(form("sin(1)^2 + cos(1)^2 - 1 + 10^(-300)")), 1);
  EXPECT_EQ(context.sign(form("sin(1)*cos(2) - cos(1)*sin(2) - sin(1)")), -1);
}

TEST(Form, two_terms_are_compared_without_their_roots) {
  const Context context = positive_a();
  EXPECT_EQ(context.sign(form("1/sqrt(1 + a) - 1")), -1);
  EXPECT_EQ(context.sign(form("(1 + 3*a)^(2/3) - 1")), 1);
  EXPECT_EQ(context.sign(form("1/sqrt(1 + 2*a) - 1/sqrt(1 + a)")), -1);
}

RC_GTEST_PROP(Form, products_as_sums_keep_the_value, ()) {
  std::string text = std::to_string(*rc::gen::inRange(-3, 4)) + "*n";
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
    const char* wave =
        *rc::gen::element("sin(n)", "cos(n)", "sin(2*n + 1/3)", "cos(a*n)", "sin(1 - a)", "cos(pi*n/7)");
    text += std::string("*") + wave + "^" + std::to_string(*rc::gen::inRange(1, 4));
  }
  const gpe::theory::Form before = form(text + " + sin(n)^2");
  const gpe::testing::Point point = {{"n", Rational(101, 7)}, {"a", Rational(3, 11)}};
  RC_ASSERT(gpe::testing::agree(gpe::testing::value(to_expr(before), point, 400),
                                gpe::testing::value(to_expr(product_to_sum(before)), point, 400), 200));
}

TEST(Form, a_zero_that_no_rule_proves_is_undecided_and_never_guessed) {
  const Context context(oracle());
  for (const char* text :
       {"atan(1/2) + atan(1/3) - pi/4", "exp(sqrt(2) + sqrt(3)) - exp(sqrt(5 + 2*sqrt(6)))"}) {
    try {
      EXPECT_EQ(context.sign(form(text)), 0) << text;
    } catch (const Undecided& undecided) {
      EXPECT_NE(std::string(undecided.what()).find("8192 bits contains 0"), std::string::npos);
    }
  }
}

TEST(Form, operations_outside_their_domain_are_refused) {
  for (const char* text :
       {"1/(sqrt(2) - sqrt(2))", "log(0)", "log(-1)", "sqrt(-1)", "(-8)^(1/3)", "(log(4) - 2*log(2))^-1",
        "log(1 - exp(1))", "sqrt(3 - pi)", "(sqrt(2) - sqrt(3))^(1/2)", "log(log(1/2))"}) {
    EXPECT_THROW(form(text), Undefined) << text;
  }
}

TEST(Form, powers_and_logarithms_split_only_where_that_is_an_identity) {
  EXPECT_FALSE(form("sqrt(x^2)") == form("x"));
  EXPECT_FALSE(form("log(x^2)") == form("2*log(x)"));
  EXPECT_FALSE(form("sqrt(x*y)") == form("sqrt(x)*sqrt(y)"));
  const Context context = positive_a();
  EXPECT_EQ(to_form(parse("sqrt(a^2)"), context), Form::symbol("a"));
  EXPECT_EQ(to_form(parse("log(a^2*n)"), context), to_form(parse("2*log(a) + log(n)"), context));
  EXPECT_EQ(form("(x^2)^(1/2)*(x^2)^(1/2)"), form("x^2"));
  EXPECT_EQ(form("exp(x)*exp(-x)"), Form(1));
  EXPECT_EQ(form("n^x*n^(2 - x)"), form("n^2"));
  EXPECT_EQ(to_form(parse("0^a"), context), Form());
  EXPECT_THROW(form("0^a"), gpe::theory::SplitRequest);  // a > 0 or not
}

TEST(Form, squares_of_sums_are_recognized_under_a_root) {
  const Context context = positive_a();
  const auto same = [&](const char* left, const char* right) {
    return to_form(parse(left), context) == to_form(parse(right), context);
  };
  EXPECT_TRUE(same("sqrt(n^2 + 2*n + 1)", "n + 1"));
  EXPECT_TRUE(same("sqrt((n + log(n))^2)", "n + log(n)"));
  EXPECT_TRUE(same("sqrt(n^2 + 2*n*log(n) + log(n)^2)", "n + log(n)"));
  EXPECT_TRUE(same("(n + 2*sqrt(n*a) + a)^(1/2)", "sqrt(n) + sqrt(a)"));
  EXPECT_TRUE(same("log(n^2*a + n*a^2)", "log(n) + log(a) + log(n + a)"));
  EXPECT_TRUE(same("1/(n^2 + 2*n*a + a^2)", "1/(n + a)^2"));
  EXPECT_FALSE(same("sqrt(n^2 - 2*n*a + a^2)", "n - a"));  // n < a is possible
}

TEST(Form, the_sign_of_an_undecided_difference_asks_for_a_split) {
  const Context context = positive_a();
  EXPECT_THROW(context.sign(form("a - 1")), gpe::theory::SplitRequest);
  EXPECT_EQ(context.sign(form("a^2 + 1/3")), 1);
  EXPECT_EQ(context.sign(form("-a*exp(x)")), -1);
}

// ---------------------------------------------------------------------------------------------- factors

// A product of small sums in two kernels and a root.
RC_GTEST_PROP(Form, factors_multiply_back_and_come_apart, ()) {
  const std::vector<std::string> sums = {"n + 1",       "log(n) + n",    "n - a",          "a + 2*log(n)",
                                         "sqrt(n) + a", "n^2 + n*a + 1", "3*n - 2*log(n)", "n"};
  std::string text = std::to_string(1 + gpe::testing::pick(12));
  for (int count = 1 + gpe::testing::pick(3); count > 0; --count) {
    text += "*(" + *rc::gen::elementOf(sums) + ")^" + std::to_string(1 + gpe::testing::pick(3));
  }
  const Form whole = form(text);
  RC_PRE(whole.term_count() <= 60U);
  const auto factored = gpe::theory::factor_polynomial(whole);
  RC_ASSERT(factored.has_value());
  Form product(factored->content);
  for (const auto& [factor, multiplicity] : factored->factors) {
    for (std::int64_t i = 0; i < multiplicity; ++i) product = product * factor;
    const auto again = gpe::theory::factor_polynomial(factor);
    RC_ASSERT(again && again->factors.size() == 1U && again->factors[0].multiplicity == 1);
  }
  RC_LOG() << text << "\n";
  RC_ASSERT(product == whole);
}

}  // namespace form_test
