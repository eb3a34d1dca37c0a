// Designs against closed forms, and against the numbers of check-properties at points of the box.
#include "checks/design/design.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "checks/content/effective_window.h"
#include "checks/content/local_range.h"
#include "checks/design/design_certificate.h"
#include "checks/verifier/certificate.h"
#include "tests/checks/design/families.h"
#include "theory/exact/decision.h"

namespace gpe::checks {
namespace design_test {

bool proved(const OrderedFamily& f, const DesignProblem& problem, const Design& found) {
  const auto json = verifier::read_json(design_certificate(f, problem, found, context()).dump());
  verifier::check_certificate(json);
  return json["law"]["name"] == "family";
}

TEST(Design, largest_slope_of_an_entropy_of_six_nats) {
  // mpmath: findroot of -log(1 - r) - r log(r)/(1 - r) - 6, r = e^-m
  const Rational exact = Rational::parse("0.00673795974506129913028289555672").value();
  const OrderedFamily alibi = family("-m*n", {{"m", {1, 10000}, 1}});
  DesignProblem problem{{{entropy(), greater_equal, 6}}, Objective{parameter("m"), true}};
  problem.gap = Rational::parse("1e-12").value();
  const Design found = design(alibi, problem, context());
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
  DesignProblem problem{{{{DesignQuantity::cache, Rational(1, 1000), ""}, less_equal, 512}},
                        Objective{parameter("m"), false}};
  problem.gap = Rational::parse("1e-12").value();
  const Design found = design(alibi, problem, context());
  ASSERT_TRUE(found.closed && found.best);
  EXPECT_NEAR(found.value->approximate(), exact, exact * 2e-12);
  EXPECT_NEAR(found.bound->approximate(), exact, exact * 2e-12);
  EXPECT_TRUE(proved(alibi, problem, found));
}

TEST(Design, largest_slope_for_a_range_and_largest_window_for_an_entropy) {
  const OrderedFamily alibi = family("-m*n", {{"m", {1, 10000}, 1}});
  DesignProblem problem{{{{DesignQuantity::range, Rational(3, 2), ""}, greater_equal, 700}},
                        Objective{parameter("m"), true}};
  problem.gap = Rational::parse("1e-12").value();
  const Design slope = design(alibi, problem, context());
  ASSERT_TRUE(slope.closed && slope.best);
  const Rational exact(3, 1400);
  EXPECT_LE(*slope.value, exact);
  EXPECT_GE(*slope.bound, exact);
  EXPECT_LE((*slope.bound - *slope.value), exact * Rational::parse("1.1e-12").value());
  EXPECT_TRUE(proved(alibi, problem, slope));

  const OrderedFamily window = family("0", {{"W", 1, 3000}}, 0, "window = \"W\"\n");
  problem = {{{entropy(), less_equal, 5}}, Objective{parameter("W"), true}};
  const Design keys = design(window, problem, context());
  ASSERT_TRUE(keys.closed && keys.best);
  EXPECT_EQ(*keys.value, Rational(148));  // floor(e^5)
  EXPECT_EQ(*keys.bound, Rational(148));
  EXPECT_TRUE(proved(window, problem, keys));
}

TEST(Design, what_cannot_be_is_proved_not_to_be) {
  const OrderedFamily alibi = family("-m*n", {{"m", {1, 10000}, 1}}, 1);
  // 1 - log m > 5 where m <= 1/1000
  DesignProblem problem{{{entropy(), less_equal, 5}, {{DesignQuantity::range, 1, ""}, greater_equal, 1000}},
                        {}};
  Design none = design(alibi, problem, context());
  EXPECT_TRUE(none.infeasible());
  EXPECT_TRUE(proved(alibi, problem, none));
  // a weight of 1/2 at 50 needs (1 + e^2) e^-50m (1 - e^-m) >= 1, but e^-50m (1 - e^-m) < 1/(50 e)
  problem.requirements = {{{DesignQuantity::reach, Rational(1, 2), ""}, greater_equal, 50}};
  none = design(alibi, problem, context());
  EXPECT_TRUE(none.infeasible());
  EXPECT_TRUE(proved(alibi, problem, none));
  // no power of 1 + n sums up when it is not above 1
  const OrderedFamily log_bias = family("-p*log(1 + n)", {{"p", {1, 10}, 1}});
  problem.requirements = {{{DesignQuantity::convergence, std::nullopt, ""}, less, 0}};
  none = design(log_bias, problem, context());
  EXPECT_TRUE(none.infeasible());
  EXPECT_TRUE(proved(log_bias, problem, none));
}

Design best(const OrderedFamily& f, const Requirement& requirement, const Objective& objective,
            const char* gap = "1e-12") {
  DesignProblem problem{{requirement}, objective};
  problem.gap = Rational::parse(gap).value();
  Design found = design(f, problem, context());
  EXPECT_TRUE(found.closed && found.best) << found.reason;
  EXPECT_TRUE(found.bound && proved(f, problem, found));
  return found;
}

void expect_value(const Design& found, double exact, double part = 2e-12) {
  ASSERT_TRUE(found.value && found.bound);
  EXPECT_NEAR(found.value->approximate(), exact, exact * part);
  EXPECT_NEAR(found.bound->approximate(), exact, exact * part);
}

TEST(Design, exponents_of_the_power_kernel) {
  // n^p/2 <= 2 at n = 500: p = log 4/log 500
  const OrderedFamily power = family("-n^p/2", {{"p", {1, 10}, 2}});
  expect_value(best(power, {{DesignQuantity::range, 2, ""}, greater_equal, 500}, {parameter("p"), true}),
               std::log(4.0) / std::log(500.0));
  // p = 1 is ALiBi: -log(1 - r) - r log(r)/(1 - r) = 1.70349917083558771396019272238 for r = e^-1/2
  const Requirement least{entropy(), greater_equal, Rational::parse("1.703499170835587714").value()};
  expect_value(best(power, least, {parameter("p"), true}), 1);
  // and 1.71 nats are too many for p >= 1: above 1 tails are no Bernstein functions any more
  const OrderedFamily steeper = family("-n^p/2", {{"p", 1, 2}});
  const DesignProblem problem{{{entropy(), greater_equal, {171, 100}}}, {}};
  const Design none = design(steeper, problem, context());
  EXPECT_TRUE(none.infeasible());
  EXPECT_TRUE(proved(steeper, problem, none));
}

const std::string kApe = "-m*n - log(1 + n)/10 - sqrt(n)/10";
const std::string kGain = "gain = \"1/(1 + n/100)\"\n";

TEST(Design, contents_whose_bound_falls_with_n) {
  // mpmath: 9,000 terms one by one, findroot of (1 - ε) U(399) - ε l(399), ε = 1/100, B = 5
  const OrderedFamily ape = family(kApe, {{"m", {1, 1000}, {1, 10}}}, 5, kGain);
  expect_value(best(ape, {{DesignQuantity::cache, Rational(1, 100), ""}, less_equal, 400},
                    {parameter("m"), false}, "1e-10"),
               0.0180058867904986366109, 2e-10);
  // the same of the reach of 12 at 1/4, B = 3
  const OrderedFamily less = family(kApe, {{"m", {1, 1000}, 1}}, 3, kGain);
  expect_value(best(less, {{DesignQuantity::reach, Rational(1, 4), ""}, greater_equal, 12},
                    {parameter("m"), true}, "1e-10"),
               0.438497537617920358959, 2e-10);
  // half of the weight at n needs e^(a(n) + a(m)) >= 1 on the average over n tokens m: n <= e^2B
  const OrderedFamily one = family(kApe, {{"m", 0, 1}}, 1, kGain);
  const DesignProblem problem{{{{DesignQuantity::reach, Rational(1, 2), ""}, greater_equal, 8}}, {}};
  const Design none = design(one, problem, context());
  EXPECT_TRUE(none.infeasible());
  EXPECT_TRUE(proved(one, problem, none));
}

TEST(Design, of_a_gain_only_the_absolute_value_matters) {
  const Requirement cache{{DesignQuantity::cache, Rational(1, 100), ""}, less_equal, 200};
  const Requirement reach{{DesignQuantity::reach, Rational(1, 2), ""}, greater_equal, 10};
  const std::vector<FreeParameter> one = {{"m", {1, 1000}, 1}};
  // 9,000 terms one by one, with |f| = 1/(1 + n/100), B = 3: the weight beyond 200 keys, that of n = 10
  for (const char* gain : {"1/(1 + n/100)", "-1/(1 + n/100)", "-sqrt(2)/(1 + n/100)/2^(1/2)"}) {
    const OrderedFamily f = family("-m*n", one, 3, "gain = \"" + std::string(gain) + "\"\n");
    expect_value(best(f, cache, {parameter("m"), false}, "1e-6"), 0.0396098, 1e-4);
    EXPECT_GT(best(f, reach, {parameter("m"), true}, "1e-3").value->approximate(), 0.46) << gain;
  }
  // (1 - ε) e^2g r^K <= ε (1 - r^K), r = e^-1/20: g = log((r^-K - 1)/99)/2
  for (const char* gain : {"g", "-g", "2*g/(-2)"}) {
    const OrderedFamily f = family("-n/20", {{"g", {1, 10}, 5}}, 1, "gain = \"" + std::string(gain) + "\"\n");
    const Requirement kept{{DesignQuantity::cache, Rational(1, 100), ""}, less_equal, 150};
    expect_value(best(f, kept, {parameter("g"), true}, "1e-6"), std::log(std::expm1(7.5) / 99) / 2, 2e-6);
  }
  // bars inside of a formula keep their meaning, too: |1 - π| = π - 1, and a product of two signs
  for (const char* gain : {"abs(1 - pi)/(s + n)", "s/(abs(1 - pi) + n)", "-abs(-s)*abs(1 - pi)/(9 + n)"}) {
    const OrderedFamily f = family("-n/10", {{"s", 1, 10}}, 3, "gain = \"" + std::string(gain) + "\"\n");
    for (const int n : {0, 1, 20}) {
      for (const bool largest : {true, false}) {
        const auto a = [&](const theory::Expr& e) {
          return evaluate(e, {{theory::kIndex, Ball(n)}}, 64).approximate();
        };
        double most = 0, least = HUGE_VAL;
        for (const int s : {1, 10}) {
          const double here = a(theory::amplitude(f.closed_law({s}), 3));
          most = std::max(most, here);
          least = std::min(least, here);
        }
        EXPECT_NEAR(a(f.amplitude({{1, 10}}, largest)), largest ? most : least, 1e-9) << gain;
      }
    }
  }
  EXPECT_THROW(family("-m*n", one, 1, "gain = \"1/(1 - n/100)\"\n"), theory::Undecided);  // both signs
  EXPECT_THROW(family("-m*n", one, 1, "gain = \"m - 1/2\"\n"), theory::Undecided);
}

TEST(Design, signs_of_divisors_are_those_of_the_bias) {
  const OrderedFamily divisor = family("n/(-2*s)", {{"s", 1, 10}});  // n/(2 s) <= 1 at n = 4: s >= 2
  EXPECT_TRUE(divisor.falls() && divisor.direction(0) < 0);
  expect_value(best(divisor, {{DesignQuantity::range, 1, ""}, greater_equal, 4}, {parameter("s"), false}), 2);
}

TEST(Design, ranges_and_reaches_that_do_not_exist_are_below_all_numbers) {
  const OrderedFamily late = family("-m*n", {{"m", {1, 1000}, 1}}, 0, "first = 5\n");
  const Measure range{DesignQuantity::range, Rational(1, 1000), ""},
      wide{DesignQuantity::range, Rational(1, 10), ""};
  const Measure reach{DesignQuantity::reach, Rational(99, 100), ""};
  for (const Measure& none : {range, reach}) {  // 5 m > 1/1000, and 1 - e^-m < 99/100
    DesignProblem problem{{{none, greater_equal, 3}}, {}};
    Design found = design(late, problem, context());
    EXPECT_TRUE(found.infeasible() && proved(late, problem, found));
    problem.requirements = {{none, less_equal, 3}};
    found = design(late, problem, context());
    EXPECT_TRUE(found.best && proved(late, problem, found));
    for (const bool maximize : {true, false}) {
      problem = {{}, Objective{none, maximize}};
      found = design(late, problem, context());
      EXPECT_TRUE(found.value == Rational(kNoCount) && found.bound == Rational(kNoCount));
      EXPECT_TRUE(found.closed && proved(late, problem, found));
    }
  }
  // 5 m <= 1/10: m <= 1/50
  expect_value(best(late, {wide, greater_equal, 0}, {parameter("m"), true}), 0.02);
  expect_value(best(late, {wide, less_equal, 0}, {parameter("m"), false}), 0.02, 2e-6);
  // the first token has the weight 1 - e^-m >= 1/2: m >= log 2
  const Measure half{DesignQuantity::reach, Rational(1, 2), ""};
  expect_value(best(late, {half, greater_equal, 1}, {parameter("m"), false}), std::log(2.0));
  const OrderedFamily low = family("-1 - m*n", {{"m", {1, 100}, 1}});
  const DesignProblem problem{{{{DesignQuantity::range, Rational(1, 2), ""}, greater_equal, 0}}, {}};
  EXPECT_TRUE(design(low, problem, context()).infeasible());
}

TEST(Design, a_parameter_of_the_content_alone) {
  const OrderedFamily f = family("-n/50", {{"l", {1, 1000}, 1}}, 5, "gain = \"1/(1 + l*n)\"\n");
  EXPECT_EQ(f.direction(0), 0);
  const Design found = best(f, {{DesignQuantity::cache, Rational(1, 100), ""}, less_equal, 300},
                            {parameter("l"), false}, "1e-6");
  const auto window = [&](const Rational& l) {
    return effective_window(f.closed_law({l}), {1, 100}, 5, std::nullopt, context()).number;
  };
  EXPECT_LE(window(*found.value), Rational(299));
  EXPECT_GT(window(*found.bound * Rational::parse("0.999999").value()), Rational(299));
}

TEST(Design, parameters_that_act_in_both_ways) {
  // 100/(10 c) + 10 c <= 25: 1/2 <= c <= 2; and it is nowhere less than 20
  const OrderedFamily both = family("-n/(10*c) - c*sqrt(n)", {{"c", {1, 10}, 10}});
  EXPECT_EQ(both.bias_text(), "-n/(10*c) - c_2*sqrt(n)");
  const Requirement range{{DesignQuantity::range, 25, ""}, greater_equal, 100};
  expect_value(best(both, range, {parameter("c"), true}), 2);
  expect_value(best(both, range, {parameter("c"), false}), 0.5);
  const DesignProblem problem{{{{DesignQuantity::range, 19, ""}, greater_equal, 100}}, {}};
  const Design none = design(both, problem, context());
  EXPECT_TRUE(none.infeasible());
  EXPECT_TRUE(proved(both, problem, none));
  // in one place, and as a sum of terms: the same weights as those of -m*n
  const OrderedFamily shifted = family("-m*(n - 4)", {{"m", {1, 10000}, 1}});
  EXPECT_EQ(shifted.bias_text(), "4*m - m_2*n");
  const Requirement cache{{DesignQuantity::cache, Rational(1, 1000), ""}, less_equal, 512};
  const Design slope = design(shifted, {{cache}, Objective{parameter("m"), false}}, context());
  EXPECT_NEAR(slope.bound.value().approximate(), std::log(1000) / 512, 1e-6);
  // a mixture: ALiBi at s = 1
  const OrderedFamily share = family("-s*n/2 - (1 - s)*log(1 + n)", {{"s", {1, 10}, 1}});
  const Requirement least{entropy(), greater_equal, Rational::parse("1.703499170835587714").value()};
  expect_value(best(share, least, {parameter("s"), true}, "1e-6"), 1, 2e-6);
}

TEST(Design, biases_that_rise_and_fall) {
  // Σ_{n>W} (1 + n) r^n = r^K ((K + 1) - K r)/(1 - r)^2 of Z = 1/(1 - r)^2, K = W + 1; mpmath: findroot, K =
  // 100
  const OrderedFamily bump = family("log(1 + n) - m*n", {{"m", {1, 12}, 1}});
  EXPECT_FALSE(bump.falls());
  expect_value(best(bump, {{DesignQuantity::cache, Rational(1, 1000), ""}, less_equal, 100},
                    {parameter("m"), false}, "1e-2"),
               0.0918793975856437572734556, 2e-2);
  // the entropy of (1 + n) r^n against the number of check-properties
  const OrderedFamily sharper = family("log(1 + n) - m*n", {{"m", {1, 5}, 1}});
  const Design found = best(sharper, {entropy(), greater_equal, {5, 2}}, {parameter("m"), true}, "1e-1");
  EXPECT_GE(enclose_sums(bump.closed_law(*found.best), 20, context()).entropy.value.approximate(), 2.5);
  EXPECT_LE(enclose_sums(bump.closed_law({*found.bound}), 20, context()).entropy.value.approximate(), 2.5);
}

TEST(Design, families_whose_order_is_not_seen) {
  const std::vector<FreeParameter> one = {{"m", {1, 10}, 1}}, two = {{"a", {1, 10}, 1}, {"c", {1, 10}, 1}};
  EXPECT_THROW(family("-n", one), theory::Undecided);                                  // does not matter
  EXPECT_THROW(family("-log(1/2 + m*n)", one), theory::Undecided);                     // a negative logarithm
  EXPECT_THROW(family("-m*n - n/L", one), theory::Undecided);                          // the length
  EXPECT_THROW(family("-sqrt(m + n)", one), theory::Undecided);                        // inside of a root
  EXPECT_THROW(family("-n^m", {{"m", 0, 1}}), theory::Undecided);                      // an exponent of 0
  EXPECT_THROW(family("-m*n", one, 1, "gain = \"1 + n\"\n"), theory::Undecided);       // a content that grows
  EXPECT_THROW(family("-sum(j, 1, 2, m^(3 - 2*j)*n^j)", one), theory::Undecided);      // a sum over j
  EXPECT_THROW(family("-m*n", one, 1, "gain = \"exp(m - n)\"\n"), theory::Undecided);  // and that in m
  EXPECT_FALSE(family("m*n", one).falls());
  EXPECT_FALSE(family("-m*n + 5*log(1 + n)", one).falls());
  EXPECT_TRUE(family("-a*n - 2*c*log(1 + 3*n) - n^(1/3)", two).falls());
  EXPECT_TRUE(family("-(1 + a)*log(1 + n)*(c + 2)", two).falls());
  EXPECT_TRUE(family("-a*n^c*log(1 + n)", two).falls());
  const OrderedFamily scale = family("-n/a - log(1 + n/c)", two);
  EXPECT_TRUE(scale.direction(0) < 0 && scale.direction(1) < 0);
}

TEST(Design, splits_at_numbers_with_few_digits) {
  EXPECT_EQ(middle_of(0, 1), Rational(1, 2));
  EXPECT_EQ(middle_of(Rational(1, 10000), 1), Rational(1, 100));
  const Rational low(123456789, 1000000000), high(123456790, 1000000000);
  EXPECT_EQ(middle_of(low, high), Rational(1234567895, 10000000000));
}

}  // namespace design_test
}  // namespace gpe::checks
