#include "checks/halfline/block_search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "checks/arb/expr_ball.h"
#include "tests/checks/parsed.h"

using gpe::checks::Ball;
using gpe::checks::first_failure;
using gpe::checks::over_block;
using gpe::checks::Range;
using gpe::checks::SearchResult;
using gpe::checks::Statement;
using gpe::testing::parsed;
using gpe::theory::Context;
using gpe::theory::Rational;

namespace block_search_test {

const gpe::checks::BallOracle oracle;

// "n is none of these", with every block decided exactly.
Statement avoids(const std::set<std::int64_t>& points) {
  return {[points](const Range& n) {
            return std::ranges::none_of(points, [&](std::int64_t p) {
              return !Ball(p).surely_less(n.low) && !n.high.surely_less(Ball(p));
            });
          },
          [points](const Rational& n) { return !points.contains(*n.to_int64()); }};
}

RC_GTEST_PROP(BlockSearch, finds_the_least_failure_of_any_set, ()) {
  const auto points = *rc::gen::container<std::set<std::int64_t>>(rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(0, 40), rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 50)));
  const auto first = *rc::gen::inRange<std::int64_t>(0, 60);
  const auto last = *rc::gen::oneOf(rc::gen::just<std::optional<std::int64_t>>(std::nullopt),
                                    rc::gen::map(rc::gen::inRange<std::int64_t>(0, 1000),
                                                 [&](std::int64_t x) { return std::optional(first + x); }));
  const auto least = points.lower_bound(first);
  const bool fails = least != points.end() && (!last || *least <= *last);
  const Context context(oracle);
  const SearchResult result =
      first_failure(avoids(points), first, last ? std::optional(Rational(*last)) : std::nullopt, context);
  RC_ASSERT(result.fails_at.has_value() == fails);
  RC_ASSERT(result.proved_everywhere == !fails);
  if (fails) {
    RC_ASSERT(*result.fails_at == Rational(*least));
    RC_ASSERT(result.checked_below == Rational(*least));
  }
}

TEST(BlockSearch, finds_one_point_among_ten_to_the_thirty) {
  const Context context(oracle);
  const Rational point = Rational(10).pow(29) + 12345;
  const Statement statement{[&](const Range& n) {
                              return Ball(point, 200).surely_less(n.low) ||
                                     n.high.surely_less(Ball(point, 200));
                            },
                            [&](const Rational& n) { return n != point; }};
  EXPECT_EQ(first_failure(statement, 0, std::nullopt, context).fails_at, point);
}

TEST(BlockSearch, what_no_block_proves_is_settled_point_by_point_until_the_steps_run_out) {
  const Context context(oracle);
  std::int64_t asked = -1;
  const Statement stubborn{[](const Range&) { return false; },
                           [&](const Rational& n) {
                             EXPECT_EQ(n, Rational(++asked));  // in order, each once
                             return true;
                           }};
  const SearchResult result = first_failure(stubborn, 0, std::nullopt, context, 1000);
  EXPECT_FALSE(result.fails_at || result.proved_everywhere);
  EXPECT_GT(result.checked_below, Rational(100));
  EXPECT_LE(result.checked_below, Rational(asked + 1));
}

TEST(BlockSearch, a_failure_after_the_last_n_is_none) {
  const Context context(oracle);
  EXPECT_TRUE(first_failure(avoids({100}), 0, Rational(99), context).proved_everywhere);
  EXPECT_EQ(first_failure(avoids({100}), 0, Rational(100), context).fails_at, Rational(100));
  EXPECT_EQ(first_failure(avoids({100}), 100, Rational(100), context).fails_at, Rational(100));
}

TEST(BlockSearch, with_interval_arithmetic) {
  // n^2 - 10^12 < 0 until n = 10^6
  const Context context(oracle);
  const auto value = parsed("n^2 - 10^12");
  const Statement negative{[&](const Range& n) { return over_block(value, n, 128).surely_negative(); },
                           [&](const Rational& n) { return n * n < Rational(10).pow(12); }};
  EXPECT_EQ(first_failure(negative, 0, std::nullopt, context).fails_at, Rational(1000000));
}

TEST(BlockSearch, stops_at_the_deadline) {
  const Context context(oracle, gpe::theory::Budget(std::chrono::seconds(-1)).question());
  EXPECT_THROW(first_failure(avoids({100}), 0, std::nullopt, context), gpe::theory::TimeUp);
}

// One evaluation is long: the time is over in the middle of it, and not when it ends.
TEST(BlockSearch, stops_at_the_deadline_within_an_evaluation) {
  using Clock = gpe::theory::CpuClock;
  using std::chrono::milliseconds;
  const auto sums = parsed("sum(k, 0, 900, sum(j, 0, 1000, 1/(1 + k*j + n)))");
  const auto begin = Clock::now();
  const Context context(oracle, gpe::theory::Budget(milliseconds(20)).question());
  const Statement below{
      [&](const Range& n) { return over_block(sums, n, 128, context.budget()).high.surely_less(Ball(1)); },
      [](const Rational&) { return true; }};
  EXPECT_THROW(first_failure(below, 0, std::nullopt, context), gpe::theory::TimeUp);
  EXPECT_LT(Clock::now() - begin, milliseconds(500));
}

}  // namespace block_search_test
