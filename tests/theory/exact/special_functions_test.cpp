// Values of special functions against mpmath's (tests/cases/make_special_golden.py), and their normal forms
// against their values.
#include "theory/exact/special_functions.h"

#include "checks/arb/decimal.h"
#include "tests/cases/csv.h"
#include "tests/theory/engine.h"
#include "theory/exact/decision.h"

namespace special_functions_test {

using gpe::checks::Ball;
using gpe::testing::agree;
using gpe::testing::form;
using gpe::testing::parse;
using gpe::theory::Rational;

constexpr long kBits = 600;

TEST(SpecialFunctions, values_are_those_of_mpmath) {
  const auto rows = gpe::testing::read_cases("special_golden.csv");
  EXPECT_GE(rows.size(), 80U);
  for (const auto& row : rows) {
    const Ball printed(*Rational::parse(row.at("value")), kBits);  // rounded to 60 digits
    const Ball error = gpe::checks::mul(gpe::checks::abs(printed), Ball(Rational(10).pow(-59), kBits), kBits);
    const Ball golden = printed.widened(gpe::checks::max(error, Ball(Rational(10).pow(-80), kBits), kBits));
    const auto expression = parse(row.at("expression"));
    EXPECT_TRUE(agree(gpe::testing::value(expression, {}, kBits), golden, 180)) << row.at("expression");
    EXPECT_TRUE(agree(gpe::testing::value(to_expr(form(row.at("expression"))), {}, kBits), golden, 180))
        << row.at("expression");
  }
}

TEST(SpecialFunctions, polygamma_at_whole_numbers_and_halves_keeps_its_value) {
  for (int m = 0; m <= 12; ++m) {
    for (const char* x : {"1", "1/2", "4", "7/2", "1/3"}) {
      const std::string text = "polygamma(" + std::to_string(m) + ", " + x + ")";
      EXPECT_TRUE(agree(gpe::testing::value(parse(text), {}, kBits),
                        gpe::testing::value(to_expr(form(text)), {}, kBits), 400))
          << text;
    }
  }
}

TEST(SpecialFunctions, exact_values_and_identities_of_normal_forms) {
  const std::vector<std::pair<std::string, std::string>> equal = {
      {"atan(1)", "pi/4"},
      {"atan(-sqrt(3))", "-pi/3"},
      {"atan(sqrt(2) - 1)", "pi/8"},
      {"atan(2 + sqrt(3))", "5*pi/12"},
      {"asin(sqrt(3)/2)", "pi/3"},
      {"acos(-1/2)", "2*pi/3"},
      {"asin((sqrt(5) - 1)/4)", "pi/10"},
      {"atan(-n)", "-atan(n)"},
      {"erf(-n)", "-erf(n)"},
      {"erfc(0)", "1"},
      {"1 - erf(n)", "erfc(n)"},
      {"gamma(5)", "24"},
      {"gamma(1/2)", "sqrt(pi)"},
      {"gamma(5/2)", "3*sqrt(pi)/4"},
      {"factorial(0)", "1"},
      {"factorial(20)", "2432902008176640000"},
      {"gamma(7/3)", "4/9*gamma(1/3)"},
      {"digamma(4) - digamma(1)", "11/6"},
      {"polygamma(2, 3) - polygamma(2, 1)", "9/4"},
      {"polygamma(1, 1)", "pi^2/6"},
      {"polygamma(3, 1)", "pi^4/15"},
      {"polygamma(1, 5/2)", "pi^2/2 - 40/9"},
      {"polygamma(2, 1/2)", "7*polygamma(2, 1)"},
      {"digamma(1/2)", "digamma(1) - 2*log(2)"},
  };
  for (const auto& [a, b] : equal) EXPECT_TRUE(form(a) == form(b)) << a << " and " << b;
  EXPECT_FALSE(form("atan(1000003/1000000)") == form("pi/4"));
  EXPECT_FALSE(form("atan(1/7 + 10^(-40))") == form("atan(1/7)"));
}

TEST(SpecialFunctions, what_is_not_positive_has_no_gamma) {
  for (const char* text :
       {"lgamma(0)", "lgamma(-1/2)", "gamma(-3)", "digamma(0)", "polygamma(1, 1 - sqrt(2))"})
    EXPECT_THROW(form(text), gpe::theory::Undefined) << text;
}

}  // namespace special_functions_test
