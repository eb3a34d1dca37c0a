// The limits of tests/cases/limits_golden.csv and limits.csv, and limits of functions that are not exp-log
// functions.
#include "theory/asymptotics/limit.h"

#include <chrono>

#include "tests/cases/csv.h"
#include "tests/cases/limits.h"
#include "tests/theory/engine.h"
#include "theory/exact/decision.h"

namespace limits_test {

using gpe::testing::form;
using gpe::testing::oracle;
using gpe::testing::parse;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::Limit;
using gpe::theory::LimitBounds;

Context with_time() { return {oracle(), gpe::theory::Budget(std::chrono::seconds(10)).question()}; }

// "1/3", "+inf", "-inf", or "undecided: …".
std::string limit_text(const std::string& text, const Context& context) {
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

TEST(Limits, problems_of_the_literature_have_their_published_limits) {
  const auto rows = gpe::testing::read_cases("limits_golden.csv");
  EXPECT_GE(rows.size(), 28U);
  for (const auto& row : rows) {
    EXPECT_EQ(limit_text(row.at("expression"), with_time()), row.at("limit")) << row.at("id");
  }
}

// Compared exactly; docs/tables/verdicts_benchmarks.md has the count of these.
TEST(Limits, three_published_suites_are_answered_as_they_state) {
  const auto rows = gpe::testing::limits_of_suites();
  EXPECT_GE(rows.size(), 376U);
  for (const auto& row : rows) {
    const gpe::testing::LimitAnswer answer = gpe::testing::answer_limit(row, oracle());
    EXPECT_EQ(answer.word, row.at("answer") == "none" ? "none" : "right")
        << row.at("place") << ": " << row.at("limit") << " -> " << row.at("answer") << ", not "
        << answer.detail;
  }
}

TEST(Limits, a_wrong_statement_about_a_limit_is_found_wrong) {
  const auto word = [](const std::string& limit, const std::string& answer) {
    return gpe::testing::answer_limit({{"limit", limit}, {"answer", answer}}, oracle()).word;
  };
  EXPECT_EQ(word("n*sin(1/n)", "1"), "right");
  EXPECT_EQ(word("n*sin(1/n)", "1 + 10^(-100)"), "wrong");
  EXPECT_EQ(word("n*sin(1/n)", "none"), "wrong");
  EXPECT_EQ(word("n*sin(1/n)", "+-inf"), "wrong");
  EXPECT_EQ(word("-n", "+inf"), "wrong");
  EXPECT_EQ(word("-n", "+-inf"), "right");
  EXPECT_EQ(word("sin(n)", "0"), "none");
  EXPECT_EQ(word("(1 + 1/n)^n", "exp(1)"), "right");
}

TEST(Limits, one_oscillation_in_several_terms_is_one) {
  const std::vector<std::pair<std::string, std::string>> known = {
      {"cos(1/n)*sin(n) - sin(n)", "0"},
      {"n*cos(1/n)*sin(n) - n*sin(n)", "0"},
      {"(n + 1)*sin(n)^2 - n*sin(n)^2 + n", "+inf"},
      {"2*sin(n) - sin(n)", "between -1 and 1"},
      {"n^2*cos(1/n)*sin(n) - n^2*sin(n)", "between -1/2 and 1/2"},
      {"n*sin(n) - n*sin(n + 1)", "between -inf and +inf"},
      {"3*floor(sqrt(n)) - 2*floor(sqrt(n)) - sqrt(n)", "between -1 and 0"},
  };
  for (const auto& [text, expected] : known) EXPECT_EQ(limit_text(text, with_time()), expected) << text;
}

TEST(Limits, whole_powers_of_what_is_negative_change_sign_with_their_exponent) {
  const std::vector<std::pair<std::string, std::string>> known = {
      {"(-1/pi)^n", "0"},
      {"(1/n - 1)^(2*n)", "exp(-2)"},
      {"(1/n - 1)^n", "between -exp(-1) and exp(-1)"},
      {"abs((-n/(n + 1))^n)", "exp(-1)"},
      {"(2 - sqrt(5))^n*4^n", "0"},
      {"(2 - sqrt(5))^(2*n)*19^n", "+inf"},
      {"(1 - n)^(n^2 + n)*exp(-n^2*log(n))", "+inf"},
  };
  for (const auto& [text, expected] : known) EXPECT_EQ(limit_text(text, with_time()), expected) << text;
  // no whole exponent, and a base that is not negative in the end
  EXPECT_EQ(limit_text("(-1/pi)^(n/2)", with_time()).substr(0, 9), "undecided");
  EXPECT_EQ(limit_text("(5 - 1/n)^n/5^n", with_time()), "exp(-1/5)");
}

TEST(Limits, floors_conditions_and_oscillation_are_bounded_from_both_sides) {
  const std::vector<std::pair<std::string, std::string>> known = {
      {"floor(n/2)/n", "1/2"},
      {"floor(3*n)/n - 3", "0"},
      {"floor(log(n))/log(n)", "1"},
      {"floor(3 - 1/n)", "2"},
      {"floor(3 + 1/n)", "3"},
      {"floor(sqrt(n^2 + n) - n)", "0"},
      {"floor(sqrt(n^2 + 2*n) - n)", "0"},      // tends to 1 from below
      {"floor(sqrt(n^2 + 2*n + 2) - n)", "1"},  // tends to 1 from above
      {"floor(sqrt(n^2 + 1)) - n", "0"},
      {"floor(sqrt(n^2 - 1)) - n", "-1"},
      {"floor(n^2/(1 + n)) - n", "-1"},
      {"floor(sqrt(n^4 + 2*n^3)) - n^2 - n", "-1"},
      {"floor(log(1 + exp(n))) - n", "0"},
      {"floor(3*sqrt(n^2 + 1) - n) - 2*n", "0"},
      {"log(n) - floor(sqrt(n))", "-inf"},
      {"sin(n)/n", "0"},
      {"n + 2*sin(n)", "+inf"},
      {"n + 5*sin(n)^3", "+inf"},
      {"1/(2 + sin(n)^5)/n", "0"},
      {"sqrt(1 + cos(n))*sqrt(n) - n", "-inf"},
      {"sin(n)*exp(-n)*n^5", "0"},
      {"if(n < 10^9, n, 1/n)", "0"},
      {"if(sin(n) > 2, n, 7)", "7"},
      {"if(2*floor(n/2) == n, 1/n, 2/n)", "0"},
      {"max(n, 10^6) - n", "0"},
      {"min(log(n)^2, sqrt(n), n)/log(n)^2", "1"},
      {"abs(log(n) - n)/n", "1"},
      {"sum(k, 1, 4, n^(1/k))/n", "1"},
      {"cos(1/n)", "1"},
      {"n*sin(pi/n)", "pi"},
      {"n^2*(1 - cos(1/n))", "1/2"},
  };
  for (const auto& [text, expected] : known) EXPECT_EQ(limit_text(text, with_time()), expected) << text;
}

TEST(Limits, functions_that_are_written_out_and_powers_of_negative_numbers) {
  const std::vector<std::pair<std::string, std::string>> known = {
      {"tanh(n)", "1"},
      {"sinh(log(n))/n", "1/2"},
      {"cosh(2*log(n))/n^2", "1/2"},
      {"softplus(n) - n", "0"},
      {"sigmoid(-log(n))*n", "1"},
      {"sign(100 - n)", "-1"},
      {"ceil(n/2)/n", "1/2"},
      {"ceil(2*n) - floor(n)*2", "0"},
      {"n*tan(1/n)", "1"},
      {"(-1)^n/n", "0"},
      {"(-1/2)^n", "0"},
      {"(-1)^(n*(n + 1))*3", "3"},
      {"(-2)^(2*n)/4^n", "1"},
      {"(-1)^n", "between -1 and 1"},
      {"(-2)^n", "between -inf and +inf"},
  };
  for (const auto& [text, expected] : known) EXPECT_EQ(limit_text(text, with_time()), expected) << text;
}

// Each factor is 0 by an identity, or near to 0 and not 0.
TEST(Limits, cosines_of_rational_multiples_of_pi) {
  for (const char* zero :
       {"cos(4*pi/9) - cos(14*pi/9)", "cos(pi/9) - cos(2*pi/9) - cos(4*pi/9)",
        "cos(pi/7) - cos(2*pi/7) + cos(3*pi/7) - 1/2", "sin(pi/9)^2 + cos(pi/9)^2 - 1",
        "8*cos(pi/9)^3 - 6*cos(pi/9) - 1", "4*cos(pi/5) - 1 - sqrt(5)",
        "sin(pi/7)*sin(2*pi/7)*sin(3*pi/7) - sqrt(7)/8", "2*cos(pi/15)*cos(pi/10) - cos(pi/6) - cos(pi/30)"})
    EXPECT_EQ(limit_text("n*(" + std::string(zero) + ")", with_time()), "0") << zero;
  EXPECT_EQ(limit_text("n*(cos(pi/9) - cos(2*pi/9) - cos(4*pi/9) + 10^(-200))", with_time()), "+inf");
  EXPECT_EQ(limit_text("n*exp(2)*(cos(pi/9) - cos(2*pi/9) - cos(4*pi/9)) + n*exp(1)", with_time()), "+inf");
  EXPECT_EQ(limit_text("n*(atan(1/2) + atan(1/3) - pi/4)", with_time()).substr(0, 9), "undecided");
}

TEST(Limits, an_oscillating_value_is_never_given_one_limit) {
  EXPECT_EQ(limit_text("sin(n)", with_time()), "between -1 and 1");
  EXPECT_EQ(limit_text("2 + 3*cos(n)", with_time()), "between -1 and 5");
  EXPECT_EQ(limit_text("n - floor(n/1)", with_time()), "0");
  for (const char* text :
       {"n*sin(n)", "log(2)*n - floor(log(2)*n)", "sqrt(n) - floor(sqrt(n))", "if(sin(n) > 0, n, -n)"}) {
    const std::string found = limit_text(text, with_time());
    EXPECT_TRUE(found.starts_with("between") || found.starts_with("undecided")) << text << ": " << found;
  }
}

TEST(Limits, periodic_values_have_a_limit_for_each_residue_class) {
  const auto limits = [](const std::string& text) {
    std::vector<std::string> result;
    for (const LimitBounds& bounds : class_limits(parse(text), with_time())) {
      result.push_back(bounds.settled() ? to_text(bounds.low) : "open");
    }
    return result;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(limits("n - 3*floor(n/3)"), (Texts{"0", "1", "2"}));
  EXPECT_EQ(limits("if(2*floor(n/2) == n, n, -log(n))"), (Texts{"+inf", "-inf"}));
  EXPECT_EQ(limits("cos(pi*n)"), (Texts{"1", "-1"}));
  EXPECT_EQ(limits("sin(pi*n/2)"), (Texts{"0", "1", "0", "-1"}));
  EXPECT_EQ(limits("1/n"), (Texts{"0"}));
}

TEST(Limits, the_answer_of_a_parameter_is_asked_for_and_then_given) {
  const auto with = [](int sign) {
    Context context(oracle());
    context.constraints().add({form("a"), gpe::theory::relation_of(sign)});
    return context;
  };
  EXPECT_THROW(limit(parse("a*n + log(n)"), with_time()), gpe::theory::SplitRequest);
  EXPECT_EQ(limit_text("a*n + log(n)", with(-1)), "-inf");
  EXPECT_EQ(limit_text("a*n + log(n)", with(1)), "+inf");
  EXPECT_EQ(limit_text("a*n + 1/n", with(0)), "0");
  EXPECT_EQ(limit_text("n^a", with(-1)), "0");
  EXPECT_EQ(limit_text("(1 + a/n)^n", with(1)), "exp(a)");
  EXPECT_EQ(limit_text("log(1 + exp(a*n))/n", with(1)), "a");
  EXPECT_EQ(limit_text("log(1 + exp(a*n))/n", with(-1)), "0");
}

TEST(Limits, of_functions_that_end_are_undefined) {
  for (const char* text : {"log(-n)", "sqrt(5 - n)", "1/(n - n)", "log(log(1/n))", "(-n)^(1/3)"}) {
    EXPECT_TRUE(limit_text(text, with_time()).starts_with("undefined")) << text;
  }
}

TEST(Limits, of_defined_functions_are_never_said_to_be_undefined) {
  EXPECT_EQ(limit_text("0^(1/(n + 1))", with_time()), "0");
  EXPECT_EQ(limit_text("(-1)^(n*(n + 1)/2)/n", with_time()), "0");
  EXPECT_EQ(limit_text("-n + (-1)^(n*(n^2 + 5)/6)", with_time()), "-inf");
  EXPECT_EQ(limit_text("-n + (1 - cos(2*pi*n))^(n + 1)", with_time()), "-inf");
  for (const char* text : {"log(2 + sin(n) + cos(n))", "(2 + sin(n) + cos(n))^n", "(-1)^floor(n^2/3)",
                           "lgamma(2 + sin(n) + cos(n))"}) {
    EXPECT_FALSE(limit_text(text, with_time()).starts_with("undefined")) << text;
  }
  EXPECT_TRUE(limit_text("(-2)^(n/2)", with_time()).starts_with("undecided: a varying power of a negative"));
  EXPECT_TRUE(limit_text("0^(-1/n)", with_time()).starts_with("undefined"));
}

}  // namespace limits_test
