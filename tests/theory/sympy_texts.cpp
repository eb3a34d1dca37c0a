// Prints, one JSON object a line, expressions as to_sympy writes them, a point, and proved bounds of the
// value there: for tests/theory/check_sympy_texts.py. The built-in encodings, then random expressions (one
// seed). Arguments: the folder of the encodings, how many random ones.
#include <rapidcheck.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "tests/generators/expression.h"
#include "tests/theory/engine.h"
#include "theory/score/spec_parse.h"

namespace {

using gpe::checks::Ball;
using gpe::testing::Point;
using gpe::theory::Expr;
using gpe::theory::Rational;

constexpr long kBits = 300;
constexpr long kKnownBits = 120;

// False when there is nothing to compare: undefined there, a table, H(n), or too large to write out.
bool print(const std::string& text, const Expr& tree, const Point& point) {
  if (to_sympy(tree).find("Function(") != std::string::npos) return false;
  std::optional<gpe::theory::RationalInterval> ends;
  try {
    const Ball here = gpe::testing::value(tree, point, kBits);
    if (here.is_finite() && (here.surely_zero() || here.relative_bits() >= kKnownBits)) ends = here.ends();
  } catch (const gpe::theory::EvaluationError&) {
    return false;
  }
  if (!ends || ends->low.bits() > 4000 || ends->high.bits() > 4000) return false;
  nlohmann::json row = {{"text", text},
                        {"sympy", to_sympy(tree)},
                        {"latex", to_latex(tree)},
                        {"low", ends->low.str()},
                        {"high", ends->high.str()}};
  for (const auto& [name, number] : point) row["point"][name] = number.str();
  std::cout << row.dump() << "\n";
  return true;
}

void print_encoding(const std::filesystem::path& file) {
  const gpe::theory::Encoding encoding = gpe::theory::load_encoding(file);
  Point point = {{"n", Rational(37)},    {"j", Rational(5)},     {"L", Rational(1000)},
                 {"d", Rational(64)},    {"h", Rational(2)},     {"heads", Rational(6)},
                 {"layer", Rational(1)}, {"layers", Rational(4)}};
  std::int64_t k = 3;
  for (const auto& parameter : encoding.parameters) point[parameter.name] = Rational(++k, 3);
  for (const Expr& part : {encoding.bias, encoding.gain, encoding.rotation.angle, encoding.rotation.scale}) {
    print(to_text(part), part, point);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: sympy_texts FOLDER COUNT\n";
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const auto& file : files) print_encoding(file);

  const Point point = {{"n", Rational(7)},       {"L", Rational(5)},          {"d", Rational(6)},
                       {"beta", Rational(3, 2)}, {"factor", Rational(-2, 3)}, {"E", Rational(1, 7)},
                       {"alpha0", Rational(11)}};
  rc::Random random(20250101);
  for (int printed = 0; printed < std::stoi(argv[2]);) {
    const std::string text = gpe::testing::any_expression_text()(random.split(), rc::kNominalSize).value();
    if (text.find("12345678901234567890") != std::string::npos) continue;  // SymPy writes such powers out
    try {
      if (print(text, parse_expression(text, gpe::testing::whole_scope()), point)) ++printed;
    } catch (const gpe::theory::ParseError&) {  // a literal division by zero
    }
  }
}
