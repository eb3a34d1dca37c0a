// Exact limit points: as they are known, and against the values at many n.
#include "theory/asymptotics/limit_points.h"

#include <cmath>
#include <random>

#include "tests/theory/engine.h"

namespace limit_points_test {

using namespace gpe;
using gpe::testing::oracle;
using gpe::testing::parse;
using theory::Limit;

std::string points(const std::string& text) {
  const auto found = limit_points(parse(text), theory::Context(oracle()));
  if (!found) return "not known";
  const auto end = [](const theory::LimitBounds& bounds) {
    return bounds.settled() ? to_text(bounds.low) : "between bounds";
  };
  return end(found->low) + " .. " + end(found->high);
}

double value_of(const Limit& limit) { return checks::evaluate(to_expr(limit.value), {}, 64).approximate(); }

TEST(LimitPoints, of_classes_and_waves) {
  for (const auto& [text, expected] : std::vector<std::pair<const char*, const char*>>{
           {"1/n", "0 .. 0"},
           {"(-1)^n*(1 + 1/n)", "-1 .. 1"},
           {"floor(n/2) - n/2", "-1/2 .. 0"},
           {"n*(-1)^n", "-inf .. +inf"},
           {"sin(n)", "-1 .. 1"},
           {"sin(n) + 2*cos(n)", "-sqrt(5) .. sqrt(5)"},
           {"3 - 2*cos(n + 1) + sin(n)/log(n)", "1 .. 5"},
           {"sin(n) + sin(sqrt(2)*n) + 3*cos((1 + sqrt(2) + sqrt(3))*n)", "-5 .. 5"},
           {"sin(n) + cos(pi*sqrt(2)*n)", "-2 .. 2"},
           {"sin(pi*n/2) + sin(n)", "-2 .. 2"},
           {"3 + sin(n)^2", "3 .. 4"},
           {"(sin(n)^2 - 1/2)*n", "-inf .. +inf"},
           {"sin(n)*cos(sqrt(2)*n)", "-1 .. 1"},
           {"sin(2*n) - 2*sin(n)*cos(n)", "0 .. 0"},
           {"(1 + (-1)^n)*(1 + sin(n)) - 2", "-2 .. 2"},
           {"n*sin(n) - n/2 + log(n)*cos(2*n)", "-inf .. +inf"},
           // frequencies that depend on each other: one frequency, one axis, all amplitudes together
           {"sin(n) + sin(n + 1)", "-sqrt(2)*sqrt(cos(1) + 1) .. sqrt(2)*sqrt(cos(1) + 1)"},
           {"cos(n - 1) + cos(1 - n) - 2*cos(n + 1)",
            "-2*sqrt(2)*sqrt(-cos(2) + 1) .. 2*sqrt(2)*sqrt(-cos(2) + 1)"},
           {"sin(n + 1) - sin(n)*cos(1) - cos(n)*sin(1)", "0 .. 0"},
           {"sin(n) + cos(2*n)", "-2 .. 9/8"},
           {"4*sin(n) - cos(2*n)/2", "-7/2 .. 9/2"},
           {"3*sin(n) + 4*cos(n) + 10*(2*cos(n - 1)^2 - 1)", "between bounds .. between bounds"},
           {"3*cos(n + 1) - 2*cos(2*n + 2)", "-5 .. 41/16"},
           {"sin(n)*cos(n)^2", "-2/9*sqrt(3) .. 2/9*sqrt(3)"},
           {"sin(n)^3", "-1 .. 1"},
           {"cos(2*sqrt(3)*n) - cos(3*sqrt(3)*n)", "-10/27*sqrt(2)*sqrt(5) - 25/54 .. 2"},
           {"sin(n)^5", "-1 .. 1"},
           {"cos(sqrt(2)*n) + cos(2*sqrt(2)*n)/3 + sin(3*n)", "-41/24 .. 7/3"},
           {"sin((1 + pi)*n) + cos(2*n)", "-2 .. 9/8"},
           {"(-1)^n*(sin(n) + cos(2*n))", "-2 .. 2"},
           {"n*(sin(n) + cos(2*n)) + 1", "-inf .. +inf"},
           {"cos(n) + cos(sqrt(2)*n) + cos((1 + sqrt(2))*n)", "between bounds .. 3"},
           {"sin(n) + sin(sqrt(2)*n) + sin((1 + sqrt(2))*n)", "between bounds .. between bounds"},
           // on 1, or on what is not known; growth that is too slow
           {"sin((1 + pi/1000)*n) + cos(n)", "not known"},
           {"sin(log(2)*n)", "not known"},
           // one frequency, twice: the first root is that of a product whose primes are not known
           {"sin(sqrt("
            "70000000000000000000000000000000000000000870853000000000000000000000000000000000000001529997)*n)"
            " - "
            "sin(sqrt(1000000000000000000000000000000000000000012439)*sqrt("
            "70000000000000000000000000000000000000000000123)*n)",
            "not known"},
           {"sin(n^2)", "not known"},
           {"n*sin(n) + n", "not known"},
           {"n*sin(n) - 2*n + n*cos(n)", "not known"}}) {
    EXPECT_EQ(points(text), expected) << text;
  }
}

// The values at n up to 20,000 lie between the limit points, and come near them.
TEST(LimitPoints, are_approached_and_not_passed) {
  for (const char* text :
       {"sin(n)", "2*cos(n + 1) - 1/3", "sin(n)/3 - 2*cos(sqrt(2)*n)", "cos(pi*sqrt(3)*n) + sin(n/7)/2",
        "sin(pi*n/3) + cos(n) + 1", "(2 + (-1)^n)*sin(sqrt(5)*n) - 1", "(-1)^n*sin(n) + cos(2*pi*n/5)",
        "sin(n)*cos(sqrt(3)*n) - cos(sqrt(2)*n)^2"}) {
    const auto found = limit_points(parse(text), theory::Context(oracle()));
    ASSERT_TRUE(found) << text;
    double least = INFINITY;
    double largest = -INFINITY;
    const theory::Expr whole = parse(text);
    for (int n = 1; n <= 20000; ++n) {
      const double value = gpe::testing::value(whole, {{"n", theory::Rational(n)}}, 64).approximate();
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    EXPECT_NEAR(least, value_of(found->low.low), 1e-2) << text;
    EXPECT_NEAR(largest, value_of(found->high.high), 1e-2) << text;
    EXPECT_GE(least, value_of(found->low.low) - 1e-9) << text;
    EXPECT_LE(largest, value_of(found->high.high) + 1e-9) << text;
  }
}

// Random sums with frequencies a + b√2 between -3 and 3, at 400,000 n in floating point.
TEST(LimitPoints, of_random_sums_are_approached_and_not_passed) {
  std::mt19937 random(1);
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  int exact = 0;
  for (int trial = 0; trial < 60; ++trial) {
    struct Wave {
      double amplitude, frequency, phase;
    };
    std::vector<Wave> waves;
    std::string text = "0";
    const int across = draw(0, 1);  // half of the sums have one frequency and its multiples
    for (int i = draw(1, 4); i > 0; --i) {
      const int amplitude = draw(1, 6) * (2 * draw(0, 1) - 1);
      const int a = draw(1, 3);
      const int b = across * draw(-2, 2);
      const int quarters = draw(0, 3);
      const int shift = draw(0, 3) / 3;
      waves.push_back({amplitude / 2.0, a + b * std::sqrt(2.0), quarters * std::acos(0.0) + shift});
      text += " + " + std::to_string(amplitude) + "/2*cos((" + std::to_string(a) + " + " + std::to_string(b) +
              "*sqrt(2))*n + " + std::to_string(quarters) + "*pi/2 + " + std::to_string(shift) + ")";
    }
    const auto found = limit_points(parse(text), theory::Context(oracle()));
    ASSERT_TRUE(found) << text;
    double least = INFINITY;
    double largest = -INFINITY;
    for (int n = 1; n <= 400000; ++n) {
      double value = 0;
      for (const Wave& wave : waves) value += wave.amplitude * std::cos(wave.frequency * n + wave.phase);
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    EXPECT_GE(least, value_of(found->low.low) - 1e-8) << text;
    EXPECT_LE(largest, value_of(found->high.high) + 1e-8) << text;
    EXPECT_NEAR(least, value_of(found->low.high), 2e-3) << text;
    EXPECT_NEAR(largest, value_of(found->high.low), 2e-3) << text;
    exact += found->low.settled() && found->high.settled() ? 1 : 0;
  }
  EXPECT_GT(exact, 20);
}

}  // namespace limit_points_test
