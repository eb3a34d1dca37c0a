// What newcomers write, and the one message that each gets: place, what is wrong, what to write, line and
// caret.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "checks/arb/expr_ball.h"
#include "tests/refusal.h"
#include "theory/expression/habits.h"
#include "theory/score/spec_parse.h"

namespace newcomers_test {

using gpe::tests::refusal;
using gpe::theory::answer_to;
using gpe::theory::Habit;

struct Mistake {
  std::string lines;    ///< after schema and name; the last one is shown, and the caret stands in it
  std::string message;  ///< behind file, line and column
  std::string carets;   ///< under the last line
};

void expect_messages(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const std::string text = "schema = 1\nname = \"x\"\n" + mistake.lines + "\n";
    const auto line = std::to_string(std::ranges::count(text, '\n'));
    const std::string column = std::to_string(mistake.carets.find('^') + 1);
    const std::string shown = mistake.lines.substr(mistake.lines.rfind('\n') + 1);
    EXPECT_EQ(refusal([&] { gpe::theory::parse_encoding(text, "mine.toml", "."); }),
              "mine.toml:" + line + ":" + column + ": " + mistake.message + "\n  " + shown + "\n  " +
                  mistake.carets)
        << mistake.lines;
  }
}

// A formula for the bias: what the message says, and where its carets begin and end.
void expect_of_bias(const std::string& marked, const std::string& message) {
  const std::size_t open = marked.find("<<"), close = marked.find(">>");
  const std::string wrong = marked.substr(open + 2, close - open - 2);
  const auto columns = static_cast<std::size_t>(
      std::ranges::count_if(wrong, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  const std::string line = "bias = \"" + marked.substr(0, open) + wrong + marked.substr(close + 2) + "\"";
  const Mistake mistake = {"[score]\n" + line, "bias: " + message,
                           std::string(8 + open, ' ') + "^" + std::string(columns - 1, '~')};
  expect_messages({mistake});
}

const std::string kRotation =
    "rotary positions are transform = \"rotation\" and a table [score.rotation] with angle = "
    "\"10000^(-2*j/d)*n\"";

TEST(Newcomers, transforms) {
  const std::string added = "what is added is bias = \"…\", with transform = \"identity\" or no transform";
  expect_messages({
      {"[score]\ntransform = \"rope\"", "unknown transform 'rope'; " + kRotation, "            ^~~~~~"},
      {"[score]\ntransform = \"RoPE\"", "unknown transform 'RoPE'; " + kRotation, "            ^~~~~~"},
      {"[score]\ntransform = \"rotary\"", "unknown transform 'rotary'; " + kRotation, "            ^~~~~~~~"},
      {"[score]\ntransform = \"Rotation\"", "unknown transform 'Rotation'; did you mean 'rotation'?",
       "            ^~~~~~~~~~"},
      {"[score]\ntransform = \"alibi\"", "unknown transform 'alibi'; " + added, "            ^~~~~~~"},
  });
}

TEST(Newcomers, values_of_toml) {
  const std::string quotes = "a formula or a fraction is text, in quotes: write ";
  expect_messages({
      {"[parameters]\nm = \"1/2\"", "parameter 'm' is not a table; write m = { default = \"1/2\" }",
       "    ^~~~~"},
      {"[parameters]\nm = 0.5", "parameter 'm' is not a table; write m = { default = \"0.5\" }", "    ^~~"},
      {"[parameters]\nm = 2", "parameter 'm' is not a table; write m = { default = 2 }", "    ^"},
      {"[parameters]\nm = { value = \"1/2\" }",
       "unknown key 'value' in parameter 'm'; the value is default = \"…\"", "      ^~~~~"},
      {"[score]\nwindow = 128.0", "window is a TOML float, which is not exact; write 128", "         ^~~~~"},
      {"[score]\nbias = 0.5", "bias is a TOML float, which is not exact; write it as a string, \"0.5\"",
       "       ^~~"},
      {"[score]\nbias = -n/8", quotes + "bias = \"-n/8\"", "       ^~~~"},
      {"[score]\nbias = -log(1 + n)  # slow", quotes + "bias = \"-log(1 + n)\"", "       ^~~~~~~~~~~"},
      {"[score]\nbias = “-n/8”", quotes + "bias = \"-n/8\"", "       ^~~~~~"},
      {"[parameters]\nm = { default = 1/2, domain = \"m > 0\" }", quotes + "default = \"1/2\"",
       "                ^~~"},
  });
}

TEST(Newcomers, toml_that_does_not_end) {
  const std::string quotes = "a formula or a fraction is text, in quotes: write ";
  expect_messages({
      {"[score]\nbias = \"-n", "the quote that closes a text is missing", "          ^"},
      {"[score]\nbias = '-n", "the quote that closes a text is missing", "          ^"},
      {"[score", "the bracket that closes the name of a table is missing", "      ^"},
      {"[score]\nbias \"-n\"", "expected '=' between a key and its value", "     ^"},
      {"[score]\nbias =", "the value is missing", "      ^"},
      {"[score]\nbias = \"-n\" \"b\"", "expected the end of the line after a value", "            ^"},
      {"[score]\nbias = [-n, -2*n]", quotes + "\"-n\"", "        ^~"},
      {"[parameters]\nm = { default = [1/2, 1/4] }", quotes + "\"1/2\"", "                 ^~~"},
      {"[parameters]\nm = { default = [1 2] }", "expected a comma between two values, or ']'",
       "                   ^"},
      {"[parameters]\nm = { default = \"1\" domain = \"m > 0\" }",
       "expected a comma between two keys, or '}'", "                    ^"},
      {"[score]\nbias = \"\\alpha\"",
       "a backslash begins an escape; write it twice, or the text in single quotes", "         ^"},
  });
}

TEST(Newcomers, formulas_of_python) {
  const std::string operators = "found 'if' where an operator or the end was expected; write ";
  expect_of_bias("64 <<if>> h > 1 else 2", operators + "if(h > 1, 64, 2)");
  expect_of_bias("-n <<if>> (n < 4) else -4", operators + "if(n < 4, -n, -4)");
  expect_of_bias("n <<if>> n < 4 else 4 if n < 8 else 8", operators + "if(n < 4, n, if(n < 8, 4, 8))");
  const std::string generic = operators + "if(x < y, u, v) for a value that depends on a condition";
  expect_of_bias("n <<if>> n", generic);
  expect_of_bias("-n <<if>> h < 4 and h > 2 else 0", generic);  // what is recommended is a formula
  expect_of_bias("-n <<if>> h < 4 else -2*n if (h < 6) else -3*n", generic);
  expect_of_bias("n <<or>> 3",
                 "found 'or' where an operator or the end was expected; if has one comparison: nest it, "
                 "if(a < b, u, if(c < d, u, v))");
  std::string many;
  for (int i = 0; i < 50000; ++i) many += "1 if n < 2 else ";
  const std::string text = "schema = 1\nname = \"x\"\n[score]\nbias = \"" + many + "3\"\n";
  EXPECT_NE(refusal([&] { gpe::theory::parse_encoding(text, "mine.toml", "."); }).find(generic),
            std::string::npos);
  expect_of_bias("n<<//>>4", "'//' is not an operator here; write floor(x/y) for x//y");
  const std::string comparison = "found '<=' where an operator or ')' was expected";
  expect_of_bias("-(h <<<=>> heads/4)*n",
                 comparison + "; a comparison is not a number: write if(h <= heads/4, 1, 0)");
}

TEST(Newcomers, keys_in_another_place) {
  expect_messages({
      {"bias = \"-n\"", "unknown key 'bias' in an encoding file; 'bias' belongs under a line [score]",
       "^~~~"},
      {"[score]\nangle = \"n\"",
       "unknown key 'angle' in [score]; 'angle' belongs under a line [score.rotation]", "^~~~~"},
      {"[rotation]", "unknown key 'rotation' in an encoding file; its table is called [score.rotation]",
       " ^~~~~~~~"},
      {"[score]\ntitle = \"mine\"",
       "unknown key 'title' in [score]; 'title' belongs at the top, before the first line in brackets",
       "^~~~~"},
      {"[score]\nBias = \"-n\"", "unknown key 'Bias' in [score]; did you mean 'bias'?", "^~~~"},
      {"[score]\nbase = 10000", "unknown key 'base' in [score]; " + kRotation, "^~~~"},
      {"[score]\nslope = \"1/2\"",
       "unknown key 'slope' in [score]; a slope is a parameter m of [parameters], and bias = \"-m*n\"",
       "^~~~~"},
      {"[score]\ncausal = false",
       "unknown key 'causal' in [score]; attention to both sides is sided = \"two\"", "^~~~~~"},
      {"[score]\nsliding_window = 128",
       "unknown key 'sliding_window' in [score]; the number of keys is window = \"…\"", "^~~~~~~~~~~~~~"},
  });
}

TEST(Newcomers, names_and_functions) {
  const std::string distance = "i - j, the distance from the query to the key, is n";
  expect_of_bias("-(<<i>>-j)/8", "unknown name 'i'; " + distance);
  expect_of_bias("-<<j>>/8", "unknown name 'j'; " + distance);
  expect_of_bias("-<<distance>>/8", "unknown name 'distance'; " + distance);
  expect_of_bias(
      "<<q>>*n",
      "unknown name 'q'; queries and keys stand in the content alone, q'W(n)k/sqrt(d), which gain(n) "
      "multiplies; what depends on the text in another way does not fit (docs/specification.md)");
  expect_of_bias("-n/<<head_dim>>", "unknown name 'head_dim'; the head dimension is d");
  expect_of_bias(
      "-n/<<seq_len>>",
      "unknown name 'seq_len'; L is the index of the query, which is the number of visible keys less one");
  expect_of_bias("-<<N>>/8", "unknown name 'N'; did you mean 'n'?");
  expect_of_bias(
      "-<<m>>*n",
      "unknown name 'm'; known here: L, d, h, heads, layer, layers, n, pi; a parameter is declared under "
      "[parameters]");
  expect_of_bias("-<<ln>>(1 + n)", "unknown function 'ln'; the natural logarithm is log(x)");
  expect_of_bias("-<<relu>>(n - 16)", "unknown function 'relu'; write max(0, x)");
  expect_of_bias("<<b>>(n) = -n", "unknown function 'b'; write only what stands right of its equals sign");
  expect_of_bias("-torch<<.>>log(1 + n)",
                 "unexpected character '.'; functions have no module before them: write log(1 + n)");
}

TEST(Newcomers, signs) {
  expect_of_bias("-<<|>>n|", "unexpected character '|'; write abs(n) for |n|");
  expect_of_bias("<<−>>n/8", "unexpected character '−'; write '-'");
  expect_of_bias("-n<<²>>", "unexpected character '²'; write '^' for a power, as in n^2");
  expect_of_bias("-<<λ>>*n", "unexpected character 'λ'; formulas are written in ASCII, as in lambda*n");
  expect_of_bias("-2<<n>>", "found 'n' where an operator or the end was expected; write '*' to multiply");
  expect_of_bias("-n <<%>> 8", "unexpected character '%'; write x - y*floor(x/y) for the rest of x by y");
  expect_of_bias(
      "if(n > 8 <<and>> n < 9, 1, 0)",
      "found 'and' where an operator or ',' was expected; if has one comparison: nest it, if(a < b, if(c < "
      "d, u, v), v)");
}

// What an answer says to write parses, and is the function that was meant; so is what needs no answer.
TEST(Newcomers, what_to_write_is_what_was_meant) {
  using Meant = double (*)(double);
  const std::vector<std::pair<std::string, Meant>> functions = {
      {"log1p", std::log1p},
      {"log2", std::log2},
      {"log10", std::log10},
      {"expm1", std::expm1},
      {"exp2", std::exp2},
      {"square", [](double x) { return x * x; }},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"relu", [](double x) { return std::fmax(0, x); }},
      {"softplus", [](double x) { return std::log1p(std::exp(x)); }},
      {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"logistic", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"tanh", std::tanh},
      {"sinh", std::sinh},
      {"cosh", std::cosh},
      {"tan", std::tan},
      {"atan", std::atan},
      {"asin", std::asin},
      {"acos", std::acos},
      {"erf", std::erf},
      {"erfc", std::erfc},
      {"lgamma",
       [](double x) { return x > 0 ? std::lgamma(x) : std::nan(""); }},  // log Gamma, as Gamma > 0 there
      {"gamma", [](double x) { return x > 0 ? std::tgamma(x) : std::nan(""); }},
      {"factorial", [](double x) { return x > -1 ? std::tgamma(x + 1) : std::nan(""); }},
      {"fabs", std::fabs},
      {"ceil", std::ceil},
      {"round", std::round},
      {"sign", [](double x) { return static_cast<double>(int{x > 0} - int{x < 0}); }},
      {"sgn", [](double x) { return std::copysign(1.0, x); }}};
  gpe::theory::NameScope scope;
  scope.names = {"x", "y", "z"};
  for (const auto& [name, meant] : functions) {
    const std::string answer(answer_to(Habit::function, name));
    ASSERT_TRUE(answer.empty() || answer.starts_with("write ")) << name;
    const gpe::theory::Expr formula =
        gpe::theory::parse_expression(answer.empty() ? name + "(x)" : answer.substr(6), scope);
    for (const int eighths : {1, 7, 21, 33, -7, -19}) {
      const double x = eighths / 8.0;
      if (!std::isfinite(meant(x))) continue;
      const auto value = gpe::checks::evaluate(
          gpe::theory::substitute(formula, "x", gpe::theory::Expr(gpe::theory::Rational(eighths, 8))), {},
          128);
      EXPECT_NEAR(value.approximate(), meant(x), 1e-12) << name << " of " << x;
    }
  }
  for (const char* other : {"pow", "mod", "clamp", "minimum", "maximum"})
    EXPECT_NO_THROW(gpe::theory::parse_expression(answer_to(Habit::function, other).substr(6), scope))
        << other;
}

// A word that has a meaning here needs no answer.
TEST(Newcomers, answers_are_for_words_that_are_not_known) {
  for (const char* known : {"log", "exp", "sqrt", "abs", "min", "max", "floor", "sin", "cos", "if", "sum"})
    EXPECT_EQ(answer_to(Habit::function, known), "") << known;
  for (const char* known : {"n", "L", "d", "h", "heads", "layer", "layers", "pi"})
    EXPECT_EQ(answer_to(Habit::name, known), "") << known;
  for (const char* known :
       {"gain", "bias", "transform", "first", "window", "sink", "softcap", "sided", "angle", "scale",
        "layout", "alpha", "rate", "decay", "default", "domain", "doc", "range"})
    EXPECT_EQ(answer_to(Habit::key, known), "") << known;
  for (const char* known : {"identity", "rotation", "scaled-rotation", "hyperbolic", "none"})
    EXPECT_EQ(answer_to(Habit::transform, known), "") << known;
}

}  // namespace newcomers_test
