// Text -> Expr, for the grammar of docs/specification.md.
// Tests: tests/theory/score/parse_error_test.cpp, tests/theory/expression/print_test.cpp
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "theory/expression/expr.h"
#include "theory/source/table.h"

namespace gpe::theory {

/// What an expression may mention, and how large it may be.
struct NameScope {
  std::vector<std::string> names;                              ///< free symbols
  std::map<std::string, std::shared_ptr<const Table>> tables;  ///< NAME(EXPR)
  /// Why H(n) is refused; empty where it is allowed.
  std::string no_cut_entropy = "H(n), the entropy of the cut law, is allowed only inside 'angle'";
  std::int64_t max_nodes = 10000;
  int max_depth = 200;
  bool repairs = true;  ///< messages recommend formulas, which are parsed first
};

/// What is wrong with a text, and where: bytes [begin, end) of it.
struct ParseError : std::runtime_error {
  ParseError(std::size_t first, std::size_t last, const std::string& message)
      : std::runtime_error(message), begin(first), end(last) {}
  std::size_t begin;
  std::size_t end;
};

/// @throws ParseError  naming what was found, what was expected, and the nearest allowed name.
Expr parse_expression(std::string_view text, const NameScope& scope);
inline bool is_formula(std::string_view text, NameScope scope) {
  scope.repairs = false;
  try {
    parse_expression(text, scope);
    return true;
  } catch (const ParseError&) {
    return false;
  }
}

/// A condition "EXPR relation EXPR", or a chain "0 < x <= 2", or several joined by "and".
struct Condition {
  Relation relation;
  Expr left;
  Expr right;
};
std::vector<Condition> parse_conditions(std::string_view text, const NameScope& scope);

}  // namespace gpe::theory
