#include "checks/sums/sums.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/cases/csv.h"
#include "tests/checks/parsed.h"
#include "tests/generators/rational.h"
#include "tests/in_time.h"
#include "theory/score/spec_parse.h"

using gpe::checks::Ball;
using gpe::checks::enclose_partial_sum;
using gpe::checks::enclose_sums;
using gpe::checks::evaluate;
using gpe::checks::Finite;
using gpe::checks::PartialSum;
using gpe::checks::Sums;
using gpe::testing::parsed;
using gpe::theory::Rational;
using gpe::theory::ScoreFunction;

namespace sums_test {

const gpe::checks::BallOracle oracle;

ScoreFunction law_of(const std::string& bias, std::int64_t first = 0) {
  ScoreFunction law;
  law.bias = parsed(bias);
  law.first = first;
  return law;
}

Sums sums(const ScoreFunction& law, int digits = 50) {
  return enclose_sums(law, digits, gpe::testing::in_time());
}

PartialSum partial(const ScoreFunction& law, const Rational& length, int digits = 30) {
  return enclose_partial_sum(law, length, digits, gpe::testing::in_time());
}

// Term by term, with an evaluator of its own.
struct Direct {
  Ball z{0};
  Ball entropy;
  Ball mean;
};
Direct added(const ScoreFunction& law, std::int64_t length) {
  const long bits = 300;
  Direct result;
  Ball s(0);
  Ball d(0);
  for (std::int64_t n = law.first; n <= law.first + length; ++n) {
    const Ball a = evaluate(law.bias, {{"n", Ball(n)}}, bits);
    const Ball w = exp(a, bits);
    result.z = add(result.z, w, bits);
    s = add(s, mul(a, w, bits), bits);
    d = add(d, mul(Ball(n), w, bits), bits);
  }
  result.entropy = sub(log(result.z, bits), div(s, result.z, bits), bits);
  result.mean = div(d, result.z, bits);
  return result;
}

std::string any_score() {
  const auto number = [] { return (*gpe::testing::positive_rational(12)).str(); };
  return std::string("-") + number() +
         *rc::gen::element<std::string>("*n/9", "*log(1 + n)", "*sqrt(n)", "*n^(1/3)", "*n/(7 + n)",
                                        "*log(1 + log(1 + n))", "*floor(n/4)/3", "*min(n, 11)",
                                        "*abs(n - 6)/5", "/(1 + n)", "*if(n < 9, n/8, 2)") +
         " - " + number() +
         *rc::gen::element<std::string>("*0", "*log(1 + n)/5", "/(2 + n)", "*n/100", "*sqrt(n)/10");
}

TEST(Sums, agree_with_a_second_computation_to_fifty_digits) {
  std::size_t compared = 0;
  for (const auto& row : gpe::testing::read_cases("sums_golden.csv")) {
    ScoreFunction law;
    const std::string& options = row.at("options");
    if (options == "table") {
      law = gpe::theory::instantiate(
          gpe::theory::parse_encoding(
              "schema = 1\nname = \"x\"\n[tables]\n"
              "t = { file = \"sums_table.csv\", index = \"n\", beyond = \"constant\" }\n"
              "[score]\nbias = \"" +
                  row.at("bias") + "\"\nfirst = " + row.at("first") + "\n",
              "here", std::string(GPE_SOURCE_DIR) + "/tests/cases"),
          {}, {}, oracle);
    } else {
      law = law_of(row.at("bias"), std::stoll(row.at("first")));
    }
    law.two_sided = options == "two";
    static std::map<std::string, Sums> known;
    const std::string key = row.at("bias") + "|" + row.at("first") + "|" + options;
    if (!known.contains(key)) known.emplace(key, sums(law, 50));
    const Sums& found = known.at(key);
    const std::string& quantity = row.at("quantity");
    const auto& other = quantity == "H" ? found.entropy : found.mean_distance;
    const auto& number = quantity == "Z" ? found.z : other;
    const std::string what = key + " " + quantity + " (" + found.method + ") " + number.reason;
    if (row.at("value") == "infinite") {
      EXPECT_EQ(number.finite, Finite::no) << what;
      continue;
    }
    ASSERT_EQ(number.finite, Finite::yes) << what;
    const Rational value = *Rational::parse(row.at("value"));
    const Ball golden = Ball(value, 300).widened(Ball(value.abs() * Rational(10).pow(-53), 300));
    EXPECT_TRUE(number.value.overlaps(golden)) << what;
    EXPECT_GE(number.value.relative_bits(), 166) << what;  // 50 digits
    ++compared;
  }
  EXPECT_GT(compared, 90U);
}

RC_GTEST_PROP(Sums, partial_sums_are_the_sums_of_their_terms, ()) {
  ScoreFunction law = law_of(any_score(), *rc::gen::element<std::int64_t>(0, 0, 1, 17));
  const auto length =
      *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 4), rc::gen::inRange<std::int64_t>(0, 400));
  const PartialSum found = partial(law, length);
  RC_ASSERT(found.reason == "");
  const Direct expected = added(law, length);
  RC_ASSERT(found.z.overlaps(expected.z));
  RC_ASSERT(found.entropy.overlaps(expected.entropy));
  RC_ASSERT(found.mean_distance.overlaps(expected.mean));
  RC_ASSERT(found.z.relative_bits() > 99);  // 30 digits
}

