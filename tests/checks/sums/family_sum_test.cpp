#include "checks/sums/family/family_sum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "checks/sums/general_sum.h"
#include "checks/sums/series_sum.h"
#include "checks/sums/sums.h"
#include "checks/sums/terms.h"
#include "tests/cases/csv.h"
#include "tests/checks/family_values.h"
#include "tests/checks/parsed.h"
#include "tests/in_time.h"
#include "theory/exact/form_expr.h"
#include "theory/properties/verdict.h"
#include "theory/score/one_liner.h"
#include "theory/score/spec_parse.h"

using gpe::checks::Ball;
using gpe::checks::evaluate;
using gpe::checks::exponential_power;
using gpe::checks::ExponentialPower;
using gpe::checks::family_sum;
using gpe::checks::FamilySplit;
using gpe::checks::FamilySum;
using gpe::checks::Integer;
using gpe::checks::Moments;
using gpe::checks::sum_terms;
using gpe::checks::WantedMoments;
using gpe::testing::agree;
using gpe::testing::around;
using gpe::testing::family;
using gpe::testing::parsed;
using gpe::testing::show;
using gpe::testing::summable_family;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::Form;
using gpe::theory::Rational;

namespace family_sum_test {

const gpe::checks::BallOracle oracle;

std::optional<ExponentialPower> recognized(const std::string& text, Form* offset = nullptr) {
  Form constant;
  const auto result = exponential_power(parsed(text), constant, Context(oracle));
  if (offset != nullptr) *offset = constant;
  return result;
}

Moments sum(const ExponentialPower& f, std::int64_t first, const std::optional<Integer>& last, int digits,
            const std::optional<FamilySplit>& split = std::nullopt, WantedMoments wanted = {}) {
  return family_sum(f, first, last, wanted, digits, Context(oracle), split).value().moments;
}

Expr score_of(const ExponentialPower& f) {
  const Expr n = Expr::symbol("n");
  return -(Expr(f.delta) * n + Expr(f.beta) * log(Expr(1) + n) +
           Expr(f.gamma) * pow(n, Expr(Rational(1, 2))));
}

bool has_digits(const Ball& value, int digits) {
  return value.relative_bits() >= static_cast<long>(3.3220 * digits);
}

TEST(ExponentialPowerFamily, is_recognized_however_it_is_written) {
  const auto is = [](const std::string& text, const std::string& d, const std::string& b,
                     const std::string& g) {
    const auto f = recognized(text);
    return f && f->delta.str() == d && f->beta.str() == b && f->gamma.str() == g;
  };
  EXPECT_TRUE(is("-n/100 - log(1 + n)/2 - sqrt(n)/10", "1/100", "1/2", "1/10"));
  EXPECT_TRUE(is("-log(n + 1)/2 - 1/10*n^(1/2) - n/100", "1/100", "1/2", "1/10"));
  EXPECT_TRUE(is("-log((1 + n)^3)", "0", "3", "0"));
  EXPECT_TRUE(is("-sqrt(4*n)", "0", "0", "2"));
  EXPECT_TRUE(is("-(n + sqrt(n))*(1/3) + log(1/(2 + 2*n))", "1/3", "1", "1/3"));
  Form offset;
  ASSERT_TRUE(recognized("5/7 - n + log(3)", &offset));
  EXPECT_EQ(to_text(offset), to_text(to_form(parsed("log(3) + 5/7"), Context(oracle))));
}

TEST(ExponentialPowerFamily, nothing_else_is_taken_for_it) {
  for (const char* text :
       {"-log(2 + n)", "-n^(1/3)", "n", "-sqrt(2)*n", "-n + log(1 + n)", "-log(n)", "-n^2", "3",
        "-sqrt(1 + n)", "-log(1 + n)^2", "-n*log(1 + n)", "-floor(n)/2 - abs(n - 3)", "-log(1 + 2*n)"}) {
    EXPECT_FALSE(recognized(text)) << text;
  }
}

TEST(FamilySum, encloses_values_computed_from_closed_forms_and_term_by_term) {
  for (const auto& row : gpe::testing::read_cases("family_golden.csv")) {
    const ExponentialPower f = family(row.at("delta"), row.at("beta"), row.at("gamma"));
    const bool mean = !row.at("mean").empty();
    for (const int digits : {15, 30, 50, 110}) {
      SCOPED_TRACE(row.at("name") + " to " + std::to_string(digits) + " digits");
      const Moments m = sum(f, 0, std::nullopt, digits, std::nullopt, {true, mean});
      const long bits = 600;
      EXPECT_TRUE(m.z.overlaps(around(row.at("Z"), bits)));
      EXPECT_TRUE(entropy_of(m, bits).overlaps(around(row.at("H"), bits)));
      EXPECT_TRUE(has_digits(m.z, digits));
      EXPECT_TRUE(has_digits(m.s, digits));
      if (!mean) continue;
      EXPECT_TRUE(div(m.d, m.z, bits).overlaps(around(row.at("mean"), bits)));
      EXPECT_TRUE(has_digits(m.d, digits));
    }
  }
}

TEST(FamilySum, agrees_with_the_general_engine) {
  const Context context(oracle, gpe::theory::Budget(std::chrono::seconds(60)).question());
  for (const char* text :
       {"-n/50 - log(1 + n)/2 - sqrt(n)/10", "-3/2*log(1 + n) - n/1000", "-sqrt(n)/20 - 2*log(1 + n)"}) {
    SCOPED_TRACE(text);
    const auto f = recognized(text);
    ASSERT_TRUE(f);
    gpe::checks::SeriesSum general(parsed(text), 0, 20, context);
    EXPECT_TRUE(agree(sum(*f, 0, std::nullopt, 25), general.total({})));
    EXPECT_TRUE(agree(sum(*f, 0, Integer(100000), 25), general.up_to(Rational(100000), {})));
  }
}

TEST(FamilySum, is_what_the_general_sum_uses) {
  const auto result = gpe::checks::general_sum(parsed("2 - n/1000 - sqrt(n)/10"), 0, std::nullopt, {}, 40,
                                               gpe::testing::in_time());
  EXPECT_EQ(result.method, "Euler-Maclaurin, exponential-power family");
  EXPECT_EQ(result.reason, "");
  const Moments plain = sum(family("1/1000", "0", "1/10"), 0, std::nullopt, 50);
  EXPECT_TRUE(agree(result.moments, with_offset(plain, Ball(2), 300)));
}

TEST(FamilySum, large_first_distances_lose_no_digits) {
  for (const std::int64_t first :
       {std::int64_t{1}, std::int64_t{1000}, std::int64_t{1} << 33, std::int64_t{1} << 50}) {
    const ExponentialPower f = family("1/20", "3/2", "1/100");
    const auto result =
        gpe::checks::general_sum(score_of(f), first, std::nullopt, {}, 30, gpe::testing::in_time());
    SCOPED_TRACE(std::to_string(first) + ": " + result.method);
    EXPECT_TRUE(has_digits(result.moments.z, 30));
    EXPECT_TRUE(has_digits(entropy_of(result.moments, result.bits), 30));
    EXPECT_EQ(result.reason, "");
    // one term less and the next sum
    const Ball next = sum(f, first + 1, std::nullopt, 30).z;
    const Ball term = exp(evaluate(score_of(f), {{"n", Ball(first)}}, 200), 200);
    EXPECT_TRUE(result.moments.z.overlaps(add(next, term, 200)));
  }
}

TEST(FamilySum, lengths_beyond_every_context) {
  // between the first terms and the harmonic sums: Σ_{n <= N} 1/(1 + n)^beta
  const Integer last = Integer::numerator(Rational(10).pow(30));
  const Moments harmonic = sum(family("0", "1", "0"), 0, last, 40);
  // H_N = log N + γ + 1/(2N) - …, N = 10^30 + 1
  Ball expected;
  arb_const_euler(expected.raw(), 300);
  expected = add(expected, log(Ball(Rational(10).pow(30) + Rational(1), 300), 300), 300);
  expected = add(expected, Ball(Rational(1, 2) * Rational(10).pow(-30), 300), 300);
  expected = expected.widened(Ball(Rational(10).pow(-59), 64));
  EXPECT_TRUE(harmonic.z.overlaps(expected));
  EXPECT_TRUE(has_digits(harmonic.z, 40));
  EXPECT_TRUE(harmonic.d.overlaps(sub(Ball(Rational(10).pow(30) + Rational(1), 300), harmonic.z, 300)));
  const Moments slow = sum(family("0", "1/3", "1/1000000000000"), 5, last, 40);
  EXPECT_TRUE(has_digits(slow.z, 40));
  EXPECT_TRUE(has_digits(slow.s, 40));
}

TEST(FamilySum, fifty_digits_at_a_delta_of_a_trillionth_within_a_second) {
  using gpe::checks::Finite;
  const Context context = gpe::testing::in_time(std::chrono::seconds(1));
  const std::string decay = "-n/10^12 - log(1 + n)/2";
  for (const std::string& score : {decay, decay + " - sqrt(n)/10^7", std::string("-n/10^12")}) {
    SCOPED_TRACE(score);
    const auto law =
        gpe::theory::instantiate(gpe::theory::encoding_of({score, "", "", "", 0}), {}, {}, oracle);
    const auto all = gpe::checks::enclose_sums(law, 50, context);
    EXPECT_EQ(all.z.finite, Finite::yes);
    EXPECT_TRUE(has_digits(all.z.value, 50));
    EXPECT_TRUE(has_digits(all.entropy.value, 50));
    const auto part = gpe::checks::enclose_partial_sum(law, Rational(10).pow(12), 50, context);
    EXPECT_TRUE(has_digits(part.z, 50));
    EXPECT_TRUE(has_digits(part.entropy, 50));
    // the rest is the sum from 10^12 + 1 on
    const auto f = recognized(score);
    const Moments rest = sum(*f, 1000000000001, std::nullopt, 50);
    EXPECT_TRUE(all.z.value.overlaps(add(part.z, rest.z, 300)));
  }
}

RC_GTEST_PROP(FamilySum, another_split_encloses_the_same_sums, ()) {
  const ExponentialPower f = *summable_family(9);
  const int digits = *rc::gen::inRange(15, 60);
  const std::int64_t root = *rc::gen::inRange<std::int64_t>(3, 30);
  const std::int64_t start = root * root + *rc::gen::element<std::int64_t>(0, 0, 1, 7);
  const long order = 2 * *rc::gen::inRange<long>(2, 30);
  const Rational radius = *rc::gen::element(Rational(19, 20), Rational(1, 2), Rational(1, 5));
  RC_LOG(show(f));
  const Moments fine = sum(f, 0, std::nullopt, digits + 20);
  RC_ASSERT(agree(sum(f, 0, std::nullopt, digits), fine));
  RC_ASSERT(agree(sum(f, 0, std::nullopt, digits, FamilySplit{start, order, radius}), fine));
}

RC_GTEST_PROP(FamilySum, sums_up_to_a_length_are_those_of_the_terms, ()) {
  const auto any = [] { return *gpe::testing::exponent(6); };
  const ExponentialPower f{any(), any(), any()};
  RC_PRE(f.delta.sign() > 0 || f.beta.sign() > 0 || f.gamma.sign() > 0);
  const auto first = *rc::gen::inRange<std::int64_t>(0, 50);
  const auto last = first + *rc::gen::inRange<std::int64_t>(0, 3000);
  RC_LOG(show(f) + ", " + std::to_string(first) + " to " + std::to_string(last));
  const Moments terms = sum_terms(score_of(f), first, last, 200, Context(oracle));
  RC_ASSERT(agree(sum(f, first, Integer(last), 30), terms));
  const auto start = first + *rc::gen::inRange<std::int64_t>(9, 30);
  if (start < last) {  // both ends by Euler-Maclaurin summation, whatever it costs
    const long order = 2 * *rc::gen::inRange<long>(3, 20);
    const FamilySplit split{start, order, Rational(4, 5), *rc::gen::element<long>(2, 4, order)};
    RC_ASSERT(agree(sum(f, first, Integer(last), 30, split), terms));
  }
}

RC_GTEST_PROP(FamilySum, random_splits_of_the_range_add_up, ()) {
  const ExponentialPower f = *summable_family(12);
  const auto first = *rc::gen::inRange<std::int64_t>(0, 100);
  const auto size = [](int most) { return std::int64_t{1} << *rc::gen::inRange(0, most); };
  const std::int64_t middle = first + size(25) + *rc::gen::inRange<std::int64_t>(0, 1000);
  const std::int64_t last = middle + size(50);
  RC_LOG(show(f) + ", " + std::to_string(first) + ", " + std::to_string(middle) + ", " +
         std::to_string(last));
  const int digits = *rc::gen::inRange(15, 40);
  const long bits = 400;
  const Moments left = sum(f, first, Integer(middle), digits);
  const Moments right = sum(f, middle + 1, Integer(last), digits);
  const Moments all = sum(f, first, Integer(last), digits);
  RC_ASSERT(agree(plus(left, right, bits), all));
  const Moments rest = sum(f, last + 1, std::nullopt, digits);
  RC_ASSERT(agree(plus(all, rest, bits), sum(f, first, std::nullopt, digits)));
}

RC_GTEST_PROP(FamilySum, the_digits_asked_for_are_proved, ()) {
  const ExponentialPower f = *summable_family(15);
  const int digits = *rc::gen::inRange(15, 120);
  RC_LOG(show(f) + " to " + std::to_string(digits));
  const Moments m = sum(f, 0, std::nullopt, digits);
  RC_ASSERT(has_digits(m.z, digits));
  RC_ASSERT(has_digits(m.s, digits));
  RC_ASSERT(has_digits(m.d, digits));
}

}  // namespace family_sum_test
