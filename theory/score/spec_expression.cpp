#include "theory/score/spec_expression.h"

namespace gpe::theory {

Expr expression_of(const TomlSource& toml, const toml::node& node, const std::string& key,
                   const NameScope& scope) {
  if (const auto integer = node.value_exact<std::int64_t>()) return Expr(*integer);
  if (!node.is_string() && !node.is_floating_point())
    toml.fail(node, key + " is not a string; expected a formula in quotes, \"…\", or a whole number");
  const std::string text = toml.string_of(node, key);
  try {
    return parse_expression(text, scope);
  } catch (const ParseError& error) {
    toml.fail_inside(node, text, error.begin, error.end,
                     key + ": " + with_declaration(error, "a parameter is declared under [parameters]"));
  }
}

std::string written(const toml::node& node) {
  if (const auto integer = node.value_exact<std::int64_t>()) return std::to_string(*integer);
  return node.value_or(std::string());
}

std::string with_declaration(const ParseError& error, const std::string& declaration) {
  const std::string message = error.what();
  return message.starts_with("unknown name") && message.find("; known here: ") != std::string::npos
             ? message + "; " + declaration
             : message;
}

}  // namespace gpe::theory
