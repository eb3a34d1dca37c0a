// The bounds J1 to J6 of docs/bounds.md, each from both sides: it covers what it is a bound of, and in
// a case where it is nearly attained it is not much larger, so that a wrong constant, either way, is seen.
#include <gtest/gtest.h>

#include <cmath>

#include "checks/arb/complex_ball.h"
#include "checks/arb/expr_ball.h"
#include "checks/sums/family/family_boundary.h"
#include "checks/sums/family/family_integral.h"
#include "checks/sums/family/family_tail.h"
#include "checks/sums/sums.h"
#include "checks/sums/terms.h"
#include "tests/checks/family_values.h"
#include "tests/checks/parsed.h"

using gpe::checks::Ball;
using gpe::checks::ComplexBall;
using gpe::checks::evaluate_complex;
using gpe::checks::ExponentialPower;
using gpe::checks::FamilyAim;
using gpe::checks::Integer;
using gpe::checks::Moments;
using gpe::checks::PanelShape;
using gpe::checks::sum_terms;
using gpe::testing::family;
using gpe::testing::parsed;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::Rational;

namespace family_bounds_test {

constexpr long kBits = 200;
const gpe::checks::BallOracle oracle;
const std::vector<ExponentialPower> families = {family("1/50", "0", "0"), family("0", "7/5", "0"),
                                                family("0", "0", "1/3"), family("1/300", "1/2", "1/20")};

Ball times(const Ball& x, std::int64_t numerator, std::int64_t denominator = 1) {
  return mul(x, Ball(Rational(numerator, denominator), kBits), kBits);
}

// value <= bound <= factor·value
void expect_sharp(const Ball& bound, const Ball& value, double factor, const char* what) {
  EXPECT_TRUE(value.surely_at_most(bound))
      << what << ": " << bound.approximate() << " does not cover " << value.approximate();
  EXPECT_LE(bound.approximate(), factor * value.approximate()) << what;
}

// -A(z) as an expression, and the circle |z - centre| <= radius, `count` points of it.
Expr decay_expression(const ExponentialPower& f) {
  return parsed(f.delta.str() + "*n + " + f.beta.str() + "*log(1 + n) + " + f.gamma.str() + "*sqrt(n)");
}

template <class Visit>
void around_circle(const Ball& centre, const Ball& radius, int count, const Visit& visit) {
  for (int i = 0; i < count; ++i) {
    const Ball angle = mul(times(Ball::pi(kBits), 2 * i, count), Ball(1), kBits);
    visit(ComplexBall(add(centre, mul(radius, cos(angle, kBits), kBits), kBits),
                      mul(radius, sin(angle, kBits), kBits)));
  }
}

Ball size_of(const ComplexBall& z) { return z.abs(kBits); }

ComplexBall power(const ComplexBall& e) {
  ComplexBall result;
  acb_exp(result.raw(), e.raw(), kBits);
  return result;
}

Ball largest(const Ball& a, const Ball& b) { return max(a, b, kBits); }

FamilyAim aim(double digits) { return {digits * std::log(10.0), {0, 0, 0}, {}}; }

TEST(FamilyBounds, Q1_covers_the_discs_and_is_attained_on_the_real_line) {
  for (const ExponentialPower& f : families) {
    for (const auto& radius : {Rational(19, 20), Rational(1, 3)}) {
      for (const std::int64_t x : {9, 400}) {
        const auto disc = family_disc(f, Ball(x), radius);
        Ball most_f(0);
        Ball most_a(0);
        around_circle(Ball(x), times(Ball(radius, kBits), x), 64, [&](const ComplexBall& z) {
          const ComplexBall decay = evaluate_complex(decay_expression(f), z, kBits, false);
          ComplexBall minus;
          acb_neg(minus.raw(), decay.raw());
          most_f = largest(most_f, size_of(power(minus)));
          most_a = largest(most_a, size_of(decay));
        });
        SCOPED_TRACE(gpe::testing::show(f) + " at " + std::to_string(x));
        expect_sharp(disc.size, times(most_f, 999999, 1000000), 1.000002, "G");
        expect_sharp(times(disc.slope, x), times(most_a, 999999, 1000000), 2.5, "C");
      }
    }
  }
}

TEST(FamilyBounds, Q1_bounds_the_angle_of_the_logarithm_by_a_quarter_turn) {
  // |log(1 + z)| <= log(1 + (1 + ρ)x) + π/2
  const double slope = family_disc(family("0", "2", "0"), Ball(20), Rational(1, 2)).slope.approximate();
  EXPECT_NEAR(slope, 2 * (std::log(31.0) + M_PI / 2) / 20, 1e-14);
}

TEST(FamilyBounds, Q2_is_the_integral_of_the_bound_of_the_derivatives) {
  // Where e^A is nearly 1, G = 1: then J2 is 4 (2K)!/(2πρ)^{2K} ∫_M^∞ x^{-2K}, about twice |B_2K| times it
  const ExponentialPower flat = family("0", "0", "1/1000000000000000000000000000000");
  for (const long order : {4L, 10L, 40L}) {
    for (const std::int64_t start : {9, 100}) {
      const Rational radius(4, 5);
      const Moments bound = family_remainder(flat, start, order, radius);
      Ball bernoulli;
      arb_bernoulli_ui(bernoulli.raw(), static_cast<ulong>(order), kBits);
      const Ball reach = Ball(radius * Rational(start), kBits);
      const Ball lead = div(abs(bernoulli), pow(reach, Rational(order), kBits), kBits);
      const Ball x(start);
      SCOPED_TRACE(std::to_string(order));
      expect_sharp(bound.z, times(mul(lead, x, kBits), 1, order - 1), 2.2, "Z");
      const Ball square = times(mul(lead, mul(x, x, kBits), kBits), 1, order - 2);
      expect_sharp(bound.d, mul(square, Ball(Rational(9, 5), kBits), kBits), 2.2, "D");
      const Ball slope = family_disc(flat, x, radius).slope;
      expect_sharp(bound.s, mul(square, slope, kBits), 2.2, "S");
    }
  }
}

TEST(FamilyBounds, Q2_covers_the_error_of_short_expansions) {
  for (const ExponentialPower& f : families) {
    for (const long order : {4L, 8L, 16L}) {
      const Integer start(16);
      const std::optional<Integer> end(3000);
      const Moments exact = sum_terms(-decay_expression(f), 16, 3000, 128, Context(oracle));
      const Moments integral = family_integral(f, start, end, 0, aim(25), Context(oracle));
      Moments rest = plus(family_boundary(f, start, order, -1, 128, {}, Context(oracle)),
                          family_boundary(f, *end, order, 1, 128, {}, Context(oracle)), 128);
      rest = plus(rest, integral, 128);
      const Moments bound = family_remainder(f, start, order, Rational(4, 5));
      SCOPED_TRACE(gpe::testing::show(f) + ", order " + std::to_string(order));
      EXPECT_TRUE(abs(sub(exact.z, rest.z, 128)).surely_at_most(bound.z));
      EXPECT_TRUE(abs(sub(exact.s, rest.s, 128)).surely_at_most(bound.s));
      EXPECT_TRUE(abs(sub(exact.d, rest.d, 128)).surely_at_most(bound.d));
    }
  }
}

TEST(FamilyBounds, Q3_is_the_sum_of_what_is_left_out) {
  const ExponentialPower flat = family("0", "0", "1/1000000000000000000000000000000");
  for (const long kept : {4L, 12L}) {
    const long order = kept + 40;
    const std::int64_t end = 200;
    const Rational radius(1, 2);
    const Moments bound = family_dropped_terms(flat, end, kept, order, radius);
    Ball sum(0);
    for (long k = kept / 2 + 1; 2 * k <= order; ++k) {
      Ball term;
      arb_bernoulli_ui(term.raw(), static_cast<ulong>(2 * k), kBits);
      sum =
          add(sum, div(times(abs(term), 1, 2 * k), pow(Ball(100), Rational(2 * k - 1), kBits), kBits), kBits);
    }
    expect_sharp(bound.z, sum, 2.3, "Z");
    expect_sharp(bound.d, times(sum, 3 * end, 2), 2.3, "D");
    expect_sharp(bound.s, mul(times(sum, end), family_disc(flat, Ball(end), radius).slope, kBits), 2.3, "S");
  }
  EXPECT_FALSE(family_dropped_terms(flat, 10, 4, 100, Rational(1, 2)).z.is_finite());
}

TEST(FamilyBounds, Q4_covers_the_discs_and_is_nearly_attained) {
  const Expr h = parsed("exp(-(d*n^2 + g*n) - b*log(1 + n^2))", {"d", "b", "g"});
  for (const ExponentialPower& f : families) {
    for (const int disc : {97, 70, 30}) {
      const std::int64_t c = 40;
      const Moments bound = panel_size(f, c, disc);
      Ball most[3] = {Ball(0), Ball(0), Ball(0)};
      around_circle(Ball(c), times(Ball(c), disc, 100), 360, [&](const ComplexBall& t) {
        const Expr decay =
            parsed(f.delta.str() + "*n^2 + " + f.gamma.str() + "*n + " + f.beta.str() + "*log(1 + n^2)");
        const ComplexBall a = evaluate_complex(decay, t, kBits, false);
        ComplexBall minus;
        acb_neg(minus.raw(), a.raw());
        const Ball size = times(mul(size_of(t), size_of(power(minus)), kBits), 2);
        most[0] = largest(most[0], size);
        most[1] = largest(most[1], mul(size, size_of(a), kBits));
        most[2] = largest(most[2], mul(size, mul(size_of(t), size_of(t), kBits), kBits));
      });
      SCOPED_TRACE(gpe::testing::show(f) + ", disc " + std::to_string(disc));
      EXPECT_TRUE(most[0].surely_at_most(bound.z));
      EXPECT_TRUE(most[1].surely_at_most(bound.s));
      EXPECT_TRUE(most[2].surely_at_most(bound.d));
    }
  }
  // the three factors, each where it is attained: at the least real part of t², at the left end, at the right
  // end
  const auto quotient = [](const ExponentialPower& f, int disc) {
    const ExponentialPower none = family("0", "0", "1/1000000000000000000000000000000");
    return div(panel_size(f, 40, disc).z, panel_size(none, 40, disc).z, kBits);
  };
  for (const int disc : {97, 70, 30}) {
    const double theta = disc / 100.0;
    // Re t² is least at t = c(1 - 1/2 + i·sqrt(θ² - 1/4)) or at the left end
    const double least =
        disc >= 50 ? 1600 * (0.25 - (theta * theta - 0.25)) : 1600 * (1 - theta) * (1 - theta);
    EXPECT_NEAR(quotient(family("1/100", "0", "0"), disc).approximate(), std::exp(-least / 100),
                1e-9 * std::exp(-least / 100));
    const double left = 40 * (1 - theta);
    EXPECT_NEAR(quotient(family("0", "0", "1/5"), disc).approximate(), std::exp(-left / 5), 1e-9);
    const double attained = std::pow(1 + left * left, -2.0);
    expect_sharp(
        quotient(family("0", "2", "0"), disc),
        times(Ball(Rational(static_cast<std::int64_t>(attained * 1e15), 1000000000000000), kBits), 999, 1000),
        4.2, "beta");
  }
  const double b = 40 * 1.3;
  const Moments logarithm = panel_size(family("0", "2", "0"), 40, 30);
  EXPECT_NEAR(div(logarithm.s, logarithm.z, kBits).approximate(), 2 * (std::log1p(b * b) + M_PI), 1e-9);
  EXPECT_NEAR(panel_size(family("0", "0", "1/1000000000000000000000000000000"), 40, 30).z.approximate(),
              2 * b, 1e-6);
  EXPECT_NEAR(panel_size(family("0", "0", "1/1000000000000000000000000000000"), 40, 30).d.approximate(),
              2 * b * b * b, 1e-3);
}

TEST(FamilyBounds, Q4_covers_what_short_series_leave_out) {
  for (const ExponentialPower& f : families) {
    const PanelShape fine{30, 10, 97, 400, 800};
    const Moments exact = panel_integral(f, fine, {});
    for (const long terms : {6L, 20L, 60L}) {
      SCOPED_TRACE(gpe::testing::show(f) + ", " + std::to_string(terms) + " terms");
      const PanelShape rough{30, 10, 90, terms, 800};
      const Moments part = panel_integral(f, rough, {});
      EXPECT_TRUE(gpe::testing::agree(part, exact));
      // the truncation bound is the radius, and the midpoints are within it
      const Moments bound = panel_truncation(f, rough, Ball(10));
      EXPECT_TRUE(abs(sub(part.z.mid(), exact.z, 800)).surely_at_most(times(bound.z, 1000001, 1000000)));
      EXPECT_TRUE(part.z.overlaps(exact.z));
    }
  }
  // the geometric series: 2u·size·(u/θc)^n/((n + 1)(1 - u/θc)), u = 10, θc = 27
  const ExponentialPower f = families.back();
  const double size = panel_size(f, 30, 90).z.approximate();
  const double expected = 20 * size * std::pow(10.0 / 27, 12) / (13 * (1 - 10.0 / 27));
  EXPECT_NEAR(panel_truncation(f, {30, 10, 90, 12, 100}, Ball(10)).z.approximate(), expected,
              1e-9 * expected);
  EXPECT_FALSE(panel_truncation(f, {30, 10, 30, 12, 100}, Ball(10)).z.is_finite());
}

TEST(FamilyBounds, Q5_is_exact_for_a_line_and_for_a_root) {
  for (const ExponentialPower& f : families) {
    if (f.delta.is_zero() && f.gamma.is_zero()) continue;
    const Integer x(2500);
    FamilyAim precise = aim(20);
    const Moments bound = tail_of_integral(f, x.ball(), Ball(50));
    precise.scale = {std::log(bound.z.approximate()), std::log(bound.s.approximate()),
                     std::log(bound.d.approximate())};
    const Moments exact = family_integral(f, x, std::nullopt, 5000, precise, Context(oracle));
    const bool alone = f.beta.is_zero();
    SCOPED_TRACE(gpe::testing::show(f));
    const double factor = alone ? 1.0000001 : 1.6;
    expect_sharp(bound.z, times(exact.z, 99999999, 100000000), factor, "Z");
    expect_sharp(bound.d, times(exact.d, 99999999, 100000000), factor, "D");
    // -A(y)/y falls: exact for a line
    expect_sharp(bound.s, times(neg(exact.s), 99999999, 100000000), f.gamma.is_zero() && alone ? factor : 1.9,
                 "S");
    const Moments sum = tail_of_sum(f, x);
    const Moments terms = sum_terms(-decay_expression(f), 2500, 40000, 100, Context(oracle));
    expect_sharp(sum.z, times(terms.z, 99999999, 100000000), 1.7, "tail of Z");
    expect_sharp(sum.d, times(terms.d, 99999999, 100000000), 1.7, "tail of D");
    expect_sharp(sum.s, times(neg(terms.s), 99999999, 100000000), 2.0, "tail of S");
  }
  EXPECT_FALSE(tail_of_integral(family("0", "5", "0"), Ball(100), Ball(10)).z.is_finite());
  // n f(n) still grows at 10: no bound of D
  EXPECT_FALSE(tail_of_sum(family("1/1000", "0", "0"), 10).d.is_finite());
  EXPECT_TRUE(tail_of_sum(family("1/1000", "0", "0"), 10).z.is_finite());
}

TEST(FamilyBounds, Q6_agrees_with_quadrature_by_panels) {
  // the closed form at gamma = 0, and panels at a gamma so small that nothing changes
  for (const char* beta : {"1/2", "1", "3/2", "2", "1000001/1000000", "5"}) {
    const Moments closed =
        family_integral(family("0", beta, "0"), 10, Integer(5000), 0, aim(30), Context(oracle));
    const ExponentialPower nearly = family("0", beta, "1/10000000000000000000000000000000000000000000000000");
    const Moments panels = family_integral(nearly, 10, Integer(5000), 0, aim(60), Context(oracle));
    const Ball slack(Rational(10).pow(-40), 64);
    SCOPED_TRACE(beta);
    EXPECT_TRUE(closed.z.widened(slack).overlaps(panels.z));
    EXPECT_TRUE(closed.s.widened(slack).overlaps(panels.s));
    EXPECT_TRUE(closed.d.widened(slack).overlaps(panels.d));
    EXPECT_GE(closed.z.relative_bits(), 100);
    EXPECT_GE(panels.s.relative_bits(), 100);
  }
}

}  // namespace family_bounds_test
