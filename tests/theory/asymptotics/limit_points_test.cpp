// Exact limit points: as they are known, and against the values at many n.
#include "theory/asymptotics/limit_points.h"

#include <cmath>

#include "tests/theory/engine.h"

namespace {

using namespace gpe;
using gpe::testing::oracle;
using gpe::testing::parse;
using theory::Limit;

std::string points(const std::string& text) {
  const auto found = limit_points(parse(text), theory::Context(oracle()));
  return found ? to_text(found->low) + " .. " + to_text(found->high) : "not known";
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
           // frequencies that depend on each other, on 1, or on what is not known; growth that is too slow
           {"sin(n) + cos(2*n)", "not known"},
           {"sin(n) + sin(n + 1)", "not known"},
           {"sin(n) + sin(sqrt(2)*n) + sin((1 + sqrt(2))*n)", "not known"},
           {"sin(log(2)*n)", "not known"},
           // one frequency, twice: the first root is that of a product whose primes are not known
           {"sin(sqrt("
            "70000000000000000000000000000000000000000870853000000000000000000000000000000000000001529997)*n)"
            " - "
            "sin(sqrt(1000000000000000000000000000000000000000012439)*sqrt("
            "70000000000000000000000000000000000000000000123)*n)",
            "not known"},
           {"sin(n^2)", "not known"},
           {"sin(n)^3", "not known"},
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
    EXPECT_NEAR(least, value_of(found->low), 1e-2) << text;
    EXPECT_NEAR(largest, value_of(found->high), 1e-2) << text;
    EXPECT_GE(least, value_of(found->low) - 1e-9) << text;
    EXPECT_LE(largest, value_of(found->high) + 1e-9) << text;
  }
}

}  // namespace
