// The quick sums against family_sum, and their bounds J7 to J10 of docs/bounds.md: each covers what it
// is a bound of, and is not much larger than that somewhere.
#include "checks/sums/family/family_quick.h"

#include <arb_hypgeom.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/complex_ball.h"
#include "checks/arb/expr_ball.h"
#include "checks/sums/family/family_boundary.h"
#include "checks/sums/family/family_sum.h"
#include "checks/sums/family/family_tail.h"
#include "tests/checks/family_values.h"
#include "tests/checks/parsed.h"

using gpe::checks::Ball;
using gpe::checks::BallVector;
using gpe::checks::DoubleDouble;
using gpe::checks::EndRule;
using gpe::checks::ExpMinus;
using gpe::checks::ExponentialPower;
using gpe::checks::FamilyExponents;
using gpe::checks::FamilyNode;
using gpe::checks::FamilyPoint;
using gpe::checks::Moments;
using gpe::checks::PanelRule;
using gpe::checks::QuickFamily;
using gpe::checks::QuickSums;
using gpe::theory::Context;
using gpe::theory::Rational;

namespace family_quick_test {

constexpr long kBits = 400;
const gpe::checks::BallOracle oracle;

const QuickFamily& quick() {
  static const QuickFamily result;
  return result;
}

Ball exactly(double value) {
  Ball result;
  arb_set_d(result.raw(), value);
  return result;
}
Ball exactly(const DoubleDouble& value) { return add(exactly(value.high), exactly(value.low), kBits); }

Rational rational(double value) {
  Rational result;
  arf_t exact;
  arf_init(exact);
  arf_set_d(exact, value);
  arf_get_fmpq(result.raw(), exact);
  arf_clear(exact);
  return result;
}

Ball entry(const BallVector& vector, long i) {
  Ball result;
  arb_set(result.raw(), vector.at(i));
  return result;
}

Ball whole_power(const Ball& x, long n) {
  Ball result;
  arb_pow_ui(result.raw(), x.raw(), static_cast<ulong>(n), kBits);
  return result;
}

ExponentialPower exact(const FamilyExponents& f) {
  return {rational(f.delta), rational(f.beta), rational(f.gamma)};
}

// |value - middle| <= error, `value` known to far more digits
bool within(const Ball& value, const Ball& middle, double error) {
  return abs(sub(value, middle, kBits)).surely_at_most(exactly(error));
}

std::string show(const FamilyExponents& f) { return gpe::testing::show(exact(f)); }

// log-uniform between 10^-smallest and 1, or 0; never a number that only a decimal can be
rc::Gen<double> exponent(double smallest) {
  return rc::gen::map(rc::gen::inRange<std::int64_t>(0, std::int64_t{5} << 40), [=](std::int64_t x) {
    constexpr std::int64_t kFifth = std::int64_t{1} << 40;
    return x < kFifth ? 0.0 : std::pow(10, -smallest * static_cast<double>(x - kFifth) / (4.0 * kFifth));
  });
}

rc::Gen<FamilyExponents> families(double smallest) {
  return rc::gen::suchThat(rc::gen::apply(
                               [](double d, double b, double g) {
                                 return FamilyExponents{d, b, g};
                               },
                               exponent(smallest), exponent(smallest), exponent(smallest)),
                           [](const FamilyExponents& f) { return f.delta > 0 || f.gamma > 0; });
}

void check_against_family_sum(const FamilyExponents& f) {
  const auto sums = quick()(f);
  const auto moments = quick().moments(f);
  RC_ASSERT(sums.has_value());
  const Moments m = family_sum(exact(f), 0, std::nullopt, {true, false}, 40, Context(oracle)).value().moments;
  RC_ASSERT(within(m.z, exactly(moments->z), moments->z_error));
  RC_ASSERT(within(neg(m.s), exactly(moments->e), moments->e_error));
  RC_ASSERT(within(m.z, exactly(sums->z), sums->z_error));
  RC_ASSERT(within(entropy_of(m, kBits), exactly(sums->entropy), sums->entropy_error));
  // 15 digits
  RC_ASSERT(sums->z_error < 5e-16 * sums->z);
  RC_ASSERT(sums->entropy_error < 5e-16 * sums->entropy);
}

RC_GTEST_PROP(QuickFamily, has_fifteen_digits_of_what_family_sum_encloses, ()) {
  const FamilyExponents f = *families(6);
  RC_LOG(show(f));
  check_against_family_sum(f);
}

RC_GTEST_PROP(QuickFamily, has_them_for_slower_decays_too, ()) {
  const FamilyExponents f = *families(11);
  RC_LOG(show(f));
  check_against_family_sum(f);
}

TEST(QuickFamily, says_nothing_outside_its_hypotheses) {
  const double none = 0;
  EXPECT_FALSE(quick()({none, none, none}));
  EXPECT_FALSE(quick()({none, 3, none}));      // a zeta value
  EXPECT_FALSE(quick()({-1, none, 1}));        // grows
  EXPECT_FALSE(quick()({none, none, 1e-20}));  // too slow
  EXPECT_FALSE(quick()({1e-30, none, none}));  // below 2^-80
  EXPECT_FALSE(quick()({100, none, none}));    // too fast
  EXPECT_FALSE(quick()({std::nan(""), 1, 1}));
  EXPECT_FALSE(quick()({1, HUGE_VAL, 1}));
  EXPECT_TRUE(quick()({5, 5, 5}));
}

TEST(QuickFamily, sums_many_in_threads_as_one_by_one) {
  std::vector<FamilyExponents> all;
  for (int i = 0; i < 101; ++i) all.push_back({i % 7 == 0 ? 0 : 1.0 / (1 + i), 0.01 * i, 1.0 / (3 + i)});
  std::vector<std::optional<QuickSums>> sums(all.size());
  quick().all(all, sums, 3);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto one = quick()(all[i]);
    ASSERT_TRUE(one && sums[i]);
    EXPECT_EQ(one->z, sums[i]->z);
    EXPECT_EQ(one->entropy, sums[i]->entropy);
    EXPECT_EQ(one->entropy_error, sums[i]->entropy_error);
  }
}

