// Comparisons: their order, what is monotone along a parameter, and where the order changes.
#include "checks/compare/comparison.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "checks/compare/crossings.h"
#include "checks/sums/family/family_quick.h"
#include "tests/cases/csv.h"
#include "tests/checks/family_values.h"
#include "tests/checks/parsed.h"
#include "tests/generators/rational.h"
#include "tests/in_time.h"
#include "theory/score/one_liner.h"
#include "theory/score/spec_parse.h"

namespace comparison_test {

using namespace gpe;
using checks::Amount;
using checks::Ball;
using checks::BigCount;
using checks::ComparedQuantity;
using checks::Crossings;
using checks::Finite;
using checks::Order;
using checks::Pair;
using theory::Rational;

const checks::BallOracle oracle;
const checks::ComparisonOptions kOptions{1, Rational(1, 1000), Rational(1, 2), 1, {}, 12};
const theory::Context kTime = gpe::testing::in_time(std::chrono::seconds(20));

theory::ScoreFunction closed(const std::string& bias) {
  theory::OneLiner text;
  text.bias = bias;
  return at_values(theory::instantiate(theory::encoding_of(text), {}, {}, oracle));
}

// A law whose bias mentions t.
theory::ScoreFunction open_in_t(const std::string& bias) {
  theory::ScoreFunction law = closed("0");
  law.bias = gpe::testing::parsed(bias, {"t"});
  return law;
}

theory::ScoreFunction at(const theory::ScoreFunction& law, const Rational& t) {
  theory::ScoreFunction result = law;
  result.bias = substitute(law.bias, "t", theory::Expr(t));
  return result;
}

Order order_of(const std::string& a, const std::string& b, ComparedQuantity quantity) {
  return checks::compare(closed(a), closed(b), quantity, kOptions, kTime).larger.order;
}

// One law moves with t, the other does not.
Crossings crossings_of(const std::string& moves, const std::string& rests, ComparedQuantity quantity,
                       const Rational& low, const Rational& high, int digits = 12, int points = 7) {
  const theory::ScoreFunction open = open_in_t(moves);
  const theory::ScoreFunction fixed = closed(rests);
  Pair pair;
  pair.first = [=](const Rational& t) { return at(open, t); };
  pair.second = [=](const Rational&) { return fixed; };
  pair.second_moves = false;
  pair.first_tilt = checks::tilt_of(open, "t", low, high, oracle);
  std::vector<Rational> values;
  for (int i = 0; i < points; ++i) values.push_back(low + (high - low) * Rational(i, points - 1));
  return checks::find_crossings(pair, quantity, values, digits, kOptions, kTime);
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

Amount number(Finite finite, int value) { return {false, {finite, Ball(value), "why"}, {}}; }
Amount count(BigCount value) { return {true, {}, std::move(value)}; }

TEST(Comparison, puts_every_kind_of_number_and_count_in_order) {
  const auto order = [](const Amount& a, const Amount& b, ComparedQuantity quantity) {
    const auto found = checks::compare(a, b, quantity);
    const auto back = checks::compare(b, a, quantity).order;
    EXPECT_EQ(back == Order::second, found.order == Order::first);
    EXPECT_EQ(back == Order::tie, found.order == Order::tie);
    return found.order;
  };
  const ComparedQuantity h = ComparedQuantity::entropy;
  EXPECT_EQ(order(number(Finite::no, 0), number(Finite::yes, 9), h), Order::first);
  EXPECT_EQ(order(number(Finite::no, 0), number(Finite::no, 0), h), Order::tie);
  EXPECT_EQ(order(number(Finite::yes, 2), number(Finite::yes, 3), h), Order::second);
  EXPECT_EQ(order(number(Finite::yes, 3), number(Finite::yes, 3), h), Order::tie);
  EXPECT_EQ(order(number(Finite::unknown, 2), number(Finite::no, 3), h), Order::undecided);
  const ComparedQuantity r = ComparedQuantity::reach;
  EXPECT_EQ(order(count(BigCount::none()), count(BigCount::of(0)), r), Order::second);
  EXPECT_EQ(order(count(BigCount::unbounded()), count(BigCount::power_of_ten("40.25")), r), Order::first);
  EXPECT_EQ(order(count(BigCount::power_of_ten("40.25")), count(BigCount::of(7)), r), Order::first);
  EXPECT_EQ(order(count(BigCount::power_of_ten("40.25")), count(BigCount::power_of_ten("41.25")), r),
            Order::second);
  EXPECT_EQ(order(count(BigCount::power_of_ten("40.25")), count(BigCount::power_of_ten("40.25")), r),
            Order::undecided);
  // 434 stands for what is rounded to it: 434.3 may be smaller or larger
  EXPECT_EQ(order(count(BigCount::power_of_ten("434")), count(BigCount::power_of_ten("434.3")), r),
            Order::undecided);
  EXPECT_EQ(order(count(BigCount::power_of_ten("434")), count(BigCount::power_of_ten("434.6")), r),
            Order::second);
  EXPECT_EQ(order(count(BigCount::unknown("x")), count(BigCount::of(7)), r), Order::undecided);
  EXPECT_EQ(order(count(BigCount::none()), count(BigCount::of(7)), ComparedQuantity::window), Order::first);
  EXPECT_EQ(order(count(BigCount::none()), count(BigCount::none()), ComparedQuantity::window), Order::tie);
}

TEST(Comparison, finds_the_larger_one_and_ties_of_the_same_scores) {
  EXPECT_EQ(order_of("-n/2", "-n/3", ComparedQuantity::entropy), Order::second);
  EXPECT_EQ(order_of("0", "-n/3", ComparedQuantity::entropy), Order::first);
  EXPECT_EQ(order_of("0", "-log(1+n)", ComparedQuantity::entropy), Order::tie);
  EXPECT_EQ(order_of("n*log(2)", "-n/3", ComparedQuantity::entropy),
            Order::undecided);  // H_L tends to 2 log 2
  EXPECT_EQ(order_of("n*log(2)", "-n/3", ComparedQuantity::mean_distance), Order::first);
  EXPECT_EQ(order_of("0", "n*log(2)", ComparedQuantity::entropy), Order::undecided);
  EXPECT_EQ(order_of("n*log(2)", "n + log(4)*n/2 - n", ComparedQuantity::entropy), Order::tie);
  EXPECT_EQ(order_of("sqrt(n)", "-n/3", ComparedQuantity::entropy), Order::first);
  EXPECT_EQ(order_of("-log((1+n)^2)", "-2*log(n+1)", ComparedQuantity::entropy), Order::tie);
  EXPECT_EQ(order_of("-n/2", "-n*sqrt(1/4)", ComparedQuantity::mean_distance), Order::tie);
  EXPECT_EQ(order_of("-2*log(1+n)", "-n", ComparedQuantity::mean_distance), Order::first);
  EXPECT_EQ(order_of("-n/2", "-n/3", ComparedQuantity::local_range), Order::second);
  EXPECT_EQ(order_of("-log(1+n)/2", "-n", ComparedQuantity::window), Order::first);
}

TEST(Tilt, is_proved_for_penalties_times_a_parameter) {
  const auto direction = [](const std::string& bias, const Rational& low = 1, const Rational& high = 2) {
    const auto tilt = checks::tilt_of(open_in_t(bias), "t", low, high, oracle);
    return tilt ? tilt->direction : 0;
  };
  EXPECT_EQ(direction("-t*n"), -1);
  EXPECT_EQ(direction("-n/3 - t*log(1+n) - sqrt(n)/5"), -1);
  EXPECT_EQ(direction("(t - 3)*n"), 1);  // slopes from -2 to -1
  EXPECT_EQ(direction("-t*n^2/(1+n)"), -1);
  EXPECT_EQ(direction("-t*log(1 + 3*n)"), -1);
  EXPECT_EQ(direction("-t*log(1 + n/7) - n^(1/3)"), -1);
  EXPECT_EQ(direction("-n - t/(1+n)", 0, 1), 1);
  EXPECT_EQ(direction("(t - 3/2)*n"), 0);  // grows at t = 2
  EXPECT_EQ(direction("-n^t"), 0);         // not affine
  EXPECT_EQ(direction("-n - t"), 0);       // no slope in n
  EXPECT_EQ(direction("-n + t*sin(n)/100"), 0);
  theory::ScoreFunction elsewhere = open_in_t("-t*n");
  elsewhere.gain = gpe::testing::parsed("1/(1+t*n)", {"t"});
  EXPECT_FALSE(checks::tilt_of(elsewhere, "t", 1, 2, oracle));
}

TEST(Tilt, does_not_take_a_score_that_rises_anywhere_for_one_that_does_not) {
  for (const char* falls : {"-n", "3", "-sqrt(n)", "-log(1+n)", "1/(1+n)", "-n^(3/2) - 1"})
    EXPECT_TRUE(checks::never_rises_over_integers(gpe::testing::parsed(falls), 0, oracle)) << falls;
  for (const char* rises : {"n", "-(n-3)^2", "sqrt(n) - n/8", "-n^2 + 2*n", "log(1+n) - n/2"})
    EXPECT_FALSE(checks::never_rises_over_integers(gpe::testing::parsed(rises), 0, oracle)) << rises;
}

TEST(Crossings, of_the_entropy_changes_at_delta_star) {
  for (const auto& row : gpe::testing::read_cases("frontier_golden.csv")) {
    if (row.at("kind") != "delta_star") continue;
    SCOPED_TRACE(row.at("a") + ", " + row.at("b") + ", " + row.at("c"));
    const std::string moves = joined({"-t*n - (", row.at("b"), ")*log(1+n) - (", row.at("c"), ")*sqrt(n)"});
    const std::string rests = joined({"-(", row.at("a"), ")*n"});
    const Crossings found =
        crossings_of(moves, rests, ComparedQuantity::entropy, Rational(1, 1000), Rational(3), 20);
    ASSERT_EQ(found.changes.size(), 1U);
    EXPECT_EQ(found.orders[0].order, Order::first);
    EXPECT_EQ(found.orders[1].order, Order::second);
    EXPECT_TRUE(found.proved) << found.reason;
    EXPECT_TRUE(found.changes[0].value.overlaps(gpe::testing::around(row.at("value"), 200)));
    EXPECT_GT(found.changes[0].value.relative_bits(), 66);
  }
}

TEST(Crossings, names_the_place_where_the_laws_are_the_same) {
  const Crossings found =
      crossings_of("-t*n", "-n/7", ComparedQuantity::entropy, Rational(1, 100), Rational(1));
  ASSERT_EQ(found.changes.size(), 1U);
  EXPECT_EQ(found.changes[0].exact, "1/7");
  EXPECT_TRUE(found.changes[0].value.is_exact() || found.changes[0].value.contains(Rational(1, 7)));
}

TEST(Crossings, names_the_places_where_tokens_leave_the_local_range) {
  // -t n within 1: N = floor(1/t); against N = 5: more below 1/6, equal up to 1/5, less above
  const Crossings found =
      crossings_of("-t*n", "-n/5", ComparedQuantity::local_range, Rational(1, 100), Rational(1));
  ASSERT_EQ(found.orders.size(), 3U);
  EXPECT_EQ(found.orders[0].order, Order::first);
  EXPECT_EQ(found.orders[1].order, Order::tie);
  EXPECT_EQ(found.orders[2].order, Order::second);
  EXPECT_EQ(found.changes[0].exact, "1/6");
  EXPECT_EQ(found.changes[1].exact, "1/5");
  EXPECT_TRUE(found.proved);
  const Crossings root =
      crossings_of("-t*sqrt(n)", "-n/2", ComparedQuantity::local_range, Rational(1, 10), Rational(3));
  ASSERT_EQ(root.orders.size(), 3U);
  EXPECT_TRUE(root.changes[0].value.overlaps(sqrt(Ball(Rational(1, 3), 200), 200)));
  EXPECT_TRUE(root.changes[1].value.overlaps(sqrt(Ball(Rational(1, 2), 200), 200)));
}

TEST(Crossings, at_and_next_to_zero_come_to_an_end) {
  for (const auto& [low, high, points] :
       {std::tuple(Rational(-1, 2), Rational(1, 2), 3), std::tuple(Rational(-1, 2), Rational(1, 3), 4),
        std::tuple(Rational(0), Rational(1), 2), std::tuple(Rational(-1, 2), Rational(0), 2)}) {
    for (const ComparedQuantity quantity :
         {ComparedQuantity::entropy, ComparedQuantity::local_range, ComparedQuantity::window}) {
      const Crossings found = crossings_of("-(1+t)*n/10", "-n/10", quantity, low, high, 8, points);
      ASSERT_FALSE(found.changes.empty());
      EXPECT_LE(found.changes.size(), 2U);
      EXPECT_TRUE(quantity != ComparedQuantity::entropy || found.changes.front().exact == "0")
          << found.changes.front().reason;
      EXPECT_EQ(found.orders.front().order, low.sign() < 0 ? Order::first : Order::tie);
      EXPECT_EQ(found.orders.back().order, high.sign() > 0 ? Order::second : Order::tie);
    }
  }
  const Crossings near = crossings_of("-(1+t)*n/10", "-(1+1/10^30)*n/10", ComparedQuantity::entropy,
                                      Rational(-1, 2), Rational(1, 2), 12, 2);
  ASSERT_EQ(near.changes.size(), 1U);
  EXPECT_TRUE(near.changes[0].value.contains(Rational(10).pow(-30)));
  EXPECT_LT(near.changes[0].high - near.changes[0].low, Rational(10).pow(-12));
  EXPECT_NE(near.changes[0].reason.find("near 0"), std::string::npos);
}

TEST(Crossings, stop_closing_in_at_the_time_limit) {
  int asked = 0;
  Pair pair;
  pair.first = [&](const Rational& t) {
    ++asked;
    const auto begin = theory::CpuClock::now();  // CPU time
    while (theory::CpuClock::now() - begin < std::chrono::milliseconds(50)) continue;
    return at(open_in_t("-t*n"), t);
  };
  pair.second = [](const Rational&) { return closed("-n/7"); };
  pair.second_moves = false;
  const Crossings found =
      checks::find_crossings(pair, ComparedQuantity::local_range, {Rational(1, 100), Rational(1)}, 12,
                             kOptions, gpe::testing::in_time(std::chrono::milliseconds(300)));
  ASSERT_FALSE(found.changes.empty());
  EXPECT_EQ(found.changes[0].reason, "the time limit");
  EXPECT_LT(asked, 40);
}

TEST(Crossings, does_not_claim_what_is_not_proved) {
  const Crossings convex =
      crossings_of("-n^t", "-n/2", ComparedQuantity::entropy, Rational(1, 2), Rational(2), 6);
  EXPECT_FALSE(convex.proved);
  EXPECT_NE(convex.reason.find("not excluded"), std::string::npos);
  const Crossings reach =
      crossings_of("-t*n", "-n/5", ComparedQuantity::reach, Rational(1), Rational(2), 3, 2);
  EXPECT_FALSE(reach.proved);
  const Crossings unknown =
      crossings_of("-t*n", "sin(n)*n", ComparedQuantity::local_range, Rational(1), Rational(2), 3, 2);
  EXPECT_TRUE(unknown.proved || unknown.reason.find("undecided") != std::string::npos);
}

RC_GTEST_PROP(Crossings, agrees_with_the_quick_sums_away_from_the_change, ()) {
  const auto dyadic = [](int smallest) {
    return rc::gen::apply([](int c, int e) { return std::ldexp(c, -e); }, rc::gen::inRange(4, 8),
                          rc::gen::inRange(2, smallest));
  };
  const double delta = *dyadic(8);
  const double beta = *dyadic(5);
  const double m = *dyadic(8);
  const auto text = [](double x) { return Rational(static_cast<std::int64_t>(x * 4096), 4096).str(); };
  const std::string moves = joined({"-(", text(delta), ")*n - (", text(beta), ")*log(1+n) - t*sqrt(n)"});
  const std::string rests = joined({"-(", text(m), ")*n"});
  const Crossings found =
      crossings_of(moves, rests, ComparedQuantity::entropy, Rational(1, 64), Rational(2), 9, 4);
  RC_ASSERT(found.proved);
  RC_ASSERT(found.changes.size() <= 1U);
  RC_CLASSIFY(found.changes.empty(), "no change");
  static const checks::QuickFamily quick;
  for (const double t : {1.0 / 64, 0.1, 0.5, 1.0, 2.0}) {
    const auto mine = quick({delta, beta, t});
    const auto other = quick({m, 0, 0});
    RC_ASSERT(mine && other);
    const bool first = mine->entropy > other->entropy;
    const double place = found.changes.empty() ? 1e9 : found.changes[0].value.approximate();
    const Order expected = found.orders[t < place ? 0 : 1].order;
    RC_ASSERT((expected == Order::first) == first || std::abs(t / place - 1) < 1e-6);
  }
}

RC_GTEST_PROP(SimplestBetween, is_in_the_interval_and_has_the_least_denominator, ()) {
  const Rational a = *gpe::testing::any_rational();
  const Rational b = a + Rational(*rc::gen::inRange(0, 60), 977);
  const Rational found = theory::simplest_between(a, b);
  RC_ASSERT(a <= found && found <= b);
  const Rational d = found.denominator();
  RC_PRE(d < Rational(2000));
  for (Rational smaller(1); smaller < d; smaller += Rational(1))
    RC_ASSERT((a * smaller).ceil() > b * smaller);
}

}  // namespace comparison_test
