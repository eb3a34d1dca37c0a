// Expressions from text, as these tests write them.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "theory/expr_parse.h"
#include "theory/expr_print.h"

namespace gpe::theory {

/// What RapidCheck prints of a counterexample.
inline void showValue(const Expr& expression, std::ostream& out) { out << to_text(expression); }
inline void showValue(const Rational& number, std::ostream& out) { out << number.str(); }

}  // namespace gpe::theory

namespace gpe::testing {

/// An expression in n and the further names given.
inline theory::Expr parsed(const std::string& text, std::vector<std::string> names = {}) {
  theory::NameScope scope;
  scope.names = std::move(names);
  scope.names.emplace_back("n");
  return theory::parse_expression(text, scope);
}

}  // namespace gpe::testing