TEST(Sums, parts_of_any_length_add_up) {
  EXPECT_TRUE(rc::check([] {
    const bool long_sum = *rc::gen::arbitrary<bool>();
    const std::string score =
        long_sum ? *rc::gen::element<std::string>("-n/1000", "-log(1 + n)/2", "-sqrt(n)/100",
                                                  "-n/500 - log(1 + n)/10 - sqrt(n)/20", "-log(1 + n)",
                                                  "-2*log(1 + n)", "-log(2 + n) - 2*log(log(2 + n))",
                                                  "n/(5 + n)", "-log(1 + max(0, n - 900))")
                 : any_score();
    const auto length = *rc::gen::inRange<std::int64_t>(2, long_sum ? 3000000 : 1000);
    const auto cut = *rc::gen::inRange<std::int64_t>(0, length);
    const Ball whole = partial(law_of(score), length).z;
    const Ball head = partial(law_of(score), cut).z;
    const Ball tail = partial(law_of(score, cut + 1), length - cut - 1).z;
    RC_LOG() << score << ", " << cut << " of " << length << "\n";
    RC_ASSERT(whole.is_finite() && head.is_finite() && tail.is_finite());
    RC_ASSERT(add(head, tail, 200).overlaps(whole));
    RC_ASSERT(whole.relative_bits() > 99);
  }));
}

TEST(Sums, a_window_keeps_its_keys_and_no_more) {
  ScoreFunction law = law_of("-n/3");
  law.window = 4;  // 0 … 3
  const Direct expected = added(law_of("-n/3"), 3);
  EXPECT_TRUE(sums(law).z.value.overlaps(expected.z));
  EXPECT_TRUE(sums(law).entropy.value.overlaps(expected.entropy));
  EXPECT_TRUE(partial(law, 2).z.overlaps(added(law_of("-n/3"), 2).z));
  EXPECT_TRUE(partial(law, 1000).z.overlaps(expected.z));
}

TEST(Sums, both_sides_of_a_score_that_depends_on_the_length) {
  ScoreFunction law;
  law.bias = parsed("-n*log(2 + L)", {"L"});
  law.two_sided = true;
  EXPECT_TRUE(partial(law, 1).z.contains(Rational(5, 3)));  // 1 + 2/3
}

TEST(Sums, of_one_key) {
  const PartialSum one = partial(law_of("-n"), 0);
  EXPECT_TRUE(one.z.contains(Rational(1)));
  EXPECT_TRUE(one.entropy.contains(Rational(0)));
}

TEST(Sums, what_is_infinite_and_why) {
  for (const char* bias : {"0", "-log(1 + n)", "-n/(1 + n)", "log(1 + n)", "-log(2 + n) - log(log(2 + n))"}) {
    const Sums found = sums(law_of(bias));
    EXPECT_EQ(found.z.finite, Finite::no) << bias;
    EXPECT_EQ(found.entropy.finite, Finite::no) << bias;
    EXPECT_EQ(found.mean_distance.finite, Finite::no) << bias;
    EXPECT_FALSE(found.z.reason.empty()) << bias;
  }
  const Sums slow = sums(law_of("-log(2 + n) - 2*log(log(2 + n))"), 10);  // Z < inf, H = inf
  EXPECT_EQ(slow.z.finite, Finite::yes);
  EXPECT_EQ(slow.entropy.finite, Finite::no);
  EXPECT_EQ(slow.mean_distance.finite, Finite::no);
}

TEST(Sums, the_entropy_of_a_weight_nearly_all_on_one_key_keeps_its_digits) {
  // H = -log(1 - r) + m r/(1 - r) = (1 + m) r + O(r^2), r = e^-m, at m = 1000
  const Sums found = sums(law_of("-1000*n"), 30);
  const Ball r = exp(Ball(-1000), 200);
  EXPECT_TRUE(found.entropy.reason.empty());
  EXPECT_TRUE(
      found.entropy.value.overlaps(mul(Ball(1001), r, 200).widened(mul(Ball(2000), mul(r, r, 200), 200))));
  EXPECT_GT(found.entropy.value.relative_bits(), 99);
}

// L in a score is the index of the query, the largest distance: first + K for K + 1 keys.
TEST(Sums, to_a_length_put_the_index_of_the_query_for_L) {
  for (const std::int64_t first : {0, 2}) {
    ScoreFunction law = law_of("-n/8", first);
    law.bias = parsed("-n/(1 + L) + log(1 + L - n)/3", {"L"});
    const PartialSum sum = partial(law, 6);
    ASSERT_TRUE(sum.z.is_finite()) << sum.reason;
    const auto index = static_cast<double>(first + 6);
    double z = 0;
    for (double n = static_cast<double>(first); n <= index; ++n)
      z += std::exp(-n / (1 + index)) * std::cbrt(1 + index - n);
    EXPECT_NEAR(sum.z.approximate(), z, 1e-12) << first;
  }
}

}  // namespace sums_test
