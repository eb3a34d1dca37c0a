// Sums over first … L: against one another, addition term by term, and Hurwitz's zeta function.
#include <acb.h>
#include <acb_hypgeom.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/sums/general_sum.h"
#include "checks/sums/series_sum.h"
#include "checks/sums/terms.h"
#include "tests/checks/sum_tools.h"

using namespace gpe::checks;
using namespace gpe::testing;
using gpe::theory::Context;
using gpe::theory::Rational;

namespace partial_sum_test {

struct Score {
  std::string text;
  std::int64_t first;
};

const std::vector<Score>& scores() {
  static const std::vector<Score> all = {
      {"-n/50 - log(1 + n)/2 - sqrt(n)/10", 0},
      {"-n/1000000 - log(1 + n)/2", 0},
      {"-(9/10)*log(1 + n)", 0},
      {"0*n", 0},
      {"-log(n) - 2*log(log(n))", 3},
      {"-sqrt(log(n))", 1},
      {"n - sqrt(n^2 + 3*n*log(n))", 1},
      {"-log(n^2 + n) + log(n + 1)", 1},
      {"-2*log(n)*(exp(n + exp(-n)) - exp(n))", 1},
      {"-floor(16*log((1 + n)/16)/log(8))*log(8)/16", 0},
      {"-floor(sqrt(n))/7 - log(1 + n)/3", 0},
      {"-min(n/10, 20)", 0},
      {"if(n < 16, -n, if(n < 128, -16 - floor(16*log(n/16)/log(8)), -31))/8", 0},
      {"sqrt(n)*sin(n) - n/10", 0},
      {"sqrt(n)/100", 0},
      {"-max(0, log(1 + n) - 3)/2 - max(0, log(1 + n) - 9) + max(0, 5 - n/1000)/7", 0},
      {"-abs(n - 20000)/10000 - floor(n/30000)/3", 0},
      {"if(n < 7000, -log(1 + n)/3, -sqrt(n)/20)", 0},
      {"n/1000 - 3*log(1 + n)", 0},
      {"2*log(1 + n) + sin(log(1 + n))", 0},
      {"40*log(1 + n) - sqrt(n)*log(1 + n)", 0},
  };
  return all;
}

rc::Gen<Score> any_score() {
  return rc::gen::map(rc::gen::inRange<std::size_t>(0, scores().size()),
                      [](std::size_t i) { return scores()[i]; });
}

// Lengths of every size up to 10^`digits`.
rc::Gen<std::int64_t> any_length(int digits) {
  return rc::gen::mapcat(rc::gen::inRange(1, digits + 1), [](int d) {
    std::int64_t power = 1;
    for (int i = 0; i < d; ++i) power *= 10;
    return rc::gen::inRange<std::int64_t>(power / 10, power);
  });
}

bool overlap(const Moments& a, const Moments& b) {
  return a.z.overlaps(b.z) && a.s.overlaps(b.s) && a.d.overlaps(b.d);
}

RC_GTEST_PROP(PartialSum, is_what_addition_gives, ()) {
  const Score score = *any_score();
  const std::int64_t last = score.first + *any_length(4);
  const GeneralSum sum = partial_sum(score.text, score.first, Rational(last), 20);
  const Moments added = sum_terms(score_of(score.text), score.first, last, 200, patient_context());
  RC_LOG() << score.text << " to " << last << ": " << sum.method << "\n";
  RC_ASSERT(overlap(sum.moments, added));
  RC_ASSERT(sum.moments.z.relative_bits() >= bits_of(20));
}

RC_GTEST_PROP(PartialSum, is_the_sum_of_its_parts, ()) {
  const Score score = *any_score();
  const std::int64_t middle = score.first + *any_length(5);
  const std::int64_t last = middle + *any_length(6);
  const GeneralSum whole = partial_sum(score.text, score.first, Rational(last), 25);
  const GeneralSum left = partial_sum(score.text, score.first, Rational(middle), 20);
  const GeneralSum right = partial_sum(score.text, middle + 1, Rational(last), 20);
  RC_LOG() << score.text << " to " << middle << " and to " << last << ": " << whole.method << "; "
           << left.method << "; " << right.method << "\n";
  RC_ASSERT(overlap(whole.moments, plus(left.moments, right.moments, 200)));
}

// Σ_{n=0}^{L} (1 + n)^-β = ζ(β) - ζ(β, L + 2), for every β but 1.
TEST(PartialSum, of_a_logarithmic_bias_is_a_difference_of_zeta_values) {
  constexpr long bits = 600;
  for (const Rational& length :
       {Rational(10).pow(12), Rational(10).pow(30), Rational(10).pow(30) + Rational(12345)}) {
    for (const Rational& beta :
         {Rational(0), Rational(1, 10), Rational(9, 10), Rational(101, 100), Rational(3), Rational(-5, 2)}) {
      const auto power_sum = [&](const Rational& s) {
        acb_t exponent;
        acb_t start;
        acb_t far;
        acb_t near;
        acb_init(exponent);
        acb_init(start);
        acb_init(far);
        acb_init(near);
        arb_set(acb_realref(exponent), Ball(s, bits).raw());
        arb_set(acb_realref(start), Ball(length + Rational(2), bits).raw());
        acb_hurwitz_zeta(far, exponent, start, bits);
        acb_zeta(near, exponent, bits);
        acb_sub(near, near, far, bits);
        Ball result;
        arb_set(result.raw(), acb_realref(near));
        acb_clear(exponent);
        acb_clear(start);
        acb_clear(far);
        acb_clear(near);
        return result;
      };
      const GeneralSum sum = partial_sum("-(" + beta.str() + ")*log(1 + n)", 0, length, 50);
      const std::string what = beta.str() + " to " + length.str() + ": " + sum.method;
      const Ball z = power_sum(beta);
      EXPECT_TRUE(sum.moments.z.overlaps(z)) << what;
      EXPECT_GE(sum.moments.z.relative_bits(), bits_of(50)) << what;
      const Ball d = sub(power_sum(beta - Rational(1)), z, bits);
      EXPECT_TRUE(sum.moments.d.overlaps(d)) << what;
    }
  }
}

TEST(PartialSum, of_a_convergent_sum_is_the_whole_less_the_tail) {
  for (const Score& score :
       {Score{"-(3/2)*log(1 + n)", 0}, Score{"-log(n) - 2*log(log(n))", 3},
        Score{"-log(n)*(1 + 1/log(log(n)))", 3}, Score{"n - sqrt(n^2 + 3*n*log(n))", 1}}) {
    const std::int64_t last = 1'000'000'000'000;
    const WantedMoments want{score.text.find("2*log(log") == std::string::npos, false};
    const GeneralSum part = partial_sum(score.text, score.first, Rational(last), 40, want);
    const GeneralSum whole = whole_sum(score.text, score.first, want, 40);
    const GeneralSum tail = whole_sum(score.text, last + 1, want, 30);
    EXPECT_TRUE(whole.moments.z.overlaps(add(part.moments.z, tail.moments.z, 200))) << score.text;
    if (want.s) {
      EXPECT_TRUE(whole.moments.s.overlaps(add(part.moments.s, tail.moments.s, 200))) << score.text;
    }
    EXPECT_GE(part.moments.z.relative_bits(), bits_of(40)) << part.method;
    EXPECT_GE(tail.moments.z.relative_bits(), bits_of(30)) << tail.method;
  }
}

TEST(PartialSum, of_a_growing_score_is_enclosed_at_any_length) {
  // Σ_{n=0}^{L} 2^n = 2^(L+1) - 1
  for (const char* length : {"100", "1000000", "1e12", "1e30"}) {
    const Rational last = *Rational::parse(length);
    const GeneralSum sum = partial_sum("n*log(2)", 0, last, 30);
    constexpr long bits = 600;
    const Ball log2 = log(Ball(2), bits);
    const Ball top = exp(mul(Ball(last + Rational(1), bits), log2, bits), bits);
    EXPECT_TRUE(sum.moments.z.overlaps(sub(top, Ball(1), bits))) << length << ": " << sum.method;
    EXPECT_GE(sum.moments.z.relative_bits(), bits_of(30)) << length << ": " << sum.method;
    // Σ n 2^n = (L - 1) 2^(L+1) + 2
    const Ball d = add(mul(Ball(last - Rational(1), bits), top, bits), Ball(2), bits);
    EXPECT_TRUE(sum.moments.d.overlaps(d)) << length;
    // H tends to 2 log 2
    EXPECT_GE(entropy_of(sum.moments, sum.bits).relative_bits(), bits_of(30)) << length;
  }
}

// No term of an expansion is the first where the score oscillates, and none is needed.
TEST(PartialSum, what_oscillates_and_falls_is_summed) {
  for (const char* const text :
       {"-n/7 - sin(n) + exp(-n/7)", "-n/3 + cos(n)*exp(-n)", "-n/5 + cos(n)^2", "-n - abs(sin(n))",
        "-n^2/9 - log(1 + sin(n)^2)", "-n/4 - exp(sin(n))", "-n/8 - max(sin(n), cos(n))"}) {
    SeriesSum sum(score_of(text), 0, 30, gpe::testing::in_time(std::chrono::seconds(4)).question());
    const Moments all = sum.total({true, true});
    const Moments terms =
        sum_terms(score_of(text), Rational(0), Rational(1500), sum.bits(), patient_context());
    EXPECT_TRUE(all.z.overlaps(terms.z) && all.s.overlaps(terms.s) && all.d.overlaps(terms.d)) << text;
    EXPECT_GT(std::min({all.z.relative_bits(), all.s.relative_bits(), all.d.relative_bits()}), bits_of(29))
        << text;
  }
}

// Faster than every exponential, or oscillating: a few terms, where a rule of summation would need millions.
TEST(PartialSum, what_is_left_of_a_fast_decay_is_its_first_terms) {
  for (const char* const text : {"-exp(n/10)", "-n + sin(n)/1000"}) {
    SeriesSum sum(score_of(text), 0, 30, gpe::testing::in_time(std::chrono::seconds(2)).question());
    const Moments rest = sum.beyond(Rational(40), {true, true});
    const Moments terms =
        sum_terms(score_of(text), Rational(41), Rational(400), sum.bits(), patient_context());
    EXPECT_TRUE(rest.z.overlaps(terms.z) && rest.s.overlaps(terms.s) && rest.d.overlaps(terms.d)) << text;
    EXPECT_GT(std::min({rest.z.relative_bits(), rest.s.relative_bits(), rest.d.relative_bits()}), bits_of(29))
        << text;
  }
}

}  // namespace partial_sum_test
