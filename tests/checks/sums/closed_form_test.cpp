#include "checks/sums/closed_form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/checks/parsed.h"
#include "tests/generators/rational.h"

using gpe::checks::Ball;
using gpe::checks::closed_form;
using gpe::checks::ClosedForm;
using gpe::checks::evaluate;
using gpe::checks::Moments;
using gpe::testing::parsed;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::Rational;

namespace closed_form_test {

constexpr long kBits = 200;
const gpe::checks::BallOracle oracle;

std::optional<ClosedForm> closed(const Expr& score, std::int64_t first = 0) {
  return closed_form(score, first, kBits, Context(oracle));
}
std::optional<ClosedForm> closed(const std::string& score, std::int64_t first = 0) {
  return closed(parsed(score), first);
}

// -beta log(1 + n)
Expr power_law(const Rational& beta) { return -Expr(beta) * log(Expr(1) + Expr::symbol("n")); }

Moments terms(const Expr& expression, std::int64_t first, std::int64_t last) {
  Moments result;
  for (std::int64_t n = first; n <= last; ++n) {
    const Ball a = evaluate(expression, {{"n", Ball(n)}}, kBits);
    const Ball w = exp(a, kBits);
    result.z = add(result.z, w, kBits);
    result.s = add(result.s, mul(a, w, kBits), kBits);
    result.d = add(result.d, mul(Ball(n), w, kBits), kBits);
  }
  return result;
}

// The sum is `part` and between 0 and `rest` more.
bool lies_above(const Ball& whole, const Ball& part, const Ball& rest) {
  return whole.overlaps(Ball::hull(part, add(part, rest, kBits), kBits));
}

RC_GTEST_PROP(ClosedForm, with_a_linear_part_it_is_the_sum_of_its_terms, ()) {
  const Rational delta(*rc::gen::inRange<std::int64_t>(10, 400), 100);
  const Rational beta(*rc::gen::inRange<std::int64_t>(-30, 31), 10);
  const Rational offset = *rc::gen::element(Rational(0), Rational(0), Rational(2), Rational(-7, 3));
  const auto first = *rc::gen::element<std::int64_t>(0, 0, 1, 13);
  const Expr score = Expr(offset) - Expr(delta) * Expr::symbol("n") + power_law(beta);
  const auto found = closed(score, first);
  RC_ASSERT(found.has_value());
  // Beyond N = 1200 every term is below e^-40 and falls by e^(-delta/2) at least each step, |A| and n
  // included.
  const std::int64_t last = 1200;
  const Moments direct = terms(score, first, last);
  const Ball rest = exp(Ball(-40), kBits);
  RC_ASSERT(lies_above(found->moments.z, direct.z, rest));
  RC_ASSERT(lies_above(found->moments.d, direct.d, rest));
  RC_ASSERT(found->moments.s.overlaps(direct.s.widened(rest)));
  RC_ASSERT(found->moments.z.relative_bits() > kBits - 60);
  RC_ASSERT(found->moments.s.relative_bits() > kBits - 80);
}

RC_GTEST_PROP(ClosedForm, of_powers_it_lies_between_integrals, ()) {
  const Rational beta(*rc::gen::inRange<std::int64_t>(21, 60), 20);
  const auto first = *rc::gen::element<std::int64_t>(0, 0, 3, 1000);
  const Expr power = power_law(beta);
  const auto found = closed(power, first);
  RC_ASSERT(found.has_value());
  RC_ASSERT(found->name == "zeta function");
  // Σ_{n >= M} (1+n)^-b lies between the integrals from M and from M - 1: (1+M)^(1-b)/(b-1) and M^(1-b)/(b-1)
  const std::int64_t cut = first + 300;
  const Moments direct = terms(power, first, cut - 1);
  const auto integral = [&](std::int64_t from, const Rational& exponent) {
    return div(pow(Ball(from), Rational(1) - exponent, kBits), Ball(exponent - 1, kBits), kBits);
  };
  RC_ASSERT(add(direct.z, integral(cut + 1, beta), kBits).surely_at_most(found->moments.z));
  RC_ASSERT(found->moments.z.surely_at_most(add(direct.z, integral(cut, beta), kBits)));
  if (beta > Rational(2)) {  // n (1+n)^-b = (1+n)^(1-b) - (1+n)^-b
    RC_ASSERT(found->moments.d.surely_at_most(add(direct.d, integral(cut, beta - 1), kBits)));
    RC_ASSERT(direct.d.surely_less(found->moments.d));
  } else {
    RC_ASSERT(!found->moments.d.is_finite());
  }
  RC_ASSERT(found->moments.s.surely_less(direct.s));  // A < 0: the rest is negative
}

TEST(ClosedForm, shifting_the_score_scales_the_sums) {
  for (const char* score : {"-n/3", "-2*log(1 + n)", "-n/7 - log(1 + n)/2"}) {
    const Moments plain = closed(score)->moments;
    const Moments shifted = closed(log(Expr(5)) + parsed(score))->moments;
    EXPECT_TRUE(shifted.z.overlaps(mul(Ball(5), plain.z, kBits))) << score;
    EXPECT_TRUE(shifted.s.overlaps(
        mul(Ball(5), add(plain.s, mul(log(Ball(5), kBits), plain.z, kBits), kBits), kBits)))
        << score;
  }
}

TEST(ClosedForm, knows_its_kinds_however_they_are_written) {
  const auto name = [](const std::string& score) {
    const auto found = closed(score);
    return found ? found->name : "none";
  };
  EXPECT_EQ(name("-n/2"), "geometric series");
  EXPECT_EQ(name("log(2) - n*log(3)"), "geometric series");
  EXPECT_EQ(name("-log(1 + n)*3/2"), "zeta function");
  EXPECT_EQ(name("-log((1 + n)^2)"), "zeta function");
  EXPECT_EQ(name("-n - log(1 + n)"), "polylogarithm");
  EXPECT_EQ(name("2*log(1 + n) - n"), "polylogarithm");
}

TEST(ClosedForm, leaves_every_other_score_alone) {
  for (const char* score : {"-sqrt(n)", "-n^2", "-log(2 + n)*2", "-n - sqrt(n)", "-log(1 + n)^2",
                            "-2*log(1 + 2*n)", "-floor(n/2)", "-n - log(1 + n) - 1/(1 + n)",
                            "-log(1 + n)*log(2 + n)", "-n*log(1 + n)", "-max(0, n - 1)"}) {
    EXPECT_FALSE(closed(score).has_value()) << score;
  }
  EXPECT_FALSE(closed("n/2").has_value());
  EXPECT_FALSE(closed("-log(1 + n)").has_value());
  EXPECT_FALSE(closed("n - 3*log(1 + n)").has_value());
  EXPECT_FALSE(closed("-n - log(1 + n)", 1000000000).has_value());  // everything would cancel
}

}  // namespace closed_form_test
