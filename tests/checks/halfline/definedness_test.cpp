#include "checks/halfline/definedness.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "theory/score/one_liner.h"
#include "theory/score/spec_parse.h"

using gpe::checks::BallOracle;
using gpe::checks::require_defined;
using gpe::theory::Encoding;
using gpe::theory::OneLiner;

namespace definedness_test {

// What is said about the encoding; empty when all is defined.
std::string trouble(const Encoding& encoding) {
  const BallOracle oracle;
  try {
    require_defined(gpe::theory::instantiate(encoding, {}, {}, oracle), "here", oracle);
    return "";
  } catch (const gpe::theory::SpecError& error) {
    return error.what();
  }
}

std::string trouble(const std::string& bias, std::int64_t first = 0) {
  OneLiner text;
  text.bias = bias;
  text.first = first;
  return trouble(gpe::theory::encoding_of(text));
}

// What is not settled about the bias, and assumed.
std::string assumed(const std::string& bias) {
  const BallOracle oracle;
  OneLiner text;
  text.bias = bias;
  const auto lines = require_defined(gpe::theory::instantiate(gpe::theory::encoding_of(text), {}, {}, oracle),
                                     "here", oracle);
  return lines.empty() ? "" : lines.front();
}

std::string trouble_in_file(const std::string& score) {
  return trouble(gpe::theory::parse_encoding("schema = 1\nname = \"x\"\n[score]\n" + score, "here", "."));
}

TEST(Definedness, what_is_defined_everywhere_passes) {
  for (const char* bias : {"0",
                           "-n",
                           "-log(1 + n)",
                           "-sqrt(n)",
                           "-n^(1/3) - exp(-n)",
                           "1/(n + 1/2)",
                           "-log(1 + log(1 + n))",
                           "if(n = 7, 0, 1/(n - 7))",
                           "if(n < 3, 0, log(n - 2))",
                           "sum(k, 1, 5, -n/k)",
                           "-max(0, log(1/2 + n))",
                           "0^(n + 1)",
                           "-log(1 + n^2 - n)",
                           "1/(n^2 - 2)",
                           "-(-1)^n",
                           "if(n > 10^20, 1/(n - 10^20), 1)",
                           "(-2)^n/3^n",
                           "-lgamma(1 + n)",
                           "-digamma(n + 1/2)",
                           "-factorial(n)",
                           "-n*asin(n/(1 + n))",
                           "-erfc(-n)",
                           "if(n < 3, 0, polygamma(2, n - 2))"}) {
    EXPECT_EQ(trouble(bias), "") << bias;
  }
}

TEST(Definedness, the_first_undefined_n_and_the_part_at_fault_are_named) {
  EXPECT_EQ(trouble("1/(n - 1000)"), "here: bias is undefined at n = 1000: 1/(n - 1000) divides by zero");
  const auto said = [](const std::string& bias, const std::string& place, const std::string& part) {
    const std::string text = trouble(bias);
    EXPECT_NE(text.find(place), std::string::npos) << bias << ": " << text;
    EXPECT_NE(text.find(part), std::string::npos) << bias << ": " << text;
  };
  said("-log(n)", "at n = 0:", "logarithm of zero");
  said("-log(n - 5)", "at n = 0:", "logarithm of a negative number");
  said("log(1000 - n)", "at n = 1000:", "log");
  said("sqrt(50 - n)", "at n = 51:", "root of a negative number");
  said("n^(-1/2)", "at n = 0:", "divides by zero");
  said("-lgamma(n)", "at n = 0:", "lgamma(n) has an argument that is not positive");
  said("-gamma(50 - n)", "at n = 50:", "not positive");
  said("-polygamma(1, 7/2 - n)", "at n = 4:", "not positive");
  said("-asin(n/10)", "at n = 11:", "root of a negative number");
  said("(n - 3)^(n - 3)", "at n = 3:", "(n - 3)^(n - 3) is 0^0");
  said("(n - 3)^0", "at n = 3:", "(n - 3)^0 is 0^0");
  said("(n - 3)^(d - 64)", "at n = 3:", "(n - 3)^0 is 0^0");
  EXPECT_NE(trouble_in_file("bias = \"(n - 3)^(p - 2)\"\n[parameters]\np = { default = 2 }")
                .find("(n - 3)^0 is 0^0"),
            std::string::npos);
  said("log(log(n + 1))", "at n = 0:", "log(log(n + 1)) is the logarithm of zero");
  said("-n + 1/(n - 10^15)", "at n = 1000000000000000:", "divides by zero");
  said("1/((n - 30)*(n - 20)*(n - 10))", "at n = 10:", "divides by zero");
  said("1/(n - 3) + 1/(n - 2)", "at n = 2:", "divides by zero");
  said("sum(k, 1, 3, 1/(n - k))", "at n = 1:", "divides by zero");
  said("if(n > 5, 1/(n - 8), 1/(n - 2))", "at n = 2:", "divides by zero");
  said("if(n > 5, 1/(n - 8), 0)", "at n = 8:", "divides by zero");
  said("if(log(n - 5) < 0, 1, 2)", "at n = 0:", "logarithm of a negative number");
  said("if(1/(n - 6) > 0, 1, 2)", "at n = 6:", "divides by zero");
  said("3^(1/(n - 4))", "at n = 4:", "divides by zero");
  said("min(n, 1/(n - 4))", "at n = 4:", "divides by zero");
  said("floor(1/(n - 4))", "at n = 4:", "divides by zero");
  said("abs(log(4 - n))", "at n = 4:", "logarithm of zero");
  said("sin(1/(n - 4))", "at n = 4:", "divides by zero");
  said("log(sin(n)^2 + cos(n)^2 - 1)", "at n = 0:", "logarithm of zero");
}

TEST(Definedness, counts_from_the_first_distance) {
  EXPECT_EQ(trouble("-log(n)", 1), "");
  EXPECT_NE(trouble("-log(n - 1)", 1).find("at n = 1:"), std::string::npos);
  EXPECT_EQ(trouble("1/(n - 5)", 6), "");
}

TEST(Definedness, a_sum_has_at_most_20000_terms) {
  EXPECT_EQ(trouble("-n*sum(k, 1, 20000, 1/(n + k))"), "");
  EXPECT_NE(trouble("-n*sum(k, 0, 20000, 1/(n + k))").find("has more than 20000 terms"), std::string::npos);
}

TEST(Definedness, asks_within_the_window_only) {
  EXPECT_EQ(trouble_in_file("bias = \"1/(n - 1000)\"\nwindow = \"1000\"\n"), "");
  EXPECT_NE(trouble_in_file("bias = \"1/(n - 1000)\"\nwindow = \"1001\"\n").find("at n = 1000:"),
            std::string::npos);
}

TEST(Definedness, looks_at_gain_angle_and_scale_too) {
  EXPECT_NE(trouble_in_file("gain = \"1/(n - 3)\"\n").find("gain is undefined at n = 3"), std::string::npos);
  const std::string rotation = "transform = \"rotation\"\n[score.rotation]\nangle = ";
  EXPECT_EQ(trouble_in_file(rotation + "\"10000^(-2*j/d)*n\"\n"), "");
  EXPECT_EQ(trouble_in_file(rotation + "\"n/(1 + H(n))\"\n"), "");
  EXPECT_NE(trouble_in_file(rotation + "\"n/(n - 2)\"\n").find("angle"), std::string::npos);
  EXPECT_NE(trouble_in_file(rotation + "\"n/(j - 2)\"\n").find("block j = 2"), std::string::npos);
  EXPECT_NE(trouble_in_file(
                "transform = \"scaled-rotation\"\n[score.rotation]\nangle = \"n\"\nscale = \"1/(n - 4)\"\n")
                .find("undefined at n = 4"),
            std::string::npos);
}

TEST(Definedness, of_functions_of_the_length) {
  for (const char* bias : {"-n/(1 + L)", "log(1 + L - n) - n", "-sqrt(L - n)", "-n/(2 + sin(L))",
                           "n*(log(L + 1) - log(n + 1))", "1/(L - n + 1)"}) {
    EXPECT_EQ(trouble(bias), "") << bias;
    EXPECT_EQ(assumed(bias), "") << bias;
  }
  const auto said = [](const std::string& bias, const std::string& place) {
    const std::string text = trouble(bias);
    EXPECT_NE(text.find("bias is undefined at " + place + ":"), std::string::npos) << bias << ": " << text;
  };
  said("-n/L", "n = 0, L = 0");
  said("-n/(L - 7)", "n = 0, L = 7");
  said("-n/(L - 10^15)", "n = 1000000000000000, L = 1000000000000000");
  said("log(L - n) - n", "n = 0, L = 0");
  said("1/(L - n - 1)", "n = 0, L = 1");                 // none is undefined along n = L
  said("1/(L - n - 100000)", "n = 100000, L = 100000");  // where its value at n = 0 is taken off
  said("if(L = n + 5, log(0 - 1), 1)", "n = 0, L = 5");
  said("1/((n - 3)^2 + (L - 8)^2)", "n = 3, L = 8");
  EXPECT_NE(
      trouble_in_file("gain = \"if(L = n + 5, log(0 - 1), 1)\"\n").find("gain is undefined at n = 0, L = 5"),
      std::string::npos);
}

TEST(Definedness, what_is_not_settled_is_assumed_and_said) {
  EXPECT_EQ(assumed("-n + 1/(sin(n + 1)/(n + 1) - sin(3500)/3500)"),
            "bias is assumed to have a value at every n (seen below n = 2047)");
  EXPECT_EQ(assumed("-sqrt(log(L + 1) - log(n + 1))"),
            "bias is assumed to have a value at every n and L (seen below L = 504)");
  // Zero, and no proof of it.
  EXPECT_EQ(assumed("-n + 1/(atan(1/2) + atan(1/3) - pi/4 + (n - 5)^2)").substr(0, 69),
            "bias is assumed to have a value at every n (not settled at n = 5)");
}

RC_GTEST_PROP(Definedness, finds_the_least_of_several_poles, ()) {
  const auto pole = [] {
    return *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 100),
                           rc::gen::inRange<std::int64_t>(0, 1000000000000));
  };
  const std::int64_t a = pole();
  const std::int64_t b = pole();
  const std::int64_t c = pole();
  const std::string text = "1/(n - " + std::to_string(a) + ") - n/(n - " + std::to_string(b) +
                           ") + log((n - " + std::to_string(c) + ")^2)";
  const std::string expected = "at n = " + std::to_string(std::min({a, b, c})) + ":";
  const std::string found = trouble(text);
  RC_LOG() << text << "\n" << found << "\n";
  RC_ASSERT(found.find(expected) != std::string::npos);
}

}  // namespace definedness_test
