#include "checks/content/local_range.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/checks/parsed.h"
#include "tests/generators/rational.h"
#include "tests/in_time.h"
#include "theory/exact/form_expr.h"
#include "theory/score/spec_parse.h"

using gpe::checks::Ball;
using gpe::checks::BigCount;
using gpe::checks::evaluate;
using gpe::checks::local_range;
using gpe::checks::LocalRange;
using gpe::testing::parsed;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::Override;
using gpe::theory::Rational;
using gpe::theory::ScoreFunction;

namespace local_range_test {

const gpe::checks::BallOracle oracle;

LocalRange ranges(const ScoreFunction& law, const Rational& threshold) {
  return local_range(law, threshold, gpe::testing::in_time(std::chrono::seconds(10)));
}

LocalRange of_bias(const std::string& bias, const Rational& threshold, std::int64_t first = 0) {
  ScoreFunction law;
  law.bias = parsed(bias);
  law.first = first;
  return ranges(law, threshold);
}

LocalRange of_builtin(const std::string& name, const std::vector<Override>& values, const Rational& threshold,
                      int head = 1, int heads = 1) {
  const auto encoding =
      gpe::theory::load_encoding(std::string(GPE_SOURCE_DIR) + "/theory/encodings/" + name + ".toml");
  return ranges(gpe::theory::instantiate(encoding, {64, head, heads, 1, 1}, values, oracle), threshold);
}

std::string shown(const BigCount& count) {
  switch (count.kind) {
    case BigCount::Kind::none:
      return "none";
    case BigCount::Kind::number:
      return count.number.str();
    case BigCount::Kind::log10:
      return "10^" + count.log10;
    case BigCount::Kind::unbounded:
      return "unbounded";
    case BigCount::Kind::unknown:
      return "unknown: " + count.reason;
  }
  return "";
}

// sign(|b(n)| - C1), by exact arithmetic at this n alone
int gap(const Expr& bias, const Rational& n, const Rational& threshold) {
  const Context context(oracle);
  const auto value = to_form(substitute(bias, "n", Expr(n)), context);
  return context.sign((context.sign(value) < 0 ? -value : value) - gpe::theory::Form(threshold));
}

TEST(LocalRange, of_the_published_encodings_at_their_published_values) {
  // m, beta, gamma, C1: the range of APE with delta = m is never the longer one
  const auto ape = [](const Rational& delta, const Rational& beta, const Rational& gamma) {
    return shown(of_builtin("ape", {{"delta", delta}, {"beta", beta}, {"gamma", gamma}}, 4).within);
  };
  const auto alibi = [](const Rational& m) { return shown(of_builtin("alibi", {{"m", m}}, 4).within); };
  EXPECT_EQ(ape({1, 256}, {1, 10}, {1, 20}), "559");
  EXPECT_EQ(alibi({1, 256}), "1024");
  EXPECT_EQ(ape({1, 2}, {1, 10}, {1, 10}), "7");
  EXPECT_EQ(alibi({1, 2}), "8");
  EXPECT_EQ(ape({1, 256}, 1, {1, 2}), "9");
  EXPECT_EQ(shown(of_builtin("ape", {}, 4).literal), "none");  // E A(0) = 0
  EXPECT_EQ(shown(of_builtin("alibi", {}, 4).literal), "none");
}

TEST(LocalRange, of_alibi_is_the_floor_of_the_threshold_over_the_slope) {
  // official slopes of 8 heads: 2^-1 … 2^-8; of the text with 6 heads: 2^(-4h/3)
  for (int head = 1; head <= 8; ++head) {
    EXPECT_EQ(shown(of_builtin("alibi", {}, {5, 2}, head, 8).within),
              (Rational(5, 2) * Rational(2).pow(head)).floor().str());
  }
  // floor(3·2^(4/3)) = 7, floor(3·2^(8/3)) = 19, floor(3·2^4) = 48
  EXPECT_EQ(shown(of_builtin("alibi-paper", {}, 3, 1, 6).within), "7");
  EXPECT_EQ(shown(of_builtin("alibi-paper", {}, 3, 2, 6).within), "19");
  EXPECT_EQ(shown(of_builtin("alibi-paper", {}, 3, 3, 6).within), "48");
}

TEST(LocalRange, of_kerple_and_windows_and_tables) {
  // log: floor((e^(C1/p) - 1)/a); power: floor((C1/a)^(1/p))
  EXPECT_EQ(of_bias("-2*log(1 + n/3)", 4).within.number, Rational(19));   // 3(e^2 - 1) = 19.17
  EXPECT_EQ(of_bias("-(1/7)*n^(1/3)", 2).within.number, Rational(2744));  // 14^3, exactly on the threshold
  EXPECT_EQ(shown(of_builtin("sliding-window", {}, 1).within), "4095");
  EXPECT_EQ(shown(of_builtin("rope", {}, 1).within), "unbounded");
  EXPECT_EQ(shown(of_builtin("nope", {}, 1).literal), "none");
}

TEST(LocalRange, counts_a_value_exactly_on_the_threshold_in_both_readings) {
  EXPECT_EQ(shown(of_bias("-n/2", 3).within), "6");
  EXPECT_EQ(shown(of_bias("-n/2", {31, 10}).within), "6");
  EXPECT_EQ(shown(of_bias("-log(1 + n)", Rational(2)).within), "6");  // e^2 - 1 = 6.389
  EXPECT_EQ(shown(of_bias("-(6 - n)", 3).literal), "3");
  EXPECT_EQ(shown(of_bias("-(6 - n)", 3).within), "none");
  EXPECT_EQ(shown(of_bias("-sqrt(2)*n", 10).within), "7");  // 7·√2 = 9.899
  EXPECT_EQ(shown(of_bias("-sqrt(n)", 1000000).within), "1000000000000");
}

TEST(LocalRange, none_unbounded_and_the_first_distance) {
  EXPECT_EQ(shown(of_bias("-2 - n", 1).within), "none");
  EXPECT_EQ(shown(of_bias("-2 - n", 1).literal), "unbounded");
  EXPECT_EQ(shown(of_bias("-n/(n + 1)", 1).within), "unbounded");  // tends to the threshold, never reaches it
  EXPECT_EQ(shown(of_bias("-1 - 1/(n + 1)", 1).literal), "unbounded");
  EXPECT_EQ(shown(of_bias("-log(n + 2)/(1 + log(n + 2))", 1).within), "unbounded");
  EXPECT_EQ(shown(of_bias("sin(n)", 1).within), "unbounded");
  EXPECT_EQ(shown(of_bias("-3", 3).within), "unbounded");
  EXPECT_EQ(shown(of_bias("-3", 3).literal), "unbounded");
  EXPECT_EQ(shown(of_bias("-n", 3, 2).within), "3");
  EXPECT_EQ(shown(of_bias("-n", 3, 4).within), "none");
  EXPECT_EQ(shown(of_bias("-n", 3, 4).literal), "unbounded");
}

// 1 at 0, and 0 from 1 on
TEST(LocalRange, of_a_floor_that_settles_beside_a_polynomial) {
  const LocalRange range = of_bias("floor(sqrt(n^2 + 1)) - n", 1);
  EXPECT_EQ(shown(range.within), "unbounded");
  EXPECT_EQ(shown(range.literal), "0");
}

TEST(LocalRange, far_beyond_64_bits_and_beyond_writing) {
  EXPECT_EQ(of_bias("-n", Rational(10).pow(29)).within.number, Rational(10).pow(29));
  for (const int threshold : {20, 44, 45, 50, 60, 69}) {  // floor(e^C1 - 1)
    const Rational expected =
        evaluate(parsed("exp(n) - 1"), {{"n", Ball(threshold)}}, 400).ends()->low.floor();
    EXPECT_EQ(of_bias("-log(1 + n)", threshold).within.number, expected) << threshold;
  }
  // log10(e^1000) = 434.2944819…, to as many digits as are proved; log10(e^(e^20)) = e^20·log10(e)
  EXPECT_EQ(shown(of_bias("-log(1 + n)", 1000).within), "10^434.294");
  EXPECT_EQ(shown(of_bias("-log(log(n + 3))", 20).within), "10^210704567.178");
  EXPECT_EQ(shown(of_bias("-if(n < 10^20, 1/2, log(n))", 1).within), "99999999999999999999");
}

TEST(LocalRange, an_exponent_has_all_its_digits_before_the_point) {
  for (int threshold = 70; threshold <= 400; threshold += 3) {
    const BigCount found = of_bias("-log(1 + n)", threshold).within;
    ASSERT_EQ(found.kind, BigCount::Kind::log10) << threshold << ": " << shown(found);
    EXPECT_EQ(found.log10.find('e'), std::string::npos) << found.log10;
    const std::size_t point = found.log10.find('.');
    ASSERT_NE(point, std::string::npos) << found.log10;
    const Rational half = Rational(1, 2) * Rational(10).pow(-std::ssize(found.log10.substr(point + 1)));
    const auto truth = evaluate(parsed("n/log(10)"), {{"n", Ball(threshold)}}, 200).ends();
    EXPECT_LE((truth->low - *Rational::parse(found.log10)).abs(), half) << threshold << ": " << found.log10;
  }
}

TEST(LocalRange, no_answer_beyond_what_was_looked_at) {
  // No block below 2^99 is settled, so the search ends early; what is known beyond, where |b| passes 1 at
  // e^(10^5), says nothing about the first n that does.
  const LocalRange found = of_bias("if(n < 2^99, sin(n)^2 + cos(n)^2 - 1/2, log(n)/10^5)", 1);
  EXPECT_EQ(found.within.kind, BigCount::Kind::unknown) << shown(found.within);
}

TEST(LocalRange, speaks_of_the_bias_alone) {
  ScoreFunction law;
  law.bias = parsed("-n");
  law.gain = parsed("log(1 + L)", {"L"});
  EXPECT_EQ(shown(ranges(law, 3).within), "3");
  law.bias = parsed("-n/(1 + L)", {"L"});
  EXPECT_EQ(ranges(law, 3).within.kind, BigCount::Kind::unknown);
}

TEST(LocalRange, a_window_ends_it) {
  ScoreFunction law;
  law.bias = parsed("-n/10");
  law.window = 5;
  EXPECT_EQ(shown(ranges(law, 1).within), "4");
  law.window = 50;
  EXPECT_EQ(shown(ranges(law, 1).within), "10");
}

RC_GTEST_PROP(LocalRange, is_exact_at_N_and_at_N_plus_1, ()) {
  const auto number = [] { return (*gpe::testing::positive_rational(12)).str(); };
  const std::string bias =
      *rc::gen::element<std::string>("-", "", "-1 - ", "2 - ", "-1/2 + ") + number() +
      *rc::gen::element<std::string>("*n", "*sqrt(n)", "*log(1 + n)", "*n^(1/3)", "/(1 + n)", "*n^2/(n + 7)",
                                     "*floor(n/3)", "*min(n, 20)", "*abs(n - 9)", "*sin(n)",
                                     "*log(1 + n)*sqrt(n)", "*if(n < 12, n/5, n^2)", "*exp(-n/4)") +
      *rc::gen::element<std::string>("", "", " - log(2 + n)/10", " + 1/(3 + n)");
  const Rational threshold = *gpe::testing::positive_rational(30);
  const LocalRange found = of_bias(bias, threshold);
  RC_LOG() << bias << " at " << threshold.str() << ": " << shown(found.within) << ", " << shown(found.literal)
           << "\n";
  const Expr expression = parsed(bias);
  const auto check = [&](const BigCount& count, int wrong) {  // the sign of |b| - C1 that ends the range
    const std::int64_t most = 300;
    std::int64_t least = 0;
    while (least < most && gap(expression, least, threshold) != wrong) ++least;
    if (least < most) {
      RC_ASSERT(shown(count) == (least == 0 ? "none" : std::to_string(least - 1)));
      return;
    }
    RC_ASSERT(count.kind != BigCount::Kind::none);
    if (count.kind == BigCount::Kind::number) {
      RC_ASSERT(count.number >= Rational(most - 1));
      RC_ASSERT(gap(expression, count.number, threshold) != wrong);
      RC_ASSERT(gap(expression, count.number + 1, threshold) == wrong);
    }
    if (count.kind == BigCount::Kind::unbounded) {
      for (const std::int64_t n : {1000, 123457, 1 << 30}) RC_ASSERT(gap(expression, n, threshold) != wrong);
    }
  };
  check(found.within, 1);
  check(found.literal, -1);
}

}  // namespace local_range_test
