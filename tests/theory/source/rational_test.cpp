#include "theory/source/rational.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/generators/rational.h"

namespace rational_test {

using gpe::theory::factor;
using gpe::theory::PrimePower;
using gpe::theory::Rational;

TEST(Rational, reads_every_notation_exactly) {
  EXPECT_EQ(Rational::parse("12"), Rational(12));
  EXPECT_EQ(Rational::parse("-3/4"), Rational(-3, 4));
  EXPECT_EQ(Rational::parse("0.1"), Rational(1, 10));
  EXPECT_EQ(Rational::parse(".5"), Rational(1, 2));
  EXPECT_EQ(Rational::parse("1e-3"), Rational(1, 1000));
  EXPECT_EQ(Rational::parse("2.5e2"), Rational(250));
  EXPECT_EQ(Rational::parse("6/4"), Rational(3, 2));
}

TEST(Rational, refuses_what_is_no_number) {
  for (const char* text :
       {"", "-", "1/0", "1.2/3", "1e", "x", "1 2", "1//2", "0x10", "inf", "nan", "1e99999999999"}) {
    EXPECT_FALSE(Rational::parse(text).has_value()) << text;
  }
}

TEST(Rational, floor_and_ceil_go_outward_for_negative_numbers) {
  EXPECT_EQ(Rational(-7, 2).floor(), Rational(-4));
  EXPECT_EQ(Rational(-7, 2).ceil(), Rational(-3));
  EXPECT_EQ(Rational(7, 2).floor(), Rational(3));
}

RC_GTEST_PROP(Rational, prints_and_reads_back, ()) {
  const Rational x = *gpe::testing::any_rational();
  RC_ASSERT(Rational::parse(x.str()) == x);
}

RC_GTEST_PROP(Rational, arithmetic_agrees_with_cross_multiplication, ()) {
  const auto a = *rc::gen::inRange<std::int64_t>(-1000, 1000);
  const auto b = *rc::gen::inRange<std::int64_t>(1, 1000);
  const auto c = *rc::gen::inRange<std::int64_t>(-1000, 1000);
  const auto d = *rc::gen::inRange<std::int64_t>(1, 1000);
  RC_ASSERT(Rational(a, b) + Rational(c, d) == Rational(a * d + c * b, b * d));
  RC_ASSERT(Rational(a, b) * Rational(c, d) == Rational(a * c, b * d));
  RC_ASSERT((Rational(a, b) < Rational(c, d)) == (a * d < c * b));
}

RC_GTEST_PROP(Rational, factors_multiply_back, ()) {
  const Rational x(*rc::gen::inRange<std::int64_t>(1, 1000000), *rc::gen::inRange<std::int64_t>(1, 1000000));
  Rational product(1);
  for (const PrimePower& power : factor(x)) {
    RC_ASSERT(power.proved_prime);
    product *= power.base.pow(*power.exponent.to_int64());
  }
  RC_ASSERT(product == x);
}

TEST(Rational, factors_a_number_beyond_64_bits) {
  const Rational big = Rational(2).pow(90) * Rational(10007).pow(3);
  const auto factors = factor(big);
  ASSERT_EQ(factors.size(), 2U);
  EXPECT_EQ(factors[0].exponent, Rational(90));
  EXPECT_EQ(factors[1].base, Rational(10007));
  EXPECT_EQ(factors[1].exponent, Rational(3));
}

TEST(Rational, factors_without_a_small_prime_are_kept) {
  for (const auto& [base, power] : {std::pair(65537, 6), std::pair(1000003, 5), std::pair(999999937, 4)}) {
    const auto factors = factor(Rational(base).pow(power));
    ASSERT_EQ(factors.size(), 1U);
    EXPECT_EQ(factors[0].base, Rational(base));
    EXPECT_EQ(factors[0].exponent, Rational(power));
    EXPECT_TRUE(factors[0].proved_prime);
  }
  const Rational large_prime = Rational(10).pow(20) + Rational(39);  // a prime beyond 64 bits
  const auto large = factor(large_prime * (Rational(10).pow(30) + Rational(57)) * Rational(12));
  Rational product(1);
  for (const PrimePower& power : large) product *= power.base.pow(*power.exponent.to_int64());
  EXPECT_EQ(product, large_prime * (Rational(10).pow(30) + Rational(57)) * Rational(12));
}

RC_GTEST_PROP(Rational, factors_of_large_numbers_multiply_back, ()) {
  Rational whole(1);
  for (int i = 0; i < 4; ++i) {
    whole *=
        Rational(*rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 40)).pow(*rc::gen::inRange(-3, 6));
  }
  Rational product(1);
  for (const PrimePower& power : factor(whole)) product *= power.base.pow(*power.exponent.to_int64());
  RC_ASSERT(product == whole);
}

}  // namespace rational_test
