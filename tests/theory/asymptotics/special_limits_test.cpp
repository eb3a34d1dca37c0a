// Limits of atan, erfc, lgamma, polygamma and of what is read as an expression in them.
#include <chrono>

#include "tests/theory/engine.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/decision.h"

namespace special_limits_test {

using gpe::testing::oracle;
using gpe::testing::parse;
using gpe::theory::Context;
using gpe::theory::LimitBounds;

std::string found(const std::string& text) {
  const Context context(oracle(), gpe::theory::Budget(std::chrono::seconds(20)).question());
  try {
    const LimitBounds bounds = limit(parse(text), context);
    return bounds.settled() ? to_text(bounds.low)
                            : "between " + to_text(bounds.low) + " and " + to_text(bounds.high);
  } catch (const gpe::theory::Undecided& undecided) {
    return std::string("undecided: ") + undecided.what();
  } catch (const gpe::theory::Undefined& undefined) {
    return std::string("undefined: ") + undefined.what();
  }
}

// The same limit, written as a constant of the grammar or as +inf.
void expect_limits(const std::vector<std::pair<std::string, std::string>>& known) {
  for (const auto& [text, expected] : known) {
    const bool infinite = expected.ends_with("inf");
    const std::string constant = infinite ? expected : to_text(gpe::testing::form(expected));
    EXPECT_EQ(found(text), constant) << text;
  }
}

// D. Gruntz, On Computing Limits in a Symbolic Manipulation System, Diss. ETH 11432, 1996, pages 122 to 126.
TEST(SpecialLimits, problems_of_the_literature_have_their_published_limits) {
  expect_limits({{"(erf(n - exp(-exp(n))) - erf(n))*exp(exp(n))*exp(n^2)", "-2/sqrt(pi)"},
                 {"exp(n)*(gamma(n + exp(-n)) - gamma(n))", "+inf"},
                 {"exp(exp(digamma(digamma(n))))/n", "exp(-1/2)"},
                 {"exp(exp(digamma(log(n))))/n", "exp(-1/2)"},
                 {"digamma(digamma(digamma(n)))", "+inf"},
                 {"lgamma(lgamma(n))", "+inf"},
                 {"((gamma(n + 1/gamma(n)) - gamma(n))/log(n) - cos(1/n))*n*log(n)", "-1/2"},
                 {"n*(gamma(n - 1/gamma(n)) - gamma(n) + log(n))", "1/2"},
                 {"(gamma(n + 1/gamma(n)) - gamma(n))/log(n)", "1"},
                 {"gamma(n + 1)/sqrt(2*pi) - exp(-n)*(n^(n + 1/2) + n^(n - 1/2)/12)", "+inf"},
                 {"exp(exp(exp(digamma(digamma(digamma(n))))))/n", "0"}});
}

// By the series of DLMF 4.24.3 and atan(x) + atan(1/x) = pi/2; asin(1 - x) = pi/2 - sqrt(2x) - O(x^(3/2)).
TEST(SpecialLimits, inverse_circular_functions) {
  expect_limits(
      {{"atan(n)", "pi/2"},
       {"atan(-n)", "-pi/2"},
       {"n*(pi/2 - atan(n))", "1"},
       {"n^3*(atan(1/n) - 1/n)", "-1/3"},
       {"n^2*(atan(n + 1) - atan(n))", "1"},
       {"exp(n)*(atan(n) + atan(1/n) - pi/2)", "0"},
       {"n*(atan(1 + 1/n) - pi/4)", "1/2"},
       {"log(n)*exp(2*n)*(atan(1/log(n) + exp(-n)) - atan(1/log(n)) - exp(-n)/(1 + log(n)^(-2)))", "-1"},
       {"n*(atan(sqrt(3) + 1/n) - pi/3)", "1/4"},
       {"n*(atan(2 - sqrt(3)) - pi/12)", "0"},
       {"n*(atan(sqrt(5 - 2*sqrt(5))) - pi/5)", "0"},
       {"n*(atan(1/sqrt(1 + 2/sqrt(5))) - pi/5)", "0"},
       {"asin(1 - 1/n)", "pi/2"},
       {"sqrt(n)*(pi/2 - asin(1 - 1/n))", "sqrt(2)"},
       {"sqrt(n)*acos(1 - 1/n)", "sqrt(2)"},
       {"acos(1/n - 1)", "pi"},
       {"asin(1/2) + n*(asin(1/2) - pi/6)", "pi/6"},
       {"n^5*(asin(1/n) - 1/n - 1/(6*n^3))", "3/40"},
       {"atan(exp(n))*n - pi*n/2 + 1", "1"}});
}

// Stirling's series (DLMF 5.11.1 and 5.11.2), with Wallis' product, Gamma(1/2) = sqrt(pi), and x Gamma(x) ->
// 1 for x -> 0.
TEST(SpecialLimits, gamma_and_its_kin) {
  expect_limits({{"factorial(n)*exp(n)/(n^n*sqrt(n))", "sqrt(2*pi)"},
                 {"lgamma(n + 1) - n*log(n) + n - log(n)/2", "log(2*pi)/2"},
                 {"n*(lgamma(n + 1) - (n + 1/2)*log(n) + n - log(2*pi)/2)", "1/12"},
                 {"n^3*(lgamma(n + 1) - (n + 1/2)*log(n) + n - log(2*pi)/2 - 1/(12*n))", "-1/360"},
                 {"exp(n^2)*(gamma(n + 1) - n*gamma(n))", "0"},
                 {"gamma(n + 1/3)/(gamma(n)*n^(1/3))", "1"},
                 {"sqrt(n)*factorial(2*n)/(factorial(n)^2*4^n)", "1/sqrt(pi)"},
                 {"factorial(n)^(1/n)/n", "exp(-1)"},
                 {"gamma(n)^(1/log(gamma(n)))", "exp(1)"},
                 {"gamma(1/n)/n", "1"},
                 {"n*gamma(1/2 + 1/n) - n*sqrt(pi) - sqrt(pi)*digamma(1/2)", "0"},
                 {"n*(gamma(7/2) - 15*sqrt(pi)/8)", "0"},
                 {"n*(factorial(5) - 120)", "0"},
                 {"n*(digamma(7/2) - digamma(1/2) - 46/15)", "0"},
                 {"n*(polygamma(1, 3) - polygamma(1, 1) + 5/4)", "0"},
                 {"digamma(n) - log(n)", "0"},
                 {"n*(digamma(n + 1) - log(n))", "1/2"},
                 {"exp(n)*(digamma(n + 3) - digamma(n) - 1/n - 1/(n + 1) - 1/(n + 2))", "0"},
                 {"n*polygamma(1, n)", "1"},
                 {"n^2*(polygamma(1, n) - 1/n)", "1/2"},
                 {"n^3*polygamma(2, n + 1)*n", "-inf"},
                 {"n^2*polygamma(2, n + 1)", "-1"},
                 {"polygamma(1, 1/n)/n^2", "1"},
                 {"polygamma(2, 1/n)/n^3", "-2"},
                 {"exp(n)*(lgamma(log(n) + exp(-n)) - lgamma(log(n)))/log(log(n))", "1"},
                 {"lgamma(n)/(n*log(n))", "1"},
                 {"gamma(log(n))/n", "+inf"},
                 {"log(gamma(log(n)))/(log(n)*log(log(n)))", "1"}});
}

// DLMF 7.6.1 and 7.12.1.
TEST(SpecialLimits, the_error_function_and_its_complement) {
  expect_limits(
      {{"erf(n)", "1"},
       {"erf(-n)", "-1"},
       {"n*exp(n^2)*(1 - erf(n))", "1/sqrt(pi)"},
       {"n*exp(n^2)*(1 + erf(-n))", "1/sqrt(pi)"},
       {"n^2*(n*exp(n^2)*erfc(n) - 1/sqrt(pi))", "-1/(2*sqrt(pi))"},
       {"log(1 - erf(n)) + n^2 + log(n)", "-log(pi)/2"},
       {"n*erf(1/n)", "2/sqrt(pi)"},
       {"n^3*(erf(1/n) - 2/(n*sqrt(pi)))", "-2/(3*sqrt(pi))"},
       {"(1 - erf(sqrt(log(n))))*n*sqrt(log(n))", "1/sqrt(pi)"},
       {"exp(n)*(erf(1 + exp(-n)) - erf(1))", "2/(sqrt(pi)*exp(1))"},
       {"exp(2*n)*(erf(1 + exp(-n)) - erf(1) - 2*exp(-n)/(sqrt(pi)*exp(1)))", "-2/(sqrt(pi)*exp(1))"},
       {"(erfc(n + 1/n) - erfc(n)*exp(-2))/erfc(n)", "0"}});
}

TEST(SpecialLimits, bounds_where_the_argument_has_no_expansion) {
  EXPECT_EQ(found("atan(n + sin(n))"), found("pi/2 + 0/n"));
  EXPECT_EQ(found("atan(sin(n))"), "between -1/4*pi and 1/4*pi");
  EXPECT_EQ(found("erfc(n*(2 + sin(n)))"), "0");
  EXPECT_EQ(found("lgamma(n + cos(n))/(n*log(n))"), "1");
  EXPECT_EQ(found("lgamma(2 + cos(n))"), "between -1/8 and log(2)");
  EXPECT_EQ(found("lgamma(4 + cos(n))"), "between log(2) and 3*log(2) + log(3)");
  EXPECT_EQ(found("n*polygamma(1, n + sin(n))"), "1");
  EXPECT_EQ(found("digamma(floor(sqrt(n)))/log(n)"), "1/2");
}

TEST(SpecialLimits, of_functions_that_end_are_undefined) {
  for (const char* text : {"lgamma(-n)", "gamma(1 - n)", "digamma(-1)", "asin(2)", "asin(n)", "acos(1 + 1/n)",
                           "lgamma(0)", "polygamma(1, 1/n - 1/n)"})
    EXPECT_TRUE(found(text).starts_with("undefined")) << text << ": " << found(text);
}

}  // namespace special_limits_test
