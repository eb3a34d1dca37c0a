#include "theory/expression/formula_argument.h"

#include "theory/expression/expr_parse.h"

namespace gpe::theory {

bool is_formula(std::string_view text) {
  if (text.size() > 1000) return false;
  NameScope scope;
  scope.names = {"n", "L", "d", "j", "h", "heads", "layer", "layers"};
  try {
    return parse_expression(text, scope).mentions("n");
  } catch (const ParseError& error) {
    return std::string_view(error.what()).starts_with("unknown ") &&
           text.find_first_of("(*^") != std::string_view::npos;
  }
}

std::string formula_instead(std::string_view text) {
  const std::string formula(text);
  return "'" + formula + "' is a formula and not an encoding; check-properties takes it as --bias '" +
         formula + "', every program in a file with bias = \"" + formula + "\" under [score]";
}

}  // namespace gpe::theory
