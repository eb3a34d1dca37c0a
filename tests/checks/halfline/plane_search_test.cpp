#include "checks/halfline/plane_search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "checks/arb/expr_ball.h"

using gpe::checks::Ball;
using gpe::checks::first_failure_in_plane;
using gpe::checks::PlaneStatement;
using gpe::checks::Range;
using gpe::theory::Context;
using gpe::theory::Rational;

namespace plane_search_test {

using Pair = std::pair<std::int64_t, std::int64_t>;

const gpe::checks::BallOracle oracle;

bool may_contain(const Range& block, std::int64_t point) {
  return !Ball(point).surely_less(block.low) && !block.high.surely_less(Ball(point));
}

// "(x, y) is none of these", with every box decided exactly.
PlaneStatement avoids(const std::vector<Pair>& points) {
  return {[points](const Range& x, const Range& y) {
            return std::ranges::none_of(
                points, [&](const Pair& p) { return may_contain(x, p.first) && may_contain(y, p.second); });
          },
          [points](const Rational& x, const Rational& y) {
            return std::ranges::find(points, Pair(*x.to_int64(), *y.to_int64())) == points.end();
          }};
}

RC_GTEST_PROP(PlaneSearch, finds_a_failure_with_the_least_sum_of_any_set, ()) {
  const auto coordinate = [] {
    return rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 12),
                          rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 40));
  };
  const auto points = *rc::gen::container<std::vector<Pair>>(rc::gen::pair(coordinate(), coordinate()));
  const std::int64_t first = *rc::gen::inRange<std::int64_t>(0, 4);
  const bool ends = *rc::gen::arbitrary<bool>();
  const std::int64_t last = first + *rc::gen::inRange<std::int64_t>(0, 20);
  std::optional<std::int64_t> least;
  for (const auto& [x, y] : points) {
    if (x >= first && (!ends || x <= last)) least = std::min(least.value_or(x + y), x + y);
  }
  const auto result =
      first_failure_in_plane(avoids(points), {first, ends ? std::optional(Rational(last)) : std::nullopt},
                             {0, std::nullopt}, Context(oracle), 100000);
  RC_ASSERT(result.fails_at.has_value() == least.has_value());
  RC_ASSERT(result.proved_everywhere == !least);
  if (least) {
    RC_ASSERT(result.fails_at->first + result.fails_at->second == Rational(*least));
    RC_ASSERT(result.checked_below == Rational(*least));
  }
}

TEST(PlaneSearch, an_empty_side_has_no_failure) {
  EXPECT_TRUE(
      first_failure_in_plane(avoids({{3, 3}}), {5, Rational(4)}, {0, std::nullopt}, Context(oracle), 10)
          .proved_everywhere);
}

TEST(PlaneSearch, what_no_box_proves_is_open_when_the_steps_run_out) {
  std::int64_t asked = 0;
  const PlaneStatement stubborn{[](const Range&, const Range&) { return false; },
                                [&](const Rational&, const Rational&) { return ++asked > 0; }};
  const auto result =
      first_failure_in_plane(stubborn, {0, std::nullopt}, {0, std::nullopt}, Context(oracle), 1000);
  EXPECT_FALSE(result.fails_at);
  EXPECT_FALSE(result.proved_everywhere);
  EXPECT_GT(result.checked_below, Rational(5));
  // Every pair whose sum is below that was asked about.
  const std::int64_t sum = *result.checked_below.to_int64();
  EXPECT_GE(asked, sum * (sum + 1) / 2);
}

}  // namespace plane_search_test
