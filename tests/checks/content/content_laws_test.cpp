// Laws of contents: moments and tails on spheres, sums over them, growth laws; floating-point formats.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "checks/arb/decimal.h"
#include "checks/content/dtype_limit.h"
#include "checks/content/frozen_pair.h"
#include "checks/content/growth_error.h"
#include "checks/content/sphere.h"
#include "tests/checks/law_of.h"
#include "tests/in_time.h"
#include "theory/exact/form_expr.h"
#include "theory/score/sphere_law.h"

namespace content_laws_test {

using namespace gpe;
using checks::Ball;
using checks::BigCount;
using gpe::testing::law_of;
using gpe::testing::oracle;
using theory::Rational;

const theory::Context kTime = gpe::testing::in_time(std::chrono::seconds(20));
constexpr int kDigits = 15;

// ∫ g(x) (1-x²)^((d-3)/2) dx over [-1, 1], normalized, by the trapezoidal rule in x = sin t.
template <class G>
double over_sphere(int d, const G& g) {
  double sum = 0;
  double total = 0;
  const int steps = 20000;
  for (int i = 1; i < steps; ++i) {
    const double t = -M_PI / 2 + M_PI * i / steps;
    const double w = std::pow(std::cos(t), d - 2);
    sum += w * g(std::sin(t));
    total += w;
  }
  return sum / total;
}

TEST(Sphere, moments_and_generating_function_are_integrals_of_the_density) {
  for (const int d : {4, 16, 64}) {
    for (const std::int64_t k : {0, 1, 2, 5}) {
      const double expected = over_sphere(d, [&](double x) { return std::pow(x, 2 * k); });
      EXPECT_NEAR(theory::sphere_moment(d, k).approximate() / expected, 1, 1e-9);
    }
    for (const double u : {0.5, 3.0, 20.0}) {
      Ball ball;
      arf_set_d(arb_midref(ball.raw()), u);
      EXPECT_NEAR(checks::sphere_mgf(ball, d, 128).approximate() /
                      over_sphere(d, [&](double x) { return std::exp(u * x); }),
                  1, 1e-9);
      EXPECT_NEAR(checks::sphere_mgf_slope(ball, d, 128).approximate() /
                      over_sphere(d, [&](double x) { return x * std::exp(u * x); }),
                  1, 1e-9);
      double series = 0;
      for (int k = 0; k < 60; ++k)
        series += theory::sphere_mgf_coefficient(d, k).approximate() * std::pow(u, 2 * k);
      EXPECT_NEAR(checks::sphere_mgf(ball, d, 128).approximate() / series, 1, 1e-12);
    }
  }
}

// docs/compare.md: n = 1, C1 = .01, m = 1/16, β = γ = .1, λ = .01, d = 64: APE .0250, ALiBi .2830.
TEST(Sphere, probabilities_of_a_score_are_those_of_the_audit) {
  const theory::ScoreFunction ape = law_of("-n/16 - log(1+n)/10 - sqrt(n)/10", "1/(1+n/100)");
  const theory::ScoreFunction alibi = law_of("-n/16");
  EXPECT_NEAR(checks::probability_at_least(ape, Rational(1), Rational(1), Rational(1, 100), 128, oracle())
                  .approximate(),
              .0250, 5e-5);
  EXPECT_NEAR(checks::probability_at_least(alibi, Rational(1), Rational(1), Rational(1, 100), 128, oracle())
                  .approximate(),
              .2830, 5e-5);
  EXPECT_TRUE(checks::probability_at_least(ape, Rational(1), Rational(400), Rational(1, 100), 128, oracle())
                  .surely_zero());
  for (const auto& [bias, all] :
       {std::pair("1 - n/10^60", 0), {"1 + n/10^60", 1}, {"n", 1}})  // a gap too small to see
    EXPECT_TRUE(
        checks::probability_at_least(law_of(bias, "0"), Rational(1), Rational(1), Rational(1), 64, oracle())
            .contains(Rational(all)))
        << bias;
}

TEST(Sphere, scores_are_asked_for_where_a_key_is_seen) {
  theory::ScoreFunction law = law_of("-n/4");
  law.first = 2;
  law.window = 3;  // 2, 3 and 4
  for (const int n : {1, 2, 4, 5}) {
    const auto asked = [&] { return checks::deviation_at(law, Rational(1), Rational(n), 64); };
    const auto likely = [&] {
      return checks::probability_at_least(law, Rational(1), Rational(n), Rational(1), 64, oracle());
    };
    if (n == 2 || n == 4) {
      EXPECT_TRUE(asked().contains(Rational(1, 8)) && likely().is_finite()) << n;  // 1/sqrt(64)
    } else {
      EXPECT_THROW(asked(), theory::Undecided);
      EXPECT_THROW(likely(), theory::Undecided);
    }
  }
}

// Var A(n) = f² s² ‖W‖_F²/d² for W that shrink and that stretch each block by its own factor, by Monte Carlo.
TEST(Sphere, variance_of_a_score_is_by_the_frobenius_norm) {
  constexpr int d = 8;
  constexpr double n = 3;
  const theory::Expr j = theory::Expr::symbol("j");
  const theory::Expr distance = theory::Expr::symbol(theory::kIndex);
  theory::ScoreFunction scaled = law_of("-n", "2", "n");
  scaled.head_dim = d;
  scaled.transform = theory::Transform::scaled_rotation;
  scaled.rotation.scale = theory::exp(-distance * j / theory::Expr(4));
  theory::ScoreFunction hyperbolic = scaled;
  hyperbolic.transform = theory::Transform::hyperbolic;
  hyperbolic.hyperbolic.rate = j / theory::Expr(5);
  hyperbolic.hyperbolic.decay = theory::Expr(Rational(1, 3));
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (const theory::ScoreFunction& law : {scaled, hyperbolic}) {
    double variance = 0;
    const int samples = 300000;
    for (int i = 0; i < samples; ++i) {
      double q[d];
      double k[d];
      double qq = 0;
      double kk = 0;
      for (int m = 0; m < d; ++m) {
        q[m] = normal(random);
        k[m] = normal(random);
        qq += q[m] * q[m];
        kk += k[m] * k[m];
      }
      double dot = 0;
      for (int b = 0; b < d / 2; ++b) {
        const double shrink = std::exp(-n * b / 4.0);
        const double rate = n * b / 5.0;
        const bool turns = law.transform == theory::Transform::scaled_rotation;
        const double same = turns ? shrink * std::cos(n) : std::exp(-n / 3) * std::cosh(rate);
        const double cross = turns ? shrink * std::sin(n) : std::exp(-n / 3) * std::sinh(rate);
        dot += same * (q[2 * b] * k[2 * b] + q[2 * b + 1] * k[2 * b + 1]) +
               cross * (q[2 * b] * k[2 * b + 1] + (turns ? -1 : 1) * q[2 * b + 1] * k[2 * b]);
      }
      const double a = 2 * 1.5 * dot / std::sqrt(qq * kk);  // s = 3/2
      variance += a * a / samples;
    }
    const theory::Expr exact = theory::sphere_variance(law, theory::Expr(Rational(3, 2)));
    const Ball at = checks::evaluate(exact, {{theory::kIndex, Ball(3)}}, 128);
    EXPECT_NEAR(at.approximate() / variance, 1, 2e-2);
  }
}

TEST(Sphere, the_entropy_beside_an_infinite_sum_is_infinite_where_scores_are_bounded) {
  const auto entropy = [](const char* bias, const char* gain) {
    return checks::sphere_sums(law_of(bias, gain), Rational(1), std::nullopt, 8,
                               gpe::testing::in_time(std::chrono::seconds(5)))
        .entropy.finite;
  };
  EXPECT_EQ(entropy("-log(1+n)/2", "1/(1+n)"), checks::Finite::no);
  EXPECT_NE(entropy("n*log(2)", "1/(1+n)"), checks::Finite::no);
  EXPECT_NE(entropy("0", "n"), checks::Finite::no);
}

TEST(Sphere, sums_with_a_falling_gain_agree_with_terms_one_by_one) {
  const theory::ScoreFunction law = law_of("-n/48 - log(1+n)/10 - sqrt(n)/10", "1/(1+n/100)");
  for (const int scale : {1, 8}) {
    const checks::Sums sums = checks::sphere_sums(law, Rational(scale), {}, kDigits, kTime);
    ASSERT_EQ(sums.z.finite, checks::Finite::yes) << sums.z.reason;
    long double z = 0;
    long double s = 0;
    for (int n = 0; n < 4000; ++n) {
      const double b = -n / 48.0 - std::log1p(n) / 10 - std::sqrt(n) / 10;
      const double u = scale / (1 + n / 100.0);
      long double m = 0;
      long double slope = 0;
      long double power = 1;
      for (int k = 0; k < 60; ++k) {
        const long double c = theory::sphere_mgf_coefficient(64, k).approximate();
        m += c * power;
        slope += 2 * k * c * power;
        power *= static_cast<long double>(u) * u;
      }
      z += std::exp(static_cast<long double>(b)) * m;
      s += std::exp(static_cast<long double>(b)) * (b * m + slope);
    }
    EXPECT_NEAR(sums.z.value.approximate() / static_cast<double>(z), 1, 1e-12);
    EXPECT_NEAR(sums.entropy.value.approximate(), static_cast<double>(std::log(z) - s / z), 1e-11);
    EXPECT_GE(sums.z.value.relative_bits(), 45);
  }
}

TEST(GrowthLaw, error_is_that_of_the_law_at_a_length) {
  const theory::Context context(oracle());
  const checks::GrowthLaw flat(theory::growth_laws(law_of("0"), context));
  EXPECT_EQ(flat.z_text(5), "L");
  EXPECT_EQ(flat.entropy_text(5), "log(L)");
  const auto z = flat.z_error(Ball(11), Rational(10), 128);
  ASSERT_TRUE(z.has_value());
  EXPECT_TRUE(z->contains(Rational(1, 10)));
  const auto h = flat.entropy_error(log(Ball(11), 128), Rational(10), 128);
  ASSERT_TRUE(h.has_value());
  EXPECT_NEAR(h->approximate(), std::log(1.1), 1e-15);
  EXPECT_FALSE(checks::GrowthLaw().z_error(Ball(11), Rational(10), 128).has_value());
}

// Certified sums at 10^10, 10^20 and 10^30: what is left beside a law that is proved settles.
TEST(GrowthLaw, is_approached_far_out) {
  const auto errors = [](const std::string& bias) {
    const theory::ScoreFunction law = law_of(bias);
    const checks::GrowthLaw growth(theory::growth_laws(law, theory::Context(oracle())));
    std::vector<double> result;
    for (const int power : {10, 20, 30}) {
      const Rational length = Rational(10).pow(power);
      const checks::PartialSum sum =
          checks::enclose_partial_sum(law, length, 10, gpe::testing::in_time(std::chrono::seconds(20)));
      const auto error = growth.entropy_error(sum.entropy, length, 128);
      result.push_back(error && error->is_finite() ? error->approximate() : NAN);
    }
    return result;
  };
  for (const char* bias : {"0", "-1/2*log(1 + n)", "3*log(2 + n)", "-1/4*log(1 + n) + log(log(3 + n))",
                           "-log(1 + n)", "2 - log(5 + n) - 3/sqrt(1 + n)", "-log(2 + n) + 1/log(2 + n)^2"}) {
    const std::vector<double> e = errors(bias);
    EXPECT_LE(std::abs(e[2] - e[1]), std::abs(e[1] - e[0]) + 1e-6) << bias;
    EXPECT_LE(std::abs(e[2] - e[1]), 0.1) << bias;
  }
}

// E over independent uniform phases of the score and of its exponential, by Monte Carlo on the same
// amplitudes.
TEST(GrowthLaw, of_a_frozen_pair_is_the_mean_over_the_torus) {
  const auto growth =
      checks::frozen_growth_of(law_of("0", "2", "10000^(-2*j/d)*n"), 4, Rational(2), 128, oracle());
  ASSERT_TRUE(growth.has_value());
  const auto blocks = checks::frozen_blocks(checks::frozen_pair(4, 64), theory::Layout::half, 128);
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> phase(0, 2 * M_PI);
  double z = 0;
  double s = 0;
  const int samples = 200000;
  for (int i = 0; i < samples; ++i) {
    double a = 0;
    for (const checks::FrozenBlock& block : blocks)
      a += 4 * std::hypot(block.cosine.approximate(), block.sine.approximate()) * std::cos(phase(random));
    z += std::exp(a) / samples;
    s += a * std::exp(a) / samples;
  }
  EXPECT_NEAR(growth->z_over_length.approximate() / z, 1, 1e-2);
  EXPECT_NEAR(growth->entropy_less_log.approximate(), std::log(z) - s / z, 1e-2);
}

TEST(GrowthLaw, of_a_frozen_pair_needs_independent_turning_blocks) {
  const auto exists = [](const theory::ScoreFunction& law) {
    return checks::frozen_growth_of(law, 1, Rational(1), 128, oracle()).has_value();
  };
  EXPECT_TRUE(exists(law_of("0", "1", "10000^(-2*j/d)*n")));
  EXPECT_FALSE(exists(law_of("-n", "1", "10000^(-2*j/d)*n")));
  EXPECT_FALSE(exists(law_of("0", "1/(1+n)", "10000^(-2*j/d)*n")));
  EXPECT_FALSE(exists(law_of("0", "1", "n")));                        // one frequency for all blocks
  EXPECT_FALSE(exists(law_of("0", "1", "10000^(-2*j/d)*log(1+n)")));  // not linear
  EXPECT_FALSE(exists(law_of("0", "1", "n/(j + 2)")));                // 3·(1/3) = 2·(1/2)
  EXPECT_FALSE(exists(law_of("0", "1", "pi*n/(j + 2)")));             // periodic
  EXPECT_FALSE(exists(law_of("0", "1", "pi*n*10000^(-2*j/d)")));      // its first block is
  EXPECT_FALSE(exists(law_of("0", "1", "n*(1 + 2^(-j))")));
  EXPECT_FALSE(exists(law_of("0")));
  theory::ScoreFunction both = law_of("0", "1", "10000^(-2*j/d)*n");
  both.two_sided = true;
  EXPECT_FALSE(exists(both));
}

// Frequencies 1, 1/2: the mean of e^A over n is that over one phase, which the product of Bessel functions
// misses by far more than rounding; the enclosure contains it.
TEST(GrowthLaw, of_a_frozen_pair_encloses_the_mean_where_frequencies_are_related) {
  for (const int ratio : {2, 3, 10}) {
    const checks::FrozenPair pair = checks::frozen_pair(6, 4);
    const double scale = 3;
    const checks::FrozenGrowth growth =
        checks::frozen_growth(pair, theory::Layout::half, Ball(3), checks::Relations{Rational(ratio)}, 128);
    const auto blocks = checks::frozen_blocks(pair, theory::Layout::half, 128);
    double z = 0;
    double s = 0;
    const int points = 4000;
    for (int i = 0; i < points; ++i) {  // the trapezoidal rule is exact to rounding here
      const double phase = 2 * M_PI * i / points;
      double a = 0;
      for (std::size_t j = 0; j < blocks.size(); ++j) {
        const double turn = j == 0 ? ratio * phase : phase;
        a += scale * (blocks[j].cosine.approximate() * std::cos(turn) +
                      blocks[j].sine.approximate() * std::sin(turn));
      }
      z += std::exp(a) / points;
      s += a * std::exp(a) / points;
    }
    const auto inside = [](const Ball& ball, double value) {
      const double radius = sub(ball.upper(64), ball, 64).upper(64).approximate();
      return std::abs(ball.approximate() - value) <= radius + 1e-12;
    };
    EXPECT_TRUE(inside(growth.z_over_length, z)) << ratio;
    if (growth.entropy_less_log.is_finite()) {
      EXPECT_TRUE(inside(growth.entropy_less_log, std::log(z) - s / z)) << ratio;
    }
    const double independent =
        checks::frozen_growth(pair, theory::Layout::half, Ball(3), {}, 128).z_over_length.approximate();
    if (ratio == 2) {
      EXPECT_GT(std::abs(independent - z), 1e-3);
    }
  }
  // RoPE at d = 64: 10^(-j/8), every eighth a tenth of the one before
  const auto rope =
      checks::frozen_growth_of(law_of("0", "1", "10000^(-2*j/d)*n"), 1, Rational(2), 128, oracle());
  ASSERT_TRUE(rope.has_value());
  EXPECT_GE(proved_decimal(rope->z_over_length, 15).digits, 10);
  EXPECT_LT(proved_decimal(rope->z_over_length, 30).digits, 30);  // the relations are in the enclosure
}

TEST(FloatFormat, rounding_is_that_of_the_machine) {
  std::mt19937_64 random(5);
  const checks::FloatFormat fp32 = checks::float_format("--dtype", "fp32");
  for (int i = 0; i < 20000; ++i) {
    std::uint64_t bits = random();
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    if (i % 2 == 0)
      x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits >> 30U)), -20 - i % 160);
    if (!std::isfinite(x) || std::fabs(x) > 1e300 || std::fabs(x) < 1e-300) continue;
    Ball ball;
    arf_set_d(arb_midref(ball.raw()), x);
    const auto mine = checks::rounded(ball.ends()->low, fp32);
    const float machine = static_cast<float>(x);
    const double expected =
        std::isfinite(machine) ? static_cast<double>(machine) : std::copysign(std::ldexp(1, 128), x);
    EXPECT_EQ(mine.approximate(), expected) << x;
  }
}

