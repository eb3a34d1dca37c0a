// Signs of constants: what is proved, what asks for a split, what stays unknown, and when time is up.
#include "theory/exact/context.h"
#include "tests/in_time.h"

#include "tests/generators/expression.h"
#include "tests/theory/findings.h"
#include "theory/asymptotics/convergence.h"
#include "theory/exact/decision.h"

namespace context_test {

using gpe::testing::form;
using gpe::testing::oracle;
using gpe::theory::Context;
using gpe::theory::Form;
using gpe::theory::NoOracle;
using gpe::theory::Rational;
using gpe::theory::RationalInterval;
using gpe::theory::Relation;
using gpe::theory::SplitRequest;
using gpe::theory::Undecided;

TEST(Context, a_sign_that_depends_on_a_parameter_asks_for_the_smallest_expression_that_decides_it) {
  const Context context(oracle());
  const auto asked = [&](const std::string& text) {
    try {
      context.sign(form(text));
    } catch (const SplitRequest& request) {
      return request.form;
    }
    return Form(-12345);
  };
  EXPECT_EQ(asked("a"), form("a"));
  EXPECT_EQ(asked("3*a*exp(b)"), form("a"));
  EXPECT_EQ(asked("a^3*pi"), form("a"));
  const Form difference = asked("a^2*b - 2*a^2");
  EXPECT_TRUE(difference == form("b - 2") || difference == form("a")) << to_text(difference);
}

TEST(Context, hypotheses_settle_signs) {
  Context context(oracle());
  context.constraints().add({form("a - 1"), Relation::greater});
  EXPECT_EQ(context.sign(form("a")), 1);
  EXPECT_EQ(context.sign(form("1 - a")), -1);
  EXPECT_EQ(context.sign(form("a*exp(b) + 1")), 1);
  EXPECT_EQ(context.sign(form("log(a)")), 1);
  EXPECT_EQ(context.compare(form("a"), form("1/2")), 1);
  EXPECT_FALSE(context.known_sign(form("a - 2")).has_value());
  EXPECT_THROW(context.sign(form("a - 2")), SplitRequest);
}

// Of a > 0: as of polynomials, without logarithms and roots.
TEST(Context, signs_of_sums_of_logarithms_and_of_differences_of_roots) {
  Context context(oracle());
  context.constraints().add({form("a"), Relation::greater});
  EXPECT_EQ(context.sign(form("log(a + 1) - log(a)")), 1);
  EXPECT_EQ(context.sign(form("2*log(a) - 1/2*log(a + 3) - 3/2*log(a + 1)")), -1);
  EXPECT_EQ(context.sign(form("sqrt(a) - sqrt(a + 1)")), -1);
  EXPECT_EQ(context.sign(form("sqrt(1 + 2*log(a + 1) - 2*log(a)) - 1")), 1);
  try {
    context.sign(form("log(a) - log(a^2)/4 - log(2)"));
    FAIL() << "no sign for all a";
  } catch (const SplitRequest& request) {
    EXPECT_EQ(request.form, form("a - 4")) << to_text(request.form);
  }
}

TEST(Context, integer_parts_are_exact_at_integers) {
  const Context context(oracle());
  EXPECT_EQ(context.floor(form("pi")), Rational(3));
  EXPECT_EQ(context.floor(form("-pi")), Rational(-4));
  EXPECT_EQ(context.floor(form("log(8)/log(2)")), Rational(3));
  EXPECT_EQ(context.floor(form("sqrt(2)*sqrt(8)")), Rational(4));
  EXPECT_EQ(context.floor(form("-1/3")), Rational(-1));
  EXPECT_EQ(context.floor(form("exp(100)")) + Rational(1) > Rational(10).pow(43), true);
  EXPECT_THROW(context.floor(form("a")), Undecided);
}

TEST(Context, enclosures_contain_the_value_and_narrow_with_precision) {
  const Context context(oracle());
  const auto wide = context.enclose(form("pi + sqrt(2)"), 20);
  const auto narrow = context.enclose(form("pi + sqrt(2)"), 200);
  ASSERT_TRUE(wide && narrow);
  // 4.55580621596288827…, pi by Machin's formula and sqrt(2) by hand
  const Rational value = *Rational::parse("4.555806215962888286930963");
  EXPECT_TRUE(wide->low <= value && value <= wide->high);
  EXPECT_TRUE(narrow->high - narrow->low < Rational(2).pow(-150));
  EXPECT_TRUE(wide->low <= narrow->low && narrow->high <= wide->high);
}

// An oracle that knows rationals only: every verdict is still right, or undecided.
TEST(Context, without_an_oracle_verdicts_stay_sound) {
  const NoOracle none;
  EXPECT_EQ(Context(none).sign(form("7/3 - 2")), 1);
  EXPECT_THROW(Context(none).sign(form("pi - log(3)")), Undecided);
  int decided = 0;
  for (const char* bias :
       {"-n/16", "-2*log(1 + n)", "-log(1 + n)", "-pi*log(1 + n)", "-sqrt(n)*log(2)", "-log(3)*log(1 + n)",
        "-exp(1/2)*log(1 + n)", "n", "-log(n + 2) - 2*log(log(n + 2))"}) {
    const auto encoding = gpe::theory::encoding_of({bias, "", "", "", 0});
    for (const char* key : {"cn/every-content", "eb/limit", "ldcp/weight", "ldcp/literal", "gps/scalar"}) {
      const auto& reading = gpe::testing::reading_called(key);
      const auto blind = find(reading, instantiate(encoding, {}, {}, none), 1,
                              {none, gpe::theory::Budget(std::chrono::seconds(10))});
      const auto sighted = find(reading, instantiate(encoding, {}, {}, oracle()), 1, gpe::testing::in_time());
      if (name_of(blind.verdict) == "undecided") continue;
      ++decided;
      EXPECT_EQ(name_of(blind.verdict), name_of(sighted.verdict)) << bias << " " << key;
    }
  }
  EXPECT_GT(decided, 25);
}

TEST(Context, a_deadline_that_has_passed_ends_every_question) {
  const Context context(oracle(), gpe::theory::Budget(std::chrono::seconds(-1)).question());
  EXPECT_THROW(context.check_time(), gpe::theory::TimeUp);
  EXPECT_THROW(context.sign(form("pi - 3")), gpe::theory::TimeUp);
  EXPECT_THROW(decide_sum(gpe::testing::parse("-2*log(n) - log(log(n))"), context), gpe::theory::TimeUp);
}

// The sign of a random constant is that of its value on balls; a zero is a zero to 3,000 bits.
RC_GTEST_PROP(Context, signs_agree_with_values, ()) {
  const std::vector<std::string> leaves = {
      "pi",     "sqrt(2)", "sqrt(3)",      "log(2)", "log(6)", "exp(1)", "2", "1/3", "sqrt(5 + 2*sqrt(6))",
      "log(3)", "2^(1/3)", "exp(log(2)/2)"};
  std::string text = *rc::gen::elementOf(leaves);
  for (int count = 1 + gpe::testing::pick(4); count > 0; --count) {
    text = "(" + text + ")" + *rc::gen::elementOf(std::vector<std::string>{" + ", " - ", " - ", "*"}) +
           *rc::gen::elementOf(leaves);
  }
  RC_LOG() << text << "\n";
  const gpe::checks::Ball value = gpe::testing::value(gpe::testing::parse(text), {}, 3000);
  try {
    const int sign = Context(oracle()).sign(form(text));
    const bool opposite = sign > 0 ? value.surely_negative() : value.surely_positive();
    const bool same = !opposite && !value.surely_zero();
    RC_ASSERT((sign == 0 ? value.may_be_zero() : same));
    RC_TAG(sign == 0 ? "zero" : "signed");
  } catch (const Undecided&) {
    RC_ASSERT(value.may_be_zero());
    RC_TAG("undecided");
  }
}

}  // namespace context_test
