// Expressions from text, as these tests write them.
#pragma once

#include <string>
#include <vector>

#include "tests/generators/show.h"
#include "theory/expression/expr_parse.h"

namespace gpe::testing {

/// An expression in n and the further names given.
inline theory::Expr parsed(const std::string& text, std::vector<std::string> names = {}) {
  theory::NameScope scope;
  scope.names = std::move(names);
  scope.names.emplace_back("n");
  return theory::parse_expression(text, scope);
}

}  // namespace gpe::testing
