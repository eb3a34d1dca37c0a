// Windows and reach: exact at N and N + 1 by sums in long double, monotone, and at values known from
// elsewhere.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "checks/content/effective_window.h"
#include "tests/checks/law_of.h"
#include "tests/in_time.h"

namespace effective_window_test {

using namespace gpe;
using checks::BigCount;
using gpe::testing::law_of;
using gpe::testing::oracle;
using theory::Rational;

const theory::Context kTime = gpe::testing::in_time(std::chrono::seconds(20));

BigCount window(const std::string& bias, const Rational& epsilon, const Rational& bound,
                const std::string& gain = "1", const std::optional<Rational>& length = {}) {
  return checks::effective_window(law_of(bias, gain), epsilon, bound, length, kTime);
}

checks::Reach reach(const std::string& bias, const Rational& weight, const Rational& bound) {
  return checks::reach(law_of(bias), weight, bound, {}, kTime);
}

struct ScoreFunction {
  const char* bias;
  const char* gain;
  long double (*b)(long double);
  long double (*f)(long double);
};

long double one(long double) { return 1; }
const ScoreFunction kLaws[] = {
    {"-n/2", "1", [](long double n) { return -n / 2; }, one},
    {"-n/100 - log(1+n)/3", "1", [](long double n) { return -n / 100 - std::log1p(n) / 3; }, one},
    {"-sqrt(n)", "1/(1+n/10)", [](long double n) { return -std::sqrt(n); },
     [](long double n) { return 1 / (1 + n / 10); }},
    {"-n/20 - erf(n/8)", "1", [](long double n) { return -n / 20 - std::erf(n / 8); }, one},
    {"ceil(5 - n/3)", "1", [](long double n) { return std::ceil(5 - n / 3); }, one},
    {"-floor(n/7)/3 - log(1+n)", "1", [](long double n) { return -std::floor(n / 7) / 3 - std::log1p(n); },
     one},
    {"-floor(sqrt(n))", "1", [](long double n) { return -std::floor(std::sqrt(n)); }, one},
    {"-floor(sqrt(n)) - n/50", "1/(1+n/10)", [](long double n) { return -std::floor(std::sqrt(n)) - n / 50; },
     [](long double n) { return 1 / (1 + n / 10); }},
};

// t(W) = U/(U + l) with the rest beyond 60,000 left out (below 1e-30 for these laws).
long double weight_beyond(const ScoreFunction& law, long double bound, long w) {
  long double beyond = 0;
  long double kept = 0;
  for (long n = 0; n < 60000; ++n) {
    const auto x = static_cast<long double>(n);
    const long double a = std::fabs(law.f(x)) * bound;
    if (n > w) beyond += std::exp(law.b(x) + a);
    if (n <= w) kept += std::exp(law.b(x) - a);
  }
  return beyond / (beyond + kept);
}

TEST(EffectiveWindow, keeps_all_but_epsilon_and_one_key_less_does_not) {
  for (const ScoreFunction& law : kLaws) {
    for (const auto& [epsilon, value] :
         {std::pair(Rational(1, 100), 1e-2L), std::pair(Rational(1, 1000000), 1e-6L)}) {
      for (const int bound : {0, 1, 3}) {
        const BigCount w = window(law.bias, epsilon, Rational(bound), law.gain);
        ASSERT_EQ(w.kind, BigCount::Kind::number) << law.bias << " " << w.reason;
        const long n = static_cast<long>(*w.number.to_int64());
        EXPECT_LE(weight_beyond(law, bound, n), value) << law.bias << " W = " << n;
        if (n > 0) {
          EXPECT_GT(weight_beyond(law, bound, n - 1), value) << law.bias << " W = " << n;
        }
      }
    }
  }
}

// e^(-2 + 1) = e^(0 - 1): the weight is 1/2 exactly, in a context that ends at n = 1.
TEST(Reach, of_weights_that_are_equal) {
  for (const char* bias : {"-2*n", "-ceil(2*log(1 + n))", "-2*floor(log(1 + n)/log(2))"})
    EXPECT_EQ(reach(bias, Rational(1, 2), 1).self_reach.number, Rational(1)) << bias;
}

// Where scores are in no order every distance is looked at: in time that grows with their number, not its
// square.
TEST(Reach, of_a_long_list) {
  const auto found = [](std::chrono::milliseconds limit) {
    return checks::reach(law_of("sin(n)"), Rational(1, 2), 0, Rational(40000), gpe::testing::in_time(limit));
  };
  EXPECT_EQ(found(std::chrono::seconds(60)).self_reach.number,
            Rational(1));  // e^sin(1) > 1, but e^sin(2) < 1 + e^sin(1)
  EXPECT_NE(found(std::chrono::milliseconds(1)).self_reach.reason.find("time limit"), std::string::npos);
}

TEST(EffectiveWindow, grows_with_the_bound_and_with_less_epsilon) {
  Rational before(0);
  for (const int bound : {0, 1, 2, 4, 8}) {
    const BigCount w = window("-n/16", Rational(1, 1000), Rational(bound));
    EXPECT_GE(w.number, before);
    before = w.number;
  }
  before = Rational(0);
  for (int k = 1; k < 12; ++k) {
    const BigCount w = window("-2*log(1+n)", Rational(1, 10).pow(k), Rational(1));
    EXPECT_GE(w.number, before);
    before = w.number;
  }
}

// Σ_{n>W} (1+n)^-2 e^B against ε/(1-ε) Σ_{n<=W} (1+n)^-2 e^-B: W ~ e^{2B}/(ε ζ(2)).
TEST(EffectiveWindow, of_a_power_law_is_near_its_integral) {
  const BigCount w = window("-2*log(1+n)", Rational(1, 10).pow(12), Rational(1));
  ASSERT_EQ(w.kind, BigCount::Kind::number);
  EXPECT_NEAR(w.number.approximate() * 1e-12 / (std::exp(2.0) / 1.6449340668482264), 1, 1e-6);
}

// In each of five residue classes (1+k)^-2: the sum beyond n = 5k + 4 is 5 ζ(2, k + 2).
TEST(EffectiveWindow, and_reach_of_a_staircase_are_those_of_its_zeta_values) {
  const long windows[] = {22438, 66885475, 1473250630474}, reaches[] = {4, 254, 38399},
             selves[] = {4, 259, 38399};
  int i = 0;
  for (const int bound : {1, 5, 10}) {
    const BigCount w = window("-2*log(1+floor(n/5))", Rational(1, 1000), bound);
    ASSERT_EQ(w.kind, BigCount::Kind::number) << w.reason;
    EXPECT_EQ(w.number, Rational(windows[i]));
    const checks::Reach found = reach("-2*log(1+floor(n/5))", Rational(1, 2), bound);
    EXPECT_EQ(found.n.number, Rational(reaches[i]));
    EXPECT_EQ(found.self_reach.number, Rational(selves[i++]));
  }
}

TEST(EffectiveWindow, and_reach_do_not_see_what_is_0_at_every_n) {
  for (const char* zero : {"0^(1/(n + 1))", "floor(1/(n + 2))", "min(n, 0)"}) {
    const std::string law = std::string("-2*log(1 + n) + ") + zero;
    EXPECT_EQ(window(law, Rational(1, 1000), 1).number, window("-2*log(1 + n)", Rational(1, 1000), 1).number);
    const checks::Reach found = reach(law, Rational(1, 2), 3),
                        plain = reach("-2*log(1 + n)", Rational(1, 2), 3);
    EXPECT_EQ(found.n.number, plain.n.number) << law;
    EXPECT_EQ(found.self_reach.number, plain.self_reach.number) << law;
  }
}

TEST(EffectiveWindow, is_none_when_some_content_diverges_and_a_log10_when_it_is_huge) {
  EXPECT_EQ(window("-log(1+n)", Rational(1, 1000), Rational(1)).kind, BigCount::Kind::none);
  EXPECT_EQ(window("-log(1+n)*3/2", Rational(1, 1000), Rational(1), "log(1+n)").kind, BigCount::Kind::none);
  // W^(-1/100) = ε·100/(e^2 Z + …): log10 W is near 100·log10(...)
  const BigCount huge = window("-(101/100)*log(1+n)", Rational(1, 100), Rational(1));
  ASSERT_EQ(huge.kind, BigCount::Kind::log10);
  const double z = 100.57794333849687;
  const double expected = std::log10(std::pow(100 * (std::exp(2.0) * 0.99 + 0.01) / (z * 0.01), 100.0));
  EXPECT_NEAR(std::stod(huge.log10), expected, 0.02);
}

TEST(Reach, is_what_theory_says_of_simple_laws) {
  const char* laws[] = {"0", "-log(1+n)", "-n/2"};
  const int self[][3] = {{7, 54, 403}, {3, 15, 80}, {2, 6, 10}};
  for (int i = 0; i < 3; ++i) {
    for (int bound = 1; bound <= 3; ++bound) {
      const checks::Reach found = reach(laws[i], Rational(1, 2), Rational(bound));
      ASSERT_EQ(found.self_reach.kind, BigCount::Kind::number);
      EXPECT_EQ(found.self_reach.number, Rational(self[i][bound - 1])) << laws[i] << " B = " << bound;
      if (i < 2) {
        EXPECT_EQ(found.n.kind, BigCount::Kind::none);
      }
    }
  }
}

TEST(Reach, holds_at_n_and_fails_at_the_next) {
  for (const ScoreFunction& law : kLaws) {
    if (std::string(law.gain) != "1") continue;
    for (const int bound : {2, 4}) {
      const checks::Reach found = reach(law.bias, Rational(1, 2), Rational(bound));
      long double lowest = 0;
      for (long n = 0; n < 60000; ++n) lowest += std::exp(law.b(static_cast<long double>(n)) - bound);
      const auto share = [&](long n, bool whole) {
        const auto x = static_cast<long double>(n);
        long double others = whole ? lowest - std::exp(law.b(x) - bound) : 0;
        for (long m = 0; !whole && m < n; ++m) others += std::exp(law.b(static_cast<long double>(m)) - bound);
        const long double mine = std::exp(law.b(x) + bound);
        return mine / (mine + others);
      };
      ASSERT_EQ(found.self_reach.kind, BigCount::Kind::number);
      const long self = static_cast<long>(*found.self_reach.number.to_int64());
      EXPECT_GE(share(self, false), 0.5L);
      EXPECT_LT(share(self + 1, false), 0.5L);
      if (found.n.kind == BigCount::Kind::none) {
        EXPECT_LT(share(0, true), 0.5L);
        continue;
      }
      const long n = static_cast<long>(*found.n.number.to_int64());
      EXPECT_GE(share(n, true), 0.5L);
      EXPECT_LT(share(n + 1, true), 0.5L);
    }
  }
}

TEST(Reach, of_waves_is_what_their_list_says) {
  const auto cosine = [](long n) {
    return std::cos(2 * std::numbers::pi_v<long double> * static_cast<long double>(n) / 9);
  };
  for (const int bound : {1, 5, 10}) {
    const checks::Reach found =
        checks::reach(law_of("-n", "cos(2*pi*n/9)"), Rational(1, 2), Rational(bound), {}, kTime);
    const auto low = [&](long n) { return std::exp(-n - bound * std::fabs(cosine(n))); };
    const auto high = [&](long n) { return std::exp(-n + bound * std::fabs(cosine(n))); };
    long double all = 0;
    for (long n = 0; n < 1000; ++n) all += low(n);
    std::optional<long> n_of, self_of;
    long double nearer = 0;
    for (long n = 0; n < 1000; ++n) {
      if (high(n) >= all - low(n)) n_of = n;
      if (high(n) >= nearer) self_of = n;
      nearer += low(n);
    }
    ASSERT_TRUE(n_of && self_of);
    ASSERT_EQ(found.n.kind, BigCount::Kind::number) << found.n.reason;
    ASSERT_EQ(found.self_reach.kind, BigCount::Kind::number) << found.self_reach.reason;
    EXPECT_EQ(found.n.number, Rational(*n_of));
    EXPECT_EQ(found.self_reach.number, Rational(*self_of));
  }
}

theory::ScoreFunction with_sink(const std::string& bias, const std::string& sink) {
  const theory::Encoding encoding = theory::parse_encoding(
      "schema = 1\nname = \"sink\"\n[score]\nbias = \"" + bias + "\"\nsink = \"" + sink + "\"\n", "sink",
      ".");
  return at_values(theory::instantiate(encoding, {}, {}, oracle()));
}

// What is added to all scores for b(first; L) = 0 is added to the sink.
TEST(Reach, a_sink_is_as_high_above_scores_that_depend_on_the_length_as_it_was) {
  const auto reach_of = [](const std::string& bias, const std::string& sink) {
    return checks::reach(with_sink(bias, sink), Rational(7, 10), 1, Rational(1), kTime).n;
  };
  EXPECT_EQ(reach_of("5*log(2 + L)", "0").number, Rational(1));  // e/(e + 1/e + 1/243) > 7/10
  EXPECT_EQ(reach_of("0", "-5*log(2 + L)").number, Rational(1));
  EXPECT_EQ(reach_of("0", "0").kind, BigCount::Kind::none);
}

TEST(Reach, a_sink_that_depends_on_the_length_is_not_known_without_one) {
  for (const char* window : {"", "\"\nwindow = \"4"}) {
    const theory::ScoreFunction law = with_sink("-n", std::string("log(1 + L)") + window);
    const checks::Reach endless = checks::reach(law, Rational(1, 2), 0, {}, kTime);
    EXPECT_EQ(endless.n.kind, BigCount::Kind::unknown);
    EXPECT_EQ(endless.n.reason, "the sink depends on L: see lengths");
    EXPECT_EQ(endless.self_reach.kind, BigCount::Kind::unknown);
    // two keys, 1 and 1/e, beside a sink of 2
    EXPECT_EQ(checks::reach(law, Rational(1, 4), 0, Rational(1), kTime).n.number, Rational(0));
    EXPECT_EQ(checks::reach(law, Rational(1, 10), 0, Rational(1), kTime).n.number, Rational(1));
  }
  EXPECT_EQ(checks::effective_window(with_sink("-n", "log(1 + L)"), Rational(1, 1000), 1, {}, kTime).number,
            Rational(8));
}

}  // namespace effective_window_test
