// Bound T7 of docs/bounds.md: integrals whose values are known otherwise.
#include "checks/sums/double_exponential.h"

#include <acb_hypgeom.h>
#include <arb_hypgeom.h>
#include <gtest/gtest.h>

#include "tests/checks/sum_tools.h"

using namespace gpe::checks;
using namespace gpe::testing;
using gpe::theory::Context;
using gpe::theory::Rational;

namespace double_exponential_test {

constexpr long kBits = 900;

// Γ(s, x)
Ball upper_gamma(const Rational& s, const Ball& x) {
  Ball result;
  arb_hypgeom_gamma_upper(result.raw(), Ball(s, kBits).raw(), x.raw(), 0, kBits);
  return result;
}

struct Question {
  const char* exponent;  // of v, written n
  const char* factor;    // or null
  Rational from;
  Rational cut;
  Ball rest;
  Ball truth;
};

std::optional<Ball> answer(const Question& q, long accuracy, const Context& context) {
  Integrand integrand{score_of(q.exponent), std::nullopt, &context};
  if (q.factor != nullptr) integrand.factor = score_of(q.factor);
  return double_exponential(integrand, Ball(q.from, kBits), q.cut, q.rest,
                            {kBits, accuracy, abs(q.truth).lower(64)});
}

Ball tail(const Rational& cut) { return exp(Ball(-cut, 64), 64); }

// The integral contains the truth and nothing far from it.
void expect_enclosed(const Question& q, long accuracy, const Context& context) {
  const auto found = answer(q, accuracy, context);
  ASSERT_TRUE(found) << q.exponent;
  EXPECT_TRUE(found->overlaps(q.truth)) << q.exponent << " to " << accuracy << " bits";
  EXPECT_GT(found->relative_bits(), accuracy - 6) << q.exponent;
}

TEST(DoubleExponential, A_known_integral_is_enclosed_to_the_bits_that_were_asked_for) {
  const Context context = patient_context();
  const Rational cut(600);
  for (const long accuracy : {12, 30, 64, 200, 500, 800}) {
    for (const Rational& from : {Rational(1, 16), Rational(1), Rational(7)}) {
      const Ball start(from, kBits);
      expect_enclosed({"-n", nullptr, from, cut, tail(cut), exp(neg(start), kBits)}, accuracy, context);
      expect_enclosed({"-n", "n", from, cut, mul(Ball(601), tail(cut), 64), upper_gamma(Rational(2), start)},
                      accuracy, context);
      // a branch point at 0, as near as 1/16 behind the start
      expect_enclosed({"-n + log(n)/2", nullptr, from, cut, mul(Ball(25), tail(cut), 64),
                       upper_gamma(Rational(3, 2), start)},
                      accuracy, context);
      // ∫ e^{v - e^{v/3}} dv = 3 Γ(3, e^{V/3})
      expect_enclosed(
          {"n - exp(n/3)", nullptr, from, Rational(24), tail(cut),
           mul(Ball(3), upper_gamma(Rational(3), exp(Ball(from / Rational(3), kBits), kBits)), kBits)},
          accuracy, context);
    }
  }
}

// ∫_V^∞ e^{-v}/((v - 3)² + ε²) dv = Im(e^{-z} E_1(V - z))/ε, z = 3 + εi: the nearer the poles, the narrower
// the strip.
TEST(DoubleExponential, Poles_beside_the_half_line_cost_nodes_and_not_truth) {
  const Context context = patient_context();
  int found = 0;
  for (const Rational& epsilon :
       {Rational(5), Rational(2), Rational(1), Rational(1, 2), Rational(1, 20), Rational(1, 1000)}) {
    const ComplexBall z(Ball(3), Ball(epsilon, kBits));
    ComplexBall value(sub(Ball(1), Ball(3), kBits), neg(Ball(epsilon, kBits)));
    acb_hypgeom_expint(value.raw(), ComplexBall(Ball(1)).raw(), value.raw(), kBits);  // E_1
    ComplexBall scale = z;
    acb_neg(scale.raw(), scale.raw());
    acb_exp(scale.raw(), scale.raw(), kBits);
    acb_mul(value.raw(), value.raw(), scale.raw(), kBits);
    Ball truth;
    arb_set(truth.raw(), acb_imagref(value.raw()));
    truth = div(truth, Ball(epsilon, kBits), kBits);
    const std::string factor = "1/((n - 3)^2 + (" + epsilon.str() + ")^2)";
    const Question question{"-n", factor.c_str(), Rational(1), Rational(600), tail(Rational(600)), truth};
    const auto enclosed = answer(question, 300, context);
    if (!enclosed) continue;
    ++found;
    EXPECT_TRUE(enclosed->overlaps(truth)) << epsilon.str();
    EXPECT_GT(enclosed->relative_bits(), 290) << epsilon.str();
  }
  EXPECT_GE(found, 3);
}

TEST(DoubleExponential, A_cut_before_the_integrand_is_small_is_answered_with_nothing) {
  const Context context = patient_context();
  EXPECT_FALSE(answer({"-n", nullptr, Rational(1), Rational(20), tail(Rational(20)), exp(Ball(-1), kBits)},
                      200, context));
}

}  // namespace double_exponential_test
