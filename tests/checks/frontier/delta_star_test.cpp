// δ*: against roots of sums added up term by term, and by its definition at both ends of the enclosure.
#include "checks/frontier/delta_star.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "checks/arb/root_bracket.h"
#include "checks/sums/family/family_quick.h"
#include "tests/cases/csv.h"
#include "tests/checks/family_values.h"
#include "tests/in_time.h"

namespace delta_star_test {

using gpe::checks::Ball;
using gpe::checks::delta_star;
using gpe::checks::DeltaStar;
using gpe::checks::Finite;
using gpe::checks::RootBracket;
using gpe::theory::Context;
using gpe::theory::Rational;

constexpr std::chrono::seconds kLimit(60);
const gpe::checks::BallOracle oracle;

DeltaStar solved(const std::string& m, const std::string& beta, const std::string& gamma, int digits = 25) {
  const auto read = [](const std::string& text) { return Rational::parse(text).value(); };
  return delta_star(read(m), read(beta), read(gamma), digits, gpe::testing::in_time(kLimit));
}

// Doubles near an end, and the entropies there by the quick sums: another method than delta_star uses.
struct Enclosed {
  double low;
  double high;
};
std::optional<Enclosed> quick_entropy(const gpe::checks::FamilyExponents& f) {
  static const gpe::checks::QuickFamily quick;
  const auto sums = quick(f);
  if (!sums) return std::nullopt;
  return Enclosed{sums->entropy - sums->entropy_error, sums->entropy + sums->entropy_error};
}

// Exact doubles: quarters of a power of two.
rc::Gen<double> dyadic(int smallest) {
  return rc::gen::apply([](int c, int e) { return std::ldexp(c, -e); }, rc::gen::inRange(4, 8),
                        rc::gen::inRange(2, smallest));
}

Rational rational(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return Rational(static_cast<std::int64_t>(std::ldexp(mantissa, 53))) * Rational(2).pow(exponent - 53);
}

TEST(DeltaStar, encloses_roots_found_term_by_term) {
  int seen = 0;
  for (const auto& row : gpe::testing::read_cases("frontier_golden.csv")) {
    if (row.at("kind") != "delta_star") continue;
    ++seen;
    for (const int digits : {1, 8, 39}) {
      const DeltaStar found = solved(row.at("a"), row.at("b"), row.at("c"), digits);
      SCOPED_TRACE(row.at("a") + ", " + row.at("b") + ", " + row.at("c"));
      ASSERT_EQ(found.kind, DeltaStar::Kind::found) << found.reason;
      EXPECT_TRUE(found.value.overlaps(gpe::testing::around(row.at("value"), 300)));
      EXPECT_GE(found.value.relative_bits(), static_cast<long>(3.32 * digits));
      EXPECT_EQ(found.reason, "");
    }
  }
  EXPECT_EQ(seen, 6);
}

TEST(DeltaStar, does_not_exist_where_the_entropy_at_zero_is_too_small) {
  const DeltaStar two = solved("1/8", "2", "0");  // H(zeta, 2) = 1.6376… < 3.0778…
  EXPECT_EQ(two.kind, DeltaStar::Kind::none);
  EXPECT_TRUE(two.at_zero.value.surely_less(two.alibi.value));
  EXPECT_EQ(solved("1/1000", "0", "1").kind, DeltaStar::Kind::none);
  EXPECT_EQ(solved("1/8", "1", "0").kind, DeltaStar::Kind::found);  // H = infinity at zero
}

TEST(DeltaStar, is_m_without_further_decay) {
  const DeltaStar found = solved("1/16", "0", "0");
  ASSERT_EQ(found.kind, DeltaStar::Kind::found);
  EXPECT_EQ(found.exact, Rational(1, 16));
}

TEST(DeltaStar, is_found_where_it_is_a_tiny_part_of_m) {
  // H(zeta, 3/2) = 3.218…, a little more than ALiBi's at this slope, falls steeply from delta = 0
  const DeltaStar found = solved("1/9", "3/2", "0", 10);
  ASSERT_EQ(found.kind, DeltaStar::Kind::found) << found.reason;
  EXPECT_TRUE(found.value.surely_positive());
  EXPECT_TRUE(found.value.surely_less(Ball(Rational(1, 10000), 64)));
}

RC_GTEST_PROP(DeltaStar, has_the_larger_entropy_of_APE_below_and_ALiBis_above, ()) {
  const double m = *dyadic(9);
  const double beta = *rc::gen::oneOf(rc::gen::just(0.0), dyadic(6));
  const double gamma = *rc::gen::oneOf(rc::gen::just(0.0), dyadic(8));
  RC_PRE(beta > 0 || gamma > 0);
  const DeltaStar found =
      delta_star(rational(m), rational(beta), rational(gamma), 20, gpe::testing::in_time(kLimit));
  RC_CLASSIFY(found.kind == DeltaStar::Kind::none, "none");
  RC_ASSERT(found.kind != DeltaStar::Kind::undecided);
  const auto alibi = quick_entropy({m, 0, 0});
  if (found.kind == DeltaStar::Kind::none) {
    const auto near_zero = quick_entropy({std::ldexp(m, -40), beta, gamma});
    RC_ASSERT(!near_zero || near_zero->low < alibi->high);
    return;
  }
  const double value = found.value.approximate();
  RC_ASSERT(found.value.surely_less(Ball(rational(m), 64)));
  const auto below = quick_entropy({value * (1 - 1e-9), beta, gamma});
  const auto above = quick_entropy({value * (1 + 1e-9), beta, gamma});
  RC_PRE(below && above && alibi);
  RC_ASSERT(below->low > alibi->high);
  RC_ASSERT(above->high < alibi->low);
}

RC_GTEST_PROP(DeltaStar, falls_when_a_decay_is_added, ()) {
  const Rational m = rational(*dyadic(8));
  const Rational gamma = rational(*dyadic(8));
  const Rational beta = rational(*dyadic(8));
  const DeltaStar one = delta_star(m, 0, gamma, 12, gpe::testing::in_time(kLimit));
  const DeltaStar both = delta_star(m, beta, gamma, 12, gpe::testing::in_time(kLimit));
  RC_PRE(both.kind == DeltaStar::Kind::found);
  RC_ASSERT(one.kind == DeltaStar::Kind::found);
  RC_ASSERT(both.value.surely_less(one.value));
}

TEST(RootBracket, squeezes_a_root_to_the_digits_asked_for) {
  const auto cube = [](const Rational& x, int digits) {  // the cube root of 2
    return Ball(Rational(2) - x * x * x, static_cast<long>(3.4 * digits) + 40);
  };
  for (const int digits : {1, 5, 30, 300}) {
    int evaluations = 0;
    const auto counted = [&](const Rational& x, int precision) {
      ++evaluations;
      return cube(x, precision);
    };
    const RootBracket found =
        gpe::checks::bracket_root(counted, {Rational(1, 1000), Rational(1000), ""}, digits, Context(oracle));
    EXPECT_GT(cube(found.low, 2 * digits + 20).approximate(), 0);
    EXPECT_LT(cube(found.high, 2 * digits + 20).approximate(), 0);
    EXPECT_LE((found.high - found.low) / found.low, Rational(10).pow(-digits));
    EXPECT_LT(evaluations, 80);
  }
}

TEST(RootBracket, says_where_it_stopped_and_why) {
  const auto coarse = [](const Rational& x, int /*digits*/) {
    return Ball(Rational(1) - x, 64).widened(Ball(Rational(1, 1000), 64));
  };
  const RootBracket found =
      gpe::checks::bracket_root(coarse, {Rational(1, 2), Rational(2), ""}, 10, Context(oracle));
  EXPECT_LT(found.low, Rational(1));
  EXPECT_GT(found.high, Rational(1));
  EXPECT_NE(found.reason.find("not proved"), std::string::npos);
  const Context late(oracle, gpe::theory::Budget(std::chrono::seconds(-1)).question());
  EXPECT_EQ(gpe::checks::bracket_root(coarse, {Rational(1, 2), Rational(2), ""}, 10, late).reason,
            "the time limit");
}

}  // namespace delta_star_test