TEST(QuickFamilyBounds, Q5_in_doubles_is_that_in_balls) {
  for (const FamilyExponents& f : {FamilyExponents{0.01, 0, 0}, FamilyExponents{0, 0.5, 0.2},
                                   FamilyExponents{0.001, 0.5, 0.01}, FamilyExponents{0.1, 0.1, 1e-6}}) {
    for (const auto& panel : {quick().nodes().panels[0], quick().nodes().panels[2]}) {
      const Ball x = exactly(panel.end.x);
      const Moments expected = tail_of_integral(exact(f), x, sqrt(x, kBits));
      const double decay =
          f.delta * panel.end.x.high + f.beta * panel.end.logarithm.high + f.gamma * panel.end.root.high;
      const gpe::checks::QuickErrors bound = quick_tail(f, panel.end, decay, std::exp(-decay));
      EXPECT_NEAR(bound.z / expected.z.approximate(), 1, 1e-11);
      EXPECT_NEAR(bound.e / expected.s.approximate(), 1, 1e-11);
    }
  }
}

TEST(QuickFamilyBounds, Q7_covers_the_error_of_exp) {
  const ExpMinus exp_minus;
  double worst = 0;
  std::uint64_t state = 1;
  for (int i = 0; i < 40000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double unit = static_cast<double>(state >> 11) * 0x1p-53;
    const double a = i % 2 == 0 ? ExpMinus::kLargest * unit : std::pow(2, -60 + 65 * unit);
    const DoubleDouble x{a, (unit - 0.5) * a * 0x1p-53};
    const Ball expected = exp(neg(exactly(x)), kBits);
    const Ball error = div(abs(sub(exactly(exp_minus(x)), expected, kBits)), expected, kBits);
    worst = std::max(worst, error.approximate());
  }
  EXPECT_LE(worst, ExpMinus::kError);
  EXPECT_GE(worst, ExpMinus::kError / 64);
  EXPECT_EQ(exp_minus({0, 0}).high, 1);
  EXPECT_EQ(exp_minus({0, 0}).low, 0);
}

