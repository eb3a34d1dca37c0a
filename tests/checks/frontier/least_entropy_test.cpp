// The least entropy for a local range: V1 and V2 of docs/compare.md.
#include "checks/frontier/least_entropy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/cases/csv.h"
#include "tests/checks/family_values.h"
#include "tests/generators/rational.h"

namespace least_entropy_test {

using gpe::checks::Ball;
using gpe::checks::least_entropy;
using gpe::checks::LeastEntropy;
using gpe::theory::Rational;

constexpr long kBits = 200;

double entropy_of(const std::vector<double>& weights) {
  double z = 0;
  double s = 0;
  for (const double w : weights) {
    z += w;
    if (w > 0) s += w * std::log(w);
  }
  return std::log(z) - s / z;
}

// V2: over real k, log(1 + N) - (u - 1 - log u) with u = C1/(e^C1 - 1).
Ball closed_form(const Rational& threshold, const Rational& range) {
  const Ball c1(threshold, kBits);
  const Ball u = div(c1, sub(exp(c1, kBits), Ball(1), kBits), kBits);
  const Ball lost = sub(sub(u, Ball(1), kBits), log(u, kBits), kBits);
  return sub(log(Ball(range + Rational(1), kBits), kBits), lost, kBits);
}

// A weight in [low, 1], often at an end.
rc::Gen<double> weight(double low) {
  return rc::gen::map(rc::gen::inRange(0, 400), [=](int x) {
    if (x < 100) return low;
    if (x < 200) return 1.0;
    return low + (1 - low) * (x - 200) / 200.0;
  });
}

TEST(LeastEntropy, is_that_of_the_best_vertex_added_up_token_by_token) {
  int seen = 0;
  for (const auto& row : gpe::testing::read_cases("frontier_golden.csv")) {
    if (row.at("kind") != "least_entropy") continue;
    ++seen;
    SCOPED_TRACE("C1 = " + row.at("a") + ", N = " + row.at("b"));
    const LeastEntropy least =
        least_entropy(Rational::parse(row.at("a")).value(), Rational::parse(row.at("b")).value(), kBits);
    EXPECT_TRUE(least.value.overlaps(gpe::testing::around(row.at("value"), kBits)));
    EXPECT_TRUE(row.at("b") == "0" || least.value.relative_bits() > 150);
  }
  EXPECT_EQ(seen, 11);
}

RC_GTEST_PROP(LeastEntropy, is_not_above_any_weights_with_that_range, ()) {
  const Rational c1 = *gpe::testing::positive_rational(40);
  const int range = *rc::gen::inRange(0, 40);
  const double low = std::exp(-c1.approximate());
  std::vector<double> weights = {1};
  for (int n = 1; n <= range; ++n) weights.push_back(*weight(low));
  const int further = *rc::gen::inRange(0, 10);
  for (int n = 0; n < further; ++n) weights.push_back(*weight(0));
  const double least = least_entropy(c1, range, kBits).value.approximate();
  RC_ASSERT(entropy_of(weights) >= least - 1e-12);
}

RC_GTEST_PROP(LeastEntropy, is_reached_by_the_window_it_names_and_above_the_closed_form, ()) {
  const Rational c1 = *gpe::testing::positive_rational(60);
  const Rational range = *rc::gen::inRange<std::int64_t>(0, 60);
  const LeastEntropy least = least_entropy(c1, range, kBits);
  std::vector<double> weights;
  for (std::int64_t n = 0; n <= *range.to_int64(); ++n)
    weights.push_back(Rational(n) <= least.full ? 1 : std::exp(-c1.approximate()));
  RC_ASSERT(std::abs(entropy_of(weights) - least.value.approximate()) < 1e-12);
  RC_ASSERT(!least.value.surely_less(closed_form(c1, range)));
}

TEST(LeastEntropy, is_near_its_closed_form_for_long_ranges) {
  const Rational range = Rational(10).pow(24);
  const Ball gap = sub(least_entropy(1, range, kBits).value, closed_form(1, range), kBits);
  EXPECT_LT(std::abs(gap.approximate()), 1e-40);
  // log(1 + N) is what a window of that range spends: log(e - 1) - (e - 2)/(e - 1) too much
  const Ball window = log(Ball(range + Rational(1), kBits), kBits);
  EXPECT_NEAR(sub(window, least_entropy(1, range, kBits).value, kBits).approximate(), 0.123301561482244,
              1e-14);
}

}  // namespace least_entropy_test