TEST(DtypeLimit, is_the_first_equal_pair_in_single_precision) {
  struct Case {
    const char* bias;
    double (*b)(double);
  };
  const Case cases[] = {{"-3/10*log(1+n)", [](double n) { return -0.3 * std::log1p(n); }},
                        {"-sqrt(n)", [](double n) { return -std::sqrt(n); }},
                        {"-log(1+n/100)", [](double n) { return -std::log1p(n / 100); }}};
  for (const Case& one : cases) {
    const checks::DtypeLimit limit =
        checks::dtype_limit(law_of(one.bias), checks::float_format("--dtype", "fp32"),
                            gpe::testing::in_time(std::chrono::seconds(20)));
    long n = 0;
    while (static_cast<float>(one.b(static_cast<double>(n))) !=
           static_cast<float>(one.b(static_cast<double>(n + 1))))
      ++n;
    ASSERT_EQ(limit.bias.kind, BigCount::Kind::number) << limit.bias.reason;
    EXPECT_EQ(limit.bias.number, Rational(n)) << one.bias;
  }
  for (const auto& [name, first] :
       {std::pair("bf16", 256), std::pair("fp16", 2048), std::pair("fp32", 16777216)}) {
    const checks::DtypeLimit limit =
        checks::dtype_limit(law_of("-n/256"), checks::float_format("--dtype", name),
                            gpe::testing::in_time(std::chrono::seconds(20)));
    EXPECT_EQ(limit.bias.number, Rational(first));
  }
}

// Multiples of a power of two, with too large or too small values: -inf and -inf are not told apart, +inf and
// -inf are.
TEST(DtypeLimit, knows_overflow_and_underflow) {
  const auto limit = [](const std::string& bias, const std::string& format, std::int64_t first = 0) {
    theory::ScoreFunction law = law_of(bias);
    law.first = first;
    return checks::dtype_limit(law, checks::float_format("--dtype", format),
                               gpe::testing::in_time(std::chrono::seconds(5)))
        .bias;
  };
  EXPECT_EQ(limit("-65536*n", "fp16").number, Rational(1));
  EXPECT_EQ(limit("-32768*n", "fp16").number, Rational(2));
  EXPECT_EQ(limit("-n*2^120", "fp32").number, Rational(256));
  EXPECT_EQ(limit("-n/2^24", "fp16").number, Rational(2048));
  EXPECT_EQ(limit("-n/2^25", "fp16", 1).number, Rational(3));
  EXPECT_NE(limit("70000*(-1)^n", "fp16").kind, BigCount::Kind::number);
}

}  // namespace content_laws_test