TEST(QuickFamilyBounds, Q8_is_attained_by_the_powers_that_the_points_miss) {
  const EndRule rule;
  const Ball reach = mul(Ball(gpe::checks::end_radius(), kBits), Ball(EndRule::kStart), kBits);
  const gpe::checks::EndErrors bound = end_errors(rule);
  Ball most(0);
  for (long j = 0; j < EndRule::kOrder; ++j) {
    // L(t^j) = Σ_{n >= 0} n^j - ∫_0^∞ x^j dx, which is zeta(-j); for j = 0 with the term n = 0
    Ball expected;
    arb_set_si(expected.raw(), -j);
    arb_zeta(expected.raw(), expected.raw(), kBits);
    if (j == 0) expected = add(expected, Ball(1), kBits);
    Ball value(0);
    for (long i = 0; i < EndRule::kPoints; ++i) {
      value = add(value, mul(entry(rule.weights, i), whole_power(entry(rule.points, i), j), kBits), kBits);
    }
    EXPECT_TRUE(rule.defect(j).overlaps(sub(expected, value, kBits))) << j;
    if (j < EndRule::kPoints) {
      EXPECT_TRUE(rule.defect(j).may_be_zero()) << j;
      continue;
    }
    const Ball error = div(abs(sub(expected, value, kBits)), whole_power(reach, j), kBits);  // |f| <= 1
    EXPECT_TRUE(error.surely_at_most(bound.f)) << j;
    most = max(most, error, kBits);
  }
  EXPECT_LE(bound.f.approximate(), 2 * most.approximate());
  EXPECT_LE(bound.af.approximate(), 2 * most.approximate());
  EXPECT_TRUE(bound.f.surely_at_most(exactly(quick().nodes().end_error_f)));
  EXPECT_TRUE(bound.af.surely_at_most(exactly(quick().nodes().end_error_af)));
  // the disc ends at M - reach and M + reach
  EXPECT_TRUE(within(sub(Ball(EndRule::kStart), reach, kBits), exactly(quick().nodes().end_inner.x), 1e-30));
  EXPECT_TRUE(within(add(Ball(EndRule::kStart), reach, kBits), exactly(quick().nodes().end_outer.x), 1e-30));
  EXPECT_TRUE(reach.surely_less(Ball(EndRule::kStart)));
}

TEST(QuickFamilyBounds, Q8_covers_the_error_of_the_correction) {
  // L((1 + x)^-s) = Σ_{n >= M} (1 + n)^-s - (1 + M)^(1 - s)/(s - 1), a Hurwitz zeta value; |f| <= (1 +
  // M/10)^-s
  for (const std::int64_t s : {2, 3, 8, 30}) {
    Ball zeta;
    const Ball next(EndRule::kStart + 1);
    arb_hurwitz_zeta(zeta.raw(), Ball(s).raw(), next.raw(), kBits);
    const Ball integral = div(next, mul(Ball(s - 1), whole_power(next, s), kBits), kBits);
    Ball value(0);
    const EndRule rule;
    for (long i = 0; i < EndRule::kPoints; ++i) {
      const Ball base = add(next, entry(rule.points, i), kBits);
      value = add(value, div(entry(rule.weights, i), whole_power(base, s), kBits), kBits);
    }
    const Ball error = abs(sub(sub(zeta, integral, kBits), value, kBits));
    const Ball size = div(Ball(1), whole_power(Ball(Rational(34, 10), kBits), s), kBits);
    const Ball bound = mul(end_errors(rule).f, size, kBits);
    EXPECT_TRUE(error.surely_at_most(bound)) << s;
  }
}

TEST(QuickFamilyBounds, Q9_is_nearly_attained_by_a_chebyshev_polynomial) {
  const PanelRule rule;
  constexpr long kDegree = 2 * PanelRule::kPoints;
  Ball sum(0);
  for (long i = 0; i < PanelRule::kPoints; ++i) {
    Ball value;
    arb_chebyshev_t_ui(value.raw(), kDegree, entry(rule.points, i).raw(), kBits);
    sum = add(sum, mul(entry(rule.weights, i), value, kBits), kBits);
  }
  const Ball integral(Rational(-2, kDegree * kDegree - 1), kBits);
  const Ball error = mul(abs(sub(sum, integral, kBits)), Ball(Rational(3, 2), kBits), kBits);  // half-width
  // on the ellipse: T(2n) at its right end, (ϱ + 1/ϱ)/2 = 8/5
  Ball size;
  arb_chebyshev_t_ui(size.raw(), kDegree, Ball(Rational(8, 5), kBits).raw(), kBits);
  const Ball bound = mul(gpe::checks::panel_error(), size, kBits);
  EXPECT_TRUE(error.surely_at_most(bound));
  EXPECT_LE(bound.approximate(), 2 * error.approximate());
  EXPECT_TRUE(gpe::checks::panel_error().surely_at_most(exactly(quick().nodes().panel_error)));
}

