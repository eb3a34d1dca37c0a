// The engine's enclosures against two computations that share nothing with it: the formula of Abel and Plana
// in MPFR floats, and doubles, eight at a time, with an error bound.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/sums/series_sum.h"
#include "tests/checks/abel_plana.h"
#include "tests/checks/double_sum.h"
#include "tests/checks/sum_tools.h"

using namespace gpe::checks;
using namespace gpe::testing;
using gpe::theory::Context;
using gpe::theory::Rational;

namespace second_computation_test {

constexpr int kDigits = 50;

Real real(const Rational& q) { return Real(q.numerator().str()) / Real(q.denominator().str()); }

Ball ball(const Real& x) {
  Ball result;
  arf_set_mpfr(arb_midref(result.raw()), x.backend().data());
  return result.widened(mul(abs(result), Ball(Rational(10).pow(-kDigits - 2), 64), 64));
}

struct Score {
  std::string text;
  ComplexScore value;
  bool converges;
};

Complex number(const Rational& q) { return {real(q)}; }

const std::vector<Score>& scores() {
  static const std::vector<Score> all = {
      {"-(3/2)*log(1 + n) + 1/(1 + n)",
       [](const Complex& n) {
         const Complex m = n + number(1);
         return real(Rational(-3, 2)) * log(m) + inverse(m);
       },
       true},
      {"-n^(1/3)", [](const Complex& n) { return Real(-1) * exp(real(Rational(1, 3)) * log(n)); }, true},
      {"-log(1 + n)^2/2",
       [](const Complex& n) {
         const Complex l = log(n + number(1));
         return real(Rational(-1, 2)) * (l * l);
       },
       true},
      {"2*log(1 + n) - n/5 + cos(log(1 + n))",
       [](const Complex& n) {
         const Complex l = log(n + number(1));
         return Real(2) * l - real(Rational(1, 5)) * n + cos(l);
       },
       true},
      {"-sqrt(n + 3)*log(2 + n)/4",
       [](const Complex& n) { return real(Rational(-1, 4)) * (sqrt(n + number(3)) * log(n + number(2))); },
       true},
      {"-log(1 + n)/2 - 3/(2 + n)",
       [](const Complex& n) {
         return real(Rational(-1, 2)) * log(n + number(1)) - Real(3) * inverse(n + number(2));
       },
       false},
      {"-log(log(n + 3))*2", [](const Complex& n) { return Real(-2) * log(log(n + number(3))); }, false},
  };
  return all;
}

void expect_same(const Moments& found, const MpfrMoments& other, bool mean, const std::string& what) {
  EXPECT_TRUE(found.z.overlaps(ball(other.z))) << what;
  EXPECT_TRUE(found.s.overlaps(ball(other.s))) << what;
  EXPECT_GE(found.z.relative_bits(), bits_of(kDigits)) << what;
  if (mean) {
    EXPECT_TRUE(found.d.overlaps(ball(other.d))) << what;
    EXPECT_GE(found.d.relative_bits(), bits_of(kDigits)) << what;
  }
}

TEST(SecondComputation, infinite_sums_by_abel_and_plana_in_mpfr) {
  for (const Score& score : scores()) {
    if (!score.converges) continue;
    const bool mean = score.text.find("3/2") == std::string::npos;
    const GeneralSum sum = whole_sum(score.text, 1, {true, mean}, kDigits);
    expect_same(sum.moments, abel_plana(score.value, 1, 20, std::nullopt), mean,
                score.text + " " + sum.method);
  }
}

TEST(SecondComputation, partial_sums_by_abel_and_plana_in_mpfr) {
  for (const Score& score : scores()) {
    for (const char* length : {"3000", "12345678", "1e12"}) {
      const Rational last = *Rational::parse(length);
      if (score.converges && last > Rational(10'000)) continue;  // nothing new beyond
      const GeneralSum sum = partial_sum(score.text, 1, last, kDigits);
      expect_same(sum.moments, abel_plana(score.value, 1, 20, real(last)), true,
                  score.text + " to " + length + " " + sum.method);
    }
  }
}

// The exponential-power family, by the general engine and by its own.
RC_GTEST_PROP(SecondComputation, the_family_by_abel_and_plana_in_mpfr, ()) {
  const Rational delta(*rc::gen::inRange(1, 60), *rc::gen::element(20, 3000));
  const Rational beta(*rc::gen::inRange(0, 40), 10);
  const Rational gamma(*rc::gen::inRange(0, 30), 20);
  const std::string text =
      "-(" + delta.str() + ")*n - (" + beta.str() + ")*log(1 + n) - (" + gamma.str() + ")*sqrt(n)";
  const ComplexScore value = [&](const Complex& n) {
    return Real(-real(delta)) * n - real(beta) * log(n + number(1)) - real(gamma) * sqrt(n);
  };
  static int drawn = 0;
  if (++drawn > 12) return;  // a quarter of a second each
  const MpfrMoments other = abel_plana(value, 1, 20, std::nullopt);
  const GeneralSum sum = whole_sum(text, 1, {true, true}, kDigits);
  SeriesSum general(score_of(text), 1, kDigits, gpe::testing::in_time(std::chrono::seconds(120)).question());
  const Moments by_general = general.total({true, true});
  for (const Moments& found : {sum.moments, by_general}) {
    RC_ASSERT(found.z.overlaps(ball(other.z)));
    RC_ASSERT(found.s.overlaps(ball(other.s)));
    RC_ASSERT(found.d.overlaps(ball(other.d)));
    RC_ASSERT(found.z.relative_bits() >= bits_of(kDigits));
  }
}

RC_GTEST_PROP(SecondComputation, partial_sums_in_vectorized_doubles, ()) {
  const int delta = *rc::gen::inRange(0, 40);
  const int beta = *rc::gen::inRange(-1000, 4000);
  const int gamma = *rc::gen::inRange(-20, 1000);
  const int length = *rc::gen::element(0, 7, 8, 1000, 65'537) + *rc::gen::inRange(0, 5000);
  const Family family{delta / 1024.0, beta / 1024.0, gamma / 1024.0};
  const DoubleMoments sums = double_sums(family, length);
  const std::string text = "-(" + std::to_string(delta) + "/1024)*n - (" + std::to_string(beta) +
                           "/1024)*log(1 + n) - (" + std::to_string(gamma) + "/1024)*sqrt(n)";
  const GeneralSum sum = partial_sum(text, 0, Rational(length), 25);
  const auto same = [](const Ball& found, const Bounded& other) {
    Ball near;
    arf_set_d(arb_midref(near.raw()), other.value);
    Ball error;
    arf_set_d(arb_midref(error.raw()), other.error);
    return near.is_finite() && error.is_finite() && near.widened(error).contains(found);
  };
  RC_LOG() << text << " to " << length << " " << sum.method << "\n";
  RC_ASSERT(same(sum.moments.z, sums.z));
  RC_ASSERT(same(sum.moments.s, sums.s));
  RC_ASSERT(same(sum.moments.d, sums.d));
  RC_ASSERT(sums.z.error <= 1e-10 * sums.z.value);
}

}  // namespace second_computation_test
