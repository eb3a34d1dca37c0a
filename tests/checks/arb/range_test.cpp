#include "checks/arb/range.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/checks/parsed.h"
#include "tests/generators/expression_text.h"
#include "tests/generators/rational.h"
#include "theory/exact/form_expr.h"

using gpe::checks::Ball;
using gpe::checks::Range;
using gpe::checks::RangeOperations;
using gpe::testing::parsed;
using gpe::theory::Function;
using gpe::theory::Rational;
using gpe::theory::Relation;

namespace range_test {

constexpr long kBits = 64;    // of the ranges
constexpr long kExact = 400;  // of the values at points

Ball infinity(int sign) {
  Ball result;
  sign > 0 ? arb_pos_inf(result.raw()) : arb_neg_inf(result.raw());
  return result;
}

// [low, high] with an absent end infinite, and a point in it.
struct Sample {
  std::optional<Rational> low;
  std::optional<Rational> high;
  Rational inside;

  Range range() const {
    const auto end = [](const std::optional<Rational>& x, int side) {
      if (!x) return infinity(side);
      return side < 0 ? Ball(*x, kBits).lower(kBits) : Ball(*x, kBits).upper(kBits);
    };
    return {end(low, -1), end(high, 1), true};
  }
  Ball value() const { return {inside, kExact}; }
};

// Points, blocks with corners at 0 and ±1, unbounded ones; the point inside is often an end.
Sample any_sample() {
  const Rational a = *gpe::testing::any_rational();
  const Rational b =
      *rc::gen::weightedOneOf<Rational>({{1, rc::gen::just(a)}, {4, gpe::testing::any_rational()}});
  Sample result{std::min(a, b), std::max(a, b), Rational(0)};
  const Rational weight =
      *rc::gen::element(Rational(0), Rational(1), Rational(1, 2), Rational(1, 7), Rational(99, 100));
  result.inside = *result.low + (*result.high - *result.low) * weight;
  const int infinite = *rc::gen::weightedElement<int>({{6, 0}, {1, 1}, {1, 2}, {1, 3}});
  if ((infinite & 1) != 0) result.low.reset();
  if ((infinite & 2) != 0) result.high.reset();
  return result;
}

// The value may lie in the range: it is not proved to be outside.
bool covers(const Range& range, const Ball& value) {
  return !value.is_finite() || (!value.surely_less(range.low) && !range.high.surely_less(value));
}

void check(const Range& range, const Ball& value) {
  RC_ASSERT(covers(range, value));
  RC_ASSERT(range.low.is_exact() && range.high.is_exact());
  RC_ASSERT(!range.defined || value.is_finite());
}

const RangeOperations operations(kBits);

RC_GTEST_PROP(Range, sums_and_products_contain_those_of_points, ()) {
  const Sample a = any_sample();
  const Sample b = any_sample();
  check(operations.add(a.range(), b.range()), Ball(a.inside + b.inside, kExact));
  check(operations.mul(a.range(), b.range()), Ball(a.inside * b.inside, kExact));
}

RC_GTEST_PROP(Range, literal_powers_contain_those_of_points, ()) {
  const Sample a = any_sample();
  const Rational exponent =
      *rc::gen::oneOf(rc::gen::element(Rational(2), Rational(3), Rational(-1), Rational(-2), Rational(-3),
                                       Rational(0), Rational(1), Rational(1, 2), Rational(1, 3),
                                       Rational(-1, 2), Rational(7, 2), Rational(-5, 3)),
                      gpe::testing::positive_rational(9));
  const Range range = operations.pow(a.range(), operations.number(exponent), &exponent);
  if (exponent.is_zero() && a.inside.is_zero()) {
    RC_ASSERT(!range.defined);  // 0^0
    return;
  }
  if (exponent.is_integer()) {
    if (a.inside.is_zero() && exponent.sign() < 0) {
      RC_ASSERT(!range.defined);
    } else {
      check(range, Ball(a.inside.pow(*exponent.to_int64()), kExact));
    }
    return;
  }
  const Ball value = pow(a.value(), exponent, kExact);
  check(range, value);
}

RC_GTEST_PROP(Range, powers_with_a_range_of_exponents_contain_those_of_points, ()) {
  const Sample base = any_sample();
  const Sample exponent = any_sample();
  RC_PRE(exponent.inside.abs() < Rational(1000000));  // exp of more is not a ball
  const Range range = operations.pow(base.range(), exponent.range(), nullptr);
  if (base.inside.sign() < 0 && exponent.inside.is_integer()) {
    RC_ASSERT(covers(range, Ball(base.inside.pow(*exponent.inside.to_int64()), kExact)));
    return;
  }
  check(range, base.inside.is_zero() && exponent.inside.is_zero()
                   ? Ball::unknown()
                   : pow(base.value(), exponent.value(), kExact));
}

RC_GTEST_PROP(Range, functions_contain_their_values_at_points, ()) {
  const Sample a = any_sample();
  const auto at = [&](Function f) { return operations.call(f, {a.range()}); };
  RC_ASSERT(covers(at(Function::exp), exp(a.value(), kExact)));
  RC_ASSERT(at(Function::exp).defined && at(Function::exp).surely_nonnegative());
  check(at(Function::log), a.inside.sign() > 0 ? log(a.value(), kExact) : Ball::unknown());
  check(at(Function::abs), Ball(a.inside.abs(), kExact));
  check(at(Function::floor), Ball(a.inside.floor(), kExact));
  check(at(Function::sin), sin(a.value(), kExact));
  check(at(Function::cos), cos(a.value(), kExact));
}

RC_GTEST_PROP(Range, special_functions_contain_their_values_at_points, ()) {
  const Sample a = any_sample();
  RC_PRE(a.inside.abs() < Rational(1000000));
  check(operations.call(Function::atan, {a.range()}), atan(a.value(), kExact));
  check(operations.call(Function::erfc, {a.range()}), erfc(a.value(), kExact));
  check(operations.call(Function::lgamma, {a.range()}), lgamma(a.value(), kExact));
  for (const int order : {0, 1, 2, 5}) {
    const Ball degree(order);
    check(operations.call(Function::polygamma, {Range::point(degree, kExact), a.range()}),
          polygamma(degree, a.value(), kExact));
  }
}

TEST(Range, special_functions_of_a_wide_range) {
  const auto of = [](Function f, const Rational& low, const Rational& high) {
    return operations.call(f, {Range{Ball(low, kExact), Ball(high, kExact), true}});
  };
  const Range angle = of(Function::atan, Rational(0), Rational(1));
  EXPECT_TRUE(covers(angle, Ball(0)) && covers(angle, Ball(Rational(25, 32), kExact)));
  EXPECT_FALSE(covers(angle, Ball(1)));
  const Range tail = of(Function::erfc, Rational(-4), Rational(4));
  EXPECT_TRUE(covers(tail, Ball(Rational(2, 1000000), kExact)) && covers(tail, Ball(1)) &&
              covers(tail, Ball(Rational(199, 100), kExact)));
  const Range turning = of(Function::lgamma, Rational(1), Rational(4));
  EXPECT_TRUE(turning.defined && covers(turning, Ball(Rational(-12, 100), kExact)) &&
              covers(turning, Ball(Rational(3, 2), kExact)));
  EXPECT_FALSE(covers(turning, Ball(2)));
  const Range over_zero = of(Function::lgamma, Rational(-1), Rational(4));
  EXPECT_TRUE(!over_zero.defined && covers(over_zero, Ball(1000000)));
}

RC_GTEST_PROP(Range, minima_and_maxima_contain_those_of_points, ()) {
  const Sample a = any_sample();
  const Sample b = any_sample();
  const Sample c = any_sample();
  check(operations.call(Function::min, {a.range(), b.range(), c.range()}),
        Ball(std::min({a.inside, b.inside, c.inside}), kExact));
  check(operations.call(Function::max, {a.range(), b.range(), c.range()}),
        Ball(std::max({a.inside, b.inside, c.inside}), kExact));
  check(operations.either(a.range(), b.range()), a.value());
  check(operations.either(a.range(), b.range()), b.value());
}

RC_GTEST_PROP(Range, a_settled_comparison_holds_at_points, ()) {
  const Sample a = any_sample();
  const Sample b = any_sample();
  const auto said = [&](Relation relation) { return operations.compare(relation, a.range(), b.range()); };
  const auto agrees = [&](Relation relation, bool truth) {
    return !said(relation) || *said(relation) == truth;
  };
  RC_ASSERT(agrees(Relation::less, a.inside < b.inside));
  RC_ASSERT(agrees(Relation::less_equal, a.inside <= b.inside));
  RC_ASSERT(agrees(Relation::greater, a.inside > b.inside));
  RC_ASSERT(agrees(Relation::greater_equal, a.inside >= b.inside));
  RC_ASSERT(agrees(Relation::equal, a.inside == b.inside));
  RC_ASSERT(agrees(Relation::not_equal, a.inside != b.inside));
  // and disjoint blocks are told apart
  if (a.high && b.low && *a.high < *b.low) {
    RC_ASSERT(said(Relation::less) == true && said(Relation::equal) == false);
  }
}

RC_GTEST_PROP(Range, an_expression_over_a_block_contains_its_values_at_the_integers, ()) {
  const gpe::theory::Expr expression = *gpe::testing::expression(3);
  const auto first =
      *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 20), rc::gen::inRange<std::int64_t>(0, 1000000));
  const auto length =
      *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 5), rc::gen::inRange<std::int64_t>(0, 100000));
  const bool endless = *rc::gen::arbitrary<bool>();
  const Range range =
      over_block(expression,
                 gpe::checks::block(Rational(first),
                                    endless ? std::nullopt : std::optional(Rational(first + length)), kBits),
                 kBits);
  for (const std::int64_t n : {first, first + length / 3, first + length}) {
    try {
      const Ball value = gpe::checks::evaluate(expression, {{"n", Ball(n)}}, kExact);
      RC_ASSERT(covers(range, value));
    } catch (const gpe::theory::EvaluationError&) {
      RC_ASSERT(!range.defined);
    }
  }
}