TEST(QuickFamilyBounds, Q9_holds_on_the_ellipse) {
  // x = a(5/2 + (3/2)(8/5 cos φ + i sqrt(39)/5 sin φ)): its leftmost point is a/10, and |x| <= 49a/10
  const Ball a(96);
  for (int i = 0; i < 64; ++i) {
    const Ball angle = div(mul(Ball::pi(kBits), Ball(2 * i), kBits), Ball(64), kBits);
    const Ball re = mul(
        a,
        add(Ball(Rational(5, 2), kBits), mul(Ball(Rational(12, 5), kBits), cos(angle, kBits), kBits), kBits),
        kBits);
    const Ball im = mul(mul(a, Ball(Rational(3, 10), kBits), kBits),
                        mul(sqrt(Ball(39), kBits), sin(angle, kBits), kBits), kBits);
    const gpe::checks::ComplexBall z(re, im);
    Ball size = sqrt(add(mul(re, re, kBits), mul(im, im, kBits), kBits), kBits);
    EXPECT_TRUE(size.surely_at_most(mul(a, Ball(Rational(4900001, 1000000), kBits), kBits)));
    EXPECT_TRUE(mul(a, Ball(Rational(99999, 1000000), kBits), kBits).surely_at_most(re));
  }
  const auto& panel = quick().nodes().panels.at(1);
  EXPECT_TRUE(within(Ball(Rational(96, 10), kBits), exactly(panel.leftmost.x), 1e-28));
  EXPECT_TRUE(within(Ball(Rational(49 * 96, 10), kBits), exactly(panel.farthest.x), 1e-25));
  EXPECT_EQ(panel.end.x.high, 4 * 96);
  EXPECT_EQ(panel.length, 96);
}

TEST(QuickFamilyBounds, Q10_covers_the_rounding) {
  // the same points and weights in balls: what differs is rounding, the truncations being the same
  double worst = 0;
  for (const FamilyExponents& f :
       {FamilyExponents{1e-3, 0.3, 0.02}, FamilyExponents{0.7, 0, 0}, FamilyExponents{0, 0.9, 1e-5}}) {
    Ball z(1);
    Ball size(1);
    const auto over = [&](const std::vector<FamilyNode>& nodes) {
      for (const FamilyNode& node : nodes) {
        const auto part = [&](double exponent, const DoubleDouble& x) {
          return mul(exactly(exponent), exactly(x), kBits);
        };
        const FamilyPoint& p = node.point;
        const Ball a =
            add(add(part(f.delta, p.x), part(f.beta, p.logarithm), kBits), part(f.gamma, p.root), kBits);
        const Ball term = mul(exactly(node.weight), exp(neg(a), kBits), kBits);
        z = add(z, term, kBits);
        size = add(size, abs(term), kBits);
      }
    };
    const auto& nodes = quick().nodes();
    over(nodes.terms);
    over(nodes.correction);
    const auto m = quick().moments(f);
    ASSERT_TRUE(m);
    double nearest = HUGE_VAL;
    for (const auto& panel : nodes.panels) {  // as many panels as it took
      over(panel.nodes);
      const Ball difference = abs(sub(exactly(m->z), z, kBits));
      nearest = std::min(nearest, div(difference, size, kBits).approximate());
      if (panel.length > 1e18) break;
    }
    EXPECT_LE(nearest, gpe::checks::kRoundingError);
    worst = std::max(worst, nearest);
  }
  EXPECT_GE(worst, gpe::checks::kRoundingError / 4096);
}

}  // namespace family_quick_test
