// Each bound of docs/bounds.md by itself: it holds, and it is so sharp somewhere that a broken constant
// shows.
#include <arb_hypgeom.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/halfline/half_line.h"
#include "checks/sums/euler_maclaurin.h"
#include "checks/sums/iterated_log_bound.h"
#include "checks/sums/simplified_exponent.h"
#include "checks/sums/tail_bounds.h"
#include "checks/sums/terms.h"
#include "tests/checks/sum_tools.h"

using namespace gpe::checks;
using namespace gpe::testing;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::Rational;

namespace bounds_test {

constexpr long kBits = 400;

Ball ratio(const Ball& a, const Ball& b) { return div(a, b, kBits); }
bool less(const Ball& a, const Rational& b) { return a.surely_less(Ball(b, kBits)); }

// ζ(s, a) for s > 1.
Ball hurwitz(const Rational& s, const Rational& a) {
  Ball result;
  arb_hurwitz_zeta(result.raw(), Ball(s, kBits).raw(), Ball(a, kBits).raw(), kBits);
  return result;
}

Ball at(const Expr& e, const Rational& n) { return evaluate(e, {{"n", Ball(n, kBits)}}, kBits); }

// |true sum| <= bound, and not by more than a factor.
void expect_sharp(const Ball& truth, const Ball& bound, const Rational& factor, const std::string& what) {
  EXPECT_TRUE(truth.surely_at_most(bound)) << what;
  EXPECT_TRUE(less(ratio(bound, truth), factor)) << what << " " << ratio(bound, truth).approximate();
}

// E1: against the remainder itself, n^-β over M … N, whose integral and sum are known.
TEST(Bounds, E1_the_remainder_of_euler_maclaurin_summation) {
  const Context context = patient_context();
  Ball sharpest(Rational(10).pow(9), kBits);
  for (const Rational& beta : {Rational(3, 2), Rational(2), Rational(5), Rational(9)}) {
    for (const std::int64_t start : {7, 20, 60}) {
      const Rational from(start);
      const Rational to = Rational(40) * from;
      const Expr score = score_of("-(" + beta.str() + ")*log(n)");
      const AnalyticTail tail = analytic_tail(score, from, 1, context);
      const Ball size = exp(at(score, from), kBits);
      for (const long accuracy : {3, 8, 15, 30, 60, 100}) {
        const EulerMaclaurinAim aim{accuracy, {size, size, size}, false, false};
        const auto plan = plan_euler_maclaurin(tail, to, aim, context);
        if (!plan) continue;
        const auto power = [&](const Rational& x) { return pow(Ball(x, kBits), Rational(1) - beta, kBits); };
        const Ball integral = div(sub(power(from), power(to), kBits), Ball(beta - Rational(1), kBits), kBits);
        Ball found = add(integral,
                         boundary_terms(score, from, plan->order, -1, false, false, kBits, context).z, kBits);
        found = add(found, boundary_terms(score, to, plan->order, 1, false, false, kBits, context).z, kBits);
        const Ball truth = sub(hurwitz(beta, from), hurwitz(beta, to + Rational(1)), kBits);
        const Ball remainder = abs(sub(truth, found, kBits));
        const std::string what = beta.str() + " from " + from.str() + ", " + std::to_string(plan->order);
        EXPECT_TRUE(remainder.surely_at_most(plan->remainder.z)) << what;
        sharpest = min(sharpest, ratio(plan->remainder.z, remainder), kBits);
      }
    }
  }
  EXPECT_TRUE(less(sharpest, Rational(300))) << sharpest.approximate();
}

// E1 again, where Cauchy's inequality loses little: e^{ε cos 2πn} is e^ε at every n, and I_0(ε) on average.
TEST(Bounds, E1_the_remainder_of_an_oscillation) {
  const Context context = patient_context();
  Ball sharpest(Rational(10).pow(9), kBits);
  for (int exponent = 3; exponent < 40; ++exponent) {
    const Rational epsilon = Rational(1, 2).pow(exponent);
    const Expr score = score_of("cos(2*pi*n)*(" + epsilon.str() + ")");
    for (const std::int64_t start : {10, 20, 40}) {
      const Rational from(start);
      const Rational to = from + Rational(1);
      const AnalyticTail tail = analytic_tail(score, from, 1, context);
      for (long accuracy = -10; accuracy < 20; ++accuracy) {
        const EulerMaclaurinAim aim{accuracy, {Ball(1), Ball(1), Ball(1)}, false, false};
        const auto plan = plan_euler_maclaurin(tail, to, aim, context);
        if (!plan) continue;
        const Ball e(epsilon, kBits);
        Ball mean;
        arb_hypgeom_bessel_i(mean.raw(), Ball(0).raw(), e.raw(), kBits);
        const Ball remainder = mul(Ball(to - from, kBits), sub(exp(e, kBits), mean, kBits), kBits);
        EXPECT_TRUE(remainder.surely_at_most(plan->remainder.z)) << exponent << " " << plan->order;
        sharpest = min(sharpest, ratio(plan->remainder.z, remainder), kBits);
      }
    }
  }
  EXPECT_TRUE(less(sharpest, Rational(300))) << sharpest.approximate();
}

// E1: the discs hold the function, out to their rims.
TEST(Bounds, E1_the_discs) {
  const Context context = patient_context();
  for (const char* text : {"-n/9", "-2*log(n)", "-sqrt(n)", "-n/50 - log(n + 1)", "n/40", "sqrt(n) - n/9"}) {
    const Expr score = score_of(text);
    const AnalyticTail tail = analytic_tail(score, Rational(30), 1, context);
    Ball sharpest(Rational(10).pow(9), kBits);
    for (const Rational& radius : {Rational(9, 10), Rational(1, 2), Rational(1, 40)}) {
      const Moments bound = disc_bounds(tail, Rational(30), Rational(31), radius);
      for (const int side : {-1, 1}) {  // on the real axis the extreme points
        const Rational x =
            side < 0 ? Rational(30) * (Rational(1) - radius) : Rational(31) * (Rational(1) + radius);
        const Ball a = at(score, x);
        const Ball f = exp(a, kBits);
        EXPECT_TRUE(f.surely_at_most(bound.z)) << text;
        EXPECT_TRUE(mul(abs(a), f, kBits).surely_at_most(bound.s)) << text;
        EXPECT_TRUE(mul(Ball(x, kBits), f, kBits).surely_at_most(bound.d)) << text;
        sharpest = min(sharpest, ratio(bound.z, f), kBits);
      }
    }
    EXPECT_TRUE(less(sharpest, Rational(3, 2))) << text << " " << sharpest.approximate();
  }
}

TEST(Bounds, E2_a_geometric_series_above_the_tail) {
  const Context context = patient_context();
  for (const char* text : {"-n", "-n/100", "-3*n", "2 - n/7"}) {
    const Expr g = score_of(text);
    for (const std::int64_t after : {3, 40, 500}) {
      const auto bound = geometric_bound(g, Rational(after), context);
      ASSERT_TRUE(bound) << text;
      const Ball r = exp(sub(at(g, Rational(1)), at(g, Rational(0)), kBits), kBits);
      const Ball truth = div(exp(at(g, Rational(after + 1)), kBits), sub(Ball(1), r, kBits), kBits);
      // with 3/4 of the slope: (e^{3} - 1)/(e^{9/4} - 1) at most
      expect_sharp(truth, *bound, Rational(5, 2), text);
      if (std::string(text) == "-n/100") expect_sharp(truth, *bound, Rational(27, 20), text);
    }
  }
  EXPECT_FALSE(geometric_bound(score_of("-sqrt(n)"), Rational(100), context));
}

// E3: f/2 and every boundary term at the far end together.
TEST(Bounds, E3_the_far_boundary) {
  const Context context = patient_context();
  for (const char* text : {"-n/1000000", "-n/100 - 1", "-3*log(n)"}) {
    const Expr score = score_of(text);
    for (const std::int64_t end : {30, 100, 3000}) {
      const AnalyticTail tail = analytic_tail(score, Rational(end), 1, context);
      const long order = std::min<long>(40, *farthest_order(Rational(end)).floor().to_int64() / 2 * 2);
      const Moments bound = far_boundary(tail, Rational(end));
      const Moments terms = boundary_terms(score, Rational(end), order, 1, true, true, kBits, context);
      const Ball f = exp(at(score, Rational(end)), kBits);
      const auto left_out = [&](const Ball& term, const Ball& value) {
        const Ball half = div(value, Ball(2), kBits);
        return add(abs(half), abs(sub(term, half, kBits)), kBits);
      };
      const Ball z = left_out(terms.z, f);
      EXPECT_TRUE(z.surely_at_most(bound.z)) << text;
      EXPECT_TRUE(left_out(terms.s, mul(at(score, Rational(end)), f, kBits)).surely_at_most(bound.s)) << text;
      EXPECT_TRUE(left_out(terms.d, mul(Ball(end), f, kBits)).surely_at_most(bound.d)) << text;
      if (std::string(text) == "-n/1000000") expect_sharp(z, bound.z, Rational(11, 10), text);
    }
  }
}

TEST(Bounds, E4_an_integral_above_the_tail) {
  const Context context = patient_context();
  for (const Rational& beta : {Rational(11, 10), Rational(2), Rational(7)}) {
    const Expr g = score_of("-(" + beta.str() + ")*log(n)");
    for (const std::int64_t after : {10, 1000}) {
      const auto bound = integral_bound(g, Rational(after), 128, context);
      ASSERT_TRUE(bound);
      // 4/3 from the slope; the sum is below its integral
      expect_sharp(hurwitz(beta, Rational(after + 1)), *bound, after == 10 ? Rational(3) : Rational(27, 20),
                   beta.str());
    }
  }
  // the tail of 1/(n log² n) is between 1/log(N + 1) and 1/log(N)
  const auto bound = integral_bound(score_of("-log(n) - 2*log(log(n))"), Rational(1000), 128, context);
  ASSERT_TRUE(bound);
  expect_sharp(div(Ball(1), log(Ball(1001), kBits), kBits), *bound, Rational(27, 20), "level 1");
  EXPECT_FALSE(integral_bound(score_of("-log(n)"), Rational(1000), 128, context));
}

TEST(Bounds, E5_a_rung_of_the_ladder_above_the_tail) {
  const Context context = patient_context();
  for (const Rational& beta : {Rational(3, 2), Rational(2), Rational(5)}) {
    const auto bound = iterated_log_bound(score_of("-(" + beta.str() + ")*log(n)"), Rational(1000), context);
    ASSERT_TRUE(bound);
    expect_sharp(hurwitz(beta, Rational(1001)), *bound, Rational(21, 20), beta.str());
  }
  const auto bound = iterated_log_bound(score_of("-log(n) - 2*log(log(n))"), Rational(1000), context);
  ASSERT_TRUE(bound);
  expect_sharp(div(Ball(1), log(Ball(1001), kBits), kBits), *bound, Rational(21, 20), "level 1");
  EXPECT_FALSE(iterated_log_bound(score_of("-log(n)"), Rational(1000), context));
}

TEST(Bounds, E6_the_terms_below_the_top_of_a_rising_score) {
  const Context context = patient_context();
  for (const char* text : {"n", "n/100", "n*log(2)", "n + sqrt(n)"}) {
    const Expr g = score_of(text);
    const auto sigma = rate_of_fall(-g, Rational(16), Ball(16), 64, context);
    ASSERT_TRUE(sigma) << text;
    for (const std::int64_t last : {40, 1000, 3000}) {
      const Moments truth = sum_terms(g, Rational(16), Rational(last), kBits, context);
      const Ball bound = rising_sum(g, *sigma, Rational(last), 128);
      EXPECT_TRUE(truth.z.surely_at_most(bound)) << text;
      if (last == 3000) expect_sharp(truth.z, bound, Rational(3, 2), text);
    }
  }
}

RC_GTEST_PROP(Bounds, E7_blocks_from_both_sides, ()) {
  const std::string text =
      *rc::gen::element<std::string>("0*n - 1", "-log(n)/2", "sin(n)/3", "-floor(log(n))",
                                     "if(n < 100, -n/10, n/1000)", "-abs(sin(n)) - 1", "-1 + sin(n)/100");
  const auto after = *rc::gen::inRange<std::int64_t>(1, 200);
  const auto last = after + *rc::gen::inRange<std::int64_t>(0, 2000);
  const Expr score = score_of(text);
  const Context context = patient_context();
  const Moments bounds = between_bounds(score, Rational(after), Rational(last), 128, context);
  const Moments truth = sum_terms(score, Rational(after + 1), Rational(last), kBits, context);
  RC_ASSERT(bounds.z.contains(truth.z));
  RC_ASSERT(bounds.s.contains(truth.s));
  RC_ASSERT(bounds.d.contains(truth.d));
  if (text == "0*n - 1" && last > after) RC_ASSERT(bounds.d.relative_bits() > 60);
  if (text == "-log(n)/2") RC_ASSERT(less(bounds.z, Rational(3, 2) * Rational(last)));
}

TEST(Bounds, I1_the_integral_beyond_a_cut) {
  const Context context = patient_context();
  struct Case {
    const char* exponent;
    std::function<Ball(const Ball&)> truth;  // ∫_V^∞
  };
  const std::vector<Case> cases = {
      {"-n", [](const Ball& v) { return exp(neg(v), kBits); }},
      {"-n/50 + 3",
       [](const Ball& v) {
         return mul(Ball(50), exp(sub(Ball(3), div(v, Ball(50), kBits), kBits), kBits), kBits);
       }},
      // ∫ v e^-v = (V + 1) e^-V
      {"log(n) - n", [](const Ball& v) { return mul(add(v, Ball(1), kBits), exp(neg(v), kBits), kBits); }},
      {"-n^2",
       [](const Ball& v) {
         Ball erfc;
         arb_hypgeom_erfc(erfc.raw(), v.raw(), kBits);
         return mul(div(sqrt(Ball::pi(kBits), kBits), Ball(2), kBits), erfc, kBits);
       }},
  };
  for (const auto& [exponent, truth] : cases) {
    for (const std::int64_t cut : {8, 50, 300}) {
      const auto bound = integral_beyond(score_of(exponent), Rational(cut), Ball(cut), 128, context);
      ASSERT_TRUE(bound) << exponent;
      expect_sharp(truth(Ball(cut)), *bound, Rational(14, 10), exponent);
    }
  }
}

// I2 and I3: the dropped terms are as small as the bound, and for some accuracy hardly smaller.
TEST(Bounds, I2_terms_dropped_from_an_exponent) {
  const Context context = patient_context();
  for (const char* text : {"-n + log(1 + exp(-n))", "-n - exp(-n)*n", "-2*n + log(1 + exp(-n) + exp(-2*n)*n)",
                           "-n + log(1 - exp(-n))"}) {
    const Expr f = score_of(text);
    Ball largest(0);
    for (long accuracy = 5; accuracy < 80; ++accuracy) {
      const auto simple = without_small_terms(f, Rational(1), Rational(1000), accuracy, context);
      ASSERT_TRUE(simple) << text << " " << accuracy;
      EXPECT_TRUE(simple->error.surely_at_most(Ball(Rational(1, 2).pow(accuracy + 3), 64)));
      for (const Rational& factor : {Rational(1), Rational(11, 10), Rational(3)}) {
        const Rational v = simple->at * factor;
        const Ball dropped = abs(sub(at(f, v), at(simple->exponent, v), kBits));
        EXPECT_TRUE(dropped.surely_at_most(simple->error)) << text << " " << accuracy;
        largest = max(largest, ratio(dropped, simple->error), kBits);
      }
    }
    EXPECT_TRUE(Ball(Rational(1, 32), kBits).surely_less(largest)) << text << " " << largest.approximate();
  }
}

TEST(Bounds, I3_the_leading_part_of_an_exponent) {
  const Context context = patient_context();
  const Expr score = score_of("-log(n) - 2*log(log(n) + 1)");
  const AnalyticTail tail = analytic_tail(score, Rational(40), 2, context);
  const Rational start = below_log(below_log(Rational(40)));
  Ball largest(0);
  for (long accuracy = 5; accuracy < 150; accuracy += 3) {
    const auto simple = leading_exponent(tail, start, accuracy, context);
    ASSERT_TRUE(simple) << accuracy;
    EXPECT_TRUE(simple->error.surely_at_most(Ball(Rational(1, 2).pow(accuracy + 3), 64)));
    // F(v) - F_0(v) with e^v digits of n: evaluated with many bits
    const long bits = 4000;
    const auto value = [&](const Expr& e) { return evaluate(e, {{"n", Ball(simple->at, bits)}}, bits); };
    const Ball dropped = abs(sub(value(tail.exponent), value(simple->exponent), bits));
    EXPECT_TRUE(dropped.surely_at_most(simple->error)) << accuracy;
    largest = max(largest, div(dropped, simple->error, bits), bits);
  }
  EXPECT_TRUE(Ball(Rational(1, 8), kBits).surely_less(largest)) << largest.approximate();
}

// I4 and I5: a score moved by as much as ε.
RC_GTEST_PROP(Bounds, L1_L2_sums_of_the_leading_part, ()) {
  const auto place = *rc::gen::inRange<std::int64_t>(0, 5000);
  const Rational epsilon = Rational(1, 2).pow(*rc::gen::inRange<std::int64_t>(1, 60));
  const std::string score =
      *rc::gen::element<std::string>("-n/40", "-log(n + 2)", "-sqrt(n)/9 - 1/7", "-n/10000000");
  const int side = *rc::gen::element(-1, 1);
  const Context context = patient_context();
  const Expr leading = score_of(score);
  const Moments of_leading = sum_terms(leading, Rational(place), Rational(place + 60), kBits, context);
  const Moments moved = sum_terms(leading + Expr(epsilon * Rational(side)), Rational(place),
                                  Rational(place + 60), kBits, context);
  const Moments bounds = with_score_error(of_leading, Ball(epsilon, kBits));
  RC_ASSERT(bounds.z.contains(moved.z));
  RC_ASSERT(bounds.s.contains(moved.s));
  RC_ASSERT(bounds.d.contains(moved.d));
  // less than a quarter of it would not do
  const Moments quarter = with_score_error(of_leading, Ball(epsilon / Rational(4), kBits));
  RC_ASSERT(!quarter.z.overlaps(moved.z));
}

}  // namespace bounds_test
