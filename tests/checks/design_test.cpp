// Designs against closed forms, and against the numbers of check-properties at points of the box.
#include "checks/design.h"

#include <rapidcheck/gtest.h>

#include <cmath>

#include "checks/design_certificate.h"
#include "checks/effective_window.h"
#include "checks/expr_ball.h"
#include "checks/local_range.h"
#include "checks/verifier/certificate.h"
#include "theory/decision.h"
#include "theory/spec_parse.h"

namespace gpe::checks {
namespace {

using theory::Rational;
using enum theory::Relation;

const BallOracle& oracle() {
  static const BallOracle instance;
  return instance;
}

OrderedFamily family(const std::string& bias, const std::vector<FreeParameter>& free,
                     const Rational& bound = 0, const std::string& more = "") {
  std::string text = "schema = 1\nname = \"family\"\n[parameters]\n";
  for (const FreeParameter& one : free)
    text += one.name + " = { default = \"" + one.low.str() + "\", domain = \"" + one.name + " >= 0\" }\n";
  text += "[score]\nbias = \"" + bias + "\"\n" + more;
  return {theory::parse_encoding(text, "family", "."), {}, {}, free, bound, oracle()};
}

Measure entropy() { return {Quantity::entropy, std::nullopt, ""}; }
Measure parameter(const std::string& name) { return {Quantity::parameter, std::nullopt, name}; }

bool proved(const OrderedFamily& f, const DesignProblem& problem, const Design& found) {
  const auto text = design_certificate(f, problem, found, oracle()).dump();
  return verifier::check_certificate(verifier::read_json(text)).find("family") == 0;
}

TEST(Design, largest_slope_of_an_entropy_of_six_nats) {
  // mpmath: findroot of -log(1 - r) - r log(r)/(1 - r) - 6, r = e^-m
  const Rational exact = Rational::parse("0.00673795974506129913028289555672").value();
  const OrderedFamily alibi = family("-m*n", {{"m", {1, 10000}, 1}});
  DesignProblem problem{{{entropy(), greater_equal, 6}}, Objective{parameter("m"), true}};
  problem.gap = Rational::parse("1e-12").value();
  const Design found = design(alibi, problem, oracle());
  ASSERT_TRUE(found.closed && found.best);
  EXPECT_LE(*found.value, exact);
  EXPECT_GE(*found.bound, exact);
  EXPECT_LE(*found.bound - *found.value, exact * Rational::parse("1.1e-12").value());
  EXPECT_TRUE(proved(alibi, problem, found));
}

TEST(Design, smallest_slope_for_a_cache) {
  // (1 - ε) e^2B r^K <= ε (1 - r^K): m = log((1 - ε) e^2B/ε + 1)/K
  const double exact = std::log(999 * std::exp(10.0) + 1) / 512;
  const OrderedFamily alibi = family("-m*n", {{"m", {1, 10000}, 1}}, 5);
  DesignProblem problem{{{{Quantity::cache, Rational(1, 1000), ""}, less_equal, 512}},
                        Objective{parameter("m"), false}};
  problem.gap = Rational::parse("1e-12").value();
  const Design found = design(alibi, problem, oracle());
  ASSERT_TRUE(found.closed && found.best);
  EXPECT_NEAR(found.value->approximate(), exact, exact * 2e-12);
  EXPECT_NEAR(found.bound->approximate(), exact, exact * 2e-12);
  EXPECT_TRUE(proved(alibi, problem, found));
}

TEST(Design, largest_slope_for_a_range_and_largest_window_for_an_entropy) {
  const OrderedFamily alibi = family("-m*n", {{"m", {1, 10000}, 1}});
  DesignProblem problem{{{{Quantity::range, Rational(3, 2), ""}, greater_equal, 700}},
                        Objective{parameter("m"), true}};
  problem.gap = Rational::parse("1e-12").value();
  const Design slope = design(alibi, problem, oracle());
  ASSERT_TRUE(slope.closed && slope.best);
  const Rational exact(3, 1400);
  EXPECT_LE(*slope.value, exact);
  EXPECT_GE(*slope.bound, exact);
  EXPECT_LE((*slope.bound - *slope.value), exact * Rational::parse("1.1e-12").value());
  EXPECT_TRUE(proved(alibi, problem, slope));

  const OrderedFamily window = family("0", {{"W", 1, 3000}}, 0, "window = \"W\"\n");
  problem = {{{entropy(), less_equal, 5}}, Objective{parameter("W"), true}};
  const Design keys = design(window, problem, oracle());
  ASSERT_TRUE(keys.closed && keys.best);
  EXPECT_EQ(*keys.value, Rational(148));  // floor(e^5)
  EXPECT_EQ(*keys.bound, Rational(148));
  EXPECT_TRUE(proved(window, problem, keys));
}

TEST(Design, what_cannot_be_is_proved_not_to_be) {
  const OrderedFamily alibi = family("-m*n", {{"m", {1, 10000}, 1}}, 1);
  // 1 - log m > 5 where m <= 1/1000
  DesignProblem problem{{{entropy(), less_equal, 5}, {{Quantity::range, 1, ""}, greater_equal, 1000}}, {}};
  Design none = design(alibi, problem, oracle());
  EXPECT_TRUE(none.infeasible());
  EXPECT_TRUE(proved(alibi, problem, none));
  // a weight of 1/2 at 50 needs (1 + e^2) e^-50m (1 - e^-m) >= 1, but e^-50m (1 - e^-m) < 1/(50 e)
  problem.requirements = {{{Quantity::reach, Rational(1, 2), ""}, greater_equal, 50}};
  none = design(alibi, problem, oracle());
  EXPECT_TRUE(none.infeasible());
  EXPECT_TRUE(proved(alibi, problem, none));
  // no power of 1 + n sums up when it is not above 1
  const OrderedFamily log_bias = family("-p*log(1 + n)", {{"p", {1, 10}, 1}});
  problem.requirements = {{{Quantity::convergence, std::nullopt, ""}, less, 0}};
  none = design(log_bias, problem, oracle());
  EXPECT_TRUE(none.infeasible());
  EXPECT_TRUE(proved(log_bias, problem, none));
}

TEST(Design, families_without_an_order_are_not_decided) {
  const std::vector<FreeParameter> one = {{"m", {1, 10}, 1}}, two = {{"a", {1, 10}, 1}, {"c", {1, 10}, 1}};
  EXPECT_THROW(family("m*n", one), theory::Undecided);                 // rises
  EXPECT_THROW(family("-m*n + m*sqrt(n)", one), theory::Undecided);    // both
  EXPECT_THROW(family("-a*n/c - c*sqrt(n)", two), theory::Undecided);  // c: both
  EXPECT_THROW(family("-n", one), theory::Undecided);                  // does not matter
  EXPECT_THROW(family("-log(1/2 + m*n)", one), theory::Undecided);     // a negative logarithm
  EXPECT_THROW(family("-m*n - n/L", one), theory::Undecided);          // the length
  EXPECT_NO_THROW(family("-a*n - 2*c*log(1 + 3*n) - n^(1/3)", two));
  EXPECT_NO_THROW(family("-(1 + a)*log(1 + n)*(c + 2)", two));
  const OrderedFamily scale = family("-n/a - log(1 + n/c)", two);
  EXPECT_FALSE(scale.falls_with(0) || scale.falls_with(1));
  EXPECT_THROW(family("-m*n", one, 1, "gain = \"1/(1 + n)\"\n"), theory::Undecided);
}

// Numbers of check-properties at one point, by other code: whether it meets the requirements.
bool meets(const OrderedFamily& f, const DesignProblem& problem, const ParameterPoint& point) {
  const theory::Law law = f.closed_law(point);
  const SumOptions options{20, std::chrono::milliseconds(10000)};
  const auto compared = [](const BigCount& count, theory::Relation relation, const Rational& value) {
    if (count.kind != BigCount::Kind::number) return relation == less_equal;  // none
    return relation == less_equal ? count.number <= value : count.number >= value;
  };
  for (const Requirement& r : problem.requirements) {
    bool met = false;
    if (r.measure.quantity == Quantity::entropy) {
      const double h = enclose_sums(law, options, oracle()).entropy.value.approximate();
      met = r.relation == less_equal ? h <= r.value.approximate() : h >= r.value.approximate();
    } else if (r.measure.quantity == Quantity::cache) {
      const BigCount w = effective_window(law, *r.measure.at, f.bound(), std::nullopt, options, oracle());
      met = w.kind == BigCount::Kind::number && compared(w, r.relation, r.value - Rational(1));
    } else if (r.measure.quantity == Quantity::reach) {
      met = compared(reach(law, *r.measure.at, f.bound(), std::nullopt, options, oracle()).n, r.relation,
                     r.value);
    } else {
      met =
          compared(local_range(law, *r.measure.at, oracle(), options.time_limit).within, r.relation, r.value);
    }
    if (!met) return false;
  }
  return true;
}

RC_GTEST_PROP(Design, no_point_of_the_box_is_better_than_the_bound, ()) {
  const auto kind = *rc::gen::inRange(0, 3);
  const std::vector<FreeParameter> free = {{"a", {1, 200}, 1}, {"c", {1, 50}, 2}};
  const char* const biases[] = {"-a*n - c*log(1 + n)", "-a*n - c*sqrt(n)",
                                "-(1 + a)*log(1 + n) - c*log(1 + n/8)"};
  const OrderedFamily f = family(biases[kind], free, *rc::gen::inRange(0, 4));
  const auto number = [](int from, int to, int divisor) {
    return Rational(*rc::gen::inRange(from, to), divisor);
  };
  const Requirement all[] = {{{Quantity::cache, Rational(1, 100), ""}, less_equal, number(10, 3000, 1)},
                             {{Quantity::reach, Rational(1, 3), ""}, greater_equal, number(1, 40, 1)},
                             {{Quantity::range, Rational(2), ""}, greater_equal, number(1, 60, 1)},
                             {entropy(), greater_equal, number(5, 50, 10)},
                             {entropy(), less_equal, number(10, 60, 10)}};
  DesignProblem problem;
  for (const Requirement& r : all) {
    if (*rc::gen::inRange(0, 4) == 0) problem.requirements.push_back(r);
  }
  const Measure wanted[] = {entropy(),
                            parameter("a"),
                            {Quantity::cache, Rational(1, 100), ""},
                            {Quantity::range, Rational(2), ""},
                            {Quantity::reach, Rational(1, 3), ""}};
  problem.objective = Objective{wanted[*rc::gen::inRange(0, 5)], *rc::gen::arbitrary<bool>()};
  problem.gap = Rational(1, 100);
  problem.time_limit = std::chrono::milliseconds(1500);
  const Design found = design(f, problem, oracle());
  RC_TAG(found.infeasible() ? "infeasible" : found.closed ? "found" : "open");
  if (found.best) RC_ASSERT(meets(f, problem, *found.best));
  for (int i = 0; i < 6; ++i) {
    const ParameterPoint point = {number(1, 201, 200), number(1, 101, 50)};
    if (!meets(f, problem, point)) continue;
    RC_ASSERT(!found.infeasible());
    if (!found.bound) continue;
    DesignPoint here(f.closed_law(point), problem.sums, oracle());
    const ParameterBox alone = {{point[0], point[0]}, {point[1], point[1]}};
    const Objective& o = *problem.objective;
    const auto value = bound_of(o.measure, !o.maximize, {f, alone, here, here});
    if (!value) continue;
    const bool beaten = o.maximize ? *value > *found.bound : *value < *found.bound;
    RC_ASSERT(!beaten);
  }
}

TEST(Design, splits_at_numbers_with_few_digits) {
  EXPECT_EQ(middle_of(0, 1), Rational(1, 2));
  EXPECT_EQ(middle_of(Rational(1, 10000), 1), Rational(1, 100));
  const Rational low(123456789, 1000000000), high(123456790, 1000000000);
  EXPECT_EQ(middle_of(low, high), Rational(1234567895, 10000000000));
}

}  // namespace
}  // namespace gpe::checks