RC_GTEST_PROP(Range, a_block_where_all_is_defined_has_no_undefined_point, ()) {
  const gpe::theory::Expr expression = *gpe::testing::expression(2);
  const auto first = *rc::gen::inRange<std::int64_t>(0, 4);
  const auto length = *rc::gen::inRange<std::int64_t>(0, 4);
  const Range range =
      over_block(expression, gpe::checks::block(first, Rational(first + length), kBits), kBits);
  if (!range.defined) return;
  const gpe::checks::BallOracle oracle;
  const gpe::theory::Context context(oracle, gpe::theory::Budget(std::chrono::seconds(1)).question());
  for (std::int64_t n = first; n <= first + length; ++n) {
    try {
      to_form(substitute(expression, "n", gpe::theory::Expr(n)), context);
    } catch (const gpe::theory::Undefined& undefined) {
      RC_FAIL(std::string(undefined.what()) + " at n = " + std::to_string(n));
    } catch (const gpe::theory::Undecided&) {
    }
  }
}

TEST(Range, a_block_is_its_integers) {
  const Range some = gpe::checks::block(Rational(3), Rational(10).pow(40), 64);
  EXPECT_TRUE(some.low.contains(Rational(3)) && some.low.is_exact());
  EXPECT_FALSE(some.high.surely_less(Ball(Rational(10).pow(40), 200)));
  const Range rest = gpe::checks::block(Rational(3), std::nullopt, 64);
  EXPECT_FALSE(rest.high.is_finite());
}

