// Any bytes as an expression: a tree within the limits that prints and reads back, or a ParseError inside the
// text.
#include "tests/fuzz/fuzzer.h"
#include "theory/expression/expr_parse.h"
#include "theory/expression/expr_print.h"

namespace gpe::fuzz {
namespace {

using namespace theory;

NameScope scope_with_everything() {
  const auto table = std::make_shared<Table>();
  table->name = "slopes";
  table->values = {Rational(1), Rational(1, 2), Rational(-3)};
  NameScope scope;
  scope.names = {"n", "L", "d", "j", "h", "heads", "layer", "layers", "m", "beta"};
  scope.tables = {{"slopes", table}};
  scope.no_cut_entropy.clear();
  return scope;
}

}  // namespace

void read(std::string_view bytes) {
  static const NameScope scope = scope_with_everything();
  const std::string text(bytes);
  try {
    const Expr expression = parse_expression(text, scope);
    require(expression.size() <= scope.max_nodes, "larger than the limit", text);
    require(expression.depth() <= scope.max_depth, "deeper than the limit", text);
    const std::string printed = to_text(expression);
    NameScope wide = scope;  // what is printed may nest deeper than what was read: 1/x is x^(-1)
    wide.max_nodes *= 4;
    wide.max_depth *= 4;
    try {
      require(parse_expression(printed, wide) == expression, "reads back as another expression",
              text + " -> " + printed);
    } catch (const ParseError& error) {
      require(false, "does not read back", text + " -> " + printed + ": " + error.what());
    }
    require(!to_latex(expression).empty(), "no LaTeX", text);
    require(!to_sympy(expression).empty(), "no SymPy text", text);
  } catch (const ParseError& error) {
    require(error.begin < error.end && error.begin <= text.size(), "a mistake outside the text", text);
  }
  try {
    parse_conditions(text, scope);
  } catch (const ParseError& error) {
    require(error.begin < error.end && error.begin <= text.size(), "a mistake outside the text", text);
  }
}

}  // namespace gpe::fuzz
