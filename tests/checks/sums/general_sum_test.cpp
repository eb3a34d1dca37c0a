#include "checks/sums/general_sum.h"

#include <gtest/gtest.h>

#include "checks/sums/closed_form.h"
#include "checks/sums/terms.h"
#include "tests/cases/csv.h"
#include "tests/checks/sum_tools.h"
#include "tests/many.h"
#include "theory/asymptotics/convergence.h"

using namespace gpe::checks;
using namespace gpe::testing;
using gpe::theory::Rational;

namespace general_sum_test {

constexpr int kPlaces = 60;  // of the golden values
constexpr int kDigits = 50;

void expect_digits(const Ball& value, const Ball& expected, int digits, const std::string& what) {
  EXPECT_TRUE(value.overlaps(expected)) << what;
  EXPECT_GE(value.relative_bits(), bits_of(digits)) << what;
}

void expect_overlap(const Moments& a, const Moments& b, WantedMoments both, const std::string& what) {
  EXPECT_TRUE(a.z.overlaps(b.z)) << what;
  if (both.s) {
    EXPECT_TRUE(a.s.overlaps(b.s)) << what;
  }
  if (both.d) {
    EXPECT_TRUE(a.d.overlaps(b.d)) << what;
  }
}

// The golden values come from another program: tests/cases/make_series_golden.py.
class GoldenSum : public ::testing::TestWithParam<CsvRow> {};

TEST_P(GoldenSum, has_fifty_right_digits) {
  const CsvRow& row = GetParam();
  const WantedMoments want{!row.at("S").empty(), !row.at("D").empty()};
  const GeneralSum sum = whole_sum(row.at("score"), std::stoll(row.at("first")), want, kDigits);
  const long bits = 4L * kPlaces;
  const Ball z = golden(row.at("Z"), kPlaces);
  expect_digits(sum.moments.z, z, kDigits, "Z " + sum.method + " " + sum.reason);
  EXPECT_EQ(sum.proved.s, want.s) << sum.reason;
  EXPECT_EQ(sum.proved.d, want.d) << sum.reason;
  if (want.s) {
    const Ball s = golden(row.at("S"), kPlaces);
    EXPECT_TRUE(sum.moments.s.overlaps(s));
    expect_digits(entropy_of(sum.moments, sum.bits), entropy_of({z, s, Ball(0)}, bits), kDigits,
                  "H " + sum.method);
  }
  if (want.d) expect_digits(sum.moments.d, golden(row.at("D"), kPlaces), kDigits, "D " + sum.method);
}

INSTANTIATE_TEST_SUITE_P(instances, GoldenSum, ::testing::ValuesIn(read_cases("series_golden.csv")),
                         [](const auto& row) { return row.param.at("id"); });

// From mpmath: 60 terms and Euler-Maclaurin, or 300 and 4000 terms alone.
TEST(GeneralSum, of_special_functions) {
  struct Row {
    const char* score;
    const char* z;
    const char* s;
    const char* d;
  };
  for (const Row& row : {Row{"-3*digamma(n + 1)", "6.0477649052625333205288995142796",
                             "8.9913021957301765910183207839916", "0.70886230097053635738363575711664"},
                         {"-5/2*log(1 + n) + atan(n)", "1.9771201724128912944019801746706",
                          "-2.1115057114368855613335808290402", "4.9916660088292411860590092398588"},
                         {"n*log(3) - lgamma(n + 1)", "20.085536923187667740928529654582",
                          "21.461994788613321012158726110933", "60.256610769563003222785588963745"},
                         {"-n/20 - erf(n/8)", "9.849043638785305414345009229844",
                          "-14.240924442012939412212432330831", "152.56969802688938076946523772789"}}) {
    constexpr int kRight = 25;
    const GeneralSum sum = whole_sum(row.score, 0, {true, true}, kRight);
    expect_digits(sum.moments.z, golden(row.z, 30), kRight, row.score);
    expect_digits(sum.moments.s, golden(row.s, 30), kRight - 2, row.score);
    expect_digits(sum.moments.d, golden(row.d, 30), kRight, row.score);
  }
}

// 5 ζ(2) and 10 ζ'(2); and by Euler-Maclaurin in each of twelve classes, by mpmath.
TEST(GeneralSum, of_steps_in_residue_classes) {
  const GeneralSum five = whole_sum("-2*log(1 + floor(n/5))", 0, {true, false}, 25);
  expect_digits(five.moments.z, golden("8.2246703342411321823620758332301", 30), 25, five.method);
  expect_digits(entropy_of(five.moments, five.bits), golden("3.2470602010939113348749", 22), 20, five.method);
  const GeneralSum twelve =
      whole_sum("-3*log(1 + floor((2*n + 1)/3)) + floor(n/4)/(1 + n)", 0, {true, true}, 25);
  expect_digits(twelve.moments.z, golden("1.365450477808545952353572", 24), 23, twelve.method);
  expect_digits(entropy_of(twelve.moments, twelve.bits), golden("1.07057498234084189605193", 23), 22,
                twelve.method);
  expect_digits(div(twelve.moments.d, twelve.moments.z, twelve.bits),
                golden("0.8647517511623773030595549", 24), 23, twelve.method);
  const GeneralSum zero = whole_sum("-2*log(1 + n) + 0^(1/(n + 1))", 0, {true, false}, 25);
  EXPECT_TRUE(mul(Ball(5), zero.moments.z, 128).overlaps(five.moments.z));
  // from a later n the terms before it are left out
  const GeneralSum later = whole_sum("-2*log(1 + floor(n/5))", 7, {false, false}, 25);
  EXPECT_TRUE(add(later.moments.z, Ball(Rational(11, 2), 128), 128).overlaps(five.moments.z));
}

TEST(GeneralSum, agrees_with_the_geometric_series_zeta_and_the_polylogarithm) {
  for (const char* score : {"-n/16", "-(101/100)*log(1 + n)", "-n/100 - 3/2*log(1 + n)",
                            "-n/1000000 - log(1 + n)/2", "3 - 2*n", "-(7/2)*log(1 + n) - 1/7"}) {
    for (const int digits : {12, 80}) {
      for (const std::int64_t first : {0, 37}) {
        gpe::theory::Context context = patient_context();
        const auto closed = closed_form(score_of(score), first, 4L * digits + 128, context);
        ASSERT_TRUE(closed);
        const bool mean = closed->moments.d.is_finite();
        const GeneralSum sum = whole_sum(score, first, {true, mean}, digits);
        const std::string what = std::string(score) + " " + sum.method;
        expect_digits(sum.moments.z, closed->moments.z, digits, what);
        EXPECT_TRUE(sum.moments.s.overlaps(closed->moments.s)) << what;
        if (mean) expect_digits(sum.moments.d, closed->moments.d, digits, what);
      }
    }
  }
}

// Σ_{n>=1} n^-β e^(-γ√n) = 2 Γ(2 - 2β) γ^(2β-2) + Σ_k ζ(β - k/2) (-γ)^k/k!, convergent for every γ > 0.
TEST(GeneralSum, agrees_with_the_expansion_in_zeta_values) {
  constexpr long bits = 700;
  for (const auto& [beta, gamma] :
       std::vector<std::pair<Rational, Rational>>{{Rational(0), Rational(1, 1000)},
                                                  {Rational(1, 3), Rational(2)},
                                                  {Rational(3, 4), Rational(1, 7)}}) {
    const Ball b(beta, bits);
    const Ball g(gamma, bits);
    Ball gamma_value;
    arb_gamma(gamma_value.raw(), sub(Ball(2), mul(Ball(2), b, bits), bits).raw(), bits);
    Ball sum = mul(mul(Ball(2), gamma_value, bits),
                   pow(g, gpe::theory::Rational(2) * beta - gpe::theory::Rational(2), bits), bits);
    Ball power(1);
    for (std::int64_t k = 0; k < 300; ++k) {  // the terms beyond are below (2γ)^k/√k!
      Ball zeta;
      arb_zeta(zeta.raw(), Ball(beta - Rational(k, 2), bits).raw(), bits);
      sum = add(sum, mul(zeta, power, bits), bits);
      power = div(mul(power, neg(g), bits), Ball(k + 1), bits);
    }
    const std::string score = "-(" + beta.str() + ")*log(n) - (" + gamma.str() + ")*sqrt(n)";
    const GeneralSum value = whole_sum(score, 1, {false, false}, 60);
    expect_digits(value.moments.z, sum.widened(Ball(Rational(10).pow(-90), 64)), 60,
                  score + " " + value.method);
  }
}

// Another precision means another start, other orders and other cuts.
TEST(GeneralSum, encloses_the_same_number_from_another_start) {
  int number = 0;
  for (const CsvRow& row : read_cases("series_golden.csv")) {
    if (row.at("id") == "W25" || !gpe::testing::drawn(number++, 2)) continue;  // the first starts at 10^7
    const WantedMoments want{!row.at("S").empty(), !row.at("D").empty()};
    const std::int64_t first = std::stoll(row.at("first"));
    const GeneralSum fine = whole_sum(row.at("score"), first, want, 70);
    for (const std::int64_t split : {first + 1, std::int64_t{97}, std::int64_t{400}}) {
      const GeneralSum rest = whole_sum(row.at("score"), split, want, 25);
      const Moments head = sum_terms(score_of(row.at("score")), first, split - 1, 200, patient_context());
      const Moments whole = plus(head, rest.moments, 200);
      const std::string what = row.at("id") + " from " + std::to_string(split) + " " + rest.method;
      expect_overlap(whole, fine.moments, want, what);
      EXPECT_EQ(rest.proved.s, want.s) << what << " " << rest.reason;
      EXPECT_EQ(rest.proved.d, want.d) << what << " " << rest.reason;
    }
  }
}

}  // namespace general_sum_test