TEST(Range, is_exact_at_a_point) {
  const Range at = over_block(parsed("3*n^2 - if(n < 5, 1/2, n) + floor(n/2)"),
                              gpe::checks::block(4, Rational(4), 64), 64);
  EXPECT_TRUE(at.low.contains(Rational(48) - Rational(1, 2) + Rational(2)));
  EXPECT_TRUE(at.high.contains(Rational(48) - Rational(1, 2) + Rational(2)));
  EXPECT_TRUE(at.low.is_exact() && at.high.is_exact() && at.defined);
}

TEST(Range, an_undefined_condition_is_no_proof_of_a_value) {
  // log(n - 5) has no value at n = 0 … 5, whatever the branches are.
  EXPECT_FALSE(
      over_block(parsed("if(log(n - 5) < 0, 1, 2)"), gpe::checks::block(0, Rational(4), 64), 64).defined);
  EXPECT_FALSE(
      over_block(parsed("if(log(n - 5) < 0, 1, 2)"), gpe::checks::block(0, std::nullopt, 64), 64).defined);
  EXPECT_TRUE(
      over_block(parsed("if(log(n - 5) < 0, 1, 2)"), gpe::checks::block(6, Rational(9), 64), 64).defined);
}

TEST(Range, an_undefined_exponent_is_no_proof_of_a_value) {
  const Range base{Ball(2), Ball(3), true};
  EXPECT_FALSE(operations.pow(base, Range{Ball(1), Ball(1), false}, nullptr).defined);
  EXPECT_FALSE(over_block(parsed("3^(0^(n - n))"), gpe::checks::block(1, Rational(4), 64), 64).defined);
}

