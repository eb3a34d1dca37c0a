// What follows from inequalities on parameters: never a sign that some point of the region contradicts, and
// every consequence that is linear in the products that occur.
#include "theory/exact/constraints.h"

#include "tests/generators/expression.h"
#include "tests/theory/engine.h"
#include "theory/exact/region.h"

namespace constraints_test {

using gpe::testing::form;
using gpe::testing::oracle;
using gpe::theory::Constraint;
using gpe::theory::Constraints;
using gpe::theory::Context;
using gpe::theory::Form;
using gpe::theory::Rational;
using gpe::theory::Relation;
using gpe::theory::SignSet;

Constraints given(const std::vector<std::pair<std::string, Relation>>& list) {
  Constraints result;
  for (const auto& [text, relation] : list) EXPECT_TRUE(result.add({form(text), relation})) << text;
  return result;
}

// "-", "0", "+", "-0", "-0+", …
std::string signs(const Constraints& constraints, const std::string& text) {
  const SignSet set = constraints.signs(form(text));
  return std::string(set.negative ? "-" : "") + (set.zero ? "0" : "") + (set.positive ? "+" : "");
}

TEST(Constraints, know_nothing_without_a_hypothesis_but_squares) {
  const Constraints none;
  EXPECT_EQ(signs(none, "a"), "-0+");
  EXPECT_EQ(signs(none, "a - b"), "-0+");
  EXPECT_EQ(signs(none, "a^2"), "0+");
  EXPECT_EQ(signs(none, "a^2 + b^2 + 1"), "+");
  EXPECT_EQ(signs(none, "-exp(a)"), "-");
  EXPECT_EQ(signs(none, "7/3"), "+");
}

TEST(Constraints, derive_linear_consequences_exactly) {
  const Constraints chain = given({{"b - a", Relation::greater}, {"c - b", Relation::greater_equal}});
  EXPECT_EQ(signs(chain, "c - a"), "+");
  EXPECT_EQ(signs(chain, "c - b"), "0+");
  EXPECT_EQ(signs(chain, "a - c + 1"), "-0+");
  EXPECT_EQ(signs(chain, "2*c - a - b"), "+");
  const Constraints box = given(
      {{"a", Relation::greater_equal}, {"a - 1", Relation::less_equal}, {"b - 2", Relation::greater_equal}});
  EXPECT_EQ(signs(box, "b - a"), "+");
  EXPECT_EQ(signs(box, "b - 2*a"), "0+");
  EXPECT_EQ(signs(box, "b - 3*a"), "-0+");
  EXPECT_EQ(signs(box, "a*b"), "0+");
}

TEST(Constraints, equalities_are_solved_and_put_in) {
  const Constraints line = given({{"a - 2*b", Relation::equal}, {"b", Relation::greater}});
  EXPECT_EQ(line.reduced(form("a - b")), form("b"));
  EXPECT_EQ(signs(line, "a"), "+");
  EXPECT_EQ(signs(line, "a - 2*b"), "0");
  EXPECT_EQ(signs(line, "a^2 - 4*b^2"), "0");
}

TEST(Constraints, an_inequality_that_is_not_zero_leaves_two_signs_and_their_sum_all_three) {
  const Constraints apart = given({{"a", Relation::not_equal}, {"b", Relation::less}});
  EXPECT_EQ(signs(apart, "a"), "-+");
  EXPECT_EQ(signs(apart, "a + b"), "-0+");  // a = 1, b = -1
  EXPECT_EQ(signs(apart, "a*b"), "-+");
  EXPECT_EQ(signs(apart, "a^2*b"), "-");
}

TEST(Constraints, a_contradiction_is_noticed) {
  Constraints both = given({{"a", Relation::greater}});
  EXPECT_FALSE(both.add({form("a"), Relation::less}));
  Constraints sum = given({{"a", Relation::greater}, {"b", Relation::greater}});
  EXPECT_FALSE(sum.add({form("a + b"), Relation::less_equal}));
  Constraints circle = given({{"b - a", Relation::greater}, {"c - b", Relation::greater}});
  EXPECT_FALSE(circle.add({form("a - c"), Relation::greater}));
}

TEST(Constraints, ranges_of_one_symbol_come_from_conditions_on_it_alone) {
  const Constraints range =
      given({{"a - 1", Relation::greater}, {"2*a - 7", Relation::less_equal}, {"a + b", Relation::greater}});
  EXPECT_EQ(range.range_of("a").low, Rational(1));
  EXPECT_TRUE(range.range_of("a").low_open);
  EXPECT_EQ(range.range_of("a").high, Rational(7, 2));
  EXPECT_FALSE(range.range_of("a").high_open);
  EXPECT_FALSE(range.range_of("b").low.has_value());
}

// Draws a point, then hypotheses that hold there, then a question: the sign there is never ruled out.
RC_GTEST_PROP(Constraints, never_rule_out_the_sign_at_a_point_that_satisfies_them, ()) {
  const std::vector<std::string> names = {"a", "b", "c"};
  std::vector<std::pair<std::string, Rational>> point;
  for (const std::string& name : names)
    point.emplace_back(name, Rational(gpe::testing::pick(9) - 4, 1 + gpe::testing::pick(2)));
  const auto any_form = [&] {
    const std::vector<std::string> products = {"a",   "b",   "c",     "a*b",    "b*c",  "a^2", "c^2",
                                               "a/3", "2*b", "a*b^2", "exp(a)", "pi*c", "1",   "1/2"};
    std::string text = "0";
    for (int count = 1 + gpe::testing::pick(3); count > 0; --count)
      text += gpe::testing::detail::one_of({" + ", " - "}) + gpe::testing::detail::one_of(products);
    return form(text);
  };
  const Context context(oracle());
  const auto sign_there = [&](Form f) {
    for (const auto& [name, value] : point) f = substitute(f, name, Form(value));
    return context.sign(f);
  };
  Constraints constraints;
  for (int count = gpe::testing::pick(5); count > 0; --count) {
    const Form hypothesis = any_form();
    std::vector<Relation> possible;
    switch (sign_there(hypothesis)) {
      case -1:
        possible = {Relation::less, Relation::less_equal, Relation::not_equal};
        break;
      case 0:
        possible = {Relation::equal, Relation::equal, Relation::less_equal, Relation::greater_equal};
        break;
      default:
        possible = {Relation::greater, Relation::greater_equal, Relation::not_equal};
    }
    const Relation relation =
        possible[static_cast<std::size_t>(gpe::testing::pick(static_cast<int>(possible.size())))];
    RC_LOG() << to_text(hypothesis) << " " << symbol_of(relation) << " 0\n";
    RC_ASSERT(constraints.add({hypothesis, relation}));
  }
  for (int count = 0; count < 4; ++count) {
    const Form question = any_form();
    const SignSet set = constraints.signs(question);
    const int sign = sign_there(question);
    for (const auto& [name, value] : point) RC_LOG() << name << " = " << value.str() << " ";
    RC_LOG() << "\n" << to_text(question) << " has sign " << sign << "\n";
    RC_ASSERT(set.has(sign));
  }
}

}  // namespace constraints_test
