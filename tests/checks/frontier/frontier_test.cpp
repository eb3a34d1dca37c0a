// Points, grids and the frontier: each against its definition.
#include "checks/frontier/frontier.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "checks/content/family_window.h"
#include "checks/sums/family/family_sum.h"
#include "checks/sums/terms.h"
#include "checks/sweep/parameter_grid.h"
#include "tests/checks/family_values.h"
#include "tests/checks/parsed.h"
#include "tests/in_time.h"
#include "theory/score/one_liner.h"
#include "theory/score/spec_parse.h"
#include "theory/source/spec_error.h"

namespace frontier_test {

using namespace gpe;
using checks::Ball;
using checks::BigCount;
using checks::Finite;
using checks::FrontierPoint;
using checks::Gain;
using checks::TradeOff;
using checks::TradeOffOptions;
using theory::Rational;

const checks::BallOracle oracle;

theory::ScoreFunction law_of(const std::string& bias, const std::string& gain = "1", std::int64_t first = 0) {
  theory::OneLiner text;
  text.bias = bias;
  text.gain = gain;
  text.first = static_cast<int>(first);
  return at_values(theory::instantiate(theory::encoding_of(text), {}, {}, oracle));
}

std::string text_of(const checks::ExponentialPower& f) {
  return "-(" + f.delta.str() + ")*n - (" + f.beta.str() + ")*log(1+n) - (" + f.gamma.str() + ")*sqrt(n)";
}

std::string stars_of(const std::vector<FrontierPoint>& points) {
  std::string text;
  for (const FrontierPoint& one : points) {
    const char other = one.unsettled ? '?' : ' ';
    text += one.efficient ? '*' : other;
  }
  return text;
}

FrontierPoint point(std::int64_t gained, const Rational& entropy) {
  FrontierPoint result;
  result.numbers.range = BigCount::of(gained);
  result.numbers.sums.entropy = {Finite::yes, Ball(entropy, 200), ""};
  return result;
}

RC_GTEST_PROP(TradeOff, spends_at_least_the_least_entropy, ()) {
  const auto f = *gpe::testing::summable_family(3);
  TradeOffOptions options;
  options.threshold = *rc::gen::element(Rational(1), Rational(1, 3), Rational(4));
  options.digits = 15;
  RC_LOG(gpe::testing::show(f));
  const TradeOff t =
      checks::trade_off(law_of(text_of(f)), options, gpe::testing::in_time(std::chrono::seconds(20)));
  RC_ASSERT(t.least.finite == Finite::yes);
  RC_ASSERT(t.excess.finite == Finite::yes);
  RC_ASSERT(!t.excess.value.surely_negative());
  RC_ASSERT(t.excess.value.overlaps(sub(t.sums.entropy.value, t.least.value, 200)));
  RC_ASSERT(t.beyond.value.surely_positive());
  RC_ASSERT(t.beyond.value.surely_less(Ball(1)));
}

TEST(TradeOff, compares_only_penalties_with_the_least_entropy) {
  const theory::Context context(oracle);
  for (const char* penalty : {"0", "-n", "-log(1+n)/2 - sqrt(n)", "-floor(n/3)", "-min(n, 7)", "-n^2/(1+n)"})
    EXPECT_TRUE(checks::bias_is_a_penalty(law_of(penalty), context)) << penalty;
  for (const char* other : {"1-n", "-1", "n", "sin(n)", "sqrt(n) - n/4", "log(1+n)"})
    EXPECT_FALSE(checks::bias_is_a_penalty(law_of(other), context)) << other;
  const TradeOff t = checks::trade_off(law_of("1-n"), {}, gpe::testing::in_time());
  EXPECT_EQ(t.least.finite, Finite::unknown);
  EXPECT_EQ(t.excess.finite, Finite::unknown);
}

TEST(TradeOff, has_the_closed_form_of_the_weight_beyond_a_distance) {
  TradeOffOptions options;
  options.distance = 10;
  const TradeOff line = checks::trade_off(law_of("-n/16"), options, gpe::testing::in_time());
  EXPECT_TRUE(line.beyond.value.overlaps(exp(Ball(Rational(-11, 16), 200), 200)));  // r^(D+1)
  EXPECT_EQ(line.range.number, Rational(16));
  const TradeOff flat = checks::trade_off(law_of("0"), options, gpe::testing::in_time());
  EXPECT_TRUE(flat.beyond.value.overlaps(Ball(1)));
  EXPECT_EQ(flat.least.finite, Finite::no);
  EXPECT_EQ(flat.range.kind, BigCount::Kind::unbounded);
  options.distance = 4;
  const TradeOff far = checks::trade_off(law_of("-n/16", "1", 10), options,
                                         gpe::testing::in_time());  // no distance is so near
  EXPECT_TRUE(far.beyond.value.contains(Rational(1)) && far.beyond.value.is_exact());
}

RC_GTEST_PROP(FamilyWindow, is_the_least_window_by_sums_over_the_tokens_kept, ()) {
  const auto f = *gpe::testing::summable_family(2);
  const Rational bound = *rc::gen::element(Rational(0), Rational(1, 2), Rational(3));
  const Rational epsilon = *rc::gen::element(Rational(1, 1000), Rational(1, 2), Rational(1, 10000000));
  const std::int64_t first = *rc::gen::inRange(0, 3);
  RC_LOG(gpe::testing::show(f) + ", B " + bound.str() + ", epsilon " + epsilon.str());
  const theory::Context context(oracle);
  const auto window = checks::family_window(law_of(text_of(f), "1", first), epsilon, bound, context);
  RC_ASSERT(window && window->kind == BigCount::Kind::number);
  // t = e^B (Z - K)/(e^B (Z - K) + e^-B K), K the sum of the tokens kept, one by one
  const long bits = 300;
  const auto z = checks::family_sum(f, first, std::nullopt, {false, false}, 60, context).value().moments.z;
  const theory::Expr score = gpe::testing::parsed(text_of(f));
  RC_PRE(window->number < Rational(5000));
  const auto enough = [&](const Rational& w) {
    const Ball kept = w < Rational(first) ? Ball(0) : checks::sum_terms(score, first, w, bits, context).z;
    const Ball beyond = mul(exp(Ball(bound, bits), bits), sub(z, kept, bits), bits);
    const Ball near = mul(exp(Ball(-bound, bits), bits), kept, bits);
    return div(beyond, add(beyond, near, bits), bits).surely_at_most(Ball(epsilon, bits));
  };
  RC_ASSERT(enough(window->number));
  RC_ASSERT(window->number == Rational(first) || !enough(window->number - Rational(1)));
}

TEST(FamilyWindow, leaves_other_laws_to_the_general_search) {
  const theory::Context context(oracle);
  const auto found = [&](const theory::ScoreFunction& law, const Rational& bound) {
    return checks::family_window(law, Rational(1, 1000), bound, context).has_value();
  };
  EXPECT_TRUE(found(law_of("-n"), 1));
  EXPECT_FALSE(found(law_of("-n", "1/(1+n)"), 1));
  EXPECT_TRUE(found(law_of("-n", "1/(1+n)"), 0));
  EXPECT_FALSE(found(law_of("-n^2"), 0));
  EXPECT_FALSE(found(law_of("-2*log(1+n)"), 0));
  theory::ScoreFunction cut = law_of("-n");
  cut.window = 3;
  EXPECT_FALSE(found(cut, 0));
}

RC_GTEST_PROP(Frontier, keeps_exactly_the_points_that_no_other_beats, ()) {
  const int count = *rc::gen::inRange(0, 30);
  std::vector<FrontierPoint> points;
  for (int i = 0; i < count; ++i)
    points.push_back(point(*rc::gen::inRange(0, 12), Rational(*rc::gen::inRange(0, 12), 7)));
  checks::mark_pareto_front(points, Gain::range);
  for (const FrontierPoint& mine : points) {
    bool beaten = false;
    for (const FrontierPoint& other : points) {
      const Rational gained = other.numbers.range.number - mine.numbers.range.number;
      const Ball& a = other.numbers.sums.entropy.value;
      const Ball& b = mine.numbers.sums.entropy.value;
      beaten =
          beaten || (gained.sign() >= 0 && a.surely_less(b)) || (gained.sign() > 0 && a.surely_at_most(b));
    }
    RC_ASSERT(mine.efficient == !beaten);
  }
}

TEST(Frontier, has_the_point_with_an_infinite_gain_before_all_that_spend_more) {
  std::vector<FrontierPoint> points = {point(5, 1), point(7, Rational(1, 2)), point(9, 3), point(11, 4)};
  points[0].numbers.range = BigCount::unbounded();
  points[3].numbers.sums.entropy.finite = Finite::no;
  checks::mark_pareto_front(points, Gain::range);
  EXPECT_EQ(stars_of(points), "**  ");
}

TEST(Frontier, has_windows_that_do_not_exist_before_powers_of_ten_and_these_before_numbers) {
  std::vector<FrontierPoint> points = {point(0, 2), point(0, 3), point(0, 4), point(0, 1)};
  points[0].numbers.window = BigCount::power_of_ten("40.25");
  points[1].numbers.window = BigCount::of(Rational(10).pow(30));
  points[2].numbers.window = BigCount::none();
  points[3].numbers.window = BigCount::of(7);
  checks::mark_pareto_front(points, Gain::window);
  EXPECT_EQ(stars_of(points), "* **");
  points[2].numbers.window = BigCount::power_of_ten("40.3");  // perhaps 40.25, rounded
  checks::mark_pareto_front(points, Gain::window);
  EXPECT_EQ(stars_of(points), "* ?*");
}

TEST(Frontier, gives_no_star_that_a_number_which_is_not_known_may_take) {
  std::vector<FrontierPoint> points = {point(5, 1), point(7, 2), point(9, 3)};
  points[1].numbers.range = BigCount::unknown("why");
  checks::mark_pareto_front(points, Gain::range);
  EXPECT_EQ(stars_of(points), "*??");
  points[1].numbers.range = BigCount::of(7);
  points[1].numbers.sums.entropy = {Finite::unknown, Ball::unknown(), "why"};
  checks::mark_pareto_front(points, Gain::range);
  EXPECT_EQ(stars_of(points), "??*");
  points[1].law.bias = theory::Expr::symbol(theory::kLength);  // which has no entropy
  checks::mark_pareto_front(points, Gain::range);
  EXPECT_EQ(stars_of(points), "* *");
  points[1].law.bias = theory::Expr(0);
  points[1].numbers.sums.entropy = {Finite::yes, Ball::hull(Ball(2), Ball(4), 64), "the time limit"};
  checks::mark_pareto_front(points, Gain::range);
  EXPECT_EQ(stars_of(points), "*?*");
  points[1].numbers.sums.entropy.value = Ball::hull(Ball(4), Ball(5), 64);
  checks::mark_pareto_front(points, Gain::range);
  EXPECT_EQ(stars_of(points), "* *");
}

TEST(Frontier, of_computed_points_knows_the_infinite_mean_and_the_entropy_that_is_a_limit) {
  std::vector<FrontierPoint> points(3);
  points[0].law = law_of("-2*log(1+n)");
  points[1].law = law_of("-n/2");
  points[2].law = law_of("-n");
  checks::compute(points, {}, gpe::testing::in_time(), 1);
  checks::mark_pareto_front(points, Gain::mean);
  EXPECT_EQ(stars_of(points), "* *");
  points[0].law = law_of("n*log(2)");  // H_L tends to 2 log 2, though Z is infinite
  checks::compute(points, {}, gpe::testing::in_time(), 1);
  EXPECT_EQ(points[0].numbers.sums.entropy.finite, Finite::unknown);
  checks::mark_pareto_front(points, Gain::mean);
  EXPECT_EQ(stars_of(points), "???");
}

TEST(Frontier, is_the_same_on_any_number_of_threads) {
  const auto computed = [](unsigned threads) {
    std::vector<FrontierPoint> points(20);
    for (int i = 0; i < 20; ++i)
      points[static_cast<std::size_t>(i)].law = law_of("-n/" + std::to_string(i + 2));
    checks::compute(points, {}, gpe::testing::in_time(), threads);
    std::string text;
    for (const FrontierPoint& one : points)
      text += one.numbers.range.number.str() + " " + one.numbers.window.number.str() + " ";
    return text;
  };
  EXPECT_EQ(computed(1), computed(3));
}

TEST(ParameterGrid, goes_from_one_end_to_the_other_exactly) {
  const auto values = checks::spaced(Rational(1, 3), Rational(7), 12);
  ASSERT_EQ(values.size(), 12U);
  EXPECT_EQ(values.front(), Rational(1, 3));
  EXPECT_EQ(values.back(), Rational(7));
  for (std::size_t i = 1; i + 1 < values.size(); ++i) {
    const double expected = std::pow(21, static_cast<double>(i) / 11) / 3;
    EXPECT_NEAR(values[i].approximate() / expected, 1, 1e-5);
    EXPECT_LT(values[i - 1], values[i]);
  }
  EXPECT_EQ(checks::spaced(Rational(0), Rational(1), 5)[1], Rational(1, 4));
  EXPECT_EQ(checks::spaced(Rational(-1), Rational(2), 4)[2], Rational(1));
}

TEST(ParameterGrid, rises_where_six_digits_do_not_tell_values_apart) {
  for (const auto& [low, high] : {std::pair(Rational(3333333, 10000000), Rational(333333318, 1000000000)),
                                  std::pair(Rational(1), Rational(1) + Rational(10).pow(-30))}) {
    const auto values = checks::spaced(low, high, 4);
    EXPECT_EQ(values[1], low + (high - low) / Rational(3));
    EXPECT_TRUE(low < values[1] && values[1] < values[2] && values[2] < high);
  }
}

TEST(ParameterGrid, rounds_to_whole_numbers_once_each) {
  EXPECT_EQ(checks::spaced_whole(1, 4, 9), (std::vector<Rational>{1, 2, 3, 4}));
  EXPECT_EQ(checks::spaced_whole(Rational(5, 4), Rational(5, 2), 9), (std::vector<Rational>{2}));
  EXPECT_TRUE(checks::spaced_whole(Rational(5, 4), Rational(7, 4), 9).empty());
}

TEST(ParameterGrid, combines_every_value_with_every_other) {
  const auto all = checks::combinations({{1, 2}, {3}, {4, 5}});
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1], (std::vector<Rational>{1, 3, 5}));
  EXPECT_EQ(checks::combinations({}).size(), 1U);
}

TEST(ParameterGrid, reads_ranges_and_says_what_is_wrong_with_others) {
  const auto one = checks::vary_option("--vary", "ape.delta=1/8..0.5");
  EXPECT_EQ(one.encoding, "ape");
  EXPECT_EQ(one.name, "delta");
  EXPECT_EQ(one.low, Rational(1, 8));
  EXPECT_EQ(one.high, Rational(1, 2));
  for (const char* wrong : {"m", "m=1", "=1..2", "m=2..1", "m=1..1", "m=x..2", "m=1.."})
    EXPECT_THROW(checks::vary_option("--vary", wrong), theory::SpecError) << wrong;
}

}  // namespace frontier_test
