// The functions of expressions, by name.
// Tests: tests/theory/score/parse_error_test.cpp, tests/theory/score/newcomers_test.cpp
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "theory/expression/expr.h"

namespace gpe::theory {

/// Those that are nodes of the tree. The names of special ones are not reserved: a parameter or table of that
/// name wins.
const std::vector<std::pair<std::string, Function>>& functions();
/// Those of one argument that are read as an expression in others, of x.
const std::vector<std::pair<std::string, std::string>>& written_out();
bool takes_several(Function function);  ///< arguments
/// What is wrong with these arguments; empty when nothing is.
std::string fault_of(Function function, const std::vector<Expr>& arguments);
/// The value beside a name; null where there is none.
template <class T>
const T* named(const std::vector<std::pair<std::string, T>>& table, std::string_view name) {
  for (const auto& [known, value] : table) {
    if (known == name) return &value;
  }
  return nullptr;
}

}  // namespace gpe::theory