TEST(Range, a_branch_that_is_not_taken_may_be_undefined) {
  EXPECT_TRUE(
      over_block(parsed("if(n < 10, 0, log(n - 5))"), gpe::checks::block(0, Rational(9), 64), 64).defined);
  EXPECT_TRUE(
      over_block(parsed("if(n < 10, 0, log(n - 5))"), gpe::checks::block(10, std::nullopt, 64), 64).defined);
  EXPECT_FALSE(
      over_block(parsed("if(n < 10, 0, log(n - 5))"), gpe::checks::block(0, Rational(20), 64), 64).defined);
}

TEST(Range, zero_times_an_unbounded_block_is_no_unbounded_product) {
  const Range positive = gpe::checks::block(0, std::nullopt, 64);
  EXPECT_TRUE(operations.mul(positive, positive).surely_nonnegative());
  EXPECT_TRUE(over_block(parsed("n*sqrt(n)"), positive, 64).surely_nonnegative());
}

TEST(Range, decreases_to_zero_at_infinity) {
  const Range tail = over_block(parsed("exp(-n) + 1/n^2"), gpe::checks::block(100, std::nullopt, 64), 64);
  EXPECT_TRUE(tail.defined && tail.surely_nonnegative());
  EXPECT_TRUE(tail.high.surely_less(Ball(Rational(11, 100000), 64)));
  EXPECT_FALSE(over_block(parsed("n - n^2"), gpe::checks::block(100, std::nullopt, 64), 64).low.is_finite());
}

TEST(Range, the_entries_of_a_table_over_a_block) {
  using gpe::theory::Beyond;
  using gpe::theory::Expr;
  const auto over = [](Beyond beyond, std::size_t rows, const std::string& index, Rational from,
                       std::optional<Rational> to) {
    auto table = std::make_shared<gpe::theory::Table>();
    table->first_index = 2;
    table->beyond = beyond;
    for (std::size_t i = 0; i < rows; ++i) table->values.emplace_back(i == 3 ? 7 : static_cast<int>(i % 2));
    return over_block(Expr::raw(gpe::theory::node::TableAt{table, parsed(index)}),
                      gpe::checks::block(from, to, 64), 64);
  };
  const auto spans = [](const Range& range, int low, int high) {
    return range.defined && range.low.contains(Rational(low)) && range.low.is_exact() &&
           range.high.contains(Rational(high)) && range.high.is_exact();
  };
  EXPECT_TRUE(spans(over(Beyond::error, 9, "n", 2, 10), 0, 7));
  EXPECT_TRUE(spans(over(Beyond::error, 9, "n", 2, 4), 0, 1));
  EXPECT_TRUE(spans(over(Beyond::error, 9, "2*n", 3, 3), 0, 0));
  EXPECT_TRUE(spans(over(Beyond::constant, 9, "n", 6, std::nullopt), 0, 1));
  EXPECT_TRUE(spans(over(Beyond::constant, 9, "n", 1000, std::nullopt), 0, 0));
  EXPECT_TRUE(over(Beyond::constant, 5000, "n", 2, std::nullopt).defined);
  EXPECT_FALSE(over(Beyond::constant, 5000, "n", 2, std::nullopt).low.is_finite());
  EXPECT_FALSE(over(Beyond::error, 9, "n", 2, 11).defined);
  EXPECT_FALSE(over(Beyond::constant, 9, "n", 1, 4).defined);
  EXPECT_FALSE(over(Beyond::constant, 9, "n/2", 4, 8).defined);  // no whole number at n = 5
  EXPECT_FALSE(over(Beyond::constant, 9, "log(n)", 40, 80).defined);
}

}  // namespace range_test
