// Cases over parameters: how a decision splits, and how its region is written.
#include "theory/exact/region.h"

#include "tests/theory/findings.h"
#include "theory/exact/decision.h"
#include "theory/exact/form_expr.h"

namespace region_test {

using gpe::testing::encoding_with;
using gpe::testing::finding;
using gpe::testing::form;
using gpe::testing::oracle;
using gpe::theory::CaseTree;
using gpe::theory::Context;
using gpe::theory::Decision;
using gpe::theory::Form;
using gpe::theory::Rational;
using gpe::theory::Region;
using gpe::theory::Relation;
using gpe::theory::Truth;

using Symbols = std::vector<std::string>;

std::string region(const CaseTree& tree, Truth truth, const Context& context, const Symbols& symbols) {
  return to_text(region_of(tree, truth, context, symbols), symbols);
}

// Σ exp(-a n - b log n - c loglog n), decided by hand.
Decision three_scales(const Context& context) {
  if (const int sign = context.sign(form("a")); sign != 0)
    return {sign > 0 ? Truth::holds : Truth::fails, ""};
  if (const int sign = context.sign(form("b - 1")); sign != 0)
    return {sign > 0 ? Truth::holds : Truth::fails, ""};
  return {context.sign(form("c - 1")) > 0 ? Truth::holds : Truth::fails, ""};
}

TEST(Region, disjuncts_are_ordered_by_their_number_of_equalities) {
  const Context context(oracle());
  const CaseTree tree = explore(context, three_scales);
  const Symbols symbols = {"a", "b", "c"};
  EXPECT_EQ(region(tree, Truth::holds, context, symbols),
            "a > 0, or a = 0 and b > 1, or a = 0 and b = 1 and c > 1");
  EXPECT_EQ(region(tree, Truth::fails, context, symbols),
            "a < 0, or a = 0 and b < 1, or a = 0 and b = 1 and c <= 1");
  EXPECT_EQ(region(tree, Truth::undecided, context, symbols), "never");
}

TEST(Region, what_the_assumptions_imply_is_left_out) {
  Context context(oracle());
  context.constraints().add({form("a"), Relation::greater_equal});
  context.constraints().add({form("b - 2"), Relation::greater});
  const CaseTree tree = explore(context, three_scales);
  EXPECT_EQ(region(tree, Truth::holds, context, {"a", "b", "c"}), "always");
  Context positive(oracle());
  positive.constraints().add({form("a"), Relation::greater_equal});
  EXPECT_EQ(region(explore(positive, three_scales), Truth::fails, positive, {"a", "b", "c"}),
            "a = 0 and b < 1, or a = 0 and b = 1 and c <= 1");
}

TEST(Region, the_region_of_ape_is_in_its_canonical_form) {
  const auto ape = [](const char* order) {
    std::string parameters;
    for (const char name : std::string(order)) {
      std::string word = name == 'd' ? "delta" : "gamma";
      if (name == 'b') word = "beta";
      parameters += word + " = { default = \"1/10\", domain = \"" + word + " >= 0\" }\n";
    }
    return finding(encoding_with(parameters, "bias = \"-delta*n - beta*log(1+n) - gamma*sqrt(n)\""),
                   "cn/every-content")
        .region;
  };
  EXPECT_EQ(ape("dbg"), "delta > 0, or delta = 0 and gamma > 0, or delta = gamma = 0 and beta > 1");
  // equalities stand in the order of the file
  EXPECT_EQ(ape("gdb"), "delta > 0, or delta = 0 and gamma > 0, or gamma = delta = 0 and beta > 1");
}

TEST(Region, conditions_are_solved_for_the_first_symbol_that_allows_it) {
  const Symbols symbols = {"a", "b"};
  const auto text = [&](const char* condition, Relation relation) {
    return to_text(gpe::theory::Constraint{form(condition), relation}, symbols);
  };
  EXPECT_EQ(text("2*a - 1", Relation::greater), "a > 1/2");
  EXPECT_EQ(text("1 - 3*a", Relation::greater_equal), "a <= 1/3");
  EXPECT_EQ(text("a - 1 - b", Relation::greater), "a > 1 + b");
  EXPECT_EQ(text("a^2 + b", Relation::equal), "b = -a^2");
  EXPECT_EQ(text("-b", Relation::less), "b > 0");
  EXPECT_EQ(text("a*b - 4", Relation::less), "a*b < 4");
  EXPECT_EQ(text("a - sqrt(2)", Relation::not_equal), "a != sqrt(2)");
}

TEST(Region, thresholds_in_the_content_bound_are_found) {
  const auto encoding =
      encoding_with("beta = { default = \"3\", domain = \"beta >= 0\" }",
                    "bias = \"-beta*log(1+n)\"\ngain = \"log(1+n)\"\ntransform = \"identity\"");
  EXPECT_EQ(finding(encoding, "cn/every-content").region, "beta > 2");
  EXPECT_EQ(finding(encoding, "cn/some-content").region, "beta > 0");
  EXPECT_EQ(finding(encoding, "cn/some-content", 2).region, "always");
  EXPECT_EQ(finding(encoding, "cn/every-content", 4).region, "beta > 5");
  const auto open = [&](const std::vector<std::string>& symbolic, const char* key) {
    return finding(encoding, key, 1, symbolic);
  };
  EXPECT_EQ(open({"beta", "B"}, "cn/every-content").region, "beta > 1 + B");
  EXPECT_EQ(open({"beta", "B"}, "cn/some-content").region, "beta > 1 - B");
  EXPECT_EQ(open({"B"}, "cn/every-content").region, "B < 2");
  EXPECT_EQ(name_of(open({"B"}, "cn/every-content").verdict), "depends");
  EXPECT_EQ(name_of(open({"B"}, "cn/some-content").verdict), "holds");
}

TEST(Region, domains_that_tie_parameters_together_are_used) {
  const auto encoding = encoding_with(
      "low = { default = \"2\", domain = \"low > 1\" }\n"
      "high = { default = \"3\", domain = \"high >= low\" }",
      "bias = \"-high*log(1+n)\"");
  EXPECT_EQ(finding(encoding, "cn/every-content").region, "always");
}

TEST(Region, an_empty_one_never_holds) {
  EXPECT_EQ(gpe::theory::holds_text("beta > 1"), "holds when beta > 1");
  EXPECT_EQ(gpe::theory::holds_text("always"), "always holds");
  EXPECT_EQ(gpe::theory::holds_text("never"), "never holds");
  EXPECT_EQ(gpe::theory::holds_text("never; undecided: a > 1"), "never holds; undecided: a > 1");
}

TEST(Region, what_is_not_decided_is_kept_apart_and_said) {
  const Context context(oracle());
  const CaseTree tree = explore(context, [](const Context& c) -> Decision {
    if (c.sign(form("a")) > 0) return {Truth::holds, "positive"};
    throw gpe::theory::Undecided("not known for a <= 0");
  });
  EXPECT_EQ(region(tree, Truth::holds, context, {"a"}), "a > 0");
  EXPECT_EQ(region(tree, Truth::undecided, context, {"a"}), "a <= 0");
  EXPECT_EQ(region(tree, Truth::fails, context, {"a"}), "never");
}

TEST(Region, a_decision_that_splits_too_often_is_undecided_where_the_cases_ran_out) {
  const Context context(oracle());
  int asked = 0;
  const CaseTree tree = explore(
      context,
      [&asked](const Context& c) -> Decision {
        ++asked;
        for (int i = 0; i < 100; ++i) {
          if (c.sign(form("a - " + std::to_string(i))) <= 0) return {Truth::holds, ""};
        }
        return {Truth::fails, ""};
      },
      20);
  EXPECT_LE(asked, 100);
  EXPECT_EQ(region(tree, Truth::fails, context, {"a"}), "never");
  const Region undecided = region_of(tree, Truth::undecided, context, {"a"});
  EXPECT_FALSE(contains(undecided, {{"a", Form(-1)}}, context));
  EXPECT_TRUE(contains(undecided, {{"a", Form(99)}}, context));
}

TEST(Region, contains_exactly_the_points_of_its_conditions) {
  const Context context(oracle());
  const Region holds = region_of(explore(context, three_scales), Truth::holds, context, {"a", "b", "c"});
  const auto inside = [&](const char* a, const char* b, const char* c) {
    return contains(holds, {{"a", form(a)}, {"b", form(b)}, {"c", form(c)}}, context);
  };
  EXPECT_TRUE(inside("1/1000", "0", "0"));
  EXPECT_TRUE(inside("sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6))", "1001/1000", "0"));
  EXPECT_FALSE(inside("0", "1", "1"));
  EXPECT_TRUE(inside("0", "log(6) - log(2) - log(3) + 1", "pi - 2"));
  EXPECT_FALSE(inside("-1", "5", "5"));
}

}  // namespace region_test
