// What is wrong with a text: the place, what was found, what was expected, the nearest name.
#include "tests/generators/expression.h"
#include "tests/theory/engine.h"
#include "theory/expression/expr_print.h"
#include "theory/score/spec_parse.h"
#include "theory/source/nearest_name.h"

namespace parse_error_test {

using gpe::testing::whole_scope;
using gpe::theory::error_at;
using gpe::theory::error_in_argument;
using gpe::theory::NameScope;
using gpe::theory::parse_conditions;
using gpe::theory::parse_expression;
using gpe::theory::ParseError;
using gpe::theory::SpecError;

struct Mistake {
  std::string marked;  ///< the text, with [ ] around what the message must point at; [] is the end
  std::string message;
};

// Nothing when the text parses.
std::optional<Mistake> mistake_in(const std::string& text, const NameScope& scope) {
  try {
    parse_expression(text, scope);
  } catch (const ParseError& error) {
    if (error.begin >= text.size()) return Mistake{text + "[]", error.what()};
    return Mistake{text.substr(0, error.begin) + "[" + text.substr(error.begin, error.end - error.begin) +
                       "]" + text.substr(error.end),
                   error.what()};
  }
  return std::nullopt;
}

void expect_mistakes(const std::vector<Mistake>& mistakes, const NameScope& scope) {
  for (const Mistake& expected : mistakes) {
    std::string text = expected.marked;
    text.erase(text.find('['), 1);
    text.erase(text.find(']'), 1);
    const auto found = mistake_in(text, scope);
    ASSERT_TRUE(found) << text << " parses";
    EXPECT_EQ(found->marked, expected.marked);
    EXPECT_EQ(found->message, expected.message) << text;
  }
}

TEST(ParseError, says_what_was_found_and_what_was_expected) {
  const std::string operand = "a number, a name, '-' or '('";
  expect_mistakes(
      {
          {"[]", "found the end where " + operand + " was expected"},
          {"n +[]", "found the end where " + operand + " was expected"},
          {"n*[/]2", "found '/' where " + operand + " was expected"},
          {"[)]", "found ')' where " + operand + " was expected"},
          {"([)]", "found ')' where " + operand + " was expected"},
          {"(n + 1[]", "found the end where an operator or ')' was expected"},
          {"n + 1[)]", "found ')' where an operator or the end was expected"},
          {"2 [n]", "found 'n' where an operator or the end was expected; write '*' to multiply"},
          {"n [12]", "found '12' where an operator or the end was expected; write '*' to multiply"},
          {"n [<=] 3",
           "found '<=' where an operator or the end was expected; a comparison is not a number: write "
           "if(n <= 3, 1, 0)"},
          {"1.5[.2]", "found '.2' where an operator or the end was expected; write '*' to multiply"},
          {"n[**]2", "'**' is not an operator here; write '^' for a power"},
          {"n [$] 2", "unexpected character '$'; formulas are not LaTeX: write sqrt(n), log(1 + n), (a)/(b)"},
          {"2[×]n", "unexpected character '×'; write '*'"},
          {"n + [\x01]", "unexpected control character"},
          {"1[/]0", "division by zero"},
          {"n[/](2 - 2)", "division by zero"},
          {"0[^]-1", "division by zero"},
      },
      whole_scope());
}

TEST(ParseError, explains_functions_tables_conditions_and_sums) {
  expect_mistakes(
      {
          {"[log] n", "function 'log' needs its argument: log(…)"},
          {"1 + [slopes]", "table 'slopes' needs its index: slopes(…)"},
          {"[log](n, 2)", "log has one argument"},
          {"[max](n)", "max needs at least two arguments"},
          {"sqrt(n[,] 2)", "found ',' where an operator or ')' (sqrt has one argument) was expected"},
          {"slopes(n[,] 2)", "found ',' where an operator or ')' (a table has one index) was expected"},
          {"[beta](n + 1)", "'beta' is not a function; write '*' to multiply"},
          {"if(n[,] 1, 2)", "found ',' where a comparison (< <= > >= == !=) was expected"},
          {"if(n < 2, 1[)]",
           "found ')' where an operator or ',' (if takes a condition and two values) was expected"},
          {"if(n < 2[)]", "found ')' where an operator or ',' was expected"},
          {"sum([2], 1, 3, n)", "found '2' where the summation variable was expected"},
          {"sum([n], 1, 3, n)", "summation variable 'n' already has a meaning here; choose another name"},
          {"[sum](k, 1, n, k)", "the bounds of a sum must not depend on n"},
          {"sum(k, 1, 3[)]", "found ')' where an operator or ',' before the summand was expected"},
          {"sum(k, 1, 3, k) + [k]", "unknown name 'k'; known here: E, L, alpha0, beta, d, factor, n, pi"},
          {"[H](2*n)", "H takes n itself: H(n)"},
      },
      whole_scope());
  NameScope no_entropy = whole_scope();
  no_entropy.no_cut_entropy = "not here";
  expect_mistakes({{"n + [H](n)", "not here"}}, no_entropy);
}

TEST(ParseError, names_the_nearest_name_or_all_of_them) {
  expect_mistakes(
      {
          {"[bta]*n", "unknown name 'bta'; did you mean 'beta'?"},
          {"[alpha_0]*n", "unknown name 'alpha_0'; did you mean 'alpha0'?"},
          {"n + [whatever]", "unknown name 'whatever'; known here: E, L, alpha0, beta, d, factor, n, pi"},
          {"[lgo](n)", "unknown function 'lgo'; did you mean 'log'?"},
          {"[slope](n)", "unknown function 'slope'; did you mean 'slopes'?"},
          {"[Beta]*n", "unknown name 'Beta'; did you mean 'beta'?"},
          {"[LOG](n)", "unknown function 'LOG'; did you mean 'log'?"},
          {"[tanh]", "function 'tanh' needs its argument: tanh(…)"},
          {"tanh(n[,] 2)", "found ',' where an operator or ')' (tanh has one argument) was expected"},
          {"tanh(1[/](1 - 1))", "division by zero"},
          {"[p]*n", "unknown name 'p'; known here: E, L, alpha0, beta, d, factor, n, pi"},
      },
      whole_scope());
}

TEST(ParseError, limits_are_said_and_kept_without_a_crash) {
  const auto message = [](const std::string& text) {
    const auto found = mistake_in(text, whole_scope());
    return found ? found->message : "parses";
  };
  EXPECT_EQ(message(std::string(100000, '(') + "n"), "expression nested deeper than 200");
  EXPECT_EQ(message(std::string(100000, '-') + "n"), "expression nested deeper than 200");
  std::string powers = "n";
  for (int i = 0; i < 300; ++i) powers += "^n";
  EXPECT_EQ(message(powers), "expression nested deeper than 200");
  std::string sum = "n";
  for (int i = 0; i < 10000; ++i) sum += "+n";
  EXPECT_EQ(message(sum), "expression larger than 10000 nodes");
  EXPECT_EQ(message(std::string(20000, '7')), "parses");
  EXPECT_EQ(message(std::string(20001, '7')), "number with more than 20000 digits");
  EXPECT_EQ(message("1e19999"), "parses");
  EXPECT_EQ(message("1e20000"), "number with more than 20000 digits");
  EXPECT_EQ(message("1e-20000"), "number with more than 20000 digits");
}

// Parameters and tables may have the names of functions that are written out, and win.
TEST(ParseError, names_win_over_functions_that_are_written_out) {
  NameScope scope = whole_scope();
  scope.names.emplace_back("sign");
  expect_mistakes({{"[sign](n)", "'sign' is not a function; write '*' to multiply"}}, scope);
  EXPECT_EQ(to_text(parse_expression("sign*n", scope)), "sign*n");
  scope.tables.emplace("tanh", scope.tables.at("slopes"));
  EXPECT_TRUE(parse_expression("tanh(n)", scope).as<gpe::theory::node::TableAt>() != nullptr);
}

TEST(ParseError, names_win_over_special_functions) {
  NameScope scope = whole_scope();
  for (const char* name : {"gamma", "erf", "atan", "lgamma"}) scope.names.emplace_back(name);
  EXPECT_EQ(to_text(parse_expression("gamma*n + erf^atan/lgamma", scope)), "gamma*n + erf^atan/lgamma");
  EXPECT_EQ(to_text(parse_expression("digamma(n)", scope)), "polygamma(0, n)");
  expect_mistakes(
      {{"[gamma](n)", "'gamma' is not a function; write '*' to multiply"},
       {"[atan](n)", "'atan' is not a function; write '*' to multiply"},
       {"1 + [asin](n)", "asin is written with atan, which is a parameter or a table here"},
       {"[factorial](n)", "factorial is written with lgamma, which is a parameter or a table here"}},
      scope);
  scope = whole_scope();
  scope.tables.emplace("erfc", scope.tables.at("slopes"));
  EXPECT_TRUE(parse_expression("erfc(n)", scope).as<gpe::theory::node::TableAt>() != nullptr);
  expect_mistakes({{"[erf](n)", "erf is written with erfc, which is a parameter or a table here"}}, scope);
  expect_mistakes(
      {{"[atan](n, 2)", "atan has one argument"},
       {"[polygamma](n)", "polygamma has two arguments, the first a whole number from 0 to 100"},
       {"[polygamma](n, n)", "polygamma has two arguments, the first a whole number from 0 to 100"},
       {"[polygamma](101, n)", "polygamma has two arguments, the first a whole number from 0 to 100"}},
      whole_scope());
}

// Literals are not put together beyond the digits that are read.
TEST(ParseError, what_is_printed_is_read_again) {
  for (const char* text : {"9e19999 + 9e19999", "9e19999*9e19999", "-9e19999", "9e19999/7e-19998",
                           "2*9e19999*n + 9e19999 + 9e19999", "-(9e19999)"}) {
    const gpe::theory::Expr read = parse_expression(text, whole_scope());
    EXPECT_TRUE(parse_expression(to_text(read), whole_scope()) == read) << text;
  }
}

TEST(ParseError, conditions_are_chains_joined_by_and) {
  const auto count = [](const std::string& text) { return parse_conditions(text, whole_scope()).size(); };
  EXPECT_EQ(count("beta > 0"), 1U);
  EXPECT_EQ(count("0 < beta <= 2 and L >= 1"), 3U);
  for (const char* text : {"beta", "beta > 0 and", "beta > 0, L > 1", "beta > 0 or L > 1", "0 <"})
    EXPECT_THROW(count(text), ParseError) << text;
}

// Arbitrary bytes of the grammar's alphabet: a tree or a message, whose place lies in the text.
RC_GTEST_PROP(ParseError, every_mistake_lies_in_the_text, ()) {
  static const std::vector<std::string> pieces = {
      "n", "beta", "log(",  "(",  ")", "+",    "-",    "*", "/", "^",  ",",  "<=", "if(", "sum(",   "k",
      "1", "0",    "2.5e1", "pi", " ", "max(", "H(n)", ".", "é", "\n", "\t", "=",  "!",   "slopes("};
  std::string text;
  for (int count = gpe::testing::pick(12); count > 0; --count) text += *rc::gen::elementOf(pieces);
  RC_LOG() << text << "\n";
  try {
    parse_expression(text, whole_scope());
  } catch (const ParseError& error) {
    RC_ASSERT(error.begin < error.end);
    RC_ASSERT(error.begin <= text.size());
    RC_ASSERT(error.end <= text.size() + 1);
    RC_ASSERT(!std::string(error.what()).empty());
  }
}

// ------------------------------------------------------------------------------------- lines and carets

TEST(SpecError, shows_the_line_and_a_caret_under_the_column) {
  const std::string text = "first\nbias = \"-n*/2\"\nlast\n";
  EXPECT_STREQ(error_at("a.toml", text, 2, 12, 3, "wrong").what(),
               "a.toml:2:12: wrong\n  bias = \"-n*/2\"\n             ^~~");
  EXPECT_STREQ(error_at("a.toml", text, 4, 1, 1, "nothing here").what(), "a.toml:4:1: nothing here");
  EXPECT_STREQ(error_at("a.toml", "x\r\ny", 1, 1, 1, "carriage return").what(),
               "a.toml:1:1: carriage return\n  x\n  ^");
}

TEST(SpecError, columns_count_characters_and_not_bytes) {
  // β and × take two bytes each
  const std::string text = "β×n +";
  EXPECT_STREQ(error_in_argument("--bias", text, 2, 4, "no ×").what(), "--bias:1:2: no ×\n  β×n +\n   ^");
  EXPECT_STREQ(error_in_argument("--bias", text, text.size(), text.size() + 1, "end").what(),
               "--bias:1:6: end\n  β×n +\n       ^");
}

TEST(SpecError, a_long_line_is_cut_around_the_place) {
  const std::string text = std::string(5000, 'x') + "!" + std::string(5000, 'y');
  const std::string what = error_in_argument("--bias", text, 5000, 5001, "here").what();
  ASSERT_LT(what.size(), 400U);
  const std::size_t line = what.find('\n') + 1;
  const std::size_t caret = what.find('\n', line) + 1;
  EXPECT_EQ(what.find("--bias:1:5001: here\n"), 0U);
  EXPECT_EQ(what[line + (what.find('^') - caret)], '!');
}

TEST(SpecError, control_characters_do_not_reach_the_terminal) {
  const std::string what = error_in_argument("--bias", "n \x1b[31m", 2, 3, "escape \x1b").what();
  EXPECT_EQ(what.find('\x1b'), std::string::npos);
}

TEST(SpecError, a_mistake_in_a_file_is_told_with_its_own_line_and_column) {
  const auto told = [](const std::string& text) -> std::string {
    try {
      gpe::theory::parse_encoding(text, "x.toml", {});
    } catch (const SpecError& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string head = "schema = 1\nname = \"x\"\n[score]\n";
  EXPECT_EQ(told(head + "bias = \"-n*/2\"\n"),
            "x.toml:4:12: bias: found '/' where a number, a name, '-' or '(' was expected\n  bias = "
            "\"-n*/2\"\n             ^");
  EXPECT_EQ(told(head + "gian = \"1\"\n").substr(0, 13), "x.toml:4:1: u");
  EXPECT_NE(told(head + "gian = \"1\"\n").find("gain"), std::string::npos);
  // in a string of several lines, the place is counted inside the string
  const std::string several = told(head + "bias = \"\"\"-n\n  + nn\"\"\"\n");
  EXPECT_EQ(several.substr(0, 39), "x.toml:4:8: bias: unknown name 'nn'; kn");
  EXPECT_NE(several.find("(at character 8 of the expression)\n"), std::string::npos);
}

}  // namespace parse_error_test
